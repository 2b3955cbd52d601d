/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of events, the network, and the loop. */
#include "collect/coherence/machine.h"

#include "base/error.h"

/* ---- the queue: a binary heap ---- */

static bool before(const struct event *a, const struct event *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void push(struct machine *m, struct event e)
{
    e.number = m->events++;
    vec_push(m->mem, &m->queue, e);
    uint32_t i = m->queue.n - 1;
    for (; i && before(&e, &m->queue.at[(i - 1) / 2]); i = (i - 1) / 2)
        m->queue.at[i] = m->queue.at[(i - 1) / 2];
    m->queue.at[i] = e;
}

static struct event pop(struct machine *m)
{
    struct event first = m->queue.at[0], last = vec_pop(&m->queue);
    uint32_t i = 0, n = m->queue.n;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(&m->queue.at[child + 1], &m->queue.at[child]))
            child++;
        if (!before(&m->queue.at[child], &last))
            break;
        m->queue.at[i] = m->queue.at[child];
    }
    if (n)
        m->queue.at[i] = last;
    return first;
}

/* ---- events in time ---- */

void machine_wake(struct machine *m, uint32_t core, enum port port, uint32_t most_delay)
{
    struct event e = {.time = m->now + 1 + rng_below(&m->rng, most_delay), .port = port};
    e.message = (struct message){.type = WAKE, .to = core};
    push(m, e);
}

void machine_later(struct machine *m, struct message msg, uint32_t most_delay)
{
    struct event e = {.time = m->now + 1 + rng_below(&m->rng, most_delay), .message = msg};
    uint64_t *last = &m->last_arrival[msg.from * (m->cores + 1) + msg.to];
    if (m->ordered && e.time <= *last)
        e.time = *last + 1;
    *last = e.time;
    push(m, e);
}

/* Most messages are quick and some are slow: it takes slow ones to open the gap that a race needs. */
void machine_send(struct machine *m, struct message msg)
{
    enum { SLOW = 8 };
    machine_later(m, msg, rng_below(&m->rng, SLOW) ? m->delay : SLOW * m->delay);
}

/* ---- faults ---- */

static _Noreturn void fault(struct machine *m, const char *what)
{
    error_set(m->c->error, ASSAY_ERROR_INTERNAL, "the protocol %s with the core %s: %s", m->protocol->name,
              m->kind->name, what);
    escape_raise(ESCAPE_ERROR);
}

void machine_unexpected(struct machine *m, const char *what)
{
    if (m->bug == BUG_NONE)
        fault(m, what);
}

static void demand_all_done(struct machine *m)
{
    for (uint32_t i = 0; i < m->cores; i++)
        if (m->at[i].left || m->at[i].buffer.all.n)
            fault(m, "deadlock: nothing happens, but not all operations are done");
    for (uint32_t i = 0; i < m->variables; i++)
        if (m->home[i].awaits)
            fault(m, "deadlock: nothing happens, but the home waits for an answer");
}

/* ---- the loop ---- */

static void dispatch(struct machine *m, const struct event *e)
{
    const struct message *msg = &e->message;
    if (msg->type == WAKE) {
        m->kind->wake(m, msg->to, e->port);
    } else if (msg->to == home_node(m)) {
        home_receives(m, msg);
    } else {
        m->protocol->cache_receives(m, msg->to, msg);
        cache_retry(m, msg->to);
    }
}

void machine_run(struct machine *m, uint32_t operations)
{
    uint64_t nodes = m->cores + 1;
    m->events_most = 10000 + (uint64_t)operations * nodes * 1000;
    m->caches = mem_new_zero(m->mem, struct cache, m->cores);
    for (uint32_t i = 0; i < m->cores; i++)
        m->caches[i].lines = mem_new_zero(m->mem, struct line, m->lines);
    m->home = mem_new_zero(m->mem, struct home_line, m->variables);
    for (uint32_t i = 0; i < m->variables; i++)
        m->home[i].owner = ID_NONE;
    m->last_arrival = mem_new_zero(m->mem, uint64_t, nodes * nodes);
    m->written = mem_new_zero(m->mem, uint32_t, m->variables);
    core_start(m, operations);
    while (m->queue.n) {
        if (m->events > m->events_most)
            fault(m, "livelock: it does not come to an end");
        struct event e = pop(m);
        m->now = e.time;
        dispatch(m, &e);
    }
    demand_all_done(m);
}
