/* SPDX-License-Identifier: Apache-2.0 */
#include "search/collection_calls.h"

#include "search/plain_part.h"

#include "history/value_numbers.h"

#include <stdlib.h>

const char *collection_declines(const struct job *job, const char *object)
{
    if (!plain_is(job, object))
        return "the object is another one";
    if (job->calls->order != CALLS_INTERVALS)
        return "the order is not one of intervals";
    return NULL;
}

/* ---- positions ---- */

struct event {
    uint32_t rank, at; /* twice the place in the part, and one more for a return */
};

static int by_rank(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Numbers the positions anew, from `first` on: the part is one of many, and its ranks lie far apart. Returns the number
 * of positions. */
static uint32_t place_sorted(struct collection *c, uint32_t first, uint32_t *call, uint32_t *ret)
{
    const struct calls *calls = c->job->calls;
    struct mem *m = c->job->mem;
    struct event *events = mem_new(m, struct event, 2 * (size_t)c->part->n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->part->n; i++) {
        uint32_t op = collection_op(c, i);
        events[n++] = (struct event){calls->call[op], 2 * i};
        ret[i] = CALLS_NEVER;
        if (calls->ret[op] != CALLS_NEVER)
            events[n++] = (struct event){calls->ret[op], 2 * i + 1};
    }
    qsort(events, n, sizeof *events, by_rank);
    for (uint32_t e = 0; e < n; e++)
        *(events[e].at & 1 ? &ret[events[e].at / 2] : &call[events[e].at / 2]) = first + e;
    mem_free(m, events);
    return n;
}

static void place_shifted(struct collection *c, uint32_t shift, uint32_t *call, uint32_t *ret)
{
    const struct calls *calls = c->job->calls;
    for (uint32_t i = 0; i < c->part->n; i++) {
        uint32_t op = collection_op(c, i);
        call[i] = calls->call[op] + shift;
        ret[i] = calls->ret[op] == CALLS_NEVER ? CALLS_NEVER : calls->ret[op] + shift;
    }
}

/* The ranks serve as positions if the part is the whole history, in the order of the calls. This is the most frequent
 * case. */
static void place_events(struct collection *c)
{
    const struct calls *calls = c->job->calls;
    const struct part *p = c->part;
    uint32_t low = calls->call[p->ops[0]], high = 0, first = 2 * c->initials;
    bool in_place = first == low;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t op = p->ops[i], ret = calls->ret[op], last = ret == CALLS_NEVER ? calls->call[op] : ret;
        high = last > high ? last : high;
        in_place &= op == i;
    }
    c->end = high - low + first + 1;
    c->call = calls->call;
    c->ret = calls->ret;
    if (in_place)
        return;
    uint32_t *call = mem_new(c->job->mem, uint32_t, p->n), *ret = mem_new(c->job->mem, uint32_t, p->n);
    if ((high - low) / 4 <= p->n)
        place_shifted(c, first - low, call, ret);
    else
        c->end = first + place_sorted(c, first, call, ret);
    c->call = call;
    c->ret = ret;
}

/* ---- values ---- */

struct reading {
    struct collection *c;
    const history *h;
    const uint32_t *ops;
    const uint8_t *methods;      /* of each operation of the history */
    uint8_t role[UINT8_MAX + 1]; /* of each method */
    struct value_numbers numbers;
    struct value empty;
    uint32_t adds, pending_adds;
    uint32_t thin_air, twice; /* places: the first value never added, the first repeated remove; ID_NONE: none */
};

static struct value init_value(const struct reading *r, size_t i)
{
    return value_internal(r->c->part->object->setting.init[i].value);
}

static unsigned role(const struct reading *r, uint32_t place)
{
    return r->role[r->methods[r->ops[place]]];
}

static struct value added(const struct reading *r, uint32_t place)
{
    return history_arg(r->h, r->ops[place], 0);
}

static struct value found(const struct reading *r, uint32_t place)
{
    return history_result(r->h, r->ops[place]);
}

