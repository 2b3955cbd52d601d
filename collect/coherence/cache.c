/* SPDX-License-Identifier: Apache-2.0 */
/* A private cache: some lines, each in any place, and the requests of its core. A request that a line does not permit
 * sends a message to the home. Each message that arrives gives waiting requests another chance. */
#include "collect/coherence/machine.h"

struct line *cache_find(struct machine *m, uint32_t core, uint32_t variable)
{
    struct line *lines = m->caches[core].lines;
    for (uint32_t i = 0; i < m->lines; i++)
        if (lines[i].used && lines[i].variable == variable)
            return &lines[i];
    return NULL;
}

bool line_permits(const struct line *l, bool write)
{
    if (l->leaving)
        return false;
    return write ? l->state == EXCLUSIVE || l->state == MODIFIED : l->state != INVALID;
}

/* ---- room ---- */

/* A free place; NULL: a line is on its way out, or all are in use. */
static struct line *make_room(struct machine *m, uint32_t core)
{
    struct line *lines = m->caches[core].lines;
    uint32_t first = rng_below(&m->rng, m->lines);
    struct line *victim = NULL;
    for (uint32_t i = 0; i < m->lines; i++) {
        struct line *l = &lines[(first + i) % m->lines];
        if (!l->used)
            return l;
        if (l->leaving)
            return NULL;
        if (!l->asked)
            victim = l;
    }
    if (!victim)
        return NULL;
    m->protocol->evict(m, core, victim);
    return victim->used ? NULL : victim;
}

void line_drop(struct machine *m, uint32_t core, struct line *l)
{
    l->state = INVALID;
    core_loses(m, core, l->variable);
    l->used = l->asked || l->leaving;
}

static void drop_later(struct machine *m, uint32_t core, const struct line *l)
{
    enum { VERY_SLOW = 32 };
    struct message late = {.type = INVALIDATE_LATE, .from = core, .to = core, .variable = l->variable};
    machine_later(m, late, VERY_SLOW * m->delay);
}

/* Bug early-ack: the line can still be read for a while.
 * Bug upgrade-race: a cache that waits to be allowed to write believes that its value stays good. */
void line_invalidate(struct machine *m, uint32_t core, struct line *l)
{
    if (m->bug == BUG_UPGRADE_RACE && l->asked)
        return;
    if (m->bug == BUG_EARLY_ACK && l->state == SHARED)
        drop_later(m, core, l);
    else
        line_drop(m, core, l);
}

void line_drop_late(struct machine *m, uint32_t core, struct line *l)
{
    if (l && l->state == SHARED && !l->asked)
        line_drop(m, core, l);
}

void line_leave(struct machine *m, uint32_t core, struct line *l)
{
    l->leaving = true;
    core_loses(m, core, l->variable);
}

void line_left(struct line *l)
{
    *l = (struct line){.used = false};
}

void line_sends(struct machine *m, uint32_t core, const struct line *l, enum message_type type, struct message extra)
{
    extra.type = type;
    extra.from = core;
    extra.to = home_node(m);
    extra.variable = l->variable;
    extra.serial = l->serial;
    machine_send(m, extra);
}

bool line_awaits(struct machine *m, const struct line *l, const struct message *msg)
{
    bool awaits = l && l->asked && l->serial == msg->serial;
    if (!awaits)
        machine_unexpected(m, "an answer to nobody");
    return awaits;
}

enum line_state line_gained(const struct line *l)
{
    if (l->write)
        return MODIFIED;
    return l->shared ? SHARED : EXCLUSIVE;
}

void line_granted(struct machine *m, uint32_t core, struct line *l, enum line_state state, uint32_t value)
{
    l->asked = false;
    l->state = state;
    l->value = value;
    line_sends(m, core, l, DONE, (struct message){.requester = core});
}

/* ---- requests ---- */

static void perform(struct machine *m, uint32_t core, enum port port, struct line *l)
{
    struct request *r = &m->caches[core].requests[port];
    uint32_t found = l->value;
    if (r->kind != ACCESS_READ) {
        l->value = r->value;
        l->state = MODIFIED;
    }
    r->active = false;
    m->kind->performed(m, core, port, found);
}

static void attempt(struct machine *m, uint32_t core, enum port port)
{
    struct request *r = &m->caches[core].requests[port];
    struct line *l = cache_find(m, core, r->variable);
    bool write = r->kind != ACCESS_READ;
    if (l && line_permits(l, write)) {
        perform(m, core, port, l);
        return;
    }
    if (l && (l->asked || l->leaving))
        return;
    if (!l) {
        l = make_room(m, core);
        if (!l)
            return;
        *l = (struct line){.used = true, .variable = r->variable};
    }
    l->asked = true;
    l->write = write;
    l->serial = ++m->serial;
    l->answers = 0;
    l->needed = ID_NONE;
    l->has_found = l->from_owner = l->shared = false;
    m->protocol->ask(m, core, l, write);
}

void cache_request(struct machine *m, uint32_t core, enum port port, struct request r)
{
    m->caches[core].requests[port] = r;
    m->caches[core].requests[port].active = true;
    attempt(m, core, port);
}

void cache_retry(struct machine *m, uint32_t core)
{
    for (enum port port = 0; port < PORTS; port++)
        if (m->caches[core].requests[port].active)
            attempt(m, core, port);
}
