/* SPDX-License-Identifier: Apache-2.0 */
/* assay recheck: does each line of an evidence file prove its verdict on its history?
 *
 * One history is held at a time. Evidence comes in the order of the histories, as `assay check`
 * writes it; for a line that goes back the file is read again from its start. */
#include "batch.h"
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "settings.h"
#include "spec_guard.h"

#include "assay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct recheck_settings {
    const char *format, *object, *init, *spec_file;
    double seconds, wall_seconds;
    size_t memory;
    bool json;
};

struct evidence {
    FILE *from;
    const char *name;
    char *text;                /* the line, without its end, closed by a NUL */
    size_t length, room, most; /* most: bytes of a line; 0: as many as there is memory for */
    size_t line;
};

struct recheck {
    struct recheck_settings set;
    assay_options options;
    struct paths files;
    const char *history_file; /* the one of them that is open */
    const char *evidence_file;
    assay_reader *reader;
    assay_history *h; /* the one read last */
    uint32_t read;    /* how many were read: h is number read - 1 */
    size_t left_out;  /* records about histories that FILE#N did not choose */
    int status;
};

enum found { FOUND, NOT_THERE, UNREADABLE };

/* ---- the evidence file ---- */

static bool unreadable(const struct evidence *e, size_t column, const char *why)
{
    if (column)
        complain("%s:%zu:%zu: %s", spoken(e->name), e->line, column, why);
    else
        complain("%s:%zu: %s", spoken(e->name), e->line, why);
    return false;
}

static bool add_byte(struct evidence *e, char byte)
{
    if (e->most && e->length >= e->most)
        return unreadable(e, 0, "the line is longer than --memory allows");
    if (e->length + 1 >= e->room) {
        size_t room = e->room ? 2 * e->room : 4096;
        char *text = realloc(e->text, room);
        if (!text)
            return unreadable(e, 0, "out of memory");
        e->text = text;
        e->room = room;
    }
    e->text[e->length++] = byte;
    e->text[e->length] = '\0';
    return true;
}

enum got { GOT_LINE, GOT_END, GOT_FAULT };

/* The next line. A NUL is a fault, since it would hide text from a reader of texts. So is everything that keeps the
 * rest from being read: an unread record must not count as accepted. */
static enum got next_line(struct evidence *e)
{
    int byte;
    e->length = 0;
    e->line++;
    while ((byte = getc(e->from)) != EOF && byte != '\n')
        if (!add_byte(e, (char)byte))
            return GOT_FAULT;
    if (ferror(e->from)) {
        unreadable(e, 0, strerror(errno));
        return GOT_FAULT;
    }
    if (byte == EOF && !e->length)
        return GOT_END;
    if (!add_byte(e, '\n'))
        return GOT_FAULT;
    e->text[--e->length] = '\0';
    size_t whole = strlen(e->text);
    if (whole == e->length)
        return GOT_LINE;
    unreadable(e, whole + 1, "expected text, found a byte of value 0");
    return GOT_FAULT;
}

static bool blank(const struct evidence *e)
{
    return e->text[strspn(e->text, " \t\r")] == '\0';
}

/* ---- the history file ---- */

static bool begin(struct recheck *c, assay_error *e)
{
    assay_history_free(c->h);
    assay_reader_close(c->reader);
    c->h = NULL;
    c->read = 0;
    c->reader = assay_reader_open_within(c->history_file, c->set.format, c->set.memory, e);
    return c->reader != NULL;
}

static enum found seek(struct recheck *c, const char *file, uint32_t index, assay_error *e)
{
    if (!c->history_file || strcmp(c->history_file, file) != 0) {
        c->history_file = file;
        assay_reader_close(c->reader);
        c->reader = NULL;
    }
    if (c->reader && c->read > index + 1 && strcmp(c->history_file, "-") == 0) {
        e->code = ASSAY_ERROR_INPUT;
        snprintf(e->message, sizeof e->message, "the evidence goes back to history %u", (unsigned)index);
        snprintf(e->remedy, sizeof e->remedy, "standard input is read once: name a file");
        return UNREADABLE;
    }
    if ((!c->reader || c->read > index + 1) && !begin(c, e))
        return UNREADABLE;
    while (c->read < index + 1) {
        assay_history *next = assay_reader_next(c->reader, e);
        if (!next)
            return e->code ? UNREADABLE : NOT_THERE;
        assay_history_free(c->h);
        c->h = next;
        c->read++;
        const char *warning;
        for (size_t i = 0; assay_history_unended(next) && (warning = assay_reader_warning(c->reader, i)); i++)
            complain("warning: %s", warning);
        if (c->set.init && !assay_history_set(next, "init", c->set.init, e))
            return UNREADABLE;
    }
    return FOUND;
}

