/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency by suspects, for axioms that use neither the visibility nor the place of another operation: weak-hb
 * and read-my-writes, for instance.
 *
 * Given the linearization, each operation chooses its visibility alone. So for an operation o the linearization before
 * it matters only by the set of states in which the object can be as o sees it (lens.h). Appending b takes each state
 * of the set to the state after b, if o must see b. If o may see b, the set gains these states. When o is appended, one
 * of its states must explain its result.
 *
 * Few results are enough for a contradiction, as a rule. So only the suspects are followed, at first none. A search
 * looks for a linearization that explains the suspects. It is continued to a whole one, and every operation is looked
 * at. The first that is not explained becomes a suspect. If all are explained, that is a solution. If there is no
 * linearization for the suspects, there is none for all. A pending operation may be left out. If it is not, it must be
 * explained, and can be a suspect.
 *
 * The search leaves out observers that are no suspects, and calls that no suspect can notice. A suspect that is an
 * observer is appended as soon as it is explained: that changes nothing for others. Of calls that are the same for all
 * remaining suspects only the one that returns first is tried. The linearized calls and the sets of the remaining
 * suspects determine the future, so the same state is not visited again. Nor is a state in which one of the suspects
 * could not be explained even if it were the only one. That question has far fewer states, and its answers hold for all
 * searches.
 *
 * Source: our own. Refinement by counterexamples is from Clarke, Grumberg, Jha, Lu and Veith (CAV 2000). */
#include "weak/suspect.h"

#include <string.h>

enum { GONE = UINT32_MAX };

struct level {
    uint32_t placed; /* the operation that led here */
    uint32_t next;   /* place in `tries` of the next one to try */
};

struct suspects {
    struct weak *w;
    VEC(struct suspect *) known; /* in the order in which they were suspected */
    VEC(struct suspect *) all;   /* of these, the ones that are followed */
    struct set relevant, done;
    uint32_t *preferred; /* all operations */
    VEC(uint32_t) tries; /* of these, the relevant ones */
    VEC(struct level) levels;
    VEC(uint32_t) sets; /* of each level, the set of each suspect, or GONE */
    VEC(uint32_t) row;  /* a state of the search, as a row */
    struct rows met;
    uint32_t *order, length;
};

/* ---- suspects ---- */

static bool pending(const struct weak *w, uint32_t o)
{
    return w->x.lane_of[o] == ID_NONE;
}

static void add_suspect(struct suspects *s, uint32_t o)
{
    struct mem *m = s->w->job->mem;
    struct suspect *x = suspect_new(s->w, o);
    vec_push(m, &s->known, x);
    vec_clear(&s->all);
    vec_push(m, &s->all, x);
}

/* ---- the search ---- */

static void find_relevant(struct suspects *s)
{
    struct weak *w = s->w;
    s->relevant = (struct set){0};
    for (uint32_t k = 0; k < s->all.n; k++) {
        set_add(&s->relevant, s->all.at[k]->o);
        set_join(&s->relevant, &s->all.at[k]->noticed);
    }
    vec_clear(&s->tries);
    for (uint32_t i = 0; i < w->x.n; i++)
        if (set_has(&s->relevant, s->preferred[i]))
            vec_push(w->job->mem, &s->tries, s->preferred[i]);
}

static uint32_t *sets_at(const struct suspects *s, uint32_t level)
{
    return s->sets.at + (size_t)level * s->all.n;
}

static uint32_t suspect_number(const struct suspects *s, uint32_t o)
{
    uint32_t k = 0;
    while (k < s->all.n && s->all.at[k]->o != o)
        k++;
    return k < s->all.n ? k : ID_NONE;
}

/* A suspect comes behind those that it must see. */
static bool ready(const struct suspects *s, uint32_t b)
{
    struct set before = s->w->before[1][b];
    uint32_t k = suspect_number(s, b);
    if (k != ID_NONE)
        set_join(&before, &s->all.at[k]->must);
    set_meet(&before, &s->relevant);
    return !set_has(&s->done, b) && set_within(&before, &s->done);
}

/* May b come next? A suspect must be explained. */
static bool fits(const struct suspects *s, uint32_t b)
{
    uint32_t k = suspect_number(s, b);
    return ready(s, b) && (k == ID_NONE || lens_hopes(&s->all.at[k]->lens, sets_at(s, s->levels.n - 1)[k]));
}

