/* SPDX-License-Identifier: Apache-2.0 */
/* Online checkers: they follow one object, event by event, and report the event at which it stopped being linearizable,
 * or consistent with a weak model. Members are listed in online.def. The monitor (src/monitor) feeds an online checker
 * from a live log. The engine of the same name feeds it from a recorded history (src/theory/stepwise.c).
 *
 * Events come in the order of time. Calls come before returns of the same time, so that happens-before is exactly
 * "returned at an earlier event than the other was called". Steps number the events of the stream, from 1. An open call
 * has a slot, a small number that is free again once the call has returned: slots index tables.
 *
 * A checker may run for ever. It must free or use again all blocks from setup->mem. So its memory depends on the open
 * calls and on the contents of the object, not on the length of the run. Values of kind text are numbers that the
 * feeder gives out. It takes back numbers that no checker names when asked (each_value). */
#ifndef ASSAY_ONLINE_ONLINE_H
#define ASSAY_ONLINE_ONLINE_H

#include "base/budget.h"
#include "base/text.h"
#include "base/vec.h"
#include "spec/value_forms.h"

enum online_guarantee {
    ONLINE_SOUND, /* each report is a violation; the absence of reports proves nothing */
    ONLINE_EXACT  /* and every violation is reported, once the operations that overlap it have returned (and those that
                   * overlap these, for some objects) */
};

enum online_verdict {
    ONLINE_FINE,
    ONLINE_VIOLATION,
    ONLINE_OPEN /* operations that never returned leave it undecided */
};

struct image;
struct value_map;
struct visibility;

enum { ONLINE_WINDOW = 4096 };

struct online_setup {
    const assay_spec *spec;
    /* Its texts have the numbers of the feeder (value_internal); init stays while the checker is open. */
    assay_setting setting;
    const char *variant; /* "+r", or NULL */
    struct mem *mem;
    struct budget *budget;
    /* The letters of a text, which stay as long as a checker names it; NULL: only the words below are known. */
    const char *(*text)(void *arg, struct value v, size_t *length);
    void *text_arg;
    uint32_t most; /* configurations that exact-jit keeps before it gives up; 0: the default */
    uint64_t work; /* steps that it takes beyond a number for each operation before it gives up; 0: the default */
    uint32_t
        few; /* operations of the past, and parts, that an exact one keeps before it drops those that can go; 0: the
              * default */
    /* The axioms of weak consistency (model/axioms.h), which stay while the checker is open; NULL: linearizability. */
    const struct visibility *visibility;
    uint32_t window; /* operations that a checker of weak consistency keeps, at most ONLINE_WINDOW; 0: so many */
    /* 0: the content of the object is known. Else it is unknown from this step on (online.attaches). Calls with earlier
     * steps were open then; they are shown first. */
    uint64_t attached;
};

/* Words with a meaning have fixed numbers for all feeders: a value of kind ASSAY_WORD with these bits. */
enum online_word { ONLINE_EMPTY, ONLINE_TRUE, ONLINE_FALSE, ONLINE_NULL, ONLINE_NIL, ONLINE_WORDS };
extern const char *const online_words[ONLINE_WORDS]; /* "empty", "true", ... */

static inline bool online_is(struct value v, enum online_word w)
{
    return v.kind == ASSAY_WORD && v.bits == (int64_t)w;
}

#define ONLINE_NEVER UINT64_MAX /* the step of a return that has not come */

/* The value as an object is shown it. A text is noted in `texts`, which stays: objects may keep it. NULL: those that
 * the object keeps are known otherwise. */
assay_value online_public(const struct online_setup *s, struct value_map *texts, struct value v);

struct online_op {             /* an operation, as reports name it */
    uint64_t called, returned; /* steps */
    unsigned method;           /* assay_method.id */
    struct value arg, result;  /* the first argument; ASSAY_NONE: none */
};

