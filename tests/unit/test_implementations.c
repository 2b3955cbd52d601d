/* SPDX-License-Identifier: Apache-2.0 */
/* The skip lists and the deques of collect/implement, with more keys and calls than the clients of `stress` have. One
 * thread: every result is that of the object. Several threads: keys of its own tell each thread its results. */
#include "assay_spec.h"
#include "base/rng.h"
#include "collect/stress/stress.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 200, VALUES = 5, CALLS = 20000, THREADS = 4 };

struct pair { /* the object without threads: a pair for each key that it has */
    bool in;
    int64_t value;
};

static const assay_adapter *adapter(const char *name)
{
    const assay_adapter *a = adapter_find(name);
    assert_non_null(a);
    assert_null(a->missing);
    return a;
}

static unsigned method(const assay_adapter *a, const char *name)
{
    unsigned i = 0;
    while (strcmp(a->methods[i].name, name) != 0)
        i++;
    return i;
}

static void *create(const assay_adapter *a, unsigned threads, unsigned calls, uint64_t seed)
{
    void *object = a->create(&(assay_adapter_setting){threads, calls, seed});
    assert_non_null(object);
    return object;
}

static assay_answer call(const assay_adapter *a, void *object, unsigned thread, const char *name, int64_t x, int64_t y)
{
    return a->call(object, thread, method(a, name), (int64_t[]){x, y});
}

static bool says(assay_answer answer, const char *word)
{
    return answer.kind == ASSAY_ANSWER_WORD && strcmp(answer.word, word) == 0;
}

static bool says_value(assay_answer answer, const struct pair *p)
{
    return p->in ? answer.kind == ASSAY_ANSWER_INT && answer.number == p->value : says(answer, "null");
}

static bool says_bool(assay_answer answer, bool yes)
{
    return says(answer, yes ? "true" : "false");
}

/* ---- maps and sets ---- */

/* A random call about one key; true: its result is right. */
static bool map_call(const assay_adapter *a, void *map, unsigned thread, struct pair *p, int64_t key, struct rng *rng)
{
    int64_t value = 1 + rng_below(rng, VALUES);
    struct pair old = *p;
    switch (rng_below(rng, 4)) {
    case 0: *p = (struct pair){true, value}; return says_value(call(a, map, thread, "put", key, value), &old);
    case 1: p->in = false; return says_value(call(a, map, thread, "remove", key, 0), &old);
    case 2: return says_value(call(a, map, thread, "get", key, 0), p);
    default: return says_bool(call(a, map, thread, "contains-key", key, 0), p->in);
    }
}

static bool set_call(const assay_adapter *a, void *set, unsigned thread, struct pair *p, int64_t key, struct rng *rng)
{
    bool in = p->in;
    switch (rng_below(rng, 3)) {
    case 0: p->in = true; return says_bool(call(a, set, thread, "add", key, 0), !in);
    case 1: p->in = false; return says_bool(call(a, set, thread, "remove", key, 0), in);
    default: return says_bool(call(a, set, thread, "contains", key, 0), in);
    }
}

static bool any_call(const assay_adapter *a, void *object, unsigned thread, struct pair *p, int64_t key, struct rng *r)
{
    return (strcmp(a->object, "map") == 0 ? map_call : set_call)(a, object, thread, p, key, r);
}

static int64_t count(const struct pair *pairs, int64_t value) /* 0: any value */
{
    int64_t n = 0;
    for (unsigned i = 0; i < KEYS; i++)
        n += pairs[i].in && (!value || pairs[i].value == value);
    return n;
}

static void check_walks(const assay_adapter *a, void *map, const struct pair *pairs)
{
    assert_int_equal(call(a, map, 0, "size", 0, 0).number, count(pairs, 0));
    for (int64_t value = 1; value <= VALUES; value++)
        assert_true(says_bool(call(a, map, 0, "contains-value", value, 0), count(pairs, value) > 0));
}

static void one_thread(const char *name, unsigned keys, uint64_t seed)
{
    const assay_adapter *a = adapter(name);
    void *object = create(a, 1, CALLS, seed);
    struct pair pairs[KEYS] = {{0}};
    struct rng rng = {seed};
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned key = rng_below(&rng, keys);
        assert_true(any_call(a, object, 0, &pairs[key], key, &rng));
        if (i % 100 == 0 && strcmp(a->object, "map") == 0)
            check_walks(a, object, pairs);
    }
    a->destroy(object);
}

struct worker {
    const assay_adapter *adapter;
    void *object;
    unsigned thread;
    struct pair *pairs; /* those of its keys */
    uint64_t seed;
    unsigned wrong;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct rng rng = {w->seed + w->thread};
    for (unsigned i = 0; i < CALLS / THREADS; i++) {
        unsigned key = rng_below(&rng, KEYS / THREADS) * THREADS + w->thread;
        w->wrong += !any_call(w->adapter, w->object, w->thread, &w->pairs[key], key, &rng);
    }
    return NULL;
}

static void several_threads(const char *name, uint64_t seed)
{
    const assay_adapter *a = adapter(name);
    void *object = create(a, THREADS, CALLS, seed);
    struct pair pairs[KEYS] = {{0}};
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (unsigned t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){a, object, t, pairs, seed, 0};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(workers[t].wrong, 0);
    }
    if (strcmp(a->object, "map") == 0)
        check_walks(a, object, pairs);
    a->destroy(object);
}

