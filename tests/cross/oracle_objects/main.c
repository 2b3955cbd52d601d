/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle of linearizability, written from the definitions of the objects and of .hist alone, without knowledge of
 * the engines: it sees the public header only. Each object is a sequential specification of its own here (object.h);
 * a history is linearizable if a plain search over the downsets of happens-before finds a legal order (search.h).
 * Random histories and streams of events go through all engines, recheck (genuine and forged evidence), shrinking and
 * all monitors. The same with weak consistency (visibility.h): its monitor on every prefix, and its engines.
 *
 *   oracle_objects [--seed N] [--count N] [--quick|--long] [--only check|monitor|restart|weak] [--stop N] [--strict]
 * Each history has a seed of its own, N, N+1, ...; a disagreement names it. */
#include "cross/oracle_objects/check.h"
#include "cross/oracle_objects/choose.h"
#include "cross/oracle_objects/finding.h"
#include "cross/oracle_objects/history.h"
#include "cross/oracle_objects/monitor.h"
#include "cross/oracle_objects/restart.h"
#include "cross/oracle_objects/stream.h"
#include "cross/oracle_objects/weak.h"
#include "support/chance.h"
#include "support/tier.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    enum tier tier = tier_of(&argc, argv);
    long count = by_tier(tier, 4000, 22000, 1000000);
    const char *only = NULL;
    static struct history h;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--count") && i + 1 < argc)
            count = strtol(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--kinds") && i + 1 < argc)
            only_kinds = argv[++i];
        else if (!strcmp(argv[i], "--stop") && i + 1 < argc)
            stop_after = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--strict"))
            strict = true;
    for (long n = 0; n < count && counts.disagreements < stop_after; n++) {
        chance_state = current_seed = seed + (uint64_t)n;
        chance_state *= 0x2545f4914f6cdd1du;
        int what = (int)(current_seed % 12);
        const char *part = what < 6 ? "check" : what < 9 ? "monitor" : what < 10 ? "restart" : "weak";
        if (only && !strcmp(only, "weak"))
            part = only;
        if (only && strcmp(only, part))
            continue;
        if (!strcmp(part, "check")) {
            make_history(&h);
            compare_history(&h);
        } else if (!strcmp(part, "monitor")) {
            random_stream();
        } else if (!strcmp(part, "restart")) {
            random_restart();
        } else {
            random_weak();
        }
    }
    printf(
        "%ld histories (%ld consistent, %ld violations, %ld beyond the oracle; %ld not interval orders), %ld verdicts "
        "compared, %ld rechecked, %ld beyond recheck, %ld forged proofs, %ld shrunk, %ld converted, %ld undecided, %ld "
        "not applicable\n",
        counts.histories, counts.consistent, counts.violations, counts.skipped, counts.not_interval, counts.verdicts,
        counts.rechecked, counts.not_judged, counts.forged, counts.shrunk, counts.converted, counts.undecided,
        counts.not_applicable);
    printf(
        "%ld streams (%ld prefixes judged), %ld reports compared, %ld missed where that is allowed, %ld weakened, %ld "
        "restarts\n%ld disagreements\n",
        counts.streams, counts.prefixes, counts.reports, counts.missed_allowed, counts.weakened, counts.restarts,
        counts.disagreements);
    if (counts.not_judged * 100 > counts.rechecked)
        printf("more than one proof in a hundred is beyond recheck\n");
    return counts.disagreements || counts.not_judged * 100 > counts.rechecked ? 1 : 0;
}
