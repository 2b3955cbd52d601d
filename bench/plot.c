/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of a table's rows. Beside each chart its numbers are kept, for `assay-bench replot`. */
#include "bench/chart.h"
#include "bench/driver.h"
#include "bench/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

double row_operations(const struct row *r)
{
    return r->task.input.operations;
}

double row_threads(const struct row *r)
{
    return r->task.input.threads;
}

double row_check(const struct row *r)
{
    return r->sample.undecided ? -1 : r->sample.check;
}

double row_peak(const struct row *r)
{
    return r->sample.peak;
}

void plot_prepare(struct bench *b)
{
    if (!b->set->svg)
        return;
    if (!gnuplot_works())
        bench_fault(b, "gnuplot is missing or does not work: no plots without it");
    else if (mkdir(b->set->svg, 0777) != 0 && errno != EEXIST)
        bench_fault(b, "cannot make the folder %s: %s", b->set->svg, strerror(errno));
}

/* Pages lie in docs/internals/benchmarks/, beside the plots in docs/internals/plots/, or else in docs/guides/. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void plot_draw(struct bench *b, const char *file, const char *title, void (*print)(FILE *to, const void *what),
               const void *what)
{
    char path[PATH_SPACE], *svg = NULL;
    size_t size = 0;
    if (!b->set->svg || !bench_goes_on(b))
        return;
    snprintf(path, sizeof path, "%s/%s.svg", b->set->svg, file);
    if (!gnuplot_draw(print, what, &svg, &size) || !b->set->save(path, svg, size))
        bench_fault(b, "cannot draw %s", path);
    else if (b->set->markdown)
        paragraph(b, "![%s](%s%s/%s.svg)", title, b->suite->page ? "../internals/" : "../", last_part(b->set->svg),
                  file);
    free(svg);
}

/* ---- charts ---- */

static void save_numbers(struct bench *b, const char *file, const struct chart *c)
{
    char path[PATH_SPACE], *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    snprintf(path, sizeof path, "%s/%s.tsv", b->set->svg, file);
    if (to)
        chart_write(to, c);
    if (!to || fclose(to) != 0 || !b->set->save(path, text, size))
        bench_fault(b, "cannot write %s", path);
    free(text);
}

void plot_chart(struct bench *b, const char *file, const struct chart *c)
{
    static struct chart part;
    if (!b->set->svg || !bench_goes_on(b) || !c->n)
        return;
    save_numbers(b, file, c);
    for (size_t i = 0; i < chart_pictures(c) && bench_goes_on(b); i++) {
        char name[CHART_TEXT];
        chart_part(c, i, &part);
        chart_name(name, sizeof name, file, i);
        plot_draw(b, name, part.title, chart_print, &part);
    }
}

/* An engine that gave up did so at the limit, or where it was last seen. */
static void add_row(struct chart *c, const struct plot *p, const struct row *r)
{
    char name[CHART_TEXT];
    double y = p->y(r);
    p->label(r, name, sizeof name);
    if (y >= 0)
        chart_add(c, name, (struct chart_point){p->x(r), y, false});
    else if (r->task.limit > 0)
        chart_add(c, name, (struct chart_point){p->x(r), r->task.limit, true});
}

void plot_table(struct bench *b, const struct table *t, const struct plot *p)
{
    static struct chart c;
    memset(&c, 0, sizeof c);
    snprintf(c.title, sizeof c.title, "%s", p->title);
    snprintf(c.x_title, sizeof c.x_title, "%s", p->x_title);
    snprintf(c.y_title, sizeof c.y_title, "%s", p->y_title);
    c.log_x = p->log_x;
    c.log_y = true;
    c.linear = p->linear;
    for (size_t i = 0; i < t->n; i++)
        add_row(&c, p, &t->rows[i]);
    plot_chart(b, p->file, &c);
}
