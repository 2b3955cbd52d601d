/* SPDX-License-Identifier: Apache-2.0 */
/* Collectors: both ends give the same history, seeds decide everything, and a simulated memory keeps
 * the model it promises. */
#include "collect/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct collect_settings memory_settings(const char *kind, uint64_t seed)
{
    const struct collector *c = collector_find("memory");
    struct collect_settings s = collect_defaults(c);
    assert_true(collect_set(c, &s, "kind", kind));
    assert_true(collect_set(c, &s, "threads", "8"));
    assert_true(collect_set(c, &s, "operations", "1000"));
    assert_true(collect_set(c, &s, "variables", "5"));
    s.seed = seed;
    return s;
}

/* The history after a detour over text. */
static assay_history *through_text(const struct collector *c, const struct collect_settings *s)
{
    char *text = NULL;
    size_t size = 0;
    assay_error e = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(collect_write(c, s, 0, out, &e));
    fclose(out);
    assay_reader *reader = assay_reader_open_memory("text", text, size, "hist", &e);
    assay_history *h = assay_reader_next(reader, &e);
    assay_reader_close(reader);
    free(text);
    assert_non_null(h);
    return h;
}

static void both_ends_agree(void **state)
{
    (void)state;
    const struct collector *c = collector_find("memory");
    for (const char *const *kind = c->parameters[0].words; *kind; kind++) {
        struct collect_settings s = memory_settings(*kind, 7);
        char direct[17], detour[17];
        assay_history *h = collect_history(c, &s, NULL), *again = through_text(c, &s);
        assert_non_null(h);
        assay_history_digest(h, direct);
        assay_history_digest(again, detour);
        assert_string_equal(direct, detour);
        assay_history_free(h);
        assay_history_free(again);
    }
}

/* How many of 50 seeds satisfy the model. */
static unsigned satisfied(const char *kind, const char *model)
{
    unsigned n = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct collect_settings s = memory_settings(kind, seed);
        assay_history *h = collect_history(collector_find("memory"), &s, NULL);
        assay_result *r = assay_check(h, model, NULL, NULL);
        assert_non_null(r);
        n += assay_result_verdict(r) == ASSAY_CONSISTENT;
        assay_result_free(r);
        assay_history_free(h);
    }
    return n;
}

static void memories_keep_their_model(void **state)
{
    (void)state;
    assert_int_equal(satisfied("causal", "cm"), 50);
    assert_int_equal(satisfied("convergent", "ccv"), 50);
    assert_int_equal(satisfied("sc", "cm"), 50);
    assert_int_equal(satisfied("sc", "ccv"), 50);
    /* And no more than that, or they would test nothing. */
    assert_true(satisfied("causal", "ccv") < 50);
    assert_true(satisfied("convergent", "cm") < 50);
    assert_int_equal(satisfied("random", "cc"), 0);
}

static uint32_t differences(const assay_history *a, const assay_history *b)
{
    uint32_t n = 0;
    for (uint32_t o = 0; o < assay_history_size(a); o++)
        n += assay_history_operation(a, o).result.integer !=
             assay_history_operation(b, o).result.integer;
    return n;
}

static void mutation_exchanges_so_many_results(void **state)
{
    (void)state;
    const struct collector *c = collector_find("memory");
    struct collect_settings s = memory_settings("sc", 3);
    assay_history *before = collect_history(c, &s, NULL);
    assert_true(collect_set(c, &s, "mutate", "17"));
    assay_history *after = collect_history(c, &s, NULL);
    assert_int_equal(differences(before, after), 17);
    assay_history_free(before);
    assay_history_free(after);
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    const struct collector *c = collector_find("memory");
    struct collect_settings s = collect_defaults(c);
    assert_false(collect_set(c, &s, "threads", "0"));
    assert_false(collect_set(c, &s, "reads", "101"));
    assert_false(collect_set(c, &s, "kind", "psychic"));
    assert_false(collect_set(c, &s, "colour", "1"));
    assert_null(collector_find("colour"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_agree),
        cmocka_unit_test(memories_keep_their_model),
        cmocka_unit_test(mutation_exchanges_so_many_results),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
