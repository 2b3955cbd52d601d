/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/lazy.h"

#include <string.h>

enum {
    MOST_PAIRS = 1 << 22,
    CYCLES_AT_ONCE = 64,    /* clauses from one graph in one round */
    TRIANGLES_AT_ONCE = 256 /* and from the pairs of one variable */
};

/* ---- clauses ---- */

static bool is_open(const struct lazy *l, uint32_t e)
{
    return l->job->rw->open && l->job->rw->open[e];
}

/* The variables behind those of the pairs. They say that a candidate is the source of its read, that one is the last
 * write of its variable, that an open operation happened. */
static int source_variable(const struct lazy *l, uint32_t i)
{
    return (int)(l->pairs.open.n + 1 + i);
}

static int final_variable(const struct lazy *l, uint32_t i)
{
    return source_variable(l, l->candidates->at[l->job->rw->n] + i);
}

static int open_variable(const struct lazy *l, uint32_t e)
{
    return final_variable(l, l->candidates->final_at[l->job->rw->d] + e);
}

/* Does the event need a source? An open operation reads only if it happened. */
static bool has_choice(const struct lazy *l, uint32_t read)
{
    const struct candidates *c = l->candidates;
    return c && (c->at[read + 1] - c->at[read] > 1 || is_open(l, read));
}

/* The variable of the source that was chosen, or 0. */
static int chosen_source(const struct lazy *l, uint32_t read)
{
    if (!has_choice(l, read))
        return 0;
    uint32_t i = l->candidates->at[read];
    while (l->candidates->source[i] != l->src[read])
        i++;
    return source_variable(l, i);
}

/* Not this, if it was a choice. */
static void forbid(struct lazy *l, int literal)
{
    if (!literal)
        return;
    for (uint32_t i = 0; i < l->clause.n; i++)
        if (l->clause.at[i] == -literal)
            return;
    vec_push(l->job->mem, &l->clause, -literal);
}

static void forbid_step(struct lazy *l, struct stored_step step)
{
    uint32_t source = step.from;
    if (step.kind == STORED_PO)
        return;
    if (step.kind == STORED_RW || step.kind == STORED_WR) {
        uint32_t read = step.kind == STORED_RW ? step.from : step.to;
        forbid(l, chosen_source(l, read));
        source = l->src[read];
    }
    if (step.kind != STORED_WR && source != RW_INIT)
        forbid(l, pairs_literal(&l->pairs, source, step.to));
}

/* The cycle in stored.cycle cannot be. */
static void forbid_cycle(struct lazy *l, uint32_t frame)
{
    const struct stored *s = &l->stored;
    struct lazy_lemma lemma = {l->steps.n, s->cycle.n, frame};
    vec_clear(&l->clause);
    for (uint32_t i = 0; i < s->cycle.n; i++) {
        vec_push(l->job->mem, &l->steps, s->cycle.at[i]);
        forbid_step(l, s->cycle.at[i]);
    }
    vec_push(l->job->mem, &l->lemmas, lemma);
    l->job->out->stats.clauses++;
    l->refuted = l->clause.n == 0;
    if (!l->refuted)
        sat_clause(&l->sat, l->clause.at, l->clause.n);
}

static void record_learned(void *arg, const int *literals, size_t count)
{
    struct lazy *l = arg;
    for (size_t i = 0; i < count; i++)
        vec_push(l->job->mem, &l->learned, literals[i]);
    vec_push(l->job->mem, &l->learned, 0);
    l->job->out->stats.conflicts++;
}

/* ---- the model of the solver as a store order ---- */

static void read_model(struct lazy *l)
{
    for (uint32_t i = 0; i < l->pairs.open.n; i++) {
        l->pairs.value[i] = sat_value(&l->sat, (int)i + 1);
        budget_tick(l->job->budget);
    }
    pairs_count(&l->pairs);
}

