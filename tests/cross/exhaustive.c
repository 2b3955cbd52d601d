/* SPDX-License-Identifier: Apache-2.0 */
/* All small histories: clock = brute = datalog on every one of them, with evidence that recheck
 * accepts.
 *
 * The default tier gives every SAMPLE-th history of the larger spaces to the logic program; --long
 * gives it all of them, and adds larger spaces. */
#include "support/enumerate.h"
#include "support/tally.h"

#include <string.h>

struct part {
    const char *title;
    struct space space;
    bool only_long;
    uint32_t sample; /* default tier: every so many histories go to the logic program */
};

static const struct part parts[] = {
    {"up to 6 reads and writes", {.most = 6}, false, 1},
    {"up to 5, with values that nobody wrote", {.most = 5, .nobody = true}, false, 1},
    {"up to 4, with rmw, fence and pending operations",
     {.most = 4, .all_kinds = true, .pending = true},
     false,
     10},
    {"up to 6, with values that nobody wrote", {.most = 6, .nobody = true}, true, 1},
    {"up to 4, with all of these",
     {.most = 4, .all_kinds = true, .pending = true, .nobody = true},
     true,
     1},
};

struct run {
    struct tally tally;
    uint32_t sample;
};

static void judge(const struct sketch *s, void *arg)
{
    struct run *run = arg;
    unsigned satisfied = tally_judge(&run->tally, s);
    if (run->tally.histories % run->sample == 0)
        tally_datalog(&run->tally, s, satisfied);
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && strcmp(argv[1], "--long") == 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].only_long && !all)
            continue;
        struct run run = {.sample = all ? 1 : parts[i].sample};
        tally_start(&run.tally);
        enumerate(&parts[i].space, judge, &run);
        tally_finish(&run.tally, parts[i].title);
    }
    return 0;
}
