/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer with room for 2 values, whose users wait: a removal until there is a value, an addition until there is room.
 * A lock and two condition variables, as in textbooks. */
#ifndef ASSAY_COLLECT_BLOCKING_BUFFER_H
#define ASSAY_COLLECT_BLOCKING_BUFFER_H

#include "assay_adapter.h"

#include <stdbool.h>

/* `careful`: every change wakes one that waits for it. Else only a buffer that was empty, or full, is worth a wake-up:
 * with two that wait, two changes in a row wake one of them. */
void *blocking_buffer_create(bool careful);
void blocking_buffer_destroy(void *object);
assay_answer blocking_buffer_call(void *object, unsigned thread, unsigned method, const int64_t *args);

#define BLOCKING_BUFFER_WAITS "deq=empty,enq=full"

#endif
