/* SPDX-License-Identifier: Apache-2.0 */
/* Staleness through the public interface: a history built in memory, its numbers, sums, and the refusals. The definition
 * itself is tried by tests/oracle/staleness. */
#include "assay.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void add(assay_history *h, const char *thread, const char *method, int64_t value, int64_t call, int64_t ret)
{
    bool writes = strcmp(method, "write") == 0;
    assay_value args[] = {assay_word("x"), assay_int(value)};
    assay_operation op = {.thread = thread,
                          .method = method,
                          .args = args,
                          .arg_count = writes ? 2 : 1,
                          .result = writes ? (assay_value){0} : assay_int(value),
                          .timed = true,
                          .call_time = call,
                          .return_time = ret};
    assay_error e = {0};
    assert_int_not_equal(assay_history_add(h, &op, &e), ASSAY_NO_OPERATION);
}

/* As a program has it that records and measures: no file, no lines. The headers may come last. */
static assay_history *built(const char *clock)
{
    assay_history *h = assay_history_new();
    assay_error e = {0};
    add(h, "s0", "write", 1, 0, 10);
    add(h, "s0", "write", 2, 20, 30);
    add(h, "s0", "write", 3, 40, 50);
    add(h, "s1", "read", 1, 60, 70);
    add(h, "s1", "read", 3, 70, 80);
    add(h, "s1", "read", 0, 90, 95);
    add(h, "s1", "read", 7, 95, 99);
    assert_true(!clock || assay_history_set(h, "clock", clock, &e));
    assert_true(assay_history_set(h, "nodes", "s0=1 s1=2", &e));
    assert_null(assay_history_warning(h));
    return h;
}

static assay_staleness *of(assay_history *h)
{
    assay_error e = {0};
    assay_staleness *s = assay_stale(h, NULL, &e);
    assert_non_null(s);
    assay_history_free(h); /* it is not needed any more */
    return s;
}

static void numbers(void **state)
{
    (void)state;
    assay_staleness *s = of(built("us"));
    assert_int_equal(assay_staleness_histories(s), 1);
    assert_int_equal(assay_staleness_reads(s), 3);
    assert_int_equal(assay_staleness_unexplained(s), 1);
    assert_int_equal(assay_staleness_stale(s), 2);
    assert_true(assay_staleness_in_nanoseconds(s));
    assay_stale_read worst = assay_staleness_read(s, 0);
    assert_int_equal(worst.operation, 5);
    assert_int_equal(worst.line, 0);
    assert_int_equal(worst.source, ASSAY_NO_OPERATION);
    assert_int_equal(worst.earliest, 0);
    assert_int_equal(worst.newest, 2);
    assert_int_equal(worst.versions, 3);
    assert_int_equal(worst.time, 80000);
    assay_stale_read next = assay_staleness_read(s, 1);
    assert_int_equal(next.operation, 3);
    assert_int_equal(next.source, 0);
    assert_int_equal(next.earliest, 1);
    assert_int_equal(next.versions, 2);
    assert_int_equal(next.time, 30000);
    assert_int_equal(assay_staleness_percentile(s, 500).versions, 2);
    assert_int_equal(assay_staleness_percentile(s, 333).versions, 0);
    assert_int_equal(assay_staleness_percentile(s, 5000).time, 80000);
    assert_int_equal(assay_staleness_between(s, 0, 2), 2);
    assert_int_equal(assay_staleness_between(s, 0, UINT64_MAX), 3);
    assert_int_equal(assay_staleness_between(s, 3, 2), 0);
    assert_int_equal(assay_staleness_groups(s, ASSAY_BY_NODE), 2);
    assert_string_equal(assay_staleness_group(s, ASSAY_BY_NODE, 1).name, "2");
    assert_int_equal(assay_staleness_group(s, ASSAY_BY_NODE, 1).reads, 3);
    assert_int_equal(assay_staleness_group(s, ASSAY_BY_SESSION, 0).reads, 0);
    assay_staleness_free(s);
}

