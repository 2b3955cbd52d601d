/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter plots: a point for each history, the time of one algorithm against that of another, both on the same
 * logarithmic scale. Thousands of points lie on each other. So the plane is a grid, and of the points in a cell one is
 * drawn: the picture is the same, the file smaller. A check that was given up has a mark of its own, at the limit. */
#include "bench/driver.h"

#include <math.h>
#include <string.h>

enum { CELLS = 300 };

struct span {
    double low, high; /* of both axes */
};

static struct span span_of(const struct scatter *s)
{
    struct span span = {INFINITY, 0};
    for (size_t i = 0; i < s->n; i++) {
        span.low = fmin(span.low, fmin(s->x[i], s->y[i]));
        span.high = fmax(span.high, fmax(s->x[i], s->y[i]));
    }
    return (struct span){span.low / 1.5, span.high * 1.5};
}

static size_t cell_of(double at, struct span span)
{
    return (size_t)(CELLS * log(at / span.low) / log(span.high / span.low));
}

enum group { PLAIN, MARKED, GIVEN_UP, GROUPS };

static enum group group_of(const struct scatter *s, size_t i)
{
    if (s->x[i] >= s->limit || s->y[i] >= s->limit)
        return GIVEN_UP;
    return s->marked[i] ? MARKED : PLAIN;
}

static void print_points(FILE *to, const struct scatter *s, struct span span, enum group group)
{
    static bool taken[CELLS][CELLS];
    memset(taken, 0, sizeof taken);
    fprintf(to, "$group%d << END\n", group);
    for (size_t i = 0; i < s->n; i++) {
        bool *cell = &taken[cell_of(s->x[i], span)][cell_of(s->y[i], span)];
        if (group_of(s, i) == group && !*cell)
            fprintf(to, "%.4g %.4g\n", s->x[i], s->y[i]);
        *cell |= group_of(s, i) == group;
    }
    fprintf(to, "END\n");
}

static bool has_any(const struct scatter *s, enum group group)
{
    for (size_t i = 0; i < s->n; i++)
        if (group_of(s, i) == group)
            return true;
    return false;
}

/* Do more points lie above the diagonal than below it? */
static bool lies_above(const struct scatter *s)
{
    size_t above = 0;
    for (size_t i = 0; i < s->n; i++)
        above += s->y[i] > s->x[i];
    return 2 * above > s->n;
}

static void print_limit(FILE *to, double limit)
{
    fprintf(to,
            "set arrow from %g, graph 0 to %g, graph 1 nohead dashtype 2 linecolor 'gray50'\n"
            "set arrow from graph 0, first %g to graph 1, first %g nohead dashtype 2 linecolor 'gray50'\n"
            "set label 'the limit' at graph 1.01, first %g\n",
            limit, limit, limit, limit, limit);
}

/* Marks differ in shape, so they stay apart in grey. Names stand in the emptier corner beside the diagonal, each
 * behind its mark, and at the lines: there is no legend beside the axes. Groups without a point have no name. */
static void print_script(FILE *to, const void *what)
{
    static const char *const looks[GROUPS] = {"pointtype 7 pointsize 0.3 linecolor '#0072b2'",
                                              "pointtype 2 pointsize 0.5 linecolor '#d55e00'",
                                              "pointtype 8 pointsize 0.7 linecolor 'gray30'"};
    const struct scatter *s = what;
    struct span span = span_of(s);
    const char *names[GROUPS] = {s->names[0], s->names[1], "given up at the limit"};
    double x = lies_above(s) ? 0.55 : 0.05, y = lies_above(s) ? 0.2 : 0.9;
    for (enum group g = PLAIN; g < GROUPS; g++)
        if (has_any(s, g)) {
            print_points(to, s, span, g);
            fprintf(to, "set label '%s' at graph %g, graph %g left offset 1, 0 point %s\n", names[g], x, y, looks[g]);
            y -= 0.055;
        }
    if (has_any(s, GIVEN_UP))
        print_limit(to, s->limit);
    fprintf(to,
            "unset key\nset title '%s'\nset xlabel '%s'\nset ylabel '%s'\n"
            "set logscale xy\nset format xy '%%g'\nset size ratio 1\n"
            "set xrange [%g:%g]\nset yrange [%g:%g]\n"
            "set label 'equal' at graph 0.97, graph 0.82 right textcolor 'gray30'\n"
            "plot x with lines linewidth 1 linecolor 'gray50'",
            s->title, s->x_title, s->y_title, span.low, span.high, span.low, span.high);
    for (enum group g = PLAIN; g < GROUPS; g++)
        if (has_any(s, g))
            fprintf(to, ", $group%d with points %s", g, looks[g]);
    fputc('\n', to);
}

void plot_scatter(struct bench *b, const struct scatter *s)
{
    if (s->n)
        plot_draw(b, s->file, s->title, print_script, s);
}
