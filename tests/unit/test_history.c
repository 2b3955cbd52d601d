/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in memory: building, what is refused, sub-histories, partition, digest, and the
 * read/write view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay_spec.h"
#include "history/slice.h"
#include "memory/rw.h"
#include "support/load.h"
#include "support/shorthand.h"

/* ---- building ---- */

static void operations_are_given_back(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assay_value args[] = {assay_word("x"), assay_string("a\0b", 3), assay_int(-7)};
    assay_operation op = {.thread = "t0",
                          .object = "m1",
                          .method = "rmw",
                          .args = args,
                          .arg_count = 3,
                          .result = assay_word("true"),
                          .timed = true,
                          .call_time = 5,
                          .return_time = 9,
                          .line = 12,
                          .column = 3};
    assert_int_equal(assay_history_add(h, &op, &e), 0);
    op = (assay_operation){.thread = "t1", .method = "fence", .pending = true, .timed = true, .call_time = 6};
    assert_int_equal(assay_history_add(h, &op, &e), 1);
    assert_int_equal(assay_history_size(h), 2);
    assert_int_equal(assay_history_threads(h), 2);
    assert_string_equal(assay_history_thread_name(h, 1), "t1");
    assert_null(assay_history_thread_name(h, 2));
    assay_operation got = assay_history_operation(h, 0);
    assert_string_equal(got.thread, "t0");
    assert_string_equal(got.object, "m1");
    assert_string_equal(got.method, "rmw");
    assert_int_equal(got.arg_count, 3);
    assert_int_equal(got.result.kind, ASSAY_WORD);
    assert_string_equal(got.result.text, "true");
    assert_true(got.timed && !got.pending && got.call_time == 5 && got.return_time == 9);
    assert_true(got.line == 12 && got.column == 3);
    assay_value text = assay_history_arg(h, 0, 1);
    assert_int_equal(text.kind, ASSAY_STRING);
    assert_int_equal(text.length, 3);
    assert_memory_equal(text.text, "a\0b", 4);
    assert_int_equal(assay_history_arg(h, 0, 2).integer, -7);
    assert_int_equal(assay_history_arg(h, 0, 3).kind, ASSAY_NONE);
    assert_true(assay_history_operation(h, 1).pending);
    assert_null(assay_history_operation(h, 1).object);
    assert_null(assay_history_operation(h, 2).thread);
    char line[64];
    assert_int_equal(assay_history_print(h, 1, line, sizeof line), 16);
    assert_string_equal(line, "t1: fence() => ?");
    assert_int_equal(assay_history_print(h, 1, line, 5), 16);
    assert_string_equal(line, "t1: ");
    assert_int_equal(assay_history_print(h, 9, line, sizeof line), 0);
    assay_history_free(h);
    assay_history_free(NULL);
}

/* The place of an operation, its object and its result, at the first row where a column must be spelled out, and
 * around it. */
static void columns_without_a_rule_are_spelled_out(void **state)
{
    (void)state;
    enum { ROWS = 400 };
    static const int64_t values[] = {0, -1, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, INT64_MIN, INT64_MAX};
    for (uint32_t odd = 0; odd < ROWS; odd += 57)
        for (uint32_t what = 0; what < 8; what++) { /* bits: line, column, object */
            assay_history *h = assay_history_new();
            assay_error e = {0};
            for (uint32_t i = 0; i < ROWS; i++) {
                bool late = i >= odd;
                assay_operation op = {.thread = i % 2 ? "t1" : "t0",
                                      .object = late && (what & 4) ? "m" : NULL,
                                      .method = "read",
                                      .result = assay_int(values[i % 7]),
                                      .line = i + 5 + (late && (what & 1)),
                                      .column = i % 2 + 4 + (late && (what & 2))};
                assert_int_equal(assay_history_add(h, &op, &e), i);
            }
            for (uint32_t i = 0; i < ROWS; i++) {
                assay_operation got = assay_history_operation(h, i);
                bool late = i >= odd;
                assert_int_equal(got.line, i + 5 + (late && (what & 1)));
                assert_int_equal(got.column, i % 2 + 4 + (late && (what & 2)));
                assert_int_equal(got.object != NULL, late && (what & 4));
                assert_int_equal(got.result.kind, ASSAY_INT);
                assert_true(got.result.integer == values[i % 7]);
            }
            assay_history_free(h);
        }
}

