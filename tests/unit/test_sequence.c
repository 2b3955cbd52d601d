/* SPDX-License-Identifier: Apache-2.0 */
/* Runs recorded with counters, as sequences of calls and returns: the sequence has the order that the counters tell, and
 * there is none iff two pairs of calls are ordered crosswise (Fishburn). Counters may be late, as store buffers make
 * them. */
#include "base/rng.h"
#include "collect/stress/sequence.h"
#include "collect/stress/stress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, CALLS = 4, MOST = THREADS * CALLS, RUNS = 20000 };

/* Threads that are moved step by step, by one thread. */
static assay_recorder *random_run(struct rng *rng)
{
    assay_recorder *r = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS + 1);
    unsigned steps[THREADS] = {0};
    assert_non_null(r);
    for (unsigned left = 2 * MOST; left;) {
        unsigned t = rng_below(rng, THREADS);
        if (steps[t] == 2 * CALLS)
            continue;
        if (steps[t]++ % 2)
            assay_record_return_int(assay_record_tape(r, t), 1);
        else
            assay_record_call1(assay_record_tape(r, t), "inc", 1);
        left--;
    }
    return r;
}

/* Threads learn some counts of others later, as many calls later as there are. */
static void make_late(assay_recorder *r, struct rng *rng)
{
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < CALLS; i++)
            for (unsigned u = 0; u < THREADS; u++) {
                uint32_t *seen = &assay_record_seen(assay_record_at(r, t, i))[u];
                uint32_t least = i ? assay_record_seen(assay_record_at(r, t, i - 1))[u] : 0;
                if (u != t && *seen > least && rng_below(rng, 3) == 0)
                    *seen = least + rng_below(rng, *seen - least + 1);
            }
}

/* happens-before, from the definition: what was seen, program order, and what follows from these. */
static void find_order(const assay_recorder *r, bool before[MOST][MOST])
{
    memset(before, 0, sizeof(bool[MOST][MOST]));
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < CALLS; i++)
            for (unsigned u = 0; u < THREADS; u++)
                for (unsigned k = 0; k < (u == t ? i : assay_record_seen(assay_record_at(r, t, i))[u]); k++)
                    before[u * CALLS + k][t * CALLS + i] = true;
    for (unsigned k = 0; k < MOST; k++)
        for (unsigned i = 0; i < MOST; i++)
            for (unsigned j = 0; j < MOST; j++)
                before[i][j] |= before[i][k] && before[k][j];
}

static bool has_crosswise_pairs(bool before[MOST][MOST])
{
    for (unsigned a = 0; a < MOST; a++)
        for (unsigned b = 0; b < MOST; b++)
            for (unsigned c = 0; c < MOST && before[a][b]; c++)
                for (unsigned d = 0; d < MOST; d++)
                    if (before[c][d] && !before[a][d] && !before[c][b])
                        return true;
    return false;
}

static void a_sequence_has_the_order_of_the_counters(void **state)
{
    static bool before[MOST][MOST];
    unsigned found[2] = {0, 0};
    struct rng rng = {1};
    (void)state;
    for (unsigned run = 0; run < RUNS; run++) {
        struct mem mem = {0};
        assay_recorder *r = random_run(&rng);
        if (run % 2)
            make_late(r, &rng);
        find_order(r, before);
        const struct sequence_span *spans = sequence_spans(r, &mem);
        assert_int_equal(spans == NULL, has_crosswise_pairs(before));
        found[spans != NULL]++;
        for (unsigned i = 0; spans && i < MOST; i++) {
            assert_true(spans[i].call < spans[i].ret);
            for (unsigned j = 0; j < MOST; j++)
                assert_int_equal(spans[i].ret < spans[j].call, before[i][j]);
        }
        mem_release(&mem);
        assay_record_close(r);
    }
    assert_true(found[0] > 100 && found[1] > RUNS / 2);
}

static void a_sample_has_histories_of_its_programs(void **state)
{
    static const char *const names[] = {"map:skip-list", "set:skip-list", "deque:michael"};
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct stress_sampling how = {.adapter = adapter_find(names[i]),
                                      .programs = 5,
                                      .threads = 3,
                                      .invocations = 15,
                                      .seconds = 0.01,
                                      .seed = i + 1};
        struct stress_sample sample;
        assay_error e = {0};
        assert_true(stress_sample(&how, 20, &sample, &e));
        assert_true(sample.n > 0 && sample.n <= 20 && sample.n <= sample.sequences);
        assert_true(sample.sequences <= sample.distinct && sample.distinct <= sample.runs);
        for (size_t k = 0; k < sample.n; k++) {
            assay_result *r = assay_check(sample.histories[k], "weak-hb", NULL, &e);
            assert_non_null(r);
            assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
            assert_true(assay_history_size(sample.histories[k]) <= 15);
            assert_true(assay_history_operation(sample.histories[k], 0).timed);
            assay_result_free(r);
        }
        stress_sample_free(&sample);
        how.mix = "walk=1";
        assert_false(stress_sample(&how, 20, &sample, &e));
        assert_int_equal(sample.n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequence_has_the_order_of_the_counters),
        cmocka_unit_test(a_sample_has_histories_of_its_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
