/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/nest.h"

#include "base/radix.h"

#include <string.h>

enum { PLACED = NEST_PUSH_PLACED | NEST_POP_PLACED };

/* ---- placing the operations that span a gap ---- */

static void take(struct nest *x, uint32_t v)
{
    x->state[v] |= NEST_TAKEN;
    if (x->blocks.at) {
        x->blocks.at[x->blocks.open[v]].stale = true;
        x->blocks.at[x->blocks.close[v]].stale = true;
    }
    if (!x->keep_rounds)
        return;
    x->value_round[v] = x->round;
    x->taken[x->taken_n++] = v;
}

/* Takes the value if all its operations are placed. A value with NEST_ALONE waits for its own round, in which the gaps
 * of its peeks are used. */
static void take_if_placed(struct nest *x, uint32_t v)
{
    if ((x->state[v] & (PLACED | NEST_ALONE)) == PLACED && (!x->peeks || x->waits[v] == 0))
        take(x, v);
}

static inline void place_peek(struct nest *x, uint32_t p)
{
    x->peek_state[p] |= NEST_PEEK_PLACED;
    x->waits[x->owner[p]]--;
}

static inline void pass_peek(struct nest *x, uint32_t p, bool inner)
{
    if (x->peek_state[p] & NEST_PEEK_PLACED)
        return;
    if (inner) {
        x->peek_state[p] |= NEST_PEEK_SEEN;
    } else if (x->peek_state[p] & NEST_PEEK_SEEN) {
        x->peek_state[p] = 0;
    } else {
        place_peek(x, p);
        take_if_placed(x, x->owner[p]);
    }
}

static inline void pass_operation(struct nest *x, uint32_t v, uint8_t placed, uint8_t seen, bool inner)
{
    uint8_t state = x->state[v];
    if (state & placed)
        return;
    if (inner) {
        x->state[v] = state | seen;
    } else if (state & seen) {
        x->state[v] = state & (uint8_t)~seen;
    } else {
        x->state[v] = state | placed;
        take_if_placed(x, v);
    }
}

/* Passes an event on the way away from a gap. An operation spans the gap if its far end is met, and its near end was
 * not. */
static inline void pass(struct nest *x, uint32_t event, bool forward)
{
    uint32_t id = nest_id(event);
    switch (nest_kind(event)) {
    case NEST_PUSH_BEGIN: pass_operation(x, id, NEST_PUSH_PLACED, NEST_PUSH_SEEN, forward); break;
    case NEST_OPEN:
    case NEST_PUSH_END: pass_operation(x, id, NEST_PUSH_PLACED, NEST_PUSH_SEEN, !forward); break;
    case NEST_CLOSE:
    case NEST_POP_BEGIN: pass_operation(x, id, NEST_POP_PLACED, NEST_POP_SEEN, forward); break;
    case NEST_POP_END: pass_operation(x, id, NEST_POP_PLACED, NEST_POP_SEEN, !forward); break;
    case NEST_PEEK_BEGIN: pass_peek(x, id, forward); break;
    case NEST_PEEK_END: pass_peek(x, id, !forward); break;
    }
}

/* Places the operations that span the gap: those of the last list before it, and those that begin behind the list.
 * False: this would take `most` steps or more. */
static bool place_listed(struct nest *x, uint32_t gap, uint32_t most)
{
    if (!x->blocks.at || most <= NEST_BLOCK)
        return false;
    uint32_t b = x->blocks.at[gap / NEST_BLOCK].listed;
    const struct nest_block *block = &x->blocks.at[b];
    if (gap - b * NEST_BLOCK + block->running_n >= most)
        return false;
    for (uint32_t i = gap; i-- > b * NEST_BLOCK;)
        pass(x, x->events[i], false);
    for (uint32_t i = 0; i < block->running_n; i++)
        pass(x, x->blocks.running.at[block->running + i], false);
    return true;
}

static inline void note_used(struct nest *x, uint32_t gap)
{
    if (!x->keep_rounds)
        return;
    x->gap_round[gap] = x->round;
    x->used[x->used_n++] = gap;
}

/* Uses the gap, and places the operations that span it. Those not placed before lie between the used gaps `from` and
 * `to`, so the events of the shorter side suffice. */
static void use(struct nest *x, uint32_t gap, uint32_t from, uint32_t to)
{
    note_used(x, gap);
    if (place_listed(x, gap, gap - from <= to - gap ? gap - from : to - gap))
        return;
    if (gap - from <= to - gap)
        for (uint32_t i = gap; i-- > from;)
            pass(x, x->events[i], false);
    else
        for (uint32_t i = gap; i < to; i++)
            pass(x, x->events[i], true);
}

/* ---- searching a segment ---- */

struct search {     /* a search from one end of a segment */
    uint32_t at;    /* the present gap */
    uint32_t count; /* number of values that cover it */
    uint32_t cover; /* their exclusive-or: the covering value itself, if count is 1 */
};

