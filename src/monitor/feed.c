/* SPDX-License-Identifier: Apache-2.0 */
/* The plain lines of a stream. Nothing is changed before the whole line is known to be a call or return that the object
 * can have. */
#include "monitor/feed.h"

#include "base/error.h"
#include "base/json.h"
#include "format/hist_plain.h"

#include <inttypes.h>
#include <string.h>

/* ---- plain lines ---- */

enum { WORD_BITS = 6 };

/* Of words that begin like numbers is warned. */
static bool learn_word(void *symbols, const char *p, size_t length, uint32_t id[2])
{
    if (token_begins_like_number(p, p + length))
        return false;
    id[0] = symbols_put(symbols, p, length);
    return true;
}

/* A sweep may have given the numbers of words to others. */
static void renew_words(struct feed *f)
{
    struct monitor *m = f->m;
    mem_free(&m->mem, f->words.known.at);
    f->words.known.at = NULL;
    f->words = plain_words_of(&m->symbols, learn_word, &m->mem, WORD_BITS);
    f->sweeps = m->symbols.sweeps;
}

static inline struct id id_of_token(const struct plain_token *t)
{
    if (t->length > ID_PACKED)
        return id_of(t->at, t->length);
    return (struct id){__builtin_bswap64(t->key.low) >> (64 - 8 * t->length), t->at, t->length};
}

/* `enq(5)`; its name has been read. */
static bool call(struct feed *f, struct id id, const struct plain_token *name, struct plain *l)
{
    struct monitor *m = f->m;
    if (m->single == ID_NONE || !plain_is_word(id.text, id.length))
        return false;
    struct watch *w = &m->watches.at[m->single];
    const assay_method *method = watch_method(w, id_of_token(name));
    bool brackets = *l->p == '(';
    if (!method || !hist_plain_arguments(&f->words, l) || !plain_line_end(l) ||
        !monitor_fits_call(m, w, method, l->args, l->op.arity) || slots_find(&m->slots, id) != ID_NONE)
        return false;
    if (brackets && m->notation == NOTATION_OPEN)
        m->notation = NOTATION_BRACKETS;
    monitor_call(m, id, m->single, method, l->args, l->op.arity);
    return true;
}

static bool returned(struct feed *f, struct id id, struct plain *l)
{
    struct monitor *m = f->m;
    struct value v;
    uint32_t slot = hist_plain_result(&f->words, l, &v) ? slots_find(&m->slots, id) : ID_NONE;
    if (slot == ID_NONE || !monitor_fits_result(m, slot, v))
        return false;
    monitor_return(m, slot, v);
    return true;
}

/* Behind the line, or NULL: it is not plain, and nothing has been done. */
static const char *plain_line(struct feed *f, const char *p)
{
    struct plain l;
    struct hist_plain_event e;
    l.p = p;
    l.op.arity = 0; /* no more of it is needed */
    if (!hist_plain_event(&l, &e))
        return NULL;
    struct id id = id_of_token(&e.id);
    return (e.is_call ? call(f, id, &e.method, &l) : returned(f, id, &l)) ? l.p : NULL;
}

/* ---- lines ---- */

static void too_long(struct feed *f)
{
    error_set(&f->fault, ASSAY_ERROR_INPUT, "the line is longer than %d MiB", INPUT_LONGEST_LINE / 1024 / 1024);
    error_remedy(&f->fault, "is this a text with one event a line?");
    error_place(&f->fault, input_name(f->in), f->m->line, 1);
    line_fault(f);
}

static const char *any_line(struct feed *f, const char *p, const char *end)
{
    const char *feed = memchr(p, '\n', (size_t)(end - p));
    if (feed - p > INPUT_LONGEST_LINE)
        too_long(f);
    else
        line_read(f, p, (size_t)(feed - p));
    return feed + 1;
}

/* Lines, up to `end`, behind a line feed; INPUT_BEHIND bytes can be read there. */
static void lines(struct feed *f, const char *p, const char *end)
{
    struct monitor *m = f->m;
    while (p < end && !m->stopped) {
        m->line++;
        if (f->sweeps != m->symbols.sweeps)
            renew_words(f);
        const char *next = plain_line(f, p);
        p = next ? next : any_line(f, p, end);
    }
}

