/* SPDX-License-Identifier: Apache-2.0 */
/* Spelling: the put and the appends that made the string of an append-map's get.
 *
 * Idea. A get returns the text of the last put before it, or the initial one. Behind it stand the texts of the appends
 * since then. A piece is a text that some call puts or appends. The ways to compose the string of pieces are counted
 * from its front to its end. Two calls with the same text are two ways. If there is one way, each linearization has
 * these calls, in this order, before the get. If there is none, there is no linearization.
 *
 * Only calls whose time fits are counted. A call that was made after the get returned is not among them. Nor is a call
 * that returned before some put was called which returned before the get was called. Nothing is counted from the
 * initial text if a put returned before the get was called. So texts may come again, if some time has passed.
 *
 * A piece at the front of a string is found by binary search. The pieces that are prefixes of a string are prefixes of
 * the greatest piece not above it, too. So each piece knows the longest piece that it begins with. Most often none is
 * the prefix of another, and the piece that follows is the one that followed last time, which is tried first. */
#ifndef ASSAY_SCAN_SPELL_H
#define ASSAY_SCAN_SPELL_H

#include "base/group.h"
#include "engine/engine.h"
#include "search/calls.h"

struct spell_piece {
    const char *text;
    uint32_t length;
    uint32_t prefix; /* the longest piece that it begins with, or ID_NONE */
    uint32_t next;   /* the piece that followed it last, or ID_NONE */
    bool alone;      /* it is no prefix of another piece, and begins with none */
};

struct spell_step { /* how a place in a string is reached */
    uint32_t call;  /* ID_NONE: the initial text */
    uint32_t piece; /* or ID_NONE */
    uint32_t from;  /* the place before, or ID_NONE: the front */
};

struct speller {
    const struct job *job;
    assay_value initial;
    VEC(struct spell_piece) pieces; /* that are not empty, in lexicographic order */
    struct groups by;               /* 2 * piece: its puts; 2 * piece + 1: its appends. Last the empty puts */
    uint32_t *latest;               /* of each call in `by`: the latest return up to it in its group */
    uint64_t *puts;                 /* (return, put), sorted: the puts that returned */
    uint32_t put_n, put_at;
    uint32_t since, until; /* the calls of a spelling return after, and are made before these */
    uint8_t *ways;         /* to reach each place in the string; 2: more than one */
    struct spell_step *steps;
    uint32_t *used; /* of each call: the get whose spelling has it */
    /* The spelling found last: */
    uint32_t first;        /* the put, or ID_NONE: the initial text */
    VEC(uint32_t) spelled; /* appends */
};

/* Operations are numbered by their place in the part. Memory from the job. */
void spell_begin(struct speller *s, const struct job *job);

/* The number of ways to spell the get: 0, 1 or 2, which stands for more. If there are any, the spelling is one of them.
 * Gets come by their calls. */
uint32_t spell_get(struct speller *s, uint32_t get);
/* The same whenever the calls were made. */
uint32_t spell_anytime(struct speller *s, uint32_t get);

/* The put that was called last of those that had returned before the get was called, or ID_NONE. */
uint32_t spell_overwriter(const struct speller *s);

assay_value spell_text(const struct job *job, uint32_t i); /* put, appended or returned */

#endif
