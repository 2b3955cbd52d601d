/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/calls.h"

#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/value.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct choice choices[] = {
    {REGISTER, READ, 0, "", '!', 4, "read"},
    {REGISTER, WRITE, 1, "v", '-', 4, "write"},
    {CAS_REGISTER, READ, 0, "", '!', 3, "read"},
    {CAS_REGISTER, WRITE, 1, "v", '-', 3, "write"},
    {CAS_REGISTER, CAS, 2, "vv", '!', 4, "cas"},
    {MEMORY, READ, 1, "k", '!', 4, "read"},
    {MEMORY, WRITE, 2, "kv", '-', 4, "write"},
    {MEMORY, RMW, 3, "kvv", '-', 2, "rmw"},
    {MEMORY, FENCE, 0, "", '-', 1, "fence"},
    {MULTI_REGISTER, TXN, 0, "", '*', 1, "txn"},
    {MAP, PUT, 2, "kv", '?', 4, "put"},
    {MAP, GET, 1, "k", '!', 3, "get"},
    {MAP, REMOVE, 1, "k", '?', 3, "remove rem rm delete"},
    {MAP, HAS_KEY, 1, "k", '!', 2, "contains-key containsKey"},
    {MAP, HAS_VALUE, 1, "v", '!', 1, "contains contains-value containsValue"},
    {MAP, SIZE, 0, "", '!', 1, "size"},
    {APPEND_MAP, GET, 1, "k", '!', 4, "get"},
    {APPEND_MAP, PUT, 2, "ks", '*', 2, "put"},
    {APPEND_MAP, APPEND, 2, "ks", '*', 4, "append"},
    {QUEUE, ADD_BACK, 1, "v", '*', 4, "enq enqueue offer add"},
    {QUEUE, TAKE_FRONT, 0, "", '!', 4, "deq dequeue poll remove rem rm"},
    {QUEUE, PEEK_FRONT, 0, "", '!', 1, "peek"},
    {STACK, ADD_BACK, 1, "v", '*', 4, "push add"},
    {STACK, TAKE_BACK, 0, "", '!', 4, "pop remove rem rm"},
    {STACK, PEEK_BACK, 0, "", '!', 1, "peek top"},
    {DEQUE, ADD_FRONT, 1, "v", '*', 2, "push-front add-first offer-first"},
    {DEQUE, ADD_BACK, 1, "v", '*', 2, "push-back add-last offer-last"},
    {DEQUE, TAKE_FRONT, 0, "", '!', 2, "pop-front poll-first"},
    {DEQUE, TAKE_BACK, 0, "", '!', 2, "pop-back poll-last"},
    {DEQUE, PEEK_FRONT, 0, "", '!', 1, "peek-front peek-first"},
    {DEQUE, PEEK_BACK, 0, "", '!', 1, "peek-back peek-last"},
    {PQUEUE, ADD_BACK, 1, "v", '*', 4, "add insert offer"},
    {PQUEUE, TAKE_FRONT, 0, "", '!', 4, "rem rm remove poll extract"},
    {PQUEUE, PEEK_FRONT, 0, "", '!', 1, "peek"},
    {PQUEUE_MIN, ADD_BACK, 1, "v", '*', 4, "add insert offer"},
    {PQUEUE_MIN, TAKE_FRONT, 0, "", '!', 4, "rem rm remove poll extract"},
    {PQUEUE_MIN, PEEK_FRONT, 0, "", '!', 1, "peek"},
    {SET, ADD, 1, "v", '?', 4, "add insert"},
    {SET, REMOVE, 1, "v", '?', 4, "remove rem rm delete"},
    {SET, CONTAINS, 1, "v", '!', 3, "contains"},
    {SET, ELEMENTS, 0, "", '!', 4, "elements"},
    {BANK, TRANSFER, 3, "aam", '?', 6, "transfer"},
    {BANK, BALANCE, 1, "a", '!', 2, "balance"},
    {BANK, BALANCES, 0, "", '!', 2, "balances"},
    {MULTISET, ADD, 1, "v", '*', 5, "add insert"},
    {MULTISET, REMOVE, 1, "v", '?', 4, "remove rem rm delete"},
    {MULTISET, COUNT, 1, "v", '!', 2, "count"},
    {MULTISET, CONTAINS, 1, "v", '!', 2, "contains"},
    {COUNTER, INC, 0, "", '?', 3, "inc increment"},
    {COUNTER, DEC, 0, "", '?', 2, "dec decrement"},
    {COUNTER, ADD, 1, "n", '?', 2, "add"},
    {COUNTER, READ, 0, "", '!', 3, "get read"},
    {LOCK, ACQUIRE, 0, "g", '-', 3, "lock acquire"},
    {LOCK, RELEASE, 0, "", '~', 3, "unlock release"},
    {LOCK, TRY, 0, "g", '!', 2, "trylock tryacquire"},
    {RWLOCK, RD_ACQUIRE, 0, "", '-', 3, "rdlock"},
    {RWLOCK, RD_RELEASE, 0, "", '-', 3, "rdunlock"},
    {RWLOCK, ACQUIRE, 0, "", '-', 2, "wrlock"},
    {RWLOCK, RELEASE, 0, "", '-', 2, "wrunlock"},
    {RWLOCK, RD_TRY, 0, "", '!', 1, "tryrdlock"},
    {RWLOCK, TRY, 0, "", '!', 1, "trywrlock"},
    {SEMAPHORE, ACQUIRE, 0, "g", '-', 3, "acquire"},
    {SEMAPHORE, RELEASE, 0, "", '~', 3, "release"},
    {SEMAPHORE, TRY, 0, "g", '!', 2, "tryacquire"},
    {COUNTING, ACQUIRE, 0, "", '-', 4, "wait"},
    {COUNTING, RELEASE, 0, "", '-', 2, "post"},
    {COUNTING, TRY, 0, "", '!', 2, "trywait"},
    {EXCHANGER, EXCHANGE, 1, "v", '!', 1, "exchange"},
};

