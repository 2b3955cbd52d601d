/* SPDX-License-Identifier: Apache-2.0 */
/* The search of weak.h: linearizations, operation by operation, with the sets of ways.c. */
#include "weak/search.h"

enum { MOST_MET_CLASSES = 256 };
enum { MOST_COMPLETE = 256, MOST_HASTY = 32, MOST_PLAIN = 4 }; /* states of an attempt, per operation */

/* ---- the linearization ---- */

/* Notes the operations that reach o, and the operations that seeing o forces. */
static void note_reach(struct weak *w, uint32_t o, const struct set *sees)
{
    uint32_t n = w->x.n;
    for (uint32_t p = 0; p < w->d.paths; p++)
        for (uint32_t length = 1; length < w->d.path[p].n; length++)
            *reach_at(w, p, length, o) = weak_reaches(w, p, length, o, sees);
    for (uint32_t c = 0; c < w->d.classes; c++) {
        struct set all = {0};
        set_add(&all, o);
        for (uint32_t p = 0; p < w->d.paths; p++) {
            const struct axiom *a = &w->d.path[p];
            if ((w->d.class_demands[c] >> p & 1) && a->n > 1 && a->path[a->n - 1] == REL_VIS)
                set_join(&all, reach_at(w, p, a->n - 1, o));
        }
        struct set whole = all;
        SET_EACH (b, &all)
            if (b != o)
                set_join(&whole, &w->closure[(size_t)c * n + b]);
        w->closure[(size_t)c * n + o] = whole;
    }
}

void weak_append(struct weak *w, uint32_t o, const struct set *sees)
{
    assay_value answer;
    w->sees[o] = *sees;
    if (w->asked.complete)
        w->changed[o] = linear_step(&w->x, o, 0, &answer, &w->saved[o]) == ASSAY_CHANGED;
    else
        note_reach(w, o, sees);
    w->order[w->length++] = o;
    set_add(&w->done, o);
    linear_mark(&w->x, o);
}

void weak_cut_back(struct weak *w, uint32_t length)
{
    while (w->length > length) {
        uint32_t o = w->order[--w->length];
        if (w->asked.complete && w->changed[o])
            linear_undo(&w->x, o, &w->saved[o]);
        set_drop(&w->done, o);
        linear_unmark(&w->x, o);
    }
}

/* The operations that all remaining operations will see. Of a thread's operations with the same demands the first sees
 * least. */
static struct set common_to_all(const struct weak *w)
{
    struct set all = w->done;
    bool met[MOST_MET_CLASSES] = {0};
    for (uint32_t i = 0; i < w->x.n; i++) {
        if (set_has(&w->done, i))
            continue;
        uint32_t slot = w->x.c->h->thread[w->x.part->ops[i]] * w->d.classes + w->class[i];
        if (slot < MOST_MET_CLASSES && met[slot])
            continue;
        if (slot < MOST_MET_CLASSES)
            met[slot] = true;
        struct set least = weak_forced(w, i);
        set_meet(&all, &least);
    }
    return all;
}

/* Of the state after the part of the linearization that all will see; the length of that part. */
static uint32_t common_state(struct weak *w, const struct set *common, uint64_t digest[2])
{
    struct linear *x = &w->x;
    uint32_t length = 0, n = 0;
    for (; length < w->length; length++) {
        uint32_t b = w->order[length];
        if (w->observer[b])
            continue;
        assay_effect effect = set_has(common, b) ? hook_invoke(x->spec, x->state, &x->call[b], &w->saved[n])
                                                 : ASSAY_BLOCKED;
        if (effect == ASSAY_BLOCKED)
            break;
        if (effect == ASSAY_CHANGED)
            w->stepped[n++] = b;
    }
    visited_digest(&w->states, x->state, digest);
    while (n-- > 0)
        hook_undo(x->spec, x->state, &x->call[w->stepped[n]], &w->saved[n]);
    return length;
}

/* With complete visibility, the linearized operations and the state determine the future. */
static struct memo_key complete_key(struct weak *w)
{
    uint64_t digest[2];
    visited_digest(&w->states, w->x.state, digest);
    return (struct memo_key){w->x.set.a + digest[0], w->x.set.b + digest[1]};
}

