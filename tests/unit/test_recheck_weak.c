/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence of weak consistency: lines that recheck accepts or refuses, cuts and shrinking, and what the engines say of
 * random histories. Operations are numbered from 0 in the order of the lines. */
#include "assay.h"
#include "evidence/evidence.h"
#include "history/slice.h"
#include "spec/spec.h"
#include "support/load.h"
#include "support/play.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WITNESS(ops, visible) "\"verdict\":\"consistent\",\"orders\":[{\"ops\":[" ops "]}],\"visible\":[" visible "]"
#define NO_VISIBILITY(culprit, prefix, kept)                                                                           \
    "\"verdict\":\"violation\",\"pattern\":\"NoVisibility\",\"culprit\":" #culprit ",\"prefix\":" #prefix              \
    ",\"kept\":[" kept "]"
#define SUSPECTS(ops) ",\"suspects\":[" ops "]"
#define LEVELS(levels) ",\"visibility\":\"" levels "\""
#define SIGHTS(list) ",\"sights\":[" list "]"
#define BY_PATH(by, seen, path, via) "\"by\":" #by ",\"sees\":" #seen ",\"path\":\"" path "\",\"via\":[" via "]"
#define GOES_BACK(sights) NO_VISIBILITY(3, true, "") SUSPECTS("2,3") SIGHTS(sights)
#define ACCEPTED NULL

/* two writes; a later thread reads them in the wrong order */
#define BACKWARDS                                                                                                      \
    "@object register\nt0: write(1) @ 0..1\nt0: write(2) @ 2..3\nt1: read() => 2 @ 4..5\nt1: read() => 1 @ 6..7\n"
#define TWO_WRITES "@object register\nt0: write(1)\nt1: write(2)\nt1: read() => 1\n"
#define NEVER_WRITTEN "@object register\nt0: write(1)\nt1: read() => 3\nt1: read() => 1\n"
#define PENDING_WRITE "@object register\nt0: write(3) => ?\nt1: read() => 3\n"
#define LOCKED "@object lock\nt0: lock()\nt1: lock()\nt1: unlock()\n"
/* what was not there for t1, t2 finds removed */
#define REMOVED                                                                                                        \
    "@object set\nt0: add(1) => true @ 0..1\nt1: remove(1) => false @ 2..3\nt2: contains(1) => false @ 4..5\n"
/* two threads read the two values in different orders */
#define CROSSED                                                                                                        \
    "@object register\nt0: write(1)\nt1: write(2)\nt2: read() => 1\nt2: read() => 2\nt3: read() => 2\nt3: read() => "  \
    "1\n"
/* t2 calls put at the moment when its first operation returns, which no map explains */
#define TIED "@object map\nt1: get(1) => 1 @ 1..4\nt2: containsValue(1) => 1 @ 2..4\nt2: put(1, 1) => null @ 4..8\n"

/* for cuts: how a call that is left out stands to a result that is kept */
#define LATE(call) "@object register\nt0: write(1) @ 0..1\nt1: read() => 9 @ 2..3\nt0: write(9) @ " #call "..9\n"
#define OPEN "@object register\nt0: write(1) @ 0..1\nt1: read() => 9 @ 2..4\nt2: read() => 1 @ 3..8\n"
#define UNLOCKED_TWICE "@object lock\nt0: lock()\nt0: unlock()\nt0: unlock()\n"
#define SWAPPED_ON "@object memory\nt0: write(x, 1)\nt0: rmw(x, 1, 2)\nt0: read(x) => 1\n"
#define READ_IN_ARGUMENTS "@object multi-register\nt0: txn(w x 1)\nt0: txn(r x 1, w y 1)\nt0: txn(r y 2)\n"
/* the first read of t1 is seen only if it comes before the write */
#define READ_BEFORE "@object multi-register\nt0: txn(w x 2)\nt1: txn(r x 0)\nt1: txn(r x 2)\n"
#define ELSEWHERE(read) "@object map\nt0: put(1, 7) => null\nt1: " read "\n"
#define CAS_BETWEEN "@object cas-register\nt0: write(1)\nt0: cas(1, 3) => true\nt0: read() => 4\n"
#define NOT_EMPTY(first) "@object queue\n@init [5]\nt0: " first "\nt0: deq() => empty\n"
#define TWICE(object, add, first, second, remove)                                                                      \
    "@object " object "\nt0: " add "(" #first ")\nt0: " add "(" #second ")\nt1: " remove "\nt1: " remove "\n"
