/* SPDX-License-Identifier: Apache-2.0 */
#include "weak/demands.h"

#include <assert.h>

/* The number of a path, which is added unless it is there. A model has at most AXIOMS_MOST axioms, and the levels have
 * 5 together. */
static uint32_t path_number(struct demands *d, const struct axiom *a)
{
    _Static_assert(AXIOMS_MOST + 5 <= MOST_PATHS, "there is room for the paths of a model and of all levels");
    uint32_t p = 0;
    while (p < d->paths && !axiom_same(&d->path[p], a))
        p++;
    if (p == d->paths) {
        assert(p < MOST_PATHS);
        d->path[d->paths++] = *a;
        d->longest = a->n > d->longest ? a->n : d->longest;
    }
    return p;
}

static uint32_t class_of(struct demands *d, uint32_t demands)
{
    uint32_t c = 0;
    while (c < d->classes && d->class_demands[c] != demands)
        c++;
    if (c == d->classes)
        d->class_demands[d->classes++] = demands;
    return c;
}

static struct asked asked_of(const struct demands *d)
{
    bool lin_alone = false, lin_within = false, vis_within = false;
    for (uint32_t p = 0; p < d->paths; p++)
        for (uint32_t i = 0; i < d->path[p].n; i++) {
            bool alone = d->path[p].n == 1;
            lin_alone |= alone && d->path[p].path[i] == REL_LIN;
            lin_within |= !alone && d->path[p].path[i] == REL_LIN;
            vis_within |= !alone && d->path[p].path[i] == REL_VIS;
        }
    bool plain = !lin_within && !vis_within;
    return (struct asked){.complete = lin_alone && plain && d->classes == 1,
                          .plain = plain,
                          .unmoved = !lin_within && !(lin_alone && vis_within)};
}

void demands_take(const struct visibility *v, const assay_spec *spec, const bool *used, struct demands *out)
{
    *out = (struct demands){.longest = 1};
    for (uint32_t m = 0; m < MOST_METHODS && spec->methods[m].name; m++) {
        if (used && !used[m])
            continue;
        const struct axioms *axioms = visibility_of(v, spec->methods[m].name);
        for (uint32_t i = 0; i < axioms->n; i++)
            out->of[m] |= 1u << path_number(out, &axioms->at[i]);
        out->class[m] = class_of(out, out->of[m]);
    }
    out->asked = asked_of(out);
}

bool demands_hb(const struct demands *d)
{
    uint32_t enough = 0;
    for (uint32_t p = 0; p < d->paths; p++)
        if (d->path[p].n == 1 && (d->path[p].path[0] == REL_HB || d->path[p].path[0] == REL_LIN))
            enough |= 1u << p;
    for (uint32_t c = 0; c < d->classes; c++)
        if (!(d->class_demands[c] & enough))
            return false;
    return true;
}
