/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/record_log.h"

enum { MOST_THREADS = 1 << 16 };

static bool damaged(struct record_log *l, const char *what)
{
    l->fault = what;
    return false;
}

/* ---- the head ---- */

static bool read_head(struct record_log *l)
{
    const assay_record_log *log = (const assay_record_log *)(void *)l->bytes;
    assay_recorder *r = &l->recorder;
    if (l->size < ASSAY_RECORD_HEAD || memcmp(log->magic, ASSAY_RECORD_MAGIC, sizeof log->magic) != 0)
        return damaged(l, "its first bytes are others");
    if (log->byte_order != 0x01020304u || log->version < 1 || log->version > 2 || (log->version == 1 && log->numbers))
        return damaged(l, "another version, or another kind of machine, wrote it");
    r->threads = log->threads;
    r->clock = log->clock == ASSAY_RECORD_COUNTERS ? ASSAY_RECORD_COUNTERS : ASSAY_RECORD_STAMPS;
    r->room = (size_t)log->room;
    r->stride = (size_t)log->stride;
    r->numbers = (size_t)log->numbers;
    r->log = l->bytes;
    r->counts = l->bytes + ASSAY_RECORD_HEAD;
    l->closed = log->closed != 0;
    if (r->threads > MOST_THREADS || log->clock > ASSAY_RECORD_STAMPS || log->room > UINT32_MAX ||
        r->stride != assay_record_stride(r->threads, r->clock) || l->size != log->size ||
        (r->threads && l->size / r->threads / r->stride < r->room) ||
        (r->threads && l->size / r->threads / sizeof(int64_t) < r->numbers) || l->size != assay_record_log_size(r))
        return damaged(l, "its size is not what its head says");
    if (log->stopper > r->threads)
        return damaged(l, "a thread that does not exist ended it");
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

static bool is_list(const assay_tape *t, assay_record_list list)
{
    return list.at <= t->number_room && list.length <= t->number_room - list.at;
}

static bool find_value(const assay_tape *t, unsigned char kind, assay_record_value *value)
{
    return kind == ASSAY_RECORD_INT || (kind == ASSAY_RECORD_WORD && find_text(t, &value->word)) ||
           (kind == ASSAY_RECORD_LIST && is_list(t, value->list));
}

/* With many arguments, the second one is the list of the rest. */
static bool find_args(const assay_tape *t, assay_record_entry *e)
{
    bool many = e->arg_count > ASSAY_RECORD_ARGS, fine = true;
    for (unsigned i = 0; fine && i < e->arg_count && i < ASSAY_RECORD_ARGS; i++)
        fine = find_value(t, e->arg_kinds[i], &e->args[i]);
    return fine && (!many || (e->arg_kinds[1] == ASSAY_RECORD_LIST && e->args[1].list.length == e->arg_count - 1u));
}

/* Its texts are found, and it knows of no call that has not been made. */
static bool read_entry(const assay_recorder *r, const assay_tape *t, assay_record_entry *e)
{
    bool fine = find_text(t, &e->method) && find_args(t, e);
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
static bool lay_tape(struct record_log *l, assay_tape *t)
{
    assay_recorder *r = &l->recorder;
    assay_record_lay_tape(t, l->bytes);
    t->completed = *assay_record_count(r, t->thread);
    if (t->completed > r->room)
        return damaged(l, "a thread has more calls than there is room for");
    if (t->completed == r->room)
        return true;
    assay_record_entry *next = entry_at(r, t->thread, t->completed);
    if (next->state == ASSAY_RECORD_RETURNED)
        t->completed++;
    else if (next->state == ASSAY_RECORD_CALLED)
        t->open = next;
    return true;
}

static bool read_tape(struct record_log *l, const assay_tape *t)
{
    const assay_recorder *r = &l->recorder;
    for (uint32_t i = 0; i < t->completed + (t->open != NULL); i++)
        if (!read_entry(r, t, entry_at(r, t->thread, i)))
            return damaged(l, "a call on it makes no sense");
    return true;
}

static bool lay_tapes(struct record_log *l)
{
    assay_recorder *r = &l->recorder;
    r->tapes = calloc((size_t)r->threads + 1, sizeof *r->tapes);
    for (unsigned i = 0; i < r->threads; i++) {
        assay_tape *t = r->tapes ? calloc(1, sizeof *t) : NULL;
        if (!t)
            return damaged(l, "there is no memory to read it");
        r->tapes[i] = t;
        t->recorder = r;
        t->thread = i;
        t->chunks = calloc(r->room / ASSAY_RECORD_CHUNK + 1, sizeof *t->chunks);
        if (!t->chunks)
            return damaged(l, "there is no memory to read it");
        if (!lay_tape(l, t))
            return false;
    }
    return true;
}

static bool read_tapes(struct record_log *l)
{
    assay_recorder *r = &l->recorder;
    assay_record_log *log = (assay_record_log *)(void *)l->bytes;
    if (log->stopper) {
        r->stopper = r->tapes[log->stopper - 1];
        r->stopper->fault = is_line(log->fault, sizeof log->fault) ? log->fault : "a tape was full";
    }
    for (unsigned i = 0; i < r->threads; i++) {
        if (!read_tape(l, r->tapes[i]))
            return false;
        if (r->stopper && r->stopper->cut[i] > r->tapes[i]->completed)
            return damaged(l, "it ends after what was recorded");
    }
    return true;
}

bool record_log_read(struct record_log *l, char *bytes, size_t size)
{
    *l = (struct record_log){.bytes = bytes, .size = size};
    if (!read_head(l) || !lay_tapes(l) || !read_tapes(l))
        return false;
    for (unsigned i = 0; i < l->recorder.threads; i++) {
        int pending;
        l->returned += assay_record_size(&l->recorder, i, &pending);
        l->returned -= pending ? 1 : 0;
        l->pending += pending ? 1 : 0;
    }
    return true;
}

char *record_log_copy(const assay_recorder *r, size_t *size)
{
    enum { TRIES = 100 };
    *size = assay_record_log_size(r);
    char *copy = malloc(*size);
    for (unsigned i = 0; copy && i < TRIES; i++) {
        memcpy(copy, r->log, *size);
        if (memcmp(copy, r->log, *size) == 0)
            return copy;
    }
    free(copy);
    return NULL;
}

void record_log_wipe(const assay_recorder *r)
{
    memset(r->log + ASSAY_RECORD_HEAD, 0, assay_record_log_size(r) - ASSAY_RECORD_HEAD);
}

void record_log_release(struct record_log *l)
{
    assay_recorder *r = &l->recorder;
    for (unsigned i = 0; r->tapes && i < r->threads; i++) {
        if (r->tapes[i])
            free(r->tapes[i]->chunks);
        free(r->tapes[i]);
    }
    free(r->tapes);
    r->tapes = NULL;
}
