/* SPDX-License-Identifier: Apache-2.0 */
/* MESI with two levels: private caches, and a shared second level that knows the holders of each line (a directory).
 *
 * To read: the second level sends the line, or the owner does, which then shares it and sends a copy to the second
 * level. A single reader gets the line exclusively and may write it without asking. To write: the owner hands the line
 * over; or all sharers are told to invalidate it and acknowledge that to the requester. The requester awaits as many
 * acks as the second level says. A sharer that wants to write keeps its value, unless it is invalidated before its
 * turn.
 *
 *     cache        home         sharers               cache         home         owner
 *       |--- GET --->|              |                   |--- GET --->|              |
 *       |            |-INVALIDATE ->|                   |            |-- FORWARD -->|
 *       |<-- VALUE --|              |                   |<---------- VALUE ---------|
 *       |<----------- ACK ----------|                   |--- DONE -->|<--- COPY ----|
 *       |--- DONE -->|              |
 *
 * Shared lines go silently, so a cache may have to acknowledge the invalidation of a line that it no longer has.
 * Exclusive and modified ones are written back and kept until that is done. */
#include "collect/coherence/machine.h"

static uint64_t bit(uint32_t cache)
{
    return UINT64_C(1) << cache;
}

/* ---- the cache asks ---- */

/* In a request has_value says that the cache has the value and wants only to be allowed to write. */
static void ask(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    line_sends(m, cache, l, write ? GET_EXCLUSIVE : GET_SHARED, (struct message){.has_value = l->state != INVALID});
}

static void evict(struct machine *m, uint32_t cache, struct line *l)
{
    if (l->state == SHARED) {
        line_drop(m, cache, l);
        return;
    }
    line_leave(m, cache, l);
    line_sends(m, cache, l, PUT, (struct message){.value = l->value});
}

/* ---- the cache is asked ---- */

static void answer(struct machine *m, uint32_t cache, const struct message *msg, enum message_type type, uint32_t to,
                   const struct line *l)
{
    struct message out = *msg;
    out.type = type;
    out.from = cache;
    out.to = to;
    out.has_value = l != NULL;
    out.value = l ? l->value : 0;
    out.shared = msg->type == FORWARD_SHARED;
    machine_send(m, out);
}

/* Bug dropped-forward: a line that is leaving is taken for gone, and the second level sends its own value. Bug
 * silent-upgrade: the line is shared, and still written without asking. */
static void forward(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    bool has = l && (l->state == EXCLUSIVE || l->state == MODIFIED);
    if (!has)
        machine_unexpected(m, "a cache is asked for a line that it does not own");
    if (m->bug == BUG_DROPPED_FORWARD && has && l->leaving)
        has = false;
    if (!has) {
        answer(m, cache, msg, NOTHING, home_node(m), NULL);
    } else {
        answer(m, cache, msg, VALUE, msg->requester, l);
        if (msg->type == FORWARD_SHARED)
            answer(m, cache, msg, COPY, home_node(m), l);
    }
    if (msg->type == FORWARD_SHARED && has && !l->leaving) {
        if (m->bug != BUG_SILENT_UPGRADE)
            l->state = SHARED;
    } else if (l) {
        line_drop(m, cache, l);
    }
}

static void invalidate(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    answer(m, cache, msg, ACK, msg->requester, NULL);
    if (!l || l->leaving)
        return;
    if (l->state == EXCLUSIVE || l->state == MODIFIED)
        machine_unexpected(m, "an owner is invalidated");
    line_invalidate(m, cache, l);
}

/* ---- the cache gets an answer ---- */

/* Bug unawaited-ack: the value alone is enough.
 * Bug upgrade-race: a value that was thought to be good is kept, although another one was sent. */
static void collect(struct machine *m, uint32_t cache, struct line *l, const struct message *msg)
{
    if (!line_awaits(m, l, msg))
        return;
    if (msg->type == ACK) {
        l->answers++;
    } else {
        l->needed = m->bug == BUG_UNAWAITED_ACK ? 0 : msg->answers;
        l->has_found = msg->has_value && !(m->bug == BUG_UPGRADE_RACE && l->state != INVALID);
        l->found = msg->value;
        l->shared = msg->shared;
    }
    if (l->needed == ID_NONE || l->answers < l->needed)
        return;
    line_granted(m, cache, l, line_gained(l), l->has_found ? l->found : l->value);
}

static void cache_receives(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    switch (msg->type) {
    case FORWARD_SHARED:
    case FORWARD_EXCLUSIVE: forward(m, cache, msg); break;
    case INVALIDATE: invalidate(m, cache, msg); break;
    case INVALIDATE_LATE: line_drop_late(m, cache, l); break;
    case VALUE:
    case ACK: collect(m, cache, l, msg); break;
    case PUT_DONE: line_left(l); break;
    default: machine_unexpected(m, "a cache cannot receive this");
    }
}

/* ---- the second level ---- */

static void send_value(struct machine *m, struct home_line *h, bool shared, uint32_t answers, bool has_value)
{
    home_sends(m, h, VALUE, h->current.from,
               (struct message){.value = h->value, .has_value = has_value, .shared = shared, .answers = answers});
}

static void serve_read(struct machine *m, struct home_line *h, uint32_t reader)
{
    if (h->owner != ID_NONE) {
        home_sends(m, h, FORWARD_SHARED, h->owner, (struct message){0});
        h->sharers = bit(h->owner) | bit(reader);
        h->owner = ID_NONE;
        h->awaits = 2; /* DONE and COPY */
        return;
    }
    send_value(m, h, h->sharers != 0, 0, true);
    h->awaits = 1;
    if (h->sharers)
        h->sharers |= bit(reader);
    else
        h->owner = reader;
}

static void serve_write(struct machine *m, struct home_line *h, const struct message *msg)
{
    uint32_t others = 0;
    if (h->owner != ID_NONE) {
        home_sends(m, h, FORWARD_EXCLUSIVE, h->owner, (struct message){0});
    } else {
        for (uint32_t i = 0; i < m->cores; i++) {
            if (i != msg->from && (h->sharers & bit(i))) {
                home_sends(m, h, INVALIDATE, i, (struct message){0});
                others++;
            }
        }
        send_value(m, h, false, others, !(msg->has_value && (h->sharers & bit(msg->from))));
    }
    h->owner = msg->from;
    h->sharers = 0;
    h->awaits = 1;
}

static void home_serves(struct machine *m, struct home_line *h, const struct message *msg)
{
    switch (msg->type) {
    case GET_SHARED: serve_read(m, h, msg->from); break;
    case GET_EXCLUSIVE: serve_write(m, h, msg); break;
    default: home_writes_back(m, h, msg);
    }
}

static void home_gets(struct machine *m, struct home_line *h, const struct message *msg)
{
    bool read = h->current.type == GET_SHARED;
    if (msg->type == COPY)
        h->value = msg->value;
    if (msg->type == NOTHING)
        send_value(m, h, read, 0, true);
    if (msg->type != NOTHING || read) /* it stands for the copy */
        h->awaits--;
}

const struct protocol protocol_mesi = {.name = "mesi",
                                       .ask = ask,
                                       .evict = evict,
                                       .cache_receives = cache_receives,
                                       .home_serves = home_serves,
                                       .home_receives = home_gets};
