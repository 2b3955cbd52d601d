/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/contract_walk.h"

#include "base/vec.h"
#include "spec/hooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- calls ---- */

static assay_value text(assay_kind kind, const char *letters, int64_t number)
{
    return (assay_value){kind, number, letters, strlen(letters)};
}

static assay_value some_value(struct rng *rng)
{
    switch (rng_below(rng, 10)) {
    case 0: return text(ASSAY_WORD, "a", 1);
    case 1: return text(ASSAY_WORD, "b", 2);
    case 2: return text(ASSAY_WORD, "r", 3);
    case 3: return text(ASSAY_WORD, "w", 4);
    case 4: return text(ASSAY_STRING, "a", 6);
    default: return assay_int((int64_t)rng_below(rng, 4) - 1);
    }
}

static bool refused(const struct walk *w, const assay_call *call)
{
    const assay_spec *s = w->spec;
    return (s->refuse_call && s->refuse_call(call)) || (s->refuse_use && s->refuse_use(&w->setting, call));
}

/* False: no call was found that is not refused. */
static bool some_call(struct walk *w, struct made *out)
{
    unsigned methods = 0;
    while (w->spec->methods[methods].name)
        methods++;
    for (unsigned tries = 0; methods && tries < 200; tries++) {
        *out = (struct made){.method = &w->spec->methods[rng_below(w->rng, methods)]};
        unsigned arity = out->method->arity;
        arity = arity == ASSAY_ANY_ARITY     ? rng_below(w->rng, WALK_ARGS + 1)
                : arity == ASSAY_NONE_OR_ONE ? rng_below(w->rng, 2)
                                             : arity;
        if (arity > WALK_ARGS)
            continue;
        for (unsigned i = 0; i < arity; i++)
            out->args[i] = some_value(w->rng);
        out->call = (assay_call){.method = out->method->id, .arg_count = arity, .args = out->args, .thread = 0};
        if (!refused(w, &out->call))
            return true;
    }
    return false;
}

void walk_print(char *out, size_t size, assay_value v)
{
    switch (v.kind) {
    case ASSAY_NONE: snprintf(out, size, "nothing"); break;
    case ASSAY_INT: snprintf(out, size, "%" PRId64, v.integer); break;
    case ASSAY_STRING: snprintf(out, size, "\"%.*s\"", (int)v.length, v.text); break;
    case ASSAY_LIST: snprintf(out, size, "a list of %zu", v.length); break;
    default: snprintf(out, size, "%.*s", (int)v.length, v.text);
    }
}

assay_effect walk_answer(struct walk *w, void *state, struct made *c, assay_saved *saved, char out[WALK_ANSWER])
{
    static const char *const effects[] = {"blocked", ""};
    assay_value result = {0};
    unsigned choices = hook_choices(w->spec, state, &c->call);
    unsigned choice = c->choice < choices ? c->choice : 0;
    assay_effect effect = hook_step(w->spec, state, &c->call, choice, &result, saved);
    if (effect == ASSAY_BLOCKED)
        snprintf(out, WALK_ANSWER, "%s", effects[0]);
    else
        walk_print(out, WALK_ANSWER, result);
    if (choices > 1) {
        size_t n = strlen(out);
        snprintf(out + n, WALK_ANSWER - n, " (one of %u outcomes)", choices);
    }
    c->result = effect == ASSAY_BLOCKED ? (assay_value){0} : result;
    if (c->result.kind == ASSAY_WORD || c->result.kind == ASSAY_STRING) {
        size_t length = result.length < WALK_ANSWER - 1 ? result.length : WALK_ANSWER - 1;
        memcpy(c->kept, result.text, length);
        c->kept[length] = '\0';
        c->result = (assay_value){result.kind, 0, c->kept, length};
    }
    return effect;
}

/* ---- reports ---- */

void walk_show_call(struct text *t, const struct made *c, const char *said)
{
    char value[WALK_ANSWER];
    text_printf(t, "    %s(", c->method->name);
    for (unsigned i = 0; i < c->call.arg_count; i++) {
        walk_print(value, sizeof value, c->args[i]);
        text_printf(t, "%s%s", i ? ", " : "", value);
    }
    text_printf(t, ") => %s\n", said);
}

