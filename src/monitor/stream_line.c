/* SPDX-License-Identifier: Apache-2.0 */
/* Any line of a stream: events of .hist and of JSON Lines, headers, comments, borders; and the faults of lines. */
#include "monitor/feed.h"

#include "base/error.h"
#include "format/hist_operation.h"
#include "format/hist_text.h"
#include "format/jsonl_line.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NAMES = 1 << 20 }; /* bytes of names of lines, before they are thrown away */

/* ---- events ---- */

static void refuse_list(struct cursor *c, const char *at, struct value v)
{
    if (v.kind == ASSAY_LIST)
        FAULT_REMEDY(c, at, "record it, and use `assay check`", "a monitor does not follow values that are lists");
}

/* A value of the line with the stream's own number. */
static struct value own(struct feed *f, struct value v)
{
    if (kind_is_text(v.kind)) {
        const struct name *name = &f->names->names.all.at[v.bits];
        v.bits = symbols_put(&f->m->symbols, name->text, name->length);
    }
    return v;
}

static void call(struct feed *f, struct cursor *c, const char *id, struct new_op *op)
{
    struct monitor *m = f->m;
    const struct name *all = f->names->names.all.at, *method = &all[op->method];
    uint32_t open = slots_find(&m->slots, f->id);
    if (open != ID_NONE && !monitor_lets_die(m))
        FAULT_REMEDY(c, id, "if its caller died, write `return ?` before it, or start with --abandon N",
                     "a second call of this id; its call in line %" PRIu64 " has not returned",
                     m->slots.all.at[open].line);
    if (op->arity > UINT8_MAX)
        FAULT(c, id, "more than %d arguments", UINT8_MAX);
    for (uint32_t i = 0; i < op->arity; i++)
        refuse_list(c, id, op->args[i]);
    struct first_call first = {.method = method->text,
                               .method_length = method->length,
                               .args = f->args,
                               .arity = op->arity,
                               .column = op->column};
    if (op->object != ID_NONE) {
        first.object = all[op->object].text;
        first.object_length = all[op->object].length;
    }
    for (uint32_t i = 0; i < op->arity; i++)
        f->args[i] = own(f, op->args[i]);
    uint32_t watch = monitor_watch(m, &first, c->e);
    if (watch == ID_NONE)
        cursor_fault(c, c->line.at + op->column - 1);
    struct watch *w = &m->watches.at[watch];
    const assay_method *known = watch_method(w, id_of(method->text, method->length));
    if (!known || !monitor_fits_call(m, w, known, f->args, op->arity)) {
        monitor_refusal(m, w, known, f->args, op->arity, false, (struct value){0}, c->e);
        cursor_fault(c, c->line.at + op->column - 1);
    }
    if (open != ID_NONE)
        monitor_died(m, open);
    if (!m->stopped)
        monitor_call(m, f->id, watch, known, f->args, op->arity);
}

/* The return of a call whose caller died; `at` is where its line says so. */
static void died(struct feed *f, struct cursor *c, const char *at)
{
    struct monitor *m = f->m;
    uint32_t slot = slots_find(&m->slots, f->id);
    if (slot == ID_NONE && monitor_returns_late(m, f->id))
        return;
    if (slot == ID_NONE && m->attach)
        monitor_return_from_before(m);
    else if (slot == ID_NONE)
        FAULT(c, at, "a return of this id without a call");
    else
        monitor_died_event(m, slot);
}

/* The result has the stream's own number. */
static void returned(struct feed *f, struct cursor *c, const char *id, struct value result)
{
    struct monitor *m = f->m;
    uint32_t slot = slots_find(&m->slots, f->id);
    if (slot == ID_NONE && monitor_returns_late(m, f->id))
        return;
    if (slot == ID_NONE && m->attach) {
        monitor_return_from_before(m);
        return;
    }
    if (slot == ID_NONE)
        FAULT(c, id, "a return of this id without a call");
    if (!monitor_fits_result(m, slot, result)) {
        const struct open_call *o = &m->slots.all.at[slot];
        monitor_refusal(m, &m->watches.at[o->watch], o->method, o->args.at, o->args.n, true, result, c->e);
        cursor_fault(c, id);
    }
    monitor_return(m, slot, result);
}

/* ---- transactions ---- */

/* `alice: txn(r x 1, w y 2) @ 10..18` */
static void transaction_line(struct feed *f, struct cursor *c)
{
    size_t length;
    const char *name = word(c, &length);
    skip_space(c);
    if (!length || *c->p != ':')
        FAULT_REMEDY(c, length ? c->p : name, "one transaction a line, as in `alice: txn(r x 1, w y 2) @ 10..18`",
                     "expected `session: txn(...)`");
    c->p++;
    struct arguments args = {0};
    uint32_t op = hist_operation(c, f->names, &args, name, length);
    vec_free(&f->names->mem, &args);
    if (!isolation_take(&f->m->isolation, f->names, op, c->e))
        cursor_fault(c, name);
}

