/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck of models of transactions: hand-written evidence is accepted, and evidence that is wrong in one point is
 * refused for that point. tests/cross/transactions has proofs of random histories, damaged ones among them. */
#include "assay.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct example {
    const char *name, *history, *evidence; /* evidence: everything behind "index":0, */
    const char *refusal;                   /* a part of it; NULL: accepted */
};

#define REFUTES(model, pattern, reasons, cycle)                                                                        \
    "\"model\":\"" model "\",\"verdict\":\"violation\",\"pattern\":\"" pattern "\",\"reasons\":[" reasons              \
    "],\"cycle\":[" cycle "]}\n"
#define CASES(model, reasons, lemmas, learned)                                                                         \
    "\"model\":\"" model "\",\"verdict\":\"violation\",\"pattern\":\"NoVersionOrder\",\"reasons\":[" reasons           \
    "],\"lemmas\":[" lemmas "],\"learned\":[" learned "]}\n"
#define CULPRIT(model, pattern, culprit)                                                                               \
    "\"model\":\"" model "\",\"verdict\":\"violation\",\"pattern\":\"" pattern "\",\"culprit\":" culprit "}\n"
#define WITNESS(model, ops) "\"model\":\"" model "\",\"verdict\":\"consistent\",\"orders\":[{\"ops\":[" ops "]}]}\n"
#define CF(from, to, read, path)                                                                                       \
    "{\"rule\":\"cf\",\"from\":" from ",\"to\":" to ",\"read\":" read ",\"path\":[" path "]}"
#define RW(from, to, path) "{\"rule\":\"rw\",\"from\":" from ",\"to\":" to ",\"read\":" from ",\"path\":[" path "]}"
#define WW(from, to, path) "{\"rule\":\"ww\",\"from\":" from ",\"to\":" to ",\"path\":[" path "]}"
#define STEP(rule, from, to) "[\"" rule "\"," from "," to "]"
#define BY(rule, from, to, reason) "[\"" rule "\"," from "," to "," reason "]"

#define WRITE_SKEW "a: txn(r x 0, r y 0, w x 1)\nb: txn(r x 0, r y 0, w y 1)\n"
#define LOST_UPDATE "a: txn(r x 0, w x 1)\nb: txn(r x 0, w x 2)\n"
#define BOTH_RW RW("0", "1", "") "," RW("1", "0", "")
#define BOTH_WAYS BY("rw", "0", "1", "0") "," BY("rw", "1", "0", "1")
#define CHAIN "a: txn(w x 1)\nb: txn(r x 1, w y 1)\nc: txn(r y 1, r x 0)\n"
#define TWO_READS "a: txn(w x 1, w y 1)\nb: txn(r y 1, r x 0)\n"
/* Values that repeat. */
#define REPEATED "a: txn(w x 1)\na: txn(w x 2)\nb: txn(w x 1)\na: txn(r x 1)\n"
#define SOURCED(model, ops, sources)                                                                                   \
    "\"model\":\"" model "\",\"verdict\":\"consistent\",\"orders\":[{\"ops\":[" ops "]}],\"sources\":[" sources "]}\n"
#define STALE "a: txn(w x 1)\na: txn(w x 2)\nb: txn(w x 1)\na: txn(r x 1)\na: txn(r x 2)\n"
#define CHOICES(cases) "\"model\":\"tcc\",\"verdict\":\"violation\",\"pattern\":\"NoSources\",\"cases\":[" cases "]}\n"
#define CASE(sources, proof) "{\"sources\":[" sources "],\"pattern\":\"StaleRead\"," proof "}"
#define OF_FIRST                                                                                                       \
    "\"reasons\":[" CF("1", "0", "3", STEP("po", "1", "3")) "],\"cycle\":[" STEP("po", "0", "1") "," BY("cf", "1",     \
                                                                                                        "0", "0") "]"
#define OF_THIRD                                                                                                       \
    "\"reasons\":[" CF("1", "2", "3", STEP("po", "1", "3")) "," CF(                                                    \
        "2", "1", "4", STEP("wr", "2", "3") "," STEP("po", "3", "4")) "],\"cycle\":[" BY("cf", "1", "2",               \
                                                                                         "0") "," BY("cf", "2", "1",   \
                                                                                                     "1") "]"

