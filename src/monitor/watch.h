/* SPDX-License-Identifier: Apache-2.0 */
/* A watch: one object of a stream, and the online checker that follows it.
 *
 * After a violation the checker has nothing more to say. A watch can go on with a fresh one, in a way that raises no
 * false alarm although the object itself is not fresh:
 *   - objects whose operations can be left out by value (quarantine.h) go on at once, behind a quarantine, if the
 *     checker knows which values the object may hold;
 *   - an object that some call renews (assay_spec.renews) goes on behind the first one that overlaps no other call:
 *     behind an unlock a lock is free, whatever was before;
 *   - other objects are not looked at until the next history begins. Neither is any object under a weak model: a later
 *     operation may still see, or miss, any that came before. */
#ifndef ASSAY_MONITOR_WATCH_H
#define ASSAY_MONITOR_WATCH_H

#include "monitor/quarantine.h"
#include "monitor/slots.h"

enum { WATCH_CACHE = 16 }; /* at least as many as most objects have methods */

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
    bool weak;                     /* it is known that its checker is no longer exact */
    uint32_t alone;                /* the slot of a call that overlaps none, while the object is not checked; else
                                    * ID_NONE */
    uint64_t left_out;             /* operations that were not checked, without those of the quarantine */
    struct {                       /* methods by name, of at most 8 bytes */
        uint64_t key;
        const assay_method *method;
    } cache[WATCH_CACHE];
};

/* The method of this name, or NULL. */
const assay_method *watch_method(struct watch *w, struct id name);

void watch_start(struct watch *w); /* with a first checker */
void watch_call(struct watch *w, struct id id, uint32_t slot, uint64_t step, const assay_method *method,
                const struct value *args, uint32_t arity);
/* False: a violation, which watch_explain explains. */
bool watch_return(struct watch *w, uint32_t slot, uint64_t step, const assay_method *method, struct value result);
enum online_verdict watch_finish(struct watch *w);
void watch_explain(const struct watch *w, struct online_fault *out, struct mem *m);
/* Goes on after a violation; false: there is already another one. The open calls are those of `slots` with the number
 * `self` for this watch. */
bool watch_restart(struct watch *w, const struct slots *slots, uint32_t self);
/* The open call in this slot returned, but its result is lost; goes on as after a violation. */
bool watch_lose(struct watch *w, const struct slots *slots, uint32_t self, uint32_t slot);
void watch_end(struct watch *w);     /* frees its memory */
void watch_abandon(struct watch *w); /* after an escape: frees all that `mem` does not own */

void watch_each_value(const struct watch *w, void (*visit)(void *arg, struct value v), void *arg);
uint64_t watch_live(const struct watch *w);
uint64_t watch_left_out(const struct watch *w);

#endif
