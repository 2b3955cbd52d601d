/* SPDX-License-Identifier: Apache-2.0 */
/* Grading, the strongest levels, and the model that is checked where none is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/checked.h"
#include "support/load.h"

static bool says(void *arg)
{
    return *(bool *)arg;
}

/* Each rung says what a check of its model says, whatever was inferred; the weakest come first. */
static size_t assert_graded(const char *text, const assay_options *options)
{
    assay_history *h = load_text(text, NULL);
    assay_error e = {0};
    assay_grading *g = assay_grade(h, options, &e);
    assert_non_null(g);
    size_t n = assay_grading_size(g);
    for (size_t i = 0; i < n; i++) {
        const char *model = assay_grading_model(g, i);
        const assay_result *mine = assay_grading_result(g, i);
        assert_int_equal(mine == NULL, assay_grading_error(g, i) != NULL);
        for (size_t j = 0; j < i; j++)
            assert_false(assay_model_implies(assay_grading_model(g, j), model));
        if (!mine)
            continue;
        assay_options single = options ? *options : (assay_options){ASSAY_OPTIONS_INIT};
        if (!assay_model_implies("level:complete", model) || strcmp(model, "sc-object") == 0)
            single.visibility = NULL; /* levels by method are none of its business */
        assay_result *r = check(h, model, &single);
        assert_int_equal(assay_result_verdict(mine), assay_result_verdict(r));
        assert_int_equal(assay_result_vacuous(mine) == NULL, assay_result_vacuous(r) == NULL);
        assay_result_free(r);
    }
    assay_grading_free(g);
    assay_history_free(h);
    return n;
}

static const char reversed_queue[] = "# @object queue\n[t0] call enq(1)\n[t0] return\n[t0] call enq(2)\n[t0] return\n"
                                     "[t1] call deq\n[t1] return 2\n[t2] call deq\n[t2] return 1\n";
static const char plain_queue[] = "# @object queue\n[t0] call enq(1)\n[t1] call deq\n[t0] return\n[t1] return 1\n";

/* Reads of the last values only: for models that do not look at these nothing is read. */
static const char agreeing[] = "# @final x 2\nt0: write(x, 1)\nt1: write(x, 2)\n";

static void grading_goes_through_all_models(void **state)
{
    (void)state;
    assay_options by_method = {ASSAY_OPTIONS_INIT, .visibility = "deq=self"},
                  proved = {ASSAY_OPTIONS_INIT, .evidence = true};
    size_t memory = assert_graded(DISAGREEING, NULL), object = assert_graded(plain_queue, NULL);
    assert_true(memory >= 11);
    assert_int_equal(assert_graded(agreeing, NULL), memory);
    assert_int_equal(assert_graded(agreeing, &proved), memory);
    assert_int_equal(assert_graded(reversed_queue, NULL), object);
    assert_int_equal(assert_graded(reversed_queue, &by_method), object);
    assert_int_equal(assert_graded(plain_queue, &by_method), object);
    assert_int_equal(assert_graded(plain_queue, &proved), object);
}

