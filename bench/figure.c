/* SPDX-License-Identifier: Apache-2.0 */
/* All engines take part: the library lists them, and an engine that refuses a small history of the model is left out.
 * An engine that gives up at a size is not tried at larger ones. */
#include "bench/figure.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONTENDERS = 24, VARIABLES = 10, HISTORIES = 10, DISTANCE = 20 };

enum { EAGER_MOST = 500 }; /* operations that the engines of the papers' encoding take */

static const double LIMIT = 10; /* seconds of a check, by the clock on the wall */

struct contender {
    const char *model, *engine;
    uint32_t most; /* operations that the engine takes; 0: no limit */
    bool out;      /* it gave up */
};

struct contenders {
    struct contender at[MOST_CONTENDERS];
    size_t n;
};

/* ---- the engines that take part ---- */

/* One write to each of 60 variables: too large for engines of tiny histories, and easy. */
static assay_history *probe_memory(void)
{
    assay_history *h = assay_history_new();
    for (int i = 0; h && i < 60; i++) {
        assay_value args[] = {assay_int(i), assay_int(1)};
        assay_history_add(h, &(assay_operation){.thread = "t", .method = "write", .args = args, .arg_count = 2}, NULL);
    }
    return h;
}

static assay_history *probe(const struct figure *f)
{
    struct input small = f->input;
    small.operations = 60;
    small.threads = 2;
    return f->input.object ? input_history(&small) : probe_memory();
}

/* The engine that decides the model, or NULL. */
static const char *deciding(const assay_history *h, const char *model, const char *engine)
{
    const char *name = NULL;
    assay_result *r = assay_check(h, model, &(assay_options){ASSAY_OPTIONS_INIT, .engine = engine}, NULL);
    if (r && assay_result_verdict(r) == ASSAY_CONSISTENT)
        name = assay_result_engine(r);
    for (size_t i = 0; name && i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        if (strcmp(m.name, name) == 0) {
            name = m.name; /* which outlives the result */
            break;
        }
    }
    assay_result_free(r);
    return name;
}

static void take_part(struct contenders *all, const char *model, const char *engine, uint32_t most)
{
    if (engine && all->n < MOST_CONTENDERS)
        all->at[all->n++] = (struct contender){model, engine, most, false};
}

/* The papers' encoding is a variant of some engines, and they are listed a second time for it. */
static const char *eager_variant(const char *name)
{
    static const char *const names[] = {"sat:eager", "wsc+sat:eager", "ccm+sat:eager", "wtso+sat:eager",
                                        "wccm+sat:eager"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(names[i], name, strlen(name)) == 0 && names[i][strlen(name)] == ':')
            return names[i];
    return NULL;
}

static struct contenders find_contenders(const struct figure *f)
{
    struct contenders all = {0};
    assay_history *h = probe(f);
    for (size_t i = 0; h && f->model && i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        bool eager = m.variants && strcmp(m.variants[0], "eager") == 0;
        if (!m.missing && deciding(h, f->model, m.name))
            take_part(&all, f->model, eager ? eager_variant(m.name) : deciding(h, f->model, m.name),
                      eager ? EAGER_MOST : 0);
    }
    for (const char *const *w = f->weaker; h && w && *w; w++)
        take_part(&all, *w, deciding(h, *w, NULL), 0);
    assay_history_free(h);
    return all;
}

/* ---- measuring ---- */

static void add_size(struct bench *b, struct table *t, struct contenders *all, const struct figure *f,
                     const struct input *input)
{
    for (size_t i = 0; i < all->n && bench_goes_on(b); i++) {
        struct contender *c = &all->at[i];
        struct task task = {.input = *input,
                            .model = c->model,
                            .engine = c->engine,
                            .expected = f->mutate ? ANY_VERDICT : ASSAY_CONSISTENT,
                            .limit = LIMIT};
        bool has_goal = f->goal > 0 && !b->set->quick && strcmp(c->engine, "auto") == 0;
        if (c->out || (c->most && input->operations > c->most))
            continue;
        table_add(b, t, &task, (struct goal){.check = has_goal ? f->goal : 0});
        c->out = bench_goes_on(b) && t->rows[t->n - 1].sample.undecided;
    }
}

