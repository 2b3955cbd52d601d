/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface as a program that embeds the library uses it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay_monitor.h"
#include "engine/engine.h"
#include "support/checked.h"
#include "support/generate.h"
#include "support/load.h"

static char *evidence_line(const assay_result *r)
{
    char *line = NULL;
    size_t n;
    FILE *out = open_memstream(&line, &n);
    bool written = assay_result_write_evidence(r, 3, out);
    fclose(out);
    if (written)
        return line;
    assert_int_equal(n, 0);
    free(line);
    return NULL;
}

/* ---- the example of assay.h ---- */

static void the_header_s_example_works(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assay_value write[] = {assay_word("x"), assay_int(1)}, read[] = {assay_word("x")};
    assay_history_add(h, &(assay_operation){.thread = "t0", .method = "write", .args = write, .arg_count = 2}, &e);
    assay_history_add(
        h, &(assay_operation){.thread = "t1", .method = "read", .args = read, .arg_count = 1, .result = assay_int(1)},
        &e);
    assay_result *r = assay_check(h, "cm", NULL, &e);
    assert_non_null(r);
    assert_string_equal(assay_verdict_name(assay_result_verdict(r)), "consistent");
    assert_int_equal(e.code, ASSAY_OK);
    assay_result_free(r);
    assay_history_free(h);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", ASSAY_VERSION / 10000, ASSAY_VERSION / 100 % 100,
             ASSAY_VERSION % 100);
    assert_string_equal(assay_version(), version);
}

/* What is refused leaves no thread behind. */
static void a_refused_operation_adds_no_thread(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assay_value odd[] = {assay_word("x"), assay_word("no word")};
    assay_operation write = {.thread = "t0", .method = "write", .args = odd, .arg_count = 2};
    assert_true(assay_history_add(h, &write, &e) == ASSAY_NO_OPERATION);
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_int_equal(assay_history_threads(h), 0);
    odd[1] = assay_int(1);
    assert_int_equal(assay_history_add(h, &write, NULL), 0);
    assert_int_equal(assay_history_threads(h), 1);
    assay_history_free(h);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    assay_history_free(NULL);
    assay_result_free(NULL);
    assay_grading_free(NULL);
    assay_reader_close(NULL);
}

static void texts_are_copied(void **state)
{
    (void)state;
    char thread[] = "t0", method[] = "write", variable[] = "x", text[] = "value";
    assay_history *h = assay_history_new();
    assay_value args[] = {assay_word(variable), assay_string(text, 5)};
    assay_history_add(h, &(assay_operation){.thread = thread, .method = method, .args = args, .arg_count = 2}, NULL);
    memset(thread, '-', 2);
    memset(method, '-', 5);
    memset(variable, '-', 1);
    memset(text, '-', 5);
    char line[64];
    assay_history_print(h, 0, line, sizeof line);
    assert_string_equal(line, "t0: write(x, \"value\")");
    assay_history_free(h);
}

/* ---- results ---- */

static void a_violation_has_a_refutation(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_result *r = check(h, "ccv", NULL);
    assert_int_equal(assay_result_verdict(r), ASSAY_VIOLATION);
    assert_string_equal(assay_result_model(r), "ccv");
    assert_string_equal(assay_result_object(r), "memory");
    assert_string_equal(assay_result_engine(r), "clock");
    assert_string_equal(assay_result_pattern(r), "CyclicCF");
    assert_null(assay_result_vacuous(r));
    assert_true(assay_result_seconds(r) >= 0);
    assert_true(assay_result_bytes(r) > 0);
    const assay_step *steps;
    assert_int_equal(assay_result_cycle(r, &steps), 2);
    assert_int_equal(assay_result_culprit(r), ASSAY_NO_OPERATION);
    assert_int_equal(assay_result_reasons(r), 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(steps[i].rule, ASSAY_CF);
        assert_string_equal(assay_rule_name(steps[i].rule), "cf");
        assert_int_equal(steps[i].to, steps[1 - i].from);
        assay_reason reason = assay_result_reason(r, steps[i].reason);
        assert_true(reason.from == steps[i].from && reason.to == steps[i].to);
        assert_int_equal(reason.count, 1);
        assert_int_equal(reason.path[0].rule, ASSAY_PO);
        assert_int_equal(reason.path[0].reason, ASSAY_NO_REASON);
        assert_int_equal(reason.path[0].to, reason.read);
    }
    assert_int_equal(assay_result_orders(r), 0);
    assert_null(assay_result_reason(r, 2).path); /* there is none behind the last */
    assert_null(assay_result_order(r, 0).ops);
    assert_int_equal(assay_result_lemma(r, 0, &steps), 0);
    char *line = evidence_line(r);
    uint32_t index = 0;
    assert_true(assay_recheck(NULL, line, &index, NULL)); /* which history is it about? */
    assert_int_equal(index, 3);
    assay_claim claim;
    assert_true(assay_evidence_claim(line, NULL, &claim, NULL));
    assert_int_equal(claim.index, 3);
    assert_string_equal(claim.model, "ccv");
    assert_int_equal(claim.verdict, ASSAY_VIOLATION);
    assert_string_equal(claim.object, "");
    assert_false(assay_evidence_claim("{", NULL, &claim, NULL));
    assert_true(assay_recheck(h, line, NULL, NULL));
    free(line);
    assay_result_free(r);
    assay_history_free(h);
}

