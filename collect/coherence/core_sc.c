/* SPDX-License-Identifier: Apache-2.0 */
/* A core that does one operation after the other: with any of the protocols, sequential consistency. */
#include "collect/coherence/machine.h"

/* Bug early-store: the core proceeds while its store is still on the way. It concerns only that store's variable. */
static void store_and_go_on(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    const struct request *store = &m->caches[core].requests[PORT_BUFFER];
    k->waits = store->active && k->now.kind != ACCESS_FENCE &&
               (k->now.kind == ACCESS_WRITE || store->variable == k->now.variable);
    if (k->waits)
        return;
    if (k->now.kind != ACCESS_WRITE) {
        core_issue(m, core);
        return;
    }
    struct request r = {.kind = ACCESS_WRITE, .variable = k->now.variable, .value = k->now.value};
    cache_request(m, core, PORT_BUFFER, r);
    core_retire(m, core);
}

static void wake(struct machine *m, uint32_t core, enum port port)
{
    (void)port;
    struct core *k = &m->at[core];
    if (k->now.kind == ACCESS_FENCE)
        core_retire(m, core);
    else if (m->bug == BUG_EARLY_STORE)
        store_and_go_on(m, core);
    else
        core_issue(m, core);
}

static void performed(struct machine *m, uint32_t core, enum port port, uint32_t found)
{
    if (port == PORT_BUFFER) {
        if (m->at[core].waits)
            machine_wake(m, core, PORT_CORE, 1);
    } else if (core_issued(m, core, found)) {
        core_retire(m, core);
    } else {
        machine_wake(m, core, PORT_CORE, m->delay);
    }
}

const struct core_kind core_sc = {.name = "sc", .wake = wake, .performed = performed};
