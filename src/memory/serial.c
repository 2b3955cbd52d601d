/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/serial.h"

#include "memory/repair.h"

/* A final value without a write, or the initial one although the variable is written. This holds only if values are
 * unique; else an operation may have written it again. */
static bool final_not_written(const struct rw *v)
{
    bool unique = v->twice[1] == ID_NONE;
    for (uint32_t x = 0; v->final && x < v->d; x++)
        if (v->final[x] == RW_THIN || (unique && v->final[x] == RW_INIT && v->groups_of[x] < v->groups_of[x + 1]))
            return true;
    return v->final_elsewhere;
}

bool serial_thin_air(struct job *job)
{
    if (job->rw->thin != ID_NONE) {
        explain_thin_air(job);
        return true;
    }
    if (!final_not_written(job->rw))
        return false;
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.pattern = PATTERN_FinalNotWritten;
    return true;
}

static uint32_t *room_for_order(struct job *job, bool witness)
{
    return witness ? mem_new(job->mem, uint32_t, job->rw->n) : NULL;
}

bool serial_not_causal(struct job *job, struct causal *c)
{
    uint32_t source, later;
    bool may_converge = job->model->conditions & ~(unsigned)(COND_CAUSAL | COND_PER_THREAD);
    if (!c->acyclic)
        explain_cyclic_co(job, c);
    else if (!causal_demands(c, may_converge, job->budget, &source, &later))
        explain_write_co_read(job, c, source, later);
    else
        return false;
    return true;
}

bool serial_not_convergent(struct job *job, struct causal *c, bool witness)
{
    struct advance sort = {0};
    uint32_t *order = room_for_order(job, witness), count;
    if (!causal_converges(c, &sort, job->budget, order, &count)) {
        explain_cyclic_cf(job, c, &sort);
        return true;
    }
    if (witness)
        explain_order(job, ASSAY_NO_THREAD, order, count);
    return false;
}

bool serial_observed_wrongly(struct job *job, const struct causal *c, uint32_t first, uint32_t end, bool witness)
{
    struct observe o;
    uint32_t *order = room_for_order(job, witness);
    observe_init(&o, c, job->mem, job->budget, &job->out->stats);
    for (uint32_t t = first; t < end; t++) {
        uint32_t read, later;
        enum observation found = observe_thread(&o, t, order, &read, &later);
        if (explain_observation(job, &o, found, read, later))
            return true;
        if (witness && o.placed)
            explain_order(job, t, order, o.placed);
    }
    return false;
}

static uint32_t sum_of(const uint32_t *row, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += row[i];
    return sum;
}

/* How much each event has in its causal past: close to the order in which things happened. Without clocks (a cycle)
 * only the earlier events of its own thread. Events of a thread share rows, so a row's sum serves all of them. */
static uint32_t *past_sizes(struct job *job, const struct causal *c)
{
    const struct rw *v = job->rw;
    uint32_t *size = mem_new(job->mem, uint32_t, v->n), sum = 0;
    const uint32_t *summed = NULL;
    for (uint32_t e = 0; e < v->n; e++) {
        size[e] = e - v->base[v->thread[e]];
        if (!c->acyclic)
            continue;
        const uint32_t *row = pasts_row(&c->past, e);
        if (row != summed)
            sum = sum_of(row, v->k);
        summed = row;
        size[e] += sum - row[v->thread[e]];
    }
    return size;
}

/* The order in which the forced order works through the events: by the sizes of their pasts. That is a topological
 * order of po U wr, in which few events are visited again. */
static void forcing_order(struct job *job, const struct causal *c, uint32_t *order, uint32_t *rank)
{
    const struct rw *v = job->rw;
    uint32_t *size = past_sizes(job, c), most = 0;
    for (uint32_t e = 0; e < v->n; e++)
        most = size[e] > most ? size[e] : most;
    struct groups sorted = group_by(size, v->n, most + 1, job->mem);
    for (uint32_t i = 0; i < v->n; i++) {
        order[i] = sorted.list[i];
        rank[sorted.list[i]] = i;
    }
    groups_free(&sorted, job->mem);
    mem_free(job->mem, size);
}

void serial_begin_forced_order(struct job *job, const struct causal *c, enum buffering memory, struct forced_order *w)
{
    uint32_t *order = mem_new(job->mem, uint32_t, job->rw->n), *rank = mem_new(job->mem, uint32_t, job->rw->n);
    forcing_order(job, c, order, rank);
    forced_init(w, job->rw, memory, order, rank, job->mem, job->budget, &job->out->stats);
}

bool serial_refuted(struct job *job, struct forced_order *w, bool closed)
{
    if (closed)
        return false;
    struct unravel u;
    unravel_init(&u, job, w);
    unravel_conflict(&u);
    evidence_cycle(&job->out->evidence, PATTERN_ForcedCycle);
    job->out->verdict = ASSAY_VIOLATION;
    return true;
}

void serial_consistent(struct job *job, const uint32_t *order, uint32_t count)
{
    job->out->verdict = ASSAY_CONSISTENT;
    if (job->witness)
        explain_order(job, ASSAY_NO_THREAD, order, count);
    job->out->evidence.witness = job->witness;
}

bool serial_forced_order(struct job *job, const struct causal *c, struct forced_order *w)
{
    serial_begin_forced_order(job, c, serial_memory(job), w);
    if (job->model->conditions & COND_TOTAL)
        forced_final(w);
    return serial_refuted(job, w, forced_close(w));
}

/* ---- the recorded order ---- */

/* Were the events before e in the program order across threads recorded before it? */
static bool recorded_after(const struct rw *v, uint32_t e)
{
    uint32_t count;
    const uint32_t *before = across_before(v, e, &count);
    for (uint32_t i = 0; i < count; i++)
        if (v->op[before[i]] > v->op[e])
            return false;
    return true;
}

