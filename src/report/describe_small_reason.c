/* SPDX-License-Identifier: Apache-2.0 */
/* Small reasons in words: a sentence with the culprit and the call that contradicts it, so that a reader can check it
 * in the file. */
#include "history/knowledge.h"
#include "history/token.h"
#include "history/value_ids.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

/* ---- the value that the culprit saw ---- */

/* The value that the culprit claims to have seen. It is its result, or the old value of a compare-and-swap. It may also
 * be the value of a set, or the key or value that a map was asked for. */
static struct value seen(const result *r, uint32_t op)
{
    const history *h = r->h;
    uint32_t arity = history_arity(h, op);
    if (r->facts->family == FAMILY_MEMBERS || describe_asks_map(r, op))
        return history_written(h, op, 0);
    return arity >= 2 && r->facts->family == FAMILY_REGISTER ? history_written(h, op, arity - 2)
                                                             : history_written_result(h, op);
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
    if (variable.kind != ASSAY_NONE)
        describe_say(&binding, h, "%V=", variable);
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
    bool single = r->facts->family == FAMILY_REGISTER && !r->facts->by_key;
    struct value variable = single || !history_arity(h, op) ? (struct value){0} : history_written(h, op, 0);
    for (uint32_t o = 0; o < op; o++)
        if (h->thread[o] == h->thread[op] && history_arity(h, o) > !single && /* a write has a value more than a read */
            (single || value_same(history_arg(h, o, 0), variable)))
            return;
    describe_offer_initial(t, h, variable, seen(r, op),
                           r->facts->spec == &spec_append_map ? "\"\""
                           : r->facts->spec == &spec_map      ? "null"
                                                              : "0");
}

static bool needs_quotes(const char *word)
{
    while (token_is_word_char((unsigned char)*word))
        word++;
    return *word;
}

static void suggested_initial(struct text *t, const result *r, const char *quote)
{
    const char *init = r->explanation.assumed.init;
    text_printf(t, "%u first reads suggest another initial value: with --init %s%s%s the history is consistent with %s",
                (unsigned)r->explanation.assumed.reads, quote, init, quote, r->model->name);
}

void describe_assumed_initial(struct text *t, const result *r)
{
    const char *init = r->explanation.assumed.init, *quote = needs_quotes(init) ? "'" : "";
    uint32_t reads = r->explanation.assumed.reads;
    if (r->explanation.assumed.suggested) {
        suggested_initial(t, r, quote);
        return;
    }
    if (reads == 1)
        text_puts(t, "no other read has a value that nobody wrote");
    else
        text_printf(t,
                    reads == 2 ? "both reads of values that nobody wrote have the same one"
                               : "all %u reads of values that nobody wrote have the same one",
                    (unsigned)reads);
    text_printf(t, ": with --init %s%s%s %s the initial value, and the history %s%s", quote, init, quote,
                reads == 1 ? "it is" : "that is",
                r->explanation.assumed.verdict == ASSAY_CONSISTENT  ? "is consistent with "
                : r->explanation.assumed.verdict == ASSAY_VIOLATION ? "still violates "
                                                                    : "is undecided for ",
                r->model->name);
}

/* ---- small reasons ---- */

static bool is_add(const result *r, uint32_t op)
{
    return describe_roles(r, op) & ROLE_ADD;
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

/* Is one of the adds only called after the culprit's return, or behind it in its thread, or by what is recorded? Clocks
 * with equal times leave such adds in the proof, and so do engines that count the calls of a value only. */
static bool adds_later(const result *r, struct mem *m)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    uint32_t thread = h->thread[ev->culprit];
    struct knowledge known = {0};
    bool later = false;
    if (h->after_at)
        known = knowledge_of(h, m, NULL);
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        uint32_t op = ev->kept.at[i];
        later |= is_add(r, op) &&
                 ((h->call && h->call[op] >= h->ret[ev->culprit]) || (h->thread[op] == thread && op > ev->culprit) ||
                  (h->after_at && knowledge_row(&known, op)[thread] > known.place[ev->culprit]));
    }
    return later;
}

