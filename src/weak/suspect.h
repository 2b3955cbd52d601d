/* SPDX-License-Identifier: Apache-2.0 */
/* A suspect: an operation whose result is followed through a linearization (suspects.c). */
#ifndef ASSAY_WEAK_SUSPECT_H
#define ASSAY_WEAK_SUSPECT_H

#include "spec/lens.h"
#include "weak/search.h"

enum { NO_LETTER = UINT32_MAX };

struct outlook { /* a state of the search for this suspect alone */
    uint32_t set;
    uint32_t number; /* of the state */
    uint32_t tried;  /* the operation that is tried next */
};

struct suspect {
    uint32_t o;
    struct lens lens;
    uint32_t *letter;   /* of each operation; NO_LETTER: it changes nothing here */
    struct set noticed; /* the operations that have a letter */
    struct set must;    /* operations that it must see */
    bool all;           /* it must see all before it */
    assay_value other;  /* stands for all values but its result, where these are alike */
    bool thorough;      /* all states are looked at, even when hope is found */

    struct rows states; /* in which suspect_has_hope was asked */
    VEC(bool) hopes;    /* its answers */
    VEC(struct outlook) trail;
};

#define suspect_new WEAK_AT_WIDTH(suspect_new)
#define suspect_noticed WEAK_AT_WIDTH(suspect_noticed)
#define suspect_sees_all WEAK_AT_WIDTH(suspect_sees_all)
#define suspect_free WEAK_AT_WIDTH(suspect_free)
#define suspect_has_hope WEAK_AT_WIDTH(suspect_has_hope)
#define suspect_answers WEAK_AT_WIDTH(suspect_answers)

struct suspect *suspect_new(const struct weak *w, uint32_t o);
void suspect_free(struct suspect *x, struct mem *m);

/* The operations that o, as a suspect, notices; and must it see all before it? Neither takes a lens. */
struct set suspect_noticed(const struct weak *w, uint32_t o);
bool suspect_sees_all(const struct weak *w, uint32_t o);

/* Its states once b is appended. */
static inline uint32_t suspect_step(struct suspect *x, uint32_t set, uint32_t b)
{
    return x->letter[b] == NO_LETTER ? set : lens_step(&x->lens, set, x->letter[b], x->all || set_has(&x->must, b));
}

/* Are two calls the same for it? */
static inline bool suspect_confuses(const struct suspect *x, uint32_t a, uint32_t b)
{
    return x->letter[a] == x->letter[b] && (x->all || set_has(&x->must, a) == set_has(&x->must, b));
}

/* Of two calls that are the same for all suspects, and may both come next, only the one that returns first need be
 * tried. In an order with the other one here, the two can change places: all that come after the other one come after
 * the first, too. This holds where the order is one of intervals. */
static inline bool suspect_prefers(const struct linear *x, uint32_t twin, uint32_t b)
{
    return x->c->order == CALLS_INTERVALS && twin != b &&
           (x->ends[twin] != x->ends[b] ? x->ends[twin] < x->ends[b] : twin < b);
}

/* Can it still be explained after the operations `done`, in these states, if it is the only suspect? */
bool suspect_has_hope(struct suspect *x, const struct weak *w, const struct set *done, uint32_t set);

/* The results that it can return, beside the recorded one. Of a new suspect, which is not asked otherwise. */
void suspect_answers(struct suspect *x, const struct weak *w, struct linear_answers *out);

#endif