static void levels_by_method_are_for_models_of_visibility(void **state)
{
    (void)state;
    assay_history *h = load_text(reversed_queue, NULL);
    assay_options options = {ASSAY_OPTIONS_INIT, .visibility = "deq=monotonic"};
    assay_result *r = check(h, NULL, &options);
    assert_string_equal(assay_result_model(r), "level:complete");
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    assay_result_free(r);
    options.visibility = "deq=peer";
    r = check(h, NULL, &options);
    assert_int_equal(assay_result_verdict(r), ASSAY_VIOLATION);
    assay_result_free(r);
    static const char *const wrong[][2] = {{"lin", "deq=weak"}, {NULL, "push=weak"},         {NULL, "deq"},
                                           {NULL, "deq=w"},     {NULL, "deq=weak,deq=weak"}, {NULL, "deq=weak,"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assay_error e = {0};
        options.visibility = wrong[i][1];
        assert_null(assay_check(h, wrong[i][0], &options, &e));
        assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    }
    assay_history_free(h);
}

static void strongest_levels_are_those_of_all_histories(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_strongest *s = assay_strongest_new(NULL, &e);
    assert_true(assay_strongest_add(s, load_text(plain_queue, NULL), "plain", 2, &e));
    assert_true(assay_strongest_add(s, load_text(reversed_queue, NULL), "reversed", 1, &e));
    assert_true(assay_strongest_find(s, NULL, NULL, &e));
    assert_int_equal(assay_strongest_histories(s), 2);
    assert_string_equal(assay_strongest_object(s), "queue");
    assert_false(assay_strongest_base(s).met);
    assert_int_equal(assay_strongest_methods(s), 2);
    assay_method_level enq = assay_strongest_method(s, 0), deq = assay_strongest_method(s, 1);
    assert_string_equal(enq.method, "enq");
    assert_string_equal(enq.level, "complete");
    assert_null(enq.next);
    assert_string_equal(deq.level, "monotonic");
    assert_string_equal(deq.next, "peer");
    assert_true(deq.obstacle.met);
    assert_string_equal(deq.obstacle.file, "reversed");
    assert_int_equal(deq.obstacle.place, 1);
    assert_int_equal(assay_result_verdict(deq.obstacle.result), ASSAY_VIOLATION);
    assay_strongest_free(s);
}

static void strongest_levels_are_of_one_object(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_strongest *s = assay_strongest_new(NULL, &e);
    assert_true(assay_strongest_find(s, NULL, NULL, &e));
    assert_null(assay_strongest_object(s));
    assert_true(assay_strongest_add(s, load_text(plain_queue, NULL), "a", 0, &e));
    assert_true(
        assay_strongest_add(s, load_text("# @object stack\n[t0] call push(1)\n[t0] return\n", NULL), "-", 1, &e));
    assert_false(assay_strongest_find(s, NULL, NULL, &e));
    assert_string_equal(e.message, "the histories are of different objects: queue in a, stack in standard input");
    assay_strongest_free(s);
}

static void strongest_levels_may_be_interrupted(void **state)
{
    (void)state;
    bool stop = true;
    assay_error e = {0};
    assay_strongest *s = assay_strongest_new(
        &(assay_options){ASSAY_OPTIONS_INIT, .interrupt = says, .interrupt_arg = &stop}, &e);
    assert_false(assay_strongest_add(s, load_text(plain_queue, NULL), "a", 0, &e));
    assert_int_equal(e.code, ASSAY_OK);
    assert_int_equal(assay_strongest_histories(s), 0);
    assay_strongest_free(s);
}

static void what_does_not_apply_is_an_error_of_its_rung(void **state)
{
    (void)state;
    assay_history *h = load_text("t0: write(x, 1)\nt1: write(x, 1)\nt1: read(x) => 1\n", NULL);
    assay_error e = {0};
    assay_grading *g = assay_grade(h, NULL, &e);
    assert_non_null(g);
    assert_int_equal(e.code, ASSAY_OK);
    unsigned refused = 0;
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (assay_grading_error(g, i) && assay_grading_error(g, i)->code == ASSAY_ERROR_NOT_APPLICABLE)
            refused++;
    assert_true(refused >= 3);
    assay_grading_free(g);
    assay_history_free(h);
    h = load_text("t0: frobnicate(1)\n", NULL);
    assert_null(assay_grade(h, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assay_history_free(h);
}

static void no_model_means_the_strongest(void **state)
{
    (void)state;
    assay_history *h = load_text("t0: write(x, 1)\nt1: read(x) => 1\n", NULL);
    assay_result *r = check(h, NULL, NULL);
    for (size_t i = 0; i < assay_family_size(ASSAY_MODELS); i++) {
        const char *model = assay_family_member(ASSAY_MODELS, i).name;
        if (strcmp(model, assay_result_model(r)) != 0 && strcmp(model, "lin") != 0) /* which needs real time */
            assert_false(assay_model_implies(model, assay_result_model(r)));
    }
    assay_result_free(r);
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grading_goes_through_all_models),
        cmocka_unit_test(levels_by_method_are_for_models_of_visibility),
        cmocka_unit_test(strongest_levels_are_those_of_all_histories),
        cmocka_unit_test(strongest_levels_are_of_one_object),
        cmocka_unit_test(strongest_levels_may_be_interrupted),
        cmocka_unit_test(what_does_not_apply_is_an_error_of_its_rung),
        cmocka_unit_test(no_model_means_the_strongest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
