/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/repair.h"

#include "memory/across.h"
#include "memory/readers.h"

enum {
    EFFORT = 2, /* per event and lane: saturation costs more */
    LEAST_EFFORT = 10000,
    FAR = 16 /* readers that are so far ahead in their lane cannot follow at once */
};

#define ASSUMED ID_NONE /* in the log: a pair is assumed from here on */

static bool gives_up(const struct repair *r)
{
    return r->effort > r->most_effort;
}

static uint32_t source_of(const struct repair *r, uint32_t a)
{
    return r->v->src[a] == RW_INIT ? r->v->a + r->v->var[a] : r->v->src[a];
}

static bool is_initial(const struct repair *r, uint32_t write)
{
    return write >= r->v->a;
}

static uint32_t next_of_lane(const struct repair *r, uint32_t lane)
{
    uint32_t at = r->chains.start[lane] + r->lane[lane].done;
    return at < r->chains.start[lane + 1] ? r->chains.list[at] : ID_NONE;
}

/* ---- orders ---- */

static void add_order(struct repair *r, struct repair_order order)
{
    uint32_t number = r->orders.n, i = r->scoped.n;
    order.next = r->orders_of[order.write];
    r->orders_of[order.write] = number;
    vec_push(r->m, &r->orders, order);
    if (!order.depth)
        return;
    vec_push(r->m, &r->scoped, number);
    for (; i && r->orders.at[r->scoped.at[i - 1]].depth > order.depth; i--)
        r->scoped.at[i] = r->scoped.at[i - 1];
    r->scoped.at[i] = number;
}

static void drop_order(struct repair *r, uint32_t number)
{
    uint32_t *link = &r->orders_of[r->orders.at[number].write];
    while (*link != number)
        link = &r->orders.at[*link].next;
    *link = r->orders.at[number].next;
}

/* Has one of the assumed pairs been executed the other way round? */
static bool is_void(const struct repair *r, const struct repair_order *order)
{
    for (uint32_t i = order->count - order->assumed; i < order->count; i++) {
        const struct repair_pair *pair = &r->reasons.at[order->why + i];
        if (r->when[pair->late] < r->when[pair->early])
            return true;
    }
    return false;
}

/* The declared final values: all other writes of the variable come before the last one. */
static void order_final(struct repair *r)
{
    const struct rw *v = r->v;
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++) {
        uint32_t last = rw_before_final(v, g);
        if (last != ID_NONE)
            add_order(r, (struct repair_order){.first = last, .write = v->final[v->var[last]]});
    }
}

/* ---- waiting ---- */

static void wake_all(struct repair *r)
{
    r->ready_count = 0;
    for (uint32_t l = r->chains.count; l-- > 0;) {
        r->lane[l].asleep = false;
        r->lane[l].waiters = r->lane[l].wake = ID_NONE;
        r->ready[r->ready_count++] = l;
    }
    r->effort += r->chains.count;
}

static void fall_asleep(struct repair *r, uint32_t lane)
{
    struct repair_lane *l = &r->lane[lane], *other = &r->lane[r->chains.of[l->awaited]];
    uint32_t position = r->chains.at[l->awaited];
    l->asleep = true;
    l->next_waiter = other->waiters;
    other->waiters = lane;
    if (position < other->wake)
        other->wake = position;
    if (l->why == REPAIR_CHOICE && !l->listed) {
        l->listed = true;
        vec_push(r->m, &r->undecided, lane);
    }
}

static void wake(struct repair *r, uint32_t *link)
{
    uint32_t lane = *link;
    *link = r->lane[lane].next_waiter;
    r->lane[lane].asleep = false;
    r->ready[r->ready_count++] = lane;
}

/* The lane has passed the position that another lane waits for. */
static void wake_waiters(struct repair *r, uint32_t lane)
{
    struct repair_lane *l = &r->lane[lane];
    uint32_t first = ID_NONE, *link = &l->waiters;
    while (*link != ID_NONE) {
        struct repair_lane *waiter = &r->lane[*link];
        uint32_t position = r->chains.at[waiter->awaited];
        if (position < l->done) {
            wake(r, link);
        } else {
            first = position < first ? position : first;
            link = &waiter->next_waiter;
        }
    }
    l->wake = first;
}

/* ---- the waits of an event ---- */

static enum repair_wait wait_for(struct repair_lane *l, enum repair_wait why, uint32_t event)
{
    l->why = why;
    l->awaited = event;
    return why;
}

