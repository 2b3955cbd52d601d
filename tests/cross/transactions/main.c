/* SPDX-License-Identifier: Apache-2.0 */
/* Models of transactions: every engine against the definitions, which brute force decides in two ways.
 *
 *   transactions [--quick|--long] [--seed N] [--count N] [--only MODEL] [--damage N]
 *
 * `brute` tries the axioms over all orders of commits, `brute:machine` all executions of a store. Both try all
 * sets of unknown transactions. Every other engine that decides a model must agree, recheck must accept its proof, and
 * of one in N proofs all damaged forms must be refused, or still be right. Of a violation that was shrunk, nothing more
 * can be cut. What holds still does after each cut that shrinking may make. What holds must follow the ladder of models. If each transaction is one operation, ser is sc and tcc is
 * ccv of the memory. lin of transactions is ser-strict.
 *
 * The histories are all small ones, and random ones: registers and lists, aborted and
 * unknown transactions, equal times, skewed clocks and recorded knowledge, initial values, numbers, words and strings, blocks. */
#include "base/hash.h"
#include "cross/transactions/enumerate.h"
#include "cross/transactions/random.h"
#include "cross/transactions/verdicts.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void judge_each(const struct tx_sketch *s, void *arg)
{
    judge_sketch(s, arg);
}

static void print_counts(const char *title, const struct counts *c)
{
    printf("%s: %" PRIu64 " histories, %" PRIu64 " verdicts, %" PRIu64 " rechecked, %" PRIu64
           " proofs by graphs, %" PRIu64 " damaged proofs of which %" PRIu64 " were accepted; as a memory %" PRIu64
           ", as an object %" PRIu64 ", shrunk %" PRIu64 ", cuts %" PRIu64 "\n",
           title, c->histories, c->verdicts, c->rechecked, c->proofs, c->mutants, c->accepted, c->memories, c->objects,
           c->shrunk, c->cuts);
    for (unsigned m = 0; txn_model(m); m++)
        printf(" %s %" PRIu64, txn_model(m)->name, c->holds[m]);
    printf("\n tcc and psi, not pc: %" PRIu64 "; pc and psi, not si: %" PRIu64 "; tcc, not pc, not psi: %" PRIu64
           "; si, not ser: %" PRIu64 "\n",
           c->between[0], c->between[1], c->between[2], c->between[3]);
    fflush(stdout);
}

static bool some_of_each_class(const struct counts *c)
{
    for (size_t i = 0; i < sizeof c->between / sizeof *c->between; i++)
        if (!c->between[i])
            return false;
    return true;
}

int main(int argc, char **argv)
{
    int damage = 50;
    struct request r = request_with(argc, argv,
                                    (const struct request_option[]){{"--damage", .number = &damage}, {NULL}});
    uint64_t seed = r.seed;
    uint32_t count = request_count(&r, 1200, 4000, 1000000), stride = by_tier(r.tier, 7001, 2003, 7);
    struct judging j = {.damage = (uint32_t)damage, .rng = {7}, .only = r.only};
    struct counts small = {0}, lists = {0}, random = {0};
    j.counts = &small;
    uint64_t all = enumerate_all(false, seed % stride, stride, judge_each, &j);
    printf("of %" PRIu64 " small histories of registers one in %u is judged\n", all, stride);
    print_counts("small, registers", &small);
    j.counts = &lists;
    all = enumerate_all(true, seed % stride, stride, judge_each, &j);
    printf("of %" PRIu64 " small histories with a list one in %u is judged\n", all, stride);
    print_counts("small, lists", &lists);
    j.counts = &random;
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(hash_mix(seed), i)};
        j.rng = (struct rng){hash_join(hash_mix(seed + 1), i)};
        struct tx_sketch s = random_sketch(&rng);
        judge_sketch(&s, &j);
    }
    print_counts("random", &random);
    if (count < 1000 || some_of_each_class(&random))
        return 0;
    printf("some class was not seen\n");
    return 1;
}
