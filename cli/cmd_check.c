/* SPDX-License-Identifier: Apache-2.0 */
/* assay check: does each history satisfy each model? */
#include "command.h"
#include "interrupt.h"
#include "junit.h"
#include "more.h"
#include "names.h"
#include "outfile.h"
#include "output.h"
#include "pages.h"
#include "picked.h"
#include "settings.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check_settings {
    struct settings common; /* must be first: SETTINGS_ROWS */
    const char *models;
    bool fail_fast, explain, shrink, quiet;
    const char *evidence, *html, *junit, *drawings[3]; /* the files of --dot, --svg and --tikz */
};

/* Pictures: the reports of these names, written to the file of the option of the same name. */
static const struct drawing {
    const char *name;
    enum stream stream;
} drawings[] = {{"dot", TO_DOT}, {"svg", TO_SVG}, {"tikz", TO_TIKZ}};
enum { DRAWINGS = sizeof drawings / sizeof *drawings };

struct check {
    struct check_settings set;
    struct names models; /* without -m one, NULL: the strongest that applies */
    bool color;
    size_t width; /* of the terminal */

    /* Of the main thread: */
    int status;
    bool fault; /* a page could not be written */
    bool cut;   /* short, by an interrupt or because reports cannot be written: outputs are not whole */
    struct outfile evidence;
    FILE *proofs; /* NULL: not asked for */
    char *spool;  /* the evidence that goes to standard output, after everything else */
    size_t spool_size;
    struct picked html, drawn[DRAWINGS];
    struct pages pages; /* instead of one page, if --html names a folder; its folder is NULL else */
    struct tally tally;
    struct more more;
    struct junit junit;
    char *chosen; /* the model last announced */
};

/* ---- in a worker: one history, one model ---- */

static assay_report_options report_options(const struct check *c, const char *file, uint32_t index)
{
    return (assay_report_options){ASSAY_REPORT_OPTIONS_INIT, .file = file,      .index = index,
                                  .explain = c->set.explain, .color = c->color, .width = c->width};
}

static bool report(const struct check *c, const assay_result *r, const char *kind, const char *file, uint32_t index,
                   FILE *out, assay_error *e)
{
    assay_options checked = settings_options(&c->set.common);
    assay_report_options options = report_options(c, file, index);
    options.checked = &checked;
    return assay_result_report(r, kind, &options, out, e);
}

/* The results of one history, a model each: a result, or an error in its place. */
struct results {
    struct outcome {
        assay_result *result;
        assay_error error;
    } * at;
    size_t n;
};

static bool is_violation(const assay_result *r)
{
    return r && assay_result_verdict(r) == ASSAY_VIOLATION;
}

/* Is the page of the history about this one? It is about the first violation, else the first result. */
static bool has_page(const struct results *all, size_t i)
{
    for (size_t j = 0; j < all->n; j++) {
        bool better = is_violation(all->at[j].result) && !is_violation(all->at[i].result);
        bool first = j < i && all->at[j].result && is_violation(all->at[j].result) == is_violation(all->at[i].result);
        if (better || first)
            return false;
    }
    return true;
}

/* The page of one of them, with the ladder of all. */
static bool page(const struct check *c, const struct results *all, size_t i, const char *file, uint32_t index,
                 FILE *out, assay_error *e)
{
    assay_options checked = settings_options(&c->set.common);
    const assay_result **known = grow(NULL, all->n * sizeof *known);
    size_t n = 0, mine = 0;
    for (size_t j = 0; j < all->n; j++)
        if (all->at[j].result) {
            mine = j == i ? n : mine;
            known[n++] = all->at[j].result;
        }
    bool fine = picked_page(known, n, mine, &checked, report_options(c, file, index), out, e);
    free(known);
    return fine;
}

static void show_left(void *arg, uint32_t operations)
{
    task_shrinking(arg, operations);
}

