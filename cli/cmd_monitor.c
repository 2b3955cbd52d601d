/* SPDX-License-Identifier: Apache-2.0 */
/* assay monitor: follows events as they arrive and reports the one at which an object stopped being linearizable, or
 * consistent with a weak model. Transactions are followed under ser and si.
 *
 * Lines are checked as soon as they are there: a read returns the bytes that have arrived, and nothing waits for a full
 * buffer. Reads are plain, so a writer that is faster than the checker waits in its pipe. */
#include "command.h"
#include "interrupt.h"
#include "monitor_checkpoint.h"
#include "monitor_command.h"
#include "monitor_journal.h"
#include "monitor_json.h"
#include "monitor_page.h"
#include "monitor_source.h"
#include "monitor_summary.h"
#include "outfile.h"
#include "output.h"
#include "progress.h"
#include "selected.h"
#include "settings.h"

#include "assay_monitor.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 256 * 1024, MOST_MALFORMED = 10, IDLE = 200 /* milliseconds */ };
enum { LAST_COMMANDS = 1000 }; /* milliseconds for which the end waits for commands */
enum { SETTLE = 1000 };        /* events after which calls from before an attachment have returned */

struct monitor_settings {
    const char *object, *model, *visibility, *engine, *init, *theory_file, *journal;
    const assay_spec *theory;
    unsigned window, sessions;
    int64_t late;
    size_t memory;
    double every;
    const char *checkpoint, *stats, *html, *command, *socket_mode, *socket_group;
    double write_every; /* checkpoint and statistics */
    uint64_t settle, abandon;
    bool all, lenient, json, fail_fast, attach, follow, writers, wall_clock, continues;
};

struct session {
    struct monitor_settings set;
    const char *file; /* as it was given */
    assay_monitor *monitor;
    struct source source;
    struct monitor_command command;
    struct monitor_page page;
    struct monitor_reported reported;
    bool at_end;        /* of the input: violations that it brings about are noted */
    double written;     /* when checkpoint and statistics were */
    bool unwritten;     /* there was a violation since */
    char last_time[64]; /* the time of the last violation, or "" */
    bool lost;          /* a checkpoint or statistics could not be written */
    struct progress ticker;
    bool ticking;
    bool idle;            /* nothing has arrived since the events so far were judged */
    double period, last;  /* of statistics, seconds; when they were shown last, */
    uint64_t last_events; /* and how many events there were */
    uint64_t malformed;
    struct monitor_journal journal;
};

/* ---- reports along the way ---- */

/* Lines of the stream before the first one of the file that is being read. */
static uint64_t lines_before(const struct session *s)
{
    return s->source.is_file ? s->source.file.at.lines : 0;
}

static void print_violation(const struct session *s, const assay_monitor_violation *v)
{
    const assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = spoken(s->file), .color = wants_color(),
                                          .width = terminal_width()};
    uint64_t before = lines_before(s);
    assay_monitor_violation_report(v, &options, stdout);
    if (before && v->line > before)
        printf("  lines count across rotated files: line %" PRIu64 " is line %" PRIu64 " of %s\n", v->line,
               v->line - before, spoken(s->file));
    else if (before)
        printf("  lines count across rotated files: line %" PRIu64 " is in one that was rotated\n", v->line);
}

static void run_command(struct session *s, const assay_monitor_violation *v)
{
    char event[24], line[24], *text = NULL;
    size_t n;
    if (!s->command.text)
        return;
    FILE *f = memory_stream(&text, &n);
    json_violation(f, s->file, lines_before(s), v);
    memory_close(f, &text);
    snprintf(event, sizeof event, "%" PRIu64, v->event);
    snprintf(line, sizeof line, "%" PRIu64, v->line);
    const struct command_variable variables[] = {
        {"ASSAY_FILE", s->file},     {"ASSAY_OBJECT", v->kind}, {"ASSAY_NAME", v->object}, {"ASSAY_MODEL", v->model},
        {"ASSAY_ENGINE", v->engine}, {"ASSAY_EVENT", event},    {"ASSAY_LINE", line},      {NULL, NULL}};
    monitor_command_run(&s->command, text, n, variables);
    free(text);
}

