/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/source_cases.h"

#include "memory/candidates.h"
#include "memory/judging.h"

#include <string.h>

enum {
    MOST_CASES = 32,
    MOST_STEPS = 1 << 16, /* of the search for the next choice */
    EFFORT = 1 << 22      /* ticks of all judgements */
};

struct literal { /* the read has this source */
    uint32_t read, source;
};

struct sourcing {
    struct job *job;
    const struct candidates *c;
    struct judging judging;
    uint32_t *src;           /* of each event; RW_THIN: a read that is not decided yet */
    VEC(struct literal) all; /* of the cases */
    VEC(uint32_t) ends;      /* in `all` */
    VEC(uint32_t) reads;     /* that some case names */
    uint32_t steps;
};

/* In `all`. */
static uint32_t first_of(const struct sourcing *s, uint32_t i)
{
    return i ? s->ends.at[i - 1] : 0;
}

/* ---- the next choice ---- */

static bool is_covered(const struct sourcing *s)
{
    for (uint32_t i = 0; i < s->ends.n; i++) {
        bool all = true;
        for (uint32_t l = first_of(s, i); l < s->ends.at[i] && all; l++)
            all = s->src[s->all.at[l].read] == s->all.at[l].source;
        if (all)
            return true;
    }
    return false;
}

/* Sources for the reads from the k-th on. False: each choice is covered, or it took too long. */
static bool choose(struct sourcing *s, uint32_t k)
{
    if (is_covered(s) || s->steps++ > MOST_STEPS)
        return false;
    if (k == s->reads.n)
        return true;
    uint32_t read = s->reads.at[k];
    for (uint32_t i = s->c->at[read]; i < s->c->at[read + 1]; i++) {
        s->src[read] = s->c->source[i];
        if (choose(s, k + 1))
            return true;
    }
    s->src[read] = RW_THIN;
    return false;
}

static bool next_choice(struct sourcing *s)
{
    for (uint32_t k = 0; k < s->reads.n; k++)
        s->src[s->reads.at[k]] = RW_THIN;
    s->steps = 0;
    return choose(s, 0);
}

/* ---- the cases ---- */

static void name_read(void *arg, uint32_t read)
{
    struct sourcing *s = arg;
    struct mem *m = s->job->mem;
    uint32_t from = s->ends.n ? vec_last(&s->ends) : 0, k = 0;
    if (s->c->at[read + 1] - s->c->at[read] < 2)
        return;
    for (uint32_t l = from; l < s->all.n; l++)
        if (s->all.at[l].read == read)
            return;
    vec_push(m, &s->all, ((struct literal){read, s->src[read]}));
    while (k < s->reads.n && s->reads.at[k] != read)
        k++;
    if (k == s->reads.n)
        vec_push(m, &s->reads, read);
}

static void add_case(struct sourcing *s)
{
    const uint32_t *op = s->job->rw->op;
    struct evidence *c = evidence_case(&s->job->out->evidence, &s->judging.judgement.evidence);
    uint32_t from = s->all.n;
    judging_reads(&s->judging, name_read, s);
    for (uint32_t l = from; l < s->all.n; l++) {
        uint32_t source = s->all.at[l].source;
        evidence_source(c, source == RW_INIT ? ASSAY_NO_OPERATION : op[source], op[s->all.at[l].read]);
    }
    vec_push(s->job->mem, &s->ends, s->all.n);
}

/* Does the case assume all that the other one does? */
static bool assumes(const struct sourcing *s, uint32_t i, uint32_t other)
{
    bool all = true;
    for (uint32_t l = first_of(s, other); l < s->ends.at[other] && all; l++) {
        const struct literal *wanted = &s->all.at[l];
        uint32_t k = first_of(s, i);
        while (k < s->ends.at[i] && (s->all.at[k].read != wanted->read || s->all.at[k].source != wanted->source))
            k++;
        all = k < s->ends.at[i];
    }
    return all;
}

/* A case may be a part of one that was found later. */
static void drop_implied(const struct sourcing *s, struct evidence *ev)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < ev->cases.n; i++) {
        bool implied = false;
        for (uint32_t other = i + 1; other < s->ends.n && !implied; other++)
            implied = assumes(s, i, other);
        if (!implied)
            ev->cases.at[kept++] = ev->cases.at[i];
    }
    ev->cases.n = kept;
}

static void find_cases(void *arg)
{
    struct sourcing *s = arg;
    const struct rw *v = s->job->rw;
    struct evidence *ev = &s->job->out->evidence;
    bool *happened = mem_new_zero(s->job->mem, bool, v->n + 1);
    judging_init(&s->judging, s->job);
    bool few = true;
    while (few && next_choice(s)) {
        few = ev->cases.n < MOST_CASES && !judging_is_fine(&s->judging, happened, s->src);
        if (few)
            add_case(s);
    }
    if (!few || s->steps > MOST_STEPS)
        vec_clear(&ev->cases);
    drop_implied(s, ev);
}

void source_cases(struct job *job)
{
    const struct rw *v = job->rw;
    struct sourcing s = {.job = job};
    if (!job->explain || v->open || v->final) /* an open operation, or the last write, is a choice, too */
        return;
    s.c = candidates_of(job->h, v, job->mem);
    s.src = mem_new(job->mem, uint32_t, v->a);
    memcpy(s.src, v->src, v->a * sizeof *s.src);
    for (uint32_t e = 0; e < v->n; e++)
        if (s.c->at[e] < s.c->at[e + 1])
            s.src[e] = s.c->source[s.c->at[e]];
    budget_allow(job->budget, EFFORT);
    enum escape left = escape_run(find_cases, &s);
    budget_allow(job->budget, 0);
    judging_release(&s.judging);
    if (left)
        vec_clear(&job->out->evidence.cases);
    if (left == ESCAPE_OUT_OF_MEMORY) /* else the report would depend on the machine's memory */
        escape_raise(left);
}
