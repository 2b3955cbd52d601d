/* SPDX-License-Identifier: Apache-2.0 */
/* Program order across threads (`# @po after`): the engines agree with brute, which follows the definitions, with
 * evidence that recheck accepts, and the implications between models hold.
 *
 *   fork [--quick|--long] [--seed N]
 *
 * Small histories get each pair of operations of two threads as an edge of program order, one after the other. Random
 * ones, and variations of the printed examples, get several edges. How often an edge changes a verdict is counted: it
 * must do so now and then for every model. */
#include "support/batch.h"
#include "support/enumerate.h"
#include "support/gadgets.h"
#include "support/generate.h"
#include "support/tally.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

struct run {
    struct tally with, without;
    uint64_t count;
    uint32_t one_in, sample;
    unsigned changed; /* models whose verdict an edge has changed */
    uint64_t changes;
};

static void start(struct run *run, enum tier tier, uint32_t one_in)
{
    *run = (struct run){.one_in = tier == TIER_LONG ? 1 : one_in, .sample = by_tier(tier, 50, 20, 1)};
    tally_start(&run->with, models_all(), by_tier(tier, 5, 5, 1));
    tally_start(&run->without, models_all(), UINT32_MAX);
}

static void judge(struct run *run, const struct sketch *joined, unsigned plain)
{
    unsigned satisfied = tally_judge(&run->with, joined);
    if (run->with.histories % run->sample == 0)
        tally_datalog(&run->with, joined, satisfied);
    run->changed |= satisfied ^ plain;
    run->changes += satisfied != plain;
}

static void finish(struct run *run, const char *title)
{
    tally_finish(&run->with, title);
    printf("    edges that change a verdict: %llu\n", (unsigned long long)run->changes);
    if (run->changed != models_all()) {
        printf("of some models no edge changes a verdict\n");
        exit(1);
    }
}

/* ---- small ones ---- */

static void each_edge(const struct sketch *s, void *arg)
{
    struct run *run = arg;
    if (run->count++ % run->one_in != 0)
        return;
    unsigned plain = tally_judge(&run->without, s);
    for (uint32_t a = 0; a < s->n; a++)
        for (uint32_t b = 0; b < s->n; b++) {
            if (s->op[a].thread == s->op[b].thread || s->op[a].pending)
                continue;
            struct sketch joined = sketch_copy(s);
            sketch_join(&joined, a, b);
            judge(run, &joined, plain);
            sketch_free(&joined);
        }
}

static void small(enum tier tier)
{
    static const struct part {
        const char *title;
        struct space space;
        uint32_t one_in[3]; /* by tier */
    } parts[] = {
        {"up to 4 reads and writes, each edge", {.most = 4}, {17, 1, 1}},
        {"up to 4, with rmw, fence and pending operations, each edge",
         {.most = 4, .all_kinds = true, .pending = true},
         {397, 31, 1}},
        {"up to 5 reads and writes, each edge", {.most = 5}, {499, 37, 1}},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct run run;
        start(&run, tier, parts[i].one_in[tier]);
        enumerate(&parts[i].space, each_edge, &run);
        finish(&run, parts[i].title);
    }
}

/* ---- random ones ---- */

static void random_ones(enum tier tier, uint64_t seed, uint32_t part, const char *title, uint32_t count)
{
    struct run run;
    start(&run, tier, 1);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {(seed * 8 + part) * 0x9E3779B97F4A7C15u + i};
        rng.state = rng_next(&rng);
        struct recipe r = part == 0 ? recipe_any(&rng, 5, 14) : recipe_serial(&rng, 5, 14);
        struct sketch s = part == 2 ? gadget_any(&rng) : generate(&r, &rng);
        if (!s.n) {
            sketch_free(&s);
            continue;
        }
        s.style = i % 2 ? rng_next(&rng) : 0;
        unsigned plain = tally_judge(&run.without, &s);
        sketch_join_some(&s, &rng);
        judge(&run, &s, plain);
        sketch_free(&s);
    }
    finish(&run, title);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    enum tier tier = r.tier;
    small(tier);
    random_ones(tier, r.seed, 0, "5 to 14 operations, causal memories", by_tier(tier, 1000, 4000, 200000));
    random_ones(tier, r.seed, 1, "5 to 14 operations, store buffers", by_tier(tier, 1000, 4000, 200000));
    random_ones(tier, r.seed, 2, "variations of the printed examples", by_tier(tier, 600, 2000, 100000));
    return 0;
}
