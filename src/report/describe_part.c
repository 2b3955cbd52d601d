/* SPDX-License-Identifier: Apache-2.0 */
/* Why a part of a history has no linearization, in words. Each small reason has a sentence with the culprit and the
 * call that contradicts it, so that a reader can check it in the file. The other ones say how far the history is
 * linearizable, and which results would have been possible there. */
#include "report/describe_part.h"
#include "base/notation.h"
#include "history/token.h"
#include "report/describe.h"

#include <string.h>

/* ---- values ---- */

static void public_value(struct text *t, assay_value v);

static void public_list(struct text *t, assay_value list)
{
    assay_value *elements = mem_new(t->mem, assay_value, list.length + 1);
    size_t n = list.length;
    for (assay_value rest = list; rest.length; rest = assay_list_before(rest))
        elements[rest.length - 1] = assay_list_last(rest);
    text_puts(t, "[");
    for (size_t i = 0; i < n; i++) {
        text_puts(t, i ? " " : "");
        public_value(t, elements[i]);
    }
    text_puts(t, "]");
    mem_free(t->mem, elements);
}

static void public_value(struct text *t, assay_value v)
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

static bool is_of(const result *r, const char *object)
{
    return strcmp(r->object, object) == 0;
}

/* Of an append-map, whose strings are empty at first. */
static bool is_get(const history *h, uint32_t op)
{
    return strcmp(history_text(h, h->method[op]), "get") == 0;
}

/* The value that the culprit claims to have seen: its result, the old value of a compare-and-swap, the value of a
 * set. */
static struct value seen(const result *r, uint32_t op)
{
    const history *h = r->h;
    uint32_t arity = history_arity(h, op);
    if (is_of(r, "set") || is_of(r, "multiset"))
        return history_written(h, op, 0);
    return arity >= 2 && !is_of(r, "map") ? history_written(h, op, arity - 2) : history_written_result(h, op);
}

static void print_seen(struct text *t, const result *r, uint32_t op)
{
    token_print(t, r->h, seen(r, op));
}

/* ---- an initial value that was not declared ---- */

static bool is_declared(const history *h, struct value variable)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].key.kind == ASSAY_NONE || value_same(h->init.at[i].key, variable))
            return true;
    return false;
}

void describe_offer_initial(struct text *t, const history *h, struct value variable, struct value read,
                            const char *taken)
{
    if (is_declared(h, variable))
        return;
    struct text binding = text_in(t->mem);
    if (variable.kind != ASSAY_NONE) {
        token_print(&binding, h, variable);
        text_puts(&binding, "=");
    }
    token_print(&binding, h, read);
    text_printf(t, "; the initial value is taken to be %s, unless --init '%s' or a line `# @init %s` gives another one",
                taken, text_get(&binding), text_get(&binding));
    mem_free(t->mem, binding.at);
}

/* A value without a write may be the initial one, if the history does not declare that. A thread that has written the
 * variable before would not read it any more. */
void describe_maybe_initial(struct text *t, const result *r, uint32_t op)
{
    const history *h = r->h;
    bool single = is_of(r, "register") || is_of(r, "cas-register");
    struct value variable = single || !history_arity(h, op) ? (struct value){0} : history_written(h, op, 0);
    for (uint32_t o = 0; o < op; o++)
        if (h->thread[o] == h->thread[op] && history_arity(h, o) > !single && /* a write has a value more than a read */
            (single || value_same(history_arg(h, o, 0), variable)))
            return;
    describe_offer_initial(t, h, variable, seen(r, op), is_get(h, op) ? "\"\"" : "0");
}

/* ---- small reasons ---- */

/* An add of a collection has an argument; a removal has none. */
static bool is_add(const result *r, uint32_t op)
{
    return !is_of(r, "set") && history_arity(r->h, op) == 1;
}

static uint32_t copies(const result *r, struct value v)
{
    const struct evidence *ev = &r->evidence;
    uint32_t n = 0;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        n += is_add(r, ev->kept.at[i]) && value_same(history_arg(r->h, ev->kept.at[i], 0), v);
    for (uint32_t i = 0; i < r->h->init.n; i++)
        n += r->h->init.at[i].key.kind == ASSAY_NONE && value_same(r->h->init.at[i].value, v);
    return n;
}

