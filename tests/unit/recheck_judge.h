/* SPDX-License-Identifier: Apache-2.0 */
/* A judge of evidence that shares no idea with recheck: it knows no clocks and no sorting, only
 * small histories and matrices of the relations as they are defined. For one test, so it is all
 * static. */
#ifndef ASSAY_TESTS_RECHECK_JUDGE_H
#define ASSAY_TESTS_RECHECK_JUDGE_H

#include "evidence/evidence.h"
#include "history/slice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- histories as `wx1 rx2 | wx2 rx1`, operations numbered from left to right ---- */

enum { MOST = 12, NOBODY = -2, INITIAL = -1 };

struct op { /* r: read, w: write, u: rmw (old, new), f: fence; a final ? means pending */
    int thread;
    bool reads, writes, pending, part;
    char var;
    int old, new;
    int src; /* an operation, INITIAL, NOBODY */
};

struct world {
    history *h;
    int n, threads;
    struct op op[MOST];
    bool po[MOST][MOST], co[MOST][MOST], hb[MOST][MOST][MOST]; /* hb[thread] */
    char digest[17];
};

static struct value word(history *h, char c)
{
    return (struct value){history_name(h, &c, 1), ASSAY_WORD};
}

static void add_to_history(history *h, const struct op *o)
{
    char thread[] = {'t', (char)('0' + o->thread), '\0'};
    static const char *const methods[] = {"fence", "read", "write", "rmw"};
    const char *method = methods[o->reads + 2 * o->writes];
    struct value args[3] = {{0}}, returned = {0};
    uint32_t arity = 0;
    if (o->reads || o->writes)
        args[arity++] = word(h, o->var);
    if (o->reads && o->writes)
        args[arity++] = (struct value){o->old, ASSAY_INT};
    else if (o->reads && !o->pending)
        returned = (struct value){o->old, ASSAY_INT};
    if (o->writes)
        args[arity++] = (struct value){o->new, ASSAY_INT};
    struct new_op new = {.thread = history_thread(h, history_name(h, thread, 2)),
                         .object = ID_NONE,
                         .method = history_name(h, method, strlen(method)),
                         .args = args,
                         .arity = arity,
                         .result = returned,
                         .pending = o->pending};
    history_append(h, &new);
}

static void close_relation(struct world *w, bool r[MOST][MOST])
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
    return v != to && w->op[v].part && w->op[v].writes && w->op[r].part && w->op[r].reads &&
           w->op[r].src == to && same_var(w, v, r);
}

static void find_sources(struct world *w)
{
    for (int r = 0; r < w->n; r++) {
        w->op[r].src = w->op[r].old == 0 ? INITIAL : NOBODY;
        for (int v = 0; v < w->n; v++)
            if (w->op[r].reads && w->op[v].writes && same_var(w, r, v) &&
                w->op[v].new == w->op[r].old)
                w->op[r].src = v;
    }
    for (int o = 0; o < w->n; o++)
        w->op[o].part = !w->op[o].pending && (w->op[o].reads || w->op[o].writes);
    for (int round = 0; round < w->n; round++)
        for (int r = 0; r < w->n; r++)
            if (w->op[r].part && w->op[r].reads && w->op[r].src >= 0)
                w->op[w->op[r].src].part = true;
}

static void find_relations(struct world *w)
{
    for (int a = 0; a < w->n; a++)
        for (int b = 0; b < w->n; b++) {
            bool both = w->op[a].part && w->op[b].part;
            w->po[a][b] = both && a < b && w->op[a].thread == w->op[b].thread;
            w->co[a][b] = w->po[a][b] || (both && w->op[b].reads && w->op[b].src == a);
        }
    close_relation(w, w->co);
    for (int t = 0; t < w->threads; t++) {
        memcpy(w->hb[t], w->co, sizeof w->co);
        for (int round = 0; round < w->n * w->n; round++) {
            for (int v = 0; v < w->n; v++)
                for (int r = 0; r < w->n; r++)
                    if (w->op[r].src >= 0 && w->op[r].thread == t && w->hb[t][v][r] &&
                        overtakes(w, v, w->op[r].src, r))
                        w->hb[t][v][w->op[r].src] = true;
            close_relation(w, w->hb[t]);
        }
    }
}

static void finish_world(struct world *w)
{
    w->h = history_new();
    for (int o = 0; o < w->n; o++) {
        add_to_history(w->h, &w->op[o]);
        if (w->op[o].thread >= w->threads)
            w->threads = w->op[o].thread + 1;
    }
    snprintf(w->digest, sizeof w->digest, "%016" PRIx64, history_digest(w->h));
    find_sources(w);
    find_relations(w);
}