/* ---- a record ---- */

enum outcome { ACCEPTED, REFUSED, UNDECIDED /* within the budget */, NOT_JUDGED /* beyond a limit of recheck */ };

struct judged {
    size_t line;
    assay_claim claim;
    bool known;       /* is the claim? */
    const char *file; /* of the history, if the record names it; else NULL */
    bool searched;    /* the verdict was not checked step by step but searched for again */
};

/* Fields that the record does not have are null. */
static void print_json_claim(const struct judged *r)
{
    const assay_claim *claim = &r->claim;
    char skew[32];
    snprintf(skew, sizeof skew, "%lld", (long long)claim->skew);
    print_json_text(stdout, ',', "model", r->known ? claim->model : NULL);
    print_json_text(stdout, ',', "verdict", r->known ? assay_verdict_name(claim->verdict) : NULL);
    print_json_text(stdout, ',', "object", claim->object[0] ? claim->object : NULL);
    print_json_text(stdout, ',', "skew", claim->skew ? skew : NULL);
    print_json_text(stdout, ',', "visibility", claim->visibility[0] ? claim->visibility : NULL);
    print_json_text(stdout, ',', "inferred_from", claim->inferred_from[0] ? claim->inferred_from : NULL);
}

/* As check words its verdict, then the settings that the record carries. */
static void print_claim(const assay_claim *claim)
{
    const char *separator = " (";
    fputs(claim->verdict == ASSAY_VIOLATION ? "VIOLATION of " : "consistent with ", stdout);
    show(stdout, claim->model);
    if (claim->object[0]) {
        fputs(separator, stdout);
        show(stdout, claim->object);
        separator = ", ";
    }
    if (claim->skew) {
        printf("%sskew %lld", separator, (long long)claim->skew);
        separator = ", ";
    }
    if (claim->visibility[0]) {
        printf("%svisibility ", separator);
        show(stdout, claim->visibility);
        separator = ", ";
    }
    if (claim->inferred_from[0]) {
        printf("%sinferred from ", separator);
        show(stdout, claim->inferred_from);
        separator = ", ";
    }
    if (separator[0] == ',')
        putchar(')');
}

/* why: unless it is accepted. */
static void say(struct recheck *c, const struct judged *r, enum outcome outcome, const char *why)
{
    static const char *const json[] = {"true", "false", "null", "null"};
    static const char *const names[] = {"accepted", "refused", "undecided", "not judged"};
    static const char *const words[] = {"accepted: ", "REFUSED: ", "UNDECIDED: ", "NOT JUDGED: "};
    if (c->set.json) {
        print_json_text(stdout, '{', "file", c->evidence_file);
        printf(",\"line\":%zu", r->line);
        print_json_text(stdout, ',', "history", r->file);
        printf(",\"index\":%u", (unsigned)r->claim.index);
        print_json_claim(r);
        print_json_text(stdout, ',', "outcome", names[outcome]);
        printf(",\"accepted\":%s,\"searched\":%s", json[outcome], r->searched ? "true" : "false");
        print_json_text(stdout, ',', "reason", why);
        puts("}");
    } else {
        printf("%s:%zu: %s", spoken(c->evidence_file), r->line, words[outcome]);
        if (r->file)
            fputs(spoken(r->file), stdout);
        if (r->file && r->claim.index)
            printf("#%u", (unsigned)r->claim.index);
        if (r->file)
            fputs(": ", stdout);
        if (outcome == ACCEPTED)
            print_claim(&r->claim);
        if (outcome == ACCEPTED && r->searched)
            why = "; searched again, no explanation was found";
        show(stdout, why ? why : "");
        putchar('\n');
    }
    fflush(stdout); /* a signal may end the program at any time */
    c->status = weightier(c->status, outcome == ACCEPTED ? EXIT_FINE : outcome == REFUSED ? EXIT_VIOLATED : EXIT_OPEN);
}

