/* SPDX-License-Identifier: Apache-2.0 */
/* Is a violation the loss of something that was acknowledged? A sentence names it: the element of a set that a later
 * read misses, the value that a collection was said not to have, or the increments of a counter. `lost`: no later call
 * finds it either; `stale`: one does. All of it can be looked up in the file. */
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

static bool is_called(const history *h, uint32_t op, const char *name)
{
    return strcmp(history_text(h, h->method[op]), name) == 0;
}

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

static bool is_read_of_all(const history *h, uint32_t op)
{
    return !history_arity(h, op) && !history_pending(h, op) && history_result(h, op).kind == ASSAY_LIST;
}

static bool has_element(const history *h, uint32_t read, struct value v)
{
    const struct list_value *l = h->lists.all.at[history_result(h, read).bits];
    for (; l->before; l = l->before)
        if (value_same(l->last, v))
            return true;
    return false;
}

static bool is_set_add(const history *h, uint32_t op)
{
    return (is_called(h, op, "add") || is_called(h, op, "insert")) && history_arity(h, op) == 1 &&
           !history_pending(h, op) && !is_word(h, history_result(h, op), "false");
}

static bool is_of_same_object(const history *h, uint32_t a, uint32_t b)
{
    return history_object_of(h, a) == history_object_of(h, b);
}

/* May some call take the element out? */
static bool is_removed(const history *h, uint32_t add, struct value v)
{
    for (uint32_t op = 0; op < h->n; op++)
        if (is_of_same_object(h, op, add) && history_arity(h, op) == 1 && !is_called(h, op, "add") &&
            !is_called(h, op, "insert") && !is_called(h, op, "contains") && value_same(history_arg(h, op, 0), v))
            return true;
    return false;
}

/* The add was acknowledged before the read was called, which does not have the element, and nobody takes it out. */
static bool misses(const history *h, uint32_t read, uint32_t add)
{
    return is_of_same_object(h, read, add) && is_set_add(h, add) && h->ret[add] < h->call[read] &&
           !has_element(h, read, history_arg(h, add, 0)) && !is_removed(h, add, history_arg(h, add, 0));
}

/* A read that was called later and has the element. */
static uint32_t found_by(const history *h, uint32_t read, struct value v)
{
    for (uint32_t op = 0; op < h->n; op++)
        if (is_of_same_object(h, op, read) && is_read_of_all(h, op) && h->call[op] > h->ret[read] &&
            has_element(h, op, v))
            return op;
    return ASSAY_NO_OPERATION;
}

static void count_lost(struct text *t, const history *h, uint32_t read)
{
    uint32_t lost = 0, stale = 0;
    for (uint32_t op = 0; op < h->n; op++)
        if (misses(h, read, op))
            (*(found_by(h, read, history_arg(h, op, 0)) == ASSAY_NO_OPERATION ? &lost : &stale))++;
    text_printf(t, " (of the acknowledged elements that it misses %u %s lost, %u stale)", (unsigned)lost,
                lost == 1 ? "is" : "are", (unsigned)stale);
}

/* The read of the proof that misses an element, a lost one if there is any. */
static bool lost_element(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    uint32_t read = ASSAY_NO_OPERATION, add = ASSAY_NO_OPERATION, again = ASSAY_NO_OPERATION;
    for (uint32_t i = 0; i <= ev->kept.n && (add == ASSAY_NO_OPERATION || again != ASSAY_NO_OPERATION); i++) {
        uint32_t candidate = i ? ev->kept.at[i - 1] : ev->culprit;
        for (uint32_t op = 0; op < h->n && is_read_of_all(h, candidate); op++) {
            if (!misses(h, candidate, op) || (add != ASSAY_NO_OPERATION && again == ASSAY_NO_OPERATION))
                continue;
            read = candidate;
            add = op;
            again = found_by(h, read, history_arg(h, op, 0));
        }
    }
    if (add == ASSAY_NO_OPERATION)
        return false;
    token_print(t, h, history_written(h, add, 0));
    text_puts(t, again == ASSAY_NO_OPERATION ? " is lost: " : " is stale: ");
    describe_operation(t, h, add);
    text_puts(t, " had returned when ");
    describe_place(t, h, read);
    text_puts(t, " was called, and no call takes it out; ");
    if (again == ASSAY_NO_OPERATION) {
        text_puts(t, "no later read has it");
    } else {
        describe_place(t, h, again);
        text_puts(t, " has it again");
    }
    count_lost(t, h, read);
    return true;
}

/* A value that was in a queue, stack, ... while it was found empty: does it ever leave? */
static bool lost_value(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    uint32_t add = ASSAY_NO_OPERATION;
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        uint32_t op = ev->kept.at[i];
        if (!history_arity(h, op))
            continue;
        if (add != ASSAY_NO_OPERATION)
            return false;
        add = op;
    }
    if (add == ASSAY_NO_OPERATION || h->ret[add] >= h->call[ev->culprit])
        return false;
    struct value v = history_arg(h, add, 0);
    for (uint32_t op = 0; op < h->n; op++)
        if (is_of_same_object(h, op, add) && !history_arity(h, op) &&
            (history_pending(h, op) || value_same(history_result(h, op), v)))
            return false;
    token_print(t, h, history_written(h, add, 0));
    text_puts(t, " is lost: ");
    describe_operation(t, h, add);
    text_puts(t, " had returned before, and no call ever finds it");
    return true;
}

/* Of a counter that only grows: less than what had been acknowledged. */
static bool lost_increments(struct text *t, const result *r)
{
    const history *h = r->h;
    uint32_t culprit = r->evidence.culprit;
    int64_t sum = 0, seen;
    if (history_arity(h, culprit) || history_result(h, culprit).kind != ASSAY_INT || h->init.n)
        return false;
    seen = history_result(h, culprit).bits;
    for (uint32_t op = 0; op < h->n; op++) {
        if (!is_of_same_object(h, op, culprit) || is_called(h, op, "get") || is_called(h, op, "read"))
            continue;
        bool one = is_called(h, op, "inc") || is_called(h, op, "increment");
        bool some = is_called(h, op, "add") && history_arg(h, op, 0).kind == ASSAY_INT &&
                    history_arg(h, op, 0).bits >= 0;
        if (!one && !some)
            return false;
        bool counts = !history_pending(h, op) && h->ret[op] < h->call[culprit];
        if (counts && __builtin_add_overflow(sum, one ? 1 : history_arg(h, op, 0).bits, &sum))
            return false;
    }
    if (seen < 0 || seen >= sum)
        return false;
    text_puts(t, "lost: the calls that had returned before add up to ");
    text_int(t, sum);
    text_puts(t, ", so at least ");
    text_int(t, sum - seen);
    text_puts(t, " is missing");
    return true;
}

bool describe_loss(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->culprit == ASSAY_NO_OPERATION || !(r->model->conditions & COND_LIN) ||
        (r->model->needs & NEED_TRANSACTIONS) || history_times(r->h) != TIMES_INTERVALS ||
        history_pending(r->h, ev->culprit))
        return false;
    if (describe_is_of(r, "set"))
        return lost_element(t, r);
    if (describe_is_of(r, "counter"))
        return ev->pattern == PATTERN_SumOutOfReach && lost_increments(t, r);
    bool collection = describe_is_of(r, "queue") || describe_is_of(r, "stack") || describe_is_of(r, "deque") ||
                      describe_is_of(r, "pqueue");
    return collection && ev->pattern == PATTERN_EmptyWhileFull && lost_value(t, r);
}
