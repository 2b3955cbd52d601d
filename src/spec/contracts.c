/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: `create` and `step` define the object. All other hooks must agree with them. So a state that a hook has been
 * at work on is compared with one that is made anew by the same calls, and steps alone. Random calls must have the same
 * effects and results in both. Two different ways to make a state are a pair of `makers`.
 *
 * States are compared by what calls observe, so a difference that no call shows within a few steps is missed.
 *
 * A short walk tries all hooks in each of its states. A hook may also be wrong in deep states only: a counter that has
 * grown, a table that was enlarged. So there are long walks, which try undo, copy and digest in a few states. */
#include "spec/contracts.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/given.h"
#include "base/rng.h"
#include "base/vec.h"
#include "spec/hooks.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 10, MOST_ARGS = 6, PROBES = 24, PROBE_STEPS = 3, ANSWER = 96, SETTINGS = 12 };
/* Of long walks: most steps, the states that are looked at, and the declarations, which may have large parameters. */
enum { LONG_STEPS = 200, QUICK_STEPS = 50, STATES_OF_LONG = 8, LONG_SETTINGS = 16, MOST_LONG = 10 };

struct made { /* a call, and its answer in the walk */
    const assay_method *method;
    assay_value args[MOST_ARGS];
    assay_call call;
    unsigned choice;
    char answer[ANSWER];
    assay_effect effect;
    assay_value result; /* its text is in `kept` */
    char kept[ANSWER];
};

struct walk {
    const assay_spec *spec;
    struct rng *rng;
    struct mem mem;
    struct text *out;
    bool verdicts_only;
    assay_binding init[2];
    assay_setting setting;
    struct made *calls; /* n, and one that is only tried */
    unsigned n;
    struct made probes[PROBES][PROBE_STEPS];
};

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
        arity = arity == ASSAY_ANY_ARITY     ? rng_below(w->rng, MOST_ARGS + 1)
                : arity == ASSAY_NONE_OR_ONE ? rng_below(w->rng, 2)
                                             : arity;
        if (arity > MOST_ARGS)
            continue;
        for (unsigned i = 0; i < arity; i++)
            out->args[i] = some_value(w->rng);
        out->call = (assay_call){.method = out->method->id, .arg_count = arity, .args = out->args, .thread = 0};
        if (!refused(w, &out->call))
            return true;
    }
    return false;
}

static void print_value(char *out, size_t size, assay_value v)
{
    switch (v.kind) {
    case ASSAY_NONE: snprintf(out, size, "nothing"); break;
    case ASSAY_INT: snprintf(out, size, "%" PRId64, v.integer); break;
    case ASSAY_STRING: snprintf(out, size, "\"%.*s\"", (int)v.length, v.text); break;
    case ASSAY_LIST: snprintf(out, size, "a list of %zu", v.length); break;
    default: snprintf(out, size, "%.*s", (int)v.length, v.text);
    }
}

static assay_effect answer(struct walk *w, void *state, struct made *c, assay_saved *saved, char out[ANSWER])
{
    static const char *const effects[] = {"blocked", ""};
    assay_value result = {0};
    unsigned choices = hook_choices(w->spec, state, &c->call);
    unsigned choice = c->choice < choices ? c->choice : 0;
    assay_effect effect = hook_step(w->spec, state, &c->call, choice, &result, saved);
    if (effect == ASSAY_BLOCKED)
        snprintf(out, ANSWER, "%s", effects[0]);
    else
        print_value(out, ANSWER, result);
    if (choices > 1) {
        size_t n = strlen(out);
        snprintf(out + n, ANSWER - n, " (one of %u outcomes)", choices);
    }
    c->result = effect == ASSAY_BLOCKED ? (assay_value){0} : result;
    if (c->result.kind == ASSAY_WORD || c->result.kind == ASSAY_STRING) {
        size_t length = result.length < ANSWER - 1 ? result.length : ANSWER - 1;
        memcpy(c->kept, result.text, length);
        c->kept[length] = '\0';
        c->result = (assay_value){result.kind, 0, c->kept, length};
    }
    return effect;
}