static void on_violation(void *context, const assay_monitor_violation *v)
{
    struct session *s = context;
    progress_hide(&s->ticker);
    monitor_journal_violation(&s->journal, v);
    if (s->set.checkpoint && monitor_reported_before(&s->reported, v, s->at_end))
        return;
    if (s->set.json)
        json_violation(stdout, s->file, lines_before(s), v);
    else
        print_violation(s, v);
    fflush(stdout);
    snprintf(s->last_time, sizeof s->last_time, "%s", v->time ? v->time : "");
    s->unwritten = true;
    s->lost |= !monitor_page_write(&s->page, spoken(s->file), v);
    run_command(s, v);
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
    monitor_journal_progress(&s->journal, s->monitor);
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

static bool take_state(struct session *s, struct checkpoint_state *out)
{
    const struct source *in = &s->source;
    return checkpoint_take(s->set.checkpoint, s->file, s->monitor, in->is_file ? &in->file : NULL, out);
}

static bool save(struct session *s)
{
    struct checkpoint_state state = {0};
    bool fine = take_state(s, &state) && checkpoint_write(s->set.checkpoint, &state, &s->reported);
    free(state.text);
    return fine;
}

/* Writes the checkpoint and the statistics. */
static void write_files(struct session *s, bool state)
{
    s->written = progress_now();
    s->unwritten = false;
    if (state && s->set.checkpoint)
        s->lost |= !save(s);
    if (s->set.stats)
        s->lost |= !statistics_write(s->set.stats, s->monitor, s->last_time);
}

static void write_if_due(struct session *s)
{
    monitor_command_reap(&s->command);
    if (s->unwritten || progress_now() - s->written >= s->set.write_every)
        write_files(s, true);
}

static void start_statistics(struct session *s)
{
    progress_start(&s->ticker, "events");
    s->ticking = s->ticker.on || s->set.every > 0;
    s->period = s->set.every > 0 ? s->set.every : 1;
    s->last = s->ticker.started;
}

/* ---- the summary ---- */

static void summarise(struct session *s, const assay_error *e, bool fault)
{
    progress_hide(&s->ticker);
    if (s->set.json) {
        json_summary(stdout, s->file, s->monitor, interrupted());
        return;
    }
    const struct monitor_summary all = {s->file, s->monitor, &s->command, s->set.settle, s->set.all};
    monitor_summary_print(&all, e->code == ASSAY_ERROR_INTERRUPTED ? NULL : assay_monitor_undecided(s->monitor), fault);
}

/* ---- reading ---- */

/* Nothing has arrived for a moment: events that are judged together need not wait for others. */
static void idle(struct session *s, assay_error *e)
{
    s->idle = true;
    assay_monitor_flush(s->monitor, e);
}

/* Is it over, because of a violation? */
static bool is_over(const struct session *s)
{
    return s->set.fail_fast && s->journal.violations;
}

/* So long may be waited for input, in milliseconds; -1: for ever. */
static long patience(const struct session *s)
{
    long ms = s->idle ? -1 : IDLE;
    if (s->idle && (s->ticking || s->set.journal))
        ms = (long)(s->period * 1000);
    if (s->set.stats || s->set.checkpoint || s->set.command)
        ms = ms < 0 || ms > 1000 ? 1000 : ms;
    return source_patience(&s->source, ms);
}

/* Waits until there is something to read, a signal came or statistics are due. A signal that comes between the test of
 * the flag and the wait must not be missed: it is let in by pselect only. */
static void wait_for_input(struct session *s, assay_error *e)
{
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, &before);
    bool ready = false;
    while (!stopping() && !ready) {
        ready = source_wait(&s->source, patience(s), &before);
        if (!ready && !s->idle)
            idle(s, e);
        show_statistics(s);
        write_if_due(s);
        if (e->code || is_over(s))
            break;
        ready |= source_polls(&s->source);
    }
    s->idle = false;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* A run that goes on later goes on before the end. Violations that the end brought about have been reported then. */
static void end(struct session *s, assay_error *e)
{
    struct checkpoint_state state = {0};
    bool saves = s->set.checkpoint, fine = saves && take_state(s, &state);
    s->at_end = true;
    assay_monitor_end(s->monitor, e);
    s->lost |= saves && !(fine && checkpoint_write(s->set.checkpoint, &state, &s->reported));
    free(state.text);
}

/* Until the end, a fault (in e), a signal, or with --fail-fast a violation. */
static void follow(struct session *s, assay_error *e)
{
    static char buffer[BUFFER];
    size_t n, room = s->set.checkpoint ? BUFFER / 2 : BUFFER; /* a signal waits until the bytes have been checked */
    enum source_read got = s->source.is_file ? SOURCE_BYTES : SOURCE_NOTHING_YET;
    for (;;) {
        if (got == SOURCE_NOTHING_YET || !s->source.is_file)
            wait_for_input(s, e);
        if (stopping() || e->code || is_over(s))
            return;
        got = source_read(&s->source, buffer, room, &n, e);
        if (got == SOURCE_END || got == SOURCE_FAULT)
            break;
        if (got == SOURCE_BYTES && s->source.is_file && s->source.file.begins)
            s->source.file.at.lines = assay_monitor_statistics(s->monitor).lines;
        if (got == SOURCE_GAP) {
            s->page.cut = true;
            if (!assay_monitor_gap(s->monitor, e))
                return;
        }
        monitor_page_feed(&s->page, buffer, n);
        if (n && !assay_monitor_feed(s->monitor, buffer, n, e))
            return;
        if (is_over(s))
            return;
        show_statistics(s);
        write_if_due(s);
    }
    if (!e->code)
        end(s, e);
}

static int conclude(struct session *s, const assay_error *e)
{
    bool violated = assay_monitor_statistics(s->monitor).violations;
    bool fault = e->code && e->code != ASSAY_ERROR_RESOURCE && e->code != ASSAY_ERROR_INTERRUPTED;
    if (fault) {
        progress_hide(&s->ticker);
        print_error(stderr, s->file, e);
        if (s->set.json)
            print_json_error(stdout, s->file, -1, NULL, e);
    }
    monitor_command_wait(&s->command, LAST_COMMANDS);
    summarise(s, e, fault);
    write_files(s, interrupted() && !e->code);
    if (!monitor_journal_end(&s->journal, s->monitor, fault) || fault || s->lost)
        return EXIT_FAULT;
    if (violated)
        return EXIT_VIOLATED;
    bool undecided = assay_monitor_verdict(s->monitor) == ASSAY_UNDECIDED;
    return e->code || interrupted() || undecided ? EXIT_OPEN : EXIT_FINE;
}

/* Options that need each other. False, with a message. */
static bool options_fit(const struct session *s)
{
    bool is_socket = strncmp(s->file, "unix:", 5) == 0;
    const char *wrong = s->set.all && s->set.fail_fast ? "--all goes on after a violation, --fail-fast does not"
                        : s->set.writers && !is_socket ? "--writers is for a socket, unix:PATH"
                        : s->set.follow && is_socket   ? "--follow is for a file, not for a socket"
                        : s->set.follow && strcmp(s->file, "-") == 0 ? "--follow is for a file; name it"
                        : (s->set.socket_mode || s->set.socket_group) && !s->set.writers
                            ? "--socket-mode and --socket-group are for a socket with --writers"
                            : NULL;
    if (wrong)
        complain("%s", wrong);
    return !wrong;
}

/* The events must not be lost to a page about them, nor one output to another. */
static bool outputs_apart(const struct session *s)
{
    const struct outfile_option outputs[] = {
        {"checkpoint", s->set.checkpoint}, {"stats", s->set.stats}, {"html", s->set.html}, {"journal", s->set.journal}};
    size_t n = sizeof outputs / sizeof *outputs;
    bool is_file = strncmp(s->file, "unix:", 5) != 0 && strcmp(s->file, "-") != 0;
    for (size_t i = 0; i < n && is_file; i++)
        if (outputs[i].name && outfile_same(s->file, outputs[i].name)) {
            complain("monitor: --%s %s would overwrite the events (name another file)", outputs[i].option,
                     outputs[i].name);
            return false;
        }
    return outfile_apart("monitor", outputs, n);
}

static assay_monitor *open_monitor(struct session *s, assay_error *e)
{
    /* A checkpoint needs a whole state: an event that is being checked is finished before a signal counts. */
    return assay_monitor_open(s->set.object,
                              &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT,
                                                       .engine = s->set.engine,
                                                       .init = s->set.init,
                                                       .model = s->set.model,
                                                       .visibility = s->set.visibility,
                                                       .window = s->set.window,
                                                       .sessions = s->set.sessions,
                                                       .late = s->set.late,
                                                       .file = spoken(s->file),
                                                       .memory = s->set.memory,
                                                       .all = s->set.all,
                                                       .lenient = s->set.lenient,
                                                       .on_violation = on_violation,
                                                       .on_malformed = on_malformed,
                                                       .on_warning = on_warning,
                                                       .context = s,
                                                       .interrupt = s->set.checkpoint ? NULL : stop_asked,
                                                       .spec = s->set.theory,
                                                       .clock = s->set.wall_clock,
                                                       .drain = !s->set.fail_fast,
                                                       .attach = s->set.attach,
                                                       .settle = s->set.settle,
                                                       .abandon = s->set.abandon,
                                                       .saves = s->set.checkpoint != NULL},
                              e);
}

