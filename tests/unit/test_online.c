/* SPDX-License-Identifier: Apache-2.0 */
/* Exact online checkers on long streams: of a right object nothing is reported and little is remembered; the first
 * wrong result is found when it returns. And on many short ones, in which values are used again and again and results
 * may be absent, against exact-jit. Small histories are compared with the definition by tests/cross/online.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scan/online.h"
#include "spec/roles.h"
#include "support/simulate.h"

enum { EVENTS = 1000000, MOST_LIVE = 2000 };
#define END                                                                                                            \
    {                                                                                                                  \
        SIMULATED_END, 0, 0                                                                                            \
    }
#define FAR 1000000000000000000 /* above all values of the streams */

struct stream {
    const char *checker, *object;
    int64_t parameter;
    struct simulated_lie lie[8]; /* after it the object is wrong */
};

static const struct stream streams[] = {
    {"exact-queue",
     "queue",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE},
      {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR + 1},
      END}},
    {"exact-queue",
     "queue",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_REMOVE, SIMULATED_NONE, SIMULATED_EMPTY}, END}},
    {"exact-stack",
     "stack",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE},
      {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR},
      END}},
    {"exact-stack",
     "stack",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE},
      {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_PEEK, SIMULATED_NONE, FAR},
      END}},
    {"exact-stack",
     "stack",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE}, {COLLECTION_REMOVE, SIMULATED_NONE, SIMULATED_EMPTY}, END}},
    {"exact-pqueue",
     "pqueue",
     0,
     {{COLLECTION_ADD, FAR, SIMULATED_NONE},
      {COLLECTION_ADD, FAR + 1, SIMULATED_NONE},
      {COLLECTION_REMOVE, SIMULATED_NONE, FAR},
      END}},
    {"exact-set",
     "set",
     0,
     {{SET_ADD, FAR, SIMULATED_TRUE}, {SET_CONTAINS, FAR, SIMULATED_TRUE}, {SET_ADD, FAR, SIMULATED_TRUE}, END}},
    {"exact-multiset",
     "multiset",
     0,
     {{MULTISET_ADD, FAR, SIMULATED_NONE}, {MULTISET_COUNT, FAR, 1}, {MULTISET_COUNT, FAR, 2}, END}},
    {"exact-register",
     "register",
     0,
     {{REGISTER_WRITE, FAR, SIMULATED_NONE},
      {REGISTER_WRITE, FAR + 1, SIMULATED_NONE},
      {REGISTER_READ, SIMULATED_NONE, FAR},
      END}},
    {"exact-lock",
     "lock",
     0,
     {{LOCK_LOCK, SIMULATED_NONE, SIMULATED_NONE},
      {LOCK_TRY, SIMULATED_NONE, SIMULATED_FALSE},
      {LOCK_LOCK, SIMULATED_NONE, SIMULATED_NONE},
      END}},
    {"exact-semaphore",
     "semaphore",
     3,
     {{SEMAPHORE_ACQUIRE, SIMULATED_NONE, SIMULATED_NONE}, {SEMAPHORE_TRY, SIMULATED_NONE, SIMULATED_FALSE}, END}},
    {"exact-semaphore",
     "counting-semaphore",
     3,
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
    struct online_setup setup = {.spec = spec, .setting = setting, .mem = &mem, .budget = &budget};
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

/* ---- short streams ---- */

enum { PLAYS = 20000, THREADS = 4, PLAY_EVENTS = 30 };

struct walk {
    const char *checker, *object;
    int64_t parameter;
    unsigned methods;
    bool taken[4]; /* by method: it has an argument */
    bool absent;   /* results may be */
};

static const struct walk walks[] = {
    {"exact-queue", "queue", 0, 3, {true}, false},
    {"exact-stack", "stack", 0, 3, {true}, false},
    {"exact-pqueue", "pqueue", 0, 3, {true}, false},
    {"exact-set", "set", 0, 3, {true, true, true}, true},
    {"exact-multiset", "multiset", 0, 4, {true, true, true, true}, true},
    {"exact-register", "register", 0, 2, {false, true}, false},
    {"exact-lock", "lock", 0, 3, {false}, false},
    {"exact-semaphore", "semaphore", 2, 3, {false}, false},
    {"exact-semaphore", "counting-semaphore", 1, 3, {false}, false},
};

struct play {
    struct simulated_event event[PLAY_EVENTS];
    uint32_t n;
};

static struct value as_shown(assay_value v)
{
    if (v.kind != ASSAY_WORD)
        return (struct value){v.kind == ASSAY_INT ? v.integer : 0, (uint8_t)v.kind};
    for (int w = 0; w < ONLINE_WORDS; w++)
        if (strncmp(online_words[w], v.text, v.length) == 0)
            return (struct value){w, ASSAY_WORD};
    fail();
    return (struct value){0};
}

/* Mostly what the object does, with a few values, and now and then another value's result. */
static struct play random_play(const struct walk *x, const assay_spec *spec, const assay_setting *setting,
                               struct rng *rng)
{
    struct mem mem = {0};
    void *state = spec->create(setting, (assay_value){0}, (assay_memory *)&mem);
    struct play p = {0};
    struct simulated_event open[THREADS];
    int stage[THREADS] = {0}; /* idle, called, has taken effect */
    uint32_t lies = rng_below(rng, 3) ? 0 : 10, values = 2 + rng_below(rng, 4);
    for (int tries = 0; p.n < PLAY_EVENTS && tries < 300; tries++) {
        uint32_t t = rng_below(rng, THREADS);
        struct simulated_event *e = &open[t];
        assay_value arg = assay_int(1), result = {0};
        assay_saved saved;
        if (stage[t] == 0) {
            unsigned method = rng_below(rng, x->methods);
            *e = (struct simulated_event){.slot = t, .method = method, .arity = x->taken[method]};
            if (e->arity)
                e->arg = (struct value){1 + rng_below(rng, values), ASSAY_INT};
            p.event[p.n++] = *e;
            stage[t] = 1;
        } else if (stage[t] == 1) {
            arg.integer = e->arg.bits;
            assay_call call = {.method = e->method, .arg_count = e->arity, .args = &arg};
            if (spec->step(state, &call, 0, &result, &saved) == ASSAY_BLOCKED)
                continue;
            e->result = as_shown(result);
            if (e->result.kind == ASSAY_INT && rng_below(rng, 100) < lies)
                e->result.bits = 1 + rng_below(rng, values);
            else if (e->result.kind == ASSAY_WORD && e->result.bits != ONLINE_EMPTY && rng_below(rng, 100) < lies)
                e->result.bits = ONLINE_TRUE + ONLINE_FALSE - e->result.bits;
            if (x->absent && e->method < SET_CONTAINS && rng_below(rng, 4) == 0)
                e->result = (struct value){0};
            stage[t] = 2;
        } else {
            e->returns = true;
            p.event[p.n++] = *e;
            stage[t] = 0;
        }
    }
    mem_release(&mem);
    return p;
}

/* The callers of open calls die. */
static enum online_verdict let_die(const struct online *o, void *state, const bool *open)
{
    for (uint32_t slot = 0; slot < THREADS; slot++)
        if (open[slot] && !o->died(state, slot))
            return o->doubt(state) ? ONLINE_OPEN : ONLINE_VIOLATION;
    return ONLINE_FINE;
}

static enum online_verdict judge(const struct online *o, const struct online_setup *setup, const struct play *p,
                                 bool dies, bool *exact)
{
    void *state = o->open(setup);
    enum online_verdict verdict = ONLINE_FINE;
    bool open[THREADS] = {0};
    for (uint32_t i = 0; i < p->n && verdict == ONLINE_FINE; i++) {
        const struct simulated_event *e = &p->event[i];
        if (!e->returns)
            o->call(state, e->slot, i + 1, e->method, &e->arg, e->arity);
        else if (!o->ret(state, e->slot, i + 1, e->result))
            verdict = ONLINE_VIOLATION;
        open[e->slot] = !e->returns;
    }
    if (verdict == ONLINE_FINE && dies)
        verdict = let_die(o, state, open);
    if (verdict == ONLINE_FINE)
        verdict = o->finish(state);
    *exact = !(o->weakened && o->weakened(state));
    o->close(state);
    return verdict;
}

static void print_play(const struct play *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct simulated_event *e = &p->event[i];
        print_message("%u: t%u %s method %u, argument %lld, result %lld of kind %u\n", (unsigned)i + 1,
                      (unsigned)e->slot, e->returns ? "return" : "call", e->method, (long long)e->arg.bits,
                      (long long)e->result.bits, (unsigned)e->result.kind);
    }
}