/* The sub-history as .hist: below the report, or as a field of the JSON object, still open then. */
static bool show_shrunk(const struct check *c, const assay_result *r, struct record *rec, assay_error *e)
{
    assay_options options = settings_options(&c->set.common);
    assay_error none = {0};
    options.shrinking = show_left;
    options.shrinking_arg = rec->task;
    assay_history *small = assay_shrink(r, &options, NULL, &none);
    task_shrinking(rec->task, 0);
    FILE *out = record_stream(rec, TO_OUTPUT);
    if (!small) {
        if (none.code)
            print_error(record_stream(rec, TO_ERRORS), NULL, &none);
        return true;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    bool fine = assay_history_write(small, "hist:lines", 0, f, e);
    memory_close(f, &text);
    if (c->set.common.json) {
        fputs(",\"shrunk\":", out);
        print_json(out, text);
    } else {
        fprintf(out, "  the smallest part found that still violates %s:\n", assay_result_model(r));
        assay_show(text, size, "\n", out);
    }
    free(text);
    assay_history_free(small);
    return fine;
}

static bool shrinks(const struct check *c, const assay_result *r)
{
    return c->set.shrink && assay_result_verdict(r) == ASSAY_VIOLATION;
}

static bool show_json(const struct check *c, const assay_result *r, const char *file, uint32_t index,
                      struct record *rec, assay_error *e)
{
    char *line = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&line, &size);
    bool fine = report(c, r, "json", file, index, f, e);
    memory_close(f, &line);
    FILE *out = record_stream(rec, TO_OUTPUT);
    fwrite(line, 1, size >= 2 ? size - 2 : 0, out); /* without the brace and the line end */
    fine = fine && (!shrinks(c, r) || show_shrunk(c, r, rec, e));
    fputs("}\n", out);
    free(line);
    return fine;
}

static bool show_text(const struct check *c, const assay_result *r, const char *file, uint32_t index,
                      struct record *rec, assay_error *e)
{
    return report(c, r, "text", file, index, record_stream(rec, TO_OUTPUT), e) &&
           (!shrinks(c, r) || show_shrunk(c, r, rec, e));
}

static bool keep_evidence(const assay_result *r, const char *file, uint32_t index, struct record *rec, assay_error *e)
{
    if (assay_result_verdict(r) == ASSAY_UNDECIDED)
        return true;
    if (assay_result_proved(r)) {
        bool fine = assay_result_write_evidence_of(r, rec->task->named, index, record_stream(rec, TO_EVIDENCE));
        if (!fine) {
            e->code = ASSAY_ERROR_RESOURCE;
            snprintf(e->message, sizeof e->message, "out of memory: the evidence cannot be written");
        }
        return fine;
    }
    fprintf(record_stream(rec, TO_ERRORS),
            "assay: warning: %s: the engine %s gives no evidence for %s (another -e may)\n", file,
            assay_result_engine(r), assay_result_model(r));
    return true;
}

static int status_of(assay_verdict v)
{
    return v == ASSAY_VIOLATION ? EXIT_VIOLATED : v == ASSAY_UNDECIDED ? EXIT_OPEN : EXIT_FINE;
}

/* All that is asked for of a result, or an error in its place. */
static void emit_result(const struct check *c, struct reading *reading, const struct results *all, size_t i,
                        const assay_history *h, uint32_t index)
{
    const assay_result *r = all->at[i].result;
    const char *model = c->models.at[i];
    struct record *rec = record_new();
    const char *file = reading->task->file, *name = spoken(file);
    assay_error e = {0};
    rec->task = reading->task;
    rec->status = status_of(assay_result_verdict(r));
    record_judged(rec, reading->task, index, rec->status);
    rec->violates = is_violation(r);
    rec->pattern = more_pattern(r);
    if (!model)
        rec->chosen = copy_text(assay_result_model(r));
    bool fine = c->set.common.json ? show_json(c, r, file, index, rec, &e) : show_text(c, r, name, index, rec, &e);
    if (fine && c->set.evidence)
        fine = keep_evidence(r, name, index, rec, &e);
    if (fine && c->set.html && has_page(all, i))
        fine = page(c, all, i, name, index, record_stream(rec, TO_HTML), &e);
    if (fine && c->pages.folder)
        pages_describe(rec, h, r, name, index);
    if (fine && c->set.junit)
        fine = junit_result(rec, r, report_options(c, file, index), &e);
    for (size_t d = 0; d < DRAWINGS; d++)
        if (fine && c->set.drawings[d])
            fine = report(c, r, drawings[d].name, name, index, record_stream(rec, drawings[d].stream), &e);
    if (fine) {
        task_emit(reading->task, rec);
    } else {
        record_drop(rec);
        emit_error(reading, index, model, &e);
    }
}

