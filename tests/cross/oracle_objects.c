// SPDX-License-Identifier: Apache-2.0
/* An oracle of linearizability, written from the definitions of the objects and of .hist alone, without knowledge of the
 * engines: it sees the public header only. Each object is a sequential specification of its own here; a history is
 * linearizable if a plain search over the downsets of happens-before finds a legal order. Random histories and streams of
 * events go through all engines, recheck (genuine and forged evidence), shrinking and all monitors.
 *
 *   oracle_objects [--seed N] [--count N] [--quick|--long] [--only check|monitor|restart] [--stop N] [--strict]
 * Each history has a seed of its own, N, N+1, ...; a disagreement names it. */
#define _POSIX_C_SOURCE 200809L
#include "support/tier.h"

#include <assay.h>
#include <assay_monitor.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPS 192
#define MAX_THREADS 40
#define MAX_OBJECTS 24
#define MAX_ARGS 12
#define MAX_HELD 170
#define WORDS ((MAX_OPS + 63) / 64)
#define NONE (-1)

/* Also which event a monitor names in streams of more than ten operations: where many overlap, it may be a later one. */
static bool strict;

/* ---- Random numbers ---- */

static uint64_t random_state;

static uint64_t random_word(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(random_word() % (uint64_t)n);
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- Values: numbers of entries in a table, so that equal values have equal numbers ---- */

struct value {
    char kind; /* i, w, s */
    int64_t integer;
    char text[320];
};

static struct value values[2048];
static int value_count;
static int v_empty, v_true, v_false, v_null, v_nil, v_ok;

static int intern(char kind, int64_t integer, const char *text)
{
    for (int i = 0; i < value_count; i++)
        if (values[i].kind == kind && values[i].integer == integer && !strcmp(values[i].text, text))
            return i;
    if (value_count == (int)(sizeof values / sizeof *values) || strlen(text) >= sizeof values->text) {
        fprintf(stderr, "oracle_objects: too many values\n");
        exit(2);
    }
    values[value_count].kind = kind;
    values[value_count].integer = integer;
    strcpy(values[value_count].text, text);
    return value_count++;
}

static int v_int(int64_t n)
{
    return intern('i', n, "");
}

static int v_word(const char *s)
{
    return intern('w', 0, s);
}

static int v_string(const char *s)
{
    return intern('s', 0, s);
}

static void values_reset(void)
{
    value_count = 0;
    v_empty = v_word("empty");
    v_true = v_word("true");
    v_false = v_word("false");
    v_null = v_word("null");
    v_nil = v_word("nil");
    v_ok = v_word("ok");
}

static int v_bool(bool b)
{
    return b ? v_true : v_false;
}

/* ---- Histories ---- */

enum kind {
    REGISTER,
    CAS_REGISTER,
    MEMORY,
    MULTI_REGISTER,
    MAP,
    APPEND_MAP,
    QUEUE,
    STACK,
    DEQUE,
    PQUEUE,
    PQUEUE_MIN,
    SET,
    MULTISET,
    COUNTER,
    LOCK,
    RWLOCK,
    SEMAPHORE,
    COUNTING,
    EXCHANGER,
    KINDS
};

enum method {
    READ,
    WRITE,
    CAS,
    RMW,
    FENCE,
    TXN,
    PUT,
    GET,
    REMOVE,
    HAS_KEY,
    HAS_VALUE,
    SIZE,
    APPEND,
    ADD_BACK,
    ADD_FRONT,
    TAKE_FRONT,
    TAKE_BACK,
    PEEK_FRONT,
    PEEK_BACK,
    CONTAINS,
    COUNT,
    INC,
    DEC,
    ADD,
    ACQUIRE,
    RELEASE,
    TRY,
    RD_ACQUIRE,
    RD_RELEASE,
    RD_TRY,
    EXCHANGE
};

struct op {
    int thread, object;
    enum method method;
    const char *name;
    int arg_count, args[MAX_ARGS]; /* of a txn: 0 or 1 for r or w, variable, value (NONE: ?) */
    int result;                    /* NONE: absent */
    bool pending;
    int64_t call, ret;         /* times */
    int call_event, ret_event; /* of a history of events, from 1; 0: none */
    int after[MAX_THREADS];    /* how many operations of each thread had returned */
    int number;                /* in the text */
    int part, rank;            /* what it was simulated with, and when */
};

enum clock { EVENTS, TIMES, AFTER };

struct history {
    enum clock clock;
    bool event_form, named, shuffled, odd_names;
    int threads, objects, ops;
    enum kind kinds[MAX_OBJECTS];
    int parameters[MAX_OBJECTS];
    int init_count, init_keys[8], init_values[8]; /* key NONE: a plain value */
    bool init_list;
    int64_t skew;
    bool has_empty_value;
    struct op op[MAX_OPS];
};

/* ---- The sequential objects ---- */

struct object { /* pairs sorted by key; of collections the values in order; or a number */
    int count;
    int64_t number, writer;
    int key[MAX_HELD], value[MAX_HELD];
};

static int find_key(const struct object *o, int key)
{
    for (int i = 0; i < o->count; i++)
        if (o->key[i] == key)
            return i;
    return NONE;
}

static void insert_at(struct object *o, int at, int key, int value)
{
    if (o->count == MAX_HELD) {
        fprintf(stderr, "oracle_objects: an object holds too much\n");
        exit(2);
    }
    memmove(o->key + at + 1, o->key + at, (size_t)(o->count - at) * sizeof *o->key);
    memmove(o->value + at + 1, o->value + at, (size_t)(o->count - at) * sizeof *o->value);
    o->key[at] = key;
    o->value[at] = value;
    o->count++;
}

static void remove_at(struct object *o, int at)
{
    o->count--;
    memmove(o->key + at, o->key + at + 1, (size_t)(o->count - at) * sizeof *o->key);
    memmove(o->value + at, o->value + at + 1, (size_t)(o->count - at) * sizeof *o->value);
}

static void set_key(struct object *o, int key, int value)
{
    int i = find_key(o, key);
    if (i != NONE) {
        o->value[i] = value;
        return;
    }
    int at = 0;
    while (at < o->count && o->key[at] < key)
        at++;
    insert_at(o, at, key, value);
}

static bool is_keyed(enum kind k)
{
    return k == MEMORY || k == MULTI_REGISTER || k == MAP || k == APPEND_MAP;
}

static bool is_sequence(enum kind k)
{
    return k == QUEUE || k == STACK || k == DEQUE || k == PQUEUE || k == PQUEUE_MIN;
}

/* Where a new element of a priority queue goes, so that the next one to leave stands first. */
static int priority_place(const struct object *o, bool min, int v)
{
    int at = 0;
    while (at < o->count && (min ? values[o->value[at]].integer <= values[v].integer
                                 : values[o->value[at]].integer >= values[v].integer))
        at++;
    return at;
}

static void put_in(enum kind k, struct object *o, int v)
{
    if (k == PQUEUE || k == PQUEUE_MIN)
        insert_at(o, priority_place(o, k == PQUEUE_MIN, v), 0, v);
    else if (k == SET || k == MULTISET)
        set_key(o, v, (find_key(o, v) == NONE || k == SET ? 0 : o->value[find_key(o, v)]) + 1);
    else
        insert_at(o, o->count, 0, v);
}

static void create(const struct history *h, int object, struct object *o)
{
    enum kind k = h->kinds[object];
    memset(o, 0, sizeof *o);
    o->writer = NONE; /* of memories: the value of variables that nobody named */
    if (k == MEMORY || k == MULTI_REGISTER || k == REGISTER || k == CAS_REGISTER)
        o->writer = v_int(0);
    if (k == COUNTING)
        o->number = h->parameters[object];
    for (int i = 0; i < h->init_count; i++)
        if (is_keyed(k) && h->init_keys[i] != NONE)
            set_key(o, h->init_keys[i], h->init_values[i]);
        else if (k == MEMORY || k == MULTI_REGISTER || k == REGISTER || k == CAS_REGISTER)
            o->writer = h->init_values[i];
        else if (k == COUNTER)
            o->number = values[h->init_values[i]].integer;
        else if (is_sequence(k) || k == SET || k == MULTISET)
            put_in(k, o, h->init_values[i]);
}

static int load(const struct object *o, int key)
{
    int i = find_key(o, key);
    return i == NONE ? (int)o->writer : o->value[i];
}

static bool step_memory(struct object *o, const struct op *op, int *result)
{
    int key = op->arg_count ? op->args[0] : 0;
    switch (op->method) {
    case READ: *result = load(o, key); return true;
    case WRITE: set_key(o, key, op->args[1]); return true;
    case RMW:
        if (load(o, key) != op->args[1])
            return false;
        set_key(o, key, op->args[2]);
        return true;
    default: return true; /* a fence */
    }
}

static bool step_register(struct object *o, const struct op *op, int *result)
{
    if (op->method == READ)
        *result = load(o, 0);
    else if (op->method == WRITE)
        set_key(o, 0, op->args[0]);
    else {
        bool hit = load(o, 0) == op->args[0];
        if (hit)
            set_key(o, 0, op->args[1]);
        *result = v_bool(hit);
    }
    return true;
}

static bool step_txn(struct object *o, const struct op *op)
{
    for (int i = 0; i < op->arg_count; i += 3)
        if (op->args[i])
            set_key(o, op->args[i + 1], op->args[i + 2]);
        else if (op->args[i + 2] != NONE && op->args[i + 2] != load(o, op->args[i + 1]))
            return false;
    return true;
}

static bool step_map(struct object *o, const struct op *op, int *result)
{
    int at = op->arg_count ? find_key(o, op->args[0]) : NONE;
    switch (op->method) {
    case PUT:
        *result = at == NONE ? v_null : o->value[at];
        set_key(o, op->args[0], op->args[1]);
        return true;
    case GET: *result = at == NONE ? v_null : o->value[at]; return true;
    case REMOVE:
        *result = at == NONE ? v_null : o->value[at];
        if (at != NONE)
            remove_at(o, at);
        return true;
    case HAS_KEY: *result = v_bool(at != NONE); return true;
    case HAS_VALUE:
        *result = v_false;
        for (int i = 0; i < o->count; i++)
            if (o->value[i] == op->args[0])
                *result = v_true;
        return true;
    default: *result = v_int(o->count); return true;
    }
}

static bool step_append_map(struct object *o, const struct op *op, int *result)
{
    int at = find_key(o, op->args[0]);
    const char *now = at == NONE ? "" : values[o->value[at]].text;
    if (op->method == GET) {
        *result = v_string(now);
    } else {
        char text[sizeof values->text];
        snprintf(text, sizeof text, "%s%s", op->method == APPEND ? now : "", values[op->args[1]].text);
        set_key(o, op->args[0], v_string(text));
    }
    return true;
}

static bool step_sequence(enum kind k, struct object *o, const struct op *op, int *result)
{
    switch (op->method) {
    case ADD_BACK: put_in(k, o, op->args[0]); return true;
    case ADD_FRONT: insert_at(o, 0, 0, op->args[0]); return true;
    default: break;
    }
    if (!o->count) {
        *result = v_empty;
        return true;
    }
    bool back = op->method == TAKE_BACK || op->method == PEEK_BACK;
    int at = back ? o->count - 1 : 0;
    *result = o->value[at];
    if (op->method == TAKE_FRONT || op->method == TAKE_BACK)
        remove_at(o, at);
    return true;
}

static bool step_set(struct object *o, const struct op *op, int *result)
{
    int at = find_key(o, op->args[0]);
    if (op->method == ADD) {
        *result = v_bool(at == NONE);
        set_key(o, op->args[0], 1);
    } else if (op->method == REMOVE) {
        *result = v_bool(at != NONE);
        if (at != NONE)
            remove_at(o, at);
    } else {
        *result = v_bool(at != NONE);
    }
    return true;
}

static bool step_multiset(struct object *o, const struct op *op, int *result)
{
    int at = find_key(o, op->args[0]);
    int times = at == NONE ? 0 : o->value[at];
    if (op->method == ADD) {
        set_key(o, op->args[0], times + 1);
    } else if (op->method == REMOVE) {
        *result = v_bool(times > 0);
        if (times > 1)
            o->value[at]--;
        else if (times == 1)
            remove_at(o, at);
    } else if (op->method == COUNT) {
        *result = v_int(times);
    } else {
        *result = v_bool(times > 0);
    }
    return true;
}

static bool step_counter(struct object *o, const struct op *op, int *result)
{
    int64_t n = op->method == INC ? 1 : op->method == DEC ? -1 : op->method == ADD ? values[op->args[0]].integer : 0;
    if (__builtin_add_overflow(o->number, n, &o->number))
        return false; /* beyond 64 bits: it cannot take effect */
    *result = v_int(o->number);
    return true;
}

/* number: how often it may still be taken, up to limit */
static bool step_level(int64_t *held, int64_t limit, const struct op *op, int *result)
{
    switch (op->method) {
    case ACQUIRE:
        if (*held == limit)
            return false;
        ++*held;
        return true;
    case RELEASE:
        if (!*held)
            return false;
        --*held;
        return true;
    default:
        *result = v_bool(*held < limit);
        if (*held < limit)
            ++*held;
        return true;
    }
}

static bool step_counting(int64_t *left, const struct op *op, int *result)
{
    if (op->method == RELEASE) {
        ++*left;
        return true;
    }
    if (op->method == TRY)
        *result = v_bool(*left > 0);
    else if (!*left)
        return false;
    if (*left)
        --*left;
    return true;
}

static bool step_rwlock(struct object *o, const struct op *op, int *result) /* writer NONE: there is none */
{
    bool writer = o->writer != NONE, readers = o->number > 0;
    switch (op->method) {
    case RD_ACQUIRE:
    case RD_TRY:
        if (op->method == RD_TRY)
            *result = v_bool(!writer);
        else if (writer)
            return false;
        o->number += !writer;
        return true;
    case RD_RELEASE:
        if (!readers)
            return false;
        o->number--;
        return true;
    case ACQUIRE:
    case TRY:
        if (op->method == TRY)
            *result = v_bool(!writer && !readers);
        else if (writer || readers)
            return false;
        if (!writer && !readers)
            o->writer = 1;
        return true;
    default:
        if (!writer)
            return false;
        o->writer = NONE;
        return true;
    }
}

/* Takes the operation's step. False: it cannot take effect here. *result stays NONE if there is none. */
static bool step(const struct history *h, struct object *o, const struct op *op, int *result)
{
    enum kind k = h->kinds[op->object];
    *result = NONE;
    switch (k) {
    case REGISTER:
    case CAS_REGISTER: return step_register(o, op, result);
    case MEMORY: return step_memory(o, op, result);
    case MULTI_REGISTER: return step_txn(o, op);
    case MAP: return step_map(o, op, result);
    case APPEND_MAP: return step_append_map(o, op, result);
    case SET: return step_set(o, op, result);
    case MULTISET: return step_multiset(o, op, result);
    case COUNTER: return step_counter(o, op, result);
    case LOCK: return step_level(&o->number, 1, op, result);
    case SEMAPHORE: return step_level(&o->number, h->parameters[op->object], op, result);
    case COUNTING: return step_counting(&o->number, op, result);
    case RWLOCK: return step_rwlock(o, op, result);
    default: return step_sequence(k, o, op, result);
    }
}

static bool result_fits(const struct history *h, const struct op *op, int result)
{
    if (op->pending || op->result == NONE || result == NONE)
        return true;
    return op->result == result || (h->kinds[op->object] == MAP && result == v_null && op->result == v_nil);
}

/* ---- Happens-before ---- */

typedef uint64_t bits[WORDS];

static bool has(const uint64_t *b, int i)
{
    return b[i / 64] >> (i % 64) & 1;
}

static void put_bit(uint64_t *b, int i)
{
    b[i / 64] |= (uint64_t)1 << (i % 64);
}

static void drop_bit(uint64_t *b, int i)
{
    b[i / 64] &= ~((uint64_t)1 << (i % 64));
}

struct order {
    bits before[MAX_OPS]; /* what happens before each operation */
};

static bool earlier_in_time(const struct history *h, const struct op *a, const struct op *b)
{
    if (h->clock == AFTER || a->pending)
        return false;
    return (__int128)a->ret + h->skew < (__int128)b->call - h->skew;
}

static void happens_before(const struct history *h, bool real_time, struct order *r)
{
    memset(r, 0, sizeof *r);
    int nth[MAX_OPS], seen[MAX_THREADS] = {0};
    for (int i = 0; i < h->ops; i++)
        nth[i] = seen[h->op[i].thread]++;
    for (int a = 0; a < h->ops; a++)
        for (int b = 0; b < h->ops; b++) {
            const struct op *x = &h->op[a], *y = &h->op[b];
            bool po = x->thread == y->thread && nth[a] < nth[b];
            bool rt = real_time && (earlier_in_time(h, x, y) || (h->clock == AFTER && nth[a] < y->after[x->thread]));
            if (a != b && (po || rt))
                put_bit(r->before[b], a);
        }
    for (int k = 0; k < h->ops; k++)
        for (int b = 0; b < h->ops; b++)
            if (has(r->before[b], k))
                for (int w = 0; w < WORDS; w++)
                    r->before[b][w] |= r->before[k][w];
}

/* Are the sets of predecessors a chain? */
static bool is_interval_order(const struct history *h, const struct order *r)
{
    for (int a = 0; a < h->ops; a++)
        for (int b = 0; b < a; b++) {
            bool less = true, more = true;
            for (int w = 0; w < WORDS; w++) {
                less = less && !(r->before[a][w] & ~r->before[b][w]);
                more = more && !(r->before[b][w] & ~r->before[a][w]);
            }
            if (!less && !more)
                return false;
        }
    return true;
}

/* ---- The search: which downsets, with which states, can be reached by legal orders? ---- */

enum answer { NO, YES, TOO_MUCH };

struct memo {
    size_t *starts, room, count; /* of records in bytes; 0: free */
    int32_t *bytes;
    size_t used, size;
};

struct search {
    const struct history *h;
    const struct order *r;
    const bool *take; /* which operations count */
    struct object state[MAX_OBJECTS];
    bits done;
    struct memo memo;
    int nodes;
};

#define NODES 120000

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "oracle_objects: out of memory\n");
        exit(2);
    }
    return p;
}