/* v is before w but has no more writes behind it: some u is behind w and before v. */
static void forbid_triangle(struct lazy *l, uint32_t x, uint32_t v, uint32_t w)
{
    const struct groups *order = &l->stored.order;
    for (uint32_t i = order->at[x]; i < order->at[x + 1]; i++) {
        uint32_t u = order->list[i];
        if (u == v || u == w || !pairs_before(&l->pairs, w, u) || !pairs_before(&l->pairs, u, v))
            continue;
        struct stored_step steps[] = {{v, w, STORED_WW}, {w, u, STORED_WW}, {u, v, STORED_WW}};
        vec_clear(&l->stored.cycle);
        for (int j = 0; j < 3; j++)
            vec_push(l->job->mem, &l->stored.cycle, steps[j]);
        forbid_cycle(l, 0);
        return;
    }
}

static void forbid_triangles(struct lazy *l, uint32_t x)
{
    const struct groups *order = &l->stored.order;
    uint64_t most = l->job->out->stats.clauses + TRIANGLES_AT_ONCE;
    for (uint32_t i = order->at[x]; i < order->at[x + 1]; i++)
        for (uint32_t j = order->at[x]; j < order->at[x + 1]; j++) {
            uint32_t v = order->list[i], w = order->list[j];
            if (v == w || l->pairs.wins[v] > l->pairs.wins[w] || !pairs_before(&l->pairs, v, w))
                continue;
            forbid_triangle(l, x, v, w);
            if (l->job->out->stats.clauses >= most)
                return;
        }
}

static bool order_writes(struct lazy *l)
{
    bool transitive = true;
    for (uint32_t x = 0; x < l->job->rw->d; x++)
        if (!pairs_sort(&l->pairs, x, &l->stored.order)) {
            forbid_triangles(l, x);
            transitive = false;
        }
    stored_ordered(&l->stored);
    return transitive;
}

/* ---- sources ---- */

/* An open operation that did not happen stays in the graphs as a write without readers. It is the last of its thread
 * and can be the last of its variable, so that no edge leaves it. But it has no source. */
static void choose_happened(struct lazy *l)
{
    const struct candidates *c = l->candidates;
    const struct rw *v = l->job->rw;
    if (!v->open)
        return;
    memset(l->happened, 0, v->n * sizeof *l->happened);
    for (uint32_t i = 0; i < c->final_at[v->d]; i++)
        if (c->final[i] != RW_INIT && sat_value(&l->sat, final_variable(l, i)))
            l->happened[c->final[i]] = v->open[c->final[i]];
    candidates_happened(v, l->src, l->happened);
    for (uint32_t e = 0; e < v->n; e++)
        if (v->open[e] && !l->happened[e])
            l->src[e] = RW_THIN;
}

static void choose_sources(struct lazy *l)
{
    const struct candidates *c = l->candidates;
    const struct rw *v = l->job->rw;
    if (!c)
        return;
    for (uint32_t e = 0; e < v->n; e++) {
        if (!(v->kind[e] & RW_READS))
            continue;
        uint32_t i = c->at[e];
        while (i + 1 < c->at[e + 1] && !sat_value(&l->sat, source_variable(l, i)))
            i++;
        l->src[e] = c->source[i];
    }
    choose_happened(l);
    stored_sources(&l->stored, l->src);
}

static void begin_clause(struct lazy *l, int literal)
{
    vec_clear(&l->clause);
    if (literal)
        vec_push(l->job->mem, &l->clause, literal);
}

static void end_clause(struct lazy *l)
{
    sat_clause(&l->sat, l->clause.at, l->clause.n);
}

/* The source of a read happened. */
static void state_read_from(struct lazy *l, uint32_t e)
{
    const struct candidates *c = l->candidates;
    for (uint32_t i = c->at[e]; i < c->at[e + 1]; i++) {
        if (c->source[i] == RW_INIT || !is_open(l, c->source[i]))
            continue;
        begin_clause(l, has_choice(l, e) ? -source_variable(l, i) : 0);
        vec_push(l->job->mem, &l->clause, open_variable(l, c->source[i]));
        end_clause(l);
    }
}

/* Each read that happened takes its value from a candidate. False: one has none. */
static bool state_candidates(struct lazy *l)
{
    const struct candidates *c = l->candidates;
    const struct rw *v = l->job->rw;
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t first = c->at[e], end = c->at[e + 1];
        if (!(v->kind[e] & RW_READS))
            continue;
        if (first == end && !is_open(l, e))
            return false;
        state_read_from(l, e);
        if (!has_choice(l, e))
            continue;
        begin_clause(l, is_open(l, e) ? -open_variable(l, e) : 0);
        for (uint32_t i = first; i < end; i++)
            vec_push(l->job->mem, &l->clause, source_variable(l, i));
        end_clause(l);
    }
    return true;
}

