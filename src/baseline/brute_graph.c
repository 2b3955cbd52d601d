/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/brute_graph.h"

#include <string.h>

/* ---- nodes ---- */

static bool same_variable(const struct node *a, const struct node *b)
{
    return a->object == b->object && value_same(a->key, b->key);
}

static bool reads_value_of(const struct node *r, const struct node *w)
{
    return r->reads && w->writes && same_variable(r, w) && value_same(r->read, w->written);
}

static void add_node(struct graph *g, struct job *job, struct node node)
{
    if (g->n == MOST_NODES) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "the engine brute takes at most %d operations and variables together", MOST_NODES);
        error_remedy(job->error, "leave the choice of the engine to assay");
        escape_raise(ESCAPE_ERROR);
    }
    g->node[g->n++] = node;
}

static bool is_method(const history *h, uint32_t op, const char *name)
{
    return strcmp(history_text(h, h->method[op]), name) == 0;
}

/* ---- program order of operations, fences included ---- */

/* The k-th operation of the thread, counted from 1. */
static uint32_t operation_of(const history *h, uint32_t thread, uint32_t k)
{
    uint32_t o = 0;
    for (;; o++)
        if (h->thread[o] == thread && --k == 0)
            return o;
}

static void order_operations(const history *h, set *po)
{
    memset(po, 0, h->n * sizeof *po);
    for (uint32_t a = 0; a < h->n; a++)
        for (uint32_t b = a + 1; b < h->n; b++)
            if (h->thread[a] == h->thread[b])
                po[a] |= just(b);
    if (!h->po_after)
        return;
    for (uint32_t o = 0; h->after_at && o < h->n; o++)
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++)
            if (h->after.at[i].count)
                po[operation_of(h, h->after.at[i].thread, h->after.at[i].count)] |= just(o);
    rows_close(po, h->n);
}

static void add_operations(struct graph *g, struct job *job)
{
    const history *h = g->h;
    for (uint32_t o = 0; o < h->n; o++) {
        struct node node = {
            .op = o, .thread = h->thread[o], .object = history_object_of(h, o), .pending = history_pending(h, o)};
        if (is_method(h, o, "read") && !node.pending) {
            node.reads = true;
            node.read = history_result(h, o);
        } else if (is_method(h, o, "write")) {
            node.writes = true;
            node.written = history_arg(h, o, 1);
        } else if (is_method(h, o, "rmw")) {
            node.reads = node.writes = true;
            node.read = history_arg(h, o, 1);
            node.written = history_arg(h, o, 2);
        } else {
            continue;
        }
        node.key = history_arg(h, o, 0);
        add_node(g, job, node);
    }
}

static bool reads_initial_value(const struct graph *g, const struct node *r)
{
    return value_same(r->read, graph_initial_value(g->h, r->key));
}

/* A pending write or rmw takes part once a read that takes part has its value. It also takes part if the history
 * declares it to be the last write, where that counts. */
static bool is_seen(const struct graph *g, const struct node *w, set part, bool final)
{
    struct value last;
    if (final && graph_binding(g->h->final.at, g->h->final.n, w->key, &last) && value_same(last, w->written))
        return true;
    while (part)
        if (reads_value_of(&g->node[take(&part)], w))
            return true;
    return false;
}

/* A pending rmw can have happened if its old value is that of a write that can have. */
static set possible(const struct graph *g)
{
    set part = 0;
    for (uint32_t i = 0; i < g->n; i++)
        if (!g->node[i].pending || !g->node[i].reads || reads_initial_value(g, &g->node[i]))
            part |= just(i);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < g->n; i++)
            for (set writers = has(part, i) ? 0 : part; writers;)
                if (reads_value_of(&g->node[i], &g->node[take(&writers)])) {
                    part |= just(i);
                    again = true;
                }
    }
    return part;
}

