/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool drive_log_open(struct drive_log *l, const char *path)
{
    atomic_init(&l->fault, 0);
    l->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    return l->file >= 0;
}

bool drive_log_close(struct drive_log *l)
{
    int fault = atomic_load(&l->fault);
    if (l->file >= 0 && close(l->file) != 0 && !fault)
        fault = errno;
    l->file = -1;
    errno = fault;
    return fault == 0;
}

/* ---- records ---- */

void drive_records_free(struct drive_records *r)
{
    free(r->at);
    *r = (struct drive_records){0};
}

static void put(struct drive_records *r, const char *bytes, size_t n)
{
    if (r->room - r->n < n && !r->full) {
        size_t room = 2 * r->room + n + 256;
        char *grown = realloc(r->at, room);
        r->full = !grown;
        r->at = grown ? grown : r->at;
        r->room = grown ? room : r->room;
    }
    if (r->full)
        return;
    memcpy(r->at + r->n, bytes, n);
    r->n += n;
}

static void put_char(struct drive_records *r, char c)
{
    put(r, &c, 1);
}

static void put_number(struct drive_records *r, int64_t v)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (v < 0)
        *--at = '-';
    put(r, at, (size_t)(digits + sizeof digits - at));
}

/* A line is written by one call, so that lines of sessions do not mix. After a write that failed half-way, nothing
 * more is written: the line would be joined to it. */
bool drive_records_write(struct drive_records *r)
{
    size_t done = 0;
    if (r->full)
        atomic_store(&r->log->fault, ENOMEM);
    while (done < r->n && !atomic_load_explicit(&r->log->fault, memory_order_relaxed)) {
        ssize_t n = write(r->log->file, r->at + done, r->n - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EINTR)
            atomic_store(&r->log->fault, errno);
    }
    r->n = 0;
    return !atomic_load_explicit(&r->log->fault, memory_order_relaxed);
}

void drive_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

/* Texts of servers and users become one line of printable ASCII. */
static void put_line(struct drive_records *r, const char *text)
{
    for (; *text; text++)
        put_char(r, *text < ' ' || *text > '~' ? '?' : *text);
    put_char(r, '\n');
}

static void begin(struct drive_records *r, char kind, unsigned session, int64_t time)
{
    put_char(r, kind);
    put_char(r, ' ');
    put_number(r, session);
    put_char(r, ' ');
    put_number(r, time);
}

void drive_log_text(struct drive_records *r, const char *line)
{
    put_line(r, line);
}

void drive_log_connection(struct drive_records *r, unsigned session, int64_t time, unsigned node)
{
    begin(r, 'n', session, time);
    put_char(r, ' ');
    put_number(r, node);
    put_char(r, '\n');
}

void drive_log_call(struct drive_records *r, unsigned session, int64_t time, const assay_access *a, size_t n,
                    uint64_t first)
{
    begin(r, 'c', session, time);
    for (; n > 0; n--, a++) {
        const char mark[] = {' ', DRIVE_LOG_LETTERS[a->action]};
        put(r, mark, sizeof mark);
        put_number(r, (int64_t)(a->key - first));
        if (a->action == ASSAY_ACTION_READ || a->action == ASSAY_ACTION_LIST || a->action == ASSAY_ACTION_ELEMENTS ||
            a->action == ASSAY_ACTION_DEQUEUE)
            continue;
        if (a->action == ASSAY_ACTION_TRANSFER) {
            put_char(r, '>');
            put_number(r, (int64_t)(a->to - first));
        }
        put_char(r, '=');
        put_number(r, a->value);
    }
    put_char(r, '\n');
}

static void put_answer(struct drive_records *r, const assay_access *a)
{
    put_char(r, ' ');
    if (a->action == ASSAY_ACTION_LIST || a->action == ASSAY_ACTION_ELEMENTS) {
        put_char(r, '[');
        for (size_t i = 0; i < a->count; i++) {
            if (i)
                put_char(r, ',');
            put_number(r, a->elements[i]);
        }
        put_char(r, ']');
    } else if (a->action == ASSAY_ACTION_TRANSFER) {
        put_number(r, a->found);
    } else if (a->found) {
        put_number(r, a->answer);
    } else {
        put_char(r, '-');
    }
}

void drive_log_outcome(struct drive_records *r, unsigned session, int64_t time, assay_outcome outcome,
                       const assay_access *a, size_t n, const char *message)
{
    begin(r, outcome == ASSAY_COMMITTED ? 'o' : outcome == ASSAY_ABORTED ? 'a' : 'u', session, time);
    if (outcome != ASSAY_COMMITTED) {
        put_char(r, ' ');
        put_line(r, message);
        return;
    }
    for (; n > 0; n--, a++)
        put_answer(r, a);
    put_char(r, '\n');
}

void drive_log_fault(struct drive_records *r, int64_t time, const char *name, bool on)
{
    put(r, "f ", 2);
    put_number(r, time);
    put_char(r, ' ');
    put(r, name, strlen(name));
    put_line(r, on ? " on" : " off");
}

void drive_log_final(struct drive_records *r, int64_t time)
{
    put(r, "r ", 2);
    put_number(r, time);
    put_char(r, '\n');
}

void drive_log_missed(struct drive_records *r, unsigned node, int64_t time, const char *message)
{
    begin(r, 'm', node, time);
    put_char(r, ' ');
    put_line(r, message);
}

void drive_log_settled(struct drive_records *r, int64_t time, bool agreed)
{
    put(r, "s ", 2);
    put_number(r, time);
    put_line(r, agreed ? " agreed" : " differ");
}

void drive_log_end(struct drive_records *r, int64_t time)
{
    put(r, "e ", 2);
    put_number(r, time);
    put_char(r, '\n');
}