static bool draws(const struct check *c)
{
    for (size_t i = 0; i < DRAWINGS; i++)
        if (c->set.drawings[i])
            return true;
    return false;
}

static void emit(const struct check *c, struct reading *reading, const struct results *all, size_t i,
                 const assay_history *h, uint32_t index)
{
    if (all->at[i].result)
        emit_result(c, reading, all, i, h, index);
    else
        emit_error(reading, index, c->models.at[i], &all->at[i].error);
}

/* A page shows the results of all models: then they are emitted once all are known. */
static bool check_history(struct reading *reading, assay_history *h, uint32_t index)
{
    const struct check *c = reading->context;
    assay_options options = settings_options(&c->set.common);
    options.evidence = c->set.evidence || c->set.explain || c->set.html || draws(c);
    assay_error fault = {0};
    assay_checker *checker = assay_checker_new(h, &options, &fault);
    bool violated = false;
    struct results all = {.at = grow(NULL, c->models.n * sizeof *all.at)};
    size_t emitted = 0;
    while (all.n < c->models.n && !stopping() && !(violated && c->set.fail_fast)) {
        struct outcome *o = &all.at[all.n];
        *o = (struct outcome){.error = fault};
        o->result = checker ? assay_checker_run(checker, c->models.at[all.n], &o->error) : NULL;
        violated = is_violation(o->result);
        all.n++;
        if (!c->set.html) {
            emit(c, reading, &all, emitted++, h, index);
            assay_result_free(o->result);
            o->result = NULL;
        }
    }
    while (emitted < all.n)
        emit(c, reading, &all, emitted++, h, index);
    for (size_t i = 0; i < all.n; i++)
        assay_result_free(all.at[i].result);
    free(all.at);
    assay_checker_free(checker);
    return !(violated && c->set.fail_fast);
}

static void check_file(void *context, struct task *t)
{
    struct check *c = context;
    struct reading reading = {&c->set.common, t, c, check_history, false};
    settings_read(&reading);
}

/* ---- in the main thread: printing ---- */

/* Models that do not apply are asked, too: if one of them is not implied, `one of` is still true. */
static bool implies_all(const char *model)
{
    for (size_t i = 0; i < assay_family_size(ASSAY_MODELS); i++)
        if (!assay_model_implies(model, assay_family_member(ASSAY_MODELS, i).name))
            return false;
    return true;
}

static void announce(struct check *c, const struct record *rec)
{
    bool said = c->chosen && (c->set.common.json || strcmp(c->chosen, rec->chosen ? rec->chosen : "") == 0);
    if (!rec->chosen || said) /* with --json each object has its model */
        return;
    complain("no -m was given: checking %s, %s", rec->chosen,
             c->set.common.visibility   ? "but for the methods of --visibility"
             : implies_all(rec->chosen) ? "the strongest model that applies"
                                        : "one of the strongest models that apply (`assay grade` checks all)");
    free(c->chosen);
    c->chosen = copy_text(rec->chosen);
}

static void copy(const struct record *rec, enum stream s, FILE *to)
{
    if (to && rec->size[s])
        fwrite(rec->text[s], 1, rec->size[s], to);
}

