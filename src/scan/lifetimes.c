/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/lifetimes.h"

#include "spec/roles.h"

enum { EMPTY_CALL = LIFETIMES_OBSERVATION_RETURN + 1, EMPTY_RETURN }; /* kinds of entries that are not handed on */
#define ASIDE ID_NONE /* of observation.own: it has no entries in the line, and the scan does not see it */

static const char *const added_again = "a value was added again before it was certain to have been removed";

/* ---- lifetimes and observations ---- */

static uint32_t new_life(struct lifetimes *l, struct value value)
{
    uint32_t at = l->free_life;
    if (at == ID_NONE) {
        at = l->all.n;
        vec_reserve(l->mem, &l->all, 1);
        l->all.n++;
    } else {
        l->free_life = l->all.at[at].place;
    }
    l->all.at[at] = (struct lifetime){.value = value, .refs = 1};
    l->lifetimes_n++;
    return at;
}

void lifetime_drop(struct lifetimes *l, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(l, lifetime);
    if (--v->refs)
        return;
    v->place = l->free_life;
    l->free_life = lifetime;
    l->lifetimes_n--;
}

static uint32_t new_observation(struct lifetimes *l, const struct online_op *op, uint32_t lifetime)
{
    struct observation observation = {.op = *op, .lifetime = lifetime};
    if (!l->free_observations.n) {
        vec_push(l->mem, &l->observations, observation);
        return l->observations.n - 1;
    }
    uint32_t at = vec_pop(&l->free_observations);
    l->observations.at[at] = observation;
    return at;
}

static uint32_t bind(struct lifetimes *l, struct value value)
{
    uint32_t *at = value_map_at(l->mem, &l->bound, value);
    if (*at == ID_NONE)
        *at = new_life(l, value);
    return *at;
}

static void unbind_if_over(struct lifetimes *l, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(l, lifetime);
    if (v->open || !v->adds || v->adds != v->removes)
        return;
    l->recent[l->recent_n++ % LIFETIMES_RECENT] = *v;
    value_map_drop(l->mem, &l->bound, v->value);
    lifetime_drop(l, lifetime);
}

static void wait_in_line(struct lifetimes *l, uint32_t kind, uint32_t at)
{
    ring_push(l->mem, &l->line, ((struct lifetimes_entry){kind, at}));
}

/* ---- critical intervals ---- */

static void end_critical(struct lifetimes *l, struct lifetime *v)
{
    if (!(v->flags & LIFETIME_COUNTED))
        return;
    v->flags &= ~(uint32_t)LIFETIME_COUNTED;
    if (--l->depth == 0) {
        l->zeros++;
        l->waiting = 0;
    }
    if (l->waiting || l->watched)
        vec_push(l->mem, &l->gone, *v);
    else
        vec_clear(&l->gone); /* no report will need them */
}

static void look_for_nothing(struct lifetimes *l, struct observation *observation)
{
    if (!l->depth)
        return;
    observation->zeros = l->zeros;
    l->waiting++;
}

static bool found_nothing(struct lifetimes *l, struct observation *observation)
{
    if (!observation->zeros || observation->zeros != l->zeros)
        return true;
    l->waiting--;
    l->wrong = LIFETIMES_NOT_EMPTY;
    l->wrong_op = observation->op;
    return false;
}

/* ---- events as they are shown ---- */

static void give_up(struct lifetimes *l, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(l, lifetime);
    v->flags |= LIFETIME_GIVEN_UP;
    end_critical(l, v);
    l->weakened = added_again;
    if (v->flags & LIFETIME_SHOWN)
        l->scan->give_up(l, lifetime);
}

static void comes_in(struct lifetimes *l, uint32_t lifetime)
{
    struct lifetime *v = lifetime_at(l, lifetime);
    if (v->flags & LIFETIME_IN)
        return;
    v->flags |= LIFETIME_IN;
    wait_in_line(l, LIFETIMES_COMES_IN, lifetime_hold(l, lifetime));
}

static void call_add(struct lifetimes *l, struct scan_op *o)
{
    uint32_t lifetime = bind(l, o->op.arg);
    struct lifetime *v = lifetime_at(l, lifetime);
    o->mark = lifetime + 1;
    v->open++;
    v->adds++;
    if (v->flags & LIFETIME_GIVEN_UP)
        return;
    if (v->flags & LIFETIME_ADDED) {
        give_up(l, lifetime);
        return;
    }
    v->flags |= LIFETIME_ADDED;
    v->add = (struct lifetime_span){o->op.called, o->op.returned};
    v->due++;
    wait_in_line(l, LIFETIMES_ADD_CALL, lifetime_hold(l, lifetime));
}