/* ": 2 was put in once", or "3 times by then", and the fate of the copies. */
static void copies_and(struct text *t, const result *r, const char *of_one, const char *of_several)
{
    uint32_t op = r->evidence.culprit, n = copies(r, history_result(r->h, op));
    text_puts(t, ": ");
    print_seen(t, r, op);
    if (n == 1)
        text_printf(t, " was put in once, and %s", of_one);
    else
        text_printf(t, " was put in %u times by then, and %s", (unsigned)n, of_several);
}

static void too_often(struct text *t, const result *r)
{
    copies_and(t, r, "another call took it out", "taken out once more");
}

static void seen_later(struct text *t, const result *r)
{
    copies_and(t, r, "had been taken out before", "had been taken out as often before");
}

/* ": 2 was in it all the time", or with several values: ": at each moment 2 or 5 was in it" */
static void never_empty(struct text *t, const result *r)
{
    enum { FEW = 4 };
    const struct evidence *ev = &r->evidence;
    struct value in[FEW];
    uint32_t n = 0;
    for (uint32_t i = 0; i < ev->kept.n && n < FEW; i++) {
        if (!is_add(r, ev->kept.at[i]))
            continue;
        uint32_t j = 0;
        struct value v = history_written(r->h, ev->kept.at[i], 0);
        while (j < n && !value_same(in[j], v))
            j++;
        if (j == n)
            in[n++] = v;
    }
    if (!n || n == FEW) {
        text_puts(t, ": at each moment some value was in it");
        return;
    }
    text_puts(t, n > 1 ? ": at each moment " : ": ");
    for (uint32_t i = 0; i < n; i++) {
        text_puts(t, i ? " or " : "");
        token_print(t, r->h, in[i]);
    }
    text_puts(t, n > 1 ? " was in it" : " was in it all the time");
}

/* The deed that no call can have done since. */
static void done_again(struct text *t, const result *r)
{
    switch (r->evidence.pattern) {
    case PATTERN_SeenAfterRemoved: text_puts(t, "put it in again"); break;
    case PATTERN_MissedWhileIn: text_puts(t, "taken it out"); break;
    case PATTERN_StaleRead:
        text_puts(t, "set ");
        print_seen(t, r, r->evidence.culprit);
        text_puts(t, " again");
        break;
    default: text_puts(t, "changed it back");
    }
}

/* The operation that shows another state, with the one that set it or saw it. Of the two, the earlier one set it. */
static void overwritten(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    uint32_t told[2], n = 0;
    for (uint32_t i = 0; i < ev->kept.n && n < 2; i++)
        if (ev->kept.at[i] != ev->culprit)
            told[n++] = ev->kept.at[i];
    text_puts(t, ": ");
    describe_operation(t, r->h, n ? told[0] : ev->opposite);
    text_puts(t, " came before it");
    if (n > 1) {
        text_puts(t, ", as ");
        describe_operation(t, r->h, told[1]);
        text_puts(t, " shows");
    }
    text_puts(t, ", and no call since then can have ");
    done_again(t, r);
}

/* Two values of a queue, if the add of the one returned before that of the other was called. */
static bool in_order(const result *r, uint32_t *first, uint32_t *second)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    uint32_t add[2], n = 0;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        if (is_add(r, ev->kept.at[i])) {
            if (n == 2)
                return false;
            add[n++] = ev->kept.at[i];
        }
    if (n < 2 || !h->call)
        return false;
    bool swapped = value_same(history_arg(h, add[0], 0), history_result(h, ev->culprit));
    *first = add[swapped];
    *second = add[!swapped];
    return value_same(history_arg(h, *second, 0), history_result(h, ev->culprit)) && !history_pending(h, *first) &&
           h->ret[*first] < h->call[*second];
}

