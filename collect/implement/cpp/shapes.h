/* SPDX-License-Identifier: Apache-2.0 */
/* How a container of C++ becomes an adapter. A class that wraps it has an add and a take, and a shape gives that class
 * the calls of an object. operations_of turns the whole into functions of the C interface.
 *
 * A wrapper is made from the run's setting. Containers that take any type hold a `value`. To copy or to compare one is
 * a marked point. So threads are delayed in the middle of the library's own steps, where these copy or compare. */
#ifndef ASSAY_COLLECT_SHAPES_H
#define ASSAY_COLLECT_SHAPES_H

#include "collect/implement/cpp/operations.h"

#include <cstdint>
#include <exception>

namespace { /* each library's file has marked points of its own */

struct value {
    int64_t number = 0;
    value() = default;
    value(int64_t n) : number(n) {}
    value(const value &other) : number(other.number) { ASSAY_POINT(); }
    value &operator=(const value &other)
    {
        number = other.number;
        ASSAY_POINT();
        return *this;
    }
    bool operator<(const value &other) const
    {
        ASSAY_POINT();
        return number < other.number;
    }
};

/* ---- shapes ---- */

inline assay_answer number_or_empty(bool found, const value &v)
{
    return found ? assay_answer_int(v.number) : assay_answer_word("empty");
}

/* Of a wrapper with add(number) and take(value &). */
template <class Wrapper> struct collection_shape : Wrapper {
    using Wrapper::Wrapper;
    assay_answer call(unsigned method, const int64_t *args)
    {
        if (method == 0) {
            Wrapper::add(args[0]);
            return assay_answer_none();
        }
        value v;
        bool found = Wrapper::take(v);
        return number_or_empty(found, v);
    }
};

template <class Wrapper> struct queue_shape : collection_shape<Wrapper> {
    using collection_shape<Wrapper>::collection_shape;
    static constexpr assay_adapter_method methods[] = {{"enq", 1, nullptr}, {"deq", 1, nullptr}, {}};
};

template <class Wrapper> struct stack_shape : collection_shape<Wrapper> {
    using collection_shape<Wrapper>::collection_shape;
    static constexpr assay_adapter_method methods[] = {{"push", 1, nullptr}, {"pop", 1, nullptr}, {}};
};

template <class Wrapper> struct pqueue_shape : collection_shape<Wrapper> {
    using collection_shape<Wrapper>::collection_shape;
    static constexpr assay_adapter_method methods[] = {{"add", 1, nullptr}, {"rem", 1, nullptr}, {}};
};

/* Of a wrapper with add, remove and contains. */
template <class Wrapper> struct set_shape : Wrapper {
    using Wrapper::Wrapper;
    static constexpr assay_adapter_method methods[] = {
        {"add", 1, nullptr}, {"remove", 1, nullptr}, {"contains", 1, nullptr}, {}};
    assay_answer call(unsigned method, const int64_t *args)
    {
        return assay_answer_bool(method == 0   ? Wrapper::add(args[0])
                                 : method == 1 ? Wrapper::remove(args[0])
                                               : Wrapper::contains(args[0]));
    }
};

/* ---- the C interface ---- */

template <class Object> struct functions {
    static void *create(const assay_adapter_setting *setting)
    {
        try {
            return new Object(*setting);
        } catch (const std::exception &) {
            return nullptr;
        }
    }
    static void destroy(void *object) { delete static_cast<Object *>(object); }
    static assay_answer call(void *object, unsigned, unsigned method, const int64_t *args)
    {
        return static_cast<Object *>(object)->call(method, args);
    }
};

template <class Object> constexpr operations operations_of()
{
    using f = functions<Object>;
    return {Object::methods, f::create, f::destroy, nullptr, f::call, &assay_adapter_point};
}

} // namespace

#endif
