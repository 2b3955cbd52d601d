/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `jit`: all linearizations at once, event by event, each operation as late as its return allows.
 *
 * Idea: a configuration is a state of the object together with which of the open operations have been linearized.
 * A call opens an operation. At a return, configurations in which the operation is not linearized yet are extended by
 * open ones, in every order, until it is; those that cannot be are dropped. When none is left, what happened up to
 * this return has no linearization. An open observer (linear.h) is linearized as soon as it is legal.
 *
 * Invariant: after an event, each configuration stands for a linearization of everything that has returned, and each
 * linearization is represented by one that has the same state and no fewer open operations linearized.
 *
 * Memory is that of the configurations, however long the history, unless a witness is asked for: then each step also
 * points to the one before it. Equal states are kept once.
 *
 * Source: Lowe 2017, just-in-time linearization. */
#include "engine/linear.h"

#include "base/arena.h"
#include "base/bitset.h"

#include <string.h>

enum { FEW = 64, MANY = 4096 };

struct step { /* of a witness, from the last to the first */
    const struct step *before;
    uint32_t i;
};

struct shared_state {
    void *state;
    struct memo_key digest;
    uint32_t uses;
};

struct config {
    uint32_t state;  /* in jit.states */
    uint32_t done_at; /* in the set's masks: which slots are linearized */
    const struct step *last;
};

struct configs { /* a set: no two have the same state and slots */
    VEC(struct config) at;
    VEC(uint64_t) masks;
    struct memo seen;
};

struct jit {
    struct linear x;
    struct job *job;
    uint32_t words; /* of a mask */
    uint32_t *slot_of, *open; /* operation -> slot, slot -> operation */
    uint32_t slots;           /* in use or used before */
    uint64_t *busy, *observing; /* slots of open operations, and of observers among them */
    VEC(uint32_t) free_slots;
    VEC(struct shared_state) states;
    VEC(uint32_t) free_states;
    struct idmap state_of; /* half a digest -> a state, which may be gone; the other half is compared */
    struct configs now, next, extended;
    struct arena steps;
    uint64_t *mask; /* of the configuration being made */
    struct linear_answers allowed;
};

/* ---- states ---- */

static struct memo_key digest_of(const struct jit *j, const void *state)
{
    uint64_t d[2];
    j->x.spec->digest(state, d);
    return (struct memo_key){d[0], d[1]};
}

static bool is_state(const struct jit *j, uint32_t state, struct memo_key digest)
{
    const struct shared_state *s = state == ID_NONE ? NULL : &j->states.at[state];
    return s && s->state && s->digest.a == digest.a && s->digest.b == digest.b;
}

/* The number of the state that j->x.state is in, which is copied if it is new. */
static uint32_t share(struct jit *j)
{
    struct mem *m = j->job->mem;
    struct memo_key digest = digest_of(j, j->x.state);
    uint32_t *at = idmap_at(m, &j->state_of, digest.a);
    if (is_state(j, *at, digest))
        return *at;
    struct shared_state s = {j->x.spec->copy(j->x.state, (assay_memory *)m), digest, 0};
    if (j->free_states.n) {
        *at = vec_pop(&j->free_states);
        j->states.at[*at] = s;
    } else {
        *at = j->states.n;
        vec_push(m, &j->states, s);
    }
    return *at;
}

/* Only states of the current configurations are worth finding: the others are forgotten now and then. */
static void remember_states(struct jit *j)
{
    if (j->state_of.n < FEW || j->state_of.n < 8 * j->now.at.n)
        return;
    mem_free(j->job->mem, j->state_of.slots);
    j->state_of = (struct idmap){0};
    for (uint32_t c = 0; c < j->now.at.n; c++) {
        uint32_t state = j->now.at.at[c].state;
        *idmap_at(j->job->mem, &j->state_of, j->states.at[state].digest.a) = state;
    }
}

static void drop_state(struct jit *j, uint32_t state)
{
    struct shared_state *s = &j->states.at[state];
    if (--s->uses)
        return;
    j->x.spec->destroy(s->state, (assay_memory *)j->job->mem);
    s->state = NULL;
    vec_push(j->job->mem, &j->free_states, state);
}

/* ---- configurations ---- */

static const struct step *link(struct jit *j, const struct step *before, uint32_t i)
{
    if (!j->job->witness)
        return NULL;
    struct step *s = arena_new(&j->steps, struct step, 1);
    *s = (struct step){before, i};
    return s;
}

/* Linearizes the open observer in the slot if it is legal in j->x.state. */
static const struct step *observe(struct jit *j, uint64_t *mask, const struct step *last, uint32_t slot)
{
    assay_value answer;
    assay_saved saved;
    uint32_t i = j->open[slot];
    if (linear_step(&j->x, i, 0, &answer, &saved) == ASSAY_BLOCKED)
        return last;
    bitset_add(mask, slot);
    return link(j, last, i);
}

