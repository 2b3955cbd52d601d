/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence about objects.
 *
 * Consistent: orders that extend happens-before, and are legal sequences of the objects with the recorded results. Each
 * completed operation stands in exactly one. If real time alone implies program order, there is one order per part, of
 * the operations of that part and no others. That parts may be judged one by one is the locality of linearizability,
 * which needs an order of calls and returns. Else there is one order of the whole. For weak consistency the part is the
 * whole object, and weak_axioms.c checks the results.
 * Violation: a cut of one part, or of the whole. This file checks, call by call, that the specification allows the cut.
 * A search (cut_search.c, weak_search.c) shows that it has no linearization. Of an append-map it may be enough to
 * compare the strings of a few gets with each other (strings.c). Of a register it may be enough to look at the calls
 * that set a value (cells.c), or at one value against all others (turns.c). */
#include "recheck/object.h"

#include "recheck/known.h"
#include "recheck/weak_axioms.h"
#include "spec/value_forms.h"

#include <string.h>

/* ---- the view ---- */

bool object_surely_earlier(const struct object_view *v, int64_t a, int64_t b)
{
    return a < b && (uint64_t)b - (uint64_t)a > 2 * (uint64_t)v->x->line->skew;
}

static bool returned_before(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    return !history_pending(h, a) && object_surely_earlier(v, h->ret[a], h->call[b]);
}

bool object_before(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    if (h->thread[a] == h->thread[b])
        return v->index[a] < v->index[b] && !history_pending(h, a);
    if (!v->real_time)
        return false;
    return h->call ? returned_before(v, a, b)
                   : !history_pending(h, a) && v->past[(size_t)b * h->threads.n + h->thread[a]] > v->index[a];
}

assay_call object_call(const struct object_view *v, uint32_t op)
{
    const history *h = v->x->h;
    assay_value *args = mem_new(v->x->mem, assay_value, history_arity(h, op) + 1u);
    for (uint32_t i = 0; i < history_arity(h, op); i++)
        args[i] = value_public(h, history_arg(h, op, i));
    return (assay_call){.method = objects_method(&v->objects, op)->id,
                        .arg_count = history_arity(h, op),
                        .args = args,
                        .result = value_public(h, history_result(h, op)),
                        .operation = op,
                        .thread = h->thread[op]};
}

/* One part per object; one per key, if all calls of the object name one and keys are told apart. */
static void find_parts(struct object_view *v, bool by_key)
{
    const history *h = v->x->h;
    struct mem *m = v->x->mem;
    bool *keyed = mem_new(m, bool, v->objects.n);
    struct idmap *seen = mem_new_zero(m, struct idmap, VALUE_KIND_COUNT * (size_t)v->objects.n);
    memset(keyed, by_key, v->objects.n * sizeof *keyed);
    v->part = mem_new(m, uint32_t, h->n + 1);
    for (uint32_t o = 0; o < h->n; o++)
        if (objects_method(&v->objects, o)->key == ASSAY_NO_KEY)
            keyed[v->objects.of ? v->objects.of[o] : 0] = false;
    struct setting_by_key *settings = mem_new_zero(m, struct setting_by_key, v->objects.n);
    for (uint32_t i = 0; i < v->objects.n; i++)
        if (keyed[i])
            settings[i] = setting_by_key(&v->objects.at[i], m);
    for (uint32_t o = 0; o < h->n; o++) {
        uint32_t object = v->objects.of ? v->objects.of[o] : 0;
        int at = objects_method(&v->objects, o)->key;
        struct value key = keyed[object] && at >= 0 ? history_arg(h, o, (uint32_t)at) : (struct value){0};
        v->part[o] = ID_NONE;
        if (at == ASSAY_NO_EFFECT)
            continue;
        uint32_t *part = idmap_at(m, &seen[VALUE_KIND_COUNT * object + key.kind], (uint64_t)key.bits);
        if (*part == ID_NONE) {
            *part = v->parts.n;
            vec_push(m, &v->parts,
                     ((struct object_part){&v->objects.at[object], key, keyed[object] ? &settings[object] : NULL}));
        }
        v->part[o] = *part;
    }
}

