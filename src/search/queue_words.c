/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `queue-words`: queues whose values repeat. A search along time finds out about two adds in the wrong order
 * only when their values leave. Here adds and removals are linearized in step.
 *
 * Idea. In a linearization, the values enter and leave in one and the same order: a word. Let e0, e1, ... be the adds
 * in this order. The finds are the removals, the peeks, and the operations that found nothing. Each find stands behind
 * a number of removals, its index: it finds the value of the add with this index, or nothing. So the linearization is
 * an order of the adds and an order of the finds that agree on the word. Conversely, two such orders fit together iff
 * (1) each of them respects real time; (2) no find with index i returned before one of e0 .. ei was called; for one
 * that found nothing: e0 .. e(i-1); (3) if o found nothing and has index i, then none of ei, e(i+1), ... returned
 * before the call of o, or of a find that comes before o. Proof. Draw steps along the two orders, from each add to the
 * finds of its index, and along real time. Draw also steps from each o that found nothing to the add of its index. They
 * fit together iff there is no circle. Take a shortest one. A step of real time from a find with index i to ej closes a
 * circle with j <= i: that is (2). A step from ei to a find that comes before o, with i at least the index of o: that
 * is (3). Otherwise the circle has a step of real time from an add e to a find x. It has another one from a find y, at
 * or behind x, to an add f, at or before e. By (1) y did not return before x was called. So f was called after y
 * returned, hence after x was called, hence after e returned. This contradicts (1).
 *
 * Search. The word is spelled value by value. First the next add is chosen, then a removal of its value. A choice must
 * be ready, by (1), and must be called before the first return of all operations left, by (2). An add is tried only if
 * some find that is ready has its value. So a wrong choice mostly fails at once. A memo has the pairs of (set of
 * operations, value at the front) that were left in vain.
 * - Operations that found nothing are placed as soon as (3) allows it. Nothing is lost: left later, they would allow no
 *   more. The same of peeks of the front, if (3) cannot suffer. It cannot if no operation is left that finds nothing,
 *   or if all adds that are left return after the peek's call. Nor can it if a later call is placed already. Else a
 *   peek is a choice.
 * - Of ready adds of the same value the one that returns first is tried. In a solution the two can be exchanged, as in
 *   wgl.c; (2) holds since both were called before any return that is left. The same of removals, if (3) cannot suffer
 *   as above.
 * - A pending add may be chosen, too, and a pending removal takes any value. Of several, the one that was called first
 *   is tried. They come behind operations that returned.
 *
 * queue_words_refute.c looks for a short proof that there is no linearization.
 *
 * No polynomial method is known to us for values that repeat. After very many choices the engine declines. The idea is
 * this project's own. */
#include "search/queue_words.h"

#include "base/radix.h"
#include "history/value_numbers.h"
#include "search/collection_calls.h"
#include "search/queue_words_search.h"

enum { MOST_CHOICES = 1 << 20 };

/* ---- reading ---- */

static void read_operation(struct words *w, uint32_t i, struct value_numbers *numbers, struct value empty)
{
    const history *h = w->job->h;
    uint32_t op = w->job->part->ops[i];
    unsigned role = calls_method(w->job->calls, op);
    bool pending = history_pending(h, op);
    w->start[i] = w->job->calls->call[op];
    w->end[i] = w->job->calls->ret[op];
    w->value[i] = ID_NONE;
    w->role[i] = role == COLLECTION_ADD ? ADD : role == COLLECTION_REMOVE ? REMOVE : pending ? IDLE : PEEK;
    if (role == COLLECTION_ADD)
        w->value[i] = value_number(w->m, numbers, history_arg(h, op, 0));
    else if (pending)
        w->value[i] = ANY;
    else if (value_same(history_result(h, op), empty))
        w->role[i] = NOTHING;
    else
        w->value[i] = value_number(w->m, numbers, history_result(h, op));
}