static void append_try(struct suspects *s, uint32_t b)
{
    struct mem *m = s->w->job->mem;
    uint32_t from = s->levels.n - 1;
    vec_reserve(m, &s->sets, s->all.n);
    s->sets.n += s->all.n;
    for (uint32_t k = 0; k < s->all.n; k++) {
        struct suspect *x = s->all.at[k];
        uint32_t set = sets_at(s, from)[k];
        if (x->o == b)
            set = GONE;
        else if (set != GONE)
            set = suspect_step(x, set, b);
        sets_at(s, from + 1)[k] = set;
    }
    vec_push(m, &s->levels, ((struct level){.placed = b}));
    set_add(&s->done, b);
}

static void take_back(struct suspects *s)
{
    set_drop(&s->done, vec_pop(&s->levels).placed);
    s->sets.n -= s->all.n;
}

static bool met_before(struct suspects *s)
{
    struct mem *m = s->w->job->mem;
    const uint32_t *sets = sets_at(s, s->levels.n - 1);
    vec_clear(&s->row);
    for (uint32_t word = 0; word < WORDS; word++) {
        vec_push(m, &s->row, (uint32_t)s->done.w[word]);
        vec_push(m, &s->row, (uint32_t)(s->done.w[word] >> 32));
    }
    for (uint32_t k = 0; k < s->all.n; k++)
        vec_push(m, &s->row, sets[k]);
    return !rows_add(&s->met, m, s->row.at, s->row.n * sizeof *s->row.at);
}

/* Is one of the suspects lost, whatever the others need? Only a call that it notices can have changed that. A pending
 * suspect may be left out. */
static bool one_is_lost(const struct suspects *s)
{
    const uint32_t *sets = sets_at(s, s->levels.n - 1);
    uint32_t placed = vec_last(&s->levels).placed;
    for (uint32_t k = 0; k < s->all.n; k++) {
        struct suspect *x = s->all.at[k];
        bool concerned = placed == ID_NONE || x->letter[placed] != NO_LETTER;
        if (sets[k] != GONE && concerned && !pending(s->w, x->o) && !suspect_has_hope(x, s->w, &s->done, sets[k]))
            return true;
    }
    return false;
}

/* Are all completed suspects linearized? A pending one may be left out. */
static bool all_gone(const struct suspects *s)
{
    const uint32_t *sets = sets_at(s, s->levels.n - 1);
    for (uint32_t k = 0; k < s->all.n; k++)
        if (sets[k] != GONE && !pending(s->w, s->all.at[k]->o))
            return false;
    return true;
}

/* An observer that can come at once, or ID_NONE. */
static uint32_t explained_observer(const struct suspects *s)
{
    for (uint32_t k = 0; k < s->all.n; k++)
        if (s->w->observer[s->all.at[k]->o] && fits(s, s->all.at[k]->o))
            return s->all.at[k]->o;
    return ID_NONE;
}

/* Are two calls the same for all suspects that are left? */
static bool alike(const struct suspects *s, uint32_t a, uint32_t b)
{
    const uint32_t *sets = sets_at(s, s->levels.n - 1);
    bool same = true;
    for (uint32_t k = 0; k < s->all.n && same; k++) {
        same = sets[k] == GONE || suspect_confuses(s->all.at[k], a, b);
    }
    return same;
}

/* Is there a twin that is preferred (suspect.h)? Then b need not be tried. */
static bool has_twin(const struct suspects *s, uint32_t b)
{
    if (suspect_number(s, b) != ID_NONE)
        return false;
    for (uint32_t i = 0; i < s->tries.n; i++) {
        uint32_t twin = s->tries.at[i];
        if (suspect_prefers(&s->w->x, twin, b) && ready(s, twin) && suspect_number(s, twin) == ID_NONE &&
            alike(s, twin, b))
            return true;
    }
    return false;
}

/* The next operation to try at the last level, or ID_NONE. */
static uint32_t next_try(struct suspects *s)
{
    struct level *level = &vec_last(&s->levels);
    for (; level->next < s->tries.n; level->next++) {
        uint32_t b = s->tries.at[level->next];
        if (fits(s, b) && !has_twin(s, b)) {
            level->next++;
            return b;
        }
    }
    return ID_NONE;
}

