/* SPDX-License-Identifier: Apache-2.0 */
/* Every public function, with NULL for each handle and each required argument: an error where it can report one, else a
 * value that says nothing, and never a crash. cli.headers fails if one of include/ is missing here. */
#include "assay.h"
#include "assay_monitor.h"
#include "assay_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The call, which takes &e, reports an error. */
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        e = (assay_error){0};                                                                                          \
        assert_true(call);                                                                                             \
        if (!e.code || !*e.message)                                                                                    \
            fail_msg("no error: %s", #call);                                                                           \
    } while (0)

/* All bytes of the struct are 0. */
#define EMPTY(type, call)                                                                                              \
    do {                                                                                                               \
        type zero, got;                                                                                                \
        memset(&zero, 0, sizeof zero);                                                                                 \
        memset(&got, 0, sizeof got);                                                                                   \
        got = call;                                                                                                    \
        assert_memory_equal(&zero, &got, sizeof zero);                                                                 \
    } while (0)

static void test_null(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_value none = {0};
    assert_non_null(assay_version());
    assert_int_equal(assay_int(0).kind, ASSAY_INT);
    EMPTY(assay_value, assay_word(NULL));
    EMPTY(assay_value, assay_string(NULL, 1));
    assert_int_equal(assay_string(NULL, 0).kind, ASSAY_STRING);
    EMPTY(assay_value, assay_list(NULL, 1));
    assert_int_equal(assay_list(NULL, 0).kind, ASSAY_LIST);
    EMPTY(assay_value, assay_list_last(none));
    EMPTY(assay_value, assay_list_before(none));
    assay_history_free(assay_history_new());
    assay_history_free(NULL);
    REFUSED(assay_history_add(NULL, NULL, &e) == ASSAY_NO_OPERATION);
    REFUSED(!assay_history_set(NULL, NULL, NULL, &e));
    assert_null(assay_history_warning(NULL));
    assert_null(assay_history_unended(NULL));
    assert_null(assay_history_get(NULL, NULL));
    assert_true(assay_history_size(NULL) == 0);
    assert_true(assay_history_threads(NULL) == 0);
    assert_null(assay_history_thread_name(NULL, 0));
    EMPTY(assay_operation, assay_history_operation(NULL, 0));
    EMPTY(assay_value, assay_history_arg(NULL, 0, 0));
    assert_true(assay_history_print(NULL, 0, NULL, 0) == 0);
    assay_history_digest(NULL, NULL);
    assert_null(assay_history_slice(NULL, NULL));
    REFUSED(!assay_reader_open(NULL, NULL, &e));
    REFUSED(!assay_reader_open_within(NULL, NULL, 0, &e));
    REFUSED(!assay_reader_open_memory(NULL, NULL, 0, NULL, &e));
    REFUSED(!assay_reader_next(NULL, &e));
    assert_null(assay_reader_warning(NULL, 0));
    assert_null(assay_reader_format(NULL));
    assay_reader_close(NULL);
    REFUSED(!assay_history_write(NULL, NULL, 0, NULL, &e));
    assert_non_null(assay_verdict_name(ASSAY_CONSISTENT));
    REFUSED(!assay_check(NULL, NULL, NULL, &e));
    assay_result_free(NULL);
    REFUSED(!assay_checker_new(NULL, NULL, &e));
    REFUSED(!assay_checker_run(NULL, NULL, &e));
    assay_checker_free(NULL);
    assert_int_equal(assay_result_verdict(NULL), ASSAY_UNDECIDED);
    assert_null(assay_result_model(NULL));
    assert_null(assay_result_inferred(NULL));
    assert_null(assay_result_object(NULL));
    assert_null(assay_result_engine(NULL));
    assert_true(assay_result_seconds(NULL) == 0);
    assert_true(assay_result_bytes(NULL) == 0);
    assert_null(assay_result_undecided(NULL));
    assert_null(assay_result_pattern(NULL));
    assert_null(assay_result_vacuous(NULL));
    assert_true(assay_result_statistic(NULL, 0, NULL, NULL) == 0);
    REFUSED(!assay_grade(NULL, NULL, &e));
    assay_grading_free(NULL);
    assert_true(assay_grading_size(NULL) == 0);
    assert_null(assay_grading_model(NULL, 0));
    assert_null(assay_grading_result(NULL, 0));
    assert_null(assay_grading_error(NULL, 0));
    assay_strongest_free(assay_strongest_new(NULL, &e)); /* options may be NULL */
    assay_strongest_free(NULL);
    REFUSED(!assay_strongest_add(NULL, NULL, NULL, 0, &e));
    REFUSED(!assay_strongest_find(NULL, NULL, NULL, &e));
    assert_true(assay_strongest_histories(NULL) == 0);
    assert_null(assay_strongest_object(NULL));
    EMPTY(assay_obstacle, assay_strongest_base(NULL));
    assert_true(assay_strongest_methods(NULL) == 0);
    EMPTY(assay_method_level, assay_strongest_method(NULL, 0));
    assert_true(assay_result_orders(NULL) == 0);
    EMPTY(assay_order, assay_result_order(NULL, 0));
    assert_non_null(assay_rule_name(ASSAY_PO));
    assert_true(assay_result_cycle(NULL, NULL) == 0);
    assert_true(assay_result_reasons(NULL) == 0);
    EMPTY(assay_reason, assay_result_reason(NULL, 0));
    assert_true(assay_result_culprit(NULL) == ASSAY_NO_OPERATION);
    assert_true(assay_result_lemmas(NULL) == 0);
    assert_true(assay_result_lemma(NULL, 0, NULL) == 0);
    assert_true(assay_result_learned(NULL) == 0);
    assert_true(assay_result_learned_at(NULL, 0, NULL) == 0);
    assert_true(assay_result_closed(NULL, NULL) == 0);
    assert_true(assay_result_sources(NULL, NULL) == 0);
    assert_true(assay_result_source_accesses(NULL, NULL) == 0);
    assert_true(assay_result_visible(NULL, NULL) == 0);
    assert_false(assay_result_proved(NULL));
    assert_false(assay_result_write_evidence(NULL, 0, NULL));
    assert_false(assay_result_write_evidence_of(NULL, NULL, 0, NULL));
    REFUSED(!assay_recheck(NULL, NULL, NULL, &e));
    REFUSED(!assay_recheck_with(NULL, NULL, NULL, NULL, NULL, &e));
    REFUSED(!assay_evidence_claim(NULL, NULL, NULL, &e));
    REFUSED(!assay_kernel_of(NULL, NULL, &e));
    REFUSED(!assay_kernel_of_model(NULL, NULL, NULL, &e));
    assay_kernel_free(NULL);
    assert_null(assay_kernel_model(NULL));
    assert_true(assay_kernel_size(NULL) == 0);
    EMPTY(assay_kernel_pair, assay_kernel_at(NULL, 0));
    assert_true(assay_kernel_write_pairs(NULL) == 0);
    assert_true(assay_kernel_open_pairs(NULL) == 0);
    REFUSED(!assay_stale(NULL, NULL, &e));
    assay_staleness_free(assay_staleness_sum(NULL, 0, &e)); /* the sum of none */
    assay_staleness_free(NULL);
    assert_true(assay_staleness_histories(NULL) == 0);
    assert_true(assay_staleness_reads(NULL) == 0);
    assert_true(assay_staleness_unexplained(NULL) == 0);
    assert_false(assay_staleness_in_nanoseconds(NULL));
    EMPTY(assay_behind, assay_staleness_percentile(NULL, 0));
    assert_true(assay_staleness_between(NULL, 0, 0) == 0);
    assert_true(assay_staleness_stale(NULL) == 0);
    EMPTY(assay_stale_read, assay_staleness_read(NULL, 0));
    assert_true(assay_staleness_longest(NULL) == 0);
    assert_true(assay_staleness_groups(NULL, ASSAY_BY_NODE) == 0);
    EMPTY(assay_stale_group, assay_staleness_group(NULL, ASSAY_BY_NODE, 0));
    assay_show(NULL, 0, NULL, NULL);
    assay_wrap(NULL, 0, 0, NULL);
    REFUSED(!assay_result_report(NULL, NULL, NULL, NULL, &e));
    REFUSED(!assay_shrink(NULL, NULL, NULL, &e));
    assert_non_null(assay_family_name(ASSAY_MODELS));
    assert_true(assay_family_size(ASSAY_MODELS) > 0);
    assert_non_null(assay_family_member(ASSAY_MODELS, 0).name);
    assert_false(assay_model_implies(NULL, NULL));
    assert_null(assay_model_meant(NULL, NULL));
    assert_true(assay_misspelt(NULL, NULL) == SIZE_MAX);
    assert_null(assay_model_nearest(NULL, NULL));
    assert_non_null(assay_model_name_at(0).name);
    assert_null(assay_explain(NULL, 0).kind);
    assert_non_null(assay_explained_at(0).kind);
    assert_null(assay_format_by_name(NULL));
    assert_false(assay_file_is_history(NULL));
    assert_false(assay_file_is_part(NULL));
    assert_null(assay_memory_get(NULL, 0));
    assert_null(assay_memory_resize(NULL, NULL, 0));
    assay_memory_free(NULL, NULL);
    assert_true(assay_value_same(none, none));
    assay_digest(NULL, 0, NULL);
    REFUSED(!assay_theory_load(NULL, &e));
    REFUSED(!assay_spec_try(NULL, 1, 1, NULL, &e));
    REFUSED(!assay_theory_parse(NULL, NULL, 0, &e));
    (void)assay_theory_name(0);
    assert_false(assay_theory_write(0, NULL));
    REFUSED(!assay_spec_load(NULL, &e));
    assay_monitor_close(assay_monitor_open(NULL, NULL, &e)); /* both may be NULL */
    assay_monitor_close(NULL);
    assay_monitor_call(NULL, 0, NULL, NULL, 0);
    assay_monitor_return(NULL, 0, none);
    REFUSED(!assay_monitor_feed(NULL, NULL, 0, &e));
    REFUSED(!assay_monitor_flush(NULL, &e));
    REFUSED(!assay_monitor_gap(NULL, &e));
    REFUSED(!assay_monitor_end(NULL, &e));
    REFUSED(!assay_monitor_save(NULL, NULL, NULL, &e));
    REFUSED(!assay_monitor_load(NULL, NULL, 0, &e));
    assert_int_equal(assay_monitor_verdict(NULL), ASSAY_UNDECIDED);
    assert_null(assay_monitor_undecided(NULL));
    assert_null(assay_monitor_first(NULL));
    assert_false(assay_monitor_print(NULL, NULL));
    assert_false(assay_monitor_violation_print(NULL, NULL, NULL));
    assert_false(assay_monitor_violation_report(NULL, NULL, NULL));
    EMPTY(assay_monitor_stats, assay_monitor_statistics(NULL));
    EMPTY(assay_monitor_use, assay_monitor_used(NULL, 0));
    REFUSED(!assay_stream_open(NULL, &e));
    assert_int_equal(assay_stream_descriptor(NULL), -1);
    REFUSED(!assay_stream_read(NULL, NULL, 0, NULL, &e));
    assay_stream_close(NULL);
}

