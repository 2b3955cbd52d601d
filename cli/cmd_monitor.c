/* SPDX-License-Identifier: Apache-2.0 */
/* assay monitor: follows events as they arrive and reports the one at which an object stopped being linearizable, or
 * consistent with a weak model. Transactions are followed under ser and si.
 *
 * Lines are checked as soon as they are there: a read returns the bytes that have arrived, and nothing waits for a full
 * buffer. Reads are plain, so a writer that is faster than the checker waits in its pipe. */
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "run_journal.h"
#include "settings.h"

#include "assay_monitor.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024, MOST_MALFORMED = 10, IDLE = 200 /* milliseconds */ };

struct monitor_settings {
    const char *object, *model, *visibility, *engine, *init, *theory_file, *journal;
    const assay_spec *theory;
    unsigned window, sessions;
    int64_t late;
    size_t memory;
    double every;
    bool all, lenient, json;
};

struct session {
    struct monitor_settings set;
    const char *file; /* as it was given */
    assay_monitor *monitor;
    struct progress ticker;
    bool ticking;
    bool idle;            /* nothing has arrived since the events so far were judged */
    double period, last;  /* of statistics, seconds; when they were shown last, */
    uint64_t last_events; /* and how many events there were */
    uint64_t malformed;
    struct run_journal journal;
    uint64_t journalled; /* events of its last line */
    uint64_t violations; /* so far, and the first of them, for the journal: */
    struct {
        char object[64], model[64], anomaly[64];
        uint64_t event;
    } first;
};

/* ---- the journal ---- */

static bool journal_begin(struct session *s)
{
    if (!run_journal_open(&s->journal, NULL, s->set.journal))
        return false;
    FILE *line = run_journal_line(&s->journal);
    if (!line)
        return true;
    fputs("{\"campaign\":1,\"command\":\"monitor\"", line);
    print_json_text(line, ',', "file", s->file);
    print_json_text(line, ',', "object", s->set.object);
    print_json_text(line, ',', "model", s->set.model ? s->set.model : "lin");
    fputc('}', line);
    run_journal_write(&s->journal, line);
    return true;
}

/* A verdict of NULL: none yet. */
static void journal_state(struct session *s, uint64_t events, const char *verdict)
{
    FILE *line = run_journal_line(&s->journal);
    if (!line)
        return;
    fprintf(line, "{\"history\":1,\"running\":%s", verdict ? "false" : "true");
    print_json_number(line, "events", events, true);
    print_json_number(line, "violations", s->violations, true);
    fprintf(line, ",\"seconds\":%.3f,\"verdicts\":[", run_journal_seconds(&s->journal));
    if (s->violations) {
        print_json_text(line, '{', "model", s->first.model);
        fputs(",\"verdict\":\"violation\"", line);
        if (s->first.anomaly[0])
            print_json_text(line, ',', "pattern", s->first.anomaly);
        print_json_text(line, ',', "object", s->first.object);
        print_json_number(line, "event", s->first.event, true);
        fputc('}', line);
    } else if (verdict) {
        print_json_text(line, '{', "model", s->set.model ? s->set.model : "lin");
        print_json_text(line, ',', "verdict", verdict);
        fputc('}', line);
    }
    fputs("]}", line);
    run_journal_write(&s->journal, line);
    s->journalled = events;
}

static void journal_violation(struct session *s, const assay_monitor_violation *v)
{
    if (s->violations++ == 0) {
        snprintf(s->first.object, sizeof s->first.object, "%s", v->kind);
        snprintf(s->first.model, sizeof s->first.model, "%s", v->model);
        snprintf(s->first.anomaly, sizeof s->first.anomaly, "%s", v->anomaly ? v->anomaly : "");
        s->first.event = v->event;
        journal_state(s, v->noticed, NULL);
    }
}

static void journal_progress(struct session *s)
{
    uint64_t events = run_journal_due(&s->journal) ? assay_monitor_statistics(s->monitor).events : s->journalled;
    if (events != s->journalled)
        journal_state(s, events, NULL);
}

/* ---- reports along the way ---- */