/* ---- reports ---- */

static void show_call(struct text *t, const struct made *c, const char *said)
{
    char value[ANSWER];
    text_printf(t, "    %s(", c->method->name);
    for (unsigned i = 0; i < c->call.arg_count; i++) {
        print_value(value, sizeof value, c->args[i]);
        text_printf(t, "%s%s", i ? ", " : "", value);
    }
    text_printf(t, ") => %s\n", said);
}

static void show_calls(struct walk *w, unsigned n)
{
    char value[ANSWER];
    text_puts(w->out, "  after create");
    if (w->setting.parameter.kind != ASSAY_NONE) {
        print_value(value, sizeof value, w->setting.parameter);
        text_printf(w->out, " with the parameter %s", value);
    }
    for (size_t i = 0; i < w->setting.init_count; i++) {
        print_value(value, sizeof value, w->setting.init[i].value);
        text_printf(w->out, "%s %s", i ? "," : " with the initial values", value);
    }
    text_puts(w->out, n ? " and these calls\n" : "\n");
    for (unsigned i = 0; i < n; i++)
        show_call(w->out, &w->calls[i], w->calls[i].answer);
}

/* ---- states made in two ways ---- */

typedef void *maker(struct walk *w, unsigned n);

static void *anew(struct walk *w, unsigned n)
{
    void *state = hook_create(w->spec, &w->setting, (assay_value){0}, &w->mem);
    for (unsigned i = 0; i < n; i++) {
        assay_saved saved;
        char said[ANSWER];
        struct made c = w->calls[i];
        c.call.args = c.args;
        answer(w, state, &c, &saved, said);
    }
    return state;
}

/* The call behind the first n is made, too; what it saved goes to *saved. */
static assay_effect try_next(struct walk *w, void *state, unsigned n, assay_saved *saved, char said[ANSWER])
{
    struct made c = w->calls[n];
    c.call.args = c.args;
    return answer(w, state, &c, saved, said);
}

static void *not_changed(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[ANSWER];
    void *state = anew(w, n);
    try_next(w, state, n, &saved, said);
    return state;
}

static void *undone_once(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[ANSWER];
    void *state = anew(w, n);
    if (try_next(w, state, n, &saved, said) == ASSAY_CHANGED)
        hook_undo(w->spec, state, &w->calls[n].call, &saved);
    return state;
}

/* All calls behind the first n, up to the end of the walk. */
static void *undone(struct walk *w, unsigned n)
{
    assay_saved saved[LONG_STEPS + 1];
    bool changed[LONG_STEPS + 1];
    char said[ANSWER];
    void *state = anew(w, n);
    for (unsigned i = n; i <= w->n; i++)
        changed[i] = try_next(w, state, i, &saved[i], said) == ASSAY_CHANGED;
    for (unsigned i = w->n + 1; i-- > n;)
        if (changed[i])
            hook_undo(w->spec, state, &w->calls[i].call, &saved[i]);
    return state;
}

static void *copied(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[ANSWER];
    void *state = anew(w, n), *copy = hook_copy(w->spec, state, &w->mem);
    for (unsigned i = n; i <= w->n; i++)
        try_next(w, state, i, &saved, said);
    hook_destroy(w->spec, state, &w->mem);
    return copy;
}

