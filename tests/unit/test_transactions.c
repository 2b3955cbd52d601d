/* SPDX-License-Identifier: Apache-2.0 */
/* The view of transactions: sources, sessions, the smallest set of unknown transactions, lists, real time, and the
 * anomalies that every level forbids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/load.h"
#include "transaction/view.h"

struct seen {
    struct mem mem;
    history *h;
    struct txn_view *v;
    assay_error e;
    enum base base;
};

static void build(void *arg)
{
    struct seen *s = arg;
    s->v = txn_view(s->h, s->base, 0, &s->mem, &s->e);
}

static enum escape look(struct seen *s, const char *text, enum base base)
{
    *s = (struct seen){.base = base};
    s->h = load_text(text, &s->e);
    assert_non_null(s->h);
    return escape_run(build, s);
}

static void done(struct seen *s)
{
    mem_release(&s->mem);
    assay_history_free(s->h);
}

/* The reads of each transaction, by operation: "0: 1: 0=x0 " is "transaction of operation 1 reads x from that of 0". */
static const char *sources(const struct seen *s)
{
    static char out[256];
    size_t n = 0;
    const struct txn_view *v = s->v;
    for (uint32_t t = 0; t < v->n; t++) {
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%u<", t ? " " : "", v->op[t]);
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            uint32_t w = v->reads[i].source;
            const char *key = history_text(s->h, (uint32_t)history_value(s->h, v->key_at[v->reads[i].key]).bits);
            if (w == TXN_INIT)
                n += (size_t)snprintf(out + n, sizeof out - n, "%s", key);
            else
                n += (size_t)snprintf(out + n, sizeof out - n, "%s%u", key, v->op[v->writer[w]]);
        }
    }
    return out;
}

static void expect_sources(const char *text, enum base base, const char *expected)
{
    struct seen s;
    assert_int_equal(look(&s, text, base), ESCAPE_NONE);
    assert_int_equal(s.v->anomaly, PATTERN_NONE);
    assert_string_equal(sources(&s), expected);
    done(&s);
}

static void test_sources(void **state)
{
    (void)state;
    expect_sources("a: txn(w x 1, w x 2, r x 2)\nb: txn(r x 2, r y 0)\n", BASE_SESSION, "0< 1<x0y");
    expect_sources("# @init x=7\na: txn(r x 7, r x 7)\nb: txn(r y 0, r x ?)\n", BASE_SESSION, "0<xx 1<y");
    /* the same values for several keys, and values of several kinds */
    expect_sources("a: txn(w x 1, w y 1, w z one)\nb: txn(w x 2, w y 2, w z \"one\")\n"
                   "c: txn(r y 2, r x 1, r z one, r z \"one\")\n",
                   BASE_SESSION, "0< 1< 2<y1x0z0z1");
    /* sessions are laid out one after another; without session order as in the file */
    expect_sources("a: txn(w x 1)\nb: txn(r x 1)\na: txn(r x 1)\n", BASE_SESSION, "0< 2<x0 1<x0");
    expect_sources("a: txn(w x 1)\nb: txn(r x 1)\na: txn(r x 1)\n", BASE_NONE, "0< 1<x0 2<x0");
    /* reads of aborted transactions do not count */
    expect_sources("a: txn(r x 5, w x 1) => abort\nb: txn(r x 0)\n", BASE_SESSION, "1<x");
}