/* Is happens-before real time and nothing else? */
static bool only_real_time(const struct object_view *v, const struct groups *by)
{
    const history *h = v->x->h;
    if (!h->call || !v->real_time)
        return false;
    for (uint32_t t = 0; t < h->threads.n; t++)
        for (uint32_t i = by->at[t] + 1; i < by->at[t + 1]; i++)
            if (!returned_before(v, by->list[i - 1], by->list[i]))
                return false;
    return true;
}

/* Is the record about the object that the user names, or else the history? A record about a queue proves nothing about
 * a stack. Where neither names one, the record does. */
static bool as_asked(const struct object_view *v, const char *asked)
{
    struct recheck *x = v->x;
    struct objects meant;
    if (!x->line->object[0] || (!asked && !x->h->objects.n))
        return true;
    if (!objects_of(x->h, (struct object_choice){asked, NULL}, x->mem, &meant, x->error))
        return false;
    if (strcmp(objects_kind(&meant), objects_kind(&v->objects)) == 0)
        return true;
    refuse(x, "the record is about the object %s, not %s", objects_kind(&v->objects), objects_kind(&meant));
    error_remedy(x->error, "if the check was given -o, give it here as well");
    return false;
}

static bool look(struct object_view *v, struct object_choice asked)
{
    struct recheck *x = v->x;
    const history *h = x->h;
    const assay_spec *own = asked.spec;
    size_t length = strcspn(x->line->object, "("); /* the text in parentheses is its parameter */
    bool is_own = own && strlen(own->name) == length && memcmp(own->name, x->line->object, length) == 0;
    struct object_choice choice = {x->line->object[0] ? x->line->object : NULL, is_own ? own : NULL};
    if (!objects_of(h, choice, x->mem, &v->objects, x->error) || (!is_own && !as_asked(v, asked.kind)))
        return false;
    bool local = x->conditions & COND_LIN, timed = history_times(h) != TIMES_NONE;
    v->real_time = local || ((x->conditions & COND_WEAK) && timed);
    if (local && h->n && !timed)
        return refuse(x, "the history has no real time");
    if (!local && v->objects.n > 1)
        return refuse(x, "the history has several objects");
    if ((x->line->model->needs & NEED_NO_MEMORY) && objects_all(&v->objects, &spec_memory))
        return refuse(x, "%s says nothing of a memory", x->line->model->name);
    if (h->final.n)
        return refuse(x, "the history has @final values");
    if ((x->conditions & COND_WEAK) && history_left_open(h) != ID_NONE)
        return refuse(x, "a thread continues after a transaction whose outcome is unknown");
    v->index = mem_new(x->mem, uint32_t, h->n + 1);
    struct groups by = history_by_thread(h, x->mem);
    for (uint32_t t = 0; t < h->threads.n; t++)
        for (uint32_t i = by.at[t]; i < by.at[t + 1]; i++)
            v->index[by.list[i]] = i - by.at[t];
    find_parts(v, local);
    v->apart = v->parts.n < 2 || only_real_time(v, &by);
    if (v->real_time && history_times(h) == TIMES_AFTER)
        v->past = recheck_known_past(h, &by, v->index, v->x->mem, v->x->budget);
    return true;
}

/* ---- consistent ---- */

/* No operation happens before an earlier one in the order. With times it is enough to compare each return with the
 * latest call so far; program order and recorded knowledge are compared thread by thread. */