/* A handle, and NULL for what else a call needs. */
static void test_null_arguments(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_history *h = assay_history_new();
    assay_result *r = assay_check(h, "lin", NULL, &e);
    assay_grading *g = assay_grade(h, NULL, &e);
    assay_monitor *m = assay_monitor_open("queue", NULL, &e);
    assert_true(h && r && g && m);
    REFUSED(assay_history_add(h, NULL, &e) == ASSAY_NO_OPERATION);
    REFUSED(assay_history_add(h, &(assay_operation){0}, &e) == ASSAY_NO_OPERATION);
    assay_operation words = {.thread = "t", .method = "write", .args = NULL, .arg_count = 2};
    REFUSED(assay_history_add(h, &words, &e) == ASSAY_NO_OPERATION);
    assay_value absent[] = {{ASSAY_WORD, 0, NULL, 3}, {ASSAY_STRING, 0, NULL, 3}};
    for (int i = 0; i < 2; i++) {
        assay_operation one = {.thread = "t", .method = "write", .args = &absent[i], .arg_count = 1};
        REFUSED(assay_history_add(h, &one, &e) == ASSAY_NO_OPERATION);
    }
    REFUSED(!assay_history_set(h, NULL, "x=1", &e));
    REFUSED(!assay_history_set(h, "init", NULL, &e));
    assert_null(assay_history_get(h, NULL));
    assay_history_digest(h, NULL);
    assert_null(assay_history_slice(h, NULL));
    REFUSED(!assay_history_write(h, NULL, 0, stdout, &e));
    REFUSED(!assay_history_write(h, "hist", 0, NULL, &e));
    REFUSED(!assay_kernel_of_model(h, NULL, NULL, &e));
    REFUSED(!assay_recheck(h, NULL, NULL, &e));
    REFUSED(!assay_result_report(r, NULL, NULL, stdout, &e));
    REFUSED(!assay_result_report(r, "text", NULL, NULL, &e));
    assert_false(assay_result_write_evidence(r, 0, NULL));
    assert_true(assay_result_cycle(r, NULL) == 0);
    REFUSED(!assay_monitor_feed(m, NULL, 3, &e));
    assert_false(assay_monitor_print(m, NULL));
    assay_monitor_call(m, 1, NULL, NULL, 0);
    assay_monitor_call(m, 2, "enq", NULL, 1);
    assay_monitor_close(m);
    assay_grading_free(g);
    assay_result_free(r);
    assay_history_free(h);
}