void walk_show(struct walk *w, unsigned n)
{
    char value[WALK_ANSWER];
    text_puts(w->out, "  after create");
    if (w->setting.parameter.kind != ASSAY_NONE) {
        walk_print(value, sizeof value, w->setting.parameter);
        text_printf(w->out, " with the parameter %s", value);
    }
    for (size_t i = 0; i < w->setting.init_count; i++) {
        walk_print(value, sizeof value, w->setting.init[i].value);
        text_printf(w->out, "%s %s", i ? "," : " with the initial values", value);
    }
    text_puts(w->out, n ? " and these calls\n" : "\n");
    for (unsigned i = 0; i < n; i++)
        walk_show_call(w->out, &w->calls[i], w->calls[i].answer);
}

/* ---- states made in two ways ---- */

void *walk_anew(struct walk *w, unsigned n)
{
    void *state = hook_create(w->spec, &w->setting, (assay_value){0}, &w->mem);
    for (unsigned i = 0; i < n; i++) {
        assay_saved saved;
        char said[WALK_ANSWER];
        struct made c = w->calls[i];
        c.call.args = c.args;
        walk_answer(w, state, &c, &saved, said);
    }
    return state;
}

/* The call behind the first n is made, too; what it saved goes to *saved. */
static assay_effect try_next(struct walk *w, void *state, unsigned n, assay_saved *saved, char said[WALK_ANSWER])
{
    struct made c = w->calls[n];
    c.call.args = c.args;
    return walk_answer(w, state, &c, saved, said);
}

void *walk_not_changed(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[WALK_ANSWER];
    void *state = walk_anew(w, n);
    try_next(w, state, n, &saved, said);
    return state;
}

void *walk_undone_once(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[WALK_ANSWER];
    void *state = walk_anew(w, n);
    if (try_next(w, state, n, &saved, said) == ASSAY_CHANGED)
        hook_undo(w->spec, state, &w->calls[n].call, &saved);
    return state;
}

/* All calls behind the first n, up to the end of the walk. */
void *walk_undone(struct walk *w, unsigned n)
{
    assay_saved saved[WALK_MOST_STEPS + 1];
    bool changed[WALK_MOST_STEPS + 1];
    char said[WALK_ANSWER];
    void *state = walk_anew(w, n);
    for (unsigned i = n; i <= w->n; i++)
        changed[i] = try_next(w, state, i, &saved[i], said) == ASSAY_CHANGED;
    for (unsigned i = w->n + 1; i-- > n;)
        if (changed[i])
            hook_undo(w->spec, state, &w->calls[i].call, &saved[i]);
    return state;
}

void *walk_copied(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[WALK_ANSWER];
    void *state = walk_anew(w, n), *copy = hook_copy(w->spec, state, &w->mem);
    for (unsigned i = n; i <= w->n; i++)
        try_next(w, state, i, &saved, said);
    hook_destroy(w->spec, state, &w->mem);
    return copy;
}

void *walk_copied_from(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[WALK_ANSWER];
    void *state = walk_anew(w, n), *copy = hook_copy(w->spec, state, &w->mem);
    for (unsigned i = n; i <= w->n; i++)
        try_next(w, copy, i, &saved, said);
    hook_destroy(w->spec, copy, &w->mem);
    return state;
}

struct bindings {
    struct mem *mem;
    VEC(assay_binding) all;
};

static void gather(void *arg, assay_binding b)
{
    struct bindings *x = arg;
    assay_value *values[] = {&b.key, &b.value};
    for (int i = 0; i < 2; i++)
        if (values[i]->kind == ASSAY_WORD || values[i]->kind == ASSAY_STRING)
            values[i]->text = mem_text(x->mem, values[i]->text, values[i]->length);
    vec_push(x->mem, &x->all, b);
}

