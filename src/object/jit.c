/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `jit`: all linearizations at once, event by event, with each operation as late as its return allows.
 * object/configurations.h has the idea and the invariant. */
#include "object/configurations.h"
#include "object/linear.h"

struct jit {
    struct linear x;
    struct job *job;
    struct configurations *configurations;
    uint32_t *slot_of; /* slots of open operations */
    struct linear_answers allowed;
};

struct event {
    uint32_t i;
    bool is_return;
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

/* False: no configuration survives the return. */
static bool returns(struct jit *j, uint32_t i)
{
    vec_clear(&j->allowed.all);
    bool survives = configurations_return(j->configurations, j->slot_of[i]);
    j->job->out->stats.choices += configurations_count(j->configurations);
    return survives;
}

static void refute(struct jit *j, uint32_t i)
{
    struct evidence *ev = &j->job->out->evidence;
    j->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, j->x.part->ops[i], true);
    for (uint32_t a = 0; a < j->allowed.all.n; a++)
        evidence_allow(ev, j->allowed.all.at[a]);
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

static void run_jit(struct job *job)
{
    struct jit j = {.job = job};
    linear_init(&j.x, job);
    struct configurations_setup setup = {j.x.spec, job->mem, job->budget, job->witness, note_answer, &j};
    j.configurations = configurations_new(&setup, j.x.state);
    j.slot_of = mem_new(job->mem, uint32_t, j.x.n + 1);
    uint32_t n;
    struct event *events = events_of(&j.x, &n);
    for (uint32_t e = 0; e < n; e++) {
        budget_tick(job->budget);
        if (!events[e].is_return)
            opens(&j, events[e].i);
        else if (!returns(&j, events[e].i)) {
            refute(&j, events[e].i);
            return;
        }
    }
    if (job->witness)
        witness(&j);
}

static const char *declines(const struct job *job)
{
    if (!job->part->object->spec->create)
        return "the object has no sequential states";
    return job->calls->order == CALLS_INTERVALS ? NULL : "the order is not one of intervals";
}

const struct engine engine_jit = {
    .name = "jit",
    .title = "all linearizations at once, event by event",
    .conditions = COND_LIN,
    .on_request = true,
    .declines = declines,
    .run = run_jit,
};