static void json_violation(const struct session *s, const assay_monitor_violation *v)
{
    fputs("{\"type\":\"violation\"", stdout);
    print_json_text(stdout, ',', "file", s->file);
    print_json_number(stdout, "index", v->index, true);
    print_json_number(stdout, "event", v->event, true);
    print_json_number(stdout, "line", v->line, v->line);
    print_json_text(stdout, ',', "id", v->id);
    print_json_number(stdout, "noticed", v->noticed, true);
    print_json_text(stdout, ',', "name", v->object);
    print_json_text(stdout, ',', "object", v->kind);
    print_json_text(stdout, ',', "model", v->model);
    print_json_text(stdout, ',', "engine", v->engine);
    if (v->anomaly)
        print_json_text(stdout, ',', "anomaly", v->anomaly);
    fputs(",\"operations\":[", stdout);
    for (size_t i = 0; i < v->operation_count; i++) {
        const assay_monitor_operation *o = &v->operations[i];
        fputs(i ? "," : "", stdout);
        print_json_text(stdout, '{', "operation", o->text);
        print_json_text(stdout, ',', "id", o->id);
        print_json_number(stdout, "called", o->called, true);
        print_json_number(stdout, "returned", o->returned, o->returned);
        print_json_number(stdout, "call_line", o->call_line, o->call_line);
        print_json_number(stdout, "return_line", o->return_line, o->return_line);
        putchar('}');
    }
    fputs("],\"why\":[", stdout);
    for (size_t i = 0; i < v->why_count; i++) {
        if (i)
            putchar(',');
        print_json(stdout, v->why[i]);
    }
    puts("]}");
}

/* With the word that matters in the colour of `assay check`. */
static void print_in_color(const assay_monitor_violation *v, const char *file)
{
    static const char word[] = "VIOLATION";
    char *text = NULL;
    size_t size;
    FILE *f = memory_stream(&text, &size);
    assay_monitor_violation_print(v, NULL, f);
    memory_close(f, &text);
    show(stdout, file);
    printf(v->index ? "#%llu: " : ": ", (unsigned long long)v->index);
    bool first = strncmp(text, word, sizeof word - 1) == 0;
    printf(first ? "\033[1;31m%s\033[0m%s" : "%s%s", first ? word : "", text + (first ? sizeof word - 1 : 0));
    free(text);
}

static void on_violation(void *context, const assay_monitor_violation *v)
{
    struct session *s = context;
    progress_hide(&s->ticker);
    journal_violation(s, v);
    if (s->set.json)
        json_violation(s, v);
    else if (wants_color())
        print_in_color(v, spoken(s->file));
    else
        assay_monitor_violation_print(v, spoken(s->file), stdout);
    fflush(stdout);
}

/* The first few in full; how many there were is in the summary. */
static void on_malformed(void *context, const assay_error *e)
{
    struct session *s = context;
    if (++s->malformed > MOST_MALFORMED + 1)
        return;
    progress_hide(&s->ticker);
    if (s->malformed > MOST_MALFORMED)
        complain("further malformed lines are skipped without a word");
    else
        print_error(stderr, s->file, e);
}

static void on_warning(void *context, const char *text)
{
    struct session *s = context;
    progress_hide(&s->ticker);
    complain("warning: %s", text);
}

/* ---- statistics ---- */

static void show_statistics(struct session *s)
{
    double now = progress_now();
    journal_progress(s);
    if (!s->ticking || now - s->last < s->period)
        return;
    assay_monitor_stats stats = assay_monitor_statistics(s->monitor);
    bool line = s->ticker.on; /* on a terminal the line is written over and over */
    fprintf(stderr, "%s%" PRIu64 " events, %" PRIu64 " live operations, %.1f MB, %.0f events/s%s",
            line ? "\r\033[K" : "assay: ", stats.events, stats.live, (double)stats.bytes / 1e6,
            (double)(stats.events - s->last_events) / (now - s->last), line ? "" : "\n");
    fflush(stderr);
    s->ticker.visible = line;
    s->last = now;
    s->last_events = stats.events;
}

static void start_statistics(struct session *s)
{
    progress_start(&s->ticker, "events");
    s->ticking = s->ticker.on || s->set.every > 0;
    s->period = s->set.every > 0 ? s->set.every : 1;
    s->last = s->ticker.started;
}

