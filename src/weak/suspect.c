/* SPDX-License-Identifier: Apache-2.0 */
#include "weak/suspect.h"

#include <string.h>

/* The operations that reach o by the path, which has no step of lin or vis. No pending one is among them. */
static struct set reached(const struct weak *w, const struct axiom *a, uint32_t o)
{
    struct set at = {0};
    set_add(&at, o);
    for (uint32_t step = a->n; step-- > 0;) {
        struct set before = {0};
        SET_EACH (b, &at)
            set_join(&before, &w->before[a->path[step] == REL_HB][b]);
        at = before;
    }
    return at;
}

static void take_demands(const struct weak *w, struct suspect *x)
{
    for (uint32_t p = 0; p < w->d.paths; p++) {
        const struct axiom *a = &w->d.path[p];
        if (!(w->demands[x->o] >> p & 1))
            continue;
        if (a->n == 1 && a->path[0] == REL_LIN) {
            x->all = true;
        } else if (w->asked.plain &&
                   a->path[a->n - 1] != REL_VIS) { /* vis >= vis says nothing; else see weak_blame.c */
            struct set more = reached(w, a, x->o);
            set_join(&x->must, &more);
        }
    }
}

/* The call of b, as far as the suspect can tell. */
static assay_call as_seen(const struct weak *w, const struct suspect *x, uint32_t b)
{
    assay_call call = w->x.call[b];
    if (weak_is_other(w, x->o, b))
        call.args = &x->other;
    return call;
}

static bool notices(const struct weak *w, uint32_t o, uint32_t b)
{
    return b != o && !w->observer[b] && !set_has(&w->before[1][b], o) &&
           !(w->apart && w->key[o] && w->key[b] != w->key[o]);
}

struct set suspect_noticed(const struct weak *w, uint32_t o)
{
    struct set noticed = {0};
    for (uint32_t b = 0; b < w->x.n; b++)
        if (notices(w, o, b))
            set_add(&noticed, b);
    return noticed;
}

bool suspect_sees_all(const struct weak *w, uint32_t o)
{
    struct suspect x = {.o = o};
    take_demands(w, &x);
    return x.all;
}

struct suspect *suspect_new(const struct weak *w, uint32_t o)
{
    struct mem *m = w->job->mem;
    struct suspect *x = mem_new_zero(m, struct suspect, 1);
    x->o = o;
    x->other = weak_other(w, o);
    x->letter = mem_new(m, uint32_t, w->x.n);
    take_demands(w, x);
    lens_init(&x->lens, w->x.spec, w->x.state, &w->x.call[o], m, w->job->budget);
    x->noticed = suspect_noticed(w, o);
    for (uint32_t b = 0; b < w->x.n; b++)
        x->letter[b] = set_has(&x->noticed, b) ? lens_letter(&x->lens, as_seen(w, x, b)) : NO_LETTER;
    return x;
}

void suspect_free(struct suspect *x, struct mem *m)
{
    lens_free(&x->lens);
    rows_free(&x->states, m);
    vec_free(m, &x->hopes);
    vec_free(m, &x->trail);
    mem_free(m, x->letter);
    mem_free(m, x);
}

/* ---- the suspect alone ---- */

/* Have all noticed operations before b been appended? The suspect comes behind those that it must see. */
static bool comes_next(const struct suspect *x, const struct weak *w, uint32_t b, const struct set *done)
{
    struct set before = w->before[1][b];
    if (b == x->o)
        set_join(&before, &x->must);
    set_meet(&before, &x->noticed);
    return !set_has(done, b) && set_within(&before, done);
}

static bool is_worth_trying(const struct suspect *x, const struct weak *w, uint32_t b, const struct set *done)
{
    if (!comes_next(x, w, b, done))
        return false;
    SET_EACH (twin, &x->noticed)
        if (suspect_prefers(&w->x, twin, b) && suspect_confuses(x, twin, b) && comes_next(x, w, twin, done))
            return false;
    return true;
}

struct state { /* of the search for the suspect alone; as a row it has no gaps */
    struct set done;
    uint64_t set;
};

/* Is there hope, as far as is known? A state that is new joins the trail, and is hopeless until hope is found. */
static bool look(struct suspect *x, const struct weak *w, const struct set *done, uint32_t set)
{
    struct mem *m = w->job->mem;
    struct state state = {*done, set};
    if (!x->thorough && lens_hopes(&x->lens, set) && comes_next(x, w, x->o, done))
        return true;
    uint32_t number = rows_number(&x->states, m, &state, sizeof state);
    if (number < x->hopes.n)
        return x->hopes.at[number];
    vec_push(m, &x->hopes, false);
    vec_push(m, &x->trail, ((struct outlook){set, number, ID_NONE}));
    return false;
}

/* Appends the next operation that the last state can try; false: there is none, and `done` is as it was before. */
static bool try_next(struct suspect *x, const struct weak *w, struct set *done)
{
    struct outlook *last = &vec_last(&x->trail);
    if (last->tried != ID_NONE)
        set_drop(done, last->tried);
    do
        last->tried++; /* ID_NONE + 1 is 0 */
    while (last->tried < w->x.n && !(set_has(&x->noticed, last->tried) && is_worth_trying(x, w, last->tried, done)));
    if (last->tried == w->x.n)
        return false;
    set_add(done, last->tried);
    return true;
}

bool suspect_has_hope(struct suspect *x, const struct weak *w, const struct set *done, uint32_t set)
{
    struct set here = *done;
    set_meet(&here, &x->noticed);
    vec_clear(&x->trail);
    while (!look(x, w, &here, set)) {
        while (x->trail.n && !try_next(x, w, &here))
            x->trail.n--;
        budget_tick(w->job->budget);
        if (weak_spent(w)) /* nothing is known */
            return true;
        if (!x->trail.n)
            return false;
        set = suspect_step(x, vec_last(&x->trail).set, vec_last(&x->trail).tried);
    }
    for (uint32_t i = 0; i < x->trail.n; i++)
        x->hopes.at[x->trail.at[i].number] = true;
    return true;
}

/* ---- its results ---- */

static void note_answer(struct suspect *x, const struct weak *w, uint32_t state, struct linear_answers *out)
{
    assay_call own = x->lens.own;
    assay_value answer = {0};
    assay_saved saved;
    void *at = x->lens.states.at[state].state;
    own.result = (assay_value){0};
    assay_effect effect = hook_step(w->x.spec, at, &own, 0, &answer, &saved);
    if (effect != ASSAY_BLOCKED)
        linear_note_answer(out, answer, w->job->mem);
    if (effect == ASSAY_CHANGED)
        hook_undo(w->x.spec, at, &own, &saved);
}

void suspect_answers(struct suspect *x, const struct weak *w, struct linear_answers *out)
{
    struct set none = {0};
    x->thorough = true;
    suspect_has_hope(x, w, &none, LENS_FIRST);
    for (uint32_t i = 0; i < x->hopes.n; i++) {
        struct state state;
        size_t size;
        memcpy(&state, rows_get(&x->states, i, &size), sizeof state);
        if (!comes_next(x, w, x->o, &state.done))
            continue;
        const char *states = rows_get(&x->lens.sets, (uint32_t)state.set, &size);
        for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
            uint32_t number;
            memcpy(&number, states + at, sizeof number);
            note_answer(x, w, number, out);
        }
    }
}
