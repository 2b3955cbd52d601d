/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of assay drive that need no store: latencies, transactions, the raw log and its recovery. */
#include "collect/drive/latency.h"
#include "collect/drive/log.h"
#include "collect/drive/log_line.h"
#include "collect/drive/recover.h"
#include "collect/drive/transactions.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- latencies ---- */

static void buckets_are_in_order(void **state)
{
    (void)state;
    unsigned last = 0;
    for (uint64_t ns = 0; ns < 1u << 20; ns++) {
        unsigned bucket = latency_bucket(ns);
        assert_true(bucket == last || bucket == last + 1);
        assert_true(bucket < LATENCY_BUCKETS && ns <= latency_of_bucket(bucket));
        assert_true(ns == 0 || (double)latency_of_bucket(bucket) <= (double)ns * 17 / 16 + 1);
        last = bucket;
    }
    assert_true(latency_bucket(UINT64_MAX) < LATENCY_BUCKETS);
}

static void percentiles(void **state)
{
    (void)state;
    static struct latency a, b;
    assert_int_equal(latency_percentile(&a, 0.5), 0);
    for (uint64_t i = 1; i <= 1000; i++)
        latency_add(i % 2 ? &a : &b, i * 1000);
    latency_merge(&a, &b);
    assert_int_equal(a.count, 1000);
    assert_int_equal(latency_percentile(&a, 1), 1000000);
    assert_in_range(latency_percentile(&a, 0.5), 500000, 535000);
    assert_in_range(latency_percentile(&a, 0.99), 990000, 1000000);
}

/* ---- transactions ---- */

static struct workload_settings settings_of(const char *name, const assay_driver *driver)
{
    return (struct workload_settings){.workload = workload_find(name),
                                      .driver = driver,
                                      .sessions = 3,
                                      .keys = 4,
                                      .read_share = 50,
                                      .most_accesses = 6,
                                      .first_key = 1000};
}

/* Values are never written twice, keys are those of the history, and a seed gives the same transactions. */
static void transactions_of_a_seed(void **state)
{
    (void)state;
    static bool written[100000];
    assay_driver any = {0};
    for (const struct workload *w = workload_table; w->name; w++) {
        struct workload_settings s = settings_of(w->name, &any);
        memset(written, 0, sizeof written);
        for (unsigned session = 0; session < s.sessions; session++) {
            struct transactions a, b;
            transactions_begin(&a, &s, session, 7);
            transactions_begin(&b, &s, session, 7);
            for (int i = 0; i < 500; i++) {
                transactions_next(&a);
                transactions_next(&b);
                assert_int_equal(a.n, b.n);
                assert_true(a.n > 0 && a.n <= (w->transactions ? s.most_accesses : w->whole ? s.keys : 1));
                for (size_t k = 0; k < a.n; k++) {
                    const assay_access *x = &a.accesses[k];
                    assert_memory_equal(x, &b.accesses[k], sizeof *x);
                    assert_in_range(x->key, 1000, 1003);
                    if (x->action != w->changes || x->action == ASSAY_ACTION_ADD || x->action == ASSAY_ACTION_TRANSFER)
                        continue;
                    assert_true(x->value > 0 && x->value < 100000 && !written[x->value]);
                    written[x->value] = true;
                }
            }
            transactions_end(&a);
            transactions_end(&b);
        }
    }
}

static void one_write_per_key(void **state)
{
    (void)state;
    assay_driver once = {.one_write_per_key = true};
    struct workload_settings s = settings_of("register", &once);
    struct transactions t;
    transactions_begin(&t, &s, 0, 1);
    for (int i = 0; i < 2000; i++) {
        transactions_next(&t);
        for (size_t k = 0; k < t.n; k++)
            for (size_t j = 0; j < k; j++)
                assert_false(t.accesses[j].action == ASSAY_ACTION_WRITE && t.accesses[j].key == t.accesses[k].key);
    }
    transactions_end(&t);
}

