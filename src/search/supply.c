/* SPDX-License-Identifier: Apache-2.0 */
#include "search/supply.h"

#include "history/value_ids.h"
#include "search/exchange.h"
#include "search/plain_part.h"

enum { DEMANDS, SUPPLIES };

/* ---- reading the calls ---- */

static uint32_t number_of(struct mem *m, struct value_ids *ids, struct value v)
{
    return v.kind == ASSAY_NONE ? ID_NONE : value_id(m, ids, v);
}

static void number_values(struct supply *s, const struct job *job)
{
    const struct part *part = job->part;
    struct value_ids ids = {0};
    s->initial = s->now = value_id(job->mem, &ids, exchange_initial(job));
    s->demanded = mem_new(job->mem, uint32_t, part->n + 1);
    s->supplied = mem_new(job->mem, uint32_t, part->n + 1);
    s->refused = mem_new(job->mem, uint32_t, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++) {
        struct exchange e = exchange_of(job, part->ops[i]);
        s->demanded[i] = number_of(job->mem, &ids, e.before);
        s->supplied[i] = number_of(job->mem, &ids, e.after);
        s->refused[i] = number_of(job->mem, &ids, e.not_before);
    }
    s->values = ids.n;
    s->lacked = mem_new_zero(job->mem, uint32_t, s->values + 1);
    value_ids_free(job->mem, &ids);
}

/* Demands by return. The operations of the part are sorted by call, as supplies have to be. A pending operation demands
 * nothing. */
static struct groups demands_by_return(const struct supply *s, const struct job *job)
{
    uint32_t n;
    uint64_t *sorted = linear_by_return(s->x, &n);
    uint32_t *value = mem_new(job->mem, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        value[k] = s->demanded[(uint32_t)sorted[k]];
    struct groups by = group_by(value, n, s->values, job->mem);
    for (uint32_t k = 0; k < by.at[s->values]; k++)
        by.list[k] = (uint32_t)sorted[by.list[k]];
    mem_free(job->mem, sorted);
    mem_free(job->mem, value);
    return by;
}

static void find_places(struct supply *s, int which, const struct groups *by, struct mem *m)
{
    s->place[which] = mem_new(m, uint32_t, s->x->n + 1);
    s->left[which] = mem_new(m, uint32_t, s->values + 1);
    for (uint32_t k = 0; k < by->at[s->values]; k++)
        s->place[which][by->list[k]] = k;
    for (uint32_t v = 0; v < s->values; v++)
        s->left[which][v] = by->at[v];
}

static bool is_single(const struct job *job)
{
    if (!job->part->object || job->calls->order != CALLS_INTERVALS)
        return false;
    return plain_is(job, "register") || plain_is(job, "cas-register") ||
           (plain_is(job, "memory") && job->part->key.kind != ASSAY_NONE);
}

void supply_read(struct supply *s, const struct linear *x, const struct job *job)
{
    *s = (struct supply){.x = x};
    number_values(s, job);
    s->demands = demands_by_return(s, job);
    s->supplies = group_by(s->supplied, x->n, s->values, job->mem);
    find_places(s, DEMANDS, &s->demands, job->mem);
    find_places(s, SUPPLIES, &s->supplies, job->mem);
}

void supply_begin(struct supply *s, const struct linear *x, const struct job *job)
{
    *s = (struct supply){0};
    if (is_single(job))
        supply_read(s, x, job);
}

/* ---- the search goes on, or back ---- */

void supply_taken(struct supply *s, uint32_t i)
{
    if (!s->x)
        return;
    vec_push(s->x->m, &s->past, s->now);
    if (s->supplied[i] != ID_NONE)
        s->now = s->supplied[i];
}

static void give_back(struct supply *s, int which, uint32_t value, uint32_t i)
{
    if (value != ID_NONE && s->place[which][i] < s->left[which][value])
        s->left[which][value] = s->place[which][i];
}

void supply_given_back(struct supply *s, uint32_t i)
{
    if (!s->x)
        return;
    s->now = vec_pop(&s->past);
    give_back(s, DEMANDS, s->demanded[i], i);
    give_back(s, SUPPLIES, s->supplied[i], i);
}

/* The first operation of the list that is left, or ID_NONE. */
static uint32_t first_left(struct supply *s, int which, const struct groups *by, uint32_t value)
{
    uint32_t *at = &s->left[which][value], end = by->at[value + 1];
    while (*at < end && s->x->done[by->list[*at]])
        ++*at;
    return *at < end ? by->list[*at] : ID_NONE;
}

static uint32_t lacks(struct supply *s, uint32_t value)
{
    uint32_t demand = first_left(s, DEMANDS, &s->demands, value);
    if (demand == ID_NONE)
        return ID_NONE;
    uint32_t supply = first_left(s, SUPPLIES, &s->supplies, value);
    return supply == ID_NONE || s->x->starts[supply] > s->x->ends[demand] ? demand : ID_NONE;
}

uint32_t supply_lacks(struct supply *s)
{
    uint32_t before = s->x && s->past.n ? vec_last(&s->past) : ID_NONE;
    uint32_t lacking = before == ID_NONE || before == s->now ? ID_NONE : lacks(s, before);
    if (lacking != ID_NONE && s->lacked[before] < UINT32_MAX)
        s->lacked[before]++;
    return lacking;
}
