/* SPDX-License-Identifier: Apache-2.0 */
/* Generated clients of an exchanger. A pairing by brute force is compared with the verdict; recheck accepts the proof;
 * without a bug there is no violation; each bug is found. */
#include "assay_spec.h"
#include "collect/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 200, MOST = 10 };

static const char *const shapes[][4] = {
    /* threads, values, pending, overlap */
    {"2", "1", "0", "0"}, {"3", "2", "0", "2"}, {"3", "10", "2", "0"}, {"5", "2", "2", "0"}, {"4", "3", "1", "3"},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct collect_settings settings(const char *const *shape, bool distinct, uint64_t seed)
{
    static const char *const names[] = {"threads", "values", "pending", "overlap"};
    const struct collector *c = collector_find("object");
    struct collect_settings s = collect_defaults(c);
    assert_true(collect_set(c, &s, "object", "exchanger"));
    assert_true(collect_set(c, &s, "operations", "10"));
    for (unsigned i = 0; i < 4; i++)
        assert_true(collect_set(c, &s, names[i], shape[i]));
    if (distinct)
        assert_true(collect_set(c, &s, "distinct", NULL));
    s.seed = seed;
    return s;
}

static assay_history *generate(const struct collect_settings *s)
{
    assay_history *h = collect_history(collector_find("object"), s, NULL);
    assert_non_null(h);
    return h;
}

/* ---- the definition ---- */

static bool met(const assay_operation *op)
{
    return !op->pending && !assay_value_same(op->result, assay_word("null"));
}

static bool before(const assay_operation *a, const assay_operation *b)
{
    return !a->pending && a->return_time < b->call_time;
}

static bool fit(const assay_operation *a, const assay_operation *b)
{
    return (met(a) || a->pending) && (met(b) || b->pending) && !before(a, b) && !before(b, a) &&
           (a->pending || assay_value_same(a->result, b->args[0])) &&
           (b->pending || assay_value_same(b->result, a->args[0]));
}

/* Can the operations from i on that met another one be paired off, with those that are not taken? */
static bool pairs_off(const assay_operation *ops, uint32_t n, uint32_t i, bool *taken)
{
    while (i < n && (taken[i] || !met(&ops[i])))
        i++;
    if (i == n)
        return true;
    taken[i] = true;
    for (uint32_t j = 0; j < n; j++) {
        if (taken[j] || !fit(&ops[i], &ops[j]))
            continue;
        taken[j] = true;
        if (pairs_off(ops, n, i + 1, taken))
            return true;
        taken[j] = false;
    }
    taken[i] = false;
    return false;
}

static bool is_right(const assay_history *h)
{
    assay_operation ops[MOST];
    assay_value gave[MOST];
    bool taken[MOST] = {false};
    uint32_t n = assay_history_size(h);
    assert_true(n <= MOST);
    for (uint32_t i = 0; i < n; i++) {
        gave[i] = assay_history_arg(h, i, 0);
        ops[i] = assay_history_operation(h, i);
        ops[i].args = &gave[i];
    }
    return pairs_off(ops, n, 0, taken);
}

/* ---- the checker ---- */

static void accepts(const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    assert_non_null(out);
    assert_true(assay_result_proved(r));
    assert_true(assay_result_write_evidence(r, 0, out));
    fclose(out);
    assert_true(assay_recheck(h, line, NULL, NULL));
    free(line);
}

static bool is_consistent(const assay_history *h)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = "exchanger", .evidence = true};
    assay_result *r = assay_check(h, "lin", &options, NULL);
    assert_non_null(r);
    bool consistent = assay_result_verdict(r) == ASSAY_CONSISTENT;
    assert_true(consistent || assay_result_verdict(r) == ASSAY_VIOLATION);
    accepts(h, r);
    assay_result_free(r);
    return consistent;
}

/* How many of the histories are violations; all have the verdict of the definition. */
static unsigned violations(const char *name, const char *value)
{
    unsigned n = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct collect_settings s = settings(shapes[seed % SHAPES], seed / SHAPES % 2, seed);
        assert_true(collect_set(collector_find("object"), &s, name, value));
        assay_history *h = generate(&s);
        bool consistent = is_consistent(h);
        assert_int_equal(consistent, is_right(h));
        n += !consistent;
        assay_history_free(h);
    }
    return n;
}

/* ---- tests ---- */

static void without_a_bug_all_is_well(void **state)
{
    (void)state;
    assert_int_equal(violations("bug", "none"), 0);
}

static void each_bug_is_found(void **state)
{
    static const char *const bugs[] = {"lose", "duplicate", "ring", "apart"};
    (void)state;
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
        assert_true(violations("bug", bugs[i]) > 0);
    assert_true(violations("mutate", "2") > 0);
}

static void other_bugs_are_refused(void **state)
{
    static const char *const bugs[] = {"swap", "early-empty"};
    (void)state;
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++) {
        struct collect_settings s = settings(shapes[0], false, 1);
        assay_error e = {0};
        assert_true(collect_set(collector_find("object"), &s, "bug", bugs[i]));
        assert_null(collect_history(collector_find("object"), &s, &e));
        assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    }
}

/* All that an exchanger can do comes up: pairs, calls without a partner, partners that never return. */
static void clients_do_everything(void **state)
{
    unsigned pairs = 0, lonely = 0, vanished = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct collect_settings s = settings(shapes[2], true, seed);
        assay_history *h = generate(&s);
        unsigned values = 0;
        for (uint32_t i = 0; i < assay_history_size(h); i++) {
            assay_operation op = assay_history_operation(h, i);
            values += met(&op);
            lonely += !met(&op) && !op.pending;
        }
        pairs += values / 2;
        vanished += values % 2;
        assay_history_free(h);
    }
    assert_true(pairs > SEEDS && lonely > SEEDS / 2 && vanished > SEEDS / 10);
}

/* With one call at a time no two calls meet. */
static void alone_is_null(void **state)
{
    static const char *const shape[] = {"4", "3", "0", "1"};
    (void)state;
    struct collect_settings s = settings(shape, false, 1);
    assay_history *h = generate(&s);
    assert_int_equal(assay_history_size(h), 10);
    for (uint32_t i = 0; i < 10; i++) {
        assay_operation op = assay_history_operation(h, i);
        assert_false(met(&op) || op.pending);
    }
    assay_history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_bug_all_is_well),
        cmocka_unit_test(each_bug_is_found),
        cmocka_unit_test(other_bugs_are_refused),
        cmocka_unit_test(clients_do_everything),
        cmocka_unit_test(alone_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