static void a_thin_air_read_has_a_culprit(void **state)
{
    (void)state;
    assay_history *h = load_text("t0: write(x, 1)\nt1: read(x) => 3\n", NULL);
    assay_result *r = check(h, "cc", NULL);
    const assay_step *steps;
    assert_string_equal(assay_result_pattern(r), "ThinAirRead");
    assert_int_equal(assay_result_culprit(r), 1);
    assert_int_equal(assay_result_cycle(r, &steps), 0);
    assay_result_free(r);
    assay_history_free(h);
}

static void a_witness_is_kept_when_asked_for(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_result *r = check(h, "cm", NULL);
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    assert_null(assay_result_pattern(r));
    assert_int_equal(assay_result_orders(r), 0);
    assert_null(evidence_line(r));
    assay_result_free(r);
    r = check(h, "cm", &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true});
    assert_int_equal(assay_result_orders(r), 2);
    for (uint32_t i = 0; i < 2; i++) {
        assay_order order = assay_result_order(r, i);
        assert_int_equal(order.thread, i);
        assert_int_equal(order.count, 3);
    }
    char *line = evidence_line(r);
    assert_true(assay_recheck(h, line, NULL, NULL));
    free(line);
    assay_result_free(r);
    r = check(h, "cc", &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true});
    assert_int_equal(assay_result_orders(r), 1);
    assert_int_equal(assay_result_order(r, 0).thread, ASSAY_NO_THREAD);
    assert_int_equal(assay_result_order(r, 0).count, 4);
    assay_result_free(r);
    assay_history_free(h);
}