void *walk_from_content(struct walk *w, unsigned n)
{
    void *state = walk_anew(w, n);
    struct bindings x = {.mem = &w->mem};
    hook_content(w->spec, state, gather, &x);
    assay_setting setting = {w->setting.parameter, x.all.at, x.all.n};
    void *other = hook_create(w->spec, &setting, (assay_value){0}, &w->mem);
    hook_destroy(w->spec, state, &w->mem);
    return other;
}

/* Does a sequence of calls tell the states apart? Then it is shown. */
bool walk_tell_apart(struct walk *w, maker *one, unsigned n, maker *other, unsigned m, const char *first,
                     const char *second)
{
    for (unsigned p = 0; p < WALK_PROBES; p++) {
        void *a = one(w, n), *b = other(w, m);
        bool differ = false;
        char said[WALK_PROBE_STEPS][2][WALK_ANSWER];
        unsigned k = 0;
        for (; k < WALK_PROBE_STEPS && !differ; k++) {
            assay_saved saved;
            struct made *c = &w->probes[p][k];
            assay_effect x = walk_answer(w, a, c, &saved, said[k][0]), y = walk_answer(w, b, c, &saved, said[k][1]);
            differ = (x == ASSAY_BLOCKED) != (y == ASSAY_BLOCKED) || strcmp(said[k][0], said[k][1]) != 0;
        }
        hook_destroy(w->spec, a, &w->mem);
        hook_destroy(w->spec, b, &w->mem);
        if (!differ)
            continue;
        text_puts(w->out, "  then\n");
        for (unsigned i = 0; i + 1 < k; i++)
            walk_show_call(w->out, &w->probes[p][i], said[i][0]);
        walk_show_call(w->out, &w->probes[p][k - 1], said[k - 1][0]);
        text_printf(w->out, "    %s, but %s %s\n", first, said[k - 1][1], second);
        return true;
    }
    return false;
}

/* ---- a walk ---- */

bool walk_prepare(struct walk *w, unsigned steps)
{
    w->calls = mem_new_zero(&w->mem, struct made, (size_t)steps + 1);
    for (unsigned p = 0; p < WALK_PROBES; p++)
        for (unsigned k = 0; k < WALK_PROBE_STEPS; k++)
            if (!some_call(w, &w->probes[p][k]))
                return false;
    for (unsigned p = 0; p < WALK_PROBES; p++)
        for (unsigned k = 0; k < WALK_PROBE_STEPS; k++)
            w->probes[p][k].call.args = w->probes[p][k].args;
    void *state = hook_create(w->spec, &w->setting, (assay_value){0}, &w->mem);
    for (w->n = 0; w->n <= steps; w->n++) {
        assay_saved saved;
        struct made *c = &w->calls[w->n];
        if (!some_call(w, c))
            return false;
        c->call.args = c->args;
        unsigned choices = hook_choices(w->spec, state, &c->call);
        c->choice = choices ? rng_below(w->rng, choices) : 0;
        c->effect = walk_answer(w, state, c, &saved, c->answer);
    }
    w->n = steps;
    hook_destroy(w->spec, state, &w->mem);
    return true;
}

bool walk_setting(struct walk *w, unsigned i)
{
    const assay_value parameters[] = {{0}, assay_int(2), text(ASSAY_WORD, "min", 9), assay_int(1000)};
    assay_value a = text(ASSAY_WORD, "a", 1), b = text(ASSAY_WORD, "b", 2);
    const assay_binding inits[4][2] = {{{.header = 0}},
                                       {{.value = assay_int(1)}},
                                       {{.value = assay_int(1)}, {.value = assay_int(0)}},
                                       {{.key = a, .value = assay_int(1)}, {.key = b, .value = assay_int(2)}}};
    static const size_t counts[] = {0, 1, 2, 2};
    memcpy(w->init, inits[i % 4], sizeof w->init);
    w->setting = (assay_setting){parameters[i / 4], w->init, counts[i % 4]};
    return w->spec->refuse ? !w->spec->refuse(&w->setting)
                           : !w->setting.init_count && w->setting.parameter.kind == ASSAY_NONE;
}