/* The violation that a checker has found. */
struct online_fault {
    uint64_t step;             /* the return that completes the contradiction */
    const char *pattern;       /* the kind of violation, as evidence/pattern.def names it; NULL: not certain */
    VEC(struct online_op) ops; /* that take part */
    /* The derivation, a sentence a line; an operation is named by its place in ops: "{0} returned before {1} was
     * called". The last line is the contradiction itself. The printing code replaces the numbers in braces. */
    struct text why;
};

struct online {
    const char *name, *title;
    const char *const *variants; /* up to NULL; or NULL */
    enum online_guarantee guarantee;
    /* It follows weak consistency, and no other member does. Nothing can be left out then, even after a violation. */
    bool weak;
    /* Events are judged together, when enough are there and at the end. src/monitor itself does that: there are no
     * hooks but `declines`. */
    bool deferred;
    bool slow;   /* each event takes longer than the one before: for some hundred events */
    bool prompt; /* exact at every return: a violation is reported at the step where it becomes certain */
    const char *(*missing)(void); /* why it cannot run here, or NULL; the hook may be NULL */
    /* Why it is not for this object ("the object is not a queue"), or NULL. */
    const char *(*declines)(const struct online_setup *s);
    /* Can it begin with an unknown content (setup.attached)? Each report is then a violation for every content. NULL:
     * no. */
    bool (*attaches)(const struct online_setup *s);
    /* Can its state be saved (image)? NULL: no. */
    bool (*saves)(const struct online_setup *s);
    void *(*open)(const struct online_setup *s);
    void (*close)(void *state); /* gives back all its memory */
    /* The same after an escape, which may have left it in the middle of something: gives back all that setup->mem does
     * not own. NULL: there is no such thing. */
    void (*abandon)(void *state);
    /* The method of the next call, by the name that is used, and its id: calls of one id are in program order. The hook
     * may be NULL. */
    void (*caller)(void *state, const assay_method *method, const char *id, size_t length);
    /* args are valid during the call only. */
    void (*call)(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity);
    /* False: a violation is certain; from then on only explain, each_value, live and close may be asked. */
    bool (*ret)(void *state, uint32_t slot, uint64_t step, struct value result);
    /* The caller of the open call in this slot died: the call never returns, and may or may not take effect, at any
     * time from now on. The slot is free again. False: a violation, as for ret. NULL: such a call cannot be
     * followed. */
    bool (*died)(void *state, uint32_t slot);
    /* After a violation: the step of a call that never returned and may explain it after all; then the checker cannot
     * go on, and nothing is certain. 0: the violation is certain. NULL: it always is. */
    uint64_t (*doubt)(const void *state);
    /* Events that are not judged yet, because they wait for the return of an earlier call. NULL: none. */
    uint64_t (*waiting)(const void *state);
    /* There will be no more events; open calls never return. */
    enum online_verdict (*finish)(void *state);
    /* After a violation. Memory of the parts of out from m. */
    void (*explain)(void *state, struct online_fault *out, struct mem *m);
    void (*each_value)(void *state, void (*visit)(void *arg, struct value v), void *arg);
    /* Does each_value visit all that the object may hold? NULL: yes. */
    bool (*names_all)(const void *state);
    /* These two may be asked after an interrupt, too. */
    uint64_t (*live)(const void *state); /* operations that it remembers */
    /* Why an exact one is only sound from now on ("the value 5 was added twice"), or NULL; the hook may be NULL. */
    const char *(*weakened)(const void *state);
    /* Saves a state without a violation, or loads it into a fresh one with the same setup (base/image.h). */
    void (*image)(void *state, struct image *x);
};

extern const struct online
    *const online_table[]; /* up to NULL; for an object, the first that does not decline is the default */
/* "name" or "name+variant"; *variant is set to the rest, "+" included, or NULL. NULL with e when unknown. */
const struct online *online_find(const char *text, const char **variant, assay_error *e);

#endif