#define QUEUED(first, second) TWICE("queue", "enq", first, second, "deq() => 1")
#define STACKED(first, second) TWICE("stack", "push", first, second, "pop() => 1")
/* the second pop takes the initial value if push(2) is seen, and the first pop executed anew takes that one */
#define STACKED_ON_INITIAL "@object stack\n@init [1]\nt0: push(2)\nt1: pop() => 1\nt1: pop() => 1\n"
#define RANKED(object, first, second) TWICE(object, "add", first, second, "rem() => 2")

struct example {
    const char *model, *history, *proof;
    const char *refused; /* why, or ACCEPTED */
};

static const struct example examples[] = {
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), ACCEPTED},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[0,3],[2,3]"), ACCEPTED},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[1,3]"),
     "is not what the object does after what it sees"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2]"),
     "operation 3 (t1: read() => 1) is not what the object does"},
    {"return-value", BACKWARDS, WITNESS("1,0,2,3", "[1,2],[0,3]"), "which happens before it"},
    {"return-value", BACKWARDS, WITNESS("0,2,1,3", "[1,2],[0,3]"), "which happens before it"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[3,2]"), "does not stand before it"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[3,3]"), "does not stand before it"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[4,3]"), "visible names operation 4"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3],[0,9]"), "visible names operation 9"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,4", "[1,2]"), "the order names operation 4"},
    {"return-value", BACKWARDS, WITNESS("0,1,2,2", "[1,2]"), "is placed twice"},
    {"return-value", BACKWARDS, WITNESS("0,1,2", "[1,2]"), "no order has operation 3"},
    {"return-value", BACKWARDS, WITNESS("0,1]},{\"ops\":[2,3", "[1,2]"), "two orders are about the same object"},
    {"return-value", BACKWARDS, "\"verdict\":\"consistent\",\"orders\":[{\"ops\":[0,1,2,3]}]",
     "expected the key \"visible\""},
    {"lin", BACKWARDS, WITNESS("0,1,2,3", ""), "expected no key \"visible\""},
    {"lin", BACKWARDS, NO_VISIBILITY(3, true, "") LEVELS("read=weak"), "expected no key \"visibility\""},
    {"lin", BACKWARDS, NO_VISIBILITY(3, true, ""), "does not forbid"},
    /* what axioms demand */
    {"read-my-writes", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3],[2,3]"), ACCEPTED},
    {"read-my-writes", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3]"),
     "operation 3 (t1: read() => 1) must see operation 2 (t1: read() => 2), and does not"},
    {"monotonic-reads", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), "must see operation 1"},
    {"peer", BACKWARDS, WITNESS("0,1,2,3", "[0,2],[1,2],[0,3]"), ACCEPTED},
    {"peer", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), "operation 2 (t1: read() => 2) must see operation 0"},
    {"weak-hb", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[0,2],[1,2],[0,3],[2,3]"), "must see operation 1"},
    {"weak-hb", TWO_WRITES, WITNESS("1,0,2", "[1,2],[0,2]"), ACCEPTED}, /* without times only program order */
    {"weak-hb", TWO_WRITES, WITNESS("1,0,2", "[0,2]"), "must see operation 1"},
    {"causal-convergence", TWO_WRITES, WITNESS("1,0,2", "[1,2],[0,2]"), ACCEPTED},
    {"causal-convergence", TWO_WRITES, WITNESS("0,1,2", "[1,2],[0,2]"), "is not what the object does"},
    {"level:complete", TWO_WRITES, WITNESS("1,0,2", "[1,2],[0,2]"), "must see operation 1"},
    {"level:complete", TWO_WRITES, WITNESS("1,0,2", "[1,0],[1,2],[0,2]"), ACCEPTED},
    /* spelled out */
    {"weak: vis >= po", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3],[2,3]"), ACCEPTED},
    {"weak: vis >= po & vis >= vis;vis;vis", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3],[2,3]"), ACCEPTED},
    {"weak: vis >= po & vis >= vis;vis", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3],[2,3]"),
     "must see operation"},
    {"weak: Ret", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), ACCEPTED},
    {"weak:", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), "expected a known model"},
    {"weak: vis >= pu", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]"), "expected a known model"},
    {"weak: vis >= po & vis >= vis;po & vis >= po;vis & vis >= vis;vis & vis >= hb;vis & vis >= vis;hb", BACKWARDS,
     NO_VISIBILITY(3, true, ""), ACCEPTED},
    /* levels by method */
    {"level:complete", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3]") LEVELS("read=weak"), ACCEPTED},
    {"level:complete", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3]"), "must see operation"},
    {"level:complete", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]") LEVELS("read=weak"), "must see operation 0"},
    {"level:weak", BACKWARDS, WITNESS("0,1,2,3", "[1,2],[0,3]") LEVELS("write=complete,read=self"),
     "must see operation"},
    {"level:weak", BACKWARDS, WITNESS("0,1,2,3", "[0,1],[1,2],[0,3],[2,3]") LEVELS("write=complete,read=self"),
     ACCEPTED},
    {"level:weak", BACKWARDS, NO_VISIBILITY(3, true, "") LEVELS("read=monotonic"), ACCEPTED},
    {"level:weak", BACKWARDS, NO_VISIBILITY(3, true, "") LEVELS("read=self"), "has an explanation"},
    {"level:weak", BACKWARDS, NO_VISIBILITY(3, true, "") LEVELS("read=most"), "expected levels by method"},
    {"level:weak", BACKWARDS, NO_VISIBILITY(3, true, "") LEVELS("re'd=weak"), "expected levels by method"},
    /* what is seen is executed anew, whatever it returned; but it must be able to take effect */
    {"weak-hb", REMOVED, WITNESS("0,1,2", "[0,1],[0,2],[1,2]"), "operation 1 (t1: remove(1) => false) is not"},
    {"read-my-writes", REMOVED, WITNESS("0,1,2", "[0,2],[1,2]"), ACCEPTED},
    {"read-my-writes", REMOVED, WITNESS("0,1,2", "[0,2]"), "operation 2 (t2: contains(1) => false) is not"},
    {"return-value", LOCKED, WITNESS("0,1,2", "[1,2]"), ACCEPTED},
    {"return-value", LOCKED, WITNESS("0,1,2", "[0,2],[1,2]"), "operation 2 (t1: unlock()) is not"},
    {"return-value", LOCKED, WITNESS("0,1,2", "[0,1],[1,2]"), "operation 1 (t1: lock()) is not"},
    /* no explanation */
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(3, true, ""), ACCEPTED},
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(3, false, ""), ACCEPTED},
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(2, true, ""), "has an explanation"},
    {"causal-convergence", BACKWARDS, NO_VISIBILITY(3, true, ""), ACCEPTED},
    {"weak-hb", BACKWARDS, NO_VISIBILITY(3, true, ""), ACCEPTED},
    {"return-value", BACKWARDS, NO_VISIBILITY(3, true, ""), "has an explanation"},
    {"return-value", TIED, NO_VISIBILITY(0, true, ""), ACCEPTED},
    {"read-my-writes", BACKWARDS, NO_VISIBILITY(3, true, ""), "has an explanation"},
    {"peer", BACKWARDS, NO_VISIBILITY(3, true, ""), "has an explanation"},
    {"level:complete", TWO_WRITES, NO_VISIBILITY(2, false, ""), "has an explanation"},
    {"level:complete", TWO_WRITES, NO_VISIBILITY(2, true, ""), "a prefix ends with the return"},
    {"return-value", NEVER_WRITTEN, NO_VISIBILITY(1, false, ""), ACCEPTED},
    {"level:monotonic", READ_BEFORE, NO_VISIBILITY(2, false, ""), "has an explanation"},
    {"return-value", PENDING_WRITE, WITNESS("0,1", "[0,1]"), ACCEPTED},
    {"return-value", PENDING_WRITE, NO_VISIBILITY(1, false, ""), "has an explanation"},
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(7, false, ""), "the culprit is not an operation"},
    {"monotonic-reads", BACKWARDS,
     "\"verdict\":\"violation\",\"pattern\":\"NoLinearization\",\"culprit\":3,\"prefix\":false,\"kept\":[]",
     "does not forbid a NoLinearization"},
    /* suspects: their results alone */
    {"weak-hb", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("3"), ACCEPTED},
    {"weak-hb", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("3,3"), ACCEPTED},
    {"weak-hb", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("0,2"), "has an explanation"},
    {"weak-hb", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("9"), "the suspects name operation 9"},
    {"weak-hb", BACKWARDS, NO_VISIBILITY(2, true, "") SUSPECTS("3"), "which is left out"},
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("3"), "has an explanation"},
    {"weak: vis >= po;lin", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("3"), "has an explanation"},
    /* sights: what a result shows, and what an axiom demands then */
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1},{" BY_PATH(3, 1, "vis;po", "2") "}"), ACCEPTED},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{" BY_PATH(3, 1, "vis;po", "2") "}"), "a step of the path does not hold"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1},{" BY_PATH(3, 1, "vis;po", "0") "}"),
     "a step of the path does not hold"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1},{" BY_PATH(3, 1, "po;vis", "2") "}"),
     "no axiom of operation 3"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1},{" BY_PATH(3, 2, "po", "") "}"),
     "no axiom of operation 3"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":0}"), "need not see operation 0"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":3,\"sees\":1}"), "need not see operation 1"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1}"), "has an explanation"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":2}"), "is said to see itself"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":9}"), "the sights name operation 9"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{\"by\":2,\"sees\":1,\"path\":\"po\"}"), "expected the key \"via\""},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{" BY_PATH(3, 1, "vis;po", "") "}"), "expected one operation between"},
    {"monotonic-reads", BACKWARDS, GOES_BACK("{" BY_PATH(3, 1, "vis,po", "2") "}"), "expected a path"},
    {"monotonic-reads", BACKWARDS, NO_VISIBILITY(3, true, "") SIGHTS("{\"by\":2,\"sees\":1}"), "without suspects"},
    {"return-value", PENDING_WRITE, NO_VISIBILITY(1, false, "") SUSPECTS("1") SIGHTS("{\"by\":0,\"sees\":1}"),
     "has returned nothing that shows a sight"},
    {"lin", BACKWARDS, NO_VISIBILITY(3, true, "") SIGHTS("{\"by\":2,\"sees\":1}"), "expected no key \"sights\""},
    {"lin", BACKWARDS, NO_VISIBILITY(3, true, "") SUSPECTS("3"), "expected no key \"suspects\""},
    {"weak-hb", BACKWARDS, WITNESS("0,1,2,3", "") SUSPECTS("3"), "expected no key \"suspects\""},
    {"level:complete", CROSSED, NO_VISIBILITY(5, false, "") SUSPECTS("2,3,4,5"), ACCEPTED},
    {"level:complete", CROSSED, NO_VISIBILITY(5, false, "") SUSPECTS("2,3"), "has an explanation"},
    {"level:complete", CROSSED, NO_VISIBILITY(5, false, "") SUSPECTS("3,4,5"), "has an explanation"},
    {"return-value", PENDING_WRITE, NO_VISIBILITY(1, false, "") SUSPECTS("0,1"), "has an explanation"},
    /* cuts: calls that change nothing, and calls that no result depends on */
    {"return-value", NEVER_WRITTEN, NO_VISIBILITY(1, false, "0,1"), ACCEPTED},
    {"return-value", NEVER_WRITTEN, NO_VISIBILITY(1, false, "1,2"), "operation 0 (t0: write(1)) cannot be left out"},
    {"read-my-writes", REMOVED, NO_VISIBILITY(2, false, "0,2"), "operation 1 (t1: remove(1) => false) cannot be left"},
    {"read-my-writes", REMOVED, NO_VISIBILITY(2, false, ""), "has an explanation"},
    {"return-value", LATE(4), NO_VISIBILITY(1, false, "1"), ACCEPTED},
    {"return-value", LATE(3), NO_VISIBILITY(1, false, "1"), "operation 2 (t0: write(9)) cannot be left out"},
    {"return-value", OPEN, NO_VISIBILITY(1, true, "1,2"), ACCEPTED},
    {"return-value", OPEN, NO_VISIBILITY(1, false, "1,2"), "operation 2 (t2: read() => 1) may depend on it"},
    {"return-value", OPEN, NO_VISIBILITY(2, true, "1,2"), "operation 2 (t2: read() => 1) may depend on it"},
    {"return-value", UNLOCKED_TWICE, NO_VISIBILITY(2, false, "2"), "operation 0 (t0: lock()) cannot be left out"},
    {"weak-hb", SWAPPED_ON, NO_VISIBILITY(2, false, "1"), "operation 0 (t0: write(x, 1)) cannot be left out"},
    {"weak-hb", SWAPPED_ON, NO_VISIBILITY(2, false, "0,1"), "has an explanation"},
    {"weak-hb", READ_IN_ARGUMENTS, NO_VISIBILITY(2, false, "1"), "operation 0 (t0: txn(w x 1)) cannot be left out"},
    {"return-value", ELSEWHERE("get(2) => 7"), NO_VISIBILITY(1, false, "1"), ACCEPTED},
    {"return-value", ELSEWHERE("get(1) => 7"), NO_VISIBILITY(1, false, "1"), "cannot be left out"},
    {"return-value", ELSEWHERE("size() => 1"), NO_VISIBILITY(1, false, "1"), "cannot be left out"},
    {"return-value", CAS_BETWEEN, NO_VISIBILITY(2, false, "2"), "operation 0 (t0: write(1)) cannot be left out"},
    {"return-value", CAS_BETWEEN, NO_VISIBILITY(2, false, "0,1"), "has an explanation"},
    {"return-value", NOT_EMPTY("enq(1)"), NO_VISIBILITY(1, false, "1"), ACCEPTED},
    {"return-value", NOT_EMPTY("deq() => 5"), NO_VISIBILITY(1, false, "1"), "cannot be left out"},
    {"return-value", QUEUED(1, 2), NO_VISIBILITY(3, false, "0,2,3"), "has an explanation"},
    {"level:complete", QUEUED(1, 2), NO_VISIBILITY(3, false, "0,2,3"), ACCEPTED},
    {"level:complete", QUEUED(2, 1), NO_VISIBILITY(3, false, "1,2,3"), "operation 0 (t0: enq(2)) cannot be left out"},
    {"level:complete", QUEUED(1, 1), NO_VISIBILITY(3, false, "0,2,3"), "operation 1 (t0: enq(1)) cannot be left out"},
    {"level:complete", STACKED(2, 1), NO_VISIBILITY(3, false, "1,2,3"), ACCEPTED},
    {"level:complete", STACKED(1, 2), NO_VISIBILITY(3, false, "0,2,3"), "operation 1 (t0: push(2)) cannot be left out"},
    {"level:complete", STACKED(1, 1), NO_VISIBILITY(3, false, "1,2,3"), "operation 0 (t0: push(1)) cannot be left out"},
    {"level:complete", "@init [1]\n" STACKED(2, 1), NO_VISIBILITY(3, false, "1,2,3"), "cannot be left out"},
    {"weak-hb", STACKED_ON_INITIAL, NO_VISIBILITY(2, false, "1,2"), "operation 0 (t0: push(2)) cannot be left out"},
    {"weak-hb", STACKED_ON_INITIAL, NO_VISIBILITY(2, false, ""), "has an explanation"},
    {"level:complete", RANKED("pqueue", 1, 2), NO_VISIBILITY(3, false, "1,2,3"), ACCEPTED},
    {"level:complete", RANKED("pqueue", 3, 2), NO_VISIBILITY(3, false, "1,2,3"), "cannot be left out"},
    {"level:complete", RANKED("pqueue", 2, 2), NO_VISIBILITY(3, false, "1,2,3"), "cannot be left out"},
    {"level:complete", RANKED("pqueue(min)", 1, 2), NO_VISIBILITY(3, false, "1,2,3"), "cannot be left out"},
};