/* `# @ended alice`, a comment to other readers. */
static bool ended_line(struct feed *f, struct cursor *c, const char *key, size_t length)
{
    if (!f->m->isolation.model || length != 5 || memcmp(key, "ended", 5) != 0)
        return false;
    skip_space(c);
    const char *name = word(c, &length);
    if (!length)
        FAULT(c, c->p, "expected a session, as in `# @ended alice`");
    if (!isolation_end_session(&f->m->isolation, name, length, c->e))
        cursor_fault(c, name);
    return true;
}

/* ---- headers ---- */

static void header_is_late(struct feed *f, struct cursor *c, const char *at)
{
    if (f->m->begun)
        FAULT_REMEDY(c, at, "move it up, or start a new history with a line ---",
                     "header lines stand before the first event");
}

static void header(struct feed *f, struct cursor *c, const char *key, size_t key_length, const char *text,
                   size_t length, uint64_t column)
{
    if (!monitor_header(f->m, key, key_length, text, length, column, c->e))
        cursor_fault(c, c->p);
}

/* ---- .hist ---- */

/* Without brackets, `[1] call pop` and a bare return say that there was nothing to find. While no call has any, it is
 * not known whether there are brackets. But with them such a return would be malformed. */
static struct value or_nothing(const struct feed *f, struct value result)
{
    const struct monitor *m = f->m;
    uint32_t slot = slots_find(&m->slots, f->id);
    const struct open_call *o = slot == ID_NONE ? NULL : &m->slots.all.at[slot];
    bool nothing = o && o->watch != ID_NONE && !o->args.n && result.kind == ASSAY_NONE &&
                   m->notation != NOTATION_BRACKETS && method_may_find_nothing(o->method);
    return nothing ? (struct value){ONLINE_EMPTY, ASSAY_WORD} : result;
}

/* The rest of an event's line. The order of the lines counts, and the time is for reports. */
static void event_time(struct feed *f, struct cursor *c, const char *expected)
{
    f->m->times.given = hist_event_time(c, &f->m->times.next);
    cursor_expect_end(c, expected);
}

static void hist_event_line(struct feed *f, struct cursor *c)
{
    struct new_op op = {0};
    struct hist_event event = hist_event(c);
    f->id = id_of(event.id, event.length);
    f->is_call = event.is_call;
    if (!event.is_call && hist_is_unknown(c)) {
        event_time(f, c, "`@ time`");
        died(f, c, event.id);
        return;
    }
    if (!event.is_call) {
        struct value result = hist_result(c, f->names);
        event_time(f, c, "a result, `@ time`");
        refuse_list(c, event.id, result);
        returned(f, c, event.id, or_nothing(f, own(f, result)));
        return;
    }
    struct arguments args = {0};
    hist_call(c, f->names, &args, &op);
    bool brackets = c->p[-1] == ')';
    if (hist_bare_arguments(c, f->names, &args, &op))
        f->m->notation = NOTATION_BARE;
    else if (brackets && f->m->notation == NOTATION_OPEN)
        f->m->notation = NOTATION_BRACKETS;
    event_time(f, c, "`(arguments)`, `@ time`");
    call(f, c, event.id, &op);
    vec_free(&f->names->mem, &args);
}

/* `@key text`, perhaps in a comment; the cursor is behind the @. */
static void hist_header_line(struct feed *f, struct cursor *c, bool comment)
{
    const char *at = c->p - 1;
    size_t length;
    const char *key = word(c, &length);
    if (comment && ended_line(f, c, key, length))
        return;
    if (comment && f->m->begun && !history_header_known(key, length))
        return; /* after the first event it is only a comment */
    header_is_late(f, c, at);
    if (!length)
        FAULT(c, c->p, "expected a key, as in `# @object queue`");
    size_t text_length = hist_header_text(c);
    header(f, c, key, length, c->p, text_length, (uint64_t)(c->p - c->line.at) + 1);
}

static void hist_line(struct feed *f, struct cursor *c)
{
    bool comment = *c->p == '#';
    if (comment) {
        c->p++;
        skip_space(c);
    }
    if (*c->p == '@') {
        c->p++;
        hist_header_line(f, c, comment);
    } else if (!comment && hist_is_separator(c)) {
        monitor_end_history(f->m);
    } else if (!comment && f->m->isolation.model) {
        transaction_line(f, c);
    } else if (!comment && *c->p == '[') {
        hist_event_line(f, c);
    } else if (!comment) {
        FAULT_REMEDY(c, c->p, "one event a line, as in `[1] call push(5)`; --lenient skips other lines",
                     "expected `[id] call` or `[id] return`");
    }
}

/* ---- JSON Lines ---- */

