/* SPDX-License-Identifier: Apache-2.0 */
/* assay recheck: does each line of an evidence file prove what it says of its history?
 *
 * One history is held at a time. Evidence comes in the order of the histories, as `assay check`
 * writes it; for a line that goes back the file is read again from its start. */
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "settings.h"

#include "assay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct recheck_settings {
    const char *format, *init, *spec_file;
    bool json;
};

struct recheck {
    struct recheck_settings set;
    assay_options options;
    const char *history_file, *evidence_file;
    assay_reader *reader;
    assay_history *h; /* the one read last */
    uint32_t read;    /* how many were read: h is number read - 1 */
    int status;
};

enum found { FOUND, NOT_THERE, UNREADABLE };

static bool begin(struct recheck *c, assay_error *e)
{
    assay_history_free(c->h);
    assay_reader_close(c->reader);
    c->h = NULL;
    c->read = 0;
    c->reader = assay_reader_open(c->history_file, c->set.format, e);
    return c->reader != NULL;
}

static enum found seek(struct recheck *c, uint32_t index, assay_error *e)
{
    if (c->reader && c->read > index + 1 && strcmp(c->history_file, "-") == 0) {
        e->code = ASSAY_ERROR_INPUT;
        snprintf(e->message, sizeof e->message, "the evidence goes back to history %u",
                 (unsigned)index);
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
        if (c->set.init && !assay_history_set(next, "init", c->set.init, e))
            return UNREADABLE;
    }
    return FOUND;
}

/* refused: why, or NULL. searched: the verdict was not checked step by step but searched for again. */
static void say(struct recheck *c, size_t line, uint32_t index, bool searched, const char *refused)
{
    if (c->set.json) {
        fputs("{\"file\":", stdout);
        print_json(stdout, c->evidence_file);
        printf(",\"line\":%zu,\"index\":%u,\"accepted\":%s,\"searched\":%s,\"reason\":", line, (unsigned)index,
               refused ? "false" : "true", searched ? "true" : "false");
        print_json(stdout, refused);
        puts("}");
    } else {
        const char *accepted = searched ? "accepted: searched again, no explanation was found" : "accepted";
        printf("%s:%zu: %s%s\n", spoken(c->evidence_file), line, refused ? "REFUSED: " : accepted,
               refused ? refused : "");
    }
    fflush(stdout); /* a signal may end the program at any time */
    if (refused && c->status == EXIT_FINE)
        c->status = EXIT_VIOLATED;
}

static void refuse(struct recheck *c, size_t line, uint32_t index, bool searched, const assay_error *e)
{
    char reason[sizeof e->message + sizeof e->remedy + 4];
    snprintf(reason, sizeof reason, "%s%s%s%s", e->message, e->remedy[0] ? " (" : "", e->remedy,
             e->remedy[0] ? ")" : "");
    say(c, line, index, searched, reason);
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

/* False: the history file cannot be read, so there is no use in going on. */
static bool check_line(struct recheck *c, const char *text, size_t line)
{
    assay_error e = {0};
    uint32_t index = 0;
    if (!assay_recheck(NULL, text, &index, &e)) { /* knows the column, not the line */
        fault(c, &e, c->evidence_file, line);
        return true;
    }
    switch (seek(c, index, &e)) {
    case UNREADABLE: fault(c, &e, c->history_file, 0); return false;
    case NOT_THERE: say(c, line, index, false, "the file has no history with this index"); return true;
    case FOUND: break;
    }
    bool searched = false;
    if (assay_recheck_with(c->h, text, &c->options, &index, &searched, &e))
        say(c, line, index, searched, NULL);
    else if (e.code == ASSAY_ERROR_REFUSED)
        refuse(c, line, index, searched, &e);
    else
        fault(c, &e, c->evidence_file, line);
    return true;
}

static bool blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static void check_lines(struct recheck *c, FILE *evidence)
{
    char *text = NULL;
    size_t size = 0, line = 0, records = 0;
    bool go_on = true;
    errno = 0;
    while (go_on && getline(&text, &size, evidence) >= 0) {
        line++;
        if (blank(text))
            continue;
        records++;
        go_on = check_line(c, text, line) && !ferror(stdout);
    }
    if (ferror(evidence)) {
        complain("%s: cannot read: %s", spoken(c->evidence_file), strerror(errno));
        c->status = EXIT_FAULT;
    } else if (!records) {
        complain("%s: there is no evidence in this file (`assay check --evidence FILE` writes it)",
                 spoken(c->evidence_file));
        c->status = EXIT_FAULT;
    }
    free(text);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct recheck c = {.status = EXIT_FINE};
    struct arguments args;
    enum parsed parsed = options_parse(self, argc, argv, &c.set, &args);
    if (parsed != PARSED)
        return options_status(parsed);
    if (args.n != 2 || (strcmp(args.at[0], "-") == 0 && strcmp(args.at[1], "-") == 0)) {
        complain("recheck: name a history file and an evidence file (`assay recheck --help`)");
        return EXIT_FAULT;
    }
    if ((c.set.format && !settings_known(ASSAY_FORMATS, c.set.format)) ||
        !settings_init(c.set.init) || !settings_load_spec(c.set.spec_file, &c.options.spec))
        return EXIT_FAULT;
    c.history_file = args.at[0];
    c.evidence_file = args.at[1];
    bool standard = strcmp(c.evidence_file, "-") == 0;
    FILE *evidence = standard ? stdin : fopen(c.evidence_file, "r");
    if (!evidence) {
        complain("%s: cannot open: %s", c.evidence_file, strerror(errno));
        return EXIT_FAULT;
    }
    interrupt_ends(NULL);
    check_lines(&c, evidence);
    if (!standard)
        fclose(evidence);
    assay_history_free(c.h);
    assay_reader_close(c.reader);
    return finish_output(c.status);
}

static const struct option_row rows[] = {
    {'f', "format", "FORMAT", "the history's format; default: by name and content", OPTION_TEXT,
     offsetof(struct recheck_settings, format), FAMILY(ASSAY_FORMATS)},
    {0, "init", "V", "initial values, if the check was given them: 'x=1 y=2'", OPTION_TEXT,
     offsetof(struct recheck_settings, init), 0},
    {0, "spec", "FILE.so", "an object of your own, if the check was given one", OPTION_TEXT,
     offsetof(struct recheck_settings, spec_file), 0},
    {0, "json", NULL, "one JSON object per line", OPTION_FLAG,
     offsetof(struct recheck_settings, json), 0},
    {0},
};

const struct command command_recheck = {
    .name = "recheck",
    .summary = "Validate the proofs in an evidence file against the history, without any engine.",
    .usage = "[-f FORMAT] [--init V] [--spec FILE.so] [--json] HISTORY EVIDENCE",
    .notes = "exit status: 0 everything accepted; 1 something refused; 2 something unreadable;\n"
             "3 interrupted\n",
    .examples = "  assay check -m cc,ccv,cm --evidence proofs.jsonl run.hist\n"
                "  assay recheck run.hist proofs.jsonl\n",
    .options = rows,
    .run = run,
};
