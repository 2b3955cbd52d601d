/* SPDX-License-Identifier: Apache-2.0 */
/* Plots of a table's rows, and how anything is drawn by gnuplot. */
#include "bench/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LABEL = 64, MOST_LINES = 16 };

typedef char label[LABEL];

struct drawn {
    const struct table *table;
    const struct plot *plot;
};

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

/* ---- the script ---- */

/* The labels in the order in which they first come; returns how many. */
static size_t find_labels(const struct table *t, const struct plot *p, label *out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n && n < MOST_LINES; i++) {
        size_t j = 0;
        p->label(&t->rows[i], out[n], LABEL);
        while (strcmp(out[j], out[n]) != 0)
            j++;
        n += j == n;
    }
    return n;
}

static void print_points(FILE *to, const struct table *t, const struct plot *p, const char *name, size_t number)
{
    fprintf(to, "$line%zu << END\n", number);
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        label mine;
        p->label(r, mine, LABEL);
        if (strcmp(mine, name) == 0 && p->y(r) >= 0)
            fprintf(to, "%g %g\n", p->x(r), p->y(r));
    }
    fprintf(to, "END\n");
}

/* Linear growth from the lowest of the first points. */
static void print_linear(FILE *to, const struct table *t, const struct plot *p)
{
    const struct row *low = &t->rows[0];
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        if (p->x(r) < p->x(low) || (p->x(r) == p->x(low) && p->y(r) < p->y(low)))
            low = r;
    }
    fprintf(to, ", %g * x title 'linear' with lines linewidth 1 dashtype 2 linecolor 'gray50'", p->y(low) / p->x(low));
}

/* The measured sizes are the marks of the axis: powers of ten would miss most of them. */
static void print_axis(FILE *to, const struct table *t, const struct plot *p)
{
    double low = p->x(&t->rows[0]), high = low;
    fprintf(to, "set xtics (");
    for (size_t i = 0; i < t->n; i++) {
        double x = p->x(&t->rows[i]);
        low = x < low ? x : low;
        high = x > high ? x : high;
        fprintf(to, "%s'%s' %g", i ? ", " : "", grouped((uint32_t)x), x);
    }
    double pad = (high - low) / 20;
    if (p->log_x)
        fprintf(to, ")\nset xrange [%g:%g]\n", low / 1.2, high * 1.2);
    else
        fprintf(to, ")\nset xrange [%g:%g]\n", low - pad - 0.1, high + pad + 0.1);
}

static void print_script(FILE *to, const void *what)
{
    const struct table *t = ((const struct drawn *)what)->table;
    const struct plot *p = ((const struct drawn *)what)->plot;
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
    label labels[MOST_LINES + 1];
    size_t n = find_labels(t, p, labels);
    fprintf(to,
            "set title '%s'\nset xlabel '%s'\nset ylabel '%s'\n"
            "set logscale %s\nset format y '%%g'\n",
            p->title, p->x_title, p->y_title, p->log_x ? "xy" : "y");
    print_axis(to, t, p);
    for (size_t i = 0; i < n; i++)
        print_points(to, t, p, labels[i], i);
    fprintf(to, "plot ");
    for (size_t i = 0; i < n; i++)
        fprintf(to,
                "%s$line%zu title '%s' with linespoints linewidth 2 pointsize 0.7 pointtype %zu "
                "linecolor '%s'",
                i ? ", " : "", i, labels[i], 5 + 2 * (i % 5), colors[i % 7]);
    if (p->linear)
        print_linear(to, t, p);
    fputc('\n', to);
}

/* ---- gnuplot ---- */

/* Runs gnuplot with the pipe as input and the file as output; its messages are kept. */
static pid_t start_gnuplot(const char *path, int ends[2])
{
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child != 0)
        return child;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(ends[0], STDIN_FILENO) < 0 || dup2(file, STDOUT_FILENO) < 0)
        _exit(126);
    close(ends[1]);
    execlp("gnuplot", "gnuplot", (char *)NULL);
    _exit(127);
}

/* gnuplot's exit status; 127: it is not there. */
static int run_gnuplot(const char *script, size_t size, const char *path)
{
    int ends[2], status = -1;
    fflush(NULL);
    pid_t child = start_gnuplot(path, ends);
    if (child < 0)
        return -1;
    close(ends[0]);
    FILE *to = fdopen(ends[1], "w");
    if (to) {
        fwrite(script, 1, size, to);
        fclose(to);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool draw(void (*print)(FILE *to, const void *what), const void *what, const char *path)
{
    char *script = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&script, &size);
    if (!text)
        return false;
    fputs("set terminal svg noenhanced size 760,460 dynamic background 'white' font "
          "'sans-serif,13'\n"
          "set grid linecolor 'gray80'\nset key outside right\n",
          text);
    print(text, what);
    fclose(text);
    int status = run_gnuplot(script, size, path);
    free(script);
    return status == 0;
}

/* The drawing of gnuplot goes to its place once it is whole. */
static bool save(struct bench *b, const char *drawn, const char *path)
{
    char *text = NULL, piece[1 << 14];
    size_t size = 0, n;
    FILE *from = fopen(drawn, "r"), *to = open_memstream(&text, &size);
    while (from && to && (n = fread(piece, 1, sizeof piece, from)) > 0)
        fwrite(piece, 1, n, to);
    bool fine = from && to && !ferror(from) && !ferror(to);
    if (from)
        fclose(from);
    fine = to && fclose(to) == 0 && fine && b->set->save(path, text, size);
    free(text);
    return fine;
}

void plot_prepare(struct bench *b)
{
    if (!b->set->svg)
        return;
    if (run_gnuplot("", 0, "/dev/null") != 0)
        bench_fault(b, "gnuplot is missing or does not work: no plots without it");
    else if (mkdir(b->set->svg, 0777) != 0 && errno != EEXIST)
        bench_fault(b, "cannot make the folder %s: %s", b->set->svg, strerror(errno));
}

/* Pages stand in a folder beside that of the plots, docs/benchmarks/ and docs/plots/, or above it. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void plot_draw(struct bench *b, const char *file, const char *title, void (*print)(FILE *to, const void *what),
               const void *what)
{
    char path[PATH_SPACE], drawn[PATH_SPACE];
    if (!b->set->svg || !bench_goes_on(b))
        return;
    snprintf(path, sizeof path, "%s/%s.svg", b->set->svg, file);
    snprintf(drawn, sizeof drawn, "%s/plot.svg", b->folder);
    if (!draw(print, what, drawn) || !save(b, drawn, path))
        bench_fault(b, "cannot draw %s", path);
    else if (b->set->markdown)
        paragraph(b, "![%s](%s%s/%s.svg)", title, b->suite->page ? "" : "../", last_part(b->set->svg), file);
}

void plot_table(struct bench *b, const struct table *t, const struct plot *p)
{
    if (t->n)
        plot_draw(b, p->file, p->title, print_script, &(struct drawn){t, p});
}
