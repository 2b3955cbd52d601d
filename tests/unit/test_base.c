/* SPDX-License-Identifier: Apache-2.0 */
/* The base: owners of memory, arenas, vectors, maps, names, bitsets, texts, groups, escapes,
 * errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/group.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/names.h"
#include "base/notation.h"
#include "base/radix.h"
#include "base/registry.h"
#include "base/rng.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/vec.h"

#include <pthread.h>

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

/* ---- hash, names ---- */

/* Of keys that are squares, dense or sparse; dense ones in order, from behind, or in disorder: then some came too early
 * for the table. */
static uint64_t some_key(uint32_t pattern, uint32_t i, uint32_t n)
{
    static const uint32_t factor[] = {1, 7919, 7919, 7919, 7919, 1};
    static const uint32_t stride[] = {1, 1, 3, 4, 5, 4};
    if (pattern == 0)
        return (uint64_t)i * i - 7;
    if (pattern == 1)
        return n - 1 - i;
    return (uint64_t)i * factor[pattern - 2] % n * stride[pattern - 2];
}

static void idmap_holds_what_was_put(void **state)
{
    (void)state;
    enum { KEYS = 20000 };
    for (uint32_t pattern = 0; pattern < 8; pattern++) {
        struct mem m = {0};
        struct idmap map = {0};
        assert_int_equal(idmap_get(&map, 5), ID_NONE);
        for (uint32_t i = 0; i < KEYS; i++) {
            uint32_t *at = idmap_at(&m, &map, some_key(pattern, i, KEYS));
            assert_int_equal(*at, ID_NONE);
            *at = i;
        }
        for (uint32_t i = 0; i < KEYS; i++) {
            assert_int_equal(idmap_get(&map, some_key(pattern, i, KEYS)), i);
            assert_int_equal(*idmap_at(&m, &map, some_key(pattern, i, KEYS)), i);
        }
        assert_int_equal(map.n, KEYS);
        assert_int_equal(idmap_get(&map, KEYS * 5), ID_NONE);
        assert_int_equal(idmap_get(&map, UINT64_MAX / 2), ID_NONE);
        idmap_free(&m, &map);
        assert_int_equal(m.used, 0);
    }
}

static void hash_of_bytes_depends_on_each(void **state)
{
    (void)state;
    char bytes[40] = {0};
    uint64_t before = hash_bytes(bytes, sizeof bytes);
    assert_true(before == hash_bytes(bytes, sizeof bytes));
    assert_true(before != hash_bytes(bytes, sizeof bytes - 1));
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 1;
        assert_true(before != hash_bytes(bytes, sizeof bytes));
        bytes[i] = 0;
    }
    assert_true(hash_join(1, 2) != hash_join(2, 1));
}

static void names_are_numbered_by_first_appearance(void **state)
{
    (void)state;
    struct mem m = {0};
    struct names n = names_in(&m);
    char text[32];
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            int length = snprintf(text, sizeof text, "name%u", i);
            assert_int_equal(names_put(&n, text, (size_t)length), i);
        }
    assert_int_equal(names_find(&n, "name77x", 6), 77); /* not the whole text */
    assert_int_equal(names_find(&n, "other", 5), ID_NONE);
    assert_string_equal(names_text(&n, 4999), "name4999");
    uint32_t empty = names_put(&n, "", 0), zero = names_put(&n, "a\0b", 3);
    assert_int_equal(names_find(&n, "", 0), empty);
    assert_int_equal(names_find(&n, "a\0b", 3), zero);
    assert_int_equal(names_find(&n, "a\0c", 3), ID_NONE);
    assert_int_equal(n.all.at[zero].length, 3);
    mem_release(&m);
}

/* The id that a plain list gives the text; `put` appends an absent one. */
struct listed {
    char text[24];
    size_t length;
};

