/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a log that has their outcomes in later events.
 *
 * A history takes complete operations. A log may say only after a call that it failed and never happened, or have its
 * arguments only there. So calls are gathered first. They are put into the history in the order of their calls when all
 * of them are known.
 *
 * A process is a thread. A call with an unknown outcome is pending for ever. Later calls of the process belong to a new
 * thread, whose name extends the old one: 3, then 3.1, 3.2 and so on. Only behind a transaction its thread goes on. So
 * where outcomes may be unknown, names of processes must have no dot. */
#ifndef ASSAY_FORMAT_CALLS_H
#define ASSAY_FORMAT_CALLS_H

#include "format/cursor.h"

enum call_state {
    CALL_OPEN, /* pending, if nothing else is said about it */
    CALL_RETURNED,
    CALL_DROPPED, /* it did not happen, or says nothing */
};

struct call {
    uint32_t process;        /* index */
    uint32_t object, method; /* names; object may be ID_NONE */
    uint32_t values_at;      /* its arguments in `values` */
    uint32_t arity;
    uint8_t state;
    uint8_t kind; /* for the caller */
    bool failed;  /* it is dropped because it did not happen */
    struct value result;
    int64_t called, returned;
    uint64_t called_event, returned_event; /* their numbers, from 1 */
    struct place at;
};

struct process {
    uint32_t name;
    uint32_t open;   /* index of its call that has not ended, or ID_NONE */
    uint32_t thread; /* the one that it is now, or ID_NONE */
    uint32_t again;  /* how many threads it was before */
    int64_t ended;   /* when its last call did, if it had one */
    uint64_t ended_event;
};

struct calls {
    struct cursor *c;
    history *h; /* owns the memory, and the names */
    VEC(struct call) all;
    VEC(struct value) values;
    VEC(struct process) processes;
    VEC(uint32_t) process_of_name;
    int64_t clock, first; /* times of the last and the first event */
    uint64_t events;
    bool timed;          /* the events have times of their own */
    const char *remedy;  /* for a second call of a process; or NULL */
    bool order_is_known; /* the log is in the order of its events, even if its clock is not */
    bool unordered;      /* the clock went backwards: the order of the log counts */
    uint64_t last;       /* the event whose line may go on, or 0 */
};

/* The time of the next event: `given`, or its number if the log has no times (NULL). Times that only some events have
 * are a fault. So is a clock that goes backwards, unless the order of the log is known: then it counts instead of all
 * times, with a warning. */
int64_t calls_time(struct calls *s, const int64_t *given, struct place at);

/* The process of this name. */
uint32_t calls_process(struct calls *s, const char *text, size_t length);
/* A new call, at the event whose time was asked for last; a fault if the process has an open one. Valid until the next
 * one. */
struct call *calls_begin(struct calls *s, uint32_t process, int64_t time, struct place at);
/* The open call of a process, which ends at the event whose time was asked for last; a fault if there is none. */
struct call *calls_end(struct calls *s, uint32_t process, struct place at);
/* Nobody knows when the process's open call began: not before its last one ended, or before the first event. */
void calls_began_unseen(struct calls *s, uint32_t process);
void calls_arguments(struct calls *s, struct call *call, const struct arguments *args);

/* The last event is that of this line. If the line may go on, calls_build notes the operations in doubt. */
static inline void calls_line(struct calls *s)
{
    if (s->c->open_end)
        s->last = s->events;
}

/* Puts the calls into the history. */
void calls_build(struct calls *s);

#endif