/* Takes that many bytes of lines, and keeps the rest; drops it if a line escapes. */
static void take_lines(struct feed *f, size_t whole)
{
    static const char nothing[INPUT_BEHIND];
    text_add(&f->begun, nothing, sizeof nothing);
    size_t rest = f->begun.n - sizeof nothing - whole;
    f->begun.n = 0;
    lines(f, f->begun.at, f->begun.at + whole);
    memmove(f->begun.at, f->begun.at + whole, rest);
    f->begun.n = f->m->stopped ? 0 : rest;
    f->begun.at[f->begun.n] = '\0';
}

/* The rest of a line that is too long is skipped. */
static void skip_line(struct feed *f)
{
    if (f->begun.n <= INPUT_LONGEST_LINE)
        return;
    mem_free(f->begun.mem, f->begun.at);
    f->begun = text_in(f->begun.mem);
    f->skipping = true;
    f->m->line++;
    too_long(f);
}

static const char *behind_last_line(const char *p, const char *end)
{
    while (end > p && end[-1] != '\n')
        end--;
    return end;
}

/* Bytes that are not read where they are. */
static void keep(struct feed *f, const char *p, const char *end)
{
    const char *behind = behind_last_line(p, end);
    size_t before = f->begun.n;
    text_add(&f->begun, p, (size_t)(end - p));
    if (behind > p)
        take_lines(f, before + (size_t)(behind - p));
    skip_line(f);
}

/* Takes the rest of the line that has begun, or is skipped. Returns what is behind. */
static const char *end_line(struct feed *f, const char *p, const char *end)
{
    const char *feed = memchr(p, '\n', (size_t)(end - p)), *behind = feed ? feed + 1 : end;
    if (!f->skipping)
        keep(f, p, behind);
    else
        f->skipping = !feed;
    return behind;
}

static void feed_piece(struct feed *f, const char *p, const char *end)
{
    if (f->begun.n || f->skipping)
        p = end_line(f, p, end);
    if (end - p > INPUT_BEHIND) {
        const char *behind = behind_last_line(p, end - INPUT_BEHIND);
        lines(f, p, behind);
        p = behind;
    }
    if (p < end && !f->m->stopped)
        keep(f, p, end);
}

void feed_bytes(struct feed *f, const char *bytes, size_t n)
{
    enum { PIECE = 64 * 1024 };
    for (size_t piece; n && !f->m->stopped; bytes += piece, n -= piece) {
        piece = n < PIECE ? n : PIECE;
        feed_piece(f, bytes, bytes + piece);
    }
}

/* ---- the last line ---- */

/* A line without its end may be cut: `return 5` of `return 55`. An object of JSON that is closed is whole. So is one
 * with a fault before its end, which is then reported. */
static bool is_whole(struct feed *f)
{
    assay_error fault = {0};
    struct json json = {f->begun.at, f->begun.at, &fault};
    if (*json_peek(&json) != '{')
        return false;
    return (json_skip(&json) && json_end(&json)) || fault.column <= strlen(f->begun.at);
}

/* No event has come, and this is no text: the file is of another kind. Behind events a crash leaves zeros. */
static bool is_binary(struct feed *f)
{
    if (!f->begun.n || f->m->stats.events || !memchr(f->begun.at, '\0', f->begun.n))
        return false;
    error_set(&f->fault, ASSAY_ERROR_INPUT, "this is binary data: a monitor reads events as text, one a line");
    error_remedy(&f->fault, "`assay check` reads binary logs of Cobra and dbcop");
    error_place(&f->fault, input_name(f->in), f->m->line + 1, 1);
    line_fault(f);
    return true;
}

void feed_end(struct feed *f)
{
    const char *text = f->begun.n ? f->begun.at : "";
    bool blank = strspn(text, " \t\r") == f->begun.n;
    if (!blank && !f->m->stopped && !is_binary(f)) {
        if (is_whole(f)) {
            text_char(&f->begun, '\n');
            take_lines(f, f->begun.n);
        } else {
            warn(&f->warnings, "%s:%" PRIu64 ": the last line has no end and is dropped: the stream may be cut",
                 input_name(f->in), f->m->line + 1);
            line_warn(f);
        }
    }
    f->begun.n = 0;
}

void feed_free(struct feed *f)
{
    input_close(f->in);
    history_free(f->names);
    mem_release(&f->warnings.mem);
}