static uint32_t in_list(struct listed *list, uint32_t *n, struct listed x, bool put)
{
    for (uint32_t i = 0; i < *n; i++)
        if (list[i].length == x.length && memcmp(list[i].text, x.text, x.length) == 0)
            return i;
    if (!put)
        return ID_NONE;
    list[*n] = x;
    return (*n)++;
}

/* More prefixes than have families; numbers small and large, with zeros in front, and nothing but them. */
static void names_with_numbers_are_those_of_a_list(void **state)
{
    (void)state;
    enum { TEXTS = 4000 };
    static const char prefixes[][8] = {"x", "",   "y",  "t",       "key-",     "xx", "a\0",
                                       "a", "1x", "x1", "seven77", "\xC3\xA9", "-"};
    static const size_t lengths[] = {1, 0, 1, 1, 4, 2, 2, 1, 2, 2, 7, 2, 1};
    static struct listed list[TEXTS];
    struct rng rng = {5};
    for (uint32_t round = 0; round < 20; round++) {
        struct mem m = {0};
        struct names n = names_in(&m);
        uint32_t known = 0, most = round % 2 ? 300 : 100000;
        for (uint32_t i = 0; i < TEXTS; i++) {
            struct listed x = {.length = 0};
            uint32_t p = rng_below(&rng, sizeof lengths / sizeof *lengths), number = rng_below(&rng, most);
            memcpy(x.text, prefixes[p], lengths[p]);
            static const char *const formats[] = {"%u", "%u", "%u", "%02u", "%u.", "%u00000000", ""};
            const char *format = formats[rng_below(&rng, 7)];
            number = rng_below(&rng, 4) ? number % (i + 1) : number;
            x.length = lengths[p];
            x.length += (size_t)(*format ? snprintf(x.text + x.length, 16, format, number) : 0);
            assert_int_equal(names_find(&n, x.text, x.length), in_list(list, &known, x, false));
            if (rng_below(&rng, 2))
                assert_int_equal(names_put(&n, x.text, x.length), in_list(list, &known, x, true));
        }
        assert_int_equal(n.all.n, known);
        mem_release(&m);
    }
}

/* Numbers are found in a table or by hashing, depending on when they came: it must not show. */
static void names_of_numbers_are_names(void **state)
{
    (void)state;
    struct mem m = {0};
    struct names n = names_in(&m);
    char text[32];
    uint32_t early = names_put(&n, "3000", 4), earlier = names_put(&n, "400000000", 9);
    uint32_t zeros = names_put(&n, "007", 3), long_one = names_put(&n, "12345678901", 11);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 3000; i++) {
            int length = snprintf(text, sizeof text, "%u", i);
            assert_int_equal(names_put(&n, text, (size_t)length), i + 4);
        }
    assert_int_equal(names_put(&n, "3000", 4), early);
    assert_int_equal(names_find(&n, "3000", 4), early);
    assert_int_equal(names_find(&n, "400000000", 9), earlier);
    assert_int_equal(names_find(&n, "007", 3), zeros);
    assert_int_equal(names_find(&n, "12345678901", 11), long_one);
    assert_int_equal(names_find(&n, "7", 1), 11);
    assert_int_equal(names_find(&n, "3001", 4), ID_NONE);
    assert_int_equal(n.all.n, 3004);
    mem_release(&m);
}

