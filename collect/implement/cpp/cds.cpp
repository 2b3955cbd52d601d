/* SPDX-License-Identifier: Apache-2.0 */
/* libcds, with hazard pointers for its memory. Relaxed by its documentation: SegmentedQueue, where a value may be
 * overtaken within its segment of the quasi factor's size.
 *
 * Threads must be known to the library: each is from its first run on until it ends. */
#include "collect/implement/cpp/shapes.h"

#include <cds/container/basket_queue.h>
#include <cds/container/lazy_list_hp.h>
#include <cds/container/michael_list_hp.h>
#include <cds/container/moir_queue.h>
#include <cds/container/mspriority_queue.h>
#include <cds/container/msqueue.h>
#include <cds/container/optimistic_queue.h>
#include <cds/container/segmented_queue.h>
#include <cds/container/treiber_stack.h>
#include <cds/gc/hp.h>
#include <cds/init.h>

namespace {

using cds::gc::HP;
enum { MOST_THREADS = 100, POINTERS = 16, QUASI_FACTOR = 4 };

struct library {
    library()
    {
        cds::Initialize();
        hazards = new HP(POINTERS, MOST_THREADS);
    }
    ~library() // NOLINT(bugprone-exception-escape): where libcds throws in the end, the program may end
    {
        delete hazards;
        cds::Terminate();
    }
    HP *hazards;
};

struct attachment {
    attachment() { cds::threading::Manager::attachThread(); }
    ~attachment() // NOLINT(bugprone-exception-escape): see above
    {
        cds::threading::Manager::detachThread();
    }
};

void attach()
{
    static library once;
    static thread_local attachment here;
    (void)once;
    (void)here;
}

struct attached { /* the first base of a wrapper: its container may need it */
    attached() { attach(); }
};

template <class Queue> struct queue : attached {
    Queue container;
    explicit queue(const assay_adapter_setting &) {}
    void add(int64_t number) { container.enqueue(value(number)); }
    bool take(value &v) { return container.dequeue(v); }
};

struct segmented : attached {
    cds::container::SegmentedQueue<HP, value> container{QUASI_FACTOR};
    explicit segmented(const assay_adapter_setting &) {}
    void add(int64_t number) { container.enqueue(value(number)); }
    bool take(value &v) { return container.dequeue(v); }
};

template <class Stack> struct stack : attached {
    Stack container;
    explicit stack(const assay_adapter_setting &) {}
    void add(int64_t number) { container.push(value(number)); }
    bool take(value &v) { return container.pop(v); }
};

struct eliminating : cds::container::treiber_stack::traits {
    static constexpr const bool enable_elimination = true;
};

struct heap : attached {
    cds::container::MSPriorityQueue<value> container;
    explicit heap(const assay_adapter_setting &s) : container(s.calls + 1) {}
    void add(int64_t number) { container.push(value(number)); }
    bool take(value &v) { return container.pop(v); }
};

template <class List> struct set : attached {
    List container;
    explicit set(const assay_adapter_setting &) {}
    bool add(int64_t number) { return container.insert(value(number)); }
    bool remove(int64_t number) { return container.erase(value(number)); }
    bool contains(int64_t number) { return container.contains(value(number)); }
};

struct michael_traits : cds::container::michael_list::traits {
    using less = std::less<value>;
};

struct lazy_traits : cds::container::lazy_list::traits {
    using less = std::less<value>;
};

template <class Object> constexpr operations with_threads()
{
    operations o = operations_of<Object>();
    o.enter = [](void *, unsigned) { attach(); };
    return o;
}

} // namespace

constexpr operations operations_cds_msqueue = with_threads<queue_shape<queue<cds::container::MSQueue<HP, value>>>>();
constexpr operations operations_cds_moir = with_threads<queue_shape<queue<cds::container::MoirQueue<HP, value>>>>();
constexpr operations operations_cds_basket = with_threads<queue_shape<queue<cds::container::BasketQueue<HP, value>>>>();
constexpr operations operations_cds_optimistic =
    with_threads<queue_shape<queue<cds::container::OptimisticQueue<HP, value>>>>();
constexpr operations operations_cds_segmented = with_threads<queue_shape<segmented>>();
constexpr operations operations_cds_treiber =
    with_threads<stack_shape<stack<cds::container::TreiberStack<HP, value>>>>();
constexpr operations operations_cds_elimination =
    with_threads<stack_shape<stack<cds::container::TreiberStack<HP, value, eliminating>>>>();
constexpr operations operations_cds_michael_list =
    with_threads<set_shape<set<cds::container::MichaelList<HP, value, michael_traits>>>>();
constexpr operations operations_cds_lazy_list =
    with_threads<set_shape<set<cds::container::LazyList<HP, value, lazy_traits>>>>();
constexpr operations operations_cds_mspriority = with_threads<pqueue_shape<heap>>();
