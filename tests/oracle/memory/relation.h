/* SPDX-License-Identifier: Apache-2.0 */
/* Relations over at most 64 nodes. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_RELATION_H
#define ASSAY_TESTS_ORACLE_MEMORY_RELATION_H

#include "oracle/memory/history.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t row[SMALL_NODES];
} rel;

bool has(const rel *r, int a, int b);
bool put(rel *r, int a, int b);
void merge(rel *to, const rel *from);
void closure(rel *r, int n);
bool irreflexive(const rel *r, int n);
bool acyclic(rel r, int n);

#endif
