/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/runs.h"

/* The operations come in thread by thread, and grouping keeps that order. */
struct runs recheck_runs(struct recheck *x, const struct groups *by_thread)
{
    const struct memory *mem = &x->memory;
    uint32_t *var = mem_new(x->mem, uint32_t, x->h->n), runs = 0;
    for (uint32_t i = 0; i < x->h->n; i++) {
        uint32_t op = by_thread->list[i];
        var[i] = mem->role[op] & ROLE_WRITES ? mem->var[op] : ID_NONE;
    }
    struct groups by_var = group_by(var, x->h->n, mem->vars, x->mem);
    struct runs all = {.writes = by_var.list, .count = by_var.at[mem->vars]};
    all.at = mem_new(x->mem, struct run, all.count);
    all.of = mem_new(x->mem, uint32_t, (size_t)mem->vars + 1);
    for (uint32_t v = 0; v < mem->vars; v++) {
        all.of[v] = runs;
        for (uint32_t i = by_var.at[v]; i < by_var.at[v + 1]; i++) {
            all.writes[i] = by_thread->list[all.writes[i]];
            uint32_t thread = x->h->thread[all.writes[i]];
            if (runs == all.of[v] || all.at[runs - 1].thread != thread)
                all.at[runs++] = (struct run){.thread = thread, .from = i};
            all.at[runs - 1].end = i + 1;
        }
    }
    all.of[mem->vars] = runs;
    mem_free(x->mem, var);
    mem_free(x->mem, by_var.at);
    return all;
}
