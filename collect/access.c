/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/access.h"

#include "base/group.h"
#include "base/hash.h"

#include <stdio.h>

/* ---- mutation ---- */

/* The writes of each variable, and the place of each value among them. */
struct writes {
    struct groups of;
    uint32_t *place; /* of the value k: at the place of->at[variable] + k - 1 */
};

static struct groups writes_by_variable(const struct accesses *a, uint32_t variables, struct mem *mem)
{
    uint32_t *keys = mem_new(mem, uint32_t, a->all.n);
    for (uint32_t i = 0; i < a->all.n; i++)
        keys[i] = access_writes(&a->all.at[i]) ? a->all.at[i].variable : ID_NONE;
    struct groups writes = group_by(keys, a->all.n, variables, mem);
    mem_free(mem, keys);
    return writes;
}

static struct writes find_writes(const struct accesses *a, uint32_t variables, struct mem *mem)
{
    struct writes w = {.of = writes_by_variable(a, variables, mem)};
    w.place = mem_new(mem, uint32_t, w.of.at[variables]);
    for (uint32_t v = 0; v < variables; v++)
        for (uint32_t i = w.of.at[v]; i < w.of.at[v + 1]; i++)
            w.place[w.of.at[v] + a->all.at[w.of.list[i]].value - 1] = i - w.of.at[v];
    return w;
}

/* How many of the ascending numbers are below the bound. */
static uint32_t count_below(const uint32_t *list, uint32_t n, uint64_t bound)
{
    uint32_t low = 0;
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        if (list[middle] < bound)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* The writes that a read may take its value from instead, by their place in the variable's list. */
struct choice {
    uint32_t from, to;
    uint32_t source; /* in between, or to: not in between */
};

static struct choice choices(const struct accesses *a, const struct writes *w, uint32_t i, uint64_t distance)
{
    const struct access *r = &a->all.at[i];
    uint32_t at = w->of.at[r->variable], n = w->of.at[r->variable + 1] - at;
    const uint32_t *list = w->of.list + at;
    struct choice c = {0, n, n};
    if (distance) {
        c.from = count_below(list, n, i < distance ? 0 : i - distance);
        c.to = count_below(list, n, i + distance + 1);
    }
    uint32_t place = r->value ? w->place[at + r->value - 1] : n;
    c.source = place >= c.from && place < c.to ? place : c.to;
    return c;
}

static uint32_t choice_count(struct choice c)
{
    return c.to - c.from - (c.source < c.to);
}

/* Of the reads that have a choice, `count` at random. Each is taken with the probability needed / left, where `left`
 * counts the reads with a choice that are still to come. */
void access_mutate(struct accesses *a, uint32_t variables, uint64_t count, uint64_t distance, struct rng *rng,
                   struct mem *mem)
{
    if (!count)
        return;
    struct writes writes = find_writes(a, variables, mem);
    uint32_t left = 0;
    for (uint32_t i = 0; i < a->all.n; i++)
        left += a->all.at[i].kind == ACCESS_READ && choice_count(choices(a, &writes, i, distance)) > 0;
    for (uint32_t i = 0; count && i < a->all.n; i++) {
        if (a->all.at[i].kind != ACCESS_READ)
            continue;
        struct choice c = choices(a, &writes, i, distance);
        uint32_t others = choice_count(c);
        if (!others || rng_below(rng, left--) >= count)
            continue;
        uint32_t taken = c.from + rng_below(rng, others);
        uint32_t write = writes.of.at[a->all.at[i].variable] + taken + (taken >= c.source);
        a->all.at[i].value = a->all.at[writes.of.list[write]].value;
        count--;
    }
    mem_free(mem, writes.place);
    groups_free(&writes.of, mem);
}

/* ---- order ---- */

void access_shuffle(struct accesses *a, uint32_t threads, struct rng *rng, struct mem *mem)
{
    uint32_t n = a->all.n;
    uint32_t *turns = mem_new(mem, uint32_t, n); /* whose turn it is */
    struct access *before = mem_new(mem, struct access, n);
    for (uint32_t i = 0; i < n; i++) {
        turns[i] = a->all.at[i].thread;
        before[i] = a->all.at[i];
    }
    struct groups own = group_by(turns, n, threads, mem);
    for (uint32_t i = n; i-- > 1;) {
        uint32_t j = rng_below(rng, i + 1), turn = turns[i];
        turns[i] = turns[j];
        turns[j] = turn;
    }
    for (uint32_t i = 0; i < n; i++)
        a->all.at[i] = before[own.list[own.at[turns[i]]++]];
    groups_free(&own, mem);
    mem_free(mem, before);
    mem_free(mem, turns);
}

/* ---- output ---- */

typedef char label[12];

static label *make_labels(struct mem *mem, char letter, uint32_t n)
{
    label *labels = mem_new(mem, label, n);
    for (uint32_t i = 0; i < n; i++)
        snprintf(labels[i], sizeof *labels, "%c%u", letter, i);
    return labels;
}

static assay_value one_of(uint32_t value, uint32_t values)
{
    return assay_int(values && value ? (value - 1) % values + 1 : value);
}

void access_emit(const struct accesses *a, uint32_t threads, uint32_t variables, uint32_t values,
                 const struct collecting *c)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    static const size_t counts[] = {1, 2, 3, 0};
    label *thread = make_labels(c->mem, 't', threads);
    label *variable = make_labels(c->mem, 'x', variables);
    for (uint32_t i = 0; i < a->all.n; i++) {
        const struct access *at = &a->all.at[i];
        assay_value value = one_of(at->value, values);
        bool exchanges = at->kind == ACCESS_EXCHANGE;
        assay_value args[3] = {assay_word(variable[at->variable]), exchanges ? one_of(at->old, values) : value, value};
        assay_operation op = {
            .thread = thread[at->thread], .method = methods[at->kind], .args = args, .arg_count = counts[at->kind]};
        if (at->kind == ACCESS_READ)
            op.result = value;
        c->sink->operation(c->sink, &op);
    }
}
