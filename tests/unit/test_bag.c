/* SPDX-License-Identifier: Apache-2.0 */
/* Bags against brute force: each order of a few random calls that keeps real time, with a bag of counts. */
#include "assay.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CALLS = 6, VALUES = 3, HISTORIES = 3000, EMPTY = -1, UNKNOWN = -2 };

struct call {
    bool adds;
    int value; /* of a removal, its result */
    int from, till;
};

/* A pending removal, whose result is unknown, may also never happen. */
static bool explained(const struct call *c, unsigned left, int *in)
{
    bool whole = true;
    for (int i = 0; i < CALLS; i++)
        whole = whole && !(left >> i & 1 && c[i].value != UNKNOWN);
    if (whole)
        return true;
    for (int i = 0; i < CALLS; i++) {
        bool first = left >> i & 1;
        for (int j = 0; j < CALLS; j++)
            first = first && !(left >> j & 1 && c[j].till < c[i].from);
        if (!first)
            continue;
        unsigned rest = left & ~(1u << i);
        if (!c[i].adds && c[i].value == EMPTY) {
            int all = 0;
            for (int v = 0; v < VALUES; v++)
                all += in[v];
            if (!all && explained(c, rest, in))
                return true;
            continue;
        }
        for (int v = 0; v < VALUES; v++) {
            if ((c[i].value != UNKNOWN && c[i].value != v) || (!c[i].adds && !in[v]))
                continue;
            in[v] += c[i].adds ? 1 : -1;
            bool fits = explained(c, rest, in);
            in[v] -= c[i].adds ? 1 : -1;
            if (fits)
                return true;
        }
    }
    return false;
}

static void draw(struct call *c, struct rng *rng)
{
    int time = 0;
    for (int i = 0; i < CALLS; i++) {
        time += (int)rng_below(rng, 3);
        c[i].adds = rng_below(rng, 2);
        c[i].value = (int)rng_below(rng, VALUES);
        c[i].from = time;
        c[i].till = time + 1 + (int)rng_below(rng, 6);
        if (!c[i].adds && rng_below(rng, 3) == 0)
            c[i].value = EMPTY;
        if (!c[i].adds && rng_below(rng, 6) == 0) {
            c[i].value = UNKNOWN;
            c[i].till = 1000;
        }
    }
}

static assay_verdict checked(const struct call *c)
{
    char text[2000];
    int n = snprintf(text, sizeof text, "# @object bag\n");
    for (int i = 0; i < CALLS; i++) { /* a thread each: calls may overlap */
        n += snprintf(text + n, sizeof text - (size_t)n, c[i].adds ? "t%d: enq(%d)" : "t%d: deq()", i, c[i].value);
        if (!c[i].adds && c[i].value == EMPTY)
            n += snprintf(text + n, sizeof text - (size_t)n, " => empty");
        else if (!c[i].adds && c[i].value != UNKNOWN)
            n += snprintf(text + n, sizeof text - (size_t)n, " => %d", c[i].value);
        n += snprintf(text + n, sizeof text - (size_t)n, " @ %d..", c[i].from);
        n += c[i].value == UNKNOWN ? snprintf(text + n, sizeof text - (size_t)n, "\n")
                                   : snprintf(text + n, sizeof text - (size_t)n, "%d\n", c[i].till);
    }
    assay_error e = {0};
    assay_reader *reader = assay_reader_open_memory("bag", text, (size_t)n, "hist", &e);
    assay_history *h = assay_reader_next(reader, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r)
        fail_msg("%s\n%s", e.message, text);
    assay_verdict v = assay_result_verdict(r);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return v;
}

static void agrees_with_brute_force(void **state)
{
    (void)state;
    struct rng rng = {.state = 7};
    unsigned fine = 0;
    for (int i = 0; i < HISTORIES; i++) {
        struct call c[CALLS];
        int in[VALUES] = {0};
        draw(c, &rng);
        bool expected = explained(c, (1u << CALLS) - 1, in);
        fine += expected;
        assert_int_equal(checked(c), expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION);
    }
    assert_in_range(fine, HISTORIES / 20, HISTORIES - HISTORIES / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
