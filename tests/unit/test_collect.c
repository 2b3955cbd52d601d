/* SPDX-License-Identifier: Apache-2.0 */
/* Collectors: both ends give the same history, seeds decide everything, and a simulated memory keeps
 * the model it promises. */
#include "collect/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void set(struct collect_settings *s, const char *name, const char *value)
{
    assert_true(collect_set(collector_find("memory"), s, name, value));
}

static struct collect_settings memory_settings(const char *kind, uint64_t seed)
{
    struct collect_settings s = collect_defaults(collector_find("memory"));
    set(&s, "kind", kind);
    set(&s, "threads", "8");
    set(&s, "operations", "1000");
    set(&s, "variables", "5");
    s.seed = seed;
    return s;
}

static assay_history *generate(const struct collect_settings *s)
{
    assay_history *h = collect_history(collector_find("memory"), s, NULL);
    assert_non_null(h);
    return h;
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
        set(&s, "fences", "10");
        set(&s, "rmws", "10");
        set(&s, "mutate", "3");
        set(&s, "shuffle", NULL);
        char direct[17], detour[17];
        assay_history *h = generate(&s), *again = through_text(c, &s);
        assay_history_digest(h, direct);
        assay_history_digest(again, detour);
        assert_string_equal(direct, detour);
        assay_history_free(h);
        assay_history_free(again);
    }
}

/* Transactions, with lists, all outcomes and times. */
static void both_ends_agree_on_transactions(void **state)
{
    (void)state;
    const struct collector *c = collector_find("transactions");
    for (const char *const *store = c->parameters[0].words; *store; store++)
        for (uint64_t seed = 1; seed <= 6; seed++) {
            struct collect_settings s = collect_defaults(c);
            char direct[17], detour[17];
            s.seed = seed;
            assert_true(collect_set(c, &s, "store", *store));
            assert_true(collect_set(c, &s, "data", seed % 3 ? "both" : "lists"));
            assert_true(collect_set(c, &s, "aborts", "10"));
            assert_true(collect_set(c, &s, "unknown", "10"));
            assert_true(collect_set(c, &s, "mutate", "3"));
            assert_true(seed % 2 || collect_set(c, &s, "times", NULL));
            assert_true(seed % 2 || collect_set(c, &s, "bug", "torn-write"));
            assay_history *h = collect_history(c, &s, NULL), *again = through_text(c, &s);
            assert_int_equal(assay_history_size(h), 100);
            assay_history_digest(h, direct);
            assay_history_digest(again, detour);
            assert_string_equal(direct, detour);
            assay_history_free(h);
            assay_history_free(again);
        }
}

/* Its events, too; and what had returned before a call is seen by it, whatever the parameters. */
static void walks_see_what_returned(void **state)
{
    (void)state;
    const struct collector *c = collector_find("weak-map");
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct collect_settings s = collect_defaults(c);
        char direct[17], detour[17];
        s.seed = seed;
        assert_true(collect_set(c, &s, "keys", seed % 2 ? "2" : "5"));
        assert_true(collect_set(c, &s, "overlap", seed % 3 ? "0" : "2"));
        assay_history *h = collect_history(c, &s, NULL), *again = through_text(c, &s);
        assert_int_equal(assay_history_size(h), 15);
        assay_history_digest(h, direct);
        assay_history_digest(again, detour);
        assert_string_equal(direct, detour);
        assay_result *r = assay_check(h, "weak-hb", NULL, NULL);
        assert_non_null(r);
        assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
        assay_result_free(r);
        assay_history_free(h);
        assay_history_free(again);
    }
}

static bool satisfies(const struct collect_settings *s, const char *model)
{
    assay_history *h = generate(s);
    assay_result *r = assay_check(h, model, NULL, NULL);
    assert_non_null(r);
    bool fine = assay_result_verdict(r) == ASSAY_CONSISTENT;
    assay_result_free(r);
    assay_history_free(h);
    return fine;
}

enum { SEEDS = 50 };

/* How many of the seeds satisfy the model. */
static unsigned satisfied(const char *kind, const char *model)
{
    unsigned n = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct collect_settings s = memory_settings(kind, seed);
        if (seed % 2) {
            set(&s, "fences", "5");
            set(&s, "rmws", "5");
        }
        n += satisfies(&s, model);
    }
    return n;
}

static void memories_keep_their_model(void **state)
{
    (void)state;
    assert_int_equal(satisfied("causal", "cm"), SEEDS);
    assert_int_equal(satisfied("convergent", "ccv"), SEEDS);
    assert_int_equal(satisfied("sc", "cm"), SEEDS);
    assert_int_equal(satisfied("sc", "ccv"), SEEDS);
    assert_int_equal(satisfied("sc", "sc"), SEEDS);
    assert_int_equal(satisfied("tso", "tso"), SEEDS);
    /* And no more than that, or they would test nothing. */
    assert_true(satisfied("causal", "ccv") < SEEDS);
    assert_true(satisfied("convergent", "cm") < SEEDS);
    assert_true(satisfied("tso", "sc") < SEEDS);
    assert_true(satisfied("pso", "tso") < SEEDS);
    assert_true(satisfied("lossy", "sc") < SEEDS);
    assert_int_equal(satisfied("random", "cc"), 0);
}