/* ---- the summary ---- */

static const char *guarantee(const assay_monitor_use *use)
{
    if (!use->exact)
        return "sound only: what it reports is a violation, but it may miss some";
    if (use->deferred)
        return "exact: every violation is reported, when its window is checked";
    return use->prompt ? "exact: every violation is reported, at the event that makes it certain"
                       : "exact: every violation is reported, once the operations that overlap it have returned";
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void text_summary(struct session *s, const assay_monitor_stats *stats, const char *reason, bool fault)
{
    printf("%s: ", spoken(s->file));
    if (stats->violations)
        printf("%" PRIu64 " violation%s", stats->violations, plural(stats->violations));
    else
        fputs("no violation", stdout);
    printf(" in %" PRIu64 " event%s", stats->events, plural(stats->events));
    fputs(interrupted() ? " so far (interrupted)\n" : fault ? " before the fault\n" : "\n", stdout);
    assay_monitor_use use;
    for (size_t i = 0; (use = assay_monitor_used(s->monitor, i)).kind; i++) {
        printf("  %s: %s, %s", use.kind, use.engine, guarantee(&use));
        if (use.weakened) {
            fputs(" (", stdout);
            show(stdout, use.weakened);
            if (use.objects > 1)
                printf("; %" PRIu64 " of %" PRIu64 " objects", use.weak, use.objects);
            putchar(')');
        }
        putchar('\n');
    }
    if (!stats->violations && reason && !fault)
        fputs("  undecided: ", stdout), show(stdout, reason), putchar('\n');
    if (stats->kept)
        printf("  %" PRIu64 " transaction%s forgotten, at most %" PRIu64 " kept after a check\n", stats->forgotten,
               plural(stats->forgotten), stats->kept);
    if (stats->malformed)
        printf("  %" PRIu64 " malformed line%s skipped\n", stats->malformed, plural(stats->malformed));
    if (stats->left_out)
        printf("  %" PRIu64 " operation%s left out: what was before cannot be known\n", stats->left_out,
               plural(stats->left_out));
}

static void json_summary(struct session *s, const assay_monitor_stats *stats, assay_verdict verdict, const char *reason)
{
    fputs("{\"type\":\"summary\"", stdout);
    print_json_text(stdout, ',', "file", s->file);
    print_json_text(stdout, ',', "verdict", assay_verdict_name(verdict));
    print_json_text(stdout, ',', "reason", reason);
    printf(",\"interrupted\":%s", interrupted() ? "true" : "false");
    const struct {
        const char *name;
        uint64_t number;
    } numbers[] = {{"events", stats->events},       {"lines", stats->lines},
                   {"histories", stats->histories}, {"violations", stats->violations},
                   {"malformed", stats->malformed}, {"left_out", stats->left_out},
                   {"undecided", stats->undecided}, {"open", stats->open},
                   {"live", stats->live},           {"bytes", stats->peak}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        print_json_number(stdout, numbers[i].name, numbers[i].number, true);
    if (stats->kept) {
        print_json_number(stdout, "forgotten", stats->forgotten, true);
        print_json_number(stdout, "kept", stats->kept, true);
    }
    fputs(",\"monitors\":[", stdout);
    assay_monitor_use use;
    for (size_t i = 0; (use = assay_monitor_used(s->monitor, i)).kind; i++) {
        fputs(i ? "," : "", stdout);
        print_json_text(stdout, '{', "object", use.kind);
        print_json_text(stdout, ',', "engine", use.engine);
        printf(",\"exact\":%s,\"prompt\":%s", use.exact ? "true" : "false", use.prompt ? "true" : "false");
        print_json_text(stdout, ',', "weakened", use.weakened);
        print_json_number(stdout, "objects", use.objects, true);
        print_json_number(stdout, "weak", use.weak, true);
        putchar('}');
    }
    puts("]}");
}

static void summarise(struct session *s, const assay_error *e, bool fault)
{
    assay_monitor_stats stats = assay_monitor_statistics(s->monitor);
    assay_verdict verdict = assay_monitor_verdict(s->monitor);
    const char *reason = assay_monitor_undecided(s->monitor);
    progress_hide(&s->ticker);
    if (s->set.json)
        json_summary(s, &stats, verdict, reason);
    else
        text_summary(s, &stats, e->code == ASSAY_ERROR_INTERRUPTED ? NULL : reason, fault);
}

/* ---- reading ---- */

/* Nothing has arrived for a moment: events that are judged together need not wait for others. */
static void idle(struct session *s, assay_error *e)
{
    s->idle = true;
    assay_monitor_flush(s->monitor, e);
}

/* Waits until there is something to read, a signal came or statistics are due. A signal that comes between the test of
 * the flag and the wait must not be missed: it is let in by pselect only. */
static void wait_for_input(struct session *s, const assay_stream *in, assay_error *e)
{
    int fd = assay_stream_descriptor(in);
    if (fd < 0)
        return;
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, &before);
    int ready = 0;
    while (!stopping() && ready == 0) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(fd, &set);
        long ms = s->idle ? (long)(s->period * 1000) : IDLE;
        struct timespec period = {ms / 1000, ms % 1000 * 1000000};
        bool timed = s->ticking || s->set.journal || !s->idle;
        ready = pselect(fd + 1, &set, NULL, NULL, timed ? &period : NULL, &before);
        if (ready == 0 && !s->idle)
            idle(s, e);
        show_statistics(s);
        if (e->code || (!s->set.all && assay_monitor_first(s->monitor)))
            break;
    }
    s->idle = false;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Until the end, a violation, a fault (in e) or a signal. */
static void follow(struct session *s, assay_stream *in, assay_error *e)
{
    static char buffer[BUFFER];
    size_t n;
    for (;;) {
        wait_for_input(s, in, e);
        if (stopping() || e->code || (!s->set.all && assay_monitor_first(s->monitor)))
            return;
        if (!assay_stream_read(in, buffer, sizeof buffer, &n, e))
            break;
        if (!assay_monitor_feed(s->monitor, buffer, n, e))
            return;
        if (!s->set.all && assay_monitor_first(s->monitor))
            return;
        show_statistics(s);
    }
    if (!e->code)
        assay_monitor_end(s->monitor, e);
}

/* After a fault there is no verdict. */
static bool journal_end(struct session *s, bool fault)
{
    const char *verdict = fault ? "error" : assay_verdict_name(assay_monitor_verdict(s->monitor));
    journal_state(s, assay_monitor_statistics(s->monitor).events, verdict);
    return run_journal_close(&s->journal);
}

static int conclude(struct session *s, const assay_error *e)
{
    bool violated = assay_monitor_first(s->monitor);
    bool fault = e->code && e->code != ASSAY_ERROR_RESOURCE && e->code != ASSAY_ERROR_INTERRUPTED;
    if (fault) {
        progress_hide(&s->ticker);
        print_error(stderr, s->file, e);
        if (s->set.json)
            print_json_error(stdout, s->file, -1, NULL, e);
    }
    summarise(s, e, fault);
    if (!journal_end(s, fault) || fault)
        return EXIT_FAULT;
    if (violated)
        return EXIT_VIOLATED;
    return e->code || interrupted() ? EXIT_OPEN : EXIT_FINE;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct session s = {0};
    struct arguments args;
    assay_error e = {0};
    if (!options_parse(self, argc, argv, &s.set, &args))
        return args.status;
    if (!settings_init(s.set.init) || !settings_load_theory(s.set.theory_file, &s.set.theory, &s.set.engine))
        return EXIT_FAULT;
    s.file = args.n ? args.at[0] : "-";
    s.monitor = assay_monitor_open(
        s.set.object,
        &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT, .engine = s.set.engine, .init = s.set.init,
                                 .model = s.set.model, .visibility = s.set.visibility, .window = s.set.window,
                                 .sessions = s.set.sessions, .late = s.set.late, .file = spoken(s.file),
                                 .memory = s.set.memory, .all = s.set.all, .lenient = s.set.lenient,
                                 .on_violation = on_violation, .on_malformed = on_malformed, .on_warning = on_warning,
                                 .context = &s, .interrupt = stop_asked, .spec = s.set.theory},
        &e);
    if (s.monitor && !journal_begin(&s)) {
        assay_monitor_close(s.monitor);
        return EXIT_FAULT;
    }
    interrupt_sets_flag();
    assay_stream *in = s.monitor ? assay_stream_open(s.file, &e) : NULL;
    int status = EXIT_FAULT;
    if (in) {
        start_statistics(&s);
        follow(&s, in, &e);
        status = conclude(&s, &e);
        fflush(stdout); /* freeing a large monitor takes its time */
    } else if (interrupted()) {
        status = EXIT_OPEN;
    } else {
        print_error(stderr, NULL, &e);
    }
    assay_stream_close(in);
    assay_monitor_close(s.monitor);
    run_journal_close(&s.journal); /* if it never began */
    return finish_output(status);
}