static bool order_reversed(struct text *t, const result *r)
{
    uint32_t first, second;
    if (!in_order(r, &first, &second))
        return false;
    describe_operation(t, r->h, r->evidence.culprit);
    text_puts(t, ": ");
    token_print(t, r->h, history_written(r->h, first, 0));
    text_puts(t, " was in before ");
    token_print(t, r->h, history_written(r->h, second, 0));
    text_puts(t, ", and did not leave before it");
    return true;
}

/* The sentence about the culprit of a small reason. False: the pattern has none. */
static bool small_reason(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool stale = ev->opposite != ASSAY_NO_OPERATION;
    if (ev->pattern == PATTERN_OrderReversed)
        return order_reversed(t, r);
    switch (ev->pattern) {
    case PATTERN_RemovedNeverAdded:
    case PATTERN_ReadNeverWritten:
    case PATTERN_RemovedBeforeAdded:
    case PATTERN_RemovedTwice:
    case PATTERN_SeenAfterRemoved:
    case PATTERN_EmptyWhileFull: break;
    default:
        if (!stale)
            return false;
    }
    describe_operation(t, r->h, ev->culprit);
    if (stale) {
        overwritten(t, r);
        return true;
    }
    switch (ev->pattern) {
    case PATTERN_RemovedTwice: too_often(t, r); return true;
    case PATTERN_SeenAfterRemoved: seen_later(t, r); return true;
    case PATTERN_EmptyWhileFull: never_empty(t, r); return true;
    case PATTERN_RemovedBeforeAdded:
        text_puts(t, ": when it returned, nobody had begun to put in ");
        print_seen(t, r, ev->culprit);
        return true;
    default:
        text_puts(t, ev->pattern == PATTERN_ReadNeverWritten ? ": nobody writes " : ": nobody puts in ");
        print_seen(t, r, ev->culprit);
    }
    if (ev->pattern == PATTERN_ReadNeverWritten)
        describe_maybe_initial(t, r, ev->culprit);
    return true;
}

/* ---- the core, or the longest prefix ---- */

/* Is the proof about strings that are appended to, and the calls that made them? */
static bool is_about_strings(const history *h, const struct evidence *ev)
{
    for (uint32_t i = 0; i < ev->kept.n; i++)
        if (is_get(h, ev->kept.at[i]) && history_result(h, ev->kept.at[i]).kind == ASSAY_STRING)
            return true;
    return false;
}

/* Is the proof about a value that no call can have set then? */
static bool is_about_sources(const struct evidence *ev)
{
    return ev->kept.n == 2 && ev->pattern == PATTERN_ReadBeforeWritten;
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
    text_int(t, r->evidence.initial_sum);
}

static void core(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->kept.n > 1) {
        text_printf(t, "the %u operations below have no linearization, %s", (unsigned)ev->kept.n,
                    is_about_strings(r->h, ev) ? "given the puts and appends that their strings are made of"
                    : is_about_sources(ev)     ? "given all calls that could have set the value"
                    : ev->pattern == PATTERN_ValueUnexplained /* of the other values it says nothing */
                        ? "whichever other values the others see and set"
                        : "whatever the others do");
        return;
    }
    describe_operation(t, r->h, ev->kept.at[0]);
    if (ev->pattern == PATTERN_SumChanged)
        describe_sum(t, r);
    else
        text_puts(t, ev->pattern == PATTERN_SumOutOfReach
                         ? ": no choice of the calls that may come before it adds up to this"
                         : ": alone it has no linearization, whatever the others do");
}

static void possible_results(struct text *t, const struct evidence *ev)
{
    for (uint32_t i = 0; i < ev->allowed.n; i++) {
        text_puts(t, !i ? "; possible there: " : i + 1 == ev->allowed.n ? " or " : ", ");
        public_value(t, ev->allowed.at[i]);
    }
}

void describe_part(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (small_reason(t, r))
        return;
    if (ev->kept.n) {
        core(t, r);
        return;
    }
    describe_operation(t, r->h, ev->culprit);
    if (ev->prefix) {
        text_puts(t, ": everything until then is linearizable; with this result nothing is");
        possible_results(t, ev);
        return;
    }
    text_puts(t, ev->whole ? ": it and the other operations have no common order"
                           : ": it and the other operations of its object have no common order");
}