static void prepare_numbers(struct reading *r)
{
    r->numbers = value_numbers_new();
    for (uint32_t j = 0; j < r->c->initials; j++)
        value_numbers_expect(&r->numbers, init_value(r, j));
    for (uint32_t i = 0; i < r->c->part->n; i++)
        if (role(r, i) == COLLECTION_ADD) {
            value_numbers_expect(&r->numbers, added(r, i));
            r->adds++;
        }
    value_numbers_begin(&r->numbers, r->c->job->mem, 4 * ((uint64_t)r->adds + r->c->initials + 1));
}

/* ---- reading ---- */

/* Begins a new value. The field remove_call will collect a maximum, the field add_return a minimum. False: the value is
 * not new, or it is the word `empty`. */
static bool add_value(struct reading *r, struct value v, uint32_t place, uint32_t call, uint32_t ret)
{
    struct collection *c = r->c;
    if (value_number(c->job->mem, &r->numbers, v) != c->n || value_same(v, r->empty))
        return false;
    c->life[c->n++] = (struct life){place, ID_NONE, call, ret, call, CALLS_NEVER};
    return true;
}

static bool read_adds(struct reading *r)
{
    struct collection *c = r->c;
    c->life = mem_new(c->job->mem, struct life, (size_t)r->adds + c->initials + 1);
    for (uint32_t j = 0; j < c->initials; j++)
        if (!add_value(r, init_value(r, j), ID_NONE, 2 * j, 2 * j + 1))
            return false;
    for (uint32_t i = 0; i < c->part->n; i++) {
        budget_tick(c->job->budget);
        if (role(r, i) != COLLECTION_ADD)
            continue;
        c->value[i] = c->n;
        r->pending_adds += c->ret[i] == CALLS_NEVER;
        if (!add_value(r, added(r, i), i, c->call[i], c->ret[i]))
            return false;
    }
    return true;
}

static void refute_thin_air(struct reading *r)
{
    struct collection *c = r->c;
    struct evidence *ev = &c->job->out->evidence;
    struct value v = found(r, r->thin_air);
    c->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_RemovedNeverAdded, collection_op(c, r->thin_air), false);
    for (uint32_t i = 0; i < c->part->n; i++) {
        bool removes = role(r, i) == COLLECTION_REMOVE && (c->ret[i] == CALLS_NEVER || value_same(found(r, i), v));
        if (i == r->thin_air || removes)
            evidence_keep(ev, collection_op(c, i));
    }
}

static void refute_value(struct collection *c, enum pattern pattern, uint32_t v, uint32_t culprit)
{
    c->chosen[v] = true;
    collection_refute(c, pattern, culprit);
}

/* Notes that operation i found v. */
static void note_found(struct collection *c, uint32_t i, uint32_t v)
{
    struct life *life = &c->life[v];
    c->value[i] = v;
    life->add_return = c->ret[i] < life->add_return ? c->ret[i] : life->add_return;
    life->remove_call = c->call[i] > life->remove_call ? c->call[i] : life->remove_call;
}

static void read_other(struct reading *r, uint32_t i)
{
    struct collection *c = r->c;
    c->value[i] = ID_NONE;
    if (c->ret[i] == CALLS_NEVER) {
        if (role(r, i) == COLLECTION_REMOVE)
            c->pending[c->pending_n++] = i;
        return;
    }
    struct value what = found(r, i);
    if (value_same(what, r->empty)) {
        c->empty[c->empty_n++] = i;
        return;
    }
    uint32_t v = value_number_find(&r->numbers, what);
    if (v == ID_NONE) {
        r->thin_air = r->thin_air == ID_NONE ? i : r->thin_air;
        return;
    }
    note_found(c, i, v);
    if (role(r, i) == COLLECTION_PEEK)
        c->peeked = true;
    else if (c->life[v].remove != ID_NONE)
        r->twice = r->twice == ID_NONE ? i : r->twice;
    else {
        c->life[v].remove = i;
        c->life[v].remove_return = c->ret[i];
    }
}

