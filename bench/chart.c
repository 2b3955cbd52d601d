/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 84, /* the edges of the axes, in pixels */
    BOTTOM = 62,
    TOP = 390,
    LEADER = 24, /* from the axes to the names */
    LETTER = 15, /* half pixels */
    LEAST = 400, /* width of the axes; a longer name is cut off by the edge */
    APART = 12,  /* between two ticks */
};

void chart_add(struct chart *c, const char *name, struct chart_point p)
{
    size_t i = 0;
    while (i < c->n && strcmp(c->series[i].name, name) != 0)
        i++;
    if (i == CHART_MOST)
        return;
    struct chart_series *s = &c->series[i];
    if (i == c->n) {
        c->n++;
        snprintf(s->name, sizeof s->name, "%s", name);
        s->n = 0;
    }
    if (s->n < CHART_POINTS)
        s->at[s->n++] = p;
}

/* ---- axes ---- */

double chart_text_width(const char *text)
{
    return LETTER * (double)strlen(text) / 2;
}

static void widen(double *low, double *high, bool is_log)
{
    if (is_log) {
        *low /= 1.4;
        *high *= 1.4;
        return;
    }
    double pad = *high > *low ? (*high - *low) / 20 : fabs(*high) / 10 + 1;
    *low -= pad;
    *high += pad;
}

struct chart_frame chart_frame_of(const struct chart *c)
{
    struct chart_frame f = {INFINITY, -INFINITY, INFINITY, -INFINITY, CHART_WIDTH};
    for (size_t i = 0; i < c->n; i++)
        f.right = fmin(f.right, CHART_WIDTH - 2 * LEADER - chart_text_width(c->series[i].name));
    f.right = fmax(f.right, LEAST);
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->series[i].n; k++) {
            const struct chart_point *p = &c->series[i].at[k];
            f.low_x = fmin(f.low_x, p->x);
            f.high_x = fmax(f.high_x, p->x);
            f.low_y = fmin(f.low_y, p->y);
            f.high_y = fmax(f.high_y, p->y);
        }
    widen(&f.low_x, &f.high_x, c->log_x);
    widen(&f.low_y, &f.high_y, c->log_y);
    if (!c->log_y)
        f.low_y = 0;
    return f;
}

static double part_of(double at, double low, double high, bool is_log)
{
    return is_log ? log(at / low) / log(high / low) : (at - low) / (high - low);
}

double chart_x(const struct chart *c, const struct chart_frame *f, double x)
{
    return LEFT + (f->right - LEFT) * part_of(x, f->low_x, f->high_x, c->log_x);
}

double chart_y(const struct chart *c, const struct chart_frame *f, double y)
{
    return BOTTOM + (TOP - BOTTOM) * part_of(y, f->low_y, f->high_y, c->log_y);
}

/* ---- ticks ---- */

