/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: aligned columns, readable as text and as Markdown, each below the command that made it and above the results
 * of its goals. */
#include "bench/driver.h"

#include <stdarg.h>
#include <string.h>

enum { CELL = CELL_SPACE, FEW = 8 };

enum column {
    SOURCE,
    N,
    K,
    V,
    PAPER,
    MODEL,
    ENGINE,
    HISTORIES,
    VERDICT,
    READ,
    CHECK,
    TOTAL,
    PEAK,
    PEER,
    GOAL,
    MET,
    COLUMNS
};

static const char *const titles[COLUMNS] = {"memory",  "n",         "k",       "v",      "paper",   "model",
                                            "engine",  "histories", "verdict", "read s", "check s", "total s",
                                            "peak MB", "Axe s",     "goal",    "met"};
static const char *title_of(int column, const struct input *in)
{
    if (column == SOURCE && (in->object || in->store))
        return in->object ? "object" : "store";
    return column == PEER && (in->object || in->store) ? "best peer s" : titles[column];
}

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

/* Appends to a cell as much as fits. */
static void append(char *cell, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *cell, const char *format, ...)
{
    size_t n = strlen(cell);
    va_list args;
    va_start(args, format);
    vsnprintf(cell + n, CELL - n, format, args);
    va_end(args);
}

void input_print(const struct input *in, char out[CELL_SPACE])
{
    const char *name = in->clauses    ? "formula"
                       : in->object   ? in->object
                       : in->protocol ? in->protocol
                       : in->store    ? in->store
                                      : in->kind;
    snprintf(out, CELL, "%s%s", name, in->bugs ? ", bugs" : in->protocol ? " protocols" : "");
    if (in->count > 1 && in->object)
        append(out, ", %u histories", in->count);
    if (in->lists)
        append(out, ", lists");
    if (in->distinct)
        append(out, ", distinct");
    if (in->methods)
        append(out, ", %s", in->methods);
    if (in->satisfiable)
        append(out, " and %u with a solution", in->satisfiable);
    if (in->values)
        append(out, ", %u values", in->values);
    if (in->initial)
        append(out, ", %s initial values", grouped(in->initial));
    if (in->pending)
        append(out, ", %u pending", in->pending);
    if (in->format)
        append(out, ", %s", in->format);
    if (in->object && !in->size)
        append(out, ", often empty");
    if (in->mutate)
        append(out, ", %u exchanged", in->mutate);
    if (in->shuffle)
        append(out, ", shuffled");
}

/* ---- goals ---- */

/* "32 % below" or "5 % above" */
static void print_margin(char *out, double measured, double goal)
{
    double percent = 100 * (measured - goal) / goal;
    snprintf(out, CELL, "%.0f %% %s", percent < 0 ? -percent : percent, percent <= 0 ? "below" : "above");
}

static double total_time(const struct row *r)
{
    return (r->sample.read + r->sample.check) * r->sample.histories;
}

static double measured_time(const struct row *r)
{
    if (r->goal.total > 0)
        return total_time(r);
    if (r->goal.each > 0)
        return r->sample.slowest;
    return r->goal.read > 0 ? r->sample.read : r->sample.check;
}

static double time_goal(const struct row *r)
{
    if (r->goal.total > 0)
        return r->goal.total;
    if (r->goal.each > 0)
        return r->goal.each;
    return r->goal.read > 0 ? r->goal.read : r->goal.check;
}

static bool within_peak(const struct row *r)
{
    return r->goal.peak <= 0 || r->sample.peak <= r->goal.peak;
}

