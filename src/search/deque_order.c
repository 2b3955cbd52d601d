/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `deque`: deques whose values are distinct. It asks which of two overlapping operations comes first, for
 * all pairs at once, and learns from contradictions (clauses.h). A search along time finds out about two pushes in the
 * wrong order only when their values are popped. By then it has taken many other decisions.
 *
 * Idea. A value b lies on the side e (front or back) of a value a in two cases. Either b was pushed after a at the end
 * e, or a was pushed after b at the other end. Let o be a pop or peek at the end e that returned a, let p be pushes
 * and r pops. In a sequence of calls, o is right iff p(a) comes before o, o is r(a) or comes before r(a), and for each
 * other value b
 *     if b was pushed at e:              p(a) < p(b) and p(b) < o   imply   r(b) < o,
 *     if a was pushed at the other end:  p(b) < p(a)                implies r(b) < o.
 * An operation o that found the deque empty is right iff p(b) < o implies r(b) < o for each b. A value that was
 * never popped has a pop that never comes. So an order is a linearization iff it satisfies these clauses. The order
 * of operations that do not overlap is known. Each pair of overlapping operations is a variable. Three operations of
 * which at least two pairs overlap must not form a circle. Values enter only if they may be there at o.
 *
 * Times are those of collection_calls.h, tuned. Pending pops are left out, which suffices for a linearization. A
 * refutation that rests on values that were never popped is declined if there are pending pops.
 *
 * Refutation. Some values with all their pushes and pops, some peeks and some operations that found nothing have no
 * order either. This part is made small. First the time is cut short on both sides, then ever smaller shares are left
 * out. Initial values stay.
 *
 * Cost. The number of clauses is about n c (c + s), for n operations of which c overlap and s values in the deque. The
 * question is a satisfiability problem, and mostly unit propagation answers it. The engine declines where there are
 * too many triples. The idea is this project's own. */
#include "base/hash.h"
#include "base/radix.h"
#include "search/clauses.h"
#include "search/collection_calls.h"
#include "search/plain_part.h"

#include <stdlib.h>

enum { MOST_PAIRS = 1 << 22, MOST_TRIPLES = 1 << 24, MOST_SHRINKS = 400 };

/* Literals that are known. */
#define YES UINT32_MAX
#define NO (UINT32_MAX - 1)

struct node {          /* an operation in the order */
    uint32_t from, to; /* positions, tuned */
    uint32_t place;    /* in the part; ID_NONE: an initial value is pushed */
};

struct list {
    uint32_t *at;
    uint32_t n, cap;
};

struct question { /* about the items that are in it */
    struct mem *m;
    VEC(struct node) nodes;
    uint32_t *push, *pop;  /* nodes, of each value; ID_NONE: it is not in it, or was never popped */
    uint32_t *other;       /* nodes of peeks and of operations that found nothing, by place */
    struct list *overlaps; /* of each node: later nodes that overlap it, by call */
    struct idmap pair;     /* two nodes -> a variable */
    uint32_t pairs;
    uint64_t triples;
    struct clauses *clauses;
};

/* A value, a peek, or an operation that found nothing: a part of the question that can be left out. */
struct item {
    uint32_t from;  /* position of its first call */
    uint32_t value; /* ID_NONE: found nothing */
    uint32_t place; /* of the peek or of the operation that found nothing; ID_NONE: a value */
};

struct deque {
    struct job *job;
    struct collection c;
    struct item *items; /* by their first calls; those of initial values come first */
    uint32_t item_n;
    bool *in; /* of each item: is it part of the question? */
    bool *value_in;
    struct question q;
};

static bool at_back(const struct deque *d, uint32_t place)
{
    return place == ID_NONE || calls_method(d->job->calls, collection_op(&d->c, place)) % 2; /* initial values: back */
}

/* ---- nodes and pairs ---- */

