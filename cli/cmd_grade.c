/* SPDX-License-Identifier: Apache-2.0 */
/* assay grade: every model, weakest first, drawn as a ladder. */
#include "each.h"
#include "ladder.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_LINES = 8 };

struct graded {
    const struct each *grade;
    const assay_history *h;
    const assay_grading *grading;
};

/* ---- the marks of the models in the ladder ---- */

/* Lines of the file, or numbers of operations that come from nowhere. */
static unsigned long long place(const assay_history *h, uint32_t op)
{
    uint64_t line = assay_history_operation(h, op).line;
    return line ? line : op;
}

/* Without a cycle, a violation of transactions is a write before the initial value that a later one read. */
static size_t before_initial(const assay_result *r, assay_step *step)
{
    size_t reasons = assay_result_reasons(r);
    assay_reason last = reasons ? assay_result_reason(r, reasons - 1) : (assay_reason){.to = 0};
    if (!reasons || last.to != ASSAY_NO_OPERATION)
        return 0;
    step[0] = (assay_step){.from = last.from};
    step[1] = (assay_step){.from = last.read};
    return 2;
}

/* The operations of the cycle, or the one that suffices. */
static void places(const struct graded *m, const assay_result *r, FILE *out)
{
    const assay_step *cycle;
    assay_step two[2];
    size_t n = assay_result_cycle(r, &cycle);
    uint32_t culprit = assay_result_culprit(r);
    if (!n && (n = before_initial(r, two)))
        cycle = two;
    if (!n && culprit == ASSAY_NO_OPERATION)
        return;
    uint32_t first = n ? cycle[0].from : culprit;
    fprintf(out, " (%s%s %llu", assay_history_operation(m->h, first).line ? "line" : "operation", n > 1 ? "s" : "",
            place(m->h, first));
    for (size_t i = 1; i < n && i < FEW_LINES; i++)
        fprintf(out, ", %llu", place(m->h, cycle[i].from));
    fputs(n > FEW_LINES ? ", ...)" : ")", out);
}

static char *details(const struct graded *m, size_t model)
{
    const assay_result *r = assay_grading_result(m->grading, model);
    char *text = NULL;
    size_t size = 0;
    if (r && assay_result_verdict(r) == ASSAY_CONSISTENT)
        return NULL;
    FILE *out = memory_stream(&text, &size);
    show(out, verdict_note(r) ? verdict_note(r) : "no reason was given");
    places(m, r, out);
    memory_close(out, &text);
    return text;
}

static struct ladder_mark mark(const struct graded *m, size_t model)
{
    static const struct ladder_mark marks[] = {[ASSAY_CONSISTENT] = {"ok", "32", NULL},
                                               [ASSAY_VIOLATION] = {"VIOLATION", "1;31", NULL},
                                               [ASSAY_UNDECIDED] = {"undecided", "33", NULL}};
    const assay_result *r = assay_grading_result(m->grading, model);
    struct ladder_mark mark = marks[assay_result_verdict(r)];
    mark.paint = m->grade->color ? mark.paint : NULL;
    mark.details = details(m, model);
    return mark;
}

/* ---- one history ---- */

static bool has(const assay_grading *g, size_t i, assay_verdict verdict)
{
    const assay_result *r = assay_grading_result(g, i);
    return r && assay_result_verdict(r) == verdict;
}

/* Does another model of the same verdict imply this one: a stronger one that holds, a weaker one that fails? */
static bool outdone(const assay_grading *g, size_t i, assay_verdict verdict)
{
    const char *mine = assay_grading_model(g, i);
    for (size_t j = 0; j < assay_grading_size(g); j++) {
        const char *other = assay_grading_model(g, j);
        if (j != i && has(g, j, verdict) &&
            (verdict == ASSAY_CONSISTENT ? assay_model_implies(other, mine) : assay_model_implies(mine, other)))
            return true;
    }
    return false;
}

/* The models of that verdict from which the others follow; false: there is none. */
static bool list(const assay_grading *g, assay_verdict verdict, const char *words, FILE *out)
{
    const char *glue = words;
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (has(g, i, verdict) && !outdone(g, i, verdict)) {
            fprintf(out, "%s%s", glue, assay_grading_model(g, i));
            glue = ", ";
        }
    if (glue != words)
        fputc('\n', out);
    return glue != words;
}

static void summary(const assay_grading *g, FILE *out)
{
    if (!list(g, ASSAY_CONSISTENT, "  strongest that holds: ", out))
        fputs("  no model was found to hold\n", out);
    list(g, ASSAY_VIOLATION, "  weakest that fails: ", out);
}

