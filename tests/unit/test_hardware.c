/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware runner without the hardware's part: programs, outcomes that are made up, and running out of memory at
 * every place. What the processor does is the business of tests/cli/hardware.sh. */
#include "collect/hardware/outcomes.h"
#include "collect/hardware/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *text_of(const char *shape)
{
    const struct hardware_shape *s = hardware_shapes;
    while (strcmp(s->name, shape) != 0)
        s++;
    return s->program;
}

static assay_verdict verdict(const char *shape, const int64_t *row, const char *model)
{
    struct mem mem = {0};
    struct program p = program_of_shape(text_of(shape), &mem);
    assay_history *h = assay_history_new();
    assay_error e = {0};
    program_history(&p, row, h, &mem, &e);
    assay_result *r = assay_check(h, model, NULL, &e);
    assert_non_null(r);
    assay_verdict v = assay_result_verdict(r);
    assay_result_free(r);
    assay_history_free(h);
    mem_release(&mem);
    return v;
}

#define ROW(...) ((const int64_t[]){__VA_ARGS__})

/* Results by thread, then the last values of the variables. */
static void test_outcomes_mean_what_they_should(void **state)
{
    (void)state;
    assert_int_equal(verdict("SB", ROW(0, 0, 1, 2), "sc"), ASSAY_VIOLATION);
    assert_int_equal(verdict("SB", ROW(0, 0, 1, 2), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("SB", ROW(2, 1, 1, 2), "sc"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("SB+fence", ROW(0, 0, 1, 2), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("SB+fences", ROW(0, 0, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("SB+rmws", ROW(0, 0, 0, 0, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("SB+own", ROW(1, 0, 2, 0, 1, 2), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("MP", ROW(2, 0, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("LB", ROW(2, 1, 2, 1), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("S", ROW(2, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("R", ROW(0, 1, 3), "sc"), ASSAY_VIOLATION);
    assert_int_equal(verdict("R", ROW(0, 1, 3), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("R+fence", ROW(0, 1, 3), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("2+2W", ROW(1, 3), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("n6", ROW(1, 0, 1, 2), "sc"), ASSAY_VIOLATION);
    assert_int_equal(verdict("n6", ROW(1, 0, 1, 2), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("CoRR", ROW(1, 0, 1), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("CoRW", ROW(2, 2, 2), "sc"), ASSAY_VIOLATION);
    assert_int_equal(verdict("RMW", ROW(0, 1, 0, 3, 4), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("3.SB", ROW(0, 0, 0, 1, 2, 3), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("WRC", ROW(1, 2, 0, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("RWC", ROW(1, 0, 0, 1, 2), "tso"), ASSAY_CONSISTENT);
    assert_int_equal(verdict("ISA2", ROW(2, 3, 0, 1, 2, 3), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("IRIW", ROW(1, 0, 2, 0, 1, 2), "tso"), ASSAY_VIOLATION);
    assert_int_equal(verdict("SB", ROW(-7, 0, 1, 2), "tso"), ASSAY_VIOLATION); /* nobody wrote that */
}

static void test_random_programs_depend_on_the_seed_alone(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct program_mix mix = {3, 1000, 5, 40, 10, 10};
    struct rng one = {7}, same = {7}, other = {8};
    struct program a = program_random(&mix, &one, &mem), b = program_random(&mix, &same, &mem);
    struct program c = program_random(&mix, &other, &mem);
    bool differs = false;
    uint32_t results = 0;
    for (uint32_t t = 0; t < 3; t++) {
        const struct program_thread *x = &a.threads[t], *y = &b.threads[t], *z = &c.threads[t];
        assert_int_equal(x->steps.n, y->steps.n);
        for (uint32_t i = 0; i < x->steps.n; i++) {
            assert_int_equal(x->steps.at[i].kind, y->steps.at[i].kind);
            assert_int_equal(x->steps.at[i].variable, y->steps.at[i].variable);
            assert_int_equal(x->steps.at[i].value, y->steps.at[i].value);
            differs = differs || x->steps.at[i].kind != z->steps.at[i].kind;
        }
        results += x->results;
    }
    assert_true(differs);
    assert_int_equal(a.results, results);
    assert_int_equal(a.operations, 1000);
    mem_release(&mem);
}

static void test_outcomes_are_counted(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct outcomes o = {.width = 3};
    for (int64_t i = 0; i < 1000; i++)
        outcomes_count(&o, ROW(i % 10, -1, i % 2), &mem);
    assert_int_equal(o.all.n, 10);
    assert_int_equal(o.all.at[3].seen.times, 100);
    assert_true(o.all.at[3].seen.fresh);
    outcomes_begin_batch(&o);
    outcomes_count(&o, ROW(3, -1, 1), &mem);
    outcomes_count(&o, ROW(3, -1, 0), &mem);
    assert_int_equal(o.all.n, 11);
    assert_int_equal(o.all.at[3].seen.times, 1);
    assert_false(o.all.at[3].seen.fresh);
    assert_int_equal(o.all.at[4].seen.times, 0);
    assert_true(o.all.at[10].seen.fresh);
    outcomes_free(&o, &mem);
    assert_int_equal(mem.used, 0);
}

/* ---- on the processor ---- */

static const unsigned strides[] = {8, 64};

static struct hardware_settings settings(const char *shape)
{
    return (struct hardware_settings){.shape = shape,
                                      .threads = 2,
                                      .operations = 20,
                                      .variables = 3,
                                      .reads = 40,
                                      .fences = 10,
                                      .rmws = 10,
                                      .strides = strides,
                                      .stride_count = 2,
                                      .seed = 1};
}

static void test_every_run_is_counted_once(void **state)
{
    (void)state;
    const char *const shapes[] = {"SB", "IRIW", HARDWARE_RANDOM};
    for (size_t s = 0; s < 3; s++) {
        struct hardware_settings set = settings(shapes[s]);
        assay_error e = {0};
        struct hardware *h = hardware_new(&set, &e);
        assert_non_null(h);
        for (uint64_t left = 100; left;) {
            uint64_t done = hardware_batch(h, left, &e), counted = 0;
            assert_in_range(done, 1, left);
            left -= done;
            for (size_t i = 0; i < hardware_outcomes(h); i++)
                counted += hardware_outcome(h, i)->times;
            assert_int_equal(counted, done);
        }
        hardware_free(h);
    }
}

/* ---- campaigns ---- */

struct seen {
    uint64_t outcomes, violating, shown, batches;
    uint64_t most; /* outcomes, before it has enough; 0: never */
};

static bool note_outcome(struct campaign *c, const assay_history *h, uint64_t mark)
{
    struct seen *seen = c->arg;
    assert_true(assay_history_size(h) > 0);
    seen->outcomes++;
    seen->violating += campaign_violates(mark, 0);
    return seen->outcomes != seen->most;
}

static void note_shown(struct campaign *c, const assay_result *r)
{
    assert_int_equal(assay_result_verdict(r), ASSAY_VIOLATION);
    ((struct seen *)c->arg)->shown++;
}

static void note_batch(struct campaign *c)
{
    ((struct seen *)c->arg)->batches++;
}

static struct campaign campaign(struct seen *seen, char *const *models)
{
    return (struct campaign){.hardware = settings(NULL),
                             .models = models,
                             .model_count = 2,
                             .most_runs = 300,
                             .arg = seen,
                             .outcome = note_outcome,
                             .show = note_shown,
                             .batch = note_batch};
}

static void test_a_campaign_counts(void **state)
{
    (void)state;
    char sc[] = "sc", cc[] = "cc", *const models[] = {sc, cc};
    const char *const shapes[] = {"SB", "CoRR", HARDWARE_RANDOM};
    for (size_t s = 0; s < 3; s++) {
        struct seen seen = {0};
        struct campaign c = campaign(&seen, models);
        assay_error e = {0};
        assert_true(campaign_run(&c, shapes[s], &e));
        assert_int_equal(c.runs, 300);
        assert_int_equal(c.outcomes, seen.outcomes);
        assert_int_equal(c.tallies[0].histories, seen.violating);
        assert_true(c.tallies[0].violations >= c.tallies[0].histories);
        assert_int_equal(c.tallies[0].example != NULL, seen.violating > 0);
        assert_true(seen.batches > 0 && (seen.shown > 0) == c.shown);
        campaign_forget(&c);
        assert_int_equal(c.runs + c.outcomes + c.tallies[0].violations, 0);
    }
}

static bool always(void *ignored)
{
    (void)ignored;
    return true;
}

static void test_a_campaign_stops(void **state)
{
    (void)state;
    char sc[] = "sc", cc[] = "cc", *const models[] = {sc, cc};
    struct seen seen = {.most = 1};
    struct campaign c = campaign(&seen, models);
    assay_error e = {0};
    assert_false(campaign_run(&c, "SB", &e)); /* it had enough */
    assert_int_equal(e.code, ASSAY_OK);
    assert_int_equal(seen.outcomes, 1);
    c.interrupt = always;
    assert_true(campaign_run(&c, "SB", &e));
    assert_int_equal(c.runs, 0);
    assert_false(campaign_run(&c, "nothing", &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    campaign_forget(&c);
}

/* The hostile build makes the n-th allocation fail. */
static void test_running_out_of_memory(void **state)
{
    (void)state;
    const char *const shapes[] = {"SB", HARDWARE_RANDOM};
    for (size_t s = 0; s < 2; s++) {
        bool through = false;
        for (long n = 0; !through; n++) {
            struct hardware_settings set = settings(shapes[s]);
            assay_error e = {0};
            assay_history *history = NULL;
            mem_fail_after(n);
            struct hardware *h = hardware_new(&set, &e);
            if (h && hardware_batch(h, 3, &e) && hardware_batch(h, 30, &e))
                history = hardware_history(h, 0, &e);
            mem_fail_after(-1);
            through = history != NULL;
            if (!through)
                assert_int_equal(e.code, ASSAY_ERROR_RESOURCE);
            assay_history_free(history);
            hardware_free(h);
        }
    }
}

static void refused(struct hardware_settings set, const char *part)
{
    assay_error e = {0};
    assert_null(hardware_new(&set, &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assert_non_null(strstr(e.message, part));
    assert_true(e.remedy[0] != '\0');
}

static void test_settings_that_cannot_be(void **state)
{
    (void)state;
    const unsigned odd[] = {64, 12}, wide[] = {65536};
    struct hardware_settings set = settings("nothing");
    refused(set, "no such shape");
    set = settings(HARDWARE_RANDOM);
    set.threads = 65;
    refused(set, "too many threads");
    set = settings(HARDWARE_RANDOM);
    set.reads = 81;
    refused(set, "more than 100");
    set = settings("SB");
    set.strides = odd;
    refused(set, "a stride");
    set = settings(HARDWARE_RANDOM);
    set.strides = wide;
    set.stride_count = 1;
    set.variables = 4097;
    refused(set, "256 MB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes_mean_what_they_should),
        cmocka_unit_test(test_random_programs_depend_on_the_seed_alone),
        cmocka_unit_test(test_outcomes_are_counted),
        cmocka_unit_test(test_every_run_is_counted_once),
        cmocka_unit_test(test_a_campaign_counts),
        cmocka_unit_test(test_a_campaign_stops),
        cmocka_unit_test(test_running_out_of_memory),
        cmocka_unit_test(test_settings_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