/* The i-th candidate is the last write of its variable x: it happened, and all others that did come before it. The
 * initial value is the last if no write happened. */
static void state_last_write(struct lazy *l, uint32_t x, uint32_t i)
{
    const struct groups *order = &l->stored.order;
    uint32_t last = l->candidates->final[i];
    if (last != RW_INIT && is_open(l, last)) {
        begin_clause(l, -final_variable(l, i));
        vec_push(l->job->mem, &l->clause, open_variable(l, last));
        end_clause(l);
    }
    for (uint32_t j = order->at[x]; j < order->at[x + 1]; j++) {
        uint32_t other = order->list[j];
        if (other == last)
            continue;
        begin_clause(l, -final_variable(l, i));
        if (is_open(l, other))
            vec_push(l->job->mem, &l->clause, -open_variable(l, other));
        if (last != RW_INIT)
            vec_push(l->job->mem, &l->clause, pairs_literal(&l->pairs, other, last));
        end_clause(l);
    }
}

/* One of the writes of the declared final value is the last. */
static bool state_final(struct lazy *l)
{
    const struct candidates *c = l->candidates;
    const struct rw *v = l->job->rw;
    for (uint32_t x = 0; v->final && x < v->d; x++) {
        uint32_t first = c->final_at[x], end = c->final_at[x + 1];
        if (v->final[x] == RW_UNSAID)
            continue;
        if (first == end)
            return false;
        for (uint32_t i = first; i < end; i++)
            state_last_write(l, x, i);
        begin_clause(l, 0);
        for (uint32_t i = first; i < end; i++)
            vec_push(l->job->mem, &l->clause, final_variable(l, i));
        end_clause(l);
    }
    return true;
}

/* Declared final values that are not among the fixed pairs: nothing comes after the last write. */
static void state_last(struct lazy *l)
{
    const struct rw *v = l->job->rw;
    const struct groups *order = &l->stored.order;
    for (uint32_t x = 0; v->final && x < v->d; x++) {
        if (v->final[x] >= RW_UNSAID)
            continue;
        for (uint32_t i = order->at[x]; i < order->at[x + 1] && !l->refuted; i++) {
            struct stored_step step = {v->final[x], order->list[i], STORED_WW};
            if (step.from == step.to || l->fixed.stored(l->fixed.arg, step.to, step.from))
                continue;
            vec_clear(&l->stored.cycle);
            vec_push(l->job->mem, &l->stored.cycle, step);
            forbid_cycle(l, 0);
        }
    }
}

/* ---- the search ---- */

/* Clauses from short cycles of the graph looked at last, which together cover most of its
 * components. */
static void forbid_cycles(struct lazy *l, uint32_t frame)
{
    struct stored *s = &l->stored;
    uint32_t found = 0;
    l->round++;
    for (uint32_t i = 0; i < s->placed && found < CYCLES_AT_ONCE && !l->refuted; i++) {
        uint32_t e = s->sorted[i];
        if (l->covered[e] == l->round || !stored_on_cycle(s, i))
            continue;
        stored_cycle(s, e);
        for (uint32_t j = 0; j < s->cycle.n; j++)
            l->covered[s->cycle.at[j].from] = l->round;
        forbid_cycle(l, frame);
        found++;
    }
}

/* True: the store order explains the history. */
static bool explained(struct lazy *l)
{
    bool acyclic = true;
    for (uint32_t frame = l->frames.count; frame-- > 0 && !l->refuted;)
        if (!stored_acyclic(&l->stored, frame)) {
            forbid_cycles(l, frame);
            acyclic = false;
        }
    return acyclic;
}

static bool search(struct lazy *l)
{
    while (!l->refuted && sat_solve(&l->sat)) {
        read_model(l);
        choose_sources(l);
        if (order_writes(l) && explained(l))
            return true;
    }
    return false;
}

/* ---- evidence ---- */

static assay_rule frame_rule(const struct lazy *l, uint32_t frame)
{
    return l->frames.count == 1 ? ASSAY_PO : frame == 0 ? ASSAY_PPO : ASSAY_LOC;
}