/* Places the met peeks of the value that alone covers the gap, if its push and pop are placed. True: no peek of the
 * value is left to place. */
static bool place_peeks(struct nest *x, const struct search *s, bool forward)
{
    uint32_t v = s->cover;
    if ((x->state[v] & PLACED) != PLACED)
        return false;
    for (uint32_t p = x->open[forward][v]; p != ID_NONE; p = x->next[forward][p]) {
        bool spans = forward ? x->peek_end[p] >= s->at : x->peek_begin[p] < s->at;
        if (!spans || x->peek_state[p] & NEST_PEEK_PLACED)
            continue;
        place_peek(x, p);
        x->state[v] |= NEST_ALONE;
        x->alone_gap[p] = s->at;
        x->alone_next[p] = x->alone[v];
        x->alone[v] = p;
    }
    x->open[forward][v] = ID_NONE; /* peeks that did not span the gap have ended */
    return x->waits[v] == 0;
}

static inline void meet_peek(struct nest *x, uint32_t p, bool forward)
{
    if (x->peek_state[p] & NEST_PEEK_PLACED)
        return;
    x->next[forward][p] = x->open[forward][x->owner[p]];
    x->open[forward][x->owner[p]] = p;
}

/* Steps over the next event. True: the gap behind it can be used, if need be by taking the value that alone covers
 * it. */
static inline bool search_step(struct nest *x, struct search *s, bool forward)
{
    uint32_t event = forward ? x->events[s->at++] : x->events[--s->at];
    enum nest_kind kind = nest_kind(event);
    if (kind >= NEST_OPEN && !(x->state[nest_id(event)] & NEST_TAKEN)) {
        s->count += (kind == NEST_OPEN) == forward ? 1 : UINT32_MAX;
        s->cover ^= nest_id(event);
    } else if (kind == (forward ? NEST_PEEK_BEGIN : NEST_PEEK_END)) {
        meet_peek(x, nest_id(event), forward);
    }
    return s->count == 0 || (s->count == 1 && x->peeks && place_peeks(x, s, forward));
}

static void forget_met(struct nest *x, uint32_t from, uint32_t to, bool forward)
{
    for (uint32_t i = from; i < to; i++)
        if (nest_kind(x->events[i]) == (forward ? NEST_PEEK_BEGIN : NEST_PEEK_END))
            x->open[forward][x->owner[nest_id(x->events[i])]] = ID_NONE;
}

static inline const struct nest_block *summed(const struct nest *x, uint32_t block)
{
    if (x->blocks.at[block].stale)
        nest_blocks_sum(x, block);
    return &x->blocks.at[block];
}

/* Steps over a whole block before the gap `end` in which no gap can be used. */
static inline bool skip_forward(const struct nest *x, struct search *s, uint32_t end)
{
    if (!x->blocks.at || s->at % NEST_BLOCK || end - s->at <= NEST_BLOCK)
        return false;
    const struct nest_block *b = summed(x, s->at / NEST_BLOCK);
    if ((int32_t)s->count + b->low <= 0)
        return false;
    s->count += (uint32_t)b->sum;
    s->at += NEST_BLOCK;
    return true;
}

/* The same on the way back, behind the gap `end`; here the gap before the block counts, the one behind it does not. */
static inline bool skip_back(const struct nest *x, struct search *s, uint32_t end)
{
    if (!x->blocks.at || s->at % NEST_BLOCK || s->at - end <= NEST_BLOCK)
        return false;
    const struct nest_block *b = summed(x, s->at / NEST_BLOCK - 1);
    if ((int32_t)s->count - b->sum + (b->low < 0 ? b->low : 0) <= 0)
        return false;
    s->count -= (uint32_t)b->sum;
    s->at -= NEST_BLOCK;
    return true;
}

/* A gap strictly between `from` and `to` that can be used, or ID_NONE. If *v is not ID_NONE, this value must be taken
 * for it. */
static uint32_t search(struct nest *x, uint32_t from, uint32_t to, uint32_t *v)
{
    struct search left = {.at = from}, right = {.at = to}, *found = NULL;
    while (!found && left.at + 1 < right.at) {
        if (!skip_forward(x, &left, right.at) && search_step(x, &left, true))
            found = &left;
        else if (left.at + 1 < right.at && !skip_back(x, &right, left.at) && search_step(x, &right, false))
            found = &right;
        budget_tick(x->budget);
    }
    if (x->peeks) {
        forget_met(x, from, left.at, true);
        forget_met(x, right.at, to, false);
    }
    *v = found && found->count ? found->cover : ID_NONE;
    return found ? found->at : ID_NONE;
}

/* ---- rounds ---- */

static void add_segment(struct nest *x, uint32_t from, uint32_t to)
{
    struct nest_segment s = {from, to};
    if (to - from > 1)
        vec_push(x->m, &x->segments, s);
}