/* A pipe or a socket has no position: what was sent while no monitor was there is lost. */
static bool go_on_unknown(struct session *s, assay_error *e)
{
    complain("warning: %s: events since the checkpoint may be lost, so what the objects hold is unknown, as with "
             "--attach (--continues says that none was sent)",
             spoken(s->file));
    return assay_monitor_gap(s->monitor, e);
}

/* Loads the checkpoint, if there is one, and opens the input. False with a message, or with the fault in e. */
static bool begin(struct session *s, assay_error *e)
{
    struct checkpoint from = {0};
    bool there = false;
    bool fine = !s->set.checkpoint || checkpoint_load(s->set.checkpoint, s->file, s->monitor, &from, &there);
    s->reported = from.reported;
    if (!fine)
        return false;
    s->journal.violations = assay_monitor_statistics(s->monitor).violations;
    s->written = progress_now();
    s->page.cut |= there; /* the lines before the checkpoint are not read again */
    s->page.first = assay_monitor_statistics(s->monitor).lines + 1;
    if (!source_open(&s->source, s->file,
                     &(struct source_options){.follow = s->set.follow,
                                              .writers = s->set.writers,
                                              .needs_position = s->set.checkpoint,
                                              .from = from.has_position ? &from.position : NULL,
                                              .mode = s->set.socket_mode,
                                              .group = s->set.socket_group},
                     e))
        return false;
    return !there || (s->source.is_file && from.has_position) || s->set.continues || go_on_unknown(s, e);
}