static bool is_met(const struct row *r)
{
    return !r->sample.undecided && measured_time(r) <= time_goal(r) && within_peak(r);
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
    char margin[CELL], seconds[CELL], what[CELL];
    bool in_time = !r->sample.undecided && measured_time(r) <= time_goal(r);
    print_margin(margin, measured_time(r), time_goal(r));
    print_seconds(seconds, measured_time(r));
    input_print(in, what);
    fprintf(out, "- %s %s operations, %u threads",
            in->object      ? what
            : r->task.model ? r->task.model
                            : "reading",
            grouped(in->operations), in->threads);
    if (r->task.model)
        fprintf(out, ", %s", r->sample.engine);
    fprintf(out, ": %s s, goal %g s: %s, %s", seconds, time_goal(r), in_time ? "met" : "missed",
            r->sample.undecided ? "undecided" : margin);
    if (r->goal.peak > 0) {
        print_margin(margin, r->sample.peak, r->goal.peak);
        fprintf(out, "; %.0f MB, goal %.0f MB: %s, %s", r->sample.peak, r->goal.peak, within_peak(r) ? "met" : "missed",
                margin);
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

void sample_print_verdict(const struct sample *s, char out[CELL_SPACE])
{
    if (s->violations && s->violations < s->histories && !s->undecided)
        snprintf(out, CELL, "%u of %u violated", s->violations, s->histories);
    else
        snprintf(out, CELL, "%s",
                 assay_verdict_name(s->undecided    ? ASSAY_UNDECIDED
                                    : s->violations ? ASSAY_VIOLATION
                                                    : ASSAY_CONSISTENT));
}

static void fill_times(const struct row *r, line cells)
{
    print_seconds(cells[READ], r->sample.read);
    snprintf(cells[PEAK], CELL, "%.1f", r->sample.peak);
    if (!r->task.model)
        return;
    sample_print_verdict(&r->sample, cells[VERDICT]);
    if (r->sample.undecided)
        snprintf(cells[CHECK], CELL, "> %g", r->task.limit);
    else
        print_seconds(cells[CHECK], r->sample.check);
    if (!r->task.engine && !r->sample.undecided)
        print_seconds(cells[TOTAL], total_time(r));
    if (r->goal.peer)
        snprintf(cells[PEER], CELL, "%s", r->goal.peer);
}

static void fill(const struct row *r, line cells)
{
    const struct input *in = &r->task.input;
    memset(cells, 0, sizeof(line));
    input_print(in, cells[SOURCE]);
    snprintf(cells[N], CELL, "%s", grouped(in->operations));
    snprintf(cells[K], CELL, "%s", grouped(in->threads));
    snprintf(cells[V], CELL, "%s", grouped(in->variables));
    snprintf(cells[PAPER], CELL, "%s", r->task.title ? r->task.title : "");
    snprintf(cells[MODEL], CELL, "%s", r->task.model ? r->task.model : "");
    snprintf(cells[ENGINE], CELL, "%s", r->sample.engine);
    if (r->task.title)
        snprintf(cells[HISTORIES], CELL, "%u", r->sample.histories);
    fill_times(r, cells);
    fill_goal(r, cells);
}

static bool is_number(int column)
{
    return (column >= N && column <= V) || column == HISTORIES || (column >= READ && column <= PEAK);
}

static void print_line(const struct bench *b, line cells, const int *widths)
{
    const char *edge = b->set->markdown ? "| " : "", *between = b->set->markdown ? " | " : "  ";
    for (int c = 0; c < COLUMNS; c++)
        if (widths[c])
            fprintf(b->set->out, "%s%*s", c ? between : edge, is_number(c) ? widths[c] : -widths[c], cells[c]);
    fputs(b->set->markdown ? " |\n" : "\n", b->set->out);
}

static void print_rule(const struct bench *b, const int *widths)
{
    for (int c = 0; c < COLUMNS; c++) {
        if (!widths[c])
            continue;
        fputs(b->set->markdown ? "|" : c ? "  " : "", b->set->out);
        for (int i = b->set->markdown ? -1 : 1; i < widths[c]; i++)
            fputc('-', b->set->out);
        fputc(b->set->markdown && is_number(c) ? ':' : '-', b->set->out);
    }
    fputs(b->set->markdown ? "|\n" : "\n", b->set->out);
}

/* The options that only some tables need. */
static void print_options(FILE *out, const struct table *t)
{
    const struct input *mutated = NULL;
    size_t shuffled = 0;
    uint32_t count = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct input *in = &t->rows[i].task.input;
        mutated = in->mutate ? in : mutated;
        shuffled += in->shuffle;
        count = in->count;
    }
    if (t->n && t->rows[0].task.input.bugs)
        fputs(" --bug B", out);
    if (mutated)
        fprintf(out, " --mutate EXCHANGED --distance %u", mutated->distance);
    if (shuffled)
        fputs(shuffled == t->n ? " --shuffle" : " [--shuffle]", out);
    if (count > 1)
        fprintf(out, " --count %u", count);
}

static void print_command(const struct bench *b, const struct table *t)
{
    const char *fence = b->set->markdown ? "```" : "";
    fprintf(b->set->out, "\n%s%s\n%s\n", fence, b->set->markdown ? "sh" : "", b->set->command);
    if (t->n && (t->rows[0].task.input.object || t->rows[0].task.input.store)) {
        char command[COMMAND_SPACE];
        input_command(&t->rows[0].task.input, command, sizeof command);
        fprintf(b->set->out, "# the history of the first row: %s", command);
    } else {
        bool caches = t->n && t->rows[0].task.input.protocol;
        fprintf(b->set->out, "# the history of a row: assay gen %s --operations n --threads k --variables v",
                caches ? "coherence --protocol P --fences 0 --rmws 0" : "memory --kind MEMORY");
        print_options(b->set->out, t);
    }
    fprintf(b->set->out, "\n%s\n", fence);
}

void table_print_commands(const struct bench *b, const struct table *t)
{
    const char *fence = b->set->markdown ? "```" : "";
    if (!bench_goes_on(b))
        return;
    fprintf(b->set->out, "\n%s%s\n", fence, b->set->markdown ? "sh" : "");
    for (size_t i = 0; i < t->n; i++) {
        const struct task *task = &t->rows[i].task;
        char command[COMMAND_SPACE];
        input_command(&task->input, command, sizeof command);
        fprintf(b->set->out, "%s | assay check -m %s%s%s -\n", command, task->model, task->engine ? " -e " : "",
                task->engine ? task->engine : "");
    }
    fprintf(b->set->out, "%s\n", fence);
}

/* How wide each column must be; 0: it is empty and left out. */
static void measure_columns(line *cells, size_t n, int *widths)
{
    for (int c = 0; c < COLUMNS; c++) {
        bool used = false;
        for (size_t i = 0; i <= n; i++) {
            int width = (int)strlen(cells[i][c]);
            used |= i && width;
            widths[c] = width > widths[c] ? width : widths[c];
        }
        widths[c] = used ? widths[c] : 0;
    }
}

void table_print(const struct bench *b, const struct table *t)
{
    static line cells[MOST_ROWS + 1];
    int widths[COLUMNS] = {0};
    if (!bench_goes_on(b))
        return;
    for (int c = 0; c < COLUMNS; c++)
        snprintf(cells[0][c], CELL, "%s", title_of(c, &t->rows[0].task.input));
    for (size_t i = 0; i < t->n; i++)
        fill(&t->rows[i], cells[i + 1]);
    measure_columns(cells, t->n, widths);
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