static void recheck_tells_refused_from_unreadable(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL), *other = load_text("t0: fence()\n", NULL);
    assay_result *r = check(h, "ccv", NULL);
    char *line = evidence_line(r);
    assay_error e = {0};
    assert_false(assay_recheck(other, line, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_REFUSED);
    e = (assay_error){0};
    assert_false(assay_recheck(h, line + 1, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_true(e.column > 0);
    free(line);
    assay_result_free(r);
    assay_history_free(h);
    assay_history_free(other);
}

static void nothing_could_go_wrong_is_said(void **state)
{
    (void)state;
    static const char *const texts[] = {"# @object memory\n", "t0: write(x, 1)\nt1: write(x, 2)\n",
                                        "t0: write(x, 1)\nt0: read(x) => 1\n"};
    for (int i = 0; i < 3; i++) {
        assay_history *h = load_text(texts[i], NULL);
        assay_result *r = check(h, "cm", NULL);
        assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
        assert_non_null(assay_result_vacuous(r));
        assay_result_free(r);
        assay_history_free(h);
    }
}

static void statistics_end(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_result *r = check(h, "cm", NULL);
    const char *name, *text;
    size_t i = 0;
    for (assay_result_statistic(r, 0, &name, &text); name; assay_result_statistic(r, ++i, &name, &text))
        assert_true(name[0] && text[0]);
    assert_true(i > 0);
    assay_result_free(r);
    assay_history_free(h);
}

static void reports_write_something(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    static const char *const models[] = {"ccv", "cm"};
    for (int m = 0; m < 2; m++) {
        assay_result *r = check(h, models[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true});
        for (size_t i = 0; i < assay_family_size(ASSAY_REPORTS); i++) {
            char *out = NULL;
            size_t n;
            FILE *file = open_memstream(&out, &n);
            assay_error e = {0};
            assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = "a.hist", .explain = true};
            assert_true(assay_result_report(r, assay_family_member(ASSAY_REPORTS, i).name, &options, file, &e));
            assert_true(assay_result_report(r, assay_family_member(ASSAY_REPORTS, i).name, NULL, file, &e));
            fclose(file);
            assert_true(n > 0);
            free(out);
        }
        assay_error e = {0};
        assert_false(assay_result_report(r, "nonsense", NULL, stdout, &e));
        assert_int_equal(e.code, ASSAY_ERROR_USAGE);
        assay_result_free(r);
    }
    assay_history_free(h);
}

/* ---- options ---- */

static assay_history *large_history(void)
{
    struct rng rng = {11};
    struct recipe r = {.memory = MEMORY_ONE, .n = 50000, .threads = 8, .vars = 20, .writes = 50};
    struct sketch s = generate(&r, &rng);
    assay_history *h = sketch_build(&s);
    sketch_free(&s);
    return h;
}

static void expect_undecided(const assay_history *h, assay_options options, const char *why)
{
    static const char *const models[] = {"cc", "ccv", "cm"};
    options.evidence = true;
    for (int m = 0; m < 3; m++) {
        assay_result *r = check(h, models[m], &options);
        assert_int_equal(assay_result_verdict(r), ASSAY_UNDECIDED);
        assert_string_equal(assay_verdict_name(ASSAY_UNDECIDED), "undecided");
        if (!strstr(assay_result_undecided(r), why))
            fail_msg("%s: %s", models[m], assay_result_undecided(r));
        assert_int_equal(assay_result_orders(r), 0);
        assert_null(evidence_line(r));
        assay_result_free(r);
    }
}

static bool says(void *arg)
{
    return *(bool *)arg;
}

static void budgets_make_it_undecided(void **state)
{
    (void)state;
    bool stop = true, go = false;
    assay_history *h = large_history();
    expect_undecided(h, (assay_options){ASSAY_OPTIONS_INIT, .seconds = 1e-9}, "time");
    expect_undecided(h, (assay_options){ASSAY_OPTIONS_INIT, .memory = 1000}, "memory");
    assay_result *r = check(h, "cm", NULL);
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    size_t needed = assay_result_bytes(r);
    assay_result_free(r);
    for (size_t part = 2; part < 8; part++) /* wherever it runs out */
        expect_undecided(h, (assay_options){ASSAY_OPTIONS_INIT, .memory = needed / 4 / part}, "memory");
    expect_undecided(h, (assay_options){ASSAY_OPTIONS_INIT, .interrupt = says, .interrupt_arg = &stop}, "interrupt");
    r = check(h, "cm",
              &(assay_options){ASSAY_OPTIONS_INIT, .seconds = 100, .memory = 4 * needed, .interrupt = says,
                               .interrupt_arg = &go});
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    assay_result_free(r);
    assay_history_free(h);
}

/* Options as callers have them who were built with an older or a newer header. */
static void options_may_be_of_other_versions(void **state)
{
    (void)state;
    struct {
        assay_options known;
        void *newer[2];
    } grown = {.known = {ASSAY_OPTIONS_INIT, .memory = 1000}};
    assay_history *h = large_history();
    assay_error e = {0};
    assert_null(assay_check(h, "cm", &(assay_options){.memory = 1000}, &e)); /* without a size */
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assert_non_null(strstr(e.remedy, "ASSAY_OPTIONS_INIT"));

    grown.known.size = offsetof(assay_options, memory); /* the bytes after that are not options */
    assay_result *r = check(h, "cm", &grown.known);
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    assay_result_free(r);

    grown.known.size = sizeof grown;
    r = check(h, "cm", &grown.known);
    assert_int_equal(assay_result_verdict(r), ASSAY_UNDECIDED);
    assay_result_free(r);

    grown.newer[1] = &grown; /* an option that the library does not know */
    e = (assay_error){0};
    assert_null(assay_check(h, "cm", &grown.known, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assert_non_null(strstr(e.message, assay_version()));
    assert_null(assay_checker_new(h, &grown.known, NULL));
    assert_null(assay_grade(h, &grown.known, NULL));
    assert_null(assay_kernel_of(h, &grown.known, NULL));
    assert_null(assay_strongest_new(&grown.known, NULL));
    assert_false(assay_recheck_with(h, "{}", &grown.known, NULL, NULL, NULL));
    e = (assay_error){0};
    assert_null(assay_monitor_open("queue", &(assay_monitor_options){.all = true}, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    r = check(h, "cm", NULL);
    e = (assay_error){0};
    assert_false(assay_result_report(r, "text", &(assay_report_options){.explain = true}, stdout, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assay_result_free(r);
    assay_history_free(h);
}

static void expect_error(const assay_history *h, const char *model, assay_options options, assay_error_code code,
                         const char *message)
{
    assay_error e = {0};
    assert_null(assay_check(h, model, &options, &e));
    assert_int_equal(e.code, code);
    if (!strstr(e.message, message))
        fail_msg("'%s' is not in '%s'", message, e.message);
    assert_null(assay_check(h, model, &options, NULL));
}

static void unknown_names_are_errors(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL), *large = large_history();
    expect_error(h, "nonsense", (assay_options){ASSAY_OPTIONS_INIT}, ASSAY_ERROR_USAGE, "unknown model 'nonsense'");
    expect_error(h, "cc", (assay_options){ASSAY_OPTIONS_INIT, .engine = "nonsense"}, ASSAY_ERROR_USAGE, "nonsense");
    expect_error(h, "cc", (assay_options){ASSAY_OPTIONS_INIT, .engine = "clock:nonsense"}, ASSAY_ERROR_USAGE,
                 "nonsense");
    expect_error(h, "cc", (assay_options){ASSAY_OPTIONS_INIT, .object = "nonsense"}, ASSAY_ERROR_USAGE, "nonsense");
    expect_error(large, "cc", (assay_options){ASSAY_OPTIONS_INIT, .engine = "brute"}, ASSAY_ERROR_NOT_APPLICABLE,
                 "at most");
    assay_result *r = check(h, "cc",
                            &(assay_options){ASSAY_OPTIONS_INIT, .object = "atomic-memory", .engine = "brute"});
    assert_string_equal(assay_result_object(r), "memory");
    assert_string_equal(assay_result_engine(r), "brute");
    assay_result_free(r);
    assay_history_free(h);
    assay_history_free(large);
}

static void the_first_error_is_kept(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_error e = {.code = ASSAY_ERROR_MISSING, .message = "before"};
    assert_null(assay_check(h, "nonsense", NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_MISSING);
    assert_string_equal(e.message, "before");
    assay_history_free(h);
}

static void a_checker_does_what_single_checks_do(void **state)
{
    (void)state;
    assay_history *h = load_text(DISAGREEING, NULL);
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_checker *c = assay_checker_new(h, &options, &e);
    assert_non_null(c);
    assert_null(assay_checker_run(c, "nonsense", &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assay_result *last = NULL;
    for (size_t i = 0; i <= assay_family_size(ASSAY_MODELS); i++) { /* the last one: NULL */
        const char *model = assay_family_member(ASSAY_MODELS, i).name;
        assay_result *alone = assay_check(h, model, &options, NULL);
        if (!alone) { /* models of other objects */
            assert_null(assay_checker_run(c, model, NULL));
            continue;
        }
        assay_result_free(last);
        last = assay_checker_run(c, model, NULL);
        assert_string_equal(assay_result_model(last), assay_result_model(alone));
        assert_int_equal(assay_result_verdict(last), assay_result_verdict(alone));
        char *first = evidence_line(alone), *second = evidence_line(last);
        assert_string_equal(first, second);
        free(first);
        free(second);
        assay_result_free(alone);
    }
    assay_checker_free(c);
    assert_int_equal(assay_result_verdict(last), ASSAY_VIOLATION); /* it outlives the checker */
    assay_result_free(last);
    e = (assay_error){0};
    assert_null(assay_checker_new(h, &(assay_options){ASSAY_OPTIONS_INIT, .object = "nonsense"}, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assay_checker_free(NULL);
    assay_history_free(h);
}

/* ---- registries ---- */

static void families_have_named_members(void **state)
{
    (void)state;
    for (int f = 0; f < ASSAY_FAMILIES; f++) {
        assert_non_null(assay_family_name((assay_family)f));
        size_t n = assay_family_size((assay_family)f);
        assert_true(n > 0);
        for (size_t i = 0; i < n; i++) {
            assay_member m = assay_family_member((assay_family)f, i);
            assert_true(m.name[0] && m.title[0] && m.details);
            for (size_t j = 0; j < i && f != ASSAY_ENGINES; j++)
                assert_string_not_equal(m.name, assay_family_member((assay_family)f, j).name);
        }
        assert_null(assay_family_member((assay_family)f, n).name);
    }
    assert_null(assay_family_name(ASSAY_FAMILIES));
    assert_int_equal(assay_family_size(ASSAY_FAMILIES), 0);
}

static bool share_a_variant(const struct engine *a, const struct engine *b)
{
    for (const char *const *x = a->variants; x && *x; x++)
        for (const char *const *y = b->variants; y && *y; y++)
            if (strcmp(*x, *y) == 0)
                return true;
    return false;
}

/* Engines may share a name if no model is decided by both, or if the later one is asked for by a variant of its own. */
static void names_of_engines_are_clear(void **state)
{
    (void)state;
    for (size_t i = 0; engine_table[i]; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(engine_table[i]->name, engine_table[j]->name) == 0 &&
                (engine_table[i]->conditions & engine_table[j]->conditions)) {
                assert_true(engine_table[i]->on_request && engine_table[i]->variants);
                assert_false(share_a_variant(engine_table[i], engine_table[j]));
            }
}

static void implication_is_an_order(void **state)
{
    (void)state;
    size_t n = assay_family_size(ASSAY_MODELS);
    for (size_t a = 0; a < n; a++) {
        const char *x = assay_family_member(ASSAY_MODELS, a).name;
        assert_true(assay_model_implies(x, x));
        assert_false(assay_model_implies(x, "nonsense"));
        assert_false(assay_model_implies("nonsense", x));
        for (size_t b = 0; b < n; b++)
            for (size_t c = 0; c < n; c++) {
                const char *y = assay_family_member(ASSAY_MODELS, b).name;
                const char *z = assay_family_member(ASSAY_MODELS, c).name;
                if (assay_model_implies(x, y) && assay_model_implies(y, z))
                    assert_true(assay_model_implies(x, z));
                if (a != b && assay_model_implies(x, y))
                    assert_false(assay_model_implies(y, x));
            }
    }
    assert_true(assay_model_implies("ccv", "cc"));
    assert_true(assay_model_implies("cm", "cc"));
    assert_false(assay_model_implies("cm", "ccv"));
    assert_false(assay_model_implies("ccv", "cm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_s_example_works),
        cmocka_unit_test(a_refused_operation_adds_no_thread),
        cmocka_unit_test(nothing_can_be_freed),
        cmocka_unit_test(texts_are_copied),
        cmocka_unit_test(a_violation_has_a_refutation),
        cmocka_unit_test(a_thin_air_read_has_a_culprit),
        cmocka_unit_test(a_witness_is_kept_when_asked_for),
        cmocka_unit_test(recheck_tells_refused_from_unreadable),
        cmocka_unit_test(nothing_could_go_wrong_is_said),
        cmocka_unit_test(statistics_end),
        cmocka_unit_test(reports_write_something),
        cmocka_unit_test(budgets_make_it_undecided),
        cmocka_unit_test(options_may_be_of_other_versions),
        cmocka_unit_test(unknown_names_are_errors),
        cmocka_unit_test(a_checker_does_what_single_checks_do),
        cmocka_unit_test(the_first_error_is_kept),
        cmocka_unit_test(families_have_named_members),
        cmocka_unit_test(names_of_engines_are_clear),
        cmocka_unit_test(implication_is_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
