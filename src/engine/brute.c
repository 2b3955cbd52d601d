/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force: the definitions of the causal models, written down as they are read, for small
 * histories.
 *
 * Idea: the other engines are quick because they leave out what cannot matter: initial writes,
 * operations that are not the last of their thread, relations that need not be stored. This one
 * leaves nothing out, so that they can be held against it. It also finds who reads from whom by
 * itself, straight from the history's columns.
 *
 * Every relation is a row of 64 bits per node: b is in rel[a] when a comes before b. The nodes
 * are the operations that take part, then one initial write for each variable.
 *
 * Invariant: nodes of one thread have ascending numbers, in program order.
 *
 * Source: the definitions in docs/models.md. Fences order nothing in these models and are not
 * nodes. */
#include "engine/engine.h"

#include <string.h>

enum { MOST_NODES = 64, MOST_EVENTS = 48 };

typedef uint64_t set; /* of nodes */

struct node {
    uint32_t op; /* ID_NONE: an initial write, in no thread */
    uint32_t thread;
    uint32_t object; /* object and key together name the variable */
    struct value key;
    bool reads, writes, pending;
    struct value read, written;
    uint32_t source; /* the node it reads from */
};

struct graph {
    const history *h;
    struct node node[MOST_NODES];
    uint32_t n;
    set po[MOST_NODES], wr[MOST_NODES];
    set co[MOST_NODES];      /* (po U wr)+ */
    set writers[MOST_NODES]; /* of a node: who writes the variable it accesses, itself included */
    set reads;               /* the nodes that read */
};

static set just(uint32_t i)
{
    return (set)1 << i;
}

static bool has(set s, uint32_t i)
{
    return s >> i & 1;
}

/* Takes one element out of *s. */
static uint32_t take(set *s)
{
    uint32_t i = (uint32_t)__builtin_ctzll(*s);
    *s &= *s - 1;
    return i;
}

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
                  "the engine brute takes at most %d operations and variables together",
                  MOST_NODES);
        error_remedy(job->error, "leave the choice of the engine to assay");
        escape_raise(ESCAPE_ERROR);
    }
    g->node[g->n++] = node;
}

static bool is_method(const history *h, uint32_t op, const char *name)
{
    return strcmp(history_text(h, h->method[op]), name) == 0;
}

static void add_operations(struct graph *g, struct job *job)
{
    const history *h = g->h;
    for (uint32_t o = 0; o < h->n; o++) {
        struct node node = {.op = o,
                            .thread = h->thread[o],
                            .object = h->object[o],
                            .pending = history_pending(h, o)};
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

/* A pending write or rmw takes part once someone who takes part reads its value. */
static bool is_seen(const struct graph *g, const struct node *w, set part)
{
    while (part)
        if (reads_value_of(&g->node[take(&part)], w))
            return true;
    return false;
}

static void drop_unseen_pending(struct graph *g)
{
    set part = 0;
    for (uint32_t i = 0; i < g->n; i++)
        if (!g->node[i].pending)
            part |= just(i);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < g->n; i++)
            if (!has(part, i) && is_seen(g, &g->node[i], part)) {
                part |= just(i);
                again = true;
            }
    }
    g->n = 0;
    while (part)
        g->node[g->n++] = g->node[take(&part)];
}

/* What the history declares for this variable, else for all, else 0. */
static struct value initial_value(const history *h, struct value key)
{
    struct value value = {0, ASSAY_INT};
    bool own = false;
    for (uint32_t i = 0; i < h->init.n; i++) {
        const struct binding *b = &h->init.at[i];
        bool names_it = value_same(b->key, key);
        if (names_it || (b->key.kind == ASSAY_NONE && !own))
            value = b->value;
        own = own || names_it;
    }
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
                                   .written = initial_value(g->h, node->key)});
    }
}

/* ---- relations ---- */

static bool in_program_order(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct node *first = &g->node[a], *second = &g->node[b];
    if (first->op == ID_NONE)
        return second->op != ID_NONE;
    return first->thread == second->thread && a < b;
}

static void close_transitively(set *rel, uint32_t n)
{
    for (uint32_t via = 0; via < n; via++)
        for (uint32_t a = 0; a < n; a++)
            if (has(rel[a], via))
                rel[a] |= rel[via];
}

static bool cyclic(const set *closed, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++)
        if (has(closed[a], a))
            return true;
    return false;
}

/* Those that come before b. */
static set before(const set *rel, uint32_t n, uint32_t b)
{
    set s = 0;
    for (uint32_t a = 0; a < n; a++)
        if (has(rel[a], b))
            s |= just(a);
    return s;
}

/* The first node that reads a value nobody wrote, or g->n. */
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

