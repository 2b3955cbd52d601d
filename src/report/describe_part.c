/* SPDX-License-Identifier: Apache-2.0 */
/* Why a part of a history has no linearization, in words. If there is no small reason, the sentence says how far the
 * history is linearizable, and which results would have been possible there. */
#include "report/describe_part.h"
#include "base/notation.h"
#include "report/describe.h"

#include <string.h>

/* ---- values ---- */

static void public_list(struct text *t, assay_value list)
{
    assay_value *elements = mem_new(t->mem, assay_value, list.length + 1);
    size_t n = list.length;
    for (assay_value rest = list; rest.length; rest = assay_list_before(rest))
        elements[rest.length - 1] = assay_list_last(rest);
    text_puts(t, "[");
    for (size_t i = 0; i < n; i++) {
        text_puts(t, i ? " " : "");
        describe_value(t, elements[i]);
    }
    text_puts(t, "]");
    mem_free(t->mem, elements);
}

void describe_value(struct text *t, assay_value v)
{
    if (v.kind == ASSAY_LIST)
        public_list(t, v);
    else if (v.kind == ASSAY_INT)
        text_integer(t, v.integer, notation_checked(v.length));
    else if (v.kind == ASSAY_STRING)
        text_json(t, v.text, v.length);
    else
        text_add(t, v.text, v.length);
}

bool describe_asks_map(const result *r, uint32_t op)
{
    return r->facts->family == FAMILY_MAP &&
           (describe_is_call(r, op, MAP_CONTAINS_KEY) || describe_is_call(r, op, MAP_CONTAINS_VALUE));
}

/* ---- the core, or the longest prefix ---- */

/* Is the proof about strings that are appended to, and the calls that made them? */
static bool is_about_strings(const result *r)
{
    const struct evidence *ev = &r->evidence;
    for (uint32_t i = 0; i < ev->kept.n && r->facts->spec == &spec_append_map; i++)
        if (describe_is_call(r, ev->kept.at[i], APPEND_MAP_GET))
            return true;
    return false;
}

/* ": the balances sum to 31, the accounts started with 30" */
static void describe_sum(struct text *t, const result *r)
{
    int64_t sum = 0;
    bool fits = true;
    assay_value list = value_public(r->h, history_result(r->h, r->evidence.culprit));
    for (; fits && list.length; list = assay_list_before(list))
        fits = !__builtin_add_overflow(sum, assay_list_last(list).integer, &sum);
    text_puts(t, ": the balances sum to ");
    if (fits)
        text_int(t, sum);
    else
        text_puts(t, "more than 64 bits hold");
    text_puts(t, ", the accounts started with ");
    text_int(t, r->explanation.initial_sum);
}

bool describe_by_prefix(const result *r)
{
    const history *h = r->h;
    uint32_t last = r->explanation.unexplained;
    if (last == ASSAY_NO_OPERATION)
        return false;
    for (uint32_t op = 0; op < h->n; op++) /* of several that return at once, another one may be to blame */
        if (op != last && !history_pending(h, op) && h->ret[op] == h->ret[last])
            return false;
    return true;
}

static void core(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    uint32_t n = r->explanation.argument.lines.n ? r->explanation.argument.ops.n : ev->kept.n;
    if (n > 1) {
        text_printf(t, "the %u operations below have no linearization, %s", (unsigned)n,
                    is_about_strings(r) ? "given the puts and appends that their strings are made of"
                    : ev->pattern == PATTERN_ValueUnexplained /* of the other values it says nothing */
                        ? "whichever other values the others see and set"
                        : "whatever the others do");
        if (r->explanation.argument.lines.n)
            text_puts(t, ", because:");
        else
            describe_reads(t, r);
        return;
    }
    describe_operation(t, r->h, ev->kept.at[0]);
    if (ev->pattern == PATTERN_SumChanged)
        describe_sum(t, r);
    else if (ev->pattern == PATTERN_SumOutOfReach)
        text_puts(t, ": no choice of the calls that may come before it adds up to this");
    else if (!describe_reads(t, r))
        text_puts(t, ": alone it has no linearization, whatever the others do");
}

/* Results that the search met. Where calls overlap, there may be more. */
static void possible_results(struct text *t, const struct explanation *x)
{
    for (uint32_t i = 0; i < x->allowed.n; i++) {
        text_puts(t, !i ? "; " : i + 1 == x->allowed.n ? " or " : ", ");
        describe_value(t, x->allowed.at[i]);
    }
    text_puts(t, x->allowed.n ? " would have been possible" : "");
}

/* Are the keys judged apart? Some calls name one, and no call of the object looks at all of them. */
static bool has_keys_apart(const result *r)
{
    assay_value args[FACTS_ARGS];
    assay_call call;
    bool keyed = false, all = false;
    for (const assay_method *m = r->facts->spec ? r->facts->spec->methods : NULL; m && m->name; m++)
        keyed |= m->key >= 0;
    for (uint32_t op = 0; op < r->h->n && keyed && !all; op++)
        all = history_object_of(r->h, op) == history_object_of(r->h, r->evidence.culprit) &&
              facts_call(r->facts, r->h, op, args, &call) && facts_method(r->facts, &call)->key == ASSAY_NO_KEY;
    return keyed && !all;
}

/* Objects, and keys of some of them, are judged apart. Of the others nothing is said. */
static const char *of_its_part(const result *r)
{
    const history *h = r->h;
    const struct evidence *ev = &r->evidence;
    bool local = r->model->conditions & COND_LIN; /* other models judge the whole object */
    if (!ev->whole && local && history_arity(h, ev->culprit) && has_keys_apart(r))
        for (uint32_t op = 0; op < h->n; op++)
            if (history_arity(h, op) && !value_same(history_arg(h, op, 0), history_arg(h, ev->culprit, 0)))
                return " of its key";
    return h->objects.n > 1 && !ev->whole ? " of its object" : "";
}

/* Is the sentence about the culprit about a number of operations, which a report lists below it? */
static bool lists(const result *r, struct mem *m)
{
    struct text unused = text_in(m);
    return pattern_proof(r->evidence.pattern, r->model) == PROOF_PART && r->evidence.kept.n > 1 &&
           !describe_by_prefix(r) && !describe_small_reason(&unused, r);
}

bool describe_argues(struct text *t, const result *r)
{
    const struct argument *a = &r->explanation.argument;
    struct text unused = text_in(t->mem);
    if (!a->lines.n || describe_small_reason(&unused, r))
        return false;
    if (!lists(r, t->mem))
        text_printf(
            t, "the %u operations below have no linearization, whatever the others do, because:", (unsigned)a->ops.n);
    return true;
}

bool describe_part(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->pattern == PATTERN_NoVisibility) {
        describe_visibility(t, r);
        return true;
    }
    if (describe_small_reason(t, r))
        return true;
    if (describe_by_prefix(r)) {
        describe_operation(t, r->h, r->explanation.unexplained);
        text_puts(t, ": everything until then is linearizable; with this result nothing is");
        if (ev->kept.n)
            text_printf(t, " (the proof has %u operations)", (unsigned)ev->kept.n);
        return false;
    }
    if (ev->kept.n) {
        core(t, r);
        return true;
    }
    describe_operation(t, r->h, ev->culprit);
    if (ev->prefix && !ev->tied) {
        text_printf(t, ": everything%s until then is linearizable; with this result nothing is", of_its_part(r));
        possible_results(t, &r->explanation);
        return false;
    }
    text_puts(t, ev->whole ? ": it and the other operations have no common order"
                           : ": it and the other operations of its object have no common order");
    return false;
}
