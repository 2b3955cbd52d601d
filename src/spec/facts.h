/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the calls of the library's objects: what a call adds, removes, sees, sets or counts, and which result
 * says that it found nothing. Each object has one table of them, beside its step; searches, scans, explanations,
 * reports and recheck read it and guess nothing themselves. An object of a user has no facts. unit.facts compares the
 * tables with the steps.
 *
 * There are three views of a call; an object has those that suit it.
 *   label   its roles, and the value that they are about. A row of the table gives them by the method and the outcome.
 *           Theories (theory/theory.h) are written in these words, too.
 *   cell    The object, or one key of it, is a variable. A call sees a value there, and sets one.
 *   amount  The object counts something: copies of a value, holders of a lock, a balance. A call changes the amount,
 *           and its result may tell the amount before it. */
#ifndef ASSAY_SPEC_FACTS_H
#define ASSAY_SPEC_FACTS_H

#include "spec/any_initial.h"

/* ---- labels ---- */

enum call_role {
    ROLE_ADD = 1,    /* puts a value there: add, write, lock, acquire */
    ROLE_REMOVE = 2, /* takes it away: remove, unlock, release */
    ROLE_SEE = 4,    /* finds it there: peek, read, contains => true; a trylock that failed */
    ROLE_MISS = 8,   /* finds nothing: remove => empty, contains => false */
    ROLE_SWAP = 16,  /* gives and takes at once: exchange */
    ROLE_FULL = 32   /* finds no room: enq => full */
};

enum call_outcome {
    OUTCOME_RETURNED, /* with any result that no other label of the method names */
    OUTCOME_NONE,     /* without a result */
    OUTCOME_EMPTY,
    OUTCOME_TRUE,
    OUTCOME_FALSE,
    OUTCOME_NULL,  /* or `nil` */
    OUTCOME_NEVER, /* it has not returned */
    OUTCOME_FULL,  /* this and the next are not words of theories */
    OUTCOME_ZERO
};

enum label_value { VALUE_NONE, VALUE_ARGUMENT, VALUE_RESULT };

struct call_label {
    unsigned method; /* assay_method.id; spec/roles.h */
    enum call_outcome outcome;
    unsigned roles;
    enum label_value value;
};

/* The label of a call among these, or NULL. */
const struct call_label *call_label_of(const struct call_label *labels, unsigned method, enum call_outcome outcome);

static inline struct value call_label_value(const struct call_label *l, struct value argument, struct value returned)
{
    return l->value == VALUE_ARGUMENT ? argument : l->value == VALUE_RESULT ? returned : (struct value){0};
}

/* Up to one without roles; some are shared by several objects. */
extern const struct call_label labels_of_register[], labels_of_collection[], labels_of_set[], labels_of_lock[],
    labels_of_exchanger[];

/* ---- cells ---- */

/* Kind ASSAY_NONE: the call and its result do not tell, or it sets nothing. A key of a map without a value has the
 * value `null`; a value of a set that is in it, and a lock that is held, are `true`, else `false`. */
struct cell_access {
    assay_value sees;    /* the value before it */
    assay_value sets;    /* the value behind it, be it another one or not */
    assay_value refuses; /* a value that was not there before it */
};

/* ---- amounts ---- */

#define AMOUNT_NO_TOP INT64_MAX
#define AMOUNT_NO_BOTTOM INT64_MIN

enum counted {
    COUNTS_NOTHING,
    COUNTS_COPIES,  /* of a value in a multiset */
    COUNTS_LOCK,    /* the holders of a lock */
    COUNTS_HOLDERS, /* of a semaphore */
    COUNTS_RWLOCK,  /* readers, and places (rwlock.c) */
    COUNTS_PLACES,  /* left in a counting semaphore */
    COUNTS_KEYS,    /* of a map, that have a value: a call gives it to a key or takes it away, or tells their number */
    COUNTS_SUM,     /* of a counter */
    COUNTS_BALANCES
};

struct amount {
    int64_t initial, bottom, top; /* it never is below the bottom, or above the top */
};

struct amount_use {
    int64_t least, most; /* the change; two different ones: the result does not say which */
    bool tells;          /* its result tells that the amount before it was in this range: */
    int64_t low, high;
};

static inline struct amount_use amount_changes(int64_t by)
{
    return (struct amount_use){.least = by, .most = by};
}

static inline struct amount_use amount_told(int64_t low, int64_t high)
{
    return (struct amount_use){.tells = true, .low = low, .high = high};
}

/* ---- the table ---- */

enum object_family {
    FAMILY_OTHER,
    FAMILY_REGISTER, /* register, cas-register, memory: a call names the value that it writes last */
    FAMILY_SEQUENCE, /* queue, stack, deque: values leave in an order given by the calls */
    FAMILY_BOUNDED,  /* bounded-queue: and there may be no room for one */
    FAMILY_PRIORITY, /* pqueue: or by the values */
    FAMILY_MEMBERS,  /* set, multiset */
    FAMILY_MAP
};

struct object_facts {
    const assay_spec *spec;
    enum object_family family;
    bool never_blocks; /* each call can take effect in each state */
    bool blank;        /* values are only compared: the object does not look into texts */
    bool two_ends;     /* a deque: the labels go by collection_role_of (spec/roles.h) */
    enum any_kind any; /* which initial states `@init ?` stands for */
    const struct call_label *labels;
    /* Cells and amounts are those of single keys. */
    bool by_key;
    struct cell_access (*cell)(const assay_call *call);
    assay_value (*cell_initial)(const assay_setting *s, assay_value key);
    enum counted counts;
    uint32_t (*amounts)(const assay_setting *s); /* how many the object has, numbered from 0; NULL: 1 */
    struct amount (*amount)(const assay_setting *s, assay_value key, uint32_t which);
    struct amount_use (*use)(const assay_call *call, const struct amount *a, uint32_t which);
};

#define X(ident, name) extern const struct object_facts facts_##ident;
#include "spec/spec.def"
#undef X

/* Those of the object. One of a user's has none: FAMILY_OTHER, and no views. */
const struct object_facts *facts_of(const assay_spec *spec);

enum { FACTS_ARGS = 4 }; /* no call of an object with facts has more, but transactions */

/* The operation as a call of the object, by the name of its method. False: it is none. */
bool facts_call(const struct object_facts *f, const history *h, uint32_t op, assay_value args[FACTS_ARGS],
                assay_call *out);
/* The label of the call; one without roles if there is none. */
const struct call_label *facts_label(const struct object_facts *f, const assay_call *call, bool pending);
/* The same of an operation, and `put(k, null)` is taken for a removal. */
unsigned facts_roles(const struct object_facts *f, const history *h, uint32_t op);
/* The value that the roles are about; of kind ASSAY_NONE if there is none. */
struct value facts_thing(const struct object_facts *f, const history *h, uint32_t op);
const assay_method *facts_method(const struct object_facts *f, const assay_call *call); /* by its number */
/* Is the operation a call with this number? */
bool facts_is(const struct object_facts *f, const history *h, uint32_t op, unsigned method);

/* May a call of the method of this name put something there? */
bool facts_adds(const struct object_facts *f, const char *method);

/* A pending call tells nothing about the state before it. */
struct cell_access facts_cell(const struct object_facts *f, const assay_call *call, bool pending);
struct amount_use facts_amount(const struct object_facts *f, const assay_call *call, bool pending,
                               const struct amount *a, uint32_t which);
uint32_t facts_amounts(const struct object_facts *f, const assay_setting *s, assay_value key);

#endif
