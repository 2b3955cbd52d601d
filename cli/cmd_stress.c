/* SPDX-License-Identifier: Apache-2.0 */
/* assay stress: runs random clients of an implementation and checks their histories. */
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "settings.h"
#include "spec_guard.h"
#include "stress_files.h"
#include "stress_report.h"

#include "assay.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stress_options {
    const char *model, *visibility, *load, *spec_file, *mix, *waits, *initial, *roles, *before, *after, *out, *replay;
    uint64_t seed;
    unsigned threads, invocations, values, runs, repeats;
    double seconds, time, hang, shrink;
    bool pin, keep_going, promised, json, no_shrink;
};

static const double default_seconds = 5;
static const unsigned default_threads = 3;

/* ---- the implementation ---- */

static const assay_adapter *named(const assay_adapter *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

static void offer_all(struct suggestion *s, const assay_adapter *const *list)
{
    for (; *list; list++)
        suggest_offer(s, (*list)->name);
}

static void complain_names(const char *file, const assay_adapter *const *loaded)
{
    for (; *loaded; loaded++)
        complain("stress: %s has %s", file, (*loaded)->name);
}

static const assay_adapter *find_adapter(const char *file, const char *name)
{
    static const assay_adapter *const none[] = {NULL};
    assay_error e = {0};
    bool can = !file || adapter_can_load(file, &e);
    const assay_adapter *const *loaded = !can ? NULL : file ? adapter_load(file, &e) : none, *found;
    if (!loaded) {
        print_error(stderr, NULL, &e);
        return NULL;
    }
    if (!name && *loaded && !loaded[1])
        return *loaded;
    if (!name) {
        complain("stress: say which implementation (`assay list implementations` shows those of this build)");
        complain_names(file, loaded);
        return NULL;
    }
    if ((found = named(loaded, name)) || (found = adapter_find(name)))
        return found;
    if (file) {
        complain("stress: unknown implementation '%s'", name);
        complain_names(file, loaded);
        return NULL;
    }
    struct suggestion s = {.typed = name};
    offer_all(&s, adapter_table);
    complain_unknown(&s, "`assay list implementations` shows them", "stress: unknown implementation '%s'", name);
    return NULL;
}

/* ---- settings ---- */

/* Histories of several models at once would be a matter for `assay check`. */
static bool choose_model(const struct stress_options *o, struct stress_settings *s)
{
    const assay_adapter *a = s->adapter;
    if (o->promised && (o->model || o->visibility)) {
        complain("--promised: -m or --visibility says something else");
        return false;
    }
    s->check.visibility = o->promised ? a->visibility : o->visibility;
    s->model = o->promised ? a->satisfies : o->model;
    if (!s->model)
        s->model = s->check.visibility ? "level:complete" : "lin";
    if (!settings_model(s->model))
        return false;
    s->model = settings_meant(s->model);
    return true;
}

static bool load_spec(const struct stress_options *o, struct stress_settings *s)
{
    spec_guard_limit(o->time, 0);
    spec_guard_until(s->seconds);
    return settings_load_spec(o->spec_file, &s->check.spec);
}

static bool read_settings(const struct stress_options *o, struct stress_settings *s)
{
    if (s->adapter->missing) {
        complain("%s: %s", s->adapter->name, s->adapter->missing);
        return false;
    }
    s->seed = o->seed;
    s->threads = o->threads ? o->threads : stress_threads(s->adapter, o->roles, default_threads);
    s->invocations = o->invocations;
    s->values = o->values;
    s->mix = o->mix;
    s->waits = o->waits;
    s->initial = o->initial;
    s->roles = o->roles;
    s->before = o->before;
    s->after = o->after;
    s->runs = o->runs;
    s->seconds = o->seconds > 0 ? o->seconds : o->runs ? 0 : default_seconds;
    s->repeats = o->repeats;
    s->pin = o->pin;
    s->keep_going = o->keep_going;
    s->hang = o->hang;
    s->shrink = o->no_shrink ? 0 : o->shrink;
    s->check.seconds = o->time;
    s->check.interrupt = stop_asked;
    return option_within("threads", o->threads, STRESS_MOST_THREADS) &&
           option_within("invocations", o->invocations, STRESS_MOST_CALLS) && choose_model(o, s) && load_spec(o, s);
}

/* ---- while it runs ---- */

struct outside { /* the part of the program that runs see */
    struct stress_files files;
    struct progress progress;
    uint64_t runs;
};

static bool keep_history(void *context, uint64_t program, const char *text, size_t length)
{
    struct outside *x = context;
    return stress_files_history(&x->files, program, text, length);
}

static bool keep_program(void *context, uint64_t program, const char *client)
{
    struct outside *x = context;
    return stress_files_program(&x->files, program, client);
}

static void show_progress(void *context, uint64_t runs)
{
    struct outside *x = context;
    stress_journal_progress(&x->files.journal, runs);
    progress_show(&x->progress, (size_t)runs, (size_t)x->runs, x->files.name);
}

static int status_of(const struct stress_outcome *o)
{
    return o->violations || o->casualties ? EXIT_VIOLATED : o->interrupted ? EXIT_OPEN : EXIT_FINE;
}

static int stress(const struct stress_options *o, struct stress_settings *s)
{
    struct outside x = {.files = {.folder = o->out,
                                  .name = s->adapter->name,
                                  .load = o->load,
                                  .spec = o->spec_file,
                                  .initial = o->initial,
                                  .roles = o->roles,
                                  .waits = o->waits},
                        .runs = s->runs};
    struct stress_files *files = &x.files;
    struct stress_outcome out;
    assay_error e = {0};
    if (!outfile_folder(o->out) || !run_journal_open(&files->journal, o->out, o->out ? "journal.jsonl" : NULL))
        return EXIT_FAULT;
    stress_journal_begin(&files->journal, s);
    s->keep = o->out ? keep_history : NULL;
    s->keep_program = o->out ? keep_program : NULL;
    s->progress = show_progress;
    s->context = &x;
    progress_start(&x.progress, "runs");
    if (s->replay)
        interrupt_sets_flag_for_a_while();
    else
        interrupt_sets_flag();
    bool fine = stress_run(s, &out, &e);
    progress_hide(&x.progress);
    bool full = files->file.stream && ferror(files->file.stream); /* closing says so */
    fine &= outfile_close(&files->file, full || (fine && !out.interrupted) ? OUTFILE_WHOLE : OUTFILE_CUT);
    fine = fine && stress_files_client(files, CRASH_CLIENT, out.casualty.how, out.casualty.file);
    fine = fine && (!out.result || s->replay || stress_files_violation(files, &out));
    if (fine && o->json)
        stress_object(s, &out, files, o->model);
    else if (fine)
        stress_text(s, &out, files);
    else if (e.code != ASSAY_OK)
        print_error(stderr, NULL, &e);
    if (fine)
        stress_journal_end(&files->journal, s, &out);
    fine &= run_journal_close(&files->journal);
    int status = fine ? status_of(&out) : EXIT_FAULT;
    stress_free(&out);
    return finish_output(status);
}

/* ---- the command ---- */

/* The program of the file takes the place of random ones. */
static bool read_replay(const struct stress_options *o, struct stress_settings *s, const struct stress_replay *replay)
{
    if (!o->replay)
        return true;
    if (o->mix || o->values || o->out || o->before || o->after) {
        complain("--replay: the program is given; --mix, --values, --before, --after and --out are for random ones");
        return false;
    }
    s->replay = replay;
    if (!s->initial && s->adapter->initial)
        s->initial = replay->initial;
    s->threads = replay->threads;
    s->invocations = replay->calls;
    return true;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct stress_options o = {.seed = 1, .invocations = 9, .repeats = 200, .time = 60, .hang = 30, .shrink = 30};
    struct stress_settings s = {.check = {ASSAY_OPTIONS_INIT}};
    struct stress_replay replay = {0};
    struct arguments args;
    assay_error e = {0};
    if (!options_parse(self, argc, argv, &o, &args))
        return args.status;
    int status = EXIT_FAULT;
    if (o.replay && !stress_replay_read(o.replay, &replay, &e)) {
        print_error(stderr, NULL, &e);
    } else {
        const char *name = args.n ? args.at[0] : o.load ? NULL : replay.implementation;
        s.adapter = find_adapter(o.load, name);
        if (!s.adapter && o.replay && !o.load)
            complain("stress: --replay needs the implementation of the program: --load FILE.so names one of your own");
        if (s.adapter && read_settings(&o, &s) && read_replay(&o, &s, &replay))
            status = stress(&o, &s);
    }
    stress_replay_free(&replay);
    return status;
}

static const char *const *implementations(void)
{
    static const char *names[128];
    for (size_t i = 0; adapter_table[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = adapter_table[i]->name;
    return names;
}

#define ROW(...) OPTION_ROW(stress_options, __VA_ARGS__)

static const struct option_row rows[] = {
    ROW(0, "load", "FILE.so", "an implementation of your own: docs/guides/stress.md", OPTION_TEXT, load, 0),
    ROW(0, "threads", "K", "threads of a client program (default: 3, or as many as have a role)", OPTION_NUMBER,
        threads, 0),
    ROW(0, "invocations", "N", "calls of all threads together (default: 9)", OPTION_NUMBER, invocations, 0),
    ROW(0, "values", "V", "arguments are 1 .. V (default: 3 for keys, else each a new one)", OPTION_NUMBER, values, 0),
    ROW(0, "mix", "METHOD=W,...", "which methods are called, and how often (default: the implementation's)",
        OPTION_TEXT, mix, 0),
    ROW(0, "roles", "METHOD=THREADS,...", "which threads call a method, as in deq=0 or enq=1-3 (default: all)",
        OPTION_TEXT, roles, 0),
    ROW(0, "before", "CALLS", "calls before the threads begin, one after the other: 3, or enq=2,deq=1", OPTION_TEXT,
        before, 0),
    ROW(0, "after", "CALLS", "calls after all threads are done, one after the other: 3, or deq=4", OPTION_TEXT, after,
        0),
    ROW(0, "init", "VALUES", "the initial content, as after @init; for implementations that have one", OPTION_TEXT,
        initial, 0),
    ROW(0, "waits", "METHOD=ANSWER,...", "a method that waits instead of answering so, as in deq=empty", OPTION_TEXT,
        waits, 0),
    ROW(0, "seed", "S", "the seed: the same one gives the same programs (default: 1)", OPTION_SEED, seed, 0),
    ROW(0, "seconds", "S", "end after S seconds (default: 5; no limit if --runs is given)", OPTION_SECONDS, seconds, 0),
    ROW(0, "runs", "R", "end after R runs", OPTION_NUMBER, runs, 0),
    ROW(0, "repeats", "R", "runs of a program before the next; at most 5 of them end in calls that wait (default: 200)",
        OPTION_NUMBER, repeats, 0),
    ROW(0, "pin", NULL, "keep each thread on a core of its own, as far as there are cores", OPTION_FLAG, pin, 0),
    ROW('m', "model", "MODEL", "the model (default: lin)", OPTION_TEXT, model, FAMILY(ASSAY_MODELS)),
    ROW(0, "visibility", "METHOD=LEVEL,...", "what the calls of these methods see: docs/reference/weak.md", OPTION_TEXT,
        visibility, 0),
    ROW(0, "promised", NULL, "check what the implementation promises", OPTION_FLAG, promised, 0),
    ROW(0, "spec", "FILE.so", "your own object: docs/guides/own-objects.md", OPTION_TEXT, spec_file, 0),
    ROW(0, "time", "S", "give up a check after S seconds of CPU time (default: 60)", OPTION_SECONDS, time, 0),
    ROW(0, "keep-going", NULL, "count further violations after the first", OPTION_FLAG, keep_going, 0),
    ROW(0, "hang", "S", "a call hangs if it does not return within S seconds of CPU time of its own (default: 30)",
        OPTION_SECONDS, hang, 0),
    ROW(0, "shrink", "S", "look for a smaller program and history for S seconds (default: 30)", OPTION_SECONDS, shrink,
        0),
    ROW(0, "no-shrink", NULL, "show the violation as it was found", OPTION_FLAG, no_shrink, 0),
    ROW(0, "replay", "FILE", "run the client program in FILE in this process, for a debugger", OPTION_TEXT, replay, 0),
    ROW(0, "out", "DIR", "write the distinct histories there, a file per program, the violation, and a journal",
        OPTION_TEXT, out, 0),
    ROW(0, "json", NULL, "one JSON object", OPTION_FLAG, json, 0),
    {0},
};

const struct command command_stress = {
    .name = "stress",
    .summary = "Run random clients of an implementation, and check what they see.",
    .usage = "OBJECT:IMPLEMENTATION [options]",
    .notes =
        "`assay list implementations` shows the implementations. The exit status is 1 if a violation was\n"
        "found, or the implementation crashed or hung. Its calls are shown then, and the client program is written\n"
        "to violation.client or crash.client for --replay. violation.hist is the whole history of that program;\n"
        "violation-found.hist and violation-found.client are those that were found before it was shrunk.\n",
    .examples = "  assay stress queue:michael-scott --seconds 10\n"
                "  assay stress stack:treiber-aba --threads 2 --invocations 8\n"
                "  assay stress --load ./adapter.so --out runs\n"
                "  gdb --args assay stress --load ./adapter.so --replay crash.client\n",
    .most = 1,
    .options = rows,
    .words = implementations,
    .run = run,
};