/* ---- the log ---- */

/* A log of two sessions with every kind of record, as text. */
static const char whole[] = DRIVE_LOG_MAGIC "\n"
                                            "@driver memory\n"
                                            "@workload register\n"
                                            "@keys 2\n"
                                            "@clock ns\n"
                                            "f 0 lag:2 on\n"
                                            "n 0 0 0\n"
                                            "n 1 0 1\n"
                                            "c 0 10 w0=1 r1\n"
                                            "c 1 11 r0 w1=2\n"
                                            "o 1 20 - 0\n"
                                            "o 0 21 0 -\n"
                                            "c 1 25 r0\n"
                                            "a 1 30 conflict\n"
                                            "c 0 31 w1=3\n"
                                            "u 0 40 the answer was lost\n"
                                            "n 0 41 1\n"
                                            "f 42 lag:2 off\n"
                                            "c 0 43 r1\n"
                                            "o 0 44 3\n"
                                            "c 1 45 r0\n"
                                            "e 50\n";

static char *recover(const char *log, size_t n, struct drive_counts *counts, assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *from = fmemopen((void *)(uintptr_t)log, n, "r"), *to = open_memstream(&text, &size);
    assert_true(from && to);
    bool fine = drive_recover_from(from, "log", to, counts, e);
    fclose(from);
    fclose(to);
    if (fine)
        return text;
    free(text);
    return NULL;
}

static void a_log_becomes_a_history(void **state)
{
    (void)state;
    struct drive_counts counts;
    assay_error e = {0};
    char *text = recover(whole, sizeof whole - 1, &counts, &e);
    assert_non_null(text);
    assert_string_equal(text, "# @driver memory\n"
                              "# @workload register\n"
                              "# @keys 2\n"
                              "# @clock ns\n"
                              "# @nodes s0=1 s1=2 s0.1=2\n"
                              "# @fault lag:2 0..42\n"
                              "# @object multi-register\n"
                              "s1: txn(r x0 0, w x1 2) @ 11..20\n"
                              "s0: txn(w x0 1, r x1 0) @ 10..21\n"
                              "s1: txn(r x0 ?) => abort @ 25..30 # conflict\n"
                              "s0: txn(w x1 3) @ 31.. # the answer was lost\n"
                              "s0.1: txn(r x1 3) @ 43..44\n"
                              "s1: txn(r x0 ?) @ 45..\n");
    assert_int_equal(counts.committed, 3);
    assert_int_equal(counts.aborted, 1);
    assert_int_equal(counts.unknown, 2);
    assert_true(counts.complete);
    free(text);
}

