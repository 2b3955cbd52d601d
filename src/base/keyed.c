/* SPDX-License-Identifier: Apache-2.0 */
#include "base/keyed.h"

#include "base/prime61.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

struct keyed_key keyed_engines, keyed_recheck;
_Thread_local const struct keyed_key *keyed_digests = &keyed_engines;

/* Eight bytes at a time; a last word has the remaining bytes, and the length, as the first words of rows should. */
static void put_bytes(struct keyed *s, const unsigned char *p, size_t length)
{
    uint64_t word, last = (uint64_t)length << 56;
    for (; length >= 8; p += 8, length -= 8) {
        memcpy(&word, p, 8);
        keyed_put(s, word);
    }
    for (size_t i = 0; i < length; i++)
        last |= (uint64_t)p[i] << (8 * i);
    keyed_put(s, last);
}

uint64_t keyed_bytes(const void *bytes, size_t length)
{
    struct keyed s = keyed_begin_under(keyed_engines.sip);
    put_bytes(&s, bytes, length);
    s.v2 ^= 0xFF;
    return keyed_half(&s);
}

void keyed_digest(const void *bytes, size_t length, uint64_t out[2])
{
    struct keyed s = keyed_begin();
    keyed_put(&s, length | (uint64_t)1 << 63);
    put_bytes(&s, bytes, length);
    keyed_end(&s, out);
}

/* ---- keys ---- */

static void random_bytes(uint64_t out[2])
{
    if (getrandom(out, 2 * sizeof *out, GRND_NONBLOCK) == (ssize_t)(2 * sizeof *out))
        return;
    struct timespec now; /* better than nothing, where the system has nothing better */
    clock_gettime(CLOCK_MONOTONIC, &now);
    out[0] = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    out[1] = (uint64_t)(uintptr_t)out;
}

/* The parts of a key, by a hash under `master` of their places. */
static void derive(struct keyed_key *k, const uint64_t master[2], uint64_t which)
{
    uint64_t *parts[] = {k->sip, k->word, k->base};
    const size_t sizes[] = {2, 3, 2};
    for (uint64_t part = 0; part < 3; part++)
        for (size_t i = 0; i < sizes[part]; i++) {
            struct keyed s = keyed_begin_under(master);
            keyed_put(&s, which << 16 | part << 8 | i);
            parts[part][i] = keyed_half(&s);
        }
    for (int i = 0; i < 2; i++) {
        k->base[i] = 2 + k->base[i] % (PRIME61 - 2);
        k->inverse[i] = prime61_inverse(k->base[i]);
    }
}

void keyed_draw(const char *seed)
{
    uint64_t master[2] = {0, 0};
    if (seed)
        for (size_t i = 0; i < 2; i++) {
            const uint64_t known[2] = {i, i};
            struct keyed s = keyed_begin_under(known);
            put_bytes(&s, (const unsigned char *)seed, strlen(seed));
            master[i] = keyed_half(&s);
        }
    else
        random_bytes(master);
    derive(&keyed_engines, master, 0);
    derive(&keyed_recheck, master, 1);
}

/* Before everything else: a table made under one key cannot be searched under another. */
__attribute__((constructor(101))) static void draw_first(void)
{
    keyed_draw(getenv("ASSAY_SEED"));
}
