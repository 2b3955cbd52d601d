/* SPDX-License-Identifier: Apache-2.0 */
/* assay stress: runs random clients of an implementation and checks their histories. */
#include "command.h"
#include "interrupt.h"
#include "outfile.h"
#include "output.h"
#include "progress.h"
#include "run_journal.h"
#include "settings.h"
#include "spec_guard.h"

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
#define CRASH_CLIENT "crash.client"
#define VIOLATION_CLIENT "violation.client"
#define VIOLATION_HISTORY "violation.hist"
#define VIOLATION_PART "violation-part.hist"
#define FOUND_CLIENT "violation-found.client" /* before it was shrunk */
#define FOUND_HISTORY "violation-found.hist"

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

static bool within(const char *option, unsigned value, unsigned most)
{
    if (value <= most)
        return true;
    complain("%s: at most %u", option, most);
    return false;
}

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
    return within("--threads", o->threads, STRESS_MOST_THREADS) &&
           within("--invocations", o->invocations, STRESS_MOST_CALLS) && choose_model(o, s) && load_spec(o, s);
}

/* ---- files ---- */

struct outside { /* the part of the program that runs see */
    const struct stress_options *options;
    const char *folder, *name;
    char client[256]; /* a file in the folder */
    struct progress progress;
    uint64_t runs;
    uint64_t program; /* whose histories are being written */
    struct outfile file;
    struct run_journal journal; /* of the folder */
};

static void journal_begin(struct run_journal *j, const struct stress_settings *s)
{
    FILE *line = run_journal_line(j);
    if (!line)
        return;
    fputs("{\"campaign\":1,\"command\":\"stress\"", line);
    print_json_text(line, ',', "object", s->adapter->name);
    print_json_text(line, ',', "model", s->model);
    print_json_number(line, "seed", s->seed, true);
    fputc('}', line);
    run_journal_write(j, line);
}

static void journal_progress(struct run_journal *j, uint64_t runs)
{
    FILE *line = run_journal_due(j) ? run_journal_line(j) : NULL;
    if (!line)
        return;
    fprintf(line, "{\"history\":1,\"running\":true,\"runs\":%llu,\"seconds\":%.3f,\"verdicts\":[]}",
            (unsigned long long)runs, run_journal_seconds(j));
    run_journal_write(j, line);
}

/* No violation is no proof: there is no verdict then. */
static void journal_end(struct run_journal *j, const struct stress_settings *s, const struct stress_outcome *o)
{
    FILE *line = run_journal_line(j);
    if (!line)
        return;
    fprintf(line,
            "{\"history\":1%s,\"running\":false,\"runs\":%llu,\"programs\":%llu,\"distinct\":%llu,\"violations\":%llu,"
            "\"crashes\":%llu,\"seconds\":%.3f,\"verdicts\":[",
            o->result ? ",\"file\":\"" VIOLATION_HISTORY "\"" : "", (unsigned long long)o->runs,
            (unsigned long long)o->programs, (unsigned long long)o->distinct, (unsigned long long)o->violations,
            (unsigned long long)o->casualties, run_journal_seconds(j));
    if (o->result) {
        print_json_text(line, '{', "model", s->model);
        fputs(",\"verdict\":\"violation\"", line);
        print_json_text(line, ',', "pattern", assay_result_pattern(o->result));
        fputc('}', line);
    }
    fputs("]}", line);
    run_journal_write(j, line);
}

/* A file per program. */
static bool keep_history(void *context, uint64_t program, const char *text, size_t length)
{
    struct outside *x = context;
    char name[64];
    if (x->file.stream && x->program != program && !outfile_close(&x->file, OUTFILE_WHOLE))
        return false;
    if (x->file.stream) {
        fputs("---\n", x->file.stream);
    } else {
        snprintf(name, sizeof name, "program-%llu.hist", (unsigned long long)program);
        if (!outfile_open_in(&x->file, x->folder, name))
            return false;
    }
    x->program = program;
    fwrite(text, 1, length, x->file.stream);
    outfile_record(&x->file);
    return !ferror(x->file.stream);
}

static const char *path_of(struct outside *x, const char *name)
{
    snprintf(x->client, sizeof x->client, "%s%s%s", x->folder ? x->folder : "", x->folder ? "/" : "", name);
    return x->client;
}

static bool open_beside(struct outside *x, struct outfile *file, const char *name)
{
    return outfile_open_in(file, x->folder ? x->folder : ".", name);
}

/* ---- while it runs ---- */

static void show_progress(void *context, uint64_t runs)
{
    struct outside *x = context;
    journal_progress(&x->journal, runs);
    progress_show(&x->progress, (size_t)runs, (size_t)x->runs, x->name);
}

/* ---- the outcome ---- */

