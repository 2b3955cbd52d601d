/* SPDX-License-Identifier: Apache-2.0 */
/* A set of rows of bytes, for searches that must not visit a state twice, where a state is plain data. The rows are
 * kept, one behind the other, and compared: a hash (keyed.h) only says where to look. */
#ifndef ASSAY_BASE_ROWS_H
#define ASSAY_BASE_ROWS_H

#include "base/vec.h"

#include <stdbool.h>

struct rows_slot {
    uint32_t number; /* of the row, from 1; 0: free */
    uint32_t hash;
};

struct rows {
    char *bytes;
    size_t used, room;
    VEC(size_t) ends; /* of the rows in bytes */
    struct rows_slot *slots;
    uint32_t mask; /* number of slots - 1; at most half are taken */
};

bool rows_add(struct rows *r, struct mem *m, const void *row, size_t size); /* false: it was there */
/* Its number, from 0, in the order in which rows were added; adds it if it was not there. */
uint32_t rows_number(struct rows *r, struct mem *m, const void *row, size_t size);
/* Good until a row is added. */
const void *rows_get(const struct rows *r, uint32_t number, size_t *size);
void rows_clear(struct rows *r); /* keeps its memory */
void rows_free(struct rows *r, struct mem *m);

#endif