/* Is there a linearization that explains the suspects? It is left in `levels`. */
static bool search_for_suspects(struct suspects *s)
{
    struct weak *w = s->w;
    find_relevant(s);
    rows_clear(&s->met);
    vec_clear(&s->levels);
    vec_clear(&s->sets);
    s->done = (struct set){0};
    for (uint32_t k = 0; k < s->all.n; k++)
        vec_push(w->job->mem, &s->sets, LENS_FIRST);
    vec_push(w->job->mem, &s->levels, ((struct level){.placed = ID_NONE}));
    for (bool fresh = true;;) {
        uint32_t b = ID_NONE;
        budget_tick(w->job->budget);
        if (weak_spent(w))
            return false;
        if (fresh && all_gone(s))
            return true;
        if (fresh && (b = explained_observer(s)) != ID_NONE) {
            vec_last(&s->levels).next = s->tries.n; /* nothing else need be tried here */
            append_try(s, b);
            continue;
        }
        if (fresh)
            w->job->out->stats.choices++;
        if (!fresh || (!one_is_lost(s) && !met_before(s)))
            b = next_try(s);
        fresh = b != ID_NONE;
        if (fresh) {
            append_try(s, b);
            continue;
        }
        if (s->levels.n == 1)
            return false;
        w->job->out->stats.conflicts++;
        take_back(s);
    }
}

/* ---- the whole ---- */

static void put(struct suspects *s, uint32_t o)
{
    s->order[s->length++] = o;
    set_add(&s->done, o);
}

/* Puts these operations into the order, each when all before it are there. */
static void put_all(struct suspects *s, const struct set *changing, const struct set *of)
{
    const struct weak *w = s->w;
    for (bool more = true; more;) {
        uint32_t best = ID_NONE;
        SET_EACH (o, of) {
            struct set before = w->before[1][o];
            set_meet(&before, changing);
            if (!set_has(&s->done, o) && set_within(&before, &s->done) &&
                (best == ID_NONE || w->rank[o] < w->rank[best]))
                best = o;
        }
        more = best != ID_NONE;
        if (more)
            put(s, best);
    }
}

/* The calls that change something, in the order that was found. Others are put before the first that needs them; the
 * rest of the completed ones comes last. */
static void continue_order(struct suspects *s)
{
    const struct weak *w = s->w;
    struct set changing = {0};
    for (uint32_t o = 0; o < w->x.n; o++)
        if (!w->observer[o] && !pending(w, o))
            set_add(&changing, o);
    s->length = 0;
    s->done = (struct set){0};
    for (uint32_t i = 1; i < s->levels.n; i++) {
        uint32_t o = s->levels.at[i].placed;
        struct set before = w->before[1][o];
        set_meet(&before, &changing);
        put_all(s, &changing, &before);
        if (!w->observer[o])
            put(s, o);
    }
    put_all(s, &changing, &changing);
}

/* The next search tries operations in the order that was found, as it has most of the suspects in common. */
static void prefer_order(struct suspects *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->length; i++)
        s->preferred[n++] = s->order[i];
    for (uint32_t o = 0; o < s->w->x.n; o++)
        if (!set_has(&s->done, o))
            s->preferred[n++] = o;
}

/* Of these operations, the one that returns first and is not appended; ID_NONE: all are. */
static uint32_t first_left(const struct weak *w, const struct set *of)
{
    uint32_t best = ID_NONE;
    SET_EACH (o, of)
        if (!set_has(&w->done, o) && (best == ID_NONE || w->x.ends[o] < w->x.ends[best]))
            best = o;
    return best;
}

/* Appends o with a set that explains it, or else with the least one; false: it is not explained. */
static bool append_next(struct weak *w, uint32_t o)
{
    uint32_t from = w->ways.n;
    w->brief = true;
    weak_minimal_ways(w, o);
    bool found = w->ways.n > from;
    struct set sees = found ? w->ways.at[from].sees : weak_forced(w, o);
    w->ways.n = from;
    weak_append(w, o, &sees);
    return found;
}

/* Appends observers: all that are explained, and then these, be they explained or not. */
static void append_observers(struct weak *w, const struct set *these, struct set *unexplained)
{
    uint32_t first = linear_first_return(&w->x), left;
    while (first != ID_NONE && weak_append_observer(w, first))
        first = linear_first_return(&w->x);
    while ((left = first_left(w, these)) != ID_NONE)
        if (!append_next(w, left))
            set_add(unexplained, left);
}