/* Whether it is accepted; says why not. */
static bool recheck_line(const assay_history *h, const char *model, const char *proof, bool *searched, assay_error *e)
{
    char line[1200];
    snprintf(line, sizeof line, "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\",%s}\n",
             history_digest(h), model, proof);
    return assay_recheck_with(h, line, NULL, NULL, searched, e);
}

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        assay_error e = {0};
        bool searched;
        assay_history *h = load_text(x->history, &e);
        if (!h)
            fail_msg("%s: %s", x->history, e.message);
        bool accepted = recheck_line(h, x->model, x->proof, &searched, &e);
        if (accepted != !x->refused || (x->refused && !strstr(e.message, x->refused)))
            fail_msg("%s of\n%s%s: %s", x->model, x->history, x->proof, accepted ? "accepted" : e.message);
        if (accepted)
            assert_int_equal(searched, strstr(x->proof, "NoVisibility") != NULL);
        assay_history_free(h);
    }
}

/* More than the search can go through: not proved, which is no claim about the verdict. */
static void test_searches_are_bounded(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {30, 80};
    for (int k = 0; k < 2; k++) {
        assay_history *h = assay_history_new();
        for (uint32_t i = 0; i < sizes[k]; i++) {
            char thread[16];
            snprintf(thread, sizeof thread, "t%u", (unsigned)i);
            assay_value args[] = {assay_int(i)};
            assay_operation op = {.thread = thread, .method = "write", .args = args, .arg_count = 1};
            if (i == 0)
                op = (assay_operation){.thread = thread, .method = "read", .result = assay_int(-1)};
            assay_history_add(h, &op, NULL);
        }
        assay_error e = {0};
        bool searched;
        const char *proof = NO_VISIBILITY(0, false, "") ",\"object\":\"register\"";
        assert_false(recheck_line(h, "causal-convergence", proof, &searched, &e));
        assert_int_equal(e.code, ASSAY_ERROR_LIMIT);
        assert_non_null(strstr(e.message, k ? "visibility-operations" : "visibility-sets"));
        assay_history_free(h);
    }
}