static void explain(struct recheck *c, const struct judged *r, enum outcome outcome, const assay_error *e)
{
    char why[sizeof e->message + sizeof e->remedy + 4];
    snprintf(why, sizeof why, "%s%s%s%s", e->message, e->remedy[0] ? " (" : "", e->remedy, e->remedy[0] ? ")" : "");
    say(c, r, outcome, why);
}

static void fault(struct recheck *c, assay_error *e, const char *file, size_t line)
{
    if (line && !e->line) {
        e->line = line;
        e->file[0] = '\0';
    }
    print_error(stderr, file, e);
    if (c->set.json)
        print_json_error(stdout, file, -1, NULL, e);
    c->status = EXIT_FAULT;
}

/* False: the one history file cannot be read, so there is no use in going on. */
static bool check_line(struct recheck *c, const char *text, size_t line)
{
    assay_error e = {0};
    struct judged r = {.line = line};
    r.known = assay_evidence_claim(text, &c->options, &r.claim, &e);
    if (!r.known) { /* the error knows the column, not the line */
        if (e.code == ASSAY_ERROR_BUDGET)
            explain(c, &r, UNDECIDED, &e);
        else
            fault(c, &e, c->evidence_file, line);
        return true;
    }
    size_t at;
    switch (batch_find(&c->files, &r.claim, &at, &e)) {
    case BATCH_FAULT: fault(c, &e, c->evidence_file, line); return true;
    case BATCH_LEFT_OUT: c->left_out++; return true;
    case BATCH_FOUND: break;
    }
    r.file = r.claim.file[0] ? c->files.at[at] : NULL;
    switch (seek(c, c->files.at[at], r.claim.index, &e)) {
    case UNREADABLE: fault(c, &e, c->history_file, 0); return c->files.n > 1;
    case NOT_THERE: say(c, &r, REFUSED, "the file has no history with this index"); return true;
    case FOUND: break;
    }
    if (assay_recheck_with(c->h, text, &c->options, NULL, &r.searched, &e))
        say(c, &r, ACCEPTED, NULL);
    else if (e.code == ASSAY_ERROR_REFUSED)
        explain(c, &r, REFUSED, &e);
    else if (e.code == ASSAY_ERROR_BUDGET)
        explain(c, &r, UNDECIDED, &e);
    else if (e.code == ASSAY_ERROR_LIMIT)
        explain(c, &r, NOT_JUDGED, &e);
    else
        fault(c, &e, c->evidence_file, line);
    return true;
}

static void check_lines(struct recheck *c, FILE *from)
{
    struct evidence e = {.from = from, .name = c->evidence_file, .most = c->set.memory};
    size_t records = 0;
    bool go_on = true;
    enum got got = GOT_LINE;
    while (go_on && (got = next_line(&e)) == GOT_LINE)
        if (!blank(&e)) {
            records++;
            go_on = check_line(c, e.text, e.line) && !ferror(stdout);
        }
    if (got == GOT_FAULT)
        c->status = EXIT_FAULT;
    if (c->left_out)
        complain("%s: left out: %zu record%s of histories that are not chosen", spoken(c->evidence_file), c->left_out,
                 plural(c->left_out));
    if (got == GOT_END && records && records == c->left_out) {
        complain("%s: there is no evidence of the histories that are chosen", spoken(c->evidence_file));
        c->status = EXIT_FAULT;
    }
    if (got == GOT_END && !records) {
        complain("%s: there is no evidence in this file (`assay check --evidence FILE` writes it)",
                 spoken(c->evidence_file));
        c->status = EXIT_FAULT;
    }
    free(e.text);
}

