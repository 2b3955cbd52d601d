/* SPDX-License-Identifier: Apache-2.0 */
#include "search/configurations.h"

#include "base/arena.h"
#include "base/bitset.h"
#include "base/rows.h"
#include "search/state_image.h"

#include <string.h>

enum { FEW = 64, MANY = 4096 };

struct shared_state {
    void *state;
    uint64_t digest[2];
    uint32_t uses;
};

struct config {
    uint32_t state; /* in configurations.states */
    const struct traced_step *last;
};

struct configs { /* a set: no two configurations have the same state and the same slots linearized */
    VEC(struct config) at;
    /* Of each configuration: a word with the number of its state, and a mask of its linearized slots. */
    struct rows rows;
};

struct configurations {
    struct configurations_setup s;
    bool compares;              /* states with equal digests */
    uint32_t words;             /* of a mask */
    VEC(struct open_call) open; /* by slot */
    uint64_t *busy, *observing; /* slots of open operations, and of observers among them */
    VEC(uint64_t) twins;        /* of each slot: a mask of the slots with the same call and result */
    VEC(uint32_t) free_slots;
    VEC(struct shared_state) states;
    VEC(uint32_t) free_states;
    struct idmap state_of; /* half a digest -> a state; it is compared, since it may be gone or another one */
    struct configs now, next, extended;
    struct arena steps;
    uint64_t *row, *mask; /* of the configuration being made; the mask is in the row */
    void *state;          /* the state in which steps are taken */
    uint32_t reached;     /* configurations of `extended` before this one have been extended */
    bool exceeded;
};

/* ---- states ---- */

/* Is c->state, which has this digest, equal to the state with this number? A step may have changed c->state in place.
 * Then its own number does not stand for it, so it is not compared with itself. */
static bool is_state(const struct configurations *c, uint32_t state, const uint64_t digest[2])
{
    const struct shared_state *s = state == ID_NONE ? NULL : &c->states.at[state];
    return s && s->state && s->digest[0] == digest[0] && s->digest[1] == digest[1] &&
           (!c->compares || (s->state != c->state && hook_equal(c->s.spec, s->state, c->state)));
}

/* The number of the kept state that is equal to c->state. A new state is copied. */
static uint32_t share(struct configurations *c)
{
    struct mem *m = c->s.mem;
    uint64_t digest[2];
    hook_digest(c->s.spec, c->state, digest);
    uint32_t *at = idmap_at(m, &c->state_of, digest[0]);
    if (is_state(c, *at, digest))
        return *at;
    struct shared_state s = {hook_copy(c->s.spec, c->state, m), {digest[0], digest[1]}, 0};
    if (c->free_states.n) {
        *at = vec_pop(&c->free_states);
        c->states.at[*at] = s;
    } else {
        *at = c->states.n;
        vec_push(m, &c->states, s);
    }
    return *at;
}

/* Rebuilds `state_of` now and then: only states of the current configurations are worth finding. */
static void remember_states(struct configurations *c)
{
    if (c->state_of.n < FEW || c->state_of.n < 8 * c->now.at.n)
        return;
    idmap_free(c->s.mem, &c->state_of);
    c->state_of = (struct idmap){0};
    for (uint32_t k = 0; k < c->now.at.n; k++) {
        uint32_t state = c->now.at.at[k].state;
        *idmap_at(c->s.mem, &c->state_of, c->states.at[state].digest[0]) = state;
    }
}

static void drop_state(struct configurations *c, uint32_t state)
{
    struct shared_state *s = &c->states.at[state];
    if (--s->uses)
        return;
    hook_destroy(c->s.spec, s->state, c->s.mem);
    s->state = NULL;
    vec_push(c->s.mem, &c->free_states, state);
}

/* ---- sets of configurations ---- */

static const struct traced_step *link(struct configurations *c, const struct traced_step *before, uint32_t slot)
{
    if (!c->s.trace)
        return NULL;
    struct traced_step *s = arena_new(&c->steps, struct traced_step, 1);
    *s = (struct traced_step){before, c->open.at[slot].tag};
    return s;
}

/* Takes the slot's step in c->state if its result is as recorded. */
static assay_effect take_step(struct configurations *c, uint32_t slot, unsigned choice, assay_value *answer,
                              assay_saved *saved)
{
    return spec_step(c->s.spec, c->state, c->open.at[slot].call, choice, answer, saved);
}