static void test_unknown(void **state)
{
    (void)state;
    /* taken: its write was read, and so was that which it read from; not taken: the last one */
    expect_sources("a: txn(w x 1) => ?\nb: txn(r x 1, w y 1) => ?\nc: txn(r y 1)\nd: txn(r x 9, w z 1) => ?\n",
                   BASE_SESSION, "0< 1<x0 2<y1");
    struct seen s;
    assert_int_equal(look(&s, "a: txn(w z 1)\na: txn(w x 1) => ?\na: txn(r x 0)\nb: txn(r x 1)\n", BASE_SESSION),
                     ESCAPE_NONE);
    assert_int_equal(s.v->n, 4);
    assert_int_equal(s.v->k, 3); /* the unknown one is followed in its session: a chain of its own */
    uint32_t unknown = 0;
    while (s.v->op[unknown] != 1)
        unknown++;
    assert_int_equal(s.v->before.at[unknown + 1] - s.v->before.at[unknown], 1);
    assert_int_equal(s.v->op[s.v->before.list[s.v->before.at[unknown]]], 0);
    done(&s);
    assert_int_equal(look(&s, "a: txn(w z 1)\na: txn(w x 1) => ?\nb: txn(r x 1)\n", BASE_SESSION), ESCAPE_NONE);
    assert_int_equal(s.v->k, 2); /* here it ends its session */
    done(&s);
}

static void test_lists(void **state)
{
    (void)state;
    expect_sources("a: txn(append x 1, append x 2)\nb: txn(append x 3)\nc: txn(r x [1 2], r x [])\n"
                   "d: txn(r x [1 2 3], append x 4, r x [1 2 3 4])\n",
                   BASE_SESSION, "0< 1< 2<x0x 3<x1x1");
    expect_sources("# @init x=[7 8]\na: txn(r x [7 8], append x 9)\nb: txn(r x [7 8 9])\n", BASE_SESSION, "0<x 1<x0");
    struct seen s;
    assert_int_equal(
        look(&s, "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(append x 3)\nd: txn(r x [2 1])\n", BASE_SESSION),
        ESCAPE_NONE);
    assert_int_equal(s.v->version[0], 1);
    assert_int_equal(s.v->version[1], 0);
    assert_int_equal(s.v->version[2], ID_NONE);
    assert_int_equal(s.v->observed.at[1], 2);
    done(&s);
}

static void test_real_time(void **state)
{
    struct seen s;
    (void)state;
    assert_int_equal(look(&s,
                          "a: txn(w x 1) @ 1..5\nb: txn(r x 1) @ 2..3\nc: txn(r x 1) @ 5..9\nc: txn(w x 2) @ 10..\n"
                          "d: txn(r x 2) @ 11..12\n",
                          BASE_REALTIME),
                     ESCAPE_NONE);
    static const uint32_t before[] = {0, 0, 1, 3, 3}; /* equal times are no order; the unknown one never ends */
    assert_int_equal(s.v->ended_count, 4);
    for (uint32_t t = 0; t < s.v->n; t++)
        assert_int_equal(s.v->ended_before[t], before[s.v->op[t]]);
    assert_int_equal(s.v->op[s.v->ended[0]], 1);
    done(&s);
    assert_int_equal(look(&s, "a: txn(w x 1)\nb: txn(r x 1) @ after a:1\n", BASE_REALTIME), ESCAPE_NONE);
    assert_null(s.v->ended);
    assert_int_equal(s.v->before.at[2], 1);
    assert_int_equal(s.v->before.list[0], 0);
    done(&s);
}

struct anomalous {
    const char *text;
    enum pattern pattern;
    uint32_t op, access, opposite;
};

