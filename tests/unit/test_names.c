/* SPDX-License-Identifier: Apache-2.0 */
/* Maps from numbers, names with their numbers, and members of a family found by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/names.h"
#include "base/registry.h"
#include "base/rng.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idmap_holds_what_was_put),
        cmocka_unit_test(hash_of_bytes_depends_on_each),
        cmocka_unit_test(names_are_numbered_by_first_appearance),
        cmocka_unit_test(names_of_numbers_are_names),
        cmocka_unit_test(names_with_numbers_are_those_of_a_list),
        cmocka_unit_test(members_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
