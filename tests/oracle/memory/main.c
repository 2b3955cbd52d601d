/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle for the memory models, written from their definitions without knowledge of the engines.
 *
 * Small random histories are judged by brute force: every subset of the pending operations that may have happened,
 * every choice of sources, every store order (oracle.h). Every engine, the grading, other spellings of the same
 * history and every piece of evidence must agree; forged evidence may be accepted only where its claim is true.
 * Histories too large for brute force come from simulated memories, so that some verdicts are known, and must obey
 * laws (laws.h): the ladder of models, and changes that change nothing. In some histories program
 * order leads across threads (across.h). Shrinking makes only cuts that keep what holds (cuts.h). Uses the public
 * interface only.
 *
 *   oracle_memory [--quick|--long] [--seed N] [--count N] [--only small|across|cuts|large] [--forge PERCENT]
 *                 [--slow PERCENT] */
#include "oracle/compare.h"
#include "oracle/finding.h"
#include "oracle/memory/across.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/cuts.h"
#include "oracle/memory/engines.h"
#include "oracle/memory/figures.h"
#include "oracle/memory/laws.h"
#include "oracle/memory/small.h"
#include "support/chance.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>

static void small_one(int i, void *arg)
{
    const int *forge = arg;
    i % 8 ? small_family(*forge) : puzzle(*forge);
}

static void across_one(int i, void *arg)
{
    const int *forge = arg;
    (void)i;
    across_family(*forge);
    check_circular();
}

static void cuts_of_one(int i, void *arg)
{
    (void)i, (void)arg;
    check_cuts();
}

static void large_one(int i, void *arg)
{
    uint64_t start = chance_state;
    (void)i, (void)arg;
    check_large();
    chance_state = start;
    check_union();
}

int main(int argc, char **argv)
{
    int forge = 50;
    struct request r = request_with(
        argc, argv,
        (const struct request_option[]){{"--slow", .number = &slow_percent}, {"--forge", .number = &forge}, {NULL}});
    const struct part parts[] = {
        {"small", small_one, &forge, {120, 600, 40000}},
        {"across", across_one, &forge, {60, 300, 40000}},
        {"cuts", cuts_of_one, NULL, {300, 1500, 100000}},
        {"large", large_one, NULL, {3, 10, 1500}},
        {NULL},
    };
    find_engines();
    check_figures();
    all_parts(&r, parts);
    free_lines(last_lines);
    printf("histories %" PRIu64 " small, %" PRIu64 " large; gradings %" PRIu64 ", other forms %" PRIu64
           ", laws %" PRIu64 ", parts %" PRIu64 ", cuts %" PRIu64 ", shrunk %" PRIu64 ", kernels %" PRIu64
           "; verdicts that program order across threads changes %" PRIu64 "\n",
           counts.histories, counts.large, counts.gradings, counts.forms, counts.laws, counts.slices, counts.cuts,
           counts.shrunk, counts.kernels, counts.ordered);
    print_compared();
    return findings ? 1 : 0;
}
