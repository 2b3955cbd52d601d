/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories: the engines agree, recheck accepts every verdict, and verdicts obey the laws of
 * the models.
 *
 *   random [--quick|--long] [--seed N] [--count N] [--only causal|all|borders]
 *
 * Below the long tier the engines that are chosen by themselves get every history, the others every
 * fifth or tenth. History i depends on the seed and i only. A history that breaks something is shrunk and
 * printed. */
#include "model/model.h"
#include "support/batch.h"
#include "support/gadgets.h"
#include "support/generate.h"
#include "support/laws.h"
#include "support/tally.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    enum tier tier;
    bool all; /* of the engines get every history */
    uint64_t seed;
    uint32_t count;
};

static struct rng rng_of(uint64_t seed, uint32_t part, uint32_t i)
{
    struct rng rng = {seed * 0x9E3779B97F4A7C15u + part};
    rng.state = rng_next(&rng) + i;
    rng.state = rng_next(&rng);
    return rng;
}

/* Ends the test if fewer than `least` histories satisfy the weak models and not the strong ones. */
static void demand(const struct tally *t, const char *weak, const char *strong, uint64_t least)
{
    uint64_t found = tally_between(t, models_named(weak), models_named(strong));
    printf("    %s%s%s: %llu\n", *weak ? weak : "any", *strong ? ", not " : "", strong, (unsigned long long)found);
    if (found >= least)
        return;
    printf("too few histories on one side of this border\n");
    exit(1);
}

/* ---- causal models ---- */

static void small(const struct settings *x)
{
    uint32_t sample = x->all ? 1 : 20; /* every so many histories go to the logic program */
    uint64_t applied[LAWS] = {0};
    struct tally t;
    tally_start(&t, models_named(CAUSAL_MODELS), x->all ? 1 : 10);
    for (uint32_t i = 0; i < x->count; i++) {
        struct rng rng = rng_of(x->seed, 0, i);
        struct recipe r = recipe_any(&rng, 7, 16);
        struct sketch s = generate(&r, &rng);
        s.style = i % 2 ? rng_next(&rng) : 0;
        unsigned satisfied = tally_judge(&t, &s);
        laws_check(&s, models_named(CAUSAL_MODELS), rng_next(&rng), applied);
        if (i % sample == 0)
            tally_datalog(&t, &s, satisfied);
        sketch_free(&s);
    }
    tally_finish(&t, "7 to 16 operations");
    laws_print(applied);
    demand(&t, "", "cc", x->count / 250);
    demand(&t, "cc", "ccv cm", x->count / 250);
    demand(&t, "ccv", "cm", x->count / 250);
    demand(&t, "cm", "ccv", x->count / 250);
    demand(&t, "ccv cm", "", x->count / 250);
}

static void large(const struct settings *x, uint32_t part, const char *title, uint32_t count, uint32_t least,
                  uint32_t most, bool datalog)
{
    struct tally t;
    tally_start(&t, models_named(CAUSAL_MODELS), x->all ? 1 : 10);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = rng_of(x->seed, part, i);
        struct recipe r = recipe_any(&rng, least, most);
        struct sketch s = generate(&r, &rng);
        s.style = rng_next(&rng);
        unsigned satisfied = tally_judge(&t, &s);
        if (datalog)
            tally_datalog(&t, &s, satisfied);
        sketch_free(&s);
    }
    tally_finish(&t, title);
}

/* ---- all models ---- */

static void all_models(const struct settings *x)
{
    uint32_t count = x->count / 5 * 3, every = x->all ? 1 : 5;
    uint64_t applied[LAWS] = {0};
    struct tally t;
    tally_start(&t, models_all(), every);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = rng_of(x->seed, 4, i);
        struct recipe r = recipe_serial(&rng, 4, 12);
        struct sketch s = generate(&r, &rng);
        s.style = i % 2 ? rng_next(&rng) : 0;
        unsigned satisfied = tally_judge(&t, &s);
        if (i % every == 0)
            tally_datalog(&t, &s, satisfied);
        if (i % every == 0)
            laws_check(&s, models_all(), rng_next(&rng), applied);
        sketch_free(&s);
    }
    tally_finish(&t, "4 to 12 operations, all models");
    laws_print(applied);
    demand(&t, "sc", "", count / 20);
    demand(&t, "tso", "sc", count / 50);
}

/* Between a model and the next stronger one there are histories. */
static void demand_borders(const struct tally *t, uint64_t least)
{
    for (size_t i = 0; model_table[i]; i++)
        for (const char *const *weaker = model_table[i]->weaker; weaker && *weaker; weaker++)
            if (model_find(*weaker) && (model_table[i]->needs & NEED_MEMORY)) /* of the others linear.c knows more */
                demand(t, *weaker, model_table[i]->name, least);
}

static void borders(const struct settings *x)
{
    uint32_t count = x->count / 10;
    struct tally t;
    tally_start(&t, models_all(), x->all ? 1 : 5);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = rng_of(x->seed, 5, i);
        struct sketch s = gadget_any(&rng);
        tally_datalog(&t, &s, tally_judge(&t, &s));
        sketch_free(&s);
    }
    tally_finish(&t, "variations of the printed examples");
    demand_borders(&t, count / 500);
    demand(&t, "wsc", "sc", count / 10);
    demand(&t, "wtso", "tso", count / 10);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    struct settings x = {.tier = r.tier, .all = r.tier == TIER_LONG, .seed = r.seed};
    x.count = request_count(&r, 10000, 20000, 1000000);
    if (request_wants(&r, "causal")) {
        small(&x);
        large(&x, 1, "17 to 44 operations", by_tier(x.tier, 2000, 4000, 200000), 17, 44, false);
        large(&x, 2, "200 to 2000 operations", by_tier(x.tier, 30, 80, 3000), 200, 2000, false);
        large(&x, 3, "100 to 200 operations", by_tier(x.tier, 2, 10, 100), 100, 200, true);
    }
    if (request_wants(&r, "all"))
        all_models(&x);
    if (request_wants(&r, "borders"))
        borders(&x);
    return 0;
}
