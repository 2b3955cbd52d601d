/* SPDX-License-Identifier: Apache-2.0 */
#include "format/entries.h"

#include "history/blocks.h"
#include "spec/spec.h"

#include <inttypes.h>

static const char *border(const struct entry *e)
{
    return e->json ? "{\"type\":\"history\"}" : "---";
}

/* ---- operations ---- */

static _Noreturn void no_interval(struct cursor *c, const struct entry *e)
{
    FAULT(c, e->times_at, "expected %s, as in the lines before",
          e->json         ? "the times \"call\" and \"return\""
          : e->op.pending ? "the time of the call, `@ 130..`"
                          : "a time interval `@ call..return`");
}

static void interval(struct cursor *c, history *h, const struct entry *e, uint32_t op, uint32_t previous)
{
    if (h->after_at)
        FAULT(c, e->times_at, "expected `after`, as in the lines before: times and knowledge cannot be mixed");
    if (op > 0 && !h->call)
        FAULT(c, e->times_at, "a time interval here, but none in the lines before: all operations have one, or none");
    if (e->returned < e->called)
        FAULT(c, e->returned_at, "the return is before the call");
    if (previous != ID_NONE && e->called < history_known_until(h, previous))
        FAULT_REMEDY(c, e->called_at, "a thread does one operation at a time; use two threads",
                     "the call is earlier than the thread's previous return (%" PRId64 ", line %u)",
                     history_known_until(h, previous), history_line(h, previous));
    history_set_times(h, op, e->called, e->returned);
}

static void knowledge(struct cursor *c, history *h, const struct entry *e, uint32_t op)
{
    if (h->call)
        no_interval(c, e);
    history_begin_after(h);
    for (uint32_t i = 0; i < e->known.n; i++)
        history_add_after(
            h, op, (struct after){.thread = history_thread(h, e->known.at[i].name), .count = e->known.at[i].count});
}

uint32_t entry_operation(struct cursor *c, history *h, struct entry *e)
{
    e->op.thread = history_thread(h, e->name);
    uint32_t previous = h->threads.at[e->op.thread].last, open = history_open_call(h, e->op.thread);
    if (open != ID_NONE && !blocks_go_on(h, open, e->op.method))
        FAULT_REMEDY(c, e->at, "give what follows to another thread",
                     "this thread goes on after its operation in line %u, which never returned", history_line(h, open));
    uint32_t row = history_append(h, &e->op);
    if (e->times == TIMES_INTERVAL)
        interval(c, h, e, row, previous);
    else if (e->times == TIMES_KNOWLEDGE)
        knowledge(c, h, e, row);
    else if (h->call)
        no_interval(c, e);
    return row;
}

/* ---- events ---- */

void entry_second_call(struct cursor *c, const struct entry *e, uint64_t line, const char *or_else)
{
    error_set(c->e, ASSAY_ERROR_INPUT, "a second call of this id; its call in line %" PRIu64 " has not returned", line);
    error_remedy(c->e, "if its caller died, write %s before it%s",
                 e->json ? "a return with \"pending\":true" : "`return ?`", or_else);
    cursor_fault(c, e->at);
}

void entry_no_call(struct cursor *c, const struct entry *e)
{
    FAULT(c, e->at, "a return of this id without a call");
}

static int64_t event_time(struct entries *s)
{
    const struct entry *e = &s->entry;
    return calls_time(&s->clock, e->times == TIMES_EVENT ? &e->called : NULL, place_of(&s->c, e->times_at));
}

static uint32_t call(struct entries *s)
{
    history *h = s->h;
    struct entry *e = &s->entry;
    uint32_t t = e->op.thread = history_thread(h, e->name), open = history_open_call(h, t);
    if (open != ID_NONE)
        entry_second_call(&s->c, e, history_line(h, open), "");
    if (h->ids == IDS_OPERATION && h->threads.at[t].count)
        FAULT_REMEDY(&s->c, e->at, "say `# @ids thread` if ids are threads",
                     "this id was used before, but the header says that each operation has its own");
    s->bare |= e->notation == NOTATION_BARE;
    int64_t time = event_time(s);
    e->op.pending = true;
    uint32_t row = history_append(h, &e->op);
    history_set_times(h, row, time, INT64_MAX);
    return row;
}