static void many_operations_fit(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    assay_history *h = assay_history_new();
    char thread[16];
    for (int i = 0; i < MANY; i++) {
        assay_value args[] = {assay_int(i % 10), assay_int(i)};
        snprintf(thread, sizeof thread, "t%d", i % 300);
        assay_operation op = {.thread = thread, .method = "write", .args = args, .arg_count = 2};
        assert_int_equal(assay_history_add(h, &op, NULL), i);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(h->thread[i], i % 300);
        assert_int_equal(history_arg(h, i, 1).bits, i);
    }
    assay_history_free(h);
}

/* A list is given as an array, and taken apart from its end. */
static void lists_are_values(void **state)
{
    (void)state;
    enum { LENGTH = 1000 };
    assay_value elements[LENGTH];
    assay_history *h = assay_history_new();
    for (int i = 0; i < LENGTH; i++)
        elements[i] = i % 3 ? assay_int(i) : assay_word(i % 2 ? "odd" : "even");
    for (uint32_t i = 0; i <= LENGTH; i++) { /* each twice: the shorter ones come again */
        assay_value list = assay_list(elements, i % 2 ? LENGTH - i : i);
        assay_operation op = {.thread = "t", .method = "f", .args = &list, .arg_count = 1};
        assert_int_equal(assay_history_add(h, &op, NULL), i);
        assert_true(assay_value_same(assay_history_arg(h, i, 0), list));
    }
    assert_int_equal(h->lists.all.n, LENGTH + 1);
    assay_value whole = assay_history_arg(h, LENGTH, 0);
    for (size_t i = LENGTH; i; whole = assay_list_before(whole)) {
        assert_int_equal(whole.length, i);
        assert_true(assay_value_same(assay_list_last(whole), elements[--i]));
    }
    assert_int_equal(assay_list_last(whole).kind, ASSAY_NONE);
    assert_int_equal(assay_list_before(whole).length, 0);
    assert_false(assay_value_same(assay_list(elements, 2), assay_list(elements + 1, 2)));
    assay_history_free(h);
}

static void wrong_operations_are_refused(void **state)
{
    (void)state;
    assay_value none[] = {{0}}, list = assay_list(NULL, 0);
    assay_value nested[] = {assay_list(&list, 1)}, empty[] = {assay_list(none, 1)};
    assay_value digits[] = {assay_word("12")}, space[] = {assay_word("a b")};
    const struct {
        assay_operation op;
        const char *message;
    } cases[] = {
        {{.thread = NULL, .method = "f"}, "thread's name must be a word"},
        {{.thread = "", .method = "f"}, "thread's name must be a word"},
        {{.thread = "a b", .method = "f"}, "thread's name must be a word"},
        {{.thread = "t", .method = NULL}, "method's name must be a word"},
        {{.thread = "t", .method = "f()"}, "method's name must be a word"},
        {{.thread = "t", .method = "q.f"}, "no dot"},
        {{.thread = "t", .method = "f", .object = "q 1"}, "object's name must be a word"},
        {{.thread = "t", .method = "f", .args = none, .arg_count = 1}, "an argument without a value"},
        {{.thread = "t", .method = "f", .args = digits, .arg_count = 1}, "a word value"},
        {{.thread = "t", .method = "f", .args = space, .arg_count = 1}, "a word value"},
        {{.thread = "t", .method = "f", .pending = true, .result = assay_int(1)}, "has no result"},
        {{.thread = "t", .method = "f", .timed = true}, "all operations of a history have times or none"},
        {{.thread = "stuck", .method = "f"}, "after an operation that never returned"},
        {{.thread = "t", .method = "f", .args = nested, .arg_count = 1}, "the elements of a list"},
        {{.thread = "t", .method = "f", .args = empty, .arg_count = 1}, "the elements of a list"},
    };
    assay_history *h = assay_history_new();
    assay_operation stuck = {.thread = "stuck", .method = "f", .pending = true};
    assay_history_add(h, &stuck, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_error e = {0};
        assert_int_equal(assay_history_add(h, &cases[i].op, &e), ASSAY_NO_OPERATION);
        assert_int_equal(e.code, ASSAY_ERROR_INPUT);
        if (!strstr(e.message, cases[i].message))
            fail_msg("case %d: %s", (int)i, e.message);
    }
    assert_int_equal(assay_history_size(h), 1);
    assay_history_free(h);
}

static void wrong_times_are_refused(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assay_operation op = {.thread = "t", .method = "f", .timed = true, .call_time = 1, .return_time = 5};
    assert_int_equal(assay_history_add(h, &op, &e), 0);
    op.call_time = 4;
    assert_int_equal(assay_history_add(h, &op, &e), ASSAY_NO_OPERATION);
    assert_non_null(strstr(e.message, "earlier than the thread's previous return"));
    e = (assay_error){0};
    op.call_time = 7;
    assert_int_equal(assay_history_add(h, &op, &e), ASSAY_NO_OPERATION);
    assert_non_null(strstr(e.message, "the return is before the call"));
    op = (assay_operation){.thread = "t", .method = "f"};
    e = (assay_error){0};
    assert_int_equal(assay_history_add(h, &op, &e), ASSAY_NO_OPERATION);
    assay_history_free(h);
}

