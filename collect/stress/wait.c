/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/wait.h"

#include "base/text.h"
#include "collect/stress/judge.h"
#include "history/history.h"
#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "waiting-"
enum { METHODS = 256 };

/* The hooks of a specification have no context of their own. */
static struct {
    const assay_spec *base;
    unsigned shift;             /* the id of `waiting-NAME` is that of NAME and this */
    const char *never[METHODS]; /* by id */
    char state[160];            /* in which a call that waits was last found to be enabled */
    /* For wait_remedy: `waiting-NAME` is legal where NAME is enabled instead, and the last word that it would answer is
     * kept. */
    bool contrary;
    char said[64];
} object;

/* ---- the object ---- */

static assay_value never_of(unsigned id)
{
    return object.never[id] ? assay_word(object.never[id]) : (assay_value){0};
}

static bool is_never(unsigned id, assay_value result)
{
    return object.never[id] && assay_value_same(result, never_of(id));
}

static assay_call waiting_call(const assay_call *call)
{
    assay_call base = *call;
    base.method -= object.shift;
    base.result = never_of(base.method);
    return base;
}

static void note_answer(assay_value result)
{
    bool is_word = result.kind == ASSAY_WORD && result.length < sizeof object.said;
    snprintf(object.said, sizeof object.said, "%.*s", is_word ? (int)result.length : 0, is_word ? result.text : "");
}

/* Is there an outcome with which the call could end? */
static bool is_enabled(void *state, const assay_call *call)
{
    unsigned n = object.base->choices ? object.base->choices(state, call) : 1;
    bool enabled = false;
    for (unsigned choice = 0; choice < n && !enabled; choice++) {
        assay_value result = {0};
        assay_saved saved = {0};
        assay_effect effect = object.base->step(state, call, choice, &result, &saved);
        enabled = effect != ASSAY_BLOCKED && !is_never(call->method, result);
        if (enabled && object.contrary)
            note_answer(result);
        if (effect == ASSAY_CHANGED)
            object.base->undo(state, call, &saved);
    }
    return enabled;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    if (call->method < object.shift) {
        assay_effect effect = object.base->step(state, call, choice, result, saved);
        if (effect == ASSAY_BLOCKED || !is_never(call->method, *result))
            return effect;
        if (effect == ASSAY_CHANGED)
            object.base->undo(state, call, saved);
        return ASSAY_BLOCKED;
    }
    assay_call base = waiting_call(call);
    if (is_enabled(state, &base) == object.contrary)
        return ASSAY_SAME;
    if (object.base->describe)
        object.base->describe(state, object.state, sizeof object.state);
    return ASSAY_BLOCKED;
}

static unsigned choices(const void *state, const assay_call *call)
{
    return call->method < object.shift && object.base->choices ? object.base->choices(state, call) : 1;
}

static const char *refuse_call(const assay_call *call)
{
    assay_call base = *call;
    base.method -= call->method < object.shift ? 0 : object.shift;
    return object.base->refuse_call ? object.base->refuse_call(&base) : NULL;
}

static const char *refuse_use(const assay_setting *s, const assay_call *call)
{
    assay_call base = *call;
    base.method -= call->method < object.shift ? 0 : object.shift;
    return object.base->refuse_use ? object.base->refuse_use(s, &base) : NULL;
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    return call->method < object.shift && object.base->cut ? object.base->cut(call, value) : ASSAY_CUT_NEVER;
}

/* The methods twice, the second time as those that wait. False: there are too many. */
static bool double_methods(const assay_spec *base, assay_spec *to, struct mem *mem)
{
    unsigned n = 0, most = 0;
    for (; base->methods[n].name; n++)
        most = base->methods[n].id > most ? base->methods[n].id : most;
    assay_method *methods = mem_new_zero(mem, assay_method, 2 * (size_t)n + 1);
    object.shift = most + 1;
    for (unsigned i = 0; i < n; i++) {
        struct text name = text_in(mem);
        assay_method waiting = methods[i] = base->methods[i];
        text_printf(&name, PREFIX "%s", waiting.name);
        waiting.name = waiting.signature = text_get(&name);
        waiting.id = (unsigned char)(waiting.id + object.shift);
        waiting.result = ASSAY_RESULT_NONE;
        waiting.key = waiting.key == ASSAY_NO_EFFECT ? ASSAY_NO_KEY : waiting.key;
        methods[n + i] = waiting;
    }
    to->methods = methods;
    return 2 * object.shift <= METHODS;
}

const assay_spec *wait_spec(const struct vocabulary *v, struct mem *mem)
{
    assay_spec *s = mem_new_zero(mem, assay_spec, 1);
    if (!v->spec->create)
        return NULL;
    object.base = v->spec;
    object.contrary = false;
    memset(object.never, 0, sizeof object.never);
    for (uint32_t i = 0; i < v->n; i++)
        if (v->waits[i])
            object.never[v->methods[i]->id] = v->waits[i];
    *s = *v->spec;
    s->name = mem_text(mem, v->kind, strcspn(v->kind, "(")); /* so that its parameter counts */
    s->extends = NULL;
    s->step = step;
    s->choices = choices;
    s->refuse_call = refuse_call;
    s->refuse_use = refuse_use;
    s->cut = cut;
    s->renews = NULL;
    contracts_trust(s); /* a new one for each run, and trying it takes longer than the run */
    return double_methods(v->spec, s, mem) ? s : NULL;
}

