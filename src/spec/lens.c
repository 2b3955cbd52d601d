/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/lens.h"

#include "base/radix.h"

#include <string.h>

enum { UNKNOWN = UINT32_MAX, BLOCKED = UINT32_MAX - 1 };

/* ---- states ---- */

/* A step is undone, but that of a user's specification, whose undo may be wrong, is made on a copy. */
static void *to_step_from(const struct lens *l, void *state)
{
    return spec_is_of_library(l->spec) ? state : hook_copy(l->spec, state, l->mem);
}

static void step_back(const struct lens *l, const void *state, void *tried, const assay_call *call, assay_effect effect,
                      const assay_saved *saved)
{
    if (tried != state)
        hook_destroy(l->spec, tried, l->mem);
    else if (effect == ASSAY_CHANGED)
        hook_undo(l->spec, tried, call, saved);
}

static bool explains(struct lens *l, void *state)
{
    assay_value answer;
    assay_saved saved;
    void *tried = to_step_from(l, state);
    assay_effect effect = spec_step(l->spec, tried, &l->own, 0, &answer, &saved);
    step_back(l, state, tried, &l->own, effect, &saved);
    return effect != ASSAY_BLOCKED;
}

static uint32_t number_of(struct lens *l, void *state)
{
    uint32_t number = states_number(&l->numbers, state);
    if (number == l->states.n) {
        struct lens_state fresh = {hook_copy(l->spec, state, l->mem), explains(l, state)};
        vec_push(l->mem, &l->states, fresh);
    }
    return number;
}

static uint32_t move(struct lens *l, uint32_t from, uint32_t letter)
{
    size_t at = (size_t)from * l->calls.n + letter;
    while (l->moves.n <= at)
        vec_push(l->mem, &l->moves, UNKNOWN);
    if (l->moves.at[at] != UNKNOWN)
        return l->moves.at[at];
    void *state = l->states.at[from].state, *tried = to_step_from(l, state);
    const assay_call *call = &l->calls.at[letter];
    assay_saved saved;
    uint32_t to = from;
    budget_tick(l->budget);
    assay_effect effect = hook_invoke(l->spec, tried, call, &saved);
    if (effect == ASSAY_BLOCKED)
        to = BLOCKED;
    if (effect == ASSAY_CHANGED)
        to = number_of(l, tried);
    step_back(l, state, tried, call, effect, &saved);
    return l->moves.at[at] = to;
}

/* ---- sets ---- */

/* The number of the set that `scratch` lists. */
static uint32_t set_number(struct lens *l)
{
    uint32_t *at = l->scratch.at, n = 0;
    sort_few(at, l->scratch.n);
    for (uint32_t i = 0; i < l->scratch.n; i++)
        if (!i || at[i] != at[i - 1])
            at[n++] = at[i];
    uint32_t number = rows_number(&l->sets, l->mem, at, n * sizeof *at);
    if (number == l->hopes.n) {
        bool hope = false;
        for (uint32_t i = 0; i < n; i++)
            hope |= l->states.at[at[i]].explains;
        vec_push(l->mem, &l->hopes, hope);
    }
    return number;
}

uint32_t lens_step(struct lens *l, uint32_t set, uint32_t letter, bool must)
{
    size_t at = ((size_t)set * l->calls.n + letter) * 2 + must, size;
    while (l->steps.n <= at)
        vec_push(l->mem, &l->steps, UNKNOWN);
    if (l->steps.at[at] != UNKNOWN)
        return l->steps.at[at];
    rows_get(&l->sets, set, &size);
    vec_clear(&l->scratch);
    for (size_t i = 0; i < size / sizeof(uint32_t); i++) {
        uint32_t from;
        memcpy(&from, (const char *)rows_get(&l->sets, set, &size) + i * sizeof from, sizeof from);
        uint32_t to = move(l, from, letter);
        if (!must)
            vec_push(l->mem, &l->scratch, from);
        if (to != BLOCKED)
            vec_push(l->mem, &l->scratch, to);
    }
    return l->steps.at[at] = set_number(l);
}

/* ---- life ---- */

static bool same_call(const assay_spec *spec, const assay_call *a, const assay_call *b)
{
    bool same = a->method == b->method && a->arg_count == b->arg_count &&
                (!spec->invoke || assay_value_same(a->result, b->result));
    for (unsigned i = 0; i < a->arg_count && same; i++)
        same = assay_value_same(a->args[i], b->args[i]);
    return same;
}

enum { COMPARED_IN_A_TICK = 8 };

uint32_t lens_letter(struct lens *l, assay_call call)
{
    bool blind = spec_is_of_library(l->spec);
    for (uint32_t i = 0; blind && i < l->calls.n; i++) {
        if (i % COMPARED_IN_A_TICK == 0)
            budget_tick(l->budget);
        if (same_call(l->spec, &l->calls.at[i], &call))
            return i;
    }
    vec_push(l->mem, &l->calls, call);
    return l->calls.n - 1;
}

void lens_init(struct lens *l, const assay_spec *spec, const void *start, const assay_call *own, struct mem *m,
               struct budget *budget)
{
    *l = (struct lens){.spec = spec, .mem = m, .budget = budget, .own = *own, .numbers = states_in(m, spec)};
    void *first = hook_copy(spec, start, m);
    vec_push(m, &l->scratch, number_of(l, first));
    hook_destroy(spec, first, m);
    set_number(l);
}

void lens_free(struct lens *l)
{
    for (uint32_t i = 0; i < l->states.n; i++) {
        hook_destroy(l->spec, l->states.at[i].state, l->mem);
        if (l->numbers.kept.at[i].copy)
            hook_destroy(l->spec, l->numbers.kept.at[i].copy, l->mem);
    }
    mem_free(l->mem, l->numbers.first.slots);
    vec_free(l->mem, &l->numbers.kept);
    vec_free(l->mem, &l->calls);
    vec_free(l->mem, &l->states);
    vec_free(l->mem, &l->moves);
    vec_free(l->mem, &l->hopes);
    vec_free(l->mem, &l->steps);
    vec_free(l->mem, &l->scratch);
    rows_free(&l->sets, l->mem);
}