static void headers_are_kept(void **state)
{
    (void)state;
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assert_true(assay_history_set(h, "object", "memory", &e));
    assert_true(assay_history_set(h, "note", "as you like it", &e));
    assert_true(assay_history_set(h, "note", "or not", &e));
    assert_string_equal(assay_history_get(h, "note"), "or not");
    assert_null(assay_history_get(h, "nothing"));
    assert_false(assay_history_set(h, "init", "x=", &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    assert_int_equal(e.line, 0);
    assert_false(assay_history_set(h, "two words", "x", NULL));
    assert_false(assay_history_set(h, "note", "two\nlines", NULL));
    assay_history_free(h);
}

/* ---- validation: the history is not one of the object's ---- */

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message;
        assay_error_code code;
    } cases[] = {
        {"t0: frob(1)\n", 1, 5, "no object has a method 'frob'", ASSAY_ERROR_INPUT},
        {"t0: fence()\n  t0: write(x)\n", 2, 7, "write takes 2 arguments, not 1", ASSAY_ERROR_INPUT},
        {"t0: fence(1)\n", 1, 5, "fence takes 0 arguments, not 1", ASSAY_ERROR_INPUT},
        {"t0: read(x)\n", 1, 5, "this read has no result", ASSAY_ERROR_INPUT},
        {"t0: write(x, 1) => 5\n", 1, 5, "write has a result", ASSAY_ERROR_INPUT},
        {"# @object tower\nt0: fence()\n", 1, 1, "knows no object 'tower'", ASSAY_ERROR_NOT_APPLICABLE},
        {"t0: write(x, 1)\nt1: write(y, 1)\nt1: write(x, 1)\nt1: read(x) => 1\n", 3, 5,
         "the value of the write in line 1 is written again", ASSAY_ERROR_NOT_APPLICABLE},
        {"t0: write(x, 0)\nt0: read(x) => 0\n", 1, 5, "a write of the variable's initial value",
         ASSAY_ERROR_NOT_APPLICABLE},
        {"# @init x=\"a\"\nt0: write(x, a)\nt0: write(x, \"a\")\nt1: read(x) => \"a\"\n", 3, 5,
         "a write of the variable's initial value", ASSAY_ERROR_NOT_APPLICABLE},
        {"# @object memory\nt0: begin()\nt0: commit()\n", 2, 5, "the object memory has no method 'begin'",
         ASSAY_ERROR_INPUT},
        {"# @init 1 2\nt0: fence()\n", 1, 1, "several initial values", ASSAY_ERROR_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_error e = {0};
        assay_history *h = load_text(cases[i].text, &e);
        assert_non_null(h);
        const assay_options clock = {ASSAY_OPTIONS_INIT, .engine = "clock"}; /* sat does without unique values */
        assert_null(assay_check(h, "cc", &clock, &e));
        if (e.code != cases[i].code || e.line != cases[i].line || e.column != cases[i].column ||
            !strstr(e.message, cases[i].message))
            fail_msg("%scode %d, %d:%d: %s", cases[i].text, e.code, (int)e.line, (int)e.column, e.message);
        assay_history_free(h);
    }
}

/* ---- sub-histories ---- */

static void expect_slice(const char *text, const char *kept, const char *expected)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    bool keep[16];
    for (size_t i = 0; kept[i]; i++)
        keep[i] = kept[i] == '1';
    assay_history *part = assay_history_slice(h, keep);
    char *out = NULL;
    size_t n;
    FILE *file = open_memstream(&out, &n);
    assert_true(assay_history_write(part, "hist", 0, file, &e));
    fclose(file);
    assert_string_equal(out, expected);
    free(out);
    assay_history_free(part);
    assay_history_free(h);
}

