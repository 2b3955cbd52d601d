/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/explaining.h"

#include "memory/across.h"

#include <assert.h>

/* How many readers of a write are tried for the shortest explanation of an edge to it. */
enum { READERS_TRIED = 16 };

static bool is_wr(const struct explaining *x, struct path_edge edge)
{
    const struct rw *v = x->v;
    return (v->kind[edge.to] & RW_READS) && v->src[edge.to] == edge.from &&
           !(x->external && v->thread[edge.from] == v->thread[edge.to]);
}

void explaining_offer(const struct explaining *x, struct paths *p, uint32_t e)
{
    const struct rw *v = x->v;
    if ((v->kind[e] & RW_READS) && v->src[e] < RW_THIN && is_wr(x, (struct path_edge){v->src[e], e}))
        path_offer(p, v->src[e], e);
    for (uint32_t i = x->between.at ? x->between.at[e] : 0; x->between.at && i < x->between.at[e + 1]; i++)
        path_offer(p, x->between.list[i], e);
}

bool explaining_is_fact(const struct explaining *x, struct path_edge edge, struct ground *ground)
{
    *ground = (struct ground){ASSAY_WR, ASSAY_NO_REASON};
    if (is_wr(x, edge))
        return true;
    ground->rule = x->rule;
    for (uint32_t i = x->between.at ? x->between.at[edge.to] : 0; x->between.at && i < x->between.at[edge.to + 1]; i++)
        if (x->between.list[i] == edge.from)
            return true;
    return false;
}

static void facts(void *arg, struct paths *p, uint32_t e)
{
    explaining_offer(arg, p, e);
}

static void begin(struct explaining *x, struct job *job, struct chains chains)
{
    x->job = job;
    x->v = job->rw;
    x->ev = &job->out->evidence;
    job->out->verdict = ASSAY_VIOLATION;
    paths_init(&x->paths, chains, job->mem);
    x->paths.causes = facts;
    x->paths.arg = x;
}

void explaining_begin(struct explaining *x, struct job *job)
{
    *x = (struct explaining){.rule = ASSAY_PO};
    if (job->rw->across)
        x->between = job->rw->across->last;
    begin(x, job, chains_of_threads(job->rw, job->mem));
}

void explaining_begin_frame(struct explaining *x, struct job *job, const struct frame *frame, assay_rule rule)
{
    *x = (struct explaining){.rule = rule,
                             .external = frame->external,
                             .between = groups_inverse(frame->fixed_at, frame->fixed, job->rw->n, job->mem)};
    begin(x, job, frame->chains);
}

/* ---- steps ---- */

void explaining_step(struct explaining *x, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    evidence_step(x->ev, rule, x->v->op[from], x->v->op[to], reason);
}

static void chain_step(struct explaining *x, uint32_t from, uint32_t to)
{
    if (from != to)
        explaining_step(x, x->rule, from, to, ASSAY_NO_REASON);
}

void explaining_path(struct explaining *x, uint32_t from, uint32_t to, const struct path_edge *edges, uint32_t count,
                     const struct ground *grounds)
{
    uint32_t at = from;
    for (uint32_t i = 0; i < count; i++) {
        struct ground ground;
        bool fact = explaining_is_fact(x, edges[i], &ground);
        assert(fact || grounds);
        chain_step(x, at, edges[i].from);
        at = edges[i].from;
        if (fact && ground.rule == x->rule)
            continue; /* the order is transitive: one step together with the chain behind it */
        if (!fact)
            ground = grounds[i];
        explaining_step(x, ground.rule, at, edges[i].to, ground.reason);
        at = edges[i].to;
    }
    chain_step(x, at, to);
}

uint32_t explaining_reader(struct explaining *x, const struct pasts *past, uint32_t v, uint32_t w)
{
    if (!x->readers.at)
        x->readers = group_by(x->v->src, x->v->n, x->v->n, x->job->mem);
    uint32_t best = ID_NONE, most = UINT32_MAX, tried = 0;
    for (uint32_t i = x->readers.at[w]; i < x->readers.at[w + 1] && tried < READERS_TRIED; i++) {
        uint32_t r = x->readers.list[i];
        if (!pasts_before(past, v, r))
            continue;
        tried++;
        if (path_find(&x->paths, v, r, most)) {
            best = r;
            if (x->paths.found.n == 0)
                break;
            most = x->paths.found.n - 1;
        }
    }
    return best;
}

/* ---- reasons of forced edges ---- */

static uint32_t observer_of(const struct hb_reasons *h, uint32_t edge)
{
    return h->home[0]->v->thread[h->edges[edge].read];
}

static bool usable(const struct hb_reasons *h, uint32_t edge)
{
    return edge >= h->first && edge < h->limit && (h->observer == ID_NONE || observer_of(h, edge) == h->observer);
}

static void hb_causes(void *arg, struct paths *p, uint32_t e)
{
    struct hb_reasons *h = arg;
    explaining_offer(h->x, p, e);
    for (uint32_t i = h->into.at[e]; i < h->into.at[e + 1]; i++)
        if (usable(h, h->into.list[i]))
            path_offer(p, h->edges[h->into.list[i]].v, e);
}

void hb_reasons_look(struct hb_reasons *h, struct explaining *x, uint32_t first, uint32_t limit)
{
    h->x = x;
    h->first = first;
    h->limit = limit;
    h->observer = ID_NONE;
    x->paths.causes = hb_causes;
    x->paths.arg = h;
}

