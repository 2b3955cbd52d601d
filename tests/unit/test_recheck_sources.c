/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck where values are not unique: witnesses with the sources of the reads, and violations that recheck searches
 * for again. Operations are numbered from left to right. */
#include "assay.h"
#include "history/slice.h"
#include "support/shorthand.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ORDER(ops, sources) "\"consistent\",\"orders\":[{\"ops\":[" ops "]}],\"sources\":[" sources "]}"
#define PLAIN(ops) "\"consistent\",\"orders\":[{\"ops\":[" ops "]}]}"
#define NO_SOURCES "\"violation\",\"pattern\":\"NoSources\"}"
#define THIN_AIR(culprit) "\"violation\",\"pattern\":\"ThinAirRead\",\"culprit\":" #culprit "}"
#define ACCEPTED NULL

struct example {
    const char *model, *history, *final;
    const char *proof;   /* what follows "verdict": */
    const char *refused; /* why, or ACCEPTED */
};

static const struct example examples[] = {
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[1,2]"), ACCEPTED},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("1,0,2", "[0,2]"), ACCEPTED},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[0,2]"), "does not return"},
    {"sc", "wx1 | wx1 rx1", NULL, PLAIN("0,1,2"), "names no source"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", ""), "names no source"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[1,2],[0,2]"), "is given two sources"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[\"initial\",2]"), "does not return the initial value"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[1,0]"), "but does not read"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[1,3]"), "has only 3"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[3,2]"), "has only 3"},
    {"sc", "wx1 | wx1 rx1", NULL, ORDER("0,1,2", "[2,2]"), "but does not write"},
    {"sc", "wx1 wy1 | wx1 rx1", NULL, ORDER("0,1,2,3", "[1,3]"), "but writes another variable"},
    {"sc", "wx1 wx2 | wx1 rx1", NULL, ORDER("0,1,2,3", "[1,3]"), "but wrote another value"},
    {"sc", "wx1 wx2 | wx1 rx2", NULL, ORDER("2,0,1,3", ""), ACCEPTED},      /* only one wrote 2 */
    {"sc", "wx1 wx2 | wx1 rx2", NULL, ORDER("2,0,1,3", "[1,3]"), ACCEPTED}, /* it may be said */
    {"sc", "wx0 | rx0", NULL, ORDER("1,0", "[\"initial\",1]"), ACCEPTED},
    {"sc", "wx0 | rx0", NULL, ORDER("0,1", "[0,1]"), ACCEPTED},
    {"sc", "wx0 | rx0", NULL, ORDER("0,1", "[\"initial\",1]"), "does not return"},
    {"sc", "wx1 | ux11", NULL, ORDER("0,1", "[0,1]"), ACCEPTED},
    {"sc", "wx1 | ux11", NULL, ORDER("0,1", "[1,1]"), "is named as its own source"},
    /* unique values have sources, too */
    {"sc", "wx1 | rx1", NULL, ORDER("0,1", "[0,1]"), ACCEPTED},
    {"sc", "wx1 | rx1", NULL, ORDER("0,1", "[\"initial\",1]"), "does not return the initial value"},
    /* the last write may be any of those that wrote the value */
    {"sc", "wx1 wx2 | wx1", "x=1", ORDER("0,1,2", ""), ACCEPTED},
    {"sc", "wx1 wx2 | wx1", "x=1", ORDER("0,2,1", ""), "did not write the value that @final names"},
    {"sc", "wx1 | wx0", "x=0", ORDER("0,1", ""), ACCEPTED},
    {"sc", "wx1 | wx0", "x=0", ORDER("1,0", ""), "did not write the value that @final names"},
    {"tso", "wx1 ry0 | wy1 rx0 | wx1", NULL, ORDER("1,3,0,2,4", ""), ACCEPTED},
    {"tso", "wx1 rx1 | wx1", NULL, ORDER("1,0,2", "[0,1]"), ACCEPTED}, /* its own, still in the buffer */
    {"tso", "wx1 rx1 | wx1", NULL, ORDER("1,0,2", "[2,1]"), "does not return"},
    {"pso", "wx1 wy1 | ry1 rx0 | wx1", NULL, ORDER("1,2,3,0,4", ""), ACCEPTED},
    /* the causal models: 0 may be the source, 2 may not */
    {"cc", "wx1 | wx2 wx1 rx1", NULL, ORDER("0,1,2,3", "[2,3]"), ACCEPTED},
    {"ccv", "wx1 | rx1 wx2 rx1", NULL, ORDER("0,1,2,3", ""), "among its causes"},
    {"ccv", "wx1 | rx1 wx2 rx1 | wx1", NULL, ORDER("0,1,2,4,3", "[0,1],[4,3]"), ACCEPTED},
    {"ccv", "wx1 | rx1 wx2 rx1 | wx1", NULL, ORDER("0,1,2,4,3", "[0,1],[0,3]"), "among its causes"},
    /* a read of what nobody wrote needs no choice */
    {"sc", "wx1 | wx1 | rx3", NULL, THIN_AIR(2), ACCEPTED},
    {"cc", "wx1 | wx1 | rx3", NULL, THIN_AIR(2), ACCEPTED},
    {"cc", "wx1 | wx1 | rx1", NULL, THIN_AIR(2), "was written more than once"},
    {"wsc", "wx1 | wx1 | rx3", NULL, THIN_AIR(2), ACCEPTED},
    {"wsc", "wx1 | wx1 rx1 | rx3", NULL, THIN_AIR(3), "values are not unique"},
    {"sc", "wx1 | wx1", "x=2", "\"violation\",\"pattern\":\"FinalNotWritten\"}", ACCEPTED},
    {"sc", "wx1 | wx0", "x=0", "\"violation\",\"pattern\":\"FinalNotWritten\"}", "was written"},
    /* what rests on sources needs unique values */
    {"sc", "wx1 | wx1 rx1", NULL, "\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[],\"cycle\":[]}",
     "values are not unique"},
    /* searched again */
    {"sc", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"tso", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"pso", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"ccv", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"cm", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"cc", "wx1 | wx1 | wx2 | rx1 rx2 rx1 rx2", NULL, NO_SOURCES, "there are sources"},
    {"sc", "wx1 | wx1 | wx2 | rx1 rx2 rx1", NULL, NO_SOURCES, "there is an execution"},
    {"cm", "wx1 | wx1 | wx2 | rx1 rx2 rx1", NULL, NO_SOURCES, "there are sources"},
    {"sc", "wx1 ry0 | wy1 rx0 | wx1", NULL, NO_SOURCES, ACCEPTED},
    {"tso", "wx1 ry0 | wy1 rx0 | wx1", NULL, NO_SOURCES, "there is an execution"},
    {"tso", "wx1 f ry0 | wy1 f rx0 | wx1", NULL, NO_SOURCES, ACCEPTED},
    {"tso", "wx1 wy1 | ry1 rx0 | wx1", NULL, NO_SOURCES, ACCEPTED},
    {"pso", "wx1 wy1 | ry1 rx0 | wx1", NULL, NO_SOURCES, "there is an execution"},
    {"pso", "wx1 f wy1 | ry1 rx0 | wx1", NULL, NO_SOURCES, ACCEPTED},
    {"sc", "wx1 wx2 | wx1 wx2", "x=1", NO_SOURCES, ACCEPTED},
    {"sc", "wx1 wx2 | wx1", "x=1", NO_SOURCES, "there is an execution"},
    {"sc", "ux11", NULL, NO_SOURCES, ACCEPTED}, /* nobody else wrote 1 */
    {"cc", "ux11", NULL, NO_SOURCES, ACCEPTED},
    {"wsc", "wx1 | wx1 rx1", NULL, NO_SOURCES, "values are not unique"},
    {"wsc", "wx1 | wx1", NULL, NO_SOURCES, "does not forbid"}, /* nobody reads it */
    {"wsc", "wx1 | wx2", NULL, NO_SOURCES, "does not forbid"},
    /* a pending write that may have taken effect did if the order has it */
    {"sc", "wx1? | wx1 rx1", NULL, ORDER("1,2", "[1,2]"), ACCEPTED},
    {"sc", "wx1? | wx1 rx1", NULL, ORDER("1,0,2", "[0,2]"), ACCEPTED},
    {"sc", "wx1? | wx1 rx1", NULL, ORDER("1,2", "[0,2]"), "which takes no part"},
    {"sc", "wx1? | wx1 rx1", NULL, ORDER("1,0,2", "[1,2]"), "does not return"},
    {"sc", "wx1? | wx1 rx1", NULL, NO_SOURCES, "there is an execution"},
    {"sc", "wx1? | wx1 wx2 rx1", NULL, ORDER("1,2,0,3", "[0,3]"), ACCEPTED},
    {"cc", "wx1? | wx1 wx2 rx1", NULL, ORDER("1,2,0,3", "[0,3]"), ACCEPTED},
    {"sc", "wx1? | wx1 wx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"cc", "wx1? | wx1 wx2 rx1", NULL, NO_SOURCES, "there are sources"},
    {"ccv", "wx1? | wx1 wx2 rx1 rx2", NULL, NO_SOURCES, ACCEPTED},
    {"sc", "wx1? | wx1 ry0", NULL, ORDER("1,2", ""), ACCEPTED}, /* it does not matter */
    {"sc", "wx1? | wx1 ry0", NULL, ORDER("0,1,2", ""), "which takes no part"},
    /* an rmw whose old value nobody wrote did not; nor does one without readers */
    {"sc", "ux91? | wx1 | rx1", NULL, ORDER("1,2", ""), ACCEPTED},
    {"sc", "ux91? | wx1 | rx1", NULL, THIN_AIR(0), "which takes no part"},
    {"cc", "ux91? | rx1", NULL, THIN_AIR(1), ACCEPTED},
    {"cc", "ux12? | ux21? | rx1", NULL, THIN_AIR(2), ACCEPTED},
    {"cc", "ux92?", "x=2", PLAIN(""), ACCEPTED}, /* the causal models ignore @final */
    {"cc", "ux92?", "x=2", THIN_AIR(0), "which takes no part"},
    {"sc", "ux92?", "x=2", "\"violation\",\"pattern\":\"FinalNotWritten\"}", ACCEPTED},
    {"sc", "ux02?", "x=2", PLAIN("0"), ACCEPTED},
    {"sc", "ux02?", "x=2", PLAIN(""), "but 1 take part"},
    {"sc", "wx1?", "x=0", PLAIN(""), ACCEPTED},
    {"sc", "wx1 wx2 | wx1?", "x=1", PLAIN("0,1,2"), ACCEPTED},
    {"sc", "wx1 wx2 | wx1?", "x=1", PLAIN("0,1"), "as @final says"},
    {"sc", "wx1 rx1 | wx1? | wx2 rx2 wy1 | ry1 rx2", "x=1", NO_SOURCES, "there is an execution"},
    /* a variable that nobody accesses ends as it began */
    {"sc", "wy0", "z=1", "\"violation\",\"pattern\":\"FinalNotWritten\"}", ACCEPTED},
    {"sc", "wy0", "z=1", PLAIN("0"), "no variable can end with"},
    {"sc", "wy0", "z=0", PLAIN("0"), ACCEPTED},
    {"sc", "wx1 | wx1 rx1", "z=1", NO_SOURCES, ACCEPTED},
    /* what cannot be is no matter of the pending write beside it */
    {"cc", "wx0? | rx0 | rx9", NULL, THIN_AIR(2), ACCEPTED},
    {"sc", "wx0? | rx0 | rx9", NULL, THIN_AIR(2), ACCEPTED},
    {"ccm", "wx0? | rx0 | rx9", NULL, THIN_AIR(2), "values are not unique"},
};

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        char line[1024];
        assay_error e = {0};
        history *h = shorthand(x->history);
        if (x->final)
            assert_true(assay_history_set(h, "final", x->final, NULL));
        snprintf(line, sizeof line,
                 "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\",\"verdict\":%s\n",
                 history_digest(h), x->model, x->proof);
        bool searched = false, accepted = assay_recheck_with(h, line, NULL, NULL, &searched, &e);
        if (accepted != !x->refused || (x->refused && !strstr(e.message, x->refused)))
            fail_msg("%s, %s: %s: %s", x->model, x->history, x->proof, accepted ? "accepted" : e.message);
        if (accepted)
            assert_int_equal(searched, strstr(x->proof, "NoSources") != NULL);
        history_free(h);
    }
}

