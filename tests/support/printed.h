/* SPDX-License-Identifier: Apache-2.0 */
/* Examples with known verdicts: those printed in the papers (as docs/reference/models-formal.md corrects them), and
 * others that tell a right rule from a wrong one. */
#ifndef ASSAY_TESTS_SUPPORT_PRINTED_H
#define ASSAY_TESTS_SUPPORT_PRINTED_H

#include "support/verdicts.h"

enum {
    CC = 1 << 0,
    CCV = 1 << 1,
    CM = 1 << 2,
    CCM = 1 << 3,
    WSC = 1 << 4,
    SC = 1 << 5,
    WCCM = 1 << 6,
    WTSO = 1 << 7,
    TSO = 1 << 8,
    PSO = 1 << 9,
    PRINTED_MODELS = 10
};
extern const char *const printed_model[PRINTED_MODELS]; /* of bit 0, 1, ... */

struct printed {
    const char *name, *text; /* text: for shorthand() */
    unsigned satisfies;      /* of all models */
};

enum { PRINTED = 26 };
extern const struct printed printed[PRINTED];

/* x->satisfies as a set of the registry's models. */
unsigned printed_set(const struct printed *x);

#endif