/* Is the first line of the file a record of evidence? */
static bool is_evidence(const char *name, const assay_options *options)
{
    FILE *from = strcmp(name, "-") == 0 ? NULL : fopen(name, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t n = from ? getline(&line, &room, from) : -1;
    assay_claim claim;
    assay_error e = {0};
    bool is = n > 0 && strncmp(line, "{\"evidence\":", 12) == 0 && assay_evidence_claim(line, options, &claim, &e);
    free(line);
    if (from)
        fclose(from);
    return is;
}

/* The evidence comes last. */
static bool swapped(const struct recheck *c, const struct arguments *args)
{
    if (args->n != 1 || !is_evidence(args->at[0], &c->options) || is_evidence(c->evidence_file, &c->options))
        return false;
    complain("recheck: %s has the evidence: the history comes first (`assay recheck %s %s`)", spoken(args->at[0]),
             spoken(c->evidence_file), spoken(args->at[0]));
    return true;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct recheck c = {.options = {ASSAY_OPTIONS_INIT}, .status = EXIT_FINE};
    struct arguments args;
    if (!options_parse(self, argc, argv, &c.set, &args))
        return args.status;
    c.evidence_file = args.at[--args.n];
    bool standard = strcmp(c.evidence_file, "-") == 0;
    for (int i = 0; i < args.n; i++)
        if (standard && strcmp(args.at[i], "-") == 0) {
            complain("recheck: standard input can be the history or the evidence, not both");
            return EXIT_FAULT;
        }
    if ((c.set.format && !settings_known(ASSAY_FORMATS, c.set.format)) || !settings_init(c.set.init) ||
        !settings_load_spec(c.set.spec_file, &c.options.spec))
        return EXIT_FAULT;
    if (swapped(&c, &args))
        return EXIT_FAULT;
    FILE *evidence = standard ? stdin : fopen(c.evidence_file, "r");
    if (!evidence) {
        complain("%s: cannot open: %s", c.evidence_file, strerror(errno));
        return EXIT_FAULT;
    }
    c.options.object = c.set.object;
    c.options.seconds = c.set.seconds;
    c.options.wall_seconds = c.set.wall_seconds;
    c.options.memory = c.set.memory;
    spec_guard_limit(c.options.seconds, c.options.wall_seconds);
    for (int i = 0; i < args.n; i++)
        if (!paths_add(&c.files, args.at[i], c.set.format != NULL))
            c.status = EXIT_FAULT;
    interrupt_ends();
    if (c.files.n)
        check_lines(&c, evidence);
    if (!standard)
        fclose(evidence);
    assay_history_free(c.h);
    assay_reader_close(c.reader);
    paths_free(&c.files);
    return finish_output(c.status);
}

static const struct option_row rows[] = {
    {'f', "format", "FORMAT", "the history's format (default: by name and content)", OPTION_TEXT,
     offsetof(struct recheck_settings, format), FAMILY(ASSAY_FORMATS)},
    {'o', "object", "OBJECT", "the object, if the check was given one", OPTION_TEXT,
     offsetof(struct recheck_settings, object), FAMILY(ASSAY_OBJECTS)},
    {0, "init", "V", "initial values, if the check was given them: 'x=1 y=2'", OPTION_TEXT,
     offsetof(struct recheck_settings, init), 0},
    {0, "spec", "FILE.so", "an object of your own, if the check was given one", OPTION_TEXT,
     offsetof(struct recheck_settings, spec_file), 0},
    {0, "time", "S", "give up a record after S seconds of CPU time", OPTION_SECONDS,
     offsetof(struct recheck_settings, seconds), 0},
    {0, "wall", "S", "the same by the wall clock", OPTION_SECONDS, offsetof(struct recheck_settings, wall_seconds), 0},
    {0, "memory", "MB", "give up a record beyond MB megabytes", OPTION_MEGABYTES,
     offsetof(struct recheck_settings, memory), 0},
    {0, "json", NULL, "one JSON object per line", OPTION_FLAG, offsetof(struct recheck_settings, json), 0},
    {0},
};

const struct command command_recheck = {
    .name = "recheck",
    .summary = "Validate the proofs in an evidence file against the history, without any engine.",
    .usage = "[options] FILE|DIR|-... EVIDENCE",
    .notes =
        "A record of `assay check` with several files names the file that it is about. FILE#N is one history of a\n"
        "file: the records of its others are left out.\n\n"
        "A record may ask for a search that takes long: for evidence that you do not trust, give --time and "
        "--memory.\n\n"
        "exit status: 2 if anything could not be read; else 1 if anything is refused; else 3 if anything is not\n"
        "judged, since it is beyond a limit of recheck (docs/reference/evidence.md) or of --time, --wall and --memory, "
        "or\n"
        "if interrupted; else 0: everything is accepted\n",
    .examples = "  assay check -m cc,ccv,cm --evidence proofs.jsonl run.hist\n"
                "  assay recheck run.hist proofs.jsonl\n"
                "  assay check -m sc --evidence proofs.jsonl histories/\n"
                "  assay recheck histories/ proofs.jsonl\n",
    .least = 2,
    .most = COMMAND_ANY,
    .expects = "name a history file and an evidence file",
    .options = rows,
    .run = run,
};