/* Linearizes the open observer in the slot if it is legal in c->state. */
static const struct traced_step *observe(struct configurations *c, uint64_t *mask, const struct traced_step *last,
                                         uint32_t slot)
{
    assay_value answer;
    assay_saved saved;
    if (take_step(c, slot, 0, &answer, &saved) == ASSAY_BLOCKED)
        return last;
    bitset_add(mask, slot);
    return link(c, last, slot);
}

/* Linearizes all open observers that are legal. */
static const struct traced_step *linearize_observers(struct configurations *c, uint64_t *mask,
                                                     const struct traced_step *last)
{
    BITSET_EACH (at, w, c->words, c->observing[w] & ~mask[w])
        last = observe(c, mask, last, at);
    return last;
}

/* Adds the configuration (state, c->mask) unless it is there. */
static void add(struct configurations *c, struct configs *to, uint32_t state, const struct traced_step *last)
{
    c->row[0] = state;
    c->states.at[state].uses++;
    if (rows_add(&to->rows, c->s.mem, c->row, (1 + c->words) * sizeof *c->row))
        vec_push(c->s.mem, &to->at, ((struct config){state, last}));
    else /* a state that no configuration uses is dropped again */
        drop_state(c, state);
}

/* The mask of configuration k of a set. Only masks of `now` are changed in place, while no configuration is added to
 * it. */
static uint64_t *mask_of(const struct configurations *c, const struct configs *set, uint32_t k)
{
    return (uint64_t *)set->rows.bytes + (size_t)k * (1 + c->words) + 1;
}

static void empty(struct configurations *c, struct configs *set)
{
    for (uint32_t k = 0; k < set->at.n; k++)
        drop_state(c, set->at.at[k].state);
    bool many = set->at.n >= MANY;
    vec_clear(&set->at);
    if (many) /* clearing so large a table again and again would cost more */
        rows_free(&set->rows, c->s.mem);
    else
        rows_clear(&set->rows);
}

static void swap(struct configs *a, struct configs *b)
{
    struct configs other = *a;
    *a = *b;
    *b = other;
}

static void load_mask(struct configurations *c, const struct configs *set, uint32_t k)
{
    memcpy(c->mask, mask_of(c, set, k), c->words * sizeof *c->mask);
}

/* ---- calls ---- */

static uint64_t *widen(struct mem *m, uint64_t *row, uint32_t rows, uint32_t words)
{
    uint64_t *wider = mem_new_zero(m, uint64_t, (size_t)rows * (words + 1));
    for (uint32_t r = 0; r < rows; r++)
        memcpy(wider + (size_t)r * (words + 1), row + (size_t)r * words, words * sizeof *row);
    mem_free(m, row);
    return wider;
}

/* Makes room for one more word of slots, while only `now` has configurations. */
static void add_word(struct configurations *c)
{
    struct mem *m = c->s.mem;
    uint32_t n = c->now.at.n, slots = c->open.n;
    struct rows *rows = &c->now.rows;
    c->busy = widen(m, c->busy, 1, c->words);
    c->observing = widen(m, c->observing, 1, c->words);
    c->row = widen(m, c->row, 1, 1 + c->words);
    c->mask = c->row + 1;
    c->twins.at = widen(m, c->twins.at, slots, c->words);
    rows->bytes = (char *)widen(m, (uint64_t *)rows->bytes, n, 1 + c->words);
    c->words++;
    c->twins.n = c->twins.cap = slots * c->words;
    rows->used = rows->room = (size_t)n * (1 + c->words) * sizeof *c->row;
}

static uint32_t new_slot(struct configurations *c)
{
    if (c->free_slots.n)
        return vec_pop(&c->free_slots);
    if (c->open.n == 64 * c->words)
        add_word(c);
    vec_push(c->s.mem, &c->open, ((struct open_call){0}));
    vec_reserve(c->s.mem, &c->twins, c->words);
    c->twins.n += c->words;
    return c->open.n - 1;
}

static bool same_call(const assay_call *a, const assay_call *b)
{
    bool same = a->method == b->method && a->arg_count == b->arg_count && assay_value_same(a->result, b->result);
    for (unsigned i = 0; i < a->arg_count && same; i++)
        same = assay_value_same(a->args[i], b->args[i]);
    return same;
}

