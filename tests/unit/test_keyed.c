/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes under a secret key (base/keyed.h), and what they are for: tables stay fast on keys that were chosen to meet, and
 * elements that were chosen to cancel out do not. What was chosen was chosen for the public functions of hash.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keyed.h"
#include "base/names.h"
#include "base/rows.h"
#include "history/value_ids.h"
#include "history/value_map.h"
#include "monitor/symbols.h"
#include "spec/digest.h"

static const char *const seeds[] = {"1", "2", "", "another"};
enum { SEEDS = sizeof seeds / sizeof *seeds, CHOSEN = 80000, LONGEST_RUN = 500 };

/* ---- the functions ---- */

static void hash_of_bytes_is_siphash(void **state)
{
    (void)state;
    keyed_engines.sip[0] = 0x0706050403020100u; /* the key and the first inputs of its authors' list */
    keyed_engines.sip[1] = 0x0F0E0D0C0B0A0908u;
    const unsigned char input[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_true(keyed_bytes(input, 0) == 0xABAC0158050FC4DCu);
    assert_true(keyed_bytes(input, 1) == 0xC9F49BF37D57CA93u);
    keyed_draw("1");
}

static void keys_differ(void **state)
{
    (void)state;
    uint64_t seen[2 * SEEDS + 4][2];
    uint32_t n = 0;
    for (uint32_t i = 0; i < SEEDS + 2; i++) { /* the last two are drawn */
        keyed_draw(i < SEEDS ? seeds[i] : NULL);
        keyed_digest("state", 5, seen[n++]);
        keyed_digests = &keyed_recheck;
        keyed_digest("state", 5, seen[n++]);
        keyed_digests = &keyed_engines;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_true(seen[i][0] != seen[j][0] && seen[i][1] != seen[j][1]);
    uint64_t once[2], again[2];
    keyed_draw("1");
    keyed_digest("state", 5, once);
    assert_memory_equal(once, seen[0], sizeof once);
    keyed_digest("state", 4, again);
    assert_true(again[0] != once[0] && again[1] != once[1]);
}

static void polynomials_have_inverses(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SEEDS; i++) {
        keyed_draw(seeds[i]);
        for (int half = 0; half < 2; half++) {
            assert_true(prime61_times(keyed_engines.base[half], keyed_engines.inverse[half]) == 1);
            assert_true(prime61_times(keyed_recheck.base[half], keyed_recheck.inverse[half]) == 1);
        }
    }
}

/* ---- keys that meet ---- */

static uint64_t unshift(uint64_t x, int by) /* what x ^= x >> by made x of */
{
    uint64_t before = x;
    for (int known = by; known < 64; known += by)
        before = x ^ (before >> by);
    return before;
}

static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd; /* right in three bits, then in twice as many each time */
    for (int i = 0; i < 5; i++)
        x *= 2 - odd * x;
    return x;
}

static uint64_t unmix(uint64_t x)
{
    x = unshift(x, 32) * inverse(0xBF58476D1CE4E5B9u);
    x = unshift(x, 29) * inverse(0x9E3779B97F4A7C15u);
    return unshift(x, 32);
}

/* The i-th word whose mixture ends with 32 zeros. */
static uint64_t chosen_word(uint32_t i)
{
    uint64_t word = unmix((uint64_t)(i + 1) << 32);
    assert_true(hash_mix(word) == (uint64_t)(i + 1) << 32);
    return word;
}

struct run {
    uint32_t now, longest;
};

static void meet(struct run *r, bool taken)
{
    r->now = taken ? r->now + 1 : 0;
    if (r->now > r->longest)
        r->longest = r->now;
}

static void chosen_integers_are_spread(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < SEEDS; s++) {
        keyed_draw(seeds[s]);
        struct mem m = {0};
        struct idmap map = {0};
        struct value_map values = {0};
        struct run in_map = {0}, in_values = {0};
        for (uint32_t i = 0; i < CHOSEN; i++) {
            uint64_t word = chosen_word(i);
            *idmap_at(&m, &map, word) = i;
            *value_map_at(&m, &values, (struct value){(int64_t)(word - ((uint64_t)ASSAY_INT << 61)), ASSAY_INT}) = i;
        }
        for (uint32_t i = 0; i <= map.mask; i++)
            meet(&in_map, map.slots[i].id != ID_NONE);
        for (uint32_t i = 0; i <= values.mask; i++)
            meet(&in_values, values.slots[i].id != ID_NONE);
        assert_true(in_map.longest < LONGEST_RUN && in_values.longest < LONGEST_RUN);
        mem_release(&m);
    }
}

