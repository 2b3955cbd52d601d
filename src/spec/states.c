/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/states.h"

struct states states_in(struct mem *m, const assay_spec *spec)
{
    return (struct states){.spec = spec, .mem = m};
}

static uint32_t find(const struct states *s, const void *state, const uint64_t digest[2])
{
    uint32_t i = idmap_get(&s->first, digest[0]);
    for (; i != ID_NONE; i = s->kept.at[i].next) {
        const struct kept_state *k = &s->kept.at[i];
        if (k->digest[1] == digest[1] && (!s->spec->equal || hook_equal(s->spec, k->copy, state)))
            return i;
    }
    return ID_NONE;
}

uint32_t states_find(const struct states *s, const void *state)
{
    uint64_t digest[2];
    hook_digest(s->spec, state, digest);
    return find(s, state, digest);
}

uint32_t states_number(struct states *s, const void *state)
{
    uint64_t digest[2];
    hook_digest(s->spec, state, digest);
    uint32_t number = find(s, state, digest);
    if (number != ID_NONE)
        return number;
    void *copy = s->spec->equal ? hook_copy(s->spec, state, s->mem) : NULL;
    uint32_t *first = idmap_at(s->mem, &s->first, digest[0]);
    vec_push(s->mem, &s->kept, ((struct kept_state){copy, {digest[0], digest[1]}, *first}));
    return *first = s->kept.n - 1;
}