static void sums(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_staleness *parts[] = {of(built("ms")), of(built("ns")), of(built(NULL))};
    const assay_staleness *const *all = (const assay_staleness *const *)parts;
    assay_staleness *nothing = assay_staleness_sum(NULL, 0, &e), *sum = assay_staleness_sum(all, 2, &e);
    assert_int_equal(assay_staleness_reads(nothing), 0);
    assert_int_equal(assay_staleness_reads(sum), 6);
    assert_int_equal(assay_staleness_stale(sum), 4);
    assert_int_equal(assay_staleness_read(sum, 0).history, 0);
    assert_int_equal(assay_staleness_read(sum, 0).time, 80000000);
    assert_int_equal(assay_staleness_read(sum, 1).history, 1);
    assert_int_equal(assay_staleness_groups(sum, ASSAY_BY_SESSION), 2);
    assert_int_equal(assay_staleness_group(sum, ASSAY_BY_SESSION, 1).stale, 4);
    const assay_staleness *again[] = {nothing, sum, sum};
    assay_staleness *both = assay_staleness_sum(again, 3, &e);
    assert_int_equal(assay_staleness_histories(both), 4);
    assert_int_equal(assay_staleness_reads(both), 12);
    assert_int_equal(assay_staleness_read(both, 7).history, 3);
    assert_null(assay_staleness_sum(all, 3, &e));
    assert_int_equal(e.code, ASSAY_ERROR_NOT_APPLICABLE);
    assert_non_null(strstr(e.message, "unit of their times"));
    for (int i = 0; i < 3; i++)
        assay_staleness_free(parts[i]);
    assay_staleness_free(nothing);
    assay_staleness_free(sum);
    assay_staleness_free(both);
}

/* Times at both ends of their range, and a unit that is too coarse for nanoseconds. */
static void far_apart(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    add(h, "a", "write", 1, INT64_MIN, INT64_MIN);
    add(h, "a", "read", 0, INT64_MAX, INT64_MAX);
    assert_true(assay_history_set(h, "clock", "s", &e));
    assay_staleness *s = of(h);
    assert_int_equal(assay_staleness_read(s, 0).versions, 1);
    assert_true(assay_staleness_read(s, 0).time == UINT64_MAX);
    assay_staleness_free(s);
}

static bool always(void *arg)
{
    (void)arg;
    return true;
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        assay_error_code code;
    } cases[] = {
        {"t0: write(x, 1)\n", "no real time", ASSAY_ERROR_NOT_APPLICABLE},
        {"t0: write(x, 1)\nt1: read(x) => 1 @ after t0:1\n", "no times", ASSAY_ERROR_NOT_APPLICABLE},
        {"# @object queue\nt0: enq(1) @ 0..1\n", "the object queue is not read", ASSAY_ERROR_NOT_APPLICABLE},
        {"# @object a memory\n# @object b queue\nt0: a.write(x, 1) @ 0..1\nt0: b.enq(1) @ 2..3\n", "the object queue",
         ASSAY_ERROR_NOT_APPLICABLE},
        {"# @object memory\nt0: push(1) @ 0..1\n", "push", ASSAY_ERROR_INPUT},
        {"t0: txn(w x 1) @ 0..1\nt0: txn(append x 1) @ 2..3\n", "uses a variable as a list", ASSAY_ERROR_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_error e = {0};
        assay_history *h = load_text(cases[i].text, &e);
        assert_non_null(h);
        assert_null(assay_stale(h, NULL, &e));
        assert_int_equal(e.code, cases[i].code);
        assert_non_null(strstr(e.message, cases[i].message));
        assay_history_free(h);
    }
    assay_history *h = built(NULL);
    assay_error interrupted = {0}, small = {0};
    assert_null(assay_stale(h, &(assay_options){ASSAY_OPTIONS_INIT, .interrupt = always}, &interrupted));
    assert_int_equal(interrupted.code, ASSAY_ERROR_INTERRUPTED);
    assert_null(assay_stale(h, &(assay_options){ASSAY_OPTIONS_INIT, .memory = 64}, &small));
    assert_int_equal(small.code, ASSAY_ERROR_RESOURCE);
    assay_history_free(h);
}

/* A slice, and a history that is written and read again, keep the unit and the nodes. */
static void headers_stay(void **state)
{
    (void)state;
    assay_history *h = built("ms");
    bool keep[7] = {true, false, false, true, true, true, false};
    assay_history *slice = assay_history_slice(h, keep);
    assay_history_free(h);
    assay_staleness *s = of(slice);
    assert_true(assay_staleness_in_nanoseconds(s));
    assert_int_equal(assay_staleness_groups(s, ASSAY_BY_NODE), 2);
    assert_int_equal(assay_staleness_read(s, 0).time, 80000000);
    assay_staleness_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),  cmocka_unit_test(sums),         cmocka_unit_test(far_apart),
        cmocka_unit_test(refusals), cmocka_unit_test(headers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
