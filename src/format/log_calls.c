/* SPDX-License-Identifier: Apache-2.0 */
#include "format/log_calls.h"

#include "history/blocks.h"

#include <inttypes.h>
#include <stdio.h>

static void clock_goes_backwards(struct calls *s, int64_t time, struct place at)
{
    if (!s->unordered && s->c->warnings)
        warn(s->c->warnings,
             "%s:%" PRIu64 ":%" PRIu64 ": the clock goes backwards: %" PRId64 " after %" PRId64
             "; the order of the events counts, not their times",
             input_name(s->c->in), at.line, at.column, time, s->clock);
    s->unordered = true;
}

int64_t calls_time(struct calls *s, const int64_t *given, struct place at)
{
    if (s->events++ == 0)
        s->timed = given != NULL;
    else if (s->timed && !given)
        FAULT_AT(s->c, at, "expected a time, as the events before have one");
    else if (!s->timed && given)
        FAULT_AT(s->c, at, "expected no time, as the events before have none");
    else if (given && *given < s->clock && s->order_is_known)
        clock_goes_backwards(s, *given, at);
    else if (given && *given < s->clock)
        FAULT_AT_REMEDY(s->c, at, "a log is in the order of its clock: sort it, or repair the clock",
                        "the clock goes backwards: %" PRId64 " after %" PRId64, *given, s->clock);
    s->clock = given ? *given : (int64_t)s->events;
    if (s->events == 1)
        s->first = s->clock;
    return s->clock;
}

uint32_t calls_process(struct calls *s, const char *text, size_t length)
{
    uint32_t name = history_name(s->h, text, length);
    while (s->process_of_name.n <= name)
        vec_push(&s->h->mem, &s->process_of_name, ID_NONE);
    uint32_t *process = &s->process_of_name.at[name];
    if (*process == ID_NONE) {
        struct process p = {.name = name, .open = ID_NONE, .thread = ID_NONE};
        *process = s->processes.n;
        vec_push(&s->h->mem, &s->processes, p);
    }
    return *process;
}

struct call *calls_begin(struct calls *s, uint32_t process, int64_t time, struct place at)
{
    struct process *p = &s->processes.at[process];
    if (p->open != ID_NONE)
        FAULT_AT_REMEDY(s->c, at, s->remedy ? s->remedy : "",
                        "a call of %s, whose call in line %" PRIu64 " has not returned", history_text(s->h, p->name),
                        s->all.at[p->open].at.line);
    p->open = s->all.n;
    struct call call = {.process = process, .object = ID_NONE, .called = time, .called_event = s->events, .at = at};
    vec_push(&s->h->mem, &s->all, call);
    return &vec_last(&s->all);
}

struct call *calls_end(struct calls *s, uint32_t process, struct place at)
{
    struct process *p = &s->processes.at[process];
    if (p->open == ID_NONE)
        FAULT_AT(s->c, at, "a return of %s without a call", history_text(s->h, p->name));
    struct call *call = &s->all.at[p->open];
    p->open = ID_NONE;
    call->returned_event = p->ended_event = s->events;
    p->ended = s->clock;
    return call;
}

void calls_began_unseen(struct calls *s, uint32_t process)
{
    const struct process *p = &s->processes.at[process];
    struct call *call = &s->all.at[p->open];
    call->called = p->ended_event ? p->ended : s->first;
    call->called_event = p->ended_event ? p->ended_event : 1;
}

void calls_arguments(struct calls *s, struct call *call, const struct arguments *args)
{
    if (args->n > call->arity) { /* else there is room where the last ones were */
        vec_reserve(&s->h->mem, &s->values, args->n);
        call->values_at = s->values.n;
        s->values.n += args->n;
    }
    call->arity = args->n;
    for (uint32_t i = 0; i < args->n; i++)
        s->values.at[call->values_at + i] = args->at[i];
}

/* The thread of the process's next operation. */
static uint32_t thread_of(struct calls *s, struct process *p, uint32_t method)
{
    history *h = s->h;
    uint32_t open = p->thread == ID_NONE ? ID_NONE : history_open_call(h, p->thread);
    if (p->thread == ID_NONE) {
        p->thread = history_thread(h, p->name);
    } else if (open != ID_NONE && !blocks_go_on(h, open, method)) {
        char name[320];
        int n = snprintf(name, sizeof name, "%.300s.%" PRIu32, history_text(h, p->name), ++p->again);
        p->thread = history_thread(h, history_name(h, name, (size_t)n));
    }
    return p->thread;
}

/* A call may go on to any call; of an outcome, the kind is whole. */
static enum doubt doubt(const struct calls *s)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        if (s->all.at[i].called_event == s->last)
            return DOUBT_CALL;
    return DOUBT_OUTCOME;
}

static void may_go_on(struct calls *s, const struct call *call, uint32_t row)
{
    if (call->called_event == s->last || call->returned_event == s->last)
        cursor_may_go_on(s->c, s->h, s->h->last_line.doubt, true, row);
}

static void leave_out(struct calls *s, const struct call *call)
{
    struct silent_call x = {.thread = s->processes.at[call->process].name,
                            .object = call->object,
                            .method = call->method,
                            .line = (uint32_t)call->at.line,
                            .failed = call->failed};
    if (call->arity == 1)
        x.arg = s->values.at[call->values_at];
    vec_push(&s->h->mem, &s->h->silent_calls, x);
}

void calls_build(struct calls *s)
{
    history *h = s->h;
    if (s->last)
        cursor_may_go_on(s->c, h, doubt(s), true, ID_NONE);
    for (uint32_t i = 0; i < s->all.n; i++) {
        const struct call *call = &s->all.at[i];
        if (call->state == CALL_DROPPED) {
            leave_out(s, call);
            continue;
        }
        struct new_op op = {.thread = thread_of(s, &s->processes.at[call->process], call->method),
                            .object = call->object,
                            .method = call->method,
                            .args = call->arity ? s->values.at + call->values_at : NULL,
                            .arity = call->arity,
                            .result = call->result,
                            .pending = call->state == CALL_OPEN,
                            .line = call->at.line,
                            .column = (uint32_t)call->at.column};
        uint32_t row = history_append(h, &op);
        int64_t called = s->unordered ? (int64_t)call->called_event : call->called;
        int64_t returned = s->unordered ? (int64_t)call->returned_event : call->returned;
        history_set_times(h, row, called, op.pending ? INT64_MAX : returned);
        if (s->last)
            may_go_on(s, call, row);
    }
    vec_free(&h->mem, &s->all);
    vec_free(&h->mem, &s->values);
    vec_free(&h->mem, &s->processes);
    vec_free(&h->mem, &s->process_of_name);
}
