/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle of linearizability, written from the definitions of the objects and of .hist alone, without knowledge of
 * the engines: it sees the public header only. Each object is a sequential specification of its own here (object.h);
 * a history is linearizable if a plain search over the downsets of happens-before finds a legal order (search.h).
 * Random histories and streams of events go through all engines, recheck (genuine and forged evidence), shrinking and
 * all monitors. The same with weak consistency (visibility.h): its monitor on every prefix, and its engines.
 *
 *   oracle_objects [--quick|--long] [--seed N] [--count N] [--only check|monitor|restart|weak] [--kinds NAMES]
 *                  [--strict 1] */
#include "oracle/compare.h"
#include "oracle/finding.h"
#include "oracle/objects/check.h"
#include "oracle/objects/choose.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/monitor.h"
#include "oracle/objects/restart.h"
#include "oracle/objects/stream.h"
#include "oracle/objects/weak.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

static void check_one(int i, void *arg)
{
    static struct history h;
    (void)i, (void)arg;
    make_history(&h);
    compare_history(&h);
}

static void monitor_one(int i, void *arg)
{
    (void)i, (void)arg;
    random_stream();
}

static void restart_one(int i, void *arg)
{
    (void)i, (void)arg;
    random_restart();
}

static void weak_one(int i, void *arg)
{
    (void)i, (void)arg;
    random_weak();
}

int main(int argc, char **argv)
{
    struct request r = request_with(
        argc, argv,
        (const struct request_option[]){{"--kinds", .word = &only_kinds}, {"--strict", .number = &strict}, {NULL}});
    all_parts(&r, (const struct part[]){{"check", check_one, NULL, {2000, 6000, 500000}},
                                        {"monitor", monitor_one, NULL, {1000, 3000, 250000}},
                                        {"restart", restart_one, NULL, {333, 1000, 83333}},
                                        {"weak", weak_one, NULL, {667, 2000, 166667}},
                                        {NULL}});
    printf("histories %" PRIu64 " (violations %" PRIu64 ", beyond the oracle %" PRIu64 ", not interval orders %" PRIu64
           "); shrunk %" PRIu64 ", converted %" PRIu64 "\nstreams %" PRIu64 ", prefixes judged %" PRIu64
           ", reports %" PRIu64 ", missed where that is allowed %" PRIu64 ", weakened %" PRIu64 ", restarts %" PRIu64
           "\n",
           counts.histories, counts.violations, counts.skipped, counts.not_interval, counts.shrunk, counts.converted,
           counts.streams, counts.prefixes, counts.reports, counts.missed_allowed, counts.weakened, counts.restarts);
    print_compared();
    bool too_many = compared.unconfirmed * 100 > compared.proofs;
    if (too_many)
        puts("more than one proof in a hundred is beyond recheck");
    return findings || too_many;
}