/* v before w, as the reason of a fixed pair (a declared final value), or ASSAY_NO_REASON: it is
 * assumed. */
static uint32_t stored_reason(struct lazy *l, uint32_t v, uint32_t w)
{
    const uint32_t *op = l->job->rw->op;
    if (pairs_literal(&l->pairs, v, w))
        return ASSAY_NO_REASON;
    return evidence_reason(&l->job->out->evidence, ASSAY_WW, op[v], op[w], ASSAY_NO_OPERATION);
}

static void stored_step(struct lazy *l, uint32_t v, uint32_t w, uint32_t reason)
{
    const uint32_t *op = l->job->rw->op;
    evidence_step(&l->job->out->evidence, reason == ASSAY_NO_REASON ? ASSAY_CASE : ASSAY_WW, op[v], op[w], reason);
}

/* Why a step holds, or ASSAY_NO_REASON. */
static uint32_t reason_of(struct lazy *l, struct stored_step step)
{
    const uint32_t *op = l->job->rw->op;
    uint32_t source = l->src[step.from];
    if (step.kind == STORED_WW)
        return stored_reason(l, step.from, step.to);
    if (step.kind != STORED_RW)
        return ASSAY_NO_REASON;
    if (source != RW_INIT)
        stored_step(l, source, step.to, stored_reason(l, source, step.to));
    return evidence_reason(&l->job->out->evidence, ASSAY_RW, op[step.from], op[step.to], op[step.from]);
}

/* The steps of a cycle, those of the frame's order joined: between them there may be fences, which
 * are no operations of the memory. */
static void write_steps(struct lazy *l, struct lazy_lemma lemma)
{
    const struct stored_step *steps = l->steps.at + lemma.at;
    const uint32_t *op = l->job->rw->op;
    struct evidence *ev = &l->job->out->evidence;
    uint32_t *reasons = mem_new(l->job->mem, uint32_t, lemma.count), start = 0;
    for (uint32_t i = 0; i < lemma.count; i++)
        reasons[i] = reason_of(l, steps[i]);
    while (steps[start].kind == STORED_PO)
        start++;
    for (uint32_t i = 0; i < lemma.count;) {
        uint32_t at = (start + i++) % lemma.count, from = steps[at].from, to = steps[at].to;
        if (steps[at].kind == STORED_PO) {
            for (; i < lemma.count && steps[(start + i) % lemma.count].kind == STORED_PO; i++)
                to = steps[(start + i) % lemma.count].to;
            evidence_step(ev, frame_rule(l, lemma.frame), op[from], op[to], ASSAY_NO_REASON);
        } else if (steps[at].kind == STORED_WW) {
            stored_step(l, from, to, reasons[at]);
        } else {
            evidence_step(ev, steps[at].kind == STORED_WR ? ASSAY_WR : ASSAY_RW, op[from], op[to], reasons[at]);
        }
    }
    mem_free(l->job->mem, reasons);
}

/* Assumes a lemma's pairs in the forced order, which runs into a conflict, and explains that. */
static void forced_lemma(struct lazy *l, struct forced_order *w, struct unravel *u, struct lazy_lemma lemma)
{
    struct forced_mark mark = forced_mark(w);
    bool closed = true;
    for (uint32_t i = lemma.at; closed && i < lemma.at + lemma.count; i++) {
        struct stored_step step = l->steps.at[i];
        uint32_t source = step.kind == STORED_RW ? l->src[step.from] : step.from;
        if ((step.kind != STORED_WW && step.kind != STORED_RW) || source == RW_INIT)
            continue;
        forced_assume(w, source, step.to, ID_NONE);
        closed = forced_close(w);
    }
    unravel_conflict(u);
    evidence_lemma(&l->job->out->evidence);
    forced_undo(w, mark);
}

/* A saturation that is weaker than the forced order may have left pairs that the forced order refutes at once. */
static void forced_lemmas(struct lazy *l)
{
    struct forced_order fresh, *w = l->forced ? l->forced : &fresh;
    struct unravel u;
    if (!l->forced && serial_forced_order(l->job, l->causal, w))
        return;
    unravel_init(&u, l->job, w);
    for (uint32_t i = 0; i < l->lemmas.n; i++)
        forced_lemma(l, w, &u, l->lemmas.at[i]);
}