/* Linearizes all open observers that are legal. */
static const struct step *settle(struct jit *j, uint64_t *mask, const struct step *last)
{
    for (uint32_t w = 0; w < j->words; w++)
        for (uint64_t left = j->observing[w] & ~mask[w]; left; left &= left - 1)
            last = observe(j, mask, last, 64 * w + (uint32_t)__builtin_ctzll(left));
    return last;
}

/* Adds the configuration (state, j->mask) unless it is there. */
static void add(struct jit *j, struct configs *to, uint32_t state, const struct step *last)
{
    struct mem *m = j->job->mem;
    struct memo_key key = j->states.at[state].digest;
    for (uint32_t w = 0; w < j->words; w++) {
        key.a = hash_join(key.a, j->mask[w]);
        key.b = hash_mix(key.b * 0x9E3779B97F4A7C15u + j->mask[w]);
    }
    if (!memo_add(&to->seen, m, key)) {
        j->states.at[state].uses++; /* a state made for nobody is dropped again */
        drop_state(j, state);
        return;
    }
    struct config c = {state, to->masks.n, last};
    j->states.at[state].uses++;
    vec_push(m, &to->at, c);
    vec_reserve(m, &to->masks, j->words);
    memcpy(to->masks.at + to->masks.n, j->mask, j->words * sizeof *j->mask);
    to->masks.n += j->words;
}

static void empty(struct jit *j, struct configs *set)
{
    for (uint32_t i = 0; i < set->at.n; i++)
        drop_state(j, set->at.at[i].state);
    vec_clear(&set->at);
    vec_clear(&set->masks);
    if (set->seen.n < MANY)
        memo_clear(&set->seen);
    else /* clearing it again and again would cost more */
        memo_free(&set->seen, j->job->mem);
}

static void swap(struct configs *a, struct configs *b)
{
    struct configs other = *a;
    *a = *b;
    *b = other;
}

/* ---- events ---- */

static void load_mask(struct jit *j, const struct configs *set, const struct config *c)
{
    memcpy(j->mask, set->masks.at + c->done_at, j->words * sizeof *j->mask);
}

static void opens(struct jit *j, uint32_t i)
{
    uint32_t slot = j->free_slots.n ? vec_pop(&j->free_slots) : j->slots++;
    j->slot_of[i] = slot;
    j->open[slot] = i;
    bitset_add(j->busy, slot);
    if (!j->x.observer[i])
        return;
    bitset_add(j->observing, slot);
    for (uint32_t c = 0; c < j->now.at.n; c++) {
        struct config *config = &j->now.at.at[c];
        j->x.state = j->states.at[config->state].state;
        config->last = observe(j, j->now.masks.at + config->done_at, config->last, slot);
    }
}

/* All ways to linearize the operation in the slot in a configuration of j->extended. */
static void extend_by(struct jit *j, const struct config *config, uint32_t slot, uint32_t returning)
{
    uint32_t i = j->open[slot];
    j->x.state = j->states.at[config->state].state;
    for (unsigned choice = 0, n = linear_choices(&j->x, i); choice < n; choice++) {
        assay_value answer;
        assay_saved saved;
        budget_tick(j->job->budget);
        assay_effect effect = linear_step(&j->x, i, choice, &answer, &saved);
        if (effect == ASSAY_BLOCKED && i == returning)
            linear_note_answer(&j->allowed, answer, j->job->mem);
        bool pointless = effect == ASSAY_SAME && j->x.lane_of[i] == ID_NONE;
        if (effect == ASSAY_BLOCKED || pointless)
            continue;
        load_mask(j, &j->extended, config);
        bitset_add(j->mask, slot);
        const struct step *last = link(j, config->last, i);
        uint32_t state = config->state;
        if (effect == ASSAY_CHANGED) { /* else what can be observed has been */
            last = settle(j, j->mask, last);
            state = share(j);
            linear_undo(&j->x, i, &saved);
        }
        bool returned = bitset_has(j->mask, j->slot_of[returning]);
        bitset_remove(j->mask, j->slot_of[returning]);
        add(j, returned ? &j->next : &j->extended, state, last);
    }
}

/* All ways to linearize one more open operation in configuration c of j->extended. */
static void extend(struct jit *j, uint32_t c, uint32_t returning)
{
    const struct config config = j->extended.at.at[c];
    for (uint32_t w = 0; w < j->words; w++)
        for (uint64_t left = j->busy[w] & ~j->extended.masks.at[config.done_at + w]; left; left &= left - 1)
            extend_by(j, &config, 64 * w + (uint32_t)__builtin_ctzll(left), returning);
}

/* Takes the slot out of all configurations, if it is linearized in each: then they stay different. Mostly it is: an
 * earlier return asked for it, or it observes. */
