/* SPDX-License-Identifier: Apache-2.0 */
/* The native format: what is read, what is written back, and what each mistake is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay.h"
#include "base/rng.h"
#include "support/left_out.h"

/* ---- reading ---- */

/* All histories of the text, as the writer puts them, separated as in a file; the error if reading
 * ended with one. */
static char *rewritten(const char *text, size_t n, unsigned *count, assay_error *e)
{
    char *out = NULL;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    assay_reader *r = assay_reader_open_memory("text", text, n, NULL, e);
    *count = 0;
    for (assay_history *h; r && (h = assay_reader_next(r, e)); ++*count) {
        assay_error writing = {0};
        assert_true(assay_history_write(h, "hist", *count, file, &writing));
        assay_history_free(h);
    }
    if (r)
        assert_null(assay_reader_next(r, e)); /* the end stays the end */
    assay_reader_close(r);
    fclose(file);
    return out;
}

/* What is read of `text` is written as `expected`, and that is read as the same. */
static void expect_bytes(const char *text, size_t n, unsigned histories, const char *expected)
{
    assay_error e = {0};
    unsigned count, again;
    char *once = rewritten(text, n, &count, &e);
    if (e.code)
        fail_msg("line %d, column %d: %s\n%s", (int)e.line, (int)e.column, e.message, text);
    assert_int_equal(count, histories);
    assert_string_equal(once, expected);
    char *twice = rewritten(once, strlen(once), &again, &e);
    assert_int_equal(again, count);
    assert_string_equal(twice, once);
    free(once);
    free(twice);
}

static void expect(const char *text, unsigned histories, const char *expected)
{
    expect_bytes(text, strlen(text), histories, expected);
}

static void operations(void **state)
{
    (void)state;
    expect("t0: write(x, 1)\n", 1, "t0: write(x, 1)\n");
    expect("t0: write(x, 1)", 1, "t0: write(x, 1)\n");
    expect("\n  t0 :write ( x ,-5 )  \n\tworker-1.a:fence  # a comment\n", 1,
           "t0: write(x, -5)\nworker-1.a: fence()\n");
    expect("t0: read(x) => 1\nt0: rmw(x, 1, 2) => true\n", 1, "t0: read(x) => 1\nt0: rmw(x, 1, 2) => true\n");
    expect("t0: q1.push(5)\nt0: a.b.pop => empty\n", 1, "t0: q1.push(5)\nt0: a.b.pop() => empty\n");
    expect("t0: read(x) => ?\n", 1, "t0: read(x) => ?\n");
    expect("0: read(x) => 0\n1: f(9223372036854775807, -9223372036854775808)\n", 1,
           "0: read(x) => 0\n1: f(9223372036854775807, -9223372036854775808)\n");
}

static void times(void **state)
{
    (void)state;
    expect("t0: a() @ 1..2\nt0: b() @2..  # open\nt1: c() => 3 @ -7..9\n", 1,
           "t0: a() @ 1..2\nt0: b() => ? @ 2..\nt1: c() => 3 @ -7..9\n");
    expect("t0: a()\nt0: b()\nt1: get(1) => 0 @ after t0:2\n", 1,
           "t0: a() @ after\nt0: b() @ after\nt1: get(1) => 0 @ after t0:2\n");
}

static void values(void **state)
{
    (void)state;
    expect("t: w(1, -1, word, 1a, a-b_c.d, \"s\", \"1\")\n", 1, "t: w(1, -1, word, 1a, a-b_c.d, \"s\", \"1\")\n");
    expect("t: w(\"a # b\", \"\\\"\\\\\\/\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00\\b\")\n", 1,
           "t: w(\"a # b\", \"\\\"\\\\/\\n\\r\\tA\xc3\xa9\xf0\x9f\x98\x80\\u0008\")\n");
    expect("t: w(\"\", caf\xc3\xa9)\n", 1, "t: w(\"\", caf\xc3\xa9)\n");
}

static void events(void **state)
{
    (void)state;
    expect("[1] call push(5)\n[2] call pop\n[1] return\n[2] return 5\n[1] call push(6)\n", 1,
           "1: push(5) @ 1..3\n2: pop() => 5 @ 2..4\n1: push(6) => ? @ 5..\n");
    expect("@ids operation\n[a] call f\n[ b ] call g ( 1 )\n[b]return \"x\"\n", 1,
           "# @ids operation\na: f() => ? @ 1..\nb: g(1) => \"x\" @ 2..3\n");
}

