/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck against a judge of its own: hand-written evidence for small histories is accepted, and of
 * every mutant of it recheck must say what the judge says. */
#include "history/slice.h"
#include "support/judge.h"
#include "support/mutants.h"
#include "support/shorthand.h"
#include "support/sketch.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Operations are numbered from left to right. */
static struct world *new_world(const char *text)
{
    return world_of(shorthand(text));
}

/* ---- accepted lines ---- */

struct example {
    const char *name, *history, *evidence; /* evidence: what follows "index":0, */
};

#define REFUTES(model, pattern, reasons, cycle)                                                                        \
    "\"model\":\"" model "\",\"verdict\":\"violation\",\"pattern\":\"" pattern "\",\"reasons\":[" reasons              \
    "],\"cycle\":[" cycle "]}\n"
#define THIN_AIR(model, culprit)                                                                                       \
    "\"model\":\"" model "\",\"verdict\":\"violation\",\"pattern\":\"ThinAirRead\",\"culprit\":" culprit "}\n"
#define WITNESS(model, orders) "\"model\":\"" model "\",\"verdict\":\"consistent\",\"orders\":[" orders "]}\n"

static const struct example examples[] = {
    {"Fig. 1a is not ccv", "wx1 rx2 | wx2 rx1",
     REFUTES("ccv", "CyclicCF",
             "{\"rule\":\"cf\",\"from\":0,\"to\":2,\"read\":1,\"path\":[[\"po\",0,1]]},"
             "{\"rule\":\"cf\",\"from\":2,\"to\":0,\"read\":3,\"path\":[[\"po\",2,3]]}",
             "[\"cf\",0,2,0],[\"cf\",2,0,1]")},
    {"Fig. 1a is cm", "wx1 rx2 | wx2 rx1",
     WITNESS("cm", "{\"thread\":0,\"ops\":[0,2,1]},{\"thread\":1,\"ops\":[2,0,3]}")},
    {"Fig. 1a is cc", "wx1 rx2 | wx2 rx1", WITNESS("cc", "{\"ops\":[0,2,1,3]}")},
    /* by rx2, wx1 comes before wx2 in thread 1, and so wz1 before rz0 */
    {"Fig. 1b is not cm", "wz1 wx1 wy1 | wx2 rz0 ry1 rx2",
     REFUTES("cm", "WriteHBInitRead",
             "{\"rule\":\"hb\",\"from\":1,\"to\":3,\"read\":6,"
             "\"path\":[[\"po\",1,2],[\"wr\",2,5],[\"po\",5,6]]},"
             "{\"rule\":\"rw\",\"from\":4,\"to\":0,\"read\":4,\"path\":[]}",
             "[\"po\",0,1],[\"hb\",1,3,0],[\"po\",3,4],[\"rw\",4,0,1]")},
    {"Fig. 1b is ccv", "wz1 wx1 wy1 | wx2 rz0 ry1 rx2", WITNESS("ccv", "{\"ops\":[0,1,2,3,4,5,6]}")},
    {"Fig. 2.8d is not cm", "wx1 | wx2 rx1 rx2",
     REFUTES("cm", "CyclicHB",
             "{\"rule\":\"hb\",\"from\":1,\"to\":0,\"read\":2,\"path\":[[\"po\",1,2]]},"
             "{\"rule\":\"hb\",\"from\":0,\"to\":1,\"read\":3,"
             "\"path\":[[\"wr\",0,2],[\"po\",2,3]]}",
             "[\"hb\",1,0,0],[\"hb\",0,1,1]")},
    {"an hb reason that rests on another", "wa1 wx1 | wx2 wa2 rx1 ra1 rx2",
     REFUTES("cm", "CyclicHB",
             "{\"rule\":\"hb\",\"from\":3,\"to\":0,\"read\":5,\"path\":[[\"po\",3,5]]},"
             "{\"rule\":\"hb\",\"from\":2,\"to\":1,\"read\":4,"
             "\"path\":[[\"po\",2,3],[\"hb\",3,0,0],[\"po\",0,1],[\"wr\",1,4]]},"
             "{\"rule\":\"hb\",\"from\":1,\"to\":2,\"read\":6,"
             "\"path\":[[\"wr\",1,4],[\"po\",4,6]]}",
             "[\"hb\",2,1,1],[\"hb\",1,2,2]")},
    {"Fig. 2.8e is not cc", "wx1 wy1 | ry1 wx2 | rx2 rx1",
     REFUTES("cc", "WriteCORead",
             "{\"rule\":\"rw\",\"from\":5,\"to\":3,\"read\":5,"
             "\"path\":[[\"po\",0,1],[\"wr\",1,2],[\"po\",2,3]]}",
             "[\"wr\",3,4],[\"po\",4,5],[\"rw\",5,3,0]")},
    {"a thread reads its own future", "rx1 wx1", REFUTES("cc", "CyclicCO", "", "[\"po\",0,1],[\"wr\",1,0]")},
    {"an rmw reads what it writes itself", "ux11", REFUTES("cm", "CyclicCO", "", "[\"wr\",0,0]")},
    {"an initial value after a write", "wx1 rx0",
     REFUTES("cc", "WriteCOInitRead", "{\"rule\":\"rw\",\"from\":1,\"to\":0,\"read\":1,\"path\":[]}",
             "[\"po\",0,1],[\"rw\",1,0,0]")},
    {"initial reads in time", "rx0 wx1 | rx0 ry0 wy1", WITNESS("ccv", "{\"ops\":[2,0,3,1,4]}")},
    {"store buffering is cm", "wx1 ry0 | wy1 rx0",
     WITNESS("cm", "{\"thread\":0,\"ops\":[0,1]},{\"thread\":1,\"ops\":[2,3]}")},
    {"a value from nowhere", "wx1 | rx2 rx1", THIN_AIR("cc", "1")},
    {"an rmw of a value from nowhere", "wx1 | ux23", THIN_AIR("cm", "1")},
    {"a chain of rmws", "ux01 | ux12 | rx2", WITNESS("ccv", "{\"ops\":[0,1,2]}")},
    {"a chain of rmws, by thread", "ux01 | ux12 f | rx2",
     WITNESS("cm", "{\"thread\":0,\"ops\":[0]},{\"thread\":1,\"ops\":[0,1]},"
                   "{\"thread\":2,\"ops\":[0,1,3]}")},
    {"two rmws of one value, both seen", "wx1 | ux12 rx3 | ux13 rx2",
     REFUTES("ccv", "CyclicCF",
             "{\"rule\":\"cf\",\"from\":1,\"to\":3,\"read\":2,\"path\":[[\"po\",1,2]]},"
             "{\"rule\":\"cf\",\"from\":3,\"to\":1,\"read\":4,\"path\":[[\"po\",3,4]]}",
             "[\"cf\",1,3,0],[\"cf\",3,1,1]")},
    {"an rmw overwritten before it is done", "wx1 wx2 wy1 | ry1 ux13",
     REFUTES("cc", "WriteCORead", "{\"rule\":\"rw\",\"from\":4,\"to\":1,\"read\":4,\"path\":[[\"po\",0,1]]}",
             "[\"po\",1,2],[\"wr\",2,3],[\"po\",3,4],[\"rw\",4,1,0]")},
    {"pending operations", "wx1? | rx1 wy1 ux12? | ry1 rx2 rz? | wz1? | ux39?",
     WITNESS("ccv", "{\"ops\":[0,1,2,3,4,5]}")},
    {"pending operations, by thread", "wx1? | rx1 wy1 ux12? | ry1 rx2 rz? | wz1? | ux39?",
     WITNESS("cm", "{\"thread\":1,\"ops\":[0,1,2,3]},{\"thread\":2,\"ops\":[0,1,2,4,3,5]}")},
    {"pending rmws that only read one another", "ux12? | ux21? | rx0", WITNESS("cc", "{\"ops\":[2]}")},
    {"nothing at all", "", WITNESS("cm", "")},
    {"nothing at all, in one order", "f", WITNESS("ccv", "{\"ops\":[]}")},
};

