/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes for the structures of libraries whose users bring their own. Every thread takes its nodes from a row of its
 * own, none is used twice, and all live as long as the object. So no code has to know when a node may be freed, and
 * taking one touches nothing that another thread writes. */
#ifndef ASSAY_COLLECT_NODES_H
#define ASSAY_COLLECT_NODES_H

#include "collect/implement/shared.h"

#include <stdlib.h>
#include <string.h>

/* Rows are aligned by so many bytes, nodes by half of them. */
enum { NODES_LINE = 128 };

struct nodes {
    _Alignas(NODES_LINE / 2) size_t size; /* bytes of a node; aligned, for the members that follow the struct */
    size_t row;                           /* bytes of a thread's row, which begins with how many are taken */
    char *rows;
};

/* Memory for something that wants to be aligned, as two words do that are exchanged at once. */
static inline void *nodes_aligned(size_t size)
{
    return aligned_alloc(NODES_LINE, (size + NODES_LINE - 1) / NODES_LINE * NODES_LINE);
}

static inline bool nodes_init(struct nodes *n, size_t size, const assay_adapter_setting *setting)
{
    enum { HALF = NODES_LINE / 2 };
    n->size = (size + HALF - 1) / HALF * HALF;
    n->row = NODES_LINE * (1 + (n->size * setting->calls + NODES_LINE - 1) / NODES_LINE);
    n->rows = nodes_aligned(n->row * setting->threads);
    for (unsigned t = 0; n->rows && t < setting->threads; t++)
        *(size_t *)(void *)(n->rows + n->row * t) = 0;
    return n->rows;
}

static inline void *nodes_take(struct nodes *n, unsigned thread)
{
    char *row = n->rows + n->row * thread;
    size_t taken = (*(size_t *)(void *)row)++;
    return row + NODES_LINE + n->size * taken;
}

/* An object of zeros that begins with its nodes; NULL: there is no memory. */
static inline void *nodes_object(size_t size, size_t node, const assay_adapter_setting *setting)
{
    struct nodes *n = nodes_aligned(size);
    if (!n)
        return NULL;
    memset(n, 0, size);
    if (nodes_init(n, node, setting))
        return n;
    free(n);
    return NULL;
}

static inline void nodes_destroy(void *object)
{
    free(((struct nodes *)object)->rows);
    free(object);
}

#endif
