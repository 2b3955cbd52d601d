/* SPDX-License-Identifier: Apache-2.0 */
/* A deque as a doubly linked list, as java.util.concurrent.ConcurrentLinkedDeque has it, in two versions. Neither is
 * linearizable.
 *
 * A node is in the deque as long as it has a value; a removal takes the value away in one compare-and-swap. A push
 * links its node to the last node of its side, also in one. Nodes stay linked and live as long as the deque: so the
 * chain of nodes only grows, at its two ends.
 *
 * A pop goes from the end of its side to the first node with a value, and takes the value there. In Java 8 this was
 * all. Meanwhile another call may have pushed a value before that node. Then the pop takes the second value, or finds
 * the deque empty after a pop at the other end.
 *
 * Later versions of Java look at the end of the list again before they take the value. If there is a new node, they
 * start again. So the pop takes effect when it looks. But until it takes the value, a peek at the other end still sees
 * it. That peek may come after a push that the pop has not seen. */
#ifndef ASSAY_COLLECT_LINKED_DEQUE_H
#define ASSAY_COLLECT_LINKED_DEQUE_H

#include "collect/implement/shared.h"

void *linked_deque_create(const assay_adapter_setting *setting, bool rechecks, void (*point)(void));
assay_answer linked_deque_call(void *object, unsigned thread, unsigned method, const int64_t *args);

#endif
