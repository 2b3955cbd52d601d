/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency, straight from the definition: all linearizations that extend happens-before, of all completed
 * operations and some of the pending ones, times all visibility relations within them. */
#ifndef ASSAY_TESTS_SUPPORT_VISIBLE_H
#define ASSAY_TESTS_SUPPORT_VISIBLE_H

#include "model/axioms.h"
#include "support/small.h"

enum { VISIBLE_MOST = 6, VISIBLE_DEMANDS = 64, VISIBLE_ALPHABETS = 4 };

extern const struct alphabet visible_alphabets[VISIBLE_ALPHABETS]; /* register, map, set, queue */

/* Which of the demands does the play satisfy? A bit set. At most VISIBLE_MOST operations. */
uint64_t visible_satisfies(const assay_history *h, const struct play *p, const assay_spec *spec,
                           const struct visibility *demands, uint32_t n);

#endif