static uint32_t add_node(struct question *q, uint32_t from, uint32_t to, uint32_t place)
{
    struct node node = {from, to, place};
    vec_push(q->m, &q->nodes, node);
    return q->nodes.n - 1;
}

static void add_item(struct deque *d, const struct item *item)
{
    const struct collection *c = &d->c;
    struct question *q = &d->q;
    const struct life *life = item->value == ID_NONE ? NULL : &c->life[item->value];
    if (item->place == ID_NONE) {
        q->push[item->value] = add_node(q, life->add_call, life->add_return, life->add);
        if (life->remove != ID_NONE)
            q->pop[item->value] = add_node(q, life->remove_call, life->remove_return, life->remove);
        return;
    }
    uint32_t from = c->call[item->place], to = c->ret[item->place];
    if (life && from < life->add_call)
        from = life->add_call;
    if (life && to > life->remove_return)
        to = life->remove_return;
    q->other[item->place] = add_node(q, from, to, item->place);
}

/* Nodes by their first positions. */
static uint32_t *nodes_by_call(const struct question *q)
{
    uint64_t *sorted = mem_new(q->m, uint64_t, q->nodes.n + 1);
    uint32_t *order = mem_new(q->m, uint32_t, q->nodes.n + 1);
    for (uint32_t x = 0; x < q->nodes.n; x++)
        sorted[x] = (uint64_t)q->nodes.at[x].from << 32 | x;
    radix_sort(sorted, q->nodes.n, q->m);
    for (uint32_t i = 0; i < q->nodes.n; i++)
        order[i] = (uint32_t)sorted[i];
    mem_free(q->m, sorted);
    return order;
}

