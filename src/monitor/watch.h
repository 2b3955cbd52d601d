/* SPDX-License-Identifier: Apache-2.0 */
/* A watch: one object of a stream, and the online checker that follows it.
 *
 * After a violation the checker has nothing more to say. A watch can go on with a fresh one, in a way that raises no
 * false alarm although the object itself is not fresh:
 *   - objects whose operations can be left out by value (quarantine.h) go on at once, behind a quarantine, if the
 *     checker knows which values the object may hold;
 *   - an object that some call renews (assay_spec.renews) goes on behind the first one that overlaps no other call:
 *     behind an unlock a lock is free, whatever was before;
 *   - an object with an unknown content (below) goes on with an unknown content again;
 *   - other objects are not looked at until the next history begins. Neither is any object under a weak model: a later
 *     operation may still see, or miss, any that came before.
 *
 * An unknown content. A monitor that attaches to a running system has not seen the events before. The watch is idle
 * while unseen calls from before may be open (monitor.h). Then watch_attach begins:
 *   - a checker that can begin with an unknown content (online.attaches) is opened, and shown the open calls;
 *   - for other objects, which operations can be left out of by value, the watch waits for an operation E that reveals
 *     the end of the content: a dequeue that found the queue empty, a write to a register. At some moment p between the
 *     call and the return of E nothing from before the call of E was left. An operation that takes effect after p has
 *     returned after the call of E. So a fresh checker begins at the return of E, behind a quarantine. Quarantined are
 *     the values of operations that returned after the call of E, and of those that are open. All operations that it
 *     lets through were called after p. They are a history from the state without values, if the whole is right for
 *     any content. So a report is a violation for every content at the start. */
#ifndef ASSAY_MONITOR_WATCH_H
#define ASSAY_MONITOR_WATCH_H

#include "monitor/quarantine.h"
#include "monitor/slots.h"

enum { WATCH_CACHE = 16 }; /* at least as many as most objects have methods */

struct recent_value { /* of an operation */
    uint64_t returned;
    struct value value;
};

/* A call whose caller died: it may still take effect, so every later checker of the object is shown it. */
struct dead_call {
    uint64_t step;
    unsigned method;
    VEC(struct value) args;
    char *text; /* "[7] deq() in line 12" */
    bool held;  /* the quarantine has it still, or has left it out with its value */
};

/* Content: known from the start; nothing is done yet; it is waited for an operation that reveals its end. */
enum watch_content { WATCH_KNOWN, WATCH_IDLE, WATCH_UNKNOWN };

struct watch {
    char *name; /* NULL: the stream's one object */
    char *kind; /* "semaphore(3)" */
    const assay_spec *spec;
    assay_setting setting;               /* with the numbers of `symbols` */
    const struct visibility *visibility; /* the axioms of a weak model, or NULL */
    uint32_t window;
    const struct online *online;
    const char *variant;
    char *engine; /* the checker's name with its variation */
    struct mem *mem;
    struct budget *budget;
    struct symbols *symbols;
    void *state;                   /* of the checker; NULL: the object is not checked now */
    struct quarantine *quarantine; /* NULL before the first violation */
    uint32_t open;                 /* calls */
    VEC(struct dead_call) dead;
    bool weak;          /* it is known that its checker is no longer exact */
    uint32_t alone;     /* the slot of a call that overlaps none, while the object is not checked; else
                                    * ID_NONE */
    uint64_t left_out;  /* operations that were not checked, without those of the quarantine */
    uint64_t unchecked; /* events since it was retired */
    bool attached;      /* its content was unknown at the start */
    bool retired;       /* there was a violation, and it is not checked any more */
    enum watch_content content;
    VEC(struct recent_value) recent; /* WATCH_UNKNOWN: values of operations that overlap an open call, and others */
    uint32_t recent_limit;
    uint64_t since;            /* WATCH_UNKNOWN: the step of watch_attach */
    uint64_t begun;            /* the step of its first call */
    const assay_method *first; /* the method of its first call, and its arguments, which say which object it is */
    VEC(struct value) first_args;
    struct { /* methods by name, of at most 8 bytes */
        uint64_t key;
        const assay_method *method;
    } cache[WATCH_CACHE];
};

/* The method of this name, or NULL. */
const assay_method *watch_method(struct watch *w, struct id name);

void watch_start(struct watch *w); /* with a first checker, unless it is attached */
/* The content is unknown at this step; false: there is no way to follow the object then. */
bool watch_can_attach(const struct watch *w);
void watch_attach(struct watch *w, const struct slots *slots, uint32_t self, uint64_t step);
void watch_detach(struct watch *w); /* idle until watch_attach */
void watch_retire(struct watch *w); /* it is checked no more */
void watch_call(struct watch *w, struct id id, uint32_t slot, uint64_t step, const assay_method *method,
                const struct value *args, uint32_t arity);
/* False: a violation, which watch_explain explains. */
bool watch_return(struct watch *w, const struct slots *slots, uint32_t slot, uint64_t step, struct value result);
/* The caller of the call in this slot died; `text` says which call it is. False: a violation, or a doubt. */
bool watch_died(struct watch *w, const struct slots *slots, uint32_t slot, const char *text);
bool watch_can_lose_callers(const struct watch *w); /* without that the checker must know how each call ends */
/* After a violation: the dead call that may explain it, so that nothing is certain; NULL: it is certain. */
const char *watch_doubt(const struct watch *w);
enum online_verdict watch_finish(struct watch *w);
void watch_explain(const struct watch *w, struct online_fault *out, struct mem *m);
/* Goes on after a violation; false: there is already another one. The open calls are those of `slots` with the number
 * `self` for this watch. */
bool watch_restart(struct watch *w, const struct slots *slots, uint32_t self, uint64_t step);
bool watch_is_unknown(const struct watch *w); /* it is not checked yet, since its content is unknown */
bool watch_is_lost(const struct watch *w);    /* no later operation will tell its state: it cannot go on */
/* The open call in this slot returned, but its result is lost; goes on as after a violation. An attached watch is idle
 * then. */
bool watch_lose(struct watch *w, const struct slots *slots, uint32_t self, uint32_t slot);
/* Events were lost, and no call is open any more: idle until watch_attach, or checked no more. */
void watch_lose_all(struct watch *w);
/* Saves the watch, or loads it into one that has been started with the same object. */
bool watch_can_save(const struct watch *w);
void watch_image(struct watch *w, struct image *x);
void watch_end(struct watch *w);     /* frees its memory */
void watch_abandon(struct watch *w); /* after an escape: frees all that `mem` does not own */

void watch_each_value(const struct watch *w, void (*visit)(void *arg, struct value v), void *arg);
uint64_t watch_live(const struct watch *w);
uint64_t watch_left_out(const struct watch *w);
uint64_t watch_waiting(const struct watch *w); /* events that are not judged yet */

#endif