static double rate(const struct stress_outcome *o)
{
    return o->seconds > 0 ? (double)o->runs / o->seconds : 0;
}

/* Of a campaign that found nothing: how much of a chance it had. */
static void print_doubts(const struct stress_settings *s, const struct stress_outcome *o)
{
    unsigned long long runs = o->runs - o->waits;
    if (o->violations || o->casualties || !o->runs)
        return;
    if (o->never && !s->replay)
        printf("  never called: %s\n", o->never);
    if (s->threads < 2)
        return;
    if (!o->overlapping && runs)
        puts("  calls of different threads never overlapped: no race had a chance to show");
    else if (runs)
        printf("  calls of different threads overlapped in %llu of %llu runs\n", (unsigned long long)o->overlapping,
               runs);
    if (!o->points)
        puts("  no ASSAY_POINT was reached: schedules differ only by chance");
}

static void print_initial(const struct stress_settings *s)
{
    const char *initial = s->initial ? s->initial : s->adapter->initial;
    if (initial)
        printf("  initial content: %s\n", initial);
}

static void print_counts(const struct stress_settings *s, const struct stress_outcome *o)
{
    printf("  %llu program%s of %u thread%s and %u call%s, %llu runs, %llu distinct histories, "
           "%llu violation%s",
           (unsigned long long)o->programs, o->programs == 1 ? "" : "s", s->threads, s->threads == 1 ? "" : "s",
           s->invocations, s->invocations == 1 ? "" : "s", (unsigned long long)o->runs, (unsigned long long)o->distinct,
           (unsigned long long)o->violations, o->violations == 1 ? "" : "s");
    if (o->undecided)
        printf(", %llu undecided", (unsigned long long)o->undecided);
    if (o->waits)
        printf(", %llu run%s ended in calls that wait", (unsigned long long)o->waits, o->waits == 1 ? "" : "s");
    if (o->casualties)
        printf(", %llu process%s ended early", (unsigned long long)o->casualties, o->casualties == 1 ? "" : "es");
    putchar('\n');
    if (o->left_out)
        printf("  left out: %s\n", o->left_out);
    if (o->calls_failed)
        printf("  %llu of %llu calls failed without an effect; no history has them\n",
               (unsigned long long)o->calls_failed, (unsigned long long)o->calls_made);
    print_doubts(s, o);
    if (o->left_threads)
        printf("  %u threads were left when all objects had been destroyed: does `destroy` join its threads?\n",
               o->left_threads);
    printf("  %.2f seconds, %.0f runs a second\n", o->seconds, rate(o));
}

/* A word for the shell. */
static void print_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, to);
    fputc('\'', to);
}

static void print_option(FILE *to, const char *option, const char *value)
{
    if (!value)
        return;
    fprintf(to, " %s ", option);
    print_word(to, value);
}

/* How the client program in the file of that name is run again. */
static void print_replay(FILE *to, struct outside *x, const char *name)
{
    fputs("assay stress ", to);
    print_word(to, x->name);
    print_option(to, "--load", x->options->load);
    print_option(to, "--spec", x->options->spec_file);
    print_option(to, "--init", x->options->initial);
    print_option(to, "--roles", x->options->roles);
    print_option(to, "--waits", x->options->waits);
    print_option(to, "--replay", path_of(x, name));
    fputc('\n', to);
}

static void print_casualty(const struct stress_settings *s, const struct stress_casualty *c, struct outside *x)
{
    printf("%s: %s: %s\n", s->adapter->name, c->broken ? "INVARIANT" : c->hung ? "HANG" : "CRASH", c->how);
    if (c->waits)
        printf(
            "  in every state that the other calls allow, those that did not return can only answer so; if they wait "
            "instead: --waits %s\n",
            c->waits);
    if (!c->program) {
        printf("  seed %llu; a sanitizer or a function of atexit made it so\n", (unsigned long long)s->seed);
        return;
    }
    print_initial(s);
    printf("  after %.2f seconds, in program %llu of seed %llu, run %llu:\n", c->after, (unsigned long long)c->program,
           (unsigned long long)s->seed, (unsigned long long)c->run);
    fputs(c->client, stdout);
    if (c->history && assay_history_size(c->history)) {
        printf("  the calls that ran (`?`: it did not return; `after`: what had returned before in other threads):\n");
        stress_show(c->history, stdout);
    } else {
        printf(c->history ? "  no call had begun\n" : "  the record of the calls is damaged\n");
    }
    fputs(c->where, stdout);
    if (c->waits)
        printf(
            "  the calls that did not return could only have answered as in `%s`, whatever the order of the others;\n"
            "  if they wait instead, say so: --waits %s\n",
            c->waits, c->waits);
    printf("  the client program is in %s; to run it again, also under gdb --args:\n    ", path_of(x, CRASH_CLIENT));
    print_replay(stdout, x, CRASH_CLIENT);
}

