/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor as a program uses it: events from its own code, from many threads, wrong ones, without memory; texts whose
 * numbers are used again; ids that come and go. */
#include "assay_monitor.h"
#include "monitor/slots.h"
#include "monitor/symbols.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void call(assay_monitor *m, uint64_t id, const char *method, int64_t v)
{
    assay_value arg = assay_int(v);
    assay_monitor_call(m, id, method, &arg, 1);
}

static void enq(assay_monitor *m, int64_t v)
{
    call(m, 1, "enq", v);
    assay_monitor_return(m, 1, (assay_value){0});
}

static void deq(assay_monitor *m, assay_value v)
{
    assay_monitor_call(m, 1, "deq", NULL, 0);
    assay_monitor_return(m, 1, v);
}

static assay_monitor *open_queue(void)
{
    assay_error e = {0};
    assay_monitor *m = assay_monitor_open("queue", NULL, &e);
    if (!m)
        print_message("%s\n", e.message);
    assert_non_null(m);
    return m;
}

static void test_verdicts(void **state)
{
    (void)state;
    assay_monitor *m = open_queue();
    assert_int_equal(assay_monitor_verdict(m), ASSAY_CONSISTENT);
    enq(m, 1);
    enq(m, 2);
    deq(m, assay_int(1));
    assert_int_equal(assay_monitor_verdict(m), ASSAY_CONSISTENT);
    assert_int_equal(assay_monitor_statistics(m).events, 6);
    assert_null(assay_monitor_first(m));
    deq(m, assay_word("empty"));
    assert_int_equal(assay_monitor_verdict(m), ASSAY_VIOLATION);
    const assay_monitor_violation *v = assay_monitor_first(m);
    assert_int_equal(v->event, 8);
    assert_int_equal(v->line, 0);
    assert_string_equal(v->id, "1");
    assert_string_equal(v->kind, "queue");
    assert_true(v->operation_count > 0 && v->why_count > 0);
    deq(m, assay_word("empty")); /* nobody minds any more */
    assert_true(assay_monitor_end(m, NULL));
    assert_int_equal(assay_monitor_statistics(m).violations, 1);
    assert_true(assay_monitor_used(m, 0).exact);
    assert_null(assay_monitor_used(m, 1).kind);
    assay_monitor_close(m);
}

/* What the object does not have turns the monitor off, with a reason; it takes what follows without a word. */
static void expect_off(assay_monitor *m, const char *why)
{
    assert_int_equal(assay_monitor_verdict(m), ASSAY_UNDECIDED);
    assert_non_null(strstr(assay_monitor_undecided(m), why));
    enq(m, 1);
    deq(m, assay_int(2));
    assay_error e = {0};
    assert_false(assay_monitor_end(m, &e));
    assert_int_not_equal(e.code, ASSAY_OK);
    assert_int_equal(assay_monitor_verdict(m), ASSAY_UNDECIDED);
    assay_monitor_close(m);
}

static void test_bad_calls(void **state)
{
    (void)state;
    assay_monitor *m = open_queue();
    call(m, 1, "push", 1);
    expect_off(m, "'push'");
    m = open_queue();
    assay_monitor_call(m, 1, "enq", NULL, 0);
    expect_off(m, "enq takes 1 argument");
    m = open_queue();
    assay_monitor_return(m, 7, assay_int(1));
    expect_off(m, "a return of 7 without a call");
    m = open_queue();
    call(m, 1, "enq", 1);
    call(m, 1, "enq", 2);
    expect_off(m, "a second call");
    m = open_queue();
    assay_monitor_call(m, 1, "deq", NULL, 0);
    assay_monitor_return(m, 1, (assay_value){0});
    expect_off(m, "without a result");
    static char huge[2 << 20];
    memset(huge, 'x', sizeof huge);
    m = open_queue();
    assay_value text = assay_string(huge, sizeof huge);
    assay_monitor_call(m, 1, "enq", &text, 1);
    expect_off(m, "mebibyte");
}

/* A removal that never returns explains one lost value, and nothing that was never added. */
static void test_callers_that_die(void **state)
{
    (void)state;
    assay_monitor *m = open_queue();
    assay_monitor_call(m, 9, "deq", NULL, 0);
    enq(m, 5);
    assert_int_equal(assay_monitor_statistics(m).oldest, 2);
    assert_int_equal(assay_monitor_statistics(m).waiting, 3);
    assay_monitor_abandon(m, 9);
    assert_int_equal(assay_monitor_statistics(m).waiting, 0);
    deq(m, assay_word("empty"));
    assert_int_equal(assay_monitor_verdict(m), ASSAY_CONSISTENT);
    assert_int_equal(assay_monitor_statistics(m).abandoned, 1);
    deq(m, assay_int(77));
    assert_int_equal(assay_monitor_verdict(m), ASSAY_VIOLATION);
    assay_monitor_close(m);
    m = open_queue();
    assay_monitor_abandon(m, 1);
    expect_off(m, "a return of 1 without a call");
}

