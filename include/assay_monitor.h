/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a running system: checks its events as they come.
 *
 * A monitor follows calls and returns in the order of time, and reports the event at which an object stopped being
 * linearizable, or consistent with the weak model in options.model. It can run for ever, because its memory depends
 * only on the open calls and on the contents of the object. Under a weak model it may also depend on the length of the
 * run, up to a limit. docs/guides/monitoring.md states its guarantees; examples/monitor.c is a program that monitors
 * itself.
 *
 *   assay_monitor *m = assay_monitor_open("queue", NULL, &e);      // each thread:
 *   assay_monitor_call(m, self, "enq", &(assay_value){assay_int(5)}, 1);
 *   enqueue(&queue, 5);
 *   assay_monitor_return(m, self, (assay_value){0});
 *   ...
 *   if (assay_monitor_verdict(m) == ASSAY_VIOLATION)
 *       assay_monitor_print(m, stderr);
 *   assay_monitor_close(m);
 *
 * Many threads may call assay_monitor_call and _return at once, without locking. These only put the event into a
 * buffer, which a thread of the monitor empties; while it is full they wait. A monitor that cannot continue (no memory,
 * a call that the object does not have) turns itself off: it ignores further events, and its verdict says so. It never
 * ends the program.
 *
 * Ownership: if a function returns a pointer without const, it is yours, and you release it with the _free or _close of
 * its type, which accept NULL. A pointer to const, whether returned, stored through an argument, or inside a returned
 * struct, belongs to the handle that you asked. It lives until that handle is changed or released; if there is no
 * handle, it lives as long as the program. Texts and arrays that you pass need to live only as long as the call, unless
 * the function says otherwise. The result of assay_monitor_first lives until the monitor is closed.
 *
 * Threads: assay_monitor_call and assay_monitor_return, and the questions (assay_monitor_verdict, _first, _print,
 * _statistics, _used), may come from any threads at once. Only one thread at a time may use assay_monitor_feed and
 * _end. The text of assay_monitor_undecided lives until the next call of it or of _verdict, so if a thread needs the
 * text, no other thread may call these two. No thread may use a monitor that another closes. Only one thread at a time
 * may use a stream. */
#ifndef ASSAY_MONITOR_H
#define ASSAY_MONITOR_H

#include "assay.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_monitor assay_monitor;

typedef struct assay_monitor_operation {
    const char *text;                /* "deq() => 5" */
    const char *id;                  /* whose it is; NULL: forgotten */
    uint64_t called, returned;       /* numbers of events, from 1; returned 0: it has not */
    uint64_t call_line, return_line; /* 0: unknown */
} assay_monitor_operation;

typedef struct assay_monitor_violation {
    uint64_t event;     /* the return that completes the contradiction (docs/guides/monitoring.md has the bounds) */
    uint64_t line;      /* 0: unknown */
    const char *id;     /* whose return it was; NULL: forgotten */
    uint64_t noticed;   /* the event after which this was found, the same or a later one */
    uint64_t index;     /* of the history, from 0 */
    const char *object; /* its name, or NULL */
    const char *kind;   /* of the object: "queue" */
    const char *engine; /* that found it */
    const assay_monitor_operation *operations; /* that take part */
    size_t operation_count;
    /* Sentences. With `sentence` they add to it, and there may be none; else the last one is the contradiction. */
    const char *const *why;
    size_t why_count;
    const char *model; /* that it violates: "lin", or as in the options */
    /* For transactions: the anomaly. `why` then has the lines of the report of `assay check`, and event and line are
     * those of the last transaction that takes part. NULL: the violation is of an object. */
    const char *anomaly;
    /* For an object: the kind of violation, by its name and sentence in `assay check`. NULL: it is not certain. */
    const char *pattern, *meaning;
    /* With options.clock: when the event happened if the stream gives times, otherwise when it arrived. NULL: unknown.
     * */
    const char *time;
    bool time_given; /* by the stream */
    /* For an object: the violation in the words of `assay check`, with the call to blame. NULL: unknown, for instance
     * because the object's first events are no longer kept (docs/guides/monitoring.md). */
    const char *sentence;
    uint64_t skipped; /* malformed lines before it: it may rest on one of them */
} assay_monitor_violation;

