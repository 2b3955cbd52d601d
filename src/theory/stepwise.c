/* SPDX-License-Identifier: Apache-2.0 */
/* Engines that feed a recorded history to the online checker of the same name: the calls and returns of a part, one
 * after another. A violation that an online checker finds at a return is a violation of the history up to then; that
 * is the proof. A checker that is sound only and finds nothing leaves the part undecided. */
#include "base/radix.h"
#include "base/registry.h"
#include "online/online.h"
#include "search/plain_part.h"
#include "solver/sat.h"
#include "theory/labels.h"

#include <string.h>

struct replay {
    struct job *job;
    const struct online *online;
    struct online_setup setup;
    uint32_t words[ONLINE_WORDS]; /* their names */
    void *state;
};

static const struct online *checker_named(const char *name)
{
    return online_table[registry_find(online_table, name)];
}

/* Words with a meaning have their numbers, other texts those of the history behind them. */
static struct value numbered(const struct replay *r, struct value v)
{
    if (!kind_is_text(v.kind))
        return v;
    for (int w = 0; w < ONLINE_WORDS && v.kind == ASSAY_WORD; w++)
        if (v.bits == (int64_t)r->words[w])
            return (struct value){w, v.kind};
    return (struct value){v.bits + ONLINE_WORDS, v.kind};
}

/* The same of a value of the setting; a parameter is no value of the history, and its text has no number. */
static assay_value renumbered(void *replay, assay_value v)
{
    if (!kind_is_text(v.kind) || !v.integer)
        return v;
    return value_with_text(numbered(replay, value_internal(v)), v.text, v.length);
}

static void begin(struct replay *r, struct job *job, const char *checker)
{
    *r = (struct replay){.job = job, .online = checker_named(checker)};
    for (int w = 0; w < ONLINE_WORDS; w++)
        r->words[w] = names_find(&job->h->names, online_words[w], strlen(online_words[w]));
    const struct object_use *object = job->part->object;
    assay_setting setting = setting_mapped(&object->setting, renumbered, r, job->mem);
    r->setup = (struct online_setup){object->spec, setting, job->variant, job->mem, job->budget};
}

/* Does the theory speak of each method that the part calls? Of the elements of a set it does not. */
static bool is_labelled(const struct job *job)
{
    const struct theory *t = online_theory(job->part->object->spec);
    bool labelled[UINT8_MAX + 1] = {0}, all = true;
    for (const struct theory_label *l = t->labels; l->roles; l++)
        labelled[l->method] = true;
    for (uint32_t i = 0; i < job->part->n && all; i++)
        all = labelled[calls_method(job->calls, job->part->ops[i])];
    return all;
}

/* Why the part is not for the checker of this name, or NULL. */
static const char *declines(const struct job *job, const char *checker)
{
    const struct online_setup setup = {.spec = job->part->object->spec, .setting = job->part->object->setting};
    const struct online *o = checker_named(checker);
    const char *why = o->declines ? o->declines(&setup) : NULL;
    if (why || (why = plain_order(job)))
        return why;
    return is_labelled(job) ? NULL : "the theory of the object does not speak of some calls";
}

/* The events in the order of time: entries are pairs (rank, place in the part), calls and returns told apart by the
 * rank. */
static uint64_t *events_of(const struct job *job, uint32_t *n)
{
    const struct part *part = job->part;
    uint64_t *events = mem_new(job->mem, uint64_t, 2 * (size_t)part->n + 1);
    *n = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t op = part->ops[i];
        events[(*n)++] = (uint64_t)job->calls->call[op] << 32 | i;
        if (job->calls->ret[op] != CALLS_NEVER)
            events[(*n)++] = (uint64_t)job->calls->ret[op] << 32 | i;
    }
    radix_sort(events, *n, job->mem);
    return events;
}

