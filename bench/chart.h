/* SPDX-License-Identifier: Apache-2.0 */
/* Line charts: series of points with direct labels, drawn by gnuplot.
 *
 * A picture has at most CHART_SERIES series; of more, the cheapest come into the first picture and the rest into
 * further ones. Names stand at the right edge, each as near to the end of its line as the others
 * allow, so there is no legend. Series differ by mark and dashes as well as by colour. A cross marks where an engine
 * gave up. Ticks of the x axis are measured sizes, as many as do not collide.
 *
 * The numbers of a chart are kept in a file beside its picture (chart_write), so that it can be drawn again. */
#ifndef ASSAY_BENCH_CHART_H
#define ASSAY_BENCH_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    CHART_SERIES = 7, /* of a picture */
    CHART_MOST = 28,  /* of a chart */
    CHART_POINTS = 128,
    CHART_TEXT = 128,
    CHART_TICKS = 32,
    CHART_WIDTH = 760, /* of a picture, in pixels */
    CHART_HEIGHT = 460,
    CHART_LABEL = 16, /* from one label to the next, at least */
};

struct chart_point {
    double x, y;
    bool gave_up; /* at y, or before it was measured further */
};

struct chart_series {
    char name[CHART_TEXT];
    struct chart_point at[CHART_POINTS];
    size_t n;
};

struct chart {
    char title[CHART_TEXT], x_title[CHART_TEXT], y_title[CHART_TEXT];
    bool log_x, log_y;
    bool linear; /* a line of linear growth for comparison */
    bool higher; /* more is better */
    struct chart_series series[CHART_MOST];
    size_t n;
};

/* A point of the series of this name. Beyond the capacity it is not added. */
void chart_add(struct chart *c, const char *name, struct chart_point p);

/* ---- where things stand ---- */

struct chart_frame {
    double low_x, high_x, low_y, high_y; /* of the axes */
    double right;                        /* edge of the axes, in pixels: the names stand beyond it */
};

struct chart_tick {
    double at;
    char text[16];
};

struct chart_frame chart_frame_of(const struct chart *c);
/* Pixels from the left and from the bottom. */
double chart_x(const struct chart *c, const struct chart_frame *f, double x);
double chart_y(const struct chart *c, const struct chart_frame *f, double y);
size_t chart_x_ticks(const struct chart *c, const struct chart_frame *f, struct chart_tick out[CHART_TICKS]);
size_t chart_y_ticks(const struct chart *c, const struct chart_frame *f, struct chart_tick out[CHART_TICKS]);
/* How wide a text is, at most. */
double chart_text_width(const char *text);
/* The places of the names of a picture's series, in pixels from the bottom. */
void chart_labels(const struct chart *part, const struct chart_frame *f, double y[CHART_SERIES]);

/* ---- pictures ---- */

size_t chart_pictures(const struct chart *c);
/* The series of the i-th one, with its number in the title. */
void chart_part(const struct chart *c, size_t i, struct chart *out);
/* Its name: FILE, FILE-2, FILE-3. */
void chart_name(char *out, size_t size, const char *file, size_t i);

void chart_print(FILE *to, const void *part); /* gnuplot's script */

/* ---- numbers ---- */

void chart_write(FILE *to, const struct chart *c);
bool chart_read(FILE *from, struct chart *c); /* false: it is no such file */

#endif
