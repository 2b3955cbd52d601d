/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/eager.h"

const char *const eager_variants[] = {"eager", NULL};

struct eager {
    struct lazy *l;
    struct job *job;
    const struct rw *v;
    struct frames frames;
    struct groups writes; /* of each variable */
    struct groups on;     /* the reads and writes of each variable */
    uint32_t *place;      /* of such an event: its place in on.list, less the variable's first */
    struct sat sat;
    uint32_t *pairs_of[2]; /* of an event: the first of its pairs with earlier events, in each graph */
    bool impossible, consistent;
};

/* ---- variables ---- */

static bool per_variable(const struct eager *x, uint32_t frame)
{
    return frame == 1 && x->frames.count == 2;
}

static bool both_write(const struct rw *v, uint32_t a, uint32_t b)
{
    return (v->kind[a] & v->kind[b] & RW_WRITES) != 0;
}

/* "a comes before b" in the graph. */
static int before(const struct eager *x, uint32_t frame, uint32_t a, uint32_t b)
{
    if (a > b)
        return -before(x, frame, b, a);
    if (!per_variable(x, frame) || both_write(x->v, a, b))
        return (int)(x->pairs_of[0][b] + a);
    return (int)(x->pairs_of[1][b] + x->place[a]);
}

/* A triangle of pairs in the first graph, numbered from 1, then one for each variable. */
static void number_pairs(struct eager *x)
{
    uint32_t next = 1, n = x->v->n;
    x->pairs_of[0] = mem_new(x->job->mem, uint32_t, n);
    x->pairs_of[1] = mem_new(x->job->mem, uint32_t, n);
    x->place = mem_new(x->job->mem, uint32_t, n);
    for (uint32_t e = 0; e < n; e++) {
        x->pairs_of[0][e] = next;
        next += e;
    }
    for (uint32_t d = 0; d < x->v->d; d++)
        for (uint32_t i = x->on.at[d]; i < x->on.at[d + 1]; i++) {
            uint32_t e = x->on.list[i];
            x->place[e] = i - x->on.at[d];
            x->pairs_of[1][e] = next;
            next += x->place[e];
        }
}

/* ---- clauses ---- */

static void clause(struct eager *x, int one, int other, int third)
{
    int literals[] = {one, other, third};
    sat_clause(&x->sat, literals, third ? 3 : other ? 2 : 1);
    x->job->out->stats.clauses++;
}

/* a == b: an rmw that reads its own value. */
static void state(struct eager *x, uint32_t frame, uint32_t a, uint32_t b)
{
    if (a == b)
        x->impossible = true;
    else
        clause(x, before(x, frame, a, b), 0, 0);
}

static void state_order(struct eager *x, uint32_t frame)
{
    const struct frame *f = &x->frames.frame[frame];
    for (uint32_t e = 0; e < x->v->n; e++) {
        if (f->chains.of[e] == ID_NONE)
            continue;
        uint32_t next = chain_next(&f->chains, e);
        if (next != ID_NONE)
            state(x, frame, e, next);
        for (uint32_t i = f->fixed_at[e]; i < f->fixed_at[e + 1]; i++)
            state(x, frame, e, f->fixed[i]);
    }
}

/* The read comes after its source. Every other write comes before the source or after the read. */
static void state_read(struct eager *x, uint32_t frame, uint32_t r)
{
    const struct rw *v = x->v;
    uint32_t source = v->src[r], d = v->var[r];
    bool internal = source != RW_INIT && v->thread[source] == v->thread[r];
    if (source != RW_INIT && !(internal && x->frames.frame[frame].external))
        state(x, frame, source, r);
    for (uint32_t i = x->writes.at[d]; i < x->writes.at[d + 1]; i++) {
        uint32_t w = x->writes.list[i];
        if (w == r || w == source)
            continue;
        if (source == RW_INIT)
            state(x, frame, r, w);
        else
            clause(x, before(x, frame, w, source), before(x, frame, r, w), 0);
    }
}

static void state_reads(struct eager *x, uint32_t frame)
{
    for (uint32_t e = 0; e < x->v->n; e++)
        if (x->v->kind[e] & RW_READS)
            state_read(x, frame, e);
}

/* Neither a, b, c nor c, b, a are a cycle. */
static void state_transitive(struct eager *x, uint32_t frame, const uint32_t *events, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            for (uint32_t k = j + 1; k < n; k++) {
                int ab = before(x, frame, events[i], events[j]), bc = before(x, frame, events[j], events[k]);
                int ca = before(x, frame, events[k], events[i]);
                clause(x, -ab, -bc, -ca);
                clause(x, ab, bc, ca);
            }
}

