/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include "anomalies.h"
#include "assay_spec.h"
#include "command.h"
#include "interrupt.h"
#include "junit.h"
#include "output.h"
#include "pages.h"
#include "selected.h"
#include "spec_guard.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

assay_options settings_options(const struct settings *s)
{
    return (assay_options){
        ASSAY_OPTIONS_INIT,
        .object = s->object,
        .spec = s->spec,
        .visibility = s->visibility,
        .engine = s->engine,
        .seconds = s->seconds,
        .wall_seconds = s->wall_seconds,
        .memory = s->memory,
        .skew = s->skew,
        .interrupt = stop_asked,
    };
}

/* A model may be called by its full name, in any case, with hyphens for blanks. */
static bool is_title(const char *title, const char *name)
{
    while (*title &&
           (tolower((unsigned char)*title) == tolower((unsigned char)*name) || (*title == ' ' && *name == '-')))
        title++, name++;
    return !*title && !*name;
}

/* Names of database manuals and Jepsen, those that are declined with a reason among them. */
static void offer_other_names(struct suggestion *s)
{
    for (size_t i = 0; assay_model_name_at(i).name; i++)
        suggest_offer(s, assay_model_name_at(i).name);
}

/* The systems whose logs a format reads. */
static const struct system {
    const char *name, *format, *logs;
} systems[] = {{"elle", "edn", "Elle's and Jepsen's logs"},
               {"jepsen", "edn", "Elle's and Jepsen's logs"},
               {"knossos", "edn", "Knossos' histories"}};

static bool is_system(const char *name)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (strcasecmp(systems[i].name, name) == 0) {
            complain("unknown format '%s' (%s reads %s; without -f the file's content decides)", name,
                     systems[i].format, systems[i].logs);
            return true;
        }
    return false;
}

bool settings_known(assay_family f, const char *name)
{
    const char *family = assay_family_name(f);
    int singular = (int)strlen(family) - 1;
    if (f == ASSAY_MODELS && strncmp(name, "weak:", 5) == 0)
        return true;                                                             /* axioms, which the check reads */
    const char *ends = f == ASSAY_ENGINES ? ":+" : f == ASSAY_MODELS ? "" : ":"; /* the first letter of a variant */
    struct suggestion s = {.typed = name};
    for (size_t i = 0; i < assay_family_size(f); i++) {
        assay_member member = assay_family_member(f, i);
        const char *known = member.name;
        size_t length = strlen(known);
        if (strncmp(known, name, length) == 0 && strchr(ends, name[length]))
            return true; /* a name's end counts as one of them */
        suggest_offer(&s, known);
        if (f == ASSAY_MODELS && is_title(member.title, name))
            return true;
        if (f == ASSAY_MODELS)
            suggest_offer(&s, member.title);
    }
    if (f == ASSAY_MODELS)
        offer_other_names(&s);
    if (f == ASSAY_FORMATS && is_system(name))
        return false;
    char remedy[64];
    snprintf(remedy, sizeof remedy, "`assay list %s` shows the %s", family, family);
    complain_unknown(&s, remedy, "unknown %.*s '%s'", singular, family, name);
    return false;
}

/* A fault with an empty history is a fault with every one: a name that is unknown or absent. `blamed`, the option with
 * the name, may be NULL. */
static bool probe(const char *model, const assay_options *options, const char *blamed)
{
    assay_history *nothing = assay_history_new();
    assay_error e = {0};
    if (!nothing)
        return true;
    assay_result_free(assay_check(nothing, model, options, &e));
    assay_history_free(nothing);
    if (e.code != ASSAY_ERROR_USAGE && e.code != ASSAY_ERROR_MISSING)
        return true;
    print_error(stderr, blamed, &e);
    return false;
}

static bool probe_visibility(const struct settings *s)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .object = s->object, .spec = s->spec, .visibility = s->visibility};
    if (s->visibility && !*s->visibility) {
        complain("--visibility: expected METHOD=LEVEL,... (as in contains=weak,put=complete)");
        return false;
    }
    return !s->visibility || probe(NULL, &options, "--visibility");
}

bool settings_init(const char *init)
{
    assay_history *nothing = init ? assay_history_new() : NULL;
    assay_error e = {0};
    bool fine = !nothing || assay_history_set(nothing, "init", init, &e);
    if (!fine)
        print_error(stderr, "--init", &e);
    if (nothing && assay_history_warning(nothing))
        complain("warning: --init: %s", assay_history_warning(nothing));
    assay_history_free(nothing);
    return fine;
}

bool settings_load_spec(const char *file, const assay_spec **out)
{
    assay_error e = {0};
    if (file && !(*out = spec_guard_load(file, &e)))
        print_error(stderr, NULL, &e);
    return !file || *out;
}

bool settings_load_theory(const char *file, const assay_spec **out, const char **engine)
{
    assay_error e = {0};
    if (!file)
        return true;
    if (!(*out = assay_theory_load(file, &e)))
        print_error(stderr, NULL, &e);
    if (!*engine)
        *engine = "symbolic";
    return *out;
}

/* Keywords of EDN, and anomalies, which logs name beside models. */
static bool other_words(const char *name)
{
    const char *ignored, *models = anomaly_models(name);
    if (models)
        complain("%s is an anomaly, not a model: `assay check -m %s` finds it", name, models);
    else if (*name == ':' && (assay_model_meant(name + 1, &ignored) || assay_model_implies(name + 1, name + 1)))
        complain("unknown model '%s' (did you mean %s?)", name, name + 1);
    else
        return false;
    return true;
}

