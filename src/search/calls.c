/* SPDX-License-Identifier: Apache-2.0 */
#include "search/calls.h"

#include "history/knowledge.h"
#include "history/value_ids.h"
#include "search/intervals.h"

#include <stdlib.h>
#include <string.h>

assay_call calls_get(const struct calls *c, uint32_t op, assay_value *args)
{
    const history *h = c->h;
    if (c->given)
        return c->given[op];
    for (uint32_t i = 0; i < history_arity(h, op); i++)
        args[i] = value_public(h, history_written(h, op, i));
    return (assay_call){.method = calls_method(c, op),
                        .arg_count = history_arity(h, op),
                        .args = args,
                        .result = value_public(h, history_written_result(h, op)),
                        .operation = op,
                        .thread = h->thread[op]};
}

/* ---- ranks ---- */

struct event {
    int64_t time;
    uint32_t op;
    uint32_t returns; /* 0 or 1: calls first */
};

/* Sets the time's bit; false: it was set. */
static inline bool first_at(uint64_t *bits, uint64_t time)
{
    uint64_t bit = (uint64_t)1 << time % 64, before = bits[time / 64];
    bits[time / 64] = before | bit;
    return !(before & bit);
}

/* A log of events often has each time once. Then times are ranks. False: this history has not. */
static bool rank_by_time(struct calls *c, int64_t skew, int64_t low, uint64_t range, struct mem *m)
{
    const history *h = c->h;
    uint64_t *bits = mem_new_zero(m, uint64_t, range / 64 + 1), events = 0;
    bool once = true;
    for (uint32_t o = 0; o < h->n && once; o++) {
        uint64_t call = (uint64_t)history_widened(h->call[o], skew) - (uint64_t)low,
                 ret = (uint64_t)h->ret[o] - (uint64_t)low;
        bool returned = !history_pending(h, o);
        once = first_at(bits, call) && (!returned || first_at(bits, ret));
        c->call[o] = (uint32_t)call;
        c->ret[o] = returned ? (uint32_t)ret : CALLS_NEVER;
        events += 1u + returned;
    }
    mem_free(m, bits);
    return once && events == range + 1;
}

/* Recorded times are often dense. Then a count of the events at each time numbers them without sorting. False: the
 * times are not dense. */
static bool rank_dense(struct calls *c, int64_t skew, struct mem *m)
{
    const history *h = c->h;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t o = 0; o < h->n; o++) {
        int64_t call = history_widened(h->call[o], skew), ret = history_pending(h, o) ? call : h->ret[o];
        low = call < low ? call : low;
        high = ret > high ? ret : high;
    }
    uint64_t range = (uint64_t)high - (uint64_t)low;
    if (range >= 8 * (uint64_t)h->n)
        return false;
    if (range < 2 * (uint64_t)h->n && rank_by_time(c, skew, low, range, m))
        return true;
    uint32_t *next = mem_new_zero(m, uint32_t, 2 * (range + 1) + 1); /* next ranks of calls and returns, by time */
    for (uint32_t o = 0; o < h->n; o++) {
        next[2 * ((uint64_t)history_widened(h->call[o], skew) - (uint64_t)low) + 1]++;
        if (!history_pending(h, o))
            next[2 * ((uint64_t)h->ret[o] - (uint64_t)low) + 2]++;
    }
    for (uint64_t i = 0; i < 2 * (range + 1); i++)
        next[i + 1] += next[i];
    for (uint32_t o = 0; o < h->n; o++) {
        c->call[o] = next[2 * ((uint64_t)history_widened(h->call[o], skew) - (uint64_t)low)]++;
        c->ret[o] = history_pending(h, o) ? CALLS_NEVER : next[2 * ((uint64_t)h->ret[o] - (uint64_t)low) + 1]++;
    }
    mem_free(m, next);
    return true;
}

static int by_time(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->returns != b->returns)
        return a->returns < b->returns ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

static void rank_sorted(struct calls *c, int64_t skew, struct mem *m)
{
    const history *h = c->h;
    struct event *events = mem_new(m, struct event, 2 * (size_t)h->n);
    size_t n = 0;
    for (uint32_t o = 0; o < h->n; o++) {
        events[n++] = (struct event){history_widened(h->call[o], skew), o, 0};
        if (!history_pending(h, o))
            events[n++] = (struct event){h->ret[o], o, 1};
    }
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = by_time(&events[i - 1], &events[i]) < 0;
    if (!sorted)
        qsort(events, n, sizeof *events, by_time);
    for (uint32_t o = 0; o < h->n; o++)
        c->ret[o] = CALLS_NEVER;
    for (size_t i = 0; i < n; i++)
        *(events[i].returns ? &c->ret[events[i].op] : &c->call[events[i].op]) = (uint32_t)i;
    mem_free(m, events);
}

