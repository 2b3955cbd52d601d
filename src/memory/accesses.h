/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses by number: the reads and writes of a view's events. A number stands for a variable with a value. */
#ifndef ASSAY_MEMORY_ACCESSES_H
#define ASSAY_MEMORY_ACCESSES_H

#include "memory/rw.h"

struct accesses {
    uint32_t count;           /* of numbers */
    uint32_t *read, *written; /* of an event, or ID_NONE */
    uint32_t *initial;        /* of a variable */
    uint32_t *final;          /* of a variable: its declared last value, or ID_NONE */
};

/* Of the events as v->kind has them. final: do declared last values count? Memory from m; may escape. */
struct accesses accesses_of(const history *h, const struct rw *v, bool final, struct mem *m);
void accesses_free(struct accesses *a, struct mem *m);

#endif
