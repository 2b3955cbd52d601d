/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/linked_deque.h"
#include "collect/implement/nodes.h"

static void *create(const assay_adapter_setting *setting)
{
    return linked_deque_create(setting, true, assay_adapter_point);
}

const assay_adapter adapter_rechecking_deque = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "deque:rechecking",
    .object = "deque",
    .title = "a lock-free linked list, as in later Java",
    .flaw = "a peek at one end sees the value that a pop at the other end has decided to take",
    .methods = deque_methods,
    .create = create,
    .destroy = nodes_destroy,
    .call = linked_deque_call,
    .point = &assay_adapter_point,
};
