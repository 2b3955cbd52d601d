/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to the values of a collection (queue, stack, priority queue), for scans of live histories: who added a
 * value, who found it at the front, and from when to when it was there for certain. Terms as in object/collection.h:
 * a value's fronts are the removes and peeks that returned it; it comes in at the return of its add or the first
 * return of its fronts, whichever is first; s is the last call of its add and its fronts, provided that it is
 * removed; from coming in to s it is in the collection whatever the linearization: its critical interval.
 *
 * Idea. Which call is the last of a value is known when its remove has returned and, with it, all that were called up
 * to then and found the value. So events wait in a second line (the first is that of holdback.c) while the first of them
 * is the call of a remove, or a later one of its value, and such an operation has not been seen to return. An event that
 * leaves the line is handed to the scan: struct lifetimes_scan. The line is as long as removes take.
 *
 * Why this is not the reading of collection.h: a recorded part has all positions at once, so tables by position serve,
 * and values that are not distinct are declined. A live history learns s later, uses values again, and must forget.
 *
 * Which add a front belongs to. A value may be used again: once its remove and all others that found it have
 * returned, the value is unbound, and what comes then is about a new lifetime. A front whose value is not bound begins a
 * lifetime, in the hope that the add is called before the front returns. A front that one add cannot explain (a second
 * remove, a peek called after the remove returned) is a violation when it returns and there has been no second add.
 * If there has, nobody knows who belongs to whom: then the value is given up. All its operations count as left out,
 * which turns no linearizable history into another, until as many of its removes as of its adds are over and none of
 * its operations is open; violations may be missed from then on, and lifetimes->weakened says so, so that holdback.c can have
 * another checker take over. Nothing wrong has been
 * concluded before: a front that could belong to the second add returns after the second add was called, and the line
 * waited for it.
 *
 * Operations that found nothing need a moment outside of all critical intervals. Their count at the present position
 * of the line is `depth`; such an operation is content if it is 0 at its call, or has become 0 since, by its return.
 *
 * Forgetting. A lifetime is kept while it is bound, or an event of it waits, or the scan holds it. A value that is bound
 * is in the collection or has an open operation. */
#ifndef ASSAY_OBJECT_LIFETIMES_H
#define ASSAY_OBJECT_LIFETIMES_H

#include "base/ring.h"
#include "history/value_map.h"
#include "online/scan.h"

struct span { /* steps of an operation; called == 0: an initial value's, or none */
    uint64_t called, returned;
};

enum lifetime_flag {
    LIFETIME_ADDED = 1,
    LIFETIME_IN = 2,       /* has come in, where the scan is shown events */
    LIFETIME_SEEN = 4,     /* a front has returned, where the line is handed on */
    LIFETIME_REMOVING = 8, /* its remove has been called there */
    LIFETIME_REMOVED = 16, /* and has returned */
    LIFETIME_PAST = 32,    /* s lies behind, where the line is handed on */
    LIFETIME_COUNTED = 64, /* the critical interval is on */
    LIFETIME_GIVEN_UP = 128,
    LIFETIME_FIRST_PEEKS = 256, /* `first` is a peek */
    LIFETIME_LAST_PEEKS = 512,
    LIFETIME_SHOWN = 1024, /* an event has been handed to the scan */
    LIFETIME_OWN = 2048    /* from here on: the scan's own */
};

struct lifetime {
    struct value value;
    struct span add, first, last, remove; /* first to return, last to be called, of the fronts */
    struct span extra;      /* a second remove, which one add cannot explain; of several, the first to return */
    uint64_t until;         /* REMOVING: the last return of the remove and those called since */
    uint32_t adds, removes; /* called; returned */
    uint32_t open;          /* operations called, not returned */
    uint32_t due;           /* calls in the line */
    uint32_t refs;
    uint32_t flags;
    uint32_t place; /* in the list of free ones */
};

struct observation { /* a remove or peek */
    struct online_op op;
    uint32_t lifetime; /* ID_NONE: it found nothing */
    uint32_t own;      /* the scan's, 0 at first */
    uint64_t zeros;    /* one that found nothing: how often depth had become 0 at its call; 0: it is content */
};

enum lifetimes_kind {
    LIFETIMES_ADD_CALL,
    LIFETIMES_COMES_IN,
    LIFETIMES_OBSERVATION_CALL,  /* of a front */
    LIFETIMES_OBSERVATION_RETURN /* of a front; the observation is gone afterwards */
};

