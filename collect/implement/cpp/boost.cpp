/* SPDX-License-Identifier: Apache-2.0 */
/* Boost.Lockfree. Both take new nodes from their own list of free ones, with tagged pointers, and from the allocator
 * where that is empty. */
#include "collect/implement/cpp/shapes.h"

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>

namespace {

template <class Container> struct wrapper {
    Container container{4}; /* nodes to begin with */
    explicit wrapper(const assay_adapter_setting &) {}
    void add(int64_t number) { container.push(number); }
    bool take(value &v) { return container.pop(v.number); }
};

} // namespace

constexpr operations operations_boost_queue = operations_of<queue_shape<wrapper<boost::lockfree::queue<int64_t>>>>();
constexpr operations operations_boost_stack = operations_of<stack_shape<wrapper<boost::lockfree::stack<int64_t>>>>();
