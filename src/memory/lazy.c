/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/lazy.h"

enum {
    WORK = 1 << 24, /* in cells of clocks, of a search before a solver is asked */
    LEAST_CONFLICTS = 16,
    MOST_CONFLICTS = 1 << 12,
    MOST_PAIRS = 1 << 22,
    MANY_CELLS = 1 << 18,   /* of clocks: from here on a solver is cheaper, if there are few pairs of writes */
    EFFORT = 8,             /* per event */
    CYCLES_AT_ONCE = 64,    /* clauses from one graph in one round */
    TRIANGLES_AT_ONCE = 256 /* and from the pairs of one variable */
};

bool known_forced(const void *arg, uint32_t v, uint32_t w)
{
    return forced_stored(arg, v, w);
}

/* ---- clauses ---- */

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

/* The event whose write is before one of step.to in the store order, because of which the step holds; or ID_NONE. */
static uint32_t stored_before(const struct lazy *l, struct stored_step step)
{
    if (step.kind == STORED_WW)
        return step.from;
    if (step.kind != STORED_RW || l->choice.src[step.read] == RW_INIT)
        return ID_NONE;
    return rw_event(l->job->rw, l->choice.src[step.read]);
}

static void forbid_step(struct lazy *l, struct stored_step step)
{
    if (step.kind == STORED_RW || step.kind == STORED_WR)
        forbid(l, choice_chosen(&l->choice, step.read));
    uint32_t before = stored_before(l, step);
    if (before != ID_NONE)
        forbid(l, pairs_literal(&l->pairs, before, step.to));
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
    for (uint32_t i = 0; i < l->pairs.shown.n; i++) {
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
        uint32_t on[] = {rw_event(l->job->rw, v), rw_event(l->job->rw, w), rw_event(l->job->rw, u)};
        vec_clear(&l->stored.cycle);
        for (int j = 0; j < 3; j++) {
            struct stored_step step = {on[j], on[(j + 1) % 3], ID_NONE, STORED_WW};
            vec_push(l->job->mem, &l->stored.cycle, step);
        }
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

/* ---- final values ---- */

/* The i-th candidate is the last write of its variable x: it happened, and all others that did come before it. The
 * initial value is the last if no write happened. */
static void state_last_write(struct lazy *l, uint32_t x, uint32_t i)
{
    const struct groups *order = &l->stored.order;
    uint32_t last = l->candidates->final[i];
    int is_last = choice_final(&l->choice, i);
    if (choice_is_open(&l->choice, last))
        choice_imply(&l->choice, is_last, choice_open(&l->choice, last));
    for (uint32_t j = order->at[x]; j < order->at[x + 1]; j++) {
        uint32_t other = order->list[j];
        if (other == last)
            continue;
        vec_clear(&l->clause);
        vec_push(l->job->mem, &l->clause, -is_last);
        if (choice_is_open(&l->choice, other))
            vec_push(l->job->mem, &l->clause, -choice_open(&l->choice, other));
        if (last != RW_INIT)
            vec_push(l->job->mem, &l->clause, pairs_literal(&l->pairs, other, last));
        sat_clause(&l->sat, l->clause.at, l->clause.n);
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
        vec_clear(&l->clause);
        for (uint32_t i = first; i < end; i++)
            vec_push(l->job->mem, &l->clause, choice_final(&l->choice, i));
        sat_clause(&l->sat, l->clause.at, l->clause.n);
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
            struct stored_step step = {v->final[x], order->list[i], ID_NONE, STORED_WW};
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
        if (l->candidates) {
            choice_read(&l->choice);
            stored_sources(&l->stored, l->choice.src);
        }
        if (order_writes(l) && explained(l))
            return true;
    }
    return false;
}

/* ---- evidence ---- */

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
    uint32_t before = stored_before(l, step);
    if (step.kind == STORED_WW)
        return stored_reason(l, step.from, step.to);
    if (step.kind != STORED_RW)
        return ASSAY_NO_REASON;
    if (before != ID_NONE)
        stored_step(l, before, step.to, stored_reason(l, before, step.to));
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
            evidence_step(ev, frame_rule(l->frames.count, lemma.frame), op[from], op[to], ASSAY_NO_REASON);
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
        uint32_t before = stored_before(l, step);
        if (before == ID_NONE)
            continue;
        forced_assume(w, before, step.to, ID_NONE);
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
        uint32_t first, second;
        pairs_events(&l->pairs, (uint32_t)(literal > 0 ? literal : -literal), &first, &second);
        if (literal > 0) /* the clause has the literal; its pairs cannot all hold */
            evidence_pair(ev, op[second], op[first]);
        else
            evidence_pair(ev, op[first], op[second]);
    }
}

static void refute(struct lazy *l)
{
    struct evidence *ev = &l->job->out->evidence;
    l->job->out->verdict = ASSAY_VIOLATION;
    ev->pattern = l->candidates ? PATTERN_NoSources : PATTERN_NoStoreOrder;
    if (l->candidates)
        return; /* recheck searches again: evidence has no words for the choice of sources */
    if (l->causal || l->forced) {
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
    rw_decided(l->job->rw, l->choice.happened, l->choice.src, &decided, l->job->mem);
    job.rw = &decided;
    job.out->verdict = ASSAY_CONSISTENT;
    if (job.witness) /* the first frame was looked at last */
        explain_order(&job, ASSAY_NO_THREAD, l->stored.sorted, l->stored.placed);
    if (job.witness && l->candidates)
        explain_sources(&job, l->job->rw, l->choice.src);
    job.out->evidence.witness = job.witness;
}

/* ---- the run ---- */

uint64_t lazy_pairs(const struct rw *v)
{
    uint64_t pairs = 0;
    for (uint32_t x = 0; x < v->d; x++) {
        uint64_t writes = v->groups[v->groups_of[x + 1]].from - v->groups[v->groups_of[x]].from;
        pairs += writes * (writes + 1) / 2 - writes;
    }
    return pairs;
}

bool lazy_fits(const struct rw *v)
{
    return lazy_pairs(v) <= MOST_PAIRS;
}

bool lazy_is_cheap(const struct rw *v)
{
    return !sat_missing() && lazy_pairs(v) <= v->a && (uint64_t)v->n * v->k > MANY_CELLS;
}

uint64_t lazy_effort(const struct rw *v)
{
    return (uint64_t)v->n * EFFORT;
}

uint64_t lazy_after(const struct rw *v, uint64_t cells)
{
    uint64_t most = WORK / (cells + 1);
    if (sat_missing() || !lazy_fits(v))
        return 0;
    return most < LEAST_CONFLICTS ? LEAST_CONFLICTS : most > MOST_CONFLICTS ? MOST_CONFLICTS : most;
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
        error_remedy(job->error, "%s%s", job->asked ? "leave the choice of the engine to assay, or " : "",
                     l->candidates ? "record each write of a variable with a value of its own"
                                   : "check fewer operations at once");
        escape_raise(ESCAPE_ERROR);
    }
    job->out->stats.pairs = l->pairs.shown.n;
    choice_init(&l->choice, v, l->candidates, &l->sat, (int)l->pairs.shown.n + 1, job->mem);
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
    bool stated = !l->candidates || (choice_state(&l->choice) && state_final(l));
    l->found = stated && search(l);
    if (!l->found)
        refute(l);
}

bool lazy_order(struct lazy *l)
{
    set_up(l);
    enum escape left = escape_run(decide, l);
    sat_close(&l->sat);
    if (left)
        escape_raise(left);
    return l->found;
}

void lazy_run(struct lazy *l)
{
    if (lazy_order(l))
        accept(l);
}