static void headers_and_comments(void **state)
{
    (void)state;
    expect("# a comment\n#@object memory\n# @init x=1 y=\"z\"\n@final x=2\n# @source disk 7\n#\nt: "
           "fence()\n# @odd one\n",
           1, "# @object memory\n# @init x=1 y=\"z\"\n# @final x=2\n# @source disk 7\nt: fence()\n");
    static const char text[] = "# @source here\n# @init 5\nt0: read(x) => 5\n---\nt0: read(x) => 0\n";
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("two", text, strlen(text), "hist", &e);
    assay_history *first = assay_reader_next(r, &e);
    assert_non_null(strstr(assay_reader_warning(r, 0), "two:1: unknown header @source"));
    assert_null(assay_reader_warning(r, 1));
    assert_string_equal(assay_history_get(first, "init"), "5");
    assert_string_equal(assay_history_get(first, "source"), "here");
    assay_history *second = assay_reader_next(r, &e);
    assert_null(assay_reader_warning(r, 0));
    assert_null(assay_history_get(second, "init")); /* headers end with their history */
    assert_int_equal(assay_history_operation(second, 0).line, 5);
    assert_int_equal(assay_history_operation(second, 0).column, 5);
    assert_null(assay_reader_next(r, &e));
    assert_int_equal(e.code, ASSAY_OK);
    assert_string_equal(assay_reader_format(r), "hist");
    assay_reader_close(r);
    assay_history_free(first);
    assay_history_free(second);
}

static void several_histories(void **state)
{
    (void)state;
    expect("", 0, "");
    expect("\n# nothing\n\n", 0, "");
    expect("---\n", 0, "");
    expect("---\nt: a()\n--- # the second\nt: b()\n", 2, "t: a()\n---\nt: b()\n");
    expect("t: a()\n---\n", 1, "t: a()\n");
    expect("[1] call a\n---\nt: b()\n", 2, "1: a() => ? @ 1..\n---\nt: b()\n");
}

static void line_ends_and_marks(void **state)
{
    (void)state;
    expect("t: a()\r\nt: b()\r\n", 1, "t: a()\nt: b()\n");
    expect("\xEF\xBB\xBFt: a()\n", 1, "t: a()\n");
    expect("\xEF\xBB\xBF# @init 1\r\nt: a()", 1, "# @init 1\nt: a()\n");
}

/* ---- compressed ---- */

static const unsigned char gzipped[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x31, 0xb0, 0x52, 0x28, 0x2f, 0xca, 0x2c,
    0x49, 0xd5, 0xa8, 0xd0, 0x51, 0x30, 0xd4, 0xe4, 0x2a, 0x31, 0xb4, 0x52, 0x28, 0x4a, 0x4d, 0x4c, 0xd1, 0xa8,
    0xd0, 0x54, 0xb0, 0xb5, 0x53, 0x30, 0xe4, 0x02, 0x00, 0x8f, 0x28, 0xd9, 0xdb, 0x21, 0x00, 0x00, 0x00};
static const unsigned char zstandard[] = {0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x21, 0x09, 0x01, 0x00, 0x74, 0x30, 0x3a,
                                          0x20, 0x77, 0x72, 0x69, 0x74, 0x65, 0x28, 0x78, 0x2c, 0x20, 0x31, 0x29,
                                          0x0a, 0x74, 0x31, 0x3a, 0x20, 0x72, 0x65, 0x61, 0x64, 0x28, 0x78, 0x29,
                                          0x20, 0x3d, 0x3e, 0x20, 0x31, 0x0a, 0x9f, 0x3a, 0xbd, 0xa2};
static const char compressed[] = "t0: write(x, 1)\nt1: read(x) => 1\n";

/* False when this build cannot read it, which it must then say. */
static bool readable(const char *kind, const unsigned char *bytes, size_t n)
{
    assay_error e = {0};
    unsigned count;
    char *text = rewritten((const char *)bytes, n, &count, &e);
    free(text);
    if (e.code == ASSAY_ERROR_MISSING)
        assert_non_null(strstr(e.message, "built without"));
    return !left_out(kind, e.code == ASSAY_ERROR_MISSING ? e.message : NULL);
}

static void expect_compressed(const char *kind, const unsigned char *bytes, size_t n)
{
    if (!readable(kind, bytes, n))
        skip();
    expect_bytes((const char *)bytes, n, 1, compressed);
    for (size_t cut = 5; cut < n; cut++) {
        assay_error e = {0};
        unsigned count;
        free(rewritten((const char *)bytes, cut, &count, &e));
        if (count)
            continue; /* what is missing is only the check sum */
        assert_int_equal(e.code, ASSAY_ERROR_INPUT);
        assert_non_null(strstr(e.message, "damaged or cut short"));
    }
}

