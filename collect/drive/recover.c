/* SPDX-License-Identifier: Apache-2.0 */
/* Two passes. Headers stand before the first operation of a history, so the first pass collects connections and faults.
 * The second one writes the operations, each when its outcome is known, which keeps the order of every session.
 *
 * A connection is a thread of the history: s0, and after that broke s0.1, s0.2, ... A store promises nothing from one
 * connection to the next. And an operation of an object that perhaps happened must be the last one of its thread. The
 * final reads at node 2 are the thread f2, and after that broke f2.1. */
#include "collect/drive/recover.h"

#include "base/error.h"
#include "collect/drive/log_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct recovering_session {
    bool open;  /* a call without an outcome so far */
    bool final; /* of the final reads */
    unsigned node;
    int64_t called, last; /* last: the time of its last record */
    unsigned connections; /* so far; its thread is that of the last one */
    assay_access accesses[WORKLOAD_MOST_ACCESSES];
    size_t n;
};

struct recovering_fault {
    char *name;
    int64_t from, to;
    bool over;
};

struct recovering {
    const char *path;
    FILE *from, *to;
    struct drive_counts *counts;
    assay_error *error;
    uint64_t number; /* of the line */
    char *text;
    size_t room;
    const struct workload *workload;
    unsigned keys, kept;
    struct durability *durability;
    bool finals;                          /* the sessions have ended */
    struct recovering_session **sessions; /* by number; NULL: not seen yet */
    unsigned session_count;
    struct recovering_fault *faults;
    size_t fault_count;
    bool any_node;
};

bool drive_log_recognised(const char *path)
{
    char bytes[sizeof DRIVE_LOG_MAGIC - 1];
    FILE *from = fopen(path, "r");
    bool is = from && fread(bytes, sizeof bytes, 1, from) == 1 && memcmp(bytes, DRIVE_LOG_MAGIC, sizeof bytes) == 0;
    if (from)
        fclose(from);
    return is;
}

static bool damaged(struct recovering *x, const char *expected)
{
    error_set(x->error, ASSAY_ERROR_INPUT, "this log of assay drive is damaged: expected %s", expected);
    error_place(x->error, x->path, x->number, 0);
    return false;
}

static bool no_memory(struct recovering *x)
{
    error_from_escape(x->error, ESCAPE_OUT_OF_MEMORY);
    return false;
}

/* ---- sessions ---- */

static struct recovering_session *session(struct recovering *x, unsigned number)
{
    if (number >= x->session_count) {
        struct recovering_session **grown = realloc(x->sessions, (number + 1) * sizeof *grown);
        if (!grown)
            return NULL;
        memset(grown + x->session_count, 0, (number + 1 - x->session_count) * sizeof *grown);
        x->sessions = grown;
        x->session_count = number + 1;
    }
    if (!x->sessions[number])
        x->sessions[number] = calloc(1, sizeof *x->sessions[number]);
    return x->sessions[number];
}

static void put_thread(unsigned number, const struct recovering_session *s, FILE *to)
{
    fprintf(to, s->final ? "f%u" : "s%u", s->final ? s->node + 1 : number);
    if (s->connections > 1)
        fprintf(to, ".%u", s->connections - 1);
}

/* A session of its own for each node reads in the end. */
static void begin_connection(const struct recovering *x, const struct log_line *l, struct recovering_session *s)
{
    s->final = x->finals;
    s->node = l->node;
    s->connections++;
}