enum { LINE = 2048 };

static void full_line(const struct world *w, const struct example *x, char line[LINE])
{
    snprintf(line, LINE, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,%s", w->digest, x->evidence);
}

/* ---- recheck and the judge ---- */

static void test_examples_are_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char line[LINE];
        struct world *w = new_world(examples[i].history);
        full_line(w, &examples[i], line);
        struct attempt a = run_line(w, line);
        if (!a.accepted)
            fail_msg("%s: column %d: %s", examples[i].name, (int)a.error.column, a.error.message);
        assert_true(judge(w, &a.parsed));
        mem_release(&a.mem);
        world_free(w);
    }
}

/* ---- mutants ---- */

struct tally {
    const struct world *w;
    const char *original;
    unsigned unreadable, refused;
    unsigned same;  /* accepted: the same claim, written differently */
    unsigned valid; /* accepted: another claim, which the judge confirms */
};

static void try_mutant(void *arg, const char *line)
{
    struct tally *t = arg;
    struct attempt a = run_line(t->w, line);
    unsigned others = NEED_CALLS | NEED_TRANSACTIONS; /* tests/cross/linear.c, tests/cross/transactions */
    bool other_matter = a.readable && (a.parsed.model->needs & others);
    if (a.readable && !other_matter && a.accepted != judge(t->w, &a.parsed))
        fail_msg("%s%s: %s", line, a.accepted ? "accepted" : "refused", a.error.message);
    if (!a.readable)
        assert_int_equal(a.error.code, ASSAY_ERROR_INPUT);
    else if (!a.accepted)
        assert_int_equal(a.error.code, ASSAY_ERROR_REFUSED);
    assert_true(a.accepted || a.error.message[0]);
    if (!a.accepted)
        *(a.readable ? &t->refused : &t->unreadable) += 1;
    else
        *(same_claim(&a, t->original) ? &t->same : &t->valid) += 1;
    mem_release(&a.mem);
}

