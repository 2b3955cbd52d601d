/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/examples.h"

#include "oracle/finding.h"
#include "oracle/transactions/compare.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/notation.h"
#include "oracle/transactions/oracle.h"
#include "oracle/transactions/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct example {
    const char *history;
    const char *strongest[2]; /* models that hold, with those that they imply; no others do */
    const char *failing[2];   /* models, and the anomaly that refutes them */
    const char *anomaly;
};

static const struct example examples[] = {
    {"rx0 ry0 wx1 | rx0 ry0 wy1", {"si"}, {"ser"}, "WriteSkew"},
    {"ry0 wy1 | rx0 ry0 wx1 | rx0 ry1", {"si"}, {"ser"}, "ReadOnlyAnomaly"},
    {"rx0 wx1 | rx0 wx2", {"pc"}, {"psi", "si"}, "LostUpdate"},
    {"wx1 | wy1 | rx1 ry0 | rx0 ry1", {"psi"}, {"pc", "si"}, "LongFork"},
    {"rx0 wx1 | rx0 wx2 | wy1 | wz1 | ry1 rz0 | ry0 rz1", {"tcc"}, {"pc"}, "LongFork"},
    {"rx0 wx1 | rx0 wx2 | wy1 | wz1 | ry1 rz0 | ry0 rz1", {"tcc"}, {"psi"}, "LostUpdate"},
    {"rx0 wx1 | wy1 ; rx0 | wx2 ry0", {"pc", "psi"}, {"si"}, "LongFork-session"},
    {"wx1 | rx1 wy1 | ry1 rx0", {"ra"}, {"tcc"}, "CausalityViolation"},
    {"wx1 | rx1 wx2 | rx2 ; rx1", {"ra"}, {"tcc"}, "StaleRead-session"},
    {"wx1 wy1 | rx0 ry1", {"rc"}, {"ra"}, "FracturedRead"},
    {"wx1 wy1 | wx2 wy2 | rx1 ry2", {"rc"}, {"ra"}, "FracturedRead"},
    {"wx1 | rx0 rx1", {"rc"}, {"ra"}, "NonRepeatableRead"},
    {"wx1 ; rx0", {"rc"}, {"ra"}, "StaleRead-session"},
    {"wx1 wy1 | ry1 rx0", {NULL}, {"rc"}, "NonMonotonicRead"},
    {"wx1 ; wx2 wy2 | ry2 rx2 rx2 rx1", {NULL}, {"rc"}, "NonMonotonicRead"},
    {"wx1 ry1 | wy1 rx1", {NULL}, {"rc"}, "CircularRead"},
    {"! wx1 | rx1", {NULL}, {"rc", "ser"}, "AbortedRead"},
    {"wx1 wx2 | rx1", {NULL}, {"rc", "ser"}, "IntermediateRead"},
    {"rx1", {NULL}, {"rc", "ser"}, "ThinAirRead"},
    {"rx1 wx1", {NULL}, {"rc", "ser"}, "FutureRead"},
    {"wx1 rx0", {NULL}, {"rc", "ser"}, "InternalRead"},
    {"? wx1 | rx1", {"ser"}, {NULL}, NULL},
    {"rx0 ; ? wx1 ; rx0 ; rx1", {"ser"}, {NULL}, NULL},
    {"wx1 @1-2 | rx0 @3-4", {"ser", "rc-strict"}, {"ra-strict", "ser-strict"}, "StaleRead-realtime"},
    {"ax1 ay1 | ax2 ay2 | lx1,2 ly2,1", {NULL}, {"rc", "ser"}, "DirtyWrite"},
    {"lx ly ax1 | lx ly ay1", {"si"}, {"ser"}, "WriteSkew"},
    {"lx ay1 az1 | ly ax1 az2", {"pc"}, {"psi", "si"}, "ConcurrentWrites"},
    {"lx ax1 | lx ax2 | lx1,2", {"pc"}, {"psi", "si"}, "LostUpdate"},
    {"ax1 | ax2 | lx1 | lx2", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"ax2 lx2 | ax1 lx1", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"ax2 lx2 | ax1 | lx1", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"ax2 lx2 ax3 | ax1 | lx1,2,3", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"ax2 lx2 ax3 | ax1 | lx1", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"ax2 lx2 ax3 lx1,2,3 | ax1", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 | lx1,2", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 lx1 | lx2", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"? ax2 lx2 ax3 | ax1 | lx1,2,3", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 lx1", {"ser"}, {NULL}, NULL},
    {"! ax2 lx2 | ax1 lx1", {"ser"}, {NULL}, NULL},
    {"ax2 lx2 | ax1 lx2,1", {"ser"}, {NULL}, NULL},
    {"ax2 lx2 ax3 | ax1 lx2,3,1", {"ser"}, {NULL}, NULL},
    {"lx ax2 lx1,2 | ax1", {"rc"}, {"ra"}, "NonRepeatableRead"},
    {"ax2 lx2 | ax1 | ly ; lx1,2 ay3", {NULL}, {"rc", "ser"}, "IncompatibleOrder"},
    {"rx0 ; wx100 ; rx200 | rx0 ; wx200 ; rx100", {"rc", "ser-plain"}, {NULL}, NULL},
};

static int model_named(const char *name)
{
    for (int m = 0; m < MODELS; m++)
        if (!strcmp(model_names[m], name))
            return m;
    abort();
}

/* Plain variants may hold beyond the table, which is about sessions. */
static bool holds(const struct example *x, int model)
{
    for (int i = 0; i < 2 && x->strongest[i]; i++)
        if (implies(model_named(x->strongest[i]), model))
            return true;
    return false;
}

static void check_names(const struct example *x, const assay_grading *g, const char *text)
{
    for (size_t i = 0; i < assay_grading_size(g); i++)
        for (int k = 0; k < 2 && x->failing[k]; k++) {
            const assay_result *r = assay_grading_result(g, i);
            if (!r || strcmp(assay_grading_model(g, i), x->failing[k]) != 0)
                continue;
            const char *name = assay_result_pattern(r);
            counts.laws++;
            if (!name || strcmp(name, x->anomaly) != 0)
                finding(text, "%s: %s is refuted by %s, the definitions say %s", x->history, x->failing[k],
                        name ? name : "nothing", x->anomaly);
        }
}

void check_examples(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        struct history *h = read_notation(x->history);
        struct spelling s = plain_spelling();
        bool ok[MODELS];
        judge(h, ok);
        char *text = write_lines(h, &s, NULL);
        for (int m = model_of(RC, SESSION); m < MODELS; m++)
            if ((h->timing || base_of(m) != STRICT) && ok[m] != holds(x, m))
                finding(text, "%s: the oracle and the table differ about %s", x->history, model_names[m]);
        assay_history *a = parse(text, "hist");
        if (a) {
            compare_all(a, text, ok, h->timing != UNTIMED, NULL);
            ask_engines(a, text, ok, h->timing != UNTIMED);
        }
        assay_grading *g = a ? assay_grade(a, NULL, NULL) : NULL;
        if (g)
            check_names(x, g, text);
        assay_grading_free(g);
        assay_history_free(a);
        free(text);
        free_history(h);
    }
}