static void find_twins(struct configurations *c, uint32_t slot)
{
    memset(c->twins.at + (size_t)slot * c->words, 0, c->words * sizeof *c->mask);
    BITSET_EACH (other, w, c->words, c->busy[w]) {
        bool twins = spec_is_of_library(c->s.spec) && same_call(c->open.at[slot].call, c->open.at[other].call);
        uint64_t *row = c->twins.at + (size_t)other * c->words, *own = c->twins.at + (size_t)slot * c->words;
        bitset_remove(row, slot); /* the bit may belong to an earlier call in that slot */
        if (twins) {
            bitset_add(row, slot);
            bitset_add(own, other);
        }
    }
}

uint32_t configurations_call(struct configurations *c, struct open_call call)
{
    uint32_t slot = new_slot(c);
    c->open.at[slot] = call;
    find_twins(c, slot);
    bitset_add(c->busy, slot);
    if (!call.observes)
        return slot;
    bitset_add(c->observing, slot);
    for (uint32_t k = 0; k < c->now.at.n; k++) {
        struct config *config = &c->now.at.at[k];
        c->state = c->states.at[config->state].state;
        config->last = observe(c, mask_of(c, &c->now, k), config->last, slot);
    }
    return slot;
}

/* ---- returns ---- */

/* Extends configuration k of c->extended by the operation in the slot, in all ways. */
static void extend_by(struct configurations *c, uint32_t k, uint32_t slot, uint32_t returning)
{
    const struct open_call *open = &c->open.at[slot];
    const struct config config = c->extended.at.at[k];
    c->state = c->states.at[config.state].state;
    unsigned choices = hook_choices(c->s.spec, c->state, open->call);
    for (unsigned choice = 0; choice < choices; choice++) {
        assay_value answer;
        assay_saved saved;
        budget_tick(c->s.budget);
        if (c->s.credit && *c->s.credit)
            --*c->s.credit;
        assay_effect effect = take_step(c, slot, choice, &answer, &saved);
        if (effect == ASSAY_BLOCKED && slot == returning && c->s.blocked)
            c->s.blocked(c->s.arg, answer);
        bool pointless = effect == ASSAY_SAME && open->end == UINT64_MAX;
        if (effect == ASSAY_BLOCKED || pointless)
            continue;
        load_mask(c, &c->extended, k);
        bitset_add(c->mask, slot);
        const struct traced_step *last = link(c, config.last, slot);
        uint32_t state = config.state;
        if (effect == ASSAY_CHANGED) { /* else the legal observers are linearized already */
            last = linearize_observers(c, c->mask, last);
            state = share(c);
            hook_undo(c->s.spec, c->state, open->call, &saved);
        }
        bool returned = bitset_has(c->mask, returning);
        bitset_remove(c->mask, returning);
        add(c, returned ? &c->next : &c->extended, state, last);
    }
}

/* Are all twins of the operation that return earlier linearized? */
static bool has_turn(const struct configurations *c, const uint64_t *done, uint32_t slot)
{
    const uint64_t *twins = c->twins.at + (size_t)slot * c->words;
    BITSET_EACH (twin, w, c->words, twins[w] & c->busy[w] & ~done[w]) {
        uint64_t end = c->open.at[twin].end, own = c->open.at[slot].end;
        if (end < own || (end == own && twin < slot))
            return false;
    }
    return true;
}

/* Extends configuration k of c->extended by one more open operation, in all ways. */
static void extend(struct configurations *c, uint32_t k, uint32_t returning)
{
    BITSET_EACH (slot, w, c->words, c->busy[w] & ~mask_of(c, &c->extended, k)[w]) {
        if (has_turn(c, mask_of(c, &c->extended, k), slot))
            extend_by(c, k, slot, returning);
    }
}

/* If the slot is linearized in each configuration, takes it out of all: then they stay different. Mostly it is, because
 * an earlier return demanded it, or because it is an observer. */
static bool all_done(struct configurations *c, uint32_t slot)
{
    for (uint32_t k = 0; k < c->now.at.n; k++)
        if (!bitset_has(mask_of(c, &c->now, k), slot))
            return false;
    for (uint32_t k = 0; k < c->now.at.n; k++)
        bitset_remove(mask_of(c, &c->now, k), slot);
    return true;
}