static void test_mutants(void **state)
{
    (void)state;
    struct rng rng = {1};
    struct tally sum = {0};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char line[LINE];
        struct world *w = new_world(examples[i].history);
        full_line(w, &examples[i], line);
        struct tally t = {.w = w, .original = line};
        mutants_of(line, &rng, try_mutant, &t);
        sum.unreadable += t.unreadable;
        sum.refused += t.refused;
        sum.same += t.same;
        sum.valid += t.valid;
        world_free(w);
    }
    printf("mutants: %u unreadable, %u refused, %u the same in other words, %u other proofs\n", sum.unreadable,
           sum.refused, sum.same, sum.valid);
    assert_true(sum.refused > 1000);
}

/* A valid line of one history proves nothing about another, and a valid proof nothing once its
 * steps are read in another history. */
static void test_other_histories(void **state)
{
    (void)state;
    size_t count = sizeof examples / sizeof *examples;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            char line[LINE];
            struct world *w = new_world(examples[i].history);
            struct world *other = new_world(examples[j].history);
            full_line(w, &examples[i], line);
            struct attempt a = run_line(other, line);
            assert_int_equal(a.accepted, strcmp(w->digest, other->digest) == 0);
            mem_release(&a.mem);
            full_line(other, &examples[i], line);
            a = run_line(other, line);
            assert_true(a.readable);
            assert_int_equal(a.accepted, judge(other, &a.parsed));
            mem_release(&a.mem);
            world_free(w);
            world_free(other);
        }
}

/* ---- writing, and what is refused as a whole ---- */