static void slices_keep_headers_times_and_lines(void **state)
{
    (void)state;
    static const char text[] = "# @init x=4\nt0: write(x, 1)\nt1: read(x) => 1\nt0: q.rmw(y, "
                               "\"a\", b)\nt2: read(x) => ?\n";
    expect_slice(text, "1111", text);
    expect_slice(text, "0000", "# @init x=4\n");
    expect_slice(text, "0101", "# @init x=4\nt1: read(x) => 1\nt2: read(x) => ?\n");
    expect_slice("t0: a() @ 1..2\nt1: b() @ 1..\nt0: c() @ 3..4\n", "011", "t1: b() => ? @ 1..\nt0: c() @ 3..4\n");
    /* of what t1 knew of t0, one operation is gone */
    expect_slice("t0: a()\nt0: b()\nt0: c()\nt1: d() @ after t0:3\n", "1011",
                 "t0: a() @ after\nt0: c() @ after\nt1: d() @ after t0:2\n");
    expect_slice("t0: txn() => ?\nt0: txn()\nt1: txn() @ after t0:2\n", "101",
                 "t0: txn() => ? @ after\nt1: txn() @ after\n");
    expect_slice("t0: a()\nt2: b()\nt1: d() @ after t0:1 t2:1\n", "011", "t2: b() @ after\nt1: d() @ after t2:1\n");
    assay_history *h = load_text(text, NULL);
    const bool last[] = {false, false, true, false};
    assay_history *part = assay_history_slice(h, last);
    assert_int_equal(assay_history_operation(part, 0).line, 4);
    assert_int_equal(assay_history_threads(part), 3); /* as they were */
    assay_history_free(part);
    assay_history_free(h);
}

/* ---- digest ---- */

static void digest_of(const char *text, char out[17])
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    if (!h)
        fail_msg("%s%s", text, e.message);
    assay_history_digest(h, out);
    assert_int_equal(strlen(out), 16);
    assay_history_free(h);
}

static void digest_is_of_the_meaning(void **state)
{
    (void)state;
    char base[17], other[17];
    digest_of("# @init x=1\nt0: write(x, 2)\nt1: read(x) => 2\n", base);
    digest_of("\n\n@init   x=1\r\n# a comment\n t0 : write( x,2 ) # here\nt1:read(x)=>2", other);
    assert_string_equal(base, other);
    static const char *const different[] = {
        "t0: write(x, 2)\nt1: read(x) => 2\n",
        "# @init x=2\nt0: write(x, 2)\nt1: read(x) => 2\n",
        "# @init y=1\nt0: write(x, 2)\nt1: read(x) => 2\n",
        "# @init x=1\n# @final x=2\nt0: write(x, 2)\nt1: read(x) => 2\n",
        "# @init x=1\n# @object memory\nt0: write(x, 2)\nt1: read(x) => 2\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => 3\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => \"2\"\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(\"x\") => 2\n",
        "# @init x=1\nt0: write(x, 2)\nt0: read(x) => 2\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => ?\n",
        "# @init x=1\nt0: m.write(x, 2)\nt1: read(x) => 2\n",
        "# @init x=1\nt1: read(x) => 2\nt0: write(x, 2)\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => 2\nt1: fence()\n",
        "# @init x=1\nt0: write(x, 2) @ 1..2\nt1: read(x) => 2 @ 1..2\n",
        "# @init x=1\nt0: write(x, 2) @ 1..2\nt1: read(x) => 2 @ 1..3\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => 2 @ after t0:1\n",
        "# @init x=1\nt0: write(x, 2)\nt1: read(x) => 2 @ after t0:0\n",
    };
    enum { COUNT = sizeof different / sizeof *different };
    char digests[COUNT + 1][17];
    memcpy(digests[COUNT], base, sizeof base);
    for (int i = 0; i < COUNT; i++)
        digest_of(different[i], digests[i]);
    for (int i = 0; i <= COUNT; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(digests[i], digests[j]) == 0)
                fail_msg("the same digest: %s and %s", different[j], i < COUNT ? different[i] : "the first");
}

/* ---- the read/write view ---- */

static struct rw *view_of(assay_history *h, struct mem *m)
{
    assert_non_null(h);
    return rw_view(h, true, m);
}

static void the_view_groups_by_thread(void **state)
{
    (void)state;
    struct mem m = {0};
    assay_history *h = load_text("b: read(x) => 5\na: write(x, 5)\nb: fence()\na: rmw(x, 5, 6)\nb: write(y, 1)\n",
                                 NULL);
    struct rw *v = view_of(h, &m);
    assert_true(v->n == 5 && v->k == 2 && v->d == 2 && v->reads == 2 && v->writes == 3);
    static const uint32_t op[] = {0, 2, 4, 1, 3}, thread[] = {0, 0, 0, 1, 1};
    static const uint8_t kind[] = {RW_READS, RW_FENCE, RW_WRITES, RW_WRITES, RW_READS | RW_WRITES};
    assert_memory_equal(v->op, op, sizeof op);
    assert_memory_equal(v->thread, thread, sizeof thread);
    assert_memory_equal(v->kind, kind, sizeof kind);
    assert_int_equal(v->src[0], 3);
    assert_int_equal(v->src[4], 3);
    assert_int_equal(v->var[1], ID_NONE);
    assert_int_equal(v->thin, ID_NONE);
    assert_int_equal(v->twice[1], ID_NONE);
    uint32_t g = v->groups_of[v->var[3]];
    assert_int_equal(v->groups_of[v->var[3] + 1] - g, 1);
    assert_int_equal(v->groups[g].thread, 1);
    assert_int_equal(rw_last_before(v, g, 0), ID_NONE);
    assert_int_equal(rw_last_before(v, g, 1), 0);
    assert_int_equal(rw_last_before(v, g, 9), 1);
    mem_release(&m);
    assay_history_free(h);
}

