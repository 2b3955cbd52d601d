/* SPDX-License-Identifier: Apache-2.0 */
/* A user's object whose steps depend on the thread: calls that look the same are not the same. */
#include "assay_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MARK, LAST };

static const assay_method methods[] = {
    {"mark", "mark()", MARK, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"last", "last() => the thread that marked last", LAST, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static void *create(const assay_setting *s, assay_value key, assay_memory *m)
{
    (void)s;
    (void)key;
    int64_t *x = assay_memory_get(m, sizeof *x);
    if (x)
        *x = -1;
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    int64_t *x = assay_memory_get(m, sizeof *x);
    if (x)
        memcpy(x, state, sizeof *x);
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    assay_memory_free(m, state);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    int64_t *x = state;
    (void)choice;
    if (call->method == LAST) {
        *result = assay_int(*x);
        return ASSAY_SAME;
    }
    saved->number = *x;
    *x = call->thread;
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    *(int64_t *)state = saved->number;
}

static void digest(const void *state, uint64_t out[2])
{
    assay_digest(state, sizeof(int64_t), out);
}

static const assay_spec marked = {
    .version = ASSAY_SPEC_VERSION,
    .name = "marked",
    .title = "the thread that marked it last",
    .methods = methods,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest,
};

static void add(assay_history *h, const char *thread, const char *method, int result, int64_t from, int64_t to)
{
    assay_operation op = {.thread = thread, .method = method, .timed = true, .call_time = from, .return_time = to};
    op.pending = to < from;
    if (result >= 0)
        op.result = assay_int(result);
    assert_int_not_equal(assay_history_add(h, &op, NULL), ASSAY_NO_OPERATION);
}

static void check(const assay_history *h)
{
    static const char *const engines[] = {"wgl", "jit"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        assay_options options = {ASSAY_OPTIONS_INIT, .spec = &marked, .engine = engines[i]};
        assay_result *r = assay_check(h, "lin", &options, NULL);
        assert_non_null(r);
        assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
        assay_result_free(r);
    }
}

/* The thread 0 returns first and has marked last. */
static void calls_of_threads_differ(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    add(h, "a", "mark", -1, 0, 10);
    add(h, "b", "mark", -1, 0, 12);
    add(h, "c", "last", 0, 13, 14);
    check(h);
    assay_history_free(h);
}

/* Only the second of two pending calls happened. */
static void pending_calls_of_threads_differ(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    add(h, "a", "mark", -1, 0, -1);
    add(h, "b", "mark", -1, 1, -1);
    add(h, "c", "last", 1, 2, 3);
    add(h, "c", "last", 0, 4, 5);
    check(h);
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_threads_differ),
        cmocka_unit_test(pending_calls_of_threads_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
