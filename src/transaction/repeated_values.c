/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/repeated_values.h"

#include "memory/solver.h"
#include "transaction/sources.h"

#include <string.h>

enum { FEW_CANDIDATES = 8 /* of a read, at first */, MOST_CANDIDATES = 1 << 22 /* of all reads */ };
enum { SOME_STEPS = 64, READS_PER_STEP = 16 }; /* steps without the solver */

struct literal { /* the read has this source */
    uint32_t read, source;
};

struct sourced {
    struct job *job;
    void (*judge)(struct job *job);
    struct gathered g; /* its outcomes are those of the history */
    struct txn_candidates candidates;
    uint32_t *read_op;           /* of a read: its operation */
    uint32_t *at;                /* of a read: its candidates are source[at[i]] .., if it has several */
    VEC(uint32_t) source;        /* writes, or TXN_INIT */
    VEC(uint32_t) cost;          /* of each: how unlikely it is */
    uint32_t *pick;              /* of a read: the place of its source in these, until the solver chooses */
    uint32_t steps;              /* so many further choices are made without the solver */
    uint32_t *same;              /* of a read: the one that is chosen for both; itself mostly */
    uint32_t *seen;              /* of the first access that writes a value: the last read of it so far */
    uint32_t *chosen;            /* of a read of a value that was written again: as in sources.h */
    uint32_t *taken_by;          /* of an unknown operation that counts with this choice: the read that is why */
    bool *several;               /* of a read: has it several candidates? */
    bool *named;                 /* reads that the clause at hand has */
    VEC(uint32_t) premises;      /* these */
    VEC(struct literal) nogoods; /* sources that are not chosen together */
    VEC(uint32_t) nogood_ends;   /* in nogoods */
    VEC(int) clause;             /* at hand */
    uint32_t told;               /* so many of them the solver knows */
    bool few;                    /* candidates were left out */
    struct sat sat;
    struct mem working; /* of one judgement */
    result judgement;
};

/* ---- candidates ---- */

/* Of the value that the read returned: is it the initial one, and the first access that writes it. */
static bool is_initial(const struct sourced *s, uint32_t i, uint32_t *access)
{
    const struct gathered *g = &s->g;
    const struct gathered_read *r = &g->reads.at[i];
    struct value v = history_arg(g->h, s->read_op[i], 3 * r->access + 2);
    *access = gathered_find(g, r->key, v);
    return value_same(v, gathered_initial(&g->keys.at[r->key]));
}

/* The likely source, and whether there are others. */
static void guess_source(struct sourced *s, uint32_t i)
{
    uint32_t access;
    bool initial = is_initial(s, i, &access);
    s->same[i] = i;
    if (s->g.reads.at[i].list != ID_NONE || !txn_value_repeats(&s->g, access, initial))
        return;
    txn_candidates_find(&s->candidates, &s->g, s->read_op[i], access, initial, 2);
    s->chosen[i] = s->candidates.found.n ? s->candidates.found.at[0] : SOURCE_NONE;
    s->several[i] = s->candidates.found.n > 1;
    uint32_t before = s->seen[access]; /* a read of the same key and value */
    if (before != ID_NONE && s->read_op[before] == s->read_op[i] && !(s->job->model->conditions & COND_RC))
        s->same[i] = s->same[before];
    s->seen[access] = i;
}

static void prepare(struct sourced *s)
{
    struct mem *m = s->job->mem;
    struct gathered *g = &s->g;
    *g = (struct gathered){.h = s->job->h, .m = m, .e = s->job->error};
    gather(g);
    s->candidates.m = m;
    s->read_op = mem_new(m, uint32_t, (size_t)g->reads.n + 1);
    s->same = mem_new(m, uint32_t, (size_t)g->reads.n + 1);
    s->seen = mem_new_ids(m, (size_t)history_accesses(g->h, g->h->n) + 1);
    s->chosen = mem_new_ids(m, (size_t)g->reads.n + 1);
    s->taken_by = mem_new_ids(m, (size_t)g->h->n + 1);
    s->several = mem_new_zero(m, bool, (size_t)g->reads.n + 1);
    s->named = mem_new_zero(m, bool, (size_t)g->reads.n + 1);
    for (uint32_t op = 0; op < g->h->n; op++)
        for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
            s->read_op[i] = op;
            guess_source(s, i);
        }
}

