/* SPDX-License-Identifier: Apache-2.0 */
/* One explained violation for each store and part. First come cells that do not keep the promise of the manual. Then
 * come the strongest promise, the weakest violated model, and the fewest operations, in this order. Of the histories of
 * all equally good cells, the one whose part is the smallest is shown. */
#include "bench/study.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TRIED = 20 }; /* histories of a cell */

/* A cell whose violation may be shown. */
struct candidate {
    const struct measured *cell;
    const char *model;
    const struct model_outcome *counts;
    bool broken; /* the model is the promised one */
    size_t rank; /* of the model */
};

struct shown {
    struct candidate of;
    assay_history *small;
    uint64_t number; /* of the history */
};

/* The promised model, if it is violated, else the weakest violated one; false: none is. */
static bool make_candidate(const struct measured *m, struct candidate *out)
{
    const char *names[CELL_MODELS];
    size_t n = cell_models(m->cell.workload, names), i = 0;
    while (i < n && !m->outcome.models[i].violations)
        i++;
    *out = (struct candidate){.cell = m, .rank = i};
    if (i == n)
        return false;
    out->broken = m->promise != NO_PROMISE && m->outcome.models[m->promise].violations;
    if (out->broken)
        out->rank = (size_t)m->promise;
    out->model = names[out->rank];
    out->counts = &m->outcome.models[out->rank];
    return true;
}

/* Below 0: the first one is better; 0: both are as good. */
static int compare(const struct candidate *a, const struct candidate *b)
{
    if (a->broken != b->broken)
        return a->broken ? -1 : 1;
    if (a->cell->promise != b->cell->promise)
        return b->cell->promise - a->cell->promise;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->cell->cell.operations > b->cell->cell.operations) -
           (a->cell->cell.operations < b->cell->cell.operations);
}

/* ---- printing ---- */

/* The report of a history, such as `assay check --explain` prints it. */
static void print_report(const struct study *s, const assay_history *h, const char *model, assay_error *e)
{
    assay_result *r = assay_check(h, model, NULL, e);
    assay_report_options how = {ASSAY_REPORT_OPTIONS_INIT, .explain = true, .file = "small.hist"};
    if (r)
        assay_result_report(r, "text", &how, s->bench->set->out, e);
    assay_result_free(r);
}

static void print_small(const struct study *s, const assay_history *small, const char *model, assay_error *e)
{
    study_open_block(s, "text");
    assay_history_write(small, "hist", 0, s->bench->set->out, e);
    study_close_block(s);
    study_open_block(s, "text");
    print_report(s, small, model, e);
    study_close_block(s);
}

/* The smallest part found of the history, read from its own text: its lines are numbered from 1. */
static assay_history *shrink(const char *path, const char *model, assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    assay_reader *reader = assay_reader_open(path, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_result *r = h ? assay_check(h, model, NULL, e) : NULL;
    assay_history *small = r ? assay_shrink(r, NULL, NULL, e) : NULL;
    FILE *to = small ? open_memstream(&text, &size) : NULL;
    bool written = to && assay_history_write(small, "hist", 0, to, e);
    if (to && fclose(to) != 0)
        written = false;
    assay_history_free(small);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    reader = written ? assay_reader_open_memory("small.hist", text, size, "hist", e) : NULL;
    small = reader ? assay_reader_next(reader, e) : NULL;
    assay_reader_close(reader);
    free(text);
    return small;
}

static void print_shown(const struct study *s, const struct shown *v)
{
    FILE *out = s->bench->set->out;
    const struct cell *cell = &v->of.cell->cell;
    uint64_t histories = v->of.cell->outcome.histories;
    const char *model = v->of.model;
    char title[128];
    assay_error e = {0};
    snprintf(title, sizeof title, "%s, %s: a violation of %s", cell->store->title, cell->workload, model);
    study_heading(s, title);
    study_open_block(s, "sh");
    store_print_cluster(cell->store, out);
    cell_print_command(cell, histories, out);
    fprintf(out, "assay check -m %s --shrink --explain out/%04" PRIu64 ".hist\n", model, v->number);
    study_close_block(s);
    paragraph(s->bench,
              "Here %" PRIu64 " of %" PRIu64 " histories violated %s. The first was number %" PRIu64
              ", and this is the smallest part found of number %" PRIu64 ":",
              v->of.counts->violations, histories, model, v->of.counts->first, v->number);
    print_small(s, v->small, model, &e);
}

/* ---- the choice ---- */

/* Keeps the smaller one of the history that is shown and those of this cell. */
static void try_cell(const struct study *s, const struct candidate *c, struct shown *best)
{
    uint64_t found = 0;
    for (uint64_t k = 1; k <= c->cell->outcome.histories && found < MOST_TRIED && bench_goes_on(s->bench); k++) {
        char path[PATH_SPACE];
        assay_error e = {0};
        cell_history(&c->cell->cell, s->work, k, path);
        assay_history *small = shrink(path, c->model, &e);
        found += small != NULL;
        if (small && (!best->small || assay_history_size(small) < assay_history_size(best->small))) {
            assay_history_free(best->small);
            *best = (struct shown){*c, small, k};
        } else {
            assay_history_free(small);
        }
    }
}

static void show_one(const struct study *s, const struct store *store, enum study_part part)
{
    struct candidate best = {0}, c;
    struct shown shown = {0};
    for (size_t i = 0; i < s->n; i++) {
        const struct measured *m = &s->cells[i];
        if (m->cell.store == store && m->part == part && make_candidate(m, &c) &&
            (!best.cell || compare(&c, &best) < 0))
            best = c;
    }
    for (size_t i = 0; best.cell && i < s->n; i++) {
        const struct measured *m = &s->cells[i];
        if (m->cell.store == store && m->part == part && make_candidate(m, &c) && compare(&c, &best) == 0)
            try_cell(s, &c, &shown);
    }
    if (shown.small && bench_goes_on(s->bench))
        print_shown(s, &shown);
    assay_history_free(shown.small);
}

void violations_print(const struct study *s)
{
    heading(s->bench, "A violation of each store, explained");
    paragraph(s->bench,
              "This section shows one violation for each store and part, shrunk to the operations that it needs. If\n"
              "there are several to choose from, a broken promise comes first, then the setting with the strongest\n"
              "promise, then the weakest model. You can repeat the search with the commands, which drive the store\n"
              "with the same clients; but servers are not deterministic, so you may find it in other histories.");
    for (const struct store *store = store_table; store->name; store++)
        for (int part = 0; part < STUDY_PARTS && bench_goes_on(s->bench); part++)
            show_one(s, store, (enum study_part)part);
}
