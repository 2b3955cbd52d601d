/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/weak.h"

#include "base/memo.h"
#include "engine/linear.h"
#include "engine/plain.h"
#include "model/axioms.h"

#include <string.h>

const char *const weak_variants[] = {"minimal", "naive", NULL};

enum { WORDS = WEAK_MOST / 64, MOST_PATHS = 24, MOST_MET_CLASSES = 256 };

struct set {
    uint64_t w[WORDS];
};

struct way { /* an operation that may come next, and what it sees */
    uint32_t i;
    struct set sees;
};

struct partial { /* a set that may grow by operations linearized before that place */
    struct set sees;
    uint32_t limit;
};

struct node {
    uint32_t length; /* of the linearization */
    uint32_t ready_at, ready_next; /* operations that may come next, in `ready` */
    uint32_t ways_at, next;        /* ways of the one before ready_next */
    bool again; /* all of them have been tried with the sets found first; now with the others */
};

struct weak {
    struct linear x;
    struct job *job;
    bool naive, by_return;

    struct axiom path[MOST_PATHS]; /* of all levels together */
    uint32_t paths;
    uint32_t *demands; /* of an operation: which of the paths are demanded of what it sees */
    uint32_t *class;   /* operations with the same demands have the same class */
    uint32_t *class_demands, classes;
    bool plain;   /* no path asks what another operation saw or where it was linearized */
    bool complete; /* every operation sees all before it: x.state is that after the linearization */
    bool unmoved; /* no path minds that an operation which changes nothing is linearized early */
    bool *changed;
    assay_saved *saved;
    uint32_t *stepped;
    bool *looks;  /* of an operation: whatever it returns, it changes nothing */

    struct set *before[2]; /* po, hb */
    struct set done;
    uint32_t *order, length;
    struct set *sees;
    struct set *reach;   /* path p, length j < n, operation i: reach[(p * AXIOM_LONGEST + j) * n + i] */
    struct set *closure; /* class c, operation i: i and what is forced by seeing it */
    uint64_t *key;       /* of an operation: its key, where only those of the same key matter */

    struct memo memo, met; /* states of the search; states of the object while one result is explained */
    VEC(struct node) nodes;
    VEC(uint32_t) ready;
    VEC(struct way) ways;
    VEC(struct partial) partials;
    bool brief; /* some sets that explain a result are enough for now */
    struct replay *replay;
    bool alike;         /* the object is a sequence of values and does not look at them */
    assay_call *blank;  /* calls with `other` in place of their value */
    assay_value other;
    bool mixed, blocked; /* operations of other keys matter: one of them cannot take effect after what is seen of its key */
    uint32_t culprit; /* what could not be linearized where the search got furthest */
};

/* ---- sets ---- */

static bool set_has(const struct set *s, uint32_t i)
{
    return s->w[i / 64] >> (i % 64) & 1;
}

static void set_add(struct set *s, uint32_t i)
{
    s->w[i / 64] |= (uint64_t)1 << (i % 64);
}

static void set_drop(struct set *s, uint32_t i)
{
    s->w[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static void set_join(struct set *to, const struct set *from)
{
    for (uint32_t w = 0; w < WORDS; w++)
        to->w[w] |= from->w[w];
}

static void set_meet(struct set *to, const struct set *with)
{
    for (uint32_t w = 0; w < WORDS; w++)
        to->w[w] &= with->w[w];
}

static void set_less(struct set *from, const struct set *what)
{
    for (uint32_t w = 0; w < WORDS; w++)
        from->w[w] &= ~what->w[w];
}

static bool set_within(const struct set *a, const struct set *b)
{
    uint64_t more = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        more |= a->w[w] & ~b->w[w];
    return !more;
}

static uint32_t set_size(const struct set *s)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < WORDS; w++)
        n += (uint32_t)__builtin_popcountll(s->w[w]);
    return n;
}

static struct memo_key set_key(const struct set *s, struct memo_key key)
{
    for (uint32_t w = 0; w < WORDS; w++) {
        key.a = hash_join(key.a, s->w[w]);
        key.b = hash_mix(key.b * 0x9E3779B97F4A7C15u + s->w[w]);
    }
    return key;
}

