/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder: what it writes, what it does when it is used up or used wrongly, and that a cut through running threads
 * is a sound history. */
#include "assay.h"
#include "assay_record.h"
#include "collect/stress/record_log.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char *text_of(const assay_recorder *r, const char *object, const char **fault)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    const char *why = assay_record_write(r, object, f);
    if (fault)
        *fault = why;
    else
        assert_null(why);
    assert_int_equal(fclose(f), 0);
    return text;
}

static void expect_text(const assay_recorder *r, const char *object, const char *expected)
{
    char *text = text_of(r, object, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void counters_say_what_had_returned(void **state)
{
    (void)state;
    assay_recorder *r = assay_record_open(3, ASSAY_RECORD_COUNTERS, 10);
    assay_tape *a = assay_record_tape(r, 0), *b = assay_record_tape(r, 1), *c = assay_record_tape(r, 2);
    assay_record_call2(a, "put", 1, -7);
    assay_record_call1(b, "get", 1); /* while put is going on */
    assay_record_return_word(a, "null");
    assay_record_return_int(b, -7);
    assay_record_call0(b, "size");
    assay_record_return_int(b, 1);
    assay_record_call_word(a, "contains-key", "x");
    assay_record_return_bool(a, 0);
    assay_record_call_word_int(a, "put", "x", 2); /* never returns */
    assay_record_call1(c, "remove", 1);
    assay_record_return(c);
    expect_text(r, "map",
                "# @object map\n"
                "t0: put(1, -7) => null @ after\n"
                "t0: contains-key(x) => false @ after t1:2\n"
                "t0: put(x, 2) => ? @ after t1:2\n"
                "t1: get(1) => -7 @ after\n"
                "t1: size() => 1 @ after t0:1\n"
                "t2: remove(1) @ after t0:2 t1:2\n");
    assay_record_clear(r);
    expect_text(r, NULL, "");
    assay_record_call0(b, "size");
    assay_record_return_int(b, 0);
    expect_text(r, NULL, "t1: size() => 0 @ after\n");
    assay_record_close(r);
}

/* A call that failed is no call, neither on its tape nor for other threads; in a log, too. */
static void failed_calls_leave_no_trace(void **state)
{
    (void)state;
    assay_recorder *both[] = {assay_record_open(2, ASSAY_RECORD_COUNTERS, 3),
                              assay_record_open_shared(2, ASSAY_RECORD_COUNTERS, 3)};
    for (int i = 0; i < 2; i++) {
        assay_recorder *r = both[i];
        assay_tape *a = assay_record_tape(r, 0), *b = assay_record_tape(r, 1);
        assert_non_null(r);
        for (int again = 0; again < 10; again++) { /* a tape does not get full of them */
            assay_record_call1(a, "enq", 1);
            assay_record_failed(a);
        }
        assay_record_failed(a); /* no call is open: nothing happens */
        assay_record_call1(a, "enq", 2);
        assay_record_return(a);
        assay_record_call0(b, "deq");
        assay_record_return_int(b, 2);
        assay_record_call1(a, "enq", 3);
        assay_record_failed(a);
        expect_text(r, NULL, "t0: enq(2) @ after\nt1: deq() => 2 @ after t0:1\n");
        assay_record_close(r);
    }
}

/* In memory of this process a tape grows; in shared memory it has the room that was asked for, which is 9 here. A log that
 * is read again has the same numbers, and none that lie elsewhere. */
static void calls_may_have_many_arguments_and_return_lists(void **state)
{
    (void)state;
    assay_recorder *both[] = {assay_record_open(1, ASSAY_RECORD_COUNTERS, 200),
                              assay_record_open_wide("", 1, ASSAY_RECORD_COUNTERS, 200, 9)};
    for (int i = 0; i < 2; i++) {
        assay_recorder *r = both[i];
        assay_tape *t = assay_record_tape(r, 0);
        assert_non_null(r);
        for (int again = 0; again < 3; again++) {
            assay_record_clear(r);
            assay_record_calln(t, "transfer", (int64_t[]){1, -2, 3}, 3);
            assay_record_return_word(t, "ok");
            assay_record_calln(t, "size", NULL, 0);
            assay_record_return_list(t, NULL, 0);
            assay_record_calln(t, "put", (int64_t[]){7, 8}, 2);
            assay_record_return_list(t, (int64_t[]){10, -11}, 2);
            assay_record_calln(t, "many", (int64_t[]){1, 2, 3, 4, 5}, 5);
        }
        const char *wanted = "t0: transfer(1, -2, 3) => ok @ after\nt0: size() => [] @ after\n"
                             "t0: put(7, 8) => [10 -11] @ after\nt0: many(1, 2, 3, 4, 5) => ? @ after\n";
        expect_text(r, NULL, wanted);
        if (r->log) {
            struct record_log log;
            assert_true(record_log_read(&log, r->log, assay_record_log_size(r)));
            expect_text(&log.recorder, NULL, wanted);
            record_log_release(&log);
        }
        assay_record_return_list(t, (int64_t[]){1, 2}, 2); /* numbers 9 and 10 */
        assert_true((r->stopper != NULL) == (r->log != NULL));
        assay_record_close(r);
    }
}

static void numbers_of_a_log_lie_in_it(void **state)
{
    (void)state;
    assay_recorder *r = assay_record_open_wide("", 1, ASSAY_RECORD_COUNTERS, 2, 4);
    struct record_log log;
    assert_non_null(r);
    assay_record_calln(assay_record_tape(r, 0), "many", (int64_t[]){1, 2, 3}, 3);
    assay_record_return_list(assay_record_tape(r, 0), (int64_t[]){1, 2}, 2);
    assay_record_entry *e = (assay_record_entry *)(void *)r->tapes[0]->chunks[0];
    for (int wrong = 0; wrong < 4; wrong++) {
        assay_record_entry before = *e;
        if (wrong == 1)
            e->result.list.at = 3;
        else if (wrong == 2)
            e->args[1].list.length = 1;
        else if (wrong == 3)
            e->args[1].list.at = UINT32_MAX;
        assert_true(record_log_read(&log, r->log, assay_record_log_size(r)) == !wrong);
        record_log_release(&log);
        *e = before; /* reading has put a text in the place of its address */
    }
    assay_record_close(r);
}

/* A child's calls are in the memory of the parent, however the child ends. */
static void shared_tapes_survive_the_child(void **state)
{
    (void)state;
    assay_recorder *r = assay_record_open_shared(1, ASSAY_RECORD_COUNTERS, 3);
    struct record_log log;
    assert_non_null(r);
    pid_t child = fork();
    if (child == 0) {
        assay_record_call1(assay_record_tape(r, 0), "enq", 1);
        assay_record_return_word(assay_record_tape(r, 0), "ok");
        assay_record_call0(assay_record_tape(r, 0), "deq");
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(record_log_read(&log, r->log, assay_record_log_size(r)));
    assert_false(log.closed);
    assert_int_equal(log.returned, 1);
    assert_int_equal(log.pending, 1);
    expect_text(&log.recorder, NULL, "t0: enq(1) => ok @ after\nt0: deq() => ? @ after\n");
    record_log_release(&log);
    assay_record_close(r);
}

static void stamps_are_intervals(void **state)
{
    (void)state;
    assay_recorder *r = assay_record_open(2, ASSAY_RECORD_STAMPS, 10);
    assay_tape *a = assay_record_tape(r, 0), *b = assay_record_tape(r, 1);
    assay_record_call1(a, "write", 1);
    assay_record_return(a);
    assay_record_call0(b, "read");
    assay_record_return_int(b, 1);
    assay_record_call0(b, "read"); /* never returns */
    const uint64_t *w = assay_record_times(assay_record_at(r, 0, 0));
    const uint64_t *read = assay_record_times(assay_record_at(r, 1, 0));
    const uint64_t *open = assay_record_times(assay_record_at(r, 1, 1));
    assert_true(w[0] <= w[1] && w[1] <= read[0] && read[0] <= read[1] && read[1] <= open[0]);
    char *text = text_of(r, "register", NULL), last[64];
    snprintf(last, sizeof last, "t1: read() => ? @ %llu..\n", (unsigned long long)open[0]);
    assert_string_equal(strstr(text, "t1: read() => ?"), last);
    free(text);
    assay_record_close(r);
}

/* Many pieces of tape, and what was taken before is used again. */
static void tapes_grow(void **state)
{
    (void)state;
    enum { CALLS = 3 * ASSAY_RECORD_CHUNK + 5 };
    assay_recorder *r = assay_record_open(1, ASSAY_RECORD_COUNTERS, CALLS);
    assay_tape *t = assay_record_tape(r, 0);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < CALLS; i++) {
            assay_record_call1(t, "enq", i + round);
            assay_record_return(t);
        }
        int pending;
        assert_int_equal(assay_record_size(r, 0, &pending), CALLS);
        for (int i = 0; i < CALLS; i++)
            assert_int_equal(assay_record_at(r, 0, (uint32_t)i)->args[0].number, i + round);
        assert_int_equal(t->chunk_count, 4);
        assay_record_clear(r);
    }
    assay_record_close(r);
}

static void a_full_tape_ends_all(void **state)
{
    (void)state;
    const char *fault;
    assay_recorder *r = assay_record_open(2, ASSAY_RECORD_COUNTERS, 2);
    assay_tape *a = assay_record_tape(r, 0), *b = assay_record_tape(r, 1);
    assay_record_call1(b, "enq", 1);
    assay_record_return(b);
    assay_record_call1(b, "enq", 2); /* going on at the cut */
    for (int i = 3; i < 6; i++) {
        assay_record_call1(a, "enq", i); /* the third finds no room */
        assay_record_return(a);
    }
    assay_record_return(b);
    assay_record_call1(b, "enq", 6); /* after the end */
    assay_record_return(b);
    char *text = text_of(r, NULL, &fault);
    assert_string_equal(fault, "a tape was full");
    assert_string_equal(text, "# recording ended early: a tape was full\n"
                              "t0: enq(3) @ after t1:1\n"
                              "t0: enq(4) @ after t1:1\n"
                              "t1: enq(1) @ after\n"
                              "t1: enq(2) => ? @ after\n");
    free(text);
    assay_record_close(r);
}

static void misuse_does_no_harm(void **state)
{
    (void)state;
    const char *fault;
    assay_recorder *r = assay_record_open(1, ASSAY_RECORD_COUNTERS, 5);
    assay_tape *t = assay_record_tape(r, 0);
    assay_record_return(t); /* of nothing */
    assay_record_call0(t, "deq");
    assay_record_call0(t, "deq");
    assay_record_return_int(t, 1);
    free(text_of(r, NULL, &fault));
    assert_non_null(strstr(fault, "before its last call had returned"));
    assay_record_close(r);
    assay_record_call0(NULL, "deq");
    assay_record_return_int(NULL, 1);
    assay_record_clear(NULL);
    assay_record_close(NULL);
    assert_non_null(assay_record_write(NULL, NULL, stdout));
}

/* A word may lie in memory that is used again, also if there are many, and long ones. */
static void words_are_copied(void **state)
{
    (void)state;
    enum { CALLS = 400 };
    for (int log = 0; log < 2; log++) {
        int calls = log ? 200 : CALLS;
        assay_recorder *r = log ? assay_record_open_shared(1, ASSAY_RECORD_COUNTERS, CALLS)
                                : assay_record_open(1, ASSAY_RECORD_COUNTERS, CALLS);
        assay_tape *t = assay_record_tape(r, 0);
        char method[8], word[100], *wanted = NULL;
        size_t size;
        FILE *to = open_memstream(&wanted, &size);
        for (int i = 0; i < calls; i++) {
            snprintf(method, sizeof method, "%s", i % 2 ? "deq" : "peek");
            snprintf(word, sizeof word,
                     log || i % 3 ? "w%d" : "a-long-word-that-fills-more-than-a-slot-of-the-table-of-texts-%d", i);
            assay_record_call_word(t, method, word);
            fprintf(to, "t0: %s(%s) => ", method, word);
            snprintf(word, sizeof word, "w%d", i / 2);
            assay_record_return_word(t, word);
            fprintf(to, "%s @ after\n", word);
            memset(method, 0, sizeof method);
            memset(word, 0, sizeof word);
        }
        fclose(to);
        expect_text(r, NULL, wanted);
        free(wanted);
        assay_record_clear(r);
        assay_record_call0(t, "deq");
        assay_record_return_word(t, "empty");
        expect_text(r, NULL, "t0: deq() => empty @ after\n");
        assay_record_close(r);
    }
}

static void no_text_ends_recording(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        static const char *const faults[] = {"assay_record_call was given NULL for a text, in a call of no method",
                                             "assay_record_call_word was given NULL for a text, in a call of enq",
                                             "assay_record_return_word was given NULL for a text, in a call of deq"};
        assay_recorder *r = assay_record_open(1, ASSAY_RECORD_COUNTERS, 5);
        assay_tape *t = assay_record_tape(r, 0);
        const char *fault;
        assay_record_call1(t, "enq", 1);
        assay_record_return(t);
        if (kind == 0)
            assay_record_call1(t, NULL, 1);
        else if (kind == 1)
            assay_record_call_word(t, "enq", NULL);
        else
            assay_record_call0(t, "deq");
        assay_record_return_word(t, NULL);
        char *text = text_of(r, NULL, &fault);
        assert_string_equal(fault, faults[kind]);
        assert_non_null(strstr(text, faults[kind]));
        assert_non_null(strstr(text, "t0: enq(1) @ after\n"));
        assert_true((strstr(text, "t0: deq() => ? @ after\n") != NULL) == (kind == 2));
        free(text);
        assay_record_close(r);
    }
}