static void test_written_lines_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char line[LINE];
        struct world *w = new_world(examples[i].history);
        full_line(w, &examples[i], line);
        struct attempt a = run_line(w, line);
        struct text out = text_in(&a.mem);
        result r = {.h = w->h, .model = a.parsed.model, .verdict = a.parsed.verdict, .evidence = a.parsed.evidence};
        evidence_write(&r, a.parsed.index, &out);
        assert_string_equal(text_get(&out), line);
        mem_release(&a.mem);
        world_free(w);
    }
}

static void test_unproved_results_have_no_line(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct text out = text_in(&mem);
    struct world *w = new_world("wx1");
    result r = {.h = w->h, .model = model_find("cc"), .verdict = ASSAY_UNDECIDED};
    evidence_write(&r, 0, &out);
    r.evidence = evidence_in(&mem);
    r.verdict = ASSAY_VIOLATION;
    evidence_write(&r, 0, &out);
    r.verdict = ASSAY_CONSISTENT;
    evidence_write(&r, 0, &out);
    assert_string_equal(text_get(&out), "");
    mem_release(&mem);
    world_free(w);
}

struct forgery {
    const char *history, *evidence;
    const char *message; /* part of it */
};

static void expect_refusal(struct world *w, const struct forgery *f)
{
    char line[LINE];
    struct example x = {.evidence = f->evidence};
    full_line(w, &x, line);
    struct attempt a = run_line(w, line);
    assert_true(a.readable);
    assert_false(a.accepted);
    assert_int_equal(a.error.code, ASSAY_ERROR_REFUSED);
    if (!strstr(a.error.message, f->message))
        fail_msg("'%s' is not in '%s'", f->message, a.error.message);
    mem_release(&a.mem);
    world_free(w);
}

static const struct forgery not_a_plain_memory[] = {
    {"wx1 | wx1 rx1", REFUTES("cc", "CyclicCO", "", "[\"po\",0,1],[\"wr\",0,1]"),
     "operations 0 and 1 write the same value"},
    {"wx0 rx0", REFUTES("cc", "CyclicCO", "", "[\"po\",0,1],[\"wr\",0,1]"), "operation 0 writes the initial value"},
    {"wx1 | wx1 rx1", WITNESS("cc", "{\"ops\":[0,1,2]}"), "names no source"},
};