static bool read_others(struct reading *r)
{
    struct collection *c = r->c;
    r->thin_air = r->twice = ID_NONE;
    for (uint32_t i = 0; i < c->part->n; i++) {
        budget_tick(c->job->budget);
        if (role(r, i) != COLLECTION_ADD)
            read_other(r, i);
    }
    if (r->thin_air != ID_NONE)
        refute_thin_air(r);
    else if (r->twice != ID_NONE)
        refute_value(c, PATTERN_RemovedTwice, c->value[r->twice], r->twice);
    return r->thin_air == ID_NONE && r->twice == ID_NONE;
}

/* ---- tuning ---- */

static uint32_t find_of(const struct collection *c, uint32_t v, bool before_add)
{
    const struct life *life = &c->life[v];
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->value[i] == v && i != life->add &&
            (before_add ? c->ret[i] < life->add_call : c->call[i] > life->remove_return))
            return i;
    return life->remove;
}

static bool tune(struct collection *c)
{
    for (uint32_t v = 0; v < c->n; v++) {
        struct life *life = &c->life[v];
        budget_tick(c->job->budget);
        if (life->remove == ID_NONE) {
            life->remove_call = c->end;
            life->remove_return = c->end + 1;
        }
        if (life->add_return < life->add_call) {
            refute_value(c, PATTERN_RemovedBeforeAdded, v, find_of(c, v, true));
            return false;
        }
        if (life->remove_call > life->remove_return) {
            refute_value(c, PATTERN_SeenAfterRemoved, v, find_of(c, v, false));
            return false;
        }
    }
    return true;
}

/* Leaves out the pending adds of values that no operation found. */
static void drop_unseen(struct collection *c)
{
    uint32_t kept = 0, *renamed = mem_new(c->job->mem, uint32_t, c->n + 1);
    for (uint32_t v = 0; v < c->n; v++) {
        renamed[v] = c->life[v].add_return == CALLS_NEVER ? ID_NONE : kept;
        if (renamed[v] != ID_NONE)
            c->life[kept++] = c->life[v];
    }
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->value[i] != ID_NONE)
            c->value[i] = renamed[c->value[i]];
    c->n = kept;
    mem_free(c->job->mem, renamed);
}

static struct reading begin(struct collection *c)
{
    const struct job *job = c->job;
    struct reading r = {.c = c, .h = job->h, .ops = c->part->ops, .methods = job->calls->objects->method};
    const assay_method *methods = c->part->object->spec->methods;
    for (size_t i = 0; i <= UINT8_MAX && methods[i].name; i++)
        r.role[i] = (uint8_t)(methods[i].id >> c->two_ends);
    uint32_t empty = names_find(&job->h->names, "empty", 5);
    if (empty != ID_NONE)
        r.empty = (struct value){empty, ASSAY_WORD};
    return r;
}

bool collection_read(struct collection *c, struct job *job)
{
    struct mem *m = job->mem;
    *c = (struct collection){.job = job, .part = job->part, .two_ends = plain_is(job, "deque")};
    size_t initials = job->part->object->setting.init_count;
    if (job->part->n > (1u << 29) || initials > (1u << 28)) {
        job->declined = "the part is too large";
        return false;
    }
    c->initials = (uint32_t)initials;
    place_events(c);
    c->value = mem_new(m, uint32_t, job->part->n);
    c->empty = mem_new(m, uint32_t, job->part->n);
    c->pending = mem_new(m, uint32_t, job->part->n);
    struct reading r = begin(c);
    prepare_numbers(&r);
    if (!read_adds(&r)) {
        job->declined = "the values are not distinct";
        return false;
    }
    c->chosen = mem_new_zero(m, bool, c->n + 1);
    if (!read_others(&r))
        return false;
    value_numbers_free(m, &r.numbers);
    if (r.pending_adds)
        drop_unseen(c);
    return tune(c);
}

/* ---- pending removes ---- */

static bool taken_by_pending(const struct collection *c, uint32_t v)
{
    return c->life[v].remove != ID_NONE && c->ret[c->life[v].remove] == CALLS_NEVER;
}

