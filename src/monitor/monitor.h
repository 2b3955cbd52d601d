/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor: follows a stream of calls and returns and reports the event at which an object stopped being
 * linearizable.
 *
 *   bytes ---> feed.c (plain lines) ---> monitor.c ---> watch.c ---> an online checker
 *                 \--> stream_line.c (others) ---/
 *   assay_monitor_call, _return ---> live.c ---/
 *
 * Everything here may escape (base/escape.h); api/monitors.c has the protected calls. Events are numbered through the
 * whole stream, from 1; a history ends at a line --- or at the stream's end. Memory depends on the open calls and on
 * the state of the checkers, not on the length of the stream. */
#ifndef ASSAY_MONITOR_MONITOR_H
#define ASSAY_MONITOR_MONITOR_H

#include "assay_monitor.h"
#include "format/entry.h"
#include "model/axioms.h"
#include "monitor/event_times.h"
#include "monitor/isolation.h"
#include "monitor/places.h"
#include "monitor/recording.h"
#include "monitor/watch.h"

struct monitor_use { /* which checker has followed which kind of object */
    char *kind;
    const struct online *online;
    char *engine;           /* the checker's name with its variation */
    char *weakened;         /* why it is no longer exact, or NULL */
    uint64_t event, line;   /* since when, for the first of them; event 0: from the start */
    uint64_t objects, weak; /* so many, and so many of which this is true */
    uint64_t unchecked;     /* events of its objects after they were retired; of ended histories */
    uint64_t unknown;       /* objects whose content stayed unknown; of ended histories */
};

struct monitor_report;

struct late_id {
    uint64_t key;
    uint32_t length;
};

enum { MONITOR_LONG = 10000 }; /* events, after which a warning says that a call is still open */

struct monitor {
    struct mem mem;
    struct budget budget;
    const char *object, *engine, *init, *file; /* as in assay_monitor_options; NULL where there is none */
    const assay_spec *spec;                    /* the same */
    /* The model, spelled as it was given; NULL: linearizability. Its axioms, with the levels by method. */
    const char *model;
    struct visibility visibility;
    struct isolation isolation; /* of transactions: model NULL: it is not one of these */
    uint32_t window;            /* operations that are kept of an object under a weak model; 0: as many as possible */
    bool all, lenient;
    bool saves; /* its state must be one that can be saved (saved.c) */
    bool drain; /* after a violation the other objects are followed, without `all`, too */
    /* The content of the objects at the start is unknown. Unseen calls that were open then have returned when `settle`
     * events have come. If one returns later, all contents are unknown again. */
    bool attach;
    bool gap; /* the same, but because events were lost: an object that cannot be followed so is not checked */
    uint64_t settle, settled; /* so many events; nothing is checked up to this step */
    /* A call that has been open for so many events never returns: its caller died. 0: it may return at any time. */
    uint64_t abandon;
    uint64_t look_at;         /* the step at which an open call may have been open for too long; 0: now */
    bool warned;              /* of one that has been */
    VEC(struct late_id) late; /* the ids of calls that were given up so: a return may come after all */
    void (*on_violation)(void *context, const assay_monitor_violation *v);
    void (*on_malformed)(void *context, const assay_error *e);
    void (*on_warning)(void *context, const char *text);
    void *context;

    struct symbols symbols;
    struct slots slots;
    VEC(struct watch) watches;
    uint32_t single;          /* the watch of calls that name no object, or ID_NONE */
    struct idmap watch_of;    /* symbol of an object's name -> watch */
    VEC(struct value) pinned; /* these symbols, until the history ends */
    VEC(struct monitor_use) uses;

    history *head;                /* the headers of the history that is being followed */
    history *probe;               /* a call with these headers, to find its object */
    struct mem scratch;           /* for the time of one inference */
    bool begun;                   /* the history has events */
    enum entry_notation notation; /* of its calls. Without brackets a bare return of a removal found nothing */
    uint64_t index;               /* of the history */

    uint64_t step, line; /* of the event at hand; line 0: it was not read from lines */
    struct places places;
    struct recording recording;
    struct event_times times;
    bool stopped; /* after a violation, unless all are asked for */
    assay_monitor_stats stats;
    struct monitor_report *first;     /* the first violation, or NULL */
    struct monitor_report *reporting; /* a report that is being made */
};

void monitor_init(struct monitor *m); /* the options have been filled in */
/* Never escapes. sound: no escape has left a checker in the middle of something, so that checkers can be closed. */
void monitor_release(struct monitor *m, bool sound);

/* ---- objects (objects.c) ---- */