static void *copied_from(struct walk *w, unsigned n)
{
    assay_saved saved;
    char said[ANSWER];
    void *state = anew(w, n), *copy = hook_copy(w->spec, state, &w->mem);
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

static void *from_content(struct walk *w, unsigned n)
{
    void *state = anew(w, n);
    struct bindings x = {.mem = &w->mem};
    hook_content(w->spec, state, gather, &x);
    assay_setting setting = {w->setting.parameter, x.all.at, x.all.n};
    void *other = hook_create(w->spec, &setting, (assay_value){0}, &w->mem);
    hook_destroy(w->spec, state, &w->mem);
    return other;
}

/* Does a sequence of calls tell the states apart? Then it is shown. */
static bool tell_apart(struct walk *w, maker *one, unsigned n, maker *other, unsigned m, const char *first,
                       const char *second)
{
    for (unsigned p = 0; p < PROBES; p++) {
        void *a = one(w, n), *b = other(w, m);
        bool differ = false;
        char said[PROBE_STEPS][2][ANSWER];
        unsigned k = 0;
        for (; k < PROBE_STEPS && !differ; k++) {
            assay_saved saved;
            struct made *c = &w->probes[p][k];
            assay_effect x = answer(w, a, c, &saved, said[k][0]), y = answer(w, b, c, &saved, said[k][1]);
            differ = (x == ASSAY_BLOCKED) != (y == ASSAY_BLOCKED) || strcmp(said[k][0], said[k][1]) != 0;
        }
        hook_destroy(w->spec, a, &w->mem);
        hook_destroy(w->spec, b, &w->mem);
        if (!differ)
            continue;
        text_puts(w->out, "  then\n");
        for (unsigned i = 0; i + 1 < k; i++)
            show_call(w->out, &w->probes[p][i], said[i][0]);
        show_call(w->out, &w->probes[p][k - 1], said[k - 1][0]);
        text_printf(w->out, "    %s, but %s %s\n", first, said[k - 1][1], second);
        return true;
    }
    return false;
}

/* ---- the contracts ---- */

static bool digests_equal(struct walk *w, const void *a, const void *b)
{
    uint64_t x[2] = {0}, y[2] = {0};
    hook_digest(w->spec, a, x);
    hook_digest(w->spec, b, y);
    return x[0] == y[0] && x[1] == y[1];
}

/* A report begins: the calls, and what was done then. It is taken back unless the contract is broken. */
static size_t begin(struct walk *w, unsigned n, const char *sentence)
{
    size_t from = w->out->n;
    text_printf(w->out, "%s\n", sentence);
    show_calls(w, n);
    return from;
}

static enum contract compare(struct walk *w, enum contract c, maker *made, unsigned n, const char *sentence, bool next,
                             const char *where)
{
    size_t from = begin(w, n, sentence);
    if (next) {
        text_puts(w->out, "  and behind them\n");
        show_call(w->out, &w->calls[n], w->calls[n].answer);
    }
    if (tell_apart(w, made, n, anew, n, where, "in a state that the first calls alone lead to"))
        return c;
    w->out->n = from;
    return CONTRACT_KEPT;
}

static enum contract broken(struct walk *w, enum contract c, unsigned n, const char *sentence)
{
    begin(w, n, sentence);
    return c;
}

static enum contract try_same_calls(struct walk *w, unsigned n)
{
    size_t from = begin(w, n, "create or step: the same calls lead to states that differ");
    if (tell_apart(w, anew, n, anew, n, "the first time", "the second time"))
        return CONTRACT_CREATE;
    w->out->n = from;
    void *a = anew(w, n), *b = anew(w, n);
    bool digests = digests_equal(w, a, b), equal = !w->spec->equal || hook_equal(w->spec, a, b);
    hook_destroy(w->spec, a, &w->mem);
    hook_destroy(w->spec, b, &w->mem);
    if (!digests)
        return broken(w, CONTRACT_DIGEST, n, "digest: two states that the same calls lead to have different digests");
    if (!equal && !w->verdicts_only)
        return broken(w, CONTRACT_EQUAL, n, "equal: two states that the same calls lead to are said to differ");
    return CONTRACT_KEPT;
}

static enum contract try_undo(struct walk *w, unsigned n)
{
    enum contract c = compare(w, CONTRACT_UNDO, undone_once, n,
                              "undo: a step that was undone has left something behind", true, "once that is undone");
    if (!c)
        c = compare(w, CONTRACT_UNDO, undone, n,
                    "undo: steps that were undone in reverse order have left something behind", false,
                    "once more calls were made and undone");
    if (c)
        return c;
    void *a = undone_once(w, n), *b = anew(w, n);
    bool digests = digests_equal(w, a, b);
    hook_destroy(w->spec, a, &w->mem);
    hook_destroy(w->spec, b, &w->mem);
    return digests ? CONTRACT_KEPT
                   : broken(w, CONTRACT_DIGEST, n, "digest: another one once a further step was made and undone");
}

static enum contract try_copy(struct walk *w, unsigned n)
{
    enum contract c = compare(w, CONTRACT_COPY, copied, n, "copy: the copy is not the state that was copied", false,
                              "in a copy, while the original went on");
    return c ? c
             : compare(w, CONTRACT_COPY, copied_from, n, "copy: a state has changed with its copy", false,
                       "once a copy of it went on");
}

/* States of the walk after n and m calls. */
static enum contract try_pair(struct walk *w, unsigned n, unsigned m)
{
    void *a = anew(w, n), *b = anew(w, m);
    bool digests = digests_equal(w, a, b), equal = w->spec->equal && hook_equal(w->spec, a, b);
    hook_destroy(w->spec, a, &w->mem);
    hook_destroy(w->spec, b, &w->mem);
    if (equal && !digests)
        return broken(w, CONTRACT_DIGEST, m,
                      "digest: equal says that two states of this walk are equal, their digests differ");
    if (!digests || (w->spec->equal && !equal))
        return CONTRACT_KEPT;
    size_t from = begin(w, m,
                        w->spec->equal ? "equal: states are said to be equal that differ"
                                       : "digest: states that differ have equal digests, and there is no `equal`");
    text_printf(w->out, "  it passes for the state after the first %u\n", n);
    if (tell_apart(w, anew, m, anew, n, "after all of these calls", "after the first ones"))
        return w->spec->equal ? CONTRACT_EQUAL : CONTRACT_DIGEST;
    w->out->n = from;
    return CONTRACT_KEPT;
}

static enum contract try_result(struct walk *w, unsigned n)
{
    const struct made *c = &w->calls[n];
    void *state = anew(w, n);
    unsigned choices = hook_choices(w->spec, state, &c->call);
    hook_destroy(w->spec, state, &w->mem);
    enum contract is = CONTRACT_KEPT;
    if (!choices)
        is = broken(w, CONTRACT_CHOICES, n, "choices: there is no outcome, not even one that is blocked, of the call");
    else if (c->effect != ASSAY_BLOCKED && c->method->result == ASSAY_RESULT_REQUIRED && c->result.kind == ASSAY_NONE)
        is = broken(w, CONTRACT_RESULT, n, "step: no result of a method whose result is required");
    else if (c->method->key == ASSAY_NO_EFFECT && c->effect != ASSAY_SAME)
        is = broken(w, CONTRACT_SAME, n, "step: a method of key ASSAY_NO_EFFECT is always ASSAY_SAME");
    if (is)
        show_call(w->out, c, c->answer);
    return is;
}

/* ---- calls that may be left out ---- */

static assay_cut cut_of(const struct walk *w, unsigned i, assay_value *value)
{
    assay_call call = w->calls[i].call;
    call.args = w->calls[i].args;
    call.result = w->calls[i].result;
    *value = (assay_value){0};
    return w->spec->cut(&call, value);
}

/* Without the calls of this value, and those that may go alone, the others have the results that they had. */
static enum contract try_cut(struct walk *w, unsigned end, assay_value value)
{
    bool left[STEPS] = {false};
    bool any = false;
    for (unsigned i = 0; i < end; i++) {
        assay_value v;
        assay_cut cut = cut_of(w, i, &v);
        bool mine = v.kind != ASSAY_NONE && value.kind != ASSAY_NONE && assay_value_same(v, value);
        if (mine && cut == ASSAY_CUT_NEVER)
            return CONTRACT_KEPT;
        left[i] = mine && w->calls[i].effect != ASSAY_BLOCKED;
        any |= left[i];
    }
    void *state = any ? hook_create(w->spec, &w->setting, (assay_value){0}, &w->mem) : NULL;
    for (unsigned i = 0; any && i < end; i++) {
        char said[ANSWER];
        assay_saved saved;
        struct made c = w->calls[i];
        if (left[i] || c.effect == ASSAY_BLOCKED)
            continue;
        c.call.args = c.args;
        answer(w, state, &c, &saved, said);
        if (strcmp(said, w->calls[i].answer) == 0)
            continue;
        begin(w, i + 1, "cut: calls that may be left out change a result");
        char shown[ANSWER];
        print_value(shown, sizeof shown, value);
        text_printf(w->out, "  without those of the value %s the last one has the result %s\n", shown, said);
        hook_destroy(w->spec, state, &w->mem);
        return CONTRACT_CUT;
    }
    if (any)
        hook_destroy(w->spec, state, &w->mem);
    return CONTRACT_KEPT;
}

static enum contract try_cuts(struct walk *w)
{
    enum contract is = CONTRACT_KEPT;
    for (unsigned i = 0; w->spec->cut && !w->setting.init_count && i < w->n && !is; i++) {
        assay_value v;
        cut_of(w, i, &v);
        is = try_cut(w, w->n, v);
    }
    return is;
}

/* ---- a walk ---- */

static enum contract try_steps(struct walk *w, unsigned n)
{
    enum contract is = try_same_calls(w, n);
    if (!is)
        is = try_result(w, n);
    if (!is && w->calls[n].effect != ASSAY_CHANGED)
        is = compare(w, CONTRACT_SAME, not_changed, n,
                     w->calls[n].effect == ASSAY_SAME ? "step: ASSAY_SAME, but the state has changed"
                                                      : "step: ASSAY_BLOCKED, but the state has changed",
                     true, "behind that call");
    return is;
}

static enum contract try_hooks(struct walk *w, unsigned n)
{
    enum contract is = try_undo(w, n);
    if (!is)
        is = try_copy(w, n);
    if (!is && w->spec->content)
        is = compare(w, CONTRACT_CONTENT, from_content, n, "content: create makes another state of it", false,
                     "in the state that create makes of the content");
    for (unsigned m = 0; m < n && !is; m++)
        is = try_pair(w, m, n);
    return is;
}

static bool prepare(struct walk *w, unsigned steps)
{
    w->calls = mem_new_zero(&w->mem, struct made, (size_t)steps + 1);
    for (unsigned p = 0; p < PROBES; p++)
        for (unsigned k = 0; k < PROBE_STEPS; k++)
            if (!some_call(w, &w->probes[p][k]))
                return false;
    for (unsigned p = 0; p < PROBES; p++)
        for (unsigned k = 0; k < PROBE_STEPS; k++)
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
        c->effect = answer(w, state, c, &saved, c->answer);
    }
    w->n = steps;
    hook_destroy(w->spec, state, &w->mem);
    return true;
}

