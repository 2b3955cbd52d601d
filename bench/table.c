/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: aligned columns, readable as text and as Markdown, each below the command that made it and
 * above what became of its goals. */
#include "bench/driver.h"

#include <stdarg.h>
#include <string.h>

enum { CELL = 32, FEW = 8 };

enum column { MEMORY, N, K, V, MODEL, ENGINE, VERDICT, READ, CHECK, PEAK, GOAL, MET, COLUMNS };

static const char *const titles[COLUMNS] = {"memory",  "n",       "k",       "v",
                                            "model",   "engine",  "verdict", "read s",
                                            "check s", "peak MB", "goal",    "met"};

typedef char line[COLUMNS][CELL];

/* ---- text ---- */

const char *grouped(uint32_t n)
{
    static char buffers[8][16];
    static unsigned turn;
    char digits[16], *out = buffers[turn++ % 8];
    int length = snprintf(digits, sizeof digits, "%u", n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

void heading(const struct bench *b, const char *title)
{
    if (bench_goes_on(b))
        fprintf(b->set->out, "\n%s%s\n", b->set->markdown ? "## " : "", title);
}

void paragraph(const struct bench *b, const char *format, ...)
{
    va_list args;
    if (!bench_goes_on(b))
        return;
    va_start(args, format);
    fputc('\n', b->set->out);
    vfprintf(b->set->out, format, args);
    fputc('\n', b->set->out);
    va_end(args);
}

static void print_seconds(char *out, double s)
{
    snprintf(out, CELL, s < 0.1 ? "%.6f" : "%.2f", s);
}

/* ---- goals ---- */

/* "32 % below" or "5 % above" */
static void print_margin(char *out, double measured, double goal)
{
    double percent = 100 * (measured - goal) / goal;
    snprintf(out, CELL, "%.0f %% %s", percent < 0 ? -percent : percent,
             percent <= 0 ? "below" : "above");
}

static double measured_time(const struct row *r)
{
    return r->goal.read > 0 ? r->sample.read : r->sample.check;
}

static double time_goal(const struct row *r)
{
    return r->goal.read > 0 ? r->goal.read : r->goal.check;
}

static bool within_peak(const struct row *r)
{
    return r->goal.peak <= 0 || r->sample.peak <= r->goal.peak;
}

static bool is_met(const struct row *r)
{
    return measured_time(r) <= time_goal(r) && within_peak(r);
}

static void fill_goal(const struct row *r, line cells)
{
    double goal = time_goal(r);
    if (goal <= 0)
        return;
    if (r->goal.peak > 0)
        snprintf(cells[GOAL], CELL, "%g s, %.0f MB", goal, r->goal.peak);
    else
        snprintf(cells[GOAL], CELL, "%g s", goal);
    snprintf(cells[MET], CELL, "%s", is_met(r) ? "yes" : "no");
}

static void print_goal(FILE *out, const struct row *r)
{
    const struct input *in = &r->task.input;
    char margin[CELL], seconds[CELL];
    print_margin(margin, measured_time(r), time_goal(r));
    print_seconds(seconds, measured_time(r));
    fprintf(out, "- %s %s operations, %u threads", r->task.model ? r->task.model : "reading",
            grouped(in->operations), in->threads);
    if (r->task.model)
        fprintf(out, ", %s", r->task.engine);
    fprintf(out, ": %s s, goal %g s: %s, %s", seconds, time_goal(r),
            measured_time(r) <= time_goal(r) ? "met" : "missed", margin);
    if (r->goal.peak > 0) {
        print_margin(margin, r->sample.peak, r->goal.peak);
        fprintf(out, "; %.0f MB, goal %.0f MB: %s, %s", r->sample.peak, r->goal.peak,
                within_peak(r) ? "met" : "missed", margin);
    }
    fputc('\n', out);
}

/* Many goals are summed up by the one that is nearest to being missed, or missed most. */
static void print_goals(FILE *out, const struct table *t)
{
    const struct row *worst = NULL;
    size_t goals = 0, met = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->rows[i];
        if (time_goal(r) <= 0)
            continue;
        goals++;
        met += is_met(r);
        if (!worst || measured_time(r) / time_goal(r) > measured_time(worst) / time_goal(worst))
            worst = r;
    }
    if (goals > FEW)
        fprintf(out, "%zu of %zu goals are met; the tightest:\n\n", met, goals);
    for (size_t i = 0; i < t->n; i++)
        if (time_goal(&t->rows[i]) > 0 && (goals <= FEW || &t->rows[i] == worst))
            print_goal(out, &t->rows[i]);
}

/* ---- rows ---- */

void table_add(struct bench *b, struct table *t, const struct task *task, struct goal goal)
{
    struct row *r = &t->rows[t->n];
    if (t->n == MOST_ROWS)
        bench_fault(b, "a table has more than %d rows", MOST_ROWS);
    if (!bench_goes_on(b))
        return;
    *r = (struct row){.task = *task, .goal = goal};
    if (measure(b, task, &r->sample))
        t->n++;
}

static void fill_times(const struct row *r, line cells)
{
    print_seconds(cells[READ], r->sample.read);
    snprintf(cells[PEAK], CELL, "%.1f", r->sample.peak);
    if (!r->task.model)
        return;
    snprintf(cells[VERDICT], CELL, "%s", assay_verdict_name(r->sample.verdict));
    if (r->sample.verdict == ASSAY_UNDECIDED)
        snprintf(cells[CHECK], CELL, "> %g", r->task.limit);
    else
        print_seconds(cells[CHECK], r->sample.check);
}

static void fill(const struct row *r, line cells)
{
    const struct input *in = &r->task.input;
    memset(cells, 0, sizeof(line));
    if (in->mutate)
        snprintf(cells[MEMORY], CELL, "%s, %u exchanged", in->kind, in->mutate);
    else
        snprintf(cells[MEMORY], CELL, "%s", in->kind);
    snprintf(cells[N], CELL, "%s", grouped(in->operations));
    snprintf(cells[K], CELL, "%s", grouped(in->threads));
    snprintf(cells[V], CELL, "%s", grouped(in->variables));
    snprintf(cells[MODEL], CELL, "%s", r->task.model ? r->task.model : "");
    snprintf(cells[ENGINE], CELL, "%s", r->task.engine ? r->task.engine : "");
    fill_times(r, cells);
    fill_goal(r, cells);
}

static bool is_number(int column)
{
    return (column >= N && column <= V) || (column >= READ && column <= PEAK);
}

static void print_line(const struct bench *b, line cells, const int *widths)
{
    const char *edge = b->set->markdown ? "| " : "", *between = b->set->markdown ? " | " : "  ";
    for (int c = 0; c < COLUMNS; c++)
        fprintf(b->set->out, "%s%*s", c ? between : edge, is_number(c) ? widths[c] : -widths[c],
                cells[c]);
    fputs(b->set->markdown ? " |\n" : "\n", b->set->out);
}

static void print_rule(const struct bench *b, const int *widths)
{
    for (int c = 0; c < COLUMNS; c++) {
        fputs(b->set->markdown ? "|" : c ? "  " : "", b->set->out);
        for (int i = b->set->markdown ? -1 : 1; i < widths[c]; i++)
            fputc('-', b->set->out);
        fputc(b->set->markdown && is_number(c) ? ':' : '-', b->set->out);
    }
    fputs(b->set->markdown ? "|\n" : "\n", b->set->out);
}

static void print_command(const struct bench *b, const struct table *t)
{
    bool exchanged = t->n && t->rows[0].task.input.mutate;
    const char *fence = b->set->markdown ? "```" : "";
    fprintf(b->set->out, "\n%s%s\n", fence, b->set->markdown ? "sh" : "");
    fprintf(b->set->out,
            "%s\n"
            "# the history of a row: assay gen memory --kind MEMORY --operations n --threads k "
            "--variables v%s\n%s\n",
            b->set->command, exchanged ? " --mutate EXCHANGED" : "", fence);
}

void table_print(const struct bench *b, const struct table *t)
{
    static line cells[MOST_ROWS + 1];
    int widths[COLUMNS] = {0};
    if (!bench_goes_on(b))
        return;
    for (int c = 0; c < COLUMNS; c++)
        snprintf(cells[0][c], CELL, "%s", titles[c]);
    for (size_t i = 0; i < t->n; i++)
        fill(&t->rows[i], cells[i + 1]);
    for (size_t i = 0; i <= t->n; i++)
        for (int c = 0; c < COLUMNS; c++)
            widths[c] = (int)strlen(cells[i][c]) > widths[c] ? (int)strlen(cells[i][c]) : widths[c];
    print_command(b, t);
    fputc('\n', b->set->out);
    print_line(b, cells[0], widths);
    print_rule(b, widths);
    for (size_t i = 1; i <= t->n; i++)
        print_line(b, cells[i], widths);
    fputc('\n', b->set->out);
    print_goals(b->set->out, t);
    fflush(b->set->out);
}
