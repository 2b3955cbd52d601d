/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: all subsets of pending operations, all choices of sources, all store orders. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_ORACLE_H
#define ASSAY_TESTS_ORACLE_MEMORY_ORACLE_H

#include "oracle/memory/execution.h"
#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>
#include <stdint.h>

/* All store orders that @final allows, variable by variable, write by write, until the visitor has seen enough.
 * `placed` are the writes already in the order of variable v. */
typedef bool visit(const struct execution *x, const rel *ww, void *context);

bool each_store_order(const struct execution *x, int v, uint64_t placed, int last, const rel *ww, visit *f,
                      void *context);

/* Which models hold, for some set of pending operations that happened and some choice of sources */
void oracle(const struct history *h, bool ok[MODELS]);

/* How much work the oracle would have: choices of sources times store orders */
double effort(const struct history *h);

#endif
