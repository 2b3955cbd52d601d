/* SPDX-License-Identifier: Apache-2.0 */
/* A core with a store buffer: with any of the protocols, total store order.
 *
 * Stores retire into the buffer, which hands them to the cache one at a time, the oldest first. A load takes the
 * newest store of its own buffer, else it asks the cache. Fences and read-modify-writes wait until the buffer is
 * empty. */
#include "collect/coherence/machine.h"

#include <string.h>

enum { BUFFER_MOST = 8 };

/* ---- the buffer ---- */

static void drain_later(struct machine *m, uint32_t core)
{
    machine_wake(m, core, PORT_BUFFER, 2 * m->delay);
}

/* Bug unordered-buffer: any store that is the oldest of its variable. */
static uint32_t choose(struct machine *m, const struct core *k)
{
    const struct access *all = k->buffer.all.at;
    uint32_t i = 0;
    if (m->bug == BUG_UNORDERED_BUFFER) {
        uint32_t variable = all[rng_below(&m->rng, k->buffer.all.n)].variable;
        while (all[i].variable != variable)
            i++;
    }
    return i;
}

static void drain(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    k->draining = choose(m, k);
    const struct access *store = &k->buffer.all.at[k->draining];
    struct request r = {.kind = ACCESS_WRITE, .variable = store->variable, .value = store->value};
    cache_request(m, core, PORT_BUFFER, r);
}

static void drained(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    struct access *at = &k->buffer.all.at[k->draining];
    k->buffer.all.n--;
    memmove(at, at + 1, (k->buffer.all.n - k->draining) * sizeof *at);
    if (k->buffer.all.n)
        drain_later(m, core);
    if (k->waits) {
        k->waits = false;
        machine_wake(m, core, PORT_CORE, 1);
    }
}

static void store(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    if (k->buffer.all.n == BUFFER_MOST) {
        k->waits = true;
        return;
    }
    if (!k->buffer.all.n)
        drain_later(m, core);
    vec_push(m->mem, &k->buffer.all, k->now);
    core_retire(m, core);
}

/* ---- operations ---- */

static void load(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    bool snoops = m->bug != BUG_MISSING_SNOOP; /* else it asks the cache at once */
    if (snoops && core_holds(k, k->now.variable, &k->now.value))
        core_retire(m, core);
    else
        core_issue(m, core);
}

/* Bug leaky-fence: it does not wait. */
static void fence(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    k->waits = k->buffer.all.n && m->bug != BUG_LEAKY_FENCE;
    if (!k->waits)
        core_retire(m, core);
}

static void exchange(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    k->waits = k->buffer.all.n;
    if (!k->waits)
        core_issue(m, core);
}

static void wake(struct machine *m, uint32_t core, enum port port)
{
    if (port == PORT_BUFFER) {
        drain(m, core);
        return;
    }
    switch (m->at[core].now.kind) {
    case ACCESS_READ: load(m, core); break;
    case ACCESS_WRITE: store(m, core); break;
    case ACCESS_EXCHANGE: exchange(m, core); break;
    case ACCESS_FENCE: fence(m, core); break;
    }
}

static void performed(struct machine *m, uint32_t core, enum port port, uint32_t found)
{
    if (port == PORT_BUFFER)
        drained(m, core);
    else if (core_issued(m, core, found))
        core_retire(m, core);
    else
        machine_wake(m, core, PORT_CORE, m->delay);
}

const struct core_kind core_tso = {.name = "tso", .wake = wake, .performed = performed};