/* FILE#N is one history of a file; a monitor reads a stream, from its start to its end. */
static bool follows_all(const char *file)
{
    struct selected s = selected_of(file);
    if (s.index >= 0)
        complain("monitor: %s is read as a whole (`assay check -m lin %s` checks one history of it)", s.file, file);
    free(s.file);
    return s.index < 0;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct session s = {.set = {.settle = SETTLE, .write_every = 10}};
    struct arguments args;
    assay_error e = {0};
    if (!options_parse(self, argc, argv, &s.set, &args))
        return args.status;
    if ((s.set.model && !settings_model(s.set.model)) || !settings_init(s.set.init) ||
        !settings_load_theory(s.set.theory_file, &s.set.theory, &s.set.engine))
        return EXIT_FAULT;
    s.file = args.n ? args.at[0] : "-";
    if (!follows_all(s.file))
        return EXIT_FAULT;
    s.command.text = s.set.command;
    s.journal = (struct monitor_journal){
        .file = s.file, .object = s.set.object, .model = s.set.model ? s.set.model : "lin"};
    s.page = (struct monitor_page){
        .file = s.set.html, .object = s.set.object, .init = s.set.init, .first = 1, .cut = s.set.attach};
    if (!options_fit(&s) || !outputs_apart(&s))
        return EXIT_FAULT;
    s.monitor = open_monitor(&s, &e);
    if (s.monitor && !monitor_journal_begin(&s.journal, s.set.journal)) {
        assay_monitor_close(s.monitor);
        return EXIT_FAULT;
    }
    interrupt_sets_flag();
    int status = EXIT_FAULT;
    if (s.monitor && begin(&s, &e)) {
        start_statistics(&s);
        follow(&s, &e);
        status = conclude(&s, &e);
        fflush(stdout); /* freeing a large monitor takes its time */
    } else if (interrupted()) {
        status = EXIT_OPEN;
    } else if (e.code) {
        print_error(stderr, NULL, &e);
    }
    source_close(&s.source);
    monitor_reported_free(&s.reported);
    assay_monitor_close(s.monitor);
    monitor_page_free(&s.page);
    run_journal_close(&s.journal.lines); /* if it never began */
    return finish_output(status);
}

#define ROW(...) OPTION_ROW(monitor_settings, __VA_ARGS__)