static void read_part(struct words *w)
{
    const history *h = w->job->h;
    const struct part *part = w->job->part;
    const assay_setting *setting = &part->object->setting;
    struct value_numbers numbers = value_numbers_new();
    struct value empty = {.kind = ASSAY_WORD, .bits = names_find(&h->names, "empty", 5)};
    w->n = part->n;
    w->given_n = (uint32_t)setting->init_count;
    w->role = mem_new(w->m, enum role, w->n + 1);
    w->value = mem_new(w->m, uint32_t, w->n + 1);
    w->start = mem_new(w->m, uint32_t, w->n + 1);
    w->end = mem_new(w->m, uint32_t, w->n + 1);
    w->given = mem_new(w->m, uint32_t, w->given_n + 1);
    for (uint32_t k = 0; k < w->given_n; k++)
        value_numbers_expect(&numbers, value_internal(setting->init[k].value));
    for (uint32_t i = 0; i < w->n; i++)
        if (calls_method(w->job->calls, part->ops[i]) == COLLECTION_ADD)
            value_numbers_expect(&numbers, history_arg(h, part->ops[i], 0));
    value_numbers_begin(&numbers, w->m, 4 * ((uint64_t)w->n + w->given_n + 1));
    for (uint32_t k = 0; k < w->given_n; k++)
        w->given[k] = value_number(w->m, &numbers, value_internal(setting->init[k].value));
    for (uint32_t i = 0; i < w->n; i++)
        read_operation(w, i, &numbers, empty);
    w->values = numbers.n;
}

/* ---- the question ---- */

static void append(struct words *w, const struct side *side, uint32_t i)
{
    uint32_t last = w->prev[side->head];
    w->next[last] = i;
    w->prev[i] = last;
    w->next[i] = side->head;
    w->prev[side->head] = i;
}

/* Operations of the part stand in the order of their calls. */
static void lay_out(struct words *w)
{
    w->adds.head = w->n;
    w->finds.head = w->n + 1;
    vec_clear(&w->adds.maybe);
    vec_clear(&w->finds.maybe);
    for (uint32_t head = w->n; head < w->n + 2; head++)
        w->next[head] = w->prev[head] = head;
    w->nothing_left = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        struct side *side = w->role[i] == ADD ? &w->adds : &w->finds;
        w->done[i] = false;
        w->ends[i] = w->end[i] > w->until ? CALLS_NEVER : w->end[i];
        if (w->start[i] > w->until || w->role[i] == IDLE || is_left_out(w, i))
            continue;
        if (w->ends[i] != CALLS_NEVER) {
            append(w, side, i);
            w->nothing_left += w->role[i] == NOTHING;
        } else if (w->role[i] == ADD || w->role[i] == REMOVE) {
            vec_push(w->m, &side->maybe, i);
        }
    }
}

static void begin(struct words *w)
{
    lay_out(w);
    w->initial_at = w->initial_n = 0;
    for (uint32_t k = 0; k < w->given_n; k++)
        if (!w->left_out[w->given[k]])
            w->initial[w->initial_n++] = w->given[k];
    w->front = ID_NONE;
    w->latest_find = 0;
    w->set = (struct memo_key){0, 0};
    w->choices = 0;
    memo_clear(&w->dead);
    vec_clear(&w->trail);
    vec_clear(&w->nodes);
    vec_clear(&w->options);
}

/* ---- steps ---- */

static void toggle(struct words *w, uint64_t salt)
{
    struct memo_key key = memo_salt(salt);
    w->set.a ^= key.a;
    w->set.b ^= key.b;
}

static void take(struct words *w, uint32_t i)
{
    struct step step = {i, w->front, w->latest_find};
    vec_push(w->m, &w->trail, step);
    if (i == INITIAL) {
        toggle(w, w->n + w->initial_at);
        w->front = w->initial[w->initial_at++];
        return;
    }
    toggle(w, i);
    w->done[i] = true;
    if (w->ends[i] != CALLS_NEVER) {
        w->next[w->prev[i]] = w->next[i];
        w->prev[w->next[i]] = w->prev[i];
    }
    if (w->role[i] == ADD)
        w->front = w->value[i];
    else if (w->start[i] > w->latest_find)
        w->latest_find = w->start[i];
    if (w->role[i] == REMOVE)
        w->front = ID_NONE;
    w->nothing_left -= w->role[i] == NOTHING;
}

