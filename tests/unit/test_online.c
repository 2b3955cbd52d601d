/* SPDX-License-Identifier: Apache-2.0 */
/* Exact online checkers on long streams: of a right object nothing is reported and little is remembered; the first wrong
 * result is found when it returns. Small histories are compared with the definition by tests/cross/online.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "online/online.h"
#include "spec/roles.h"
#include "support/simulate.h"

enum { EVENTS = 1000000, MOST_LIVE = 2000 };
#define END {SIMULATED_END, 0, 0}
#define FAR 1000000000000000000 /* above all values of the streams */

struct stream {
    const char *checker, *object;
    int64_t parameter;
    struct simulated_lie lie[8]; /* after it the object is wrong */
};

static const struct stream streams[] = {
    {"exact-queue", "queue", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR + 1}, END}},
    {"exact-queue", "queue", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_REMOVE, SIMULATED_NONE, SIMULATED_EMPTY}, END}},
    {"exact-stack", "stack", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR}, END}},
    {"exact-stack", "stack", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_PEEK, SIMULATED_NONE, FAR}, END}},
    {"exact-stack", "stack", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_REMOVE, SIMULATED_NONE, SIMULATED_EMPTY}, END}},
    {"exact-pqueue", "pqueue", 0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR}, END}},
    {"exact-set", "set", 0,
     {{SET_ADD, FAR, SIMULATED_TRUE}, {SET_CONTAINS, FAR, SIMULATED_TRUE}, {SET_ADD, FAR, SIMULATED_TRUE}, END}},
    {"exact-multiset", "multiset", 0,
     {{MULTISET_ADD, FAR, SIMULATED_NONE}, {MULTISET_COUNT, FAR, 1}, {MULTISET_COUNT, FAR, 2}, END}},
    {"exact-register", "register", 0,
     {{REGISTER_WRITE, FAR, SIMULATED_NONE}, {REGISTER_WRITE, FAR + 1, SIMULATED_NONE},
      {REGISTER_READ, SIMULATED_NONE, FAR}, END}},
    {"exact-lock", "lock", 0,
     {{LOCK_LOCK, SIMULATED_NONE, SIMULATED_NONE}, {LOCK_TRY, SIMULATED_NONE, SIMULATED_FALSE},
      {LOCK_LOCK, SIMULATED_NONE, SIMULATED_NONE}, END}},
    {"exact-semaphore", "semaphore", 3,
     {{SEMAPHORE_ACQUIRE, SIMULATED_NONE, SIMULATED_NONE}, {SEMAPHORE_TRY, SIMULATED_NONE, SIMULATED_FALSE}, END}},
    {"exact-semaphore", "counting-semaphore", 3,
     {{SEMAPHORE_RELEASE, SIMULATED_NONE, SIMULATED_NONE}, {SEMAPHORE_TRY, SIMULATED_NONE, SIMULATED_FALSE}, END}},
};

static const assay_spec *spec_called(const char *name)
{
    for (size_t i = 0; spec_table[i]; i++)
        if (strcmp(spec_table[i]->name, name) == 0)
            return spec_table[i];
    fail();
    return NULL;
}

/* Feeds the stream; the step of the event at which a violation was reported, or 0. */
static uint64_t feed(const struct online *o, void *state, const struct simulated *s)
{
    for (uint32_t i = 0; i < s->events.n; i++) {
        const struct simulated_event *e = &s->events.at[i];
        if (!e->returns)
            o->call(state, e->slot, i + 1, e->method, &e->arg, e->arity);
        else if (!o->ret(state, e->slot, i + 1, e->result))
            return i + 1;
        if (i % 1024 == 0)
            assert_true(o->live(state) < MOST_LIVE);
    }
    return 0;
}

static void run_stream(const struct stream *x)
{
    const char *variant;
    const struct online *o = online_find(x->checker, &variant, NULL);
    const assay_spec *spec = spec_called(x->object);
    assay_setting setting = {0};
    if (x->parameter)
        setting.parameter = assay_int(x->parameter);
    struct mem mem = {0};
    struct budget budget = {0};
    struct online_setup setup = {.spec = spec, .setting = &setting, .mem = &mem, .budget = &budget};
    assert_null(o->declines(&setup));
    struct simulated s = {0};
    simulate(&s, spec, &setting, 7, EVENTS);
    void *state = o->open(&setup);
    assert_int_equal(feed(o, state, &s), 0);
    assert_int_equal(o->finish(state), ONLINE_FINE);
    assert_null(o->weakened ? o->weakened(state) : NULL);
    assert_true(mem.peak < 1 << 20);
    o->close(state);
    simulate_lie(&s, x->lie);
    state = o->open(&setup);
    assert_int_equal(feed(o, state, &s), s.events.n);
    struct mem report = {0};
    struct online_fault f = {.why = text_in(&report)};
    o->explain(state, &f, &report);
    assert_int_equal(f.step, s.events.n);
    assert_true(f.ops.n > 0 && f.why.n > 0);
    mem_release(&report);
    o->close(state);
    assert_int_equal(mem.used, 0);
    simulated_free(&s);
}

static void long_streams(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        print_message("%s on a %s\n", streams[i].checker, streams[i].object);
        run_stream(&streams[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