static void run_walk(const struct walk *x)
{
    const char *variant;
    const struct online *fast = online_find(x->checker, &variant, NULL);
    const struct online *jit = online_find("exact-jit", &variant, NULL);
    const assay_spec *spec = spec_called(x->object);
    assay_setting setting = {0};
    if (x->parameter)
        setting.parameter = assay_int(x->parameter);
    struct mem mem = {0};
    struct budget budget = {0};
    struct online_setup setup = {.spec = spec, .setting = setting, .mem = &mem, .budget = &budget};
    uint32_t violations = 0, missed = 0, undecided = 0;
    for (uint32_t i = 0; i < PLAYS; i++) {
        struct rng rng = {hash_join(i, hash_bytes(x->object, strlen(x->object)))};
        struct play p = random_play(x, spec, &setting, &rng);
        bool exact, always;
        struct online_setup forgetful = setup;
        forgetful.few = i % 8; /* it prunes its journal often */
        enum online_verdict a = judge(fast, &forgetful, &p, i / 8 % 2, &exact),
                            b = judge(jit, &setup, &p, false, &always);
        violations += b == ONLINE_VIOLATION;
        missed += b == ONLINE_VIOLATION && a == ONLINE_FINE;
        undecided += a == ONLINE_OPEN;
        if (b == ONLINE_OPEN || (a == ONLINE_VIOLATION && b == ONLINE_FINE) ||
            (a == ONLINE_FINE && b == ONLINE_VIOLATION && exact)) {
            print_play(&p);
            fail_msg("%s says %d, exact-jit %d", x->checker, a, b);
        }
    }
    print_message("%s on a %s: %u violations, %u missed by giving up values, %u undecided\n", x->checker, x->object,
                  (unsigned)violations, (unsigned)missed, (unsigned)undecided);
    assert_int_equal(mem.used, 0);
}

