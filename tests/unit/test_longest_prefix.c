/* SPDX-License-Identifier: Apache-2.0 */
/* The longest linearizable prefix: found within the looks that are allowed, and the same each time, however long the
 * time on a clock. A result is explained once, so each page needs one of its own. */
#include "explain/longest_prefix.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char stale_read[] = "# @object cas-register\n"
                                 "a: write(1) @ 0..10\n"
                                 "b: write(2) @ 5..15\n"
                                 "a: read() => 2 @ 20..30\n"
                                 "b: cas(2, 3) => true @ 22..40\n"
                                 "a: read() => 1 @ 50..60\n";

static char *page_of(const assay_history *h)
{
    assay_options checked = {ASSAY_OPTIONS_INIT, .engine = "wgl", .evidence = true};
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = "x", .checked = &checked};
    assay_error e = {0};
    assay_result *r = assay_check(h, "lin", &checked, &e);
    assert_non_null(r);
    assert_int_equal(assay_result_verdict(r), ASSAY_VIOLATION);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(assay_result_report(r, "html", &options, out, &e));
    fclose(out);
    assay_result_free(r);
    return text;
}

static void test_looks(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_history *h = load_text(stale_read, &e);
    uint64_t usual = longest_prefix_looks;
    char *first = page_of(h), *second = page_of(h);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "\"unexplained\":4"));
    longest_prefix_looks = 0;
    char *none = page_of(h);
    longest_prefix_looks = usual;
    assert_null(strstr(none, "\"unexplained\":"));
    free(first);
    free(second);
    free(none);
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