static void state_graph(struct eager *x, uint32_t frame, const uint32_t *all)
{
    if (!per_variable(x, frame)) {
        state_transitive(x, frame, all, x->v->n);
        return;
    }
    for (uint32_t d = 0; d < x->v->d; d++)
        state_transitive(x, frame, x->on.list + x->on.at[d], x->on.at[d + 1] - x->on.at[d]);
}

static bool is_known(const struct eager *x, uint32_t v, uint32_t w)
{
    return x->l->fixed.stored(x->l->fixed.arg, v, w) || known_final(x->v, v, w);
}

/* The pairs that a saturation and declared final values order. */
static void state_known(struct eager *x)
{
    for (uint32_t d = 0; d < x->v->d; d++)
        for (uint32_t i = x->writes.at[d]; i < x->writes.at[d + 1]; i++)
            for (uint32_t j = x->writes.at[d]; j < x->writes.at[d + 1]; j++)
                if (i != j && is_known(x, x->writes.list[i], x->writes.list[j]))
                    state(x, 0, x->writes.list[i], x->writes.list[j]);
}

/* ---- the run ---- */

static void accept(struct eager *x)
{
    struct job *job = x->job;
    uint32_t n = x->v->n, *order = mem_new(job->mem, uint32_t, n);
    job->out->verdict = ASSAY_CONSISTENT;
    job->out->evidence.witness = job->witness;
    if (!job->witness)
        return;
    for (uint32_t e = 0; e < n; e++) {
        uint32_t earlier = 0;
        for (uint32_t a = 0; a < n; a++) {
            int literal = a == e ? 0 : before(x, 0, a, e);
            earlier += literal > 0 ? sat_value(&x->sat, literal) : literal < 0 && !sat_value(&x->sat, -literal);
        }
        order[earlier] = e;
    }
    explain_order(job, ASSAY_NO_THREAD, order, n);
}

/* Facts first, so that the solver sees at once how little of the rest is left. */
static void decide(void *arg)
{
    struct eager *x = arg;
    uint32_t *all = mem_new(x->job->mem, uint32_t, x->v->n);
    for (uint32_t e = 0; e < x->v->n; e++)
        all[e] = e;
    x->sat.adapter = sat_find(NULL);
    x->sat.budget = x->job->budget;
    sat_open(&x->sat);
    state_known(x);
    for (uint32_t frame = 0; frame < x->frames.count; frame++)
        state_order(x, frame);
    for (uint32_t frame = 0; frame < x->frames.count; frame++)
        state_reads(x, frame);
    for (uint32_t frame = 0; frame < x->frames.count; frame++)
        state_graph(x, frame, all);
    x->consistent = !x->impossible && sat_solve(&x->sat);
    if (x->consistent)
        accept(x);
}

/* The verdict is known: this finds its evidence. */
static void refute(struct lazy *l)
{
    struct stats stats = l->job->out->stats;
    l->job->variant = NULL;
    lazy_run(l);
    l->job->out->stats = stats;
    if (l->job->out->verdict == ASSAY_VIOLATION)
        return;
    error_set(l->job->error, ASSAY_ERROR_INTERNAL, "two encodings of %s contradict each other", l->job->model->name);
    escape_raise(ESCAPE_ERROR);
}

void eager_run(struct lazy *l)
{
    struct eager x = {.l = l, .job = l->job, .v = l->job->rw};
    frames_init(&x.frames, x.v, serial_memory(l->job), l->job->mem);
    x.writes = rw_by_variable(x.v, RW_WRITES, l->job->mem);
    x.on = rw_by_variable(x.v, RW_READS | RW_WRITES, l->job->mem);
    number_pairs(&x);
    enum escape left = escape_run(decide, &x);
    sat_close(&x.sat);
    if (left)
        escape_raise(left);
    if (!x.consistent)
        refute(l);
}

/* ---- the engine without saturation ---- */

static void run(struct job *job)
{
    if (serial_thin_air(job))
        return;
    struct lazy l = {.job = job, .rank = job->rw->op, .fixed = {known_final, job->rw}};
    eager_run(&l);
}

const struct engine engine_sat_eager = {
    .name = "sat",
    .title = "all orders of operations in one formula, for a SAT solver",
    .conditions = COND_TOTAL,
    .most_events = EAGER_MOST_EVENTS,
    .on_request = true,
    .variants = eager_variants,
    .missing = sat_missing,
    .run = run,
};