static void rank(struct calls *c, int64_t skew, struct mem *m)
{
    const history *h = c->h;
    c->call = mem_new(m, uint32_t, h->n);
    c->ret = mem_new(m, uint32_t, h->n);
    if (h->n && !rank_dense(c, skew, m))
        rank_sorted(c, skew, m);
    c->order = CALLS_INTERVALS;
    for (uint32_t o = 0; o < h->n; o++)
        if (c->prev[o] != ID_NONE && c->ret[c->prev[o]] > c->call[o])
            c->order = CALLS_TIED;
}

/* ---- knowledge ---- */

static void close_knowledge(struct calls *c, struct mem *m, struct budget *b, assay_error *e)
{
    struct knowledge k = knowledge_of(c->h, m, b);
    c->past = k.rows;
    c->index = k.place;
    if (k.circular == ID_NONE)
        return;
    history_fault(
        c->h, k.circular, e, ASSAY_ERROR_INPUT,
        "what is recorded by `after` is circular: this operation is among those that returned before its own call");
    escape_raise(ESCAPE_ERROR);
}

/* ---- parts ---- */

/* Of each object: do all its calls name a key? */
static bool *keyed_objects(const struct calls *c, struct mem *m)
{
    bool *keyed = mem_new(m, bool, c->objects->n);
    memset(keyed, true, c->objects->n * sizeof *keyed);
    for (uint32_t o = 0; o < c->h->n; o++)
        if (objects_method(c->objects, o)->key == ASSAY_NO_KEY)
            keyed[c->objects->of ? c->objects->of[o] : 0] = false;
    return keyed;
}

/* Of each object that has parts of its own: its initial values, by their keys. */
static struct setting_by_key *settings_of_parts(const struct calls *c, const bool *keyed, struct mem *m)
{
    struct setting_by_key *settings = mem_new_zero(m, struct setting_by_key, c->objects->n);
    for (uint32_t i = 0; i < c->objects->n; i++)
        if (keyed[i])
            settings[i] = setting_by_key(&c->objects->at[i], m);
    return settings;
}

/* Numbers the part of each operation; an operation without an effect belongs to no part. */
static void number_parts(struct calls *c, bool split, struct mem *m)
{
    const history *h = c->h;
    uint32_t *part_of = c->part_of = mem_new(m, uint32_t, h->n);
    bool *keyed = keyed_objects(c, m);
    struct setting_by_key *settings = split ? settings_of_parts(c, keyed, m) : NULL;
    struct idmap *parts = mem_new_zero(m, struct idmap, c->objects->n);
    uint32_t *whole_part = mem_new_ids(m, c->objects->n); /* of an object that is one part */
    struct value_ids keys = {0};
    VEC(struct part) found = {0};
    for (uint32_t o = 0; o < h->n; o++) {
        uint32_t object = c->objects->of ? c->objects->of[o] : 0;
        int key = objects_method(c->objects, o)->key;
        part_of[o] = ID_NONE;
        if (key == ASSAY_NO_EFFECT)
            continue;
        bool whole = !split || !keyed[object];
        struct value value = whole ? (struct value){0} : history_arg(h, o, (uint32_t)key);
        uint32_t *at = whole ? &whole_part[object] : idmap_at(m, &parts[object], value_id(m, &keys, value));
        if (*at == ID_NONE) {
            *at = found.n;
            struct part p = {
                .object = &c->objects->at[object], .key = value, .settings = whole ? NULL : &settings[object]};
            vec_push(m, &found, p);
        }
        part_of[o] = *at;
    }
    c->parts = found.at;
    c->part_n = found.n;
    mem_free(m, keyed);
    mem_free(m, whole_part);
}

/* The operations by the rank of their calls, which is below 2n. NULL: most histories have this order already. */
static uint32_t *by_call(const struct calls *c, struct mem *m)
{
    uint32_t n = c->h->n;
    bool sorted = true;
    for (uint32_t o = 1; c->call && o < n; o++)
        sorted &= c->call[o - 1] < c->call[o];
    if (sorted)
        return NULL;
    struct groups calls = group_by(c->call, n, 2 * n, m);
    mem_free(m, calls.at);
    return calls.list;
}