static void members_are_found_by_name(void **state)
{
    (void)state;
    struct thing {
        const char *name;
        int more;
    };
    static const struct thing one = {"one", 1}, once = {"on", 2};
    static const struct thing *const table[] = {&one, &once, NULL};
    static const char *const list[] = {"a", "b", NULL};
    const char *variant;
    assert_int_equal(registry_size(table), 2);
    assert_int_equal(registry_find(table, "one"), 0);
    assert_int_equal(registry_find(table, "on"), 1);
    assert_int_equal(registry_find(table, "o"), 2);
    assert_int_equal(registry_find(table, ""), 2);
    assert_int_equal(registry_find(table, "one:a"), 2);
    assert_int_equal(registry_find_variant(table, "on:a:b", &variant), 1);
    assert_string_equal(variant, "a:b");
    assert_int_equal(registry_find_variant(table, "one", &variant), 0);
    assert_null(variant);
    assert_int_equal(registry_find_variant(table, ":a", &variant), 2);
    assert_true(registry_lists(list, "b"));
    assert_false(registry_lists(list, "c"));
    assert_false(registry_lists(NULL, "a"));
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

/* ---- text ---- */

static void text_grows(void **state)
{
    (void)state;
    struct mem m = {0};
    struct text t = text_in(&m);
    assert_string_equal(text_get(&t), "");
    text_printf(&t, "%s", "");
    text_puts(&t, "a");
    text_char(&t, 'b');
    text_int(&t, INT64_MIN);
    text_char(&t, ' ');
    text_int(&t, INT64_MAX);
    text_char(&t, ' ');
    text_int(&t, 0);
    text_printf(&t, " %d%%", 7);
    assert_string_equal(text_get(&t), "ab-9223372036854775808 9223372036854775807 0 7%");
    assert_int_equal(t.n, strlen(t.at));
    for (int i = 0; i < 10000; i++)
        text_printf(&t, "%d,", i);
    assert_int_equal(t.n, strlen(t.at));
    mem_release(&m);
}

static void integers_are_printed_as_they_were_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t integer;
    } good[] = {{"0x0", 0},
                {"-0x0", 0},
                {"0x1F", 31},
                {"0X1f", 31},
                {"0xDeadBeef", 0xDEADBEEF},
                {"0x001", 1},
                {"0x00000000000000000000000000000000000000000000000000000000000000a7", 0xA7},
                {"0xffff888000000000", -131391639519232},
                {"0x7FFFFFFFFFFFFFFF", INT64_MAX},
                {"0x8000000000000000", INT64_MIN},
                {"-0x8000000000000000", INT64_MIN},
                {"-0x10", -16}};
    static const char *const large[] = {"0x10000000000000000", "-0x8000000000000001",
                                        "0x00000000000000000000000000000000000000000000000000000000000000001"};
    static const char *const others[] = {"", "-", "0", "x", "0x", "-0x", "0x1g", "1x1", "00x1", "+0x1", "0x-1", "0x1 "};
    char out[NOTATION_TEXT];
    int64_t integer;
    uint32_t notation;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *text = good[i].text, *end = text + strlen(text);
        assert_true(notation_is_hex(text, end));
        assert_true(notation_read(text, end, &integer, &notation));
        assert_true(integer == good[i].integer);
        assert_int_equal(notation_print(out, integer, notation), strlen(text));
        assert_string_equal(out, text);
        assert_int_equal(notation_checked(notation), notation);
        notation_print(out, 0x123456789abcdef0, notation); /* of another integer it must only fit */
        notation_print(out, INT64_MIN, notation);
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        assert_true(notation_is_hex(large[i], large[i] + strlen(large[i])));
        assert_false(notation_read(large[i], large[i] + strlen(large[i]), &integer, &notation));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(notation_is_hex(others[i], others[i] + strlen(others[i])));
    assert_int_equal(notation_print(out, 1084, notation_hex(1084)), 5);
    assert_string_equal(out, "0x43c");
    assert_int_equal(notation_checked(7), NOTATION_DECIMAL);
    assert_int_equal(notation_checked((size_t)-1), NOTATION_DECIMAL);
}