/* for (EACH(i, set)) */
static uint32_t set_next(const struct set *s, uint32_t from)
{
    for (uint32_t w = from / 64; w < WORDS; w++) {
        uint64_t rest = s->w[w] & (w == from / 64 ? ~(uint64_t)0 << (from % 64) : ~(uint64_t)0);
        if (rest)
            return 64 * w + (uint32_t)__builtin_ctzll(rest);
    }
    return WEAK_MOST;
}

#define EACH(i, set) uint32_t i = set_next(set, 0); i < WEAK_MOST; i = i + 1 < WEAK_MOST ? set_next(set, i + 1) : WEAK_MOST

/* ---- what the axioms ask ---- */

static struct set *reach_at(const struct weak *w, uint32_t path, uint32_t length, uint32_t i)
{
    return &w->reach[((size_t)path * AXIOM_LONGEST + length) * w->x.n + i];
}

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

/* What reaches o by the first `length` steps of the path. */
static struct set reaches(const struct weak *w, uint32_t path, uint32_t length, uint32_t o, const struct set *sees)
{
    const struct set *last = related(w, w->path[path].path[length - 1], o, sees);
    struct set all = {0};
    for (EACH(b, last)) {
        if (!set_has(&w->done, b))
            continue; /* pending, and left out */
        if (length == 1)
            set_add(&all, b);
        else
            set_join(&all, reach_at(w, path, length - 1, b));
    }
    return all;
}

static struct set closed(const struct weak *w, uint32_t class, const struct set *from)
{
    struct set all = *from;
    for (EACH(b, from))
        set_join(&all, &w->closure[(size_t)class * w->x.n + b]);
    return all;
}

/* What o must see, whatever it sees besides. */
static struct set forced(const struct weak *w, uint32_t o)
{
    struct set all = {0}, nothing = {0};
    for (uint32_t p = 0; p < w->paths; p++) {
        const struct axiom *a = &w->path[p];
        if ((w->demands[o] >> p & 1) && a->path[a->n - 1] != REL_VIS) {
            struct set more = reaches(w, p, a->n, o, &nothing);
            set_join(&all, &more);
        }
    }
    return closed(w, w->class[o], &all);
}

