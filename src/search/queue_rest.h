/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of a queue's history decides about its states: an aid of the search for a linearization (wgl.c). It is for
 * histories without times, where overlapping enqueues have many orders and returns say nothing.
 *
 * Idea. A queue is left from its front. That has two consequences.
 * - Dead states. Let an element be in the queue. Count the elements of its value up to it, and the removals of this
 *   value that are left. If the removals are fewer, pending ones have to take the rest. When these do not suffice, the
 *   element stays for ever, and so does each element behind it. The state is dead if completed removals are left then
 *   that no element before it is for, or an operation that found the queue empty.
 * - Forced removals. Let a ready removal return the front's value v. Let no other removal of v be left, no pending
 *   removal, and no peek that saw v. Then it is the next removal in every linearization that goes on from here. Between
 *   now and then are adds only, before which it may come as well. So nothing else need be tried.
 *
 * Invariant: `content` from `head` on is the content of the queue, as numbers of values. `due` and `pending` count the
 * removals that are not linearized.
 *
 * The idea is this project's own. */
#ifndef ASSAY_SEARCH_QUEUE_REST_H
#define ASSAY_SEARCH_QUEUE_REST_H

#include "search/linear.h"

struct queue_rest {
    const struct linear *x; /* NULL: the object is another one, or there are times */
    uint32_t *value;        /* of each operation: the number of the value that it adds or took, or ID_NONE */
    uint8_t *role;          /* of each operation */
    VEC(uint32_t) content;  /* with the elements that were taken out: those before head */
    uint32_t head;
    uint32_t *due, *peeks;        /* of each value: completed removals of it, and peeks that saw it, that are left */
    uint32_t *claimed;            /* of each value, while the content is looked at: the elements met */
    uint32_t removals, pending;   /* that are left: completed and of a value, pending */
    uint32_t empty;               /* that found the queue empty */
    uint64_t glances, dead_found; /* how often the content was looked at, and the state was dead */
};

/* Memory from the job. */
void rest_begin(struct queue_rest *o, const struct linear *x, const struct job *job);

/* The operation has been marked as linearized, or is not any more. */
void rest_taken(struct queue_rest *o, uint32_t i);
void rest_given_back(struct queue_rest *o, uint32_t i);

/* Can some completed operation no longer be linearized, because of an element that stays for ever? Where that is rare,
 * it is not looked for any more: it costs a look at the content. */
bool rest_is_dead(struct queue_rest *o);

/* Of these ready operations, one that may come next in any case; or ID_NONE. */
uint32_t rest_forced(const struct queue_rest *o, const uint32_t *ready, uint32_t n);

#endif
