/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes under a secret key, so that no input can be aimed at them.
 *
 * Each process draws its key anew (the variable ASSAY_SEED of the environment fixes it, for debugging). No verdict
 * and no output depends on it: a hash gives the place of an entry, and bounds the probability of a collision.
 * Hashes that must be the same everywhere, as the digest of a history in evidence, are those of hash.h.
 *
 *   tables   keyed_word and keyed_bytes say where an entry lies. For any two words, chosen without knowing the key, all
 *            pairs of values of keyed_word are equally likely (Dietzfelbinger 1996; the form with one product is
 *            Thorup's); keyed_bytes is SipHash-1-3.
 *   digests  128 bits of a row of words, by the same function: struct keyed. Different rows have equal digests with a
 *            probability of 2^-128, as far as SipHash cannot be told from a random function by one who sees none of its
 *            values. The engines and recheck have different keys, so that one does not repeat an accident of the
 *            other.
 *
 * Source: Aumasson and Bernstein 2012, SipHash; the form with 128 bits is that of its authors. */
#ifndef ASSAY_BASE_KEYED_H
#define ASSAY_BASE_KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed_key {
    uint64_t sip[2];
    uint64_t word[3];
    uint64_t base[2], inverse[2]; /* of polynomials modulo 2^61 - 1 (prime61.h) */
};

extern struct keyed_key keyed_engines, keyed_recheck;       /* drawn before main */
extern _Thread_local const struct keyed_key *keyed_digests; /* which of them this thread's digests are under */

/* ---- tables: always under the same key ---- */

static inline uint32_t keyed_word(uint64_t x)
{
    const uint64_t *k = keyed_engines.word;
    uint32_t h = (uint32_t)(((k[0] + (x >> 32)) * (k[1] + (uint32_t)x) + k[2]) >> 32);
    h ^= h >> 16; /* linear probing wants more than pairs: a permutation that breaks up progressions */
    h *= 0x9E3779B1u;
    return h ^ (h >> 15);
}

uint64_t keyed_bytes(const void *bytes, size_t length);

/* ---- digests ---- */

struct keyed {
    uint64_t v0, v1, v2, v3;
};

static inline uint64_t keyed_turn(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void keyed_round(struct keyed *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = keyed_turn(s->v1, 13) ^ s->v0;
    s->v3 = keyed_turn(s->v3, 16) ^ s->v2;
    s->v0 = keyed_turn(s->v0, 32) + s->v3;
    s->v2 += s->v1;
    s->v1 = keyed_turn(s->v1, 17) ^ s->v2;
    s->v3 = keyed_turn(s->v3, 21) ^ s->v0;
    s->v2 = keyed_turn(s->v2, 32);
}

static inline struct keyed keyed_begin_under(const uint64_t key[2])
{
    return (struct keyed){key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du, key[0] ^ 0x6c7967656e657261u,
                          key[1] ^ 0x7465646279746573u};
}

static inline struct keyed keyed_begin(void)
{
    struct keyed s = keyed_begin_under(keyed_digests->sip);
    s.v1 ^= 0xEE;
    return s;
}

/* Rows of different lengths must differ in their first words, too. */
static inline void keyed_put(struct keyed *s, uint64_t word)
{
    s->v3 ^= word;
    keyed_round(s);
    s->v0 ^= word;
}

static inline uint64_t keyed_half(struct keyed *s)
{
    for (int i = 0; i < 3; i++)
        keyed_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static inline void keyed_end(struct keyed *s, uint64_t out[2])
{
    s->v2 ^= 0xEE;
    out[0] = keyed_half(s);
    s->v1 ^= 0xDD;
    out[1] = keyed_half(s);
}

/* Of bytes. */
void keyed_digest(const void *bytes, size_t length, uint64_t out[2]);

/* The key that a text stands for; NULL: a new one. */
void keyed_draw(const char *seed);

#endif