static void drop_unseen_pending(struct graph *g, bool final)
{
    set part = 0, can = possible(g);
    for (uint32_t i = 0; i < g->n; i++)
        if (!g->node[i].pending)
            part |= just(i);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < g->n; i++)
            if (!has(part, i) && has(can, i) && is_seen(g, &g->node[i], part, final)) {
                part |= just(i);
                again = true;
            }
    }
    g->n = 0;
    while (part)
        g->node[g->n++] = g->node[take(&part)];
}

bool graph_binding(const struct binding *list, uint32_t n, struct value key, struct value *value)
{
    bool found = false, own = false;
    for (uint32_t i = 0; i < n; i++) {
        bool names_it = value_same(list[i].key, key);
        if (names_it || (list[i].key.kind == ASSAY_NONE && !own)) {
            *value = list[i].value;
            found = true;
        }
        own = own || names_it;
    }
    return found;
}

struct value graph_initial_value(const history *h, struct value key)
{
    struct value value = {0, ASSAY_INT};
    graph_binding(h->init.at, h->init.n, key, &value);
    return value;
}

static void add_initial_writes(struct graph *g, struct job *job)
{
    uint32_t operations = g->n;
    for (uint32_t i = 0; i < operations; i++) {
        const struct node *node = &g->node[i];
        uint32_t known = operations;
        while (known < g->n && !same_variable(&g->node[known], node))
            known++;
        if (known == g->n)
            add_node(g, job,
                     (struct node){.op = ID_NONE,
                                   .thread = ID_NONE,
                                   .object = node->object,
                                   .key = node->key,
                                   .writes = true,
                                   .written = graph_initial_value(g->h, node->key)});
    }
}

/* The first node that reads a value without a write, or g->n. */
static uint32_t find_sources(struct graph *g)
{
    for (uint32_t r = 0; r < g->n; r++) {
        struct node *node = &g->node[r];
        if (!node->reads)
            continue;
        node->source = 0;
        while (node->source < g->n && !reads_value_of(node, &g->node[node->source]))
            node->source++;
        if (node->source == g->n)
            return r;
    }
    return g->n;
}

/* ---- relations ---- */

void rows_close(set *rel, uint32_t n)
{
    for (uint32_t via = 0; via < n; via++)
        for (uint32_t a = 0; a < n; a++)
            if (has(rel[a], via))
                rel[a] |= rel[via];
}

bool rows_cyclic(const set *closed, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        if (has(closed[a], a))
            return true;
    return false;
}

void rows_unite(set *into, const set *rel, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        into[a] |= rel[a];
}

set rows_before(const set *rel, uint32_t n, uint32_t b)
{
    set s = 0;
    for (uint32_t a = 0; a < n; a++)
        if (has(rel[a], b))
            s |= just(a);
    return s;
}

set graph_rivals(const struct graph *g, const set *rel, uint32_t r)
{
    return rows_before(rel, g->n, r) & g->writers[r] & ~just(g->node[r].source);
}

set graph_overwriters(const struct graph *g, const set *rel, uint32_t r)
{
    return rel[g->node[r].source] & g->writers[r] & ~just(r);
}

void graph_add_cf(const struct graph *g, const set *rel, set reads, set *into)
{
    while (reads) {
        uint32_t r = take(&reads);
        for (set v = graph_rivals(g, rel, r); v;)
            into[take(&v)] |= just(g->node[r].source);
    }
}

void graph_add_rw(const struct graph *g, const set *rel, set *into)
{
    for (set reads = g->reads; reads;) {
        uint32_t r = take(&reads);
        into[r] |= graph_overwriters(g, rel, r);
    }
}

void graph_add_ww(const struct graph *g, const set *rel, set *into)
{
    for (set writes = g->writes; writes;) {
        uint32_t w = take(&writes);
        into[w] |= rel[w] & g->writers[w];
    }
}

static bool in_program_order(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct node *first = &g->node[a], *second = &g->node[b];
    if (first->op == ID_NONE || second->op == ID_NONE)
        return second->op != ID_NONE;
    return has(g->operations[first->op], second->op);
}