static void push_word(struct memo *m, int32_t w)
{
    if (m->used == m->size)
        m->bytes = need(realloc(m->bytes, (m->size = m->size ? 2 * m->size : 4096) * sizeof *m->bytes));
    m->bytes[m->used++] = w;
}

static size_t record_hash(const int32_t *p, size_t n)
{
    uint64_t x = 1;
    for (size_t i = 0; i < n; i++)
        x = (x ^ (uint32_t)p[i]) * 0x9e3779b97f4a7c15u, x ^= x >> 29;
    return (size_t)x;
}

static void memo_grow(struct memo *m)
{
    size_t old = m->room, *starts = m->starts;
    m->room = old ? 2 * old : 256;
    m->starts = need(calloc(m->room, sizeof *m->starts));
    for (size_t i = 0; i < old; i++)
        if (starts[i]) {
            size_t at = record_hash(m->bytes + starts[i], (size_t)m->bytes[starts[i] - 1]) & (m->room - 1);
            while (m->starts[at])
                at = (at + 1) & (m->room - 1);
            m->starts[at] = starts[i];
        }
    free(starts);
}

/* Has this downset with these states been here before? Whole records are compared. */
static bool seen_before(struct search *s)
{
    struct memo *m = &s->memo;
    if (2 * (m->count + 1) > m->room)
        memo_grow(m);
    size_t begin = m->used;
    push_word(m, 0);
    for (int w = 0; w < WORDS; w++) {
        push_word(m, (int32_t)s->done[w]);
        push_word(m, (int32_t)(s->done[w] >> 32));
    }
    for (int i = 0; i < s->h->objects; i++) {
        const struct object *o = &s->state[i];
        push_word(m, o->count);
        push_word(m, (int32_t)o->number);
        push_word(m, (int32_t)(o->number >> 32));
        push_word(m, (int32_t)o->writer);
        for (int k = 0; k < o->count; k++) {
            push_word(m, o->key[k]);
            push_word(m, o->value[k]);
        }
    }
    size_t start = begin + 1, n = m->used - start;
    m->bytes[begin] = (int32_t)n;
    size_t at = record_hash(m->bytes + start, n) & (m->room - 1);
    for (; m->starts[at]; at = (at + 1) & (m->room - 1)) {
        size_t other = m->starts[at];
        if ((size_t)m->bytes[other - 1] == n && !memcmp(m->bytes + other, m->bytes + start, n * sizeof *m->bytes)) {
            m->used = begin;
            return true;
        }
    }
    m->starts[at] = start;
    m->count++;
    return false;
}