static void test_memory_budget(void **state)
{
    (void)state;
    assay_error e = {0};
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .memory = 4 << 20};
    assay_monitor *m = assay_monitor_open("queue", &options, &e);
    for (int64_t i = 0; i < 500000; i++)
        enq(m, i);
    assert_int_equal(assay_monitor_verdict(m), ASSAY_UNDECIDED);
    assert_non_null(strstr(assay_monitor_undecided(m), "memory budget"));
    assert_true(assay_monitor_statistics(m).peak <= 4 << 20);
    assay_monitor_close(m);
}

/* ---- interrupts ---- */

struct patience {
    unsigned asked, most;
};

static bool lost(void *patience)
{
    struct patience *p = patience;
    return ++p->asked > p->most;
}

/* However often it is asked before: the monitor is off, counts no event that it has not judged, and frees its solver. */
static void stop_after(const char *engine, const char *model, unsigned most)
{
    static const char text[] = "[1] call enq(1)\n[2] call enq(2)\n[1] return\n[2] return\n[1] call deq\n[1] return 2\n";
    struct patience p = {.most = most};
    assay_error e = {0};
    assay_monitor *m = assay_monitor_open("queue",
                                          &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT, .engine = engine,
                                                                   .model = model, .context = &p, .interrupt = lost},
                                          &e);
    if (!m && strncmp(engine, "symbolic", 8) == 0)
        return; /* built without a SAT solver */
    assert_non_null(m);
    bool fine = assay_monitor_feed(m, text, sizeof text - 1, &e);
    assay_monitor_stats stats = assay_monitor_statistics(m);
    assert_true(fine == (p.asked <= most));
    assert_true(stats.events == 6 || !fine);
    assert_true(stats.events <= most);
    assert_int_equal(e.code, fine ? ASSAY_OK : ASSAY_ERROR_INTERRUPTED);
    assert_int_equal(assay_monitor_verdict(m), fine ? ASSAY_CONSISTENT : ASSAY_UNDECIDED);
    if (!fine)
        assert_string_equal(assay_monitor_undecided(m), "interrupted");
    assert_int_equal(assay_monitor_feed(m, "", 0, &e), fine);
    assay_monitor_close(m);
}