static void print_files(const struct stress_outcome *o, struct outside *x)
{
    printf("  the whole history of this program is in %s, ", path_of(x, VIOLATION_HISTORY));
    printf("the program in %s; to run it again:\n    ", path_of(x, VIOLATION_CLIENT));
    print_replay(stdout, x, VIOLATION_CLIENT);
    if (!o->found_whole)
        return;
    printf("  before shrinking it had %u calls: its whole history is in %s, ", o->found_calls,
           path_of(x, FOUND_HISTORY));
    printf("the program in %s\n", path_of(x, FOUND_CLIENT));
}

static void print_text(const struct stress_settings *s, const struct stress_outcome *o, struct outside *x)
{
    const char *name = s->adapter->name, *seen = s->check.visibility;
    if (o->casualties)
        print_casualty(s, &o->casualty, x);
    if (!o->result && o->casualties) {
        print_counts(s, o);
        return;
    }
    if (!o->result) {
        printf("%s: no violation of %s%s%s\n", name, s->model, seen ? ", but " : "", seen ? seen : "");
        print_counts(s, o);
        return;
    }
    const char *pattern = assay_result_pattern(o->result);
    printf("%s: ", name);
    put_painted(stdout, wants_color() ? "1;31" : NULL, "VIOLATION");
    printf(" of %s%s%s%s%s\n", s->model, seen ? ", but " : "", seen ? seen : "", pattern ? ": " : "",
           pattern ? pattern : "");
    print_initial(s);
    printf("  found after %.2f seconds, in program %llu; ", o->found_after, (unsigned long long)o->found_in);
    if (s->replay || !(s->shrink > 0))
        printf("the program of %u call%s:\n", o->calls, o->calls == 1 ? "" : "s");
    else
        printf("shrunk in %.2f seconds to a program of %u call%s:\n", o->shrunk_in, o->calls, o->calls == 1 ? "" : "s");
    fputs(o->program, stdout);
    printf("  what it did (`after`: what had returned before in other threads):\n");
    stress_show(o->whole, stdout);
    if (assay_history_size(o->history) < assay_history_size(o->whole)) {
        printf("  the smallest part found that still violates %s:\n", s->model);
        stress_show(o->history, stdout);
    }
    if (o->one_thread)
        puts("  one thread is enough: look at the adapter or the specification first");
    if (!s->replay)
        print_files(o, x);
    print_counts(s, o);
}

static char *history_text(const assay_history *h)
{
    char *text;
    size_t size;
    FILE *f = memory_stream(&text, &size);
    put_history(h, f);
    memory_close(f, &text);
    return text;
}

static void print_casualty_object(const struct stress_casualty *c, struct outside *x)
{
    char *text = c->history ? history_text(c->history) : NULL;
    printf(",\"crash\":{\"hang\":%s,\"invariant\":%s,\"seconds\":%.3f,\"run\":%llu", c->hung ? "true" : "false",
           c->broken ? "true" : "false", c->after, (unsigned long long)c->run);
    print_json_text(stdout, ',', "how", c->how);
    if (c->waits)
        print_json_text(stdout, ',', "waits", c->waits);
    if (c->program) {
        print_json_number(stdout, "program", c->program, true);
        print_json_text(stdout, ',', "client", c->client);
        print_json_text(stdout, ',', "history", text);
        print_json_text(stdout, ',', "file", path_of(x, CRASH_CLIENT));
    }
    putchar('}');
    free(text);
}