static bool may_come(const struct search *s, int i)
{
    if (!s->take[i] || has(s->done, i))
        return false;
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = s->r->before[i][w] & ~s->done[w]; left; left &= left - 1)
            if (s->take[w * 64 + __builtin_ctzll(left)])
                return false;
    return true;
}

static bool may_swap(const struct op *x, const struct op *y)
{
    if (x->args[0] == v_null || y->args[0] == v_null)
        return false;
    return (x->pending || x->result == y->args[0]) && (y->pending || y->result == x->args[0]);
}

static enum answer explore(struct search *s);

static enum answer take_exchange(struct search *s, int i)
{
    const struct op *x = &s->h->op[i];
    enum answer a = NO;
    if (x->pending)
        return NO; /* of use as a partner only */
    if (x->result == v_null) {
        put_bit(s->done, i);
        a = explore(s);
        drop_bit(s->done, i);
        return a;
    }
    for (int j = 0; j < s->h->ops && a == NO; j++) {
        if (j == i || s->h->op[j].object != x->object || !may_come(s, j) || !may_swap(x, &s->h->op[j]))
            continue;
        put_bit(s->done, i);
        put_bit(s->done, j);
        a = explore(s);
        drop_bit(s->done, i);
        drop_bit(s->done, j);
    }
    return a;
}

static enum answer take_step(struct search *s, int i)
{
    const struct op *op = &s->h->op[i];
    struct object saved = s->state[op->object];
    enum answer a = NO;
    int result;
    if (step(s->h, &s->state[op->object], op, &result) && result_fits(s->h, op, result)) {
        put_bit(s->done, i);
        a = explore(s);
        drop_bit(s->done, i);
    }
    s->state[op->object] = saved;
    return a;
}

static enum answer explore(struct search *s)
{
    bool all = true;
    for (int i = 0; i < s->h->ops; i++)
        all = all && (!s->take[i] || s->h->op[i].pending || has(s->done, i));
    if (all)
        return YES;
    if (++s->nodes > NODES)
        return TOO_MUCH;
    if (seen_before(s))
        return NO;
    for (int i = 0; i < s->h->ops; i++) {
        if (!may_come(s, i))
            continue;
        enum answer a = s->h->kinds[s->h->op[i].object] == EXCHANGER ? take_exchange(s, i) : take_step(s, i);
        if (a != NO)
            return a;
    }
    return NO;
}

static void begin_search(struct search *s, const struct history *h, const struct order *r, const bool *take)
{
    memset(s, 0, sizeof *s);
    s->h = h;
    s->r = r;
    s->take = take;
    for (int i = 0; i < h->objects; i++)
        create(h, i, &s->state[i]);
}

static enum answer linearizable_part(const struct history *h, const struct order *r, const bool *take)
{
    static struct search s;
    begin_search(&s, h, r, take);
    enum answer a = explore(&s);
    free(s.memo.starts);
    free(s.memo.bytes);
    return a;
}

/* Where happens-before is an interval order, objects may be judged apart (Herlihy and Wing); else the whole. */
static enum answer linearizable(const struct history *h, bool real_time)
{
    static struct order r;
    happens_before(h, real_time, &r);
    bool take[MAX_OPS], interval = is_interval_order(h, &r), exchangers = false;
    for (int i = 0; i < h->objects; i++)
        exchangers = exchangers || h->kinds[i] == EXCHANGER;
    for (int i = 0; i < h->ops; i++)
        take[i] = true;
    if (!interval || h->objects <= 3) {
        enum answer a = linearizable_part(h, &r, take);
        /* The definition says that partners overlap. Whether pairs must also have a common order, where the order is none
         * of intervals, it leaves open. */
        return a == NO && exchangers && !interval ? TOO_MUCH : a;
    }
    enum answer all = YES;
    for (int o = 0; o < h->objects && all != NO; o++) {
        for (int i = 0; i < h->ops; i++)
            take[i] = h->op[i].object == o;
        enum answer a = linearizable_part(h, &r, take);
        if (a != YES)
            all = a;
    }
    return all;
}

/* ---- Generating: what calls there are ---- */

static const char *const kind_names[KINDS] = {
    "register", "cas-register", "memory",    "multi-register",     "map",      "append-map", "queue",
    "stack",    "deque",        "pqueue",    "pqueue(min)",        "set",      "multiset",   "counter",
    "lock",     "rwlock",       "semaphore", "counting-semaphore", "exchanger"};

struct choice {
    enum kind kind;
    enum method method;
    int args;          /* 0, 1 or 2 arguments by the letters in shape */
    const char *shape; /* k: a key, v: a value, n: a small number, s: a string */
    char result;       /* '-': none, '*': none, ok or true; '?': may be absent; '!': there */
    int weight;
    const char *names; /* separated by spaces */
};

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
    {MULTISET, ADD, 1, "v", '*', 5, "add insert"},
    {MULTISET, REMOVE, 1, "v", '?', 4, "remove rem rm delete"},
    {MULTISET, COUNT, 1, "v", '!', 2, "count"},
    {MULTISET, CONTAINS, 1, "v", '!', 2, "contains"},
    {COUNTER, INC, 0, "", '?', 3, "inc increment"},
    {COUNTER, DEC, 0, "", '?', 2, "dec decrement"},
    {COUNTER, ADD, 1, "n", '?', 2, "add"},
    {COUNTER, READ, 0, "", '!', 3, "get read"},
    {LOCK, ACQUIRE, 0, "", '-', 3, "lock acquire"},
    {LOCK, RELEASE, 0, "", '-', 3, "unlock release"},
    {LOCK, TRY, 0, "", '!', 2, "trylock tryacquire"},
    {RWLOCK, RD_ACQUIRE, 0, "", '-', 3, "rdlock"},
    {RWLOCK, RD_RELEASE, 0, "", '-', 3, "rdunlock"},
    {RWLOCK, ACQUIRE, 0, "", '-', 2, "wrlock"},
    {RWLOCK, RELEASE, 0, "", '-', 2, "wrunlock"},
    {RWLOCK, RD_TRY, 0, "", '!', 1, "tryrdlock"},
    {RWLOCK, TRY, 0, "", '!', 1, "trywrlock"},
    {SEMAPHORE, ACQUIRE, 0, "", '-', 3, "acquire"},
    {SEMAPHORE, RELEASE, 0, "", '-', 3, "release"},
    {SEMAPHORE, TRY, 0, "", '!', 2, "tryacquire"},
    {COUNTING, ACQUIRE, 0, "", '-', 4, "wait"},
    {COUNTING, RELEASE, 0, "", '-', 2, "post"},
    {COUNTING, TRY, 0, "", '!', 2, "trywait"},
    {EXCHANGER, EXCHANGE, 1, "v", '!', 1, "exchange"},
};
#define CHOICES ((int)(sizeof choices / sizeof *choices))

static const struct choice *choice_of(enum kind k, enum method m)
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

/* What values a history has: all different, or few that repeat. */
struct taste {
    bool distinct, words, integers;
    int fresh, pool;
    bool empties, nulls;
};

static int fresh_value(struct taste *t, bool integers)
{
    char text[40];
    int n = ++t->fresh;
    if (!t->words || integers)
        return v_int(n % 7 == 6 ? -n : n % 11 == 10 ? INT64_MAX - n : n % 13 == 12 ? INT64_MIN + n : n);
    snprintf(text, sizeof text, n % 3 ? "w%d" : "%d", n);
    return n % 3 == 1 ? v_word(text) : n % 3 == 2 ? v_int(n) : v_string(text);
}

static int pooled_value(struct taste *t, bool integers)
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

/* While each key has an order of its own: the key, or NONE. */
static int only_key = NONE;

static int some_value(const struct history *h, int object, struct taste *t, bool adds)
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
    if (distinct)
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

static void choose_args(const struct history *h, struct op *op, const struct choice *c, const struct object *o,
                        struct taste *t)
{
    char text[4];
    op->arg_count = (int)strlen(c->shape);
    for (int i = 0; i < op->arg_count; i++)
        switch (c->shape[i]) {
        case 'k': op->args[i] = some_key(t); break;
        case 'n': op->args[i] = v_int(!chance(5) ? below(7) - 3 : chance(50) ? INT64_MAX : INT64_MIN); break;
        case 's':
            snprintf(text, sizeof text, "%c", "ab"[below(2)]);
            op->args[i] = v_string(chance(20) ? "" : text);
            break;
        default: op->args[i] = some_value(h, op->object, t, op->method != CONTAINS && op->method != HAS_VALUE);
        }
    if (c->method == RMW)
        op->args[1] = load(o, op->args[0]);
    if (c->method == CAS && chance(60))
        op->args[0] = load(o, 0);
    if (c->method == TXN)
        choose_txn(h, op, o, t);
}

/* A call for the operation, and whether it can take effect on the object as it is. */
static bool choose_call(const struct history *h, struct op *op, struct object *o, struct taste *t, int *result)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        int total = 0, at;
        for (int i = 0; i < CHOICES; i++)
            total += choices[i].kind == h->kinds[op->object] ? choices[i].weight : 0;
        int pick = below(total);
        for (at = 0; choices[at].kind != h->kinds[op->object] || pick >= choices[at].weight; at++)
            pick -= choices[at].kind == h->kinds[op->object] ? choices[at].weight : 0;
        const struct choice *c = &choices[at];
        if (only_key != NONE && (c->method == HAS_VALUE || c->method == SIZE))
            continue;
        op->method = c->method;
        op->name = pick_name(c->names);
        choose_args(h, op, c, o, t);
        struct object after = *o;
        if (step(h, &after, op, result)) {
            *o = after;
            return true;
        }
    }
    return false;
}

static int random_result(const struct history *h, const struct op *op, struct taste *t)
{
    enum kind k = h->kinds[op->object];
    switch (below(4)) {
    case 0: return v_bool(below(2));
    case 1:
        if (is_sequence(k))
            return v_empty;
        return k == MAP || k == EXCHANGER ? v_null : v_int(below(3));
    default: return some_value(h, op->object, t, false);
    }
}