static void test_interrupt(void **state)
{
    (void)state;
    static const char *const engines[] = {"exact-queue", "exact-jit", "enumerate",
                                          "enumerate+c", "symbolic",  "symbolic+c+i"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        for (unsigned most = 0; most < 40; most++)
            stop_after(engines[i], NULL, most);
    static const char *const models[] = {"return-value", "weak-hb", "level:causal", "weak: vis = lin"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (unsigned most = 0; most < 40; most++)
            stop_after("weak", models[i], most);
}

/* ---- many threads: a queue that is used by one at a time is one ---- */

enum { THREADS = 8, ROUNDS = 5000 };

static struct {
    pthread_mutex_t lock;
    int64_t values[THREADS * ROUNDS];
    size_t first, behind;
    assay_monitor *m;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *use(void *arg)
{
    uint64_t self = (uint64_t)(uintptr_t)arg;
    for (int64_t i = 0; i < ROUNDS; i++) {
        int64_t v = (int64_t)self * ROUNDS + i;
        call(shared.m, self, "enq", v);
        pthread_mutex_lock(&shared.lock);
        shared.values[shared.behind++] = v;
        pthread_mutex_unlock(&shared.lock);
        assay_monitor_return(shared.m, self, (assay_value){0});
        assay_monitor_call(shared.m, self, "deq", NULL, 0);
        pthread_mutex_lock(&shared.lock);
        v = shared.values[shared.first++]; /* its own is there, at least */
        pthread_mutex_unlock(&shared.lock);
        assay_monitor_return(shared.m, self, assay_int(v));
        if (i % 1000 == 0)
            assert_int_not_equal(assay_monitor_verdict(shared.m), ASSAY_VIOLATION);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    shared.m = open_queue();
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(assay_monitor_end(shared.m, NULL));
    assert_int_equal(assay_monitor_verdict(shared.m), ASSAY_CONSISTENT);
    assert_int_equal(assay_monitor_statistics(shared.m).events, 4 * THREADS * ROUNDS);
    assay_monitor_close(shared.m);
}

/* ---- every place at which memory can run out ---- */

static void test_no_memory(void **state)
{
    (void)state;
    static const char lines[] = "# @init [7]\n[1] call enq(\"a b\")\n[x-long-name-of-an-id] call q.deq\n[1] return\n"
                                "[x-long-name-of-an-id] return 7\n[1] call deq\n[1] return empty\n";
    for (long n = 0; n < 800; n++) {
        assay_error e = {0};
        assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .model = n % 2 ? "weak-hb" : NULL, .window = 2};
        mem_fail_after(n / 2);
        assay_monitor *m = assay_monitor_open("queue", &options, &e);
        if (m && !assay_monitor_feed(m, lines, sizeof lines - 1, &e))
            assert_int_equal(e.code, ASSAY_ERROR_RESOURCE);
        if (m)
            assay_monitor_verdict(m);
        assay_monitor_close(m);
        mem_fail_after(-1);
    }
}

/* ---- pieces of any size ---- */

static void test_pieces(void **state)
{
    (void)state;
    static const char lines[] =
        "# @object queue\r\n[1] call enq(10)\n[2] call enq(\"\\u00e9\") # x\n[1] return\n\n"
        "{\"type\":\"return\",\"thread\":2}\n[1] call deq()\n[1] return \"\xc3\xa9\"\n[1] call deq\n"
        "[1] return 10\n---\n# @object stack\n[1] call push(1)\n[1] return\n[1] call pop\n"
        "[1] return empty\n";
    for (size_t piece = 1; piece < sizeof lines; piece++) {
        assay_error e = {0};
        assay_monitor *m = assay_monitor_open(NULL, NULL, &e);
        for (size_t at = 0; at < sizeof lines - 1; at += piece) {
            size_t n = sizeof lines - 1 - at < piece ? sizeof lines - 1 - at : piece;
            assert_true(assay_monitor_feed(m, lines + at, n, &e));
        }
        assert_true(assay_monitor_end(m, &e));
        const assay_monitor_violation *v = assay_monitor_first(m);
        assert_non_null(v);
        assert_int_equal(v->index, 1);
        assert_int_equal(v->event, 12);
        assert_int_equal(v->line, 16);
        assay_monitor_close(m);
    }
}

/* ---- parts ---- */

static void test_symbols(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct symbols s = symbols_in(&mem);
    struct value kept = {symbols_put(&s, "kept", 4), ASSAY_WORD}, pinned = {symbols_put(&s, "pinned", 6), ASSAY_STRING};
    assert_int_equal(symbols_put(&s, "empty", 5), ONLINE_EMPTY);
    symbols_pin(&s, pinned);
    char text[32];
    for (int i = 0; i < 200000; i++) {
        size_t length = (size_t)snprintf(text, sizeof text, "value %d", i);
        uint32_t number = symbols_put(&s, text, length);
        assert_int_equal(symbols_put(&s, text, length), number);
        assert_string_equal(symbols_public(&s, (struct value){number, ASSAY_STRING}).text, text);
        if (!symbols_full(&s))
            continue;
        symbols_begin_sweep(&s);
        symbols_mark(&s, kept);
        symbols_end_sweep(&s);
    }
    assert_true(s.all.n < 10000);
    assert_int_equal(symbols_put(&s, "kept", 4), kept.bits);
    assert_int_equal(symbols_put(&s, "pinned", 6), pinned.bits);
    assert_int_equal(symbols_put(&s, "nil", 3), ONLINE_NIL);
    mem_release(&mem);
}

static void test_slots(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct slots s = {.mem = &mem};
    char text[40];
    uint32_t slots[64];
    for (uint32_t i = 0; i < 100000; i++) { /* 64 are open at a time; short and long ids */
        if (i >= 64) {
            snprintf(text, sizeof text, (i - 64) % 3 ? "%u" : "a rather long id %u", i - 64);
            assert_int_equal(slots_find(&s, id_of(text, strlen(text))), slots[i % 64]);
            slots_close(&s, slots[i % 64]);
            assert_int_equal(slots_find(&s, id_of(text, strlen(text))), ID_NONE);
        }
        snprintf(text, sizeof text, i % 3 ? "%u" : "a rather long id %u", i);
        slots[i % 64] = slots_open(&s, id_of(text, strlen(text)));
    }
    assert_true(s.all.n <= 65);
    slots_clear(&s);
    assert_int_equal(s.used, 0);
    mem_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),         cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_memory_budget),    cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_threads),          cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_callers_that_die), cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_symbols),          cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
