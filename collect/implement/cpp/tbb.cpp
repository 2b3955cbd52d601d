/* SPDX-License-Identifier: Apache-2.0 */
/* oneTBB. try_pop of its queues fails only where the queue is empty. Pushes and pops draw numbers from two counters,
 * and a pop that drew the number of a push waits for it. The size of its containers, which their documentation calls
 * approximate under concurrency, is not called. */
#include "collect/implement/cpp/shapes.h"

#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_priority_queue.h>
#include <oneapi/tbb/concurrent_queue.h>

namespace {

template <class Container> struct wrapper {
    Container container;
    explicit wrapper(const assay_adapter_setting &) {}
    void add(int64_t number) { container.push(value(number)); }
    bool take(value &v) { return container.try_pop(v); }
};

struct hash_map {
    using table = tbb::concurrent_hash_map<int64_t, value>;
    enum { PUT, GET, REMOVE, CONTAINS_KEY };
    static constexpr assay_adapter_method methods[] = {
        {"put", 2, nullptr}, {"get", 2, nullptr}, {"remove", 1, nullptr}, {"contains-key", 1, nullptr}, {}};

    table map;
    explicit hash_map(const assay_adapter_setting &) {}

    static assay_answer null() { return assay_answer_word("null"); }

    /* An accessor holds the lock of its pair; insert makes the pair, locked, if there is none. */
    assay_answer put(int64_t key, int64_t number)
    {
        table::accessor at;
        bool fresh = map.insert(at, key);
        assay_answer old = fresh ? null() : assay_answer_int(at->second.number);
        at->second = value(number);
        return old;
    }
    assay_answer get(int64_t key) const
    {
        table::const_accessor at;
        return map.find(at, key) ? assay_answer_int(at->second.number) : null();
    }
    assay_answer remove(int64_t key)
    {
        table::accessor at;
        if (!map.find(at, key))
            return null();
        int64_t old = at->second.number;
        return map.erase(at) ? assay_answer_int(old) : null();
    }
    assay_answer call(unsigned method, const int64_t *args)
    {
        switch (method) {
        case PUT: return put(args[0], args[1]);
        case GET: return get(args[0]);
        case REMOVE: return remove(args[0]);
        default: return assay_answer_bool(map.count(args[0]) != 0);
        }
    }
};

} // namespace

constexpr operations operations_tbb_queue = operations_of<queue_shape<wrapper<tbb::concurrent_queue<value>>>>();
constexpr operations operations_tbb_bounded_queue =
    operations_of<queue_shape<wrapper<tbb::concurrent_bounded_queue<value>>>>();
constexpr operations operations_tbb_priority_queue =
    operations_of<pqueue_shape<wrapper<tbb::concurrent_priority_queue<value>>>>();
constexpr operations operations_tbb_hash_map = operations_of<hash_map>();
