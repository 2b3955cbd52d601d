/* SPDX-License-Identifier: Apache-2.0 */
/* MI: at most one cache has a line, whether to read or to write it.
 *
 *     cache        home          owner
 *       |--- GET --->|              |
 *       |            |-- FORWARD -->|     or VALUE from memory, if nobody has it
 *       |<---------- VALUE ---------|
 *       |--- DONE -->|
 *
 * A line that goes is written back (PUT, PUT_DONE) and kept until then, so that a FORWARD that crosses the write-back
 * finds it. The home ignores the write-back of a cache that is no longer the owner. */
#include "collect/coherence/machine.h"

static void ask(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    (void)write;
    line_sends(m, cache, l, GET_EXCLUSIVE, (struct message){0});
}

static void evict(struct machine *m, uint32_t cache, struct line *l)
{
    line_leave(m, cache, l);
    line_sends(m, cache, l, PUT, (struct message){.value = l->value});
}

/* Bug dropped-forward: a line that is leaving is taken for gone, and the home sends its own value. */
static void forward(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    bool has = l && l->state == MODIFIED;
    if (!has)
        machine_unexpected(m, "a cache is asked for a line that it does not have");
    if (m->bug == BUG_DROPPED_FORWARD && has && l->leaving)
        has = false;
    struct message answer = *msg;
    answer.from = cache;
    answer.type = has ? VALUE : NOTHING;
    answer.to = has ? msg->requester : home_node(m);
    answer.value = has ? l->value : 0;
    machine_send(m, answer);
    if (l)
        line_drop(m, cache, l);
}

static void cache_receives(struct machine *m, uint32_t cache, const struct message *msg)
{
    struct line *l = cache_find(m, cache, msg->variable);
    switch (msg->type) {
    case FORWARD_EXCLUSIVE: forward(m, cache, msg); break;
    case VALUE: line_granted(m, cache, l, MODIFIED, msg->value); break;
    case PUT_DONE: line_left(l); break;
    default: machine_unexpected(m, "a cache cannot receive this");
    }
}

static void home_serves(struct machine *m, struct home_line *h, const struct message *msg)
{
    if (msg->type == PUT) {
        home_writes_back(m, h, msg);
        return;
    }
    if (h->owner == ID_NONE)
        home_sends(m, h, VALUE, msg->from, (struct message){.value = h->value});
    else
        home_sends(m, h, FORWARD_EXCLUSIVE, h->owner, (struct message){0});
    h->owner = msg->from;
    h->awaits = 1;
}

static void home_gets(struct machine *m, struct home_line *h, const struct message *msg)
{
    if (msg->type == NOTHING)
        home_sends(m, h, VALUE, h->current.from, (struct message){.value = h->value});
    else
        h->awaits--;
}

const struct protocol protocol_mi = {.name = "mi",
                                     .ask = ask,
                                     .evict = evict,
                                     .cache_receives = cache_receives,
                                     .home_serves = home_serves,
                                     .home_receives = home_gets};