static const char *const keyed[] = {"map:mutex", "map:striped", "map:skip-list", "set:lazy-list", "set:skip-list"};
enum { KEYED = sizeof keyed / sizeof *keyed };

static void one_thread_gets_the_results_of_the_object(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KEYED; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            one_thread(keyed[i], KEYS, seed);
            one_thread(keyed[i], 3, seed);
        }
    one_thread("set:broken", KEYS, 1); /* it takes two threads to break it */
}

static void keys_of_other_threads_change_no_result(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KEYED; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            several_threads(keyed[i], seed);
}

/* ---- deques ---- */

static const char *const sides[] = {"front", "back"};

static assay_answer deque_call(const assay_adapter *a, void *d, unsigned t, const char *verb, unsigned side, int64_t v)
{
    char name[16];
    snprintf(name, sizeof name, "%s-%s", verb, sides[side]);
    return call(a, d, t, name, v, 0);
}

static void one_thread_gets_the_results_of_a_deque(void **state)
{
    static const char *const names[] = {"deque:michael", "deque:broken", "deque:rechecking"};
    static int64_t held[2 * CALLS];
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const assay_adapter *a = adapter(names[i]);
        void *d = create(a, 1, CALLS, 1);
        unsigned from = CALLS, to = CALLS;
        struct rng rng = {7};
        for (unsigned k = 0; k < CALLS; k++) {
            unsigned side = rng_below(&rng, 2), what = rng_below(&rng, 5);
            if (what < 2) {
                deque_call(a, d, 0, "push", side, k);
                held[side ? to++ : --from] = k;
                continue;
            }
            assay_answer answer = deque_call(a, d, 0, what < 4 ? "pop" : "peek", side, 0);
            if (from == to)
                assert_true(says(answer, "empty"));
            else
                assert_true(answer.kind == ASSAY_ANSWER_INT && answer.number == held[side ? to - 1 : from]);
            if (what < 4 && from < to)
                *(side ? &to : &from) += side ? -1 : 1;
        }
        a->destroy(d);
    }
}

struct porter {
    const assay_adapter *adapter;
    void *deque;
    unsigned thread;
    uint8_t *popped; /* how often each value was */
};

static void *carry(void *arg)
{
    struct porter *p = arg;
    struct rng rng = {p->thread + 1};
    for (unsigned i = 0; i < CALLS / THREADS; i++) {
        unsigned side = rng_below(&rng, 2);
        if (rng_below(&rng, 2))
            deque_call(p->adapter, p->deque, p->thread, "push", side, (int64_t)i * THREADS + p->thread);
        else {
            assay_answer answer = deque_call(p->adapter, p->deque, p->thread, "pop", side, 0);
            if (answer.kind == ASSAY_ANSWER_INT)
                p->popped[answer.number]++;
        }
    }
    return NULL;
}

static unsigned pushes_of(unsigned thread, uint8_t *pushed)
{
    struct rng rng = {thread + 1};
    unsigned n = 0;
    for (unsigned i = 0; i < CALLS / THREADS; i++) {
        rng_below(&rng, 2);
        if (rng_below(&rng, 2)) {
            pushed[i * THREADS + thread] = 1;
            n++;
        }
    }
    return n;
}

static void a_deque_loses_and_doubles_nothing(void **state)
{
    static uint8_t popped[THREADS + 1][CALLS], pushed[CALLS];
    const assay_adapter *a = adapter("deque:michael");
    void *d = create(a, THREADS, CALLS, 1);
    struct porter porters[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    for (unsigned t = 0; t < THREADS; t++) {
        porters[t] = (struct porter){a, d, t, popped[t]};
        assert_int_equal(pthread_create(&threads[t], NULL, carry, &porters[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        assert_true(pushes_of(t, pushed) > 0);
    }
    for (assay_answer rest; (rest = deque_call(a, d, 0, "pop", 0, 0)).kind == ASSAY_ANSWER_INT;)
        popped[THREADS][rest.number]++;
    for (unsigned v = 0; v < CALLS; v++) {
        unsigned sum = 0;
        for (unsigned t = 0; t <= THREADS; t++)
            sum += popped[t][v];
        assert_int_equal(sum, pushed[v]);
    }
    a->destroy(d);
}

/* ---- clients that meet ---- */

static void recorded_histories_are_as_promised(void **state)
{
    static const char *const names[] = {"map:skip-list", "set:skip-list", "deque:michael"};
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const assay_adapter *a = adapter(names[i]);
        struct stress_settings s = {.adapter = a,
                                    .threads = 3,
                                    .invocations = 9,
                                    .seed = 5,
                                    .runs = 500,
                                    .repeats = 10,
                                    .model = a->satisfies ? a->satisfies : "lin",
                                    .check = {ASSAY_OPTIONS_INIT, .visibility = a->visibility}};
        struct stress_outcome out;
        assay_error e = {0};
        assert_true(stress_run(&s, &out, &e));
        assert_int_equal(out.violations, 0);
        assert_int_equal(out.undecided, 0);
        assert_true(out.distinct > 20); /* on a busy machine clients hardly meet: about one history a program */
        stress_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_gets_the_results_of_the_object),
        cmocka_unit_test(keys_of_other_threads_change_no_result),
        cmocka_unit_test(one_thread_gets_the_results_of_a_deque),
        cmocka_unit_test(a_deque_loses_and_doubles_nothing),
        cmocka_unit_test(recorded_histories_are_as_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
