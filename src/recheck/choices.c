/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a choice of sources, one for each read, with which the history satisfies a causal model?
 *
 * Reads are given sources one after the other, and when all have one the history is judged from the definitions
 * (naive.c). If it is broken, sources are taken away as long as it stays so; those that are left cannot be chosen
 * together: a nogood. More sources only add to the relations, so that holds for all sources of the other reads. The
 * read with the fewest sources that the nogoods allow comes next. Where there is none, the nogoods that forbid them
 * yield another, without this read: their other premises. The search goes back until a source of the new nogood is
 * taken back. When a nogood is empty, there is no choice.
 *
 * An open operation (pending.c) takes part, and has to have a source itself, once a read has it as its source. */
#include "base/bitset.h"
#include "recheck/recheck.h"

#include <string.h>

enum { MOST_WORK = 1 << 28 }; /* cells of matrices, over all judgements */

enum outcome { EXPLAINED, NOT_EXPLAINED, GIVEN_UP };

struct choices {
    struct recheck *x;
    uint32_t *at;                     /* the candidates of operation o: at[o] .. at[o + 1] - 1 */
    VEC(uint32_t) source;             /* of a candidate: an operation, or FROM_INITIAL */
    uint32_t *reader;                 /* of a candidate */
    uint32_t *chosen;                 /* of a read: a candidate, or ID_NONE */
    VEC(uint32_t) trail;              /* candidates in the order in which they were chosen */
    uint8_t *role;                    /* as the memory has it */
    uint32_t *readers;                /* of an operation: the reads with it as their chosen source */
    VEC(uint32_t) nogoods, nogood_at; /* candidates; nogood i ends where i + 1 begins */
    uint32_t *forbids;                /* of a candidate: a nogood of which all others are chosen, or ID_NONE */
    VEC(uint32_t) clash;              /* the nogood under construction */
    bool *in_clash;
    uint64_t work;
};

/* ---- choosing ---- */

static void choose(struct choices *c, uint32_t candidate)
{
    uint32_t source = c->source.at[candidate];
    c->chosen[c->reader[candidate]] = candidate;
    if (source != FROM_INITIAL)
        c->readers[source]++;
    vec_push(c->x->mem, &c->trail, candidate);
}

static void take_back(struct choices *c)
{
    uint32_t candidate = vec_pop(&c->trail), source = c->source.at[candidate];
    c->chosen[c->reader[candidate]] = ID_NONE;
    if (source != FROM_INITIAL)
        c->readers[source]--;
}

static bool is_chosen(const struct choices *c, uint32_t candidate)
{
    return c->chosen[c->reader[candidate]] == candidate;
}

static bool takes_part_now(const struct choices *c, uint32_t o)
{
    return c->role[o] && (!c->x->memory.open[o] || c->readers[o]);
}

/* ---- judging ---- */

/* Is the history broken if these of the chosen sources are all that is known? */
static bool broken(struct choices *c, const uint32_t *candidates, uint32_t count)
{
    struct memory *mem = &c->x->memory;
    uint32_t n = c->x->h->n;
    uint64_t nodes = (uint64_t)n + mem->vars;
    bool *happened = mem_new_zero(c->x->mem, bool, n);
    for (uint32_t o = 0; o < n; o++)
        mem->source[o] = FROM_SEVERAL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t source = c->source.at[candidates[i]];
        mem->source[c->reader[candidates[i]]] = source;
        if (source != FROM_INITIAL)
            happened[source] = true;
    }
    for (uint32_t o = 0; o < n; o++) {
        mem->role[o] = mem->open[o] && !happened[o] ? 0 : c->role[o];
        if (mem->source[o] == FROM_SEVERAL)
            mem->role[o] &= ROLE_WRITES;
    }
    bool fine = naive_causal(c->x);
    memcpy(mem->role, c->role, n * sizeof *mem->role);
    mem_free(c->x->mem, happened);
    c->work += nodes * nodes;
    return !fine;
}

/* Appends to the clash a smallest part of list[from ..] that is broken together with it. */
static void minimise(struct choices *c, const uint32_t *list, uint32_t count)
{
    while (!broken(c, c->clash.at, c->clash.n)) {
        uint32_t low = 0, high = count, known = c->clash.n; /* the shortest beginning that is broken: at most `high` */
        while (low + 1 < high) {
            uint32_t middle = low + (high - low) / 2;
            for (uint32_t i = 0; i < middle; i++)
                vec_push(c->x->mem, &c->clash, list[i]);
            bool enough = broken(c, c->clash.at, c->clash.n);
            c->clash.n = known;
            *(enough ? &high : &low) = middle;
        }
        vec_push(c->x->mem, &c->clash, list[high - 1]); /* without it the beginning is not broken */
        count = high - 1;
    }
}

/* ---- nogoods ---- */

static void keep_clash(struct choices *c)
{
    for (uint32_t i = 0; i < c->clash.n; i++)
        vec_push(c->x->mem, &c->nogoods, c->clash.at[i]);
    vec_push(c->x->mem, &c->nogood_at, c->nogoods.n);
}

/* Of each nogood whose elements but one are chosen: that one is forbidden. */
static void find_forbidden(struct choices *c)
{
    memset(c->forbids, 0xFF, c->source.n * sizeof *c->forbids);
    for (uint32_t i = 0; i + 1 < c->nogood_at.n; i++) {
        uint32_t open = 0, last = 0;
        budget_tick(c->x->budget);
        for (uint32_t j = c->nogood_at.at[i]; j < c->nogood_at.at[i + 1] && open < 2; j++)
            if (!is_chosen(c, c->nogoods.at[j])) {
                last = c->nogoods.at[j];
                open++;
            }
        if (open == 1)
            c->forbids[last] = i;
    }
}