/* Is this an observation that one add cannot explain? */
static bool is_extra(const struct lifetime *v, bool peeks)
{
    return v->flags & (peeks ? LIFETIME_REMOVED : LIFETIME_REMOVING);
}

static void call_observation(struct lifetimes *l, struct scan_op *o)
{
    uint32_t lifetime = bind(l, o->op.result);
    struct lifetime *v = lifetime_at(l, lifetime);
    bool peeks = o->op.method == COLLECTION_PEEK;
    uint32_t observation = new_observation(l, &o->op, lifetime);
    struct lifetime_span span = {o->op.called, o->op.returned};
    v->open++;
    o->mark = observation + 1;
    if (v->flags & LIFETIME_GIVEN_UP || is_extra(v, peeks)) {
        l->observations.at[observation].own = ASIDE;
        if (!peeks && (!v->extra.called || span.returned < v->extra.returned))
            v->extra = span;
        return;
    }
    v->last = span;
    v->flags = (v->flags & ~(uint32_t)LIFETIME_LAST_PEEKS) | (peeks ? LIFETIME_LAST_PEEKS : 0);
    if (!peeks) {
        v->remove = span;
        v->flags |= LIFETIME_REMOVING;
    }
    if (v->flags & LIFETIME_REMOVING && span.returned > v->until)
        v->until = span.returned;
    v->due++;
    lifetime_hold(l, lifetime);
    wait_in_line(l, LIFETIMES_OBSERVATION_CALL, observation);
}

static void call_nothing(struct lifetimes *l, struct scan_op *o)
{
    uint32_t observation = new_observation(l, &o->op, ID_NONE);
    o->mark = observation + 1;
    wait_in_line(l, EMPTY_CALL, observation);
}

static void show_call(struct lifetimes *l, struct scan_op *o)
{
    l->now = o->op.called;
    if (o->op.method == COLLECTION_ADD)
        call_add(l, o);
    else if (online_is(o->op.result, ONLINE_EMPTY))
        call_nothing(l, o);
    else
        call_observation(l, o);
}

static void return_add(struct lifetimes *l, const struct scan_op *o)
{
    if (!o->mark)
        return;
    uint32_t lifetime = o->mark - 1;
    lifetime_at(l, lifetime)->open--;
    if (!(lifetime_at(l, lifetime)->flags & LIFETIME_GIVEN_UP))
        comes_in(l, lifetime);
    unbind_if_over(l, lifetime);
}

static bool blame(struct lifetimes *l, enum lifetimes_wrong wrong, const struct lifetime *v, const struct online_op *op)
{
    l->wrong = wrong;
    l->wrong_life = *v;
    l->wrong_op = *op;
    return false;
}

static bool return_observation(struct lifetimes *l, const struct scan_op *o)
{
    uint32_t observation = o->mark - 1, lifetime = l->observations.at[observation].lifetime;
    struct lifetime *v = lifetime_at(l, lifetime);
    bool aside = l->observations.at[observation].own == ASIDE, peeks = o->op.method == COLLECTION_PEEK;
    v->open--;
    if (!v->adds)
        return blame(l, LIFETIMES_UNKNOWN, v, &o->op);
    if (!peeks && ++v->removes > v->adds)
        return blame(l, LIFETIMES_TWICE, v, &o->op);
    bool given_up = v->flags & LIFETIME_GIVEN_UP;
    if (peeks && aside && !given_up)
        return blame(l, LIFETIMES_SEEN_AFTER, v, &o->op);
    if (!peeks)
        v->flags |= LIFETIME_REMOVED;
    if (aside) {
        vec_push(l->mem, &l->free_observations, observation);
    } else {
        if (!given_up)
            comes_in(l, lifetime);
        wait_in_line(l, LIFETIMES_OBSERVATION_RETURN, observation);
        lifetime_hold(l, lifetime);
    }
    unbind_if_over(l, lifetime);
    return true;
}

