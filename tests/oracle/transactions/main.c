/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle for the models of transactions, written from their definitions without knowledge of the engines.
 *
 * Small random histories are judged by brute force: every set of unknown outcomes, every order of commits, every choice
 * of sources (oracle.h). Two more formulations, which know no sources, must say the same (agree.h).
 * Every engine, the grading, other spellings and formats of the same history and every piece of evidence must agree;
 * forged evidence may be accepted only where its claim is true, and smaller parts must still violate. The examples of
 * the definitions have their levels and names (examples.h). Histories too large for brute force come from simulated
 * stores, with small ones planted into them (large.h). Uses the public interface only.
 *
 *   oracle_transactions [--quick|--long] [--seed N] [--count N] [--only small|large|agree|repeat|enumerate|many]
 *                       [--most N] [--many-most N] [--forge N] [--engines PERCENT] [--exhaust 1] */
#include "oracle/compare.h"
#include "oracle/finding.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/examples.h"
#include "oracle/transactions/large.h"
#include "oracle/transactions/laws.h"
#include "oracle/transactions/repeat.h"
#include "oracle/transactions/small.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>

static struct small_options options = {.forge = 3, .engines = 20};

static void small_one(int i, void *arg)
{
    (void)i, (void)arg;
    small_family(&options);
    check_laws();
}

static void agree_one(int i, void *arg)
{
    (void)i, (void)arg;
    agree_on_repeated();
}

static void repeated_one(int i, void *arg)
{
    (void)i, (void)arg;
    check_repeated(&options);
}

static void enumerated_one(int i, void *arg)
{
    (void)i, (void)arg;
    check_enumerated(&options);
}

static void large_one(int i, void *most)
{
    (void)i;
    check_large(*(int *)most);
}

static void large_repeated_one(int i, void *most)
{
    (void)i;
    check_large_repeated(*(int *)most);
}

int main(int argc, char **argv)
{
    int exhaust = 0, most = 0, many_most = 0;
    struct request r = request_with(argc, argv,
                                    (const struct request_option[]){{"--most", .number = &most},
                                                                    {"--many-most", .number = &many_most},
                                                                    {"--forge", .number = &options.forge},
                                                                    {"--engines", .number = &options.engines},
                                                                    {"--exhaust", .number = &exhaust},
                                                                    {NULL}});
    most = most ? most : (int)by_tier(r.tier, 200, 400, 800);
    many_most = many_most ? many_most : (int)by_tier(r.tier, 30, 40, 60);
    const struct part parts[] = {
        {"small", small_one, NULL, {1000, 4000, 60000}},
        {"large", large_one, &most, {40, 100, 600}},
        {"agree", agree_one, NULL, {1000, 5000, 100000}},
        {"repeat", repeated_one, NULL, {300, 2000, 40000}},
        {"enumerate", enumerated_one, NULL, {500, 2500, 50000}},
        {"many", large_repeated_one, &many_most, {20, 60, 500}},
        {NULL},
    };
    check_examples();
    all_parts(&r, parts);
    if (exhaust)
        check_all_enumerated(&options);
    forget_proofs();
    printf("histories %" PRIu64 " small, %" PRIu64 " large, %" PRIu64 " planted; gradings %" PRIu64
           ", other forms %" PRIu64 ", shrunk %" PRIu64 ", laws %" PRIu64 "\n",
           counts.small, counts.large, counts.planted, counts.gradings, counts.forms, counts.shrunk, counts.laws);
    printf("values that repeat: %" PRIu64 " histories of the oracle alone, %" PRIu64 " drawn, %" PRIu64
           " enumerated; streams %" PRIu64 ", of which undecided %" PRIu64 "\n",
           counts.agreements, counts.repeated, counts.enumerated, counts.streams, counts.undecided_streams);
    print_compared();
    return findings ? 1 : 0;
}