/* ": 2 was put in once", or "3 times by then", and the fate of the copies. */
static void copies_and(struct text *t, const result *r, const char *of_one, const char *of_several)
{
    uint32_t op = r->evidence.culprit, n = copies(r, history_result(r->h, op));
    text_puts(t, ": ");
    if (adds_later(r, t->mem)) {
        describe_say(t, r->h, "no %V was left for it", seen(r, op));
        return;
    }
    describe_say(t, r->h, "%V", seen(r, op));
    if (n == 1)
        text_printf(t, " was put in once by then, and %s", of_one);
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

/* ---- a collection that is never empty ---- */

enum { FEW = 4 };

struct few_values { /* different ones; FEW: there are more */
    struct value at[FEW];
    uint32_t n;
};

static void include(struct few_values *in, struct value v)
{
    uint32_t j = 0;
    while (j < in->n && !value_same(in->at[j], v))
        j++;
    if (j == in->n && in->n < FEW)
        in->at[in->n++] = v;
}

/* The initial values, as far as the proof has all their calls: the other ones were left out of it. */
static void include_initial(struct few_values *in, const result *r, struct mem *m)
{
    const history *h = r->h;
    const struct evidence *ev = &r->evidence;
    struct value_ids ids = {0};
    bool *kept = mem_new_zero(m, bool, (size_t)h->n + 1), *out = mem_new_zero(m, bool, (size_t)h->init.n + 1);
    for (uint32_t i = 0; i < h->init.n; i++)
        value_id(m, &ids, h->init.at[i].value);
    for (uint32_t i = 0; i < ev->kept.n; i++)
        kept[ev->kept.at[i]] = true;
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t v = value_id_find(&ids, facts_thing(r->facts, h, op));
        bool moves = describe_roles(r, op) & (ROLE_ADD | ROLE_REMOVE);
        if (v != ID_NONE && moves && !kept[op] && (!ev->prefix || h->call[op] < h->ret[ev->culprit]))
            out[v] = true;
    }
    for (uint32_t i = 0; i < h->init.n; i++)
        if (!out[value_id_find(&ids, h->init.at[i].value)])
            include(in, h->init.at[i].value);
    value_ids_free(m, &ids);
    mem_free(m, out);
    mem_free(m, kept);
}

/* ": 2 was in it all the time", or with several values: ": at each moment 2 or 5 was in it" */
static void never_empty(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    struct few_values in = {.n = 0};
    include_initial(&in, r, t->mem);
    for (uint32_t i = 0; i < ev->kept.n; i++)
        if (is_add(r, ev->kept.at[i]))
            include(&in, history_written(r->h, ev->kept.at[i], 0));
    if (!in.n || in.n == FEW) {
        text_puts(t, ": at each moment some value was in it");
        return;
    }
    text_puts(t, in.n > 1 ? ": at each moment " : ": ");
    for (uint32_t i = 0; i < in.n; i++)
        describe_say(t, r->h, "%s%V", i ? " or " : "", in.at[i]);
    text_puts(t, in.n > 1 ? " was in it" : " was in it all the time");
}

/* Did the call of a map find no value under its key? */
static bool saw_no_key(const result *r)
{
    return r->facts->family == FAMILY_MAP && describe_roles(r, r->evidence.culprit) & ROLE_MISS;
}

/* The deed that no call can have done since. */
static void done_again(struct text *t, const result *r)
{
    switch (r->evidence.pattern) {
    case PATTERN_SeenAfterRemoved: text_puts(t, "put it in again"); break;
    case PATTERN_MissedWhileIn: text_puts(t, "taken it out"); break;
    case PATTERN_TakenTooOften: text_puts(t, "released it"); break;
    case PATTERN_ReleasedTooOften:
    case PATTERN_RefusedWhileFree: text_puts(t, "taken it"); break;
    case PATTERN_FailedWhileEqual: text_puts(t, "changed it"); break;
    case PATTERN_StaleRead:
        if (saw_no_key(r)) {
            text_puts(t, "removed it");
            break;
        }
        describe_say(t, r->h, "set %V again", seen(r, r->evidence.culprit));
        break;
    default: text_puts(t, "changed it back");
    }
}

/* The operation that shows another state, with the one that set it or saw it. Of the two, the first one set it. */
static void overwritten(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    uint32_t told[2], n = 0;
    for (uint32_t i = 0; i < ev->kept.n && n < 2; i++)
        if (ev->kept.at[i] != ev->culprit)
            told[n++] = ev->kept.at[i];
    describe_say(t, r->h, ": %O came before it", n ? told[0] : ev->opposite);
    if (n > 1)
        describe_say(t, r->h, ", as %O shows", told[1]);
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
    describe_say(t, r->h, "%O: %V was in before %V, and did not leave before it", r->evidence.culprit,
                 history_written(r->h, first, 0), history_written(r->h, second, 0));
    return true;
}

/* Is the value the last argument of a call that sets values and began before the culprit returned? Such as cas(3, 3) or
 * add(3) => false: none of them can have brought it in. The culprit itself may be one. */
static bool is_named(const result *r, struct value v, bool in_time)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t arity = history_arity(h, op);
        bool late = in_time && h->call && h->call[op] > h->ret[culprit];
        bool asks = op == culprit && arity < 2; /* contains(3) */
        if (!late && !asks && arity && value_same(history_arg(h, op, arity - 1), v))
            return true;
    }
    return false;
}