/* `s0: read(x1) => 5 @ 10..20`. An operation of an object that was aborted is no operation: it becomes a comment. */
static void put_operation(const struct recovering *x, unsigned number, const struct recovering_session *s,
                          const struct log_line *outcome)
{
    bool aborted = outcome->kind == 'a', comment = aborted && !x->workload->transactions;
    fputs(comment ? "# aborted: " : "", x->to);
    put_thread(number, s, x->to);
    fputs(": ", x->to);
    workload_operation(x->workload, s->accesses, s->n, x->keys, outcome->kind == 'o', x->to);
    fputs(aborted && !comment ? " => abort" : "", x->to);
    fprintf(x->to, " @ %" PRId64 "..", s->called);
    if (outcome->kind != 'u')
        fprintf(x->to, "%" PRId64, outcome->time);
    if (outcome->text && *outcome->text)
        fprintf(x->to, "%s%s", comment ? ": " : " # ", outcome->text);
    fputc('\n', x->to);
}

static bool finish(struct recovering *x, unsigned number, struct recovering_session *s, const struct log_line *outcome)
{
    struct durability_operation o = {.accesses = s->accesses,
                                     .n = s->n,
                                     .outcome = outcome->kind == 'o'   ? ASSAY_COMMITTED
                                                : outcome->kind == 'a' ? ASSAY_ABORTED
                                                                       : ASSAY_UNKNOWN,
                                     .called = s->called,
                                     .returned = outcome->time,
                                     .session = number,
                                     .part = s->connections - 1,
                                     .final = s->final,
                                     .node = s->node};
    s->open = false;
    if (!s->final) {
        x->counts->committed += o.outcome == ASSAY_COMMITTED;
        x->counts->aborted += o.outcome == ASSAY_ABORTED;
        x->counts->unknown += o.outcome == ASSAY_UNKNOWN;
        x->counts->lasted = s->last > x->counts->lasted ? s->last : x->counts->lasted;
    }
    put_operation(x, number, s, outcome);
    return durability_add(x->durability, &o) || no_memory(x);
}

/* ---- the first pass: headers ---- */

static bool take_header(struct recovering *x, const char *text)
{
    static const char workload[] = "workload ", keys[] = "keys ", kept[] = "kept ";
    if (strncmp(text, workload, sizeof workload - 1) == 0)
        x->workload = workload_find(text + sizeof workload - 1);
    if (strncmp(text, keys, sizeof keys - 1) == 0)
        x->keys = (unsigned)strtoul(text + sizeof keys - 1, NULL, 10);
    if (strncmp(text, kept, sizeof kept - 1) == 0)
        x->kept = (unsigned)strtoul(text + sizeof kept - 1, NULL, 10);
    fprintf(x->to, "# @%s\n", text);
    return true;
}

static bool take_fault(struct recovering *x, const struct log_line *l)
{
    for (size_t i = x->fault_count; !l->on && i-- > 0;) {
        struct recovering_fault *f = &x->faults[i];
        if (!f->over && strcmp(f->name, l->text) == 0) {
            f->over = true;
            f->to = l->time;
            return true;
        }
    }
    if (!l->on)
        return damaged(x, "a fault that began");
    struct recovering_fault *grown = realloc(x->faults, (x->fault_count + 1) * sizeof *grown);
    char *name = grown ? strdup(l->text) : NULL;
    x->faults = grown ? grown : x->faults;
    if (name)
        x->faults[x->fault_count++] = (struct recovering_fault){.name = name, .from = l->time};
    return name || no_memory(x);
}

static bool take_connection(struct recovering *x, const struct log_line *l, struct recovering_session *s)
{
    fputs(x->any_node ? " " : "# @nodes ", x->to);
    x->any_node = true;
    begin_connection(x, l, s);
    put_thread(l->session, s, x->to);
    fprintf(x->to, "=%u", l->node + 1);
    return true;
}

static bool first_pass(struct recovering *x, struct log_line *l, struct recovering_session *s)
{
    switch (l->kind) {
    case '@': return take_header(x, l->text);
    case 'f': return take_fault(x, l);
    case 'n': return take_connection(x, l, s);
    case 'r': x->finals = true; return true;
    case 'e': x->counts->complete = true; return true;
    default: return true;
    }
}