void collection_match_pending(struct collection *c)
{
    struct mem *m = c->job->mem;
    c->matched = true;
    if (!c->pending_n)
        return;
    uint32_t *by_return = mem_new_ids(m, c->end), taken = 0;
    for (uint32_t v = 0; v < c->n; v++)
        if (c->life[v].remove == ID_NONE)
            by_return[c->life[v].add_return] = v;
    for (uint32_t at = 0; at < c->end && taken < c->pending_n; at++)
        if (by_return[at] != ID_NONE) {
            struct life *life = &c->life[by_return[at]];
            life->remove = c->pending[taken++];
            life->remove_call = c->call[life->remove] > life->add_call ? c->call[life->remove] : life->add_call;
        }
    mem_free(m, by_return);
    for (uint32_t i = 0; c->peeked && i < c->part->n; i++) {
        uint32_t v = c->value[i];
        if (v != ID_NONE && i != c->life[v].add && taken_by_pending(c, v) && c->call[i] > c->life[v].remove_call)
            c->life[v].remove_call = c->call[i];
    }
}

struct groups collection_peeks(const struct collection *c)
{
    struct mem *m = c->job->mem;
    uint32_t *key = mem_new(m, uint32_t, c->part->n);
    for (uint32_t i = 0; i < c->part->n; i++) {
        bool peek = collection_role(c, i) == COLLECTION_PEEK;
        key[i] = peek ? c->value[i] : ID_NONE;
    }
    struct groups peeks = group_by(key, c->part->n, c->n, m);
    mem_free(m, key);
    return peeks;
}

/* ---- operations that found nothing ---- */

void collection_choose_full(struct collection *c, uint32_t culprit)
{
    uint32_t *from = mem_new(c->job->mem, uint32_t, c->n), *to = mem_new(c->job->mem, uint32_t, c->n);
    for (uint32_t v = 0; v < c->n; v++) {
        from[v] = c->life[v].add_return;
        to[v] = c->life[v].remove_call;
    }
    collection_choose_cover(c, from, to, c->call[culprit], c->ret[culprit]);
    mem_free(c->job->mem, from);
    mem_free(c->job->mem, to);
}

/* One pass over the gaps is enough. Each position begins or ends at most one critical interval. The first free gap of
 * an operation does not come before the first free gap of an operation that was called earlier. */
uint32_t collection_place_empty(struct collection *c)
{
    enum { BEGINS = 1, ENDS };
    if (!c->empty_n)
        return ID_NONE;
    struct mem *m = c->job->mem;
    uint8_t *change = mem_new_zero(m, uint8_t, (size_t)c->end + 1); /* the entry `end` is never read */
    for (uint32_t v = 0; v < c->n; v++)
        if (collection_has_critical(&c->life[v])) {
            change[c->life[v].add_return] = BEGINS;
            change[c->life[v].remove_call] = ENDS;
        }
    c->gap = c->gap ? c->gap : mem_new(m, uint32_t, c->empty_n);
    uint32_t next = 0, depth = 0, culprit = ID_NONE; /* depth: the critical intervals around the gap before `next` */
    for (uint32_t j = 0; j < c->empty_n && culprit == ID_NONE; j++) {
        uint32_t i = c->empty[j];
        budget_tick(c->job->budget);
        for (; next < c->end && (next <= c->call[i] || depth); next++)
            depth += change[next] == BEGINS ? 1 : change[next] == ENDS ? -1u : 0;
        c->gap[j] = depth ? c->end : next - 1;
        if (c->gap[j] >= c->ret[i])
            culprit = i;
    }
    mem_free(m, change);
    return culprit;
}

bool collection_check_empty(struct collection *c)
{
    uint32_t culprit = collection_place_empty(c);
    if (culprit == ID_NONE)
        return true;
    collection_choose_full(c, culprit);
    collection_refute(c, PATTERN_EmptyWhileFull, culprit);
    return false;
}

