/* SPDX-License-Identifier: Apache-2.0 */
/* The native format .hist, described in docs/guides/formats.md: one operation a line, or call and return events.
 *
 * There is one pass, without look-ahead. A line is parsed where it lies in the input's buffer and appended to the
 * history's columns, so memory beyond the columns stays constant. Some faults show only at the end of a history
 * (knowledge of operations that do not exist), and are found there. */
#include "format/entries.h"
#include "format/format.h"
#include "format/hist_line.h"
#include "format/hist_plain.h"
#include "format/recognise.h"

/* The next line that is not plain. */
static bool next_line(struct entries *s, struct plain_lines *plain)
{
    if (s->form != FORM_UNKNOWN && !s->clock.timed)
        hist_plain_lines(plain, s->form == FORM_OPERATIONS ? PLAIN_OPERATIONS : PLAIN_EVENTS, &s->clock.events);
    return cursor_whole_line(&s->c);
}

static bool read_hist(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct entries s;
    entries_begin(&s, in, h, warnings, e);
    struct plain_lines plain = {.in = in, .h = s.h};
    bool inside = true, more = false;
    while (inside && (more = next_line(&s, &plain))) {
        hist_line(&s.c, s.h, &s.entry);
        inside = entries_take(&s);
    }
    plain_end(&plain);
    entries_end(&s);
    return more || entries_any(&s);
}

/* ---- writing ---- */

static void write_op(const history *h, uint32_t o, bool line, struct text *t)
{
    token_print_op(t, h, o);
    if (h->call) {
        text_puts(t, " @ ");
        text_int(t, h->call[o]);
        text_puts(t, "..");
        if (!history_pending(h, o))
            text_int(t, h->ret[o]);
    } else if (h->after_at) {
        text_puts(t, " @ after");
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++) {
            text_char(t, ' ');
            text_puts(t, history_text(h, h->threads.at[h->after.at[i].thread].name));
            text_char(t, ':');
            text_int(t, h->after.at[i].count);
        }
    }
    if (line && history_line(h, o)) {
        text_puts(t, "  # line ");
        text_int(t, history_line(h, o));
    }
    text_char(t, '\n');
}

/* hist:lines names the line that each operation was read from. */
static void write_hist(const history *h, const struct writing *w)
{
    struct text t = text_in(w->mem);
    FILE *out = w->out;
    if (w->index)
        fputs("---\n", out);
    for (uint32_t i = 0; i < h->headers.n; i++)
        fprintf(out, "# @%s %s\n", history_text(h, h->headers.at[i].key), h->headers.at[i].text);
    for (uint32_t o = 0; o < h->n; o++) {
        t.n = 0;
        write_op(h, o, w->variant, &t);
        fwrite(t.at, 1, t.n, out);
    }
}

/* ---- recognising ---- */

/* `[id] call`, `[id] return`, `thread: method`, or a header line. */
static bool is_hist_line(const char *p, const char *end)
{
    if (*p == '@')
        return true;
    const char *id = *p == '[' ? p + 1 : p, *behind = id;
    while (behind < end && token_is_word_char((unsigned char)*behind))
        behind++;
    if (behind == id || behind == end)
        return false;
    if (id > p)
        return recognise_here(behind, end, "] call ") || recognise_here(behind, end, "] return");
    p = recognise_here(behind, end, ":");
    p = p ? recognise_blank(p, end) : end;
    const char *method = p;
    while (p < end && token_is_word_char((unsigned char)*p))
        p++;
    return p > method && p < end && (*p == '(' || *p == '\n' || *p == '\r');
}

/* A file that no other format claims is taken for the native format. */
static int recognise_hist(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '#');
    return (p < end && is_hist_line(p, end)) || recognise_find(bytes, end, "# @object ") ? 30 : 1;
}

const struct format format_hist = {
    .name = "hist",
    .title = "the native text format",
    .extensions = (const char *const[]){".hist", NULL},
    .variants = (const char *const[]){"lines", NULL},
    .recognise = recognise_hist,
    .read = read_hist,
    .write = write_hist,
};
