/* SPDX-License-Identifier: Apache-2.0 */
#include "support/wishes.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_SETS = 20, BY_METHOD = 4 };

static void add(struct wishes *w, const struct model *named, const char *model, const char *levels)
{
    struct wish *d = &w->at[w->n];
    *d = (struct wish){.named = named};
    snprintf(d->model, sizeof d->model, "%s", model);
    snprintf(d->levels, sizeof d->levels, "%s", levels);
    struct model spelled;
    bool is_spelled;
    assay_error e = {0};
    if (!model_spell(d->model, &spelled, &is_spelled, &e) ||
        !visibility_parse(is_spelled ? spelled.axioms : model_find(model)->axioms, levels, &w->visibility[w->n], &e)) {
        fprintf(stderr, "%s\n", e.message);
        abort();
    }
    w->n++;
}

static void random_axioms(struct rng *rng, char *out)
{
    static const char *const relations[] = {"po", "hb", "lin", "vis"};
    size_t at = (size_t)sprintf(out, "weak:");
    for (uint32_t axioms = 1 + rng_below(rng, 3); axioms > 0; axioms--) {
        at += (size_t)sprintf(out + at, " vis >= ");
        for (uint32_t steps = 1 + rng_below(rng, 3); steps > 0; steps--)
            at += (size_t)sprintf(out + at, "%s%s", relations[rng_below(rng, 4)], steps > 1 ? ";" : "");
        at += (size_t)sprintf(out + at, axioms > 1 ? " &" : "");
    }
}

static void random_levels(const struct play *p, struct rng *rng, char *out)
{
    static const char *const levels[] = {"weak", "self", "monotonic", "peer", "causal", "complete"};
    size_t at = 0;
    *out = '\0';
    for (uint32_t i = 0; i < p->n; i++) {
        bool again = false; /* a method has one level */
        for (uint32_t j = 0; j < i && !again; j++)
            again = strcmp(p->op[j].method, p->op[i].method) == 0;
        if (!again && at + 48 < WISH_TEXT)
            at += (size_t)sprintf(out + at, "%s%s=%s", at ? "," : "", p->op[i].method, levels[rng_below(rng, 6)]);
    }
}

void wishes_take(struct wishes *w, const struct play *p, struct rng *rng)
{
    char text[WISH_TEXT];
    w->n = 0;
    for (size_t i = 0; model_table[i]; i++)
        if (model_table[i]->conditions == COND_WEAK)
            add(w, model_table[i], model_table[i]->name, "");
    uint32_t named = w->n;
    add(w, NULL, "weak: vis >= vis;lin", "");
    add(w, NULL, "weak: vis = lin", "");
    add(w, NULL, "weak: vis >= lin;vis", "");
    add(w, NULL, "weak: vis >= hb & vis >= vis;vis", "");
    for (uint32_t i = 4; i < RANDOM_SETS; i++) {
        random_axioms(rng, text);
        add(w, NULL, text, "");
    }
    for (uint32_t i = 0; i < BY_METHOD; i++) {
        uint32_t base = rng_below(rng, named + RANDOM_SETS);
        random_levels(p, rng, text);
        add(w, NULL, w->at[base].model, text);
    }
}