/* ---- what the library writes ---- */

static char *written(const assay_result *r)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (!assay_result_write_evidence(r, 0, out))
        fail_msg("no evidence");
    fclose(out);
    return line;
}

static void put_settings(char *proof, size_t size, const assay_options *options)
{
    size_t n = strlen(proof);
    if (options->visibility)
        n += (size_t)snprintf(proof + n, size - n, LEVELS("%s"), options->visibility);
    if (options->skew)
        snprintf(proof + n, size - n, ",\"skew\":\"%d\"", (int)options->skew);
}

static void put_numbers(char *proof, size_t size, const uint32_t *numbers, uint32_t n)
{
    size_t length = strlen(proof);
    for (uint32_t i = 0; i < n; i++)
        length += (size_t)snprintf(proof + length, size - length, "%s%u", i ? "," : "", (unsigned)numbers[i]);
    snprintf(proof + length, size - length, "]");
}

/* A record that there is no explanation of these operations, of the prefix or of the whole. */
static bool refutes(const assay_history *h, const assay_result *r, const assay_options *options, bool prefix,
                    const uint32_t *kept, uint32_t n, assay_error *e)
{
    char proof[900];
    bool searched;
    snprintf(proof, sizeof proof,
             "\"verdict\":\"violation\",\"pattern\":\"NoVisibility\",\"culprit\":%u,\"prefix\":%s,\"kept\":[",
             (unsigned)r->evidence.culprit, prefix ? "true" : "false");
    put_numbers(proof, sizeof proof, kept, n);
    put_settings(proof, sizeof proof, options);
    return recheck_line(h, assay_result_model(r), proof, &searched, e);
}