typedef struct assay_monitor_options {
    size_t size;        /* ASSAY_MONITOR_OPTIONS_INIT */
    const char *engine; /* "saturate+r", ...; NULL: the best that follows the object */
    const char *init;   /* initial values, as after `# @init`; or NULL */
    const char *file;   /* the name of the stream in messages; or NULL */
    size_t memory;      /* bytes; 0: no limit */
    bool all;           /* go on after a violation, from a fresh state */
    bool lenient;       /* malformed lines are reported and skipped */
    /* Called at every violation, and with `lenient` at every malformed line, while the event is being checked. They
     * must not call functions of the monitor, and may be called by its own thread. Their arguments live only as long as
     * the call. May be NULL. */
    void (*on_violation)(void *context, const assay_monitor_violation *v);
    void (*on_malformed)(void *context, const assay_error *e);
    /* Called with a warning about the text that was fed, such as a last line without its end. May be NULL. */
    void (*on_warning)(void *context, const char *text);
    void *context;
    /* Called now and then by the thread that checks. If it returns true, the monitor soon stops and is off, with
     * ASSAY_ERROR_INTERRUPTED; an event that was being checked is not counted. It must return. May be NULL. */
    bool (*interrupt)(void *context);
    /* The model: "lin"; a weak model ("weak-hb", "level:causal", "weak: vis >= po"). NULL: lin, or level:complete if
     * there are levels by method. These levels are "contains=weak,put=complete", as in assay_options; or NULL. */
    const char *model, *visibility;
    /* The most operations that are kept for one object under a weak model, at most 4096; 0: that many. If one more
     * would have to be kept, the object is not followed until the next history (assay_monitor_use.weakened). */
    size_t window;
    const assay_spec *spec; /* an object of your own (assay_spec.h), such as a theory; or NULL */
    /* For transactions ("ser", "si", "ser-strict", "si-strict"), which are fed as text, two promises let the monitor
     * forget; without them it can forget nothing. sessions: how many there will be in all. late, with real time: how
     * much earlier than the last end so far a line may begin. 0: unknown. For transactions a window of 0 means 65536.
     * */
    size_t sessions;
    int64_t late;
    /* After a violation, without `all`: this object is no longer checked, but the others are, and events are counted.
     * */
    uint32_t drain;
    /* The content of objects at the start is unknown: a violation is reported only if it is one for every content.
     * Returns without a call belong to calls from before; these must come within `settle` events, and nothing is
     * checked until then. If one comes later, all contents are unknown again (assay_monitor_stats.late). The same
     * applies after a gap (assay_monitor_gap), even without `attach`. */
    uint32_t attach;
    uint64_t settle;
    uint64_t saves; /* not 0: its state will be saved (assay_monitor_save); an object whose cannot is refused */
    uint64_t clock; /* not 0: violations say the time of their event (assay_monitor_violation.time) */
    /* A call that has been open for so many events never returns: its caller died (assay_monitor_abandon). So did that
     * of a call whose id calls again; `lenient` says so as well. 0: any call may return at last. */
    uint64_t abandon;
} assay_monitor_options;
#ifdef __cplusplus
#define ASSAY_MONITOR_OPTIONS_INIT                                                                                     \
    sizeof(assay_monitor_options), NULL, NULL, NULL, 0, false, false, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,     \
        NULL, 0, 0, 0, 0, 0, 0, 0, 0
#else
#define ASSAY_MONITOR_OPTIONS_INIT .size = sizeof(assay_monitor_options)
#endif

typedef struct assay_monitor_stats {
    uint64_t events, lines, histories;
    uint64_t violations;
    uint64_t malformed;   /* lines that were skipped */
    uint64_t left_out;    /* operations that could not be judged, after a violation or a malformed line */
    uint64_t undecided;   /* histories that operations which never returned leave undecided */
    uint64_t open;        /* calls that have not returned */
    uint64_t live;        /* operations that are remembered */
    size_t bytes, peak;   /* of memory */
    uint64_t forgotten;   /* transactions that were forgotten */
    uint64_t kept;        /* transactions that were kept after a check, at most */
    uint64_t from_before; /* returns of calls from before the start, with options.attach */
    uint64_t late;        /* those among them that came after the time to settle */
    uint64_t weak;        /* objects whose monitor is not exact, so that it may miss violations (assay_monitor_use) */
    uint64_t abandoned;   /* calls whose callers died */
    uint64_t oldest;      /* events since the call that has been open for longest; 0: none is open */
    uint64_t waiting;     /* events that are not judged yet, since a call before them is open */
    uint64_t unchecked;   /* events of objects that were not checked any more, as after a violation without `all` */
    uint64_t weakened;    /* the first event at which one of them gave up exactness; 0: none, or from the start */
} assay_monitor_stats;

typedef struct assay_monitor_use { /* the monitors of one kind of object */
    const char *kind;
    const char *engine;
    bool exact;  /* every violation is reported, at the latest when all operations that overlap it have returned */
    bool prompt; /* and at the event at which it becomes certain */
    const char *weakened;   /* why it is only sound after all, so that it may miss violations; or NULL */
    uint64_t objects, weak; /* of this kind, in all histories; those among them that `weakened` is about */
    bool deferred; /* events are judged together, when enough are there, at assay_monitor_flush, and at the end */
    uint64_t weakened_event; /* since when `weakened` holds, for the first object; 0: from the start */
    uint64_t weakened_line;  /* the line of that event; 0: it had none */
    uint64_t unchecked;      /* events of objects of this kind that were not checked any more */
    uint64_t unknown;        /* objects that are not checked yet, since no event has told what they hold */
} assay_monitor_use;

