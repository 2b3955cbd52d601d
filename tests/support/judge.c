/* SPDX-License-Identifier: Apache-2.0 */
#include "support/judge.h"

#include "history/slice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the relations, as they are defined ---- */

static void close_relation(const struct world *w, bool r[MOST][MOST])
{
    for (int b = 0; b < w->n; b++)
        for (int a = 0; a < w->n; a++)
            for (int c = 0; c < w->n; c++)
                r[a][c] |= r[a][b] && r[b][c];
}

static bool acyclic(const struct world *w, bool r[MOST][MOST])
{
    for (int a = 0; a < w->n; a++)
        if (r[a][a])
            return false;
    return true;
}

static bool same_var(const struct world *w, int a, int b)
{
    return w->op[a].var == w->op[b].var;
}

/* v and w are different writes, r reads from w, all of one variable. */
static bool overtakes(const struct world *w, int v, int to, int r)
{
    return v != to && w->op[v].part && w->op[v].writes && w->op[r].part && w->op[r].reads && w->op[r].src == to &&
           same_var(w, v, r);
}

static bool reads_value_of(const struct world *w, int r, int v)
{
    return w->op[r].reads && w->op[v].writes && same_var(w, r, v) && w->op[v].new == w->op[r].old;
}

/* Can it have happened? A pending rmw if its old value was there before it. */
static void find_possible(const struct world *w, bool possible[MOST])
{
    for (int o = 0; o < w->n; o++)
        possible[o] = !w->op[o].pending || !w->op[o].reads || w->op[o].old == 0;
    for (int round = 0; round < w->n; round++)
        for (int r = 0; r < w->n; r++)
            for (int v = 0; v < w->n; v++)
                possible[r] = possible[r] || (possible[v] && reads_value_of(w, r, v));
}

static void find_sources(struct world *w)
{
    bool possible[MOST];
    find_possible(w, possible);
    for (int r = 0; r < w->n; r++) {
        w->op[r].src = w->op[r].old == 0 ? INITIAL : NOBODY;
        for (int v = 0; v < w->n; v++)
            if (possible[v] && reads_value_of(w, r, v))
                w->op[r].src = v;
        w->op[r].part = !w->op[r].pending && (w->op[r].reads || w->op[r].writes);
    }
    for (int round = 0; round < w->n; round++)
        for (int r = 0; r < w->n; r++)
            if (w->op[r].part && w->op[r].reads && w->op[r].src >= 0)
                w->op[w->op[r].src].part = true;
}

/* One round of the rule of the thread's reads; true if it said something new. */
static bool force(struct world *w, int t)
{
    bool grown = false;
    for (int v = 0; v < w->n; v++)
        for (int r = 0; r < w->n; r++) {
            int src = w->op[r].src;
            if (src < 0 || w->op[r].thread != t || !w->hb[t][v][r] || !overtakes(w, v, src, r))
                continue;
            grown = grown || !w->hb[t][v][src];
            w->hb[t][v][src] = true;
        }
    return grown;
}

/* The order of each thread, and that which `@po after` adds. */
static void find_program_order(struct world *w)
{
    const history *h = w->h;
    for (int a = 0; a < w->n; a++)
        for (int b = a + 1; b < w->n; b++)
            w->po[a][b] = w->op[a].thread == w->op[b].thread;
    for (uint32_t o = 0; h->po_after && h->after_at && o < h->n; o++)
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++) {
            uint32_t a = 0;
            for (uint32_t left = h->after.at[i].count; left; a++)
                left -= h->thread[a] == h->after.at[i].thread;
            if (a)
                w->po[a - 1][o] = true;
        }
    close_relation(w, w->po);
}

static void find_relations(struct world *w)
{
    find_program_order(w);
    for (int a = 0; a < w->n; a++)
        for (int b = 0; b < w->n; b++) {
            bool both = w->op[a].part && w->op[b].part;
            w->co[a][b] = (both && w->po[a][b]) || (both && w->op[b].reads && w->op[b].src == a);
        }
    close_relation(w, w->co);
    for (int t = 0; t < w->threads; t++) {
        memcpy(w->hb[t], w->co, sizeof w->co);
        while (force(w, t))
            close_relation(w, w->hb[t]);
    }
}

