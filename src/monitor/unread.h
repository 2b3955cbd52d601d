/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown transactions that no transaction has read from for a long time. They have left the window, so that they no
 * longer keep others in it, and come back when one of their values is read.
 *
 * A transaction comes back whole, as if it had stayed, if no writer of its variables was forgotten since it left. Else
 * it may have taken effect before such a writer, in the forgotten past. Then only the writes that are read come back: a
 * consistent stream stays consistent, but a violation may be missed. The same is done with an element of a list that
 * shows up among forgotten ones: it is put there. */
#ifndef ASSAY_MONITOR_UNREAD_H
#define ASSAY_MONITOR_UNREAD_H

#include "monitor/carried.h"
#include "monitor/carry.h"

struct unread_entry {
    uint64_t since;   /* isolation.forgets, when it left the window */
    uint64_t arrived; /* its event */
    bool whole;       /* it has come back whole */
};

struct unread_write {
    uint32_t entry, access;
    bool back; /* it is wanted in the window, or has come back */
};

struct unread {
    struct mem *mem;
    history *h; /* the transactions; entries are beside its operations. NULL: there is none */
    VEC(struct unread_entry) entries;
    struct names values; /* a variable and a value, as tokens; writes are beside it */
    VEC(struct unread_write) writes;
    struct text scratch;
    VEC(uint32_t) wanted; /* writes that are to come back, in the order of entries */
};

struct unread unread_in(struct mem *m);
void unread_free(struct unread *u); /* the part that mem does not own; never escapes */
void unread_put(struct unread *u, history *from, uint32_t op, uint64_t arrived, uint64_t now);
/* The write of the value, if it is one of such a transaction, or ID_NONE. */
uint32_t unread_find(struct unread *u, const history *h, struct value key, struct value v);
void unread_want(struct unread *u, uint32_t write);
/* Can its transaction come back whole? */
bool unread_untouched(const struct unread *u, uint32_t write, struct carried *c);
/* The wanted ones are carried to the window `to`, and push is told the event of each. Returns the line of one of which
 * only a part came back, or 0. */
uint32_t unread_come_back(struct unread *u, history *to, struct carried *c, void (*push)(void *arg, uint64_t arrived),
                          void *arg);

#endif
