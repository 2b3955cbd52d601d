/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wgl`: a depth-first search for a linearization, of any object and any happens-before.
 *
 * Idea: linearize one ready operation after another whose recorded result the specification confirms, and go back when
 * none is left. These rules keep the tree small.
 * - A ready observer (linear.h) is linearized as soon as it is legal.
 * - Of ready completed operations with the same call and result (twins), only the one that returns first is tried.
 * - No pair of (set linearized, state) is explored twice: a pair that was left in vain goes into a memo. (Along a
 *   branch the set grows, so no pair comes up again before it is left.) One exclusive-or per step keeps the digest of
 *   the set up to date. So an entry of the memo takes 16 bytes for histories of any length (spec/visited.h).
 * - A state of a register is left if an operation needs a value that does not come again (supply.h). A register that
 *   shows a stale value needs no search (stale.h). The same of a counter, and of sums (sums.h).
 * - A bank whose balances have another sum needs none, either (bank_sum.h).
 * - A state of a queue is left if an element that stays for ever is in the way of a removal. Some removals come next
 *   without an alternative (queue_rest.h).
 * - Once the search has been in trouble, it leaves states in which the operation that returns first cannot become legal
 *   any more (reach.h).
 *
 * Twins lose nothing in an interval order. Let a and b be ready twins of the same part, let a return before b, and let
 * L be a linearization that goes on with b. Then a stands later in L. Exchange the two. All predecessors of a are
 * done, so a may come now. Let c be an operation that stands between them in L. It may come after a, since a is ready
 * and c does not precede it. It may come before b: else c was called after the return of b, hence after the return of
 * a, and stood behind a in L. The object sees the same calls with the same results as before. Times that are equal do
 * no harm, since precedence goes by ranks, which are different. The exchange fails for other orders: with recorded
 * knowledge or program order alone, c may have to come after b and not after a. linear.h gives twins the same kind.
 *
 * Order of trials. At first, operations that must return first are tried first. Pending operations, which need not be
 * linearized, are tried last. Pending operations with the same method and arguments are tried in the order of their
 * calls. After many dead ends the search goes back some way and tries another order. Operations that make the operation
 * that returns first legal then come first. In every second such phase, legal operations of methods that are not always
 * legal (a compare-and-swap, but not a write) come before all. The memo stays, so no work is lost. The number of dead
 * ends after which the order changes grows, so the search ends.
 *
 * Invariant: the trail is a legal sequence of the object from its initial state to x.state. Every operation on it comes
 * after all operations that happen before it.
 *
 * Beside the search, all linearizations at once are followed after some dead ends (jit_beside.h). If there is no
 * linearization, culprit.h says where that became certain.
 *
 * One value. Of a register, the search is repeated for one value against all others, after some dead ends
 * (one_value.h).
 *
 * Two values. After some dead ends the calls of each value of a collection are counted (tally.h). Of a stack, a deque
 * or a priority queue, the operations of two values at a time are searched then. They refute most violations
 * (two_values.h). The same of a queue without times, for which they are also the shorter proof.
 *
 * Sources: Wing and Gong 1993; Lowe 2017 for the memo. The rules about twins and about operations that cannot become
 * legal are this project's own. */
#include "search/wgl.h"

#include "base/radix.h"
#include "search/bank_sum.h"
#include "search/culprit.h"
#include "search/jit_beside.h"
#include "search/linear.h"
#include "search/one_value.h"
#include "search/queue_rest.h"
#include "search/reach.h"
#include "search/stale.h"
#include "search/sums.h"
#include "search/tally.h"
#include "search/two_values.h"

#include <string.h>

enum { FIRST_PHASE = 4, SOME_GLANCES = 64, METHODS = 256 };
enum { MOST_OF_FEW = 256 }; /* dead ends of a search for few values */
enum { ONE_AGAIN = 4 };     /* times as many dead ends: one value at a time is asked about again */

struct placed { /* an operation on the trail */
    uint32_t i;
    bool changed;
    assay_saved saved;
};

struct node { /* a state, and the operations that are tried from it */
    uint32_t trail;
    uint32_t options_at, next;
    unsigned choice;        /* the next outcome of that option */
    uint32_t first;         /* the operation that returns first among those not linearized */
    struct memo_key before; /* set linearized before the observers were, in the same state */
};

struct wgl {
    struct linear x;
    struct job *job;
    struct supply supply;
    struct sums sums;
    struct queue_rest rest;
    struct visited dead; /* pairs that were explored in vain */
    VEC(struct placed) trail;
    VEC(struct node) nodes;
    VEC(uint32_t) options;     /* operations that could come next, of all nodes; those of the latest node are last */
    uint32_t *tried;           /* of each lane: the head that was tried in this state */
    uint64_t *met, node_count; /* of each kind: the node at which an option of that kind was met last */
    uint32_t phase;
    uint64_t phase_length, phase_ends; /* dead ends: of the phase, and in all when it ends */
    uint32_t trouble_until;     /* length of the trail with which the search is past the place where it was stuck */
    uint64_t glances, hopeless; /* how often is_hopeless looked, and found that it was so */
    uint64_t sum_glances, sums_lacking; /* the same of lacks_sum */
    bool not_always[METHODS];           /* by method: some call of it was not legal in some state */
    struct culprit culprit;
    struct jit_beside beside;
    /* The same search for one value of a register at a time (one_value.h). */
    struct one_value one;
    uint64_t asks_one;    /* after so many dead ends */
    uint64_t dead_before; /* dead ends before this search began */
    /* And for two values of a collection (two_values.h). */
    uint64_t asks_two; /* it begins after so many dead ends, once */
    uint64_t most;     /* such a search ends after so many dead ends */
};

static void place(struct wgl *w, uint32_t i, bool changed, const assay_saved *saved)
{
    struct placed p = {.i = i, .changed = changed, .saved = *saved};
    vec_push(w->job->mem, &w->trail, p);
    linear_mark(&w->x, i);
    supply_taken(&w->supply, i);
    sums_taken(&w->sums, i);
    rest_taken(&w->rest, i);
}

static void roll_back(struct wgl *w, uint32_t trail)
{
    while (w->trail.n > trail) {
        struct placed *p = &vec_pop(&w->trail);
        linear_unmark(&w->x, p->i);
        supply_given_back(&w->supply, p->i);
        sums_given_back(&w->sums, p->i);
        rest_given_back(&w->rest, p->i);
        if (p->changed)
            linear_undo(&w->x, p->i, &p->saved);
    }
}

/* Linearizes the observer i if it is legal in the current state. */
static bool observe(struct wgl *w, uint32_t i)
{
    struct linear *x = &w->x;
    for (unsigned choice = 0, n = linear_choices(x, i); choice < n; choice++) {
        assay_value answer;
        assay_saved saved;
        if (linear_step(x, i, choice, &answer, &saved) == ASSAY_SAME) {
            place(w, i, false, &saved);
            return true;
        }
    }
    return false;
}

/* Linearizes the legal observers, and collects the other operations that could come next, by lane. False: everything is
 * linearized. */
static bool linearize_observers(struct wgl *w, uint32_t *first)
{
    struct linear *x = &w->x;
    for (uint32_t l = 0; l < x->lanes; l++)
        w->tried[l] = ID_NONE;
    for (bool again = true; again;) {
        again = false;
        *first = linear_first_return(x);
        if (*first == ID_NONE)
            return false;
        for (uint32_t l = 0; l < x->lanes; l++) {
            uint32_t head = linear_head(x, l);
            if (head == ID_NONE || head == w->tried[l] || !linear_ready(x, head, *first))
                continue;
            w->tried[l] = head;
            if (!x->observer[head])
                vec_push(w->job->mem, &w->options, head);
            else if (!sums_block(&w->sums, head) && observe(w, head))
                again = true;
        }
    }
    return true;
}

static void collect_pending(struct wgl *w, uint32_t first)
{
    const struct linear *x = &w->x;
    for (uint32_t j = 0; j < x->maybe_n; j++) {
        uint32_t i = x->maybe[j];
        if (x->c->call && x->starts[i] > x->ends[first])
            break;
        bool twin_waits = x->twin[i] != ID_NONE && !x->done[x->twin[i]];
        if (!x->done[i] && !twin_waits && linear_ready(x, i, first))
            vec_push(w->job->mem, &w->options, i);
    }
}

/* Of options with the same call and result, only the one that returns first stays; they are sorted by return. */
static void drop_twins(struct wgl *w, uint32_t from)
{
    uint32_t kept = from, *at = w->options.at;
    w->node_count++;
    for (uint32_t i = from; i < w->options.n; i++) {
        uint64_t *met = &w->met[w->x.kind[at[i]]];
        if (*met != w->node_count)
            at[kept++] = at[i];
        *met = w->node_count;
    }
    w->options.n = kept;
}

static bool enables(struct wgl *w, uint32_t i, uint32_t first)
{
    struct linear *x = &w->x;
    assay_value answer;
    assay_saved saved;
    if (!linear_choices(x, i) || linear_step(x, i, 0, &answer, &saved) != ASSAY_CHANGED)
        return false;
    bool legal = reach_legal(x, first);
    linear_undo(x, i, &saved);
    return legal;
}

static bool is_tight(struct wgl *w, uint32_t i, uint32_t first)
{
    (void)first;
    return w->not_always[w->x.call[i].method] && reach_legal(&w->x, i);
}

/* If an operation may come next in any case, it is the only option. */
static void keep_forced(struct wgl *w, uint32_t from)
{
    uint32_t forced = rest_forced(&w->rest, w->options.at + from, w->options.n - from);
    if (forced == ID_NONE)
        return;
    w->options.at[from] = forced;
    w->options.n = from + 1;
}

/* Moves the options of which the predicate holds to the front. */
static void prefer(struct wgl *w, uint32_t from, uint32_t first, bool (*holds)(struct wgl *, uint32_t, uint32_t))
{
    uint32_t *at = w->options.at, front = from;
    for (uint32_t i = from; i < w->options.n; i++)
        if (holds(w, at[i], first)) {
            uint32_t moved = at[i];
            memmove(at + front + 1, at + front, (i - front) * sizeof *at);
            at[front++] = moved;
        }
}

/* In an interval order, all operations that can come before the return of `first` are options already, one of each
 * kind. In other orders, further ones may become ready meanwhile. */
static bool is_hopeless(struct wgl *w, uint32_t from, uint32_t first)
{
    struct linear *x = &w->x;
    bool pays = w->glances < SOME_GLANCES || w->hopeless >= w->glances / SOME_GLANCES;
    if (x->c->order != CALLS_INTERVALS || !pays)
        return false;
    bool hopeless = !reach_goal(x, first, w->options.at + from, w->options.n - from);
    w->glances++;
    w->hopeless += hopeless;
    return hopeless;
}

/* Is the sum that some operation needs out of reach? It is asked as long as that is so now and then: it costs much. */
static bool lacks_sum(struct wgl *w)
{
    enum { RARELY = 64, FIRST_GLANCES = 16 };
    if (!w->sums.x || (w->sum_glances >= FIRST_GLANCES && w->sums_lacking < w->sum_glances / RARELY))
        return false;
    bool found = culprit_lacks(&w->culprit, &w->x, sums_lack(&w->sums));
    w->sum_glances++;
    w->sums_lacking += found;
    return found;
}

/* The aids of a search in trouble: no options at all, or the options in another order. */
static void arrange(struct wgl *w, uint32_t from, uint32_t first)
{
    bool legal = reach_legal(&w->x, first);
    if (lacks_sum(w)) {
        w->options.n = from;
        return;
    }
    if (!legal && is_hopeless(w, from, first)) {
        w->options.n = from;
        return;
    }
    if (!legal)
        prefer(w, from, first, enables);
    if (w->phase % 2)
        prefer(w, from, first, is_tight);
}

/* Takes the next legal outcome of the node's options. Outcomes of pending operations that would change nothing are left
 * out. False: there is none. */
static bool take_option(struct wgl *w, struct node *node)
{
    struct linear *x = &w->x;
    while (node->next < w->options.n) {
        uint32_t i = w->options.at[node->next];
        if (node->choice == linear_choices(x, i)) {
            node->choice = 0;
            node->next++;
            continue;
        }
        unsigned choice = node->choice++;
        assay_value answer;
        assay_saved saved;
        budget_tick(w->job->budget);
        assay_effect effect = sums_block(&w->sums, i) ? ASSAY_BLOCKED : linear_step(x, i, choice, &answer, &saved);
        w->not_always[x->call[i].method] |= effect == ASSAY_BLOCKED;
        if (effect == ASSAY_BLOCKED || (effect == ASSAY_SAME && x->lane_of[i] == ID_NONE))
            continue;
        place(w, i, effect == ASSAY_CHANGED, &saved);
        return true;
    }
    return false;
}

/* No linearization leads on from here, nor from the same state with fewer observers linearized: both pairs are dead. */
static void bury(struct wgl *w, struct memo_key before)
{
    struct memo_key now = linear_set(&w->x);
    visited_add(&w->dead, now, w->x.state);
    if (before.a != now.a || before.b != now.b)
        visited_add(&w->dead, before, w->x.state);
}

static bool is_dead(const struct wgl *w)
{
    return visited_has(&w->dead, linear_set(&w->x), w->x.state);
}

/* Leaves the latest node, where the search is: all its options have failed. */
static void leave_node(struct wgl *w)
{
    struct node *node = &vec_pop(&w->nodes);
    culprit_stuck(&w->culprit, &w->x, node->first, w->job->mem);
    bury(w, node->before);
    w->options.n = node->options_at;
    w->job->out->stats.conflicts++;
}

/* Goes on from the latest node that has an option left. False: there is none. */
static bool next_option(struct wgl *w)
{
    while (w->nodes.n) {
        struct node *node = &vec_last(&w->nodes);
        roll_back(w, node->trail);
        if (!take_option(w, node))
            leave_node(w);
        else if (!culprit_lacks(&w->culprit, &w->x, supply_lacks(&w->supply)) &&
                 !culprit_lacks(&w->culprit, &w->x, sums_passed(&w->sums)) && !is_dead(w) && !rest_is_dead(&w->rest))
            return true;
    }
    return false;
}

static void begin_phases(struct wgl *w)
{
    w->phase = 0;
    w->phase_length = FIRST_PHASE;
    w->phase_ends = w->job->out->stats.conflicts + FIRST_PHASE;
}

/* After many dead ends, leaves the last nodes without a judgement, to try their options in another order. The trail is
 * then that of the last node that was left. */
static void change_order(struct wgl *w)
{
    uint64_t dead_ends = w->job->out->stats.conflicts;
    if (w->phase && w->trail.n > w->trouble_until)
        begin_phases(w);
    if (dead_ends < w->phase_ends)
        return;
    w->phase++;
    w->phase_length += w->phase_length / 2;
    w->phase_ends = dead_ends + w->phase_length;
    uint32_t back = 2 * w->x.lanes;
    if (w->trail.n + back > w->trouble_until)
        w->trouble_until = w->trail.n + back;
    w->nodes.n = w->nodes.n > back ? w->nodes.n - back : 0;
    const struct node *left = &w->nodes.at[w->nodes.n];
    roll_back(w, left->trail);
    w->options.n = left->options_at;
}

uint64_t wgl_patience = 64, wgl_few_patience = 256;

enum outcome { FOUND, NONE, DECIDED, GAVE_UP };

static bool one_value_decides(struct wgl *w);
static bool two_values_decide(struct wgl *w);

static enum outcome search(struct wgl *w)
{
    while (jit_beside_ask(&w->beside, w->job)) {
        if (w->job->out->stats.conflicts >= w->most)
            return GAVE_UP;
        if (w->job->out->stats.conflicts >= w->asks_one && one_value_decides(w))
            return DECIDED;
        if (w->job->out->stats.conflicts >= w->asks_two && two_values_decide(w))
            return DECIDED;
        uint32_t options_at = w->options.n, trail = w->trail.n;
        struct node node = {.before = linear_set(&w->x), .options_at = options_at, .next = options_at};
        if (!linearize_observers(w, &node.first))
            return FOUND;
        if (w->trail.n > trail && is_dead(w)) {
            bury(w, node.before);
            w->options.n = options_at;
        } else {
            sort_few_by(w->options.at + options_at, w->options.n - options_at, w->x.ends); /* the first return first */
            drop_twins(w, options_at);
            keep_forced(w, options_at);
            collect_pending(w, node.first);
            if (w->phase)
                arrange(w, options_at, node.first);
            node.trail = w->trail.n;
            vec_push(w->job->mem, &w->nodes, node);
            w->job->out->stats.choices++;
        }
        if (!next_option(w))
            return NONE;
        change_order(w);
    }
    return DECIDED;
}

static void witness(struct wgl *w)
{
    struct evidence *ev = &w->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < w->trail.n; i++)
        evidence_place(ev, w->x.part->ops[w->trail.at[i].i]);
}

static void begin(struct wgl *w, struct job *job)
{
    uint64_t dead_ends = job->out->stats.conflicts;
    *w = (struct wgl){.job = job, .culprit = {ID_NONE, ID_NONE}, .most = UINT64_MAX};
    linear_init(&w->x, job);
    linear_find_kinds(&w->x);
    supply_begin(&w->supply, &w->x, job);
    sums_begin(&w->sums, &w->x, job);
    rest_begin(&w->rest, &w->x, job);
    w->dead = visited_in(job->mem, w->x.spec);
    w->tried = mem_new(job->mem, uint32_t, w->x.lanes + 1);
    w->met = mem_new_zero(job->mem, uint64_t, w->x.n + 1);
    jit_beside_begin(&w->beside, job, &w->x, w->sums.pinned);
    w->asks_one = w->asks_two = dead_ends + wgl_few_patience;
    w->dead_before = dead_ends;
    begin_phases(w);
}

/* The same search of a simpler part, with so many dead ends at most. They are not counted as dead ends of this search,
 * which goes by their number. */
static bool is_refuted(struct wgl *of_few, struct job *job, uint64_t dead_ends)
{
    uint64_t *count = &job->out->stats.conflicts, before = *count;
    begin(of_few, job);
    of_few->beside.gave_up = true;
    of_few->asks_one = of_few->asks_two = UINT64_MAX;
    of_few->most = before + dead_ends;
    bool refuted = search(of_few) == NONE;
    *count = before;
    if (refuted)
        culprit_refute(&of_few->culprit, &of_few->x, job);
    return refuted;
}

/* Searches the registers of two values for the few values that were lacked most often. True: one of them has no
 * linearization, which has been reported. */
static bool one_value_decides(struct wgl *w)
{
    uint64_t dead_ends = w->job->out->stats.conflicts - w->dead_before;
    uint32_t last = culprit_last(&w->culprit, &w->x);
    w->asks_one = w->dead_before + ONE_AGAIN * dead_ends;
    uint32_t until = last == ID_NONE ? CALLS_NEVER - 1 : w->x.ends[last];
    if (!one_value_begin(&w->one, &w->supply, w->job, until))
        return false;
    job_tries(w->job, "one value at a time");
    struct job job = *w->job;
    job.calls = &w->one.calls;
    job.part = &w->one.part;
    while (one_value_next(&w->one)) {
        struct wgl of_one;
        if (!is_refuted(&of_one, &job, MOST_OF_FEW + dead_ends))
            continue;
        one_value_report(&w->one, &job.out->evidence);
        return true;
    }
    return false;
}

/* Searches the operations of each two values for a while. True: two of them have no linearization, which has been
 * reported. */
static bool two_values_decide(struct wgl *w)
{
    struct two_values two;
    w->asks_two = UINT64_MAX;
    if (tally_explains(w->job))
        return true;
    if (!two_values_begin(&two, w->job))
        return false;
    job_tries(w->job, "two values at a time");
    struct job job = *w->job;
    job.part = &two.part;
    while (two_values_next(&two)) {
        struct wgl of_two;
        if (!is_refuted(&of_two, &job, MOST_OF_FEW))
            continue;
        for (uint32_t i = 0; i < two.part.n; i++)
            evidence_keep(&job.out->evidence, two.part.ops[i]);
        return true;
    }
    return false;
}

static void run_wgl(struct job *job)
{
    struct wgl w;
    begin(&w, job);
    if (stale_refutes(&w.supply, job) || sums_refute(&w.sums, job) || bank_sum_refutes(&w.x, job))
        return;
    job_tries(job, "a search for a linearization");
    enum outcome outcome = search(&w);
    if (outcome == NONE && !(w.rest.x && two_values_decide(&w))) /* without times all of it would be the proof */
        culprit_refute(&w.culprit, &w.x, job);
    else if (outcome == FOUND && job->witness)
        witness(&w);
}

static const char *declines(const struct job *job)
{
    const struct calls *c = job->calls;
    const struct part *parts = job->part->object ? job->part : c->parts;
    for (uint32_t p = 0; p < (job->part->object ? 1 : c->part_n); p++)
        if (!parts[p].object->spec->create)
            return "the object has no sequential states";
    return NULL;
}

const struct engine engine_wgl = {
    .name = "wgl",
    .title = "depth-first search for a linearization",
    .conditions = COND_LIN | COND_SC_OBJECT,
    .whole = true,
    .declines = declines,
    .run = run_wgl,
};
