/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/persistent.h"

#include "spec/state.h"

#include <assert.h>

static const uint64_t zeros[PERSISTENT_LEAF * PERSISTENT_ELEMENT / sizeof(uint64_t)];

static size_t bytes_of(const struct persistent *p, unsigned height)
{
    size_t content = height ? sizeof p->root->child : (p->in_leaf + 1) * p->bytes;
    return offsetof(struct persistent_node, child) + content;
}

static struct persistent_node *new_node(const struct persistent *p, unsigned height)
{
    struct persistent_node *x = state_get(p->memory, bytes_of(p, height));
    x->references = 1;
    return x;
}

void persistent_init(struct persistent *p, size_t size, size_t bytes, assay_memory *m)
{
    bool flat = size <= PERSISTENT_FLAT;
    assert(bytes <= PERSISTENT_ELEMENT && (size & (size - 1)) == 0);
    *p = (struct persistent){.memory = m, .size = size, .bytes = (uint16_t)bytes};
    p->in_leaf = (flat ? size : PERSISTENT_LEAF) - 1;
    for (size_t leaves = flat ? 1 : size / PERSISTENT_LEAF; leaves > 1; leaves = (leaves + 15) / PERSISTENT_FAN)
        p->height++;
    p->shift = (uint8_t)(4 * p->height);
    if (flat) {
        p->root = new_node(p, 0);
        p->flat = p->root->child;
    }
}

const void *persistent_in_tree(const struct persistent *p, size_t i)
{
    const struct persistent_node *x = p->root;
    for (unsigned left = p->height, shift = p->shift; left && x; left--, shift -= 4)
        x = x->child[i >> shift & (PERSISTENT_FAN - 1)];
    return x ? (const void *)x->child : zeros;
}

/* ---- sharing ---- */

static struct persistent_node *copy_of(const struct persistent *p, const struct persistent_node *x, unsigned height)
{
    struct persistent_node *copy = new_node(p, height);
    memcpy(copy->child, x->child, bytes_of(p, height) - offsetof(struct persistent_node, child));
    return copy;
}

/* All nodes below, in the memory of p. */
static struct persistent_node *deep_copy(const struct persistent *p, const struct persistent_node *x, unsigned height)
{
    if (!x)
        return NULL;
    struct persistent_node *copy = copy_of(p, x, height);
    for (int i = 0; height && i < PERSISTENT_FAN; i++)
        copy->child[i] = deep_copy(p, x->child[i], height - 1);
    return copy;
}

void persistent_init_copy(struct persistent *p, const struct persistent *from, assay_memory *m)
{
    *p = *from;
    p->memory = m;
    if (m != from->memory)
        p->root = deep_copy(p, from->root, p->height);
    else if (p->root)
        p->root->references++;
    if (p->flat)
        p->flat = p->root->child;
}

static void drop(const struct persistent *p, struct persistent_node *x, unsigned height)
{
    if (!x || --x->references)
        return;
    for (int i = 0; height && i < PERSISTENT_FAN; i++)
        drop(p, x->child[i], height - 1);
    state_free(p->memory, x);
}

void persistent_free(struct persistent *p)
{
    drop(p, p->root, p->height);
    p->root = NULL;
}

/* Afterwards *at is a node that this array alone uses, if that is true of the one above. An allocation may escape, so
 * it comes before all changes. */
static void own(const struct persistent *p, struct persistent_node **at, unsigned height)
{
    struct persistent_node *x = *at;
    if (!x) {
        *at = new_node(p, height);
    } else if (x->references > 1) {
        *at = copy_of(p, x, height);
        for (int i = 0; height && i < PERSISTENT_FAN; i++)
            if (x->child[i])
                x->child[i]->references++;
        x->references--;
    }
}

void *persistent_own_leaf(struct persistent *p, size_t i)
{
    struct persistent_node **at = &p->root;
    unsigned shift = p->shift;
    for (unsigned left = p->height; left; left--, shift -= 4) {
        own(p, at, left);
        at = &(*at)->child[i >> shift & (PERSISTENT_FAN - 1)];
    }
    own(p, at, 0);
    if (!p->height)
        p->flat = (*at)->child;
    return (*at)->child;
}
