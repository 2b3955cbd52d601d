/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that grow, integers as they were written, and texts of others, quoted or escaped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/notation.h"
#include "base/shown.h"
#include "base/text.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_grows),
        cmocka_unit_test(integers_are_printed_as_they_were_written),
        cmocka_unit_test(text_is_quoted_for_json),
        cmocka_unit_test(texts_of_others_are_shown_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