#define CHOICES ((int)(sizeof choices / sizeof *choices))

const struct choice *choice_of(enum kind k, enum method m)
{
    for (int i = 0; i < CHOICES; i++)
        if (choices[i].kind == k && choices[i].method == m)
            return &choices[i];
    abort();
}

static const char *pick_name(const char *names)
{
    static char names_room[128][24]; /* names live as long as the program; equal ones are kept once */
    static int used;
    char word[24];
    int n = 1, at = 0;
    for (const char *p = names; *p; p++)
        n += *p == ' ';
    for (int skip = chance(60) ? 0 : below(n); skip; at++)
        skip -= names[at] == ' ';
    int length = (int)strcspn(names + at, " ");
    snprintf(word, sizeof word, "%.*s", length, names + at);
    for (int i = 0; i < used; i++)
        if (!strcmp(names_room[i], word))
            return names_room[i];
    if (used == 128)
        abort();
    return strcpy(names_room[used++], word);
}

int fresh_value(struct taste *t, bool integers)
{
    char text[40];
    int n = ++t->fresh;
    if (!t->words || integers)
        return v_int(n % 7 == 6 ? -n : n % 11 == 10 ? INT64_MAX - n : n % 13 == 12 ? INT64_MIN + n : n);
    snprintf(text, sizeof text, n % 3 ? "w%d" : "%d", n);
    return n % 3 == 1 ? v_word(text) : n % 3 == 2 ? v_int(n) : v_string(text);
}

