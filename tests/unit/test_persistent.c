/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays whose copies share nodes, and maps in such arrays, against plain ones: copies are made and dropped at random, and a
 * change of one must not be seen in another. */
#include "base/mem.h"
#include "base/rng.h"
#include "spec/persistent.h"
#include "spec/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COPIES = 5, MOST = 1 << 13, KEYS = 600 };

static assay_memory *memory_of(struct mem *m)
{
    return (assay_memory *)m;
}

static void arrays_share_and_stay_apart(void **unused)
{
    (void)unused;
    static uint32_t plain[COPIES][MOST];
    for (size_t size = 8; size <= MOST; size *= 2) {
        struct mem mem = {0}, other = {0};
        struct persistent p[COPIES];
        struct rng rng = {size};
        memset(plain, 0, sizeof plain);
        for (uint32_t i = 0; i < COPIES; i++)
            persistent_init(&p[i], size, sizeof(uint32_t), memory_of(i ? &mem : &other));
        for (uint32_t step = 0; step < 20000; step++) {
            uint32_t a = rng_below(&rng, COPIES), b = rng_below(&rng, COPIES);
            uint32_t i = rng_below(&rng, (uint32_t)size);
            if (rng_below(&rng, 50) == 0 && a != b) { /* a becomes a copy of b, in its own memory */
                assay_memory *own = p[a].memory;
                persistent_free(&p[a]);
                persistent_init_copy(&p[a], &p[b], own);
                memcpy(plain[a], plain[b], size * sizeof plain[a][0]);
            } else {
                *persistent_own(&p[a], uint32_t, i) = plain[a][i] = step;
            }
            i = rng_below(&rng, (uint32_t)size);
            assert_int_equal(*persistent_at(&p[b], uint32_t, i), plain[b][i]);
        }
        for (uint32_t a = 0; a < COPIES; a++) {
            for (size_t i = 0; i < size; i++)
                assert_int_equal(*persistent_at(&p[a], uint32_t, i), plain[a][i]);
            persistent_free(&p[a]);
        }
        assert_int_equal(mem.used + other.used, 0);
    }
}

static void maps_share_and_stay_apart(void **unused)
{
    (void)unused;
    static int64_t plain[COPIES][KEYS]; /* 0: the key is not in */
    struct mem mem = {0};
    struct store s[COPIES];
    struct rng rng = {7};
    for (uint32_t i = 0; i < COPIES; i++)
        store_init(&s[i], memory_of(&mem));
    for (uint32_t step = 1; step < 400000; step++) {
        uint32_t a = rng_below(&rng, COPIES), b = rng_below(&rng, COPIES), key = rng_below(&rng, KEYS);
        bool shrinks = step / 50000 % 2; /* it is full and nearly empty in turn */
        int64_t v = rng_below(&rng, 10) < (shrinks ? 9u : 2u) ? 0 : step;
        if (rng_below(&rng, 100) == 0 && a != b) {
            store_free(&s[a]);
            store_init_copy(&s[a], &s[b], memory_of(&mem));
            memcpy(plain[a], plain[b], sizeof plain[a]);
            assert_true(store_same(&s[a], &s[b]));
            assert_memory_equal(&s[a].digest, &s[b].digest, sizeof s[a].digest);
        } else {
            assert_int_equal(store_count(&s[a], assay_int(key)), plain[a][key]);
            store_set_count(&s[a], assay_int(key), v);
            plain[a][key] = v;
        }
        key = rng_below(&rng, KEYS);
        assert_int_equal(store_count(&s[b], assay_int(key)), plain[b][key]);
    }
    for (uint32_t a = 0; a < COPIES; a++) {
        uint32_t size = 0;
        for (uint32_t key = 0; key < KEYS; key++) {
            assert_int_equal(store_count(&s[a], assay_int(key)), plain[a][key]);
            size += plain[a][key] != 0;
        }
        assert_int_equal(s[a].size, size);
        store_free(&s[a]);
    }
    assert_int_equal(mem.used, 0);
}

/* The table is as large as the content, and not as the number of keys that ever were. */
static void gone_keys_take_no_room(void **unused)
{
    (void)unused;
    struct mem mem = {0};
    struct store s;
    store_init(&s, memory_of(&mem));
    size_t empty = mem.used;
    for (int64_t key = 0; key < 100000; key++)
        store_set_count(&s, assay_int(key), 1);
    for (int64_t key = 0; key < 100000; key++)
        store_set_count(&s, assay_int(key), 0);
    assert_true(mem.used < 64 * empty);
    size_t once = mem.used;
    for (int64_t key = 0; key < 100000; key++) {
        store_set_count(&s, assay_int(key), 1);
        store_set_count(&s, assay_int(key), 0);
    }
    assert_true(mem.used <= once);
    assert_int_equal(s.digest.at[0] | s.digest.at[1], 0);
    store_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_share_and_stay_apart),
                                       cmocka_unit_test(maps_share_and_stay_apart),
                                       cmocka_unit_test(gone_keys_take_no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