static void write_learned(struct lazy *l)
{
    struct evidence *ev = &l->job->out->evidence;
    const uint32_t *op = l->job->rw->op;
    for (uint32_t i = 0; i < l->learned.n; i++) {
        if (i == 0 || l->learned.at[i - 1] == 0)
            evidence_begin_learned(ev);
        int literal = l->learned.at[i];
        if (!literal)
            continue;
        struct open_pair pair = l->pairs.open.at[(literal > 0 ? literal : -literal) - 1];
        if (literal > 0) /* the clause has the literal; its pairs cannot all hold */
            evidence_pair(ev, op[pair.second], op[pair.first]);
        else
            evidence_pair(ev, op[pair.first], op[pair.second]);
    }
}

static void refute(struct lazy *l)
{
    struct evidence *ev = &l->job->out->evidence;
    l->job->out->verdict = ASSAY_VIOLATION;
    ev->pattern = l->candidates ? PATTERN_NoSources : PATTERN_NoStoreOrder;
    if (l->candidates)
        return; /* recheck searches again: evidence has no words for the choice of sources */
    if (l->causal) {
        forced_lemmas(l);
    } else if (l->refuted) {
        write_steps(l, vec_last(&l->lemmas));
        evidence_cycle(ev, PATTERN_ForcedCycle);
    } else {
        for (uint32_t i = 0; i < l->lemmas.n; i++) {
            write_steps(l, l->lemmas.at[i]);
            evidence_lemma(ev);
        }
    }
    if (!ev->cycle_count)
        write_learned(l);
}

static void accept(struct lazy *l)
{
    struct job job = *l->job;
    struct rw decided;
    rw_decided(l->job->rw, l->happened, l->src, &decided, l->job->mem);
    job.rw = &decided;
    job.out->verdict = ASSAY_CONSISTENT;
    if (job.witness) /* the first frame was looked at last */
        explain_order(&job, ASSAY_NO_THREAD, l->stored.sorted, l->stored.placed);
    if (job.witness && l->candidates)
        explain_sources(&job, l->candidates, l->src);
    job.out->evidence.witness = job.witness;
}

/* ---- the run ---- */

bool lazy_fits(const struct rw *v)
{
    uint64_t pairs = 0;
    for (uint32_t x = 0; x < v->d; x++) {
        uint64_t writes = v->groups[v->groups_of[x + 1]].from - v->groups[v->groups_of[x]].from;
        pairs += writes * (writes + 1) / 2 - writes;
    }
    return pairs <= MOST_PAIRS;
}

static void set_up(struct lazy *l)
{
    struct job *job = l->job;
    const struct rw *v = job->rw;
    frames_init(&l->frames, v, serial_memory(job), job->mem);
    stored_init(&l->stored, &l->frames, job->mem, job->budget);
    if (!pairs_init(&l->pairs, v, &l->stored.order, l->rank, l->fixed, MOST_PAIRS, job->mem, job->budget)) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "the SAT engines take at most %d pairs of writes whose order is open", MOST_PAIRS);
        error_remedy(job->error, l->candidates
                                     ? "record each write of a variable with a value of its own"
                                     : "leave the choice of the engine to assay, or check fewer operations at once");
        escape_raise(ESCAPE_ERROR);
    }
    job->out->stats.pairs = l->pairs.open.n;
    l->src = mem_new(job->mem, uint32_t, v->n);
    memcpy(l->src, v->src, v->n * sizeof *l->src);
    l->happened = mem_new_zero(job->mem, bool, v->n);
    l->covered = mem_new_zero(job->mem, uint32_t, v->n);
}

static void decide(void *arg)
{
    struct lazy *l = arg;
    l->sat.learned = l->candidates ? NULL : record_learned;
    l->sat.arg = l;
    solver_open(l->job, &l->sat);
    if (!l->candidates)
        state_last(l);
    if (l->candidates && (!state_candidates(l) || !state_final(l)))
        refute(l);
    else if (search(l))
        accept(l);
    else
        refute(l);
}

void lazy_run(struct lazy *l)
{
    set_up(l);
    enum escape left = escape_run(decide, l);
    sat_close(&l->sat);
    if (left)
        escape_raise(left);
}
