/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded buffer (blocking_buffer.h). */
#include "collect/implement/blocking_buffer.h"
#include "collect/implement/shared.h"

static void *create(const assay_adapter_setting *setting)
{
    (void)setting;
    return blocking_buffer_create(true);
}

const assay_adapter adapter_waiting_queue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:waiting",
    .object = "queue(2)",
    .title = "a buffer of 2 places whose calls wait",
    .methods = queue_methods,
    .create = create,
    .destroy = blocking_buffer_destroy,
    .call = blocking_buffer_call,
    .waits = BLOCKING_BUFFER_WAITS,
};
