/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that have come to rest, with calls that have not returned: do these wait as they should? The verdict is compared
 * with the definition: all orders of the calls that have returned, each played on an object of a few lines. */
#include "base/rng.h"
#include "collect/stress/wait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, CALLS = 3, MOST = THREADS * CALLS, RUNS = 1500 };
enum { PUT, TAKE };

static const assay_adapter_method queue_methods[] = {[PUT] = {"enq", 1, NULL}, [TAKE] = {"deq", 1, NULL}, {0}};
static const assay_adapter_method semaphore_methods[] = {
    [PUT] = {"release", 1, NULL}, [TAKE] = {"acquire", 1, NULL}, {0}};

/* Values in their order; of a semaphore only how many. */
static const struct kind {
    assay_adapter adapter;
    unsigned room, first; /* values that it can have, and has at first */
    bool values, says_ok;
} kinds[] = {
    {{.name = "queue", .object = "queue", .methods = queue_methods, .waits = "deq=empty"}, MOST, 0, true, false},
    {{.name = "bounded", .object = "queue(2)", .methods = queue_methods, .waits = "deq=empty,enq=full"},
     2,
     0,
     true,
     true},
    {{.name = "semaphore", .object = "semaphore(2)", .methods = semaphore_methods}, 2, 2, false, false},
};

struct content {
    unsigned n;
    int64_t values[MOST + 1];
};

static bool is_enabled(const struct kind *k, const struct content *c, unsigned method)
{
    return method == PUT ? c->n < k->room : c->n > 0;
}

static int64_t take_effect(struct content *c, unsigned method, int64_t value)
{
    if (method == PUT) {
        c->values[c->n++] = value;
        return 0;
    }
    int64_t first = c->values[0];
    memmove(c->values, c->values + 1, --c->n * sizeof *c->values);
    return first;
}

/* ---- random runs ---- */

struct simulated {
    struct content content;
    struct {
        bool open, done;
        unsigned method;
        int64_t value, result;
    } threads[THREADS];
    int64_t last;
};

static void call(struct simulated *s, const struct kind *k, assay_recorder *r, unsigned t, struct rng *rng)
{
    assay_tape *tape = assay_record_tape(r, t);
    s->threads[t].open = true;
    s->threads[t].done = false;
    s->threads[t].method = rng_below(rng, 2) ? PUT : TAKE;
    s->threads[t].value = ++s->last;
    if (k->values && s->threads[t].method == PUT)
        assay_record_call1(tape, "enq", s->last);
    else
        assay_record_call0(tape, k->adapter.methods[s->threads[t].method].name);
}

static void go_on(struct simulated *s, const struct kind *k, assay_recorder *r, unsigned t, struct rng *rng)
{
    assay_tape *tape = assay_record_tape(r, t);
    if (!s->threads[t].done) {
        s->threads[t].done = is_enabled(k, &s->content, s->threads[t].method);
        if (s->threads[t].done)
            s->threads[t].result = take_effect(&s->content, s->threads[t].method, s->threads[t].value);
        return;
    }
    s->threads[t].open = false;
    if (k->values && s->threads[t].method == TAKE)
        assay_record_return_int(tape, rng_below(rng, 30) ? s->threads[t].result : s->last);
    else if (k->says_ok)
        assay_record_return_word(tape, "ok");
    else
        assay_record_return(tape);
}

static assay_recorder *random_run(const struct kind *k, struct rng *rng)
{
    assay_recorder *r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS + 1);
    struct simulated s = {.content = {.n = k->first}};
    unsigned made[THREADS] = {0};
    assert_non_null(r);
    for (unsigned steps = 10 + rng_below(rng, 40); steps; steps--) {
        unsigned t = rng_below(rng, THREADS);
        if (s.threads[t].open)
            go_on(&s, k, r, t, rng);
        else if (made[t] < CALLS && ++made[t])
            call(&s, k, r, t, rng);
    }
    return r;
}

/* ---- the definition ---- */

struct search {
    const struct kind *kind;
    const assay_recorder *recorder;
    unsigned placed[THREADS];
};

static unsigned returned(const assay_recorder *r, unsigned t)
{
    return r->tapes[t]->completed;
}

static unsigned method_of(const struct kind *k, const assay_record_entry *e)
{
    return strcmp(e->method, k->adapter.methods[PUT].name) == 0 ? PUT : TAKE;
}

static bool can_be_next(const struct search *s, unsigned t)
{
    const assay_recorder *r = s->recorder;
    if (s->placed[t] == returned(r, t))
        return false;
    const uint32_t *seen = assay_record_seen(assay_record_at(r, t, s->placed[t]));
    for (unsigned u = 0; u < THREADS; u++)
        if (u != t && seen[u] > s->placed[u])
            return false;
    return true;
}

static bool all_wait(const struct search *s, const struct content *c)
{
    for (unsigned t = 0; t < THREADS; t++) {
        const assay_tape *tape = s->recorder->tapes[t];
        if (s->placed[t] < returned(s->recorder, t) ||
            (tape->open && is_enabled(s->kind, c, method_of(s->kind, tape->open))))
            return false;
    }
    return true;
}