/* Each would pass if one check were missing. */
static const struct forgery forgeries[] = {
    {"rx1 wx1", REFUTES("cc", "CyclicCO", "", "[\"po\",0,1],[\"wr\",0,1]"),
     "step 1 of the cycle, wr from operation 0 (t0: read(x) => 1)"},
    {"wx1 rx1", WITNESS("cc", "{\"ops\":[1,0]}"), "without operation 0 (t0: write(x, 1)) of its thread"},
    {"wx1 | rx1 f", WITNESS("cc", "{\"ops\":[0,1,2]}"), "operation 2 (t1: fence()), which takes no part"},
    {"wx1 | rx1", WITNESS("cm", "{\"thread\":0,\"ops\":[0]}"), "no order for thread 1"},
    {"wx1 wx2 rx1", WITNESS("cm", "{\"thread\":0,\"ops\":[0,1,2]}"),
     "operation 2 (t0: read(x) => 1) does not return the latest write"},
    {"wx1", WITNESS("ccv", "{\"ops\":[0]},{\"thread\":0,\"ops\":[0]}"), "has no orders of single threads"},
    {"wx1 wy1 | ry1 wz1 | rz1 rx0", WITNESS("cc", "{\"ops\":[0,1,2,3,4,5]}"),
     "but operation 0 (t0: write(x, 1)) is among its causes"},
    /* reasons that rest on one another */
    {"wa1 wx1 | wx2 wa2 rx1 ra1 rx2",
     REFUTES("cm", "CyclicHB",
             "{\"rule\":\"hb\",\"from\":2,\"to\":1,\"read\":4,"
             "\"path\":[[\"po\",2,3],[\"hb\",3,0,1],[\"po\",0,1],[\"wr\",1,4]]},"
             "{\"rule\":\"hb\",\"from\":3,\"to\":0,\"read\":5,\"path\":[[\"po\",3,5]]},"
             "{\"rule\":\"hb\",\"from\":1,\"to\":2,\"read\":6,"
             "\"path\":[[\"wr\",1,4],[\"po\",4,6]]}",
             "[\"hb\",2,1,0],[\"hb\",1,2,2]"),
     "its reason does not come before it"},
    {"wx1 rx2 rx3 | wx2 rx1 | wx3",
     REFUTES("ccv", "CyclicCF",
             "{\"rule\":\"cf\",\"from\":0,\"to\":5,\"read\":2,\"path\":[[\"po\",0,2]]},"
             "{\"rule\":\"cf\",\"from\":3,\"to\":0,\"read\":4,\"path\":[[\"po\",3,4]]}",
             "[\"cf\",0,3,0],[\"cf\",3,0,1]"),
     "its reason is about something else"},
    {"wa1 wx1 | wx2 wa2 rx1 ra1 rx2",
     REFUTES("ccv", "CyclicCF",
             "{\"rule\":\"hb\",\"from\":3,\"to\":0,\"read\":5,\"path\":[[\"po\",3,5]]},"
             "{\"rule\":\"cf\",\"from\":2,\"to\":1,\"read\":4,"
             "\"path\":[[\"po\",2,3],[\"hb\",3,0,0],[\"po\",0,1],[\"wr\",1,4]]},"
             "{\"rule\":\"cf\",\"from\":1,\"to\":2,\"read\":6,"
             "\"path\":[[\"wr\",1,4],[\"po\",4,6]]}",
             "[\"cf\",2,1,1],[\"cf\",1,2,2]"),
     "this rule may not be used here"},
    /* what would refute every rmw, and every read */
    {"ux01",
     REFUTES("cc", "WriteCOInitRead", "{\"rule\":\"rw\",\"from\":0,\"to\":0,\"read\":0,\"path\":[]}", "[\"rw\",0,0,0]"),
     "cannot overwrite what it reads itself"},
    {"wx1 rx1",
     REFUTES("ccv", "CyclicCF", "{\"rule\":\"cf\",\"from\":0,\"to\":0,\"read\":1,\"path\":[[\"po\",0,1]]}",
             "[\"cf\",0,0,0]"),
     "cannot come before itself"},
    {"wx1 rx0",
     REFUTES("cc", "WriteCOInitRead", "{\"rule\":\"rw\",\"from\":1,\"to\":0,\"read\":1,\"path\":[[\"po\",0,1]]}",
             "[\"po\",0,1],[\"rw\",1,0,0]"),
     "no path can start there"},
    {"wx1 wx2 | rx2",
     REFUTES("ccv", "CyclicCF", "{\"rule\":\"cf\",\"from\":1,\"to\":0,\"read\":2,\"path\":[[\"wr\",1,2]]}",
             "[\"po\",0,1],[\"cf\",1,0,0]"),
     "does not read from operation 0"},
    /* Fig. 1a is causal memory: its two threads see two orders */
    {"wx1 rx2 | wx2 rx1",
     REFUTES("cm", "CyclicHB",
             "{\"rule\":\"hb\",\"from\":0,\"to\":2,\"read\":1,\"path\":[[\"po\",0,1]]},"
             "{\"rule\":\"hb\",\"from\":2,\"to\":0,\"read\":3,\"path\":[[\"po\",2,3]]}",
             "[\"hb\",0,2,0],[\"hb\",2,0,1]"),
     "must be in one thread"},
    /* store buffering: a cycle with two rw is allowed */
    {"wx1 ry0 | wy1 rx0",
     REFUTES("cc", "WriteCOInitRead",
             "{\"rule\":\"rw\",\"from\":1,\"to\":2,\"read\":1,\"path\":[]},"
             "{\"rule\":\"rw\",\"from\":3,\"to\":0,\"read\":3,\"path\":[]}",
             "[\"po\",0,1],[\"rw\",1,2,0],[\"po\",2,3],[\"rw\",3,0,1]"),
     "no model forbids this combination"},
    {"wz1 wx1 wy1 | wx2 wf1 ry1 rx2 | rf1 rz0",
     REFUTES("cm", "WriteHBInitRead",
             "{\"rule\":\"hb\",\"from\":1,\"to\":3,\"read\":6,"
             "\"path\":[[\"po\",1,2],[\"wr\",2,5],[\"po\",5,6]]},"
             "{\"rule\":\"rw\",\"from\":8,\"to\":0,\"read\":8,\"path\":[]}",
             "[\"po\",0,1],[\"hb\",1,3,0],[\"po\",3,4],[\"wr\",4,7],[\"po\",7,8],[\"rw\",8,0,1]"),
     "no model forbids this combination"},
    {"wz2 wz1 wx1 wy1 | wx2 rz2 ry1 rx2",
     REFUTES("cm", "WriteHBInitRead",
             "{\"rule\":\"hb\",\"from\":2,\"to\":4,\"read\":7,"
             "\"path\":[[\"po\",2,3],[\"wr\",3,6],[\"po\",6,7]]},"
             "{\"rule\":\"rw\",\"from\":5,\"to\":1,\"read\":5,\"path\":[[\"po\",0,1]]}",
             "[\"po\",1,2],[\"hb\",2,4,0],[\"po\",4,5],[\"rw\",5,1,1]"),
     "no model forbids this combination"},
};