static enum contract walk(struct walk *w)
{
    enum contract is = CONTRACT_KEPT;
    if (!prepare(w, STEPS))
        return is;
    for (unsigned n = 0; n <= STEPS && !is; n++)
        is = try_steps(w, n);
    for (unsigned n = 0; n <= STEPS && !is; n++)
        is = try_hooks(w, n);
    return is ? is : try_cuts(w);
}

/* In a state towards the end, and in others that are drawn. */
static enum contract long_walk(struct walk *w, unsigned steps, unsigned states)
{
    enum contract is = CONTRACT_KEPT;
    if (!prepare(w, steps))
        return is;
    for (unsigned i = 0; i < states && !is; i++) {
        unsigned n = i ? rng_below(w->rng, steps + 1) : steps - STEPS; /* some are to be undone */
        is = try_steps(w, n);
        if (!is)
            is = try_undo(w, n);
        if (!is && states > 1)
            is = try_copy(w, n);
        if (!is && states > 1)
            is = try_pair(w, rng_below(w->rng, n + 1), n);
    }
    return is;
}

static bool some_setting(struct walk *w, unsigned i)
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

struct one_setting {
    struct walk *w;
    unsigned i, steps, states;
    enum contract is;
};

static void walk_with(void *arg)
{
    struct one_setting *x = arg;
    if (some_setting(x->w, x->i))
        x->is = x->steps == STEPS ? walk(x->w) : long_walk(x->w, x->steps, x->states);
}

