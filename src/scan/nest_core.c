/* SPDX-License-Identifier: Apache-2.0 */
/* Cores of a nest that got stuck: ever fewer values that get stuck by themselves. They are found by peeling parts of
 * the row of events again. */
#include "scan/nest.h"

#include <string.h>

static void select_values(const struct nest_core *whole, const bool *values, struct nest_core *to, uint32_t *number)
{
    to->value = mem_new(whole->x.m, uint32_t, whole->x.values + 1);
    for (uint32_t v = 0; v < whole->x.values; v++)
        if (values[v]) {
            number[v] = to->x.values;
            to->value[to->x.values++] = whole->value ? whole->value[v] : v;
        }
}

static void select_peeks(const struct nest_core *whole, const bool *values, struct nest_core *to,
                         const uint32_t *number, uint32_t *peek_number)
{
    uint32_t *owner = mem_new(whole->x.m, uint32_t, whole->x.peeks + 1);
    to->peek = mem_new(whole->x.m, uint32_t, whole->x.peeks + 1);
    for (uint32_t p = 0; p < whole->x.peeks; p++)
        if (values[whole->x.owner[p]]) {
            peek_number[p] = to->x.peeks;
            owner[to->x.peeks] = number[whole->x.owner[p]];
            to->peek[to->x.peeks++] = whole->peek ? whole->peek[p] : p;
        }
    to->x.owner = owner;
}

/* The events of these values, with all their peeks. */
static struct nest_core select_part(const struct nest_core *whole, const bool *values)
{
    const struct nest *from = &whole->x;
    struct mem *m = from->m;
    struct nest_core to = {.x = {.m = m, .budget = from->budget}};
    uint32_t *number = mem_new(m, uint32_t, from->values + 1), *peek_number = mem_new(m, uint32_t, from->peeks + 1);
    select_values(whole, values, &to, number);
    select_peeks(whole, values, &to, number, peek_number);
    uint32_t *events = mem_new(m, uint32_t, from->n + 1);
    for (uint32_t i = 0; i < from->n; i++) {
        enum nest_kind kind = nest_kind(from->events[i]);
        uint32_t id = nest_id(from->events[i]);
        bool is_peek = kind == NEST_PEEK_BEGIN || kind == NEST_PEEK_END;
        if (values[is_peek ? from->owner[id] : id])
            events[to.x.n++] = nest_event(is_peek ? peek_number[id] : number[id], kind);
    }
    to.x.events = events;
    mem_free(m, number);
    mem_free(m, peek_number);
    return to;
}

static void explain(struct nest_core *core)
{
    struct nest *x = &core->x;
    core->values = mem_new_zero(x->m, bool, x->values + 1);
    core->peeks = mem_new_zero(x->m, bool, x->peeks + 1);
    nest_why_stuck(x, core->values, core->peeks);
}

void nest_free(struct nest *x)
{
    void *const blocks[] = {
        (void *)x->events, (void *)x->owner, (void *)x->empty, x->state,      x->used,      x->gap_round,   x->taken,
        x->value_round,    x->peek_state,    x->peek_begin,    x->peek_end,   x->waits,     x->open[0],     x->open[1],
        x->next[0],        x->next[1],       x->alone,         x->alone_next, x->alone_gap, x->segments.at, x->gaps.at};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(x->m, blocks[i]);
    nest_blocks_free(&x->blocks, x->m);
}

void nest_core_free(struct nest_core *core)
{
    struct mem *m = core->x.m;
    mem_free(m, core->values);
    mem_free(m, core->peeks);
    mem_free(m, core->value);
    mem_free(m, core->peek);
    nest_free(&core->x);
}

bool nest_core_narrow(struct nest_core *core, const bool *values)
{
    for (bool stuck = false;; stuck = true) {
        struct nest_core less = select_part(core, values);
        if (nest_peel(&less.x)) {
            nest_core_free(&less);
            return stuck;
        }
        explain(&less);
        if (core->value)
            nest_core_free(core);
        *core = less;
        values = core->values;
        if (!memchr(values, false, core->x.values))
            return true;
    }
}

struct nest_core nest_core_of(struct nest *x)
{
    struct nest_core core = {.x = *x};
    explain(&core);
    bool *values = core.values;
    mem_free(x->m, core.peeks);
    nest_core_narrow(&core, values);
    mem_free(x->m, values);
    return core;
}

/* Tries to leave out ever smaller shares of the values. After each success, the remaining values are tried again from
 * the first one. The number of peeled events is limited. The limit is enough to halve the core again and again, and
 * then to try its values one by one while there are few. */
void nest_core_shrink(struct nest_core *core)
{
    enum { FEW_EVENTS = 1 << 20 };
    uint64_t spent = 0, most = FEW_EVENTS + 8 * (uint64_t)core->x.n;
    for (uint32_t share = core->x.values / 2; share; share /= 2)
        for (uint32_t from = 0; from < core->x.values && spent < most;) {
            uint32_t n = core->x.values;
            bool *values = mem_new(core->x.m, bool, n);
            for (uint32_t v = 0; v < n; v++)
                values[v] = v < from || v >= from + share;
            spent += core->x.n;
            from = nest_core_narrow(core, values) ? 0 : from + share;
            mem_free(core->x.m, values);
        }
}