/* The candidates of each read, the guess first; not more than `most`. False: there are too many. */
static bool list_candidates(struct sourced *s, uint32_t most)
{
    const struct gathered *g = &s->g;
    struct mem *m = s->job->mem;
    if (!s->at) {
        s->at = mem_new(m, uint32_t, (size_t)g->reads.n + 1);
        s->pick = mem_new(m, uint32_t, (size_t)g->reads.n + 1);
        s->steps = SOME_STEPS + g->reads.n / READS_PER_STEP;
    }
    vec_clear(&s->source);
    vec_clear(&s->cost);
    s->few = false;
    for (uint32_t i = 0; i < g->reads.n; i++) {
        uint32_t access;
        s->at[i] = s->pick[i] = s->source.n;
        if (!s->several[i] || s->same[i] != i)
            continue;
        bool initial = is_initial(s, i, &access);
        txn_candidates_find(&s->candidates, g, s->read_op[i], access, initial, most);
        s->few |= s->candidates.found.n == most;
        if (s->source.n + s->candidates.found.n > MOST_CANDIDATES)
            return false;
        for (uint32_t k = 0; k < s->candidates.found.n; k++) {
            vec_push(m, &s->source, s->candidates.found.at[k]);
            vec_push(m, &s->cost, s->candidates.cost.at[k]);
        }
    }
    s->at[g->reads.n] = s->source.n;
    return true;
}

/* ---- judging a choice ---- */

/* The view with the sources chosen. The parts that the search for them changes are copied. */
static struct txn_view *chosen_view(struct sourced *s)
{
    struct gathered g = s->g;
    struct sources sources = {
        .g = &g, .candidates = s->candidates, .chosen = s->chosen, .several = s->several, .taken_by = s->taken_by};
    g.m = &s->working;
    g.outcome = mem_new(g.m, uint8_t, (size_t)g.h->n + 1);
    memcpy(g.outcome, s->g.outcome, g.h->n * sizeof *g.outcome);
    memset(&g.anomalies, 0, sizeof g.anomalies);
    for (uint32_t i = 0; i < s->g.anomalies.n; i++)
        vec_push(g.m, &g.anomalies, s->g.anomalies.at[i]);
    memset(s->taken_by, 0xFF, g.h->n * sizeof *s->taken_by);
    return txn_view_of(&g, &sources, s->job->model->base, s->job->out->skew);
}

static void judge(struct sourced *s)
{
    struct job job = *s->job;
    s->judgement = (result){.h = job.h, .model = job.model, .skew = job.out->skew};
    s->judgement.evidence = evidence_in(&s->judgement.mem);
    s->working.limit = job.mem->limit;
    job.mem = &s->working;
    job.out = &s->judgement;
    job.variant = NULL;
    job.witness = false; /* most choices have none */
    job.txns = chosen_view(s);
    s->judge(&job);
}

/* The choice at hand is a good one. */
static void accept(struct sourced *s)
{
    struct job job = *s->job;
    const struct gathered *g = &s->g;
    struct evidence *ev = &job.out->evidence;
    job.variant = NULL;
    job.txns = chosen_view(s);
    s->judge(&job);
    for (uint32_t i = 0; job.witness && i < g->reads.n; i++) {
        uint32_t op = s->read_op[i];
        bool counts = g->outcome[op] == OUTCOME_COMMITTED || s->taken_by[op] != ID_NONE;
        if (counts && s->several[i])
            evidence_access_source(ev, s->chosen[i] == TXN_INIT ? ASSAY_NO_OPERATION : g->writes.at[s->chosen[i]].op,
                                   op, g->reads.at[i].access);
    }
}

/* ---- the sources that a refutation rests on ---- */

static uint32_t source_op(const struct sourced *s, uint32_t i)
{
    uint32_t w = s->g.reads.at[i].source;
    return w == TXN_INIT ? ASSAY_NO_OPERATION : s->g.writes.at[w].op;
}

static bool writes_key(const struct sourced *s, uint32_t op, uint32_t key)
{
    for (uint32_t w = s->g.writes_at[op]; w < s->g.writes_at[op + 1]; w++)
        if (s->g.writes.at[w].key == key)
            return true;
    return false;
}

static void name_read(struct sourced *s, uint32_t i)
{
    if (!s->several[i] || s->named[s->same[i]])
        return;
    s->named[s->same[i]] = true;
    vec_push(s->job->mem, &s->premises, s->same[i]);
}

/* Names a read of the operation from the source, of a key that `writer` writes, or of any. One without a choice is
 * best. For rc the place of the read matters: it is the first one, or the last. */
static void name_read_from(struct sourced *s, uint32_t op, uint32_t source, uint32_t writer, bool last)
{
    uint32_t best = ID_NONE;
    bool in_order = s->job->model->conditions & COND_RC;
    for (uint32_t i = s->g.reads_at[op]; i < s->g.reads_at[op + 1]; i++) {
        if (source_op(s, i) != source || (writer != ASSAY_NO_OPERATION && !writes_key(s, writer, s->g.reads.at[i].key)))
            continue;
        bool better = in_order ? last : !s->several[i] || s->named[s->same[i]];
        if (best == ID_NONE || better)
            best = i;
    }
    if (best != ID_NONE)
        name_read(s, best);
}

