/* SPDX-License-Identifier: Apache-2.0 */
/* The argument of a small core in words (explain/argue.h): each line is an order that follows from others, a case, or
 * the contradiction. A path of orders is one clause: "A returned before B was called, which came before C". */
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

static bool is_told_by_times(const history *h, const struct argument_order *o)
{
    return o->rule == ARGUMENT_TIME && history_times(h) == TIMES_INTERVALS && !history_pending(h, o->from.op) &&
           h->ret[o->from.op] < h->call[o->to.op];
}

static bool is_start(const struct argument_end *e)
{
    return e->op == ASSAY_NO_OPERATION && !e->never;
}

/* The value, which may have been put in more than once. */
static void value_of(struct text *t, const result *r, const struct argument_end *e)
{
    const struct argument *a = &r->explanation.argument;
    uint32_t puts = 0;
    for (uint32_t i = 0; i < a->ops.n; i++)
        puts += history_arity(r->h, a->ops.at[i]) && value_same(history_arg(r->h, a->ops.at[i], 0), e->value);
    bool named = e->never && e->of != ASSAY_NO_OPERATION && puts > 1;
    describe_say(t, r->h, "%s%V", named ? "the " : "", e->value);
    if (named)
        describe_say(t, r->h, " of %B", e->of);
}

/* The end of a clause whose subject is the first call. */
static void then(struct text *t, const result *r, const struct argument_order *o)
{
    if (o->to.never) {
        text_puts(t, " came before ");
        value_of(t, r, &o->to);
        text_puts(t, " left, if it did");
    } else if (is_start(&o->to)) {
        describe_say(t, r->h, " came before %V was there", o->to.value);
    } else if (is_told_by_times(r->h, o)) {
        describe_say(t, r->h, " returned before %B was called", o->to.op);
    } else {
        describe_say(t, r->h, " came before %B", o->to.op);
    }
}

static void one(struct text *t, const result *r, const struct argument_order *o)
{
    if (o->rule == ARGUMENT_LAST) {
        text_puts(t, "none of them took out ");
        value_of(t, r, &o->to);
        describe_say(t, r->h, " before %B", o->from.op);
        return;
    }
    if (o->from.op != ASSAY_NO_OPERATION) {
        describe_say(t, r->h, "%B", o->from.op);
        then(t, r, o);
        return;
    }
    value_of(t, r, &o->from);
    text_puts(t, o->from.never ? " was taken out before " : " was in it from the start, before ");
    if (o->to.op != ASSAY_NO_OPERATION)
        describe_say(t, r->h, "%B", o->to.op);
    else
        token_print(t, r->h, o->to.value);
}

static bool goes_on(const struct argument_order *o, const struct argument_order *next)
{
    return o->to.op != ASSAY_NO_OPERATION && o->to.op == next->from.op && next->rule != ARGUMENT_LAST;
}

static void path(struct text *t, const result *r, const struct argument_order *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i && goes_on(&at[i - 1], &at[i])) {
            text_puts(t, ", which");
            then(t, r, &at[i]);
            continue;
        }
        text_puts(t, i ? ", and " : "");
        one(t, r, &at[i]);
    }
}

static const char *rule_of(const result *r, enum argument_rule rule)
{
    switch (rule) {
    case ARGUMENT_FIFO: return "first in, first out";
    case ARGUMENT_LIFO: return "last in, first out";
    case ARGUMENT_NEARER: return "the value that is nearer to this end leaves first";
    case ARGUMENT_PRIORITY:
        return strstr(r->blamed, "min") ? "the least value leaves first" : "the greatest value leaves first";
    case ARGUMENT_EMPTY: return "it found nothing";
    default: return "";
    }
}

/* A circle, without the order that was told last: it leads from the end of that to its begin. */
static void contradiction(struct text *t, const result *r, const struct argument_order *at, uint32_t n)
{
    uint32_t last = n;
    for (uint32_t i = 0; i < n; i++)
        if (at[i].rule > ARGUMENT_CHAIN)
            last = i;
    for (uint32_t i = 0; i < n && last == n; i++)
        if (at[i].rule == ARGUMENT_ASSUMED)
            last = i;
    struct argument_order *rest = mem_new(t->mem, struct argument_order, n + 1);
    uint32_t count = 0;
    for (uint32_t i = 1; i < n + (last == n); i++)
        rest[count++] = at[(last + i) % n];
    text_puts(t, "but ");
    path(t, r, rest, count);
    mem_free(t->mem, rest);
}

void describe_argument(struct text *t, const result *r, uint32_t i)
{
    const struct argument_line *line = &r->explanation.argument.lines.at[i];
    const struct argument_order *at = r->explanation.argument.orders.at + line->path_at;
    switch (line->kind) {
    case ARGUMENT_SO:
        path(t, r, at, line->path_count);
        text_puts(t, ", so ");
        one(t, r, &line->order);
        text_printf(t, ": %s", rule_of(r, line->order.rule));
        break;
    case ARGUMENT_BUT: contradiction(t, r, at, line->path_count); break;
    case ARGUMENT_IF_BEFORE:
        text_puts(t, "if ");
        one(t, r, &line->order);
        text_puts(t, ":");
        break;
    case ARGUMENT_IF_FOUND:
        describe_say(t, r->h, "if %B found the %V", line->order.to.op, line->order.from.value);
        if (line->order.from.op == ASSAY_NO_OPERATION) {
            text_puts(t, " that was in it from the start:");
            break;
        }
        describe_say(t, r->h, " of %B:", line->order.from.op);
        break;
    case ARGUMENT_IF_NOT: describe_say(t, r->h, "if %B took none of these values:", line->order.to.op); break;
    default: describe_say(t, r->h, "no %V is left for %B", line->order.to.value, line->order.to.op);
    }
}

void describe_more(struct text *t, const result *r, const char *indent)
{
    struct text about = text_in(t->mem), loss = text_in(t->mem), at_fault = text_in(t->mem);
    if (describe_loss(&loss, r))
        text_printf(t, "%s%s\n", indent, text_get(&loss));
    uint32_t lines = describe_argues(&about, r) ? r->explanation.argument.lines.n : 0;
    if (about.n)
        text_printf(t, "%s%s\n", indent, text_get(&about));
    for (uint32_t i = 0; i < lines; i++) {
        text_printf(t, "%s%*s", indent, 2 + 2 * (int)r->explanation.argument.lines.at[i].depth, "");
        describe_argument(t, r, i);
        text_char(t, '\n');
    }
    if (describe_at_fault(&at_fault, r))
        text_printf(t, "%s%s\n", indent, text_get(&at_fault));
}
