/* SPDX-License-Identifier: Apache-2.0 */
/* MOESI without a directory, in the manner of AMD's Hammer: a request for a line goes to all other caches.
 *
 * The home only takes turns: it sends a request on to all other caches, and the value of memory to the requester. Each
 * cache answers the requester. The owner (modified, owned, exclusive) sends the value, others an ack that says whether
 * they share the line. The owner's value has precedence over that of memory. A modified line that is read by others
 * becomes owned: memory stays old, and the owner goes on answering for it.
 *
 *     cache        home       all others
 *       |--- GET --->|-- FORWARD -->|
 *       |<-- VALUE --|              |
 *       |<----- VALUE or ACK -------|  of each
 *       |--- DONE -->|
 *
 * Modified and owned lines are written back. PUT asks for a turn. When it comes (PUT_DONE), the value is sent, or the
 * write-back is cancelled if another cache became the owner meanwhile. The other lines go silently. */
#include "collect/coherence/machine.h"

static bool owns(const struct line *l)
{
    return l->state == MODIFIED || l->state == OWNED || l->state == EXCLUSIVE;
}

/* ---- the cache asks ---- */

static void ask(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    l->needed = m->cores; /* the others and memory */
    line_sends(m, cache, l, write ? GET_EXCLUSIVE : GET_SHARED, (struct message){0});
}

static void evict(struct machine *m, uint32_t cache, struct line *l)
{
    if (l->state == SHARED || l->state == EXCLUSIVE) {
        line_drop(m, cache, l);
        return;
    }
    line_leave(m, cache, l);
    line_sends(m, cache, l, PUT, (struct message){0});
}

/* ---- the cache is asked ---- */

/* Bug dropped-forward: a line that is leaving is taken for gone. */
static void answer(struct machine *m, uint32_t cache, const struct message *msg, const struct line *l)
{
    bool has = l && owns(l) && !(m->bug == BUG_DROPPED_FORWARD && l->leaving);
    struct message out = *msg;
    out.type = has ? VALUE : ACK;
    out.from = cache;
    out.to = msg->requester;
    out.has_value = has;
    out.value = has ? l->value : 0;
    out.shared = msg->type == FORWARD_SHARED && (has || (l && !l->leaving && l->state == SHARED));
    machine_send(m, out);
}

/* Bug silent-upgrade: the line is shared, and still written without asking.
 * Bug lost-write-back: a cache that writes back and has to answer for the line thinks that this is enough. */
static void share(struct machine *m, uint32_t cache, struct line *l)
{
    if (m->bug == BUG_LOST_WRITE_BACK && l->leaving)
        line_drop(m, cache, l);
    else if (m->bug == BUG_SILENT_UPGRADE && !l->leaving)
        return;
    else if (l->state == EXCLUSIVE)
        l->state = SHARED;
    else if (l->state == MODIFIED)
        l->state = OWNED;
}

static void forward(struct machine *m, uint32_t cache, struct line *l, const struct message *msg)
{
    answer(m, cache, msg, l);
    if (!l)
        return;
    if (msg->type == FORWARD_SHARED)
        share(m, cache, l);
    else
        line_invalidate(m, cache, l);
}

/* ---- the cache gets an answer ---- */

static void note(struct machine *m, struct line *l, const struct message *msg)
{
    bool from_owner = msg->from != home_node(m);
    l->answers++;
    l->shared |= msg->shared;
    if (msg->type != VALUE || (l->has_found && !from_owner))
        return;
    if (l->has_found && l->from_owner)
        machine_unexpected(m, "two owners answer");
    l->has_found = true;
    l->from_owner = from_owner;
    l->found = msg->value;
}

/* A cache that still has the line knows its value best; else the owner, else memory. Bug unawaited-ack: the last
 * answer is not awaited, if it is not that of memory. */
static void collect(struct machine *m, uint32_t cache, struct line *l, const struct message *msg)
{
    if (!line_awaits(m, l, msg))
        return;
    note(m, l, msg);
    bool hasty = m->bug == BUG_UNAWAITED_ACK && l->needed > 1 && l->has_found;
    if (l->answers < l->needed - hasty)
        return;
    bool keeps = l->state != INVALID;
    line_granted(m, cache, l, line_gained(l), keeps ? l->value : l->found);
}

static void end_write_back(struct machine *m, uint32_t cache, struct line *l)
{
    line_sends(m, cache, l, l->state == INVALID ? PUT_CANCEL : PUT_VALUE, (struct message){.value = l->value});
    line_left(l);
}

static void cache_receives(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    switch (msg->type) {
    case FORWARD_SHARED:
    case FORWARD_EXCLUSIVE: forward(m, cache, l, msg); break;
    case INVALIDATE_LATE: line_drop_late(m, cache, l); break;
    case VALUE:
    case ACK: collect(m, cache, l, msg); break;
    case PUT_DONE: end_write_back(m, cache, l); break;
    default: machine_unexpected(m, "a cache cannot receive this");
    }
}

/* ---- the home ---- */

static void home_serves(struct machine *m, struct home_line *h, const struct message *msg)
{
    h->awaits = 1;
    if (msg->type == PUT) {
        home_sends(m, h, PUT_DONE, msg->from, (struct message){0});
        return;
    }
    for (uint32_t i = 0; i < m->cores; i++)
        if (i != msg->from)
            home_sends(m, h, msg->type == GET_SHARED ? FORWARD_SHARED : FORWARD_EXCLUSIVE, i, (struct message){0});
    home_sends(m, h, VALUE, msg->from, (struct message){.value = h->value});
}

static void home_gets(struct machine *m, struct home_line *h, const struct message *msg)
{
    (void)m;
    if (msg->type == PUT_VALUE)
        h->value = msg->value;
    h->awaits--;
}

const struct protocol protocol_moesi = {.name = "moesi",
                                        .ask = ask,
                                        .evict = evict,
                                        .cache_receives = cache_receives,
                                        .home_serves = home_serves,
                                        .home_receives = home_gets};