/* Results that make sense for the method, so that the reader does not refuse them. */
static bool acceptable(const struct history *h, const struct op *op, int result)
{
    enum kind k = h->kinds[op->object];
    bool truth = result == v_true || result == v_false;
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

/* ---- Generating: who calls when ---- */

/* Calls and returns one after another: the n-th event happens at time n. */
static void make_events(struct history *h, int ops, int pending_percent)
{
    int open[MAX_THREADS], time = 0, stopped = 0, eagerness = 20 + below(60);
    for (int t = 0; t < h->threads; t++)
        open[t] = NONE;
    while (h->ops < ops || chance(90)) {
        int t = below(h->threads);
        if (open[t] == -2)
            continue;
        if (open[t] != NONE) {
            if (chance(eagerness))
                continue;
            if (chance(pending_percent) && stopped + 1 < h->threads) {
                open[t] = -2; /* it never returns */
                stopped++;
                continue;
            }
            h->op[open[t]].ret_event = ++time;
            h->op[open[t]].ret = time;
            h->op[open[t]].pending = false;
            open[t] = NONE;
        } else if (h->ops < ops) {
            struct op *op = &h->op[h->ops];
            op->thread = t;
            op->call_event = ++time;
            op->call = time;
            op->pending = true;
            open[t] = h->ops++;
        }
    }
    if (chance(70)) /* who is still open may return */
        for (int i = 0; i < h->ops; i++)
            if (open[h->op[i].thread] == i) {
                h->op[i].ret_event = ++time;
                h->op[i].ret = time;
                h->op[i].pending = false;
            }
}

static int64_t stretched(int64_t t, int how, int64_t top)
{
    switch (how) {
    case 1: return INT64_MIN + t;
    case 2: return INT64_MAX - top + t;
    case 3: return t == 0 ? INT64_MIN : t >= top ? INT64_MAX : t;
    default: return t;
    }
}

/* Times that tie. */
static void make_times(struct history *h, int ops, int pending_percent)
{
    int64_t now[MAX_THREADS], top = 0;
    bool stopped[MAX_THREADS] = {0};
    int gap = 1 + below(4), how = chance(20) ? 1 + below(3) : 0;
    for (int t = 0; t < h->threads; t++)
        now[t] = below(3);
    while (h->ops < ops) {
        int t = below(h->threads);
        bool all = true;
        for (int i = 0; i < h->threads; i++)
            all = all && stopped[i];
        if (all)
            break;
        if (stopped[t])
            continue;
        struct op *op = &h->op[h->ops++];
        op->thread = t;
        op->call = now[t] += below(gap);
        op->ret = now[t] += below(gap + 1);
        op->pending = stopped[t] = chance(pending_percent);
        top = now[t] > top ? now[t] : top;
    }
    for (int i = 0; i < h->ops; i++) {
        h->op[i].call = stretched(h->op[i].call, how, top);
        h->op[i].ret = stretched(h->op[i].ret, how, top);
    }
    if (chance(35))
        h->skew = chance(10) ? INT64_MAX : 1 + below(2);
}

static void make_knowledge(struct history *h, int ops, int pending_percent)
{
    int count[MAX_THREADS] = {0};
    bool stopped[MAX_THREADS] = {0};
    int density = below(70);
    for (int tries = 0; h->ops < ops && tries < 10 * ops; tries++) {
        int t = below(h->threads);
        if (stopped[t])
            continue;
        struct op *op = &h->op[h->ops++];
        op->thread = t;
        op->pending = stopped[t] = chance(pending_percent);
        for (int u = 0; u < h->threads; u++)
            if (u != t && count[u] && chance(density))
                op->after[u] = 1 + below(count[u]);
        count[t] += !op->pending;
    }
}

/* An exchange takes place: with a partner that may come now, or with nobody. */
static void simulate_exchange(struct history *h, struct search *s, int i, struct taste *t)
{
    struct op *x = &h->op[i];
    x->method = EXCHANGE;
    x->name = "exchange";
    x->arg_count = 1;
    x->args[0] = some_value(h, x->object, t, true);
    x->result = v_null;
    int partner = NONE;
    for (int j = 0; j < h->ops; j++)
        if (j != i && h->op[j].object == x->object && may_come(s, j) && (partner == NONE || chance(50)))
            partner = j;
    put_bit(s->done, i);
    if (partner == NONE || chance(30))
        return;
    struct op *y = &h->op[partner];
    y->rank = x->rank;
    y->method = EXCHANGE;
    y->name = "exchange";
    y->arg_count = 1;
    y->args[0] = some_value(h, y->object, t, true);
    y->result = x->args[0];
    x->result = y->args[0];
    put_bit(s->done, partner);
}

static void simulate_one(struct history *h, struct search *s, int i, struct taste *t)
{
    static int clock;
    struct op *op = &h->op[i];
    op->rank = ++clock;
    if (h->kinds[op->object] == EXCHANGER) {
        simulate_exchange(h, s, i, t);
        return;
    }
    struct object now = s->state[op->object];
    int result = NONE;
    bool fits = choose_call(h, op, &now, t, &result);
    const struct choice *c = choice_of(h->kinds[op->object], op->method);
    op->result = result;
    if (fits && !(op->pending && chance(50)))
        s->state[op->object] = now;
    if (c->result == '*')
        op->result = chance(80) ? NONE : chance(50) ? v_ok : v_true;
    if (c->result == '?' && chance(30))
        op->result = NONE;
    if (c->result != '*' && c->result != '-' && c->result != '?' && op->result == NONE)
        op->result = v_false;
    if (h->kinds[op->object] == MAP && op->result == v_null && chance(20))
        op->result = v_nil;
    put_bit(s->done, i);
}

static void simulate_part(struct history *h, const struct order *r, const bool *take, struct taste *t)
{
    static struct search s;
    begin_search(&s, h, r, take);
    for (int left = h->ops; left; left--) {
        int i, candidates = 0, pick;
        for (i = 0; i < h->ops; i++)
            candidates += may_come(&s, i);
        if (!candidates)
            break;
        pick = below(candidates);
        for (i = 0; !may_come(&s, i) || pick; i++)
            pick -= may_come(&s, i);
        simulate_one(h, &s, i, t);
    }
}

/* Runs the objects along some order that happens-before allows: what comes out is linearizable. */
static void simulate(struct history *h, struct taste *t)
{
    static struct order r;
    bool take[MAX_OPS];
    happens_before(h, true, &r);
    for (int i = 0; i < h->ops; i++)
        take[i] = true;
    simulate_part(h, &r, take, t);
}

/* The same with an order of its own for each object, and for each of two keys: together they need not be linearizable,
 * unless happens-before is an interval order. */
static void simulate_apart(struct history *h, struct taste *t)
{
    static struct order r;
    bool take[MAX_OPS];
    int key[MAX_OPS];
    happens_before(h, true, &r);
    for (int i = 0; i < h->ops; i++)
        key[i] = below(2);
    for (int o = 0; o < h->objects; o++) {
        enum kind k = h->kinds[o];
        bool keys = k == MEMORY || k == MAP || k == APPEND_MAP || k == SET || k == MULTISET;
        for (int n = 0; n < (keys ? 2 : 1); n++) {
            for (int i = 0; i < h->ops; i++)
                take[i] = h->op[i].object == o && (!keys || key[i] == n);
            only_key = !keys ? NONE : n ? v_word("y") : v_word("x");
            simulate_part(h, &r, take, t);
            for (int i = 0; i < h->ops; i++)
                if (take[i])
                    h->op[i].part = 2 * o + n;
        }
    }
    only_key = NONE;
}

static void spoil_result(struct history *h, struct taste *t)
{
    struct op *op = &h->op[below(h->ops)];
    const struct choice *c = choice_of(h->kinds[op->object], op->method);
    int other = h->op[below(h->ops)].result;
    if (c->result == '*' || c->result == '-') {
        if (c->method == RMW)
            op->args[1] = some_value(h, op->object, t, false);
        else if (c->method == TXN && !op->args[0])
            op->args[2] = some_value(h, op->object, t, false);
        return;
    }
    int result = other != NONE && chance(60) ? other : random_result(h, op, t);
    if (acceptable(h, op, result))
        op->result = result;
}

static void choose_init(struct history *h, struct taste *t)
{
    bool keyed = true, scalar = true, list = true, integers = false, strings = false;
    for (int i = 0; i < h->objects; i++) {
        enum kind k = h->kinds[i];
        keyed = keyed && is_keyed(k);
        scalar = scalar && (k == REGISTER || k == CAS_REGISTER || k == COUNTER || k == MEMORY || k == MULTI_REGISTER);
        list = list && (is_sequence(k) || k == SET || k == MULTISET);
        integers = integers || k == PQUEUE || k == PQUEUE_MIN || k == COUNTER;
        strings = strings || k == APPEND_MAP;
    }
    if (list) {
        h->init_list = true;
        h->init_count = 1 + below(3);
    } else if (scalar && chance(50)) {
        h->init_count = 1;
    } else if (keyed) {
        h->init_count = 1 + below(2);
    }
    for (int i = 0; i < h->init_count; i++) {
        h->init_keys[i] = list || (scalar && h->init_count == 1) ? NONE : i ? v_word("y") : v_word("x");
        h->init_values[i] = strings       ? v_string(i ? "b" : "aa")
                            : t->distinct ? fresh_value(t, integers)
                                          : pooled_value(t, integers);
        for (int k = 0; k < h->objects; k++)
            if (h->kinds[k] == COUNTER)
                h->init_values[i] = v_int(below(9) - 4);
    }
}

static void choose_objects(struct history *h, int objects, bool mixed, struct taste *t)
{
    enum kind k = (enum kind)below(KINDS);
    h->objects = objects;
    h->named = objects > 1 || chance(10);
    h->odd_names = chance(15);
    for (int i = 0; i < objects; i++) {
        h->kinds[i] = mixed ? (enum kind)below(KINDS) : k;
        h->parameters[i] = h->kinds[i] == SEMAPHORE ? 1 + below(3) : h->kinds[i] == COUNTING ? below(3) : 0;
        if (is_sequence(h->kinds[i]))
            t->empties = false; /* the word says that there is nothing to remove, and is refused as a value */
    }
}

static struct taste choose_taste(void)
{
    struct taste t = {
        .distinct = chance(50), .words = chance(40), .pool = 2 + below(5), .empties = chance(10), .nulls = chance(20)};
    return t;
}

static void shape(struct history *h, int ops, int threads, enum clock clock, int pending_percent)
{
    h->clock = clock;
    h->threads = threads;
    for (int i = 0; i < ops; i++)
        h->op[i].result = NONE;
    if (clock == EVENTS)
        make_events(h, ops, pending_percent);
    else if (clock == TIMES)
        make_times(h, ops, pending_percent);
    else
        make_knowledge(h, ops, pending_percent);
    for (int i = 0; i < h->ops; i++)
        h->op[i].object = below(h->objects);
}

/* ---- Writing ---- */

struct text {
    char *bytes;
    size_t used, room;
};

static void add_text(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_text(struct text *t, const char *format, ...)
{
    char piece[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof piece)
        abort();
    if (t->used + (size_t)n + 1 > t->room)
        t->bytes = need(realloc(t->bytes, t->room = 2 * (t->room + (size_t)n + 1)));
    memcpy(t->bytes + t->used, piece, (size_t)n + 1);
    t->used += (size_t)n;
}

static void add_value(struct text *t, int v)
{
    if (values[v].kind == 'i' && chance(5))
        add_text(t, "0x%" PRIx64, (uint64_t)values[v].integer);
    else if (values[v].kind == 'i')
        add_text(t, "%" PRId64, values[v].integer);
    else
        add_text(t, values[v].kind == 's' ? "\"%s\"" : "%s", values[v].text);
}

static void add_call(struct text *t, const struct history *h, const struct op *op)
{
    if (h->named)
        add_text(t, h->odd_names ? "o%d.x-y." : "o%d.", op->object);
    add_text(t, "%s", op->name);
    if (op->method == TXN) {
        for (int i = 0; i < op->arg_count; i += 3) {
            add_text(t, i ? ", %s " : "(%s ", op->args[i] ? "w" : "r");
            add_value(t, op->args[i + 1]);
            add_text(t, " ");
            if (op->args[i + 2] == NONE)
                add_text(t, "?");
            else
                add_value(t, op->args[i + 2]);
        }
        add_text(t, ")");
        return;
    }
    for (int i = 0; i < op->arg_count; i++) {
        add_text(t, i ? ", " : "(");
        add_value(t, op->args[i]);
    }
    add_text(t, op->arg_count ? ")" : chance(70) ? "()" : "");
}

static void add_headers(struct text *t, const struct history *h)
{
    for (int i = 0; i < h->objects; i++) {
        add_text(t, chance(80) ? "# @object " : "@object ");
        if (h->named)
            add_text(t, h->odd_names ? "o%d.x-y " : "o%d ", i);
        add_text(t, "%s%s", chance(5) ? "atomic-" : "", kind_names[h->kinds[i]]);
        if (h->kinds[i] == SEMAPHORE || h->kinds[i] == COUNTING)
            add_text(t, "(%d)", h->parameters[i]);
        add_text(t, "\n");
    }
    if (h->init_count) {
        add_text(t, "# @init %s", h->init_list ? "[" : "");
        for (int i = 0; i < h->init_count; i++) {
            add_text(t, i ? h->init_list ? ", " : " " : "");
            if (h->init_keys[i] != NONE) {
                add_value(t, h->init_keys[i]);
                add_text(t, "=");
            }
            add_value(t, h->init_values[i]);
        }
        add_text(t, h->init_list ? "]\n" : "\n");
    }
}

static void add_operation(struct text *t, const struct history *h, const struct op *op)
{
    add_text(t, h->odd_names ? "\xc3\xa9%d: " : "t%d: ", op->thread);
    add_call(t, h, op);
    bool unknown = op->pending && (h->clock == AFTER || chance(40));
    if (unknown)
        add_text(t, " => ?");
    else if (!op->pending && op->result != NONE) {
        add_text(t, " => ");
        add_value(t, op->result);
    }
    if (h->clock != AFTER) {
        add_text(t, " @ %" PRId64 "..", op->call);
        if (!op->pending)
            add_text(t, "%" PRId64, op->ret);
    } else {
        bool any = false;
        for (int u = 0; u < h->threads; u++)
            any = any || op->after[u];
        if (any || op == h->op)
            add_text(t, " @ after");
        for (int u = 0; u < h->threads; u++)
            if (op->after[u])
                add_text(t, h->odd_names ? " \xc3\xa9%d:%d" : " t%d:%d", u, op->after[u]);
    }
    add_text(t, "\n");
}

static int last_event(const struct history *h)
{
    int last = 0;
    for (int i = 0; i < h->ops; i++) {
        last = h->op[i].call_event > last ? h->op[i].call_event : last;
        last = h->op[i].ret_event > last ? h->op[i].ret_event : last;
    }
    return last;
}

static void add_event(struct text *t, const struct history *h, int event)
{
    for (int i = 0; i < h->ops; i++) {
        const struct op *op = &h->op[i];
        if (op->call_event == event) {
            add_text(t, h->odd_names ? "[w%d] call " : "[%d] call ", op->thread);
            add_call(t, h, op);
            add_text(t, "\n");
        } else if (op->ret_event == event) {
            add_text(t, h->odd_names ? "[w%d] return" : "[%d] return", op->thread);
            if (op->result != NONE) {
                add_text(t, " ");
                add_value(t, op->result);
            }
            add_text(t, "\n");
        }
    }
}

/* Lines of different threads may come in any order. */
static void add_shuffled(struct text *t, struct history *h)
{
    bool written[MAX_OPS] = {0};
    for (int number = 0; number < h->ops; number++) {
        int i;
        bool first;
        do {
            i = h->shuffled ? below(h->ops) : number;
            first = !written[i];
            for (int j = 0; j < i; j++)
                first = first && (written[j] || h->op[j].thread != h->op[i].thread);
        } while (!first);
        written[i] = true;
        h->op[i].number = number;
        add_operation(t, h, &h->op[i]);
    }
}

/* Comments, blank lines and line ends of another kind change nothing. */
static void decorate(struct text *t)
{
    struct text out = {0};
    const char *end = chance(50) ? "\r\n" : "\n";
    for (char *line = t->bytes, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (chance(5))
            add_text(&out, "%s%s", chance(50) ? "# a comment" : "", end);
        bool header = strchr("#@-", *line);
        add_text(&out, "%s%.*s%s%s", header || chance(80) ? "" : " \t", (int)(next - line - 1), line,
                 header || chance(80) ? "" : " # so", end);
    }
    free(t->bytes);
    *t = out;
}

static void write_history(struct text *t, struct history *h)
{
    add_headers(t, h);
    if (!h->event_form) {
        add_shuffled(t, h);
        return;
    }
    for (int i = 0; i < h->ops; i++)
        h->op[i].number = i;
    for (int e = 1; e <= last_event(h); e++)
        add_event(t, h, e);
}

/* ---- Comparing ---- */

static struct {
    long histories, verdicts, consistent, violations, not_interval, skipped, not_applicable, undecided, rechecked,
        forged, shrunk, converted, streams, prefixes, reports, missed_allowed, weakened, restarts;
    long disagreements;
} counts;

static uint64_t current_seed;
static int stop_after = 1;

static void disagree(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void disagree(const char *text, const char *format, ...)
{
    static uint64_t shown; /* each history once */
    va_list args;
    counts.disagreements++;
    printf("DISAGREEMENT (seed %" PRIu64 "): ", current_seed);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%s%s", shown == current_seed + 1 ? "" : text, shown == current_seed + 1 ? "" : "\n");
    shown = current_seed + 1;
    fflush(stdout);
}

static char *evidence_of(const assay_result *r)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    bool written = assay_result_write_evidence(r, 0, f);
    fclose(f);
    if (!written) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void compare_evidence(const assay_history *ah, const assay_result *r, const char *text, const char *engine,
                             bool must)
{
    if (!assay_result_proved(r)) {
        if (must)
            disagree(text, "%s gives no proof", engine);
        return;
    }
    char *line = evidence_of(r);
    assay_error e = {0};
    uint32_t index;
    bool searched;
    counts.rechecked++;
    if (!line)
        disagree(text, "%s: the evidence cannot be written", engine);
    else if (!assay_recheck_with(ah, line, NULL, &index, &searched, &e) && !strstr(e.message, "too long"))
        disagree(text, "%s: recheck refuses its proof: %s\n%s", engine, e.message, line);
    free(line);
}

/* What is printed of it must be read again, and still violate. */
static void compare_reread(const assay_history *s, const assay_options *o, const char *text)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    assay_error e = {0};
    bool written = assay_history_write(s, "hist", 0, f, &e);
    fclose(f);
    assay_reader *reader = assay_reader_open_memory("shrunk.hist", bytes, n, "hist", &e);
    assay_history *again = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = again ? assay_check(again, "lin", o, &e) : NULL;
    if (!written || !r || assay_result_verdict(r) != ASSAY_VIOLATION)
        disagree(text, "shrinking leaves what is no violation when it is read again (%s), skew %" PRId64 ":\n%s",
                 r ? assay_verdict_name(assay_result_verdict(r)) : e.message, o->skew, bytes);
    assay_result_free(r);
    assay_history_free(again);
    assay_reader_close(reader);
    free(bytes);
}

/* The shrunk history must violate, too: it is judged from its own operations. */
static void compare_shrunk(const struct history *h, const assay_result *r, const assay_options *o, const char *text)
{
    static struct history small;
    uint32_t kept[MAX_OPS];
    assay_error e = {0};
    assay_history *s = assay_shrink(r, o, kept, &e);
    if (!s) {
        disagree(text, "shrinking fails: %s", e.message);
        return;
    }
    small = *h;
    small.ops = 0;
    for (uint32_t i = 0; i < assay_history_size(s); i++)
        for (int k = 0; k < h->ops; k++)
            if (h->op[k].number == (int)kept[i]) {
                small.op[small.ops] = h->op[k];
                small.op[small.ops++].pending = assay_history_operation(s, i).pending;
            }
    counts.shrunk++;
    compare_reread(s, o, text);
    if (h->clock != AFTER && linearizable(&small, true) == YES)
        disagree(text, "shrinking leaves %d operations that are linearizable", small.ops);
    assay_history_free(s);
}

static const char *const engines[] = {
    "wgl",        "jit",         "saturate",       "saturate+r",    "symbolic",     "symbolic+c",
    "symbolic+i", "symbolic+r",  "symbolic+c+i+r", "symbolic+c+r",  "symbolic+i+r", "symbolic+c+i",
    "enumerate",  "enumerate+c", "fast-queue",     "fast-stack",    "fast-pqueue",  "fast-register",
    "fast-set",   "fast-lock",   "fast-semaphore", "fast-multiset", "exchanger",    "brute",
    "auto",       "search",      "weak-jit",       "weak-wg",       "sat"};
#define ENGINES ((int)(sizeof engines / sizeof *engines))

/* Exchanges have no states: beside other objects, and with an order that is none of intervals, they are refused. */
static bool exchanges_beside_others(const struct history *h)
{
    static struct order r;
    bool any = false;
    for (int i = 0; i < h->objects; i++)
        any = any || h->kinds[i] == EXCHANGER;
    happens_before(h, true, &r);
    return any && h->objects > 1 && !is_interval_order(h, &r);
}

static void compare_engine(const struct history *h, const assay_history *ah, const char *model, const char *engine,
                           enum answer expected, const char *text)
{
    assay_options o = {ASSAY_OPTIONS_INIT, .engine = engine, .skew = h->skew, .seconds = h->ops > 16 ? 0.3 : 10,
                       .evidence = true};
    assay_error e = {0};
    assay_result *r = assay_check(ah, model, &o, &e);
    const char *name = engine ? engine : "(default)";
    if (!r) {
        counts.not_applicable++;
        bool excused = e.code == ASSAY_ERROR_NOT_APPLICABLE && (engine || exchanges_beside_others(h));
        if (!excused && !(engine && e.code == ASSAY_ERROR_USAGE))
            disagree(text, "%s, %s, skew %" PRId64 ": error %d: %s (%s)", model, name, h->skew, (int)e.code, e.message,
                     e.remedy);
        return;
    }
    assay_verdict v = assay_result_verdict(r);
    if (v == ASSAY_UNDECIDED) {
        counts.undecided++;
        bool sound_only = engine && (!strncmp(engine, "saturate", 8) || strstr(engine, "+r"));
        if (!sound_only && h->ops <= 16)
            disagree(text, "%s, %s, skew %" PRId64 ": undecided: %s", model, name, h->skew, assay_result_undecided(r));
    } else if (expected != TOO_MUCH) {
        counts.verdicts++;
        if ((v == ASSAY_CONSISTENT) != (expected == YES))
            disagree(text, "%s, %s (%s), skew %" PRId64 ": %s, the definition says %s", model, name,
                     assay_result_engine(r), h->skew, assay_verdict_name(v),
                     expected == YES ? "consistent" : "violation");
    }
    if (v != ASSAY_UNDECIDED)
        compare_evidence(ah, r, text, name, !engine || !strcmp(engine, "wgl"));
    if (v == ASSAY_VIOLATION && expected == NO && !engine && !strcmp(model, "lin") && chance(30))
        compare_shrunk(h, r, &o, text);
    assay_result_free(r);
}

/* ---- Forged evidence ---- */

enum listing { BY_NUMBER, BY_RANK, BY_CHANCE };

static void add_list(struct text *t, const struct history *h, const bool *take, enum listing how)
{
    bool written[MAX_OPS] = {0}, first = true;
    for (;;) {
        int next = NONE;
        for (int i = 0; i < h->ops; i++) {
            if (!take[i] || written[i])
                continue;
            if (next == NONE || (how == BY_NUMBER && h->op[i].number < h->op[next].number) ||
                (how == BY_RANK && h->op[i].rank < h->op[next].rank) || (how == BY_CHANCE && chance(40)))
                next = i;
        }
        if (next == NONE)
            return;
        written[next] = true;
        add_text(t, first ? "%d" : ",%d", h->op[next].number);
        first = false;
    }
}

static void forge_violation(struct text *t, const struct history *h)
{
    static const char *const patterns[] = {
        "NoLinearization",   "NoLinearization", "RemovedNeverAdded", "RemovedTwice", "RemovedBeforeAdded",
        "OrderReversed",     "EmptyWhileFull",  "Overtaken",         "StaleRead",    "ReadNeverWritten",
        "ReadBeforeWritten", "NoPartner",       "NotNested"};
    bool take[MAX_OPS];
    int density = below(101);
    for (int i = 0; i < h->ops; i++)
        take[i] = chance(density);
    int culprit = below(h->ops);
    take[culprit] = true;
    if (chance(30))
        memset(take, 0, sizeof take);
    add_text(t, "\"pattern\":\"%s\",\"culprit\":%d,\"prefix\":%s,\"kept\":[", patterns[below(13)],
             h->op[culprit].number, chance(50) ? "true" : "false");
    add_list(t, h, take, BY_NUMBER);
    add_text(t, "]}");
}

static void forge_orders(struct text *t, const struct history *h)
{
    bool take[MAX_OPS], first = true;
    int by = below(3), drop = chance(60) ? 0 : below(40);
    enum listing how = chance(60) ? BY_RANK : chance(50) ? BY_NUMBER : BY_CHANCE;
    add_text(t, "\"orders\":[");
    for (int p = 0; p < (by == 0 ? 1 : by == 1 ? h->objects : 2 * h->objects); p++) {
        int count = 0;
        for (int i = 0; i < h->ops; i++) {
            bool here = by == 0 || (by == 1 ? h->op[i].object : h->op[i].part) == p;
            take[i] = here && !chance(h->op[i].pending ? 50 : drop);
            count += take[i];
        }
        if (!count)
            continue;
        add_text(t, first ? "{\"ops\":[" : ",{\"ops\":[");
        first = false;
        add_list(t, h, take, how);
        add_text(t, "]}");
    }
    add_text(t, "]}");
}

/* Lines that claim the opposite of the truth must all be refused. */
static void compare_forged(const struct history *h, const assay_history *ah, enum answer expected, const char *text)
{
    char digest[17];
    assay_history_digest(ah, digest);
    for (int n = 0; n < 6; n++) {
        struct text t = {0};
        add_text(&t, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,\"model\":\"lin\",\"verdict\":\"%s\",", digest,
                 expected == YES ? "violation" : "consistent");
        bool one = true;
        for (int i = 1; i < h->objects; i++)
            one = one && h->kinds[i] == h->kinds[0] && h->parameters[i] == h->parameters[0];
        if (one && (h->kinds[0] == SEMAPHORE || h->kinds[0] == COUNTING))
            add_text(&t, "\"object\":\"%s(%d)\",", kind_names[h->kinds[0]], h->parameters[0]);
        else if (one)
            add_text(&t, "\"object\":\"%s\",", kind_names[h->kinds[0]]);
        if (h->skew)
            add_text(&t, "\"skew\":\"%" PRId64 "\",", h->skew);
        if (expected == YES)
            forge_violation(&t, h);
        else
            forge_orders(&t, h);
        add_text(&t, "\n");
        assay_error e = {0};
        uint32_t index;
        counts.forged++;
        if (assay_recheck_with(ah, t.bytes, NULL, &index, NULL, &e))
            disagree(text, "recheck accepts a forged line (skew %" PRId64 "):\n%s", h->skew, t.bytes);
        else if (e.code != ASSAY_ERROR_REFUSED)
            disagree(text, "recheck cannot read a line (%s):\n%s", e.message, t.bytes);
        free(t.bytes);
    }
}

static assay_history *parse(const char *text, size_t n)
{
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("oracle.hist", text, n, "hist", &e);
    assay_history *ah = r ? assay_reader_next(r, &e) : NULL;
    if (!ah)
        disagree(text, "not read: line %d: %s (%s)", (int)e.line, e.message, e.remedy);
    assay_reader_close(r);
    return ah;
}

/* Written in another format and read again it is the same history. */
static void compare_converted(const struct history *h, const assay_history *ah, const char *format,
                              enum answer expected, const char *text)
{
    char *bytes = NULL, before[17], after[17] = "";
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    assay_error e = {0};
    bool written = assay_history_write(ah, format, 0, f, &e);
    fclose(f);
    assay_reader *r = written ? assay_reader_open_memory("converted", bytes, n, format, &e) : NULL;
    assay_history *again = r ? assay_reader_next(r, &e) : NULL;
    assay_history_digest(ah, before);
    if (again)
        assay_history_digest(again, after);
    counts.converted++;
    if (!again)
        disagree(text, "as %s it cannot be written or read: %s\n%s", format, e.message, bytes);
    else if (strcmp(before, after))
        disagree(text, "as %s it is another history:\n%s", format, bytes);
    else
        compare_engine(h, again, "lin", NULL, expected, text);
    assay_history_free(again);
    assay_reader_close(r);
    free(bytes);
}

static void compare_history(struct history *h)
{
    struct text t = {0};
    static struct order r;
    write_history(&t, h);
    if (chance(10))
        decorate(&t);
    enum answer lin = linearizable(h, true);
    happens_before(h, true, &r);
    counts.histories++;
    counts.not_interval += !is_interval_order(h, &r);
    counts.skipped += lin == TOO_MUCH;
    counts.consistent += lin == YES;
    counts.violations += lin == NO;
    assay_history *ah = parse(t.bytes, t.used);
    if (ah) {
        compare_engine(h, ah, "lin", NULL, lin, t.bytes);
        compare_engine(h, ah, "lin", "wgl", lin, t.bytes);
        compare_engine(h, ah, "lin", "jit", lin, t.bytes);
        for (int k = 0; k < 3; k++) {
            const char *engine = engines[2 + below(ENGINES - 2)];
            bool slow = !strncmp(engine, "symbolic", 8) || !strncmp(engine, "enumerate", 9) || !strcmp(engine, "brute");
            if (!slow || h->ops <= 9)
                compare_engine(h, ah, "lin", engine, lin, t.bytes);
        }
        if (h->objects == 1 && h->kinds[0] != EXCHANGER && h->kinds[0] != MEMORY && h->ops <= 12)
            compare_engine(h, ah, "sc-object", NULL, linearizable(h, false), t.bytes);
        if (chance(10))
            compare_converted(h, ah, chance(50) ? "hist" : "jsonl", lin, t.bytes);
        if (lin != TOO_MUCH && h->ops <= 24)
            compare_forged(h, ah, lin, t.bytes);
    }
    assay_history_free(ah);
    free(t.bytes);
}

static void make_history(struct history *h)
{
    static const int sizes[] = {4, 6, 6, 8, 8, 10, 14, 20, 70, 140};
    memset(h, 0, sizeof *h);
    values_reset();
    struct taste t = choose_taste();
    int ops = sizes[below(chance(8) ? 10 : 7)], threads = 2 + below(3), objects = chance(65) ? 1 : 2 + below(2);
    if (ops >= 70)
        threads = 2 + below(2);
    if (chance(3)) {
        ops = 22 + below(20);
        objects = 17 + below(5);
    } else if (chance(3)) {
        ops = 18 + below(8);
        threads = 17 + below(15);
    }
    choose_objects(h, objects, chance(60), &t);
    if (chance(30))
        choose_init(h, &t);
    enum clock clock = (enum clock)below(3);
    shape(h, 1 + (ops < 10 ? below(ops) : ops - 1), threads, clock, chance(50) ? 0 : 15);
    h->event_form = clock == EVENTS && chance(50);
    h->shuffled = !h->event_form && chance(50);
    if (chance(40))
        simulate_apart(h, &t);
    else
        simulate(h, &t);
    for (int n = chance(30) ? 0 : 1 + below(3); n; n--)
        spoil_result(h, &t);
}

/* ---- Monitors ---- */

#define MAX_REPORTS 512
#define MAX_PARTS 4

struct report {
    uint64_t event, noticed, index, line;
    int object, thread; /* thread NONE: not said */
};

struct reports {
    struct report list[MAX_REPORTS];
    int count;
    bool repeated_event;
};

static void on_violation(void *context, const assay_monitor_violation *v)
{
    struct reports *r = context;
    if (r->count == MAX_REPORTS)
        return;
    int thread = !v->id ? NONE : atoi(v->id + (*v->id == 'w'));
    r->list[r->count++] = (struct report){v->event, v->noticed, v->index, v->line, v->object ? atoi(v->object + 1) : 0,
                                          thread};
}

/* The first return after which the operations on one object, as far as they were known then, have no linearization; or 0. */
static int contradiction(const struct history *h, int object)
{
    static struct order r;
    static struct history cut;
    bool take[MAX_OPS];
    int low = 0, high = last_event(h) + 1; /* fine at low; wrong at high, or high is beyond the end */
    while (high - low > 1) {
        int middle = high == last_event(h) + 1 && !low ? high - 1 : (low + high) / 2;
        cut = *h;
        for (int i = 0; i < h->ops; i++) {
            take[i] = h->op[i].object == object && h->op[i].call_event <= middle;
            if (h->op[i].ret_event > middle)
                cut.op[i].pending = true;
        }
        happens_before(&cut, true, &r);
        counts.prefixes++;
        enum answer a = linearizable_part(&cut, &r, take);
        if (a == TOO_MUCH)
            return NONE;
        if (a == YES)
            low = middle;
        else
            high = middle;
    }
    return high == last_event(h) + 1 ? 0 : high;
}

struct stream {
    int parts;
    struct history *h[MAX_PARTS];
    int first[MAX_PARTS];              /* events before the part */
    int wrong[MAX_PARTS][MAX_OBJECTS]; /* event of the contradiction in the stream; 0: none */
    bool open[MAX_PARTS];              /* calls that never return */
    bool open_object[MAX_PARTS][MAX_OBJECTS];
    bool known;
    struct text text;
};

/* The first event from `event` on after which no call is open. */
static int next_quiet(const struct stream *s, int part, int event)
{
    const struct history *h = s->h[part];
    for (int e = event - s->first[part]; e <= last_event(h); e++) {
        bool quiet = true;
        for (int i = 0; i < h->ops; i++)
            quiet = quiet && !(h->op[i].call_event <= e && (!h->op[i].ret_event || h->op[i].ret_event > e));
        if (quiet)
            return e + s->first[part];
    }
    return 0;
}

static bool is_weakened(assay_monitor *m, bool *exact, bool *prompt)
{
    bool weak = false;
    *exact = *prompt = true;
    for (size_t i = 0; assay_monitor_used(m, i).kind; i++) {
        assay_monitor_use u = assay_monitor_used(m, i);
        weak = weak || u.weakened;
        *exact = *exact && u.exact && !u.weakened;
        *prompt = *prompt && u.prompt && !u.weakened;
    }
    return weak;
}

/* Do line and id of a report belong to its event? */
static bool place_fits(const struct stream *s, const struct report *v)
{
    uint64_t line = 0, event = 0;
    for (const char *at = s->text.bytes; *at && event < v->event; at = strchr(at, '\n') + 1) {
        line++;
        event += at[strspn(at, " \t")] == '[';
    }
    const struct history *h = s->h[v->index];
    int local = (int)v->event - s->first[v->index];
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].ret_event == local)
            return (!v->line || v->line == line) && (v->thread == NONE || v->thread == h->op[i].thread);
    return false;
}

