/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tally.h"

#include "baseline/datalog_program.h"
#include "support/batch.h"
#include "support/left_out.h"

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

/* ---- engines ---- */

static bool not_agreed(const struct sketch *s, void *arg, struct complaint *why)
{
    struct poll p = *(const struct poll *)arg;
    assay_history *h = sketch_build(s);
    bool fine = poll_run(&p, h);
    *why = p.why;
    assay_history_free(h);
    return !fine;
}

static void count_class(struct tally *t, unsigned satisfied)
{
    uint32_t i = 0;
    while (i < t->classes && t->class[i].satisfied != satisfied)
        i++;
    if (i == TALLY_CLASSES)
        abort();
    if (i == t->classes)
        t->class[t->classes++] = (struct tally_class){0, satisfied};
    t->class[i].histories++;
}

unsigned tally_judge(struct tally *t, const struct sketch *s)
{
    assay_history *h = sketch_build(s);
    t->poll.thorough = t->histories % t->every == 0;
    bool fine = poll_run(&t->poll, h);
    assay_history_free(h);
    if (!fine)
        tally_fail(s, not_agreed, &t->poll);
    t->histories++;
    count_class(t, t->poll.satisfied);
    return t->poll.satisfied;
}

uint64_t tally_between(const struct tally *t, unsigned all_of, unsigned none_of)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->classes; i++)
        if ((t->class[i].satisfied & all_of) == all_of && !(t->class[i].satisfied & none_of))
            sum += t->class[i].histories;
    return sum;
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
    const struct tally *t = arg;
    struct batch *b = batch_new(t->poll.models);
    unsigned satisfied;
    assay_history *h = sketch_build(s);
    if (verdicts_of(h, NULL, t->poll.models & models_named(BATCH_MODELS), &satisfied, why)) {
        batch_add(b, h, satisfied);
        batch_solve(b, note_difference, &found);
    }
    if (found.variant)
        snprintf(why->text, sizeof why->text, "it satisfies %s; datalog:%s says: %s", models_print(satisfied).text,
                 found.variant, models_print(found.says).text);
    assay_history_free(h);
    batch_free(b);
    return found.variant;
}

static void fail_batched(void *arg, size_t number, const char *variant, unsigned says)
{
    struct tally *t = arg;
    (void)variant, (void)says;
    tally_fail(&t->batched[number], datalog_differs, t);
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

void tally_start(struct tally *t, unsigned models, uint32_t every)
{
    *t = (struct tally){.poll = {.models = models}, .every = every};
    if (left_out("datalog", datalog_missing()))
        return;
    t->batch = batch_new(models);
    t->batched = calloc(BATCH, sizeof *t->batched);
    if (!t->batched)
        abort();
}

static int by_count(const void *a, const void *b)
{
    const struct tally_class *x = a, *y = b;
    return (x->histories < y->histories) - (x->histories > y->histories);
}

static void print_classes(struct tally *t)
{
    qsort(t->class, t->classes, sizeof *t->class, by_count);
    for (uint32_t i = 0; i < t->classes; i++)
        printf("    %-24s %9" PRIu64 "\n", models_print(t->class[i].satisfied).text, t->class[i].histories);
}

void tally_finish(struct tally *t, const char *title)
{
    if (t->batch)
        solve(t);
    printf("%s: %" PRIu64 " histories, %" PRIu64 " verdicts, %" PRIu64 " with evidence rechecked, 0 disagreements\n",
           title, t->histories, t->poll.verdicts, t->poll.rechecked);
    if (t->poll.undecided)
        printf("    %" PRIu64 " checks ran out of time\n", t->poll.undecided);
    print_classes(t);
    if (t->by_datalog)
        printf("    datalog, with cm_1 and cm_2, agrees on %" PRIu64 " about %s\n", t->by_datalog,
               t->poll.models & models_named("wsc") ? BATCH_MODELS : CAUSAL_MODELS);
    fflush(stdout);
    if (t->batch)
        batch_free(t->batch);
    free(t->batched);
}