struct lifetimes_event {
    enum lifetimes_kind kind;
    uint32_t lifetime, observation;
    bool last;  /* a call: this is s */
    bool first; /* a return: the first of the fronts */
};

/* The scan of one object. Its state begins with its lifetimes. */
struct lifetimes_scan {
    bool (*pass)(void *state, const struct lifetimes_event *e); /* false: a violation */
    /* A lifetime whose events it was shown is given up; no more of them follow. */
    void (*give_up)(void *state, uint32_t lifetime);
    void (*explain)(void *state, struct online_fault *out, struct mem *m); /* a violation that `pass` found */
};

struct lifetimes_entry {
    uint32_t kind, at; /* a lifetime for add calls and comings in, else an observation */
};

enum lifetimes_wrong {
    LIFETIMES_UNKNOWN,
    LIFETIMES_TWICE,
    LIFETIMES_SEEN_AFTER,
    LIFETIMES_NOT_EMPTY,
    LIFETIMES_BY_SCAN /* lifetimes_scan.pass found it */
};

enum { LIFETIMES_RECENT = 64 };

struct lifetimes {
    const struct lifetimes_scan *scan;
    struct mem *mem;
    VEC(struct lifetime) all;
    uint32_t free_life; /* ID_NONE: none */
    VEC(struct observation) observations;
    VEC(uint32_t) free_observations;
    struct value_map bound;
    RING(struct lifetimes_entry) line;
    uint64_t now;            /* the step of the event shown last */
    uint32_t depth, waiting; /* operations that found nothing and are not content */
    uint32_t lifetimes_n;
    uint64_t zeros;
    bool watched;              /* set by a scan that will ask for a cover */
    VEC(struct lifetime) gone; /* whose critical intervals ended while such operations were waiting, or it was set */
    const char *weakened;
    enum lifetimes_wrong wrong;               /* of a fault */
    struct lifetime recent[LIFETIMES_RECENT]; /* for reports: those that were unbound last */
    uint32_t recent_n;
    struct lifetime wrong_life;
    struct online_op wrong_op;
};

/* With the initial values. */
void lifetimes_open(struct lifetimes *l, const struct lifetimes_scan *scan, const struct online_setup *s);
void lifetimes_close(struct lifetimes *l);

static inline struct lifetime *lifetime_at(struct lifetimes *l, uint32_t lifetime)
{
    return &l->all.at[lifetime];
}

static inline uint32_t lifetime_hold(struct lifetimes *l, uint32_t lifetime)
{
    l->all.at[lifetime].refs++;
    return lifetime;
}

void lifetime_drop(struct lifetimes *l, uint32_t lifetime);

/* Writes down values whose critical intervals cover all moments between two steps; those that count do. The operation
 * that returned at `to` is the report's first. */
typedef bool (*lifetimes_filter)(const void *arg, const struct lifetime *v);
void lifetimes_explain_cover(const struct lifetimes *l, uint64_t from, uint64_t to, lifetimes_filter counts,
                             const void *arg, struct online_fault *out, struct mem *m);
/* The places of a lifetime's operations in the report. */
unsigned lifetime_add_op(const struct lifetime *v, struct online_fault *out, struct mem *m);
unsigned lifetime_first_op(const struct lifetime *v, struct online_fault *out, struct mem *m);
unsigned lifetime_last_op(const struct lifetime *v, struct online_fault *out, struct mem *m);

/* Hooks of struct scan, for a state that begins with its lifetimes. */
bool lifetimes_call(void *state, struct scan_op *o);
bool lifetimes_ret(void *state, struct scan_op *o);
void lifetimes_explain(void *state, struct online_fault *out, struct mem *m);
bool lifetimes_pending(void *state, const struct online_op *op);
bool lifetimes_matters(void *state, const struct online_op *op);
void lifetimes_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t lifetimes_count(const void *state);
const char *lifetimes_weakened(const void *state);
struct value lifetimes_names(const struct online_op *op);
void lifetimes_each_held(const void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t lifetimes_judged(const void *state);
bool lifetimes_are_none(const void *state);

/* A scan of lifetimes, but for .object, .open, .close, .each_value, .live and .each_held. */
#define LIFETIMES_SCAN                                                                                                 \
    .call = lifetimes_call, .ret = lifetimes_ret, .explain = lifetimes_explain, .pending = lifetimes_pending,          \
    .matters = lifetimes_matters, .weakened = lifetimes_weakened, .names = lifetimes_names,                            \
    .judged = lifetimes_judged, .is_empty = lifetimes_are_none

#endif
