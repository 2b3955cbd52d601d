/* SPDX-License-Identifier: Apache-2.0 */
#include "support/play_events.h"

#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const struct play_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->returns != y->returns ? x->returns - y->returns : x->op < y->op ? -1 : x->op > y->op;
}

uint32_t play_events(const struct play *p, struct play_event out[PLAY_EVENTS])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        out[n++] = (struct play_event){p->op[i].call, i, false};
        if (!p->op[i].pending)
            out[n++] = (struct play_event){p->op[i].ret, i, true};
    }
    qsort(out, n, sizeof *out, by_time);
    return n;
}

void play_event_print(struct text *t, const struct play *p, const struct play_event *e)
{
    const struct play_op *op = &p->op[e->op];
    text_printf(t, "[%u] %s", e->op, e->returns ? "return" : "call ");
    if (e->returns) {
        if (op->result.kind != ASSAY_NONE) {
            text_char(t, ' ');
            play_put_value(t, op->result);
        }
    } else {
        text_puts(t, op->method);
        for (uint8_t a = 0; a < op->arg_count; a++) {
            text_puts(t, a ? ", " : "(");
            play_put_value(t, op->args[a]);
        }
        text_puts(t, op->arg_count ? ")" : "");
    }
    text_char(t, '\n');
}

uint32_t play_deaths_print(struct text *t, const struct play *p, const struct play_event *events, uint32_t i,
                           uint32_t after)
{
    if (i < after || events[i - after].returns || !p->op[events[i - after].op].pending)
        return 0;
    text_printf(t, "[%u] return ?\n", events[i - after].op);
    return 1;
}