static const struct option_row rows[] = {
    ROW('o', "object", "OBJECT", "the object that the events belong to", OPTION_TEXT, object, FAMILY(ASSAY_OBJECTS)),
    ROW('m', "model", "MODEL", "lin (the default), a weak model, ser, si, ser-strict or si-strict", OPTION_TEXT, model,
        FAMILY(ASSAY_MODELS)),
    ROW(0, "visibility", "METHOD=LEVEL,...", "what the calls of these methods see: docs/reference/weak.md", OPTION_TEXT,
        visibility, 0),
    ROW(0, "window", "N", "keep at most N operations (weak models: 4096) or transactions (65536)", OPTION_NUMBER,
        window, 0),
    ROW(0, "sessions", "N", "transactions: the stream has N sessions in all", OPTION_NUMBER, sessions, 0),
    ROW(0, "late", "T", "transactions, -strict: none begins more than T before the latest end so far", OPTION_TIME,
        late, 0),
    ROW('e', "engine", "MONITOR[+VARIANT]", "the monitor that follows the object (default: the best there is)",
        OPTION_TEXT, engine, FAMILY(ASSAY_MONITORS)),
    ROW(0, "theory", "FILE", "your own axioms for symbolic, enumerate or saturate: docs/guides/theories.md",
        OPTION_TEXT, theory_file, 0),
    ROW(0, "all", NULL, "keep checking an object after a violation, from a fresh state", OPTION_FLAG, all, 0),
    ROW(0, "fail-fast", NULL, "stop at the first violation, and read no further", OPTION_FLAG, fail_fast, 0),
    ROW(0, "attach", NULL, "the initial content is unknown: report only what no content explains", OPTION_FLAG, attach,
        0),
    ROW(0, "settle", "N", "--attach: calls from before have returned after N events (1000)", OPTION_SEED, settle, 0),
    ROW(0, "abandon", "N", "a call that is open for N events never returns: its client died", OPTION_SEED, abandon, 0),
    ROW(0, "follow", NULL, "wait for more at the end of the file, also when it is rotated", OPTION_FLAG, follow, 0),
    ROW(0, "checkpoint", "FILE", "save the state in FILE, and resume from it if it exists", OPTION_TEXT, checkpoint, 0),
    ROW(0, "continues", NULL, "--checkpoint, not a file: nothing was lost since; the input goes on", OPTION_FLAG,
        continues, 0),
    ROW(0, "stats", "FILE", "write statistics to FILE: JSON, or Prometheus text for FILE.prom", OPTION_TEXT, stats, 0),
    ROW(0, "write-every", "S", "seconds between checkpoints and between statistics (10)", OPTION_SECONDS, write_every,
        0),
    ROW(0, "on-violation", "COMMAND", "run by the shell at each violation, with its JSON on standard input",
        OPTION_TEXT, command, 0),
    ROW(0, "html", "FILE", "write a page about the first violation", OPTION_TEXT, html, 0),
    ROW(0, "wall-clock", NULL, "report when the event of a violation happened, or arrived", OPTION_FLAG, wall_clock, 0),
    ROW(0, "writers", NULL, "unix:PATH: make a datagram socket for any number of writers", OPTION_FLAG, writers, 0),
    ROW(0, "socket-mode", "MODE", "--writers: who may connect, in octal (0600)", OPTION_TEXT, socket_mode, 0),
    ROW(0, "socket-group", "GROUP", "--writers: the group of the socket", OPTION_TEXT, socket_group, 0),
    ROW(0, "lenient", NULL, "skip malformed lines, with a report; an id that calls again died in its call", OPTION_FLAG,
        lenient, 0),
    ROW(0, "memory", "MB", "give up beyond MB megabytes", OPTION_MEGABYTES, memory, 0),
    ROW(0, "init", "V", "initial values, as after `# @init`", OPTION_TEXT, init, 0),
    ROW(0, "every", "S", "statistics every S seconds; on a terminal: every second", OPTION_SECONDS, every, 0),
    ROW(0, "journal", "FILE.jsonl", "write the progress to FILE.jsonl, for `assay serve`", OPTION_TEXT, journal, 0),
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
        "docs/guides/monitoring.md.\n\n"
        "After a violation its object is no longer checked; the stream is read on for the other objects.\n"
        "`[7] return ?` says that client 7 died in its call; until then the events behind that call wait.\n"
        "docs/guides/monitoring.md explains --attach, --checkpoint and what else a monitor in production needs.\n\n"
        "exit status: 1 after a violation; 2 if a line is malformed, or the input cannot be read; 3 if the verdict is\n"
        "undecided, because the monitor gave up exactness (it says at which event), open calls leave it open, or it\n"
        "was interrupted or out of memory; 0 at the end of the input if there is no violation\n",
    .examples = "  ./server --log /dev/stdout | assay monitor -o queue\n"
                "  assay monitor --all --lenient /run/events.fifo\n"
                "  assay monitor -o stack unix:/run/events.socket\n"
                "  assay monitor -o queue --journal runs/queue.jsonl /run/events.fifo\n"
                "  assay monitor -o queue --all --attach --follow --checkpoint state /var/log/q\n"
                "  assay monitor -o queue --writers --on-violation ./alert unix:/run/events\n"
                "  ./client --log /dev/stdout | assay monitor -m ser --sessions 10\n",
    .most = 1,
    .options = rows,
    .run = run,
};