static enum repair_wait wait_for_pair(const struct repair *r, struct repair_lane *l, uint32_t event, uint32_t early,
                                      uint32_t late)
{
    l->pair = (struct repair_pair){early, late, r->when[early]};
    return wait_for(l, REPAIR_PAIR, event);
}

/* For the source of the read a, which is not current. If that is the initial value, it never will be: the event waits
 * for itself. */
static enum repair_wait wait_for_source(const struct repair *r, struct repair_lane *l, uint32_t a)
{
    uint32_t source = source_of(r, a);
    return wait_for(l, REPAIR_FIXED, rw_event(r->v, is_initial(r, source) ? a : source));
}

static enum repair_wait wait_of_read(const struct repair *r, struct repair_lane *l, uint32_t a)
{
    uint32_t source = source_of(r, a), own = r->own ? r->own[a] : ID_NONE;
    if (own == ID_NONE || repair_executed(r, own))
        return r->current[r->v->var[a]] == source ? REPAIR_FREE : wait_for_source(r, l, a);
    if (own == source)
        return REPAIR_FREE;
    if (is_initial(r, source) || !repair_executed(r, source))
        return wait_for_source(r, l, a);
    return wait_for_pair(r, l, own, source, own);
}

static uint32_t blocker(const struct repair *r, uint32_t e)
{
    return r->rule.blocker ? r->rule.blocker(r->rule.arg, e) : ID_NONE;
}

/* Does the rule ask for more than e before o? */
static bool blocked(const struct repair *r, uint32_t o, uint32_t e)
{
    uint32_t first = blocker(r, o);
    return first != ID_NONE && first != e;
}

/* Does the event o write, or read a value that is not current, other than of e? */
static bool is_in_the_way(const struct repair *r, uint32_t o, uint32_t e)
{
    const struct rw *v = r->v;
    if (v->does[o] & RW_WRITES)
        return true;
    for (uint32_t a = rw_from(v, o), end = rw_to(v, o); a < end; a++)
        if (v->kind[a] == RW_READS && r->current[v->var[a]] != source_of(r, a) &&
            (v->src[a] >= RW_THIN || rw_event(v, v->src[a]) != e))
            return true;
    return false;
}

/* An event that keeps the readers of the write, an access of e, from following it at once, or ID_NONE. */
static uint32_t obstacle(const struct repair *r, uint32_t e, uint32_t write)
{
    const struct chains *c = &r->chains;
    for (uint32_t i = r->last_readers.at[write]; i < r->last_readers.at[write + 1]; i++) {
        uint32_t reader = rw_event(r->v, r->last_readers.list[i]), lane = c->of[reader];
        if (repair_executed(r, reader))
            continue;
        uint32_t first = c->start[lane] + r->lane[lane].done + (lane == c->of[e]);
        for (uint32_t at = first, o; (o = c->list[at]) != reader; at++)
            if (at == first + FAR || is_in_the_way(r, o, e))
                return o;
        if (blocked(r, reader, e) ||
            (r->v->first && is_in_the_way(r, reader, e))) /* a transaction does more than read */
            return reader;
    }
    return ID_NONE;
}

static uint32_t pending_reader(const struct repair *r, uint32_t write, uint32_t but)
{
    for (const uint32_t *read = r->last_readers.list + r->last_readers.at[write];; read++) {
        uint32_t reader = rw_event(r->v, *read);
        if (!repair_executed(r, reader) && reader != but)
            return reader;
    }
}

static uint32_t unfulfilled_order(struct repair *r, uint32_t e)
{
    uint32_t i = r->orders_of[e];
    for (; i != ID_NONE; i = r->orders.at[i].next) {
        r->effort++;
        if (!repair_executed(r, r->orders.at[i].first) && !is_void(r, &r->orders.at[i]))
            break;
    }
    return i;
}

/* For readers of the value that the write a, of event e, overwrites. */
static enum repair_wait wait_of_write(const struct repair *r, struct repair_lane *l, uint32_t e, uint32_t a)
{
    const struct rw *v = r->v;
    bool rmw = v->kind[a] & RW_READS;
    uint32_t old = r->current[v->var[a]];
    if (r->left[old] <= (rmw ? 1 : 0))
        return REPAIR_FREE;
    uint32_t reader = pending_reader(r, old, e);
    return rmw || is_initial(r, old) ? wait_for(l, REPAIR_FIXED, reader)
                                     : wait_for_pair(r, l, reader, rw_event(v, old), e);
}