/* Uses the collected gaps, which lie strictly between `from` and `to`. The pieces are segments from now on. */
static void use_gaps(struct nest *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < x->gaps.n; i++) {
        if (x->gaps.at[i] == from)
            continue;
        use(x, x->gaps.at[i], from, to);
        add_segment(x, from, x->gaps.at[i]);
        from = x->gaps.at[i];
    }
    add_segment(x, from, to);
}

static void take_with_peeks(struct nest *x, uint32_t v)
{
    take(x, v);
    for (uint32_t p = x->alone[v]; p != ID_NONE; p = x->alone_next[p])
        vec_push(x->m, &x->gaps, x->alone_gap[p]);
    sort_few(x->gaps.at, x->gaps.n);
}

/* Is the event's value still there, and covers on one side of it? */
static inline bool bounds(const struct nest *x, uint32_t event)
{
    return nest_kind(event) >= NEST_OPEN && !(x->state[nest_id(event)] & NEST_TAKEN);
}

/* Uses the outermost gaps of the segment as long as they can be used: most gaps are of this kind. The search would find
 * them in the same order; it looks at peeks before it goes to the right. */
static void peel_ends(struct nest *x, struct nest_segment *s)
{
    for (; s->to - s->from > 1; budget_tick(x->budget)) {
        bool left = !bounds(x, x->events[s->from]);
        if (!left && (x->peeks || s->to - s->from == 2 || bounds(x, x->events[s->to - 1])))
            return;
        x->round++;
        note_used(x, left ? s->from + 1 : s->to - 1);
        if (left)
            pass(x, x->events[s->from++], false);
        else
            pass(x, x->events[--s->to], true);
    }
}

static bool peel_segments(struct nest *x)
{
    while (x->segments.n) {
        struct nest_segment s = vec_pop(&x->segments);
        peel_ends(x, &s);
        if (s.to - s.from <= 1)
            continue;
        uint32_t v, gap = search(x, s.from, s.to, &v);
        if (gap == ID_NONE) {
            x->stuck_from = s.from;
            x->stuck_to = s.to;
            return false;
        }
        x->round++;
        vec_clear(&x->gaps);
        vec_push(x->m, &x->gaps, gap);
        if (v != ID_NONE)
            take_with_peeks(x, v);
        use_gaps(x, s.from, s.to);
    }
    return true;
}

static void prepare_peeks(struct nest *x)
{
    x->peek_state = mem_new_zero(x->m, uint8_t, x->peeks);
    x->peek_begin = mem_new(x->m, uint32_t, x->peeks);
    x->peek_end = mem_new(x->m, uint32_t, x->peeks);
    x->alone_next = mem_new(x->m, uint32_t, x->peeks);
    x->alone_gap = mem_new(x->m, uint32_t, x->peeks);
    x->waits = mem_new_zero(x->m, uint32_t, x->values);
    x->alone = mem_new_ids(x->m, x->values);
    for (int forward = 0; forward <= 1; forward++) {
        x->next[forward] = mem_new(x->m, uint32_t, x->peeks);
        x->open[forward] = mem_new_ids(x->m, x->values);
    }
    for (uint32_t p = 0; p < x->peeks; p++)
        x->waits[x->owner[p]]++;
}

static void prepare_states(struct nest *x)
{
    x->state = mem_new(x->m, uint8_t, x->values + 1);
    memset(x->state, NEST_POP_PLACED, x->values + 1);
    uint32_t unused; /* where there are no blocks */
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t id = nest_id(x->events[i]);
        switch (nest_kind(x->events[i])) {
        case NEST_POP_END: x->state[id] = 0; break;
        case NEST_PEEK_BEGIN: x->peek_begin[id] = i; break;
        case NEST_PEEK_END: x->peek_end[id] = i; break;
        case NEST_OPEN: *(x->blocks.at ? &x->blocks.open[id] : &unused) = i / NEST_BLOCK; break;
        case NEST_CLOSE: *(x->blocks.at ? &x->blocks.close[id] : &unused) = i / NEST_BLOCK; break;
        default: break;
        }
    }
}

static void prepare_rounds(struct nest *x)
{
    x->used = mem_new(x->m, uint32_t, x->n + 1);
    x->gap_round = mem_new_zero(x->m, uint32_t, x->n + 1);
    x->taken = mem_new(x->m, uint32_t, x->values + 1);
    x->value_round = mem_new(x->m, uint32_t, x->values + 1);
}

bool nest_peel(struct nest *x)
{
    if (x->peeks)
        prepare_peeks(x);
    nest_blocks_begin(x);
    prepare_states(x);
    nest_blocks_list(x);
    if (x->keep_rounds)
        prepare_rounds(x);
    for (uint32_t i = 0; i < x->empty_n; i++)
        if (x->empty[i] != 0 && x->empty[i] != x->n)
            vec_push(x->m, &x->gaps, x->empty[i]);
    use_gaps(x, 0, x->n);
    return peel_segments(x);
}