/* What shrinking leaves is a violation by itself, with a proof. And it is a cut that recheck allows, of the prefix or of
 * the whole. */
static bool shrinks(const assay_history *h, const assay_result *r, const assay_options *options, assay_error *e)
{
    uint32_t kept[PLAY_MOST];
    assay_history *small = assay_shrink(r, options, kept, e);
    assay_result *again = small ? assay_check(small, assay_result_model(r), options, e) : NULL;
    bool fine = again && assay_result_verdict(again) == ASSAY_VIOLATION, searched;
    if (fine) {
        char *line = written(again);
        fine = assay_recheck_with(small, line, options, NULL, &searched, e);
        free(line);
    }
    if (fine)
        fine = (r->evidence.prefix && refutes(h, r, options, true, kept, assay_history_size(small), e)) ||
               refutes(h, r, options, false, kept, assay_history_size(small), e);
    assay_result_free(again);
    assay_history_free(small);
    return fine;
}

/* If all operations are suspects, the record is accepted only if the history is a violation. Where the axioms use no
 * visibility of others, it is accepted if and only if it is one. */
static bool suspects_agree(const assay_history *h, const assay_result *r, const assay_options *options, assay_error *e)
{
    bool violation = assay_result_verdict(r) == ASSAY_VIOLATION, searched;
    char proof[900];
    size_t n = (size_t)snprintf(proof, sizeof proof,
                                "\"verdict\":\"violation\",\"pattern\":\"NoVisibility\",\"culprit\":%u,"
                                "\"prefix\":false,\"kept\":[],\"suspects\":[",
                                violation ? (unsigned)r->evidence.culprit : 0);
    for (uint32_t i = 0; i < assay_history_size(h); i++)
        n += (size_t)snprintf(proof + n, sizeof proof - n, "%s%u", i ? "," : "", (unsigned)i);
    snprintf(proof + n, sizeof proof - n, "]");
    put_settings(proof, sizeof proof, options);
    bool accepted = recheck_line(h, assay_result_model(r), proof, &searched, e);
    const struct model *m = r->model;
    bool plain = !options->visibility && !strstr(m->axioms, ";");
    return plain ? accepted == violation || strstr(e->message, "is left out") : !accepted || violation;
}

