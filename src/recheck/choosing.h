/* SPDX-License-Identifier: Apache-2.0 */
/* A search for a choice of sources, one candidate for each read, that contains no nogood: a set of candidates that
 * cannot be chosen together.
 *
 * The read with the fewest candidates that the nogoods allow comes next. Where there is none, the nogoods that forbid
 * them yield another, without this read: their other premises. The search goes back until a source of the new nogood is
 * taken back. When a nogood is empty, there is no choice. The caller judges a choice that is complete, and may
 * add a nogood that it contains. */
#ifndef ASSAY_RECHECK_CHOOSING_H
#define ASSAY_RECHECK_CHOOSING_H

#include "recheck/recheck.h"

enum chosen { CHOSEN, NO_CHOICE, CHOICE_GIVEN_UP };
enum judged { JUDGED_FINE, JUDGED_BROKEN /* the clash says why */, JUDGED_NOT };

struct choosing {
    struct mem *m;
    struct budget *budget;
    uint32_t reads;
    uint32_t *at;                     /* the candidates of a read: at[read] .. at[read + 1] - 1 */
    VEC(uint32_t) source;             /* of a candidate: an operation, or FROM_INITIAL */
    uint32_t *reader;                 /* of a candidate */
    uint32_t *chosen;                 /* of a read: a candidate, or ID_NONE */
    VEC(uint32_t) trail;              /* candidates in the order in which they were chosen */
    uint32_t *readers;                /* of an operation: the reads with it as their chosen source */
    VEC(uint32_t) nogoods, nogood_at; /* candidates; nogood i ends where i + 1 begins */
    uint32_t *forbids;                /* of a candidate: a nogood of which all others are chosen, or ID_NONE */
    VEC(uint32_t) clash;              /* the nogood under construction */
    bool *in_clash;

    /* The caller's: must the read have a source now? That may be so since another read has its operation as the source;
     * then *by is that candidate, else ID_NONE. */
    bool (*wants)(const struct choosing *c, uint32_t read, uint32_t *by);
    enum judged (*judge)(struct choosing *c);
    void *arg;
};

/* The candidates are pushed to source, read by read, by `add`, and the tables made; of so many operations. */
void choosing_init(struct choosing *c, uint32_t operations, void (*add)(struct choosing *c, uint32_t read));
/* Adds the clash to the nogoods. */
void choosing_keep(struct choosing *c);
enum chosen choosing_search(struct choosing *c);

#endif
