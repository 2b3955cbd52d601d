/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a few objects, against the plainest way to compute them: where they come from more than the content, or
 * from numbers at the ends of their range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "spec/spec.h"

static const assay_spec *find(const char *name)
{
    size_t i = 0;
    while (strcmp(spec_table[i]->name, name) != 0)
        i++;
    return spec_table[i];
}

/* Calls a method by its name; undoes it at once if asked to. */
static assay_value call(const assay_spec *s, void *state, const char *method, const assay_value *args, bool take_back)
{
    const assay_method *m = s->methods;
    while (strcmp(m->name, method) != 0)
        m++;
    assay_call c = {.method = m->id, .arg_count = method_least(m), .args = args};
    assay_value result = {0};
    assay_saved saved;
    if (s->step(state, &c, 0, &result, &saved) == ASSAY_CHANGED && take_back)
        s->undo(state, &c, &saved);
    return result;
}

static void assert_word(assay_value v, const char *word)
{
    assert_true(assay_value_same(v, assay_word(word)));
}

enum { HELD = 40 };

static void remove_from_pqueue(const assay_spec *s, void *state, int64_t *held, size_t *n, int sign)
{
    size_t next = 0;
    for (size_t i = 1; i < *n; i++)
        if (sign * held[i] > sign * held[next])
            next = i;
    call(s, state, "rem", NULL, true);
    assay_value got = call(s, state, "rem", NULL, false);
    if (*n == 0) {
        assert_word(got, "empty");
        return;
    }
    assert_int_equal(got.integer, held[next]);
    held[next] = held[--*n];
}

static void test_pqueue_order(void **unused)
{
    (void)unused;
    const assay_spec *s = find("pqueue");
    for (int sign = -1; sign <= 1; sign += 2) {
        struct mem mem = {0};
        struct rng rng = {7};
        int64_t held[HELD];
        size_t n = 0;
        assay_setting setting = {.parameter = assay_word(sign < 0 ? "min" : "max")};
        void *state = s->create(&setting, (assay_value){0}, (assay_memory *)&mem);
        for (int i = 0; i < 5000; i++) {
            assay_value v = assay_int((int64_t)rng_below(&rng, 30) - 15);
            bool take_back = rng_below(&rng, 3) == 0;
            if (n == HELD || rng_below(&rng, 2)) {
                remove_from_pqueue(s, state, held, &n, sign);
                continue;
            }
            call(s, state, "add", &v, take_back);
            if (!take_back)
                held[n++] = v.integer;
        }
        mem_release(&mem);
    }
}

static void test_map_answers(void **unused)
{
    (void)unused;
    enum { KEYS = 4 };
    const assay_spec *s = find("map");
    struct mem mem = {0};
    struct rng rng = {11};
    int64_t held[KEYS] = {0}; /* 0: nothing */
    void *state = s->create(&(assay_setting){0}, (assay_value){0}, (assay_memory *)&mem);
    for (int i = 0; i < 5000; i++) {
        uint32_t key = rng_below(&rng, KEYS);
        assay_value args[] = {assay_int(key), assay_int(1 + rng_below(&rng, 3))};
        bool take_back = rng_below(&rng, 3) == 0, removes = rng_below(&rng, 2);
        assay_value old = call(s, state, removes ? "remove" : "put", args, take_back);
        if (held[key])
            assert_int_equal(old.integer, held[key]);
        else
            assert_word(old, "null");
        if (!take_back)
            held[key] = removes ? 0 : args[1].integer;
        int64_t size = 0, holds = 0;
        for (int k = 0; k < KEYS; k++) {
            size += held[k] != 0;
            holds |= held[k] == args[1].integer;
        }
        assert_int_equal(call(s, state, "size", NULL, false).integer, size);
        assert_word(call(s, state, "contains", &args[1], false), holds ? "true" : "false");
        assert_word(call(s, state, "contains-key", args, false), held[key] ? "true" : "false");
    }
    mem_release(&mem);
}

/* ---- numbers at the ends of their range ---- */

static void test_ends_of_range(void **unused)
{
    (void)unused;
    static const struct {
        const char *object, *method;
        int64_t start, argument; /* the parameter of a semaphore, the initial value of a counter */
        assay_effect effect;
        int64_t result;
    } cases[] = {
        {"counter", "inc", INT64_MAX - 1, 0, ASSAY_CHANGED, INT64_MAX},
        {"counter", "inc", INT64_MAX, 0, ASSAY_BLOCKED, 0},
        {"counter", "dec", INT64_MIN + 1, 0, ASSAY_CHANGED, INT64_MIN},
        {"counter", "dec", INT64_MIN, 0, ASSAY_BLOCKED, 0},
        {"counter", "add", INT64_MAX, 1, ASSAY_BLOCKED, 0},
        {"counter", "add", INT64_MAX, INT64_MIN, ASSAY_CHANGED, -1},
        {"counter", "add", -1, INT64_MIN, ASSAY_BLOCKED, 0},
        {"counter", "add", INT64_MIN, 0, ASSAY_SAME, INT64_MIN},
        {"counter", "get", INT64_MIN, 0, ASSAY_SAME, INT64_MIN},
        {"counting-semaphore", "post", INT64_MAX - 1, 0, ASSAY_CHANGED, 0},
        {"counting-semaphore", "post", INT64_MAX, 0, ASSAY_CHANGED, 0}, /* always legal */
        {"counting-semaphore", "wait", 0, 0, ASSAY_BLOCKED, 0},
        {"counting-semaphore", "wait", INT64_MAX, 0, ASSAY_CHANGED, 0},
        {"semaphore", "release", INT64_MAX, 0, ASSAY_BLOCKED, 0},
        {"semaphore", "acquire", INT64_MAX, 0, ASSAY_CHANGED, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const assay_spec *s = find(cases[i].object);
        const assay_method *m = s->methods;
        while (strcmp(m->name, cases[i].method) != 0)
            m++;
        struct mem mem = {0};
        assay_binding init = {.value = assay_int(cases[i].start)};
        bool counter = strcmp(s->name, "counter") == 0;
        assay_setting setting = {counter ? (assay_value){0} : init.value, &init, counter};
        assert_null(s->refuse(&setting));
        assay_value argument = assay_int(cases[i].argument), result = {0};
        assay_call call = {.method = m->id, .arg_count = method_least(m), .args = &argument};
        assay_saved saved;
        void *state = s->create(&setting, (assay_value){0}, (assay_memory *)&mem);
        void *before = s->copy(state, (assay_memory *)&mem);
        assert_int_equal(s->step(state, &call, 0, &result, &saved), cases[i].effect);
        assert_true(result.integer == cases[i].result);
        if (cases[i].effect == ASSAY_CHANGED)
            s->undo(state, &call, &saved);
        assert_true(s->equal(state, before));
        mem_release(&mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pqueue_order),
        cmocka_unit_test(test_map_answers),
        cmocka_unit_test(test_ends_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
