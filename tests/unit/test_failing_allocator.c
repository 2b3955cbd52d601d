/* SPDX-License-Identifier: Apache-2.0 */
/* Out of memory at every possible place: the n-th allocation of the whole way from text to report fails,
 * for n = 0, 1, 2, ... until a run gets through. Each run must end in a clean error or in `undecided`;
 * built with the address sanitizer, it must also leave nothing behind. */
#include "base/mem.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "# @init x=7\n"
                           "t0: write(z, 1)\n"
                           "t0: write(x, 1)\n"
                           "t0: write(y, \"a string\")\n"
                           "t1: write(x, 2)\n"
                           "t1: read(z) => 0\n"
                           "t1: read(y) => \"a string\"\n"
                           "t1: read(x) => 2\n";

/* What each stage returns: did it get through? If not, an error must say why. */
static bool through(bool ok, const assay_error *e)
{
    if (!ok) {
        assert_int_equal(e->code, ASSAY_ERROR_RESOURCE);
        assert_true(e->message[0] != '\0');
    }
    return ok;
}

static bool recheck_line(const assay_history *h, const char *line)
{
    uint32_t index;
    assay_error e = {0};
    return through(assay_recheck(h, line, &index, &e), &e);
}

static bool prove(const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t n;
    FILE *out = open_memstream(&line, &n);
    assert_non_null(out);
    bool ok = assay_result_write_evidence(r, 0, out);
    fclose(out);
    ok = ok && recheck_line(h, line);
    free(line);
    return ok;
}

static bool show(const assay_result *r)
{
    char *shown = NULL;
    size_t n;
    bool ok = true;
    FILE *out = open_memstream(&shown, &n);
    assert_non_null(out);
    for (size_t i = 0; i < assay_family_size(ASSAY_REPORTS) && ok; i++) {
        assay_error e = {0};
        assay_report_options options = {.file = "a.hist", .explain = true};
        const char *report = assay_family_member(ASSAY_REPORTS, i).name;
        ok = through(assay_result_report(r, report, &options, out, &e), &e);
    }
    fclose(out);
    free(shown);
    return ok;
}

static bool shrink(const assay_result *r)
{
    assay_error e = {0};
    assay_history *smaller = assay_shrink(r, NULL, NULL, &e);
    bool ok = through(smaller, &e);
    assay_history_free(smaller);
    return ok;
}

static bool check(const assay_history *h, const char *model, const char *engine)
{
    assay_error e = {0};
    assay_options options = {.evidence = true, .engine = engine};
    assay_result *r = assay_check(h, model, &options, &e);
    bool ok = through(r, &e) && assay_result_verdict(r) != ASSAY_UNDECIDED && show(r);
    if (ok && strcmp(engine, "clock") == 0)
        ok = prove(h, r) && (assay_result_verdict(r) != ASSAY_VIOLATION || shrink(r));
    assay_result_free(r);
    return ok;
}

static bool grade(const assay_history *h)
{
    assay_error e = {0};
    assay_grading *g = assay_grade(h, NULL, &e);
    bool ok = through(g, &e);
    for (size_t i = 0; ok && i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        ok = r && assay_result_verdict(r) != ASSAY_UNDECIDED;
    }
    assay_grading_free(g);
    return ok;
}

static bool convert(const assay_history *h, const char *format)
{
    char *written = NULL;
    size_t n;
    assay_error e = {0};
    FILE *out = open_memstream(&written, &n);
    assert_non_null(out);
    bool ok = through(assay_history_write(h, format, 0, out, &e), &e);
    fclose(out);
    free(written);
    return ok;
}

/* The whole way; false as soon as something does not get through. */
static bool go(void)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    bool ok = through(h, &e);
    for (size_t i = 0; ok && i < assay_family_size(ASSAY_MODELS); i++) {
        const char *model = assay_family_member(ASSAY_MODELS, i).name;
        ok = check(h, model, "clock") && check(h, model, "brute");
    }
    ok = ok && grade(h) && convert(h, "hist") && convert(h, "datalog");
    assay_history_free(h);
    return ok;
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
#ifndef ASSAY_FAILING_ALLOCATOR
    print_message("needs a build with ASSAY_FAILING_ALLOCATOR\n");
    skip();
#endif
    long n = 0;
    bool done = false;
    for (; !done; n++) {
        assert_true(n < 1000000);
        mem_fail_after(n);
        done = go();
        mem_fail_after(-1);
    }
    print_message("%ld allocations, each failed once\n", n - 1);
}

static void without_failures_it_gets_through(void **state)
{
    (void)state;
    mem_fail_after(-1);
    assert_true(go());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_failures_it_gets_through),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
