/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/examples.h"

#include "engine/engine.h"
#include "evidence/evidence.h"

#include <stdlib.h>
#include <string.h>

struct example {
    const char *text, *holds; /* the models of these that hold: */
    const char *among;        /* NULL: those with session order */
    const char *fails, *name; /* a model that fails, and the name of the violation; or NULL */
};

static const char levels[] = " rc ra tcc pc psi si ser ";

static const struct example examples[] = {
    {"rx0 ry0 wx1 | rx0 ry0 wy1", "rc ra tcc pc psi si", NULL, "ser", "WriteSkew"},
    {"ry0 wy1 | rx0 ry0 wx1 | rx0 ry1", "rc ra tcc pc psi si", NULL, "ser", "ReadOnlyAnomaly"},
    {"rx0 wx1 | rx0 wx2", "rc ra tcc pc", NULL, "si", "LostUpdate"},
    {"rx0 wx1 | rx0 wx2", "rc ra tcc pc", NULL, "psi", "LostUpdate"},
    {"wx1 | wy1 | rx1 ry0 | rx0 ry1", "rc ra tcc psi", NULL, "pc", "LongFork"},
    {"wx1 | wy1 | rx1 ry0 | rx0 ry1", "rc ra tcc psi", NULL, "si", "LongFork"},
    {"rx0 wx1 | rx0 wx2 | wy1 | wz1 | ry1 rz0 | ry0 rz1", "rc ra tcc", NULL, NULL, NULL},
    {"rx0 wx1 | wy1 ; rx0 | wx2 ry0", "rc ra tcc pc psi", NULL, "si", "LongFork-session"},
    {"wx1 | rx1 wy1 | ry1 rx0", "rc ra", NULL, "tcc", "CausalityViolation"},
    {"wx1 | rx1 wx2 | rx2 ; rx1", "rc ra", NULL, "tcc", "StaleRead-session"},
    {"wx1 wy1 | rx0 ry1", "rc", NULL, "ra", "FracturedRead"},
    {"wx1 wy1 | wx2 wy2 | rx1 ry2", "rc", NULL, "ra", "FracturedRead"},
    {"wx1 | rx0 rx1", "rc", NULL, "ra", "NonRepeatableRead"},
    {"wx1 ; rx0", "rc", NULL, "ra", "StaleRead-session"},
    {"wx1 wy1 | ry1 rx0", "", NULL, "rc", "NonMonotonicRead"},
    {"wx1 ; wx2 wy2 | ry2 rx2 rx2 rx1", "", NULL, "rc", "NonMonotonicRead"},
    {"wx1 ry1 | wy1 rx1", "", NULL, "rc", "CircularRead"},
    {"! wx1 | rx1", "", NULL, "rc", "AbortedRead"},
    {"wx1 wx2 | rx1", "", NULL, "rc", "IntermediateRead"},
    {"rx1", "", NULL, "rc", "ThinAirRead"},
    {"rx1 wx1", "", NULL, "rc", "FutureRead"},
    {"wx1 rx0", "", NULL, "rc", "InternalRead"},
    {"? wx1 | rx1", "rc ra tcc pc psi si ser", NULL, NULL, NULL},
    {"rx0 ; ? wx1 ; rx0 ; rx1", "rc ra tcc pc psi si ser", NULL, NULL, NULL},
    {"wx1 @1-2 | rx0 @3-4", "rc ra tcc pc psi si ser", NULL, "ra-strict", "StaleRead-realtime"},
    {"wx1 @1-2 | rx0 @3-4", "rc-strict", "rc-strict ra-strict tcc-strict pc-strict psi-strict si-strict ser-strict",
     NULL, NULL},
    {"ax1 ay1 | ax2 ay2 | lx1,2 ly2,1", "", NULL, "rc", "DirtyWrite"},
    {"lx ly ax1 | lx ly ay1", "rc ra tcc pc psi si", NULL, "ser", "WriteSkew"},
    {"lx ay1 az1 | ly ax1 az2", "rc ra tcc pc", NULL, "si", "ConcurrentWrites"},
    {"lx ax1 | lx ax2 | lx1,2", "rc ra tcc pc", NULL, "si", "LostUpdate"},
    {"ax1 | ax2 | lx1 | lx2", "", NULL, "rc", "IncompatibleOrder"},
    /* lists that are read behind own appends */
    {"ax2 lx2 | ax1 lx1", "", NULL, "rc", "IncompatibleOrder"},
    {"ax2 lx2 | ax1 | lx1", "", NULL, "rc", "IncompatibleOrder"},
    {"ax2 lx2 ax3 | ax1 | lx1,2,3", "", NULL, "rc", "IncompatibleOrder"},
    {"ax2 lx2 ax3 lx1,2,3 | ax1", "", NULL, "rc", "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 | lx1,2", "", NULL, "rc", "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 lx1 | lx2", "", NULL, "rc", "IncompatibleOrder"},
    {"? ax2 lx2 ax3 | ax1 | lx1,2,3", "", NULL, "rc", "IncompatibleOrder"},
    {"? ax2 lx2 | ax1 lx1", "rc ra tcc pc psi si ser", NULL, NULL, NULL},
    {"! ax2 lx2 | ax1 lx1", "rc ra tcc pc psi si ser", NULL, NULL, NULL},
    {"ax2 lx2 ax3 | ax1 lx2,3,1", "rc ra tcc pc psi si ser", NULL, NULL, NULL},
    {"lx ax2 lx1,2 | ax1", "rc", NULL, "ra", "NonRepeatableRead"},
    /* elle-cli #47 */
    {"rx0 ; wx100 ; rx200 | rx0 ; wx200 ; rx100", "ser-plain", "ser-plain tcc pc psi si ser", NULL, NULL},
};

/* Is it one of the words? */
static bool among(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static void fail(const struct example *x, const char *model, const char *what)
{
    printf("%s: %s: %s\n", x->text, model, what);
    exit(1);
}

/* Is there an engine that names violations of the model? */
static bool is_named(const struct model *m)
{
    for (size_t i = 0; engine_table[i]; i++)
        if (engine_decides(engine_table[i], m->conditions) && !engine_table[i]->no_evidence)
            return true;
    return false;
}

static void check_name(const struct example *x, const assay_history *h)
{
    assay_error e = {0};
    assay_result *r = x->name && is_named(model_find(x->fails)) ? assay_check(h, x->fails, NULL, &e) : NULL;
    const char *reason = r ? pattern_reported(r) : x->name;
    if (x->name && (!reason || strcmp(reason, x->name) != 0))
        fail(x, x->fails, reason ? reason : "no name");
    assay_result_free(r);
}

void judge_examples(struct judging *j)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        struct tx_sketch s = sketch_parse(x->text);
        assay_history *h = sketch_history(&s);
        for (unsigned m = 0; txn_model(m); m++) {
            const char *name = txn_model(m)->name;
            if (among(x->among ? x->among : levels, name) && brute_holds(h, name, 0) != among(x->holds, name))
                fail(x, name, "brute force does not say so");
        }
        judge_sketch(&s, j);
        check_name(x, h);
        assay_history_free(h);
    }
    printf("%zu examples\n", sizeof examples / sizeof *examples);
}