/* A log with final reads: a thread for each node, and the judgement. */
static void final_reads_are_threads_of_their_own(void **state)
{
    (void)state;
    static const char log[] = DRIVE_LOG_MAGIC "\n"
                                              "@workload single\n"
                                              "@keys 1\n"
                                              "@kept 1\n"
                                              "n 0 0 0\n"
                                              "c 0 10 w0=1\n"
                                              "o 0 20 -\n"
                                              "c 0 21 w1=2\n"
                                              "o 0 22 -\n"
                                              "r 30\n"
                                              "n 1 31 0\n"
                                              "c 1 32 r0\n"
                                              "o 1 33 1\n"
                                              "c 1 34 r1\n"
                                              "u 1 35 gone\n"
                                              "n 1 36 0\n"
                                              "c 1 37 r1\n"
                                              "o 1 38 -\n"
                                              "n 2 39 1\n"
                                              "c 2 40 r0\n"
                                              "a 2 41 busy\n"
                                              "m 1 42 busy\n"
                                              "s 43 differ\n"
                                              "e 44\n";
    struct drive_counts counts, again;
    assay_error e = {0};
    char *text = recover(log, sizeof log - 1, &counts, &e);
    assert_non_null(text);
    assert_string_equal(
        text, "# @workload single\n"
              "# @keys 1\n"
              "# @kept 1\n"
              "# @nodes s0=1 f1=1 f1.1=1 f2=2\n"
              "# @object memory\n"
              "s0: write(x0, 1) @ 10..20\n"
              "s0: write(x1, 2) @ 21..22\n"
              "f1: read(x0) => 1 @ 32..33\n"
              "f1: read(x1) @ 34.. # gone\n"
              "f1.1: read(x1) => 0 @ 37..38\n"
              "# aborted: f2: read(x0) @ 40..41: busy\n"
              "# not read in the end: node 2: busy\n"
              "# durability: 2 acknowledged, 1 lost, 0 duplicated, 0 unexpected; 1 nodes not read; agreement of "
              "the nodes: no\n"
              "# durability: lost: 2 of x1: s0 wrote it at 0.000 ms, and node 1 has the older 0\n");
    assert_int_equal(drive_operations(&counts), 2);
    assert_true(counts.complete && counts.durability.judged && !counts.durability.agreed);
    assert_int_equal(counts.durability.lost, 1);
    assert_int_equal(counts.lasted, 22);
    FILE *from = fmemopen(text, strlen(text), "r");
    assert_true(drive_count(from, &again)); /* the history says the same as the log */
    fclose(from);
    assert_memory_equal(&counts, &again, sizeof counts);
    free(text);
}

/* A log that is cut off anywhere behind its headers is a history, in which no call is missing. */
static void every_prefix_recovers(void **state)
{
    (void)state;
    const char *calls = strstr(whole, "c 0 10");
    for (size_t n = (size_t)(calls - whole); n < sizeof whole; n++) {
        struct drive_counts counts;
        assay_error e = {0};
        uint64_t called = 0;
        for (const char *at = whole; (at = strstr(at, "\nc ")) && (at = strchr(at + 1, '\n')) && at < whole + n;)
            called++;
        char *text = recover(whole, n, &counts, &e);
        assert_non_null(text);
        assert_int_equal(drive_operations(&counts), called);
        assay_reader *r = assay_reader_open_memory("log", text, strlen(text), "hist", &e);
        assay_history *h = assay_reader_next(r, &e);
        assert_int_equal(e.code, ASSAY_OK);
        assert_int_equal(h ? assay_history_size(h) : 0, called);
        assay_history_free(h);
        assay_reader_close(r);
        free(text);
    }
}

static void damage_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *expected;
        uint64_t line;
    } cases[] = {
        {"c 0 1 r0\n", "connection before", 4},
        {"n 0 0 0\no 0 1 5\n", "a call before its outcome", 5},
        {"n 0 0 0\nc 0 1 r0\nc 0 2 r0\n", "the outcome of the session's last call", 6},
        {"n 0 0 0\nc 0 1 r9\n", "an access of the workload", 5},
        {"n 0 0 0\nc 0 1 d0\n", "an access of the workload", 5},
        {"n 0 0 0\nc 0 1\n", "an access", 5},
        {"n 0 0 0\nc 0 5 r0\no 0 4 1\n", "not before the last one", 6},
        {"n 0 0 0\nc 0 5 r0\no 0 6\n", "an answer for each access", 6},
        {"n 0 0 0\nc 0 5 r0\no 0 6 1 2\n", "the end of the line", 6},
        {"n 70000 0 0\n", "a session and a time", 4},
        {"f 1 lag:1 off\n", "a fault that began", 4},
        {"hello\n", "a record", 4},
        {"m 0 x\n", "m NODE TIME MESSAGE", 4},
        {"s 5 maybe\n", "agreed or differ", 4},
        {"r\n", "a time", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char log[256];
        struct drive_counts counts;
        assay_error e = {0};
        int n = snprintf(log, sizeof log, DRIVE_LOG_MAGIC "\n@workload single\n@keys 2\n%s", cases[i].lines);
        assert_null(recover(log, (size_t)n, &counts, &e));
        assert_int_equal(e.code, ASSAY_ERROR_INPUT);
        assert_non_null(strstr(e.message, cases[i].expected));
        assert_int_equal(e.line, cases[i].line);
    }
    struct drive_counts counts;
    assay_error e = {0};
    assert_null(recover("something else\n", 15, &counts, &e));
    assert_non_null(strstr(e.message, DRIVE_LOG_MAGIC));
}

