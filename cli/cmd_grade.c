/* SPDX-License-Identifier: Apache-2.0 */
/* assay grade: every model, weakest first, drawn as a ladder. */
#include "each.h"
#include "ladder.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_LINES = 8 };

struct marks { /* what the ladder shows beside each model */
    const struct each *grade;
    const assay_history *h;
    const assay_grading *grading;
};

/* ---- marks ---- */

static void paint(const struct each *g, FILE *out, const char *code, const char *words)
{
    if (g->color)
        fprintf(out, "\033[%sm%s\033[0m", code, words);
    else
        fputs(words, out);
}

/* Lines of the file, or numbers of operations that come from nowhere. */
static unsigned long long place(const assay_history *h, uint32_t op)
{
    uint64_t line = assay_history_operation(h, op).line;
    return line ? line : op;
}

/* The operations of the cycle, or the one that suffices. */
static void places(const struct marks *m, const assay_result *r, FILE *out)
{
    const assay_step *cycle;
    size_t n = assay_result_cycle(r, &cycle);
    uint32_t culprit = assay_result_culprit(r);
    if (!n && culprit == ASSAY_NO_OPERATION)
        return;
    uint32_t first = n ? cycle[0].from : culprit;
    fprintf(out, " (%s%s %llu", assay_history_operation(m->h, first).line ? "line" : "operation",
            n > 1 ? "s" : "", place(m->h, first));
    for (size_t i = 1; i < n && i < FEW_LINES; i++)
        fprintf(out, ", %llu", place(m->h, cycle[i].from));
    fputs(n > FEW_LINES ? ", ...)" : ")", out);
}

/* The message without "MODEL does not apply: ", which the mark says already. */
static void not_applicable(const char *model, const assay_error *e, FILE *out)
{
    static const char known[] = " does not apply: ";
    const char *why = e->message;
    size_t n = strlen(model);
    if (strncmp(why, model, n) == 0 && strncmp(why + n, known, sizeof known - 1) == 0)
        why += n + sizeof known - 1;
    fprintf(out, "n/a: %s", why);
    if (e->line)
        fprintf(out, " (line %llu)", (unsigned long long)e->line);
}

static void mark(void *context, size_t model, FILE *out)
{
    const struct marks *m = context;
    const assay_result *r = assay_grading_result(m->grading, model);
    const assay_error *e = assay_grading_error(m->grading, model);
    if (!r) {
        not_applicable(assay_grading_model(m->grading, model), e, out);
        return;
    }
    const char *reason = assay_result_reason(r);
    switch (assay_result_verdict(r)) {
    case ASSAY_CONSISTENT: paint(m->grade, out, "32", "ok"); break;
    case ASSAY_VIOLATION:
        paint(m->grade, out, "1;31", "VIOLATION");
        if (reason)
            fprintf(out, " %s", reason);
        places(m, r, out);
        break;
    case ASSAY_UNDECIDED:
        paint(m->grade, out, "33", "undecided");
        fprintf(out, ": %s", reason ? reason : "no reason was given");
    }
}

/* ---- one history ---- */

static bool holds(const assay_grading *g, size_t i)
{
    const assay_result *r = assay_grading_result(g, i);
    return r && assay_result_verdict(r) == ASSAY_CONSISTENT;
}

static bool topped(const assay_grading *g, size_t i)
{
    for (size_t j = 0; j < assay_grading_size(g); j++)
        if (j != i && holds(g, j) &&
            assay_model_implies(assay_grading_model(g, j), assay_grading_model(g, i)))
            return true;
    return false;
}

static void summary(const assay_grading *g, FILE *out)
{
    const char *glue = "  strongest that holds: ";
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (holds(g, i) && !topped(g, i)) {
            fprintf(out, "%s%s", glue, assay_grading_model(g, i));
            glue = ", ";
        }
    fputs(*glue == ',' ? "\n" : "  no model was found to hold\n", out);
}

static const char *vacuous(const assay_grading *g)
{
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        if (r && assay_result_vacuous(r))
            return assay_result_vacuous(r);
    }
    return NULL;
}

static void headline(const char *file, uint32_t index, const struct marks *m, FILE *out)
{
    uint32_t n = assay_history_size(m->h), k = assay_history_threads(m->h);
    fputs(file, out);
    if (index)
        fprintf(out, "#%u", (unsigned)index);
    fprintf(out, ": %u operation%s, %u thread%s\n", (unsigned)n, n == 1 ? "" : "s", (unsigned)k,
            k == 1 ? "" : "s");
    if (vacuous(m->grading))
        fprintf(out, "  vacuous: %s\n", vacuous(m->grading));
}

static void draw(const char *file, uint32_t index, struct marks *m, FILE *out)
{
    size_t n = assay_grading_size(m->grading);
    const char **models = grow(NULL, n * sizeof *models);
    for (size_t i = 0; i < n; i++)
        models[i] = assay_grading_model(m->grading, i);
    headline(file, index, m, out);
    ladder_draw(&(struct ladder){models, n, m, mark}, out);
    summary(m->grading, out);
    free(models);
}

static void print_objects(const char *file, uint32_t index, const assay_grading *g, FILE *out)
{
    assay_report_options options = {.file = file, .index = index};
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        if (r)
            assay_result_report(r, "json", &options, out, NULL);
        else
            print_json_error(out, file, index, assay_grading_model(g, i),
                             assay_grading_error(g, i));
    }
}

static bool grade_history(struct reading *reading, assay_history *h, uint32_t index)
{
    const struct each *g = reading->context;
    assay_options options = settings_options(&g->set.common);
    assay_error e = {0};
    assay_grading *grading = assay_grade(h, &options, &e);
    if (!grading) {
        emit_error(reading, index, NULL, &e);
        return true;
    }
    struct record *rec = record_new();
    struct marks m = {g, h, grading};
    if (g->set.common.json)
        print_objects(reading->task->file, index, grading, record_stream(rec, TO_OUTPUT));
    else
        draw(spoken(reading->task->file), index, &m, record_stream(rec, TO_OUTPUT));
    task_emit(reading->task, rec);
    assay_grading_free(grading);
    return true;
}

static int run(const struct command *self, int argc, char **argv)
{
    return each_run(self, argc, argv, grade_history);
}

static const struct option_row rows[] = {SETTINGS_ROW_ENGINE(struct each_settings),
                                         SETTINGS_ROWS(struct each_settings), {0}};

const struct command command_grade = {
    .name = "grade",
    .summary = "Check every model that applies, weakest first, and draw the ladder.",
    .usage = "[options] FILE|DIR|-...",
    .notes = "exit status: 0 once graded, whatever the grade; 2 if anything could not be read;\n"
             "3 if interrupted\n",
    .examples = "  assay grade run.hist\n"
                "  assay grade --json --time 10 histories/\n",
    .options = rows,
    .run = run,
};