/* For the sources of its reads, its orders, and readers of the values that it overwrites. */
static enum repair_wait wait_of_accesses(struct repair *r, struct repair_lane *l, uint32_t e)
{
    const struct rw *v = r->v;
    enum repair_wait why = REPAIR_FREE;
    uint32_t from = rw_from(v, e), end = rw_to(v, e);
    for (uint32_t a = from; a < end && why == REPAIR_FREE; a++)
        if (v->kind[a] & RW_READS)
            why = wait_of_read(r, l, a);
    if (why != REPAIR_FREE || !(v->does[e] & RW_WRITES))
        return why;
    if ((l->order = unfulfilled_order(r, e)) != ID_NONE)
        return wait_for(l, REPAIR_ORDER, r->orders.at[l->order].first);
    for (uint32_t a = from; a < end && why == REPAIR_FREE; a++)
        if (v->kind[a] & RW_WRITES)
            why = wait_of_write(r, l, e, a);
    for (uint32_t a = from; a < end && why == REPAIR_FREE; a++) {
        uint32_t first = (v->kind[a] & RW_WRITES) && r->left[a] ? obstacle(r, e, a) : ID_NONE;
        if (first != ID_NONE)
            why = wait_for(l, REPAIR_CHOICE, first);
    }
    return why;
}

/* PSO: a write before e in its thread, and after the last such event that empties the buffers, that is not executed; or
 * ID_NONE. */
static uint32_t buffered_write(const struct repair *r, uint32_t e)
{
    const struct rw *v = r->v;
    for (uint32_t i = e; i > v->base[v->thread[e]];) {
        uint8_t kind = v->kind[--i];
        if (kind == RW_WRITES && !repair_executed(r, i))
            return i;
        if (rw_is_barrier(kind))
            return ID_NONE;
    }
    return ID_NONE;
}

static enum repair_wait wait_of(struct repair *r, uint32_t lane, uint32_t e)
{
    struct repair_lane *l = &r->lane[lane];
    uint32_t first = blocker(r, e);
    if (first != ID_NONE)
        return wait_for(l, REPAIR_FIXED, first);
    if (r->prior && r->prior[e] != ID_NONE && !repair_executed(r, r->prior[e]))
        return wait_for(l, REPAIR_FIXED, r->prior[e]);
    if (r->drains && r->v->kind[e] != RW_WRITES && r->v->kind[e] != RW_READS &&
        (first = buffered_write(r, e)) != ID_NONE)
        return wait_for(l, REPAIR_FIXED, first);
    return wait_of_accesses(r, l, e);
}

/* ---- executing and taking back ---- */

static void execute(struct repair *r, uint32_t lane, uint32_t e)
{
    const struct rw *v = r->v;
    budget_tick(r->budget);
    r->when[e] = r->log.n;
    vec_push(r->m, &r->log, e);
    r->executed++;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++) {
        if (v->kind[a] & RW_READS)
            r->left[source_of(r, a)]--;
        if (v->kind[a] & RW_WRITES) {
            r->replaced[a] = r->current[v->var[a]];
            r->current[v->var[a]] = a;
        }
    }
    if (++r->lane[lane].done > r->lane[lane].wake)
        wake_waiters(r, lane);
}

static void take_back(struct repair *r, uint32_t to)
{
    const struct rw *v = r->v;
    r->effort += r->log.n - to;
    while (r->log.n > to) {
        uint32_t e = vec_pop(&r->log);
        if (e == ASSUMED)
            continue;
        r->executed--;
        r->when[e] = ID_NONE;
        if (r->rule.taken_back)
            r->rule.taken_back(r->rule.arg, e);
        struct repair_lane *l = &r->lane[r->chains.of[e]];
        l->most = l->done > l->most ? l->done : l->most;
        l->done--;
        for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++) {
            if (v->kind[a] & RW_WRITES)
                r->current[v->var[a]] = r->replaced[a];
            if (v->kind[a] & RW_READS)
                r->left[source_of(r, a)]++;
        }
    }
    while (r->scoped.n && r->orders.at[vec_last(&r->scoped)].depth > to)
        drop_order(r, vec_pop(&r->scoped));
    wake_all(r);
}

/* ---- circles ---- */

