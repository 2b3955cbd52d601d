/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a choice of sources, one for each read, with which the history satisfies a causal model?
 *
 * Reads are given sources one after the other (choosing.h), and when all have one the history is judged from the
 * definitions (naive.c). If it is broken, sources are taken away as long as it stays so; those that are left cannot be
 * chosen together: a nogood. More sources only add to the relations, so that holds for all sources of the other reads.
 *
 * An open operation (happened.c) takes part, and has to have a source itself, once a read has it as its source. */
#include "recheck/choosing.h"

#include <string.h>

struct choices {
    struct recheck *x;
    struct choosing *c; /* its reads are operations */
    uint8_t *role;      /* as the memory has it */
    uint64_t work;
};

/* Only the role is that of the whole memory: judging changes the memory's own. */
static bool wants(const struct choosing *c, uint32_t read, uint32_t *by)
{
    const struct choices *s = c->arg;
    *by = ID_NONE;
    if (!(s->role[read] & ROLE_READS) || (s->x->memory.open[read] && !c->readers[read]))
        return false;
    for (uint32_t i = 0; s->x->memory.open[read] && *by == ID_NONE; i++)
        if (c->source.at[c->trail.at[i]] == read)
            *by = c->trail.at[i];
    return true;
}

/* ---- judging ---- */

/* Is the history broken if these of the chosen sources are all that is known? */
static bool broken(struct choices *s, const uint32_t *candidates, uint32_t count)
{
    struct memory *mem = &s->x->memory;
    uint32_t n = s->x->h->n;
    uint64_t nodes = (uint64_t)n + mem->vars;
    bool *happened = mem_new_zero(s->x->mem, bool, n);
    for (uint32_t o = 0; o < n; o++)
        mem->source[o] = FROM_SEVERAL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t source = s->c->source.at[candidates[i]];
        mem->source[s->c->reader[candidates[i]]] = source;
        if (source != FROM_INITIAL)
            happened[source] = true;
    }
    for (uint32_t o = 0; o < n; o++) {
        mem->role[o] = mem->open[o] && !happened[o] ? 0 : s->role[o];
        if (mem->source[o] == FROM_SEVERAL)
            mem->role[o] &= ROLE_WRITES;
    }
    bool fine = naive_causal(s->x);
    memcpy(mem->role, s->role, n * sizeof *mem->role);
    mem_free(s->x->mem, happened);
    s->work += nodes * nodes;
    return !fine;
}

/* Appends to the clash a smallest part of list[from ..] that is broken together with it. */
static void minimise(struct choices *s, const uint32_t *list, uint32_t count)
{
    struct choosing *c = s->c;
    while (!broken(s, c->clash.at, c->clash.n)) {
        uint32_t low = 0, high = count, known = c->clash.n; /* the shortest beginning that is broken: at most `high` */
        while (low + 1 < high) {
            uint32_t middle = low + (high - low) / 2;
            for (uint32_t i = 0; i < middle; i++)
                vec_push(c->m, &c->clash, list[i]);
            bool enough = broken(s, c->clash.at, c->clash.n);
            c->clash.n = known;
            *(enough ? &high : &low) = middle;
        }
        vec_push(c->m, &c->clash, list[high - 1]); /* without it the beginning is not broken */
        count = high - 1;
    }
}

static enum judged judge(struct choosing *c)
{
    struct choices *s = c->arg;
    if (s->work > at_most(s->x, LIMIT_CHOICE_CELLS))
        return JUDGED_NOT;
    if (!broken(s, c->trail.at, c->trail.n))
        return JUDGED_FINE;
    vec_clear(&c->clash);
    minimise(s, c->trail.at, c->trail.n);
    return JUDGED_BROKEN;
}

/* ---- the search ---- */

static void add_candidates(struct choosing *c, uint32_t read)
{
    const struct choices *s = c->arg;
    const struct memory *mem = &s->x->memory;
    const struct values *values = mem->values;
    if (!(s->role[read] & ROLE_READS))
        return;
    uint32_t number = values->seen[read];
    if (values->initial[mem->var[read]] == number)
        vec_push(c->m, &c->source, FROM_INITIAL);
    for (uint32_t i = values->writers.at[number]; i < values->writers.at[number + 1]; i++)
        if (values->writers.list[i] != read)
            vec_push(c->m, &c->source, values->writers.list[i]);
}

bool recheck_choices(struct recheck *x)
{
    struct choices s = {.x = x};
    struct choosing c = {.m = x->mem, .budget = x->budget, .reads = x->h->n, .wants = wants, .judge = judge, .arg = &s};
    s.c = &c;
    if ((x->line->model->conditions & COND_PER_THREAD) && x->memory.program.past)
        return cannot_judge(x, "recheck cannot judge %s with program order between threads", x->line->model->name);
    if (x->h->n > at_most(x, LIMIT_CHOICE_OPERATIONS))
        return beyond(x, LIMIT_CHOICE_OPERATIONS);
    s.role = mem_new(x->mem, uint8_t, x->h->n);
    memcpy(s.role, x->memory.role, x->h->n * sizeof *s.role);
    choosing_init(&c, x->h->n, add_candidates);
    switch (choosing_search(&c)) {
    case NO_CHOICE: return true;
    case CHOICE_GIVEN_UP: return beyond(x, LIMIT_CHOICE_CELLS);
    case CHOSEN: break;
    }
    return refuse(x, "searched again, there are sources with which the history satisfies %s", x->line->model->name);
}
