/* SPDX-License-Identifier: Apache-2.0 */
/* Examples with known verdicts: those printed in the papers (as docs/models.md corrects them), and
 * others that tell a right rule from a wrong one. */
#ifndef ASSAY_TESTS_SUPPORT_PRINTED_H
#define ASSAY_TESTS_SUPPORT_PRINTED_H

#include "support/causal.h"

struct printed {
    const char *name, *text; /* text: for shorthand() */
    unsigned satisfies;      /* of CC, CCV, CM */
};

enum { PRINTED = 22 };
extern const struct printed printed[PRINTED];

#endif
