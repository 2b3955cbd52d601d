/* SPDX-License-Identifier: Apache-2.0 */
/* The sets that an operation may see when it is appended: see weak.h. */
#include "weak/search.h"

/* ---- the demands of the axioms ---- */

/* The operations that stand in the relation to o, which sees `sees`. */
static const struct set *related(const struct weak *w, enum relation r, uint32_t o, const struct set *sees)
{
    switch (r) {
    case REL_PO: return &w->before[0][o];
    case REL_HB: return &w->before[1][o];
    case REL_LIN: return &w->done;
    default: return sees;
    }
}

/* The operations that reach o by the first `length` steps of the path. */
struct set weak_reaches(const struct weak *w, uint32_t path, uint32_t length, uint32_t o, const struct set *sees)
{
    struct set last = *related(w, w->d.path[path].path[length - 1], o, sees), all = {0};
    set_meet(&last, &w->done); /* a pending one may be left out */
    if (length == 1)
        return last;
    SET_EACH (b, &last)
        set_join(&all, reach_at(w, path, length - 1, b));
    return all;
}

static struct set closed(const struct weak *w, uint32_t class, const struct set *from)
{
    struct set all = *from;
    if (w->asked.plain)
        return all;
    SET_EACH (b, from)
        set_join(&all, &w->closure[(size_t) class * w->x.n + b]);
    return all;
}

/* The operations that o must see for every choice of the others. */
struct set weak_forced(const struct weak *w, uint32_t o)
{
    struct set all = {0}, nothing = {0};
    if (w->asked.complete)
        return w->done;
    for (uint32_t p = 0; p < w->d.paths; p++) {
        const struct axiom *a = &w->d.path[p];
        if ((w->demands[o] >> p & 1) && a->path[a->n - 1] != REL_VIS) {
            struct set more = weak_reaches(w, p, a->n, o, &nothing);
            set_join(&all, &more);
        }
    }
    return closed(w, w->class[o], &all);
}

/* ---- the object ---- */

static bool returns(struct weak *w, uint32_t o)
{
    assay_value answer;
    assay_saved saved;
    assay_effect effect = linear_step(&w->x, o, 0, &answer, &saved);
    if (effect == ASSAY_CHANGED)
        linear_undo(&w->x, o, &saved);
    return effect != ASSAY_BLOCKED;
}

/* Does the object return o's recorded result, after the operations that o sees? */
bool weak_explains(struct weak *w, uint32_t o, const struct set *sees)
{
    struct linear *x = &w->x;
    const assay_spec *spec = x->spec;
    assay_saved saved[SET_MOST];
    uint32_t changed[SET_MOST], n = 0;
    bool legal = true;
    if (w->asked.complete) {
        budget_tick(w->job->budget);
        return returns(w, o);
    }
    for (uint32_t at = 0; at < w->length && legal; at++) {
        uint32_t b = w->order[at];
        if (!set_has(sees, b) || w->observer[b] || (w->apart && w->key[o] && w->key[b] != w->key[o]))
            continue;
        assay_effect effect = hook_invoke(spec, x->state, &x->call[b], &saved[n]);
        legal = effect != ASSAY_BLOCKED;
        w->blocked |= !legal && w->key[o] && w->key[b] != w->key[o];
        if (effect == ASSAY_CHANGED)
            changed[n++] = b;
    }
    budget_tick(w->job->budget);
    legal = legal && returns(w, o);
    while (n-- > 0)
        hook_undo(spec, x->state, &x->call[changed[n]], &saved[n]);
    return legal;
}

/* ---- a necessary condition ---- */

enum { MOST_MET = 1 << 12 };

static bool take(struct weak *w, struct replay *r, uint32_t k)
{
    assay_effect effect = hook_invoke(w->x.spec, w->x.state, r->call[k], &r->saved[k]);
    r->changed[k] = effect == ASSAY_CHANGED;
    return effect != ASSAY_BLOCKED;
}

static bool new_state(struct weak *w, const struct replay *r, uint32_t k)
{
    uint64_t digest[2];
    visited_digest(&w->states, w->x.state, digest);
    budget_tick(w->job->budget);
    struct keyed row = keyed_begin();
    keyed_put(&row, k);
    keyed_put(&row, digest[0]);
    keyed_put(&row, digest[1]);
    if (!w->asked.plain)
        set_put(&r->shut[k], &row);
    keyed_end(&row, digest);
    return memo_add(&w->met, w->job->mem, (struct memo_key){digest[0], digest[1]});
}

