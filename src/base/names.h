/* SPDX-License-Identifier: Apache-2.0 */
/* Names: texts numbered 0, 1, 2, ... in the order of their first appearance.
 *
 * Texts are found by hashing, with one exception. Many logs count something: 17, x17, key-17. The numbers behind one
 * prefix are a family. As long as they are dense they are found in a table. A million of them cost a million steps
 * through it and not a million jumps across a hash table. A number that came too early for that is in the hash table.
 * Only if there are such numbers (`sparse`) is a number that the table lacks sought there. The first few prefixes have
 * families. */
#ifndef ASSAY_BASE_NAMES_H
#define ASSAY_BASE_NAMES_H

#include "base/arena.h"
#include "base/vec.h"

struct name {
    const char *text; /* with a final NUL */
    uint32_t length;
};

struct names_slot {
    uint32_t id; /* + 1, or 0: free */
    uint32_t hash;
};

struct names_family {
    uint64_t prefix;        /* its bytes, and their number in the highest byte */
    uint32_t dense, sparse; /* how many are in the table; how many are hashed */
    VEC(uint32_t) counted;  /* of the numbers 0, 1, 2 ...: id + 1, or 0 */
};

enum { NAMES_FAMILIES = 8 };

struct names {
    struct mem *mem;
    struct arena arena;
    VEC(struct name) all;
    struct names_slot *slots;
    uint32_t mask, hashed;
    struct names_family family[NAMES_FAMILIES];
    uint32_t families;
};

struct names names_in(struct mem *m);
uint32_t names_put(struct names *n, const char *text, size_t length);
uint32_t names_find(const struct names *n, const char *text, size_t length); /* ID_NONE when absent */

static inline const char *names_text(const struct names *n, uint32_t id)
{
    return n->all.at[id].text;
}

#endif
