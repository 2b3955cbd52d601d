/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking leaves a violation that has nothing to cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/checked.h"
#include "support/generate.h"
#include "support/load.h"

static bool violates(const assay_history *h, const char *model)
{
    assay_result *r = check(h, model, NULL);
    bool yes = assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    return yes;
}

static bool has_pattern(const assay_history *h, const char *model, const char *pattern)
{
    assay_result *r = check(h, model, NULL);
    bool yes = assay_result_verdict(r) == ASSAY_VIOLATION && strcmp(assay_result_pattern(r), pattern) == 0;
    assay_result_free(r);
    return yes;
}

/* Operations of the history without `gone`, and without those that read what is gone. */
static void cut(const assay_history *h, uint32_t gone, bool *keep)
{
    uint32_t n = assay_history_size(h);
    memset(keep, true, n);
    keep[gone] = false;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t r = 0; r < n; r++)
            for (uint32_t w = 0; w < n && keep[r]; w++) {
                assay_operation reader = assay_history_operation(h, r), writer = assay_history_operation(h, w);
                bool reads = strcmp(reader.method, "read") == 0, rmw = strcmp(reader.method, "rmw") == 0;
                if (keep[w] || strcmp(writer.method, "read") == 0 || !(reads || rmw) ||
                    strcmp(assay_history_arg(h, r, 0).text, assay_history_arg(h, w, 0).text) != 0)
                    continue;
                int64_t value = reads ? reader.result.integer : assay_history_arg(h, r, 1).integer;
                int64_t written = assay_history_arg(h, w, writer.arg_count - 1).integer;
                if (value == written) {
                    keep[r] = false;
                    again = true;
                }
            }
    }
}

static void check_shrunk(const assay_history *h, const char *model)
{
    assay_result *r = check(h, model, NULL);
    uint32_t *kept = calloc(assay_history_size(h), sizeof *kept);
    bool keep[64];
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    assert_non_null(small);
    assert_true(has_pattern(small, model, assay_result_pattern(r)));
    uint32_t n = assay_history_size(small);
    assert_in_range(n, 1, 60);
    for (uint32_t i = 0; i < n; i++) {
        char mine[80], original[80];
        assay_history_print(small, i, mine, sizeof mine);
        assay_history_print(h, kept[i], original, sizeof original);
        assert_string_equal(mine, original);
        assert_true(i == 0 || kept[i] > kept[i - 1]);
        cut(small, i, keep);
        assay_history *smaller = assay_history_slice(small, keep);
        assert_false(has_pattern(smaller, model, assay_result_pattern(r))); /* nothing more can be cut */
        assay_history_free(smaller);
    }
    free(kept);
    assay_history_free(small);
    assay_result_free(r);
}

static void shrinking_leaves_nothing_to_cut(void **state)
{
    (void)state;
    static const char *const models[] = {"cc", "ccv", "cm"};
    struct rng rng = {12};
    int shrunk[3] = {0};
    for (int round = 0; round < 60; round++) {
        struct recipe r = {.memory = round % 2 ? MEMORY_ALLOWED : MEMORY_REPLICAS,
                           .n = 150,
                           .threads = 4,
                           .vars = 5,
                           .writes = 50,
                           .rmws = round % 3 * 10,
                           .changed = round % 5,
                           .delivered = 20};
        struct sketch s = generate(&r, &rng);
        assay_history *h = sketch_build(&s);
        for (int m = 0; m < 3; m++)
            if (violates(h, models[m])) {
                check_shrunk(h, models[m]);
                shrunk[m]++;
            }
        assay_history_free(h);
        sketch_free(&s);
    }
    assert_true(shrunk[0] > 10 && shrunk[1] > 20 && shrunk[2] > 20);
}

static void only_violations_are_shrunk(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_result *r = check(h, "cc", NULL);
    assay_error e = {0};
    assert_null(assay_shrink(r, NULL, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assay_result_free(r);
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shrinking_leaves_nothing_to_cut),
        cmocka_unit_test(only_violations_are_shrunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
