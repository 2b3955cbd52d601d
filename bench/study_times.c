/* SPDX-License-Identifier: Apache-2.0 */
/* The times of causal checks on the recorded histories, as in Figures 3.3 and 3.4 of the thesis: over the
 * operations, and over the sessions. The default engine stands beside the thesis' logic program. */
#include "bench/columns.h"
#include "bench/study.h"

#include <string.h>

enum { BY_OPERATIONS = 6, MOST_OF_OURS = 20, MOST_OF_DATALOG = 3 };

static const double LIMIT = 30; /* CPU seconds of a check */

static const struct line {
    const char *title, *model, *engine;
    uint64_t histories; /* of a size, at most */
} lines[] = {
    {"cc", "cc", NULL, MOST_OF_OURS},
    {"ccv", "ccv", NULL, MOST_OF_OURS},
    {"cm", "cm", NULL, MOST_OF_OURS},
    {"cc, datalog", "cc", "datalog", MOST_OF_DATALOG},
    {"ccv, datalog", "ccv", "datalog", MOST_OF_DATALOG},
    {"cm, datalog (CM_2)", "cm", "datalog:cm_2", MOST_OF_DATALOG},
    {"cm, datalog (CM_1)", "cm", "datalog:cm_1", MOST_OF_DATALOG},
};
enum { LINES = sizeof lines / sizeof *lines };

struct request {
    const struct study *study;
    const struct measured *cell;
    const struct line *line;
};

struct reply {
    bool undecided;
    double seconds; /* CPU, a check; 0: none was possible */
    char message[256];
};

/* ---- in a process of its own ---- */

static bool check_one(const struct request *q, uint64_t number, struct reply *out)
{
    char path[PATH_SPACE];
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = q->line->engine, .seconds = LIMIT,
                             .interrupt = q->study->bench->set->interrupt};
    cell_history(&q->cell->cell, q->study->work, number, path);
    assay_reader *reader = assay_reader_open(path, "hist", &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    double start = cpu_seconds();
    assay_result *r = h ? assay_check(h, q->line->model, &options, &e) : NULL;
    out->seconds += cpu_seconds() - start;
    out->undecided = r && assay_result_verdict(r) == ASSAY_UNDECIDED;
    if (!r)
        snprintf(out->message, sizeof out->message, "%s", e.message);
    bool fine = r && !out->undecided;
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return fine;
}

static void check_all(void *arg, void *out)
{
    const struct request *q = arg;
    struct reply *reply = out;
    uint64_t most = q->cell->outcome.histories < q->line->histories ? q->cell->outcome.histories : q->line->histories;
    uint64_t n = 0;
    while (n < most && check_one(q, n + 1, reply))
        n++;
    if (n)
        reply->seconds /= (double)n;
}

/* ---- tables ---- */

/* A line that gave up at a size is not tried at a larger one. */
static void add_line(const struct study *s, struct table *t, unsigned setting, const struct line *l,
                     const unsigned *columns, unsigned n)
{
    struct bench *b = s->bench;
    bool gave_up = false;
    for (unsigned i = 0; i < n && bench_goes_on(b) && !gave_up && t->n < MOST_ROWS; i++) {
        const struct measured *m = study_find(s, STUDY_SINGLE, setting, columns[i]);
        struct request q = {s, m, l};
        struct reply reply = {0};
        if (!m)
            continue;
        if (!in_child(check_all, &q, &reply, sizeof reply)) {
            bench_fault(b, "the process that measures %s died", l->title);
            return;
        }
        if (reply.message[0]) /* clingo is missing, or the history is not for this engine */
            return;
        struct row *r = &t->rows[t->n++];
        *r = (struct row){.task = {.model = l->model, .engine = l->engine, .title = l->title}};
        r->task.input.operations = m->cell.operations;
        r->task.input.threads = m->cell.sessions;
        r->sample = (struct sample){.check = reply.seconds, .undecided = reply.undecided};
        gave_up = reply.undecided;
    }
}