static const struct set *closure_of(const struct weak *w, uint32_t o, uint32_t seen)
{
    return &w->closure[(size_t)w->class[o] * w->x.n + seen];
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

/* Does o return what it returned, after what it sees? */
static bool explains(struct weak *w, uint32_t o, const struct set *sees)
{
    struct linear *x = &w->x;
    const assay_spec *spec = x->spec;
    assay_saved saved[WEAK_MOST];
    uint32_t changed[WEAK_MOST], n = 0;
    bool legal = true;
    if (w->complete) {
        budget_tick(w->job->budget);
        return returns(w, o);
    }
    for (uint32_t at = 0; at < w->length && legal; at++) {
        uint32_t b = w->order[at];
        assay_value ignored = {0};
        if (!set_has(sees, b) || w->looks[b])
            continue;
        assay_effect effect = spec->step(x->state, &x->call[b], 0, &ignored, &saved[n]);
        legal = effect != ASSAY_BLOCKED;
        w->blocked |= !legal && w->key[o] && w->key[b] != w->key[o];
        if (effect == ASSAY_CHANGED)
            changed[n++] = b;
    }
    budget_tick(w->job->budget);
    legal = legal && returns(w, o);
    while (n-- > 0)
        spec->undo(x->state, &x->call[changed[n]], &saved[n]);
    return legal;
}

/* ---- a necessary condition ---- */

enum { MOST_MET = 1 << 12 };

struct replay { /* calls in the order of the linearization, some of which may be left out */
    uint32_t op[WEAK_MOST], n;
    const assay_call *call[WEAK_MOST];
    bool must[WEAK_MOST], changed[WEAK_MOST], taken[WEAK_MOST];
    assay_saved saved[WEAK_MOST];
};

static bool take(struct weak *w, struct replay *r, uint32_t k)
{
    assay_value ignored = {0};
    assay_effect effect = w->x.spec->step(w->x.state, r->call[k], 0, &ignored, &r->saved[k]);
    r->changed[k] = effect == ASSAY_CHANGED;
    return effect != ASSAY_BLOCKED;
}

static bool new_state(struct weak *w, uint32_t k)
{
    uint64_t state[2];
    w->x.spec->digest(w->x.state, state);
    budget_tick(w->job->budget);
    return memo_add(&w->met, w->job->mem, (struct memo_key){hash_join(state[0], k), hash_mix(state[1] + k)});
}

/* Can some of the calls be left out, so that o returns as recorded? A state of the object is not visited again at the same
 * place, so it takes no longer than there are states. Where these are too many, yes: the caller looks closer. */
static bool replays(struct weak *w, struct replay *r, uint32_t o, bool *sure)
{
    uint32_t k = 0;
    bool down = true, found = false;
    memo_clear(&w->met);
    for (*sure = true;;) {
        if (down && k == r->n)
            found = returns(w, o);
        if (w->met.n > MOST_MET)
            *sure = false;
        if (found || !*sure)
            break;
        if (down && k < r->n && new_state(w, k)) {
            r->changed[k] = false;
            r->taken[k] = r->must[k];
            if (!r->must[k] || take(w, r, k)) {
                k++;
                continue;
            }
        }
        for (down = false; !down && k-- > 0;) { /* back to the last that was left out, and take it */
            if (r->changed[k])
                w->x.spec->undo(w->x.state, r->call[k], &r->saved[k]);
            r->changed[k] = false;
            if (!r->taken[k]) {
                r->taken[k] = true;
                down = take(w, r, k);
            }
        }
        if (!down)
            return false;
        k++;
    }
    while (k-- > 0)
        if (r->changed[k])
            w->x.spec->undo(w->x.state, r->call[k], &r->saved[k]);
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

/* Can the operation make a difference to what o returns? */
static bool useful(const struct weak *w, uint32_t o, uint32_t b)
{
    return !w->looks[b] && (w->mixed || !w->key[o] || w->key[b] == w->key[o]);
}

/* What a sequence of values does, it does whatever the values are. So for o, which found or did not find one of them, all
 * others are the same: that leaves few states. */
static const assay_call *as_seen_by(struct weak *w, uint32_t o, uint32_t b)
{
    const assay_call *call = &w->x.call[b];
    bool other = w->alike && call->arg_count == 1 && !assay_value_same(call->args[0], w->x.call[o].result);
    return other ? &w->blank[b] : call;
}

/* Is there, by the object alone, a set between the partial one and what it may grow to that explains o? *sees becomes one,
 * if *sure. What is of no use besides sets that were found since `from` is left aside. */
static bool hopeful(struct weak *w, uint32_t o, const struct partial *p, uint32_t from, struct set *sees, bool *sure)
{
    struct replay *r = w->replay;
    assay_value found_by_o = w->x.call[o].result;
    w->other = assay_int(found_by_o.kind == ASSAY_INT ? found_by_o.integer ^ 1 : 0);
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
    bool found = replays(w, r, o, sure);
    *sees = p->sees;
    for (uint32_t k = 0; k < r->n && found && *sure; k++)
        if (r->taken[k])
            set_add(sees, r->op[k]);
    return found;
}

/* The next larger ones: those that explain o are ways, the others are kept if more may help. Ways are found first, since
 * what only leads to supersets of them is then no hope. */
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
        if (explains(w, o, &next.sees)) {
            add_way(w, o, &next.sees);
            if (w->plain)
                return; /* nobody asks which it is */
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
    else if (w->plain && sure && explains(w, o, &some)) /* there are no closures then */
        add_way(w, o, &some);
}

/* Sets that explain o, all the smallest ones among them. They are put together from the last place back: a set grows
 * by the closure of one operation, which comes before all by which it grew already. So none is met twice. */
static void grow(struct weak *w, uint32_t o, uint32_t from)
{
    for (uint32_t k = 0; k < w->partials.n; k++) {
        struct partial p = w->partials.at[k];
        if (!needless(w, from, &p.sees))
            grow_one(w, o, from, &p);
        if (w->brief && w->ways.n > from)
            return;
    }
}

/* None that contains another, and those with the fewest operations first. */
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

/* All smallest closed sets that explain o; if `brief`, some of them, or at least sets that explain it; only one if nobody
 * asks what it sees. */
static void minimal_ways(struct weak *w, uint32_t o)
{
    struct partial least = {forced(w, o), w->length};
    uint32_t from = w->ways.n;
    w->blocked = false;
    if (explains(w, o, &least.sees)) {
        add_way(w, o, &least.sees);
        return;
    }
    if (w->complete)
        return;
    for (w->mixed = false;; w->mixed = true) {
        w->ways.n = from;
        w->partials.n = 0;
        vec_push(w->job->mem, &w->partials, least);
        grow(w, o, from);
        if (w->mixed || !w->blocked)
            break;
    }
    keep_smallest(w, from);
}

/* All closed sets that explain o, the largest first: subsets of what is not forced, counted down by size. */
static void naive_ways(struct weak *w, uint32_t o)
{
    struct set least = forced(w, o);
    uint32_t free[WEAK_MOST], n = 0;
    for (uint32_t at = 0; at < w->length; at++)
        if (!set_has(&least, w->order[at]))
            free[n++] = w->order[at];
    for (uint32_t size = n + 1; size-- > 0;) {
        uint32_t pick[WEAK_MOST];
        for (uint32_t i = 0; i < size; i++)
            pick[i] = i;
        for (bool more = true; more;) {
            struct set set = least;
            for (uint32_t i = 0; i < size; i++)
                set_add(&set, free[pick[i]]);
            struct set whole = closed(w, w->class[o], &set);
            budget_tick(w->job->budget);
            if (set_within(&whole, &set) && explains(w, o, &set))
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

/* ---- the linearization ---- */

static void append(struct weak *w, uint32_t o, const struct set *sees)
{
    uint32_t n = w->x.n;
    w->sees[o] = *sees;
    for (uint32_t p = 0; p < w->paths; p++)
        for (uint32_t length = 1; length < w->path[p].n; length++)
            *reach_at(w, p, length, o) = reaches(w, p, length, o, sees);
    for (uint32_t c = 0; c < w->classes; c++) {
        struct set all = {0};
        set_add(&all, o);
        for (uint32_t p = 0; p < w->paths; p++) {
            const struct axiom *a = &w->path[p];
            if ((w->class_demands[c] >> p & 1) && a->n > 1 && a->path[a->n - 1] == REL_VIS)
                set_join(&all, reach_at(w, p, a->n - 1, o));
        }
        struct set whole = all;
        for (EACH(b, &all))
            if (b != o)
                set_join(&whole, &w->closure[(size_t)c * n + b]);
        w->closure[(size_t)c * n + o] = whole;
    }
    w->order[w->length++] = o;
    set_add(&w->done, o);
    linear_mark(&w->x, o);
    assay_value answer;
    if (w->complete)
        w->changed[o] = linear_step(&w->x, o, 0, &answer, &w->saved[o]) == ASSAY_CHANGED;
}

static void cut_back(struct weak *w, uint32_t length)
{
    while (w->length > length) {
        uint32_t o = w->order[--w->length];
        if (w->complete && w->changed[o])
            linear_undo(&w->x, o, &w->saved[o]);
        set_drop(&w->done, o);
        linear_unmark(&w->x, o);
    }
}

/* What all that is still to come will see. Of a thread's operations with the same demands the first sees least. */
static struct set common_to_all(const struct weak *w)
{
    struct set all = w->done;
    bool met[MOST_MET_CLASSES] = {0};
    for (uint32_t i = 0; i < w->x.n; i++) {
        if (set_has(&w->done, i))
            continue;
        uint32_t slot = w->x.c->h->thread[w->x.part->ops[i]] * w->classes + w->class[i];
        if (slot < MOST_MET_CLASSES && met[slot])
            continue;
        if (slot < MOST_MET_CLASSES)
            met[slot] = true;
        struct set least = forced(w, i);
        set_meet(&all, &least);
    }
    return all;
}

/* The state after the part of the linearization that all will see; its length. */
static uint32_t common_state(struct weak *w, const struct set *common, struct memo_key *key)
{
    struct linear *x = &w->x;
    uint32_t length = 0, n = 0;
    for (; length < w->length; length++) {
        uint32_t b = w->order[length];
        assay_value ignored = {0};
        if (w->looks[b])
            continue;
        assay_effect effect = set_has(common, b) ? x->spec->step(x->state, &x->call[b], 0, &ignored, &w->saved[n])
                                               : ASSAY_BLOCKED;
        if (effect == ASSAY_BLOCKED)
            break;
        if (effect == ASSAY_CHANGED)
            w->stepped[n++] = b;
    }
    uint64_t state[2];
    x->spec->digest(x->state, state);
    *key = (struct memo_key){state[0], state[1]};
    while (n-- > 0)
        x->spec->undo(x->state, &x->call[w->stepped[n]], &w->saved[n]);
    return length;
}

static struct memo_key state_key(struct weak *w)
{
    struct memo_key key;
    if (w->complete)
        return linear_key(&w->x);
    struct set common = common_to_all(w);
    uint32_t from = common_state(w, &common, &key);
    for (uint32_t at = from; at < w->length; at++) { /* per key a sequence, over the keys a sum */
        uint32_t o = w->order[at];
        uint64_t last = 0;
        if (w->looks[o])
            continue;
        for (uint32_t before = at; before-- > from && !last;)
            if (!w->looks[w->order[before]] && w->key[w->order[before]] == w->key[o])
                last = w->order[before] + 1;
        key.a += hash_join(last, 2 * (uint64_t)o + 1);
        key.b += hash_join(hash_mix(last + 77), 2 * (uint64_t)o);
    }
    key = set_key(&w->done, key);
    if (w->plain)
        return key;
    key = set_key(&common, key);
    for (uint32_t p = 0; p < w->paths; p++)
        for (uint32_t length = 1; length < w->path[p].n; length++)
            for (EACH(i, &w->done)) {
                struct set rest = *reach_at(w, p, length, i);
                set_less(&rest, &common);
                key = set_key(&rest, key);
            }
    return key;
}

/* ---- the search ---- */

/* An operation that changes nothing and is explained by the least set can come at once: what is forced upon it does not
 * grow less later, and nobody minds that it comes early. If nobody asks what it sees, any set that explains it will do. */
static bool settle(struct weak *w, uint32_t first)
{
    if (w->naive || !w->unmoved)
        return false;
    for (uint32_t l = 0; l < w->x.lanes; l++) {
        uint32_t head = linear_head(&w->x, l);
        if (head == ID_NONE || !w->looks[head] || !linear_ready(&w->x, head, first))
            continue;
        if (w->plain) {
            uint32_t from = w->ways.n;
            w->brief = true;
            minimal_ways(w, head);
            bool found = w->ways.n > from;
            w->ways.n = from;
            if (!found)
                continue;
            struct set sees = w->ways.at[from].sees;
            append(w, head, &sees);
            return true;
        }
        struct set least = forced(w, head);
        if (!explains(w, head, &least))
            continue;
        append(w, head, &least);
        return true;
    }
    return false;
}

static void collect(struct weak *w, uint32_t first)
{
    const struct linear *x = &w->x;
    uint32_t ready[WEAK_MOST], n = 0;
    for (uint32_t l = 0; l < x->lanes; l++) {
        uint32_t head = linear_head(x, l);
        if (head != ID_NONE && linear_ready(x, head, first))
            ready[n++] = head;
    }
    const uint32_t *rank = x->c->call ? w->by_return ? x->ends : x->starts : x->part->ops; /* else as recorded */
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && rank[ready[j]] < rank[ready[j - 1]]; j--) {
            uint32_t other = ready[j];
            ready[j] = ready[j - 1];
            ready[j - 1] = other;
        }
    for (uint32_t j = 0; j < x->maybe_n; j++) {
        uint32_t i = x->maybe[j];
        bool late = x->c->call && first != ID_NONE && x->starts[i] > x->ends[first];
        if (!x->done[i] && !late && linear_ready(x, i, first))
            ready[n++] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        vec_push(w->job->mem, &w->ready, ready[i]);
}

/* Ways of the next operation that is ready; false: there is none. First they come one after another with few sets, which
 * mostly suffices, and then again with all. */
static bool more_ways(struct weak *w, struct node *node)
{
    if (node->ready_next == w->ready.n) {
        if (node->again || w->naive || w->plain)
            return false;
        node->again = true;
        node->ready_next = node->ready_at;
    }
    w->ways.n = node->next = node->ways_at;
    w->brief = !node->again || w->plain;
    uint32_t o = w->ready.at[node->ready_next++];
    (w->naive ? naive_ways : minimal_ways)(w, o);
    return true;
}

static bool next_way(struct weak *w)
{
    while (w->nodes.n) {
        struct node *node = &vec_last(&w->nodes);
        cut_back(w, node->length);
        if (node->next == w->ways.n) {
            if (more_ways(w, node))
                continue;
            w->ways.n = node->ways_at;
            w->ready.n = node->ready_at;
            w->nodes.n--;
            w->job->out->stats.conflicts++;
            continue;
        }
        struct way way = w->ways.at[node->next++];
        append(w, way.i, &way.sees);
        if (memo_add(&w->memo, w->job->mem, state_key(w)))
            return true;
    }
    return false;
}

static bool search(struct weak *w)
{
    for (;;) {
        uint32_t first = linear_first_return(&w->x);
        while (first != ID_NONE && settle(w, first))
            first = linear_first_return(&w->x);
        if (first == ID_NONE)
            return true;
        if (w->culprit == ID_NONE || w->x.ends[first] > w->x.ends[w->culprit])
            w->culprit = first;
        struct node node = {.length = w->length, .ready_at = w->ready.n, .ready_next = w->ready.n, .ways_at = w->ways.n,
                            .next = w->ways.n};
        vec_push(w->job->mem, &w->nodes, node);
        collect(w, first);
        w->job->out->stats.choices++;
        if (!next_way(w))
            return false;
    }
}

/* ---- the run ---- */

static void note_path(struct weak *w, uint32_t o, const struct axiom *a)
{
    uint32_t p = 0;
    while (p < w->paths && !axiom_same(&w->path[p], a))
        p++;
    if (p == w->paths) {
        if (p == MOST_PATHS) {
            error_set(w->job->error, ASSAY_ERROR_NOT_APPLICABLE, "the levels have more than %d axioms together", MOST_PATHS);
            escape_raise(ESCAPE_ERROR);
        }
        w->path[w->paths++] = *a;
    }
    w->demands[o] |= 1u << p;
}

static void take_axioms(struct weak *w)
{
    struct mem *m = w->job->mem;
    uint32_t n = w->x.n;
    struct visibility v;
    if (!visibility_parse(w->job->model->axioms, w->job->visibility, &v, w->job->error))
        escape_raise(ESCAPE_ERROR);
    w->demands = mem_new_zero(m, uint32_t, n + 1);
    w->class = mem_new_zero(m, uint32_t, n + 1);
    w->class_demands = mem_new_zero(m, uint32_t, n + 1);
    for (uint32_t o = 0; o < n; o++) {
        const struct axioms *axioms = visibility_of(&v, objects_method(w->x.c->objects, w->x.part->ops[o])->name);
        for (uint32_t i = 0; i < axioms->n; i++)
            note_path(w, o, &axioms->at[i]);
    }
    for (uint32_t o = 0; o < n; o++) {
        uint32_t same = 0;
        while (w->demands[same] != w->demands[o])
            same++;
        w->class[o] = same == o ? w->classes++ : w->class[same];
        w->class_demands[w->class[o]] = w->demands[o];
    }
    bool lin_alone = false, lin_within = false, vis_within = false;
    for (uint32_t p = 0; p < w->paths; p++)
        for (uint32_t i = 0; i < w->path[p].n; i++) {
            bool alone = w->path[p].n == 1;
            lin_alone |= alone && w->path[p].path[i] == REL_LIN;
            lin_within |= !alone && w->path[p].path[i] == REL_LIN;
            vis_within |= !alone && w->path[p].path[i] == REL_VIS;
        }
    w->plain = !lin_within && !vis_within;
    w->complete = lin_alone && w->plain && w->classes == 1;
    w->unmoved = !lin_within && !(lin_alone && vis_within);
}

/* What a call does may depend on what it returned; so the specification is asked without, and says nothing about those
 * whose arguments tell what they found. */
static void take_looks(struct weak *w)
{
    const struct linear *x = &w->x;
    w->looks = mem_new_zero(w->job->mem, bool, x->n + 1);
    for (uint32_t i = 0; i < x->n && x->spec->cut; i++) {
        assay_call call = x->call[i];
        assay_value ignored = {0};
        call.result = (assay_value){0};
        w->looks[i] = objects_method(x->c->objects, x->part->ops[i])->result == ASSAY_RESULT_REQUIRED &&
                      x->spec->cut(&call, &ignored) == ASSAY_CUT_ALONE;
    }
}

static void take_orders(struct weak *w)
{
    const struct calls *c = w->x.c;
    uint32_t n = w->x.n, k = c->h->threads.n;
    for (int r = 0; r < 2; r++)
        w->before[r] = mem_new_zero(w->job->mem, struct set, n + 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t a = w->x.part->ops[j], b = w->x.part->ops[i];
            bool po = c->h->thread[a] == c->h->thread[b] && a < b;
            bool timed = c->call && c->ret[a] < c->call[b];
            bool known = c->past && c->past[(size_t)b * k + c->h->thread[a]] > c->index[a];
            if (po)
                set_add(&w->before[0][i], j);
            if (po || timed || known)
                set_add(&w->before[1][i], j);
        }
    for (uint32_t again = 0; again < n; again++) /* ties: program order and real time together */
        for (uint32_t i = 0; c->order == CALLS_TIED && i < n; i++)
            for (EACH(j, &w->before[1][i]))
                set_join(&w->before[1][i], &w->before[1][j]);
}

static void take_sequence(struct weak *w)
{
    static const char *const sequences[] = {"queue", "stack", "deque"};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        w->alike |= plain_is(w->job, sequences[i]);
    w->blank = mem_new(w->job->mem, assay_call, w->x.n + 1);
    for (uint32_t i = 0; i < w->x.n; i++) {
        w->blank[i] = w->x.call[i];
        w->blank[i].args = &w->other;
    }
}

static int key_place(const struct weak *w, uint32_t i)
{
    return objects_method(w->x.c->objects, w->x.part->ops[i])->key;
}

/* Keys count where every call that changes something names one. Those without a key look at all. */
static void take_keys(struct weak *w)
{
    const struct linear *x = &w->x;
    w->key = mem_new_zero(w->job->mem, uint64_t, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        if (!w->looks[i] && key_place(w, i) < 0)
            return;
    for (uint32_t i = 0; i < x->n; i++)
        if (key_place(w, i) >= 0) {
            struct value v = history_arg(x->c->h, x->part->ops[i], (uint32_t)key_place(w, i));
            w->key[i] = hash_join(v.kind, (uint64_t)v.bits) | 1;
        }
}

static void set_up(struct weak *w)
{
    struct mem *m = w->job->mem;
    linear_init(&w->x, w->job);
    uint32_t n = w->x.n;
    take_axioms(w);
    take_orders(w);
    take_looks(w);
    take_keys(w);
    take_sequence(w);
    w->replay = mem_new(m, struct replay, 1);
    w->changed = mem_new(m, bool, n + 1);
    w->saved = mem_new(m, assay_saved, n + 1);
    w->stepped = mem_new(m, uint32_t, n + 1);
    w->order = mem_new(m, uint32_t, n + 1);
    w->sees = mem_new_zero(m, struct set, n + 1);
    w->reach = mem_new_zero(m, struct set, mem_product(n + 1, (w->paths + 1) * AXIOM_LONGEST));
    w->closure = mem_new_zero(m, struct set, mem_product(n + 1, w->classes + 1));
}

static void witness(struct weak *w)
{
    struct evidence *ev = &w->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t at = 0; at < w->length; at++) {
        uint32_t o = w->order[at];
        evidence_place(ev, w->x.part->ops[o]);
        for (uint32_t b = 0; b < at; b++)
            if (set_has(&w->sees[o], w->order[b]))
                evidence_sees(ev, w->x.part->ops[w->order[b]], w->x.part->ops[o]);
    }
}

const char *weak_declines(const struct job *job)
{
    if (!job->part->object->spec->create)
        return "the object has no sequential states";
    return job->part->object->spec->choices ? "calls of the object have several outcomes" : NULL;
}

void weak_run(struct job *job, bool by_return)
{
    struct weak w = {.job = job, .by_return = by_return, .culprit = ID_NONE,
                     .naive = job->variant && strcmp(job->variant, "naive") == 0};
    set_up(&w);
    if (search(&w)) {
        if (job->witness)
            witness(&w);
        return;
    }
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&job->out->evidence, PATTERN_NoVisibility, w.x.part->ops[w.culprit], w.x.c->call != NULL);
}
