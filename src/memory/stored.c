/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/stored.h"

#include <assert.h>
#include <string.h>

void stored_init(struct stored *s, const struct frames *f, struct mem *m, struct budget *budget)
{
    const struct rw *v = f->v;
    *s = (struct stored){.f = f, .m = m, .budget = budget};
    s->order = rw_by_variable(v, RW_WRITES, m);
    s->place = mem_new(m, uint32_t, v->a);
    s->component = mem_new(m, uint32_t, v->n);
    s->sorted = mem_new(m, uint32_t, v->n);
    s->index = mem_new(m, uint32_t, v->n);
    s->low = mem_new(m, uint32_t, v->n);
    s->access = mem_new(m, uint32_t, v->n);
    s->cursor = mem_new(m, uint32_t, v->n);
    s->seen = mem_new_zero(m, uint32_t, v->n);
    s->by = mem_new(m, struct stored_step, v->n);
    s->in_order = mem_new_zero(m, struct stored_reach, v->d);
    for (uint32_t i = 0; i < f->count; i++)
        s->in_chain[i] = mem_new_zero(m, struct stored_reach, f->frame[i].chains.count);
    stored_sources(s, v->src);
    stored_ordered(s);
}

void stored_sources(struct stored *s, const uint32_t *src)
{
    const struct rw *v = s->f->v;
    uint32_t *key = mem_new(s->m, uint32_t, v->a);
    for (uint32_t a = 0; a < v->a; a++)
        key[a] = (v->kind[a] & RW_READS) && src[a] < RW_UNSAID ? src[a] : ID_NONE;
    s->src = src;
    groups_free(&s->readers, s->m);
    s->readers = group_by(key, v->a, v->a, s->m);
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
    const struct rw *v = s->f->v;
    return !s->frame->external || v->thread[rw_event(v, source)] != v->thread[rw_event(v, reader)];
}

/* ---- components ---- */

enum { NEXT_WRITE, OVERWRITER, READERS }; /* the successors of an access; the readers are a list */

static uint32_t single_successor(const struct stored *s, uint32_t a, uint32_t which)
{
    const struct rw *v = s->f->v;
    if (!(v->kind[a] & (which == NEXT_WRITE ? RW_WRITES : RW_READS)))
        return ID_NONE;
    uint32_t end = s->order.at[v->var[a] + 1];
    uint32_t next = which == NEXT_WRITE ? s->place[a] + 1 : behind_source(s, a);
    next += next < end && s->order.list[next] == a; /* an rmw does not overwrite its own source for itself */
    return next < end ? s->order.list[next] : ID_NONE;
}

/* The next successor of access a, or ID_NONE after the last. */
static uint32_t next_of_access(const struct stored *s, uint32_t a, uint32_t *cursor)
{
    while (*cursor < READERS) {
        uint32_t to = single_successor(s, a, (*cursor)++);
        if (to != ID_NONE)
            return to;
    }
    for (uint32_t i; (i = s->readers.at[a] + *cursor - READERS) < s->readers.at[a + 1];) {
        (*cursor)++;
        if (counts(s, a, s->readers.list[i]))
            return s->readers.list[i];
    }
    return ID_NONE;
}

/* The next successor of e, or ID_NONE after the last. */
static uint32_t next_successor(struct stored *s, uint32_t e)
{
    const struct frame *f = s->frame;
    const struct rw *v = s->f->v;
    uint32_t fixed = f->fixed_at[e + 1] - f->fixed_at[e];
    while (s->access[e] == ID_NONE) {
        uint32_t i = s->cursor[e]++, to = i ? ID_NONE : chain_next(&f->chains, e);
        if (i && i <= fixed)
            to = f->fixed[f->fixed_at[e] + i - 1];
        if (to != ID_NONE)
            return to;
        if (i >= fixed) {
            s->access[e] = rw_from(v, e);
            s->cursor[e] = NEXT_WRITE;
        }
    }
    for (; s->access[e] < rw_to(v, e); s->access[e]++, s->cursor[e] = NEXT_WRITE) {
        uint32_t to = next_of_access(s, s->access[e], &s->cursor[e]);
        if (to != ID_NONE)
            return rw_event(v, to);
    }
    return ID_NONE;
}