const char *settings_meant(const char *name)
{
    const char *ignored, *meant = assay_model_meant(name, &ignored);
    return meant ? meant : name;
}

void print_json_model(FILE *to, char before, const char *name)
{
    print_json_text(to, before, "model", name);
    if (name && strcmp(name, settings_meant(name)) != 0)
        print_json_text(to, ',', "means", settings_meant(name));
}

bool settings_model(const char *name)
{
    const char *meaning, *meant = assay_model_meant(name, &meaning);
    if (!meant && (meant = assay_model_nearest(name, &meaning))) {
        complain("%s is not checked here; the nearest model is %s: %s", name, meant, meaning);
        return false;
    }
    if (!meant)
        return !other_words(name) && settings_known(ASSAY_MODELS, name);
    complain("%s is %s here%s%s", name, meant, meaning ? ": " : "", meaning ? meaning : "");
    return true;
}

bool settings_probe(struct settings *s, char *const *models, size_t n)
{
    if (!settings_load_spec(s->spec_file, &s->spec) || !settings_load_theory(s->theory_file, &s->spec, &s->engine))
        return false;
    spec_guard_limit(s->seconds, s->wall_seconds);
    assay_options options = settings_options(s);
    if ((s->format && !settings_known(ASSAY_FORMATS, s->format)) ||
        (s->engine && !settings_known(ASSAY_ENGINES, s->engine)) || !settings_init(s->init))
        return false;
    bool fine = true;
    options.visibility = NULL;
    if (s->object || s->engine)
        fine = probe(NULL, &options, NULL);
    if (!fine || !probe_visibility(s))
        return false;
    options.visibility = s->visibility;
    for (size_t i = 0; i < n; i++)
        fine &= settings_model(models[i]) && probe(models[i], &options, NULL);
    return fine;
}

static void tell_note(const struct settings *s, const struct paths_note *n)
{
    complain("warning: %s: %s", spoken(n->folder), n->text);
    if (!s->json)
        return;
    print_json_text(stdout, '{', "file", n->folder);
    print_json_text(stdout, ',', "warning", n->text);
    puts("}");
}

bool settings_paths(const char *command, const struct settings *s, const struct arguments *args, struct paths *out,
                    int *status)
{
    if (!args->n) {
        complain("%s: name a file, a directory or - for standard input (`assay %s --help`)", command, command);
        return false;
    }
    for (int i = 0; i < args->n; i++)
        if (!paths_add(out, args->at[i], s->format != NULL))
            *status = EXIT_FAULT;
    for (size_t i = 0; i < out->note_count; i++)
        tell_note(s, &out->notes[i]);
    return true;
}

/* An error of a history, not of a line: a history behind the first is named as reports do, FILE#N. */
static void print_of_history(FILE *to, const char *file, long long index, const assay_error *e)
{
    if (index <= 0 || e->line) {
        print_error(to, file, e);
        return;
    }
    char *name = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&name, &size);
    fprintf(f, "%s#%lld", spoken(file), index);
    memory_close(f, &name);
    print_error(to, name, e);
    free(name);
}

void emit_error(const struct reading *r, long long index, const char *model, const assay_error *e)
{
    if (e->code == ASSAY_ERROR_INTERRUPTED)
        return; /* said once, at the end */
    struct record *rec = record_new();
    rec->status = EXIT_FAULT;
    record_judged(rec, r->task, index, EXIT_FAULT);
    print_of_history(record_stream(rec, TO_ERRORS), r->task->file, index, e);
    if (r->settings->json)
        print_json_error(record_stream(rec, TO_OUTPUT), r->task->file, index, model, e);
    pages_describe_error(rec, spoken(r->task->file), index, model, e);
    junit_error(rec, r->task->file, index, model, e);
    task_emit(r->task, rec);
}

static void emit_warnings(const struct reading *r, const assay_reader *reader)
{
    if (!assay_reader_warning(reader, 0))
        return;
    struct record *rec = record_new();
    const char *warning;
    for (size_t i = 0; (warning = assay_reader_warning(reader, i)); i++) {
        FILE *to = record_stream(rec, TO_ERRORS);
        fputs("assay: warning: ", to);
        show(to, warning);
        fputc('\n', to);
    }
    task_emit(r->task, rec);
}

/* One history, owned here. */
static bool handle(struct reading *r, assay_history *h, uint32_t index)
{
    assay_error e = {0};
    bool go_on = true;
    if (r->settings->init && !assay_history_set(h, "init", r->settings->init, &e))
        emit_error(r, index, NULL, &e);
    else
        go_on = r->each(r, h, index);
    if (e.code || !r->keeps)
        assay_history_free(h);
    return go_on;
}

void settings_no_history(assay_error *e)
{
    e->code = ASSAY_ERROR_INPUT;
    snprintf(e->message, sizeof e->message, "there is no history here");
    snprintf(e->remedy, sizeof e->remedy, "one operation a line, as in `t0: write(x, 1)`");
}

void settings_read(struct reading *r)
{
    assay_error e = {0};
    assay_reader *reader = assay_reader_open_within(r->task->file, r->settings->format, r->settings->memory, &e);
    uint32_t index = 0;
    bool go_on = reader != NULL;
    while (go_on && !stopping()) {
        assay_history *h = selected_next(r->task->only, reader, &index, &e);
        if (h || e.code) /* else the reader may still have those of the last one */
            emit_warnings(r, reader);
        if (!h)
            break;
        go_on = handle(r, h, index++);
    }
    if (!e.code && !index && !stopping())
        settings_no_history(&e);
    if (e.code)
        emit_error(r, reader ? (long long)index : -1, NULL, &e);
    assay_reader_close(reader);
}
