/* SPDX-License-Identifier: Apache-2.0 */
/* The printed examples under the logic program, all in one run of the solver, and under brute
 * force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "baseline/datalog_program.h"
#include "engine/engine.h"
#include "support/left_out.h"
#include "support/printed.h"
#include "support/shorthand.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    history *h[PRINTED];
    struct mem mem;
    struct budget budget;
    assay_error error;
    unsigned broken[PRINTED]; /* of enum datalog_rules */
    struct text program;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    for (int i = 0; i < PRINTED; i++)
        f->h[i] = shorthand(printed[i].text);
    f->program = text_in(&f->mem);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < PRINTED; i++)
        history_free(f->h[i]);
    mem_release(&f->mem);
    free(f);
    return 0;
}

static void check(const struct printed *x, const char *with, unsigned model, bool consistent)
{
    if (consistent != ((x->satisfies & model) != 0))
        fail_msg("%s: %s says %s of model %u: %s", x->name, with, consistent ? "consistent" : "violation", model,
                 x->text);
}

/* ---- all histories in one run ---- */

static void note(void *arg, uint32_t number, unsigned condition, const char *pattern)
{
    struct fixture *f = arg;
    assert_true(number < PRINTED);
    assert_non_null(pattern);
    f->broken[number] |= condition;
}

static void solve_all(void *arg)
{
    struct fixture *f = arg;
    const unsigned all = 2 * DATALOG_WTSO - 1;
    datalog_rules(all, &f->program);
    for (uint32_t i = 0; i < PRINTED; i++)
        datalog_facts(rw_view(f->h[i], false, &f->mem), all, i, &f->program);
    datalog_solve(&f->program, &f->budget, note, f, &f->error);
}

static void one_run_gives_the_table(void **state)
{
    struct fixture *f = *state;
    if (left_out("datalog", datalog_missing()))
        skip();
    assert_int_equal(escape_run(solve_all, f), ESCAPE_NONE);
    for (int i = 0; i < PRINTED; i++) {
        unsigned broken = f->broken[i];
        check(&printed[i], "datalog", CC, !(broken & DATALOG_CC));
        check(&printed[i], "datalog", CCV, !(broken & (DATALOG_CC | DATALOG_CCV)));
        check(&printed[i], "datalog:cm_1", CM, !(broken & (DATALOG_CC | DATALOG_CM_1)));
        check(&printed[i], "datalog:cm_2", CM, !(broken & (DATALOG_CC | DATALOG_CM_2)));
        check(&printed[i], "datalog", CCM, !(broken & DATALOG_CCM));
        check(&printed[i], "datalog", WSC, !(broken & DATALOG_WSC));
        check(&printed[i], "datalog", WCCM, !(broken & DATALOG_WCCM));
        check(&printed[i], "datalog", WTSO, !(broken & DATALOG_WTSO));
    }
}

/* ---- the engines, one history at a time ---- */

struct call {
    const struct engine *engine;
    struct job job;
};

static void run_engine(void *arg)
{
    struct call *c = arg;
    c->job.rw = rw_view(c->job.h, false, c->job.mem);
    c->engine->run(&c->job);
}

static result judge(struct fixture *f, const char *engine, const history *h, const char *model)
{
    result r = {.evidence = evidence_in(&f->mem)};
    struct call c = {
        .job = {
            .h = h, .model = model_find(model), .mem = &f->mem, .budget = &f->budget, .out = &r, .error = &f->error}};
    c.engine = engine_find(engine, 0, &c.job.variant, &f->error);
    assert_non_null(c.engine);
    assert_int_equal(escape_run(run_engine, &c), ESCAPE_NONE);
    return r;
}

static void check_engine(struct fixture *f, const char *engine)
{
    const unsigned searched = SC | TSO | PSO;
    for (int i = 0; i < PRINTED; i++)
        for (int m = 0; m < PRINTED_MODELS; m++) {
            if (searched >> m & 1)
                continue;
            result r = judge(f, engine, f->h[i], printed_model[m]);
            check(&printed[i], engine, 1u << m, r.verdict == ASSAY_CONSISTENT);
            assert_int_equal(r.verdict == ASSAY_VIOLATION, r.evidence.pattern != PATTERN_NONE);
        }
}

static void brute_gives_the_table(void **state)
{
    check_engine(*state, "brute");
}

static void the_engine_gives_the_table(void **state)
{
    if (left_out("datalog", datalog_missing()))
        skip();
    check_engine(*state, "datalog");
    check_engine(*state, "datalog:cm_1");
}

static void patterns_are_named(void **state)
{
    static const struct {
        const char *text, *model;
        enum pattern pattern;
    } cases[] = {
        {"wx1 | rx2", "cc", PATTERN_ThinAirRead},
        {"rx1 wx1", "cc", PATTERN_CyclicCO},
        {"wx1 wy1 | ry1 rx0", "cc", PATTERN_WriteCOInitRead},
        {"wx1 wy1 | ry1 wx2 | rx2 rx1", "cc", PATTERN_WriteCORead},
        {"wx1 rx2 | wx2 rx1", "ccv", PATTERN_CyclicCF},
        {"wz1 wx1 wy1 | wx2 rz0 ry1 rx2", "cm", PATTERN_WriteHBInitRead},
        {"wx1 | wx2 rx1 rx2", "cm", PATTERN_CyclicHB},
        {"wx1 wx2 ry1 | wy1 wy2 ry2 rx1", "ccm", PATTERN_ForcedCycle},
        {"wx1 ry0 wy1 rx1 | wx2 ry0 wy2 rx2", "wsc", PATTERN_ForcedCycle},
        {"wx1 rx2 | wx2 rx1", "wccm", PATTERN_ForcedCycle},
        {"wx1 rx2 | wx2 rx1", "wtso", PATTERN_ForcedCycle},
        {"wx1 | rx2", "wtso", PATTERN_ThinAirRead},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        history *h = shorthand(cases[i].text);
        assert_int_equal(judge(*state, "brute", h, cases[i].model).evidence.pattern, cases[i].pattern);
        if (!left_out("datalog", datalog_missing())) {
            result r = judge(*state, "datalog", h, cases[i].model);
            assert_int_equal(r.evidence.pattern, cases[i].pattern);
            assert_true(r.stats.facts > 0);
        }
        history_free(h);
    }
}