#define LISTS "a: txn(append x 1, append y 1)\nb: txn(append x 2, append y 2)\nc: txn(r x [1 2], r y [2 1])\n"

static const struct example examples[] = {
    /* walks over begins and commits */
    {"write skew is not ser", WRITE_SKEW, REFUTES("ser", "WriteSkew", BOTH_RW, BOTH_WAYS), NULL},
    {"write skew may be si", WRITE_SKEW, REFUTES("si", "WriteSkew", BOTH_RW, BOTH_WAYS), "only the commit is reached"},
    {"psi knows rw between writers only", WRITE_SKEW, REFUTES("psi", "WriteSkew", BOTH_RW, BOTH_WAYS),
     "under psi, an rw is an order of two writers"},
    {"a lost update is not si", LOST_UPDATE,
     REFUTES("si", "LostUpdate", BOTH_RW "," WW("0", "1", BY("rw", "0", "1", "0")),
             BY("ww", "0", "1", "2") "," BY("rw", "1", "0", "1")),
     NULL},
    {"a lost update may be pc", LOST_UPDATE,
     REFUTES("pc", "LostUpdate", BOTH_RW "," WW("0", "1", BY("rw", "0", "1", "0")),
             BY("ww", "0", "1", "2") "," BY("rw", "1", "0", "1")),
     "only the commit is reached"},
    {"a lost update is not psi, by cases", LOST_UPDATE,
     CASES("psi",
           CF("0", "\"initial\"", "1", STEP("case", "0", "1")) "," CF("1", "\"initial\"", "0", STEP("case", "1", "0")),
           "[[\"cf\",0,\"initial\",0]],[[\"cf\",1,\"initial\",1]]", "[[0,1]],[]"),
     NULL},
    {"a lost update may be pc, by cases", LOST_UPDATE,
     CASES("pc",
           CF("0", "\"initial\"", "1", STEP("case", "0", "1")) "," CF("1", "\"initial\"", "0", STEP("case", "1", "0")),
           "[[\"cf\",0,\"initial\",0]],[[\"cf\",1,\"initial\",1]]", "[[0,1]],[]"),
     "the begin is needed"},
    {"one case is not all", LOST_UPDATE,
     CASES("psi", CF("0", "\"initial\"", "1", STEP("case", "0", "1")), "[[\"cf\",0,\"initial\",0]]", "[]"),
     "does not follow"},
    {"an assumption needs a key of both", WRITE_SKEW, CASES("psi", "", "[[\"case\",0,1],[\"case\",1,0]]", "[]"),
     "not two writers of one key"},
    {"no assumption outside of cases", LOST_UPDATE,
     REFUTES("ser", "LostUpdate", "", STEP("case", "0", "1") "," STEP("case", "1", "0")), "may not be used"},
    /* reasons */
    {"the path of ra has one step", CHAIN,
     REFUTES("ra", "CausalityViolation", CF("0", "\"initial\"", "2", STEP("wr", "0", "1") "," STEP("wr", "1", "2")),
             ""),
     "has one step"},
    {"that of tcc may have more", CHAIN,
     REFUTES("tcc", "CausalityViolation", CF("0", "\"initial\"", "2", STEP("wr", "0", "1") "," STEP("wr", "1", "2")),
             ""),
     NULL},
    {"rc: read from it earlier", TWO_READS,
     REFUTES("rc", "NonMonotonicRead", CF("0", "\"initial\"", "1", STEP("wr", "0", "1")), ""), NULL},
    {"rc: read from it later", "a: txn(w x 1, w y 1)\nb: txn(r x 0, r y 1)\n",
     REFUTES("rc", "NonMonotonicRead", CF("0", "\"initial\"", "1", STEP("wr", "0", "1")), ""), "as said"},
    {"cf needs a path", TWO_READS, REFUTES("ser", "StaleRead", CF("0", "\"initial\"", "1", ""), ""), "is empty"},
    {"an own write is no rival", LOST_UPDATE, REFUTES("ser", "StaleRead", CF("0", "\"initial\"", "0", ""), ""),
     "is empty"},
    {"rw needs a path unless it reads the initial value", "a: txn(w x 1)\nb: txn(r x 1)\nc: txn(w x 2)\n",
     REFUTES("ser", "StaleRead", RW("1", "2", ""), BY("rw", "1", "2", "0")), "from where the path starts"},
    {"a source does not overwrite itself", "a: txn(w x 1)\nb: txn(r x 1)\n",
     REFUTES("ser", "StaleRead", RW("1", "0", STEP("wr", "0", "1")), STEP("wr", "0", "1") "," BY("rw", "1", "0", "0")),
     "another transaction"},
    {"a reason rests on earlier ones", LOST_UPDATE,
     REFUTES("si", "LostUpdate", WW("0", "1", BY("rw", "0", "1", "1")) "," BOTH_RW,
             BY("ww", "0", "1", "0") "," BY("rw", "1", "0", "2")),
     "does not come before it"},
    /* base orders */
    {"session order", "a: txn(w x 1)\na: txn(r x 0)\n",
     REFUTES("ra", "StaleRead", CF("0", "\"initial\"", "1", STEP("po", "0", "1")), ""), NULL},
    {"no session order in plain models", "a: txn(w x 1)\na: txn(r x 0)\n",
     REFUTES("ser-plain", "StaleRead", CF("0", "\"initial\"", "1", STEP("po", "0", "1")), ""), "sessions do not"},
    {"an unknown transaction precedes none", "a: txn(w x 1) => ?\na: txn(r x 0)\nb: txn(r x 1)\n",
     REFUTES("ser", "StaleRead", CF("0", "\"initial\"", "1", STEP("po", "0", "1")), ""), "sessions do not"},
    {"real time", "a: txn(w x 1) @ 1..2\nb: txn(r x 0) @ 3..4\n",
     REFUTES("ra-strict", "StaleRead", CF("0", "\"initial\"", "1", STEP("rt", "0", "1")), ""), NULL},
    {"equal times are concurrent", "a: txn(w x 1) @ 1..3\nb: txn(r x 0) @ 3..4\n",
     REFUTES("ra-strict", "StaleRead", CF("0", "\"initial\"", "1", STEP("rt", "0", "1")), ""), "real time does not"},
    {"real time counts in strict models", "a: txn(w x 1) @ 1..2\nb: txn(r x 0) @ 3..4\n",
     REFUTES("ra", "StaleRead", CF("0", "\"initial\"", "1", STEP("rt", "0", "1")), ""), "real time does not"},
    {"knowledge", "a: txn(w x 1)\nb: txn(r x 0) @ after a:1\n",
     REFUTES("ser-strict", "StaleRead", CF("0", "\"initial\"", "1", STEP("rt", "0", "1")), ""), NULL},
    /* unknown transactions */
    {"a culprit that is observed", "a: txn(r x 5, w y 1) => ?\nb: txn(r y 1)\n", CULPRIT("rc", "ThinAirRead", "0"),
     NULL},
    {"a culprit that may have aborted", "a: txn(r x 5, w y 1) => ?\nb: txn(r y 0)\n", CULPRIT("rc", "ThinAirRead", "0"),
     "takes no part"},
    {"a rival that may have aborted", "a: txn(r x 0, w x 1) => ?\nb: txn(r x 0, w x 2)\n",
     REFUTES("ser", "LostUpdate", BOTH_RW, BOTH_WAYS), "takes no part"},
    /* single reads */
    {"aborted", "a: txn(w x 1) => abort\nb: txn(r x 1)\n", CULPRIT("rc", "AbortedRead", "1"), NULL},
    {"not aborted", "a: txn(w x 1)\nb: txn(r x 1)\n", CULPRIT("rc", "AbortedRead", "1"), "no read of the culprit"},
    {"intermediate", "a: txn(w x 1, w x 2)\nb: txn(r x 1)\n", CULPRIT("ser", "IntermediateRead", "1"), NULL},
    {"part of the appends", "a: txn(append x 1, append x 2)\nb: txn(r x [1])\n", CULPRIT("rc", "IntermediateRead", "1"),
     NULL},
    {"future", "a: txn(r x 1, w x 1)\n", CULPRIT("rc", "FutureRead", "0"), NULL},
    {"internal", "a: txn(w x 1, r x 0)\n", CULPRIT("rc", "InternalRead", "0"), NULL},
    {"two orders of a list", "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [1])\nd: txn(r x [2])\n",
     CULPRIT("rc", "IncompatibleOrder", "3"), NULL},
    {"a beginning of a list", "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [1])\nd: txn(r x [1 2])\n",
     CULPRIT("rc", "IncompatibleOrder", "3"), "no read of the culprit"},
    {"two sources", "a: txn(w x 1)\nb: txn(r x 0, r x 1)\n", CULPRIT("ra", "NonRepeatableRead", "1"), NULL},
    {"two sources under rc", "a: txn(w x 1)\nb: txn(r x 0, r x 1)\n", CULPRIT("rc", "NonRepeatableRead", "1"),
     "does not forbid"},
    /* lists */
    {"orders that lists show", LISTS, REFUTES("rc", "DirtyWrite", "", STEP("vo", "0", "1") "," STEP("vo", "1", "0")),
     NULL},
    {"an order that no list shows", "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [1 2])\n",
     REFUTES("rc", "DirtyWrite", "", STEP("vo", "0", "1") "," STEP("vo", "1", "0")), "no list shows"},
    {"a name that its steps contradict", "a: txn(w x 1, r y 1)\nb: txn(w y 1, r x 1)\n",
     REFUTES("rc", "DirtyWrite", "", STEP("wr", "0", "1") "," STEP("wr", "1", "0")), "is no DirtyWrite"},
    /* witnesses */
    {"both begin before one commits", WRITE_SKEW, WITNESS("si", "0,1,0,1"), NULL},
    {"one after the other is not what they read", WRITE_SKEW, WITNESS("ser", "0,1"), "does not return"},
    {"the first committer wins", LOST_UPDATE, WITNESS("si", "0,1,0,1"), "since its begin"},
    {"under pc the second one, too", LOST_UPDATE, WITNESS("pc", "0,1,0,1"), NULL},
    {"a transaction is missing", WRITE_SKEW, WITNESS("rc", "0"), "transactions take part"},
    {"a transaction is there twice", WRITE_SKEW, WITNESS("rc", "0,0"), "too often"},
    {"an aborted one is there", "a: txn(w x 1) => abort\nb: txn(r x 0)\n", WITNESS("rc", "0,1"), "takes no part"},
    {"an unknown one that is needed", "a: txn(w x 1) => ?\nb: txn(r x 1)\n", WITNESS("ser", "0,1"), NULL},
    {"an unknown one that is missing", "a: txn(w x 1) => ?\nb: txn(r x 1)\n", WITNESS("ser", "1"), "leaves out"},
    {"an unknown one after its session has gone on", "a: txn(w x 1) => ?\na: txn(r x 0)\nb: txn(r x 1)\n",
     WITNESS("ser", "1,0,2"), NULL},
    {"against session order", "a: txn(w x 1)\na: txn(w x 2)\n", WITNESS("rc", "1,0"), "precedes it"},
    {"session order does not count", "a: txn(w x 1)\na: txn(w x 2)\n", WITNESS("rc-plain", "1,0"), NULL},
    {"against real time", "a: txn(w x 1) @ 1..2\nb: txn(w x 2) @ 3..4\n", WITNESS("si-strict", "1,1,0,0"),
     "precedes it"},
    {"against wr", "a: txn(w x 1)\nb: txn(r x 1)\n", WITNESS("rc", "1,0"), "from which it reads"},
    {"rc may miss a write", "a: txn(w x 1, w y 1)\nb: txn(r x 0, r y 1)\n", WITNESS("rc", "0,1"), NULL},
    {"ra may not", "a: txn(w x 1, w y 1)\nb: txn(r x 0, r y 1)\n", WITNESS("ra", "0,1"), "which it had to see"},
    {"ra may miss a cause of a cause", CHAIN, WITNESS("ra", "0,1,2"), NULL},
    {"tcc may not", CHAIN, WITNESS("tcc", "0,1,2"), "which it had to see"},
    {"tcc may lose an update", LOST_UPDATE, WITNESS("tcc", "0,1"), NULL},
    {"psi may not", LOST_UPDATE, WITNESS("psi", "0,1"), "which it had to see"},
    {"a list in another order", "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [2 1])\n", WITNESS("rc", "0,1,2"),
     "list"},
    {"its own order", "a: txn(append x 1)\nb: txn(append x 2)\nc: txn(r x [2 1])\n", WITNESS("ser", "1,0,2"), NULL},
    /* values that repeat */
    {"an execution needs no sources", REPEATED, WITNESS("ser", "0,1,2,3"), NULL},
    {"an execution that returns another value", REPEATED, WITNESS("ser", "0,2,1,3"), "does not return"},
    {"an order without sources", REPEATED, WITNESS("tcc", "0,1,2,3"), "none is named as its source"},
    {"with a source", REPEATED, SOURCED("tcc", "0,1,2,3", "[2,3,0]"), NULL},
    {"an overwritten source", REPEATED, SOURCED("tcc", "0,1,2,3", "[0,3,0]"), "which it had to see"},
    {"a source of another value", REPEATED, SOURCED("tcc", "0,1,2,3", "[1,3,0]"), "cannot have read from"},
    {"the initial value is another one", REPEATED, SOURCED("tcc", "0,1,2,3", "[\"initial\",3,0]"),
     "cannot have read from"},
    {"a source of an access that is no read", REPEATED, SOURCED("tcc", "0,1,2,3", "[2,3,7]"), "reads no register"},
    {"a source of an operation that is not there", REPEATED, SOURCED("tcc", "0,1,2,3", "[2,9,0]"), "does not have"},
    {"two sources of one access", REPEATED, SOURCED("tcc", "0,1,2,3", "[2,3,0],[0,3,0]"), "two sources"},
    {"a source without its access", REPEATED, SOURCED("tcc", "0,1,2,3", "[2,3]"), "not of which access"},
    {"reads of one value have one source", "a: txn(w x 1)\nb: txn(w x 1)\nc: txn(r x 1, r x 1)\n",
     SOURCED("ra", "0,1,2", "[1,2,0]"), NULL},
    {"but for rc", "a: txn(w x 1)\nb: txn(w x 1)\nc: txn(r x 1, r x 1)\n", SOURCED("rc", "0,1,2", "[1,2,0]"),
     "none is named as its source"},
    {"an aborted write is no source", "a: txn(w x 1) => abort\nb: txn(w x 1)\nc: txn(r x 1)\n", WITNESS("tcc", "1,2"),
     NULL},
    {"the cases of all choices", STALE, CHOICES(CASE("[0,3,0]", OF_FIRST) "," CASE("[2,3,0]", OF_THIRD)), NULL},
    {"a case is missing", STALE, CHOICES(CASE("[0,3,0]", OF_FIRST)), "leave a choice"},
    {"a case that needs a source assumes it", STALE, CHOICES(CASE("", OF_FIRST) "," CASE("[2,3,0]", OF_THIRD)),
     "case 0"},
    {"a case that does not hold", STALE, CHOICES(CASE("[0,3,0]", OF_FIRST) "," CASE("[2,3,0]", OF_FIRST)), "case 1"},
    {"a case of other sources", STALE, CHOICES(CASE("[1,3,0]", OF_FIRST)), "cannot have read from"},
    /* histories that are not for these models */
    {"elements that are not unique", "a: txn(append x 1)\nb: txn(append x 1)\nc: txn(r x [1])\n",
     WITNESS("ser", "0,1,2"), "not unique"},
    {"a register and a list", "a: txn(w x 1)\nb: txn(append x 2)\n", WITNESS("ser", "0,1"),
     "both a register and a list"},
    {"operations of a memory", "a: write(x, 1)\n", WITNESS("ser", "0"), "is no transaction"},
};

static void check_example(const struct example *x)
{
    assay_error e = {0};
    assay_history *h = load_text(x->history, &e);
    assert_non_null(h);
    char digest[17], *line = NULL;
    size_t size;
    assay_history_digest(h, digest);
    FILE *out = open_memstream(&line, &size);
    assert_non_null(out);
    fprintf(out, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,%s", digest, x->evidence);
    fclose(out);
    bool accepted = assay_recheck(h, line, NULL, &e);
    bool fine = x->refusal ? !accepted && strstr(e.message, x->refusal) : accepted;
    if (!fine)
        fail_msg("%s: %s", x->name, accepted ? "accepted" : e.message);
    free(line);
    assay_history_free(h);
}

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        check_example(&examples[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
