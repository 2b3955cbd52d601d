/* SPDX-License-Identifier: Apache-2.0 */
/* The state that forgotten transactions have left: of each variable that they wrote its last value.
 *
 * There may be several candidates for the last value of a register, of which the next read chooses one
 * (transaction/free_choice.h). A list is a row of blocks. A block has several rows of elements, one of each
 * transaction, if their order is open, else one row. Some of the orders may be known. A read of the list shows all of
 * them. */
#ifndef ASSAY_MONITOR_CARRIED_H
#define ASSAY_MONITOR_CARRIED_H

#include "base/names.h"
#include "base/text.h"
#include "history/history.h"

struct carried_block {
    uint32_t n;
    struct text *rows; /* tokens of .hist, with blanks between them */
    uint32_t *before;  /* the rows that are before each of them, a bit a row; their numbers are smaller */
};

struct carried_key {
    bool list;
    VEC(struct text) candidates; /* of a register, as tokens; mostly one */
    uint32_t n;                  /* so many of them count */
    VEC(struct carried_block) blocks;
    bool unproved;      /* perhaps only the first candidates, and the rows in their order, are possible */
    uint64_t line;      /* of the transaction that wrote it; 0: none did */
    uint64_t forgotten; /* the last time that a writer of it was forgotten: isolation.forgets */
};

struct carried {
    struct mem *mem;
    struct names names; /* of the variables, as tokens */
    VEC(struct carried_key) keys;
    struct text scratch;
};

struct carried carried_in(struct mem *m);

/* Of the key, a value of h; NULL: there is none. */
struct carried_key *carried_find(struct carried *c, const history *h, struct value key);
struct carried_key *carried_at(struct carried *c, const history *h, struct value key); /* known or new */
static inline bool carried_any(const struct carried_key *k)
{
    return k->list || k->n;
}
/* Prints the value as a token, the first candidate or order. */
void carried_print(const struct carried_key *k, struct text *t);

/* ---- registers ---- */

void carried_candidate(struct carried *c, struct carried_key *k, const history *h, struct value v); /* one more */
/* If the value is a candidate, it is the only one from now on. False: it is one that may be impossible. */
bool carried_choose(struct carried *c, struct carried_key *k, const history *h, struct value v);

/* ---- lists ---- */

void carried_append(struct carried *c, struct carried_key *k, const history *h, struct value v);
bool carried_is_open(const struct carried_key *k); /* is the order of some elements open? */
/* A block of n rows, at most 31, to which elements are added. */
void carried_open(struct carried *c, struct carried_key *k, uint32_t n, const uint32_t *before);
void carried_add(struct carried *c, struct carried_key *k, uint32_t row, const history *h, struct value v);
/* Does the list begin with the carried one, in an order that is open, if elements are left out that `late` says are
 * late? Then that beginning is carried, with these elements, and *shown tells more. late may be NULL. */
struct carried_shown {
    uint32_t lates; /* so many late elements were there */
    bool unproved;  /* the order may be an impossible one */
};
bool carried_show(struct carried *c, struct carried_key *k, const history *h, const struct list_value *list,
                  bool (*late)(void *arg, struct value element), void *arg, struct carried_shown *shown);

#endif
