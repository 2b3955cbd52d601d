/* SPDX-License-Identifier: Apache-2.0 */
/* The home of the lines: one transaction of a line at a time, in the order of arrival. */
#include "collect/coherence/machine.h"

void home_receives(struct machine *m, const struct message *msg)
{
    struct home_line *h = &m->home[msg->variable];
    if (msg->type > LAST_REQUEST) {
        m->protocol->home_receives(m, h, msg);
    } else if (h->awaits) {
        struct message waits = *msg;
        waits.waited = true;
        ring_push(m->mem, &h->queue, waits);
    } else {
        h->current = *msg;
        m->protocol->home_serves(m, h, msg);
    }
    while (!h->awaits && h->queue.n) {
        h->current = ring_front(&h->queue);
        ring_drop(&h->queue);
        m->protocol->home_serves(m, h, &h->current);
    }
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

/* Bug lost-write-back: one that had to wait for another transaction has lost its value.
 * Bug stale-write-back: that of a cache which is the owner no more overwrites the value of a later one. */
void home_writes_back(struct machine *m, struct home_line *h, const struct message *msg)
{
    if (h->owner == msg->from) {
        if (m->bug != BUG_LOST_WRITE_BACK || !msg->waited)
            h->value = msg->value;
        h->owner = ID_NONE;
    } else if (m->bug == BUG_STALE_WRITE_BACK) {
        h->value = msg->value;
    }
    home_sends(m, h, PUT_DONE, msg->from, (struct message){0});
}