/* False: a violation. */
static bool show_return(struct lifetimes *l, const struct scan_op *o)
{
    if (o->op.returned == ONLINE_NEVER)
        return true;
    l->now = o->op.returned;
    if (o->op.method == COLLECTION_ADD)
        return_add(l, o);
    else if (online_is(o->op.result, ONLINE_EMPTY))
        wait_in_line(l, EMPTY_RETURN, o->mark - 1);
    else
        return return_observation(l, o);
    return true;
}

/* ---- events as they leave the line ---- */

/* Lets a call leave the line. False: the call must wait. It is not known yet which later calls belong to this lifetime,
 * nor which call is the last. */
static bool pass_call(struct lifetimes *l, struct lifetime *v, uint64_t step, struct lifetimes_event *e)
{
    bool removing = v->flags & LIFETIME_REMOVING;
    if (removing && step >= v->remove.called && v->until > l->now)
        return false;
    v->due--;
    e->last = removing && v->flags & LIFETIME_ADDED && !v->due;
    if (e->last) {
        v->flags |= LIFETIME_PAST;
        end_critical(l, v);
    }
    return true;
}

static void pass_coming_in(struct lifetimes *l, struct lifetime *v)
{
    if (v->flags & LIFETIME_PAST)
        return;
    v->flags |= LIFETIME_COUNTED;
    l->depth++;
}

static void pass_return(struct lifetime *v, const struct observation *observation, struct lifetimes_event *e)
{
    e->first = !(v->flags & LIFETIME_SEEN);
    if (!e->first)
        return;
    v->first = (struct lifetime_span){observation->op.called, observation->op.returned};
    v->flags |= LIFETIME_SEEN | (observation->op.method == COLLECTION_PEEK ? LIFETIME_FIRST_PEEKS : 0);
}

/* Passes the call or return of an operation that found nothing. False: a violation. */
static bool pass_nothing(struct lifetimes *l, struct lifetimes_entry entry)
{
    struct observation *observation = &l->observations.at[entry.at];
    if (entry.kind == EMPTY_CALL) {
        look_for_nothing(l, observation);
        return true;
    }
    bool fine = found_nothing(l, observation);
    vec_push(l->mem, &l->free_observations, entry.at);
    return fine;
}

/* Fills in the event of an entry. False: the entry must wait in the line. */
static bool event_of(struct lifetimes *l, struct lifetimes_entry entry, struct lifetimes_event *e)
{
    bool observed = entry.kind == LIFETIMES_OBSERVATION_CALL || entry.kind == LIFETIMES_OBSERVATION_RETURN;
    const struct observation *observation = observed ? &l->observations.at[entry.at] : NULL;
    *e = (struct lifetimes_event){.kind = (enum lifetimes_kind)entry.kind,
                                  .lifetime = observed ? observation->lifetime : entry.at,
                                  .observation = observed ? entry.at : ID_NONE};
    struct lifetime *v = lifetime_at(l, e->lifetime);
    if (v->flags & LIFETIME_GIVEN_UP)
        return true;
    if (e->kind == LIFETIMES_COMES_IN)
        pass_coming_in(l, v);
    else if (e->kind == LIFETIMES_OBSERVATION_RETURN)
        pass_return(v, observation, e);
    else
        return pass_call(l, v, observed ? observation->op.called : v->add.called, e);
    return true;
}

/* Hands the event to the scan, unless its value was given up. False: a violation; then the lifetime stays held. */
static bool hand_on(struct lifetimes *l, const struct lifetimes_event *e)
{
    if (!(lifetime_at(l, e->lifetime)->flags & LIFETIME_GIVEN_UP)) {
        if (!l->scan->pass(l, e)) {
            l->wrong = LIFETIMES_BY_SCAN;
            return false;
        }
        lifetime_at(l, e->lifetime)->flags |= LIFETIME_SHOWN;
    }
    if (e->kind == LIFETIMES_OBSERVATION_RETURN)
        vec_push(l->mem, &l->free_observations, e->observation);
    lifetime_drop(l, e->lifetime);
    return true;
}

/* Empties the line as far as possible. False: a violation. */
static bool go_on(struct lifetimes *l)
{
    bool fine = true;
    while (l->line.n && fine) {
        struct lifetimes_entry first = ring_front(&l->line);
        struct lifetimes_event e;
        bool nothing = first.kind >= EMPTY_CALL;
        if (!nothing && !event_of(l, first, &e))
            return true;
        ring_drop(&l->line);
        fine = nothing ? pass_nothing(l, first) : hand_on(l, &e);
    }
    return fine;
}