/* The history without them is not judged. */
static void lost_calls_are_counted(void **state)
{
    (void)state;
    for (int log = 0; log < 2; log++) {
        assay_recorder *r = log ? assay_record_open_shared(1, ASSAY_RECORD_COUNTERS, 5)
                                : assay_record_open(1, ASSAY_RECORD_COUNTERS, 5);
        assay_tape *nobody = assay_record_tape(r, 1);
        const char *fault;
        for (int i = 0; i < 7; i++) {
            assay_record_call1(nobody, "enq", i);
            assay_record_return(nobody);
        }
        char *text = text_of(r, "queue", &fault);
        assert_string_equal(fault, "7 calls were lost, of threads from t1 on: the recorder was opened for 1 thread");
        assert_non_null(strstr(text, "# @incomplete 7 calls were lost"));
        assay_error e = {0};
        assay_reader *reader = assay_reader_open_memory("text", text, strlen(text), "hist", &e);
        assert_null(assay_reader_next(reader, &e));
        assert_non_null(strstr(e.message, "7 calls were lost"));
        assay_reader_close(reader);
        free(text);
        assay_record_clear(r);
        assert_null(assay_record_write(r, NULL, stdout));
        assay_record_close(r);
    }
}

/* ---- real threads ---- */

enum { THREADS = 3, ROOM = 300 };