static void fill_parts(struct calls *c, struct mem *m)
{
    uint32_t n = c->h->n, *part_of = c->part_of, *order = by_call(c, m);
    uint32_t *at = mem_new_zero(m, uint32_t, c->part_n + 1), *list = mem_new(m, uint32_t, n ? n : 1);
    for (uint32_t o = 0; o < n; o++)
        if (part_of[o] != ID_NONE)
            at[part_of[o] + 1]++;
    for (uint32_t p = 0; p < c->part_n; p++) {
        c->parts[p].n = at[p + 1];
        at[p + 1] += at[p];
        c->parts[p].ops = list + at[p];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t o = order ? order[i] : i;
        if (part_of[o] != ID_NONE)
            list[at[part_of[o]]++] = o;
    }
    mem_free(m, at);
    mem_free(m, order);
}

static struct calls *calls_copy(const struct calls *c, struct mem *m)
{
    struct calls *copy = mem_new(m, struct calls, 1);
    *copy = *c;
    copy->parts = mem_new(m, struct part, c->part_n + 1);
    if (c->part_n)
        memcpy(copy->parts, c->parts, c->part_n * sizeof *c->parts);
    return copy;
}

struct calls *calls_tight(const struct calls *c, struct mem *m, struct budget *b)
{
    struct calls *tight = calls_copy(c, m);
    intervals_tighten(tight, m, b);
    fill_parts(tight, m);
    return tight;
}

struct calls *calls_loose(const struct calls *c, struct mem *m)
{
    if (!c->call)
        return NULL;
    struct calls *loose = calls_copy(c, m);
    loose->order = CALLS_INTERVALS;
    return loose;
}

struct part calls_whole(const struct calls *c, struct mem *m)
{
    uint32_t *order = by_call(c, m), *ops = order ? order : mem_new(m, uint32_t, c->h->n ? c->h->n : 1), n = 0;
    for (uint32_t i = 0; i < c->h->n; i++) {
        uint32_t o = order ? order[i] : i;
        if (c->part_of[o] != ID_NONE)
            ops[n++] = o;
    }
    return (struct part){.ops = ops, .n = n};
}

/* A pending operation comes before nothing, though its thread may go on: a transaction whose outcome is not known. */
static void find_previous(struct calls *c, struct mem *m)
{
    const history *h = c->h;
    uint32_t *last = mem_new_ids(m, h->threads.n + 1);
    c->prev = mem_new(m, uint32_t, h->n ? h->n : 1);
    for (uint32_t o = 0; o < h->n; o++) {
        c->prev[o] = last[h->thread[o]];
        if (!history_pending(h, o))
            last[h->thread[o]] = o;
    }
    mem_free(m, last);
}

/* A thread that went on is no chain, on which these orders rest. */
static void refuse_left_open(const struct calls *c, assay_error *e)
{
    uint32_t open = c->order == CALLS_TIED || c->order == CALLS_AFTER ? history_left_open(c->h) : ID_NONE;
    if (open == ID_NONE)
        return;
    history_fault(c->h, open, e, ASSAY_ERROR_NOT_APPLICABLE,
                  "its outcome is unknown, and its thread continues, in a history with equal times or `after`");
    error_remedy(e, "give what follows to another thread");
    escape_raise(ESCAPE_ERROR);
}

struct calls *calls_view(const history *h, const struct objects *objects, struct calls_wish wish, struct mem *m,
                         struct budget *b, assay_error *e)
{
    struct calls *c = mem_new_zero(m, struct calls, 1);
    *c = (struct calls){.h = h, .objects = objects, .order = CALLS_PROGRAM};
    find_previous(c, m);
    if (wish.real_time && history_times(h) == TIMES_INTERVALS)
        rank(c, wish.skew, m);
    else if (wish.real_time && history_times(h) == TIMES_AFTER) {
        c->order = CALLS_AFTER;
        close_knowledge(c, m, b, e);
    }
    refuse_left_open(c, e);
    if (wish.split && (c->order == CALLS_TIED || c->order == CALLS_AFTER))
        c->derived = intervals_rank(c, m, b);
    number_parts(c, wish.split, m);
    fill_parts(c, m);
    return c;
}