static void text_is_quoted_for_json(void **state)
{
    (void)state;
    struct mem m = {0};
    static const struct {
        const char *bytes, *json;
    } cases[] = {
        {"plain", "\"plain\""},       {"a\"b\\c", "\"a\\\"b\\\\c\""}, {"\n\r\t\x01\x7f", "\"\\n\\r\\t\\u0001\\u007f\""},
        {"\xc3\xa9", "\"\xc3\xa9\""}, {"x\xff", "\"x\\ufffd\""},      {"\xc2\x9b\xe2\x80\xae", "\"\\u009b\\u202e\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = text_in(&m);
        text_json(&t, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(text_get(&t), cases[i].json);
    }
    mem_release(&m);
}

static void texts_of_others_are_shown_escaped(void **state)
{
    (void)state;
    struct mem m = {0};
    static const struct {
        const char *bytes, *keep, *shown;
    } cases[] = {
        {"", "", ""},
        {"plain \\ \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "", "plain \\ \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\x1b[31m\n\t\x7f", "", "\\u001b[31m\\u000a\\u0009\\u007f"},
        {"\x1b[31m\n", "\n\x1b", "\x1b[31m\n"},
        {"\xc2\x80\xc2\x9f\xc2\xa0", "", "\\u0080\\u009f\xc2\xa0"},
        {"\xe2\x80\x8e\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", "",
         "\\u200e\\u202a\\u202e\\u2066\\u2069\\u061c"},
        {"a\xff\xc3", "", "a\\xff\\xc3"},
        {"\xed\xa0\x80", "", "\\xed\\xa0\\x80"},
        {"\\u001b", "", "\\u001b"}, /* a second time */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = text_in(&m);
        text_shown(&t, cases[i].bytes, strlen(cases[i].bytes), cases[i].keep);
        assert_string_equal(text_get(&t), cases[i].shown);
    }
    mem_release(&m);
}

/* ---- escapes, budgets, errors ---- */

struct nesting {
    int depth;
    enum escape reason;
    enum escape inner; /* what the inner call returned */
    bool went_on;
};

static void leave(void *arg)
{
    const struct nesting *n = arg;
    escape_raise(n->reason);
}

static void nest(void *arg)
{
    struct nesting *n = arg;
    n->inner = escape_run(leave, n);
    n->went_on = true;
    if (n->depth)
        escape_raise(ESCAPE_INTERRUPTED);
}

static void escapes_leave_the_innermost_call(void **state)
{
    (void)state;
    struct nesting n = {.reason = ESCAPE_TIME_BUDGET};
    assert_int_equal(escape_run(nest, &n), ESCAPE_NONE);
    assert_int_equal(n.inner, ESCAPE_TIME_BUDGET);
    assert_true(n.went_on);
    n.depth = 1;
    assert_int_equal(escape_run(nest, &n), ESCAPE_INTERRUPTED);
    for (int reason = ESCAPE_OUT_OF_MEMORY; reason <= ESCAPE_INTERRUPTED; reason++)
        assert_true(strlen(escape_text((enum escape)reason)) > 5);
}

static void *escape_often(void *arg)
{
    struct nesting n = {.reason = *(enum escape *)arg};
    for (int i = 0; i < 20000; i++)
        if (escape_run(leave, &n) != n.reason)
            return arg;
    return NULL;
}

static void threads_escape_on_their_own(void **state)
{
    (void)state;
    pthread_t threads[4];
    enum escape reasons[4] = {ESCAPE_OUT_OF_MEMORY, ESCAPE_TIME_BUDGET, ESCAPE_INTERRUPTED, ESCAPE_ERROR};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, escape_often, &reasons[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

static void spin(void *arg)
{
    for (long i = 0; i < 2000000000L; i++)
        budget_tick(arg);
}

static bool says(void *arg)
{
    return *(bool *)arg;
}

static void budgets_end_loops(void **state)
{
    (void)state;
    struct budget late = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .wall_seconds = 0.02});
    assert_int_equal(escape_run(spin, &late), ESCAPE_TIME_BUDGET);
    struct budget busy = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .seconds = 0.02});
    assert_int_equal(escape_run(spin, &busy), ESCAPE_TIME_BUDGET);
    struct budget parent = budget_begin(&(assay_options){ASSAY_OPTIONS_INIT, .seconds = 1000});
    parent.children = 1001;
    assert_int_equal(escape_run(spin, &parent), ESCAPE_TIME_BUDGET);
    bool stop = true;
    struct budget stopped = {.interrupt = says, .interrupt_arg = &stop};
    assert_int_equal(escape_run(spin, &stopped), ESCAPE_INTERRUPTED);
}

struct counting {
    struct budget *b;
    uint32_t n, made;
};

static void count(void *arg)
{
    struct counting *c = arg;
    for (c->made = 0; c->made < c->n; c->made++)
        budget_tick(c->b);
}

/* Whatever was spent before, and wherever the next look at the clocks is due. */
static void budgets_allow_a_number_of_ticks(void **state)
{
    (void)state;
    struct budget b = {0};
    struct counting c = {.b = &b, .n = 20000};
    for (uint32_t ticks = 1; ticks < 12000; ticks = 3 * ticks + 1) {
        budget_allow(&b, ticks);
        assert_int_equal(escape_run(count, &c), ESCAPE_EFFORT);
        assert_int_equal(c.made, ticks - 1);
        budget_allow(&b, 0);
        assert_int_equal(escape_run(count, &c), ESCAPE_NONE);
        budget_allow(&b, c.n + 1);
        assert_int_equal(escape_run(count, &c), ESCAPE_NONE);
    }
}

static void the_first_error_stays(void **state)
{
    (void)state;
    assay_error e = {0};
    error_set(&e, ASSAY_ERROR_INPUT, "first %d", 1);
    error_place(&e, "a.hist", 3, 4);
    error_remedy(&e, "do this");
    error_set(&e, ASSAY_ERROR_USAGE, "second");
    error_place(&e, "b.hist", 5, 6);
    error_remedy(&e, "do that");
    error_from_escape(&e, ESCAPE_OUT_OF_MEMORY);
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_string_equal(e.message, "first 1");
    assert_string_equal(e.file, "a.hist");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 4);
    assert_string_equal(e.remedy, "do this");
    error_set(NULL, ASSAY_ERROR_INPUT, "nobody wants to know");
    error_place(NULL, "a", 1, 1);
    error_remedy(NULL, "x");
    error_from_escape(NULL, ESCAPE_INTERRUPTED);
    assay_error from = {0};
    error_from_escape(&from, ESCAPE_NONE);
    assert_int_equal(from.code, ASSAY_OK);
    error_from_escape(&from, ESCAPE_INTERRUPTED);
    assert_int_equal(from.code, ASSAY_ERROR_INTERRUPTED);
}

static void long_errors_are_cut_between_characters(void **state)
{
    (void)state;
    assay_error e = {0};
    char text[2 * sizeof e.message + 2] = "x"; /* an odd start, so that the border falls into a character */
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 3);
    error_set(&e, ASSAY_ERROR_INPUT, "%s", text);
    size_t length = strlen(e.message);
    assert_true(length >= sizeof e.message - 3);
    assert_int_equal((unsigned char)e.message[length - 1], 0xa9);
}

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
        cmocka_unit_test(idmap_holds_what_was_put),
        cmocka_unit_test(hash_of_bytes_depends_on_each),
        cmocka_unit_test(names_are_numbered_by_first_appearance),
        cmocka_unit_test(names_of_numbers_are_names),
        cmocka_unit_test(names_with_numbers_are_those_of_a_list),
        cmocka_unit_test(members_are_found_by_name),
        cmocka_unit_test(bitset_is_a_set),
        cmocka_unit_test(group_keeps_the_order),
        cmocka_unit_test(radix_and_heap_sort),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(integers_are_printed_as_they_were_written),
        cmocka_unit_test(text_is_quoted_for_json),
        cmocka_unit_test(texts_of_others_are_shown_escaped),
        cmocka_unit_test(escapes_leave_the_innermost_call),
        cmocka_unit_test(threads_escape_on_their_own),
        cmocka_unit_test(budgets_end_loops),
        cmocka_unit_test(budgets_allow_a_number_of_ticks),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(long_errors_are_cut_between_characters),
        cmocka_unit_test(random_numbers_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
