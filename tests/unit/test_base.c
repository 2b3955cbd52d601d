/* SPDX-License-Identifier: Apache-2.0 */
/* The base: owners of memory, arenas, vectors, bitsets, groups, sorting, random numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/escape.h"
#include "base/group.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/radix.h"
#include "base/rng.h"
#include "base/vec.h"

/* ---- mem ---- */

static void mem_counts_what_it_owns(void **state)
{
    (void)state;
    struct mem m = {0};
    char *a = mem_alloc(&m, 100), *b = mem_zero(&m, 50);
    size_t both = m.used;
    assert_true(both >= 150);
    for (int i = 0; i < 50; i++)
        assert_int_equal(b[i], 0);
    memset(a, 'a', 100);
    a = mem_resize(&m, a, 10000);
    assert_true(m.used > both);
    for (int i = 0; i < 100; i++)
        assert_int_equal(a[i], 'a');
    mem_free(&m, a);
    mem_free(&m, NULL);
    assert_true(m.used < both);
    assert_true(m.peak >= 10050);
    mem_release(&m);
    assert_int_equal(m.used, 0);
    mem_free(&m, mem_resize(&m, NULL, 8)); /* it can be used again */
    assert_int_equal(m.used, 0);
    char *text = mem_text(&m, "word and more", 4);
    assert_string_equal(text, "word");
    mem_release(&m);
}

/* Large blocks come from elsewhere (huge.h): growing and shrinking across that border keeps the bytes. */
static void mem_resizes_blocks_of_all_sizes(void **state)
{
    (void)state;
    enum { MIB = 1024 * 1024 };
    static const size_t sizes[] = {100,     MIB - 100,   MIB,     MIB + 1, 3 * MIB, 9 * MIB - 31, 2 * MIB,
                                   4 * MIB, 4 * MIB + 1, MIB / 2, 5 * MIB, 0,       2 * MIB};
    struct mem m = {0};
    struct rng rng = {1};
    size_t kept = 0;
    unsigned char *bytes = NULL, *expected = malloc(9 * MIB), *other = mem_zero(&m, 3 * MIB);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bytes = mem_resize(&m, bytes, sizes[i]);
        assert_int_equal(m.used, 3 * MIB + sizes[i]);
        kept = kept < sizes[i] ? kept : sizes[i];
        assert_memory_equal(bytes, expected, kept);
        for (kept = 0; kept < sizes[i]; kept++)
            expected[kept] = bytes[kept] = (unsigned char)rng_next(&rng);
    }
    for (size_t i = 0; i < 3 * MIB; i++)
        assert_int_equal(other[i], 0);
    mem_free(&m, other);
    assert_int_equal(m.used, 2 * MIB);
    mem_release(&m);
    assert_int_equal(m.used, 0);
    free(expected);
}

struct greedy {
    struct mem m;
    size_t n, size;
};

static void take(void *arg)
{
    struct greedy *g = arg;
    mem_alloc(&g->m, mem_product(g->n, g->size));
}

static void mem_keeps_its_limit(void **state)
{
    (void)state;
    struct greedy g = {.m = {.limit = 1000}, .n = 100, .size = 1};
    assert_int_equal(escape_run(take, &g), ESCAPE_NONE);
    g.n = 1000;
    assert_int_equal(escape_run(take, &g), ESCAPE_MEMORY_BUDGET);
    assert_true(g.m.used < 1000); /* what was there before is still owned */
    g.n = SIZE_MAX / 2;
    g.size = 3;
    assert_int_equal(escape_run(take, &g), ESCAPE_OUT_OF_MEMORY);
    mem_release(&g.m);
}

/* ---- arena ---- */

static void arena_pieces_are_apart_and_aligned(void **state)
{
    (void)state;
    enum { PIECES = 3000 };
    struct mem m = {0};
    struct arena a = arena_in(&m);
    struct rng rng = {1};
    static unsigned char *piece[PIECES];
    static size_t size[PIECES];
    for (int i = 0; i < PIECES; i++) {
        size[i] = i % 100 ? rng_below(&rng, 200) : 100000 + rng_below(&rng, 100000);
        piece[i] = arena_alloc(&a, size[i]);
        assert_int_equal((uintptr_t)piece[i] % 16, 0);
        memset(piece[i], i & 0xFF, size[i]);
        const char *text = arena_text(&a, "abc", 2);
        assert_string_equal(text, "ab");
    }
    for (int i = 0; i < PIECES; i++)
        for (size_t at = 0; at < size[i]; at++)
            assert_int_equal(piece[i][at], i & 0xFF);
    mem_release(&m);
}