/* The message without "MODEL does not apply: ". */
static const char *reason(const assay_grading *g, size_t i)
{
    static const char known[] = " does not apply: ";
    const char *why = assay_grading_error(g, i)->message, *model = assay_grading_model(g, i);
    size_t n = strlen(model);
    bool says_so = strncmp(why, model, n) == 0 && strncmp(why + n, known, sizeof known - 1) == 0;
    return says_so ? why + n + sizeof known - 1 : why;
}

static bool same_reason(const assay_grading *g, size_t i, size_t j)
{
    return assay_grading_error(g, j) && strcmp(reason(g, i), reason(g, j)) == 0;
}

/* The models that do not apply, those with the same reason together. */
static void not_applicable(const assay_grading *g, FILE *out)
{
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_error *e = assay_grading_error(g, i);
        bool said = !e;
        for (size_t j = 0; j < i && !said; j++)
            said = same_reason(g, i, j);
        if (said)
            continue;
        const char *glue = "  n/a: ";
        for (size_t j = i; j < assay_grading_size(g); j++)
            if (same_reason(g, i, j)) {
                fprintf(out, "%s%s", glue, assay_grading_model(g, j));
                glue = ", ";
            }
        fputs(" (", out);
        show(out, reason(g, i));
        if (e->line)
            fprintf(out, ", line %llu", (unsigned long long)e->line);
        fputs(")\n", out);
    }
}

/* Why nothing could go wrong; NULL: something could, or did. */
static const char *vacuous(const assay_grading *g)
{
    const char *why = NULL;
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        if (r && assay_result_verdict(r) == ASSAY_VIOLATION)
            return NULL;
        if (r && assay_result_vacuous(r))
            why = assay_result_vacuous(r);
    }
    return why;
}

static void headline(const char *file, uint32_t index, const struct graded *m, FILE *out)
{
    uint32_t n = assay_history_size(m->h), k = assay_history_threads(m->h);
    fputs(file, out);
    if (index)
        fprintf(out, "#%u", (unsigned)index);
    fprintf(out, ": %u operation%s, %u thread%s\n", (unsigned)n, plural(n), (unsigned)k, plural(k));
    if (vacuous(m->grading))
        fprintf(out, "  vacuous: %s\n", vacuous(m->grading));
}

static void draw(const char *file, uint32_t index, struct graded *m, FILE *out)
{
    size_t size = assay_grading_size(m->grading), n = 0;
    const char **models = grow(NULL, size * sizeof *models);
    struct ladder_mark *marks = grow(NULL, size * sizeof *marks);
    for (size_t i = 0; i < size; i++)
        if (assay_grading_result(m->grading, i)) {
            models[n] = assay_grading_model(m->grading, i);
            marks[n++] = mark(m, i);
        }
    headline(file, index, m, out);
    ladder_draw(&(struct ladder){models, marks, n, m->grade->width}, out);
    not_applicable(m->grading, out);
    summary(m->grading, out);
    for (size_t i = 0; i < n; i++)
        free(marks[i].details);
    free(marks);
    free(models);
}

static void print_objects(const char *file, uint32_t index, const assay_grading *g, FILE *out)
{
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = file, .index = index};
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        if (r)
            put_report(r, "json", &options, out);
        else
            print_json_error(out, file, index, assay_grading_model(g, i), assay_grading_error(g, i));
    }
}

/* A wrong setting that only the object reveals: a method that it does not have. */
static const assay_error *wrong_setting(const assay_grading *g)
{
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_error *e = assay_grading_error(g, i);
        if (e && e->code == ASSAY_ERROR_USAGE)
            return e;
    }
    return NULL;
}

static bool has_any(const assay_grading *g, assay_verdict verdict)
{
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (has(g, i, verdict))
            return true;
    return false;
}

/* The page is about the weakest model that fails, else about the strongest that holds, else about the first result. */
static const assay_result *shown(const assay_grading *g)
{
    static const assay_verdict wanted[] = {ASSAY_VIOLATION, ASSAY_CONSISTENT, ASSAY_UNDECIDED};
    for (size_t v = 0; v < sizeof wanted / sizeof *wanted; v++)
        for (size_t i = 0; i < assay_grading_size(g); i++)
            if (has(g, i, wanted[v]) && (wanted[v] == ASSAY_UNDECIDED || !outdone(g, i, wanted[v])))
                return assay_grading_result(g, i);
    return NULL;
}