static void add_to_clash(struct choices *c, uint32_t candidate)
{
    if (c->in_clash[candidate])
        return;
    c->in_clash[candidate] = true;
    vec_push(c->x->mem, &c->clash, candidate);
}

/* All candidates of the read are forbidden: the nogoods that do so, and why the read takes part. */
static void gather_clash(struct choices *c, uint32_t read)
{
    vec_clear(&c->clash);
    for (uint32_t i = c->at[read]; i < c->at[read + 1]; i++)
        for (uint32_t j = c->nogood_at.at[c->forbids[i]]; j < c->nogood_at.at[c->forbids[i] + 1]; j++)
            if (c->nogoods.at[j] != i)
                add_to_clash(c, c->nogoods.at[j]);
    for (uint32_t i = 0; c->x->memory.open[read] && i < c->trail.n; i++)
        if (c->source.at[c->trail.at[i]] == read) {
            add_to_clash(c, c->trail.at[i]);
            break;
        }
    for (uint32_t i = 0; i < c->clash.n; i++)
        c->in_clash[c->clash.at[i]] = false;
}

static void go_back(struct choices *c)
{
    for (uint32_t i = 0; i < c->clash.n; i++)
        c->in_clash[c->clash.at[i]] = true;
    while (!c->in_clash[vec_last(&c->trail)])
        take_back(c);
    take_back(c);
    for (uint32_t i = 0; i < c->clash.n; i++)
        c->in_clash[c->clash.at[i]] = false;
}

/* ---- the search ---- */

/* The read with the fewest candidates that are allowed, and one of these; ID_NONE: all have sources. */
static uint32_t next_read(struct choices *c, uint32_t *allowed, uint32_t *candidate)
{
    uint32_t best = ID_NONE;
    *allowed = UINT32_MAX;
    find_forbidden(c);
    for (uint32_t o = 0; o < c->x->h->n && *allowed; o++) {
        if (!(c->role[o] & ROLE_READS) || c->chosen[o] != ID_NONE || !takes_part_now(c, o))
            continue;
        uint32_t count = 0, first = ID_NONE;
        for (uint32_t i = c->at[o + 1]; i-- > c->at[o];)
            if (c->forbids[i] == ID_NONE) {
                count++;
                first = i;
            }
        if (count >= *allowed)
            continue;
        *allowed = count;
        *candidate = first;
        best = o;
    }
    return best;
}

static enum outcome search(struct choices *c)
{
    while (c->work <= MOST_WORK) {
        uint32_t allowed, candidate, read = next_read(c, &allowed, &candidate);
        if (read != ID_NONE && allowed) {
            choose(c, candidate);
            continue;
        }
        if (read != ID_NONE) {
            gather_clash(c, read);
        } else if (broken(c, c->trail.at, c->trail.n)) {
            vec_clear(&c->clash);
            minimise(c, c->trail.at, c->trail.n);
        } else {
            return EXPLAINED;
        }
        if (!c->clash.n)
            return NOT_EXPLAINED;
        keep_clash(c);
        go_back(c);
    }
    return GIVEN_UP;
}

static void add_candidates(struct choices *c, uint32_t read)
{
    const struct memory *mem = &c->x->memory;
    const struct values *values = mem->values;
    uint32_t number = values->seen[read];
    if (values->initial[mem->var[read]] == number)
        vec_push(c->x->mem, &c->source, FROM_INITIAL);
    for (uint32_t i = values->writers.at[number]; i < values->writers.at[number + 1]; i++)
        if (values->writers.list[i] != read)
            vec_push(c->x->mem, &c->source, values->writers.list[i]);
}

static void set_up(struct choices *c)
{
    struct recheck *x = c->x;
    uint32_t n = x->h->n;
    c->at = mem_new(x->mem, uint32_t, (size_t)n + 1);
    c->chosen = mem_new(x->mem, uint32_t, n);
    c->readers = mem_new_zero(x->mem, uint32_t, n);
    c->role = mem_new(x->mem, uint8_t, n);
    memcpy(c->role, x->memory.role, n * sizeof *c->role);
    for (uint32_t o = 0; o < n; o++) {
        c->at[o] = c->source.n;
        c->chosen[o] = ID_NONE;
        if (c->role[o] & ROLE_READS)
            add_candidates(c, o);
    }
    c->at[n] = c->source.n;
    c->reader = mem_new(x->mem, uint32_t, c->source.n);
    c->forbids = mem_new(x->mem, uint32_t, c->source.n);
    c->in_clash = mem_new_zero(x->mem, bool, c->source.n);
    for (uint32_t o = 0; o < n; o++)
        for (uint32_t i = c->at[o]; i < c->at[o + 1]; i++)
            c->reader[i] = o;
    vec_push(x->mem, &c->nogood_at, 0);
}

bool recheck_choices(struct recheck *x)
{
    struct choices c = {.x = x};
    if ((x->line->model->conditions & COND_PER_THREAD) && x->memory.program.past)
        return refuse(x, "recheck cannot judge %s with program order between threads", x->line->model->name);
    if (x->h->n > NAIVE_MOST)
        return refuse(x, "the search was given up: there are more than %d operations", NAIVE_MOST);
    set_up(&c);
    switch (search(&c)) {
    case NOT_EXPLAINED: return true;
    case GIVEN_UP: return refuse(x, "the search was given up: there are too many choices of sources");
    case EXPLAINED: break;
    }
    return refuse(x, "searched again, there are sources with which the history satisfies %s", x->line->model->name);
}