/* ---- the world of a history ---- */

static struct op op_of(const history *h, uint32_t o)
{
    const char *method = history_text(h, h->method[o]);
    struct op op = {.thread = (int)h->thread[o], .pending = history_pending(h, o)};
    bool rmw = strcmp(method, "rmw") == 0;
    op.reads = rmw || strcmp(method, "read") == 0;
    op.writes = rmw || strcmp(method, "write") == 0;
    if (op.reads || op.writes)
        op.var = (uint32_t)history_arg(h, o, 0).bits;
    if (op.reads)
        op.old = rmw ? history_arg(h, o, 1).bits : history_result(h, o).bits;
    if (op.writes)
        op.new = history_arg(h, o, rmw ? 2 : 1).bits;
    return op;
}

struct world *world_of(history *h)
{
    struct world *w = calloc(1, sizeof *w);
    if (!w || h->n > MOST)
        abort();
    w->h = h;
    w->n = (int)h->n;
    w->threads = (int)h->threads.n;
    for (uint32_t o = 0; o < h->n; o++)
        w->op[o] = op_of(h, o);
    snprintf(w->digest, sizeof w->digest, "%016" PRIx64, history_digest(h));
    find_sources(w);
    find_relations(w);
    return w;
}

void world_free(struct world *w)
{
    history_free(w->h);
    free(w);
}

/* ---- the judge ---- */

static bool is_op(const struct world *w, uint32_t o)
{
    return o < (uint32_t)w->n && w->op[o].part;
}

/* Across threads a fence may connect steps of program order. */
static bool is_end(const struct world *w, assay_rule rule, uint32_t o)
{
    bool fence = o < (uint32_t)w->n && !w->op[o].reads && !w->op[o].writes && !w->op[o].pending;
    return is_op(w, o) || (rule == ASSAY_PO && w->h->po_after && fence);
}

static bool is_model(const struct evidence_line *l, const char *name)
{
    return strcmp(l->model->name, name) == 0;
}

/* Every step holds as a pair of its relation, has a reason below `reasons`, and they are a
 * chain. */
static bool judge_chain(const struct world *w, const struct evidence *ev, uint32_t at, uint32_t count, uint32_t reasons,
                        int from, int to)
{
    int here = from;
    for (uint32_t i = at; i < at + count; i++) {
        assay_step s = ev->steps.at[i];
        if (!is_end(w, s.rule, s.from) || !is_end(w, s.rule, s.to) || (int)s.from != here)
            return false;
        if (s.rule == ASSAY_PO && !w->po[s.from][s.to])
            return false;
        if (s.rule == ASSAY_WR && !(w->op[s.to].reads && w->op[s.to].src == (int)s.from))
            return false;
        if (s.rule != ASSAY_PO && s.rule != ASSAY_WR) {
            if (s.reason >= reasons)
                return false;
            const struct reason *r = &ev->reasons.at[s.reason];
            if (r->rule != s.rule || r->from != s.from || r->to != s.to)
                return false;
        }
        here = (int)s.to;
    }
    return here == to;
}

static int count_rule(const struct evidence *ev, uint32_t at, uint32_t count, assay_rule rule)
{
    int found = 0;
    for (uint32_t i = at; i < at + count; i++)
        found += ev->steps.at[i].rule == rule;
    return found;
}

static bool judge_reason(const struct world *w, const struct evidence *ev, uint32_t i)
{
    const struct reason *r = &ev->reasons.at[i];
    if (!is_op(w, r->from) || !is_op(w, r->to) || !is_op(w, r->read))
        return false;
    const struct op *read = &w->op[r->read];
    bool pure = !count_rule(ev, r->path_at, r->path_count, ASSAY_RW) &&
                !count_rule(ev, r->path_at, r->path_count, ASSAY_CF);
    bool hb_free = !count_rule(ev, r->path_at, r->path_count, ASSAY_HB);
    if (r->rule == ASSAY_RW) {
        if (r->read != r->from || !read->reads || !w->op[r->to].writes || r->to == r->from ||
            !same_var(w, (int)r->from, (int)r->to))
            return false;
        if (read->src == INITIAL)
            return r->path_count == 0;
        return read->src >= 0 && w->co[read->src][r->to] && pure && hb_free && r->path_count &&
               judge_chain(w, ev, r->path_at, r->path_count, i, read->src, (int)r->to);
    }
    bool related = r->rule == ASSAY_CF ? w->co[r->from][r->read] && hb_free : w->hb[read->thread][r->from][r->read];
    return related && pure && r->path_count && overtakes(w, (int)r->from, (int)r->to, (int)r->read) &&
           judge_chain(w, ev, r->path_at, r->path_count, i, (int)r->from, (int)r->read);
}

