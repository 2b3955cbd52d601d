/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetimes of the values in a live collection (queue, stack, priority queue): the add, the observations, and the
 * critical interval.
 *
 * Terms, as in search/collection_calls.h. The observations of a value are the removes and peeks that returned it. The
 * value comes in at the return of its add, or at the first return of its observations if that is earlier. If the value
 * is removed, s is the last call among its add and its observations. The critical interval of the value lasts from its
 * coming in to s. In every linearization the value is in the collection during all of this interval.
 *
 * Idea. The last call of a value is known when its remove, and every observation called after it, have returned. So
 * events wait in a second queue, the line; holdback.c has the first queue. The line stands still while two conditions
 * hold. Its first event is the call of a remove, or a later call of the same value. And the remove, or an observation
 * called after it, has not been seen to return. An event is shown by holdback.c when it enters the line. It is handed
 * to the scan (struct lifetimes_scan) when it leaves the line. Events wait in the line for as long as removes take.
 *
 * The reading of collection.h cannot be shared. A recorded part has all positions at once, so tables by position serve,
 * and values that are not distinct are declined. A live history learns s later, uses values again, and must forget.
 *
 * The add of an observation. A value is bound while the map `bound` has a lifetime for it. A value may be used again.
 * Once its remove and all its other observations have returned, the value is unbound, and later operations belong to a
 * new lifetime. An observation of a value that is not bound begins a lifetime. Its add must then be called before the
 * observation returns. One add cannot explain a second remove, nor a peek that was called after the remove returned.
 * Such an observation is a violation if there has been no second add when it returns.
 *
 * Values that are given up. If there has been a second add, the matching is unknown, and the value is given up. All its
 * operations count as left out, and a linearizable history stays linearizable without them. This ends when as many of
 * its removes as of its adds are over and none of its operations is open. After a value was given up, violations may be
 * missed. The field `weakened` says so, and holdback.c can let another checker take over. No wrong conclusion was drawn
 * before. An observation that could belong to the second add returns after the call of the second add, and the line
 * waited for this return.
 *
 * An operation that found nothing needs a moment outside of all critical intervals. The field `depth` counts the
 * critical intervals at the present position of the line. The operation is content if `depth` is 0 at its call, or
 * becomes 0 before its return.
 *
 * Forgetting. A lifetime is kept while it is bound, while an event of it waits, or while the scan holds it. A bound
 * value is in the collection or has an open operation. */
#ifndef ASSAY_SCAN_LIFETIMES_H
#define ASSAY_SCAN_LIFETIMES_H

#include "base/ring.h"
#include "history/value_map.h"
#include "online/scan.h"

struct span { /* the steps of an operation; called == 0: the add of an initial value, or no operation */
    uint64_t called, returned;
};

enum lifetime_flag {
    LIFETIME_ADDED = 1,
    LIFETIME_IN = 2,       /* the value has come in, among the events shown */
    LIFETIME_SEEN = 4,     /* an observation has returned, among the events handed to the scan */
    LIFETIME_REMOVING = 8, /* the remove has been called, among the events shown */
    LIFETIME_REMOVED = 16, /* the remove has returned, among the events shown */
    LIFETIME_PAST = 32,    /* s has passed, among the events handed to the scan */
    LIFETIME_COUNTED = 64, /* `depth` counts the critical interval */
    LIFETIME_GIVEN_UP = 128,
    LIFETIME_FIRST_PEEKS = 256, /* `first` is a peek */
    LIFETIME_LAST_PEEKS = 512,
    LIFETIME_SHOWN = 1024, /* an event has been handed to the scan */
    LIFETIME_OWN = 2048    /* from here on: the scan's own */
};

struct lifetime {
    struct value value;
    struct span add, first, last, remove; /* first, last: the observation that returned first, that was called last */
    struct span extra;      /* a second remove, which one add cannot explain; of several, the first to return */
    uint64_t until;         /* LIFETIME_REMOVING: the last return of the remove and of observations called after it */
    uint32_t adds, removes; /* adds that were called, removes that returned */
    uint32_t open;          /* operations that were called and have not returned */
    uint32_t due;           /* calls in the line */
    uint32_t refs;
    uint32_t flags;
    uint32_t place; /* in the list of free lifetimes */
};

struct observation { /* a remove or peek */
    struct online_op op;
    uint32_t lifetime; /* ID_NONE: it found nothing */
    uint32_t own;      /* belongs to the scan; 0 at first */
    uint64_t zeros;    /* if it found nothing: lifetimes.zeros at its call; 0: it is content */
};

enum lifetimes_kind {
    LIFETIMES_ADD_CALL,
    LIFETIMES_COMES_IN,
    LIFETIMES_OBSERVATION_CALL,  /* of an observation that found a value */
    LIFETIMES_OBSERVATION_RETURN /* of the same; the observation is gone afterwards */
};

struct lifetimes_event {
    enum lifetimes_kind kind;
    uint32_t lifetime, observation;
    bool last;  /* a call: it is s */
    bool first; /* a return: the first among the observations */
};

/* The scan of one object. Its state begins with its lifetimes. */
struct lifetimes_scan {
    bool (*pass)(void *state, const struct lifetimes_event *e); /* false: a violation */
    /* Gives up a lifetime whose events the scan was handed; no more of its events follow. */
    void (*give_up)(void *state, uint32_t lifetime);
    void (*explain)(void *state, struct online_fault *out, struct mem *m); /* explains a violation that `pass` found */
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
    uint32_t free_life; /* the first free lifetime, or ID_NONE */
    VEC(struct observation) observations;
    VEC(uint32_t) free_observations;
    struct value_map bound;
    RING(struct lifetimes_entry) line;
    uint64_t now;            /* the step of the event shown last */
    uint32_t depth, waiting; /* critical intervals now; operations that found nothing and are not content */
    uint32_t lifetimes_n;
    uint64_t zeros;            /* how often depth has become 0, plus 1 */
    bool watched;              /* set by a scan that will ask for a cover */
    VEC(struct lifetime) gone; /* lifetimes whose critical intervals ended while `waiting` > 0 or `watched` was set */
    const char *weakened;
    enum lifetimes_wrong wrong;               /* the kind of the violation */
    struct lifetime recent[LIFETIMES_RECENT]; /* for reports: the lifetimes that were unbound last */
    uint32_t recent_n;
    struct lifetime wrong_life;
    struct online_op wrong_op;
};

/* Opens the lifetimes, with the initial values. */
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

/* Writes down values whose critical intervals cover all moments between two steps. The values that `counts` admits must
 * cover these moments. The operation that returned at `to` must be the first of the report. */
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
bool lifetimes_certain(const void *state);
bool lifetimes_matters(void *state, const struct online_op *op);
void lifetimes_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t lifetimes_count(const void *state);
const char *lifetimes_weakened(const void *state);
struct value lifetimes_names(const struct online_op *op);
void lifetimes_each_held(const void *state, void (*visit)(void *arg, struct value v), void *arg);
uint64_t lifetimes_judged(const void *state);
bool lifetimes_are_none(const void *state);
void lifetimes_image(void *state, struct image *x);

/* The hooks of a scan of lifetimes, except for .object, .open, .close, .each_value, .live, .each_held and .image. */
#define LIFETIMES_SCAN                                                                                                 \
    .call = lifetimes_call, .ret = lifetimes_ret, .explain = lifetimes_explain, .pending = lifetimes_pending,          \
    .matters = lifetimes_matters, .certain = lifetimes_certain, .weakened = lifetimes_weakened,                        \
    .names = lifetimes_names, .judged = lifetimes_judged, .is_empty = lifetimes_are_none

#endif