static void sources_follow_initial_values_and_objects(void **state)
{
    (void)state;
    struct mem m = {0};
    assay_history *h = load_text("# @init 5 x=nil\nt: p.read(x) => nil\nt: q.read(y) => 5\nt: p.write(x, 1)\n"
                                 "t: q.read(x) => 1\nt: p.read(x) => 1\nt: p.read(x) => \"1\"\n",
                                 NULL);
    struct rw *v = view_of(h, &m);
    assert_int_equal(v->d, 3);
    static const uint32_t src[] = {RW_INIT, RW_INIT, 0, RW_THIN, 2, RW_THIN};
    for (uint32_t e = 0; e < v->n; e++)
        if (v->kind[e] & RW_READS)
            assert_int_equal(v->src[e], src[e]);
    assert_int_equal(v->thin, 3);
    mem_release(&m);
    assay_history_free(h);
}

static void pending_operations_count_when_they_were_seen(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *kinds; /* of the events: r, w, u, or - for none */
    } cases[] = {
        {"wx1? | rx0", "-r"},
        {"wx1? | rx1", "wr"},
        {"rx? | wx1", "-w"},
        {"wx1 | ux12? | rx2", "wur"},
        {"wx1 | ux12? | rx1", "w-r"},
        {"ux01? | ux12? | rx2", "uur"}, /* a chain that ends in a completed read */
        {"ux12? | ux21? | rx0", "--r"}, /* two that only read each other */
        {"ux91? | rx0", "-r"},
        {"ux12? | ux23? | wx1", "--w"}, /* a chain that ends nowhere */
        {"ux91? | wx1 | rx1", "-wr"},   /* it did not happen, since nobody wrote 9 */
        {"ux98? | ux81? | wx1 | rx1", "--wr"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mem m = {0};
        history *h = shorthand(cases[i].text);
        struct rw *v = view_of(h, &m);
        for (uint32_t e = 0; e < v->n; e++) {
            assert_int_equal("-rwu"[v->kind[e]], cases[i].kinds[e]);
            if (!v->kind[e])
                assert_int_equal(v->src[e], RW_INIT);
        }
        assert_int_equal(v->thin, ID_NONE);
        mem_release(&m);
        history_free(h);
    }
}

static void values_written_twice_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t twice[2];
    } cases[] = {
        {"wx1 wy1 | wx2", {ID_NONE, ID_NONE}},
        {"wx1 | wx1", {ID_NONE, ID_NONE}}, /* nobody reads it */
        {"wx1 wx0 rx1", {ID_NONE, ID_NONE}},
        {"wx1 | wx1 rx1", {0, 1}},
        {"wx1 wy2 | ux31 | wx1 rx1", {0, 2}},
        {"wx1 wx0 rx0", {ID_NONE, 1}},
        {"wx1? | wx1 rx1", {0, 1}},
        {"ux91? | wx1 rx1", {ID_NONE, ID_NONE}}, /* nobody wrote 9 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mem m = {0};
        history *h = shorthand(cases[i].text);
        struct rw *v = view_of(h, &m);
        assert_int_equal(v->twice[0], cases[i].twice[0]);
        assert_int_equal(v->twice[1], cases[i].twice[1]);
        mem_release(&m);
        history_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_given_back),
        cmocka_unit_test(columns_without_a_rule_are_spelled_out),
        cmocka_unit_test(many_operations_fit),
        cmocka_unit_test(lists_are_values),
        cmocka_unit_test(wrong_operations_are_refused),
        cmocka_unit_test(wrong_times_are_refused),
        cmocka_unit_test(headers_are_kept),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(slices_keep_headers_times_and_lines),
        cmocka_unit_test(digest_is_of_the_meaning),
        cmocka_unit_test(the_view_groups_by_thread),
        cmocka_unit_test(sources_follow_initial_values_and_objects),
        cmocka_unit_test(pending_operations_count_when_they_were_seen),
        cmocka_unit_test(values_written_twice_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