/* Random accesses, written and read again, are the same. */
static void lines_come_back(void **state)
{
    (void)state;
    char path[] = "/tmp/assay-drive-log-XXXXXX";
    assert_true(mkdtemp(path) != NULL);
    char file[64];
    snprintf(file, sizeof file, "%s/log", path);
    assay_driver any = {0};
    for (const struct workload *w = workload_table; w->name; w++) {
        struct workload_settings s = settings_of(w->name, &any);
        struct transactions t;
        struct drive_log log;
        struct drive_records r = {.log = &log};
        static assay_access back[WORKLOAD_MOST_ACCESSES];
        assert_true(drive_log_open(&log, file));
        assert_false(drive_log_open(&(struct drive_log){0}, file)); /* it is there already */
        transactions_begin(&t, &s, 0, 3);
        for (int i = 0; i < 200; i++) {
            struct log_line line;
            size_t n = 0;
            transactions_next(&t);
            drive_log_call(&r, 5, i, t.accesses, t.n, s.first_key);
            r.at[r.n - 1] = 0;
            assert_null(log_line_parse(r.at, w, s.keys, &line, back, &n));
            assert_int_equal(n, t.n);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(back[k].action, t.accesses[k].action);
                assert_int_equal(back[k].key, t.accesses[k].key - s.first_key);
                assert_int_equal(back[k].action == w->changes ? back[k].value : 0, t.accesses[k].value);
                back[k].elements = t.accesses[k].elements;
                for (int e = 0; e < i % 4; e++)
                    assay_access_push(&t.accesses[k], (e - 1) * INT64_MAX);
                t.accesses[k].found = i % 3 > 0;
                t.accesses[k].answer = i % 2 ? -i : INT64_MIN;
            }
            r.n = 0;
            drive_log_outcome(&r, 5, i, ASSAY_COMMITTED, t.accesses, t.n, "");
            r.at[r.n - 1] = 0;
            memset(back, 0, sizeof back);
            for (size_t k = 0; k < t.n; k++)
                back[k].action = t.accesses[k].action;
            assert_null(log_line_parse(r.at, w, s.keys, &line, back, &n));
            assert_null(log_line_answers(&line, back, t.n));
            for (size_t k = 0; k < t.n; k++) {
                const assay_access *x = &t.accesses[k];
                bool list = x->action == ASSAY_ACTION_LIST || x->action == ASSAY_ACTION_ELEMENTS;
                assert_int_equal(back[k].count, list ? x->count : 0);
                for (size_t e = 0; e < back[k].count; e++)
                    assert_int_equal(back[k].elements[e], x->elements[e]);
                if (!list)
                    assert_int_equal(back[k].found, x->found);
                if (!list && x->found && x->action != ASSAY_ACTION_TRANSFER)
                    assert_int_equal(back[k].answer, x->answer);
                free(back[k].elements);
            }
            r.n = 0;
        }
        transactions_end(&t);
        drive_records_free(&r);
        assert_true(drive_log_close(&log));
        unlink(file);
    }
    rmdir(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_are_in_order),
        cmocka_unit_test(percentiles),
        cmocka_unit_test(transactions_of_a_seed),
        cmocka_unit_test(one_write_per_key),
        cmocka_unit_test(a_log_becomes_a_history),
        cmocka_unit_test(every_prefix_recovers),
        cmocka_unit_test(final_reads_are_threads_of_their_own),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(lines_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
