/* SPDX-License-Identifier: Apache-2.0 */
/* An engine takes part if it takes the histories at all. It gets three times as long as the default engine took: a
 * slower one is of no interest here. Times below 0.1 ms count as 0.1 ms: a user does not notice them. */
#include "bench/standing.h"

#include "bench/columns.h"

#include <string.h>

static const double LIMIT = 2, GRACE = 0.01; /* CPU seconds */
static const double SHORTEST = 0.0001;
static const double GOAL = 1.5; /* times as long as the best other engine, at most */

struct place {
    struct sample sample;
    const char *engine; /* NULL: nobody */
};

static const struct column columns[] = {
    {"history", -44}, {"n", 6},           {"k", 3},       {"v", 3},         {"model", -7}, {"verdict", -15},
    {"default", -15}, {"default ms", 10}, {"other", -14}, {"other ms", 10}, {"ratio", 6},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* The engine does not refuse the history. */
static bool takes(const assay_history *h, const char *model, const char *engine)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .seconds = GRACE};
    assay_result *r = assay_check(h, model, &options, NULL);
    assay_result_free(r);
    return r != NULL;
}

/* The engines of two rows of the list may share a name: another row is for another variant of it. */
static bool is_listed_before(size_t engine)
{
    const char *name = assay_family_member(ASSAY_ENGINES, engine).name;
    for (size_t i = 0; i < engine; i++)
        if (strcmp(assay_family_member(ASSAY_ENGINES, i).name, name) == 0)
            return true;
    return false;
}

static bool run_one(struct bench *b, const struct family *f, const char *engine, double limit, struct sample *out)
{
    struct task task = {.input = f->input,
                        .model = f->model,
                        .engine = engine,
                        .expected = ANY_VERDICT,
                        .may_decline = engine != NULL,
                        .limit = limit,
                        .limit_is_cpu = true,
                        .rounds = 3};
    return measure(b, &task, out);
}

/* The fastest engine other than the default one that decides all histories. */
static struct place best_other(struct bench *b, const struct family *f, const struct sample *ours)
{
    struct place best = {.engine = NULL};
    assay_history *h = input_history(&f->input);
    double limit = ours->undecided ? LIMIT : 3 * ours->slowest + GRACE;
    for (size_t i = 0; h && i < assay_family_size(ASSAY_ENGINES) && bench_goes_on(b); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        struct place other = {.engine = m.name};
        if (m.missing || is_listed_before(i) || strcmp(m.name, ours->engine) == 0 || !takes(h, f->model, m.name))
            continue;
        if (!run_one(b, f, m.name, limit, &other.sample) || other.sample.undecided)
            continue;
        if (!best.engine || other.sample.check < best.sample.check)
            best = other;
    }
    assay_history_free(h);
    return best;
}

static double at_least(double seconds)
{
    return seconds > SHORTEST ? seconds : SHORTEST;
}

/* Times as long as the best other engine takes; 0: no other one decides the histories in that time. */
static double ratio_of(const struct sample *ours, const struct place *best)
{
    return best->engine ? at_least(ours->undecided ? LIMIT : ours->check) / at_least(best->sample.check) : 0;
}

/* Without their number, which is the same in all rows. */
static void print_history(const struct input *in, char out[CELL_SPACE])
{
    struct input one = *in;
    one.count = 1;
    input_print(&one, out);
}

static void print_row(struct bench *b, const struct family *f, const struct sample *ours, const struct place *best,
                      double ratio)
{
    char cells[COLUMNS][COLUMN_CELL] = {{0}};
    const struct input *in = &f->input;
    print_history(in, cells[0]);
    snprintf(cells[1], COLUMN_CELL, "%s", grouped(in->operations));
    snprintf(cells[2], COLUMN_CELL, "%u", in->threads);
    snprintf(cells[3], COLUMN_CELL, "%u", in->variables);
    snprintf(cells[4], COLUMN_CELL, "%s", f->model);
    sample_print_verdict(ours, cells[5]);
    snprintf(cells[6], COLUMN_CELL, "%s", ours->undecided ? "" : ours->engine);
    snprintf(cells[7], COLUMN_CELL, ours->undecided ? "> %.0f" : "%.3f",
             1000 * (ours->undecided ? LIMIT : ours->check));
    if (best->engine) {
        snprintf(cells[8], COLUMN_CELL, "%s", best->engine);
        snprintf(cells[9], COLUMN_CELL, "%.3f", 1000 * best->sample.check);
        snprintf(cells[10], COLUMN_CELL, "%.2f", ratio);
    }
    columns_print_row(b, columns, COLUMNS, cells);
}

static void print_worst(const struct bench *b, const struct family *f, double ratio, size_t within, size_t all)
{
    char name[CELL_SPACE];
    print_history(&f->input, name);
    fprintf(b->set->out, "\n%zu of %zu goals are met; the tightest:\n\n", within, all);
    fprintf(b->set->out, "- default over the best other engine, %s %s operations, %u threads: %.2f times, ", name,
            grouped(f->input.operations), f->input.threads, ratio);
    fprintf(b->set->out, "goal at most %g times: %s\n", GOAL, ratio <= GOAL ? "met" : "missed");
}

void standing_run(struct bench *b, const struct family *families, size_t n)
{
    double worst = 0;
    const struct family *slowest = NULL;
    size_t within = 0, done = 0;
    columns_print_head(b, columns, COLUMNS);
    for (size_t i = 0; i < n && bench_goes_on(b); i++) {
        struct sample ours;
        if (!run_one(b, &families[i], NULL, LIMIT, &ours))
            return;
        struct place best = best_other(b, &families[i], &ours);
        double ratio = ratio_of(&ours, &best);
        print_row(b, &families[i], &ours, &best, ratio);
        fflush(b->set->out);
        done++;
        within += ratio <= GOAL;
        if (ratio > worst || !slowest) {
            worst = ratio;
            slowest = &families[i];
        }
    }
    if (slowest && bench_goes_on(b) && !b->set->quick)
        print_worst(b, slowest, worst, within, done);
}