static uint64_t pair_key(uint32_t x, uint32_t y)
{
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

/* Finds the pairs that overlap. False: there are too many. */
static bool find_pairs(struct question *q)
{
    uint32_t *order = nodes_by_call(q);
    struct list open = {0};
    q->overlaps = mem_new_zero(q->m, struct list, q->nodes.n + 1);
    for (uint32_t i = 0; i < q->nodes.n && q->pairs < MOST_PAIRS; i++) {
        uint32_t x = order[i], kept = 0;
        for (uint32_t k = 0; k < open.n; k++) {
            uint32_t y = open.at[k];
            if (q->nodes.at[y].to < q->nodes.at[x].from)
                continue;
            open.at[kept++] = y;
            *idmap_at(q->m, &q->pair, pair_key(x, y)) = q->pairs++;
            vec_push(q->m, &q->overlaps[x], y);
            vec_push(q->m, &q->overlaps[y], x);
        }
        open.n = kept;
        vec_push(q->m, &open, x);
    }
    for (uint32_t x = 0; x < q->nodes.n; x++)
        q->triples += (uint64_t)q->overlaps[x].n * q->overlaps[x].n;
    vec_free(q->m, &open);
    mem_free(q->m, order);
    return q->pairs < MOST_PAIRS && q->triples < MOST_TRIPLES;
}

/* x comes before y. */
static uint32_t before(const struct question *q, uint32_t x, uint32_t y)
{
    if (q->nodes.at[x].to < q->nodes.at[y].from)
        return YES;
    if (q->nodes.at[y].to < q->nodes.at[x].from)
        return NO;
    return 2 * idmap_get(&q->pair, pair_key(x, y)) + (x > y);
}

static uint32_t not(uint32_t literal)
{
    return literal == YES ? NO : literal == NO ? YES : clauses_not(literal);
}

/* ---- clauses ---- */

static void add_clause(struct question *q, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t all[] = {a, b, c};
    uint32_t open[3], n = 0;
    for (uint32_t i = 0; i < 3; i++) {
        if (all[i] == YES)
            return;
        if (all[i] != NO)
            open[n++] = all[i];
    }
    clauses_add(q->clauses, open, n);
}

/* Neither y < z < x < y nor the other way round; y and z overlap x. */
static void forbid_circles(struct question *q, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t yz = before(q, y, z), xy = before(q, x, y), xz = before(q, x, z);
    bool known = yz == YES || yz == NO;
    if (!known && (x > y || x > z))
        return; /* it comes up again, with the least of the three as x */
    add_clause(q, not(yz), xz, not(xy));
    add_clause(q, yz, xy, not(xz));
}

static void order_totally(struct deque *d)
{
    struct question *q = &d->q;
    for (uint32_t x = 0; x < q->nodes.n; x++)
        for (uint32_t i = 0; i < q->overlaps[x].n; i++) {
            budget_tick(d->job->budget);
            for (uint32_t k = 0; k < i; k++)
                forbid_circles(q, x, q->overlaps[x].at[i], q->overlaps[x].at[k]);
        }
}

/* The value was popped before o. */
static uint32_t gone(const struct question *q, uint32_t value, uint32_t o)
{
    return q->pop[value] == ID_NONE ? NO : q->pop[value] == o ? NO : before(q, q->pop[value], o);
}

/* The clauses about o, which returned a, and another value b. */
static void relate(struct deque *d, uint32_t o, uint32_t a, uint32_t b)
{
    struct question *q = &d->q;
    bool end = at_back(d, q->nodes.at[o].place);
    uint32_t pa = q->push[a], pb = q->push[b];
    if (at_back(d, d->c.life[b].add) == end)
        add_clause(q, not(before(q, pa, pb)), not(before(q, pb, o)), gone(q, b, o));
    if (at_back(d, d->c.life[a].add) != end)
        add_clause(q, not(before(q, pb, pa)), gone(q, b, o), NO);
}

/* o returned the value, or found nothing. `near` are the values that may be there. */
static void constrain(struct deque *d, uint32_t o, uint32_t value, const struct list *near)
{
    struct question *q = &d->q;
    if (value != ID_NONE) {
        add_clause(q, before(q, q->push[value], o), NO, NO);
        if (q->pop[value] != ID_NONE && q->pop[value] != o)
            add_clause(q, before(q, o, q->pop[value]), NO, NO);
    }
    for (uint32_t i = 0; i < near->n; i++) {
        uint32_t b = near->at[i];
        budget_tick(d->job->budget);
        if (value == ID_NONE)
            add_clause(q, not(before(q, q->push[b], o)), gone(q, b, o), NO);
        else if (b != value)
            relate(d, o, value, b);
    }
}

static bool is_push(const struct deque *d, uint32_t node)
{
    uint32_t place = d->q.nodes.at[node].place;
    return place == ID_NONE || collection_role(&d->c, place) == COLLECTION_ADD;
}

/* Goes through the operations that return something, by call, with the values that may be there then. */
static void constrain_all(struct deque *d)
{
    struct question *q = &d->q;
    const struct collection *c = &d->c;
    uint32_t *order = nodes_by_call(q), next = 0;
    struct list near = {0};
    for (uint32_t i = 0; i < q->nodes.n; i++) {
        uint32_t o = order[i], kept = 0;
        if (is_push(d, o))
            continue;
        for (; next < c->n && c->life[next].add_call < q->nodes.at[o].to; next++)
            if (d->value_in[next])
                vec_push(q->m, &near, next);
        for (uint32_t k = 0; k < near.n; k++)
            if (c->life[near.at[k]].remove_return > q->nodes.at[o].from)
                near.at[kept++] = near.at[k];
        near.n = kept;
        constrain(d, o, c->value[q->nodes.at[o].place], &near);
    }
    vec_free(q->m, &near);
    mem_free(q->m, order);
}

/* Where nothing speaks against it, the operation that returns first comes first. */
static void prefer_returns(struct question *q)
{
    for (uint32_t x = 0; x < q->nodes.n; x++)
        for (uint32_t i = 0; i < q->overlaps[x].n; i++) {
            uint32_t y = q->overlaps[x].at[i];
            if (q->nodes.at[x].to < q->nodes.at[y].to)
                clauses_prefer(q->clauses, before(q, x, y));
        }
}

/* ---- asking ---- */

static void forget(struct question *q)
{
    for (uint32_t x = 0; q->overlaps && x < q->nodes.n; x++)
        vec_free(q->m, &q->overlaps[x]);
    mem_free(q->m, q->overlaps);
    idmap_free(q->m, &q->pair);
    if (q->clauses)
        clauses_free(q->clauses);
    vec_clear(&q->nodes);
    q->overlaps = NULL;
    q->clauses = NULL;
    q->pair = (struct idmap){0};
    q->pairs = 0;
    q->triples = 0;
}

enum answer { ORDER, NO_ORDER, TOO_MANY };

/* Is there an order of the items that are in the question? */
static enum answer ask(struct deque *d)
{
    struct question *q = &d->q;
    forget(q);
    for (uint32_t v = 0; v < d->c.n; v++) {
        q->push[v] = q->pop[v] = ID_NONE;
        d->value_in[v] = false;
    }
    for (uint32_t i = 0; i < d->item_n; i++)
        if (d->items[i].place == ID_NONE)
            d->value_in[d->items[i].value] = d->in[i];
    for (uint32_t i = 0; i < d->item_n; i++)
        if (d->in[i] && (d->items[i].value == ID_NONE || d->value_in[d->items[i].value]))
            add_item(d, &d->items[i]);
    if (!find_pairs(q))
        return TOO_MANY;
    q->clauses = clauses_new(q->m, d->job->budget, q->pairs);
    prefer_returns(q);
    order_totally(d);
    constrain_all(d);
    return clauses_solve(q->clauses) ? ORDER : NO_ORDER;
}

/* ---- a small refutation ---- */

static void take_range(struct deque *d, const bool *all, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < d->item_n; i++)
        d->in[i] = all[i] && ((i >= from && i < to) || i < d->c.initials);
}

