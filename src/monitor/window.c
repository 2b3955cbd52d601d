/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/window.h"

#include "monitor/look.h"
#include "monitor/monitor.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH = 1024 };

void window_plan(struct isolation *x)
{
    uint32_t batch = look_batch ? look_batch : BATCH, kept = x->h->n;
    x->due = kept + (kept > batch ? kept : batch);
    x->due = x->due > x->most ? x->most : x->due;
    x->m->stats.kept = kept > x->m->stats.kept ? kept : x->m->stats.kept;
}

/* A window without operations. A value that is declared for all variables is one of each window, others are
 * carried. */
static history *new_window(struct isolation *x)
{
    const history *head = x->m->head;
    history *h = history_new();
    h->mem.limit = x->m->mem.limit;
    if (x->m->file)
        h->source = history_name(h, x->m->file, strlen(x->m->file));
    const struct binding *common = bindings_find(&head->init, (struct value){.kind = ASSAY_NONE});
    if (common) {
        const struct header *said = &head->headers.at[common->header];
        history_header(h, "init", 4, said->text, said->length, 0, 0, NULL);
    }
    return h;
}

void window_begin(struct isolation *x)
{
    x->h = new_window(x);
    window_plan(x);
}

static void push_arrived(void *arg, uint64_t event)
{
    struct isolation *x = arg;
    vec_push(&x->mem, &x->arrived, event);
}

void window_read_too_late(struct isolation *x, uint32_t line)
{
    char why[160];
    snprintf(why, sizeof why,
             "an unknown transaction (line %" PRIu32 ") was read when writers of its variables had been forgotten",
             line);
    if (line)
        monitor_weaken(x->m, &online_window, why, x->m->step);
}

void window_renew(struct isolation *x, const bool *keep)
{
    history *old = x->h, *h = new_window(x);
    VEC(uint64_t) arrived = {x->arrived.at, x->arrived.n, x->arrived.cap};
    x->h = h; /* both are freed if something escapes: */
    x->leaving = old;
    x->arrived.at = NULL;
    x->arrived.n = x->arrived.cap = 0;
    if (x->unread.wanted.n)
        window_read_too_late(x, unread_come_back(&x->unread, h, &x->carried, push_arrived, x));
    uint32_t checked = x->checked;
    x->checked = h->n;
    struct carry carry = {.from = old, .to = h};
    for (uint32_t op = 0; op < old->n; op++) {
        if (keep && !keep[op])
            continue;
        carry_operation(&carry, op);
        push_arrived(x, arrived.at[op]);
        x->checked += op < checked;
    }
    carry_end(&carry);
    vec_free(&x->mem, &arrived);
    x->leaving = NULL;
    history_free(old);
}