static void relate(struct graph *g)
{
    uint32_t n = g->n;
    g->reads = 0;
    for (uint32_t a = 0; a < n; a++) {
        g->po[a] = g->wr[a] = g->writers[a] = 0;
        for (uint32_t b = 0; b < n; b++) {
            if (in_program_order(g, a, b))
                g->po[a] |= just(b);
            if (g->node[b].reads && g->node[b].source == a)
                g->wr[a] |= just(b);
            if (g->node[b].writes && same_variable(&g->node[a], &g->node[b]))
                g->writers[a] |= just(b);
        }
        if (g->node[a].reads)
            g->reads |= just(a);
        g->co[a] = g->po[a] | g->wr[a];
    }
    close_transitively(g->co, n);
}

/* ---- the models' conditions: each returns the pattern that breaks it ---- */

/* co irreflexive, and no r -rw[co]-> w -co-> r. */
static enum pattern causal(const struct graph *g)
{
    if (cyclic(g->co, g->n))
        return PATTERN_CyclicCO;
    for (set reads = g->reads; reads;) {
        uint32_t r = take(&reads), source = g->node[r].source;
        set later = g->co[source] & g->writers[r] & ~just(r); /* rw[co] leads from r to these */
        if (later & before(g->co, g->n, r))
            return g->node[source].op == ID_NONE ? PATTERN_WriteCOInitRead : PATTERN_WriteCORead;
    }
    return PATTERN_NONE;
}

/* The writes v, other than the source of r, that rel puts before r: they must come before that
 * source. */
static set rivals(const struct graph *g, const set *rel, uint32_t r)
{
    return before(rel, g->n, r) & g->writers[r] & ~just(g->node[r].source);
}

/* po U wr U cf[co] acyclic. */
static enum pattern convergent(const struct graph *g)
{
    set rel[MOST_NODES];
    for (uint32_t a = 0; a < g->n; a++)
        rel[a] = g->po[a] | g->wr[a];
    for (set reads = g->reads; reads;) {
        uint32_t r = take(&reads);
        for (set v = rivals(g, g->co, r); v;)
            rel[take(&v)] |= just(g->node[r].source);
    }
    close_transitively(rel, g->n);
    return cyclic(rel, g->n) ? PATTERN_CyclicCF : PATTERN_NONE;
}

/* One round of rule (2) of hb_o; true if it said something new. */
static bool force(const struct graph *g, set *hb, set reads, bool *before_initial)
{
    bool grown = false;
    while (reads) {
        uint32_t r = take(&reads), source = g->node[r].source;
        for (set v = rivals(g, hb, r); v;) {
            uint32_t w = take(&v);
            grown = grown || !has(hb[w], source);
            hb[w] |= just(source);
            *before_initial = *before_initial || g->node[source].op == ID_NONE;
        }
    }
    return grown;
}

/* hb_o acyclic: the least transitive relation with (1) co on the causal past of o, and (2) w1
 * before w2 when some read of w2, o itself or before o in its thread, comes after w1. */
static enum pattern observed_by(const struct graph *g, uint32_t o)
{
    set hb[MOST_NODES];
    set past = before(g->co, g->n, o) | just(o);
    set reads = (before(g->po, g->n, o) | just(o)) & g->reads;
    for (uint32_t a = 0; a < g->n; a++)
        hb[a] = has(past, a) ? g->co[a] & past : 0;
    bool before_initial = false;
    while (force(g, hb, reads, &before_initial))
        close_transitively(hb, g->n);
    if (!cyclic(hb, g->n))
        return PATTERN_NONE;
    return before_initial ? PATTERN_WriteHBInitRead : PATTERN_CyclicHB;
}

static enum pattern per_thread(const struct graph *g)
{
    enum pattern found = PATTERN_NONE;
    for (uint32_t o = 0; o < g->n && !found; o++)
        found = observed_by(g, o);
    return found;
}

/* ---- the engine ---- */

static enum pattern judge(struct graph *g, unsigned conditions)
{
    relate(g);
    enum pattern found = PATTERN_NONE;
    if (conditions & COND_CAUSAL)
        found = causal(g);
    if (!found && (conditions & COND_CONVERGENT))
        found = convergent(g);
    if (!found && (conditions & COND_PER_THREAD))
        found = per_thread(g);
    return found;
}

static void run(struct job *job)
{
    struct graph g;
    g.h = job->h;
    g.n = 0;
    add_operations(&g, job);
    drop_unseen_pending(&g);
    add_initial_writes(&g, job);
    struct evidence *evidence = &job->out->evidence;
    uint32_t thin = find_sources(&g);
    if (thin < g.n) {
        evidence->pattern = PATTERN_ThinAirRead;
        evidence->culprit = g.node[thin].op;
    } else {
        evidence->pattern = judge(&g, job->model->conditions);
    }
    job->out->verdict = evidence->pattern ? ASSAY_VIOLATION : ASSAY_CONSISTENT;
}

const struct engine engine_brute = {
    .name = "brute",
    .title = "the definitions word for word, for small histories",
    .conditions = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD,
    .most_events = MOST_EVENTS,
    .on_request = true,
    .no_evidence = true,
    .run = run,
};
