/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of a set, described in docs/guides/formats.md: a thread invokes a method or returns.
 *
 *     1 invokes add 5
 *     1 returns true */
#include "format/format.h"
#include "format/log_calls.h"
#include "format/recognise.h"

struct parser {
    struct cursor c;
    struct calls calls;
};

static bool is(const char *word, size_t length, const char *text)
{
    return length == strlen(text) && memcmp(word, text, length) == 0;
}

static struct value value(struct parser *s, const char *what)
{
    struct value v;
    const char *expected;
    skip_space(&s->c);
    if (at_end(&s->c) || !token_value(s->calls.h, &s->c.p, s->c.line.end, &v, &expected))
        FAULT(&s->c, s->c.p, "expected %s", what);
    return v;
}

static void invokes(struct parser *s, uint32_t process, struct place at)
{
    size_t length;
    skip_space(&s->c);
    const char *method = word(&s->c, &length);
    if (!is(method, length, "add") && !is(method, length, "remove") && !is(method, length, "contains"))
        FAULT(&s->c, method, "expected a method: add, remove or contains");
    struct value element = value(s, "an element");
    struct call *call = calls_begin(&s->calls, process, calls_time(&s->calls, NULL, at), at);
    call->method = history_name(s->calls.h, method, length);
    calls_arguments(&s->calls, call, &(struct arguments){&element, 1, 1});
}

static void returns(struct parser *s, uint32_t process, struct place at)
{
    size_t length;
    skip_space(&s->c);
    const char *result = word(&s->c, &length);
    if (!is(result, length, "true") && !is(result, length, "false"))
        FAULT(&s->c, result, "expected true or false");
    int64_t time = calls_time(&s->calls, NULL, at);
    struct call *call = calls_end(&s->calls, process, at);
    call->state = CALL_RETURNED;
    call->returned = time;
    call->result = (struct value){history_name(s->calls.h, result, length), ASSAY_WORD};
}

static void log_line(struct parser *s)
{
    size_t length, verb_length;
    const char *thread = word(&s->c, &length);
    if (!length)
        FAULT_REMEDY(&s->c, s->c.p, "as in `1 invokes add 5` and `1 returns true`", "expected a thread");
    skip_space(&s->c);
    const char *verb = word(&s->c, &verb_length);
    struct place at = place_of(&s->c, thread);
    if (is(verb, verb_length, "invokes"))
        invokes(s, calls_process(&s->calls, thread, length), at);
    else if (is(verb, verb_length, "returns"))
        returns(s, calls_process(&s->calls, thread, length), at);
    else
        FAULT(&s->c, verb, "expected `invokes` or `returns`");
    cursor_expect_end(&s->c, "");
}

static bool read_set_log(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, out);
    history *h = *out;
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings}, .calls = {.h = h}};
    s.calls.c = &s.c;
    history_header(h, "object", 6, "set", 3, 0, 0, e);
    while (cursor_whole_line(&s.c)) {
        skip_space(&s.c);
        if (!at_end(&s.c)) {
            log_line(&s);
            calls_line(&s.calls);
        }
        cursor_end_line(&s.c, h);
    }
    calls_build(&s.calls);
    return h->n > 0;
}

static int recognise_set_log(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '#');
    while (p < end && token_is_word_char((unsigned char)*p))
        p++;
    p = recognise_blank(p, end);
    return recognise_here(p, end, "invokes ") || recognise_here(p, end, "invokes\t") ? 90 : 0;
}

const struct format format_set_log = {
    .name = "set-log",
    .title = "logs of a set: who invokes what, and what it returns",
    .extensions = (const char *const[]){".log", NULL},
    .recognise = recognise_set_log,
    .read = read_set_log,
};