/* An unknown operation counts by the reads that took it. */
static void name_taken(struct sourced *s, uint32_t op)
{
    while (op != ASSAY_NO_OPERATION && s->taken_by[op] != ID_NONE) {
        name_read(s, s->taken_by[op]);
        op = s->read_op[s->taken_by[op]];
    }
}

static void name_steps(struct sourced *s, const struct evidence *ev)
{
    bool lists = false;
    for (uint32_t i = 0; i < ev->steps.n; i++) {
        const assay_step *step = &ev->steps.at[i];
        if (step->rule == ASSAY_WR)
            name_read_from(s, step->to, step->from, ASSAY_NO_OPERATION, false);
        lists |= step->rule == ASSAY_VO;
        name_taken(s, step->from);
        name_taken(s, step->to);
    }
    for (uint32_t op = 0; lists && op < s->g.h->n; op++) /* they may have shown the lists */
        name_taken(s, op);
}

static void name_reasons(struct sourced *s, const struct evidence *ev)
{
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        const struct reason *r = &ev->reasons.at[i];
        name_taken(s, r->from);
        name_taken(s, r->to);
        name_taken(s, r->read);
        if (r->rule == ASSAY_CF)
            name_read_from(s, r->read, r->to, r->from, true);
        if (r->rule == ASSAY_RW)
            name_read_from(s, r->from, r->path_count ? ev->steps.at[r->path_at].from : ASSAY_NO_OPERATION, r->to, true);
    }
}

/* A fault of a read does not depend on choices, but on the transactions that count. Nor does a NonRepeatableRead: equal
 * values of one key have one source here, so the values are different. */
static void name_culprit(struct sourced *s, const struct evidence *ev)
{
    if (ev->culprit == ASSAY_NO_OPERATION)
        return;
    for (uint32_t op = 0; op < s->g.h->n; op++)
        name_taken(s, op);
}

static void find_premises(struct sourced *s)
{
    const struct evidence *ev = &s->judgement.evidence;
    for (uint32_t i = 0; i < s->premises.n; i++)
        s->named[s->premises.at[i]] = false;
    vec_clear(&s->premises);
    name_steps(s, ev);
    name_reasons(s, ev);
    name_culprit(s, ev);
}

static void add_case(struct sourced *s)
{
    struct evidence *c = evidence_case(&s->job->out->evidence, &s->judgement.evidence);
    for (uint32_t i = 0; i < s->premises.n; i++) {
        uint32_t read = s->premises.at[i];
        struct literal l = {read, s->chosen[read]};
        evidence_access_source(c, source_op(s, read), s->read_op[read], s->g.reads.at[read].access);
        vec_push(s->job->mem, &s->nogoods, l);
    }
    vec_push(s->job->mem, &s->nogood_ends, s->nogoods.n);
    s->job->out->stats.clauses++;
}

/* ---- the next choice ---- */

/* The variable of a candidate is its place in source[], counted from 1. */
static void state_choices(struct sourced *s)
{
    for (uint32_t i = 0; i < s->g.reads.n; i++) {
        vec_clear(&s->clause);
        for (uint32_t k = s->at[i]; k < s->at[i + 1]; k++)
            vec_push(s->job->mem, &s->clause, (int)k + 1);
        if (s->clause.n)
            sat_clause(&s->sat, s->clause.at, s->clause.n);
    }
}

/* The variable of the source, or 0: it is none of the candidates that were listed. */
static int variable_of(const struct sourced *s, struct literal l)
{
    for (uint32_t k = s->at[l.read]; k < s->at[l.read + 1]; k++)
        if (s->source.at[k] == l.source)
            return (int)k + 1;
    return 0;
}

static void tell_nogood(struct sourced *s, uint32_t from, uint32_t end)
{
    vec_clear(&s->clause);
    for (uint32_t i = from; i < end; i++) {
        int variable = variable_of(s, s->nogoods.at[i]);
        if (!variable) /* it cannot be chosen anyway */
            return;
        vec_push(s->job->mem, &s->clause, -variable);
    }
    sat_clause(&s->sat, s->clause.at, s->clause.n);
}

static void tell_nogoods(struct sourced *s)
{
    for (; s->told < s->nogood_ends.n; s->told++)
        tell_nogood(s, s->told ? s->nogood_ends.at[s->told - 1] : 0, s->nogood_ends.at[s->told]);
}

