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
#ifndef ASSAY_SPEC_DIGEST_H
#define ASSAY_SPEC_DIGEST_H

#include "assay_spec.h"
#include "base/keyed.h"
#include "base/prime61.h"

struct digest {
    uint64_t at[2];
};

/* The hook `digest` of states that begin with their digest. */
static inline void digest_at_start(const void *state, uint64_t out[2])
{
    const struct digest *digest = state;
    out[0] = digest->at[0];
    out[1] = digest->at[1];
}

/* Hashed data begin with their kind. */
enum digest_what { DIGEST_NUMBER = 1, DIGEST_VALUE, DIGEST_PAIR, DIGEST_JOIN };

static inline bool digest_is_word(assay_value v) /* one word says it all, beside the kind */
{
    return v.kind == ASSAY_NONE || v.kind == ASSAY_INT || (v.integer && v.kind != ASSAY_LIST);
}

static inline struct digest digest_of_number(uint64_t x)
{
    struct keyed s = keyed_begin();
    struct digest l;
    keyed_put(&s, DIGEST_NUMBER);
    keyed_put(&s, x);
    keyed_end(&s, l.at);
    return l;
}

static inline struct digest digest_join(struct digest x, struct digest y)
{
    struct keyed s = keyed_begin();
    struct digest l;
    keyed_put(&s, DIGEST_JOIN);
    keyed_put(&s, x.at[0]);
    keyed_put(&s, x.at[1]);
    keyed_put(&s, y.at[0]);
    keyed_put(&s, y.at[1]);
    keyed_end(&s, l.at);
    return l;
}

static inline struct digest digest_of_value(assay_value v);

/* By its elements: lists that a specification makes have no numbers, and those of a history have. */
static inline struct digest digest_of_list(assay_value v)
{
    struct digest l = digest_of_number(v.kind);
    for (; v.length; v = assay_list_before(v))
        l = digest_join(l, digest_of_value(assay_list_last(v)));
    return l;
}

static inline struct digest digest_of_value(assay_value v)
{
    struct digest l;
    if (v.kind == ASSAY_LIST)
        return digest_of_list(v);
    if (!digest_is_word(v)) {
        keyed_digest(v.text, v.length, l.at);
        return digest_join(l, digest_of_number(v.kind));
    }
    struct keyed s = keyed_begin();
    keyed_put(&s, DIGEST_VALUE | (uint64_t)v.kind << 8);
    keyed_put(&s, (uint64_t)v.integer);
    keyed_end(&s, l.at);
    return l;
}

static inline struct digest digest_of_pair(assay_value a, assay_value b)
{
    if (!digest_is_word(a) || !digest_is_word(b))
        return digest_join(digest_of_value(a), digest_of_value(b));
    struct keyed s = keyed_begin();
    struct digest l;
    keyed_put(&s, DIGEST_PAIR | (uint64_t)a.kind << 8 | (uint64_t)b.kind << 16);
    keyed_put(&s, (uint64_t)a.integer);
    keyed_put(&s, (uint64_t)b.integer);
    keyed_end(&s, l.at);
    return l;
}

/* ---- sums ---- */

static inline void digest_add(struct digest *sum, struct digest x)
{
    sum->at[0] += x.at[0];
    sum->at[1] += x.at[1];
}

static inline void digest_take(struct digest *sum, struct digest x)
{
    sum->at[0] -= x.at[0];
    sum->at[1] -= x.at[1];
}

/* ---- polynomials: all numbers are below the prime ---- */

static inline struct digest digest_coefficients(struct digest x)
{
    return (struct digest){{prime61_reduce(x.at[0]), prime61_reduce(x.at[1])}};
}

static inline struct digest digest_times(struct digest x, struct digest y)
{
    return (struct digest){{prime61_times(x.at[0], y.at[0]), prime61_times(x.at[1], y.at[1])}};
}

static inline struct digest digest_plus(struct digest x, struct digest y)
{
    return (struct digest){{prime61_plus(x.at[0], y.at[0]), prime61_plus(x.at[1], y.at[1])}};
}

static inline struct digest digest_minus(struct digest x, struct digest y)
{
    return (struct digest){{prime61_minus(x.at[0], y.at[0]), prime61_minus(x.at[1], y.at[1])}};
}

static const struct digest digest_one = {{1, 1}};

static inline struct digest digest_base(void)
{
    return (struct digest){{keyed_digests->base[0], keyed_digests->base[1]}};
}

static inline struct digest digest_inverse(void) /* of the base */
{
    return (struct digest){{keyed_digests->inverse[0], keyed_digests->inverse[1]}};
}

#endif