static void consecutive_integers_are_spread(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < SEEDS; s++)
        for (uint32_t shift = 0; shift < 64; shift += 4) {
            keyed_draw(seeds[s]);
            struct mem m = {0};
            struct idmap map = {0};
            struct run run = {0};
            uint32_t n = shift > 48 ? 1u << (64 - shift) : 1u << 14;
            for (uint32_t i = 0; i < n; i++)
                *idmap_at(&m, &map, (uint64_t)i << shift) = i;
            for (uint32_t i = 0; map.slots && i <= map.mask; i++)
                meet(&run, map.slots[i].id != ID_NONE);
            assert_true(run.longest < LONGEST_RUN);
            mem_release(&m);
        }
}

/* Eight bytes to which an earlier hash of names gave equal upper halves: (((8 ^ word) * c) ^ upper half) * c. */
static uint64_t chosen_name(uint32_t i)
{
    uint64_t back = inverse(0x9E3779B97F4A7C15u);
    return (unshift(i * back, 32) * back) ^ 8;
}

static void chosen_names_are_spread(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < SEEDS; s++) {
        keyed_draw(seeds[s]);
        struct mem m = {0};
        struct names names = names_in(&m);
        struct symbols symbols = symbols_in(&m);
        struct run in_names = {0}, in_symbols = {0};
        for (uint32_t i = 0; i < CHOSEN; i++) {
            uint64_t name = chosen_name(i), symbol = chosen_word(i) ^ (8 * 0x9E3779B97F4A7C15u);
            names_put(&names, (const char *)&name, sizeof name);
            symbols_put(&symbols, (const char *)&symbol, sizeof symbol);
        }
        for (uint32_t i = 0; i <= names.mask; i++)
            meet(&in_names, names.slots[i].id);
        for (uint32_t i = 0; i <= symbols.mask; i++)
            meet(&in_symbols, symbols.slots[i]);
        assert_true(in_names.longest < LONGEST_RUN && in_symbols.longest < LONGEST_RUN);
        mem_release(&m);
    }
}

/* ---- elements that cancel out ---- */

/* Without a key anybody can add up hashes of many pairs until nothing is left: tests/golden/objects/multi-register/cancelling.case
 * has 64 of them, found among 2^19 values each. The sum of so many is then zero under one key: under others it is not. */
static void sums_depend_on_the_key(void **state)
{
    (void)state;
    struct digest sums[SEEDS];
    for (uint32_t s = 0; s < SEEDS; s++) {
        keyed_draw(seeds[s]);
        sums[s] = (struct digest){{0, 0}};
        for (int64_t i = 0; i < 64; i++)
            digest_add(&sums[s], digest_of_pair(assay_int(i), assay_int(i + 1)));
        for (uint32_t other = 0; other < s; other++)
            assert_true(sums[s].at[0] != sums[other].at[0] && sums[s].at[1] != sums[other].at[1]);
    }
}

/* ---- rows ---- */

static void rows_are_a_set(void **state)
{
    (void)state;
    struct mem m = {0};
    struct rows rows = {0};
    uint64_t row[4] = {0};
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 3000; i++)
            for (size_t n = 0; n <= 4; n++) {
                row[0] = i;
                row[3] = i / 2;
                assert_int_equal(rows_add(&rows, &m, row, n * sizeof *row), n || i == 0);
                assert_false(rows_add(&rows, &m, row, n * sizeof *row));
            }
        rows_clear(&rows);
    }
    rows_free(&rows, &m);
    assert_int_equal(m.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_of_bytes_is_siphash),        cmocka_unit_test(keys_differ),
        cmocka_unit_test(polynomials_have_inverses),       cmocka_unit_test(chosen_integers_are_spread),
        cmocka_unit_test(consecutive_integers_are_spread), cmocka_unit_test(chosen_names_are_spread),
        cmocka_unit_test(sums_depend_on_the_key),          cmocka_unit_test(rows_are_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
