/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/linked_deque.h"
#include "collect/implement/nodes.h"

static void *create(const assay_adapter_setting *setting)
{
    return linked_deque_create(setting, false, assay_adapter_point);
}

const assay_adapter adapter_broken_deque = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "deque:broken",
    .object = "deque",
    .title = "a lock-free linked list, as in Java 8",
    .flaw = "a pop takes the first value it finds, though another is before it by then",
    .methods = deque_methods,
    .create = create,
    .destroy = nodes_destroy,
    .call = linked_deque_call,
    .point = &assay_adapter_point,
};
