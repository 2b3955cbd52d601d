/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of requests and answers of drivers: numbers, base64, and names of keys of etcd. */
#include "collect/drive/bytes.h"
#include "collect/drive/etcd_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void numbers_come_back(void **state)
{
    static const int64_t numbers[] = {0, 1, -1, 9, 10, -10, 1234567890123, INT64_MAX, INT64_MIN};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char at[BYTES_NUMBER];
        int64_t back;
        size_t n = bytes_decimal(at, numbers[i]);
        assert_true(n < BYTES_NUMBER);
        assert_true(bytes_read_number(at, at + n, &back));
        assert_true(back == numbers[i]);
    }
}

static void other_texts_are_no_numbers(void **state)
{
    static const char *const texts[] = {"",
                                        "-",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "1x",
                                        "--1",
                                        "9223372036854775808",
                                        "0x1",
                                        "-9223372036854775809",
                                        "99999999999999999999"};
    int64_t number = 7;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(bytes_read_number(texts[i], texts[i] + strlen(texts[i]), &number));
    assert_true(number == 7);
}

static void assert_bytes(const struct bytes *b, const char *text)
{
    assert_int_equal(b->n, strlen(text));
    assert_memory_equal(b->at, text, b->n);
}

/* The vectors of RFC 4648. */
static void base64_of_the_standard(void **state)
{
    static const char *const vectors[][2] = {{"f", "Zg=="},        {"fo", "Zm8="},        {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct bytes b = {0};
        bytes_base64(&b, vectors[i][0], strlen(vectors[i][0]));
        assert_bytes(&b, vectors[i][1]);
        bytes_clear(&b);
        assert_true(bytes_from_base64(&b, vectors[i][1], strlen(vectors[i][1])));
        assert_bytes(&b, vectors[i][0]);
        bytes_free(&b);
    }
}

static void base64_of_nothing_and_of_nonsense(void **state)
{
    struct bytes b = {0};
    (void)state;
    bytes_base64(&b, "", 0);
    assert_true(bytes_from_base64(&b, "", 0));
    assert_int_equal(b.n, 0);
    assert_false(bytes_from_base64(&b, "Zm9*", 4));
    bytes_free(&b);
}

static void buffers_grow(void **state)
{
    struct bytes b = {0};
    (void)state;
    for (int i = 0; i < 1000; i++)
        bytes_number(&b, i % 10);
    assert_int_equal(b.n, 1000);
    assert_false(b.failed);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(b.at[i], '0' + i % 10);
    bytes_free(&b);
}

static void elements_of_sets_come_back_from_names(void **state)
{
    static const int64_t elements[] = {0, 7, -3, INT64_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        struct bytes b = {0};
        int64_t back;
        etcd_element(&b, ETCD_SET, 12, elements[i]);
        bytes_add(&b, "", 1);
        assert_memory_equal(b.at, "\"key\":\"", 7);
        *strrchr(b.at, '"') = 0;
        assert_true(etcd_element_of(b.at + 7, &back));
        assert_true(back == elements[i]);
        bytes_free(&b);
    }
    int64_t none;
    assert_false(etcd_element_of("Zm9v", &none));
    assert_false(etcd_element_of("*", &none));
}

/* A range ends behind all that is below its keys, and before the next key. */
static void ranges_hold_keys_and_all_below(void **state)
{
    struct bytes b = {0};
    (void)state;
    etcd_below(&b, ETCD_QUEUE, 9);
    bytes_add(&b, "", 1);
    assert_non_null(strstr(b.at, "\"range_end\":\""));
    bytes_clear(&b);
    etcd_between(&b, ETCD_REGISTER, 9, 10);
    bytes_add(&b, "", 1);
    struct bytes first = {0}, last = {0};
    etcd_key(&first, ETCD_REGISTER, 9);
    etcd_key(&last, ETCD_REGISTER, 10);
    assert_memory_equal(b.at, first.at, first.n);
    assert_true(memcmp(first.at, last.at, first.n) < 0);
    bytes_free(&b);
    bytes_free(&first);
    bytes_free(&last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(other_texts_are_no_numbers),
        cmocka_unit_test(base64_of_the_standard),
        cmocka_unit_test(base64_of_nothing_and_of_nonsense),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(elements_of_sets_come_back_from_names),
        cmocka_unit_test(ranges_hold_keys_and_all_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
