/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/places.h"

#include "base/image.h"

#include <string.h>

void places_init(struct places *p, struct mem *m)
{
    p->mem = m;
    p->ids = mem_new_zero(m, struct recent, PLACES_IDS);
}

void places_shift(struct places *p, uint64_t step, uint64_t by)
{
    if (p->shifts.n == PLACES_SHIFTS) {
        p->shifts.n /= 2;
        memmove(p->shifts.at, p->shifts.at + PLACES_SHIFTS - p->shifts.n, p->shifts.n * sizeof *p->shifts.at);
    }
    vec_push(p->mem, &p->shifts, ((struct shift){step, by}));
}

uint64_t places_line(const struct places *p, uint64_t step)
{
    uint32_t i = p->shifts.n;
    while (i && p->shifts.at[i - 1].step > step)
        i--;
    return i ? step + p->shifts.at[i - 1].by : 0;
}

bool places_id(const struct places *p, uint64_t step, char out[ID_PACKED + 1])
{
    const struct recent *r = &p->ids[step % PLACES_IDS];
    return r->step == step && r->length && id_unpack(r->key, r->length, out);
}

void places_image(struct places *p, struct image *x)
{
    uint32_t used = 0, n;
    for (uint32_t i = 0; !x->loads && i < PLACES_IDS; i++)
        used += p->ids[i].step > 0;
    n = image_count(x, used, sizeof *p->ids);
    for (uint32_t i = 0; !x->loads && i < PLACES_IDS; i++)
        if (p->ids[i].step)
            image_plain(x, &p->ids[i]);
    for (uint32_t i = 0; x->loads && i < n; i++) {
        struct recent r;
        image_plain(x, &r);
        p->ids[r.step % PLACES_IDS] = r;
    }
    image_vec(x, p->mem, &p->shifts);
}