/* Does the lane wait for itself? */
static bool in_circle(const struct repair *r, uint32_t lane)
{
    uint32_t l = lane;
    for (uint32_t i = 0; i < r->chains.count; i++) {
        if (!r->lane[l].asleep || r->lane[l].why == REPAIR_CHOICE)
            return false;
        l = r->chains.of[r->lane[l].awaited];
        if (l == lane)
            return true;
    }
    return false;
}

static void blame(struct repair *r, struct repair_pair pair)
{
    r->effort++;
    for (uint32_t i = 0; i < r->blamed.n; i++)
        if (r->blamed.at[i].early == pair.early && r->blamed.at[i].late == pair.late)
            return;
    vec_push(r->m, &r->blamed, pair);
}

/* The pairs that the lane's circle rests on. False: an order has become void, there is no circle. */
static bool blame_circle(struct repair *r, uint32_t lane)
{
    uint32_t l = lane;
    vec_clear(&r->blamed);
    do {
        const struct repair_lane *at = &r->lane[l];
        if (at->why == REPAIR_PAIR)
            blame(r, at->pair);
        if (at->why == REPAIR_ORDER) {
            struct repair_order order = r->orders.at[at->order];
            if (is_void(r, &order))
                return false;
            for (uint32_t i = 0; i < order.count; i++)
                blame(r, r->reasons.at[order.why + i]);
        }
        l = r->chains.of[at->awaited];
    } while (l != lane);
    return true;
}

/* Among pairs of the same write, the one whose other write seems to have happened first. */
static struct repair_pair latest_blamed(const struct repair *r)
{
    struct repair_pair latest = r->blamed.at[0];
    for (uint32_t i = 1; i < r->blamed.n; i++) {
        struct repair_pair pair = r->blamed.at[i];
        if (pair.since > latest.since || (pair.since == latest.since && r->key[pair.late] < r->key[latest.late]))
            latest = pair;
    }
    return latest;
}

/* The opposite of the latest blamed pair, which was just taken back; it rests on the other pairs. Pairs that were taken
 * back together with it are assumed to come again. */
static struct repair_order opposite(struct repair *r, struct repair_pair latest)
{
    struct repair_order order = {.first = latest.late, .write = latest.early, .why = r->reasons.n};
    for (uint32_t i = 0; i < r->blamed.n; i++)
        if (r->blamed.at[i].since == latest.since && r->blamed.at[i].late != latest.late && r->log.n == latest.since)
            vec_push(r->m, &r->log, ASSUMED);
    for (int assumed = 0; assumed < 2; assumed++)
        for (uint32_t i = 0; i < r->blamed.n; i++) {
            struct repair_pair pair = r->blamed.at[i];
            if ((pair.since == latest.since && pair.late == latest.late) ||
                (r->log.at[pair.since] == ASSUMED) != assumed)
                continue;
            vec_push(r->m, &r->reasons, pair);
            order.count++;
            order.assumed += assumed;
            if (pair.since >= order.depth)
                order.depth = pair.since + 1;
        }
    return order;
}

/* False: nothing can be repaired. */
static bool repair(struct repair *r, uint32_t lane)
{
    if (!blame_circle(r, lane)) {
        wake_all(r);
        return true;
    }
    r->conflicts++;
    r->refuted = !r->blamed.n;
    if (r->refuted)
        return false;
    struct repair_pair latest = latest_blamed(r);
    take_back(r, latest.since);
    add_order(r, opposite(r, latest));
    return true;
}

/* ---- the run ---- */

static bool run_lane(struct repair *r, uint32_t lane)
{
    for (uint32_t e; (e = next_of_lane(r, lane)) != ID_NONE;) {
        if (wait_of(r, lane, e) == REPAIR_FREE) {
            execute(r, lane, e);
            continue;
        }
        fall_asleep(r, lane);
        return !in_circle(r, lane) || repair(r, lane);
    }
    return true;
}

static bool has_choice(const struct repair *r, uint32_t lane)
{
    return r->lane[lane].asleep && r->lane[lane].why == REPAIR_CHOICE;
}

/* The write of a lane that could be executed, although its readers could not follow at once, or ID_NONE. */
static uint32_t optional_write(const struct repair *r, uint32_t lane)
{
    const struct rw *v = r->v;
    if (!has_choice(r, lane))
        return ID_NONE;
    uint32_t e = next_of_lane(r, lane);
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        if ((v->kind[a] & RW_WRITES) && r->left[r->current[v->var[a]]] > (v->kind[a] & RW_READS ? 1 : 0))
            return ID_NONE;
    return e;
}