static void test_refusals_say_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof not_a_plain_memory / sizeof *not_a_plain_memory; i++)
        expect_refusal(new_world(not_a_plain_memory[i].history), &not_a_plain_memory[i]);
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
        expect_refusal(new_world(forgeries[i].history), &forgeries[i]);
    struct world *w = new_world("wx1");
    struct forgery transaction = {"", WITNESS("cc", "{\"ops\":[0]}"), "operation 0 is a begin with 2 arguments"};
    w->h->method[0] = history_name(w->h, "begin", 5);
    snprintf(w->digest, sizeof w->digest, "%016" PRIx64, history_digest(w->h));
    expect_refusal(w, &transaction);
}

static void test_reading_errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned column;
        const char *message;
    } lines[] = {
        {"", 1, "expected '{', found the end of the line"},
        {"[", 1, "expected '{', found '['"},
        {"{}", 2, "expected the key \"evidence\" in this object"},
        {"{\"evidence\":2}", 13, "expected version 1"},
        {"{\"evidence\":01}", 13, "a number of JSON has no zeros in front"},
        {"{\"evidence\":1,\"evidence\":1}", 15, "expected no second \"evidence\""},
        {"{\"evidence\":1,}", 15, "expected a key, found '}'"},
        {"{\"evidence\":1 \"index\"", 15, "expected ',' or '}'"},
        {"{\"index\":4294967295}", 10, "expected a number from 0 to 4294967294"},
        {"{\"index\":-1}", 10, "expected a number, found '-'"},
        {"{\"proof\":1}", 2, "expected a known key, found \"proof\""},
        {"{\"model\":\"lin", 14, "expected the end of a model"},
        {"{\"model\":\"xyz\"}", 10, "expected a known model, found \"xyz\""},
        {"{\"history\":\"00\"}", 12, "16 hexadecimal digits"},
        {"{\"verdict\":\"undecided\"}", 12, "expected \"consistent\" or \"violation\""},
        {"{\"cycle\":[[\"po\",0,1,2]]}", 20, "expected ']', found ','"},
        {"{\"cycle\":[[\"cf\",0,1]]}", 20, "expected ',', found ']'"},
        {"{\"cycle\":[[\"xx\",0,1]]}", 12, "expected one of the rules po, wr, rw, cf, hb"},
        {"{\"reasons\":[{\"rule\":\"po\"}]}", 21, "expected one of the rules rw, cf, hb"},
        {"{\"reasons\":[{\"rule\":\"rw\"}]}", 25, "expected the key \"from\""},
        {"{\"pattern\":\"Cyclic\"}", 12, "expected a known pattern"},
        {"{\"orders\":[{\"thread\":0}]}", 23, "expected the key \"ops\""},
        {"{\"evidence\":1,\"history\":\"0123456789abcdef\",\"index\":0,\"model\":\"cc\","
         "\"verdict\":\"consistent\",\"orders\":[],\"culprit\":1}",
         113, "expected no key \"culprit\" with this verdict"},
        {"{\"evidence\":1,\"history\":\"0123456789abcdef\",\"index\":0,\"model\":\"cc\","
         "\"verdict\":\"consistent\",\"orders\":[]} x",
         103, "expected the end of the line, found 'x'"},
    };
    struct world *w = new_world("");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct attempt a = run_line(w, lines[i].line);
        assert_false(a.readable);
        assert_int_equal(a.error.code, ASSAY_ERROR_INPUT);
        if (!strstr(a.error.message, lines[i].message) || a.error.column != lines[i].column)
            fail_msg("%s: column %d: %s", lines[i].line, (int)a.error.column, a.error.message);
        mem_release(&a.mem);
    }
    world_free(w);
}