/* The verdict is proved; and one that is made up is refused. */
static assay_verdict proved(const assay_history *h, const char *model, const assay_options *options, assay_error *e)
{
    assay_result *r = assay_check(h, model, options, e);
    if (!r)
        return ASSAY_UNDECIDED;
    assay_verdict verdict = assay_result_verdict(r);
    char *line = written(r);
    bool searched;
    if (!assay_recheck_with(h, line, options, NULL, &searched, e))
        verdict = ASSAY_UNDECIDED;
    char forged[600] = NO_VISIBILITY(0, false, "");
    put_settings(forged, sizeof forged, options);
    if (verdict == ASSAY_CONSISTENT && recheck_line(h, model, forged, &searched, &(assay_error){0})) {
        snprintf(e->message, sizeof e->message, "a made up violation was accepted");
        verdict = ASSAY_UNDECIDED;
    }
    assay_error other = {0};
    if (verdict != ASSAY_UNDECIDED && !suspects_agree(h, r, options, &other)) {
        snprintf(e->message, sizeof e->message, "all operations are suspects: %.200s", other.message);
        verdict = ASSAY_UNDECIDED;
    }
    if (verdict == ASSAY_VIOLATION && !shrinks(h, r, options, &other)) {
        snprintf(e->message, sizeof e->message, "what shrinking leaves is no proved cut: %.200s", other.message);
        verdict = ASSAY_UNDECIDED;
    }
    free(line);
    assay_result_free(r);
    return verdict;
}