/* ---- a stack: what is gone orders what stays ---- */

struct event {
    uint32_t slot, method;
    int64_t value; /* 0: none */
    bool returns;
};

/* 1 is below 2, which was popped before 3 was pushed. So 3 is above 1, although their pushes overlap. Then 1 comes again, and
 * is popped again. */
static const struct event crossing[] = {
    {0, COLLECTION_ADD, 1, false},    {1, COLLECTION_ADD, 2, false},    {1, COLLECTION_ADD, 0, true},
    {2, COLLECTION_ADD, 3, false},    {0, COLLECTION_ADD, 0, true},     {1, COLLECTION_REMOVE, 0, false},
    {1, COLLECTION_REMOVE, 2, true},  {2, COLLECTION_ADD, 0, true},     {0, COLLECTION_ADD, 1, false},
    {0, COLLECTION_ADD, 0, true},     {0, COLLECTION_REMOVE, 0, false}, {0, COLLECTION_REMOVE, 1, true},
    {0, COLLECTION_REMOVE, 0, false}, {0, COLLECTION_REMOVE, 1, true},
};

static void gone_values_order_others(void **unused)
{
    (void)unused;
    const char *variant;
    const struct online *o = online_find("exact-stack", &variant, NULL);
    for (uint32_t few = 0; few < 5; few++) {
        struct mem mem = {0};
        struct budget budget = {0};
        struct online_setup setup = {.spec = spec_called("stack"), .mem = &mem, .budget = &budget, .few = few};
        void *state = o->open(&setup);
        bool fine = true;
        for (uint32_t i = 0; i < sizeof crossing / sizeof *crossing && fine; i++) {
            const struct event *e = &crossing[i];
            struct value v = {e->value, e->value ? ASSAY_INT : ASSAY_NONE};
            if (e->returns)
                fine = o->ret(state, e->slot, i + 1, v);
            else
                o->call(state, e->slot, i + 1, e->method, &v, e->value != 0);
        }
        assert_true(!fine || o->weakened(state));
        o->close(state);
    }
}

static void short_streams(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
        run_walk(&walks[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_streams), cmocka_unit_test(short_streams),
                                       cmocka_unit_test(gone_values_order_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
