/* SPDX-License-Identifier: Apache-2.0 */
/* Carries operations from one history to another one, whose texts and lists have other numbers. So a history that goes
 * on for ever can be replaced by a fresh one with its last operations. Names that are gone take no memory. */
#ifndef ASSAY_MONITOR_CARRY_H
#define ASSAY_MONITOR_CARRY_H

#include "history/history.h"

struct carry {
    history *from, *to;
    struct idmap lists; /* numbers of lists that were carried. Memory of `to` */
    struct arguments args;
};

/* The operation with its line and times; returns its number in `to`. May escape. */
uint32_t carry_operation(struct carry *x, uint32_t op);
/* Only these accesses of a transaction, `count` of them. */
uint32_t carry_accesses(struct carry *x, uint32_t op, const uint32_t *accesses, uint32_t count);
struct value carry_value(struct carry *x, struct value v);
void carry_end(struct carry *x);

#endif