/* ---- the calls ---- */

static uint8_t method_of(const struct vocabulary *v, const char *name)
{
    return vocabulary_find(v, name, strlen(name));
}

static bool is_exchanger(const struct vocabulary *v)
{
    return v->spec == &spec_exchanger;
}

bool wait_is_possible(const struct vocabulary *v)
{
    return (v->spec->create || is_exchanger(v)) && (spec_may_block(v->spec) || vocabulary_waits(v));
}

bool wait_is_refused(const struct vocabulary *v, const assay_history *h)
{
    for (uint32_t op = 0; op < h->n; op++) {
        uint8_t method = method_of(v, history_text(h, h->method[op]));
        struct value result = history_result(h, op);
        if (method != CLIENT_NONE && v->waits[method] && result.kind == ASSAY_WORD &&
            strcmp(history_text(h, (uint32_t)result.bits), v->waits[method]) == 0)
            return true;
    }
    return false;
}

static const assay_record_entry *open_call(const assay_recorder *r, unsigned t)
{
    int pending;
    uint32_t n = assay_record_size(r, t, &pending);
    return pending ? assay_record_at(r, t, n - 1) : NULL;
}

static bool may_wait(const struct vocabulary *v, const assay_record_entry *e)
{
    uint8_t method = method_of(v, e->method);
    return method != CLIENT_NONE && (v->waits[method] || spec_may_block(v->spec));
}

static bool all_may_wait(const struct vocabulary *v, const assay_recorder *r)
{
    unsigned n = 0;
    for (unsigned t = 0; t < r->threads; t++) {
        const assay_record_entry *e = open_call(r, t);
        if (e && !may_wait(v, e))
            return false;
        n += e != NULL;
    }
    return n > 0;
}

/* ---- the history ---- */

/* Behind all calls that have returned. */
static void write_waiting(const assay_recorder *r, unsigned t, const assay_record_entry *e, FILE *to)
{
    fprintf(to, "t%u: " PREFIX "%s(", t, e->method);
    assay_record_write_args(to, r->tapes[t], e);
    fputs(") @ after", to);
    for (unsigned other = 0; other < r->threads; other++) {
        uint32_t n = assay_record_size(r, other, &(int){0}) - (open_call(r, other) != NULL);
        if (other != t && n)
            fprintf(to, " t%u:%u", other, (unsigned)n);
    }
    fputc('\n', to);
}

