/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of all cores: the program, and loads that are looked up early.
 *
 * A core retires its operations in program order. While a read misses, the value of the next read may be looked up in
 * the cache already. It counts if the cache could still read the line when the first one is done. Then it is as if both
 * were done at that moment. If the line was lost, the second read starts again. */
#include "collect/coherence/machine.h"

/* ---- the program ---- */

static struct access next_operation(struct machine *m, uint32_t core)
{
    struct access a = {.thread = core, .variable = rng_below(&m->rng, m->variables)};
    uint32_t pick = rng_below(&m->rng, 100);
    if (pick >= 100 - m->fences)
        a.kind = ACCESS_FENCE;
    else if (pick >= 100 - m->fences - m->rmws)
        a.kind = ACCESS_EXCHANGE;
    else
        a.kind = pick < m->reads ? ACCESS_READ : ACCESS_WRITE;
    if (access_writes(&a))
        a.value = ++m->written[a.variable];
    return a;
}

void core_start(struct machine *m, uint32_t operations)
{
    m->at = mem_new_zero(m->mem, struct core, m->cores);
    for (uint32_t i = 0; i < m->cores; i++) {
        struct core *k = &m->at[i];
        k->left = operations / m->cores + (i < operations % m->cores);
        if (!k->left)
            continue;
        k->now = next_operation(m, i);
        if (k->left > 1)
            k->next = next_operation(m, i);
        machine_wake(m, i, PORT_CORE, m->delay);
    }
}

static void advance(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    vec_push(m->mem, &m->out.all, k->now);
    k->now = k->next;
    k->left--;
    if (k->left > 1)
        k->next = next_operation(m, core);
}

void core_retire(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    advance(m, core);
    if (k->early)
        advance(m, core);
    k->early = false;
    if (k->left)
        machine_wake(m, core, PORT_CORE, m->delay);
}

/* ---- requests ---- */

bool core_holds(const struct core *k, uint32_t variable, uint32_t *value)
{
    for (uint32_t i = k->buffer.all.n; i-- > 0;) {
        if (k->buffer.all.at[i].variable == variable) {
            *value = k->buffer.all.at[i].value;
            return true;
        }
    }
    return false;
}

static void look_ahead(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    const struct request *store = &m->caches[core].requests[PORT_BUFFER];
    uint32_t ignored;
    if (k->left < 2 || k->next.kind != ACCESS_READ || k->next.variable == k->now.variable ||
        core_holds(k, k->next.variable, &ignored) || (store->active && store->variable == k->next.variable))
        return;
    const struct line *l = cache_find(m, core, k->next.variable);
    if (l && line_permits(l, false)) {
        k->early = true;
        k->next.value = l->value;
    }
}

void core_loses(struct machine *m, uint32_t core, uint32_t variable)
{
    struct core *k = &m->at[core];
    if (k->early && k->next.variable == variable)
        k->early = m->bug == BUG_UNSQUASHED_LOAD; /* the value looked up early counts all the same */
}

void core_issue(struct machine *m, uint32_t core)
{
    struct core *k = &m->at[core];
    struct request r = {.kind = k->now.kind, .variable = k->now.variable, .value = k->now.value};
    if (r.kind == ACCESS_EXCHANGE && m->bug == BUG_SPLIT_RMW) /* first a read, then a write */
        r.kind = k->split ? ACCESS_WRITE : ACCESS_READ;
    cache_request(m, core, PORT_CORE, r);
    if (k->now.kind == ACCESS_READ && m->caches[core].requests[PORT_CORE].active)
        look_ahead(m, core);
}

bool core_issued(struct machine *m, uint32_t core, uint32_t found)
{
    struct core *k = &m->at[core];
    if (k->now.kind == ACCESS_READ)
        k->now.value = found;
    if (k->now.kind != ACCESS_EXCHANGE)
        return true;
    if (!k->split)
        k->now.old = found;
    k->split = !k->split && m->bug == BUG_SPLIT_RMW;
    return !k->split;
}