/* Several objects are several memories, and initial values are taken from the headers. */
static void test_objects_and_initial_values(void **state)
{
    (void)state;
    history *h = history_new();
    struct mem mem = {0};
    assay_error e = {0};
    assert_true(history_header(h, "init", 4, "5 x=7 y=0x9", 11, 0, 0, &e));
    static const struct {
        const char *object, *variable;
        int64_t value;
    } reads[] = {{"a", "x", 7}, {"b", "x", 7}, {"a", "y", 9}, {"b", "z", 5}, {"b", "x", 7}};
    uint32_t thread = history_thread(h, history_name(h, "t", 1));
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct value args[] = {{history_name(h, reads[i].variable, 1), ASSAY_WORD}, {1, ASSAY_INT}};
        struct new_op op = {.thread = thread,
                            .object = history_name(h, reads[i].object, 1),
                            .method = history_name(h, "read", 4),
                            .args = args,
                            .arity = 1,
                            .result = {reads[i].value, ASSAY_INT}};
        history_append(h, &op);
    }
    struct value args[] = {{history_name(h, "x", 1), ASSAY_WORD}, {1, ASSAY_INT}};
    struct new_op write = {.thread = thread,
                           .object = history_name(h, "a", 1),
                           .method = history_name(h, "write", 5),
                           .args = args,
                           .arity = 2};
    history_append(h, &write);
    struct value same[] = {args[0]};
    struct new_op read = {.thread = thread,
                          .object = history_name(h, "b", 1),
                          .method = history_name(h, "read", 4),
                          .args = same,
                          .arity = 1,
                          .result = {7, ASSAY_INT}};
    history_append(h, &read);
    struct evidence_line l = {.model = model_find("ccv"), .evidence = evidence_in(&mem)};
    snprintf(l.digest, sizeof l.digest, "%016" PRIx64, history_digest(h));
    evidence_begin_order(&l.evidence, ASSAY_NO_THREAD);
    for (uint32_t o = 0; o < h->n; o++)
        evidence_place(&l.evidence, o);
    if (!recheck(h, &l, &mem, &e))
        fail_msg("%s", e.message);
    mem_release(&mem);
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_accepted),
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_other_histories),
        cmocka_unit_test(test_written_lines_read_back),
        cmocka_unit_test(test_unproved_results_have_no_line),
        cmocka_unit_test(test_refusals_say_why),
        cmocka_unit_test(test_reading_errors_name_the_column),
        cmocka_unit_test(test_objects_and_initial_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