static struct world *new_world(const char *text)
{
    struct world *w = calloc(1, sizeof *w);
    int thread = 0;
    for (const char *p = text; *p;) {
        if (*p == ' ') {
            p++;
            continue;
        }
        if (*p == '|') {
            thread++;
            p++;
            continue;
        }
        struct op *o = &w->op[w->n++];
        char kind = *p++;
        o->thread = thread;
        o->reads = kind == 'r' || kind == 'u';
        o->writes = kind == 'w' || kind == 'u';
        o->var = kind == 'f' ? '\0' : *p++;
        if (o->reads && *p >= '0' && *p <= '9')
            o->old = *p++ - '0';
        if (o->writes)
            o->new = *p++ - '0';
        o->pending = *p == '?';
        p += o->pending;
    }
    finish_world(w);
    return w;
}

static void free_world(struct world *w)
{
    history_free(w->h);
    free(w);
}

/* ---- the judge ---- */

static bool is_op(const struct world *w, uint32_t o)
{
    return o < (uint32_t)w->n && w->op[o].part;
}

static bool is_model(const struct evidence_line *l, const char *name)
{
    return strcmp(l->model->name, name) == 0;
}

/* Every step holds as a pair of its relation, has a reason below `reasons`, and they are a
 * chain. */
static bool judge_chain(const struct world *w, const struct evidence *ev, uint32_t at,
                        uint32_t count, uint32_t reasons, int from, int to)
{
    int here = from;
    for (uint32_t i = at; i < at + count; i++) {
        assay_step s = ev->steps.at[i];
        if (!is_op(w, s.from) || !is_op(w, s.to) || (int)s.from != here)
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
    bool related = r->rule == ASSAY_CF ? w->co[r->from][r->read] && hb_free
                                       : w->hb[read->thread][r->from][r->read];
    return related && pure && r->path_count &&
           overtakes(w, (int)r->from, (int)r->to, (int)r->read) &&
           judge_chain(w, ev, r->path_at, r->path_count, i, (int)r->from, (int)r->read);
}

static bool judge_refutation(const struct world *w, const struct evidence_line *l)
{
    const struct evidence *ev = &l->evidence;
    if (ev->pattern == PATTERN_ThinAirRead)
        return is_op(w, ev->culprit) && w->op[ev->culprit].reads &&
               w->op[ev->culprit].src == NOBODY;
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
        return rw == 1 && initial && !cf && hb && w->op[read].thread == observer &&
               is_model(l, "cm");
    default: return false;
    }
}

/* position[] of the order's operations, -1 elsewhere; false if it is not a set closed under
 * causes in an order that extends co. */
static bool judge_order(const struct world *w, const struct evidence *ev, const struct order *o,
                        int position[MOST])
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

static bool no_thin_air(const struct world *w)
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
            if (!w->op[r].part || !w->op[r].reads || !w->op[v].writes || !w->op[v].part ||
                v == src || !w->co[v][r] || !same_var(w, v, r))
                continue;
            if (src == INITIAL)
                return false;
            if (is_model(l, "ccv") ? position[v] > position[src] : w->co[src][v])
                return false;
        }
    }
    return true;
}

static bool judge_thread(const struct world *w, const struct evidence *ev, const struct order *o)
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
            if (w->op[v].writes && same_var(w, v, r) && position[v] >= 0 &&
                position[v] < position[r] &&
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

static bool judge(const struct world *w, const struct evidence_line *l)
{
    if (strcmp(l->digest, w->digest) != 0)
        return false;
    if (l->verdict == ASSAY_VIOLATION)
        return judge_refutation(w, l);
    return no_thin_air(w) &&
           (is_model(l, "cm") ? judge_threads(w, l) : judge_whole(w, l));
}

/* ---- the definitions of the models ---- */

static bool is_cc(struct world *w)
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

static bool is_ccv(struct world *w)
{
    bool all[MOST][MOST];
    memcpy(all, w->co, sizeof all);
    for (int v = 0; v < w->n; v++)
        for (int r = 0; r < w->n; r++)
            if (w->op[r].src >= 0 && w->co[v][r] && overtakes(w, v, w->op[r].src, r))
                all[v][w->op[r].src] = true;
    close_relation(w, all);
    return is_cc(w) && acyclic(w, all);
}

static bool is_cm(struct world *w)
{
    for (int t = 0; t < w->threads; t++) {
        if (!acyclic(w, w->hb[t]))
            return false;
        for (int r = 0; r < w->n; r++)
            for (int v = 0; v < w->n; v++)
                if (w->op[r].reads && w->op[r].thread == t && w->op[r].src == INITIAL &&
                    w->op[v].writes && same_var(w, v, r) && w->hb[t][v][r])
                    return false;
    }
    return is_cc(w);
}

#endif
