/* SPDX-License-Identifier: Apache-2.0 */
/* A curve whose engine gives up at a size is not measured at larger ones. An engine that this build does not have is
 * left out. */
#include "bench/experiment.h"

#include "bench/figure.h"

#include <string.h>

enum { MOST_CURVES = 8, HISTORIES = 20, HISTORIES_QUICK = 2, EACH = 50, VARIABLES = 10, DISTANCE = 20 };

static const double LIMIT = 10;  /* CPU seconds of a check */
static const double ENOUGH = 10; /* of all checks of a curve at a size: then its mean is that of fewer histories */

struct contest {
    const struct curve *curves[MOST_CURVES];
    bool out[MOST_CURVES]; /* it gave up */
    size_t n;
};

/* ---- the curves that take part ---- */

static bool available(const struct curve *c)
{
    assay_history *h = assay_history_new();
    assay_value args[] = {assay_int(0), assay_int(1)};
    assay_history_add(h, &(assay_operation){.thread = "t", .method = "write", .args = args, .arg_count = 2}, NULL);
    assay_result *r = assay_check(h, c->model, &(assay_options){ASSAY_OPTIONS_INIT, .engine = c->engine}, NULL);
    bool fine = r && assay_result_verdict(r) == ASSAY_CONSISTENT;
    assay_result_free(r);
    assay_history_free(h);
    return fine;
}

static struct contest find_contest(const struct experiment *e)
{
    struct contest x = {0};
    for (const struct curve *c = e->curves; c->model && x.n < MOST_CURVES; c++)
        if (available(c))
            x.curves[x.n++] = c;
    return x;
}

/* ---- measuring ---- */

static struct input input_of(const struct bench *b, const struct experiment *e, uint32_t size)
{
    struct input in = e->input;
    in.threads = e->over_threads ? size : e->threads;
    in.operations = e->over_threads ? EACH * size : size;
    in.variables = VARIABLES;
    in.distance = in.mutate ? DISTANCE : 0;
    in.shuffle = true;
    in.count = b->set->quick ? HISTORIES_QUICK : b->set->papers ? e->count : HISTORIES;
    return in;
}

static int expected(const struct experiment *e, const struct curve *c)
{
    if (!e->input.violates)
        return ASSAY_CONSISTENT;
    return !e->input.half && strcmp(c->model, e->input.violates) == 0 ? ASSAY_VIOLATION : ANY_VERDICT;
}

static void add_size(struct bench *b, struct table *t, struct contest *x, const struct experiment *e, uint32_t size)
{
    for (size_t i = 0; i < x->n && bench_goes_on(b); i++) {
        const struct curve *c = x->curves[i];
        struct task task = {.input = input_of(b, e, size),
                            .model = c->model,
                            .engine = c->engine,
                            .title = c->paper,
                            .expected = expected(e, c),
                            .limit = LIMIT,
                            .limit_is_cpu = true,
                            .enough = b->set->papers ? ENOUGH : ENOUGH / 5};
        if (x->out[i])
            continue;
        table_add(b, t, &task, (struct goal){0});
        x->out[i] = bench_goes_on(b) && t->rows[t->n - 1].sample.undecided;
    }
}

/* ---- findings ---- */

static bool is_curve(const struct row *r, const struct curve *c)
{
    return strcmp(r->task.model, c->model) == 0 && strcmp(r->task.engine, c->engine) == 0;
}

static const struct row *row_of(const struct table *t, const struct curve *c, uint32_t threads, uint32_t operations)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        if (is_curve(r, c) && r->task.input.threads == threads && r->task.input.operations == operations)
            return r;
    }
    return NULL;
}

/* How often the fast curve's time the slow one needs, size by size. */
static void print_ratios(const struct bench *b, const struct table *t, const struct experiment *e)
{
    FILE *out = b->set->out;
    if (!e->slow || !bench_goes_on(b))
        return;
    fprintf(out, "\nThe time of %s over that of %s:", e->slow->paper, e->fast->paper);
    for (size_t i = 0, n = 0; i < t->n; i++) {
        const struct row *slow = &t->rows[i];
        const struct input *in = &slow->task.input;
        const struct row *fast = is_curve(slow, e->slow) ? row_of(t, e->fast, in->threads, in->operations) : NULL;
        if (fast && !fast->sample.undecided && !slow->sample.undecided)
            fprintf(out, "%s %.3g at %u %s", n++ ? "," : "", slow->sample.check / fast->sample.check,
                    e->over_threads ? in->threads : in->operations, e->over_threads ? "threads" : "operations");
    }
    fputs(".\n", out);
}

/* The violations that weaker models reject, too. */
static void print_shares(const struct bench *b, const struct table *t, const struct experiment *e)
{
    if (!e->input.violates || e->input.half || !bench_goes_on(b))
        return;
    for (const struct curve *c = e->curves; c->model; c++) {
        uint32_t histories = 0, violations = 0;
        for (size_t i = 0; i < t->n && strcmp(c->model, e->input.violates) != 0; i++) {
            histories += is_curve(&t->rows[i], c) ? t->rows[i].sample.histories : 0;
            violations += is_curve(&t->rows[i], c) ? t->rows[i].sample.violations : 0;
        }
        if (histories)
            fprintf(b->set->out, "\nOf %u violations of %s, %s misses %u (%.2f %%).\n", histories, e->input.violates,
                    c->paper, histories - violations, 100.0 * (histories - violations) / histories);
    }
}

/* ---- the experiment ---- */

static void label(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s (%s)", r->task.title, r->task.engine);
}

/* Only the full run is drawn: a smaller one must not replace its plots. */
static void draw(struct bench *b, const struct table *t, const struct experiment *e)
{
    char axis[64];
    if (!b->set->papers)
        return;
    if (e->over_threads)
        snprintf(axis, sizeof axis, "threads of %d operations", EACH);
    else
        snprintf(axis, sizeof axis, "operations of %u threads", e->threads);
    plot_table(b, t,
               &(struct plot){.file = e->file,
                              .title = e->title,
                              .x_title = axis,
                              .y_title = "CPU seconds",
                              .x = e->over_threads ? row_threads : row_operations,
                              .y = row_check,
                              .label = label});
}

void experiment_run(struct bench *b, const struct experiment *e)
{
    static struct table t;
    struct contest x = find_contest(e);
    uint32_t last = b->set->quick ? e->first : e->last;
    t.n = 0;
    heading(b, e->title);
    paragraph(b, "%s", e->paper);
    for (uint32_t size = e->first; size <= last && bench_goes_on(b); size += e->step)
        add_size(b, &t, &x, e, size);
    table_print(b, &t);
    figure_print_findings(b, &t, NULL);
    print_ratios(b, &t, e);
    print_shares(b, &t, e);
    draw(b, &t, e);
}