#define ROW(letter, name, value, help, type, field, family)                                                            \
    {                                                                                                                  \
        letter, name, value, help, type, offsetof(struct monitor_settings, field), family                              \
    }

static const struct option_row rows[] = {
    ROW('o', "object", "OBJECT", "the object that the events belong to", OPTION_TEXT, object, FAMILY(ASSAY_OBJECTS)),
    ROW('m', "model", "MODEL", "lin (the default), a weak model, ser, si, ser-strict or si-strict", OPTION_TEXT, model,
        FAMILY(ASSAY_MODELS)),
    ROW(0, "visibility", "METHOD=LEVEL,...", "what the calls of these methods see: docs/weak.md", OPTION_TEXT,
        visibility, 0),
    ROW(0, "window", "N", "keep at most N operations (weak models: 4096) or transactions (65536)", OPTION_NUMBER,
        window, 0),
    ROW(0, "sessions", "N", "transactions: there will be N sessions in all", OPTION_NUMBER, sessions, 0),
    ROW(0, "late", "T", "transactions, -strict: none begins more than T before the last end so far", OPTION_TIME, late,
        0),
    ROW('e', "engine", "MONITOR[+VARIANT]", "what follows it; default: the best there is", OPTION_TEXT, engine,
        FAMILY(ASSAY_MONITORS)),
    ROW(0, "theory", "FILE", "axioms of your own for symbolic, enumerate or saturate: docs/theories.md", OPTION_TEXT,
        theory_file, 0),
    ROW(0, "all", NULL, "go on after a violation, from a fresh state", OPTION_FLAG, all, 0),
    ROW(0, "lenient", NULL, "report and skip malformed lines", OPTION_FLAG, lenient, 0),
    ROW(0, "memory", "MB", "give up beyond MB megabytes", OPTION_MEGABYTES, memory, 0),
    ROW(0, "init", "V", "initial values, as after `# @init`", OPTION_TEXT, init, 0),
    ROW(0, "every", "S", "statistics every S seconds; on a terminal: every second", OPTION_SECONDS, every, 0),
    ROW(0, "journal", "FILE.jsonl", "write there how far it is, for `assay serve`", OPTION_TEXT, journal, 0),
    ROW(0, "json", NULL, "one JSON object per line", OPTION_FLAG, json, 0),
    {0},
};

const struct command command_monitor = {
    .name = "monitor",
    .summary = "Follow events as they arrive and report the first violation at its event.",
    .usage = "[options] [FILE|-|unix:PATH]",
    .notes =
        "Events are lines of .hist (`[1] call enq(5)`, `[1] return`) or of JSON Lines, in the order of time. A FIFO is "
        "read\n"
        "until its last writer closes it. unix:PATH connects to a socket, or makes it and waits for one writer.\n"
        "With -m ser, si or -strict they are lines of transactions, `alice: txn(r x 1, w y 2) @ 10..18`: "
        "docs/monitor.md.\n\n"
        "exit status: 1 at a violation; 0 at the end of the input without one; 2 if a line is malformed, or the\n"
        "input cannot be read; 3 if interrupted or out of memory\n",
    .examples = "  ./server --log /dev/stdout | assay monitor -o queue\n"
                "  assay monitor --all --lenient /run/events.fifo\n"
                "  assay monitor -o stack unix:/run/events.socket\n"
                "  assay monitor -o queue --journal runs/queue.jsonl /run/events.fifo\n"
                "  ./client --log /dev/stdout | assay monitor -m ser --sessions 10\n",
    .most = 1,
    .options = rows,
    .run = run,
};