static void enter(struct stored *s, uint32_t e, uint32_t *visited)
{
    s->index[e] = s->low[e] = (*visited)++;
    s->access[e] = ID_NONE;
    s->cursor[e] = 0;
    vec_push(s->m, &s->path, e);
    vec_push(s->m, &s->open, e);
    budget_tick(s->budget);
}

/* An rmw that wrote the value that it read, which no other event wrote. */
static bool reads_itself(const struct stored *s, uint32_t e)
{
    const struct rw *v = s->f->v;
    bool itself = false;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        itself |= (v->kind[a] & RW_READS) && s->src[a] == a && counts(s, a, a);
    return itself;
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

/* True: the step closes the cycle. */
static bool reach(struct stored *s, struct stored_step step)
{
    if (s->component[step.to] != s->component[s->start] || s->seen[step.to] == s->search)
        return false;
    s->by[step.to] = step;
    if (step.to == s->start)
        return true;
    s->seen[step.to] = s->search;
    vec_push(s->m, &s->queue, step.to);
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

static bool jump_in_chain(struct stored *s, uint32_t e)
{
    const struct chains *c = &s->frame->chains;
    uint32_t chain = c->of[e], at = c->start[chain] + c->at[e] + 1;
    if (c->of[s->start] == chain && c->at[s->start] > c->at[e])
        return reach(s, (struct stored_step){e, s->start, ID_NONE, STORED_PO});
    uint32_t stop = unreached(s, &s->in_chain[s->frame - s->f->frame][chain], at, c->start[chain + 1]);
    for (uint32_t i = at; i < stop; i++)
        reach(s, (struct stored_step){e, c->list[i], ID_NONE, STORED_PO});
    return false;
}

/* Does the start write x, at this place or behind it? */
static bool starts_behind(const struct stored *s, uint32_t x, uint32_t first)
{
    const struct rw *v = s->f->v;
    bool behind = false;
    for (uint32_t a = rw_from(v, s->start), end = rw_to(v, s->start); a < end; a++)
        behind |= (v->kind[a] & RW_WRITES) && v->var[a] == x && s->place[a] >= first;
    return behind;
}

/* From access a to the writes of its variable from place `first` on, its own event left out. */
static bool jump_in_order(struct stored *s, uint32_t a, uint32_t first, enum stored_kind kind)
{
    const struct rw *v = s->f->v;
    uint32_t x = v->var[a], read = kind == STORED_RW ? a : ID_NONE, e = rw_event(v, a);
    if (s->start != e && starts_behind(s, x, first))
        return reach(s, (struct stored_step){e, s->start, read, kind});
    uint32_t stop = unreached(s, &s->in_order[x], first, s->order.at[x + 1]);
    for (uint32_t i = first; i < stop; i++) {
        uint32_t to = rw_event(v, s->order.list[i]);
        if (to != e && to != s->start)
            reach(s, (struct stored_step){e, to, read, kind});
    }
    return false;
}

/* All edges out of an access; true: one of them closes the cycle. */
static bool expand_access(struct stored *s, uint32_t a)
{
    const struct rw *v = s->f->v;
    for (uint32_t i = s->readers.at[a]; i < s->readers.at[a + 1]; i++) {
        uint32_t reader = s->readers.list[i];
        struct stored_step step = {rw_event(v, a), rw_event(v, reader), reader, STORED_WR};
        if (counts(s, a, reader) && reach(s, step))
            return true;
    }
    if ((v->kind[a] & RW_READS) && jump_in_order(s, a, behind_source(s, a), STORED_RW))
        return true;
    return (v->kind[a] & RW_WRITES) && jump_in_order(s, a, s->place[a] + 1, STORED_WW);
}

/* The same of an event. */
static bool expand(struct stored *s, uint32_t e)
{
    const struct frame *f = s->frame;
    const struct rw *v = s->f->v;
    budget_tick(s->budget);
    if (jump_in_chain(s, e))
        return true;
    for (uint32_t i = f->fixed_at[e]; i < f->fixed_at[e + 1]; i++)
        if (reach(s, (struct stored_step){e, f->fixed[i], ID_NONE, STORED_PO}))
            return true;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        if (expand_access(s, a))
            return true;
    return false;
}

static void write_cycle(struct stored *s)
{
    uint32_t to = s->start;
    vec_clear(&s->cycle);
    do {
        vec_push(s->m, &s->cycle, s->by[to]);
        to = s->by[to].from;
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