struct counting {
    assay_recorder *recorder;
    int64_t counter;
    uint32_t ready;
};

struct counter_thread {
    struct counting *all;
    unsigned number;
};

/* More calls than there is room for: the cut goes through what the others are doing. */
static void *count(void *arg)
{
    struct counter_thread *self = arg;
    struct counting *all = self->all;
    assay_tape *tape = assay_record_tape(all->recorder, self->number);
    __atomic_add_fetch(&all->ready, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&all->ready, __ATOMIC_SEQ_CST) < THREADS)
        sched_yield();
    for (int i = 0; i < 2 * ROOM; i++) {
        assay_record_call0(tape, "inc");
        int64_t value = __atomic_add_fetch(&all->counter, 1, __ATOMIC_ACQ_REL);
        assay_record_return_int(tape, value);
        if (i % 16 == 0)
            sched_yield();
    }
    return NULL;
}

static void check(const char *text)
{
    assay_error e = {0};
    assay_reader *reader = assay_reader_open_memory("recorded", text, strlen(text), "hist", &e);
    assay_history *h = assay_reader_next(reader, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r)
        fail_msg("%s", e.message);
    assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
}

static void a_cut_is_sound(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct counting all = {assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, ROOM), 0, 0};
        struct counter_thread selves[THREADS];
        pthread_t threads[THREADS];
        for (unsigned t = 0; t < THREADS; t++) {
            selves[t] = (struct counter_thread){&all, t};
            assert_int_equal(pthread_create(&threads[t], NULL, count, &selves[t]), 0);
        }
        for (unsigned t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        const char *fault;
        char *text = text_of(all.recorder, "counter", &fault);
        assert_non_null(fault);
        check(text);
        free(text);
        assay_record_close(all.recorder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_say_what_had_returned),
        cmocka_unit_test(failed_calls_leave_no_trace),
        cmocka_unit_test(words_are_copied),
        cmocka_unit_test(no_text_ends_recording),
        cmocka_unit_test(lost_calls_are_counted),
        cmocka_unit_test(calls_may_have_many_arguments_and_return_lists),
        cmocka_unit_test(numbers_of_a_log_lie_in_it),
        cmocka_unit_test(shared_tapes_survive_the_child),
        cmocka_unit_test(stamps_are_intervals),
        cmocka_unit_test(tapes_grow),
        cmocka_unit_test(a_full_tape_ends_all),
        cmocka_unit_test(misuse_does_no_harm),
        cmocka_unit_test(a_cut_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
