/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a map as an amount (amounts.h): how many there are, and how many of them have a certain value. A map is
 * one part if some call asks for its size, or whether it has a value. Then the call tells one of these amounts.
 *
 * Idea. The calls of one key tell at which moments it has a value for certain, and at which it has not for certain. Let
 * p be a put that returned before the moment. Let every call that takes the value away have returned before the call of
 * p, or be called behind the moment. Then the key has the value. So it is enough to compare the latest call of such a
 * put with the latest return of the calls that take it away. The other case is the same with the two exchanged. The
 * keys that have the value for certain are the least amount. All others but those that have not are the greatest. */
#ifndef ASSAY_EXPLAIN_HELD_KEYS_H
#define ASSAY_EXPLAIN_HELD_KEYS_H

#include "explain/amounts.h"

/* Of a part that is a whole map; else it does nothing. Each value that is asked for is one sweep. */
void held_keys_count(struct job *job, struct amount_finding *found);

#endif
