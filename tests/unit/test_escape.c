/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes, budgets that end loops, and errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/budget.h"
#include "base/error.h"
#include "base/escape.h"

#include <pthread.h>

/* ---- escapes, budgets, errors ---- */

struct nesting {
    int depth;
    enum escape reason;
    enum escape inner; /* what the inner call returned */
    bool went_on;
};

static void leave(void *arg)
{
    const struct nesting *n = arg;
    escape_raise(n->reason);
}

static void nest(void *arg)
{
    struct nesting *n = arg;
    n->inner = escape_run(leave, n);
    n->went_on = true;
    if (n->depth)
        escape_raise(ESCAPE_INTERRUPTED);
}

static void escapes_leave_the_innermost_call(void **state)
{
    (void)state;
    struct nesting n = {.reason = ESCAPE_TIME_BUDGET};
    assert_int_equal(escape_run(nest, &n), ESCAPE_NONE);
    assert_int_equal(n.inner, ESCAPE_TIME_BUDGET);
    assert_true(n.went_on);
    n.depth = 1;
    assert_int_equal(escape_run(nest, &n), ESCAPE_INTERRUPTED);
    for (int reason = ESCAPE_OUT_OF_MEMORY; reason <= ESCAPE_INTERRUPTED; reason++)
        assert_true(strlen(escape_text((enum escape)reason)) > 5);
}

static void *escape_often(void *arg)
{
    struct nesting n = {.reason = *(enum escape *)arg};
    for (int i = 0; i < 20000; i++)
        if (escape_run(leave, &n) != n.reason)
            return arg;
    return NULL;
}

static void threads_escape_on_their_own(void **state)
{
    (void)state;
    pthread_t threads[4];
    enum escape reasons[4] = {ESCAPE_OUT_OF_MEMORY, ESCAPE_TIME_BUDGET, ESCAPE_INTERRUPTED, ESCAPE_ERROR};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, escape_often, &reasons[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

static void spin(void *arg)
{
    for (long i = 0; i < 2000000000L; i++)
        budget_tick(arg);
}

static bool says(void *arg)
{
    return *(bool *)arg;
}

static void budgets_end_loops(void **state)
{
    (void)state;
    struct budget late = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .wall_seconds = 0.02});
    assert_int_equal(escape_run(spin, &late), ESCAPE_TIME_BUDGET);
    struct budget busy = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .seconds = 0.02});
    assert_int_equal(escape_run(spin, &busy), ESCAPE_TIME_BUDGET);
    struct budget parent = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .seconds = 1000});
    parent.children = 1001;
    assert_int_equal(escape_run(spin, &parent), ESCAPE_TIME_BUDGET);
    bool stop = true;
    struct budget stopped = {.interrupt = says, .interrupt_arg = &stop};
    assert_int_equal(escape_run(spin, &stopped), ESCAPE_INTERRUPTED);
}

struct counting {
    struct budget *b;
    uint32_t n, made;
};

static void count(void *arg)
{
    struct counting *c = arg;
    for (c->made = 0; c->made < c->n; c->made++)
        budget_tick(c->b);
}

/* Whatever was spent before, and wherever the next look at the clocks is due. */
static void budgets_allow_a_number_of_ticks(void **state)
{
    (void)state;
    struct budget b = {0};
    struct counting c = {.b = &b, .n = 20000};
    for (uint32_t ticks = 1; ticks < 12000; ticks = 3 * ticks + 1) {
        budget_allow(&b, ticks);
        assert_int_equal(escape_run(count, &c), ESCAPE_EFFORT);
        assert_int_equal(c.made, ticks - 1);
        budget_allow(&b, 0);
        assert_int_equal(escape_run(count, &c), ESCAPE_NONE);
        budget_allow(&b, c.n + 1);
        assert_int_equal(escape_run(count, &c), ESCAPE_NONE);
    }
}

static void the_first_error_stays(void **state)
{
    (void)state;
    assay_error e = {0};
    error_set(&e, ASSAY_ERROR_INPUT, "first %d", 1);
    error_place(&e, "a.hist", 3, 4);
    error_remedy(&e, "do this");
    error_set(&e, ASSAY_ERROR_USAGE, "second");
    error_place(&e, "b.hist", 5, 6);
    error_remedy(&e, "do that");
    error_from_escape(&e, ESCAPE_OUT_OF_MEMORY);
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_string_equal(e.message, "first 1");
    assert_string_equal(e.file, "a.hist");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 4);
    assert_string_equal(e.remedy, "do this");
    error_set(NULL, ASSAY_ERROR_INPUT, "nobody wants to know");
    error_place(NULL, "a", 1, 1);
    error_remedy(NULL, "x");
    error_from_escape(NULL, ESCAPE_INTERRUPTED);
    assay_error from = {0};
    error_from_escape(&from, ESCAPE_NONE);
    assert_int_equal(from.code, ASSAY_OK);
    error_from_escape(&from, ESCAPE_INTERRUPTED);
    assert_int_equal(from.code, ASSAY_ERROR_INTERRUPTED);
}

static void long_errors_are_cut_between_characters(void **state)
{
    (void)state;
    assay_error e = {0};
    char text[2 * sizeof e.message + 2] = "x"; /* an odd start, so that the border falls into a character */
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 3);
    error_set(&e, ASSAY_ERROR_INPUT, "%s", text);
    size_t length = strlen(e.message);
    assert_true(length >= sizeof e.message - 3);
    assert_int_equal((unsigned char)e.message[length - 1], 0xa9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_leave_the_innermost_call),
        cmocka_unit_test(threads_escape_on_their_own),
        cmocka_unit_test(budgets_end_loops),
        cmocka_unit_test(budgets_allow_a_number_of_ticks),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(long_errors_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