static bool print_record(void *context, const struct record *rec)
{
    struct check *c = context;
    c->status = weightier(c->status, rec->status);
    announce(c, rec);
    copy(rec, TO_OUTPUT, stdout);
    fflush(stdout);
    if (rec->text[TO_ERRORS])
        put_messages(rec->text[TO_ERRORS]);
    copy(rec, TO_EVIDENCE, c->proofs);
    outfile_record(&c->evidence);
    tally_add(&c->tally, rec);
    more_add(&c->more, rec->pattern);
    if (c->set.junit)
        junit_add(&c->junit, rec);
    if (c->pages.folder)
        c->fault |= !pages_add(&c->pages, rec, c->evidence.stream);
    else
        picked_take(&c->html, rec, TO_HTML);
    for (size_t i = 0; i < DRAWINGS; i++)
        picked_take(&c->drawn[i], rec, drawings[i].stream);
    if (ferror(stdout) || (c->proofs && ferror(c->proofs)))
        return false; /* the closing code reports the reason */
    return !(c->set.fail_fast && rec->status == EXIT_VIOLATED);
}

/* ---- the command ---- */

/* Reading comes first, writing later: a history must not be lost to its own proof, nor one output to another. */
static bool outputs_apart(const struct check *c, const struct paths *files)
{
    const struct outfile_option outputs[] = {{"evidence", c->set.evidence}, {"html", c->set.html},
                                             {"junit", c->set.junit},       {"dot", c->set.drawings[0]},
                                             {"svg", c->set.drawings[1]},   {"tikz", c->set.drawings[2]}};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *name = outputs[i].name;
        if (name && !outfile_standard(name) && paths_hold(files, name)) {
            complain("check: --%s %s would overwrite a history that is to be checked (name another file)",
                     outputs[i].option, name);
            return false;
        }
    }
    return outfile_apart("check", outputs, sizeof outputs / sizeof *outputs);
}

static bool open_evidence(struct check *c)
{
    if (!c->set.evidence)
        return true;
    if (c->set.common.theory_file) {
        complain("check: --evidence: there is none with a theory of your own, and recheck could not judge it "
                 "(docs/guides/theories.md)");
        return false;
    }
    if (outfile_standard(c->set.evidence))
        c->proofs = memory_stream(&c->spool, &c->spool_size);
    else if (outfile_open(&c->evidence, c->set.evidence))
        c->proofs = c->evidence.stream;
    return c->proofs != NULL;
}

static bool close_evidence(struct check *c)
{
    if (!c->proofs || c->evidence.stream)
        return outfile_close(&c->evidence, c->cut ? OUTFILE_CUT : OUTFILE_WHOLE);
    bool fine = finish(c->proofs, "the evidence");
    fwrite(c->spool, 1, c->spool_size, stdout);
    return fine;
}

static int conclude(struct check *c)
{
    int status = c->status;
    c->cut = interrupted() || ferror(stdout);
    if (interrupted()) {
        complain("interrupted");
        status = EXIT_OPEN;
    }
    if (!c->set.quiet && !c->set.common.json) {
        more_print(&c->more);
        tally_print(&c->tally, "consistent", c->color, stdout);
    }
    bool fine = close_evidence(c);
    fine &= !c->fault;
    fine &= junit_write(&c->junit, c->set.junit, c->cut);
    if (c->pages.folder)
        fine &= pages_close(&c->pages);
    else
        fine &= picked_write(&c->html, c->set.html, "html", c->cut);
    for (size_t i = 0; i < DRAWINGS; i++)
        fine &= picked_write(&c->drawn[i], c->set.drawings[i], drawings[i].name, c->cut);
    return finish_output(fine ? status : EXIT_FAULT);
}

static void check_free(struct check *c)
{
    names_free(&c->models);
    free(c->spool);
    picked_free(&c->html);
    pages_free(&c->pages);
    for (size_t i = 0; i < DRAWINGS; i++)
        picked_free(&c->drawn[i]);
    free(c->chosen);
    more_free(&c->more);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct check c = {.set.common.workers = 1};
    struct arguments args;
    struct paths files = {0};
    if (!options_parse(self, argc, argv, &c.set, &args))
        return args.status;
    c.color = wants_color();
    c.width = terminal_width();
    if (pages_folder(c.set.html))
        c.pages.folder = c.set.html;
    int status = EXIT_FAULT;
    if (outfile_folder(c.pages.folder) && names_split(&c.models, c.set.models, "-m: a model's name") &&
        settings_probe(&c.set.common, c.models.at, c.set.models ? c.models.n : 0) &&
        settings_paths(self->name, &c.set.common, &args, &files, &c.status) && outputs_apart(&c, &files) &&
        open_evidence(&c)) {
        c.tally.models = c.models.n;
        interrupt_sets_flag();
        bool finished = pool_run(&files, c.set.common.workers,
                                 &(struct pool_calls){&c, check_file, print_record, c.set.quiet});
        status = conclude(&c);
        if (!finished)
            _exit(status);
    }
    check_free(&c);
    paths_free(&files);
    return status;
}

