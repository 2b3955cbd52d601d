/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/cuts/sketch.h"

bool is_numeric(enum object o)
{
    return o == REGISTER || o == CAS || o == MEMORY || o == COUNTER;
}

bool is_held(enum object o)
{
    return o == LOCK || o == SEMAPHORE;
}

static long most_holders(enum object o)
{
    return o == LOCK ? 1 : 2;
}

bool holds_values(enum object o)
{
    return o == QUEUE || o == STACK || o == DEQUE || o == PQUEUE;
}

bool from_any(enum object o)
{
    return is_numeric(o) || o == MAP || o == SET || is_held(o) || holds_values(o);
}

/* ---- the objects ---- */

/* The content of a queue and the like: digits to base 8, the first in the lowest. */
static long push_back(long content, int value)
{
    long place = 1;
    while (content / place)
        place *= 8;
    return content + value * place;
}

/* The place of the value that a removal or a peek finds. */
static long place_of_next(enum object object, long content, const struct op *op)
{
    bool last = object == STACK || (object == DEQUE && op->b % 2);
    long next = 1;
    for (long place = 1; content / place; place *= 8)
        if (object == PQUEUE ? content / place % 8 > content / next % 8 : last)
            next = place;
    return next;
}

static long without(long content, long place)
{
    return content / (place * 8) * place + content % place;
}

/* A key of a map may have the value null, which a call returns as it does for no value. */
static int or_null(long value)
{
    return value == NULLED ? NONE : (int)value;
}

static int add(enum object object, long *state, const struct op *op)
{
    int a = op->a;
    long old = *state;
    switch (object) {
    case SET: *state = 1; return old == 0;
    case COUNTER: *state = old + a; return (int)*state;
    case MULTISET: *state = old + 1; return NONE;
    case LOCK:
    case SEMAPHORE: *state = old + 1; return old < most_holders(object) ? NONE : BLOCKED;
    case DEQUE: *state = op->b % 2 ? push_back(old, a) : old * 8 + a; return NONE;
    default: *state = push_back(old, a); return NONE;
    }
}

int step(enum object object, long *state, const struct op *op)
{
    long old = *state;
    switch (op->method) {
    case READ: return (int)old;
    case WRITE: *state = op->a; return NONE;
    case SWAP: *state = old == op->a ? op->b : old; return old == op->a;
    case RMW: *state = op->b; return old == op->a ? NONE : BLOCKED;
    case GET: return object == MULTISET ? (int)old : or_null(old);
    case PUT: *state = op->a; return or_null(old);
    case HAS: return object == SET ? old != 0 : old != NONE;
    case REMOVE:
        *state = object == SET ? 0 : object == MULTISET ? old - (old > 0) : NONE;
        return object == MAP ? or_null(old) : old != 0;
    case ADD: return add(object, state, op);
    case TRY: *state = old + (old < most_holders(object)); return old < most_holders(object);
    case TAKE:
        if (is_held(object)) {
            *state = old - 1;
            return old ? NONE : BLOCKED;
        }
    /* fall through */
    case PEEK: {
        long place = place_of_next(object, old, op);
        if (op->method == TAKE)
            *state = without(old, place);
        return (int)(old / place % 8);
    }
    }
    return NONE;
}

bool observes(enum object object, const struct op *op)
{
    switch (op->method) {
    case READ:
    case GET:
    case HAS:
    case PEEK: return true;
    case SWAP: return (!op->pending && !op->result) || op->a == op->b;
    case RMW: return op->a == op->b;
    case TAKE: return !is_held(object) && !op->pending && op->result == 0;
    case TRY: return !op->pending && !op->result;
    case ADD: return object == SET ? !op->pending && !op->result : object == COUNTER && op->a == 0;
    case REMOVE: return object != MAP && !op->pending && !op->result;
    default: return false;
    }
}

/* ---- linearizable? ---- */

bool precedes(const struct op *a, const struct op *b)
{
    return !a->pending && (a->ret < b->call || (a->thread == b->thread && a->number < b->number));
}

static bool search(const struct sketch *s, unsigned done, const long *state)
{
    bool over = true;
    for (int i = 0; i < s->n; i++)
        over &= (done >> i & 1) || s->op[i].pending;
    if (over)
        return true;
    for (int i = 0; i < s->n; i++) {
        bool ready = !(done >> i & 1);
        for (int j = 0; j < s->n && ready; j++)
            ready = (done >> j & 1) || j == i || !precedes(&s->op[j], &s->op[i]);
        if (!ready)
            continue;
        long next[2] = {state[0], state[1]};
        int result = step(s->object, &next[s->op[i].key], &s->op[i]);
        if (result == BLOCKED || (!s->op[i].pending && result != s->op[i].result))
            continue;
        if (search(s, done | 1u << i, next))
            return true;
    }
    return false;
}

/* From some content of at most `room` further values? They are those that calls found, and one other. */
static bool from_content(const struct sketch *s, long content, int room)
{
    enum { OTHER = 7 };
    long state[2] = {content, 0};
    if (search(s, 0, state))
        return true;
    bool found[OTHER + 1] = {[OTHER] = true};
    for (int i = 0; i < s->n; i++)
        if (s->op[i].method != ADD && !s->op[i].pending)
            found[s->op[i].result] = true;
    for (int v = 1; v <= OTHER && room; v++)
        if (found[v] && from_content(s, push_back(content, v), room - 1))
            return true;
    return false;
}

bool linearizable(const struct sketch *s)
{
    if (s->any && holds_values(s->object)) {
        int most = s->object == DEQUE ? 2 : 1; /* a value that is seen at each end */
        for (int i = 0; i < s->n; i++)
            most += s->op[i].method == TAKE;
        return from_content(s, 0, most);
    }
    int first = !s->any ? s->init : s->object == COUNTER ? -60 : s->object == MAP ? -2 : 0;
    int last = !s->any                ? s->init
               : s->object == COUNTER ? 60
               : s->object == SET     ? 1
               : is_held(s->object)   ? (int)most_holders(s->object)
                                      : FRESH;
    for (int i = first; i <= last; i++) {
        long initial = s->object != MAP || !s->any || i >= 0 ? i
                       : i == -1                             ? NONE
                                                             : NULLED,
             state[2] = {initial, initial};
        if (search(s, 0, state))
            return true;
    }
    return false;
}
