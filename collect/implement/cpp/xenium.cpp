/* SPDX-License-Identifier: Apache-2.0 */
/* xenium, with epochs for its memory. Relaxed by their documentation: the two k-FIFO queues of Kirsch, Lippautz and
 * Payer, where a value is overtaken by fewer than k others. So is try_pop_weak of Vyukov's bounded queue, which fails
 * where the next value is still being pushed, though later ones are there. */
#include "collect/implement/cpp/shapes.h"

#include <cassert> /* xenium forgets it */

#include <xenium/harris_michael_list_based_set.hpp>
#include <xenium/kirsch_bounded_kfifo_queue.hpp>
#include <xenium/kirsch_kfifo_queue.hpp>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

namespace {

constexpr uint64_t K = 3;
using epochs = xenium::policy::reclaimer<xenium::reclamation::epoch_based<>>;

/* Some queues hold pointers only: a value is the address of nothing, and is never dereferenced. */
using address = const int64_t *;
enum { SPARE_BITS = 4 };

address address_of(int64_t number)
{
    return reinterpret_cast<address>(static_cast<uintptr_t>(number) << SPARE_BITS);
}

value value_at(address a)
{
    return value(static_cast<int64_t>(reinterpret_cast<uintptr_t>(a) >> SPARE_BITS));
}

struct michael_scott {
    xenium::michael_scott_queue<value, epochs> queue;
    explicit michael_scott(const assay_adapter_setting &) {}
    void add(int64_t number) { queue.push(value(number)); }
    bool take(value &v) { return queue.try_pop(v); }
};

template <class Queue> struct of_addresses {
    Queue queue;
    explicit of_addresses(const assay_adapter_setting &) {}
    template <class... Args> explicit of_addresses(Args... args) : queue(args...) {}
    void add(int64_t number) { queue.push(address_of(number)); }
    bool take(value &v)
    {
        address a;
        bool found = queue.try_pop(a);
        if (found)
            v = value_at(a);
        return found;
    }
};

/* Nodes of four values, so that a run goes from one to the next. */
using ramalhete = of_addresses<xenium::ramalhete_queue<address, epochs, xenium::policy::entries_per_node<4>>>;

struct kfifo : of_addresses<xenium::kirsch_kfifo_queue<address, epochs>> {
    explicit kfifo(const assay_adapter_setting &) : of_addresses(K) {}
};

/* Segments for all that a run adds. */
struct bounded_kfifo : of_addresses<xenium::kirsch_bounded_kfifo_queue<address>> {
    explicit bounded_kfifo(const assay_adapter_setting &s) : of_addresses(K, uint64_t(s.calls) + 2) {}
    void add(int64_t number) { queue.try_push(address_of(number)); }
};

uint64_t power_above(uint64_t n)
{
    uint64_t power = 2;
    while (power < n)
        power *= 2;
    return power;
}

struct vyukov {
    xenium::vyukov_bounded_queue<value> queue;
    explicit vyukov(const assay_adapter_setting &s) : queue(power_above(s.calls)) {}
    void add(int64_t number) { queue.try_push(value(number)); }
    bool take(value &v) { return queue.try_pop(v); }
};

struct vyukov_weak : vyukov {
    using vyukov::vyukov;
    bool take(value &v) { return queue.try_pop_weak(v); }
};

struct harris_michael {
    xenium::harris_michael_list_based_set<value, epochs> set;
    explicit harris_michael(const assay_adapter_setting &) {}
    bool add(int64_t number) { return set.emplace(value(number)); }
    bool remove(int64_t number) { return set.erase(value(number)); }
    bool contains(int64_t number) { return set.contains(value(number)); }
};

} // namespace

constexpr operations operations_xenium_michael_scott = operations_of<queue_shape<michael_scott>>();
constexpr operations operations_xenium_ramalhete = operations_of<queue_shape<ramalhete>>();
constexpr operations operations_xenium_vyukov = operations_of<queue_shape<vyukov>>();
constexpr operations operations_xenium_vyukov_weak = operations_of<queue_shape<vyukov_weak>>();
constexpr operations operations_xenium_kfifo = operations_of<queue_shape<kfifo>>();
constexpr operations operations_xenium_bounded_kfifo = operations_of<queue_shape<bounded_kfifo>>();
constexpr operations operations_xenium_harris_michael = operations_of<set_shape<harris_michael>>();
