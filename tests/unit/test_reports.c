/* SPDX-License-Identifier: Apache-2.0 */
/* Reports are functions of the result: once it is explained, all of them write the same again while nothing can be
 * checked, in whichever order they come. */
#include "check/applies.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Every check comes through here (the linker's --wrap). */
bool __real_applies_model(struct checker *c, const struct model *m, enum escape *left, assay_error *e);
bool __wrap_applies_model(struct checker *c, const struct model *m, enum escape *left, assay_error *e);

static bool closed;
static unsigned checks;

bool __wrap_applies_model(struct checker *c, const struct model *m, enum escape *left, assay_error *e)
{
    checks++;
    if (closed)
        fail_msg("a report has checked %s", m->name);
    return __real_applies_model(c, m, left, e);
}

static const struct {
    const char *model, *engine, *text;
} cases[] = {
    /* the longest prefix, the call at fault */
    {"lin", "wgl",
     "# @object cas-register\na: write(1) @ 0..10\nb: write(2) @ 5..15\na: read() => 2 @ 20..30\n"
     "b: cas(2, 3) => true @ 22..40\na: read() => 1 @ 50..60\n"},
    /* a loss and an argument */
    {"lin", NULL,
     "# @object bounded-queue(2)\na: enq(1) => ok @ 0..1\na: enq(2) => ok @ 2..3\nb: enq(9) => full @ 2..9\n"
     "a: enq(3) => full @ 4..5\na: deq() => 1 @ 6..7\na: peek() => 1 @ 8..9\n"},
    {"lin", NULL, "# @object set\na: add(1) => true @ 0..1\nb: contains(1) => false @ 2..3\n"},
    /* an initial value that was not recorded */
    {"sc", NULL, "a: read(x) => 7\na: write(x, 1)\nb: read(x) => 7\nb: read(x) => 1\n"},
    {"sc", NULL, "a: write(x, 1)\na: read(y) => 0\nb: write(y, 1)\nb: read(x) => 0\n"},
    /* a story */
    {"ser", NULL, "a: txn(r x 0, w y 1)\nb: txn(r y 0, w x 1)\n"},
    /* views */
    {"monotonic-reads", NULL,
     "# @object register\nt0: write(1) @ 0..1\nt0: write(2) @ 2..3\nt1: read() => 2 @ 4..5\nt1: read() => 1 @ 6..7\n"},
    {"lin", NULL, "# @object queue\na: enq(1) @ 0..1\na: deq() => 1 @ 2..3\n"},
};

static char *written(const assay_result *r, const char *report, const assay_options *checked)
{
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = "h.hist", .explain = true, .checked = checked};
    assay_error e = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(assay_result_report(r, report, &options, out, &e));
    fclose(out);
    return text;
}

static void write_again(const assay_result *r, const assay_options *checked)
{
    enum { MOST_REPORTS = 32 };
    char *first[MOST_REPORTS];
    size_t n = assay_family_size(ASSAY_REPORTS);
    assert_in_range(n, 1, MOST_REPORTS);
    for (size_t i = 0; i < n; i++)
        first[i] = written(r, assay_family_member(ASSAY_REPORTS, i).name, checked);
    closed = true;
    for (size_t i = n; i-- > 0;) {
        char *again = written(r, assay_family_member(ASSAY_REPORTS, i).name, checked),
             *alone = written(r, assay_family_member(ASSAY_REPORTS, i).name, NULL);
        assert_string_equal(first[i], again);
        assert_string_equal(first[i], alone);
        free(again);
        free(alone);
        free(first[i]);
    }
    closed = false;
}

static void test_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_options options = {ASSAY_OPTIONS_INIT, .engine = cases[i].engine, .evidence = true};
        assay_error e = {0};
        assay_history *h = load_text(cases[i].text, &e);
        assay_result *r = assay_check(h, cases[i].model, &options, &e);
        assert_non_null(r);
        unsigned before = checks;
        write_again(r, &options);
        if (i == 0) /* else the linker has not put the guard there */
            assert_in_range(checks, before + 1, UINT32_MAX);
        assay_result_free(r);
        assay_history_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