bool lifetimes_call(void *state, struct scan_op *o)
{
    show_call(state, o);
    return go_on(state);
}

bool lifetimes_ret(void *state, struct scan_op *o)
{
    return show_return(state, o) && go_on(state);
}

/* ---- opening and closing ---- */

void lifetimes_open(struct lifetimes *l, const struct lifetimes_scan *scan, const struct online_setup *s)
{
    *l = (struct lifetimes){.scan = scan, .mem = s->mem, .free_life = ID_NONE, .zeros = 1};
    for (size_t i = 0; i < s->setting.init_count; i++) {
        struct scan_op o = {.op = {.method = COLLECTION_ADD, .arg = value_internal(s->setting.init[i].value)}};
        show_call(l, &o);
        show_return(l, &o);
    }
}

void lifetimes_close(struct lifetimes *l)
{
    vec_free(l->mem, &l->all);
    vec_free(l->mem, &l->observations);
    vec_free(l->mem, &l->free_observations);
    vec_free(l->mem, &l->gone);
    ring_free(l->mem, &l->line);
    value_map_free(l->mem, &l->bound);
}

/* ---- hooks ---- */

/* A pending add may be shown: without a return it constrains no other operation. A pending remove may not be shown: it
 * may have taken one of several values. */
bool lifetimes_pending(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == COLLECTION_ADD;
}

bool lifetimes_matters(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == COLLECTION_REMOVE;
}

/* No further removal explains a value that nobody added, or that was removed or seen too often. */
bool lifetimes_certain(const void *state)
{
    const struct lifetimes *l = state;
    return l->wrong == LIFETIMES_UNKNOWN || l->wrong == LIFETIMES_TWICE || l->wrong == LIFETIMES_SEEN_AFTER;
}

void lifetimes_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    const struct lifetimes *l = state;
    for (uint32_t i = 0; i < l->all.n; i++)
        if (l->all.at[i].refs)
            visit(arg, l->all.at[i].value);
    for (uint32_t i = 0; i < l->gone.n; i++)
        visit(arg, l->gone.at[i].value);
    for (uint32_t i = 0; i < LIFETIMES_RECENT && i < l->recent_n; i++)
        visit(arg, l->recent[i].value);
    visit(arg, l->wrong_life.value);
}

uint64_t lifetimes_count(const void *state)
{
    const struct lifetimes *l = state;
    return (uint64_t)l->lifetimes_n + l->observations.n - l->free_observations.n + l->gone.n;
}

const char *lifetimes_weakened(const void *state)
{
    return ((const struct lifetimes *)state)->weakened;
}

struct value lifetimes_names(const struct online_op *op)
{
    if (op->method == COLLECTION_ADD)
        return op->arg;
    return online_is(op->result, ONLINE_EMPTY) ? (struct value){0} : op->result;
}

void lifetimes_each_held(const void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    value_map_each(&((const struct lifetimes *)state)->bound, visit, arg);
}

uint64_t lifetimes_judged(const void *state)
{
    const struct lifetimes *l = state;
    if (!l->line.n)
        return ONLINE_NEVER;
    struct lifetimes_entry first = ring_front(&l->line);
    bool of_life = first.kind == LIFETIMES_ADD_CALL || first.kind == LIFETIMES_COMES_IN;
    return of_life ? l->all.at[first.at].add.called : l->observations.at[first.at].op.called;
}

bool lifetimes_are_none(const void *state)
{
    const struct lifetimes *l = state;
    return !l->bound.n && !l->line.n;
}

void lifetimes_image(void *state, struct image *x)
{
    struct lifetimes *l = state;
    bool weakened = l->weakened;
    image_vec(x, l->mem, &l->all);
    image_plain(x, &l->free_life);
    image_vec(x, l->mem, &l->observations);
    image_vec(x, l->mem, &l->free_observations);
    value_map_image(x, l->mem, &l->bound);
    image_ring(x, l->mem, &l->line);
    image_plain(x, &l->now);
    image_plain(x, &l->depth);
    image_plain(x, &l->waiting);
    image_plain(x, &l->lifetimes_n);
    image_plain(x, &l->zeros);
    image_plain(x, &l->watched);
    image_vec(x, l->mem, &l->gone);
    image_plain(x, &l->recent);
    image_plain(x, &l->recent_n);
    image_plain(x, &weakened);
    l->weakened = weakened ? added_again : NULL;
}
