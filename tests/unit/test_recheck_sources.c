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

#define ORDER(ops, sources)                                                                        \
    "\"consistent\",\"orders\":[{\"ops\":[" ops "]}],\"sources\":[" sources "]}"
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
    {"wsc", "wx1 | wx1 | rx3", NULL, THIN_AIR(2), "values are not unique"},
    {"sc", "wx1 | wx1", "x=2", "\"violation\",\"pattern\":\"FinalNotWritten\"}", ACCEPTED},
    {"sc", "wx1 | wx0", "x=0", "\"violation\",\"pattern\":\"FinalNotWritten\"}", "was written"},
    /* what rests on sources needs unique values */
    {"sc", "wx1 | wx1 rx0", NULL, "\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[],\"cycle\":[]}",
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
    {"wsc", "wx1 | wx1", NULL, NO_SOURCES, "values are not unique"},
    {"wsc", "wx1 | wx2", NULL, NO_SOURCES, "does not forbid"},
    /* whether the pending write took effect is not for recheck to guess */
    {"sc", "wx1? | wx1 rx1", NULL, ORDER("1,2", "[1,2]"), "is open"},
    {"sc", "wx1? | wx1 ry0", NULL, ORDER("1,2", ""), ACCEPTED}, /* it does not matter */
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
    static const char *const models[] = {"sc", "cc"};
    history *h = assay_history_new();
    for (int i = 0; i < 600; i++) {
        char thread[16];
        snprintf(thread, sizeof thread, "t%d", i % 20);
        assay_value args[] = {assay_word("x"), assay_int(1)};
        assay_operation write = {.thread = thread, .method = "write", .args = args, .arg_count = 2};
        assay_operation read = {
            .thread = thread, .method = "read", .args = args, .arg_count = 1, .result = assay_int(1)};
        assay_history_add(h, i % 2 ? &write : &read, NULL);
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char line[256];
        assay_error e = {0};
        snprintf(line, sizeof line,
                 "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\",\"verdict\":%s\n",
                 history_digest(h), models[i], NO_SOURCES);
        assert_false(assay_recheck(h, line, NULL, &e));
        assert_int_equal(e.code, ASSAY_ERROR_REFUSED);
        assert_non_null(strstr(e.message, "given up"));
    }
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_searches_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