/* Of a read of all elements the first one that no call names, if nothing was there at the start. */
static struct value missing(const result *r, struct value all, struct mem *m)
{
    if (all.kind != ASSAY_LIST || r->h->init.n)
        return all;
    const struct list_value *l = r->h->lists.all.at[all.bits], **elements = list_elements(l, m);
    for (uint32_t i = 0; i < l->length && all.kind == ASSAY_LIST; i++)
        if (elements[i]->last.kind != ASSAY_LIST && !is_named(r, elements[i]->last, false))
            all = elements[i]->last;
    mem_free(m, elements);
    return all;
}

/* The line of a call that would have brought the value in, and failed; 0: there is none. */
static uint32_t failed_put(const result *r, struct value value)
{
    const history *h = r->h;
    for (uint32_t i = 0; i < h->silent_calls.n; i++) {
        const struct silent_call *x = &h->silent_calls.at[i];
        if (x->failed && x->object == history_object_of(h, r->evidence.culprit) && value_same(x->arg, value) &&
            facts_adds(r->facts, history_text(h, x->method)))
            return x->line;
    }
    return 0;
}

/* ": nobody writes 3", ": no call can have put in 3"; ", as the add(3) of line 1 failed" */
static void never_there(struct text *t, const result *r)
{
    uint32_t op = r->evidence.culprit;
    bool written = r->evidence.pattern == PATTERN_ReadNeverWritten, adds = describe_adds_member(r, op);
    struct value value = missing(r, seen(r, op), t->mem);
    bool named = adds || is_named(r, value, false);
    describe_say(t, r->h, "%s%s%V", named ? ": no call can have " : ": nobody ",
                 written ? named ? "written " : "writes "
                 : named ? "put in "
                         : "puts in ",
                 value);
    uint32_t failed = failed_put(r, value);
    if (failed)
        text_printf(t, "; the call in line %u, which would have, failed", (unsigned)failed);
}

/* ": when it returned, no call had begun to set 3", ": no call before it can have set 3" */
static void not_yet_there(struct text *t, const result *r)
{
    uint32_t op = r->evidence.culprit;
    bool written = r->evidence.pattern == PATTERN_ReadBeforeWritten, named = is_named(r, seen(r, op), true);
    describe_say(t, r->h, "%s%s%V",
                 named     ? ": no call before it can have "
                 : written ? ": when it returned, no call had begun to "
                           : ": when it returned, nobody had begun to ",
                 written ? "set " : "put in ", seen(r, op));
}

/* A compare-and-swap failed, and no call before it shows the value: it is the initial one. */
static void equal_from_the_start(struct text *t, const result *r)
{
    describe_say(t, r->h, ": the value was %V from the start, and no call had begun to change it",
                 seen(r, r->evidence.culprit));
}

/* Does the proof rest on several calls that found nothing? Then it does not say which of them is wrong. */
static bool several_empty(const result *r)
{
    const struct evidence *ev = &r->evidence;
    uint32_t n = 0;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        n += (describe_roles(r, ev->kept.at[i]) & ROLE_MISS) != 0;
    return n > 1;
}

bool describe_small_reason(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool stale = ev->opposite != ASSAY_NO_OPERATION;
    if (ev->pattern == PATTERN_OrderReversed)
        return order_reversed(t, r);
    struct text amount = text_in(t->mem);
    if (describe_amount(&amount, r)) {
        describe_say(t, r->h, "%O%s", ev->culprit, text_get(&amount));
        return true;
    }
    switch (ev->pattern) {
    case PATTERN_FailedWhileEqual:
    case PATTERN_ReadBeforeWritten:
    case PATTERN_RemovedNeverAdded:
    case PATTERN_ReadNeverWritten:
    case PATTERN_RemovedBeforeAdded:
    case PATTERN_RemovedTwice:
    case PATTERN_SeenAfterRemoved: break;
    case PATTERN_EmptyWhileFull:
        if (several_empty(r))
            return false;
        break;
    default:
        if (!stale)
            return false;
    }
    describe_operation(t, r->h, ev->culprit);
    if (stale) {
        overwritten(t, r);
        return true;
    }
    bool never = ev->pattern == PATTERN_ReadNeverWritten;
    if ((never || ev->pattern == PATTERN_ReadBeforeWritten) && saw_no_key(r)) {
        text_printf(t, ": the key had a value from the start, and %s",
                    never ? "no other call removes it" : "when it returned, no call had begun to remove it");
        return true;
    }
    switch (ev->pattern) {
    case PATTERN_RemovedTwice: too_often(t, r); return true;
    case PATTERN_SeenAfterRemoved: seen_later(t, r); return true;
    case PATTERN_EmptyWhileFull: never_empty(t, r); return true;
    case PATTERN_FailedWhileEqual: equal_from_the_start(t, r); return true;
    case PATTERN_ReadBeforeWritten:
    case PATTERN_RemovedBeforeAdded: not_yet_there(t, r); return true;
    default: never_there(t, r);
    }
    if (never)
        describe_maybe_initial(t, r, ev->culprit);
    return true;
}