int pooled_value(struct taste *t, bool integers)
{
    int n = below(t->pool);
    static const int64_t extreme[] = {0, 1, 2, -1, INT64_MAX, INT64_MIN};
    if (!t->words || integers)
        return v_int(t->pool > 3 ? extreme[n % 6] : n);
    switch (n % 6) {
    case 0: return v_int(0);
    case 1: return t->empties ? v_empty : v_word("a");
    case 2: return v_string("a");
    case 3: return v_string("0");
    case 4: return v_word("true");
    default: return v_int(INT64_MIN);
    }
}

int only_key = NONE;

int some_value(const struct history *h, int object, struct taste *t, bool adds)
{
    enum kind k = h->kinds[object];
    if (only_key != NONE && (k == SET || k == MULTISET))
        return only_key;
    bool integers = k == PQUEUE || k == PQUEUE_MIN;
    bool distinct = t->distinct && (adds || k == EXCHANGER);
    if (k == SET || k == MULTISET)
        distinct = distinct && chance(30);
    if (k == MAP && t->nulls && chance(10))
        return v_null;
    if (distinct && !(t->fresh && chance(t->repeats)))
        return fresh_value(t, integers);
    if (t->distinct && t->fresh && k != EXCHANGER) { /* something that was there, perhaps */
        struct taste back = *t;
        back.fresh = below(t->fresh);
        return fresh_value(&back, integers);
    }
    return pooled_value(t, integers);
}

static int some_key(struct taste *t)
{
    if (only_key != NONE)
        return only_key;
    switch (below(t->words ? 4 : 2)) {
    case 0: return v_word("x");
    case 1: return v_word("y");
    case 2: return v_int(7);
    default: return v_string("x y");
    }
}

static void choose_txn(const struct history *h, struct op *op, const struct object *o, struct taste *t)
{
    struct object now = *o;
    op->arg_count = 3 * (1 + below(3));
    for (int i = 0; i < op->arg_count; i += 3) {
        op->args[i] = below(2);
        op->args[i + 1] = some_key(t);
        if (op->args[i]) {
            op->args[i + 2] = some_value(h, op->object, t, true);
            set_key(&now, op->args[i + 1], op->args[i + 2]);
        } else {
            op->args[i + 2] = chance(10) ? NONE : load(&now, op->args[i + 1]);
        }
    }
}

static int some_piece(struct taste *t)
{
    static const char *const beginnings[] = {"x", "xy", "xyz", "y", "yz", "z"};
    char text[4];
    switch (t->pieces) {
    case OWN_PIECES: snprintf(text, sizeof text, "%c;", 'a' + t->fresh++ % 26); return v_string(text);
    case BEGINNINGS: return v_string(beginnings[below(6)]);
    default: break;
    }
    snprintf(text, sizeof text, "%c", "ab"[below(2)]);
    return v_string(chance(20) ? "" : text);
}

static int some_amount(const struct taste *t)
{
    if (t->amount)
        return v_int(chance(50) ? t->amount : -t->amount);
    return v_int(!chance(5) ? below(7) - 3 : chance(50) ? INT64_MAX : INT64_MIN);
}

static void choose_args(const struct history *h, struct op *op, const struct choice *c, const struct object *o,
                        struct taste *t)
{
    op->arg_count = (int)strlen(c->shape);
    for (int i = 0; i < op->arg_count; i++)
        switch (c->shape[i]) {
        case 'k': op->args[i] = some_key(t); break;
        case 'n': op->args[i] = some_amount(t); break;
        case 's': op->args[i] = some_piece(t); break;
        case 'a': op->args[i] = v_int(below(ACCOUNTS)); break;
        case 'm': op->args[i] = v_int(below(FIRST_BALANCE + 2)); break;
        default: op->args[i] = some_value(h, op->object, t, op->method != CONTAINS && op->method != HAS_VALUE);
        }
    if (c->shape[0] == 'g')
        op->arg_count = chance(t->tags);
    if (c->method == RMW)
        op->args[1] = load(o, op->args[0]);
    if (c->method == CAS && chance(60))
        op->args[0] = load(o, 0);
    if (c->method == TXN)
        choose_txn(h, op, o, t);
}