static enum contract try_setting(struct walk *w, const struct walk *fresh, unsigned i, unsigned steps, unsigned states)
{
    struct one_setting x = {w, i, steps, states, CONTRACT_KEPT};
    *w = *fresh;
    enum escape left = escape_run(walk_with, &x);
    mem_release(&w->mem);
    if (left)
        escape_raise(left);
    return x.is;
}

/* Walks of growing length; verdicts_only: a single one, of which one state is looked at. */
static enum contract try_long(struct walk *w, const struct walk *fresh, unsigned walks)
{
    enum contract is = CONTRACT_KEPT;
    bool quick = fresh->verdicts_only;
    for (unsigned k = 0; k < (quick ? 1 : walks) && !is; k++)
        for (unsigned i = 0; i < LONG_SETTINGS && !is; i++) {
            unsigned grown = 2 * STEPS << k % 5, steps = grown < LONG_STEPS ? grown : LONG_STEPS;
            is = try_setting(w, fresh, i, quick ? QUICK_STEPS : steps, quick ? 1 : STATES_OF_LONG);
        }
    return is;
}

enum contract contracts_try(const assay_spec *s, unsigned walks, uint64_t seed, bool verdicts_only, struct text *out)
{
    enum contract is = CONTRACT_KEPT;
    struct rng rng = {seed};
    if (!s->create)
        return is;
    struct walk *w = mem_new_zero(out->mem, struct walk, 1);
    const struct walk fresh = {.spec = s, .rng = &rng, .out = out, .verdicts_only = verdicts_only};
    for (unsigned k = 0; k < walks && !is; k++)
        for (unsigned i = 0; i < SETTINGS && !is; i++)
            is = try_setting(w, &fresh, i, STEPS, 0);
    if (!is)
        is = try_long(w, &fresh, walks < MOST_LONG ? walks : MOST_LONG);
    mem_free(out->mem, w);
    return is;
}

