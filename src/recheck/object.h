/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, as recheck sees them: parts and happens-before computed from the definitions, without the engines' view.
 * Private to this folder. */
#ifndef ASSAY_RECHECK_OBJECT_H
#define ASSAY_RECHECK_OBJECT_H

#include "history/value_ids.h"
#include "recheck/recheck.h"
#include "spec/setting_by_key.h"
#include "spec/spec.h"

struct object_part {
    const struct object_use *use;
    struct value key;                      /* ASSAY_NONE: the whole object */
    const struct setting_by_key *settings; /* of the object; NULL: the part is the whole object */
};

static inline assay_setting object_part_setting(const struct object_part *p)
{
    return p->settings ? setting_of_key(p->settings, p->key) : p->use->setting;
}

struct object_view {
    struct recheck *x;
    struct objects objects;
    bool real_time; /* else program order only */
    VEC(struct object_part) parts;
    uint32_t *part;  /* of an operation; ID_NONE: it has no effect that an order must show */
    bool apart;      /* the parts may be judged apart: real time implies program order, and there is no other
                      * knowledge */
    uint32_t *index; /* of an operation within its thread */
    uint32_t *past;  /* recorded knowledge, closed: past[o * k + t] operations of thread t come before o; or NULL */
};

bool object_before(const struct object_view *v, uint32_t a, uint32_t b); /* does a happen before b? */
/* Is one time earlier than another by more than twice the skew? The clocks of both may be wrong. */
bool object_surely_earlier(const struct object_view *v, int64_t a, int64_t b);
/* In the prefix that ends with the culprit's return, if the evidence is about one: has the operation been called, has
 * it returned? */
bool object_in_prefix(const struct object_view *v, uint32_t op, bool *pending);
/* The call as the specification sees it. Memory from x->mem. */
assay_call object_call(const struct object_view *v, uint32_t op);
/* Has the operation an effect that an order must show? */
static inline bool object_counts(const struct object_view *v, uint32_t op)
{
    return v->part[op] != ID_NONE;
}

/* A cut of a part of the history, or of the whole. It has its operations, the pending ones among them, and the initial
 * states of the objects. */
struct object_cut {
    const struct object_part *parts; /* those of the view, or one of them */
    uint32_t part_n;
    uint32_t *part;        /* of each operation */
    assay_setting setting; /* of the one part, if there is one */
    uint32_t *ops;         /* by their calls */
    assay_call *calls;
    bool *pending; /* it may have taken effect or not */
    uint32_t n;
};

/* Room for n operations. */
void object_cut_reserve(struct object_cut *cut, uint32_t n, struct mem *m);
/* The part's setting without the initial values whose calls were left out. */
assay_setting object_remaining(const struct object_view *v, const struct object_part *part,
                               const struct value_ids *left);

/* The part's state at the start. */
void *object_initial_state(const struct object_view *v, const struct object_part *part, const assay_setting *setting);

/* `@init ?` (initials.c): the history is linearizable iff it is from one of these declarations of the part. */
struct object_initials {
    assay_setting *at;
    uint32_t n;
};
bool object_is_any(const struct object_view *v, const struct object_part *part);
/* False with a refusal: they cannot be listed. */
bool object_initials(const struct object_view *v, uint32_t part, struct object_initials *out);

/* Is this order of the part legal from one of these, with some outcome of each call? False with a refusal
 * (outcomes.c). */
bool object_replays(const struct object_view *v, const struct object_part *part, const struct object_initials *initials,
                    const uint32_t *ops, uint32_t n);

/* Is there a linearization? 1 yes, 0 no, -1: not known within the budget of steps. By a plain search that only keeps
 * the states that it has seen. */
int object_search(const struct object_view *v, const struct object_cut *cut);
/* The same for an exchanger, which has no sequential states. */
int object_match(const struct object_view *v, const struct object_cut *cut);

/* Do the strings of the gets that the evidence keeps contradict each other, or happens-before? Of one key of an
 * append-map; without a search. False: not as far as this argument tells (strings.c). */
bool object_strings_contradict(const struct object_view *v);

/* Can no call have set the value that the culprit saw? Of a register, or a variable of a memory; without a search.
 * False: not as far as this argument tells (cells.c). */
bool object_cell_contradicts(const struct object_view *v);

/* Can the calls before the culprit not add up to the value of the counter that it saw? Without a search (bounds.c). */
bool object_sum_contradicts(const struct object_view *v);

/* Did the culprit see balances of a bank whose sum is not the initial one? Without a search (balances.c). */
bool object_bank_sum_contradicts(const struct object_view *v);

/* Can the calls not add up to the amount that the culprit tells, or makes? Of an object that counts; without a search
 * (counted.c). */
bool object_amount_contradicts(const struct object_view *v);

/* Do reads of a whole set contradict the calls of some of its values? By a search of these alone (elements.c). */
bool object_elements_contradict(const struct object_view *v);

/* Can the calls not explain when a register had a certain value, and when another one? By a search of its own
 * (turns.c). */
bool object_turns_contradict(const struct object_view *v);

#endif