/* Feeds all events; the operation with the impossible return, or ID_NONE. */
static uint32_t feed(struct replay *r)
{
    struct job *job = r->job;
    uint32_t n, slots = 0, *slot = mem_new(job->mem, uint32_t, job->part->n + 1), args = 0;
    uint64_t *events = events_of(job, &n);
    VEC(uint32_t) free_slots = {0};
    for (uint32_t i = 0; i < job->part->n; i++)
        args = history_arity(job->h, job->part->ops[i]) > args ? history_arity(job->h, job->part->ops[i]) : args;
    struct value *values = mem_new(job->mem, struct value, args + 1);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t i = (uint32_t)events[e], op = job->part->ops[i], arity = history_arity(job->h, op);
        budget_tick(job->budget);
        if (events[e] >> 32 == job->calls->call[op]) {
            slot[i] = free_slots.n ? vec_pop(&free_slots) : slots++;
            for (uint32_t a = 0; a < arity; a++)
                values[a] = numbered(r, history_arg(job->h, op, a));
            r->online->call(r->state, slot[i], e + 1, calls_method(job->calls, op), values, arity);
            continue;
        }
        vec_push(job->mem, &free_slots, slot[i]);
        if (!r->online->ret(r->state, slot[i], e + 1, numbered(r, history_result(job->h, op))))
            return op;
    }
    return ID_NONE;
}

struct feeding {
    struct replay *r;
    uint32_t culprit;
    enum online_verdict end;
};

static void feed_protected(void *arg)
{
    struct feeding *f = arg;
    f->culprit = feed(f->r);
    if (f->culprit == ID_NONE)
        f->end = f->r->online->finish(f->r->state);
}

static void run(struct job *job, const char *checker)
{
    struct replay r;
    begin(&r, job, checker);
    r.state = r.online->open(&r.setup);
    struct feeding f = {&r, ID_NONE, ONLINE_FINE};
    enum escape left = escape_run(feed_protected, &f);
    if (left) {
        if (r.online->abandon)
            r.online->abandon(r.state);
        escape_raise(left);
    }
    bool exact = r.online->guarantee == ONLINE_EXACT && !(r.online->weakened && r.online->weakened(r.state));
    r.online->close(r.state);
    if (f.culprit != ID_NONE) {
        job->out->verdict = ASSAY_VIOLATION;
        evidence_part(&job->out->evidence, PATTERN_NoLinearization, f.culprit, true);
    } else if (!exact || f.end != ONLINE_FINE) {
        job->out->verdict = ASSAY_UNDECIDED;
        job->out->undecided = "the engine finds violations only, and found none";
    }
}

/* ---- the engines ---- */

static const char *enumerate_declines(const struct job *job)
{
    return declines(job, "enumerate");
}

static void run_enumerate(struct job *job)
{
    run(job, "enumerate");
}

static const char *saturate_declines(const struct job *job)
{
    return job->asked ? declines(job, "saturate") : "it finds violations only";
}

static void run_saturate(struct job *job)
{
    run(job, "saturate");
}

static const char *symbolic_declines(const struct job *job)
{
    return declines(job, "symbolic");
}

static void run_symbolic(struct job *job)
{
    run(job, "symbolic");
}

const struct engine engine_enumerate = {
    .name = "enumerate",
    .title = "all linearizations against the object's theory",
    .conditions = COND_LIN,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"+c", NULL},
    .declines = enumerate_declines,
    .run = run_enumerate,
};

const struct engine engine_saturate_theory = {
    .name = "saturate",
    .title = "unit propagation in the object's theory: violations only",
    .conditions = COND_LIN,
    .on_request = true,
    .variants = (const char *const[]){"+r", NULL},
    .declines = saturate_declines,
    .run = run_saturate,
};

const struct engine engine_symbolic = {
    .name = "symbolic",
    .title = "the object's theory, asked of a SAT solver",
    .conditions = COND_LIN,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"+c", "+i", "+r", "+c+i", "+c+r", "+i+r", "+c+i+r", NULL},
    .missing = sat_missing,
    .declines = symbolic_declines,
    .run = run_symbolic,
};
