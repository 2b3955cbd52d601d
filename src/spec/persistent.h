/* SPDX-License-Identifier: Apache-2.0 */
/* An array whose copies share what they have in common, for states of specifications.
 *
 * A search copies a state at nearly every step, and mostly changes one element of the copy. So a copy is another
 * pointer to the same tree. Before an element is written, the nodes on the way to it that others use as well are
 * copied: a copy costs O(1) and a write O(log n), instead of O(n). This is path copying (Driscoll, Sarnak, Sleator and
 * Tarjan 1989) with counts of references, so that an array that nobody shares is changed in place. An array of at most
 * 64 elements is a single leaf, which is as quick as a plain one.
 *
 * Invariant: a node with one reference belongs to one array, if all nodes above it do. Nodes that are NULL are zero
 * throughout. Nodes are shared between arrays of one memory only; a copy in another memory has nodes of its own. */
#ifndef ASSAY_SPEC_PERSISTENT_H
#define ASSAY_SPEC_PERSISTENT_H

#include "assay_spec.h"

#include <string.h>

enum { PERSISTENT_FLAT = 64, PERSISTENT_LEAF = 16, PERSISTENT_FAN = 16, PERSISTENT_ELEMENT = 64 /* bytes at most */ };

struct persistent_node { /* an inner one; a leaf has its elements in the place of `child` */
    uint64_t references;
    struct persistent_node *child[PERSISTENT_FAN];
};

struct persistent {
    void *flat; /* the elements, if the root is a leaf; else NULL */
    struct persistent_node *root;
    assay_memory *memory;
    size_t size;           /* elements: a power of two, at least 8 */
    size_t in_leaf;        /* elements of a leaf - 1 */
    uint8_t shift, height; /* of the top: bits below its own; inner nodes on the way to a leaf */
    uint16_t bytes;        /* of an element */
};

void persistent_init(struct persistent *p, size_t size, size_t bytes, assay_memory *m); /* all elements are zero */
void persistent_init_copy(struct persistent *p, const struct persistent *from, assay_memory *m);
void persistent_free(struct persistent *p);

/* Element i, of type T, until the array is changed. */
#define persistent_at(p, T, i)                                                                                         \
    ((p)->flat ? (const T *)(p)->flat + (i) : (const T *)persistent_in_tree((p), (i)) + ((i) & (PERSISTENT_LEAF - 1)))
/* The same, to be written to at once. */
#define persistent_own(p, T, i)                                                                                        \
    ((p)->flat && (p)->root->references == 1 ? (T *)(p)->flat + (i)                                                    \
                                             : (T *)persistent_own_leaf((p), (i)) + ((i) & (p)->in_leaf))

/* The elements of the leaf with element i; of a tree only. */
const void *persistent_in_tree(const struct persistent *p, size_t i);
/* Makes the leaf with element i this array's own; its elements. */
void *persistent_own_leaf(struct persistent *p, size_t i);

#endif