struct first_call {     /* of an object: it may say which it is */
    const char *object; /* NULL: the call names none */
    size_t object_length;
    const char *method;
    size_t method_length;
    const struct value *args;
    uint32_t arity;
    uint64_t column;
};
/* The watch of the object that the call names, opened if need be; ID_NONE with the fault in e. */
uint32_t monitor_watch(struct monitor *m, const struct first_call *call, assay_error *e);
/* Reads the model and the levels by method; both may be NULL, and m->object is set. False with the fault in e. */
bool monitor_model(struct monitor *m, const char *model, const char *levels, assay_error *e);
/* Could an object of the kind that the options name be followed? False with the fault in e. */
bool monitor_can(struct monitor *m, assay_error *e);
/* A new m->probe: a history with all headers so far, and --init's, but without operations. NULL with the fault in e. */
history *monitor_probe(struct monitor *m, assay_error *e);

/* ---- events (monitor.c) ---- */

/* Is it a call, a result, of the object? These are fast and give no reason; monitor_refusal gives it in e. */
bool monitor_fits_call(const struct monitor *m, const struct watch *w, const assay_method *method,
                       const struct value *args, uint32_t arity);
bool monitor_fits_result(const struct monitor *m, uint32_t slot, struct value result);
void monitor_refusal(const struct monitor *m, const struct watch *w, const assay_method *method,
                     const struct value *args, uint32_t arity, bool returned, struct value result, assay_error *e);

void monitor_call(struct monitor *m, struct id id, uint32_t watch, const assay_method *method, const struct value *args,
                  uint32_t arity);
void monitor_return(struct monitor *m, uint32_t slot, struct value result);
/* The caller of the open call in this slot died (`[7] return ?`): the call may or may not take effect, at any time from
 * now on. That is an event of its own if the stream says it. */
void monitor_died(struct monitor *m, uint32_t slot);
void monitor_died_event(struct monitor *m, uint32_t slot);
/* A return without a call: is it of one that was given up after `abandon` events? Then it is an event that says nothing
 * new. */
bool monitor_returns_late(struct monitor *m, struct id id);
/* A second call of an id whose first is open: does it tell that the caller of the first died? */
static inline bool monitor_lets_die(const struct monitor *m)
{
    return m->lenient || m->abandon;
}
/* The slot of the call that has been open for longest; ID_NONE: none is open. */
uint32_t monitor_oldest(const struct monitor *m);
/* A return whose call was before the start; only while `attach` is set. */
void monitor_return_from_before(struct monitor *m);
/* Events were lost: all contents are unknown, and calls that were open may have returned. */
void monitor_gap(struct monitor *m);
/* Malformed lines that are skipped: the call in this slot returned with an unknown result; this id made an unknown
 * call. */
void monitor_lose(struct monitor *m, uint32_t slot);
void monitor_ignore_call(struct monitor *m, struct id id);
/* The history ends. */
void monitor_end_history(struct monitor *m);
/* The statistics that are not counted along the way, and which checkers are no longer exact. Also after an
 * interrupt. */
void monitor_refresh(struct monitor *m);

/* A violation was found: it is reported, and kept if it is the first. */
void monitor_violation(struct monitor *m, struct monitor_report *r);
/* Which checker follows which kind of object; why it is no longer exact, since this event (0: from the start). */
void monitor_note_use(struct monitor *m, const char *kind, const struct online *online, const char *engine);
void monitor_weaken(struct monitor *m, const struct online *online, const char *why, uint64_t event);
struct monitor_use *monitor_use_of(struct monitor *m, const struct watch *w);
/* Asks the object's checker whether it still is exact. */
void monitor_note_weakened(struct monitor *m, struct watch *w, uint64_t event);

extern const struct online online_window; /* of transactions */

/* Begins to check an attached object, unless it is too early. */
void monitor_attach(struct monitor *m, uint32_t watch);

/* ---- saving (saved.c) ---- */

/* Saves the state between two lines, or loads it into a monitor that is fresh and has the same options. Loading escapes
 * with ESCAPE_ERROR if the image is not one of these options and this program; e says why. */
void monitor_image(struct monitor *m, struct image *x, assay_error *e);

/* ---- reports (violation.c) ---- */

/* What `assay check` says of the recorded events of an object, where its checker cannot decide (recorded_check.c). May
 * escape. */
enum online_verdict recorded_verdict(struct monitor *m, uint32_t watch);

/* "[7] enq(5) in line 12" */
void report_call(struct text *t, const struct monitor *m, const struct open_call *o);
struct monitor_report *report_new(struct monitor *m, uint32_t watch);
struct monitor_report *report_of_transactions(struct monitor *m, const assay_result *found);
void report_free(struct monitor_report *r);
const assay_monitor_violation *report_get(const struct monitor_report *r);

#endif
