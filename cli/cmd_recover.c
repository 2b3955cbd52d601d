/* SPDX-License-Identifier: Apache-2.0 */
/* assay recover: the history in a log of the recorder (assay_record_open_log) or of assay drive. Its program may have
 * been killed.
 *
 * A log of the recorder is read into memory and laid out as the recorder that wrote it, whose own writer then does the
 * rest. Nothing in it is believed: each size, count, kind and text is checked first. */
#include "command.h"
#include "interrupt.h"
#include "outfile.h"
#include "output.h"

#include "assay_record.h"
#include "collect/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1 << 16 };

struct recover_settings {
    const char *object;
};

struct recovery {
    const char *name;
    char *bytes;
    size_t size;
    assay_recorder recorder;
    unsigned long long returned, pending;
};

static bool damaged(const struct recovery *v, const char *what)
{
    complain("%s: this is no log of the recorder, or it is damaged: %s", spoken(v->name), what);
    return false;
}

/* ---- reading ---- */

static bool read_all(struct recovery *v)
{
    bool standard = strcmp(v->name, "-") == 0;
    FILE *from = standard ? stdin : fopen(v->name, "r");
    size_t room = 0, n = 1;
    errno = 0;
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

static bool read_head(struct recovery *v)
{
    const assay_record_log *log = (const assay_record_log *)(void *)v->bytes;
    assay_recorder *r = &v->recorder;
    if (v->size < ASSAY_RECORD_HEAD || memcmp(log->magic, ASSAY_RECORD_MAGIC, sizeof log->magic) != 0)
        return damaged(v, "its first bytes are others");
    if (log->byte_order != 0x01020304u || log->version != 1)
        return damaged(v, "another version, or another kind of machine, wrote it");
    r->threads = log->threads;
    r->clock = log->clock == ASSAY_RECORD_COUNTERS ? ASSAY_RECORD_COUNTERS : ASSAY_RECORD_STAMPS;
    r->room = (size_t)log->room;
    r->stride = (size_t)log->stride;
    r->log = v->bytes;
    r->counts = v->bytes + ASSAY_RECORD_HEAD;
    if (r->threads > MOST_THREADS || log->clock > ASSAY_RECORD_STAMPS || log->room > UINT32_MAX ||
        r->stride != assay_record_stride(r->threads, r->clock) || v->size != log->size ||
        (r->threads && v->size / r->threads / r->stride < r->room) || v->size != assay_record_log_size(r))
        return damaged(v, "its size is not what its head says");
    if (log->stopper > r->threads)
        return damaged(v, "a thread that does not exist ended it");
    return true;
}

/* ---- tapes ---- */

/* The text that was at this address, or NULL. */
static const char *text_at(const assay_tape *t, uint64_t address)
{
    for (unsigned i = 0; address && i < ASSAY_RECORD_TEXTS; i++)
        if (t->texts[i].address == address)
            return t->texts[i].text;
    return NULL;
}

/* Of letters that can be seen, from `least` on. */
static bool is_text(const char *text, size_t most, char least)
{
    size_t n = 0;
    while (n < most && text[n] >= least && text[n] < 0x7f)
        n++;
    return n > 0 && n < most && !text[n];
}

static bool is_word(const char *text, size_t most)
{
    return is_text(text, most, '!');
}

static bool is_line(const char *text, size_t most)
{
    return is_text(text, most, ' ');
}

static bool find_text(const assay_tape *t, const char **text)
{
    *text = text_at(t, (uint64_t)(uintptr_t)*text);
    return *text && is_word(*text, sizeof t->texts->text);
}

static bool find_value(const assay_tape *t, unsigned char kind, assay_record_value *value)
{
    return kind == ASSAY_RECORD_INT || (kind == ASSAY_RECORD_WORD && find_text(t, &value->word));
}

/* Its texts are found, and it knows of no call that has not been made. */
static bool read_entry(const assay_recorder *r, const assay_tape *t, assay_record_entry *e)
{
    bool fine = e->arg_count <= ASSAY_RECORD_ARGS && find_text(t, &e->method);
    for (unsigned i = 0; fine && i < e->arg_count; i++)
        fine = find_value(t, e->arg_kinds[i], &e->args[i]);
    if (fine && e->state == ASSAY_RECORD_RETURNED && e->result_kind != ASSAY_RECORD_NONE)
        fine = find_value(t, e->result_kind, &e->result);
    for (unsigned i = 0; fine && r->clock == ASSAY_RECORD_COUNTERS && i < r->threads; i++)
        fine = assay_record_seen(e)[i] <= r->tapes[i]->completed;
    return fine;
}

static assay_record_entry *entry_at(const assay_recorder *r, unsigned thread, uint32_t i)
{
    return (assay_record_entry *)(void *)(uintptr_t)assay_record_at(r, thread, i);
}

/* The progress of the thread: the calls that have returned, even if the count does not show it yet, and the open
 * call. */
static bool lay_tape(struct recovery *v, assay_tape *t)
{
    assay_recorder *r = &v->recorder;
    assay_record_lay_tape(t, v->bytes);
    t->completed = *assay_record_count(r, t->thread);
    if (t->completed > r->room)
        return damaged(v, "a thread has more calls than there is room for");
    if (t->completed == r->room)
        return true;
    assay_record_entry *next = entry_at(r, t->thread, t->completed);
    if (next->state == ASSAY_RECORD_RETURNED)
        t->completed++;
    else if (next->state == ASSAY_RECORD_CALLED)
        t->open = next;
    return true;
}

static bool read_tape(struct recovery *v, const assay_tape *t)
{
    const assay_recorder *r = &v->recorder;
    for (uint32_t i = 0; i < t->completed + (t->open != NULL); i++)
        if (!read_entry(r, t, entry_at(r, t->thread, i)))
            return damaged(v, "a call on it makes no sense");
    return true;
}

static bool read_tapes(struct recovery *v)
{
    assay_recorder *r = &v->recorder;
    assay_record_log *log = (assay_record_log *)(void *)v->bytes;
    r->tapes = grow(NULL, (r->threads + 1) * sizeof *r->tapes);
    memset(r->tapes, 0, (r->threads + 1) * sizeof *r->tapes);
    for (unsigned i = 0; i < r->threads; i++) {
        assay_tape *t = r->tapes[i] = grow(NULL, sizeof *t);
        *t = (assay_tape){.recorder = r, .thread = i};
        t->chunks = grow(NULL, (r->room / ASSAY_RECORD_CHUNK + 1) * sizeof *t->chunks);
        if (!lay_tape(v, t))
            return false;
    }
    if (log->stopper) {
        r->stopper = r->tapes[log->stopper - 1];
        r->stopper->fault = is_line(log->fault, sizeof log->fault) ? log->fault : "a tape was full";
    }
    for (unsigned i = 0; i < r->threads; i++) {
        if (!read_tape(v, r->tapes[i]))
            return false;
        if (r->stopper && r->stopper->cut[i] > r->tapes[i]->completed)
            return damaged(v, "it ends after what was recorded");
    }
    for (unsigned i = 0; i < r->threads; i++) {
        int pending;
        v->returned += assay_record_size(r, i, &pending);
        v->returned -= pending ? 1 : 0;
        v->pending += pending ? 1 : 0;
    }
    return true;
}

static void forget(struct recovery *v)
{
    for (unsigned i = 0; v->recorder.tapes && i < v->recorder.threads; i++) {
        if (v->recorder.tapes[i])
            free(v->recorder.tapes[i]->chunks);
        free(v->recorder.tapes[i]);
    }
    free(v->recorder.tapes);
    free(v->bytes);
}

/* ---- logs of assay drive ---- */

static bool is_drive_log(const char *name)
{
    char head[32] = "";
    FILE *from = strcmp(name, "-") == 0 ? NULL : fopen(name, "r");
    size_t n = from ? fread(head, 1, sizeof head, from) : 0;
    if (from)
        fclose(from);
    return drive_log_recognised(head, n);
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
    const assay_record_log *log = (const assay_record_log *)(void *)v->bytes;
    struct outfile to;
    if (!outfile_open(&to, out))
        return false;
    if (!log->closed)
        fprintf(to.stream, "# recovered: the program ended without closing its log\n");
    assay_record_write(&v->recorder, set->object, to.stream);
    complain("%s: %s: %llu calls returned, %llu did not (pending)%s%s", spoken(v->name),
             log->closed ? "it was closed" : "the program ended without closing it", v->returned, v->pending,
             v->recorder.stopper ? "; what came later was not recorded: " : "",
             v->recorder.stopper ? v->recorder.stopper->fault : "");
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
    bool fine = read_all(&v) && read_head(&v) && read_tapes(&v) &&
                write_history(&v, &set, args.n > 1 ? args.at[1] : NULL);
    forget(&v);
    return fine ? EXIT_FINE : EXIT_FAULT;
}

static const struct option_row rows[] = {
    {'o', "object", "OBJECT", "the object that the calls belong to, for `# @object`", OPTION_TEXT,
     offsetof(struct recover_settings, object), FAMILY(ASSAY_OBJECTS)},
    {0},
};

const struct command command_recover = {
    .name = "recover",
    .summary = "Write the history in a log of the recorder or of assay drive, which may have been killed.",
    .usage = "[-o OBJECT] LOG [OUT]",
    .notes = "The log is what assay_record_open_log of assay_record.h made (docs/record.md), or a file NUMBER.log in\n"
             "a folder of assay drive (docs/drive.md). Calls that had not returned become pending; how many there\n"
             "are is said on standard error.\n\n"
             "exit status: 0 recovered; 2 a fault\n",
    .examples = "  assay recover -o queue run.log run.hist\n"
                "  assay recover -o map run.log | assay check -m lin -\n",
    .least = 1,
    .most = 2,
    .expects = "name a log, and an output or none",
    .options = rows,
    .run = run,
};
