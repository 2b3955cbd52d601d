/* SPDX-License-Identifier: Apache-2.0 */
/* A scan: an online checker that sees an event only when it knows everything about the operations that were called
 * before.
 *
 * Idea. The log-linear checks of recorded histories go through the events in the order of time. But at a call they know
 * the time and the result of the return. A monitor learns these later. So it holds events back, in the order they came.
 * They wait as long as the first of them is the call of an open operation. Every operation that a scan is shown has
 * returned.
 *
 * Invariant. When a scan is handed the event of step s, every operation called at s or before has returned, and its
 * record is complete. Operations called later are unknown. The wait is bounded by the time that the oldest open call
 * has been open. A scan is exact for complete histories; at the end of the input, operations that never returned are
 * dealt with by scan/holdback.c. */
#ifndef ASSAY_SCAN_SCAN_H
#define ASSAY_SCAN_SCAN_H

#include "scan/online.h"
#include "spec/spec.h"

struct scan_op {         /* its address may differ between the two events */
    struct online_op op; /* returned == ONLINE_NEVER: it never returns, see scan.pending */
    uint32_t mark;       /* the scan's own between the two events, 0 at first; the record is gone after the return */
    uint32_t arity;
    struct value *args; /* all of them, if there are several */
    uint32_t room;      /* in args */
    uint32_t uses;      /* records.h */
    bool dead;          /* its caller died: it never returns, and may still take effect at any time */
};

static inline struct value scan_arg(const struct scan_op *o, uint32_t i)
{
    return o->arity > 1 ? o->args[i] : o->op.arg;
}

struct scan {
    const assay_spec *object;                              /* NULL: `declines` checks it */
    const char *(*declines)(const struct online_setup *s); /* beyond the object's name; may be NULL */
    bool (*attaches)(const struct online_setup *s);        /* as in online.h; NULL: no */
    void *(*open)(const struct online_setup *s);
    void (*close)(void *state);
    /* Both: false for a violation. */
    bool (*call)(void *state, struct scan_op *o);
    bool (*ret)(void *state, struct scan_op *o);
    /* Of an operation that never returns, since the input ended or its caller died: may it be shown as one that
     * returns after all others (its result unknown)? Else it is left out. The answer must not lose a linearization;
     * when operations were left out that could have taken effect, a violation afterwards is in doubt. May be NULL: all
     * are left out. */
    bool (*pending)(void *state, const struct online_op *op);
    /* Of one that is left out: could it have taken effect in a way that others notice? NULL: yes. */
    bool (*matters)(void *state, const struct online_op *op);
    /* After a violation: would it be one whatever the operations did that were left out? NULL: that is unknown. */
    bool (*certain)(const void *state);
    void (*explain)(void *state, struct online_fault *out, struct mem *m);
    void (*each_value)(void *state, void (*visit)(void *arg, struct value v), void *arg);
    bool (*names_all)(const void *state);
    /* For the journal (journal.h). May all be NULL: then it keeps as many as fit. The value that an operation is about
     * (kind ASSAY_NONE: none), and the values whose operations the scan still holds. */
    struct value (*names)(const struct online_op *op);
    void (*each_held)(const void *state, void (*visit)(void *arg, struct value v), void *arg);
    /* The step up to which all that was shown has been judged; ONLINE_NEVER: it has. */
    uint64_t (*judged)(const void *state);
    /* Is the object, if no operation is open, as an object that was never used and holds nothing at first? */
    bool (*is_empty)(const void *state);
    uint64_t (*live)(const void *state);         /* beyond those whose return it has not been shown */
    const char *(*weakened)(const void *state);  /* as in online.h; may be NULL */
    bool (*saves)(const struct online_setup *s); /* as in online.h; NULL: if it has the next hook */
    void (*image)(void *state, struct image *x); /* as in online.h; may be NULL */
};

/* For `pending` and `matters`. */
static inline bool scan_yes(void *state, const struct online_op *op)
{
    (void)state;
    (void)op;
    return true;
}

static inline bool scan_no(void *state, const struct online_op *op)
{
    return !scan_yes(state, op);
}

extern const struct scan scan_jit; /* exact_jit.c: of any object with sequential states */
enum { PAST_FEW = 1 << 13 };       /* configurations, for a report */
enum { PAST_FEWER = 1 << 11 };     /* where a scan can tell, too */
enum { JIT_FEW = 1 << 12 };        /* configurations, where another checker is in its place when there are more */
enum { JIT_MOST = 1 << 13 };       /* where none is */

/* Members wrap a scan with these (holdback.c). */
void *holdback_open(const struct scan *scan, const struct online_setup *s);
void *holdback_open_apart(const struct scan *scan,
                          const struct online_setup *s); /* without a journal, to judge the past */
const char *holdback_declines(const struct scan *scan, const struct online_setup *s);
bool holdback_attaches(const struct scan *scan, const struct online_setup *s);
bool holdback_saves(const struct scan *scan, const struct online_setup *s);
void holdback_close(void *state);
void holdback_call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args,
                   uint32_t arity);
bool holdback_ret(void *state, uint32_t slot, uint64_t step, struct value result);
bool holdback_died(void *state, uint32_t slot);
uint64_t holdback_doubt(const void *state);
uint64_t holdback_waiting(const void *state);
enum online_verdict holdback_finish(void *state);
void holdback_explain(void *state, struct online_fault *out, struct mem *m);
void holdback_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
bool holdback_names_all(const void *state);
uint64_t holdback_live(const void *state);
const char *holdback_weakened(const void *state);
void holdback_image(void *state, struct image *x);

/* Defines the member online_IDENT of online.def, with the guarantee of an exact one. */
#define HOLDBACK_MEMBER(ident, its_name, its_title, its_scan)                                                          \
    static const char *ident##_declines(const struct online_setup *s)                                                  \
    {                                                                                                                  \
        return holdback_declines(&(its_scan), s);                                                                      \
    }                                                                                                                  \
    static bool ident##_attaches(const struct online_setup *s)                                                         \
    {                                                                                                                  \
        return holdback_attaches(&(its_scan), s);                                                                      \
    }                                                                                                                  \
    static bool ident##_saves(const struct online_setup *s)                                                            \
    {                                                                                                                  \
        return holdback_saves(&(its_scan), s);                                                                         \
    }                                                                                                                  \
    static void *ident##_open(const struct online_setup *s)                                                            \
    {                                                                                                                  \
        return holdback_open(&(its_scan), s);                                                                          \
    }                                                                                                                  \
    const struct online online_##ident = {                                                                             \
        .name = its_name,                                                                                              \
        .title = its_title,                                                                                            \
        .guarantee = ONLINE_EXACT,                                                                                     \
        .declines = ident##_declines,                                                                                  \
        .attaches = ident##_attaches,                                                                                  \
        .saves = ident##_saves,                                                                                        \
        .open = ident##_open,                                                                                          \
        .close = holdback_close,                                                                                       \
        .call = holdback_call,                                                                                         \
        .ret = holdback_ret,                                                                                           \
        .died = holdback_died,                                                                                         \
        .doubt = holdback_doubt,                                                                                       \
        .waiting = holdback_waiting,                                                                                   \
        .finish = holdback_finish,                                                                                     \
        .explain = holdback_explain,                                                                                   \
        .each_value = holdback_each_value,                                                                             \
        .names_all = holdback_names_all,                                                                               \
        .live = holdback_live,                                                                                         \
        .weakened = holdback_weakened,                                                                                 \
        .image = holdback_image,                                                                                       \
    }

#endif
