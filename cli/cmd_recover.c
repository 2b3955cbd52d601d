/* SPDX-License-Identifier: Apache-2.0 */
/* assay recover: the history in a log of the recorder (assay_record_open_log) or of assay drive. Its program may have
 * been killed. */
#include "command.h"
#include "interrupt.h"
#include "outfile.h"
#include "output.h"

#include "collect/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct recover_settings {
    const char *object;
};

struct recovery {
    const char *name;
    char *bytes;
    size_t size;
    struct record_log log;
};

/* ---- reading ---- */

static bool read_all(struct recovery *v)
{
    bool standard = strcmp(v->name, "-") == 0;
    size_t room = 0, n = 1;
    errno = 0;
    FILE *from = standard ? stdin : fopen(v->name, "r");
    while (from && n > 0) {
        if (v->size == room)
            v->bytes = grow(v->bytes, room = room ? 2 * room : 1 << 16);
        n = fread(v->bytes + v->size, 1, room - v->size, from);
        v->size += n;
    }
    bool fine = from && !ferror(from);
    if (!fine)
        complain("%s: cannot read: %s", spoken(v->name), strerror(errno));
    if (from && !standard)
        fclose(from);
    return fine;
}

static bool read_log(struct recovery *v)
{
    if (record_log_read(&v->log, v->bytes, v->size))
        return true;
    complain("%s: this is no log of the recorder, or it is damaged: %s", spoken(v->name), v->log.fault);
    return false;
}

/* ---- logs of assay drive ---- */

static bool is_drive_log(const char *name)
{
    return strcmp(name, "-") != 0 && drive_log_recognised(name);
}

static bool recover_drive(const char *log, const char *out)
{
    struct drive_counts counts;
    struct outfile to;
    assay_error e = {0};
    if (!outfile_open(&to, out))
        return false;
    bool fine = drive_recover(log, to.stream, &counts, &e);
    if (!fine)
        print_error(stderr, log, &e);
    else
        complain("%s: %s: %llu operations committed, %llu aborted, %llu unknown", spoken(log),
                 counts.complete ? "it is whole" : "it was cut short", (unsigned long long)counts.committed,
                 (unsigned long long)counts.aborted, (unsigned long long)counts.unknown);
    return outfile_close(&to, fine ? OUTFILE_WHOLE : OUTFILE_FAILED) && fine;
}

/* ---- the command ---- */

static bool write_history(const struct recovery *v, const struct recover_settings *set, const char *out)
{
    const struct record_log *log = &v->log;
    const assay_tape *stopper = log->recorder.stopper;
    struct outfile to;
    if (!outfile_open(&to, out))
        return false;
    if (!log->closed)
        fprintf(to.stream, "# recovered: the program ended without closing its log\n");
    assay_record_write(&log->recorder, set->object, to.stream);
    complain("%s: %s: %llu calls returned, %llu did not (pending)%s%s", spoken(v->name),
             log->closed ? "it was closed" : "the program ended without closing it", log->returned, log->pending,
             stopper ? "; what came later was not recorded: " : "", stopper ? stopper->fault : "");
    return outfile_close(&to, OUTFILE_WHOLE);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct recover_settings set = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    struct recovery v = {.name = args.at[0]};
    interrupt_ends();
    if (is_drive_log(args.at[0]))
        return recover_drive(args.at[0], args.n > 1 ? args.at[1] : NULL) ? EXIT_FINE : EXIT_FAULT;
    bool fine = read_all(&v) && read_log(&v) && write_history(&v, &set, args.n > 1 ? args.at[1] : NULL);
    record_log_release(&v.log);
    free(v.bytes);
    return fine ? EXIT_FINE : EXIT_FAULT;
}

static const struct option_row rows[] = {
    {'o', "object", "OBJECT", "the object that the calls belong to, for `# @object`", OPTION_TEXT,
     offsetof(struct recover_settings, object), FAMILY(ASSAY_OBJECTS)},
    {0},
};

const struct command command_recover = {
    .name = "recover",
    .summary = "Write the history from a log of the recorder or of assay drive, even if its program was killed.",
    .usage = "[-o OBJECT] LOG [OUT]",
    .notes =
        "The log is what assay_record_open_log of assay_record.h made (docs/guides/record.md), or a file NUMBER.log "
        "in\n"
        "a folder of assay drive (docs/guides/databases.md). Calls that had not returned become pending; how many\n"
        "there are is printed on standard error.\n\n"
        "exit status: 0 recovered; 2 a fault\n",
    .examples = "  assay recover -o queue run.log run.hist\n"
                "  assay recover -o map run.log | assay check -m lin -\n",
    .least = 1,
    .most = 2,
    .expects = "name a log, and an output or none",
    .options = rows,
    .run = run,
};