static struct memo_key state_key(struct weak *w)
{
    uint64_t sum[2], own[2];
    if (w->asked.complete)
        return complete_key(w);
    struct set common = common_to_all(w);
    uint32_t from = common_state(w, &common, sum);
    for (uint32_t at = from; at < w->length; at++) { /* per key a sequence, over the keys a sum */
        uint32_t o = w->order[at];
        uint64_t last = 0;
        if (w->observer[o])
            continue;
        for (uint32_t before = at; before-- > from && !last;)
            if (!w->observer[w->order[before]] && w->key[w->order[before]] == w->key[o])
                last = w->order[before] + 1;
        struct keyed pair = keyed_begin();
        keyed_put(&pair, last << 32 | o);
        keyed_end(&pair, own);
        sum[0] += own[0];
        sum[1] += own[1];
    }
    struct keyed row = keyed_begin();
    keyed_put(&row, sum[0]);
    keyed_put(&row, sum[1]);
    set_put(&w->done, &row);
    if (!w->asked.plain)
        set_put(&common, &row);
    for (uint32_t p = 0; p < w->d.paths && !w->asked.plain; p++)
        for (uint32_t length = 1; length < w->d.path[p].n; length++)
            SET_EACH (i, &w->done) {
                struct set rest = *reach_at(w, p, length, i);
                set_less(&rest, &common);
                set_put(&rest, &row);
            }
    keyed_end(&row, own);
    return (struct memo_key){own[0], own[1]};
}

/* ---- the search ---- */

/* An observer that the least set explains can come at once. Later no less is forced upon it, and its early place
 * changes nothing for others. If no axiom uses its visibility, any set that explains it will do. */
bool weak_append_observer(struct weak *w, uint32_t first)
{
    if (w->naive || !w->asked.unmoved)
        return false;
    for (uint32_t l = 0; l < w->x.lanes; l++) {
        uint32_t head = linear_head(&w->x, l);
        if (head == ID_NONE || !w->observer[head] || !linear_ready(&w->x, head, first))
            continue;
        if (w->asked.plain) {
            uint32_t from = w->ways.n;
            w->brief = true;
            weak_minimal_ways(w, head);
            bool found = w->ways.n > from;
            w->ways.n = from;
            if (!found)
                continue;
            struct set sees = w->ways.at[from].sees;
            weak_append(w, head, &sees);
            return true;
        }
        struct set least = weak_forced(w, head);
        if (!weak_explains(w, head, &least))
            continue;
        weak_append(w, head, &least);
        return true;
    }
    return false;
}

static void collect(struct weak *w, uint32_t first)
{
    const struct linear *x = &w->x;
    uint32_t ready[SET_MOST], n = 0;
    for (uint32_t l = 0; l < x->lanes; l++) {
        uint32_t head = linear_head(x, l);
        if (head != ID_NONE && linear_ready(x, head, first))
            ready[n++] = head;
    }
    sort_few_by(ready, n, w->rank);
    for (uint32_t j = 0; j < x->maybe_n; j++) {
        uint32_t i = x->maybe[j];
        bool late = x->c->call && first != ID_NONE && x->starts[i] > x->ends[first];
        if (!x->done[i] && !late && linear_ready(x, i, first))
            ready[n++] = i;
    }
    for (uint32_t i = 0; i < n; i++)
        vec_push(w->job->mem, &w->ready, ready[i]);
}

/* Ways of the next operation that is ready; false: there is none. First they come one after another with few sets,
 * which mostly suffices, and then again with all. */
static bool more_ways(struct weak *w, struct node *node)
{
    if (node->ready_next == w->ready.n) {
        if (node->again || w->hasty || w->naive || w->asked.plain)
            return false;
        node->again = true;
        node->ready_next = node->ready_at;
    }
    w->ways.n = node->next = node->ways_at;
    w->brief = !node->again || w->asked.plain;
    uint32_t o = w->ready.at[node->ready_next++];
    (w->naive ? weak_naive_ways : weak_minimal_ways)(w, o);
    return true;
}

static bool next_way(struct weak *w)
{
    while (w->nodes.n && !weak_spent(w)) {
        struct node *node = &vec_last(&w->nodes);
        weak_cut_back(w, node->length);
        if (node->next == w->ways.n) {
            if (more_ways(w, node))
                continue;
            memo_add(&w->memo, w->job->mem, node->keyed ? node->key : state_key(w));
            w->ways.n = node->ways_at;
            w->ready.n = node->ready_at;
            w->nodes.n--;
            w->job->out->stats.conflicts++;
            continue;
        }
        struct way way = w->ways.at[node->next++];
        weak_append(w, way.i, &way.sees);
        return true;
    }
    return false;
}

