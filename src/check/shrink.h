/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of shrinking: which cuts a model allows, and the loop that makes them (shrink.c). */
#ifndef ASSAY_CHECK_SHRINK_H
#define ASSAY_CHECK_SHRINK_H

#include "check/check.h"

enum { MOST_ROUNDS = 3 };

struct call_cut { /* how a call of an object is cut; numbers of values, or ID_NONE */
    uint8_t cut;  /* an assay_cut, or a cell's (shrink_object.c) */
    bool failed;  /* of a cell, as in check/cell_cuts.h: */
    uint32_t reads, writes;
    uint32_t value; /* of others: the one that it goes with */
    uint32_t part;  /* of the object, or ID_NONE */
};

struct memory_cuts {
    uint32_t *reads, *writes;       /* of an operation: numbers of pairs of a variable and a value, or ID_NONE */
    bool *final;                    /* of an operation: it writes a value that @final names */
    struct groups readers, writers; /* of such a pair: operations */
};

struct shrinking {
    const result *r;
    assay_options options;
    explainer *explain;
    bool same_pattern; /* a cut must also leave the result's pattern */
    bool from_start;   /* the initial state stays as it is, and any pattern will do */
    bool fine;         /* the answer of a protected call */
    struct mem mem;
    const history *base; /* the history to cut */
    history *owned;      /* the base, if it was made for this */
    uint32_t *origin;    /* of its operations: their numbers in the result's history */
    /* A cut whose initial state may be any is judged within so many ticks, or not made; 0: no limit. */
    uint64_t ticks_from_any;
    bool all_init; /* an operation of the base is about all keys of @init at once */
    /* Units can be cut: first the operations of the base, of transactions then the keys and the accesses, too. A round
     * cuts units from the end of the round before it up to its own end. */
    uint32_t units, ends[MOST_ROUNDS], rounds;
    bool *keep, *trial; /* of units */
    /* Makes further cuts when the rounds are over. True: it made one, so they begin anew. NULL: there are none. */
    bool (*again)(struct shrinking *s);
    history *rest, *best; /* the kept units; the same with the headers and threads that they need */
    /* The base without the units that are not kept. */
    history *(*slice)(const struct shrinking *s, const bool *keep);
    /* Makes a trial an allowed cut: takes more away or puts some back. False: it cannot be. */
    bool (*close)(const struct shrinking *s, bool *keep);
    union {
        struct memory_cuts memory;
        struct {
            struct call_cut *of;    /* of an operation */
            uint32_t values, parts; /* how many */
            assay_value *args;      /* room for those of a call */
            bool *spoils;           /* weak consistency: as in check/weak_cuts.h; or NULL */
        } object;
        struct {
            uint32_t keys, *key_of;         /* how many; of an access */
            bool *is_read;                  /* of an access */
            struct groups writers, readers; /* of an access: the other operations that wrote its values; the inverse */
        } transactions;
    } cuts;
};

/* Set up the base, the units, the cuts and keep, whose units violate the model. May escape. */
void shrink_memory(struct shrinking *s);
void shrink_object(struct shrinking *s);
void shrink_transactions(struct shrinking *s);

/* Calls `want` with each operation that the refutation names, and perhaps with ASSAY_NO_OPERATION. */
void shrink_refutation(struct shrinking *s, void (*want)(struct shrinking *s, uint32_t op));

/* As assay_shrink. */
history *shrink(const result *r, const assay_options *options, explainer *explain, uint32_t *kept, assay_error *e);
/* The same, but the rest may have any pattern, and has the initial state of the whole. */
history *shrink_to_core(const result *r, const assay_options *options, explainer *explain, uint32_t *kept,
                        assay_error *e);

/* Each operation is a unit, and there is one round. */
void shrink_by_operations(struct shrinking *s, const history *base);

/* Does the history violate the model, with the result's pattern if that is asked for? */
bool shrink_violates(struct shrinking *s, const history *h);
/* Does the base without the units that are not kept? */
bool shrink_still_violates(struct shrinking *s, const bool *keep);

#endif