/* Cuts the time short: the items in from .. to - 1 have no order, and one fewer on either side would have. */
static void cut_time(struct deque *d, const bool *all)
{
    uint32_t from = 0, to = d->item_n;
    for (uint32_t low = 0, high = to; low < high;) { /* the least `to` */
        uint32_t middle = low + (high - low) / 2;
        take_range(d, all, 0, middle);
        if (ask(d) == NO_ORDER)
            to = high = middle;
        else
            low = middle + 1;
    }
    for (uint32_t low = 0, high = to; low < high;) { /* the greatest `from` */
        uint32_t middle = low + (high - low + 1) / 2;
        take_range(d, all, middle, to);
        if (ask(d) == NO_ORDER)
            from = low = middle;
        else
            high = middle - 1;
    }
    take_range(d, all, from, to);
}

/* Leaves out ever smaller shares of the items. */
static void leave_out(struct deque *d)
{
    struct list left = {0};
    uint32_t asked = 0;
    for (uint32_t i = d->c.initials; i < d->item_n; i++)
        if (d->in[i])
            vec_push(d->q.m, &left, i);
    for (uint32_t share = left.n; share; share /= 2)
        for (uint32_t from = 0; from < left.n && asked < MOST_SHRINKS; asked++) {
            uint32_t to = left.n - from < share ? left.n : from + share, kept = from;
            for (uint32_t i = from; i < to; i++)
                d->in[left.at[i]] = false;
            if (ask(d) == NO_ORDER) {
                for (uint32_t i = to; i < left.n; i++)
                    left.at[kept++] = left.at[i];
                left.n = kept;
                continue;
            }
            for (uint32_t i = from; i < to; i++)
                d->in[left.at[i]] = true;
            from = to;
        }
    vec_free(d->q.m, &left);
}

static uint32_t last_return(const struct deque *d)
{
    const struct collection *c = &d->c;
    uint32_t last = ID_NONE;
    for (uint32_t i = 0; i < c->part->n; i++) {
        bool in = (c->value[i] != ID_NONE && c->chosen[c->value[i]]) || c->also[i];
        if (in && c->ret[i] != CALLS_NEVER && (last == ID_NONE || c->ret[i] > c->ret[last]))
            last = i;
    }
    return last;
}