/* Small enough for the definitions themselves. */
static void gadgets_need_a_search(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        bool holds;
    } known[] = {{"wsc", true}, {"wtso", true}, {"sc", false}, {"tso", false}};
    const assay_options brute = {ASSAY_OPTIONS_INIT, .engine = "brute"};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct collect_settings s = memory_settings("gadget", seed);
        set(&s, "threads", seed % 2 ? "6" : "10");
        set(&s, "operations", "4");
        assay_history *h = generate(&s);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            assay_result *r = assay_check(h, known[i].model, &brute, NULL);
            assert_non_null(r);
            assert_int_equal(assay_result_verdict(r) == ASSAY_CONSISTENT, known[i].holds);
            assay_result_free(r);
        }
        assay_history_free(h);
    }
}

static void gadgets_need_threads(void **state)
{
    (void)state;
    struct collect_settings s = memory_settings("gadget", 1);
    assay_error e = {0};
    set(&s, "threads", "5");
    assert_null(collect_history(collector_find("memory"), &s, &e));
    assert_string_equal(e.message, "a gadget needs at least 6 threads");
}

static uint32_t differences(const assay_history *a, const assay_history *b)
{
    uint32_t n = 0;
    for (uint32_t o = 0; o < assay_history_size(a); o++)
        n += assay_history_operation(a, o).result.integer != assay_history_operation(b, o).result.integer;
    return n;
}

/* The write that the operation reads from, or itself. */
static uint32_t source(const assay_history *h, uint32_t read)
{
    int64_t value = assay_history_operation(h, read).result.integer;
    const char *variable = assay_history_arg(h, read, 0).text;
    for (uint32_t o = 0; o < assay_history_size(h); o++)
        if (strcmp(assay_history_operation(h, o).method, "write") == 0 && assay_history_arg(h, o, 1).integer == value &&
            strcmp(assay_history_arg(h, o, 0).text, variable) == 0)
            return o;
    return read;
}

static void mutation_takes_values_from_nearby(void **state)
{
    (void)state;
    struct collect_settings s = memory_settings("sc", 3);
    assay_history *before = generate(&s);
    set(&s, "mutate", "17");
    set(&s, "distance", "9");
    assay_history *after = generate(&s);
    assert_int_equal(differences(before, after), 17);
    for (uint32_t o = 0; o < assay_history_size(after); o++) {
        if (assay_history_operation(before, o).result.integer == assay_history_operation(after, o).result.integer)
            continue;
        uint32_t from = source(after, o);
        assert_true(from != o && from + 9 >= o && o + 9 >= from);
    }
    set(&s, "distance", "0");
    set(&s, "mutate", "100");
    assay_history *far = generate(&s);
    assert_int_equal(differences(before, far), 100);
    assay_history_free(before);
    assay_history_free(after);
    assay_history_free(far);
}

/* What one thread did, line by line. */
static char *story(const assay_history *h, const char *thread)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (uint32_t o = 0; o < assay_history_size(h); o++) {
        char line[64];
        assay_history_print(h, o, line, sizeof line);
        if (strcmp(assay_history_operation(h, o).thread, thread) == 0)
            fprintf(out, "%s\n", line);
    }
    fclose(out);
    return text;
}

static void shuffling_keeps_program_order(void **state)
{
    (void)state;
    struct collect_settings s = memory_settings("sc", 3);
    assay_history *before = generate(&s);
    set(&s, "shuffle", NULL);
    assay_history *after = generate(&s);
    for (uint32_t t = 0; t < 8; t++) {
        const char *name = assay_history_thread_name(before, t);
        char *first = story(before, name), *second = story(after, name);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
    char in_order[17], shuffled[17];
    assay_history_digest(before, in_order);
    assay_history_digest(after, shuffled);
    assert_string_not_equal(in_order, shuffled);
    assay_history_free(before);
    assay_history_free(after);
}

static void few_values_are_written_again(void **state)
{
    (void)state;
    struct collect_settings s = memory_settings("sc", 3);
    set(&s, "values", "2");
    assay_history *h = generate(&s);
    for (uint32_t o = 0; o < assay_history_size(h); o++)
        assert_true(assay_history_operation(h, o).result.integer <= 2);
    assay_history_free(h);
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
        cmocka_unit_test(both_ends_agree_on_transactions),
        cmocka_unit_test(walks_see_what_returned),
        cmocka_unit_test(memories_keep_their_model),
        cmocka_unit_test(gadgets_need_a_search),
        cmocka_unit_test(gadgets_need_threads),
        cmocka_unit_test(mutation_takes_values_from_nearby),
        cmocka_unit_test(shuffling_keeps_program_order),
        cmocka_unit_test(few_values_are_written_again),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
