/* SPDX-License-Identifier: Apache-2.0 */
/* Drains of queues in Jepsen's logs against the definition: a drain dequeues, one value after another, until it finds the
 * queue empty; others may enqueue and dequeue meanwhile. The definition is searched here, event by event. Where values
 * are enqueued once the verdicts are the same; where they repeat, a violation is one of the definition.
 *
 *   drains [--quick|--long] [--seed N] [--count N] */
#include "assay.h"
#include "support/chance.h"
#include "support/say.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 4, CALLS = 7, ROOM = 16, NOTHING = -1 };
enum function { ENQUEUE, DEQUEUE, DRAIN };

struct call {
    enum function f;
    int process, value; /* enqueued or dequeued, or NOTHING */
    int list[ROOM], n;  /* drained */
    bool known, over;   /* its outcome is known; its effects are complete */
};

struct event {
    int call;
    bool returns;
};

struct queue {
    int at[ROOM], n;
};

struct log {
    struct call calls[CALLS];
    struct event events[2 * CALLS];
    int n, events_n;
};

/* ---- a queue at work ---- */

static int pop(struct queue *q)
{
    int front = q->at[0];
    memmove(q->at, q->at + 1, (size_t)--q->n * sizeof *q->at);
    return front;
}

static void take_effect(struct call *c, struct queue *q)
{
    if (c->f == ENQUEUE)
        q->at[q->n++] = c->value;
    else if (c->f == DEQUEUE)
        c->value = q->n ? pop(q) : NOTHING;
    else if (q->n)
        c->list[c->n++] = pop(q);
    c->over = c->f != DRAIN || !q->n;
}

static void add_event(struct log *l, int call, bool returns)
{
    l->events[l->events_n++] = (struct event){call, returns};
}

static void begin(struct log *l, int process, int values)
{
    struct call *c = &l->calls[l->n];
    *c = (struct call){.f = chance(50) ? ENQUEUE : chance(50) ? DEQUEUE : DRAIN, .process = process};
    c->value = c->f != ENQUEUE ? NOTHING : values ? below(values) : l->n;
    add_event(l, l->n++, false);
}

static void run(struct log *l, int values)
{
    struct queue q = {.n = 0};
    int open[PROCESSES], crashed = 0;
    memset(open, 0xff, sizeof open);
    for (int step = 0; step < 40; step++) {
        int process = below(PROCESSES);
        int call = open[process];
        if (call < 0 && l->n < CALLS) {
            open[process] = l->n;
            begin(l, process + 10 * crashed, values);
        } else if (call >= 0 && !l->calls[call].over) {
            take_effect(&l->calls[call], &q);
        } else if (call >= 0) {
            l->calls[call].known = !chance(15);
            if (l->calls[call].known)
                add_event(l, call, true);
            crashed += !l->calls[call].known; /* its process has another number from then on */
            open[process] = -1;
        }
    }
}

/* A queue that loses a value, or hands it out twice. */
static void spoil(struct log *l)
{
    struct call *c = &l->calls[below(l->n)];
    if (c->f == DRAIN && c->n && chance(60)) {
        c->n--;
        c->list[below(c->n + 1)] = c->list[c->n];
    } else if (c->f == DRAIN && c->n < ROOM) {
        c->list[c->n++] = below(CALLS);
    } else if (c->f == DEQUEUE) {
        c->value = chance(50) ? NOTHING : below(CALLS);
    }
}

/* ---- the log ---- */

static void print(const struct log *l, struct text *t)
{
    static const char *const names[] = {"enqueue", "dequeue", "drain"};
    for (int i = 0; i < l->events_n; i++) {
        const struct call *c = &l->calls[l->events[i].call];
        bool value = c->f == ENQUEUE || (c->f == DEQUEUE && l->events[i].returns && c->value != NOTHING);
        say(t, "{:process %d, :type :%s, :f :%s, :value ", c->process, l->events[i].returns ? "ok" : "invoke",
            names[c->f]);
        if (value)
            say(t, "%d}\n", c->value);
        else if (c->f != DRAIN || !l->events[i].returns)
            say(t, "nil}\n");
        else
            for (int k = 0; k <= c->n; k++)
                k < c->n ? say(t, "%s%d", k ? " " : "[", c->list[k]) : say(t, k ? "]}\n" : "[]}\n");
    }
}