/* Was a model that applies not judged: its violation rests on a last line that may be cut, or it had no memory? */
static bool is_refused(const assay_grading *g)
{
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_error *e = assay_grading_error(g, i);
        if (e && e->code != ASSAY_ERROR_NOT_APPLICABLE)
            return true;
    }
    return false;
}

/* As an exit status of check: the worst of all models. Without a verdict on any model the history is none of these. */
static int outcome(const assay_grading *g)
{
    if (!shown(g))
        return TALLY_NO_VERDICT;
    bool open = has_any(g, ASSAY_UNDECIDED) || is_refused(g);
    return has_any(g, ASSAY_VIOLATION) ? EXIT_VIOLATED : open ? EXIT_OPEN : EXIT_FINE;
}

/* ---- pages ---- */

static bool put_page(const struct graded *m, const char *file, uint32_t index, struct record *rec, assay_error *e)
{
    assay_options checked = settings_options(&m->grade->set.common);
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = file, .index = index};
    const assay_result **known = grow(NULL, assay_grading_size(m->grading) * sizeof *known), *r;
    size_t n = 0, mine = 0;
    for (size_t i = 0; i < assay_grading_size(m->grading); i++)
        if ((r = assay_grading_result(m->grading, i))) {
            mine = r == shown(m->grading) ? n : mine;
            known[n++] = r;
        }
    bool fine = !n || picked_page(known, n, mine, &checked, options, record_stream(rec, TO_HTML), e);
    rec->violates = n && assay_result_verdict(known[mine]) == ASSAY_VIOLATION;
    free(known);
    return fine;
}

/* A row for each model; the page comes with the first. */
static void emit_rows(struct reading *reading, const struct graded *m, uint32_t index, struct record *rec)
{
    for (size_t i = 0; i < assay_grading_size(m->grading); i++) {
        const assay_result *r = assay_grading_result(m->grading, i);
        if (!r)
            continue;
        if (rec->history) {
            task_emit(reading->task, rec);
            rec = record_new();
        }
        pages_describe(rec, m->h, r, spoken(reading->task->file), index);
    }
    task_emit(reading->task, rec);
}

/* ---- the command ---- */

static bool grade_history(struct reading *reading, assay_history *h, uint32_t index)
{
    const struct each *g = reading->context;
    assay_options options = settings_options(&g->set.common);
    options.evidence = g->set.html;
    assay_error e = {0};
    assay_grading *grading = assay_grade(h, &options, &e);
    if (!grading || wrong_setting(grading)) {
        emit_error(reading, index, NULL, grading ? wrong_setting(grading) : &e);
        assay_grading_free(grading);
        return true;
    }
    struct record *rec = record_new();
    record_judged(rec, reading->task, index, outcome(grading));
    struct graded m = {g, h, grading};
    if (g->set.common.json)
        print_objects(reading->task->file, index, grading, record_stream(rec, TO_OUTPUT));
    else
        draw(spoken(reading->task->file), index, &m, record_stream(rec, TO_OUTPUT));
    if (g->set.html && !put_page(&m, spoken(reading->task->file), index, rec, &e)) {
        record_drop(rec);
        emit_error(reading, index, NULL, &e);
    } else if (g->pages.folder) {
        emit_rows(reading, &m, index, rec);
    } else {
        task_emit(reading->task, rec);
    }
    assay_grading_free(grading);
    return true;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct each e = {.history = grade_history, .consistent = "consistent with every model that applies"};
    return each_run(&e, self, argc, argv);
}

static const struct option_row rows[] = {SETTINGS_ROW_VISIBILITY(struct each_settings),
                                         SETTINGS_ROW_ENGINE(struct each_settings),
                                         {0, "html", "FILE|DIR/",
                                          "write a page about the weakest model that fails; DIR/: one for each history",
                                          OPTION_TEXT, offsetof(struct each_settings, html), 0},
                                         SETTINGS_ROWS(struct each_settings),
                                         {'q', "quiet", NULL, "no closing line and no progress on a terminal",
                                          OPTION_FLAG, offsetof(struct each_settings, quiet), 0},
                                         {0}};

const struct command command_grade = {
    .name = "grade",
    .summary = "Check every model that applies, weakest first, and draw the ladder.",
    .usage = "[options] FILE|DIR|-...",
    .notes = "exit status: 0 once graded, whatever the grade; 2 if anything could not be read;\n"
             "3 if interrupted\n",
    .examples = "  assay grade run.hist\n"
                "  assay grade --json --time 10 histories/\n"
                "  assay grade --html pages/ histories/\n",
    .most = COMMAND_ANY,
    .options = rows,
    .run = run,
};
