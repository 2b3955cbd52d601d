/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/stored.h"

#include <assert.h>
#include <string.h>

void stored_init(struct stored *s, const struct frames *f, struct mem *m, struct budget *budget)
{
    const struct rw *v = f->v;
    *s = (struct stored){.f = f, .m = m, .budget = budget};
    s->order = rw_by_variable(v, RW_WRITES, m);
    s->place = mem_new(m, uint32_t, v->n);
    s->component = mem_new(m, uint32_t, v->n);
    s->sorted = mem_new(m, uint32_t, v->n);
    s->index = mem_new(m, uint32_t, v->n);
    s->low = mem_new(m, uint32_t, v->n);
    s->cursor = mem_new(m, uint32_t, v->n);
    s->seen = mem_new_zero(m, uint32_t, v->n);
    s->parent = mem_new(m, uint32_t, v->n);
    s->kind = mem_new(m, enum stored_kind, v->n);
    s->in_order = mem_new_zero(m, struct stored_reach, v->d);
    for (uint32_t i = 0; i < f->count; i++)
        s->in_chain[i] = mem_new_zero(m, struct stored_reach, f->frame[i].chains.count);
    stored_sources(s, v->src);
    stored_ordered(s);
}

void stored_sources(struct stored *s, const uint32_t *src)
{
    const struct rw *v = s->f->v;
    uint32_t *key = mem_new(s->m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        key[e] = (v->kind[e] & RW_READS) && src[e] < RW_UNSAID ? src[e] : ID_NONE;
    s->src = src;
    groups_free(&s->readers, s->m);
    s->readers = group_by(key, v->n, v->n, s->m);
    mem_free(s->m, key);
}

void stored_ordered(struct stored *s)
{
    for (uint32_t i = 0; i < s->order.at[s->f->v->d]; i++)
        s->place[s->order.list[i]] = i;
}

/* The index in order.list from which a read's ww-later writes stand. */
static uint32_t behind_source(const struct stored *s, uint32_t r)
{
    uint32_t x = s->f->v->var[r];
    if (s->src[r] == RW_THIN)
        return s->order.at[x + 1];
    return s->src[r] == RW_INIT ? s->order.at[x] : s->place[s->src[r]] + 1;
}

static bool counts(const struct stored *s, uint32_t source, uint32_t reader)
{
    const uint32_t *thread = s->f->v->thread;
    return !s->frame->external || thread[source] != thread[reader];
}

/* ---- components ---- */

enum { CHAIN, NEXT_WRITE, OVERWRITER, LISTS }; /* where the cursor stands among the successors */

static uint32_t single_successor(const struct stored *s, uint32_t e, uint32_t which)
{
    const struct rw *v = s->f->v;
    if (which == CHAIN)
        return chain_next(&s->frame->chains, e);
    if (!(v->kind[e] & (which == NEXT_WRITE ? RW_WRITES : RW_READS)))
        return ID_NONE;
    uint32_t end = s->order.at[v->var[e] + 1];
    uint32_t next = which == NEXT_WRITE ? s->place[e] + 1 : behind_source(s, e);
    next += next < end && s->order.list[next] == e; /* an rmw does not overwrite its own source for itself */
    return next < end ? s->order.list[next] : ID_NONE;
}

/* The next successor of e, or ID_NONE after the last. */
static uint32_t next_successor(struct stored *s, uint32_t e)
{
    const struct frame *f = s->frame;
    while (s->cursor[e] < LISTS) {
        uint32_t to = single_successor(s, e, s->cursor[e]++);
        if (to != ID_NONE)
            return to;
    }
    uint32_t fixed = f->fixed_at[e + 1] - f->fixed_at[e];
    uint32_t readers = s->readers.at[e + 1] - s->readers.at[e];
    for (uint32_t i; (i = s->cursor[e] - LISTS) < fixed + readers;) {
        s->cursor[e]++;
        if (i < fixed)
            return f->fixed[f->fixed_at[e] + i];
        uint32_t reader = s->readers.list[s->readers.at[e] + i - fixed];
        if (counts(s, e, reader))
            return reader;
    }
    return ID_NONE;
}

static void enter(struct stored *s, uint32_t e, uint32_t *visited)
{
    s->index[e] = s->low[e] = (*visited)++;
    s->cursor[e] = CHAIN;
    vec_push(s->m, &s->path, e);
    vec_push(s->m, &s->open, e);
    budget_tick(s->budget);
}

/* An rmw that wrote the value that it read, which no other event wrote. */
static bool reads_itself(const struct stored *s, uint32_t e)
{
    return (s->f->v->kind[e] & RW_READS) && s->src[e] == e && counts(s, e, e);
}

/* All that is reached from e and reaches e: on the stack of open events, from e on. They are written from the end of
 * `sorted`, because the components that they lead to are there already. */
static void finish_component(struct stored *s, uint32_t e)
{
    if (vec_last(&s->open) != e || reads_itself(s, e))
        vec_push(s->m, &s->cyclic, e);
    for (uint32_t member = ID_NONE; member != e;) {
        member = vec_pop(&s->open);
        s->component[member] = e;
        s->sorted[--s->placed] = member;
    }
}

static void explore(struct stored *s, uint32_t root, uint32_t *visited)
{
    enter(s, root, visited);
    while (s->path.n) {
        uint32_t e = vec_last(&s->path), to = next_successor(s, e);
        if (to == ID_NONE) {
            s->path.n--;
            if (s->path.n && s->low[e] < s->low[vec_last(&s->path)])
                s->low[vec_last(&s->path)] = s->low[e];
            if (s->low[e] == s->index[e])
                finish_component(s, e);
        } else if (s->index[to] == ID_NONE) {
            enter(s, to, visited);
        } else if (s->component[to] == ID_NONE && s->index[to] < s->low[e]) {
            s->low[e] = s->index[to];
        }
    }
}

bool stored_acyclic(struct stored *s, uint32_t frame)
{
    const struct rw *v = s->f->v;
    uint32_t visited = 0;
    s->frame = &s->f->frame[frame];
    memset(s->index, 0xFF, v->n * sizeof *s->index);
    memset(s->component, 0xFF, v->n * sizeof *s->component);
    s->placed = v->n;
    vec_clear(&s->cyclic);
    for (uint32_t e = 0; e < v->n; e++)
        if (s->index[e] == ID_NONE && s->frame->chains.at[e] != ID_NONE)
            explore(s, e, &visited);
    s->placed = visited;
    memmove(s->sorted, s->sorted + (v->n - visited), visited * sizeof *s->sorted);
    return s->cyclic.n == 0;
}

bool stored_on_cycle(const struct stored *s, uint32_t i)
{
    uint32_t component = s->component[s->sorted[i]];
    return (i > 0 && s->component[s->sorted[i - 1]] == component) ||
           (i + 1 < s->placed && s->component[s->sorted[i + 1]] == component) || reads_itself(s, s->sorted[i]);
}

/* ---- cycles ---- */

/* An edge from -> to; true: it closes the cycle. */
static bool reach(struct stored *s, uint32_t from, uint32_t to, enum stored_kind kind)
{
    if (s->component[to] != s->component[s->start] || s->seen[to] == s->search)
        return false;
    s->parent[to] = from;
    s->kind[to] = kind;
    if (to == s->start)
        return true;
    s->seen[to] = s->search;
    vec_push(s->m, &s->queue, to);
    return false;
}

/* Positions of a list from `first` on that no jump has reached before; the start is never among
 * those. */
static uint32_t unreached(struct stored *s, struct stored_reach *r, uint32_t first, uint32_t end)
{
    uint32_t low = r->search == s->search ? r->low : end;
    if (first < low)
        *r = (struct stored_reach){s->search, first};
    return low;
}

/* From e to list[first] .. list[end - 1], itself left out. */
static void jump(struct stored *s, struct stored_reach *r, uint32_t e, const uint32_t *list, uint32_t first,
                 uint32_t end, enum stored_kind kind)
{
    uint32_t stop = unreached(s, r, first, end);
    for (uint32_t i = first; i < stop; i++)
        if (list[i] != e && list[i] != s->start)
            reach(s, e, list[i], kind);
}

static bool jump_in_chain(struct stored *s, uint32_t e)
{
    const struct chains *c = &s->frame->chains;
    uint32_t chain = c->of[e], at = c->start[chain] + c->at[e];
    if (c->of[s->start] == chain && c->at[s->start] > c->at[e])
        return reach(s, e, s->start, STORED_PO);
    jump(s, &s->in_chain[s->frame - s->f->frame][chain], e, c->list, at + 1, c->start[chain + 1], STORED_PO);
    return false;
}

static bool jump_in_order(struct stored *s, uint32_t e, uint32_t first, enum stored_kind kind)
{
    const struct rw *v = s->f->v;
    uint32_t x = v->var[e], start = s->start;
    if (start != e && (v->kind[start] & RW_WRITES) && v->var[start] == x && s->place[start] >= first)
        return reach(s, e, start, kind);
    jump(s, &s->in_order[x], e, s->order.list, first, s->order.at[x + 1], kind);
    return false;
}

/* All edges out of e; true: one of them closes the cycle. */
static bool expand(struct stored *s, uint32_t e)
{
    const struct frame *f = s->frame;
    const struct rw *v = s->f->v;
    budget_tick(s->budget);
    if (jump_in_chain(s, e))
        return true;
    for (uint32_t i = f->fixed_at[e]; i < f->fixed_at[e + 1]; i++)
        if (reach(s, e, f->fixed[i], STORED_PO))
            return true;
    for (uint32_t i = s->readers.at[e]; i < s->readers.at[e + 1]; i++)
        if (counts(s, e, s->readers.list[i]) && reach(s, e, s->readers.list[i], STORED_WR))
            return true;
    if ((v->kind[e] & RW_READS) && jump_in_order(s, e, behind_source(s, e), STORED_RW))
        return true;
    return (v->kind[e] & RW_WRITES) && jump_in_order(s, e, s->place[e] + 1, STORED_WW);
}

static void write_cycle(struct stored *s)
{
    uint32_t to = s->start;
    vec_clear(&s->cycle);
    do {
        struct stored_step step = {s->parent[to], to, s->kind[to]};
        vec_push(s->m, &s->cycle, step);
        to = s->parent[to];
    } while (to != s->start);
    for (uint32_t i = 0, j = s->cycle.n - 1; i < j; i++, j--) {
        struct stored_step step = s->cycle.at[i];
        s->cycle.at[i] = s->cycle.at[j];
        s->cycle.at[j] = step;
    }
}

void stored_cycle(struct stored *s, uint32_t event)
{
    s->search++;
    s->start = event;
    vec_clear(&s->queue);
    bool closed = expand(s, event);
    for (uint32_t i = 0; !closed && i < s->queue.n; i++)
        closed = expand(s, s->queue.at[i]);
    assert(closed);
    write_cycle(s);
}