/* The next call is left out, or taken if it must be or if nothing that it needs was left out. */
static bool pass(struct weak *w, struct replay *r, uint32_t k, bool taken)
{
    r->taken[k] = taken;
    r->changed[k] = false;
    if (taken && set_has(&r->shut[k], k))
        return false;
    r->shut[k + 1] = r->shut[k];
    set_drop(&r->shut[k + 1], k);
    if (!taken)
        set_join(&r->shut[k + 1], &r->needed_by[k]);
    return !taken || take(w, r, k);
}

/* Can some of the calls be left out, so that o returns as recorded? The future at a place depends on the state of the
 * object and on the later calls that need one that was left out. The same pair is not visited again. Where there are
 * too many such pairs, the answer is yes: the caller checks closer. A call is left out first, so a found solution
 * contains no smaller one: the smaller one would have been met before. */
static bool replays(struct weak *w, struct replay *r, uint32_t o, bool *sure)
{
    uint32_t k = 0;
    bool down = true, found = false;
    memo_clear(&w->met);
    r->shut[0] = (struct set){0};
    for (*sure = true;;) {
        if (down && k == r->n)
            found = returns(w, o);
        if (w->met.n > MOST_MET)
            *sure = false;
        if (found || !*sure)
            break;
        if (down && k < r->n && new_state(w, r, k) && pass(w, r, k, r->must[k])) {
            k++;
            continue;
        }
        for (down = false; !down && k-- > 0;) { /* back to the last that was left out, and take it */
            if (r->changed[k])
                hook_undo(w->x.spec, w->x.state, r->call[k], &r->saved[k]);
            r->changed[k] = false;
            down = !r->taken[k] && pass(w, r, k, true);
        }
        if (!down)
            return false;
        k++;
    }
    while (k-- > 0)
        if (r->changed[k])
            hook_undo(w->x.spec, w->x.state, r->call[k], &r->saved[k]);
    return true;
}

/* ---- choices ---- */

static void add_way(struct weak *w, uint32_t o, const struct set *sees)
{
    struct way way = {o, *sees};
    vec_push(w->job->mem, &w->ways, way);
}

/* Does it contain one of the sets found since `from`? */
static bool needless(const struct weak *w, uint32_t from, const struct set *set)
{
    for (uint32_t i = from; i < w->ways.n; i++)
        if (set_within(&w->ways.at[i].sees, set))
            return true;
    return false;
}

/* Can the operation make a difference to the result of o? */
static bool useful(const struct weak *w, uint32_t o, uint32_t b)
{
    return !w->observer[b] && (w->mixed || !w->key[o] || w->key[b] == w->key[o]);
}

/* The steps of a sequence of values do not depend on the values. So for o, which found or did not find one of them, all
 * others are the same: that reduces the number of states. */
static const assay_call *as_seen_by(const struct weak *w, uint32_t o, uint32_t b)
{
    return weak_is_other(w, o, b) ? &w->blank[b] : &w->x.call[b];
}

/* Which of the calls to be replayed need which? */
static void note_needs(const struct weak *w, struct replay *r, uint32_t o)
{
    for (uint32_t k = 0; k < r->n; k++)
        r->needed_by[k] = (struct set){0};
    for (uint32_t k = 0; k < r->n && !w->asked.plain; k++)
        for (uint32_t before = 0; before < k && !r->must[k]; before++)
            if (!r->must[before] && set_has(closure_of(w, o, r->op[k]), r->op[before]))
                set_add(&r->needed_by[before], k);
}

/* Is there a closed set that explains o, between the partial set and its largest extension, as far as useful operations
 * decide? *sees becomes a smallest one, if *sure. An operation is left out if the set with it contains a set found
 * since `from`. */
static bool hopeful(struct weak *w, uint32_t o, const struct partial *p, uint32_t from, struct set *sees, bool *sure)
{
    struct replay *r = w->replay;
    w->other = weak_other(w, o);
    r->n = 0;
    for (uint32_t at = 0; at < w->length; at++) {
        uint32_t b = w->order[at];
        bool must = set_has(&p->sees, b);
        if (!useful(w, o, b) || (!must && at >= p->limit))
            continue;
        if (!must && w->ways.n > from) {
            struct set more = p->sees;
            set_join(&more, closure_of(w, o, b));
            if (needless(w, from, &more))
                continue;
        }
        r->must[r->n] = must;
        r->op[r->n] = b;
        r->call[r->n++] = as_seen_by(w, o, b);
    }
    note_needs(w, r, o);
    bool found = replays(w, r, o, sure);
    *sees = p->sees;
    for (uint32_t k = 0; k < r->n && found && *sure; k++)
        if (r->taken[k])
            set_join(sees, closure_of(w, o, r->op[k]));
    return found;
}

/* The next larger sets. Sets that explain o are ways; the others are kept if they may grow into one. Ways are found
 * first, since supersets of them are then no hope. */