static void too_many_nodes_are_refused(void **state)
{
    struct fixture *f = *state;
    history *h = shorthand("wa1 wb1 wc1 wd1 we1 wf1 wg1 wh1 wi1 wj1 wk1 wl1 wm1 wn1 wo1 wp1 wq1 wr1 ws1 wt1 "
                           "wu1 wv1 ww1 wx1 wy1 wz1 ra1 rb1 rc1 rd1 re1 rf1 rg1 rh1 ri1 rj1 rk1 rl1 rm1");
    result r = {.evidence = evidence_in(&f->mem)};
    const char *variant;
    struct call c = {.engine = engine_find("brute", 0, &variant, &f->error),
                     .job = {.h = h, .model = model_find("cm"), .mem = &f->mem, .out = &r, .error = &f->error}};
    assert_int_equal(escape_run(run_engine, &c), ESCAPE_ERROR);
    assert_int_equal(f->error.code, ASSAY_ERROR_NOT_APPLICABLE);
    history_free(h);
}

/* ---- the solver's faults ---- */

static void solve_program(void *arg)
{
    struct fixture *f = arg;
    datalog_solve(&f->program, &f->budget, note, f, &f->error);
}

/* The lowest descriptor that is free; a leak would raise it. */
static int free_descriptor(void)
{
    int fd = dup(STDERR_FILENO);
    close(fd);
    return fd;
}

static void a_malformed_program_is_a_clear_error(void **state)
{
    struct fixture *f = *state;
    if (left_out("datalog", datalog_missing()))
        skip();
    text_puts(&f->program, "bad(1,cc,\"x\" :- .");
    assert_int_equal(escape_run(solve_program, f), ESCAPE_ERROR);
    assert_int_equal(f->error.code, ASSAY_ERROR_MISSING);
    assert_non_null(strstr(f->error.message, "syntax error"));
}

static void an_unknown_answer_is_a_clear_error(void **state)
{
    struct fixture *f = *state;
    if (left_out("datalog", datalog_missing()))
        skip();
    text_puts(&f->program, "good(1).");
    assert_int_equal(escape_run(solve_program, f), ESCAPE_ERROR);
    assert_non_null(strstr(f->error.message, "good(1)"));
}

static void a_missing_solver_is_a_clear_error(void **state)
{
    struct fixture *f = *state;
    const char *path = getenv("PATH");
    char *kept = path ? strdup(path) : NULL;
    setenv("PATH", "/nowhere", 1);
    assert_non_null(datalog_missing());
    assert_int_equal(escape_run(solve_program, f), ESCAPE_ERROR);
    assert_int_equal(f->error.code, ASSAY_ERROR_MISSING);
    if (kept)
        setenv("PATH", kept, 1);
    free(kept);
}

/* Solved, it would take hours. */
static const char endless[] = "n(0). n(X+1) :- n(X), X < 100000000. #show.";

static void the_time_budget_ends_the_solver(void **state)
{
    struct fixture *f = *state;
    if (left_out("datalog", datalog_missing()))
        skip();
    int descriptor = free_descriptor();
    text_puts(&f->program, endless);
    f->budget.wall = budget_now() + 0.1;
    assert_int_equal(escape_run(solve_program, f), ESCAPE_TIME_BUDGET);
    assert_int_equal(free_descriptor(), descriptor);
}

static void *interrupt_soon(void *arg)
{
    poll(NULL, 0, 100);
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}

static bool is_set(void *arg)
{
    return atomic_load((atomic_int *)arg) != 0;
}

static void an_interrupt_ends_the_solver(void **state)
{
    struct fixture *f = *state;
    if (left_out("datalog", datalog_missing()))
        skip();
    int descriptor = free_descriptor();
    atomic_int interrupt = 0;
    text_puts(&f->program, endless);
    f->budget.interrupt = is_set;
    f->budget.interrupt_arg = &interrupt;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, interrupt_soon, &interrupt), 0);
    assert_int_equal(escape_run(solve_program, f), ESCAPE_INTERRUPTED);
    pthread_join(other, NULL);
    assert_int_equal(free_descriptor(), descriptor);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_run_gives_the_table),
        TEST(brute_gives_the_table),
        TEST(the_engine_gives_the_table),
        TEST(patterns_are_named),
        TEST(too_many_nodes_are_refused),
        TEST(a_malformed_program_is_a_clear_error),
        TEST(an_unknown_answer_is_a_clear_error),
        TEST(a_missing_solver_is_a_clear_error),
        TEST(the_time_budget_ends_the_solver),
        TEST(an_interrupt_ends_the_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
