/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tally.h"

#include "solver/datalog.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BATCH = 4000 }; /* histories in a run: beyond this the solver gains nothing */

/* ---- failing ---- */

struct fault {
    sketch_fault *broken;
    void *arg;
};

static bool still_broken(const struct sketch *s, void *arg)
{
    struct fault *f = arg;
    struct complaint why = {""};
    return f->broken(s, f->arg, &why);
}

void tally_fail(const struct sketch *s, sketch_fault *broken, void *arg)
{
    struct fault f = {broken, arg};
    struct complaint why = {""};
    struct sketch smaller = sketch_copy(s);
    sketch_shrink(&smaller, still_broken, &f);
    bool reproduced = broken(&smaller, arg, &why);
    printf("DISAGREEMENT: %s\n", reproduced ? why.text : "it does not happen again");
    sketch_print(&smaller, stdout);
    fflush(stdout);
    exit(1);
}

/* ---- clock and brute ---- */

static bool not_agreed(const struct sketch *s, void *arg, struct complaint *why)
{
    unsigned satisfied;
    (void)arg;
    assay_history *h = sketch_build(s);
    bool fine = causal_agreed(h, &satisfied, why);
    assay_history_free(h);
    return !fine;
}

unsigned tally_judge(struct tally *t, const struct sketch *s)
{
    unsigned satisfied;
    struct complaint why = {""};
    assay_history *h = sketch_build(s);
    bool fine = causal_agreed(h, &satisfied, &why);
    assay_history_free(h);
    if (!fine)
        tally_fail(s, not_agreed, NULL);
    t->histories++;
    t->verdicts += CAUSAL_MODELS;
    t->of_set[satisfied]++;
    return satisfied;
}

/* ---- the logic program ---- */

struct difference {
    const char *variant;
    unsigned says;
};

static void note_difference(void *arg, size_t number, const char *variant, unsigned says)
{
    (void)number;
    *(struct difference *)arg = (struct difference){variant, says};
}

static bool datalog_differs(const struct sketch *s, void *arg, struct complaint *why)
{
    struct difference found = {0};
    struct batch *b = batch_new();
    unsigned satisfied;
    (void)arg;
    assay_history *h = sketch_build(s);
    if (causal_verdicts(h, "clock", &satisfied, why)) {
        batch_add(b, h, satisfied);
        batch_solve(b, note_difference, &found);
    }
    if (found.variant)
        snprintf(why->text, sizeof why->text, "clock says: %s; datalog:%s says: %s",
                 causal_set_name(satisfied), found.variant, causal_set_name(found.says));
    assay_history_free(h);
    batch_free(b);
    return found.variant;
}

static void fail_batched(void *arg, size_t number, const char *variant, unsigned says)
{
    struct tally *t = arg;
    (void)variant, (void)says;
    tally_fail(&t->batched[number], datalog_differs, NULL);
}

static void solve(struct tally *t)
{
    size_t n = batch_size(t->batch);
    batch_solve(t->batch, fail_batched, t);
    for (size_t i = 0; i < n; i++)
        sketch_free(&t->batched[i]);
    t->by_datalog += n;
}

void tally_datalog(struct tally *t, const struct sketch *s, unsigned satisfied)
{
    if (!t->batch)
        return;
    assay_history *h = sketch_build(s);
    t->batched[batch_size(t->batch)] = sketch_copy(s);
    batch_add(t->batch, h, satisfied);
    assay_history_free(h);
    if (batch_size(t->batch) == BATCH)
        solve(t);
}

/* ---- counts ---- */

void tally_start(struct tally *t)
{
    *t = (struct tally){0};
    if (datalog_missing())
        return;
    t->batch = batch_new();
    t->batched = calloc(BATCH, sizeof *t->batched);
    if (!t->batched)
        abort();
}

void tally_finish(struct tally *t, const char *title)
{
    if (t->batch)
        solve(t);
    printf("%s: %" PRIu64 " histories, %" PRIu64 " verdicts rechecked, 0 disagreements\n", title,
           t->histories, t->verdicts);
    for (unsigned set = 0; set < CAUSAL_SETS; set++)
        if (t->of_set[set])
            printf("    %-16s %9" PRIu64 "\n", causal_set_name(set), t->of_set[set]);
    if (!t->batch)
        printf("    datalog left out: %s\n", datalog_missing());
    else if (t->by_datalog)
        printf("    datalog, cm_1 and cm_2, agrees on %" PRIu64 "\n", t->by_datalog);
    fflush(stdout);
    if (t->batch)
        batch_free(t->batch);
    free(t->batched);
}