static assay_history *memory_of_one_write(void)
{
    assay_error e = {0};
    assay_history *h = assay_history_new();
    assay_value args[] = {assay_word("x"), assay_int(1)};
    assay_operation write = {.thread = "t", .method = "write", .args = args, .arg_count = 2};
    assert_true(assay_history_add(h, &write, &e) == 0);
    assert_true(assay_history_set(h, "object", "memory", &e));
    return h;
}

/* NULL among the handles of an array: a result that could not be had, as assay_grading_result returns it. */
static void test_null_in_arrays(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_history *h = memory_of_one_write();
    assay_result *r = assay_check(h, "cc", NULL, &e);
    assert_non_null(r);
    const assay_result *others[] = {NULL, r, NULL};
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .others = others, .other_count = 3};
    FILE *out = tmpfile();
    assert_true(assay_result_report(r, "html", &options, out, &e));
    options.others = NULL;
    REFUSED(!assay_result_report(r, "html", &options, out, &e));
    fclose(out);
    const assay_staleness *parts[] = {NULL};
    REFUSED(!assay_staleness_sum(parts, 1, &e));
    assay_result_free(r);
    assay_history_free(h);
}

static void *create_one(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)setting, (void)key;
    return assay_memory_get(m, 1);
}

/* A specification without a name, methods, or a hook that belongs to its others. */
static void test_null_in_specifications(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_history *h = memory_of_one_write();
    static const assay_method methods[] = {{"write", "write(x, v)", 0, 2, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL}, {0}};
    const assay_spec no_methods = {.version = ASSAY_SPEC_VERSION, .name = "mine", .title = "mine"};
    const assay_spec no_name = {.version = ASSAY_SPEC_VERSION, .title = "mine", .methods = methods};
    assay_spec no_step = {.version = ASSAY_SPEC_VERSION, .name = "mine", .title = "mine", .methods = methods};
    no_step.create = create_one;
    const assay_spec *broken[] = {&no_methods, &no_name, &no_step};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        assay_options options = {ASSAY_OPTIONS_INIT, .spec = broken[i]};
        assay_monitor_options monitored = {ASSAY_MONITOR_OPTIONS_INIT, .spec = broken[i]};
        REFUSED(!assay_check(h, "sc-object", &options, &e));
        REFUSED(!assay_stale(h, &options, &e));
        REFUSED(!assay_monitor_open(NULL, &monitored, &e));
        REFUSED(!assay_spec_try(broken[i], 1, 1, NULL, &e));
    }
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_null), cmocka_unit_test(test_null_arguments),
                                       cmocka_unit_test(test_null_in_arrays),
                                       cmocka_unit_test(test_null_in_specifications)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