static void compare_reports(const struct stream *s, assay_monitor *m, const struct reports *r, const char *name,
                            bool all)
{
    bool exact, prompt, seen[MAX_PARTS][MAX_OBJECTS] = {{0}};
    bool weak = is_weakened(m, &exact, &prompt);
    const char *text = s->text.bytes;
    counts.weakened += weak;
    for (int i = 0; i < r->count; i++) {
        const struct report *v = &r->list[i];
        counts.reports++;
        if (v->index >= (uint64_t)s->parts) {
            disagree(text, "%s names history %d", name, (int)v->index);
            return;
        }
        if (!place_fits(s, v))
            disagree(text, "%s: line %d and thread %d are not those of a return at event %d", name, (int)v->line,
                     v->thread, (int)v->event);
        if (seen[v->index][v->object])
            continue; /* after a violation: not judged here */
        seen[v->index][v->object] = true;
        int wrong = s->wrong[v->index][v->object];
        if (!wrong)
            disagree(text, "%s%s: false alarm at event %d (noticed %d), object %d", name, all ? " --all" : "",
                     (int)v->event, (int)v->noticed, v->object);
        else if (v->event < (uint64_t)wrong || v->noticed < v->event ||
                 (exact && v->event != (uint64_t)wrong && (strict || s->h[v->index]->ops <= 10)))
            disagree(text, "%s%s: reports event %d, the contradiction of object %d is complete at %d (noticed %d)%s",
                     name, all ? " --all" : "", (int)v->event, v->object, wrong, (int)v->noticed,
                     weak ? " weakened" : "");
        else if (prompt && v->noticed != v->event)
            disagree(text, "%s%s: event %d noticed at %d only", name, all ? " --all" : "", (int)v->event,
                     (int)v->noticed);
        int quiet = wrong ? next_quiet(s, (int)v->index, wrong) : 0;
        if (exact && quiet && v->noticed > (uint64_t)quiet)
            disagree(text, "%s%s: event %d noticed at %d, though nothing was open after %d", name, all ? " --all" : "",
                     (int)v->event, (int)v->noticed, quiet);
    }
    bool any = false, excused = !exact, missed = false;
    for (int p = 0; p < s->parts; p++)
        for (int o = 0; o < s->h[p]->objects; o++) {
            bool wrong = s->wrong[p][o];
            any = any || wrong;
            if (!wrong || seen[p][o] || (!all && r->count))
                continue;
            if (exact && (prompt || !s->open[p]))
                disagree(text, "%s%s: misses the violation of object %d at event %d", name, all ? " --all" : "", o,
                         s->wrong[p][o]);
            missed = true;
            counts.missed_allowed++;
        }
    assay_verdict v = assay_monitor_verdict(m);
    if ((v == ASSAY_VIOLATION) != (r->count > 0))
        disagree(text, "%s: verdict %s with %d reports", name, assay_verdict_name(v), r->count);
    if (v == ASSAY_CONSISTENT && (missed || any))
        disagree(text, "%s: says consistent", name);
    bool open = false;
    for (int p = 0; p < s->parts; p++)
        open = open || s->open[p];
    if (v == ASSAY_UNDECIDED && !excused && (!open || (prompt && !open)))
        disagree(text, "%s: undecided although all has returned: %s", name, assay_monitor_undecided(m));
}

