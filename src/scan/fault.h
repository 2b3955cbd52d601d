/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a violation that a checker has found (struct online_fault). */
#ifndef ASSAY_SCAN_FAULT_H
#define ASSAY_SCAN_FAULT_H

#include "scan/online.h"

/* The place of the operation, which is added unless it is there. An operation is known by its call. */
static inline unsigned fault_op(struct online_fault *f, struct mem *m, const struct online_op *op)
{
    for (uint32_t i = 0; i < f->ops.n; i++)
        if (f->ops.at[i].called == op->called && value_same(f->ops.at[i].arg, op->arg))
            return i;
    vec_push(m, &f->ops, *op);
    return f->ops.n - 1;
}

#endif