/* The configurations in which the returning slot is not linearized are to be extended until it is. */
void configurations_begin_return(struct configurations *c, uint32_t slot)
{
    c->reached = 0;
    if (all_done(c, slot))
        return;
    remember_states(c);
    for (uint32_t k = 0; k < c->now.at.n; k++) {
        load_mask(c, &c->now, k);
        bool done = bitset_has(c->mask, slot);
        bitset_remove(c->mask, slot);
        add(c, done ? &c->next : &c->extended, c->now.at.at[k].state, c->now.at.at[k].last);
    }
    empty(c, &c->now);
}

bool configurations_go_on(struct configurations *c, uint32_t slot, uint32_t n)
{
    for (; n && c->reached < c->extended.at.n && !c->exceeded; n--) {
        extend(c, c->reached++, slot);
        c->exceeded = (c->s.most && c->extended.at.n + c->next.at.n > c->s.most) || (c->s.credit && !*c->s.credit);
    }
    return c->reached == c->extended.at.n || c->exceeded;
}

bool configurations_end_return(struct configurations *c, uint32_t slot)
{
    if (!c->now.at.n) {
        empty(c, &c->extended);
        swap(&c->now, &c->next);
    }
    bitset_remove(c->busy, slot);
    bitset_remove(c->observing, slot);
    vec_push(c->s.mem, &c->free_slots, slot);
    return c->now.at.n || c->exceeded;
}

bool configurations_return(struct configurations *c, uint32_t slot)
{
    configurations_begin_return(c, slot);
    configurations_go_on(c, slot, UINT32_MAX);
    return configurations_end_return(c, slot);
}

bool configurations_exceeded(const struct configurations *c)
{
    return c->exceeded;
}

/* ---- opening ---- */

struct configurations *configurations_new(const struct configurations_setup *s, void *state)
{
    struct configurations *c = mem_new_zero(s->mem, struct configurations, 1);
    c->s = *s;
    c->compares = s->spec->equal && !s->by_digest;
    c->steps = arena_in(s->mem);
    c->words = 1;
    c->row = mem_new_zero(s->mem, uint64_t, 2);
    c->mask = c->row + 1;
    c->busy = mem_new_zero(s->mem, uint64_t, 1);
    c->observing = mem_new_zero(s->mem, uint64_t, 1);
    c->state = state;
    add(c, &c->now, share(c), NULL);
    return c;
}

/* ---- joining parts ---- */

/* Opens in c the open operations of the part. */
static void open_slots(struct configurations *c, struct configurations_part *p)
{
    for (uint32_t old = 0; old < p->of->open.n; old++) {
        if (!bitset_has(p->of->busy, old))
            continue;
        uint32_t slot = p->slots[old] = new_slot(c);
        c->open.at[slot] = p->of->open.at[old];
        find_twins(c, slot);
        bitset_add(c->busy, slot);
        if (c->open.at[slot].observes)
            bitset_add(c->observing, slot);
    }
}

/* Adds to the mask the slots that are linearized in configuration k of the part. */
static void mark_done(const struct configurations_part *p, uint32_t k, uint64_t *mask)
{
    for (uint32_t old = 0; old < p->of->open.n; old++)
        if (bitset_has(p->of->busy, old) && bitset_has(mask_of(p->of, &p->of->now, k), old))
            bitset_add(mask, p->slots[old]);
}

/* Combines every configuration of c with every configuration of the part. */
static void multiply(struct configurations *c, const struct configurations_part *p)
{
    struct mem *m = c->s.mem;
    for (uint32_t k = 0; k < c->now.at.n && !c->exceeded; k++)
        for (uint32_t i = 0; i < p->of->now.at.n && !c->exceeded; i++) {
            budget_tick(c->s.budget);
            void *state = hook_copy(c->s.spec, configurations_state(c, k), m);
            hook_join(c->s.spec, state, p->key, configurations_state(p->of, i));
            load_mask(c, &c->now, k);
            mark_done(p, i, c->mask);
            c->state = state;
            add(c, &c->next, share(c), NULL);
            hook_destroy(c->s.spec, state, m);
            c->exceeded = c->s.most && c->next.at.n > c->s.most;
        }
    empty(c, &c->now);
    swap(&c->now, &c->next);
}