/* Appends all operations in the order, and observers where they are explained. The operations that are not. */
static struct set append_all(struct suspects *s)
{
    struct weak *w = s->w;
    struct set completed = {0}, unexplained = {0};
    weak_cut_back(w, 0);
    for (uint32_t i = 0; i < s->length; i++) {
        append_observers(w, &w->before[1][s->order[i]], &unexplained);
        if (!append_next(w, s->order[i]))
            set_add(&unexplained, s->order[i]);
    }
    for (uint32_t o = 0; o < w->x.n; o++)
        if (!pending(w, o))
            set_add(&completed, o);
    append_observers(w, &completed, &unexplained);
    return unexplained;
}

/* Is a the better suspect? Pending ones come first, which may have helped others, and then those that return first. */
static bool rather(const struct weak *w, uint32_t a, uint32_t b)
{
    return pending(w, a) != pending(w, b) ? pending(w, a) : w->x.ends[a] < w->x.ends[b];
}

/* Follows one more suspect: one that is known, or else a new one, from which the search begins anew. So the suspects
 * that are followed are few. False: all that are not explained are followed already. */
static bool suspect_more(struct suspects *s, const struct set *unexplained)
{
    const struct weak *w = s->w;
    uint32_t first = ID_NONE;
    for (uint32_t k = 0; k < s->known.n; k++)
        if (set_has(unexplained, s->known.at[k]->o)) {
            if (suspect_number(s, s->known.at[k]->o) != ID_NONE)
                return false;
            vec_push(w->job->mem, &s->all, s->known.at[k]);
            return true;
        }
    SET_EACH (o, unexplained)
        if (first == ID_NONE || rather(w, o, first))
            first = o;
    add_suspect(s, first);
    return true;
}

/* The one that returns last. When it was suspected, all that return earlier were explained. */
static void name_culprit(const struct suspects *s)
{
    struct weak *w = s->w;
    w->culprit = ID_NONE;
    for (uint32_t k = 0; k < s->all.n; k++) {
        uint32_t o = s->all.at[k]->o;
        vec_push(w->job->mem, &w->task->accused, o);
        if (!pending(w, o) && (w->culprit == ID_NONE || w->x.ends[o] > w->x.ends[w->culprit]))
            w->culprit = o;
    }
}

static void release(struct suspects *s)
{
    struct mem *m = s->w->job->mem;
    for (uint32_t k = 0; k < s->known.n; k++)
        suspect_free(s->known.at[k], m);
    vec_free(m, &s->known);
    vec_free(m, &s->all);
    vec_free(m, &s->tries);
    vec_free(m, &s->levels);
    vec_free(m, &s->sets);
    vec_free(m, &s->row);
    rows_free(&s->met, m);
    mem_free(m, s->order);
    mem_free(m, s->preferred);
}

bool weak_contradict(struct weak *w, const uint32_t *ops, const struct set *must, uint32_t n)
{
    struct mem *m = w->job->mem;
    struct suspects s = {.w = w, .preferred = mem_new(m, uint32_t, w->x.n + 1)};
    for (uint32_t o = 0; o < w->x.n; o++)
        s.preferred[o] = o;
    sort_few_by(s.preferred, w->x.n, w->rank);
    for (uint32_t i = 0; i < n; i++) {
        struct suspect *x = suspect_new(w, ops[i]);
        x->must = must[i];
        vec_push(m, &s.known, x);
        vec_push(m, &s.all, x);
    }
    bool found = search_for_suspects(&s);
    release(&s);
    return !found && !weak_spent(w);
}

enum weak_answer weak_by_suspects(struct weak *w)
{
    struct mem *m = w->job->mem;
    struct suspects s = {
        .w = w, .preferred = mem_new(m, uint32_t, w->x.n + 1), .order = mem_new(m, uint32_t, w->x.n + 1)};
    enum weak_answer answer = WEAK_UNKNOWN;
    w->nodes.n = w->ready.n = w->ways.n = 0;
    for (uint32_t o = 0; o < w->x.n; o++)
        s.preferred[o] = o;
    sort_few_by(s.preferred, w->x.n, w->rank);
    for (bool more = true; more && answer == WEAK_UNKNOWN;) {
        if (!search_for_suspects(&s)) {
            answer = WEAK_NO;
            break;
        }
        continue_order(&s);
        prefer_order(&s);
        struct set unexplained = append_all(&s), none = {0};
        if (set_within(&unexplained, &none))
            answer = WEAK_YES;
        else
            more = suspect_more(&s, &unexplained);
    }
    if (answer == WEAK_NO && weak_spent(w))
        answer = WEAK_UNKNOWN;
    if (answer == WEAK_NO)
        name_culprit(&s);
    release(&s);
    return answer;
}