static void take_back(struct words *w)
{
    struct step step = vec_pop(&w->trail);
    uint32_t i = step.place;
    w->front = step.front;
    w->latest_find = step.latest_find;
    if (i == INITIAL) {
        toggle(w, w->n + --w->initial_at);
        return;
    }
    toggle(w, i);
    w->done[i] = false;
    if (w->ends[i] != CALLS_NEVER)
        w->next[w->prev[i]] = w->prev[w->next[i]] = i;
    w->nothing_left += w->role[i] == NOTHING;
}

/* The first return of the operations in the ring. An operation is ready if it was called before. */
static uint32_t first_return(const struct words *w, const struct side *side)
{
    uint32_t first = CALLS_NEVER;
    for (uint32_t i = w->next[side->head]; i != side->head && w->start[i] < first; i = w->next[i])
        first = w->ends[i] < first ? w->ends[i] : first;
    return first;
}

static uint32_t first_add_return(const struct words *w)
{
    return w->initial_at < w->initial_n ? 0 : first_return(w, &w->adds);
}

/* Can a find that was called then be placed at once, without harm to operations that find nothing later? */
static bool is_harmless(const struct words *w, uint32_t called, uint32_t add_return)
{
    return !w->nothing_left || called <= w->latest_find || called < add_return;
}

/* Places one operation that found nothing, or a peek, where that loses nothing. */
static bool settle_one(struct words *w)
{
    uint32_t add_return = first_add_return(w), first = first_return(w, &w->finds);
    for (uint32_t i = w->next[w->finds.head]; i != w->finds.head && w->start[i] < first; i = w->next[i]) {
        uint32_t latest = w->start[i] > w->latest_find ? w->start[i] : w->latest_find;
        bool nothing = w->role[i] == NOTHING && w->front == ID_NONE && latest < add_return;
        bool peek = w->role[i] == PEEK && w->front == w->value[i] && is_harmless(w, w->start[i], add_return);
        if (nothing || peek) {
            take(w, i);
            return true;
        }
    }
    return false;
}

/* ---- choices ---- */

/* Marks the values that a ready find has. True: a pending removal takes any value. */
static bool mark_wanted(struct words *w, uint32_t first)
{
    bool any = false;
    w->glance++;
    for (uint32_t i = w->next[w->finds.head]; i != w->finds.head && w->start[i] < first; i = w->next[i])
        if (w->role[i] != NOTHING)
            w->wanted[w->value[i]] = w->glance;
    for (uint32_t k = 0; k < w->finds.maybe.n && w->start[w->finds.maybe.at[k]] < first; k++) {
        uint32_t i = w->finds.maybe.at[k];
        if (!w->done[i] && w->value[i] != ANY)
            w->wanted[w->value[i]] = w->glance;
        any |= !w->done[i] && w->value[i] == ANY;
    }
    return any;
}

/* Adds the operation to the options, unless a twin that returns no later is there; takes out one that returns later. */
static void offer_add(struct words *w, uint32_t from, uint32_t i)
{
    for (uint32_t k = from; k < w->options.n; k++) {
        uint32_t *other = &w->options.at[k];
        if (w->value[*other] != w->value[i])
            continue;
        if (w->ends[i] < w->ends[*other])
            *other = i;
        return;
    }
    vec_push(w->m, &w->options, i);
}