static bool order_respected(const struct object_view *v, const uint32_t *ops, uint32_t n)
{
    const history *h = v->x->h;
    uint32_t k = h->threads.n, *last = mem_new_ids(v->x->mem, k + 1), latest = ID_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t op = ops[i], wrong = ID_NONE, *mine = &last[h->thread[op]];
        if (*mine != ID_NONE && v->index[*mine] > v->index[op] && !history_pending(h, op))
            wrong = *mine;
        if (h->call && v->real_time && latest != ID_NONE && returned_before(v, op, latest))
            wrong = latest;
        for (uint32_t t = 0; v->past && t < k; t++)
            if (last[t] != ID_NONE && object_before(v, op, last[t]))
                wrong = last[t];
        if (wrong != ID_NONE)
            return refuse(v->x, "the order has %s before %s, which happens before it", operation_text(v->x, wrong),
                          operation_text(v->x, op));
        if (*mine == ID_NONE || v->index[op] > v->index[*mine])
            *mine = op;
        if (h->call && (latest == ID_NONE || h->call[op] > h->call[latest]))
            latest = op;
    }
    mem_free(v->x->mem, last);
    return true;
}

/* Two exchanges that return each other's arguments, and overlap. */
static bool partners(const struct object_view *v, uint32_t a, uint32_t b)
{
    assay_call left = object_call(v, a), right = object_call(v, b);
    bool fits = left.result.kind == ASSAY_NONE || assay_value_same(left.result, right.args[0]);
    fits &= right.result.kind == ASSAY_NONE || assay_value_same(right.result, left.args[0]);
    return fits && v->part[a] == v->part[b] && !object_before(v, a, b) && !object_before(v, b, a);
}

/* An exchanger has partners side by side. Returns the number of operations that belong together, from the first on; 0:
 * it has no partner. */
static uint32_t exchanged(const struct object_view *v, const uint32_t *ops, uint32_t n)
{
    assay_call call = object_call(v, ops[0]);
    if (call.result.kind == ASSAY_WORD && assay_value_same(call.result, assay_word("null")))
        return 1;
    if (n > 1 && partners(v, ops[0], ops[1]))
        return 2;
    refuse(v->x, "in the order, %s has no partner beside it", operation_text(v->x, ops[0]));
    return 0;
}

/* The operation's step, in the state of its part. */
static bool stepped(const struct object_view *v, uint32_t op, void **states)
{
    struct recheck *x = v->x;
    const struct object_part *part = &v->parts.at[v->part[op]];
    const assay_spec *spec = part->use->spec;
    void **state = &states[v->part[op]];
    if (!*state) {
        const assay_setting setting = object_part_setting(part);
        *state = object_initial_state(v, part, &setting);
    }
    assay_call call = object_call(v, op);
    assay_value answer = {0};
    assay_saved saved;
    if (hook_choices(spec, *state, &call) > 1)
        return cannot_judge(x, "recheck cannot replay an object whose calls have several outcomes");
    assay_effect effect = hook_step(spec, *state, &call, 0, &answer, &saved);
    bool fits = call.result.kind == ASSAY_NONE || assay_value_same(call.result, answer);
    mem_free(x->mem, (void *)call.args);
    if (effect == ASSAY_BLOCKED || !fits)
        return refuse(x, "in the order, %s is not what the object does", operation_text(x, op));
    return true;
}

static bool legal(const struct object_view *v, const uint32_t *ops, uint32_t n, void **states);

/* The operations are of one part, whose initial value may be any: is their order legal from one of those that make a
 * difference? */
static bool legal_from_any(const struct object_view *v, const uint32_t *ops, uint32_t n, void **states)
{
    const struct object_part *part = &v->parts.at[v->part[ops[0]]];
    struct object_initials initials;
    if (!object_initials(v, v->part[ops[0]], &initials))
        return false;
    if (part->use->spec->choices)
        return object_replays(v, part, &initials, ops, n);
    for (uint32_t i = 0; i < initials.n; i++) {
        *v->x->error = (assay_error){0};
        states[v->part[ops[0]]] = object_initial_state(v, part, &initials.at[i]);
        if (legal(v, ops, n, states))
            return true;
    }
    return false;
}

