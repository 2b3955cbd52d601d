/* SPDX-License-Identifier: Apache-2.0 */
/* Peeling by blocks of events decides as peeling event by event does. Rows are those of simulated stacks whose calls
 * overlap, with and without pops that were exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scan/nest.h"

enum { VALUES = 400, SPREAD = 1000 };

struct span { /* of an operation, in time; it takes effect in between */
    uint64_t begin, end;
};

struct row {
    struct rng rng;
    uint32_t values, n;
    struct span push[VALUES], pop[VALUES];
    bool popped[VALUES];
    uint32_t events[4 * VALUES];
};

static struct span around(struct row *r, uint64_t moment, uint32_t width)
{
    return (struct span){moment - 1 - rng_below(&r->rng, width), moment + 1 + rng_below(&r->rng, width)};
}

/* A stack of about `depth` values. Few calls take long; the last values are never popped. */
static void simulate(struct row *r, uint32_t depth)
{
    uint32_t stack[VALUES], n = 0, next = 0;
    for (uint64_t now = 4 * VALUES * SPREAD; next < r->values || (n && rng_below(&r->rng, 30)); now += SPREAD) {
        uint32_t width = SPREAD * (1 + rng_below(&r->rng, rng_below(&r->rng, 10) ? 5 : 60));
        if (next < r->values && (n == 0 || rng_below(&r->rng, depth + n) < depth)) {
            r->push[next] = around(r, now, width);
            r->popped[next] = false;
            stack[n++] = next++;
        } else {
            uint32_t v = stack[--n];
            r->pop[v] = around(r, now, width);
            r->popped[v] = true;
        }
    }
}

/* Exchanges the pops of two values that are near each other. */
static void exchange(struct row *r)
{
    uint32_t v = rng_below(&r->rng, r->values - 1), w = v + 1 + rng_below(&r->rng, 6);
    if (w >= r->values || !r->popped[v] || !r->popped[w])
        return;
    struct span pop = r->pop[v];
    if (r->push[v].begin < r->pop[w].end && r->push[w].begin < pop.end) {
        r->pop[v] = r->pop[w];
        r->pop[w] = pop;
    }
}

struct moment {
    uint64_t time, order;
    uint32_t event;
};

static int by_time(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The tuned events. */
static void lay_out(struct row *r)
{
    static struct moment all[4 * VALUES];
    uint64_t last = UINT64_MAX / 2;
    r->n = 0;
    for (uint32_t v = 0; v < r->values; v++) {
        struct span push = r->push[v], pop = r->popped[v] ? r->pop[v] : (struct span){last, last + 1};
        push.end = push.end < pop.end ? push.end : pop.end;
        pop.begin = pop.begin > push.begin ? pop.begin : push.begin;
        bool covers = push.end < pop.begin;
        /* at one time, the beginnings and ends of one value follow each other */
        uint64_t order = 4 * (uint64_t)v;
        all[r->n++] = (struct moment){push.begin, order, nest_event(v, NEST_PUSH_BEGIN)};
        all[r->n++] = (struct moment){push.end, order + 2, nest_event(v, covers ? NEST_OPEN : NEST_PUSH_END)};
        all[r->n++] = (struct moment){pop.begin, order + 1, nest_event(v, covers ? NEST_CLOSE : NEST_POP_BEGIN)};
        if (r->popped[v])
            all[r->n++] = (struct moment){pop.end, order + 3, nest_event(v, NEST_POP_END)};
    }
    qsort(all, r->n, sizeof *all, by_time);
    for (uint32_t i = 0; i < r->n; i++)
        r->events[i] = all[i].event;
}

static bool peels(const struct row *r, bool by_steps, struct mem *m)
{
    struct budget budget = {0};
    struct nest x = {.m = m,
                     .budget = &budget,
                     .events = r->events,
                     .n = r->n,
                     .values = r->values,
                     .keep_rounds = true,
                     .by_steps = by_steps};
    bool all = nest_peel(&x);
    assert_int_equal(x.blocks.at != NULL, !by_steps);
    if (all) {
        assert_int_equal(x.taken_n, r->values);
        for (uint32_t v = 0; v < r->values; v++)
            assert_true(x.state[v] & NEST_TAKEN);
    }
    for (uint32_t v = 0; v < r->values; v++) /* marks of the search have been taken away */
        assert_false(x.state[v] & (NEST_PUSH_SEEN | NEST_POP_SEEN));
    x.events = NULL;
    nest_free(&x);
    return all;
}

static void test_blocks(void **state)
{
    (void)state;
    static struct row r;
    uint32_t stuck = 0, rounds = 4000;
    struct mem m = {0};
    for (uint64_t seed = 0; seed < rounds; seed++) {
        r.rng = (struct rng){seed};
        r.values = 100 + rng_below(&r.rng, VALUES - 100);
        simulate(&r, 1 + rng_below(&r.rng, 40));
        uint32_t exchanges = rng_below(&r.rng, 3) ? rng_below(&r.rng, 12) : 0;
        for (uint32_t i = 0; i < exchanges; i++)
            exchange(&r);
        lay_out(&r);
        bool by_blocks = peels(&r, false, &m);
        if (by_blocks != peels(&r, true, &m))
            fail_msg("seed %u: peeling by blocks says %d", (unsigned)seed, by_blocks);
        if (!exchanges)
            assert_true(by_blocks);
        stuck += !by_blocks;
    }
    assert_in_range(stuck, rounds / 20, rounds - rounds / 20);
    mem_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
