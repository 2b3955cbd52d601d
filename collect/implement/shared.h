/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that implementations of one object share: the methods with their weights, and the functions of an adapter for a
 * library, which may be absent. */
#ifndef ASSAY_COLLECT_SHARED_H
#define ASSAY_COLLECT_SHARED_H

#include "assay_adapter.h"

#include <stdbool.h>

enum { ENQ, DEQ };
enum { PUSH, POP };
enum { DEQUE_PUSH_FRONT, DEQUE_PUSH_BACK, DEQUE_POP_FRONT, DEQUE_POP_BACK, DEQUE_PEEK_FRONT, DEQUE_PEEK_BACK };
enum { SET_ADD, SET_REMOVE, SET_CONTAINS };
enum { MAP_PUT, MAP_GET, MAP_REMOVE, MAP_CONTAINS_KEY, MAP_CONTAINS_VALUE, MAP_SIZE };
enum { EXCHANGE };
enum { RDLOCK, TRYRDLOCK, RDUNLOCK, WRLOCK, TRYWRLOCK, WRUNLOCK };

extern const assay_adapter_method queue_methods[], stack_methods[], deque_methods[], set_methods[], map_methods[],
    rwlock_methods[], exchanger_methods[];

enum deque_side { DEQUE_FRONT, DEQUE_BACK, DEQUE_SIDES }; /* !side is the other one */

static inline enum deque_side deque_side(unsigned method)
{
    return method % DEQUE_SIDES;
}

/* The functions of an adapter for a library's structure, or why there are none. */
#ifdef ASSAY_WITH_CK
#define CK_HOOKS(...) __VA_ARGS__
#else
#define CK_HOOKS(...) .missing = "built without Concurrency Kit: install libck-dev"
#endif
#ifdef ASSAY_WITH_URCU
#define URCU_HOOKS(...) __VA_ARGS__
#else
#define URCU_HOOKS(...) .missing = "built without Userspace RCU: install liburcu-dev"
#endif
#ifdef ASSAY_WITH_GLIB
#define GLIB_HOOKS(...) __VA_ARGS__
#else
#define GLIB_HOOKS(...) .missing = "built without GLib: install libglib2.0-dev"
#endif

#endif
