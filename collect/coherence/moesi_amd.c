/* SPDX-License-Identifier: Apache-2.0 */
/* MOESI in the manner of gem5's AMD Base: a directory that knows nothing of the caches, probes all of them, and
 * collects their answers itself.
 *
 * The home has memory and a third level for victims, which are one value here. It probes all other caches for each
 * request, either to share the line or to give it up. A cache with a dirty line (modified, owned) answers with the
 * value, all others say whether they have a copy. The dirty value has precedence over that of the home. When all have
 * answered, the home sends the value, and the state that goes with it.
 *
 *     cache        home       all others
 *       |--- GET --->|-- FORWARD -->|
 *       |            |<-- COPY or --|  of each
 *       |            |    NOTHING   |
 *       |<-- VALUE --|              |
 *       |--- DONE -->|              |
 *
 * Every line that goes, clean or dirty, is a victim: PUT has its value. A probe may take the line of a victim that is
 * on its way. This supersedes the PUT: the answer says so, and the home drops the value of that PUT when it comes. The
 * home serves nothing else until the cache has confirmed PUT_DONE. So no answer supersedes a PUT that was served. */
#include "collect/coherence/machine.h"

static bool dirty(const struct line *l)
{
    return l->state == MODIFIED || l->state == OWNED;
}

/* ---- the cache asks ---- */

static void ask(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    line_sends(m, cache, l, write ? GET_EXCLUSIVE : GET_SHARED, (struct message){0});
}

static void evict(struct machine *m, uint32_t cache, struct line *l)
{
    line_leave(m, cache, l);
    line_sends(m, cache, l, PUT, (struct message){.value = l->value});
}

/* ---- the cache is probed ---- */

/* Bug lost-write-back: the victim counts as superseded although its line is only shared. */
static bool supersedes(const struct machine *m, const struct line *l, enum message_type probe)
{
    return l->leaving && (probe == FORWARD_EXCLUSIVE || m->bug == BUG_LOST_WRITE_BACK);
}

/* A victim on its way is still a copy. Bug dropped-forward: it is taken for gone. */
static void answer(struct machine *m, uint32_t cache, const struct message *msg, const struct line *l)
{
    bool has = l && l->state != INVALID && !(m->bug == BUG_DROPPED_FORWARD && l->leaving);
    struct message out = *msg;
    out.type = has && dirty(l) ? COPY : NOTHING;
    out.from = cache;
    out.to = home_node(m);
    out.value = has ? l->value : 0;
    out.shared = has;
    out.supersedes = has && supersedes(m, l, msg->type);
    machine_send(m, out);
}

/* Bug silent-upgrade: the line is shared, and still written without asking. */
static void share(const struct machine *m, struct line *l)
{
    if (m->bug == BUG_SILENT_UPGRADE && !l->leaving)
        return;
    if (l->state == EXCLUSIVE)
        l->state = SHARED;
    else if (l->state == MODIFIED)
        l->state = OWNED;
}

static void probe(struct machine *m, uint32_t cache, struct line *l, const struct message *msg)
{
    answer(m, cache, msg, l);
    if (l && msg->type == FORWARD_SHARED)
        share(m, l);
    else if (l)
        line_invalidate(m, cache, l);
}

/* ---- the cache gets an answer ---- */

/* A cache that still has the line knows its value best: it may be the owner. */
static void gain(struct machine *m, uint32_t cache, struct line *l, const struct message *msg)
{
    if (!line_awaits(m, l, msg))
        return;
    bool keeps = l->state != INVALID;
    l->shared = msg->shared;
    line_granted(m, cache, l, line_gained(l), keeps ? l->value : msg->value);
}

static void victim_done(struct machine *m, uint32_t cache, struct line *l)
{
    line_sends(m, cache, l, DONE, (struct message){.requester = cache});
    line_left(l);
}

static void cache_receives(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    switch (msg->type) {
    case FORWARD_SHARED:
    case FORWARD_EXCLUSIVE: probe(m, cache, l, msg); break;
    case INVALIDATE_LATE: line_drop_late(m, cache, l); break;
    case VALUE: gain(m, cache, l, msg); break;
    case PUT_DONE: victim_done(m, cache, l); break;
    default: machine_unexpected(m, "a cache cannot receive this");
    }
}

/* ---- the home ---- */

/* Bug unawaited-ack: the last answer is not awaited. */
static void respond_if_complete(struct machine *m, struct home_line *h)
{
    bool hasty = m->bug == BUG_UNAWAITED_ACK && m->cores > 1;
    if (h->answers > hasty)
        return;
    h->answers = 0;
    home_sends(m, h, VALUE, h->current.from,
               (struct message){.value = h->has_found ? h->found : h->value, .shared = h->shared});
}

static void probe_all(struct machine *m, struct home_line *h, const struct message *msg)
{
    h->answers = m->cores - 1;
    h->has_found = h->shared = false;
    for (uint32_t i = 0; i < m->cores; i++)
        if (i != msg->from)
            home_sends(m, h, msg->type == GET_SHARED ? FORWARD_SHARED : FORWARD_EXCLUSIVE, i, (struct message){0});
    respond_if_complete(m, h);
}

/* Bug stale-write-back: a superseded value is written. */
static void take_victim(struct machine *m, struct home_line *h, const struct message *msg)
{
    uint64_t bit = (uint64_t)1 << msg->from;
    if (!(h->superseded & bit) || m->bug == BUG_STALE_WRITE_BACK)
        h->value = msg->value;
    h->superseded &= ~bit;
    home_sends(m, h, PUT_DONE, msg->from, (struct message){0});
}

static void home_serves(struct machine *m, struct home_line *h, const struct message *msg)
{
    h->awaits = 1;
    if (msg->type == PUT)
        take_victim(m, h, msg);
    else
        probe_all(m, h, msg);
}

static void home_answered(struct machine *m, struct home_line *h, const struct message *msg)
{
    if (!h->answers || msg->serial != h->current.serial) {
        machine_unexpected(m, "an answer to nobody");
        return;
    }
    if (msg->type == COPY && h->has_found)
        machine_unexpected(m, "two owners answer");
    if (msg->type == COPY) {
        h->has_found = true;
        h->found = msg->value;
    }
    h->shared |= msg->shared;
    h->superseded |= (uint64_t)msg->supersedes << msg->from;
    h->answers--;
    respond_if_complete(m, h);
}

static void home_gets(struct machine *m, struct home_line *h, const struct message *msg)
{
    if (msg->type == DONE)
        h->awaits = 0;
    else
        home_answered(m, h, msg);
}

const struct protocol protocol_moesi_amd = {.name = "moesi-amd",
                                            .ask = ask,
                                            .evict = evict,
                                            .cache_receives = cache_receives,
                                            .home_serves = home_serves,
                                            .home_receives = home_gets};