static void gzip_is_read(void **state)
{
    (void)state;
    expect_compressed("gzip", gzipped, sizeof gzipped);
}

static void zstd_is_read(void **state)
{
    (void)state;
    expect_compressed("zstd", zstandard, sizeof zstandard);
}

static void compressed_files_may_be_joined(void **state)
{
    (void)state;
    unsigned char twice[2 * sizeof gzipped];
    if (!readable("gzip", gzipped, sizeof gzipped))
        skip();
    memcpy(twice, gzipped, sizeof gzipped);
    memcpy(twice + sizeof gzipped, gzipped, sizeof gzipped);
    expect_bytes((const char *)twice, sizeof twice, 1,
                 "t0: write(x, 1)\nt1: read(x) => 1\nt0: write(x, 1)\nt1: read(x) => 1\n");
}

static void files_are_read_like_memory(void **state)
{
    (void)state;
    char path[] = "test_hist_format.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    for (int i = 0; i < 100000; i++) /* several buffers full */
        fprintf(out, "t%d: write(x%d, %d)\n", i % 7, i % 100, i);
    fclose(out);
    assay_error e = {0};
    assay_reader *r = assay_reader_open(path, NULL, &e);
    assay_history *h = assay_reader_next(r, &e);
    assert_int_equal(assay_history_size(h), 100000);
    assert_int_equal(assay_history_arg(h, 99999, 1).integer, 99999);
    assert_int_equal(assay_history_operation(h, 99999).line, 100000);
    assay_history_free(h);
    assay_reader_close(r);
    remove(path);
    assert_null(assay_reader_open(path, NULL, &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_string_equal(e.file, path);
    assert_non_null(strstr(e.message, "cannot open"));
}

/* ---- mistakes ---- */

static const struct mistake {
    const char *text;
    unsigned line, column;
    const char *message; /* part of it */
} mistakes[] = {
    {"hello\n", 1, 6, "expected `thread: operation`"},
    {"t0: write(x, 1)\nhello world\n", 2, 7, "expected `thread: operation`"},
    {"(x)\n", 1, 1, "expected `thread: operation`"},
    {"t0:\n", 1, 4, "expected a method"},
    {"t0: .write(x, 1)\n", 1, 5, "expected `object.method`"},
    {"t0: x.(1)\n", 1, 5, "expected `object.method`"},
    {"t0: write(x, 1\n", 1, 15, "expected `,` or `)`"},
    {"t0: write(x 1)\n", 1, 13, "expected `,` or `)`"},
    {"t0: write(x,)\n", 1, 13, "expected a value"},
    {"t0: write(,1)\n", 1, 11, "expected a value"},
    {"t0: write(x, -)\n", 1, 14, "an integer behind the minus"},
    {"t0: write(x, 9223372036854775808)\n", 1, 14, "an integer of 64 bits"},
    {"t0: write(x, -9223372036854775809)\n", 1, 14, "an integer of 64 bits"},
    {"t0: write(x, \"abc)\n", 1, 19, "a closing quotation mark"},
    {"t0: write(x, \"a\\qb\")\n", 1, 16, "a JSON escape"},
    {"t0: write(x, \"\\ud83d\")\n", 1, 15, "a JSON escape"},
    {"t0: write(x, \"\\ude00\")\n", 1, 15, "a JSON escape"},
    {"t0: write(x, \"\\u12g4\")\n", 1, 15, "a JSON escape"},
    {"t0: read(x) =>\n", 1, 15, "expected a value"},
    {"t0: read(x) = 1\n", 1, 13, "or the end of the line"},
    {"t0: f([1 2)\n", 1, 11, "a blank, `,` or `]` behind the element"},
    {"t0: f([1\n", 1, 9, "a blank, `,` or `]` behind the element"},
    {"t0: f([\n", 1, 8, "expected `]` at the end of the list"},
    {"t0: f([1,])\n", 1, 10, "expected an element behind the comma"},
    {"t0: f([,1])\n", 1, 8, "expected a value"},
    {"t0: f([1 [2]])\n", 1, 10, "expected an element that is no list"},
    {"t0: f([1\"a\"])\n", 1, 9, "a blank, `,` or `]` behind the element"},
    {"t0: read(x) => 1 2\n", 1, 18, "or the end of the line"},
    {"t0: read(x) => 1 @ 1\n", 1, 21, "expected `..`"},
    {"t0: read(x) => 1 @ 1.5\n", 1, 21, "expected `..`"},
    {"t0: read(x) => 1 @ x..2\n", 1, 20, "expected a time"},
    {"t0: read(x) => 1 @ 9223372036854775808..2\n", 1, 20, "below 2^63"},
    {"t0: read(x) => 1 @ 5..4\n", 1, 20, "the return is before the call"},
    {"t0: read(x) => 1 @ 5..\n", 1, 23, "expected the time of the return"},
    {"t0: read(x) => ? @ 5..6\n", 1, 20, "has no time of return"},
    {"t0: a() @ 1..5\nt0: b() @ 4..6\n", 2, 11, "earlier than the thread's previous return (5, line 1)"},
    {"t0: a()\nt0: b() @ 4..6\n", 2, 11, "none in the lines before"},
    {"t0: a() @ 1..5\nt0: b()\n", 2, 8, "expected a time interval"},
    {"t0: a() @ 1..5\nt1: b() => ?\n", 2, 13, "expected the time of the call"},
    {"t0: a() @ 1..5\nt1: b() @ after t0:1\n", 2, 11, "expected a time interval"},
    {"t1: b() @ after t0:0\nt0: a() @ 1..5\n", 2, 11, "times and knowledge cannot be mixed"},
    {"t1: b() @ after t0\nt0: a()\n", 1, 19, "expected `thread:count`"},
    {"t1: b() @ after t0:-1\nt0: a()\n", 1, 20, "how many operations"},
    {"t1: b() @ after t0:2\nt0: a()\n", 1, 5, "it knows of 2 operations of t0, which has only 1"},
    {"t0: a() => ?\nt1: b() @ after t0:1\n", 2, 5,
     "it knows of 1 operations of t0 that had returned, but the last of these never did"},
    {"t0: write(x, 1) => ?\nt0: read(x) => 1\n", 2, 1, "goes on after its operation in line 1"},
    {"t0: a()\n[1] call b\n", 2, 1, "cannot be mixed"},
    {"[1] call b\nt0: a()\n", 2, 1, "cannot be mixed"},
    {"[1] call a\n[1] call b\n", 2, 2, "its call in line 1 has not returned"},
    {"[1] return\n", 1, 2, "without a call"},
    {"[1] call a\n[1] return\n[1] return\n", 3, 2, "without a call"},
    {"[1] cal a\n", 1, 5, "expected `call` or `return`"},
    {"[1 call a\n", 1, 4, "expected an id and `]`"},
    {"[] call a\n", 1, 2, "expected an id and `]`"},
    {"[1] call a => 2\n", 1, 12, "or the end of the line"},
    {"[1] call a\n[1] return 1 2\n", 2, 14, "or the end of the line"},
    {"@ids operation\n[1] call a\n[1] return\n[1] call b\n", 4, 2, "was used before"},
    {"@ids each\n", 1, 6, "in @ids: expected `thread` or `operation`"},
    {"# @object\n", 1, 10, "in @object: expected an object"},
    {"# @object q1 queue fast\n", 1, 20, "in @object: expected the end of the line"},
    {"# @init x=\n", 1, 11, "in @init: expected a value"},
    {"# @init x=1 [2]y=3\n", 1, 19, "in @init: expected plain values inside [ ]"},
    {"t0: a()\n@init x=1\n", 2, 1, "header lines stand before the first operation"},
    {"t0: a()\n# @init x=1\n", 2, 3, "header lines stand before the first operation"},
    {"@\n", 1, 2, "expected a key"},
    {"t0: a()\n\xff\xfe\n", 2, 1, "not UTF-8"},
    {"t0: w(\xc3)\n", 1, 7, "not UTF-8"},
    {"t0: w(\xed\xa0\x80)\n", 1, 7, "not UTF-8"},
    {"t0: w(\xc0\xaf)\n", 1, 7, "not UTF-8"},
};

static void mistakes_are_named_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct mistake *m = &mistakes[i];
        assay_error e = {0};
        unsigned count;
        free(rewritten(m->text, strlen(m->text), &count, &e));
        if (e.code != ASSAY_ERROR_INPUT || e.line != m->line || e.column != m->column ||
            !strstr(e.message, m->message) || strcmp(e.file, "text") != 0)
            fail_msg("%sgives code %d, %s:%d:%d: %s", m->text, e.code, e.file, (int)e.line, (int)e.column, e.message);
        assert_int_equal(count, 0);
    }
}

