/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of recheck, private to this folder. Each returns false once it has refused. */
#ifndef ASSAY_EVIDENCE_RECHECK_H
#define ASSAY_EVIDENCE_RECHECK_H

#include "evidence/evidence.h"
#include "evidence/recheck_memory.h"

struct recheck {
    const history *h;
    const struct evidence_line *line;
    struct memory memory;
    struct mem *mem;
    assay_error *error;
};

/* Fills in an ASSAY_ERROR_REFUSED; always false. */
bool refuse(const struct recheck *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "operation 3 (t0: write(x, 1))", or without the parenthesis for a number out of range. */
const char *operation_text(const struct recheck *x, uint32_t op);

/* Is op an operation of the history that takes part? `where` begins the sentence that refuses
 * it. */
bool takes_part(const struct recheck *x, uint32_t op, const char *where);

bool recheck_refutation(struct recheck *x);
bool recheck_witness(struct recheck *x);

/* The second half of recheck_witness for an order of the whole history, known to hold every
 * operation that takes part, after its causes. */
bool recheck_pasts(struct recheck *x, const struct order *order);

#endif