static bool all_done(struct jit *j, uint32_t slot)
{
    uint64_t *masks = j->now.masks.at;
    for (uint32_t c = 0; c < j->now.at.n; c++)
        if (!bitset_has(masks + j->now.at.at[c].done_at, slot))
            return false;
    for (uint32_t c = 0; c < j->now.at.n; c++)
        bitset_remove(masks + j->now.at.at[c].done_at, slot);
    return true;
}

/* Extends the configurations in which i, which returns, is not linearized, until it is. */
static void demand(struct jit *j, uint32_t i)
{
    uint32_t slot = j->slot_of[i];
    vec_clear(&j->allowed.all);
    remember_states(j);
    for (uint32_t c = 0; c < j->now.at.n; c++) {
        load_mask(j, &j->now, &j->now.at.at[c]);
        bool done = bitset_has(j->mask, slot);
        bitset_remove(j->mask, slot);
        add(j, done ? &j->next : &j->extended, j->now.at.at[c].state, j->now.at.at[c].last);
    }
    empty(j, &j->now);
    for (uint32_t c = 0; c < j->extended.at.n; c++)
        extend(j, c, i);
    empty(j, &j->extended);
    swap(&j->now, &j->next);
}

/* False: no configuration survives the return. */
static bool returns(struct jit *j, uint32_t i)
{
    uint32_t slot = j->slot_of[i];
    if (!all_done(j, slot))
        demand(j, i);
    bitset_remove(j->busy, slot);
    bitset_remove(j->observing, slot);
    vec_push(j->job->mem, &j->free_slots, slot);
    j->job->out->stats.choices += j->now.at.n;
    return j->now.at.n;
}

/* ---- the run ---- */

struct event {
    uint32_t i;
    bool is_return;
};

/* The part's events in order; ranks are below twice the number of operations of the history. */
static struct event *events_of(const struct linear *x, uint32_t *n)
{
    uint32_t ranks = 2 * x->c->h->n, *at = mem_new(x->m, uint32_t, ranks + 1);
    memset(at, 0xFF, (ranks + 1) * sizeof *at);
    for (uint32_t i = 0; i < x->n; i++) {
        at[x->starts[i]] = i;
        if (x->ends[i] != CALLS_NEVER)
            at[x->ends[i]] = i;
    }
    struct event *events = mem_new(x->m, struct event, 2 * (size_t)x->n + 1);
    *n = 0;
    for (uint32_t r = 0; r < ranks; r++)
        if (at[r] != ID_NONE)
            events[(*n)++] = (struct event){at[r], x->starts[at[r]] != r};
    mem_free(x->m, at);
    return events;
}

static uint32_t most_open(const struct event *events, uint32_t n)
{
    uint32_t open = 0, most = 0;
    for (uint32_t e = 0; e < n; e++) {
        open += events[e].is_return ? -1u : 1u;
        most = open > most ? open : most;
    }
    return most;
}

static void refute(struct jit *j, uint32_t i)
{
    struct evidence *ev = &j->job->out->evidence;
    j->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, j->x.part->ops[i], true);
    for (uint32_t a = 0; a < j->allowed.all.n; a++)
        evidence_allow(ev, j->allowed.all.at[a]);
}

static void witness(struct jit *j)
{
    struct evidence *ev = &j->job->out->evidence;
    VEC(uint32_t) backwards = {0};
    for (const struct step *s = j->now.at.at[0].last; s; s = s->before)
        vec_push(j->job->mem, &backwards, s->i);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    while (backwards.n)
        evidence_place(ev, j->x.part->ops[vec_pop(&backwards)]);
}

static void run_jit(struct job *job)
{
    struct jit j = {.job = job, .steps = arena_in(job->mem)};
    linear_init(&j.x, job);
    uint32_t n, events_n;
    struct event *events = events_of(&j.x, &events_n);
    n = most_open(events, events_n);
    j.words = n / 64 + 1;
    j.mask = mem_new_zero(job->mem, uint64_t, j.words);
    j.busy = mem_new_zero(job->mem, uint64_t, j.words);
    j.observing = mem_new_zero(job->mem, uint64_t, j.words);
    j.slot_of = mem_new(job->mem, uint32_t, j.x.n + 1);
    j.open = mem_new(job->mem, uint32_t, n + 1);
    add(&j, &j.now, share(&j), NULL);
    for (uint32_t e = 0; e < events_n; e++) {
        budget_tick(job->budget);
        if (!events[e].is_return)
            opens(&j, events[e].i);
        else if (!returns(&j, events[e].i)) {
            refute(&j, events[e].i);
            return;
        }
    }
    if (job->witness)
        witness(&j);
}

static const char *declines(const struct job *job)
{
    if (!job->part->object->spec->create)
        return "the object has no sequential states";
    return job->calls->order == CALLS_INTERVALS ? NULL : "the order is not one of intervals";
}

const struct engine engine_jit = {
    .name = "jit",
    .title = "all linearizations at once, event by event",
    .conditions = COND_LIN,
    .on_request = true,
    .declines = declines,
    .run = run_jit,
};