/* The id of the event: a thread's name, or the number of an operation. */
static const char *jsonl_id(struct feed *f, struct jsonl_line *s)
{
    jsonl_need(s, FIELD_THREAD, "a \"thread\" or an \"id\"");
    jsonl_go_to(s, FIELD_THREAD);
    uint32_t thread = jsonl_name(s, "a thread", true);
    const struct name *name = &f->names->names.all.at[thread];
    f->id = id_of(name->text, name->length);
    return s->at[FIELD_THREAD];
}

static void jsonl_time(struct feed *f, struct jsonl_line *s)
{
    f->m->times.given = s->at[FIELD_TIME];
    if (s->at[FIELD_TIME])
        f->m->times.next = jsonl_integer(s, FIELD_TIME, "a time");
}

static void jsonl_line(struct feed *f, struct cursor *c)
{
    struct jsonl_line s = {.c = *c, .h = f->names};
    struct new_op op = {0};
    jsonl_fields(&s);
    switch (jsonl_type(&s)) {
    case TYPE_CALL: {
        const char *id = jsonl_id(f, &s);
        f->is_call = true;
        jsonl_time(f, &s);
        jsonl_call(&s, &op);
        call(f, &s.c, id, &op);
        vec_free(&f->names->mem, &s.args);
        break;
    }
    case TYPE_RETURN: {
        const char *id = jsonl_id(f, &s);
        f->is_call = false;
        jsonl_time(f, &s);
        if (jsonl_is_pending(&s)) {
            died(f, &s.c, id);
            break;
        }
        struct value result = jsonl_result(&s);
        refuse_list(&s.c, id, result);
        returned(f, &s.c, id, own(f, result));
        break;
    }
    case TYPE_HEADER: {
        header_is_late(f, c, c->p);
        struct jsonl_header h = jsonl_header(&s);
        header(f, &s.c, h.key, h.key_length, h.text, h.length, h.column);
        break;
    }
    case TYPE_HISTORY: monitor_end_history(f->m); break;
    default:
        FAULT_REMEDY(c, c->p, "a monitor reads events: {\"type\":\"call\",...} and {\"type\":\"return\",...}",
                     "expected a call, a return, a header or the border of a history");
    }
}

/* ---- lines ---- */

static void parse(void *arg)
{
    struct feed *f = arg;
    const char *at = f->line.at, *end = f->line.at + f->line.n;
    struct cursor c = {.in = f->in, .e = &f->fault, .warnings = &f->warnings, .line = {at, end, f->m->line}};
    cursor_begin(&c);
    skip_space(&c);
    if (c.p == end)
        return;
    if (*c.p == '{' && !f->m->isolation.model)
        jsonl_line(f, &c);
    else
        hist_line(f, &c);
    cursor_end_line(&c, f->names);
}

void line_warn(struct feed *f)
{
    struct warnings *w = &f->warnings;
    for (uint32_t i = 0; i < w->all.n && f->m->on_warning; i++)
        f->m->on_warning(f->m->context, w->all.at[i]);
    mem_release(&w->mem);
    *w = (struct warnings){.number_like = w->number_like};
}

/* The call whose line is skipped is not followed; the one whose return is skipped cannot be judged. */
static void skip_event(struct feed *f)
{
    uint32_t open = slots_find(&f->m->slots, f->id);
    if (f->is_call)
        monitor_ignore_call(f->m, f->id);
    else if (open != ID_NONE)
        monitor_lose(f->m, open);
}

void line_fault(struct feed *f)
{
    if (!f->m->lenient || f->fault.code != ASSAY_ERROR_INPUT)
        escape_raise(ESCAPE_ERROR);
    f->m->stats.malformed++;
    if (f->m->on_malformed)
        f->m->on_malformed(f->m->context, &f->fault);
    f->fault = (assay_error){0};
}

void line_read(struct feed *f, const char *at, size_t n)
{
    if (n && at[n - 1] == '\r')
        n--;
    if (!f->names || f->names->mem.used > MOST_NAMES) {
        history_free(f->names);
        f->names = NULL;
        f->names = history_new();
    }
    f->line.n = 0;
    text_add(&f->line, at, n);
    f->id.length = 0;
    f->m->times.given = false;
    f->names->number_like = NULL;
    enum escape left = escape_run(parse, f);
    if (f->warnings.all.n)
        line_warn(f);
    if (left == ESCAPE_NONE)
        return;
    if (left != ESCAPE_ERROR)
        escape_raise(left);
    if (f->m->isolation.model) {
        if (!f->fault.code) /* it was noticed in the window */
            error_copy(&f->fault, &f->m->isolation.fault);
        history_free(f->names); /* it may have half an operation */
        f->names = NULL;
        if (f->m->isolation.fault.code)
            escape_raise(ESCAPE_ERROR);
    }
    line_fault(f);
    if (f->id.length)
        skip_event(f);
}