static void what_was_read_before_a_mistake_counts(void **state)
{
    (void)state;
    static const char text[] = "t: a()\n---\nt: b()\n---\nt: (\n---\nt: c()\n";
    assay_error e = {0};
    unsigned count;
    char *out = rewritten(text, strlen(text), &count, &e);
    assert_int_equal(count, 2);
    assert_string_equal(out, "t: a()\n---\nt: b()\n");
    assert_int_equal(e.line, 5);
    free(out);
}

/* Readers guess from the lines before how many will follow, and with how many values: the guess may be wrong. */
static void histories_need_not_go_on_as_they_began(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (int i = 0; i < 60000; i++) {
        bool rare = i / 10000 % 2;
        if (rare && i % 100 == 0)
            fprintf(file, "t%d: f(1, 2, 3, 4, \"%0*d\", 6, 7)\n", i % 3, i % 7000 + 1, i);
        else if (i < 30000)
            fprintf(file, "t%d: write(x, %d)\n", i % 3, i);
        else
            fprintf(file, "t%d: g()\n", i % 3);
    }
    fclose(file);
    expect_bytes(text, length, 1, text);
    free(text);
}

static void a_call_has_any_number_of_arguments(void **state)
{
    (void)state;
    enum { ARGUMENTS = 3000 };
    char text[3 * ARGUMENTS + 20] = "t: f(0", *end = text + strlen(text);
    for (int i = 1; i < ARGUMENTS; i++, end += 3)
        memcpy(end, ", 1", 4);
    strcpy(end, ")\n");
    expect(text, 1, text);
}