/* The premises of an edge: edges that its thread's later reads forced, in the same order. */
static void look_before(struct hb_reasons *h, uint32_t edge)
{
    uint32_t order = edge >= h->split, first = order ? h->split : 0, limit = edge;
    while (limit > first && h->edges[limit - 1].read == h->edges[edge].read)
        limit--;
    hb_reasons_look(h, h->home[order], first, limit);
    h->observer = observer_of(h, edge);
}

static void init(struct hb_reasons *h, struct explaining *x, const struct observed_edge *edges, uint32_t count)
{
    struct mem *m = x->job->mem;
    *h = (struct hb_reasons){.m = m, .edges = edges, .count = count, .split = count, .home = {x, x}};
    uint32_t *to = mem_new(m, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        to[i] = edges[i].w;
    h->into = group_by(to, count, x->v->n, m);
    h->reason_of = mem_new_zero(m, uint32_t, count);
    mem_free(m, to);
}

void hb_reasons_init(struct hb_reasons *h, struct explaining *x, const struct observed_edge *edges, uint32_t count)
{
    init(h, x, edges, count);
    hb_reasons_look(h, x, 0, count);
}

void hb_reasons_init_two(struct hb_reasons *h, struct explaining home[2], const struct observed_edge *edges,
                         uint32_t count, uint32_t split)
{
    init(h, &home[0], edges, count);
    h->home[1] = &home[1];
    h->split = split;
}

/* The number of an edge of the path that the search has found; ID_NONE: a fact. */
static uint32_t number_of(const struct hb_reasons *h, struct path_edge edge)
{
    struct ground ignored;
    if (explaining_is_fact(h->x, edge, &ignored))
        return ID_NONE;
    uint32_t i = h->into.at[edge.to];
    while (!usable(h, h->into.list[i]) || h->edges[h->into.list[i]].v != edge.from)
        i++;
    return h->into.list[i];
}

struct hb_path hb_reasons_keep(struct hb_reasons *h)
{
    const struct paths *p = &h->x->paths;
    struct hb_path path = {h->x, h->pool.n, p->found.n};
    for (uint32_t i = 0; i < p->found.n; i++) {
        uint32_t number = number_of(h, p->found.at[i]);
        vec_push(h->m, &h->pool, p->found.at[i]);
        vec_push(h->m, &h->numbers, number);
        if (number != ID_NONE)
            h->reason_of[number] = 1;
    }
    return path;
}

void hb_reasons_path(struct hb_reasons *h, uint32_t from, uint32_t to, struct hb_path path)
{
    struct ground *grounds = mem_new(h->m, struct ground, path.count);
    for (uint32_t i = 0; i < path.count; i++) {
        uint32_t number = h->numbers.at[path.at + i];
        if (number != ID_NONE)
            grounds[i] = (struct ground){ASSAY_HB, h->reason_of[number] - 2};
    }
    explaining_path(path.x, from, to, path.count ? &h->pool.at[path.at] : NULL, path.count, grounds);
    mem_free(h->m, grounds);
}

static struct hb_path find_path(struct hb_reasons *h, uint32_t from, uint32_t to)
{
    path_must_find(&h->x->paths, from, to);
    return hb_reasons_keep(h);
}

/* An edge rests on edges derived before it. From the last needed edge down, paths are found and mark the edges that
 * they need in turn. From the first edge up, reasons are written. */
void hb_reasons_write(struct hb_reasons *h)
{
    for (uint32_t i = h->count; i-- > 0;) {
        if (!h->reason_of[i])
            continue;
        look_before(h, i);
        struct hb_need need = {i, find_path(h, h->edges[i].v, h->edges[i].read)};
        vec_push(h->m, &h->needs, need);
    }
    for (uint32_t n = h->needs.n; n-- > 0;) {
        struct hb_need need = h->needs.at[n];
        struct explaining *x = need.path.x;
        struct observed_edge edge = h->edges[need.edge];
        hb_reasons_path(h, edge.v, edge.read, need.path);
        h->reason_of[need.edge] = 2 + evidence_reason(x->ev, ASSAY_HB, x->v->op[edge.v], x->v->op[edge.w],
                                                      x->v->op[edge.read]);
    }
}

/* ---- whole refutations ---- */

void hb_reasons_cycle(struct hb_reasons *h, const uint32_t *done, uint32_t on_cycle, enum pattern pattern)
{
    struct evidence *ev = h->x->ev;
    cycle_find(&h->x->paths, done, on_cycle);
    struct hb_path cycle = hb_reasons_keep(h);
    uint32_t start = h->pool.at[cycle.at].from;
    hb_reasons_write(h);
    hb_reasons_path(h, start, start, cycle);
    evidence_cycle(ev, pattern);
}

void hb_reasons_initial(struct hb_reasons *h, uint32_t read, uint32_t later, enum pattern pattern)
{
    struct explaining *x = h->x;
    struct hb_path path = find_path(h, later, read);
    hb_reasons_write(h);
    uint32_t op = x->v->op[read];
    uint32_t reason = evidence_reason(x->ev, ASSAY_RW, op, x->v->op[later], op);
    explaining_step(x, ASSAY_RW, read, later, reason);
    hb_reasons_path(h, later, read, path);
    evidence_cycle(x->ev, pattern);
}
