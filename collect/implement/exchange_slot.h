/* SPDX-License-Identifier: Apache-2.0 */
/* An exchanger of one slot, a simple form of that of Scherer, Lea and Scott (2005). A call that finds the slot empty
 * puts its offer there and waits for an answer, but not for long. Then it withdraws the offer and returns null.
 * A call that finds an offer answers it with its own value, and takes the value offered.
 *
 * An answer and a withdrawal exclude each other: both change the offer from waiting to another state, once, by
 * compare-and-swap. So does a second answer. The exchange takes place at the answer, where both calls are open. Without
 * the compare-and-swap, a call looks whether the offer is waiting and answers a moment later. Then it may be too late.
 *
 * An offer that is no longer waiting may be cleared from the slot by every call. It is never put there again, since
 * each call makes a new one: there is no ABA problem. */
#ifndef ASSAY_COLLECT_EXCHANGE_SLOT_H
#define ASSAY_COLLECT_EXCHANGE_SLOT_H

#include "collect/implement/shared.h"

void *slot_create(const assay_adapter_setting *setting, bool atomic, void (*point)(void));
void slot_destroy(void *object);
assay_answer slot_call(void *object, unsigned thread, unsigned method, const int64_t *args);

#endif