/* If object is NULL, the stream declares it, or the first call tells. options may be NULL. NULL with an error. */
ASSAY_API assay_monitor *assay_monitor_open(const char *object, const assay_monitor_options *options, assay_error *e);
ASSAY_API void assay_monitor_close(assay_monitor *m);

/* `id` is the caller: it has at most one open call. The text of values is copied. result.kind ASSAY_NONE: no result. */
ASSAY_API void assay_monitor_call(assay_monitor *m, uint64_t id, const char *method, const assay_value *args,
                                  size_t arg_count);
ASSAY_API void assay_monitor_return(assay_monitor *m, uint64_t id, assay_value result);

/* The caller died, and its open call never returns: it may or may not take effect, at any time from now on. The id may
 * call again. In text this is `[7] return ?`. */
ASSAY_API void assay_monitor_abandon(assay_monitor *m, uint64_t id);

/* Events as text: lines of .hist (event form) or of JSON Lines, in pieces of any size; complete lines are checked
 * before it returns. False with an error: a malformed line, no memory, or an interrupt; the monitor is off then. True
 * without reading further once there is a violation and options.all is not set. One thread at a time. */
ASSAY_API bool assay_monitor_feed(assay_monitor *m, const char *bytes, size_t n, assay_error *e);

/* Checks the transactions that have arrived since the last check. False with an error, as for assay_monitor_feed. */
ASSAY_API bool assay_monitor_flush(assay_monitor *m, assay_error *e);

/* Tells the monitor that events were lost here, such as lines of a file that is gone. A line whose end has not come is
 * dropped. From now on contents are unknown and calls from before may return, as at the start with options.attach, and
 * `settle` counts from here. Objects that cannot be followed in this way are not checked until the next history. False
 * with an error: nothing more can be said about transactions, so the monitor is off. */
ASSAY_API bool assay_monitor_gap(assay_monitor *m, assay_error *e);

/* No more events will come, so calls that are still open never return. A last line of text without a line end may have
 * been cut, so it is dropped with a warning, unless it is a whole JSON object. */
ASSAY_API bool assay_monitor_end(assay_monitor *m, assay_error *e);

/* Saves the state of the monitor, so that another one can continue where this one is, with the same verdict and
 * statistics. The bytes are valid for this version of the program and for the same options. *pending is the number of
 * bytes of a line whose end has not come; they are not saved, and you must feed them again. False with an error. */
ASSAY_API bool assay_monitor_save(assay_monitor *m, FILE *out, size_t *pending, assay_error *e);
/* Loads such a state into a monitor that was just opened with the same options. The first violation is not part of it.
 * After an error the monitor is of no use. Pass only bytes that were saved, because they are not examined for malice.
 * */
ASSAY_API bool assay_monitor_load(assay_monitor *m, const char *bytes, size_t n, assay_error *e);

/* The verdict on all events so far. ASSAY_CONSISTENT: no violation, from an exact monitor. */
ASSAY_API assay_verdict assay_monitor_verdict(assay_monitor *m);
ASSAY_API const char *assay_monitor_undecided(assay_monitor *m); /* why it is undecided, or NULL */
/* The first violation, or NULL. */
ASSAY_API const assay_monitor_violation *assay_monitor_first(assay_monitor *m);
ASSAY_API bool assay_monitor_print(assay_monitor *m,
                                   FILE *out); /* the first violation, for people; false: there is none */
ASSAY_API bool assay_monitor_violation_print(const assay_monitor_violation *v, const char *file, FILE *out);
/* The same with the file, width and color of the options (assay.h). */
ASSAY_API bool assay_monitor_violation_report(const assay_monitor_violation *v, const assay_report_options *o,
                                              FILE *out);
ASSAY_API assay_monitor_stats assay_monitor_statistics(assay_monitor *m);
ASSAY_API assay_monitor_use assay_monitor_used(assay_monitor *m, size_t i); /* i from 0; kind NULL past the end */

/* A stream of bytes: a file, a FIFO, "-" for standard input, or "unix:PATH" for a Unix socket. It connects to the
 * socket; if there is none of this name, it makes one, for its owner only, and waits for one writer. Compressed input
 * (gzip, zstd) is decoded. */
typedef struct assay_stream assay_stream;
ASSAY_API assay_stream *assay_stream_open(const char *path, assay_error *e);
/* The descriptor to wait for with poll before the next read; -1: there is no need to wait. */
ASSAY_API int assay_stream_descriptor(const assay_stream *s);
/* Reads the available bytes, at most `room`, and waits only if there are none. *got may be 0 before the end. False at
 * the end, or on an error (e filled in). */
ASSAY_API bool assay_stream_read(assay_stream *s, char *to, size_t room, size_t *got, assay_error *e);
ASSAY_API void assay_stream_close(assay_stream *s);

#ifdef __cplusplus
}
#endif
#endif