static const struct row *find(const struct table *t, const char *title, double (*x)(const struct row *r), double at)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->rows[i].task.title, title) == 0 && x(&t->rows[i]) == at)
            return &t->rows[i];
    return NULL;
}

static void label(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s", r->task.title);
}

static void print_table(const struct study *s, const struct table *t, const char *head, unsigned n)
{
    struct column columns[1 + LINES] = {{head, 10}};
    double (*x)(const struct row *r) = strcmp(head, "operations") == 0 ? row_operations : row_threads;
    for (size_t k = 0; k < LINES; k++)
        columns[1 + k] = (struct column){lines[k].title,
                                         (int)strlen(lines[k].title) < 10 ? 10 : (int)strlen(lines[k].title)};
    columns_print_head(s->bench, columns, 1 + LINES);
    for (unsigned i = 0; i < n; i++) {
        char cells[1 + LINES][COLUMN_CELL];
        double at = x(&t->rows[i]); /* the rows of the first line have all sizes */
        snprintf(cells[0], COLUMN_CELL, "%.0f", at);
        for (size_t k = 0; k < LINES; k++) {
            const struct row *r = find(t, lines[k].title, x, at);
            if (!r)
                snprintf(cells[1 + k], COLUMN_CELL, "-");
            else if (r->sample.undecided)
                snprintf(cells[1 + k], COLUMN_CELL, "> %g s", LIMIT);
            else if (r->sample.check < 1)
                snprintf(cells[1 + k], COLUMN_CELL, "%.3g ms", 1e3 * r->sample.check);
            else
                snprintf(cells[1 + k], COLUMN_CELL, "%.3g s", r->sample.check);
        }
        columns_print_row(s->bench, columns, 1 + LINES, cells);
    }
}

static void measure_times(const struct study *s, unsigned setting, const char *head, const unsigned *columns,
                          unsigned n, const struct plot *plot)
{
    static struct table t;
    t.n = 0;
    for (size_t k = 0; k < LINES; k++)
        add_line(s, &t, setting, &lines[k], columns, n);
    unsigned measured = 0;
    while (measured < t.n && t.rows[measured].task.title == lines[0].title)
        measured++;
    if (!measured || !bench_goes_on(s->bench))
        return;
    print_table(s, &t, head, measured);
    if (measured > 1)
        plot_table(s->bench, &t, plot);
}

void times_print(const struct study *s)
{
    static const unsigned over_operations[] = {0, 1, 2, 3, 4, 5}, over_sessions[] = {6, 7, 1, 8, 9};
    const struct plot by_operations = {"databases-operations",
                                       "Causal consistency: 4 sessions",
                                       "operations",
                                       "CPU seconds",
                                       row_operations,
                                       row_check,
                                       label,
                                       false,
                                       false};
    const struct plot by_sessions = {"databases-sessions",
                                     "Causal consistency: 50 operations of each session",
                                     "sessions",
                                     "CPU seconds",
                                     row_threads,
                                     row_check,
                                     label,
                                     false,
                                     false};
    const char *store, *title;
    unsigned setting;
    if (!single_first_setting(s, &setting, &store, &title))
        return;
    heading(s->bench, "Checking time");
    paragraph(
        s->bench,
        "How long does a check of the histories of %s (%s) take? As in Figures 3.3 and 3.4\n"
        "of the thesis, the tables give the CPU time: the mean of %d histories per size, or of %d with the logic\n"
        "program. CM_1 and CM_2 are the thesis' two definitions of cm. A column ends where a check took more\n"
        "than %g s.",
        store, title, MOST_OF_OURS, MOST_OF_DATALOG, LIMIT);
    measure_times(s, setting, "operations", over_operations, BY_OPERATIONS, &by_operations);
    measure_times(s, setting, "sessions", over_sessions, sizeof over_sessions / sizeof *over_sessions, &by_sessions);
}