static bool judge_refutation(const struct world *w, const struct evidence_line *l)
{
    const struct evidence *ev = &l->evidence;
    if (ev->pattern == PATTERN_ThinAirRead)
        return is_op(w, ev->culprit) && w->op[ev->culprit].reads && w->op[ev->culprit].src == NOBODY;
    int observer = -1;
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        if (!judge_reason(w, ev, i))
            return false;
        int thread = w->op[ev->reasons.at[i].read].thread;
        if (ev->reasons.at[i].rule == ASSAY_HB && observer >= 0 && observer != thread)
            return false;
        if (ev->reasons.at[i].rule == ASSAY_HB)
            observer = thread;
    }
    if (!ev->cycle_count)
        return false;
    uint32_t at = ev->cycle_at, count = ev->cycle_count;
    int start = (int)ev->steps.at[at].from;
    if (!judge_chain(w, ev, at, count, ev->reasons.n, start, start))
        return false;
    int rw = count_rule(ev, at, count, ASSAY_RW), cf = count_rule(ev, at, count, ASSAY_CF),
        hb = count_rule(ev, at, count, ASSAY_HB), read = -1;
    for (uint32_t i = at; i < at + count; i++)
        if (ev->steps.at[i].rule == ASSAY_RW)
            read = (int)ev->steps.at[i].from;
    bool initial = rw && w->op[read].src == INITIAL;
    switch (ev->pattern) {
    case PATTERN_CyclicCO: return !rw && !cf && !hb;
    case PATTERN_WriteCORead: return rw == 1 && !initial && !cf && !hb;
    case PATTERN_WriteCOInitRead: return rw == 1 && initial && !cf && !hb;
    case PATTERN_CyclicCF: return !rw && cf && !hb && is_model(l, "ccv");
    case PATTERN_CyclicHB: return !rw && !cf && hb && is_model(l, "cm");
    case PATTERN_WriteHBInitRead:
        return rw == 1 && initial && !cf && hb && w->op[read].thread == observer && is_model(l, "cm");
    default: return false;
    }
}

/* position[] of the order's operations, -1 elsewhere; false if it is not a set closed under
 * causes in an order that extends co. */
static bool judge_order(const struct world *w, const struct evidence *ev, const struct order *o, int position[MOST])
{
    for (int a = 0; a < MOST; a++)
        position[a] = -1;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = ev->ops.at[o->at + i];
        if (!is_op(w, op) || position[op] >= 0)
            return false;
        position[op] = (int)i;
    }
    for (int a = 0; a < w->n; a++)
        for (int b = 0; b < w->n; b++)
            if (position[b] >= 0 && w->co[a][b] && (position[a] < 0 || position[a] >= position[b]))
                return false;
    return true;
}

bool world_no_thin_air(const struct world *w)
{
    for (int r = 0; r < w->n; r++)
        if (w->op[r].part && w->op[r].reads && w->op[r].src == NOBODY)
            return false;
    return true;
}

static bool judge_whole(const struct world *w, const struct evidence_line *l)
{
    int position[MOST];
    if (l->evidence.orders.n != 1 || l->evidence.orders.at[0].thread != ASSAY_NO_THREAD ||
        !judge_order(w, &l->evidence, &l->evidence.orders.at[0], position))
        return false;
    for (int r = 0; r < w->n; r++) {
        if (w->op[r].part && position[r] < 0)
            return false;
        for (int v = 0; v < w->n; v++) {
            int src = w->op[r].src;
            if (!w->op[r].part || !w->op[r].reads || !w->op[v].writes || !w->op[v].part || v == src || !w->co[v][r] ||
                !same_var(w, v, r))
                continue;
            if (src == INITIAL)
                return false;
            if (is_model(l, "ccv") ? position[v] > position[src] : w->co[src][v])
                return false;
        }
    }
    return true;
}

