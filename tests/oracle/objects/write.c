/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/write.h"

#include "oracle/finding.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/value.h"
#include "support/chance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void add_value(struct text *t, int v)
{
    if (values[v].kind == 'i' && chance(5))
        say(t, "0x%" PRIx64, (uint64_t)values[v].integer);
    else if (values[v].kind == 'i')
        say(t, "%" PRId64, values[v].integer);
    else
        say(t, values[v].kind == 's' ? "\"%s\"" : "%s", values[v].text);
}

static void add_call(struct text *t, const struct history *h, const struct op *op)
{
    if (h->named)
        say(t, h->odd_names ? "o%d.x-y." : "o%d.", op->object);
    say(t, "%s", op->name);
    if (op->method == TXN) {
        for (int i = 0; i < op->arg_count; i += 3) {
            say(t, i ? ", %s " : "(%s ", op->args[i] ? "w" : "r");
            add_value(t, op->args[i + 1]);
            say(t, " ");
            if (op->args[i + 2] == NONE)
                say(t, "?");
            else
                add_value(t, op->args[i + 2]);
        }
        say(t, ")");
        return;
    }
    for (int i = 0; i < op->arg_count; i++) {
        say(t, i ? ", " : "(");
        add_value(t, op->args[i]);
    }
    say(t, op->arg_count ? ")" : chance(70) ? "()" : "");
}

static void add_headers(struct text *t, const struct history *h)
{
    for (int i = 0; i < h->objects; i++) {
        say(t, chance(80) ? "# @object " : "@object ");
        if (h->named)
            say(t, h->odd_names ? "o%d.x-y " : "o%d ", i);
        say(t, "%s%s", chance(5) ? "atomic-" : "", kind_names[h->kinds[i]]);
        if (h->kinds[i] == SEMAPHORE || h->kinds[i] == COUNTING)
            say(t, "(%d)", h->parameters[i]);
        say(t, "\n");
    }
    if (h->init_count) {
        say(t, "# @init %s", h->init_list ? "[" : "");
        for (int i = 0; i < h->init_count; i++) {
            say(t, i ? h->init_list ? ", " : " " : "");
            if (h->init_keys[i] != NONE) {
                add_value(t, h->init_keys[i]);
                say(t, "=");
            }
            add_value(t, h->init_values[i]);
        }
        say(t, h->init_list ? "]\n" : "\n");
    }
}

static void add_operation(struct text *t, const struct history *h, const struct op *op)
{
    say(t, h->odd_names ? "\xc3\xa9%d: " : "t%d: ", op->thread);
    add_call(t, h, op);
    bool unknown = op->pending && (h->clock == AFTER || chance(40));
    if (unknown)
        say(t, " => ?");
    else if (!op->pending && op->result != NONE) {
        say(t, " => ");
        add_value(t, op->result);
    }
    if (h->clock != AFTER) {
        say(t, " @ %" PRId64 "..", op->call);
        if (!op->pending)
            say(t, "%" PRId64, op->ret);
    } else {
        bool any = false;
        for (int u = 0; u < h->threads; u++)
            any = any || op->after[u];
        if (any || op == h->op)
            say(t, " @ after");
        for (int u = 0; u < h->threads; u++)
            if (op->after[u])
                say(t, h->odd_names ? " \xc3\xa9%d:%d" : " t%d:%d", u, op->after[u]);
    }
    say(t, "\n");
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
            say(t, h->odd_names ? "[w%d] call " : "[%d] call ", op->thread);
            add_call(t, h, op);
            say(t, "\n");
        } else if (op->ret_event == event) {
            say(t, h->odd_names ? "[w%d] return" : "[%d] return", op->thread);
            if (op->result != NONE) {
                say(t, " ");
                add_value(t, op->result);
            }
            say(t, "\n");
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
            say(&out, "%s%s", chance(50) ? "# a comment" : "", end);
        bool header = strchr("#@-", *line);
        say(&out, "%s%.*s%s%s", header || chance(80) ? "" : " \t", (int)(next - line - 1), line,
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