static void end_headers(struct recovering *x)
{
    fputs(x->any_node ? "\n" : "", x->to);
    for (size_t i = 0; i < x->fault_count; i++) {
        const struct recovering_fault *f = &x->faults[i];
        fprintf(x->to, "# @fault %s %" PRId64 "..", f->name, f->from);
        if (f->over)
            fprintf(x->to, "%" PRId64, f->to);
        fputc('\n', x->to);
    }
    if (!x->counts->complete)
        fputs("# cut short: the log has no end\n", x->to);
    x->finals = false;
    for (unsigned i = 0; i < x->session_count; i++)
        if (x->sessions[i])
            x->sessions[i]->connections = 0;
}

/* ---- the second pass: operations ---- */

static bool take_missed(struct recovering *x, const struct log_line *l)
{
    x->counts->durability.missed++;
    fprintf(x->to, "# not read in the end: node %u: %s\n", l->node + 1, l->text);
    return true;
}

static bool take_settled(struct recovering *x, const struct log_line *l)
{
    x->counts->durability.judged = true;
    x->counts->durability.agreed = l->on;
    return true;
}

static bool second_pass(struct recovering *x, struct log_line *l, struct recovering_session *s)
{
    const char *expected = NULL;
    if (strchr("ncoau", l->kind)) {
        if (l->time < s->last)
            return damaged(x, "a time that is not before the last one of the session");
        s->last = l->time;
    }
    switch (l->kind) {
    case 'n': /* a call that is still open was given up */
        if (s->open && !finish(x, l->session, s, &(struct log_line){.kind = 'u'}))
            return false;
        begin_connection(x, l, s);
        return true;
    case 'c':
        s->called = l->time;
        s->open = true;
        return s->connections || damaged(x, "the session's connection before its calls");
    case 'o': expected = s->open ? log_line_answers(l, s->accesses, s->n) : NULL; break;
    case 'a':
    case 'u': break;
    case 'r': x->finals = true; return true;
    case 'm': return take_missed(x, l);
    case 's': return take_settled(x, l);
    default: return true;
    }
    if (expected || !s->open)
        return damaged(x, expected ? expected : "a call before its outcome");
    return finish(x, l->session, s, l);
}

/* ---- the file ---- */

typedef bool take_line(struct recovering *x, struct log_line *l, struct recovering_session *s);

static bool read_line(struct recovering *x, take_line *take)
{
    struct log_line l;
    unsigned number = 0;
    char kind = x->text[0];
    size_t ignored = 0;
    if (kind == 'c' && !x->workload)
        return damaged(x, "the header @workload with a workload of this version");
    if (kind && strchr("ncoau", kind))                              /* of a session */
        number = (unsigned)strtoul(x->text + 1, NULL, 10) & 0xffff; /* log_line_parse says whether it is one */
    struct recovering_session *s = session(x, number);
    if (!s)
        return no_memory(x);
    if (kind == 'c' && s->open)
        return damaged(x, "the outcome of the session's last call first");
    const char *expected = log_line_parse(x->text, x->workload, x->keys + x->kept, &l, s->accesses,
                                          kind == 'c' ? &s->n : &ignored);
    return expected ? damaged(x, expected) : take(x, &l, s);
}

/* A last line without its end was cut off. */
static bool each_line(struct recovering *x, take_line *take)
{
    ssize_t n;
    rewind(x->from);
    x->number = 0;
    while ((n = getline(&x->text, &x->room, x->from)) > 0 && x->text[n - 1] == '\n') {
        x->text[n - 1] = 0;
        for (ssize_t i = 0; i + 1 < n; i++)
            if (x->text[i] < ' ' || x->text[i] > '~') {
                x->number++;
                return damaged(x, "printable characters");
            }
        bool fine = x->number++ > 0 ? read_line(x, take)
                                    : strcmp(x->text, DRIVE_LOG_MAGIC) == 0 || damaged(x, "`" DRIVE_LOG_MAGIC "`");
        if (!fine)
            return false;
    }
    if (ferror(x->from)) {
        error_set(x->error, ASSAY_ERROR_INPUT, "cannot read: %s", strerror(errno));
        error_place(x->error, x->path, 0, 0);
    }
    return !ferror(x->from);
}