bool judge_thread(const struct world *w, const struct evidence *ev, const struct order *o)
{
    int position[MOST];
    if (o->thread >= (uint32_t)w->threads || !judge_order(w, ev, o, position))
        return false;
    for (int r = 0; r < w->n; r++) {
        if (!w->op[r].part || w->op[r].thread != (int)o->thread)
            continue;
        if (position[r] < 0 && (w->op[r].reads || !w->op[r].pending))
            return false;
        int latest = INITIAL;
        for (int v = 0; v < w->n; v++)
            if (w->op[v].writes && same_var(w, v, r) && position[v] >= 0 && position[v] < position[r] &&
                (latest < 0 || position[v] > position[latest]))
                latest = v;
        if (w->op[r].reads && latest != w->op[r].src)
            return false;
    }
    return true;
}

static bool judge_threads(const struct world *w, const struct evidence_line *l)
{
    bool done[MOST] = {false};
    for (uint32_t i = 0; i < l->evidence.orders.n; i++) {
        const struct order *o = &l->evidence.orders.at[i];
        if (!judge_thread(w, &l->evidence, o) || done[o->thread])
            return false;
        done[o->thread] = true;
    }
    for (int o = 0; o < w->n; o++)
        if (w->op[o].part && (w->op[o].reads || !w->op[o].pending) && !done[w->op[o].thread])
            return false;
    return true;
}

bool judge(const struct world *w, const struct evidence_line *l)
{
    if (strcmp(l->digest, w->digest) != 0 || (l->model->needs & NEED_TRANSACTIONS))
        return false;
    if (l->verdict == ASSAY_VIOLATION)
        return judge_refutation(w, l);
    return world_no_thin_air(w) && (is_model(l, "cm") ? judge_threads(w, l) : judge_whole(w, l));
}

/* ---- the definitions of the models ---- */

bool world_is_cc(struct world *w)
{
    if (!acyclic(w, w->co))
        return false;
    for (int r = 0; r < w->n; r++)
        for (int v = 0; v < w->n; v++) {
            int src = w->op[r].src;
            if (w->op[r].reads && w->op[v].writes && v != r && same_var(w, v, r) && w->co[v][r] &&
                (src == INITIAL || w->co[src][v]))
                return false;
        }
    return true;
}

bool world_is_ccv(struct world *w)
{
    bool all[MOST][MOST];
    memcpy(all, w->co, sizeof all);
    for (int v = 0; v < w->n; v++)
        for (int r = 0; r < w->n; r++)
            if (w->op[r].src >= 0 && w->co[v][r] && overtakes(w, v, w->op[r].src, r))
                all[v][w->op[r].src] = true;
    close_relation(w, all);
    return world_is_cc(w) && acyclic(w, all);
}

bool world_is_cm(struct world *w)
{
    for (int t = 0; t < w->threads; t++) {
        if (!acyclic(w, w->hb[t]))
            return false;
        for (int r = 0; r < w->n; r++)
            for (int v = 0; v < w->n; v++)
                if (w->op[r].reads && w->op[r].thread == t && w->op[r].src == INITIAL && w->op[v].writes &&
                    same_var(w, v, r) && w->hb[t][v][r])
                    return false;
    }
    return world_is_cc(w);
}

/* ---- recheck and the judge side by side ---- */

static void attempt_inside(void *arg)
{
    struct attempt *a = arg;
    a->readable = evidence_read(a->line, &a->mem, &a->parsed, &a->error);
    a->accepted = a->readable && recheck(a->w->h, &a->parsed, &a->mem, &a->error);
}

struct attempt run_line(const struct world *w, const char *line)
{
    struct attempt a = {.w = w, .line = line};
    if (escape_run(attempt_inside, &a) != ESCAPE_NONE)
        abort();
    return a;
}

bool same_claim(struct attempt *a, const char *original)
{
    struct text out = text_in(&a->mem);
    result r = {.h = a->w->h, .model = a->parsed.model, .verdict = a->parsed.verdict, .evidence = a->parsed.evidence};
    evidence_write(&r, 0, &out);
    return strcmp(text_get(&out), original) == 0;
}
