/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/object.h"

#include "oracle/objects/history.h"
#include "oracle/objects/value.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void set_key(struct object *o, int key, int value)
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

bool is_keyed(enum kind k)
{
    return k == MEMORY || k == MULTI_REGISTER || k == MAP || k == APPEND_MAP;
}

bool has_tags(enum kind k)
{
    return k == LOCK || k == SEMAPHORE;
}

bool is_sequence(enum kind k)
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

void create(const struct history *h, int object, struct object *o)
{
    enum kind k = h->kinds[object];
    memset(o, 0, sizeof *o);
    o->writer = NONE; /* of memories: the value of variables that nobody named */
    if (k == MEMORY || k == MULTI_REGISTER || k == REGISTER || k == CAS_REGISTER)
        o->writer = v_int(0);
    for (int i = 0; k == BANK && i < ACCOUNTS; i++)
        set_key(o, i, FIRST_BALANCE);
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

int load(const struct object *o, int key)
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

static bool step_bank(struct object *o, const struct op *op, int *result)
{
    int from = op->arg_count ? (int)values[op->args[0]].integer : 0, all[ACCOUNTS];
    if (op->method == BALANCE) {
        *result = v_int(o->value[from]);
    } else if (op->method == BALANCES) {
        for (int i = 0; i < ACCOUNTS; i++)
            all[i] = v_int(o->value[i]);
        *result = v_list(all, ACCOUNTS, false);
    } else {
        int to = (int)values[op->args[1]].integer, amount = (int)values[op->args[2]].integer;
        bool refused = o->value[from] < amount;
        *result = v_word(refused ? "refused" : "ok");
        o->value[from] -= refused ? 0 : amount;
        o->value[to] += refused ? 0 : amount;
    }
    return true;
}

static bool step_set(struct object *o, const struct op *op, int *result)
{
    if (op->method == ELEMENTS) {
        *result = v_list(o->key, o->count, true);
        return *result != NONE;
    }
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

int release_choice;

int releases(const struct object *o)
{
    int different = 0;
    for (int i = 0; i < o->count; i++)
        different += !i || o->key[i] != o->key[i - 1];
    return different;
}

static void hold(struct object *o, int tag)
{
    int at = 0;
    while (at < o->count && o->key[at] < tag)
        at++;
    insert_at(o, at, tag, 0);
}

/* The keys are the tags of the holders, NONE of those that have none. A release is of any, and returns its tag. */
static bool step_holders(struct object *o, int limit, const struct op *op, int *result)
{
    int at = 0;
    switch (op->method) {
    case RELEASE:
        if (!o->count)
            return false;
        for (int skip = release_choice % releases(o); skip; at++)
            skip -= o->key[at] != o->key[at + 1];
        *result = o->key[at];
        remove_at(o, at);
        return true;
    case TRY: *result = v_bool(o->count < limit); break;
    default:
        if (o->count == limit)
            return false;
    }
    if (o->count < limit)
        hold(o, op->arg_count ? op->args[0] : NONE);
    return true;
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

bool step(const struct history *h, struct object *o, const struct op *op, int *result)
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
    case BANK: return step_bank(o, op, result);
    case MULTISET: return step_multiset(o, op, result);
    case COUNTER: return step_counter(o, op, result);
    case LOCK: return step_holders(o, 1, op, result);
    case SEMAPHORE: return step_holders(o, h->parameters[op->object], op, result);
    case COUNTING: return step_counting(&o->number, op, result);
    case RWLOCK: return step_rwlock(o, op, result);
    default: return step_sequence(k, o, op, result);
    }
}

bool result_fits(const struct history *h, const struct op *op, int result)
{
    if (has_tags(h->kinds[op->object]) && op->method == RELEASE)
        return op->pending || op->result == NONE || op->result == result;
    if (op->pending || op->result == NONE || result == NONE)
        return true;
    return op->result == result || (h->kinds[op->object] == MAP && result == v_null && op->result == v_nil);
}