static bool gave_up(const struct weak *w)
{
    return (w->most && w->visited > w->most) || weak_spent(w);
}

/* Everything is linearized: is that enough? */
static bool found(struct weak *w)
{
    struct weak_solution s = {w->order, w->length, w->sees->w, WORDS};
    return !w->task->found || w->task->found(w->task->arg, &s);
}

static bool search(struct weak *w)
{
    for (;;) {
        uint32_t first = linear_first_return(&w->x);
        while (first != ID_NONE && weak_append_observer(w, first))
            first = linear_first_return(&w->x);
        if (first == ID_NONE) {
            if (found(w))
                return true;
            if (!next_way(w) || gave_up(w))
                return false;
            continue;
        }
        if (w->culprit == ID_NONE || w->x.ends[first] > w->x.ends[w->culprit])
            w->culprit = first;
        /* before the first failure nothing can be met again */
        struct node node = {.length = w->length,
                            .ready_at = w->ready.n,
                            .ready_next = w->ready.n,
                            .ways_at = w->ways.n,
                            .next = w->ways.n,
                            .keyed = w->memo.n > 0};
        if (node.keyed)
            node.key = state_key(w);
        if (!node.keyed || !memo_has(&w->memo, node.key)) {
            vec_push(w->job->mem, &w->nodes, node);
            collect(w, first);
            w->visited++;
            w->job->out->stats.choices++;
        }
        if (!next_way(w) || gave_up(w))
            return false;
    }
}

/* ---- attempts ---- */

/* Searches from the start until so many states have been visited. */
static bool attempt(struct weak *w, uint32_t most)
{
    weak_cut_back(w, 0);
    w->nodes.n = w->ready.n = w->ways.n = 0;
    w->visited = 0;
    w->most = most;
    return search(w);
}

/* Is it enough to let every operation see all before it? That satisfies every axiom, since po, hb and vis are within
 * lin, and lin is transitive. False: no, or it takes long. */
static bool complete_will_do(struct weak *w)
{
    struct asked asked = w->asked;
    w->asked = (struct asked){.complete = true, .plain = true, .unmoved = true};
    if (attempt(w, MOST_COMPLETE * w->x.n))
        return true;
    weak_cut_back(w, 0);
    memo_clear(&w->memo);
    w->asked = asked;
    return false;
}

/* Is it enough to try the sets that are found first? False: no, or it takes long. */
static bool first_sets_will_do(struct weak *w)
{
    w->hasty = true;
    bool found = attempt(w, MOST_HASTY * w->x.n);
    w->hasty = false;
    if (!found)
        memo_clear(&w->memo);
    return found;
}

/* Few suspects are searched faster than the whole, unless that is easy. */
static bool explain_plain(struct weak *w)
{
    if (!w->task->suspects) {
        if (attempt(w, MOST_PLAIN * w->x.n))
            return true;
        if (!gave_up(w) || weak_spent(w))
            return false;
    }
    w->most = 0;
    enum weak_answer answer = weak_by_suspects(w);
    if (answer == WEAK_YES && found(w))
        return true;
    return answer != WEAK_NO && !weak_spent(w) && attempt(w, 0);
}

/* Is there a linearization with visibility? Fast attempts that are likely to succeed come before the full search. They
 * find one solution; they cannot find all. */
static bool explain_all(struct weak *w)
{
    struct weak_task *t = w->task;
    bool one = !w->naive && !t->all;
    if (w->asked.complete)
        return attempt(w, 0);
    if (one && !t->suspects && !t->incomplete && complete_will_do(w))
        return true;
    t->incomplete = true;
    weak_set_up_visibility(w);
    if (one && !w->asked.plain && first_sets_will_do(w))
        return true;
    w->culprit = ID_NONE;
    return one && w->asked.plain ? explain_plain(w) : attempt(w, 0);
}

bool weak_search(struct weak_task *t)
{
    struct weak w = {.job = t->job,
                     .task = t,
                     .by_return = t->by_return,
                     .naive = t->naive,
                     .culprit = ID_NONE,
                     .since = t->job->budget->ticks};
    weak_set_up(&w);
    bool yes = explain_all(&w);
    t->gave_up = !yes && gave_up(&w);
    t->culprit = w.culprit;
    return yes;
}