/* More than a search can go through: not proved, which is no claim about the verdict. */
static void test_searches_are_bounded(void **state)
{
    (void)state;
    history *h = assay_history_new();
    for (int i = 0; i < 6000; i++) {
        char thread[16];
        snprintf(thread, sizeof thread, "t%d", i % 6);
        assay_value args[] = {assay_word("x"), assay_int(1)};
        assay_operation write = {.thread = thread, .method = "write", .args = args, .arg_count = 2};
        assay_operation read = {
            .thread = thread, .method = "read", .args = args, .arg_count = 1, .result = assay_int(1)};
        assay_history_add(h, i / 6 % 2 ? &read : &write, NULL);
    }
    char line[256];
    assay_error e = {0};
    snprintf(line, sizeof line,
             "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"sc\",\"verdict\":%s\n",
             history_digest(h), NO_SOURCES);
    assert_false(assay_recheck(h, line, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_LIMIT);
    assert_non_null(strstr(e.message, "execution-"));
    history_free(h);
}

/* Many operations, but few states: one thread does nearly everything, so recheck gets through. */
static void test_states_count_not_operations(void **state)
{
    (void)state;
    static const char *const models[] = {"sc", "tso", "pso"};
    history *h = assay_history_new();
    for (int i = 0; i < 1000; i++) { /* 1, 2, 1, 2, ..., once 3; another thread reads 3, and then 0 */
        bool late = i >= 998;
        assay_value args[] = {assay_word("x"), assay_int(i == 500 ? 3 : 1 + i / 2 % 2)};
        assay_operation write = {.thread = "t0", .method = "write", .args = args, .arg_count = 2};
        assay_operation read = {.thread = late ? "t1" : "t0",
                                .method = "read",
                                .args = args,
                                .arg_count = 1,
                                .result = late ? assay_int(i == 998 ? 3 : 0) : args[1]};
        assay_history_add(h, i % 2 || late ? &read : &write, NULL);
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char line[256];
        assay_error e = {0};
        snprintf(line, sizeof line,
                 "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\",\"verdict\":%s\n",
                 history_digest(h), models[i], NO_SOURCES);
        assert_true(assay_recheck(h, line, NULL, &e));
    }
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_searches_are_bounded),
        cmocka_unit_test(test_states_count_not_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
