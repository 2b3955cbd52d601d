/* SPDX-License-Identifier: Apache-2.0 */
/* Gadgets: a few accesses that no store order explains, although none is forced into a cycle. */
#ifndef ASSAY_COLLECT_GENERATE_GADGET_H
#define ASSAY_COLLECT_GENERATE_GADGET_H

#include "collect/access.h"

enum { GADGET_THREADS = 6, GADGET_VARIABLES = 7 }; /* least that one needs; most that one has */

/* Appends a gadget on variables from `fresh` on, done by random ones of the threads. */
void gadget_append(struct accesses *a, uint32_t threads, uint32_t fresh, struct rng *rng, struct mem *mem);

#endif