/* 0: the call is none of this object, or is not made. */
static int weight_of(const struct choice *c, enum kind k, const struct taste *t)
{
    bool lists = c->method == ELEMENTS || c->method == BALANCES;
    bool whole = c->method == HAS_VALUE || c->method == SIZE || c->method == ELEMENTS;
    return c->kind != k || (lists && !t->lists) || (whole && only_key != NONE) ? 0 : c->weight;
}

bool choose_call(const struct history *h, struct op *op, struct object *o, struct taste *t, int *result)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        int total = 0, at;
        for (int i = 0; i < CHOICES; i++)
            total += weight_of(&choices[i], h->kinds[op->object], t);
        int pick = below(total);
        for (at = 0; pick >= weight_of(&choices[at], h->kinds[op->object], t); at++)
            pick -= weight_of(&choices[at], h->kinds[op->object], t);
        const struct choice *c = &choices[at];
        if (t->amount > 1 && (c->method == INC || c->method == DEC) && attempt < 7)
            continue;
        op->method = c->method;
        op->name = pick_name(c->names);
        choose_args(h, op, c, o, t);
        struct object after = *o;
        release_choice = below(8);
        if (step(h, &after, op, result)) {
            *o = after;
            return true;
        }
    }
    return false;
}

/* Balances that are near the initial ones, or a few values. */
static int random_list(const struct history *h, const struct op *op, struct taste *t)
{
    int elements[ACCOUNTS], count = op->method == BALANCES ? ACCOUNTS : below(ACCOUNTS + 1);
    for (int i = 0; i < count; i++) {
        int v = op->method == BALANCES ? v_int(FIRST_BALANCE + below(3) - 1) : some_value(h, op->object, t, false);
        int at = i;
        for (; op->method == ELEMENTS && at && elements[at - 1] > v; at--)
            elements[at] = elements[at - 1];
        elements[at] = v;
    }
    return v_list(elements, count, op->method == ELEMENTS);
}

int random_result(const struct history *h, const struct op *op, struct taste *t)
{
    enum kind k = h->kinds[op->object];
    if (op->method == ELEMENTS || op->method == BALANCES)
        return random_list(h, op, t);
    if (op->method == TRANSFER)
        return v_word(below(2) ? "ok" : "refused");
    switch (below(4)) {
    case 0: return v_bool(below(2));
    case 1:
        if (is_sequence(k))
            return v_empty;
        return k == MAP || k == EXCHANGER ? v_null : v_int(below(3));
    default: return some_value(h, op->object, t, false);
    }
}

bool acceptable(const struct history *h, const struct op *op, int result)
{
    enum kind k = h->kinds[op->object];
    bool truth = result == v_true || result == v_false;
    bool list = values[result].kind == 'l';
    switch (op->method) {
    case ELEMENTS: return list && values[result].integer;
    case BALANCES: return list && !values[result].integer;
    case TRANSFER: return result == v_ok || result == v_word("refused");
    case BALANCE: return values[result].kind == 'i';
    default: break;
    }
    if (list)
        return false;
    switch (op->method) {
    case CAS:
    case HAS_KEY:
    case HAS_VALUE:
    case CONTAINS:
    case TRY:
    case RD_TRY: return truth;
    case SIZE:
    case COUNT: return values[result].kind == 'i' && values[result].integer >= 0 && values[result].integer < 10;
    case ADD:
    case REMOVE:
        if (k == SET || k == MULTISET)
            return truth;
        return k == COUNTER ? values[result].kind == 'i' : true;
    case READ:
    case INC:
    case DEC: return k != COUNTER || values[result].kind == 'i';
    case GET: return k != APPEND_MAP || values[result].kind == 's';
    case TAKE_FRONT:
    case PEEK_FRONT: return (k != PQUEUE && k != PQUEUE_MIN) || values[result].kind == 'i' || result == v_empty;
    default: return true;
    }
}