/* With the calls that wait of these threads; malloc, NULL: no memory. */
static char *write_history(const struct vocabulary *v, const assay_recorder *r, const bool *waits, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    if (!to)
        return NULL;
    judge_write_headers(v->adapter, to);
    for (unsigned t = 0; t < r->threads; t++) {
        const assay_record_entry *open = open_call(r, t);
        uint32_t n = assay_record_size(r, t, &(int){0}) - (open != NULL);
        for (uint32_t i = 0; i < n; i++)
            assay_record_write_entry(r, t, assay_record_at(r, t, i), 0, to);
        if (open && waits[t])
            write_waiting(r, t, open, to);
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

/* Is there a state after the calls that have returned in which the calls of these threads are all disabled? */
static assay_verdict can_all_wait(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                                  const bool *waits, const assay_spec *spec)
{
    assay_options options = s->check;
    size_t length;
    char *text = write_history(v, r, waits, &length);
    assay_history *h = text ? judge_read(text, length, NULL) : NULL;
    options.spec = spec;
    options.visibility = NULL;
    assay_result *result = h ? assay_check(h, "lin", &options, NULL) : NULL;
    assay_verdict verdict = result ? assay_result_verdict(result) : ASSAY_UNDECIDED;
    assay_result_free(result);
    assay_history_free(h);
    free(text);
    return verdict;
}

/* ---- the verdict ---- */

static void add_call(const assay_recorder *r, unsigned t, struct text *out)
{
    const assay_record_entry *e = open_call(r, t);
    const int64_t *rest = r->tapes[t]->numbers;
    text_printf(out, "%s%s(", out->n ? ", " : "", e->method);
    for (unsigned i = 0; i < e->arg_count; i++) {
        bool far = i && e->arg_count > ASSAY_RECORD_ARGS;
        int64_t number = far ? rest[e->args[1].list.at + i - 1] : e->args[i].number;
        text_printf(out, "%s%lld", i ? ", " : "", (long long)number);
    }
    text_printf(out, ") of t%u", t);
}

/* Each call that is enabled in all states; if there is none, in each state some call of these is. */
static const char *name_them(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                             const assay_spec *spec, struct mem *mem)
{
    struct text each = text_in(mem), any = text_in(mem), out = text_in(mem);
    bool *waits = mem_new_zero(mem, bool, (size_t)r->threads + 1);
    unsigned n = 0;
    for (unsigned t = 0; t < r->threads; t++) {
        if (!open_call(r, t))
            continue;
        waits[t] = true;
        if (can_all_wait(v, s, r, waits, spec) == ASSAY_VIOLATION) {
            add_call(r, t, &each);
            n++;
        }
        waits[t] = false;
        add_call(r, t, &any);
    }
    text_printf(&out, "%s%s should have ended", n ? "" : "one of ", text_get(n ? &each : &any));
    if (*object.state)
        text_printf(&out, ": the state is %s", object.state);
    return text_get(&out);
}

/* An exchange is disabled as long as there is no other one. */
static enum wait_verdict judge_exchanges(const struct vocabulary *v, const struct stress_settings *s,
                                         const assay_recorder *r, const char **who, struct mem *mem)
{
    struct text all = text_in(mem), out = text_in(mem);
    const bool *none = mem_new_zero(mem, bool, (size_t)r->threads + 1);
    unsigned n = 0;
    for (unsigned t = 0; t < r->threads; t++) {
        if (!open_call(r, t))
            continue;
        add_call(r, t, &all);
        n++;
    }
    if (strcmp(s->model, "lin") != 0 || (n == 1 && can_all_wait(v, s, r, none, s->check.spec) != ASSAY_VIOLATION))
        return WAIT_RIGHT;
    text_printf(&out, "%s%s should have ended", n > 2 ? "two of " : "", text_get(&all));
    if (who)
        *who = text_get(&out);
    return WAIT_WRONG;
}

enum wait_verdict wait_judge(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                             const char **who, struct mem *mem)
{
    bool possible = all_may_wait(v, r), listed = true;
    if (possible && is_exchanger(v))
        return judge_exchanges(v, s, r, who, mem);
    const assay_spec *spec = possible ? wait_spec(v, mem) : NULL;
    bool *waits = mem_new_zero(mem, bool, (size_t)r->threads + 1);
    if (!spec)
        return WAIT_NONE;
    for (unsigned t = 0; t < r->threads; t++) {
        const assay_record_entry *e = open_call(r, t);
        waits[t] = e != NULL;
        listed &= !e || v->waits[method_of(v, e->method)];
    }
    *object.state = 0;
    if (can_all_wait(v, s, r, waits, spec) != ASSAY_VIOLATION)
        return WAIT_RIGHT;
    if (strcmp(s->model, "lin") != 0)
        return listed ? WAIT_RIGHT : WAIT_NONE;
    if (who)
        *who = name_them(v, s, r, spec, mem);
    return WAIT_WRONG;
}

/* ---- the remedy ---- */

/* After the calls that have returned, can the open call of this thread end with another answer than the one that
 * the object is told it never gives? The last such answer, if it is a word, is in object.said. */
static bool can_end(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r, unsigned t,
                    struct mem *mem)
{
    bool *waits = mem_new_zero(mem, bool, (size_t)r->threads + 1);
    const assay_spec *spec = wait_spec(v, mem);
    waits[t] = true;
    object.contrary = true;
    *object.said = 0;
    bool can = !spec || can_all_wait(v, s, r, waits, spec) != ASSAY_VIOLATION;
    object.contrary = false;
    return can;
}

/* The answer that the open call of this thread gives in each state that the calls which have returned allow; NULL:
 * there is no such word. */
static const char *only_answer(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                               unsigned t, struct mem *mem)
{
    struct vocabulary supposed = *v;
    uint8_t method = method_of(v, open_call(r, t)->method);
    if (method == CLIENT_NONE || !can_end(v, s, r, t, mem) || !*object.said)
        return NULL;
    supposed.waits[method] = mem_text(mem, object.said, strlen(object.said));
    return can_end(&supposed, s, r, t, mem) ? NULL : supposed.waits[method];
}

const char *wait_remedy(const struct vocabulary *v, const struct stress_settings *s, const assay_recorder *r,
                        struct mem *mem)
{
    struct vocabulary supposed = *v;
    struct text out = text_in(mem);
    if (!v->spec->create || strcmp(s->model, "lin") != 0)
        return NULL;
    for (unsigned t = 0; t < r->threads; t++) {
        const assay_record_entry *e = open_call(r, t);
        uint8_t method = e ? method_of(v, e->method) : CLIENT_NONE;
        if (!e || (method != CLIENT_NONE && v->waits[method]))
            continue;
        bool before = method != CLIENT_NONE && supposed.waits[method];
        const char *answer = before ? NULL : only_answer(v, s, r, t, mem);
        if (before ? can_end(&supposed, s, r, t, mem) : !answer)
            return NULL;
        if (before)
            continue;
        supposed.waits[method] = answer;
        text_printf(&out, "%s%s=%s", out.n ? "," : "", e->method, answer);
    }
    return out.n && wait_judge(&supposed, s, r, NULL, mem) == WAIT_RIGHT ? text_get(&out) : NULL;
}
