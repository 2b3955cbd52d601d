/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of shrinking: which cuts a model allows, and the loop that makes them (shrink.c). */
#ifndef ASSAY_CHECK_SHRINK_H
#define ASSAY_CHECK_SHRINK_H

#include "check/check.h"

struct shrinking {
    const result *r;
    assay_options options;
    struct mem mem;
    const history *base; /* the history to cut */
    history *owned;      /* the base, if it was made for this */
    uint32_t *origin;    /* of its operations: their numbers in the result's history */
    bool *keep, *trial;
    uint32_t kept;
    history *best;
    /* Makes a trial an allowed cut: takes more away or puts some back. False: it cannot be. */
    bool (*close)(const struct shrinking *s, bool *keep);
    union {
        struct {
            struct rw *rw;
            uint32_t *event_of; /* operation -> event */
        } memory;
        struct {
            uint8_t *cut;    /* of an operation: an assay_cut */
            uint32_t *value; /* the number of its value, or ID_NONE */
            uint32_t values;
            assay_value *args; /* room for those of a call */
        } object;
        struct {
            uint32_t *reader, *writer, pairs; /* operations: the first needs the second */
        } transactions;
    } cuts;
};

/* Set up base, keep and close; keep has the operations that certainly stay. May escape. */
void shrink_memory(struct shrinking *s);
void shrink_object(struct shrinking *s);
void shrink_transactions(struct shrinking *s);

/* Calls `want` with each operation that the refutation names, and perhaps with ASSAY_NO_OPERATION. */
void shrink_refutation(struct shrinking *s, void (*want)(struct shrinking *s, uint32_t op));

bool shrink_still_violates(struct shrinking *s, const bool *keep);

#endif