static void grow_one(struct weak *w, uint32_t o, uint32_t from, const struct partial *p)
{
    uint32_t grown = w->partials.n;
    for (uint32_t at = 0; at < p->limit; at++) {
        uint32_t b = w->order[at];
        struct partial next = {p->sees, at};
        if (!useful(w, o, b) || set_has(&p->sees, b))
            continue;
        set_join(&next.sees, closure_of(w, o, b));
        if (needless(w, from, &next.sees))
            continue;
        if (weak_explains(w, o, &next.sees)) {
            add_way(w, o, &next.sees);
            if (w->asked.plain)
                return; /* no axiom uses its visibility */
        } else if (at) {
            vec_push(w->job->mem, &w->partials, next);
        }
    }
    struct set some;
    bool sure;
    if (grown == w->partials.n || (w->brief && w->ways.n > from))
        return;
    if (!hopeful(w, o, p, from, &some, &sure))
        w->partials.n = grown;
    else if (sure && weak_explains(w, o, &some))
        add_way(w, o, &some);
}

/* Sets that explain o, all the smallest ones among them. They are built from the last place back. A set grows by the
 * closure of one operation, which comes before all operations by which it grew already. So no set is met twice. */
static void grow(struct weak *w, uint32_t o, uint32_t from)
{
    for (uint32_t k = 0; k < w->partials.n; k++) {
        struct partial p = w->partials.at[k];
        if (!needless(w, from, &p.sees))
            grow_one(w, o, from, &p);
        if ((w->brief && w->ways.n > from) || weak_spent(w))
            return;
    }
}

/* Keeps no set that contains another, and puts sets with the fewest operations first. */
static void keep_smallest(struct weak *w, uint32_t from)
{
    uint32_t kept = from;
    for (uint32_t i = from; i < w->ways.n; i++) {
        bool smallest = true;
        for (uint32_t j = from; j < w->ways.n && smallest; j++)
            smallest = j == i || !set_within(&w->ways.at[j].sees, &w->ways.at[i].sees);
        if (smallest)
            w->ways.at[kept++] = w->ways.at[i];
    }
    w->ways.n = kept;
    for (uint32_t i = from + 1; i < kept; i++)
        for (uint32_t j = i; j > from && set_size(&w->ways.at[j].sees) < set_size(&w->ways.at[j - 1].sees); j--) {
            struct way other = w->ways.at[j];
            w->ways.at[j] = w->ways.at[j - 1];
            w->ways.at[j - 1] = other;
        }
}

/* All smallest closed sets that explain o; if `brief`, some of them, or at least sets that explain it; only one if no
 * axiom uses its visibility. */
void weak_minimal_ways(struct weak *w, uint32_t o)
{
    struct partial least = {weak_forced(w, o), w->length};
    uint32_t from = w->ways.n;
    w->blocked = false;
    if (weak_explains(w, o, &least.sees)) {
        add_way(w, o, &least.sees);
        return;
    }
    if (w->asked.complete)
        return;
    for (w->mixed = false;; w->mixed = true) {
        struct set some;
        bool sure;
        w->ways.n = from;
        if (!hopeful(w, o, &least, from, &some, &sure))
            return;
        if (sure && weak_explains(w, o, &some)) {
            add_way(w, o, &some);
            if (w->brief)
                return;
        }
        w->partials.n = 0;
        vec_push(w->job->mem, &w->partials, least);
        grow(w, o, from);
        if (w->mixed || !w->blocked)
            break;
    }
    keep_smallest(w, from);
}

/* All closed sets that explain o, the largest first: subsets of the operations that are not forced, counted down by
 * size. */
void weak_naive_ways(struct weak *w, uint32_t o)
{
    struct set least = weak_forced(w, o);
    uint32_t free[SET_MOST], n = 0;
    for (uint32_t at = 0; at < w->length; at++)
        if (!set_has(&least, w->order[at]))
            free[n++] = w->order[at];
    for (uint32_t size = n + 1; size-- > 0;) {
        uint32_t pick[SET_MOST];
        for (uint32_t i = 0; i < size; i++)
            pick[i] = i;
        for (bool more = true; more;) {
            struct set set = least;
            for (uint32_t i = 0; i < size; i++)
                set_add(&set, free[pick[i]]);
            struct set whole = closed(w, w->class[o], &set);
            budget_tick(w->job->budget);
            if (set_within(&whole, &set) && weak_explains(w, o, &set))
                add_way(w, o, &set);
            uint32_t i = size; /* the next combination */
            while (i > 0 && pick[i - 1] == n - size + i - 1)
                i--;
            more = i > 0;
            if (more) {
                pick[i - 1]++;
                for (uint32_t j = i; j < size; j++)
                    pick[j] = pick[j - 1] + 1;
            }
        }
    }
}