static bool recover(struct recovering *x)
{
    if (!each_line(x, first_pass))
        return false;
    if (!x->workload || !x->keys || x->keys > WORKLOAD_MOST_KEYS)
        return damaged(x, "the headers @workload and @keys");
    if (x->kept > WORKLOAD_MOST_KEYS || (x->kept && x->workload->changes != ASSAY_ACTION_WRITE))
        return damaged(x, "@kept with registers only");
    end_headers(x);
    workload_headers(x->workload, x->keys, x->to);
    x->durability = durability_new(x->workload, x->keys);
    if (!x->durability)
        return no_memory(x);
    if (!each_line(x, second_pass))
        return false;
    for (unsigned i = 0; i < x->session_count; i++)
        if (x->sessions[i] && x->sessions[i]->open && !finish(x, i, x->sessions[i], &(struct log_line){.kind = 'u'}))
            return false;
    if (x->counts->durability.judged) {
        durability_judge(x->durability, &x->counts->durability);
        durability_write(&x->counts->durability, x->to);
    }
    return true;
}

/* An operation has a time of return, none, or the word abort in front of its times. */
static void count_line(const char *line, struct drive_counts *counts)
{
    static const char comment[] = "# aborted: ";
    const char *times = strstr(line, " @ "), *dots = times ? strstr(times, "..") : NULL;
    bool aborted = strncmp(line, comment, sizeof comment - 1) == 0;
    if (!dots || line[aborted ? sizeof comment - 1 : 0] != 's') /* the final reads are not counted */
        return;
    int64_t time = strtoll(dots[2] ? dots + 2 : times + 3, NULL, 10);
    counts->lasted = time > counts->lasted ? time : counts->lasted;
    aborted = aborted || (times - line > 9 && strncmp(times - 9, " => abort", 9) == 0);
    bool returned = dots[2] >= '0' && dots[2] <= '9';
    counts->aborted += aborted;
    counts->committed += !aborted && returned;
    counts->unknown += !aborted && !returned;
}

bool drive_count(FILE *history, struct drive_counts *counts)
{
    char *line = NULL;
    size_t room = 0;
    *counts = (struct drive_counts){.complete = true};
    while (getline(&line, &room, history) > 0) {
        counts->complete = counts->complete && strncmp(line, "# cut short", 11) != 0;
        if (!durability_read(line, &counts->durability))
            count_line(line, counts);
    }
    free(line);
    return !ferror(history);
}

bool drive_recover_from(FILE *from, const char *name, FILE *to, struct drive_counts *counts, assay_error *e)
{
    struct recovering x = {.path = name, .to = to, .counts = counts, .error = e, .from = from};
    *counts = (struct drive_counts){0};
    bool fine = recover(&x);
    for (unsigned i = 0; i < x.session_count; i++) {
        for (size_t k = 0; x.sessions[i] && k < WORKLOAD_MOST_ACCESSES; k++)
            free(x.sessions[i]->accesses[k].elements);
        free(x.sessions[i]);
    }
    for (size_t i = 0; i < x.fault_count; i++)
        free(x.faults[i].name);
    durability_free(x.durability);
    free(x.sessions);
    free(x.faults);
    free(x.text);
    return fine;
}

bool drive_recover(const char *path, FILE *to, struct drive_counts *counts, assay_error *e)
{
    FILE *from = fopen(path, "r");
    if (!from) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot open: %s", strerror(errno));
        error_place(e, path, 0, 0);
        return false;
    }
    bool fine = drive_recover_from(from, path, to, counts, e);
    fclose(from);
    return fine;
}
