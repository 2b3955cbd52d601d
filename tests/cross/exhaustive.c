/* SPDX-License-Identifier: Apache-2.0 */
/* All small histories: the engines agree with brute on every one of them, with evidence that recheck
 * accepts; the logic program does, too, for the models that it decides.
 *
 *   exhaustive [--quick|--long]
 *
 * The engines that are chosen by themselves get every history, all others every fifth, and the logic
 * program every SAMPLE-th of the larger spaces; --long gives them all to all, and adds larger spaces.
 * --quick goes through the same spaces and judges one history in so many. */
#include "support/batch.h"
#include "support/enumerate.h"
#include "support/tally.h"
#include "support/tier.h"

struct part {
    const char *title;
    struct space space;
    const char *models; /* NULL: all */
    bool only_long;
    uint32_t sample; /* below the long tier: every so many histories go to the logic program */
};

static const struct part parts[] = {
    {"up to 6 reads and writes", {.most = 6}, CAUSAL_MODELS, false, 1},
    {"up to 5, with values that nobody wrote", {.most = 5, .nobody = true}, CAUSAL_MODELS, false, 1},
    {"up to 4, with rmw, fence and pending operations",
     {.most = 4, .all_kinds = true, .pending = true},
     CAUSAL_MODELS,
     false,
     10},
    {"up to 5 reads and writes, all models", {.most = 5}, NULL, false, 10},
    {"up to 4, with rmw and fence, all models", {.most = 4, .all_kinds = true}, NULL, false, 10},
    {"up to 6, with values that nobody wrote", {.most = 6, .nobody = true}, CAUSAL_MODELS, true, 1},
    {"up to 4, with all of these", {.most = 4, .all_kinds = true, .pending = true, .nobody = true}, NULL, true, 1},
    {"up to 6 reads and writes, all models", {.most = 6}, NULL, true, 1},
    {"up to 5, with rmw and fence, all models", {.most = 5, .all_kinds = true}, NULL, true, 1},
};

struct run {
    struct tally tally;
    uint64_t count;
    uint32_t one_in, sample;
};

static void judge(const struct sketch *s, void *arg)
{
    struct run *run = arg;
    if (run->count++ % run->one_in != 0)
        return;
    unsigned satisfied = tally_judge(&run->tally, s);
    if (run->tally.histories % run->sample == 0)
        tally_datalog(&run->tally, s, satisfied);
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    bool all = tier == TIER_LONG;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct part *p = &parts[i];
        if (p->only_long && !all)
            continue;
        struct run run = {.one_in = by_tier(tier, 11, 3, 1), .sample = all ? 1 : p->sample};
        tally_start(&run.tally, p->models ? models_named(p->models) : models_all(), all ? 1 : 5);
        enumerate(&p->space, judge, &run);
        tally_finish(&run.tally, p->title);
    }
    return 0;
}
