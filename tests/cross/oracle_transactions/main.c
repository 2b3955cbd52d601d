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
 *   oracle_transactions [--quick|--long] [--seed N] [--count N] [--large N] [--most N] [--forge N] [--engines PERCENT]
 *                       [--agree N] [--repeat N] [--enumerate N] [--exhaust 1] [--many N] [--many-most N] */
#include "cross/oracle_transactions/counts.h"
#include "cross/oracle_transactions/examples.h"
#include "cross/oracle_transactions/large.h"
#include "cross/oracle_transactions/laws.h"
#include "cross/oracle_transactions/repeat.h"
#include "cross/oracle_transactions/small.h"
#include "support/chance.h"
#include "support/finding.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void)
{
    printf("histories %" PRIu64 " small, %" PRIu64 " large, %" PRIu64 " planted; verdicts %" PRIu64 " default, %" PRIu64
           " of engines (%" PRIu64 " consistent); gradings %" PRIu64 ", other forms %" PRIu64 ", shrunk %" PRIu64
           ", laws %" PRIu64 "\n",
           counts.small, counts.large, counts.planted, counts.verdicts, counts.engine_verdicts, counts.consistent,
           counts.gradings, counts.forms, counts.shrunk, counts.laws);
    printf("proofs rechecked %" PRIu64 "; forged %" PRIu64 ", of which accepted with a true claim %" PRIu64
           "; undecided %" PRIu64 "\n",
           counts.proofs, counts.forged, counts.forged_accepted, counts.undecided);
    printf("values that repeat: %" PRIu64 " histories of the oracle alone, %" PRIu64 " drawn, %" PRIu64
           " enumerated; streams %" PRIu64 ", of which undecided %" PRIu64 "; disagreements %d\n",
           counts.agreements, counts.repeated, counts.enumerated, counts.streams, counts.undecided_streams, findings);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    enum tier tier = tier_of(&argc, argv);
    int count = (int)by_tier(tier, 1000, 8000, 60000);
    int large = (int)by_tier(tier, 40, 150, 600), most = (int)by_tier(tier, 200, 400, 800);
    int agree = (int)by_tier(tier, 1000, 10000, 100000), repeat = (int)by_tier(tier, 300, 4000, 40000);
    int enumerate = (int)by_tier(tier, 500, 5000, 50000), exhaust = 0;
    int many = (int)by_tier(tier, 20, 100, 500), many_most = (int)by_tier(tier, 30, 40, 60);
    struct small_options options = {.forge = 3, .engines = 20};
    const struct {
        const char *name;
        int *to;
    } numbers[] = {
        {"--count", &count},
        {"--large", &large},
        {"--most", &most},
        {"--agree", &agree},
        {"--repeat", &repeat},
        {"--enumerate", &enumerate},
        {"--exhaust", &exhaust},
        {"--many", &many},
        {"--many-most", &many_most},
        {"--forge", &options.forge},
        {"--engines", &options.engines},
    };
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!strcmp(argv[i], numbers[k].name))
                *numbers[k].to = atoi(argv[i + 1]);
    }
    check_examples();
    for (int i = 0; i < count && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        small_family(&options);
        check_laws();
    }
    for (int i = 0; i < large && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_large(most);
    }
    for (int i = 0; i < agree && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        agree_on_repeated();
    }
    for (int i = 0; i < repeat && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_repeated(&options);
    }
    for (int i = 0; i < enumerate && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_enumerated(&options);
    }
    for (int i = 0; i < many && findings < MAX_FINDINGS; i++) {
        chance_state = seed * 1000003 + (uint64_t)i;
        check_large_repeated(many_most);
    }
    if (exhaust)
        check_all_enumerated(&options);
    forget_proofs();
    report();
    return findings ? 1 : 0;
}
