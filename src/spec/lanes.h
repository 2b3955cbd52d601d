/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of a digest, and how values go into them.
 *
 * A state's digest must be cheap to keep up to date when the state changes, and must depend on nothing but its content.
 *   unordered content (sets, maps)    the sum of the entries' hashes: adding and taking away are inverse, in any order
 *   ordered content (queues, texts)   a polynomial in a base whose coefficients are the hashes of the elements, modulo
 *                                     the prime 2^61 - 1, where the base has an inverse: elements can be added and
 *                                     taken away at either end (Karp and Rabin 1987)
 * Sums and polynomials are linear. So an attacker who knows the hashes of the elements can choose elements that cancel
 * out (Wagner 2002). Therefore these hashes, and the bases, are under a secret key (base/keyed.h).
 *
 * Texts go by their numbers where they have one, so numbered and unnumbered texts must not be mixed in one state. */
#ifndef ASSAY_SPEC_LANES_H
#define ASSAY_SPEC_LANES_H

#include "assay_spec.h"
#include "base/keyed.h"
#include "base/prime61.h"

struct lanes {
    uint64_t at[2];
};

/* The hook `digest` of states that begin with their digest. */
static inline void lanes_digest(const void *state, uint64_t out[2])
{
    const struct lanes *digest = state;
    out[0] = digest->at[0];
    out[1] = digest->at[1];
}

/* Hashed data begin with their kind. */
enum lanes_what { LANES_NUMBER = 1, LANES_VALUE, LANES_PAIR, LANES_JOIN };

static inline bool lanes_is_word(assay_value v) /* one word says it all, beside the kind */
{
    return v.kind == ASSAY_NONE || v.kind == ASSAY_INT || v.integer;
}

static inline struct lanes lanes_of_number(uint64_t x)
{
    struct keyed s = keyed_begin();
    struct lanes l;
    keyed_put(&s, LANES_NUMBER);
    keyed_put(&s, x);
    keyed_end(&s, l.at);
    return l;
}

static inline struct lanes lanes_join(struct lanes x, struct lanes y)
{
    struct keyed s = keyed_begin();
    struct lanes l;
    keyed_put(&s, LANES_JOIN);
    keyed_put(&s, x.at[0]);
    keyed_put(&s, x.at[1]);
    keyed_put(&s, y.at[0]);
    keyed_put(&s, y.at[1]);
    keyed_end(&s, l.at);
    return l;
}

static inline struct lanes lanes_of_value(assay_value v)
{
    struct lanes l;
    if (!lanes_is_word(v)) {
        keyed_digest(v.text, v.length, l.at);
        return lanes_join(l, lanes_of_number(v.kind));
    }
    struct keyed s = keyed_begin();
    keyed_put(&s, LANES_VALUE | (uint64_t)v.kind << 8);
    keyed_put(&s, (uint64_t)v.integer);
    keyed_end(&s, l.at);
    return l;
}

static inline struct lanes lanes_of_pair(assay_value a, assay_value b)
{
    if (!lanes_is_word(a) || !lanes_is_word(b))
        return lanes_join(lanes_of_value(a), lanes_of_value(b));
    struct keyed s = keyed_begin();
    struct lanes l;
    keyed_put(&s, LANES_PAIR | (uint64_t)a.kind << 8 | (uint64_t)b.kind << 16);
    keyed_put(&s, (uint64_t)a.integer);
    keyed_put(&s, (uint64_t)b.integer);
    keyed_end(&s, l.at);
    return l;
}

/* ---- sums ---- */

static inline void lanes_add(struct lanes *sum, struct lanes x)
{
    sum->at[0] += x.at[0];
    sum->at[1] += x.at[1];
}

static inline void lanes_take(struct lanes *sum, struct lanes x)
{
    sum->at[0] -= x.at[0];
    sum->at[1] -= x.at[1];
}

/* ---- polynomials: all numbers are below the prime ---- */

static inline struct lanes lanes_coefficients(struct lanes x)
{
    return (struct lanes){{prime61_reduce(x.at[0]), prime61_reduce(x.at[1])}};
}

static inline struct lanes lanes_times(struct lanes x, struct lanes y)
{
    return (struct lanes){{prime61_times(x.at[0], y.at[0]), prime61_times(x.at[1], y.at[1])}};
}

static inline struct lanes lanes_plus(struct lanes x, struct lanes y)
{
    return (struct lanes){{prime61_plus(x.at[0], y.at[0]), prime61_plus(x.at[1], y.at[1])}};
}

static inline struct lanes lanes_minus(struct lanes x, struct lanes y)
{
    return (struct lanes){{prime61_minus(x.at[0], y.at[0]), prime61_minus(x.at[1], y.at[1])}};
}

static const struct lanes lanes_one = {{1, 1}};

static inline struct lanes lanes_base(void)
{
    return (struct lanes){{keyed_digests->base[0], keyed_digests->base[1]}};
}

static inline struct lanes lanes_inverse(void) /* of the base */
{
    return (struct lanes){{keyed_digests->inverse[0], keyed_digests->inverse[1]}};
}

#endif