static void relate(struct graph *g)
{
    uint32_t n = g->n;
    g->reads = g->writes = g->initial = g->external = 0;
    for (uint32_t a = 0; a < n; a++) {
        const struct node *node = &g->node[a];
        g->po[a] = g->wr[a] = g->writers[a] = 0;
        for (uint32_t b = 0; b < n; b++) {
            if (in_program_order(g, a, b))
                g->po[a] |= just(b);
            if (g->node[b].reads && g->node[b].source == a)
                g->wr[a] |= just(b);
            if (g->node[b].writes && same_variable(node, &g->node[b]))
                g->writers[a] |= just(b);
        }
        g->reads |= node->reads ? just(a) : 0;
        g->writes |= node->writes ? just(a) : 0;
        g->initial |= node->op == ID_NONE ? just(a) : 0;
        if (node->reads && g->node[node->source].op != ID_NONE && g->node[node->source].thread != node->thread)
            g->external |= just(a);
        g->co[a] = g->po[a] | g->wr[a];
    }
    rows_close(g->co, n);
}

bool graph_build(struct graph *g, struct job *job, uint32_t *thin)
{
    g->h = job->h;
    g->n = 0;
    order_operations(g->h, g->operations);
    add_operations(g, job);
    drop_unseen_pending(g, job->model->conditions & COND_TOTAL);
    add_initial_writes(g, job);
    *thin = find_sources(g);
    if (*thin < g->n)
        return false;
    relate(g);
    return true;
}

/* ---- views ---- */

static bool fence_between(const struct graph *g, uint32_t first, uint32_t second)
{
    for (set later = g->operations[first]; later;) {
        uint32_t o = take(&later);
        if (has(g->operations[o], second) && is_method(g->h, o, "fence"))
            return true;
    }
    return false;
}

/* Do the buffers keep the order of these two, of which a is po-before b? An rmw and a fence wait
 * until they are empty. An initial write is in no thread: no fence comes after it. */
static bool preserved(const struct graph *g, enum buffers buffers, uint32_t a, uint32_t b)
{
    const struct node *first = &g->node[a], *second = &g->node[b];
    bool rmw = (first->reads && first->writes) || (second->reads && second->writes);
    if (rmw || first->reads || (first->op != ID_NONE && fence_between(g, first->op, second->op)))
        return true;
    if (second->reads)
        return false;
    return buffers == BUFFER_PER_THREAD || same_variable(first, second);
}

static void view_preserved(const struct graph *g, enum buffers buffers, struct view *v)
{
    for (uint32_t a = 0; a < g->n; a++) {
        v->order[a] = 0;
        for (set later = g->po[a]; later;) {
            uint32_t b = take(&later);
            v->order[a] |= preserved(g, buffers, a, b) ? just(b) : 0;
        }
        v->wr[a] = g->wr[a] & g->external;
    }
}

static void view_per_variable(const struct graph *g, struct view *v)
{
    for (uint32_t a = 0; a < g->n; a++) {
        v->order[a] = 0;
        for (set later = g->po[a]; later;) {
            uint32_t b = take(&later);
            v->order[a] |= same_variable(&g->node[a], &g->node[b]) ? just(b) : 0;
        }
        v->wr[a] = g->wr[a];
    }
}

struct views graph_views(const struct graph *g, enum buffers buffers)
{
    struct views views = {.n = buffers == NO_BUFFERS ? 1 : 2};
    if (buffers == NO_BUFFERS) {
        memcpy(views.at[0].order, g->po, sizeof g->po);
        memcpy(views.at[0].wr, g->wr, sizeof g->wr);
    } else {
        view_preserved(g, buffers, &views.at[0]);
        view_per_variable(g, &views.at[1]);
    }
    return views;
}

void graph_closed(const struct graph *g, const struct view *v, const set *store, set *rel)
{
    for (uint32_t a = 0; a < g->n; a++)
        rel[a] = v->order[a] | v->wr[a] | (store ? store[a] : 0);
    if (store)
        graph_add_rw(g, store, rel);
    rows_close(rel, g->n);
}