static void run_monitor(const struct stream *s, const char *engine, bool all, bool by_lines)
{
    static struct reports r;
    assay_error e = {0};
    memset(&r, 0, sizeof r);
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .engine = engine, .all = all, .on_violation = on_violation,
                               .context = &r};
    assay_monitor *m = assay_monitor_open(NULL, &o, &e);
    const char *name = engine ? engine : "(default)", *text = s->text.bytes;
    if (!m) {
        disagree(text, "%s: no monitor: %s", name, e.message);
        return;
    }
    bool ok = true;
    for (const char *at = text; *at && ok;) {
        size_t n = by_lines ? (size_t)(strchr(at, '\n') - at) + 1 : strlen(at);
        ok = assay_monitor_feed(m, at, n, &e);
        at += n;
    }
    ok = ok && assay_monitor_end(m, &e);
    if (!ok && e.code == ASSAY_ERROR_NOT_APPLICABLE)
        counts.not_applicable++;
    else if (!ok)
        disagree(text, "%s: monitor fails: %d line %d %s (%s)", name, (int)e.code, (int)e.line, e.message, e.remedy);
    else
        compare_reports(s, m, &r, name, all);
    assay_monitor_close(m);
}

/* The same through calls instead of text: of histories with one object. */
static void run_embedded(const struct stream *s)
{
    const struct history *h = s->h[0];
    static struct reports r;
    assay_error e = {0};
    char kind[64];
    struct text init = {0};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < h->init_count; i++) {
        add_text(&init, i ? h->init_list ? ", " : " " : h->init_list ? "[" : "");
        if (h->init_keys[i] != NONE) {
            add_value(&init, h->init_keys[i]);
            add_text(&init, "=");
        }
        add_value(&init, h->init_values[i]);
    }
    if (h->init_list)
        add_text(&init, "]");
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .init = init.bytes, .on_violation = on_violation,
                               .context = &r};
    snprintf(kind, sizeof kind, h->parameters[0] || h->kinds[0] == COUNTING ? "%s(%d)" : "%s", kind_names[h->kinds[0]],
             h->parameters[0]);
    assay_monitor *m = assay_monitor_open(kind, &o, &e);
    if (!m) {
        disagree(s->text.bytes, "no embedded monitor: %s", e.message);
        free(init.bytes);
        return;
    }
    for (int event = 1; event <= last_event(h); event++)
        for (int i = 0; i < h->ops; i++) {
            const struct op *op = &h->op[i];
            assay_value args[MAX_ARGS + 1] = {{0}};
            for (int k = 0; k <= op->arg_count; k++) {
                int v = k < op->arg_count ? op->args[k] : op->result;
                if (v != NONE)
                    args[k] = values[v].kind == 'i'   ? assay_int(values[v].integer)
                              : values[v].kind == 'w' ? assay_word(values[v].text)
                                                      : assay_string(values[v].text, strlen(values[v].text));
            }
            if (op->call_event == event)
                assay_monitor_call(m, (uint64_t)op->thread, op->name, args, (size_t)op->arg_count);
            if (op->ret_event == event)
                assay_monitor_return(m, (uint64_t)op->thread, args[op->arg_count]);
        }
    if (!assay_monitor_end(m, &e))
        disagree(s->text.bytes, "the embedded monitor fails: %s", e.message);
    else
        compare_reports(s, m, &r, "(embedded)", false);
    assay_monitor_close(m);
    free(init.bytes);
}

