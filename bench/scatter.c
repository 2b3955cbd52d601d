/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter plots: a point for each history, the time of one algorithm against that of another, both on the same
 * logarithmic scale. Thousands of points lie on each other. So the plane is a grid, and of the points in a cell one is
 * drawn: the picture is the same, the file smaller. */
#include "bench/driver.h"

#include <math.h>
#include <string.h>

enum { CELLS = 300 };

struct span {
    double low, high; /* of both axes */
};

static struct span span_of(const struct scatter *s)
{
    struct span span = {s->limit, s->limit};
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

static void print_points(FILE *to, const struct scatter *s, struct span span, bool marked)
{
    static bool taken[CELLS][CELLS];
    memset(taken, 0, sizeof taken);
    fprintf(to, "$color%d << END\n", marked);
    for (size_t i = 0; i < s->n; i++) {
        bool *cell = &taken[cell_of(s->x[i], span)][cell_of(s->y[i], span)];
        if (s->marked[i] == marked && !*cell)
            fprintf(to, "%.4g %.4g\n", s->x[i], s->y[i]);
        *cell |= s->marked[i] == marked;
    }
    fprintf(to, "END\n");
}

static void print_script(FILE *to, const void *what)
{
    const struct scatter *s = what;
    struct span span = span_of(s);
    print_points(to, s, span, false);
    print_points(to, s, span, true);
    fprintf(to,
            "set key outside right\nset title '%s'\nset xlabel '%s'\nset ylabel '%s'\n"
            "set logscale xy\nset format xy '%%g'\nset size ratio 1\n"
            "set xrange [%g:%g]\nset yrange [%g:%g]\n"
            "set arrow from %g, graph 0 to %g, graph 1 nohead dashtype 2 linecolor 'gray50'\n"
            "set arrow from graph 0, first %g to graph 1, first %g nohead dashtype 2 linecolor "
            "'gray50'\n"
            "plot $color0 title '%s' with points pointtype 7 pointsize 0.25 linecolor '#0072b2', "
            "$color1 title '%s' with points pointtype 2 pointsize 0.4 linecolor '#d55e00', "
            "x title 'equal' with lines linewidth 1 linecolor 'gray50', "
            "NaN title 'given up' with lines linewidth 1 dashtype 2 linecolor 'gray50'\n",
            s->title, s->x_title, s->y_title, span.low, span.high, span.low, span.high, s->limit, s->limit, s->limit,
            s->limit, s->names[0], s->names[1]);
}

void plot_scatter(struct bench *b, const struct scatter *s)
{
    if (s->n)
        plot_draw(b, s->file, s->title, print_script, s);
}
