/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/trial.h"

#include "bench/ledger.h"
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { REPEATS = 5 };

static const double LIMIT = TRIAL_LIMIT_MS / 1000.0;
static const double ENOUGH = 0.05; /* seconds of one check, all repetitions together */
static const size_t MOST_MEMORY = (size_t)2 << 30;

/* ---- measuring ---- */

static bool check_once(struct bench *b, const struct contender *c, const assay_history *h, double *seconds,
                       assay_verdict *verdict)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = c->engine, .seconds = LIMIT, .memory = MOST_MEMORY,
                             .interrupt = b->set->interrupt};
    assay_error e = {0};
    assay_result *r = assay_check(h, c->model, &options, &e);
    if (!r) {
        bench_fault(b, "%s with %s: %s", c->model, c->engine, e.message);
        return false;
    }
    *verdict = assay_result_verdict(r);
    *seconds = fmin(LIMIT, fmax(1e-9, assay_result_seconds(r))); /* logarithms are taken of it */
    assay_result_free(r);
    return bench_goes_on(b);
}

/* The least of several times, unless it takes long: the rest is other work of the machine. */
static bool check(struct bench *b, const struct contender *c, const assay_history *h, struct times *to, size_t i,
                  assay_verdict *verdict)
{
    double least = LIMIT, seconds, sum = 0;
    for (unsigned k = 0; k < REPEATS && sum < ENOUGH; k++, sum += seconds) {
        if (!check_once(b, c, h, &seconds, verdict))
            return false;
        least = fmin(least, seconds);
    }
    to->gave_up[i] = *verdict == ASSAY_UNDECIDED;
    to->ms[i] = 1000 * (to->gave_up[i] ? LIMIT : least);
    return true;
}

/* All contenders on one history. */
static bool try_history(struct bench *b, struct trial *t, const assay_history *h)
{
    size_t i = t->n;
    bool found[2] = {false, false};
    for (size_t k = 0; k < t->contender_n; k++) {
        const struct contender *c = &t->contenders[k];
        assay_verdict verdict;
        if (!check(b, c, h, &t->of[k], i, &verdict))
            return false;
        if (verdict == ASSAY_VIOLATION && !c->linearizability)
            bench_fault(b, "%s with %s finds a violation where there is none", c->model, c->engine);
        if (verdict != ASSAY_UNDECIDED && c->linearizability)
            found[verdict == ASSAY_VIOLATION] = true;
    }
    if (found[0] && found[1])
        bench_fault(b, "engines disagree on the linearizability of a history");
    t->odd[i] = found[1];
    t->n++;
    return bench_goes_on(b);
}

/* The median of each contender, for the ledger; the spread is that of thirds of the histories. */
static void note(const struct bench *b, const struct trial *t, const char *name)
{
    static double part[TRIAL_MOST];
    for (size_t c = 0; c < t->contender_n && t->n >= LEDGER_ROUNDS; c++) {
        double seconds[LEDGER_ROUNDS];
        char full[COMMAND_SPACE];
        for (size_t third = 0; third < LEDGER_ROUNDS; third++) {
            size_t n = 0;
            for (size_t i = third; i < t->n; i += LEDGER_ROUNDS)
                part[n++] = t->of[c].ms[i];
            seconds[third] = median(part, n) / 1000;
        }
        snprintf(full, sizeof full, "%s | assay check -m %s -e %s", name, t->contenders[c].model,
                 t->contenders[c].engine);
        ledger_time(b->set->ledger, full, "check", seconds, LEDGER_ROUNDS);
    }
}

void trial_run(struct bench *b, struct trial *t, uint32_t operations, uint32_t threads, size_t n)
{
    const struct collector *c = collector_find("weak-map");
    struct collect_settings s = collect_defaults(c);
    char text[2][16];
    snprintf(text[0], sizeof text[0], "%u", operations);
    snprintf(text[1], sizeof text[1], "%u", threads);
    collect_set(c, &s, "operations", text[0]);
    collect_set(c, &s, "threads", text[1]);
    for (bool fine = true; t->n < n && fine; s.seed++) {
        assay_history *h = collect_history(c, &s, b->error);
        fine = h && try_history(b, t, h);
        assay_history_free(h);
    }
    char name[COMMAND_SPACE / 2];
    snprintf(name, sizeof name, "assay gen weak-map --operations %u --threads %u --count %zu", operations, threads, n);
    if (bench_goes_on(b))
        note(b, t, name);
}

static double open_calls(const assay_history *h)
{
    size_t n = assay_history_size(h), open = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            assay_operation a = assay_history_operation(h, i), b = assay_history_operation(h, k);
            open += b.call_time < a.call_time && a.call_time < b.return_time;
        }
    return n ? (double)open / (double)n : 0;
}

void trial_run_recorded(struct bench *b, struct trial *t, const struct stress_sampling *how, size_t n,
                        struct stress_sample *sample)
{
    bool fine = stress_sample(how, n, sample, b->error);
    for (size_t i = 0; i < sample->n && fine; i++) {
        t->open += open_calls(sample->histories[i]) / (double)sample->n;
        fine = try_history(b, t, sample->histories[i]);
    }
    struct stress_sample counts = {.runs = sample->runs, .distinct = sample->distinct, .sequences = sample->sequences};
    stress_sample_free(sample);
    *sample = counts;
}

/* ---- statistics of the times ---- */

struct summary trial_summary(const struct trial *t, size_t contender)
{
    static double sorted[TRIAL_MOST];
    const struct times *of = &t->of[contender];
    struct summary s = {0};
    for (size_t i = 0; i < t->n; i++) {
        sorted[i] = of->ms[i];
        s.mean += of->ms[i] / (double)t->n;
        s.gave_up += of->gave_up[i];
    }
    s.median = median(sorted, t->n);
    s.late = sorted[t->n * 95 / 100];
    s.most = sorted[t->n - 1];
    return s;
}

double trial_median_ratio(const struct trial *t, size_t contender)
{
    static double ratios[TRIAL_MOST];
    const struct times *of = &t->of[contender], *base = &t->of[t->contenders[contender].baseline];
    for (size_t i = 0; i < t->n; i++)
        ratios[i] = of->ms[i] / base->ms[i];
    return median(ratios, t->n);
}

double trial_mean_ratio(const struct trial *t, size_t contender, size_t baseline)
{
    return trial_summary(t, contender).mean / trial_summary(t, baseline).mean;
}