static void offer_adds(struct words *w, uint32_t from)
{
    uint32_t find_return = first_return(w, &w->finds), add_return = first_add_return(w);
    uint32_t limit = find_return < add_return ? find_return : add_return;
    bool any = mark_wanted(w, find_return);
    if (w->initial_at < w->initial_n) {
        if (any || w->wanted[w->initial[w->initial_at]] == w->glance)
            vec_push(w->m, &w->options, INITIAL);
        return;
    }
    for (uint32_t i = w->next[w->adds.head]; i != w->adds.head && w->start[i] < limit; i = w->next[i])
        if (any || w->wanted[w->value[i]] == w->glance)
            offer_add(w, from, i);
    for (uint32_t k = 0; k < w->adds.maybe.n && w->start[w->adds.maybe.at[k]] < limit; k++) {
        uint32_t i = w->adds.maybe.at[k];
        if (!w->done[i] && (any || w->wanted[w->value[i]] == w->glance))
            offer_add(w, from, i);
    }
}

/* The ready removals of the front, and peeks that may do harm. */
static void offer_finds(struct words *w, uint32_t from)
{
    uint32_t first = first_return(w, &w->finds), add_return = first_add_return(w), best = ID_NONE;
    for (uint32_t i = w->next[w->finds.head]; i != w->finds.head && w->start[i] < first; i = w->next[i]) {
        if (w->value[i] != w->front || w->role[i] == NOTHING)
            continue;
        vec_push(w->m, &w->options, i);
        if (w->role[i] == REMOVE && (best == ID_NONE || w->ends[i] < w->ends[best]))
            best = i;
    }
    bool offered[2] = {false, false};
    for (uint32_t k = 0; k < w->finds.maybe.n && w->start[w->finds.maybe.at[k]] < first; k++) {
        uint32_t i = w->finds.maybe.at[k];
        bool any = w->value[i] == ANY;
        if (w->done[i] || offered[any] || (!any && w->value[i] != w->front))
            continue;
        offered[any] = true;
        vec_push(w->m, &w->options, i);
    }
    if (best == ID_NONE)
        return;
    uint32_t kept = from;
    for (uint32_t k = from; k < w->options.n; k++) {
        uint32_t i = w->options.at[k];
        bool twin = i != best && w->role[i] == REMOVE &&
                    (w->start[best] <= w->start[i] || is_harmless(w, w->start[best], add_return));
        if (!twin)
            w->options.at[kept++] = i;
    }
    w->options.n = kept;
}

/* ---- the search ---- */

static struct memo_key state_of(const struct words *w)
{
    struct memo_key front = memo_salt((uint64_t)w->n + w->given_n + (w->front == ID_NONE ? 0 : 1 + w->front));
    return (struct memo_key){w->set.a ^ front.a, w->set.b ^ front.b};
}

static bool next_option(struct words *w)
{
    while (w->nodes.n) {
        struct node *node = &vec_last(&w->nodes);
        while (w->trail.n > node->trail)
            take_back(w);
        if (node->next < w->options.n) {
            take(w, w->options.at[node->next++]);
            return true;
        }
        memo_add(&w->dead, w->m, node->key);
        w->options.n = node->options_at;
        w->nodes.n--;
        w->job->out->stats.conflicts++;
    }
    return false;
}

enum answer words_ask(struct words *w)
{
    begin(w);
    for (;;) {
        budget_tick(w->job->budget);
        while (settle_one(w))
            ;
        if (w->next[w->finds.head] == w->finds.head)
            return ORDER;
        if (w->choices++ == w->most)
            return TOO_MANY;
        struct node node = {w->trail.n, w->options.n, w->options.n, state_of(w)};
        if (!memo_has(&w->dead, node.key)) {
            if (w->front == ID_NONE)
                offer_adds(w, node.options_at);
            else
                offer_finds(w, node.options_at);
            /* The operation that returns first is tried first. */
            if (w->options.n > node.options_at + 1)
                sort_few_by(w->options.at + node.options_at, w->options.n - node.options_at, w->ends);
            vec_push(w->m, &w->nodes, node);
            w->job->out->stats.choices++;
        }
        if (!next_option(w))
            return NO_ORDER;
    }
}

/* ---- a linearization ---- */