static void refute(struct deque *d)
{
    struct collection *c = &d->c;
    bool *all = mem_new(d->q.m, bool, d->item_n + 1);
    for (uint32_t i = 0; i < d->item_n; i++)
        all[i] = d->in[i];
    cut_time(d, all);
    leave_out(d);
    c->also = mem_new_zero(d->q.m, bool, c->part->n + 1);
    for (uint32_t i = 0; i < d->item_n; i++) {
        const struct item *item = &d->items[i];
        if (d->in[i] && item->place == ID_NONE)
            c->chosen[item->value] = true;
        else if (d->in[i])
            c->also[item->place] = true;
    }
    collection_refute(c, PATTERN_NoLinearization, last_return(d));
}

/* ---- a linearization ---- */

static bool comes_before(const struct question *q, uint32_t x, uint32_t y)
{
    uint32_t literal = before(q, x, y);
    if (literal == YES || literal == NO)
        return literal == YES;
    return clauses_value(q->clauses, literal / 2) != (literal & 1);
}

/* The order is total and close to that of the calls, so insertion sort serves. */
static void witness(struct deque *d)
{
    const struct question *q = &d->q;
    uint32_t *order = nodes_by_call(q);
    for (uint32_t i = 1; i < q->nodes.n; i++) {
        uint32_t x = order[i], k = i;
        for (; k && comes_before(q, x, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = x;
    }
    evidence_begin_order(&d->job->out->evidence, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < q->nodes.n; i++)
        if (q->nodes.at[order[i]].place != ID_NONE)
            evidence_place(&d->job->out->evidence, collection_op(&d->c, q->nodes.at[order[i]].place));
}

/* ---- the engine ---- */

static int by_call(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->place < b->place ? 1 : a->place > b->place ? -1 : 0;
}

static void gather_items(struct deque *d)
{
    const struct collection *c = &d->c;
    d->items = mem_new(d->q.m, struct item, (size_t)c->n + c->part->n + 1);
    for (uint32_t v = 0; v < c->n; v++)
        d->items[d->item_n++] = (struct item){c->life[v].add_call, v, ID_NONE};
    for (uint32_t i = 0; i < c->part->n; i++)
        if (c->value[i] != ID_NONE && collection_role(c, i) == COLLECTION_PEEK)
            d->items[d->item_n++] = (struct item){c->call[i], c->value[i], i};
    for (uint32_t i = 0; i < c->empty_n; i++)
        d->items[d->item_n++] = (struct item){c->call[c->empty[i]], ID_NONE, c->empty[i]};
    qsort(d->items + c->initials, d->item_n - c->initials, sizeof *d->items, by_call);
    d->in = mem_new(d->q.m, bool, d->item_n + 1);
    d->value_in = mem_new(d->q.m, bool, c->n + 1);
    d->q.push = mem_new(d->q.m, uint32_t, c->n + 1);
    d->q.pop = mem_new(d->q.m, uint32_t, c->n + 1);
    d->q.other = mem_new(d->q.m, uint32_t, c->part->n + 1);
    for (uint32_t i = 0; i < d->item_n; i++)
        d->in[i] = true;
}

static void run(struct job *job)
{
    struct deque d = {.job = job, .q = {.m = job->mem}};
    if (!collection_read(&d.c, job) || !collection_check_empty(&d.c))
        return;
    gather_items(&d);
    enum answer answer = ask(&d);
    if (answer == TOO_MANY)
        job->declined = "too many operations overlap";
    else if (answer == NO_ORDER)
        refute(&d);
    else if (job->witness)
        witness(&d);
}

static const char *declines(const struct job *job)
{
    return collection_declines(job, "deque");
}

const struct engine engine_deque = {
    .name = "deque",
    .title = "deques with distinct values, by clause learning",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
