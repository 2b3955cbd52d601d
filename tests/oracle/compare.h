/* SPDX-License-Identifier: Apache-2.0 */
/* One answer of the library, with its evidence, against that of an oracle. */
#ifndef ASSAY_TESTS_ORACLE_COMPARE_H
#define ASSAY_TESTS_ORACLE_COMPARE_H

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>

enum expectation { FAILS, HOLDS, UNSURE };

struct question {
    const assay_history *history;
    const char *text; /* of the history */
    const char *model;
    const assay_options *options; /* with an engine: it may decline any model */
    enum expectation expected;
    bool may_decline;   /* the default engine, too */
    bool may_give_up;   /* it may be undecided */
    bool may_not_prove; /* though it is asked for evidence */
    bool may_be_long;   /* recheck may give up */
    char **keep;        /* where the line of evidence goes, if there is none yet; NULL: nowhere */
};

/* Counts of all that was compared, whichever oracle asked. */
struct compared {
    uint64_t verdicts, of_engines, consistent, not_applicable, undecided, proofs, unconfirmed, forged, forged_accepted;
};

extern struct compared compared;

void print_compared(void);

const char *verdict_word(bool consistent);

/* The verdict as an expectation; UNSURE: none. */
enum expectation ask(const struct question *q);

/* The proof of a right verdict must be accepted. */
void confirm(const struct question *q, const assay_result *r);

/* What a grading says of each of these models must be what ok[] says; one without a verdict may be declined, where
 * may_decline is not NULL. Returns how many of them it has; without may_decline, with a verdict. */
int compare_grading(const assay_history *h, const char *text, const char *const *models, int count, const bool *ok,
                    const bool *may_decline);

#endif
