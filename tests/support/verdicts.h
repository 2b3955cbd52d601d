/* SPDX-License-Identifier: Apache-2.0 */
/* What the engines say of a history, in the models of the registry, and whether they agree.
 *
 * Models and engines are taken from their tables, so that new ones take part by themselves. A
 * verdict about several models is the set of those that the history satisfies: bit i stands for
 * model_table[i]. */
#ifndef ASSAY_TESTS_SUPPORT_VERDICTS_H
#define ASSAY_TESTS_SUPPORT_VERDICTS_H

#include "assay.h"

/* ---- sets of models ---- */

unsigned models_all(void); /* of a memory */
/* Is the model of that number in the set? Those of transactions, which are many, are in none. */
static inline bool models_have(unsigned set, size_t m)
{
    return m < 32 && (set >> m & 1);
}
unsigned models_named(const char *names); /* "cc ccv"; aborts on a name that is not in the table */

/* Its strongest models, those that the others do not imply: "ccv cm"; "nothing" of the empty set. */
struct models_text {
    char text[128];
};
struct models_text models_print(unsigned set);

/* ---- verdicts ---- */

struct complaint { /* empty: there is none */
    char text[2048];
};

/* What one engine (or "engine:variant"; NULL: the one that is chosen) says. Evidence is asked for and,
 * where there is any, rechecked from the line that is written of it; the ladder's implications must
 * hold. False with a complaint. */
bool verdicts_of(const assay_history *h, const char *engine, unsigned models, unsigned *satisfied,
                 struct complaint *why);

struct poll {
    unsigned models;
    bool thorough;  /* ask all engines; else only brute and the first that decides the model */
    double seconds; /* per check; 0: all the time it needs, and nobody may be undecided */

    unsigned satisfied; /* what all say */
    uint64_t verdicts, rechecked, undecided;
    struct complaint why;
};

/* Asks engines, with all their variants; the logic program is left out (support/batch.h). False with a
 * complaint if two differ, evidence is refused, or the ladder does not hold. Counts are added up. */
bool poll_run(struct poll *p, const assay_history *h);

#endif