/* ---- vec ---- */

static void vec_grows(void **state)
{
    (void)state;
    struct mem m = {0};
    VEC(uint32_t) v = {0};
    for (uint32_t i = 0; i < 100000; i++)
        vec_push(&m, &v, i * 3);
    assert_int_equal(v.n, 100000);
    for (uint32_t i = 0; i < v.n; i++)
        assert_int_equal(v.at[i], i * 3);
    assert_int_equal(vec_last(&v), 299997);
    assert_int_equal(vec_pop(&v), 299997);
    vec_clear(&v);
    vec_reserve(&m, &v, 10);
    assert_int_equal(v.n, 0);
    vec_free(&m, &v);
    assert_null(v.at);
    assert_int_equal(m.used, 0);
}

/* ---- bitset, group ---- */

static void bitset_is_a_set(void **state)
{
    (void)state;
    uint64_t a[4] = {0}, b[4] = {0};
    assert_int_equal(bitset_words(0), 0);
    assert_int_equal(bitset_words(64), 1);
    assert_int_equal(bitset_words(65), 2);
    assert_int_equal(bitset_next(a, 250, 0), 250);
    static const size_t elements[] = {0, 63, 64, 127, 200, 249};
    for (int i = 0; i < 6; i++)
        bitset_add(a, elements[i]);
    assert_int_equal(bitset_count(a, 250), 6);
    size_t at = 0;
    for (int i = 0; i < 6; i++, at++) {
        at = bitset_next(a, 250, at);
        assert_int_equal(at, elements[i]);
        assert_true(bitset_has(a, at));
        assert_false(bitset_has(a, at + 1) && at != 63);
    }
    assert_int_equal(bitset_next(a, 250, at), 250);
    assert_true(bitset_join(b, a, 4));
    assert_false(bitset_join(b, a, 4));
    bitset_remove(a, 64);
    assert_false(bitset_has(a, 64));
    assert_true(bitset_has(b, 64));
    assert_int_equal(bitset_count(a, 250), 5);
}

static void group_keeps_the_order(void **state)
{
    (void)state;
    struct mem m = {0};
    static const uint32_t key[] = {2, 0, ID_NONE, 2, 1, 0, 2};
    struct groups g = group_by(key, 7, 4, &m);
    static const uint32_t at[] = {0, 2, 3, 6, 6}, list[] = {1, 5, 4, 0, 3, 6};
    assert_memory_equal(g.at, at, sizeof at);
    assert_memory_equal(g.list, list, sizeof list);
    groups_free(&g, &m);
    assert_int_equal(m.used, 0);
    g = group_by(key, 0, 0, &m);
    assert_int_equal(g.at[0], 0);
    mem_release(&m);
}

/* ---- sorting ---- */

static int by_size(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Short, long and nearly sorted; small keys and large ones. */
static void radix_and_heap_sort(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    struct mem m = {0};
    struct rng r = {1};
    uint64_t *items = mem_new(&m, uint64_t, MOST), *right = mem_new(&m, uint64_t, MOST),
             *heap = mem_new(&m, uint64_t, MOST);
    for (int round = 0; round < 60; round++) {
        uint32_t n = rng_below(&r, round % 2 ? MOST : 100), shift = rng_below(&r, 21);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t key = i * 0x9E3779B1u; /* all different */
            items[i] = (uint64_t)(round % 3 ? key >> shift << shift : 5 * (i ^ 3)) << 32 | i;
            heap_put(heap, i, items[i]);
        }
        memcpy(right, items, n * sizeof *items);
        qsort(right, n, sizeof *right, by_size);
        radix_sort(items, n, &m);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(items[i] >> 32 == right[i] >> 32);
            assert_true(heap_take(heap, n - i) == right[i]);
        }
    }
    mem_release(&m);
}

/* ---- random numbers ---- */

static void random_numbers_are_the_same_everywhere(void **state)
{
    (void)state;
    struct rng a = {42}, b = {42};
    uint32_t seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        uint32_t x = rng_below(&a, 10);
        assert_int_equal(x, rng_below(&b, 10));
        seen[x]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(seen[i], 900, 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_counts_what_it_owns),
        cmocka_unit_test(mem_resizes_blocks_of_all_sizes),
        cmocka_unit_test(mem_keeps_its_limit),
        cmocka_unit_test(arena_pieces_are_apart_and_aligned),
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(bitset_is_a_set),
        cmocka_unit_test(group_keeps_the_order),
        cmocka_unit_test(radix_and_heap_sort),
        cmocka_unit_test(random_numbers_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
