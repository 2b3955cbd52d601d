/* SPDX-License-Identifier: Apache-2.0 */
/* Memo: a set of 128-bit keys, for searches that must not visit a state twice. The key is a digest of the state under a
 * secret key (keyed.h). That two states share one is possible and, at 2^-128 a pair, not to be expected, not even of
 * states that an attacker chose. Where states are plain data, rows.h keeps and compares them. */
#ifndef ASSAY_BASE_MEMO_H
#define ASSAY_BASE_MEMO_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct memo_key {
    uint64_t a, b;
};

struct memo {
    struct memo_key *slots; /* a == 0: free */
    size_t mask, n;
};

bool memo_add(struct memo *memo, struct mem *m, struct memo_key key); /* false: it was there */
bool memo_has(const struct memo *memo, struct memo_key key);
void memo_clear(struct memo *memo); /* keeps its memory */

/* The share of element i in the digest of a set, by exclusive or. */
struct memo_key memo_salt(uint64_t i);

#endif
