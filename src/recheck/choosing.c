/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/choosing.h"

#include <string.h>

void choosing_init(struct choosing *c, uint32_t operations, void (*add)(struct choosing *c, uint32_t read))
{
    c->at = mem_new(c->m, uint32_t, (size_t)c->reads + 1);
    c->chosen = mem_new_ids(c->m, (size_t)c->reads + 1);
    c->readers = mem_new_zero(c->m, uint32_t, (size_t)operations + 1);
    for (uint32_t read = 0; read < c->reads; read++) {
        c->at[read] = c->source.n;
        add(c, read);
    }
    c->at[c->reads] = c->source.n;
    c->reader = mem_new(c->m, uint32_t, (size_t)c->source.n + 1);
    c->forbids = mem_new(c->m, uint32_t, (size_t)c->source.n + 1);
    c->in_clash = mem_new_zero(c->m, bool, (size_t)c->source.n + 1);
    for (uint32_t read = 0; read < c->reads; read++)
        for (uint32_t i = c->at[read]; i < c->at[read + 1]; i++)
            c->reader[i] = read;
    vec_push(c->m, &c->nogood_at, 0);
}

/* ---- choosing ---- */

static void choose(struct choosing *c, uint32_t candidate)
{
    uint32_t source = c->source.at[candidate];
    c->chosen[c->reader[candidate]] = candidate;
    if (source != FROM_INITIAL)
        c->readers[source]++;
    vec_push(c->m, &c->trail, candidate);
}

static void take_back(struct choosing *c)
{
    uint32_t candidate = vec_pop(&c->trail), source = c->source.at[candidate];
    c->chosen[c->reader[candidate]] = ID_NONE;
    if (source != FROM_INITIAL)
        c->readers[source]--;
}

static bool is_chosen(const struct choosing *c, uint32_t candidate)
{
    return c->chosen[c->reader[candidate]] == candidate;
}

/* ---- nogoods ---- */

void choosing_keep(struct choosing *c)
{
    for (uint32_t i = 0; i < c->clash.n; i++)
        vec_push(c->m, &c->nogoods, c->clash.at[i]);
    vec_push(c->m, &c->nogood_at, c->nogoods.n);
}

/* Of each nogood whose elements but one are chosen: that one is forbidden. */
static void find_forbidden(struct choosing *c)
{
    memset(c->forbids, 0xFF, c->source.n * sizeof *c->forbids);
    for (uint32_t i = 0; i + 1 < c->nogood_at.n; i++) {
        uint32_t open = 0, last = 0;
        budget_tick(c->budget);
        for (uint32_t j = c->nogood_at.at[i]; j < c->nogood_at.at[i + 1] && open < 2; j++)
            if (!is_chosen(c, c->nogoods.at[j])) {
                last = c->nogoods.at[j];
                open++;
            }
        if (open == 1)
            c->forbids[last] = i;
    }
}

static void add_to_clash(struct choosing *c, uint32_t candidate)
{
    if (c->in_clash[candidate])
        return;
    c->in_clash[candidate] = true;
    vec_push(c->m, &c->clash, candidate);
}

/* All candidates of the read are forbidden: the nogoods that do so, and why the read takes part. */
static void gather_clash(struct choosing *c, uint32_t read)
{
    uint32_t by = ID_NONE;
    vec_clear(&c->clash);
    for (uint32_t i = c->at[read]; i < c->at[read + 1]; i++)
        for (uint32_t j = c->nogood_at.at[c->forbids[i]]; j < c->nogood_at.at[c->forbids[i] + 1]; j++)
            if (c->nogoods.at[j] != i)
                add_to_clash(c, c->nogoods.at[j]);
    if (c->wants(c, read, &by) && by != ID_NONE)
        add_to_clash(c, by);
    for (uint32_t i = 0; i < c->clash.n; i++)
        c->in_clash[c->clash.at[i]] = false;
}

static void go_back(struct choosing *c)
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
static uint32_t next_read(struct choosing *c, uint32_t *allowed, uint32_t *candidate)
{
    uint32_t best = ID_NONE, by;
    *allowed = UINT32_MAX;
    find_forbidden(c);
    for (uint32_t read = 0; read < c->reads && *allowed; read++) {
        if (c->chosen[read] != ID_NONE || !c->wants(c, read, &by))
            continue;
        uint32_t count = 0, first = ID_NONE;
        for (uint32_t i = c->at[read + 1]; i-- > c->at[read];)
            if (c->forbids[i] == ID_NONE) {
                count++;
                first = i;
            }
        if (count >= *allowed)
            continue;
        *allowed = count;
        *candidate = first;
        best = read;
    }
    return best;
}

/* Does an empty nogood say that there is no choice? */
static bool refuted(const struct choosing *c)
{
    for (uint32_t i = 0; i + 1 < c->nogood_at.n; i++)
        if (c->nogood_at.at[i] == c->nogood_at.at[i + 1])
            return true;
    return false;
}

enum chosen choosing_search(struct choosing *c)
{
    if (refuted(c))
        return NO_CHOICE;
    for (;;) {
        uint32_t allowed, candidate, read = next_read(c, &allowed, &candidate);
        if (read != ID_NONE && allowed) {
            choose(c, candidate);
            continue;
        }
        enum judged judged = JUDGED_BROKEN;
        if (read != ID_NONE)
            gather_clash(c, read);
        else
            judged = c->judge(c);
        if (judged != JUDGED_BROKEN)
            return judged == JUDGED_FINE ? CHOSEN : CHOICE_GIVEN_UP;
        if (!c->clash.n)
            return NO_CHOICE;
        choosing_keep(c);
        go_back(c);
    }
}
