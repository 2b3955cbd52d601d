/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/cuts/draw.h"

#include "support/chance.h"

#include <stdio.h>

static const char *const names[OBJECTS] = {"register",     "cas-register", "memory", "map",      "set",
                                           "counter",      "queue",        "stack",  "multiset", "lock",
                                           "semaphore(2)", "deque",        "pqueue"};

static bool is_truth(enum object o, enum method m)
{
    return m == SWAP || m == HAS || m == TRY || o == SET || (o == MULTISET && m == REMOVE);
}

/* Are all calls about the same value? */
static bool of_one(enum object o)
{
    return o == SET || o == MULTISET || is_held(o);
}

static struct op random_call(enum object o)
{
    struct op op = {.a = 1 + below(VALUES), .b = 1 + below(VALUES)};
    static const enum method of[OBJECTS][5] = {
        {READ, WRITE, READ, WRITE, WRITE}, {READ, WRITE, SWAP, SWAP, SWAP}, {READ, WRITE, READ, WRITE, RMW},
        {GET, PUT, PUT, REMOVE, HAS},      {ADD, ADD, REMOVE, REMOVE, HAS}, {ADD, ADD, ADD, ADD, ADD},
        {ADD, ADD, TAKE, TAKE, PEEK},      {ADD, ADD, TAKE, TAKE, PEEK},    {ADD, ADD, REMOVE, REMOVE, GET},
        {ADD, TAKE, TAKE, TRY, TRY},       {ADD, ADD, TAKE, TRY, TRY},      {ADD, ADD, TAKE, TAKE, PEEK},
        {ADD, ADD, TAKE, TAKE, PEEK}};
    op.method = of[o][below(5)];
    if (o == COUNTER)
        op.a = below(4) - 1;
    if (o == MAP && chance(8))
        op.a = NULLED;
    return op;
}

/* Operations one after another, then with intervals around these moments; some results are changed. */
struct sketch random_sketch(void)
{
    struct sketch s = {.object = (enum object)below(OBJECTS), .n = 2 + below(MOST - 1), .keys = 1};
    int until[MOST + 1] = {0}, stretch = 2 + below(12);
    s.init = s.object == MAP ? NONE : is_numeric(s.object) ? below(3) : 0;
    s.keys = (s.object == MEMORY || s.object == MAP) && chance(20) ? 2 : 1;
    long state[2] = {s.init, s.init};
    for (int i = 0; i < s.n; i++) {
        struct op *op = &s.op[i];
        do {
            *op = random_call(s.object);
            op->key = below(s.keys);
            long next = state[op->key];
            op->result = step(s.object, &next, op);
            op->pending = chance(12);
            if (op->result != BLOCKED && !(op->pending && chance(50)))
                state[op->key] = next;
        } while (op->result == BLOCKED);
        op->call = 4 * i + 20 - below(stretch);
        op->ret = 4 * i + 20 + below(stretch);
    }
    for (int i = 0; i < s.n; i++) /* by their calls */
        for (int j = i; j && s.op[j].call < s.op[j - 1].call; j--) {
            struct op swap = s.op[j];
            s.op[j] = s.op[j - 1];
            s.op[j - 1] = swap;
        }
    for (int i = 0; i < s.n; i++) {
        struct op *op = &s.op[i];
        while (until[op->thread] > op->call)
            op->thread++;
        until[op->thread] = op->pending ? 1000 : op->ret;
        op->number = i;
        if (op->pending)
            op->result = NONE;
    }
    int i = below(s.n);
    if (chance(60) && !s.op[i].pending && s.op[i].result != NONE)
        s.op[i].result = is_truth(s.object, s.op[i].method) ? !s.op[i].result : below(VALUES + 1);
    s.any = from_any(s.object) && s.keys == 1 && chance(20);
    return s;
}

static int print_call(char *out, size_t size, const struct sketch *s, const struct op *op)
{
    bool keyed = s->object == MEMORY || s->object == MAP, empty = holds_values(s->object);
    static const char *const methods[] = {"read",   "write",        "cas", "rmw",    "get",  "put",
                                          "remove", "contains-key", "add", "unlock", "peek", "trylock"};
    const char *method = methods[op->method];
    char args[32] = "", result[32] = "";
    if (s->object == SET && op->method == HAS)
        method = "contains";
    if (s->object == MULTISET && op->method == GET)
        method = "count";
    if (s->object == LOCK && op->method == ADD)
        method = "lock";
    if (s->object == SEMAPHORE)
        method = op->method == ADD ? "acquire" : op->method == TAKE ? "release" : "tryacquire";
    if (empty && s->object != DEQUE)
        method = op->method == ADD ? "add" : op->method == TAKE ? "remove" : "peek";
    else if (empty && op->b % 2)
        method = op->method == ADD ? "push-back" : op->method == TAKE ? "pop-back" : "peek-back";
    else if (empty)
        method = op->method == ADD ? "push-front" : op->method == TAKE ? "pop-front" : "peek-front";
    bool two = op->method == SWAP || op->method == RMW, one = op->method == WRITE || op->method == PUT;
    one |= op->method == ADD && !of_one(s->object);
    if (one && op->a == NULLED)
        snprintf(args, sizeof args, ", null");
    else if (two || one)
        snprintf(args, sizeof args, two ? "%s%d, %d" : "%s%d", keyed ? ", " : "", op->a, op->b);
    if (!op->pending && is_truth(s->object, op->method))
        snprintf(result, sizeof result, " => %s", op->result ? "true" : "false");
    else if (!op->pending && empty && op->method != ADD && !op->result)
        snprintf(result, sizeof result, " => empty");
    else if (!op->pending && s->object == MAP && op->result == NONE)
        snprintf(result, sizeof result, " => null");
    else if (!op->pending && (op->result != NONE || s->object == COUNTER))
        snprintf(result, sizeof result, " => %d", op->result);
    int n = snprintf(out, size, "t%d: %s(%s%s)%s @ %d..", op->thread, method,
                     s->object == SET || s->object == MULTISET ? "7"
                     : !keyed                                  ? ""
                     : op->key                                 ? "y"
                                                               : "x",
                     args, result, op->call);
    return n + (op->pending ? snprintf(out + n, size - (size_t)n, "\n")
                            : snprintf(out + n, size - (size_t)n, "%d\n", op->ret));
}

void print_sketch(char out[TEXT], const struct sketch *s)
{
    int n = snprintf(out, TEXT, "# @object %s\n", names[s->object]);
    const char *key = s->object == MAP ? "x=" : "";
    if (s->any)
        n += snprintf(out + n, TEXT - (size_t)n, "# @init %s?\n", key);
    else if (is_numeric(s->object))
        n += snprintf(out + n, TEXT - (size_t)n, "# @init %d\n", s->init);
    for (int i = 0; i < s->n; i++)
        n += print_call(out + n, TEXT - (size_t)n, s, &s->op[i]);
}
