/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_objects/write.h"

#include "cross/oracle_objects/finding.h"
#include "cross/oracle_objects/history.h"
#include "cross/oracle_objects/random.h"
#include "cross/oracle_objects/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add_text(struct text *t, const char *format, ...)
{
    char piece[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof piece)
        abort();
    if (t->used + (size_t)n + 1 > t->room)
        t->bytes = need(realloc(t->bytes, t->room = 2 * (t->room + (size_t)n + 1)));
    memcpy(t->bytes + t->used, piece, (size_t)n + 1);
    t->used += (size_t)n;
}

void add_value(struct text *t, int v)
{
    if (values[v].kind == 'i' && chance(5))
        add_text(t, "0x%" PRIx64, (uint64_t)values[v].integer);
    else if (values[v].kind == 'i')
        add_text(t, "%" PRId64, values[v].integer);
    else
        add_text(t, values[v].kind == 's' ? "\"%s\"" : "%s", values[v].text);
}

static void add_call(struct text *t, const struct history *h, const struct op *op)
{
    if (h->named)
        add_text(t, h->odd_names ? "o%d.x-y." : "o%d.", op->object);
    add_text(t, "%s", op->name);
    if (op->method == TXN) {
        for (int i = 0; i < op->arg_count; i += 3) {
            add_text(t, i ? ", %s " : "(%s ", op->args[i] ? "w" : "r");
            add_value(t, op->args[i + 1]);
            add_text(t, " ");
            if (op->args[i + 2] == NONE)
                add_text(t, "?");
            else
                add_value(t, op->args[i + 2]);
        }
        add_text(t, ")");
        return;
    }
    for (int i = 0; i < op->arg_count; i++) {
        add_text(t, i ? ", " : "(");
        add_value(t, op->args[i]);
    }
    add_text(t, op->arg_count ? ")" : chance(70) ? "()" : "");
}

static void add_headers(struct text *t, const struct history *h)
{
    for (int i = 0; i < h->objects; i++) {
        add_text(t, chance(80) ? "# @object " : "@object ");
        if (h->named)
            add_text(t, h->odd_names ? "o%d.x-y " : "o%d ", i);
        add_text(t, "%s%s", chance(5) ? "atomic-" : "", kind_names[h->kinds[i]]);
        if (h->kinds[i] == SEMAPHORE || h->kinds[i] == COUNTING)
            add_text(t, "(%d)", h->parameters[i]);
        add_text(t, "\n");
    }
    if (h->init_count) {
        add_text(t, "# @init %s", h->init_list ? "[" : "");
        for (int i = 0; i < h->init_count; i++) {
            add_text(t, i ? h->init_list ? ", " : " " : "");
            if (h->init_keys[i] != NONE) {
                add_value(t, h->init_keys[i]);
                add_text(t, "=");
            }
            add_value(t, h->init_values[i]);
        }
        add_text(t, h->init_list ? "]\n" : "\n");
    }
}

static void add_operation(struct text *t, const struct history *h, const struct op *op)
{
    add_text(t, h->odd_names ? "\xc3\xa9%d: " : "t%d: ", op->thread);
    add_call(t, h, op);
    bool unknown = op->pending && (h->clock == AFTER || chance(40));
    if (unknown)
        add_text(t, " => ?");
    else if (!op->pending && op->result != NONE) {
        add_text(t, " => ");
        add_value(t, op->result);
    }
    if (h->clock != AFTER) {
        add_text(t, " @ %" PRId64 "..", op->call);
        if (!op->pending)
            add_text(t, "%" PRId64, op->ret);
    } else {
        bool any = false;
        for (int u = 0; u < h->threads; u++)
            any = any || op->after[u];
        if (any || op == h->op)
            add_text(t, " @ after");
        for (int u = 0; u < h->threads; u++)
            if (op->after[u])
                add_text(t, h->odd_names ? " \xc3\xa9%d:%d" : " t%d:%d", u, op->after[u]);
    }
    add_text(t, "\n");
}

int last_event(const struct history *h)
{
    int last = 0;
    for (int i = 0; i < h->ops; i++) {
        last = h->op[i].call_event > last ? h->op[i].call_event : last;
        last = h->op[i].ret_event > last ? h->op[i].ret_event : last;
    }
    return last;
}

static void add_event(struct text *t, const struct history *h, int event)
{
    for (int i = 0; i < h->ops; i++) {
        const struct op *op = &h->op[i];
        if (op->call_event == event) {
            add_text(t, h->odd_names ? "[w%d] call " : "[%d] call ", op->thread);
            add_call(t, h, op);
            add_text(t, "\n");
        } else if (op->ret_event == event) {
            add_text(t, h->odd_names ? "[w%d] return" : "[%d] return", op->thread);
            if (op->result != NONE) {
                add_text(t, " ");
                add_value(t, op->result);
            }
            add_text(t, "\n");
        }
    }
}

/* Lines of different threads may come in any order. */
static void add_shuffled(struct text *t, struct history *h)
{
    bool written[MAX_OPS] = {0};
    for (int number = 0; number < h->ops; number++) {
        int i;
        bool first;
        do {
            i = h->shuffled ? below(h->ops) : number;
            first = !written[i];
            for (int j = 0; j < i; j++)
                first = first && (written[j] || h->op[j].thread != h->op[i].thread);
        } while (!first);
        written[i] = true;
        h->op[i].number = number;
        add_operation(t, h, &h->op[i]);
    }
}

void decorate(struct text *t)
{
    struct text out = {0};
    const char *end = chance(50) ? "\r\n" : "\n";
    for (char *line = t->bytes, *next; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (chance(5))
            add_text(&out, "%s%s", chance(50) ? "# a comment" : "", end);
        bool header = strchr("#@-", *line);
        add_text(&out, "%s%.*s%s%s", header || chance(80) ? "" : " \t", (int)(next - line - 1), line,
                 header || chance(80) ? "" : " # so", end);
    }
    free(t->bytes);
    *t = out;
}

void write_history(struct text *t, struct history *h)
{
    add_headers(t, h);
    if (!h->event_form) {
        add_shuffled(t, h);
        return;
    }
    for (int i = 0; i < h->ops; i++)
        h->op[i].number = i;
    for (int e = 1; e <= last_event(h); e++)
        add_event(t, h, e);
}
