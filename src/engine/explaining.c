/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/explaining.h"

#include <assert.h>

/* How many readers of a write are tried for the shortest explanation of an edge to it. */
enum { READERS_TRIED = 16 };

void explaining_offer_wr(struct paths *p, const struct rw *v, uint32_t e)
{
    if ((v->kind[e] & RW_READS) && v->src[e] < RW_THIN)
        path_offer(p, v->src[e], e);
}

static void co_causes(void *arg, struct paths *p, uint32_t e)
{
    struct explaining *x = arg;
    explaining_offer_wr(p, x->v, e);
}

void explaining_begin(struct explaining *x, struct job *job)
{
    *x = (struct explaining){.job = job, .v = job->rw, .ev = &job->out->evidence};
    job->out->verdict = ASSAY_VIOLATION;
    paths_init(&x->paths, chains_of_threads(x->v, job->mem), job->mem);
    x->paths.causes = co_causes;
    x->paths.arg = x;
}

/* ---- steps ---- */

void explaining_step(struct explaining *x, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    evidence_step(x->ev, rule, x->v->op[from], x->v->op[to], reason);
}

static void po_step(struct explaining *x, uint32_t from, uint32_t to)
{
    if (from != to)
        explaining_step(x, ASSAY_PO, from, to, ASSAY_NO_REASON);
}

bool explaining_is_wr(const struct explaining *x, struct path_edge edge)
{
    return (x->v->kind[edge.to] & RW_READS) && x->v->src[edge.to] == edge.from;
}

void explaining_path(struct explaining *x, uint32_t from, uint32_t to, const struct path_edge *edges,
                     uint32_t count, const struct ground *grounds)
{
    uint32_t at = from;
    for (uint32_t i = 0; i < count; i++) {
        po_step(x, at, edges[i].from);
        bool wr = explaining_is_wr(x, edges[i]);
        assert(wr || grounds);
        struct ground ground = wr ? (struct ground){ASSAY_WR, ASSAY_NO_REASON} : grounds[i];
        explaining_step(x, ground.rule, edges[i].from, edges[i].to, ground.reason);
        at = edges[i].to;
    }
    po_step(x, at, to);
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
    return h->x->v->thread[h->edges[edge].read];
}

static bool usable(const struct hb_reasons *h, uint32_t edge)
{
    return edge < h->limit && (h->observer == ID_NONE || observer_of(h, edge) == h->observer);
}

static void hb_causes(void *arg, struct paths *p, uint32_t e)
{
    struct hb_reasons *h = arg;
    explaining_offer_wr(p, h->x->v, e);
    for (uint32_t i = h->into.at[e]; i < h->into.at[e + 1]; i++)
        if (usable(h, h->into.list[i]))
            path_offer(p, h->edges[h->into.list[i]].v, e);
}

/* What an edge rests on: edges that its thread's later reads forced. */
static void look_before(struct hb_reasons *h, uint32_t edge)
{
    h->observer = observer_of(h, edge);
    h->limit = edge;
    while (h->limit && h->edges[h->limit - 1].read == h->edges[edge].read)
        h->limit--;
}

static void look_everywhere(struct hb_reasons *h)
{
    h->observer = ID_NONE;
    h->limit = h->count;
}

void hb_reasons_init(struct hb_reasons *h, struct explaining *x, const struct observed_edge *edges, uint32_t count)
{
    struct mem *m = x->job->mem;
    *h = (struct hb_reasons){.x = x, .edges = edges, .count = count};
    uint32_t *to = mem_new(m, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        to[i] = edges[i].w;
    h->into = group_by(to, count, x->v->n, m);
    h->reason_of = mem_new_zero(m, uint32_t, count);
    mem_free(m, to);
    look_everywhere(h);
    x->paths.causes = hb_causes;
    x->paths.arg = h;
}

/* The number of an edge of a path that the search has found, or would find. */
static uint32_t number_of(const struct hb_reasons *h, struct path_edge edge)
{
    uint32_t i = h->into.at[edge.to];
    while (!usable(h, h->into.list[i]) || h->edges[h->into.list[i]].v != edge.from)
        i++;
    return h->into.list[i];
}

struct hb_path hb_reasons_keep(struct hb_reasons *h)
{
    const struct paths *p = &h->x->paths;
    struct hb_path path = {h->pool.n, p->found.n};
    for (uint32_t i = 0; i < p->found.n; i++) {
        vec_push(h->x->job->mem, &h->pool, p->found.at[i]);
        if (!explaining_is_wr(h->x, p->found.at[i]))
            h->reason_of[number_of(h, p->found.at[i])] = 1;
    }
    return path;
}

struct path_edge hb_reasons_first(const struct hb_reasons *h, struct hb_path path)
{
    return h->pool.at[path.at];
}

void hb_reasons_path(struct hb_reasons *h, uint32_t from, uint32_t to, struct hb_path path)
{
    struct mem *m = h->x->job->mem;
    const struct path_edge *edges = h->pool.at + path.at;
    struct ground *grounds = mem_new(m, struct ground, path.count);
    for (uint32_t i = 0; i < path.count; i++)
        if (!explaining_is_wr(h->x, edges[i]))
            grounds[i] = (struct ground){ASSAY_HB, h->reason_of[number_of(h, edges[i])] - 2};
    explaining_path(h->x, from, to, edges, path.count, grounds);
    mem_free(m, grounds);
}

/* An edge rests on edges derived before it: from the last needed one down, paths are found and mark what they
 * need in turn; from the first one up, reasons are written. */
void hb_reasons_write(struct hb_reasons *h)
{
    struct explaining *x = h->x;
    for (uint32_t i = h->count; i-- > 0;) {
        if (!h->reason_of[i])
            continue;
        look_before(h, i);
        bool found = path_find(&x->paths, h->edges[i].v, h->edges[i].read, UINT32_MAX);
        assert(found);
        (void)found;
        struct hb_need need = {i, hb_reasons_keep(h)};
        vec_push(x->job->mem, &h->needs, need);
    }
    for (uint32_t n = h->needs.n; n-- > 0;) {
        struct hb_need need = h->needs.at[n];
        struct observed_edge edge = h->edges[need.edge];
        look_before(h, need.edge);
        hb_reasons_path(h, edge.v, edge.read, need.path);
        h->reason_of[need.edge] = 2 + evidence_reason(x->ev, ASSAY_HB, x->v->op[edge.v], x->v->op[edge.w],
                                                      x->v->op[edge.read]);
    }
    look_everywhere(h);
}