/* The operation that the line may go on to change, or ID_NONE. */
static uint32_t returned(struct entries *s)
{
    const struct entry *e = &s->entry;
    uint32_t open = history_open_call(s->h, history_thread(s->h, e->name));
    if (open == ID_NONE)
        entry_no_call(&s->c, e);
    int64_t time = event_time(s);
    if (e->op.pending)
        history_part(s->h, open);
    else
        history_return(s->h, open, e->op.result, time);
    return open;
}

/* In the dialect without brackets a bare return says that there was nothing to find. */
static void find_nothing(struct entries *s)
{
    history *h = s->h;
    for (uint32_t op = 0; s->bare && op < h->n; op++)
        if (!history_arity(h, op) && !history_pending(h, op) && history_result(h, op).kind == ASSAY_NONE &&
            spec_may_find_nothing(history_text(h, h->method[op])))
            history_return(h, op, (struct value){history_name(h, "empty", 5), ASSAY_WORD}, h->ret[op]);
}

/* ---- headers ---- */

void entry_header(struct cursor *c, history *h, const struct entry *e)
{
    if (e->begun) {
        error_set(c->e, ASSAY_ERROR_INPUT, "header lines stand before the first operation");
        error_remedy(c->e, "move it up, or start a new history with a line %s", border(e));
        cursor_fault(c, e->at);
    }
    if (!history_header_known(e->key, e->key_length))
        warn(c->warnings,
             "%s:%" PRIu64 ": unknown header @%.*s is kept and ignored "
             "(known are object, init, final, ids, po, clock, nodes)",
             input_name(c->in), c->line.number, (int)(e->key_length < 40 ? e->key_length : 40), e->key);
    uint64_t column = (uint64_t)(e->text_at - c->line.at) + 1 + e->json; /* behind a quotation mark */
    if (!history_header(h, e->key, e->key_length, e->text, e->text_length, c->line.number, column, c->e))
        cursor_fault(c, e->text_at);
}

/* ---- all entries ---- */

static void known_form(struct entries *s, enum form form)
{
    if (s->form != FORM_UNKNOWN && s->form != form) {
        error_set(s->c.e, ASSAY_ERROR_INPUT, "operation lines and call/return events cannot be mixed in one history");
        error_remedy(s->c.e, "separate histories with a line %s", border(&s->entry));
        cursor_fault(&s->c, s->entry.start);
    }
    s->form = form;
    s->entry.begun = true;
}

void entries_begin(struct entries *s, struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    static const struct entry_forms forms = {true, true, "`thread: operation`, `[id] call` or `[id] return`",
                                             "one operation a line, as in `t0: write(x, 1)`; -f names another format"};
    input_begin_history(in, h);
    *s = (struct entries){.c = {.in = in, .e = e, .warnings = warnings}, .h = *h, .entry.forms = &forms};
    s->clock = (struct calls){.c = &s->c, .h = s->h};
}

bool entries_take(struct entries *s)
{
    struct entry *e = &s->entry;
    uint32_t op = ID_NONE;
    switch (e->kind) {
    case ENTRY_NOTHING: break;
    case ENTRY_BORDER: return !entries_any(s);
    case ENTRY_HEADER: entry_header(&s->c, s->h, e); break;
    case ENTRY_OPERATION:
        known_form(s, FORM_OPERATIONS);
        op = entry_operation(&s->c, s->h, e);
        break;
    case ENTRY_CALL:
        known_form(s, FORM_EVENTS);
        op = call(s);
        break;
    case ENTRY_RETURN:
        known_form(s, FORM_EVENTS);
        op = returned(s);
        break;
    }
    if (s->c.open_end && e->kind != ENTRY_NOTHING && !(e->kind == ENTRY_RETURN && e->op.pending))
        cursor_may_go_on(&s->c, s->h, e->doubt, s->form == FORM_EVENTS, op);
    cursor_end_line(&s->c, s->h);
    return true;
}

void entries_end(struct entries *s)
{
    vec_free(&s->h->mem, &s->entry.args);
    vec_free(&s->h->mem, &s->entry.known);
    find_nothing(s);
    history_check_knowledge(s->h, s->c.e);
}

bool entries_any(const struct entries *s)
{
    return s->h->n || s->h->headers.n;
}