static const char *const monitors[] = {"exact-jit",    "saturate",       "saturate+r",     "symbolic",
                                       "symbolic+c",   "symbolic+i",     "symbolic+r",     "symbolic+c+i+r",
                                       "enumerate",    "enumerate+c",    "exact-queue",    "exact-stack",
                                       "exact-set",    "exact-multiset", "exact-lock",     "exact-semaphore",
                                       "exact-pqueue", "exact-register", "exact-exchanger"};
#define MONITORS ((int)(sizeof monitors / sizeof *monitors))

static void judge_stream(struct stream *s)
{
    int before = 0;
    s->known = true;
    for (int p = 0; p < s->parts; p++) {
        s->first[p] = before;
        s->open[p] = false;
        for (int i = 0; i < s->h[p]->ops; i++)
            s->open[p] = s->open[p] || s->h[p]->op[i].pending;
        for (int o = 0; o < s->h[p]->objects; o++) {
            int at = contradiction(s->h[p], o);
            s->known = s->known && at != NONE;
            s->wrong[p][o] = at > 0 ? at + before : 0;
        }
        before += last_event(s->h[p]);
    }
}

static void compare_stream(struct stream *s)
{
    judge_stream(s);
    if (!s->known) {
        counts.skipped++;
        return;
    }
    int ops = 0;
    bool plain = true;
    counts.streams++;
    for (int p = 0; p < s->parts; p++)
        ops = s->h[p]->ops > ops ? s->h[p]->ops : ops;
    run_monitor(s, NULL, false, chance(50));
    run_monitor(s, NULL, true, false);
    run_monitor(s, "exact-jit", chance(50), false);
    for (int k = 0; k < 3; k++) {
        const char *engine = monitors[1 + below(MONITORS - 1)];
        bool slow = !strncmp(engine, "symbolic", 8) || !strncmp(engine, "enumerate", 9);
        if (!slow || ops <= 8)
            run_monitor(s, engine, chance(30), false);
    }
    plain = s->parts == 1 && !s->h[0]->named && s->h[0]->kinds[0] != MULTI_REGISTER;
    if (plain && chance(30))
        run_embedded(s);
}