static const struct anomalous anomalies[] = {
    {"a: txn(r x 1)\n", PATTERN_ThinAirRead, 0, 0, ID_NONE},
    {"a: txn(w x 1) => abort\nb: txn(r y 0, r x 1)\n", PATTERN_AbortedRead, 1, 1, 0},
    {"a: txn(w x 1, w x 2)\nb: txn(r x 1)\n", PATTERN_IntermediateRead, 1, 0, 0},
    {"a: txn(r x 1, w x 1)\n", PATTERN_FutureRead, 0, 0, 0},
    {"a: txn(w x 1, r x 2, w x 2)\n", PATTERN_FutureRead, 0, 1, 0},
    {"a: txn(w x 1, r x 0)\n", PATTERN_InternalRead, 0, 1, 0},
    {"a: txn(append x 1, r x [])\n", PATTERN_InternalRead, 0, 1, 0},
    {"a: txn(append x 1, r x [2 1])\n", PATTERN_ThinAirRead, 0, 1, ID_NONE},
    {"a: txn(r x [1], append x 1)\n", PATTERN_FutureRead, 0, 0, 0},
    {"a: txn(append x 1) => abort\nb: txn(append x 2)\nc: txn(r x [1 2])\n", PATTERN_AbortedRead, 2, 0, 0},
    {"a: txn(append x 1, append x 2)\nb: txn(r x [1])\n", PATTERN_IntermediateRead, 1, 0, 0},
    {"a: txn(append x 1, append x 2)\nb: txn(append x 3)\nc: txn(r x [1 3 2])\n", PATTERN_IntermediateRead, 2, 0, 1},
    {"a: txn(append x 1, append x 2)\nb: txn(r x [2 1])\n", PATTERN_IntermediateRead, 1, 0, 0},
    {"a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [1])\nd: txn(r x [2])\n", PATTERN_IncompatibleOrder, 3, 0, 2},
    {"a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [1 2 1])\n", PATTERN_IncompatibleOrder, 2, 0, 0},
    {"# @init x=[7]\na: txn(append x 1)\nb: txn(r x [1])\n", PATTERN_IncompatibleOrder, 1, 0, ID_NONE},
    /* the first by operation; one of an unknown transaction that nobody reads from does not count */
    {"a: txn(r x 8) => ?\nb: txn(r x 9)\nc: txn(r x 7)\n", PATTERN_ThinAirRead, 1, 0, ID_NONE},
    {"a: txn(r x 8, w y 1) => ?\nb: txn(r x 9)\nc: txn(r y 1)\n", PATTERN_ThinAirRead, 0, 0, ID_NONE},
};

static void test_anomalies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof anomalies / sizeof *anomalies; i++) {
        const struct anomalous *a = &anomalies[i];
        struct seen s;
        assert_int_equal(look(&s, a->text, BASE_SESSION), ESCAPE_NONE);
        if (s.v->anomaly != a->pattern || s.v->anomalous != a->op || s.v->at != a->access ||
            s.v->opposite != a->opposite)
            fail_msg("%s: %s, operation %u, access %u, opposite %u", a->text,
                     s.v->anomaly ? pattern_name(s.v->anomaly) : "none", s.v->anomalous, s.v->at, s.v->opposite);
        done(&s);
    }
}

static void expect_twice(const char *text, uint32_t first, uint32_t second)
{
    struct seen s;
    assert_int_equal(look(&s, text, BASE_SESSION), ESCAPE_NONE);
    assert_int_equal(s.v->twice[0], first);
    assert_int_equal(s.v->twice[1], second);
    done(&s);
}

static void test_twice(void **state)
{
    (void)state;
    expect_twice("a: txn(w x 1)\nb: txn(w x 1)\nc: txn(r x 1)\n", 0, 1);
    expect_twice("a: txn(w x 1)\nb: txn(w x 1)\nc: txn(w x 1)\nd: txn(r y 0)\n", ID_NONE, ID_NONE); /* not read */
    expect_twice("a: txn(w x 0)\nb: txn(r x 0)\n", ID_NONE, 0);
    expect_twice("a: txn(append x 1)\nb: txn(append x 1)\nc: txn(r x [1])\n", 0, 1);
    expect_twice("a: txn(w x 1)\nb: txn(w y 1)\nc: txn(r x 1, r y 1)\n", ID_NONE, ID_NONE); /* of different keys */
}

static void test_kinds(void **state)
{
    struct seen s;
    (void)state;
    assert_int_equal(look(&s, "a: txn(w x 1)\nb: txn(r x [1])\n", BASE_SESSION), ESCAPE_ERROR);
    assert_int_equal(s.e.code, ASSAY_ERROR_INPUT);
    assert_int_equal(s.e.line, 2);
    assert_non_null(strstr(s.e.message, "as a list that is a register in line 1"));
    done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),   cmocka_unit_test(test_unknown),   cmocka_unit_test(test_lists),
        cmocka_unit_test(test_real_time), cmocka_unit_test(test_anomalies), cmocka_unit_test(test_twice),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
