/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of external reads, and with them the smallest set of unknown transactions: those that a transaction that
 * counts reads from. Reads that no source explains are noted as anomalies. A value of a register may have been written
 * again. If several writes may be the source of a read then, the caller chooses one. */
#ifndef ASSAY_TRANSACTION_SOURCES_H
#define ASSAY_TRANSACTION_SOURCES_H

#include "transaction/read_candidates.h"

struct list_element {
    uint32_t list;   /* that ends with it; ID_NONE: the history has no such list */
    uint32_t access; /* that appended it; ID_NONE: it is an initial one, or none is known */
    uint32_t op;     /* that showed it */
};

struct list_order { /* of a key: the elements of the longest list so far */
    VEC(struct list_element) at;
    uint32_t initial;       /* so many of them are initial ones */
    uint32_t op, read, end; /* the operation that read the key last, its access, and the elements it read */
    uint32_t own_op, own;   /* the last operation whose list with its own appends was looked at, and that list without
                             * them */
};

struct sources {
    struct gathered *g;
    struct list_order *lists; /* of a key; NULL: there are no lists */
    uint32_t *position;       /* of a write: that of its last element that a list shows, or ID_NONE; NULL as above */
    VEC(uint32_t) waiting;    /* unknown operations that were taken: their reads are to be looked at */
    uint32_t twice[2];        /* as in the view */
    bool open, lists_repeat;  /* as in the view */

    /* Where values of registers repeat. */
    struct txn_candidates candidates;
    const uint32_t *chosen; /* of a read of such a value: its source; SOURCE_NONE: it has no candidate; or NULL */
    const bool *several;    /* of a read: has it several candidates? NULL as above */
    uint32_t *taken_by;     /* of an unknown operation that was taken: the read that did so; or NULL */
    uint32_t reading;       /* the read at hand */
};

#define SOURCE_NONE (UINT32_MAX - 1)

/* Fills in the sources of the reads that count, and the outcomes of unknown operations that do. */
void sources_find(struct sources *s);

/* The view of the transactions that were gathered. Memory from g; may escape. */
struct txn_view *txn_view_of(struct gathered *g, struct sources *s, enum base base, int64_t skew);

/* The source of a list; false: there is none, which is noted (list_orders.c). */
bool sources_of_list(struct sources *s, uint32_t op, struct gathered_read *r);
/* The lists that the operation read must not show its own appends. */
void sources_check_own(struct sources *s, uint32_t op);
/* The lists that the operation read behind its own appends. */
void sources_of_own_lists(struct sources *s, uint32_t op);

/* An element of a list is that of the access: is it that of one write? */
void sources_seen(struct sources *s, uint32_t access);
/* The operation wrote a value that was read: it counts. */
void sources_take(struct sources *s, uint32_t op);

#endif