/* 1000000 as 1,000,000 */
static void print_grouped(char *out, size_t size, double x)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%g", x);
    if (x >= 1e15 || x != floor(x)) {
        snprintf(out, size, "%s", digits);
        return;
    }
    snprintf(digits, sizeof digits, "%.0f", x);
    size_t n = strlen(digits), used = 0;
    for (size_t i = 0; i < n && used + 2 < size; i++) {
        if (i && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

static bool collide(const struct chart *c, const struct chart_frame *f, const struct chart_tick *a,
                    const struct chart_tick *b)
{
    double distance = fabs(chart_x(c, f, a->at) - chart_x(c, f, b->at));
    return distance < (chart_text_width(a->text) + chart_text_width(b->text)) / 2 + APART;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest size has a tick for certain, then the others from the smallest on, as far as there is room. */
size_t chart_x_ticks(const struct chart *c, const struct chart_frame *f, struct chart_tick out[CHART_TICKS])
{
    static double sizes[CHART_MOST * CHART_POINTS];
    size_t n = 0, used = 0;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->series[i].n; k++)
            sizes[n++] = c->series[i].at[k].x;
    qsort(sizes, n, sizeof *sizes, ascending);
    for (size_t i = 0; i < n && used < CHART_TICKS; i++) {
        struct chart_tick tick = {.at = i ? sizes[i - 1] : sizes[n - 1]};
        bool free = true;
        print_grouped(tick.text, sizeof tick.text, tick.at);
        for (size_t k = 0; k < used; k++)
            free = free && !collide(c, f, &tick, &out[k]);
        if (free)
            out[used++] = tick;
    }
    return used;
}

/* "20 ms" of a chart of seconds, else the number. */
static void print_y(char *out, size_t size, const struct chart *c, double y)
{
    if (!strstr(c->y_title, "seconds") || y == 0)
        print_grouped(out, size, y);
    else if (y < 0.9e-6)
        snprintf(out, size, "%g ns", round(y * 1e10) / 10);
    else if (y < 0.9e-3)
        snprintf(out, size, "%g \302\265s", round(y * 1e7) / 10);
    else if (y < 0.9)
        snprintf(out, size, "%g ms", round(y * 1e4) / 10);
    else
        snprintf(out, size, "%g s", y);
}

static size_t add_y(const struct chart *c, const struct chart_frame *f, double y, struct chart_tick *out, size_t n)
{
    if (y < f->low_y || y > f->high_y || n == CHART_TICKS)
        return n;
    out[n].at = y;
    print_y(out[n].text, sizeof out[n].text, c, y);
    return n + 1;
}

/* Powers of ten; within two of them also twice and five times these. */
size_t chart_y_ticks(const struct chart *c, const struct chart_frame *f, struct chart_tick out[CHART_TICKS])
{
    size_t n = 0;
    if (!c->log_y) {
        double step = pow(10, floor(log10(f->high_y)));
        step /= f->high_y / step < 2 ? 5 : f->high_y / step < 5 ? 2 : 1;
        for (double y = 0; y <= f->high_y; y += step)
            n = add_y(c, f, y, out, n);
        return n;
    }
    bool few = log10(f->high_y / f->low_y) < 2.2;
    for (double ten = pow(10, floor(log10(f->low_y))); ten <= f->high_y; ten *= 10) {
        n = add_y(c, f, ten, out, n);
        if (few) {
            n = add_y(c, f, 2 * ten, out, n);
            n = add_y(c, f, 5 * ten, out, n);
        }
    }
    return n;
}

/* ---- names ---- */

static const struct chart_point *end_of(const struct chart_series *s)
{
    return &s->at[s->n - 1];
}

/* From the bottom: each not nearer to the one below than a label is high; then, from the top, pushed back into the
 * picture. */
void chart_labels(const struct chart *part, const struct chart_frame *f, double y[CHART_SERIES])
{
    size_t order[CHART_SERIES];
    for (size_t i = 0; i < part->n; i++) {
        y[i] = chart_y(part, f, end_of(&part->series[i])->y);
        size_t k = i;
        for (; k > 0 && y[order[k - 1]] > y[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (size_t k = 1; k < part->n; k++)
        if (y[order[k]] < y[order[k - 1]] + CHART_LABEL)
            y[order[k]] = y[order[k - 1]] + CHART_LABEL;
    double most = TOP;
    for (size_t k = part->n; k-- > 0; most -= CHART_LABEL)
        if (y[order[k]] > most)
            y[order[k]] = most;
        else
            most = y[order[k]];
}

/* ---- pictures ---- */

size_t chart_pictures(const struct chart *c)
{
    return (c->n + CHART_SERIES - 1) / CHART_SERIES;
}

/* Is series a cheaper than b? The one that goes further is; then the one that ends lower. */
static bool is_cheaper(const struct chart *c, size_t a, size_t b)
{
    const struct chart_point *x = end_of(&c->series[a]), *y = end_of(&c->series[b]);
    if (x->gave_up != y->gave_up)
        return y->gave_up;
    if (x->x != y->x)
        return x->x > y->x;
    return x->y < y->y || (x->y == y->y && a < b);
}

void chart_part(const struct chart *c, size_t i, struct chart *out)
{
    size_t each = (c->n + chart_pictures(c) - 1) / chart_pictures(c);
    memcpy(out, c, offsetof(struct chart, series));
    out->n = 0;
    if (chart_pictures(c) > 1) {
        size_t end = strlen(out->title);
        snprintf(out->title + end, sizeof out->title - end, " (%zu of %zu)", i + 1, chart_pictures(c));
    }
    for (size_t s = 0; s < c->n; s++) {
        size_t rank = 0;
        for (size_t k = 0; k < c->n; k++)
            rank += k != s && is_cheaper(c, k, s);
        if (rank / each == i)
            out->series[out->n++] = c->series[s];
    }
}

/* A string of gnuplot. */
static void quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void print_ticks(FILE *to, const char *axis, const struct chart_tick *ticks, size_t n)
{
    fprintf(to, "set %stics (", axis);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", to);
        quoted(to, ticks[i].text);
        fprintf(to, " %g", ticks[i].at);
    }
    fputs(")\n", to);
}

static void print_axes(FILE *to, const struct chart *c, const struct chart_frame *f)
{
    struct chart_tick ticks[CHART_TICKS];
    bool gave_up = false;
    for (size_t i = 0; i < c->n; i++)
        gave_up = gave_up || end_of(&c->series[i])->gave_up;
    fprintf(to, "set lmargin at screen %g\nset rmargin at screen %g\n", (double)LEFT / CHART_WIDTH,
            f->right / CHART_WIDTH);
    fprintf(to, "set bmargin at screen %g\nset tmargin at screen %g\n", (double)BOTTOM / CHART_HEIGHT,
            (double)TOP / CHART_HEIGHT);
    fputs("set label 101 ", to);
    quoted(to, c->title);
    fprintf(to, " at screen 0.5, screen %g center font ',15'\nset label 100 \"", (TOP + 42.0) / CHART_HEIGHT);
    fprintf(to, "%s; %s is better%s\" at screen 0.5, screen %g center textcolor rgb 'gray30'\nset xlabel ", c->y_title,
            c->higher ? "higher" : "lower", gave_up ? "; a cross: gave up there" : "", (TOP + 18.0) / CHART_HEIGHT);
    quoted(to, c->x_title);
    fprintf(to, "\nset xrange [%g:%g]\nset yrange [%g:%g]\n", f->low_x, f->high_x, f->low_y, f->high_y);
    if (c->log_x || c->log_y)
        fprintf(to, "set logscale %s%s\n", c->log_x ? "x" : "", c->log_y ? "y" : "");
    print_ticks(to, "x", ticks, chart_x_ticks(c, f, ticks));
    print_ticks(to, "y", ticks, chart_y_ticks(c, f, ticks));
}

/* Colours of different lightness, and with each its own dashes and mark. */
static const struct look {
    const char *color;
    int dashes, mark;
} looks[CHART_SERIES] = {{"#000000", 1, 7}, {"#d55e00", 1, 8}, {"#0072b2", 2, 5}, {"#e69f00", 4, 12},
                         {"#009e73", 5, 9}, {"#cc79a7", 3, 6}, {"#56b4e9", 1, 4}};

static void print_name(FILE *to, const struct chart_series *s, const struct look *look, double right, double y)
{
    const struct chart_point *end = end_of(s);
    fputs("set label ", to);
    quoted(to, s->name);
    fprintf(to, " at screen %g, screen %g textcolor rgb '%s'\n", (right + LEADER) / CHART_WIDTH, y / CHART_HEIGHT,
            look->color);
    fprintf(to, "set arrow from %g, %g to screen %g, screen %g nohead linewidth 0.5 linecolor 'gray60'\n", end->x,
            end->y, (right + LEADER - 4) / CHART_WIDTH, y / CHART_HEIGHT);
}

static void print_points(FILE *to, const struct chart_series *s, size_t number, bool gave_up)
{
    fprintf(to, "$%s%zu << END\n", gave_up ? "end" : "line", number);
    for (size_t i = 0; i < s->n; i++)
        if (gave_up == s->at[i].gave_up)
            fprintf(to, "%g %g\n", s->at[i].x, s->at[i].y);
    fputs("END\n", to);
}

/* The line of the measured points, and the crosses. A series that gave up at once has no line. */
static size_t print_line(FILE *to, const struct chart_series *s, size_t i, size_t drawn)
{
    if (!s->at[0].gave_up) {
        fprintf(to, "%s$line%zu notitle with ", drawn++ ? ", " : "", i);
        if (s->n > CHART_TICKS)
            fputs("lines", to);
        else
            fprintf(to, "linespoints pointtype %d pointsize 0.8", looks[i].mark);
        fprintf(to, " linewidth 1.6 dashtype %d linecolor rgb '%s'", looks[i].dashes, looks[i].color);
    }
    if (end_of(s)->gave_up)
        fprintf(to, "%s$end%zu notitle with points pointtype 2 pointsize 1.4 linewidth 2 linecolor rgb '%s'",
                drawn++ ? ", " : "", i, looks[i].color);
    return drawn;
}

/* Linear growth from the lowest of the first points. */
static void print_linear(FILE *to, const struct chart *c)
{
    const struct chart_point *low = &c->series[0].at[0];
    for (size_t i = 0; i < c->n; i++) {
        const struct chart_point *p = &c->series[i].at[0];
        if (p->x < low->x || (p->x == low->x && p->y < low->y))
            low = p;
    }
    fprintf(to, ", %g * x notitle with lines linewidth 1 dashtype 2 linecolor 'gray50'", low->y / low->x);
}

void chart_name(char *out, size_t size, const char *file, size_t i)
{
    snprintf(out, size, i ? "%s-%zu" : "%s", file, i + 1);
}

void chart_print(FILE *to, const void *what)
{
    const struct chart *part = what;
    struct chart_frame frame = chart_frame_of(part);
    const struct chart_frame *f = &frame;
    double y[CHART_SERIES];
    chart_labels(part, f, y);
    fputs("set key off\n", to);
    print_axes(to, part, f);
    for (size_t i = 0; i < part->n; i++) {
        print_name(to, &part->series[i], &looks[i], f->right, y[i]);
        print_points(to, &part->series[i], i, false);
        print_points(to, &part->series[i], i, true);
    }
    if (part->linear)
        fprintf(to, "set label 'dashed: linear' at graph 0.98, graph 0.04 right textcolor rgb 'gray40'\n");
    fputs("plot ", to);
    for (size_t i = 0, drawn = 0; i < part->n; i++)
        drawn = print_line(to, &part->series[i], i, drawn);
    if (part->linear)
        print_linear(to, part);
    fputc('\n', to);
}