struct configurations *configurations_join(const struct configurations_setup *s, void *state,
                                           struct configurations_part *parts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (configurations_count(parts[i].of) == 1)
            hook_join(s->spec, state, parts[i].key, configurations_state(parts[i].of, 0));
    struct configurations *c = configurations_new(s, state);
    for (uint32_t i = 0; i < n; i++) {
        open_slots(c, &parts[i]);
        if (configurations_count(parts[i].of) == 1)
            mark_done(&parts[i], 0, mask_of(c, &c->now, 0));
    }
    for (uint32_t i = 0; i < n; i++)
        if (configurations_count(parts[i].of) > 1)
            multiply(c, &parts[i]);
    return c;
}

uint32_t configurations_slots(const struct configurations *c)
{
    return c->open.n;
}

/* ---- images ---- */

static void image_states(struct configurations *c, const struct state_imaging *how)
{
    struct mem *m = c->s.mem;
    uint32_t n = image_count(how->x, c->states.n, 1);
    image_vec(how->x, m, &c->free_states);
    for (uint32_t i = 0; i < n; i++) {
        struct shared_state s = {0};
        bool used = !how->x->loads && c->states.at[i].state;
        image_plain(how->x, &used);
        if (used)
            s.state = state_image(how, how->x->loads ? NULL : c->states.at[i].state);
        if (!how->x->loads)
            continue;
        if (used) {
            hook_digest(c->s.spec, s.state, s.digest);
            *idmap_at(m, &c->state_of, s.digest[0]) = i;
        }
        vec_push(m, &c->states, s);
    }
}

/* Each with the number of its state, and its mask. */
static void image_configs(struct configurations *c, struct image *x)
{
    uint32_t n = image_count(x, c->now.at.n, sizeof *c->row);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t state = x->loads ? 0 : c->now.at.at[k].state;
        if (!x->loads)
            load_mask(c, &c->now, k);
        image_plain(x, &state);
        image_bytes(x, c->mask, c->words * sizeof *c->mask);
        if (x->loads)
            add(c, &c->now, (uint32_t)state, NULL);
    }
}

void configurations_image(struct configurations *c, const struct state_imaging *how)
{
    struct image *x = how->x;
    struct mem *m = c->s.mem;
    if (x->loads) { /* the one that it began with */
        empty(c, &c->now);
        vec_clear(&c->states);
        vec_clear(&c->free_states);
    }
    uint32_t words = image_count(x, c->words, sizeof(uint64_t));
    while (c->words < words)
        add_word(c);
    image_vec(x, m, &c->open);
    image_bytes(x, c->busy, words * sizeof *c->busy);
    image_bytes(x, c->observing, words * sizeof *c->observing);
    image_vec(x, m, &c->twins);
    image_vec(x, m, &c->free_slots);
    image_plain(x, &c->exceeded);
    image_states(c, how);
    image_configs(c, x);
}

void configurations_reopen(struct configurations *c, uint32_t slot, const assay_call *call)
{
    c->open.at[slot].call = call;
}

static void free_set(struct configurations *c, struct configs *set)
{
    empty(c, set);
    vec_free(c->s.mem, &set->at);
    rows_free(&set->rows, c->s.mem);
}

void configurations_free(struct configurations *c)
{
    struct mem *m = c->s.mem;
    free_set(c, &c->now);
    free_set(c, &c->next);
    free_set(c, &c->extended);
    vec_free(m, &c->open);
    vec_free(m, &c->twins);
    vec_free(m, &c->free_slots);
    vec_free(m, &c->states);
    vec_free(m, &c->free_states);
    idmap_free(m, &c->state_of);
    mem_free(m, c->row);
    mem_free(m, c->busy);
    mem_free(m, c->observing);
    mem_free(m, c);
}

uint32_t configurations_count(const struct configurations *c)
{
    return c->now.at.n;
}

uint32_t configurations_states(const struct configurations *c)
{
    return c->states.n - c->free_states.n;
}

const struct traced_step *configurations_trace(const struct configurations *c)
{
    return c->now.at.at[0].last;
}

const void *configurations_state(const struct configurations *c, uint32_t i)
{
    return c->states.at[c->now.at.at[i].state].state;
}

void configurations_each_state(const struct configurations *c, void (*visit)(void *arg, const void *state), void *arg)
{
    for (uint32_t i = 0; i < c->states.n; i++)
        if (c->states.at[i].state)
            visit(arg, c->states.at[i].state);
}