/* The longest model and levels that there can be come back from the line. */
static void test_long_texts(void **state)
{
    (void)state;
    char model[MODEL_TEXT];
    snprintf(model, sizeof model, "%-*s", MODEL_TEXT - 1, "weak: vis >= po & lin >= hb;lin");
    assay_error e = {0};
    assay_history *h = load_text(BACKWARDS, &e);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .visibility = "write=self,read=self"};
    if (proved(h, model, &options, &e) != ASSAY_CONSISTENT)
        fail_msg("'%s': %s", model, e.message);
    char too_long[2 * VISIBILITY_TEXT] = "read=self";
    while (strlen(too_long) < VISIBILITY_TEXT)
        strcat(too_long, ",read=self");
    options.visibility = too_long;
    assert_null(assay_check(h, model, &options, &e));
    assert_non_null(strstr(e.message, "characters"));
    assay_history_free(h);
}

static void test_shrinking(void **state)
{
    (void)state;
    assay_error e = {0};
    /* the read of 9 is enough: no write of 9 can be seen, whichever others are */
    assay_history *h = load_text("@object register\nt0: write(1) @ 0..1\nt0: write(2) @ 2..3\nt1: read() => 2 @ 4..5\n"
                                 "t1: read() => 9 @ 6..7\nt1: read() => 2 @ 8..9\nt0: write(3) @ 10..11\n",
                                 &e);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .visibility = "read=self"};
    assay_result *r = assay_check(h, "return-value", &options, &e);
    uint32_t kept[6];
    assay_history *small = assay_shrink(r, &options, kept, &e);
    assert_non_null(small);
    assert_int_equal(assay_history_size(small), 1);
    assert_int_equal(kept[0], 3);
    assay_history_free(small);
    assay_result_free(r);
    assay_history_free(h);
}