/* As legal, part by part: each has an initial value of its own. Steps of one part change no other. */
static bool legal_by_parts(const struct object_view *v, const uint32_t *ops, uint32_t n, void **states)
{
    struct mem *m = v->x->mem;
    uint32_t *end = mem_new_zero(m, uint32_t, v->parts.n + 1), *sorted = mem_new(m, uint32_t, n + 1);
    bool fine = true;
    for (uint32_t i = 0; i < n; i++)
        end[v->part[ops[i]] + 1]++;
    for (uint32_t p = 0; p < v->parts.n; p++)
        end[p + 1] += end[p];
    for (uint32_t i = 0; i < n; i++) /* from here on end[p] is where the next operation of p belongs */
        sorted[end[v->part[ops[i]]]++] = ops[i];
    for (uint32_t p = 0, from = 0; p < v->parts.n && fine; from = end[p++])
        if (end[p] > from)
            fine = (object_is_any(v, &v->parts.at[p]) ? legal_from_any : legal)(v, sorted + from, end[p] - from,
                                                                                states);
    mem_free(m, end);
    mem_free(m, sorted);
    return fine;
}

/* `states` has room for one of each part, those that are not there are initial; it is empty after a legal order. */
static bool legal(const struct object_view *v, const uint32_t *ops, uint32_t n, void **states)
{
    for (uint32_t i = 0, length; i < n; i += length) {
        bool sequential = v->parts.at[v->part[ops[i]]].use->spec->create;
        length = sequential ? stepped(v, ops[i], states) : exchanged(v, ops + i, n - i);
        if (!length)
            return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = v->part[ops[i]];
        if (states[p])
            hook_destroy(v->parts.at[p].use->spec, states[p], v->x->mem);
        states[p] = NULL;
    }
    return true;
}

/* The order holds operations that no other holds, of one part if these are judged apart. */
static bool well_formed(const struct object_view *v, const uint32_t *ops, uint32_t n, bool *placed)
{
    struct recheck *x = v->x;
    for (uint32_t i = 0; i < n; i++) {
        if (ops[i] >= x->h->n)
            return refuse(x, "the order names operation %u, but the history has only %u", ops[i], x->h->n);
        if (placed[ops[i]])
            return refuse(x, "%s is placed twice", operation_text(x, ops[i]));
        placed[ops[i]] = true;
        if (!object_counts(v, ops[i]) || (v->apart && v->part[ops[0]] != v->part[ops[i]]))
            return refuse(x, "the order mixes %s and %s, which are of different objects or keys",
                          operation_text(x, ops[0]), operation_text(x, ops[i]));
    }
    return true;
}

/* Two orders of one part would be two objects where there is one. */
static bool parts_differ(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    bool *seen = mem_new_zero(v->x->mem, bool, v->parts.n + 1);
    if (!v->apart && ev->orders.n > 1)
        return refuse(v->x,
                      "happens-before is more than real time, so there must be one order of the whole history, not %u",
                      (unsigned)ev->orders.n);
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        uint32_t op = ev->ops.at[ev->orders.at[i].at];
        if (seen[v->part[op]])
            return refuse(v->x, "two orders are about the same object or key: that of %s", operation_text(v->x, op));
        seen[v->part[op]] = true;
    }
    return true;
}

static bool consistent(const struct object_view *v)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    bool *placed = mem_new_zero(x->mem, bool, x->h->n + 1), weak = x->conditions & COND_WEAK;
    void **states = mem_new_zero(x->mem, void *, v->parts.n + 1);
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        const uint32_t *ops = ev->ops.at + o->at;
        if (!o->count || o->thread != ASSAY_NO_THREAD)
            return refuse(x, "an order of an object is of the whole part, and not empty");
        if (!well_formed(v, ops, o->count, placed) || !order_respected(v, ops, o->count))
            return false;
        if (!weak && !(history_any_initial(x->h) ? legal_by_parts : legal)(v, ops, o->count, states))
            return false;
    }
    for (uint32_t o = 0; o < x->h->n; o++)
        if (!placed[o] && !history_pending(x->h, o) && object_counts(v, o))
            return refuse(x, "no order has %s", operation_text(x, o));
    return parts_differ(v) && (!weak || recheck_visible(v));
}

/* ---- violation ---- */

