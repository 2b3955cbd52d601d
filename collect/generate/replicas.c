/* SPDX-License-Identifier: Apache-2.0 */
/* Replicated memory: every thread has its own copy of all variables, and writes reach the other
 * copies late but in causal order.
 *
 * Idea: each thread keeps a log of its writes. A copy has one number per log: the part of it that has arrived. With
 * every operation a thread reads the log of one other thread and takes in a random part of the new writes there. So
 * delays are random and differ from copy to copy.
 *
 * Invariant: the writes that have arrived at a copy are closed under causality (program order and reads-from). A write
 * stands in its log with its direct causes in other logs: the sources of the reads since the thread's previous write.
 * Causes are taken in first. They are older, so no log is entered twice, and the stack of logs being read is never
 * deeper than the number of threads.
 *
 * Time stamps are Lamport's: larger than those of everything that has arrived. */
#include "base/vec.h"
#include "collect/generate/simulation.h"

#include <stdbool.h>

struct place {
    uint32_t thread, index; /* which write of which log */
};

struct update {
    uint32_t variable, value, stamp;
    uint32_t causes; /* where its causes end in the thread's list; they begin where the last ones end */
};

struct log {
    VEC(struct update) updates;
    VEC(struct place) causes;
};

struct cell {
    uint32_t value, stamp;
    struct place source; /* of no meaning while stamp is 0: the initial value */
};

struct frame {
    uint32_t log, target; /* read the log until so many updates have arrived */
    uint32_t cause;       /* the next update's causes before this one have arrived */
};

struct replicas {
    struct mem *mem;
    struct rng *rng;
    uint32_t threads, variables;
    /* A copy keeps one of two writes of a variable. If converging, it keeps the one with the larger time stamp, which
     * is the same in every copy (causal convergence). Else it keeps the one that arrived last (causal memory). */
    bool converging;
    struct log *logs;
    struct cell *cells;     /* [thread * variables + variable] */
    uint32_t *arrived;      /* [thread * threads + log]: how many of its updates */
    uint32_t *acknowledged; /* the same: how many are already causes of the thread's writes */
    uint32_t *clocks;
    struct frame *stack;
};

static void *start(struct world *w, bool converging)
{
    size_t k = w->threads;
    struct replicas *r = mem_new_zero(w->mem, struct replicas, 1);
    *r = (struct replicas){
        .mem = w->mem, .rng = &w->rng, .threads = w->threads, .variables = w->variables, .converging = converging};
    r->logs = mem_new_zero(w->mem, struct log, k);
    r->cells = mem_new_zero(w->mem, struct cell, k * w->variables);
    r->arrived = mem_new_zero(w->mem, uint32_t, k * k);
    r->acknowledged = mem_new_zero(w->mem, uint32_t, k * k);
    r->clocks = mem_new_zero(w->mem, uint32_t, k);
    r->stack = mem_new(w->mem, struct frame, k);
    return r;
}

static void *start_causal(struct world *w)
{
    return start(w, false);
}

static void *start_convergent(struct world *w)
{
    return start(w, true);
}

static bool supersedes(const struct replicas *r, const struct update *u, uint32_t writer, const struct cell *cell)
{
    if (!r->converging)
        return true;
    return u->stamp != cell->stamp ? u->stamp > cell->stamp : writer > cell->source.thread;
}

/* The write takes effect in the thread's copy. */
static void apply(struct replicas *r, uint32_t thread, struct place at)
{
    const struct update *u = &r->logs[at.thread].updates.at[at.index];
    struct cell *cell = &r->cells[(size_t)thread * r->variables + u->variable];
    if (supersedes(r, u, at.thread, cell))
        *cell = (struct cell){u->value, u->stamp, at};
    if (u->stamp > r->clocks[thread])
        r->clocks[thread] = u->stamp;
    r->arrived[(size_t)thread * r->threads + at.thread] = at.index + 1;
}

static struct frame frame_for(const struct replicas *r, uint32_t log, uint32_t next, uint32_t target)
{
    uint32_t first = next ? r->logs[log].updates.at[next - 1].causes : 0;
    return (struct frame){log, target, first};
}

/* Everything up to `target` of a log arrives at the thread, after its causes. */
static void take_in(struct replicas *r, uint32_t thread, uint32_t log, uint32_t target)
{
    const uint32_t *arrived = &r->arrived[(size_t)thread * r->threads];
    uint32_t depth = 0;
    r->stack[depth++] = frame_for(r, log, arrived[log], target);
    while (depth) {
        struct frame *top = &r->stack[depth - 1];
        const struct log *l = &r->logs[top->log];
        uint32_t next = arrived[top->log];
        if (next >= top->target) {
            depth--;
            continue;
        }
        uint32_t last = l->updates.at[next].causes;
        while (top->cause < last && l->causes.at[top->cause].index < arrived[l->causes.at[top->cause].thread])
            top->cause++;
        if (top->cause == last) {
            apply(r, thread, (struct place){top->log, next});
        } else {
            struct place cause = l->causes.at[top->cause];
            r->stack[depth++] = frame_for(r, cause.thread, arrived[cause.thread], cause.index + 1);
        }
    }
}

/* News from one other thread. */
static void listen(struct replicas *r, uint32_t thread)
{
    if (r->threads == 1)
        return;
    uint32_t other = rng_below(r->rng, r->threads - 1);
    other += other >= thread;
    uint32_t have = r->arrived[(size_t)thread * r->threads + other];
    uint32_t more = rng_below(r->rng, r->logs[other].updates.n - have + 1);
    take_in(r, thread, other, have + more);
}

/* Into the thread's log and its own copy. */
static void append(struct replicas *r, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct log *l = &r->logs[thread];
    struct update u = {variable, value, r->clocks[thread] + 1, l->causes.n};
    vec_push(r->mem, &l->updates, u);
    apply(r, thread, (struct place){thread, l->updates.n - 1});
}

static void write(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    listen(state, thread);
    append(state, thread, variable, value);
}

/* The source of a read is a cause of the thread's next write, unless it already is one of an earlier write. */
static void acknowledge(struct replicas *r, uint32_t thread, struct place source)
{
    uint32_t *known = &r->acknowledged[(size_t)thread * r->threads + source.thread];
    if (source.thread == thread || source.index < *known)
        return;
    *known = source.index + 1;
    vec_push(r->mem, &r->logs[thread].causes, source);
}

static uint32_t read(void *state, uint32_t thread, uint32_t variable)
{
    struct replicas *r = state;
    listen(r, thread);
    const struct cell *cell = &r->cells[(size_t)thread * r->variables + variable];
    if (cell->stamp)
        acknowledge(r, thread, cell->source);
    return cell->value;
}

/* Nothing arrives in between: in its own thread's order it is one step. */
static uint32_t exchange(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    uint32_t before = read(state, thread, variable);
    append(state, thread, variable, value);
    return before;
}

const struct simulation causal_memory = {start_causal, write, read, exchange, NULL};
const struct simulation convergent_memory = {start_convergent, write, read, exchange, NULL};
