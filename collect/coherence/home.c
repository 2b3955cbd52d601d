/* SPDX-License-Identifier: Apache-2.0 */
/* The home of the lines: one transaction of a line at a time, in the order of arrival. */
#include "collect/coherence/machine.h"

#include <string.h>

/* Under contention the queue is never empty, and must not grow for ever: what was served goes when it is half of it. */
static void forget_served(struct home_line *h)
{
    if (2 * h->served < h->queue.n)
        return;
    h->queue.n -= h->served;
    if (h->queue.n)
        memmove(h->queue.at, h->queue.at + h->served, h->queue.n * sizeof *h->queue.at);
    h->served = 0;
}

void home_receives(struct machine *m, const struct message *msg)
{
    struct home_line *h = &m->home[msg->variable];
    if (msg->type > LAST_REQUEST) {
        m->protocol->home_receives(m, h, msg);
    } else if (h->awaits) {
        struct message waits = *msg;
        waits.waited = true;
        vec_push(m->mem, &h->queue, waits);
    } else {
        h->current = *msg;
        m->protocol->home_serves(m, h, msg);
    }
    while (!h->awaits && h->served < h->queue.n) {
        h->current = h->queue.at[h->served++];
        m->protocol->home_serves(m, h, &h->current);
    }
    forget_served(h);
}

void home_sends(struct machine *m, struct home_line *h, enum message_type type, uint32_t to, struct message extra)
{
    extra.type = type;
    extra.from = home_node(m);
    extra.to = to;
    extra.variable = h->current.variable;
    extra.requester = h->current.from;
    extra.serial = h->current.serial;
    machine_send(m, extra);
}