static bool leave_out(const struct object_view *v, struct value_ids *left, const assay_spec *spec,
                      const assay_call *call)
{
    assay_value value = {0};
    switch (spec->cut ? spec->cut(call, &value) : ASSAY_CUT_NEVER) {
    case ASSAY_CUT_NEVER: return refuse(v->x, "%s cannot be left out", operation_text(v->x, call->operation));
    case ASSAY_CUT_ALONE: break;
    case ASSAY_CUT_WITH_VALUE: value_id(v->x->mem, left, value_internal(value));
    }
    return true;
}

static bool may_stay(const struct object_view *v, const struct value_ids *left, const assay_spec *spec,
                     const assay_call *call)
{
    assay_value value = {0};
    if (spec->cut)
        spec->cut(call, &value);
    return value.kind == ASSAY_NONE || value_id_find(left, value_internal(value)) == ID_NONE ||
           refuse(v->x, "%s is kept, but another call of its value is not", operation_text(v->x, call->operation));
}

assay_setting object_remaining(const struct object_view *v, const struct object_part *part,
                               const struct value_ids *left)
{
    assay_setting s = object_part_setting(part);
    assay_binding *init = mem_new(v->x->mem, assay_binding, s.init_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.init_count; i++)
        if (s.init[i].key.kind != ASSAY_NONE || value_id_find(left, value_internal(s.init[i].value)) == ID_NONE)
            init[n++] = s.init[i];
    return (assay_setting){s.parameter, init, n};
}

void object_cut_reserve(struct object_cut *cut, uint32_t n, struct mem *m)
{
    cut->ops = mem_new(m, uint32_t, n + 1);
    cut->part = mem_new_zero(m, uint32_t, n + 1);
    cut->calls = mem_new(m, assay_call, n + 1);
    cut->pending = mem_new(m, bool, n + 1);
}

/* An operation that is open at the culprit's return need not have taken effect. If it has, its result is the one that
 * it returned later. Indeed, take a linearization of the whole history up to the last operation that had returned: all
 * operations called later stand behind that. */
bool object_in_prefix(const struct object_view *v, uint32_t op, bool *pending)
{
    const history *h = v->x->h;
    const struct evidence *ev = &v->x->line->evidence;
    *pending = history_pending(h, op);
    if (!ev->prefix)
        return true;
    int64_t end = h->ret[ev->culprit];
    if (op != ev->culprit && object_surely_earlier(v, end, h->call[op]))
        return false;
    *pending |= h->ret[op] > end;
    return true;
}

/* In weak consistency an operation that sees a call executes it anew, with another result perhaps. So a call that
 * changed nothing when it was recorded may be needed, and the calls of a value do not go together: see weak_cut.c. */
static bool take_cut(const struct object_view *v, struct object_cut *cut)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    const history *h = x->h;
    struct value_ids left = {0};
    VEC(uint32_t) unseen = {0}; /* left out of a weakly consistent object */
    bool weak = x->conditions & COND_WEAK;
    bool *kept = mem_new_zero(x->mem, bool, h->n + 1);
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        if (ev->kept.at[i] >= h->n)
            return refuse(x, "the cut names operation %u, but the history has only %u", ev->kept.at[i], h->n);
        kept[ev->kept.at[i]] = true;
    }
    const assay_spec *spec = cut->parts->use->spec; /* calls are left out of one part only */
    object_cut_reserve(cut, h->n, x->mem);
    for (uint32_t op = 0; op < h->n; op++) {
        bool pending;
        bool counts = object_counts(v, op) && (ev->whole || v->part[op] == v->part[ev->culprit]);
        if (!counts || !object_in_prefix(v, op, &pending))
            continue;
        if (weak && ev->kept.n && !kept[op]) {
            vec_push(x->mem, &unseen, op);
            continue;
        }
        assay_call call = object_call(v, op);
        if (ev->kept.n && !kept[op]) {
            if (!leave_out(v, &left, spec, &call))
                return false;
            continue;
        }
        cut->ops[cut->n] = op;
        cut->part[cut->n] = ev->whole ? v->part[op] : 0;
        cut->pending[cut->n] = pending;
        cut->calls[cut->n++] = call;
    }
    for (uint32_t i = 0; i < cut->n; i++)
        if (ev->kept.n && !weak && !may_stay(v, &left, spec, &cut->calls[i]))
            return false;
    cut->setting = object_remaining(v, cut->parts, &left);
    return !weak || recheck_weak_cut(v, cut, unseen.at, unseen.n);
}