static void lists(void **state)
{
    (void)state;
    expect("t: f([])\nt: f( [ ] )\n", 1, "t: f([])\nt: f([])\n");
    expect("t: f([1,2 ,3], x) => [1 2]\n", 1, "t: f([1 2 3], x) => [1 2]\n");
    expect("t: f([1 2], [a \"b c\"], [0x1f -3])\n", 1, "t: f([1 2], [a \"b c\"], [0x1f -3])\n");
    expect("t0: txn(r x [1 2], append x 3)\n", 1, "t0: txn(r x [1 2], append x 3)\n");
    expect("# @init x=[1 2] y=[]\nt0: f(1)\n", 1, "# @init x=[1 2] y=[]\nt0: f(1)\n");
}

static void an_endless_line_is_refused_early(void **state)
{
    (void)state;
    enum { SIZE = 100 * 1000 * 1000 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memcpy(text, "t: a()\nt: w(\"", 13);
    memset(text + 13, 'a', SIZE - 13);
    assay_error e = {0};
    unsigned count;
    free(rewritten(text, SIZE, &count, &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_int_equal(e.line, 2);
    assert_non_null(strstr(e.message, "longer than 16 MiB"));
    free(text);
}

static void garbage_is_an_error_and_nothing_else(void **state)
{
    (void)state;
    struct rng rng = {9};
    char bytes[4096];
    for (int round = 0; round < 200; round++) {
        size_t n = 1 + rng_below(&rng, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)rng_next(&rng);
        bytes[0] = (char)(0x80 | bytes[0]); /* at least one byte that is no text */
        assay_error e = {0};
        unsigned count;
        free(rewritten(bytes, n, &count, &e));
        assert_int_equal(count, 0);
        assert_int_equal(e.code, ASSAY_ERROR_INPUT);
        assert_true(e.message[0] != '\0');
    }
}

static void formats_are_asked_for_by_name(void **state)
{
    (void)state;
    assay_error e = {0};
    assert_null(assay_reader_open_memory("x", "", 0, "nonsense", &e));
    assert_int_equal(e.code, ASSAY_ERROR_USAGE);
    assert_string_equal(assay_format_by_name("a/b.hist"), "hist");
    assert_string_equal(assay_format_by_name("a/b.hist.gz"), "hist");
    assert_string_equal(assay_format_by_name("a/b.hist.zst"), "hist");
    assert_null(assay_format_by_name("a/b.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(times),
        cmocka_unit_test(values),
        cmocka_unit_test(events),
        cmocka_unit_test(headers_and_comments),
        cmocka_unit_test(several_histories),
        cmocka_unit_test(line_ends_and_marks),
        cmocka_unit_test(gzip_is_read),
        cmocka_unit_test(zstd_is_read),
        cmocka_unit_test(compressed_files_may_be_joined),
        cmocka_unit_test(files_are_read_like_memory),
        cmocka_unit_test(mistakes_are_named_with_their_place),
        cmocka_unit_test(what_was_read_before_a_mistake_counts),
        cmocka_unit_test(histories_need_not_go_on_as_they_began),
        cmocka_unit_test(a_call_has_any_number_of_arguments),
        cmocka_unit_test(lists),
        cmocka_unit_test(an_endless_line_is_refused_early),
        cmocka_unit_test(garbage_is_an_error_and_nothing_else),
        cmocka_unit_test(formats_are_asked_for_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
