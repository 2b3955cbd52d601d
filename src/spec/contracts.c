/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: `create` and `step` define the object. All other hooks must agree with them. So a state that a hook has been
 * at work on is compared with one that is made anew by the same calls, and steps alone. Random calls must have the same
 * effects and results in both (contract_walk.h).
 *
 * A short walk tries all hooks in each of its states. A hook may also be wrong in deep states only: a counter that has
 * grown, a table that was enlarged. So there are long walks, which try undo, copy and digest in a few states. */
#include "spec/contracts.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/given.h"
#include "base/rng.h"
#include "spec/contract_walk.h"
#include "spec/hooks.h"
#include "spec/spec.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Of long walks: the steps of a quick one, the states that are looked at, and how many there are. */
enum { QUICK_STEPS = 50, STATES_OF_LONG = 8, MOST_LONG = 10 };

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
    walk_show(w, n);
    return from;
}

static enum contract compare(struct walk *w, enum contract c, maker *made, unsigned n, const char *sentence, bool next,
                             const char *where)
{
    size_t from = begin(w, n, sentence);
    if (next) {
        text_puts(w->out, "  and behind them\n");
        walk_show_call(w->out, &w->calls[n], w->calls[n].answer);
    }
    if (walk_tell_apart(w, made, n, walk_anew, n, where, "in a state that the first calls alone lead to"))
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
    if (walk_tell_apart(w, walk_anew, n, walk_anew, n, "the first time", "the second time"))
        return CONTRACT_CREATE;
    w->out->n = from;
    void *a = walk_anew(w, n), *b = walk_anew(w, n);
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
    enum contract c = compare(w, CONTRACT_UNDO, walk_undone_once, n,
                              "undo: a step that was undone has left something behind", true, "once that is undone");
    if (!c)
        c = compare(w, CONTRACT_UNDO, walk_undone, n,
                    "undo: steps that were undone in reverse order have left something behind", false,
                    "once more calls were made and undone");
    if (c)
        return c;
    void *a = walk_undone_once(w, n), *b = walk_anew(w, n);
    bool digests = digests_equal(w, a, b);
    hook_destroy(w->spec, a, &w->mem);
    hook_destroy(w->spec, b, &w->mem);
    return digests ? CONTRACT_KEPT
                   : broken(w, CONTRACT_DIGEST, n, "digest: another one once a further step was made and undone");
}

static enum contract try_copy(struct walk *w, unsigned n)
{
    enum contract c = compare(w, CONTRACT_COPY, walk_copied, n, "copy: the copy is not the state that was copied",
                              false, "in a copy, while the original went on");
    return c ? c
             : compare(w, CONTRACT_COPY, walk_copied_from, n, "copy: a state has changed with its copy", false,
                       "once a copy of it went on");
}

/* States of the walk after n and m calls. */
static enum contract try_pair(struct walk *w, unsigned n, unsigned m)
{
    void *a = walk_anew(w, n), *b = walk_anew(w, m);
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
    if (walk_tell_apart(w, walk_anew, m, walk_anew, n, "after all of these calls", "after the first ones"))
        return w->spec->equal ? CONTRACT_EQUAL : CONTRACT_DIGEST;
    w->out->n = from;
    return CONTRACT_KEPT;
}

static enum contract try_result(struct walk *w, unsigned n)
{
    const struct made *c = &w->calls[n];
    void *state = walk_anew(w, n);
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
        walk_show_call(w->out, c, c->answer);
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
    bool left[WALK_STEPS] = {false};
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
        char said[WALK_ANSWER];
        assay_saved saved;
        struct made c = w->calls[i];
        if (left[i] || c.effect == ASSAY_BLOCKED)
            continue;
        c.call.args = c.args;
        walk_answer(w, state, &c, &saved, said);
        if (strcmp(said, w->calls[i].answer) == 0)
            continue;
        begin(w, i + 1, "cut: calls that may be left out change a result");
        char shown[WALK_ANSWER];
        walk_print(shown, sizeof shown, value);
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
        is = compare(w, CONTRACT_SAME, walk_not_changed, n,
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
        is = compare(w, CONTRACT_CONTENT, walk_from_content, n, "content: create makes another state of it", false,
                     "in the state that create makes of the content");
    for (unsigned m = 0; m < n && !is; m++)
        is = try_pair(w, m, n);
    return is;
}

static enum contract walk(struct walk *w)
{
    enum contract is = CONTRACT_KEPT;
    if (!walk_prepare(w, WALK_STEPS))
        return is;
    for (unsigned n = 0; n <= WALK_STEPS && !is; n++)
        is = try_steps(w, n);
    for (unsigned n = 0; n <= WALK_STEPS && !is; n++)
        is = try_hooks(w, n);
    return is ? is : try_cuts(w);
}

/* In a state towards the end, and in others that are drawn. */
static enum contract long_walk(struct walk *w, unsigned steps, unsigned states)
{
    enum contract is = CONTRACT_KEPT;
    if (!walk_prepare(w, steps))
        return is;
    for (unsigned i = 0; i < states && !is; i++) {
        unsigned n = i ? rng_below(w->rng, steps + 1) : steps - WALK_STEPS; /* some are to be undone */
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

struct one_setting {
    struct walk *w;
    unsigned i, steps, states;
    enum contract is;
};

static void walk_with(void *arg)
{
    struct one_setting *x = arg;
    if (walk_setting(x->w, x->i))
        x->is = x->steps == WALK_STEPS ? walk(x->w) : long_walk(x->w, x->steps, x->states);
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
        for (unsigned i = 0; i < WALK_LONG_SETTINGS && !is; i++) {
            unsigned grown = 2 * WALK_STEPS << k % 5, steps = grown < WALK_MOST_STEPS ? grown : WALK_MOST_STEPS;
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
        for (unsigned i = 0; i < WALK_SETTINGS && !is; i++)
            is = try_setting(w, &fresh, i, WALK_STEPS, 0);
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