bool serial_recorded_order(struct job *job)
{
    const struct rw *v = job->rw;
    uint32_t *event_of = rw_event_of(v, job->mem);
    uint32_t *current = mem_new_ids(job->mem, v->d);
    bool explains = true;
    for (uint32_t o = 0; o < v->n && explains; o++) {
        uint32_t e = event_of[o];
        if (v->kind[e] & RW_READS)
            explains = v->src[e] == current[v->var[e]];
        explains = explains && (!v->across || recorded_after(v, e));
        if (v->kind[e] & RW_WRITES)
            current[v->var[e]] = e;
    }
    for (uint32_t x = 0; v->final && x < v->d; x++)
        explains &= v->final[x] == RW_UNSAID || v->final[x] == current[x];
    if (explains)
        serial_consistent(job, event_of, v->n);
    mem_free(job->mem, event_of);
    mem_free(job->mem, current);
    return explains;
}

/* ---- execution with repair ---- */

/* Of each thread: the events that were executed, and the one that could not be. */
static uint32_t *reached(const struct repair *r, const struct rw *v)
{
    uint32_t *count = mem_new(r->m, uint32_t, v->k);
    for (uint32_t t = 0; t < v->k; t++) {
        const struct repair_lane *l = &r->lane[t];
        uint32_t most = l->done > l->most ? l->done : l->most;
        count[t] = most + (most < v->base[t + 1] - v->base[t]);
    }
    return count;
}

struct execution serial_execution(struct job *job, const struct rw *v, enum buffering memory, const uint32_t *key,
                                  uint64_t most_effort)
{
    struct repair r;
    repair_init(&r, v, memory, key, job->mem, job->budget);
    if (most_effort)
        r.most_effort = most_effort;
    if (v->across)
        repair_across(&r);
    bool found = repair_run(&r);
    job->out->stats.choices += r.choices;
    job->out->stats.conflicts += r.conflicts;
    job->out->stats.steps += r.executed + r.effort;
    struct execution x = {.order = found ? r.order : NULL, .count = r.executed};
    if (r.refuted && memory == MEMORY_SC)
        x.reached = reached(&r, v);
    repair_free(&r);
    return x;
}

bool serial_repaired(struct job *job, const struct causal *c, uint64_t most_effort)
{
    enum buffering memory = serial_memory(job);
    if (memory != MEMORY_SC && job->rw->across) /* buffers with an order between threads are left to the forced order */
        return false;
    uint32_t *key = past_sizes(job, c);
    struct execution x = serial_execution(job, job->rw, memory, key, most_effort);
    bool found = x.order;
    if (found)
        serial_consistent(job, x.order, x.count);
    mem_free(job->mem, x.order);
    mem_free(job->mem, x.reached);
    mem_free(job->mem, key);
    return found;
}

/* ---- completion ---- */

struct completing {
    struct job *job;
    struct serialize s;
    struct unravel u;
};

static void explain_conflict(void *arg)
{
    struct completing *c = arg;
    unravel_conflict(&c->u);
    evidence_lemma(&c->job->out->evidence);
    for (uint32_t i = 0; i < c->u.assumed.n; i++) {
        uint32_t assumption = c->u.w->edges.at[c->u.assumed.at[i]].read;
        if (assumption != ID_NONE) /* else it was assumed before the search began */
            serialize_blame(&c->s, assumption);
    }
}

static void record_clause(void *arg, const struct assumption *pairs, uint32_t count)
{
    struct completing *c = arg;
    const struct rw *v = c->job->rw;
    evidence_begin_learned(&c->job->out->evidence);
    for (uint32_t i = 0; i < count; i++)
        evidence_pair(&c->job->out->evidence, v->op[pairs[i].v], v->op[pairs[i].w]);
}

const uint32_t *serial_order(struct job *job, struct forced_order *w, uint64_t most_conflicts, bool *gave_up)
{
    struct completing c = {.job = job};
    result *out = job->out;
    serialize_init(&c.s, w, job->mem);
    unravel_init(&c.u, job, w);
    c.s.most_conflicts = most_conflicts;
    c.s.conflict = explain_conflict;
    c.s.learned = record_clause;
    c.s.arg = &c;
    bool found = w->without_rw ? serialize_pairs(&c.s, w->guess) : serialize_run(&c.s);
    out->stats.choices += c.s.choices;
    out->stats.conflicts += c.s.conflicts;
    *gave_up = c.s.gave_up;
    return found ? c.s.order : NULL;
}

bool serial_complete(struct job *job, struct forced_order *w, uint64_t most_conflicts)
{
    bool gave_up;
    const uint32_t *order = serial_order(job, w, most_conflicts, &gave_up);
    if (order || gave_up)
        evidence_drop_refutation(&job->out->evidence);
    if (gave_up)
        return false;
    if (order) {
        serial_consistent(job, order, w->v->n);
        return true;
    }
    job->out->evidence.pattern = PATTERN_NoStoreOrder;
    job->out->verdict = ASSAY_VIOLATION;
    return true;
}

bool serial_tso_execution(struct job *job, const struct causal *c, uint64_t most_conflicts)
{
    struct forced_order w;
    bool gave_up;
    serial_begin_forced_order(job, c, MEMORY_TSO, &w);
    forced_final(&w);
    const uint32_t *order = forced_close(&w) ? serial_order(job, &w, most_conflicts, &gave_up) : NULL;
    evidence_drop_refutation(&job->out->evidence);
    if (order)
        serial_consistent(job, order, job->rw->n);
    return order;
}