static void print_object(const struct stress_settings *s, const struct stress_outcome *o, struct outside *x)
{
    print_json_text(stdout, '{', "implementation", s->adapter->name);
    print_json_text(stdout, ',', "object", s->adapter->object);
    print_json_model(stdout, ',', x->options->model ? x->options->model : s->model);
    const char *const texts[][2] = {{"visibility", s->check.visibility},
                                    {"initial", s->initial ? s->initial : s->adapter->initial},
                                    {"never_called", o->never}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        print_json_text(stdout, ',', texts[i][0], texts[i][1]);
    printf(",\"threads\":%u,\"invocations\":%u,\"seed\":%llu,\"programs\":%llu,\"runs\":%llu,\"distinct\":%llu,"
           "\"violations\":%llu,\"undecided\":%llu,\"failed_calls\":%llu,\"waits\":%llu,\"points\":%llu,"
           "\"overlapping\":%llu,\"crashes\":%"
           "llu,\"seconds\":%.3f,"
           "\"rate\":%.0f",
           s->threads, s->invocations, (unsigned long long)s->seed, (unsigned long long)o->programs,
           (unsigned long long)o->runs, (unsigned long long)o->distinct, (unsigned long long)o->violations,
           (unsigned long long)o->undecided, (unsigned long long)o->calls_failed, (unsigned long long)o->waits,
           (unsigned long long)o->points, (unsigned long long)o->overlapping, (unsigned long long)o->casualties,
           o->seconds, rate(o));
    if (o->left_out)
        print_json_text(stdout, ',', "left_out", o->left_out);
    if (o->casualties)
        print_casualty_object(&o->casualty, x);
    if (o->result) {
        char *text = history_text(o->history);
        printf(",\"found\":{\"seconds\":%.3f,\"program\":%llu,\"calls\":%u", o->found_after,
               (unsigned long long)o->found_in, o->calls);
        print_json_text(stdout, ',', "reason", assay_result_pattern(o->result));
        print_json_text(stdout, ',', "client", o->program);
        print_json_text(stdout, ',', "history", text);
        if (!s->replay) {
            print_json_text(stdout, ',', "whole", path_of(x, VIOLATION_HISTORY));
            print_json_text(stdout, ',', "file", path_of(x, VIOLATION_CLIENT));
        }
        if (!s->replay && o->found_whole) {
            print_json_text(stdout, ',', "found_whole", path_of(x, FOUND_HISTORY));
            print_json_text(stdout, ',', "found_file", path_of(x, FOUND_CLIENT));
        }
        putchar('}');
        free(text);
    }
    puts("}");
}

/* A client program, with the command that runs it again: in the folder of the histories, or here. */
static bool write_client(struct outside *x, const char *name, const char *how, const char *client)
{
    struct outfile file = {0};
    if (!client)
        return true;
    if (!open_beside(x, &file, name))
        return false;
    fprintf(file.stream, "# a client program of assay stress: %s\n# ", how);
    print_replay(file.stream, x, name);
    fputs(client, file.stream);
    return outfile_close(&file, OUTFILE_WHOLE);
}

/* Its histories are in the file of its number. */
static bool keep_program(void *context, uint64_t program, const char *client)
{
    char name[64];
    snprintf(name, sizeof name, "program-%llu.client", (unsigned long long)program);
    return write_client(context, name, "it has shown a violation", client);
}

static bool write_history(struct outside *x, const char *name, const assay_history *h)
{
    struct outfile file = {0};
    return open_beside(x, &file, name) && outfile_history(&file, h);
}

static bool write_first(const struct stress_outcome *o, struct outside *x)
{
    return !o->found_whole || (write_client(x, FOUND_CLIENT, "a violation, as it was found", o->found_file) &&
                               write_history(x, FOUND_HISTORY, o->found_whole));
}

/* The smallest program found, its whole history, and the part that is enough; those that were found first. */
static bool write_violation(const struct stress_outcome *o, struct outside *x)
{
    const char *pattern = assay_result_pattern(o->result);
    bool part = assay_history_size(o->history) < assay_history_size(o->whole);
    return write_client(x, VIOLATION_CLIENT, pattern ? pattern : "a violation", o->file) && write_first(o, x) &&
           write_history(x, VIOLATION_HISTORY, o->whole) && (!part || write_history(x, VIOLATION_PART, o->history));
}

static int status_of(const struct stress_outcome *o)
{
    return o->violations || o->casualties ? EXIT_VIOLATED : o->interrupted ? EXIT_OPEN : EXIT_FINE;
}

static int stress(const struct stress_options *o, struct stress_settings *s)
{
    struct outside x = {.options = o, .folder = o->out, .name = s->adapter->name, .runs = s->runs};
    struct stress_outcome out;
    assay_error e = {0};
    if (!outfile_folder(o->out) || !run_journal_open(&x.journal, o->out, o->out ? "journal.jsonl" : NULL))
        return EXIT_FAULT;
    journal_begin(&x.journal, s);
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
    bool full = x.file.stream && ferror(x.file.stream); /* closing says so */
    fine &= outfile_close(&x.file, full || (fine && !out.interrupted) ? OUTFILE_WHOLE : OUTFILE_CUT);
    fine = fine && write_client(&x, CRASH_CLIENT, out.casualty.how, out.casualty.file);
    fine = fine && (!out.result || s->replay || write_violation(&out, &x));
    if (fine)
        (o->json ? print_object : print_text)(s, &out, &x);
    else if (e.code != ASSAY_OK)
        print_error(stderr, NULL, &e);
    if (fine)
        journal_end(&x.journal, s, &out);
    fine &= run_journal_close(&x.journal);
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

#define ROW(letter, name, value, help, type, field, family)                                                            \
    {                                                                                                                  \
        letter, name, value, help, type, offsetof(struct stress_options, field), family                                \
    }

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