/* The next size, or false. */
static bool next_object_size(const struct bench *b, const struct figure *f, struct input *in)
{
    uint32_t *size = f->over_threads ? &in->threads : &in->operations, i = 0;
    while (f->sizes[i] && f->sizes[i] <= *size)
        i++;
    *size = f->sizes[i];
    return *size && (!b->set->quick || i == 0);
}

static bool next_size(const struct bench *b, const struct figure *f, struct input *in)
{
    if (f->input.object)
        return next_object_size(b, f, in);
    uint32_t most = b->set->quick ? 1 : 4;
    uint32_t step = f->over_threads ? in->threads / 4 : in->operations / 200;
    if (step == most)
        return false;
    in->threads = f->over_threads ? 4 * (step + 1) : 6;
    in->operations = f->over_threads ? 50 * in->threads : 200 * (step + 1);
    /* The more threads there are, the less likely it is that one exchanged value is a violation. */
    in->mutate = f->mutate * (in->threads - 2) / 2;
    return true;
}

/* ---- findings ---- */

static int by_time(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    return (x->sample.check > y->sample.check) - (x->sample.check < y->sample.check);
}

static void print_name(FILE *out, const struct figure *f, const struct task *t)
{
    if (t->title)
        fprintf(out, "%s", t->title);
    else if (f->model && strcmp(t->model, f->model) == 0)
        fprintf(out, "%s", t->engine);
    else
        fprintf(out, "%s alone", t->model);
}

void figure_print_findings(const struct bench *b, const struct table *t, const struct figure *f)
{
    FILE *out = b->set->out;
    const struct row *last[MOST_CONTENDERS];
    const struct input *largest = t->n ? &t->rows[t->n - 1].task.input : NULL;
    size_t n = 0;
    if (!bench_goes_on(b) || !largest)
        return;
    for (size_t i = 0; i < t->n; i++) {
        const struct input *in = &t->rows[i].task.input;
        bool is_largest = in->operations == largest->operations && in->threads == largest->threads;
        if (is_largest && !t->rows[i].sample.undecided)
            last[n++] = &t->rows[i];
    }
    qsort(last, n, sizeof *last, by_time);
    fprintf(out, "\nHere, at %u operations of %u threads, in milliseconds:", largest->operations, largest->threads);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : " ", out);
        print_name(out, f, &last[i]->task);
        fprintf(out, " %.3g", 1000 * last[i]->sample.check);
    }
    fputs(".\n", out);
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        if (!r->sample.undecided)
            continue;
        print_name(out, f, &r->task);
        fprintf(out, " gives up at %u operations of %u threads.\n", r->task.input.operations, r->task.input.threads);
    }
}

static void label(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s, %s", r->task.model, r->task.engine);
}

/* Before the first size. */
static struct input first_input(const struct bench *b, const struct figure *f)
{
    if (!f->input.object)
        return (struct input){.kind = "sc",
                              .variables = VARIABLES,
                              .distance = DISTANCE,
                              .shuffle = true,
                              .count = b->set->quick ? 1 : HISTORIES};
    struct input input = f->input;
    *(f->over_threads ? &input.threads : &input.operations) = 0;
    return input;
}

static void print_axis(char *out, size_t size, const struct figure *f)
{
    if (!f->input.object)
        snprintf(out, size, "%s", f->over_threads ? "threads of 50 operations" : "operations of 6 threads");
    else if (f->over_threads)
        snprintf(out, size, "threads, %u operations", f->input.operations);
    else
        snprintf(out, size, "operations of %u threads", f->input.threads);
}

void figure_run(struct bench *b, const struct figure *f)
{
    static struct table t;
    char axis[64];
    print_axis(axis, sizeof axis, f);
    const struct plot plot = {f->file,
                              f->title,
                              axis,
                              "CPU seconds",
                              f->over_threads ? row_threads : row_operations,
                              row_check,
                              label,
                              f->input.object && !f->over_threads,
                              false};
    struct contenders all = find_contenders(f);
    struct input input = first_input(b, f);
    t.n = 0;
    if (!all.n)
        return;
    heading(b, f->title);
    paragraph(b, "%s", f->paper);
    while (bench_goes_on(b) && next_size(b, f, &input))
        add_size(b, &t, &all, f, &input);
    table_print(b, &t);
    figure_print_findings(b, &t, f);
    plot_table(b, &t, &plot);
}