const char *contract_name(enum contract c)
{
    static const char *const names[] = {NULL,    "create",  "step", "undo",    "copy", "digest",
                                        "equal", "choices", "step", "content", "cut"};
    return names[c];
}

/* ---- for users, and for checks ---- */

struct trying {
    const assay_spec *spec;
    unsigned walks;
    uint64_t seed;
    bool verdicts_only;
    struct text out;
    enum contract is;
};

static void try_it(void *arg)
{
    struct trying *t = arg;
    t->is = contracts_try(t->spec, t->walks, t->seed, t->verdicts_only, &t->out);
}

static bool keeps_all(struct trying *t, FILE *out, assay_error *e)
{
    struct mem mem = {0};
    t->out = text_in(&mem);
    enum escape left = escape_run(try_it, t);
    error_from_escape(e, left);
    if (!left && t->is) {
        const char *said = text_get(&t->out);
        error_set(e, ASSAY_ERROR_USAGE, "the specification %s breaks a contract: %.*s", t->spec->name,
                  (int)strcspn(said, "\n"), said);
        error_remedy(e, "`assay list --test-spec FILE.so` shows the calls");
        if (out)
            fputs(said, out);
    }
    mem_release(&mem);
    return !left && !t->is;
}

bool assay_spec_try(const assay_spec *s, unsigned walks, uint64_t seed, FILE *out, assay_error *e)
{
    return GIVEN(s, e) && spec_is_whole(s, e) &&
           keeps_all(&(struct trying){.spec = s, .walks = walks, .seed = seed}, out, e);
}

static _Atomic(const assay_spec *) known, trusted; /* the last one that keeps them; the last one that was not tried */

void contracts_trust(const assay_spec *s)
{
    atomic_store(&trusted, s);
}

bool contracts_allow(const assay_spec *s, assay_error *e)
{
    if (!s || atomic_load(&known) == s || atomic_load(&trusted) == s)
        return true;
    if (!spec_is_whole(s, e) ||
        !keeps_all(&(struct trying){.spec = s, .walks = 2, .seed = 1, .verdicts_only = true}, NULL, e))
        return false;
    atomic_store(&known, s);
    return true;
}
