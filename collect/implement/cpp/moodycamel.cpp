/* SPDX-License-Identifier: Apache-2.0 */
/* moodycamel::ConcurrentQueue: a queue for each thread that enqueues, and a dequeue takes from any of them. Relaxed by
 * its documentation: only the values of one thread keep their order. A dequeue finds nothing where every one of these
 * queues seemed empty when it was visited. */
#include "collect/implement/cpp/shapes.h"

#include <concurrentqueue/concurrentqueue.h>

namespace {

struct queue {
    moodycamel::ConcurrentQueue<value> container;
    explicit queue(const assay_adapter_setting &) {}
    void add(int64_t number) { container.enqueue(value(number)); }
    bool take(value &v) { return container.try_dequeue(v); }
};

} // namespace

constexpr operations operations_moodycamel_queue = operations_of<queue_shape<queue>>();