static bool some_order_leads_there(struct search *s, const struct content *c)
{
    if (all_wait(s, c))
        return true;
    for (unsigned t = 0; t < THREADS; t++) {
        struct content next = *c;
        if (!can_be_next(s, t))
            continue;
        const assay_record_entry *e = assay_record_at(s->recorder, t, s->placed[t]);
        unsigned method = method_of(s->kind, e);
        if (!is_enabled(s->kind, c, method))
            continue;
        int64_t result = take_effect(&next, method, e->args[0].number);
        if (s->kind->values && method == TAKE && result != e->result.number)
            continue;
        s->placed[t]++;
        bool found = some_order_leads_there(s, &next);
        s->placed[t]--;
        if (found)
            return true;
    }
    return false;
}

static enum wait_verdict by_definition(const struct kind *k, const assay_recorder *r)
{
    struct search s = {.kind = k, .recorder = r};
    struct content c = {.n = k->first};
    unsigned waiting = 0;
    bool other = false; /* one that never waits */
    for (unsigned t = 0; t < THREADS; t++) {
        const assay_record_entry *e = r->tapes[t]->open;
        waiting += e != NULL;
        other |= e && k->room == MOST && method_of(k, e) == PUT;
    }
    if (!waiting || other)
        return WAIT_NONE;
    return some_order_leads_there(&s, &c) ? WAIT_RIGHT : WAIT_WRONG;
}

/* ---- tests ---- */

static const struct stress_settings settings = {.model = "lin", .check = {ASSAY_OPTIONS_INIT}};

static struct vocabulary words_of(const assay_adapter *a, struct mem *mem)
{
    struct vocabulary v;
    assay_error e = {0};
    vocabulary_init(&v, a, NULL, NULL, 0, mem, &e);
    return v;
}

/* A semaphore's release without a holder is blocked, too: at first there is no room for another one. */
static void verdicts_are_those_of_the_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct mem mem = {0};
        struct vocabulary v = words_of(&kinds[i].adapter, &mem);
        unsigned seen[WAIT_WRONG + 1] = {0};
        struct rng rng = {i + 1};
        for (unsigned run = 0; run < RUNS; run++) {
            assay_recorder *r = random_run(&kinds[i], &rng);
            struct mem own = {0};
            const char *who = NULL;
            enum wait_verdict wanted = by_definition(&kinds[i], r);
            assert_int_equal(wait_judge(&v, &settings, r, &who, &own), wanted);
            assert_true((who != NULL) == (wanted == WAIT_WRONG));
            seen[wanted]++;
            mem_release(&own);
            assay_record_close(r);
        }
        assert_true(seen[WAIT_NONE] > 10 && seen[WAIT_RIGHT] > 10 && seen[WAIT_WRONG] > 10);
        mem_release(&mem);
    }
}

/* t0 has enqueued 1, 2, 3; t1 and t2 wait. */
static void the_calls_that_should_have_ended_are_named(void **state)
{
    struct mem mem = {0};
    struct vocabulary v = words_of(&kinds[0].adapter, &mem);
    assay_recorder *r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS);
    const char *who = NULL;
    (void)state;
    for (int64_t i = 1; i <= 3; i++) {
        assay_record_call1(assay_record_tape(r, 0), "enq", i);
        assay_record_return(assay_record_tape(r, 0));
    }
    assay_record_call0(assay_record_tape(r, 1), "deq");
    assay_record_call0(assay_record_tape(r, 2), "deq");
    assert_int_equal(wait_judge(&v, &settings, r, &who, &mem), WAIT_WRONG);
    assert_string_equal(who, "deq() of t1, deq() of t2 should have ended: the state is [1, 2, 3]");
    assay_record_close(r);
    mem_release(&mem);
}

/* The deq waits as it should. */
static void others_are_not_named(void **state)
{
    struct mem mem = {0};
    struct vocabulary v = words_of(&kinds[1].adapter, &mem);
    assay_recorder *r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS);
    const char *who = NULL;
    (void)state;
    assay_record_call1(assay_record_tape(r, 0), "enq", 1);
    assay_record_call0(assay_record_tape(r, 1), "deq");
    assert_int_equal(wait_judge(&v, &settings, r, &who, &mem), WAIT_WRONG);
    assert_string_equal(who, "enq(1) of t0 should have ended: the state is []");
    assay_record_close(r);
    mem_release(&mem);
}

/* Methods that are total, and about which the adapter says nothing, hang. */
static void other_calls_do_not_wait(void **state)
{
    static const assay_adapter plain = {.name = "plain", .object = "queue", .methods = queue_methods};
    struct mem mem = {0};
    struct vocabulary v = words_of(&plain, &mem);
    assay_recorder *r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS);
    (void)state;
    assert_false(wait_is_possible(&v));
    assay_record_call0(assay_record_tape(r, 1), "deq");
    assert_int_equal(wait_judge(&v, &settings, r, NULL, &mem), WAIT_NONE);
    assay_record_close(r);
    r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS);
    v = words_of(&kinds[0].adapter, &mem); /* whose deq may wait, but its enq may not */
    assay_record_call0(assay_record_tape(r, 1), "deq");
    assay_record_call1(assay_record_tape(r, 0), "enq", 1);
    assert_int_equal(wait_judge(&v, &settings, r, NULL, &mem), WAIT_NONE);
    assay_record_close(r);
    mem_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_definition),
        cmocka_unit_test(the_calls_that_should_have_ended_are_named),
        cmocka_unit_test(others_are_not_named),
        cmocka_unit_test(other_calls_do_not_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