/* ---- random histories ---- */

static const char *const models[] = {
    "return-value",
    "read-my-writes",
    "monotonic-reads",
    "peer",
    "causal-convergence",
    "weak-hb",
    "level:weak",
    "level:self",
    "level:monotonic",
    "level:peer",
    "level:causal",
    "level:complete",
    "weak: vis >= hb;vis & vis >= vis;po",
    "weak: vis >= po;lin",
    "weak: vis >= vis;hb;vis & vis >= po",
};

struct kind {
    const char *object, *levels;
};

static const struct kind kinds[] = {
    {"register", "read=monotonic"},
    {"counter", "get=causal,inc=complete"},
    {"map", "get=weak,put=complete"},
    {"append-map", "get=peer,append=self"},
    {"queue", "deq=self,enq=complete"},
    {"stack", "pop=causal"},
    {"set", "contains=weak,add=complete,remove=complete"},
    {"lock", "trylock=weak"},
    {"cas-register", "cas=complete"},
    {"memory", "read=monotonic"},
    {"pqueue", "rem=self"},
    {"multi-register", "txn=peer"},
};

static const assay_spec *spec_named(const char *name)
{
    for (size_t i = 0; spec_table[i]; i++)
        if (strcmp(spec_table[i]->name, name) == 0)
            return spec_table[i];
    fail_msg("no object %s", name);
    return NULL;
}

static void judge(const struct play *p, const char *model, const char *levels, int64_t skew, uint32_t *violations)
{
    assay_error e = {0};
    assay_history *h = play_build(p);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .visibility = levels, .skew = skew};
    assay_verdict verdict = proved(h, model, &options, &e);
    if (verdict == ASSAY_UNDECIDED) {
        play_print(p, stderr);
        fail_msg("%s, %s, skew %d: %s", model, levels ? levels : "-", (int)skew, e.message);
    }
    *violations += verdict == ASSAY_VIOLATION;
    assay_history_free(h);
}

static void test_random_histories(void **state)
{
    (void)state;
    struct rng rng = {.state = 5};
    uint32_t violations = 0, all = 0;
    for (uint32_t round = 0; round < 60; round++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct cast cast = {.object = kinds[k].object,
                                .spec = spec_named(kinds[k].object),
                                .least = 2,
                                .most = 6,
                                .threads = 3,
                                .values = 2,
                                .pending = 30,
                                .lies = 2,
                                .ties = 10};
            struct play p = play_random(&cast, &rng);
            p.times = (enum play_times)(round % 3);
            for (size_t m = 0; m < sizeof models / sizeof *models; m++, all++)
                judge(&p, models[m], round % 2 ? kinds[k].levels : NULL, round % 5 == 4, &violations);
        }
    assert_in_range(violations, all / 20, all - all / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),         cmocka_unit_test(test_searches_are_bounded),
        cmocka_unit_test(test_long_texts),       cmocka_unit_test(test_shrinking),
        cmocka_unit_test(test_random_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
