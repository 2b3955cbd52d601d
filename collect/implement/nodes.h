/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes for the structures of libraries whose users bring their own: every thread takes its nodes from a row of its own,
 * none is used twice, and all live as long as the object. So nobody has to know when a node may be freed, and taking one
 * touches nothing that another thread writes. */
#ifndef ASSAY_COLLECT_NODES_H
#define ASSAY_COLLECT_NODES_H

#include "assay_adapter.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NODES_LINE = 128 }; /* nodes are aligned, and the rows apart, by so many bytes or a part of them */

struct nodes {
    size_t size, row; /* bytes of a node, and of a thread's row; the row begins with how many are taken */
    char *rows;
};

static inline bool nodes_init(struct nodes *n, size_t size, const assay_adapter_setting *setting)
{
    n->size = (size + 63) / 64 * 64;
    n->row = (NODES_LINE + n->size * setting->calls + NODES_LINE - 1) / NODES_LINE * NODES_LINE;
    n->rows = aligned_alloc(NODES_LINE, n->row * setting->threads);
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

static inline void nodes_free(struct nodes *n)
{
    free(n->rows);
}

#endif