/* The subject of the refutation: the culprit's part, or all of them. */
static bool about(const struct object_view *v, struct object_cut *cut)
{
    const struct evidence *ev = &v->x->line->evidence;
    *cut = (struct object_cut){.parts = &v->parts.at[v->part[ev->culprit]], .part_n = 1};
    if (!ev->whole)
        return true;
    *cut = (struct object_cut){.parts = v->parts.at, .part_n = v->parts.n};
    if (history_any_initial(v->x->h))
        return refuse(v->x, "with `@init ?` a proof is about one object or key");
    if (ev->kept.n)
        return refuse(v->x, "of the whole history no single calls are left out");
    for (uint32_t p = 0; p < v->parts.n && v->parts.n > 1; p++)
        if (!v->parts.at[p].use->spec->create)
            return cannot_judge(v->x, "recheck cannot search several objects, one of which is an exchanger");
    return true;
}

/* Is there a linearization, from any initial value that the history allows? As object_search. */
static int search_part(const struct object_view *v, struct object_cut *cut)
{
    if (!cut->parts->use->spec->create)
        return object_match(v, cut);
    if (!object_is_any(v, cut->parts))
        return object_search(v, cut);
    struct object_initials initials;
    if (!object_initials(v, v->part[v->x->line->evidence.culprit], &initials))
        return -1;
    for (uint32_t i = 0; i < initials.n; i++) {
        cut->setting = initials.at[i];
        int found = object_search(v, cut);
        if (found)
            return found;
    }
    return 0;
}

static bool violation(const struct object_view *v, bool *searched)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    if (pattern_proof(ev->pattern, x->line->model) != PROOF_PART)
        return refuse(x, "the pattern %s says nothing about an object", pattern_name(ev->pattern));
    bool weak = x->conditions & COND_WEAK;
    if (weak != (ev->pattern == PATTERN_NoVisibility))
        return refuse(x, "the model %s does not forbid a %s", x->line->model->name, pattern_name(ev->pattern));
    if (ev->culprit >= x->h->n || !object_counts(v, ev->culprit))
        return refuse(x, "the culprit is not an operation of an object");
    if (ev->sights.n && !ev->suspects.n)
        return refuse(x, "sights prove nothing without suspects");
    if (ev->prefix && (!x->h->call || !v->real_time || history_pending(x->h, ev->culprit)))
        return refuse(x, "a prefix ends with the return of an operation, in real time");
    bool known = !weak &&
                 (!history_any_initial(x->h) || (!ev->whole && !object_is_any(v, &v->parts.at[v->part[ev->culprit]])));
    *searched = known && (object_turns_contradict(v) || object_elements_contradict(v));
    if (*searched)
        return true;
    if (!weak && object_cell_contradicts(v))
        return true;
    if (known && (object_strings_contradict(v) || object_sum_contradicts(v) || object_bank_sum_contradicts(v) ||
                  object_amount_contradicts(v)))
        return true;
    struct object_cut cut;
    if (!about(v, &cut) || !take_cut(v, &cut))
        return false;
    *searched = true;
    switch (weak && ev->suspects.n ? recheck_weak_suspects(v, &cut)
            : weak                 ? recheck_weak_search(v, &cut)
                                   : search_part(v, &cut)) {
    case 0: return true;
    case 1:
        return refuse(x, "what the evidence keeps of the history has %s", weak ? "an explanation" : "a linearization");
    default: return beyond(x, x->met); /* unless it was refused already */
    }
}

bool recheck_object(struct recheck *x, struct object_choice asked, bool *searched)
{
    struct object_view v = {.x = x};
    if (!look(&v, asked))
        return false;
    return x->line->verdict == ASSAY_CONSISTENT ? consistent(&v) : violation(&v, searched);
}