/* Nothing moves by itself. If no lane has a choice either, there is a circle, which shows when all lanes are tried
 * again. */
static void choose(struct repair *r)
{
    uint32_t best = ID_NONE, n = r->undecided.n;
    r->undecided.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lane = r->undecided.at[i], e = optional_write(r, lane);
        r->lane[lane].listed = has_choice(r, lane);
        if (r->lane[lane].listed)
            r->undecided.at[r->undecided.n++] = lane;
        if (e != ID_NONE && (best == ID_NONE || r->key[e] < r->key[best]))
            best = e;
    }
    if (best == ID_NONE) {
        wake_all(r);
        return;
    }
    uint32_t lane = r->chains.of[best], *link = &r->lane[r->chains.of[r->lane[lane].awaited]].waiters;
    while (*link != lane)
        link = &r->lane[*link].next_waiter;
    wake(r, link);
    execute(r, lane, best);
    r->choices++;
}

static void note_order(struct repair *r)
{
    uint32_t n = 0;
    r->order = mem_new(r->m, uint32_t, r->executed);
    for (uint32_t i = 0; i < r->log.n; i++)
        if (r->log.at[i] != ASSUMED)
            r->order[n++] = r->log.at[i];
}

bool repair_run(struct repair *r)
{
    while (r->executed < r->v->n) {
        if (!r->ready_count)
            choose(r);
        while (r->ready_count)
            if (gives_up(r) || !run_lane(r, r->ready[--r->ready_count]))
                return false;
    }
    note_order(r);
    return true;
}

/* ---- construction ---- */

void repair_init(struct repair *r, const struct rw *v, enum buffering memory, const uint32_t *key, struct mem *m,
                 struct budget *budget)
{
    *r = (struct repair){.v = v, .m = m, .budget = budget, .key = key, .drains = memory == MEMORY_PSO};
    r->chains = (memory == MEMORY_SC    ? chains_of_threads
                 : memory == MEMORY_TSO ? chains_of_buffers
                                        : chains_of_variables)(v, m);
    uint64_t lanes = r->drains ? 2 * (uint64_t)v->k : r->chains.count; /* as for TSO */
    r->most_effort = v->n * lanes * EFFORT + LEAST_EFFORT;
    r->lane = mem_new_zero(m, struct repair_lane, r->chains.count);
    r->ready = mem_new(m, uint32_t, r->chains.count);
    if (memory != MEMORY_SC) {
        r->prior = (memory == MEMORY_TSO ? prior_in_buffers : prior_in_variables)(v, m);
        r->own = own_writes(v, m);
    }
    r->when = mem_new_ids(m, v->n);
    r->current = mem_new(m, uint32_t, v->d);
    r->replaced = mem_new(m, uint32_t, v->a);
    r->left = mem_new_zero(m, uint32_t, v->a + v->d);
    r->orders_of = mem_new_ids(m, v->n);
    r->last_readers = last_readers(v, m);
    for (uint32_t x = 0; x < v->d; x++)
        r->current[x] = v->a + x;
    for (uint32_t a = 0; a < v->a; a++)
        if (v->kind[a] & RW_READS)
            r->left[source_of(r, a)]++;
    order_final(r);
    wake_all(r);
}

static uint32_t not_executed_across(void *arg, uint32_t e)
{
    const struct repair *r = arg;
    uint32_t count;
    const uint32_t *before = across_before(r->v, e, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!repair_executed(r, before[i]))
            return before[i];
    return ID_NONE;
}

void repair_across(struct repair *r)
{
    r->rule = (struct repair_rule){.blocker = not_executed_across, .arg = r};
}

void repair_free(struct repair *r)
{
    uint32_t *parts[] = {r->ready, r->prior,     r->own,       r->when,         r->current,    r->replaced,
                         r->left,  r->orders_of, r->chains.at, r->chains.start, r->chains.list};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(r->m, parts[i]);
    if (r->chains.of != r->v->thread)
        mem_free(r->m, r->chains.of);
    mem_free(r->m, r->lane);
    groups_free(&r->last_readers, r->m);
    vec_free(r->m, &r->log);
    vec_free(r->m, &r->orders);
    vec_free(r->m, &r->scoped);
    vec_free(r->m, &r->reasons);
    vec_free(r->m, &r->blamed);
    vec_free(r->m, &r->undecided);
}