static void make_part(struct history *h, bool spoil)
{
    static const int sizes[] = {5, 6, 7, 8, 10, 14, 24, 60};
    memset(h, 0, sizeof *h);
    struct taste t = choose_taste();
    int ops = sizes[below(chance(10) ? 8 : 6)], threads = 2 + below(3), objects = chance(75) ? 1 : 2 + below(2);
    if (chance(4)) {
        objects = 17 + below(5);
        ops = 30 + below(40);
    }
    choose_objects(h, objects, chance(60), &t);
    if (chance(30))
        choose_init(h, &t);
    shape(h, ops, threads, EVENTS, chance(60) ? 0 : 8);
    h->event_form = true;
    simulate(h, &t);
    for (int n = !spoil || chance(30) ? 0 : 1 + below(2); n; n--)
        spoil_result(h, &t);
}

static void random_stream(void)
{
    static struct history room[MAX_PARTS];
    struct stream s = {0};
    values_reset();
    s.parts = chance(80) ? 1 : 2 + below(MAX_PARTS - 1);
    for (int p = 0; p < s.parts; p++) {
        make_part(&room[p], true);
        s.h[p] = &room[p];
        if (p)
            add_text(&s.text, "---\n");
        write_history(&s.text, &room[p]);
    }
    if (chance(10))
        decorate(&s.text);
    compare_stream(&s);
    free(s.text.bytes);
}

static assay_monitor *run_all(const struct text *t, const char *engine, struct reports *r, assay_error *e)
{
    memset(r, 0, sizeof *r);
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .engine = engine, .all = true, .on_violation = on_violation,
                               .context = r};
    assay_monitor *m = need(assay_monitor_open(NULL, &o, e));
    if (assay_monitor_feed(m, t->bytes, t->used, e))
        assay_monitor_end(m, e);
    return m;
}

/* A long correct run of one object, with distinct values where something is put in. */
static void make_run(struct history *h, enum kind k, struct taste *taste)
{
    values_reset();
    memset(h, 0, sizeof *h);
    choose_objects(h, 1, false, taste);
    h->kinds[0] = k;
    h->parameters[0] = k == SEMAPHORE ? 2 : 0;
    h->named = h->odd_names = false;
    shape(h, 20 + below(60), 2 + below(3), EVENTS, 0);
    h->event_form = true;
    simulate(h, taste);
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].pending) { /* all return */
            h->op[i].pending = false;
            h->op[i].ret = h->op[i].ret_event = last_event(h) + 1;
        }
}

/* One result is spoiled: with --all at most one violation may be reported, since the object itself goes on being right. */
static void restart_once(void)
{
    static struct history h, right;
    static struct reports r;
    static const enum kind kinds[] = {QUEUE,        STACK,  PQUEUE,    PQUEUE_MIN, SET,     MULTISET,
                                      REGISTER,     LOCK,   EXCHANGER, SEMAPHORE,  COUNTER, MAP,
                                      CAS_REGISTER, MEMORY, DEQUE,     RWLOCK};
    struct text t = {0};
    struct taste taste = {.distinct = true, .words = chance(40), .pool = 4};
    make_run(&h, kinds[below(16)], &taste);
    if (linearizable(&h, true) != YES)
        return;
    right = h;
    for (int tries = 0; tries < 20 && !memcmp(&right, &h, sizeof h); tries++)
        spoil_result(&h, &taste);
    write_history(&t, &h);
    assay_error e = {0};
    const char *engine = chance(70) ? NULL : chance(50) ? "exact-jit" : monitors[1 + below(2)];
    assay_monitor *m = run_all(&t, engine, &r, &e);
    counts.restarts++;
    counts.reports += r.count;
    if (e.code && e.code != ASSAY_ERROR_NOT_APPLICABLE)
        disagree(t.bytes, "restart: monitor %s fails: %s", engine ? engine : "(default)", e.message);
    int limit = 1; /* a value that comes out twice, where it should not and where it should, may be reported twice */
    for (int i = 0; i < h.ops; i++)
        for (int k = 0; k < h.ops; k++)
            if (i != k && h.op[i].result != right.op[i].result && h.op[k].result == h.op[i].result &&
                values[h.op[i].result].kind == 'i')
                limit = 2;
    if (r.count > limit)
        disagree(t.bytes,
                 "restart: monitor %s --all: %d violations (events %d, %d), though only one result was spoiled",
                 engine ? engine : "(default)", r.count, (int)r.list[0].event, (int)r.list[1].event);
    assay_monitor_close(m);
    free(t.bytes);
}

/* Two results, the second after the first was reported, become values that nobody ever put in: both are reported. */
static void restart_twice(void)
{
    static struct history h;
    static struct reports r;
    static const enum kind kinds[] = {QUEUE, STACK, PQUEUE, PQUEUE_MIN, REGISTER};
    struct text t = {0};
    struct taste taste = {.distinct = true, .words = chance(40), .pool = 4};
    make_run(&h, kinds[below(5)], &taste);
    if (linearizable(&h, true) != YES)
        return;
    int spoiled[2] = {NONE, NONE}, n = 0;
    for (int i = 0; i < h.ops && n < 2; i++) {
        enum method m = h.op[i].method;
        bool takes = m == TAKE_FRONT || m == TAKE_BACK || m == READ || m == PEEK_FRONT || m == PEEK_BACK;
        if (takes && chance(20) && (!n || h.op[i].call_event > h.op[spoiled[0]].ret_event)) {
            h.op[i].result = v_int(1000000 + n);
            spoiled[n++] = i;
        }
    }
    if (n < 2)
        return;
    write_history(&t, &h);
    assay_error e = {0};
    assay_monitor *m = run_all(&t, NULL, &r, &e);
    bool exact, prompt;
    counts.restarts++;
    counts.reports += r.count;
    is_weakened(m, &exact, &prompt);
    bool must = exact && r.count && r.list[0].noticed < (uint64_t)h.op[spoiled[1]].call_event;
    if (r.count > 2 || (exact && r.count < 1) || (must && r.count != 2))
        disagree(t.bytes, "restart: --all: %d violations (%s), though two results were spoiled: events %d and %d",
                 r.count, exact ? "exact" : "sound only", h.op[spoiled[0]].ret_event, h.op[spoiled[1]].ret_event);
    assay_monitor_close(m);
    free(t.bytes);
}

static void random_restart(void)
{
    if (chance(70))
        restart_once();
    else
        restart_twice();
}

/* ---- The program ---- */

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    enum tier tier = tier_of(&argc, argv);
    long count = by_tier(tier, 4000, 22000, 1000000);
    const char *only = NULL;
    static struct history h;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--count") && i + 1 < argc)
            count = strtol(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            only = argv[++i];
        else if (!strcmp(argv[i], "--stop") && i + 1 < argc)
            stop_after = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--strict"))
            strict = true;
    for (long n = 0; n < count && counts.disagreements < stop_after; n++) {
        random_state = current_seed = seed + (uint64_t)n;
        random_state *= 0x2545f4914f6cdd1du;
        int what = (int)(current_seed % 10);
        bool check = what < 6, monitor = what < 9;
        if (check ? !only || !strcmp(only, "check") : false) {
            make_history(&h);
            compare_history(&h);
        } else if (!check && monitor ? !only || !strcmp(only, "monitor") : false) {
            random_stream();
        } else if (!monitor && (!only || !strcmp(only, "restart"))) {
            random_restart();
        }
    }
    printf(
        "%ld histories (%ld consistent, %ld violations, %ld beyond the oracle; %ld not interval orders), %ld verdicts "
        "compared, %ld rechecked, %ld forged proofs, %ld shrunk, %ld converted, %ld undecided, %ld not applicable\n",
        counts.histories, counts.consistent, counts.violations, counts.skipped, counts.not_interval, counts.verdicts,
        counts.rechecked, counts.forged, counts.shrunk, counts.converted, counts.undecided, counts.not_applicable);
    printf(
        "%ld streams (%ld prefixes judged), %ld reports compared, %ld missed where that is allowed, %ld weakened, %ld "
        "restarts\n%ld disagreements\n",
        counts.streams, counts.prefixes, counts.reports, counts.missed_allowed, counts.weakened, counts.restarts,
        counts.disagreements);
    return counts.disagreements ? 1 : 0;
}