/* ---- refutations ---- */

/* A greedy choice: among the values whose gaps begin in time, the value whose gaps reach furthest. */
void collection_choose_cover(struct collection *c, const uint32_t *from, const uint32_t *to, uint32_t first,
                             uint32_t last)
{
    struct mem *m = c->job->mem;
    uint32_t *furthest = mem_new_ids(m, last - first), best = ID_NONE; /* of the values that begin at first + i */
    for (uint32_t v = 0; v < c->n; v++)
        if (from[v] < last && to[v] > first) {
            uint32_t *at = &furthest[from[v] > first ? from[v] - first : 0];
            *at = *at == ID_NONE || to[v] > to[*at] ? v : *at;
        }
    for (uint32_t g = first, reach = first; g < last; g++) {
        uint32_t v = furthest[g - first];
        best = v != ID_NONE && (best == ID_NONE || to[v] > to[best]) ? v : best;
        if (g == reach && best != ID_NONE) {
            c->chosen[best] = true;
            reach = to[best];
        }
    }
    mem_free(m, furthest);
}

struct peeks_kept {
    uint32_t returned_first, called_last; /* places, or ID_NONE */
};

static void note_peek(const struct collection *c, struct peeks_kept *kept, uint32_t i)
{
    if (kept->returned_first == ID_NONE || c->ret[i] < c->ret[kept->returned_first])
        kept->returned_first = i;
    if (kept->called_last == ID_NONE || c->call[i] > c->call[kept->called_last])
        kept->called_last = i;
}

/* Does the refutation hold for all choices of the pending removes? It may rest on values that pending removes took, or
 * for which none was left. Then the values that were matched before belong to it. */
static bool holds_despite_pending(struct collection *c)
{
    uint32_t latest = 0;
    bool rests = false;
    for (uint32_t v = 0; v < c->n; v++)
        if (c->chosen[v] && (c->life[v].remove == ID_NONE || taken_by_pending(c, v))) {
            rests = true;
            latest = c->life[v].add_return > latest ? c->life[v].add_return : latest;
        }
    if (rests && (!c->matched || c->peeked))
        return false;
    for (uint32_t v = 0; v < c->n && rests; v++)
        c->chosen[v] |= taken_by_pending(c, v) && c->life[v].add_return < latest;
    return true;
}

void collection_refute(struct collection *c, enum pattern pattern, uint32_t culprit)
{
    struct job *job = c->job;
    bool open = c->pending_n && !c->settled && pattern != PATTERN_RemovedBeforeAdded;
    if (open && !holds_despite_pending(c)) {
        job->declined = "which values the pending removals took is open";
        return;
    }
    job->out->verdict = ASSAY_VIOLATION;
    struct evidence *ev = &job->out->evidence;
    evidence_part(ev, pattern, collection_op(c, culprit), false);
    struct peeks_kept *peeks = mem_new(job->mem, struct peeks_kept, c->n + 1);
    for (uint32_t v = 0; v < c->n; v++)
        peeks[v] = (struct peeks_kept){ID_NONE, ID_NONE};
    for (uint32_t i = 0; i < c->part->n; i++) {
        bool is_peek = collection_role(c, i) == COLLECTION_PEEK;
        if (is_peek && c->value[i] != ID_NONE && c->chosen[c->value[i]])
            note_peek(c, &peeks[c->value[i]], i);
    }
    for (uint32_t i = 0, p = 0; i < c->part->n; i++) {
        uint32_t v = c->value[i];
        bool is_peek = collection_role(c, i) == COLLECTION_PEEK;
        bool keep = i == culprit || (c->also && c->also[i]) || (p < c->pending_n && c->pending[p] == i);
        if (v != ID_NONE && is_peek)
            keep |= peeks[v].returned_first == i || peeks[v].called_last == i;
        else if (v != ID_NONE)
            keep |= c->chosen[v];
        p += p < c->pending_n && c->pending[p] == i;
        if (keep)
            evidence_keep(ev, collection_op(c, i));
    }
}
