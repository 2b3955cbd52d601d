/* SPDX-License-Identifier: Apache-2.0 */
/* Any line of a stream: its entry, as the reader of histories would read it, and whether the monitor can follow it. */
#include "monitor/feed.h"

#include "base/error.h"
#include "format/entries.h"
#include "format/hist_line.h"
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

static void call(struct feed *f, struct cursor *c, struct id id)
{
    struct monitor *m = f->m;
    const struct entry *e = &f->entry;
    const struct new_op *op = &e->op;
    const struct name *all = f->names->names.all.at, *method = &all[op->method];
    uint32_t open = slots_find(&m->slots, id);
    if (open != ID_NONE && !monitor_lets_die(m))
        entry_second_call(c, e, m->slots.all.at[open].line, ", or start with --abandon N");
    if (op->arity > UINT8_MAX)
        FAULT(c, e->at, "more than %d arguments", UINT8_MAX);
    for (uint32_t i = 0; i < op->arity; i++)
        refuse_list(c, e->at, op->args[i]);
    if (e->notation == NOTATION_BARE || m->notation == NOTATION_OPEN)
        m->notation = e->notation;
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
        monitor_call(m, id, watch, known, f->args, op->arity);
}

/* Without brackets, `[1] call pop` and a bare return say that there was nothing to find. While no call has any, it is
 * not known whether there are brackets. But with them such a return would be malformed. */
static struct value or_nothing(const struct monitor *m, const struct open_call *o, struct value result)
{
    bool nothing = o->watch != ID_NONE && !o->args.n && result.kind == ASSAY_NONE && m->notation != NOTATION_BRACKETS &&
                   method_may_find_nothing(o->method);
    return nothing ? (struct value){ONLINE_EMPTY, ASSAY_WORD} : result;
}

/* The call may be one that was given up, or from before the start. */
static void returned_alone(struct feed *f, struct cursor *c, struct id id)
{
    if (monitor_returns_late(f->m, id))
        return;
    if (!f->m->attach)
        entry_no_call(c, &f->entry);
    monitor_return_from_before(f->m);
}

static void returned(struct feed *f, struct cursor *c, struct id id)
{
    struct monitor *m = f->m;
    const struct entry *e = &f->entry;
    uint32_t slot = slots_find(&m->slots, id);
    refuse_list(c, e->at, e->op.result);
    if (slot == ID_NONE) {
        returned_alone(f, c, id);
        return;
    }
    if (e->op.pending) {
        monitor_died_event(m, slot);
        return;
    }
    const struct open_call *o = &m->slots.all.at[slot];
    struct value result = own(f, e->op.result);
    if (!e->json)
        result = or_nothing(m, o, result);
    if (!monitor_fits_result(m, slot, result)) {
        monitor_refusal(m, &m->watches.at[o->watch], o->method, o->args.at, o->args.n, true, result, c->e);
        cursor_fault(c, e->at);
    }
    monitor_return(m, slot, result);
}

static void event(struct feed *f, struct cursor *c)
{
    const struct name *name = &f->names->names.all.at[f->entry.name];
    struct id id = id_of(name->text, name->length);
    f->m->times.given = f->entry.times == TIMES_EVENT;
    f->m->times.next = f->entry.called;
    if (f->entry.kind == ENTRY_CALL)
        call(f, c, id);
    else
        returned(f, c, id);
}

/* ---- transactions ---- */

static void transaction(struct feed *f, struct cursor *c)
{
    uint32_t op = entry_operation(c, f->names, &f->entry);
    if (!isolation_take(&f->m->isolation, f->names, op, c->e))
        cursor_fault(c, f->entry.at);
}

/* `# @ended alice`, a comment to other readers. */
static bool ended(struct feed *f, struct cursor *c)
{
    const struct entry *e = &f->entry;
    if (!f->m->isolation.model || !e->comment || e->key_length != 5 || memcmp(e->key, "ended", 5) != 0)
        return false;
    size_t length;
    c->p = e->text_at;
    word(c, &length);
    if (!length)
        FAULT(c, e->text_at, "expected a session, as in `# @ended alice`");
    if (!isolation_end_session(&f->m->isolation, e->text_at, length, c->e))
        cursor_fault(c, e->text_at);
    return true;
}

/* ---- lines ---- */

static const struct entry_forms events = {
    .events = true,
    .expected = "`[id] call` or `[id] return`",
    .remedy = "one event a line, as in `[1] call push(5)`; --lenient skips other lines",
};

static const struct entry_forms transactions = {
    .operations = true,
    .expected = "`session: txn(...)`",
    .remedy = "one transaction a line, as in `alice: txn(r x 1, w y 2) @ 10..18`",
};

/* JSON Lines have no form that shows at first sight. */
static void refuse_form(struct cursor *c, const struct entry *e)
{
    bool operation = e->kind == ENTRY_OPERATION, event = e->kind == ENTRY_CALL || e->kind == ENTRY_RETURN;
    if (operation && !e->forms->operations)
        FAULT_REMEDY(c, e->start, "a monitor reads events: {\"type\":\"call\",...} and {\"type\":\"return\",...}",
                     "expected a call, a return, a header or the border of a history");
    if (event && !e->forms->events)
        FAULT_REMEDY(c, e->start, e->forms->remedy, "expected %s", e->forms->expected);
}

static void take_entry(struct feed *f, struct cursor *c)
{
    refuse_form(c, &f->entry);
    switch (f->entry.kind) {
    case ENTRY_OPERATION: transaction(f, c); break;
    case ENTRY_CALL:
    case ENTRY_RETURN: event(f, c); break;
    case ENTRY_HEADER:
        entry_header(c, f->m->head, &f->entry);
        cursor_end_line(c, f->m->head);
        break;
    case ENTRY_BORDER: monitor_end_history(f->m); break;
    case ENTRY_NOTHING: break;
    }
}

static void parse(void *arg)
{
    struct feed *f = arg;
    const char *at = f->line.at, *end = f->line.at + f->line.n;
    struct cursor c = {.in = f->in, .e = &f->fault, .warnings = &f->warnings, .line = {at, end, f->m->line}};
    f->entry.forms = f->m->isolation.model ? &transactions : &events;
    f->entry.begun = f->m->begun;
    cursor_begin(&c);
    skip_space(&c);
    if (*c.p == '{')
        jsonl_line(&c, f->names, &f->entry);
    else
        hist_line(&c, f->names, &f->entry);
    if (!ended(f, &c))
        take_entry(f, &c);
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
    const struct name *name = &f->names->names.all.at[f->entry.name];
    struct id id = id_of(name->text, name->length);
    uint32_t open = slots_find(&f->m->slots, id);
    if (f->entry.kind == ENTRY_CALL)
        monitor_ignore_call(f->m, id);
    else if (open != ID_NONE)
        monitor_lose(f->m, open);
}

/* The names of lines that have been read, with the room of their entries. */
static void forget_names(struct feed *f)
{
    history_free(f->names);
    f->names = NULL;
    f->entry = (struct entry){.name = ID_NONE};
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
        forget_names(f);
        f->names = history_new();
    }
    f->line.n = 0;
    text_add(&f->line, at, n);
    entry_begin(&f->entry, f->line.at);
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
        forget_names(f); /* they may have half an operation */
        if (f->m->isolation.fault.code)
            escape_raise(ESCAPE_ERROR);
    }
    line_fault(f);
    if (f->entry.name != ID_NONE && f->entry.kind != ENTRY_OPERATION)
        skip_event(f);
}