/* Takes the first of its candidates that the solver allows. */
static void read_choice(struct sourced *s)
{
    for (uint32_t i = 0; i < s->g.reads.n; i++) {
        if (!s->several[i])
            continue;
        uint32_t k = s->at[s->same[i]];
        while (!sat_value(&s->sat, (int)k + 1))
            k++;
        s->chosen[i] = s->source.at[k];
    }
}

static void give_up(struct sourced *s, const char *why)
{
    snprintf(s->job->out->undecided_text, UNDECIDED_TEXT,
             "values repeat; the likely sources of reads were tried, and %s", why);
    s->job->out->verdict = ASSAY_UNDECIDED;
    s->job->out->undecided = s->job->out->undecided_text;
}

/* Of the sources that the refutation rests on, the one that has the best substitute is replaced. A read never returns
 * to a source, so this comes to an end. False: none has a substitute. */
static bool replace_one(struct sourced *s)
{
    uint32_t best = ID_NONE, least = 0;
    for (uint32_t i = 0; i < s->premises.n; i++) {
        uint32_t read = s->premises.at[i], k = s->pick[read];
        if (k + 1 == s->at[read + 1])
            continue;
        uint32_t more = s->cost.at[k + 1] - s->cost.at[k];
        if (best == ID_NONE || more < least) {
            best = read;
            least = more;
        }
    }
    if (best == ID_NONE)
        return false;
    uint32_t source = s->source.at[++s->pick[best]], op = s->read_op[best];
    for (uint32_t i = best; i < s->g.reads_at[op + 1]; i++)
        if (s->several[i] && s->same[i] == best)
            s->chosen[i] = source;
    return true;
}

/* From so many candidates of each read. False: there are too many. */
static bool begin_choosing(struct sourced *s, uint32_t most)
{
    bool fine = list_candidates(s, most);
    if (!fine)
        give_up(s, "there are too many others");
    return fine;
}

static void begin_solver(struct sourced *s)
{
    sat_close(&s->sat);
    s->sat = (struct sat){0};
    solver_open(s->job, &s->sat);
    state_choices(s);
    s->told = 0;
    tell_nogoods(s);
}

static void refute(struct sourced *s)
{
    s->job->out->verdict = ASSAY_VIOLATION;
    s->job->out->evidence.pattern = PATTERN_NoSources;
}

/* A choice near the guess, then one of the solver among few candidates, and then among all. False: there is none. */
static bool next_choice(struct sourced *s)
{
    if (!s->at && !begin_choosing(s, FEW_CANDIDATES))
        return false;
    if (s->steps && replace_one(s)) {
        s->steps--;
        return true;
    }
    s->steps = 0;
    if (sat_missing()) {
        give_up(s, "there is no SAT solver for others");
        return false;
    }
    job_tries(s->job, "a SAT solver for the sources of reads");
    if (!s->sat.solver)
        begin_solver(s);
    tell_nogoods(s);
    while (!sat_solve(&s->sat)) {
        if (!s->few) {
            refute(s);
            return false;
        }
        if (!begin_choosing(s, MOST_CANDIDATES + 1))
            return false;
        begin_solver(s);
    }
    read_choice(s);
    return true;
}

/* ---- the search ---- */

/* The refutation needs no choice: it is that of the history. */
static void adopt(struct sourced *s)
{
    result *out = s->job->out;
    out->evidence = *vec_last(&out->evidence.cases);
    out->verdict = ASSAY_VIOLATION;
}

/* True: the search is over. */
static bool try_choice(struct sourced *s)
{
    judge(s);
    if (s->judgement.verdict == ASSAY_CONSISTENT) {
        accept(s);
        return true;
    }
    if (s->judgement.verdict == ASSAY_UNDECIDED) {
        give_up(s, s->judgement.undecided ? s->judgement.undecided : "they were not decided");
        return true;
    }
    find_premises(s);
    add_case(s);
    if (!s->premises.n)
        adopt(s);
    return !s->premises.n;
}

static void search(void *arg)
{
    struct sourced *s = arg;
    job_tries(s->job, "the likely sources of reads");
    do {
        mem_release(&s->working);
        mem_release(&s->judgement.mem);
        if (try_choice(s))
            return;
    } while (next_choice(s));
}

void txn_sourced_run(struct job *job, void (*complete)(struct job *job))
{
    struct sourced s = {.job = job, .judge = complete};
    if (!job->txns->open || job->txns->anomaly) {
        complete(job);
        return;
    }
    prepare(&s);
    enum escape left = escape_run(search, &s);
    sat_close(&s.sat);
    mem_release(&s.working);
    mem_release(&s.judgement.mem);
    if (left)
        escape_raise(left);
}
