/* SPDX-License-Identifier: Apache-2.0 */
/* Engines that feed a recorded history to the online checker of the same name: the calls and returns of a part, one
 * after another. A violation that an online checker finds at a return is a violation of the history up to then; that
 * is the proof. A checker that is sound only and finds nothing leaves the part undecided. */
#include "base/registry.h"
#include "scan/part_events.h"
#include "search/plain_part.h"
#include "solver/sat.h"
#include "theory/labels.h"

struct replay {
    struct part_events history;
    const struct online *online;
    struct online_setup setup;
    void *state;
};

static const struct online *checker_named(const char *name)
{
    return online_table[registry_find(online_table, name)];
}

/* A value of the setting with the number that the history gives it. A parameter is no value of the history, and its
 * text has no number. */
static assay_value renumbered(void *replay, assay_value v)
{
    if (!kind_is_text(v.kind) || !v.integer)
        return v;
    const struct replay *r = replay;
    return value_with_text(part_events_value(&r->history, value_internal(v)), v.text, v.length);
}

static void begin(struct replay *r, struct job *job, const char *checker)
{
    *r = (struct replay){.history = part_events_open(job), .online = checker_named(checker)};
    const struct object_use *object = job->part->object;
    assay_setting setting = setting_mapped(&object->setting, renumbered, r, job->mem);
    r->setup = (struct online_setup){object->spec, setting, job->variant, job->mem, job->budget};
}

/* Does the theory speak of each method that the part calls? Of the elements of a set it does not. */
static bool is_labelled(const struct job *job)
{
    const struct theory *t = online_theory(job->part->object->spec);
    bool labelled[UINT8_MAX + 1] = {0}, all = true;
    for (const struct call_label *l = t->labels; l->roles; l++)
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

static bool call(void *replay, struct scan_op *o)
{
    struct replay *r = replay;
    const struct value *args = o->arity > 1 ? o->args : &o->op.arg;
    r->online->call(r->state, o->mark, o->op.called, o->op.method, args, o->arity);
    return true;
}

static bool ret(void *replay, struct scan_op *o)
{
    struct replay *r = replay;
    return r->online->ret(r->state, o->mark, o->op.returned, o->op.result);
}

struct feeding {
    struct replay *r;
    uint32_t culprit;
    enum online_verdict end;
};

static void feed_protected(void *arg)
{
    struct feeding *f = arg;
    f->culprit = part_events_feed(&f->r->history, call, ret, f->r);
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
        result_undecided(job->out, UNDECIDED_SOUND_ONLY, "%s", "");
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
