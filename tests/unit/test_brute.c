/* SPDX-License-Identifier: Apache-2.0 */
/* The printed examples under brute force, in all models, and what `@final` adds to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "support/printed.h"
#include "support/shorthand.h"

extern const struct engine engine_brute;
/* In the order of their bits. */
static const char *const models[PRINTED_MODELS] = {"cc", "ccv", "cm", "ccm", "wsc", "sc", "wccm", "wtso", "tso", "pso"};

static void run_brute(void *arg)
{
    engine_brute.run(arg);
}

static enum escape judge(const history *h, const struct model *model, struct budget *budget, result *r)
{
    struct mem mem = {0};
    assay_error error = {0};
    *r = (result){.evidence = evidence_in(&mem)};
    struct job job = {.h = h, .model = model, .mem = &mem, .budget = budget, .out = r, .error = &error};
    enum escape left = escape_run(run_brute, &job);
    mem_release(&mem);
    return left;
}

/* The models that the history satisfies. */
static unsigned satisfied(const history *h)
{
    unsigned found = 0;
    for (unsigned m = 0; m < PRINTED_MODELS; m++) {
        struct budget budget = {0};
        result r;
        assert_int_equal(judge(h, model_find(models[m]), &budget, &r), ESCAPE_NONE);
        assert_int_equal(r.verdict == ASSAY_VIOLATION, r.evidence.pattern != PATTERN_NONE);
        found |= r.verdict == ASSAY_CONSISTENT ? 1u << m : 0;
    }
    return found;
}

static void check(const char *name, const char *text, unsigned found, unsigned wanted)
{
    for (unsigned m = 0; m < PRINTED_MODELS; m++)
        if ((found ^ wanted) >> m & 1)
            fail_msg("%s: %s is %sconsistent with %s", name, text, found >> m & 1 ? "" : "not ", printed_model[m]);
}

static void brute_gives_the_table(void **state)
{
    (void)state;
    for (int i = 0; i < PRINTED; i++) {
        history *h = shorthand(printed[i].text);
        check(printed[i].name, printed[i].text, satisfied(h), printed[i].satisfies);
        history_free(h);
    }
}

static void the_last_value_is_stored_last(void **state)
{
    static const unsigned weak = CC | CCV | CM | CCM | WSC | WCCM | WTSO;
    static const unsigned all = weak | SC | TSO | PSO;
    static const struct {
        const char *text, *final;
        unsigned satisfies;
    } cases[] = {
        {"wx1 | wx2", "x=1", all},
        {"wx1 | wx2", "x=2", all},
        {"wx1 | wx2", "x=0", weak}, /* the initial write is the first */
        {"wx1 | wx2", "x=3", weak}, /* nobody wrote it */
        {"wx1 | wx2", "y=0", all},  /* nobody wrote y, so it is still 0 */
        {"wx1 | wx2", "y=1", weak},
        {"wx1 wx2", "x=1", weak},       /* against program order */
        {"wx1 | wx2 rx1", "x=2", weak}, /* x=1 came later */
        {"wx1 wy1 | wy2 wx2", "x=1 y=2", weak | PSO},
        {"wx1 f wy1 | wy2 f wx2", "x=1 y=2", weak},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        history *h = shorthand(cases[i].text);
        assay_error error = {0};
        assert_true(assay_history_set(h, "final", cases[i].final, &error));
        check(cases[i].final, cases[i].text, satisfied(h), cases[i].satisfies);
        history_free(h);
    }
}

/* Nine writes in any order, and each time the rest is found to be in vain. */
static void a_long_search_obeys_the_budget(void **state)
{
    history *h = shorthand("rz2 wy2 rx1 | wx1 wy1 wz1 | wt1 ws1 wz2 | rz2 wx2 ry1 | rz1 wt2 rs1 | rz1 ws2 rt1 |"
                           "wa1 | wa2 | wa3 | wa4 | wa5 | wa6 | wa7 | wa8 | wa9");
    struct budget budget = {.wall = budget_now()};
    result r;
    (void)state;
    assert_int_equal(judge(h, model_find("sc"), &budget, &r), ESCAPE_TIME_BUDGET);
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_gives_the_table),
        cmocka_unit_test(the_last_value_is_stored_last),
        cmocka_unit_test(a_long_search_obeys_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
