/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `jit`: all linearizations at once, event by event, with each operation as late as its return allows.
 * search/configurations.h has the idea and the invariant. */
#include "search/jit.h"

#include "search/configurations.h"
#include "search/linear.h"

enum { MOST_CONFIGURATIONS = 1 << 19, MOST_STATES = 64 };

struct event {
    uint32_t i;
    bool is_return;
};

struct jit {
    struct linear x;
    struct job *job;
    struct configurations *configurations;
    uint32_t *slot_of; /* slots of open operations */
    struct event *events;
    uint32_t n, at; /* events, and the next one */
    bool returning; /* its return has begun */
    bool glance;
    struct linear_answers allowed;
};

/* The events of the part in the order of time. Ranks are below twice the number of operations of the history. */
static struct event *events_of(const struct linear *x, uint32_t *n)
{
    uint32_t ranks = 2 * x->c->h->n, *at = mem_new_ids(x->m, ranks + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        at[x->starts[i]] = i;
        if (x->ends[i] != CALLS_NEVER)
            at[x->ends[i]] = i;
    }
    struct event *events = mem_new(x->m, struct event, 2 * (size_t)x->n + 1);
    *n = 0;
    for (uint32_t r = 0; r < ranks; r++)
        if (at[r] != ID_NONE)
            events[(*n)++] = (struct event){at[r], x->starts[at[r]] != r};
    mem_free(x->m, at);
    return events;
}

static void note_answer(void *arg, assay_value answer)
{
    struct jit *j = arg;
    linear_note_answer(&j->allowed, answer, j->job->mem);
}

static void opens(struct jit *j, uint32_t i)
{
    uint64_t end = j->x.ends[i] == CALLS_NEVER ? UINT64_MAX : j->x.ends[i];
    struct open_call call = {&j->x.call[i], end, j->x.observer[i], i};
    j->slot_of[i] = configurations_call(j->configurations, call);
}

static void refute(struct jit *j, uint32_t i)
{
    struct evidence *ev = &j->job->out->evidence;
    j->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, j->x.part->ops[i], true);
    for (uint32_t a = 0; a < j->allowed.all.n; a++)
        explanation_allow(&j->job->out->explanation, j->allowed.all.at[a]);
}

static void witness(struct jit *j)
{
    struct evidence *ev = &j->job->out->evidence;
    VEC(uint32_t) backwards = {0};
    for (const struct traced_step *s = configurations_trace(j->configurations); s; s = s->before)
        vec_push(j->job->mem, &backwards, s->tag);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    while (backwards.n)
        evidence_place(ev, j->x.part->ops[vec_pop(&backwards)]);
}

struct jit *jit_new(struct job *job, bool glance)
{
    struct jit *j = mem_new_zero(job->mem, struct jit, 1);
    j->job = job;
    j->glance = glance;
    linear_init(&j->x, job);
    struct configurations_setup setup = {
        j->x.spec, job->mem, job->budget, job->witness, note_answer, j, glance ? MOST_CONFIGURATIONS : 0};
    j->configurations = configurations_new(&setup, j->x.state);
    j->slot_of = mem_new(job->mem, uint32_t, j->x.n + 1);
    j->events = events_of(&j->x, &j->n);
    return j;
}

/* Extends configurations until the operation has returned in all of them, or the tick has come. */
static enum jit_progress returns(struct jit *j, uint32_t i, uint64_t end)
{
    enum { SOME = 8 };
    uint32_t slot = j->slot_of[i];
    if (!j->returning) {
        vec_clear(&j->allowed.all);
        configurations_begin_return(j->configurations, slot);
    }
    j->returning = true;
    while (!configurations_go_on(j->configurations, slot, SOME))
        if (j->job->budget->ticks >= end)
            return JIT_GOES_ON;
    j->returning = false;
    bool survives = configurations_end_return(j->configurations, slot);
    j->job->out->stats.choices += configurations_count(j->configurations);
    if (configurations_exceeded(j->configurations) ||
        (j->glance && configurations_states(j->configurations) > MOST_STATES))
        return JIT_GAVE_UP;
    if (!survives)
        refute(j, i);
    return survives ? JIT_GOES_ON : JIT_DECIDED;
}

enum jit_progress jit_advance(struct jit *j, uint64_t ticks)
{
    struct budget *budget = j->job->budget;
    uint64_t end = ticks ? budget->ticks + ticks : UINT64_MAX;
    while (j->at < j->n && budget->ticks < end) {
        const struct event *event = &j->events[j->at];
        budget_tick(budget);
        if (!event->is_return) {
            opens(j, event->i);
        } else {
            enum jit_progress progress = returns(j, event->i, end);
            if (progress != JIT_GOES_ON)
                return progress;
        }
        j->at += !j->returning;
    }
    if (j->at < j->n)
        return JIT_GOES_ON;
    if (j->job->witness)
        witness(j);
    return JIT_DECIDED;
}

void jit_free(struct jit *j)
{
    configurations_free(j->configurations);
}

static void run_jit(struct job *job)
{
    jit_advance(jit_new(job, false), 0);
}

const char *jit_declines(const struct job *job)
{
    if (!job->part->object || !job->part->object->spec->create)
        return "the object has no sequential states";
    return job->calls->order == CALLS_INTERVALS ? NULL : "the order is not one of intervals";
}

const struct engine engine_jit = {
    .name = "jit",
    .title = "all linearizations at once, event by event",
    .conditions = COND_LIN,
    .on_request = true,
    .declines = jit_declines,
    .run = run_jit,
};