/* ---- the definition ---- */

struct state {
    struct queue q;
    unsigned open, done;  /* calls */
    unsigned left[CALLS]; /* of a drain: the places of its list that are still to be taken */
    int event;
};

static bool explained(const struct log *l, const struct state *s);

/* A drain takes the front, if it has it on its list: whatever is the first place of that value. */
static bool drain_step(const struct log *l, const struct state *s, int call)
{
    const struct call *c = &l->calls[call];
    struct state next = *s;
    if (!s->q.n) {
        if (!c->known || s->left[call])
            return false;
        next.done |= 1u << call;
        return explained(l, &next);
    }
    int front = pop(&next.q);
    if (!c->known)
        return explained(l, &next);
    for (int k = 0; k < c->n; k++)
        if (s->left[call] >> k & 1 && c->list[k] == front) {
            next.left[call] &= ~(1u << k);
            return explained(l, &next);
        }
    return false;
}

static bool step(const struct log *l, const struct state *s, int call)
{
    const struct call *c = &l->calls[call];
    if (c->f == DRAIN)
        return drain_step(l, s, call);
    struct state next = *s;
    next.done |= 1u << call;
    if (c->f == ENQUEUE)
        next.q.at[next.q.n++] = c->value;
    else if (c->known && c->value != (s->q.n ? s->q.at[0] : NOTHING))
        return false;
    else if (next.q.n)
        pop(&next.q);
    return explained(l, &next);
}

static bool explained(const struct log *l, const struct state *s)
{
    if (s->event == l->events_n)
        return true;
    struct event e = l->events[s->event];
    if (!e.returns || s->done >> e.call & 1) {
        struct state next = *s;
        next.event++;
        if (!e.returns) {
            next.open |= 1u << e.call;
            next.left[e.call] = (1u << l->calls[e.call].n) - 1;
        }
        if (explained(l, &next))
            return true;
    }
    for (int i = 0; i < l->n; i++)
        if (s->open >> i & 1 && !(s->done >> i & 1) && step(l, s, i))
            return true;
    return false;
}

/* ---- the verdicts ---- */

static bool violates(const struct text *t)
{
    assay_error e = {0};
    assay_reader *reader = assay_reader_open_memory("log", t->bytes, t->size, "edn", &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r) {
        printf("%.*s%s\n", (int)t->size, t->bytes, e.message);
        exit(1);
    }
    bool violation = assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return violation;
}

int main(int argc, char **argv)
{
    struct request request = request_of(argc, argv);
    uint32_t count = request_count(&request, 5000, 20000, 1000000), violations = 0, missed = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct log l = {.n = 0};
        struct text t = {0};
        chance_state = request.seed * 1000000007u + i;
        int values = i % 4 ? 0 : 3;
        run(&l, values);
        if (!l.n)
            continue;
        for (int k = below(3); k > 0; k--)
            spoil(&l);
        print(&l, &t);
        bool found = violates(&t), wanted = !explained(&l, &(struct state){.event = 0});
        violations += wanted;
        missed += wanted && !found;
        if (found != wanted && (found || !values)) {
            printf("%.*slog %u: %s, but by the definition it is %s\n", (int)t.size, t.bytes, (unsigned)i,
                   found ? "a violation" : "consistent", wanted ? "a violation" : "consistent");
            return 1;
        }
        free(t.bytes);
    }
    printf("%u logs, %u violations, of which %u are missed, with values that repeat\n", (unsigned)count,
           (unsigned)violations, (unsigned)missed);
    return violations < count / 10;
}
