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
 *   oracle_memory [--quick|--long] [--seed N] [--count N] [--across N] [--cuts N] [--large N] [--forge N]
 *                 [--slow PERCENT] */
#include "cross/oracle_memory/across.h"
#include "cross/oracle_memory/counts.h"
#include "cross/oracle_memory/cuts.h"
#include "cross/oracle_memory/engines.h"
#include "cross/oracle_memory/figures.h"
#include "cross/oracle_memory/laws.h"
#include "cross/oracle_memory/small.h"
#include "support/chance.h"
#include "support/finding.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void)
{
    printf("histories %" PRIu64 " small, %" PRIu64 " large; verdicts %" PRIu64 " default, %" PRIu64
           " of engines; gradings %" PRIu64 ", other forms %" PRIu64 ", laws %" PRIu64 ", parts %" PRIu64
           ", cuts %" PRIu64 ", shrunk %" PRIu64 ", kernels %" PRIu64 "\n",
           counts.histories, counts.large, counts.verdicts, counts.engine_verdicts, counts.gradings, counts.forms,
           counts.laws, counts.slices, counts.cuts, counts.shrunk, counts.kernels);
    printf("verdicts that program order across threads changes %" PRIu64 "\n", counts.ordered);
    printf("proofs %" PRIu64 ", rechecked and accepted %" PRIu64 "; forged %" PRIu64
           ", of which accepted with a true claim %" PRIu64 "; searches given up %" PRIu64 ", not applicable %" PRIu64
           ", undecided %" PRIu64 "; disagreements %d\n",
           counts.proofs, counts.rechecked, counts.forged, counts.forged_accepted, counts.unconfirmed,
           counts.not_applicable, counts.undecided, findings);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    enum tier tier = tier_of(&argc, argv);
    int count = (int)by_tier(tier, 120, 1000, 40000), large = (int)by_tier(tier, 3, 15, 1500), forge = 50;
    int cuts = (int)by_tier(tier, 300, 3000, 100000);
    int across = (int)by_tier(tier, 60, 500, 40000);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--count"))
            count = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--across"))
            across = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--cuts"))
            cuts = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--large"))
            large = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--slow"))
            slow_percent = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--forge"))
            forge = atoi(argv[i + 1]);
    }
    find_engines();
    check_figures();
    for (int i = 0; i < count && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        i % 8 ? small_family(forge) : puzzle(forge);
    }
    for (int i = 0; i < across && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        across_family(forge);
        check_circular();
    }
    for (int i = 0; i < cuts && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_cuts();
    }
    for (int i = 0; i < large && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_large();
        chance_state = seed * 1000003 + (uint64_t)i;
        check_union();
    }
    free_lines(last_lines);
    report();
    return findings ? 1 : 0;
}