#define TYPE struct check_settings
static const struct option_row rows[] = {
    {'m', "model", "MODEL[,MODEL]", "the models (default: the strongest that applies)", OPTION_TEXT,
     offsetof(TYPE, models), FAMILY(ASSAY_MODELS)},
    SETTINGS_ROW_VISIBILITY(TYPE),
    SETTINGS_ROW_ENGINE(TYPE),
    SETTINGS_ROWS(TYPE),
    {0, "fail-fast", NULL, "stop at the first violation", OPTION_FLAG, offsetof(TYPE, fail_fast), 0},
    {0, "explain", NULL, "every step of a refutation; the orders that prove a history consistent", OPTION_FLAG,
     offsetof(TYPE, explain), 0},
    {0, "shrink", NULL, "show the smallest part that could be found which still violates the model", OPTION_FLAG,
     offsetof(TYPE, shrink), 0},
    {'q', "quiet", NULL, "no closing lines and no progress on a terminal", OPTION_FLAG, offsetof(TYPE, quiet), 0},
    {0, "evidence", "FILE", "write the proofs to FILE, for `assay recheck`", OPTION_TEXT, offsetof(TYPE, evidence), 0},
    {0, "junit", "FILE", "write the results as JUnit XML, for continuous integration", OPTION_TEXT,
     offsetof(TYPE, junit), 0},
    {0, "html", "FILE|DIR/", "write a page about the first violation, or else the first result; DIR/: one page each",
     OPTION_TEXT, offsetof(TYPE, html), 0},
    {0, "dot", "FILE", "the same as a Graphviz graph", OPTION_TEXT, offsetof(TYPE, drawings[0]), 0},
    {0, "svg", "FILE", "the same as a picture, for slides", OPTION_TEXT, offsetof(TYPE, drawings[1]), 0},
    {0, "tikz", "FILE", "the same picture as TikZ, for papers", OPTION_TEXT, offsetof(TYPE, drawings[2]), 0},
    {0},
};

const struct command command_check = {
    .name = "check",
    .summary = "Check histories against consistency models and prove the verdict.",
    .usage = "[-m MODEL[,MODEL]] [options] FILE|DIR|-...",
    .notes = "A model may be spelled out, as axioms on what operations see: -m 'weak: vis >= po & vis >= vis;vis'.\n"
             "With --visibility contains=weak the calls of `contains` see less (weak, self, monotonic, peer,\n"
             "causal) or everything before them (complete); the model, level:complete without -m, is for\n"
             "the other methods.\n\n"
             "With - for FILE the proofs, the page or a picture go to standard output, behind the\n"
             "reports. A file is replaced once all of it is written; an interrupted run leaves what is\n"
             "complete in FILE.part.\n\n"
             "exit status: 2 if anything could not be read or run; else 1 if any violation;\n"
             "else 3 if anything is undecided or interrupted; else 0\n",
    .examples = "  assay check -m ccv run.hist\n"
                "  assay check -m cc,ccv,cm --json -j 4 histories/\n"
                "  assay check -m cm --time 10 --evidence proofs.jsonl run.hist.gz\n"
                "  assay check -m ccv --html violation.html run.hist\n"
                "  assay check -m sc --junit results.xml histories/\n"
                "  assay check --visibility contains=weak map.hist\n"
                "  generate | assay check -\n",
    .most = COMMAND_ANY,
    .options = rows,
    .run = run,
};
