/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that reasons about transactions are about. */
#ifndef ASSAY_REPORT_KEY_H
#define ASSAY_REPORT_KEY_H

#include "history/history.h"

/* A key that the reader read from the source, and that the writer writes; of several the first. ASSAY_NO_OPERATION: the
 * source is the initial transaction, the writer does not matter. The key is of kind ASSAY_NONE if there is none. */
struct value key_that_was_read(const history *h, uint32_t reader, uint32_t source, uint32_t writer);

/* A key that both write. */
struct value key_of_both(const history *h, uint32_t a, uint32_t b);

/* An access of the reader that read a key which the writer writes, and another value than the writer's. False: there is
 * none. */
bool key_missed(const history *h, uint32_t reader, uint32_t writer, uint32_t *access);

/* Two reads of one key, by their places among the accesses, that did not return the value of the same writer. False:
 * there are none. */
bool key_read_twice(const history *h, uint32_t op, uint32_t *first, uint32_t *second);

/* A transaction that read a list with an element of `before` in front of one of `behind`, and the key. Aborted ones do
 * not count. ASSAY_NO_OPERATION: there is none. */
uint32_t key_shown_in_order(const history *h, uint32_t before, uint32_t behind, struct value *key);

/* A transaction that read a list with an element of `shown` and none of `missing`, the access, and a write of the key
 * by `missing`. The list is the longest. ASSAY_NO_OPERATION: there is none. */
uint32_t key_shown_alone(const history *h, uint32_t shown, uint32_t missing, uint32_t *access, uint32_t *write);

/* An element of `writer` that the list which the access read has twice; of kind ASSAY_NONE: none. */
struct value key_repeated(const history *h, uint32_t op, uint32_t access, uint32_t writer, struct mem *m);

#endif