struct merge {
    VEC(uint32_t) adds, finds;            /* in their orders; an initial value is INITIAL */
    VEC(uint32_t) index;                  /* of each find */
    uint32_t *add_returns, *find_returns; /* the first return of all from here on */
};

static uint32_t *first_returns(const struct words *w, const uint32_t *ops, uint32_t n)
{
    uint32_t *first = mem_new(w->m, uint32_t, n + 1);
    first[n] = CALLS_NEVER;
    for (uint32_t k = n; k-- > 0;) {
        uint32_t end = ops[k] == INITIAL ? 0 : w->ends[ops[k]];
        first[k] = end < first[k + 1] ? end : first[k + 1];
    }
    return first;
}

static void split_trail(struct words *w, struct merge *g)
{
    uint32_t removals = 0;
    for (uint32_t k = 0; k < w->trail.n; k++) {
        uint32_t i = w->trail.at[k].place;
        if (i == INITIAL || w->role[i] == ADD) {
            vec_push(w->m, &g->adds, i);
            continue;
        }
        vec_push(w->m, &g->finds, i);
        vec_push(w->m, &g->index, removals);
        removals += w->role[i] == REMOVE;
    }
    for (uint32_t k = w->initial_at; k < w->initial_n; k++)
        vec_push(w->m, &g->adds, INITIAL);
    for (uint32_t i = w->next[w->adds.head]; i != w->adds.head; i = w->next[i])
        vec_push(w->m, &g->adds, i);
    g->add_returns = first_returns(w, g->adds.at, g->adds.n);
    g->find_returns = first_returns(w, g->finds.at, g->finds.n);
}

/* Merges the two orders, as the proof says they can be. */
static void witness(struct words *w)
{
    struct evidence *ev = &w->job->out->evidence;
    struct merge g = {0};
    split_trail(w, &g);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t a = 0, f = 0, next_nothing = 0; a < g.adds.n || f < g.finds.n;) {
        while (next_nothing < g.finds.n && (next_nothing < f || w->role[g.finds.at[next_nothing]] != NOTHING))
            next_nothing++;
        bool waits = next_nothing < g.finds.n && g.index.at[next_nothing] == a;
        uint32_t add = a < g.adds.n ? g.adds.at[a] : ID_NONE;
        if (add != ID_NONE && !waits && (add == INITIAL || w->start[add] < g.find_returns[f])) {
            if (add != INITIAL)
                evidence_place(ev, w->job->part->ops[add]);
            a++;
        } else {
            evidence_place(ev, w->job->part->ops[g.finds.at[f++]]);
        }
    }
}

/* ---- the engine ---- */

uint64_t queue_words_patience = 16;

static void run_queue_words(struct job *job)
{
    struct words w = {.job = job, .m = job->mem, .until = CALLS_NEVER - 1};
    job_tries(job, "adds and removals of a queue in step");
    read_part(&w);
    w.left_out = mem_new_zero(w.m, bool, w.values + 1);
    w.wanted = mem_new_zero(w.m, uint64_t, w.values + 1);
    w.initial = mem_new(w.m, uint32_t, w.given_n + 1);
    w.ends = mem_new(w.m, uint32_t, w.n + 1);
    w.next = mem_new(w.m, uint32_t, w.n + 2);
    w.prev = mem_new(w.m, uint32_t, w.n + 2);
    w.done = mem_new(w.m, bool, w.n + 1);
    w.most = queue_words_patience ? queue_words_patience * w.n : 1;
    enum answer answer = words_ask(&w);
    if (answer == TOO_MANY && words_find_two(&w))
        answer = NO_ORDER;
    w.most = MOST_CHOICES;
    if (answer == TOO_MANY)
        answer = words_ask(&w);
    if (answer == TOO_MANY)
        job->declined = "there are too many choices";
    else if (answer == NO_ORDER)
        words_refute(&w);
    else if (job->witness)
        witness(&w);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, &spec_queue);
}

const struct engine engine_queue_words = {
    .name = "queue-words",
    .title = "queues whose values repeat: adds and removals in step",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run_queue_words,
};
