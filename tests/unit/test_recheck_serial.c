/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck of the models with store orders: hand-written evidence is accepted, forgeries are refused with the
 * reason, and whatever recheck accepts of mutants, or of evidence moved to other histories, claims a verdict
 * that brute force confirms. Lines of models that this build does not list are left out. */
#include "evidence/evidence.h"
#include "history/slice.h"
#include "support/mutants.h"
#include "support/shorthand.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct example {
    const char *name, *model;
    const char *history; /* shorthand; operations are numbered from left to right */
    const char *final;   /* of an @final line, or NULL */
    const char *proof;   /* what follows the model */
};

#define REFUTES(reasons, cycle)                                                                                        \
    "\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[" reasons "],\"cycle\":[" cycle "]}\n"
#define CASES(reasons, lemmas, learned)                                                                                \
    "\"verdict\":\"violation\",\"pattern\":\"NoStoreOrder\",\"reasons\":[" reasons "],\"lemmas\":[" lemmas             \
    "],\"learned\":[" learned "]}\n"
#define CAUSAL(pattern, reasons, cycle)                                                                                \
    "\"verdict\":\"violation\",\"pattern\":\"" pattern "\",\"reasons\":[" reasons "],\"cycle\":[" cycle "]}\n"
#define ORDERS(orders) "\"verdict\":\"consistent\",\"orders\":[" orders "]}\n"
#define CLOSED(orders, pairs) "\"verdict\":\"consistent\",\"orders\":[" orders "],\"closed\":[" pairs "]}\n"

#define RW(from, to, path) "{\"rule\":\"rw\",\"from\":" #from ",\"to\":" #to ",\"read\":" #from ",\"path\":[" path "]}"
#define CF(from, to, read, path)                                                                                       \
    "{\"rule\":\"cf\",\"from\":" #from ",\"to\":" #to ",\"read\":" #read ",\"path\":[" path "]}"
#define HB(from, to, read, path)                                                                                       \
    "{\"rule\":\"hb\",\"from\":" #from ",\"to\":" #to ",\"read\":" #read ",\"path\":[" path "]}"
#define WW(from, to, path) "{\"rule\":\"ww\",\"from\":" #from ",\"to\":" #to ",\"path\":[" path "]}"
#define F(rule, from, to) "[\"" rule "\"," #from "," #to "]"           /* a fact */
#define D(rule, from, to, i) "[\"" rule "\"," #from "," #to "," #i "]" /* derived, by reason i */

static const char buffering[] = "wx1 ry0 | wy1 rx0", passing[] = "wx1 wy1 | ry1 rx0";
static const char iriw[] = "wx1 | wy1 | rx1 ry0 | ry1 rx0";
static const char fig_1d[] = "wx1 ry0 wy1 rx1 | wx2 ry0 wy2 rx2";
static const char fig_4_8a[] = "rz2 wy2 rx1 | wx1 wy1 wz1 | wt1 ws1 wz2 | rz2 wx2 ry1 | rz1 wt2 rs1 | rz1 ws2 rt1";

/* Fig. 4.8a: whichever of wx1 (3) and wx2 (10) is first, wz2 (8) comes before wz1 (5), and then neither of the
 * last two threads can have its write first. */
#define REASONS_4_8A                                                                                                                   \
    RW(2, 10, F("case", 3, 10))                                                                                                        \
    "," CF(1, 4, 11, F("po", 1, 2) "," D("rw", 2, 10, 0) "," F("po", 10, 11)) "," RW(                                                  \
        9, 5,                                                                                                                          \
        F("wr", 8, 0) "," F("po", 0, 1) "," D("cf", 1, 4, 1) "," F(                                                                    \
            "po", 4,                                                                                                                   \
            5)) "," RW(17, 13,                                                                                                         \
                       F("po", 6, 8) "," F("wr", 8, 9) "," D("rw", 9, 5, 2) "," F("wr", 5, 12) "," F(                                  \
                           "po", 12,                                                                                                   \
                           13)) "," RW(14, 16,                                                                                         \
                                       F("po", 7, 8) "," F("wr", 8, 9) "," D("rw", 9, 5, 2) "," F("wr", 5, 15) "," F(                  \
                                           "po", 15,                                                                                   \
                                           16)) "," RW(0, 5,                                                                           \
                                                       F("wr", 8, 9) "," F("po", 9, 10) "," F("case", 10, 3) "," F(                    \
                                                           "po", 3,                                                                    \
                                                           5)) "," RW(17, 13,                                                          \
                                                                      F("po", 6, 8) "," F("wr", 8, 0) "," D("rw", 0, 5, 5) "," F(      \
                                                                          "wr", 5,                                                     \
                                                                          12) "," F("po", 12,                                          \
                                                                                    13)) "," RW(14, 16,                                \
                                                                                                F("po", 7, 8) "," F("wr", 8, 0) "," D( \
                                                                                                    "rw", 0,                           \
                                                                                                    5,                                 \
                                                                                                    5) "," F("w"                       \
                                                                                                             "r",                      \
                                                                                                             5,                        \
                                                                                                             15) "," F("po",           \
                                                                                                                       15,             \
                                                                                                                       16))
#define LEMMA_4_8A(a, b) "[" D("rw", 17, 13, a) "," F("po", 13, 14) "," D("rw", 14, 16, b) "," F("po", 16, 17) "]"

static const struct example examples[] = {
    {"store buffering is not sc", "sc", buffering, NULL,
     REFUTES(RW(1, 2, "") "," RW(3, 0, ""), F("po", 0, 1) "," D("rw", 1, 2, 0) "," F("po", 2, 3) "," D("rw", 3, 0, 1))},
    {"nor wsc", "wsc", buffering, NULL,
     REFUTES(RW(1, 2, "") "," RW(3, 0, ""), F("po", 0, 1) "," D("rw", 1, 2, 0) "," F("po", 2, 3) "," D("rw", 3, 0, 1))},
    {"store buffering is tso", "tso", buffering, NULL, ORDERS("{\"ops\":[1,3,0,2]}")},
    {"store buffering is pso", "pso", buffering, NULL, ORDERS("{\"ops\":[1,3,2,0]}")},
    {"store buffering is wtso", "wtso", buffering, NULL, CLOSED("{\"ops\":[1,3,0,2]},{\"ops\":[3,0,1,2]}", "")},
    {"fences forbid it", "tso", "wx1 f ry0 | wy1 f rx0", NULL,
     REFUTES(RW(2, 3, "") "," RW(5, 0, ""),
             F("ppo", 0, 1) "," F("ppo", 1, 2) "," D("rw", 2, 3, 0) "," F("ppo", 3, 5) "," D("rw", 5, 0, 1))},
    {"so do rmws", "pso", "wx1 uz01 ry0 | wy1 uw01 rx0", NULL,
     REFUTES(RW(2, 3, "") "," RW(5, 0, ""),
             F("ppo", 0, 1) "," F("ppo", 1, 2) "," D("rw", 2, 3, 0) "," F("ppo", 3, 5) "," D("rw", 5, 0, 1))},
    /* ry0 comes before wy2, which gives wx1 before rx2, so that wx1 comes before wx2; and so the other way */
    {"Fig. 1d is not sc", "sc", fig_1d, NULL,
     REFUTES(RW(5, 2, "") "," CF(4, 0, 3, F("po", 4, 5) "," D("rw", 5, 2, 0) "," F("po", 2, 3)) "," RW(1, 6, "") "," CF(
                 0, 4, 7, F("po", 0, 1) "," D("rw", 1, 6, 2) "," F("po", 6, 7)),
             D("cf", 0, 4, 3) "," D("cf", 4, 0, 1))},
    {"Fig. 1d is tso", "tso", fig_1d, NULL, ORDERS("{\"ops\":[1,5,3,0,2,7,4,6]}")},
    {"IRIW is not tso", "tso", iriw, NULL,
     REFUTES(RW(3, 1, "") "," RW(5, 0, ""), F("wr", 0, 2) "," F("ppo", 2, 3) "," D("rw", 3, 1, 0) "," F(
                                                "wr", 1, 4) "," F("ppo", 4, 5) "," D("rw", 5, 0, 1))},
    {"nor sc, by steps of tso", "sc", iriw, NULL,
     REFUTES(RW(3, 1, "") "," RW(5, 0, ""), F("wr", 0, 2) "," F("ppo", 2, 3) "," D("rw", 3, 1, 0) "," F(
                                                "wr", 1, 4) "," F("po", 4, 5) "," D("rw", 5, 0, 1))},
    {"nor ccm", "ccm", iriw, NULL,
     REFUTES(RW(3, 1, "") "," RW(5, 0, ""), F("wr", 0, 2) "," F("po", 2, 3) "," D("rw", 3, 1, 0) "," F(
                                                "wr", 1, 4) "," F("po", 4, 5) "," D("rw", 5, 0, 1))},
    {"nor wccm", "wccm", iriw, NULL,
     REFUTES(RW(3, 1, "") "," RW(5, 0, ""), F("wr", 0, 2) "," F("ppo", 2, 3) "," D("rw", 3, 1, 0) "," F(
                                                "wr", 1, 4) "," F("ppo", 4, 5) "," D("rw", 5, 0, 1))},
    {"Fig. 2.8d is not wccm, by po on x", "wccm", "wx1 | wx2 rx1 rx2", NULL,
     REFUTES(HB(1, 0, 2, F("loc", 1, 2)) "," HB(0, 1, 3, F("wr", 0, 2) "," F("loc", 2, 3)),
             D("hb", 1, 0, 0) "," D("hb", 0, 1, 1))},
    {"the same by a ww of hb and an rw", "wccm", "wx1 | wx2 rx1 rx2", NULL,
     REFUTES(HB(1, 0, 2, F("loc", 1, 2)) "," WW(1, 0, D("hb", 1, 0, 0)) "," RW(3, 0, D("ww", 1, 0, 1)),
             D("rw", 3, 0, 2) "," F("wr", 0, 2) "," F("ppo", 2, 3))},
    {"Fig. 1d is ccm, recomputed", "ccm", fig_1d, NULL, ORDERS("")},
    {"Fig. 1d is wccm, recomputed", "wccm", fig_1d, NULL, ORDERS("")},
    {"Fig. 1c is not ccm", "ccm", "wx1 wx2 ry1 | wy1 wy2 ry2 rx1", NULL,
     REFUTES(WW(0, 1, F("po", 0, 1)) "," WW(3, 4, F("po", 3, 4)) "," RW(2, 4, D("ww", 3, 4, 1)) "," RW(
                 6, 1, D("ww", 0, 1, 0)),
             D("rw", 2, 4, 2) "," F("po", 4, 6) "," D("rw", 6, 1, 3) "," F("po", 1, 2))},
    {"Fig. 2.8d is not ccm, by its observer", "ccm", "wx1 | wx2 rx1 rx2", NULL,
     REFUTES(HB(1, 0, 2, F("po", 1, 2)) "," HB(0, 1, 3, F("wr", 0, 2) "," F("po", 2, 3)),
             D("hb", 1, 0, 0) "," D("hb", 0, 1, 1))},
    {"message passing is not tso", "tso", passing, NULL,
     REFUTES(RW(3, 0, ""), F("ppo", 0, 1) "," F("wr", 1, 2) "," F("ppo", 2, 3) "," D("rw", 3, 0, 0))},
    {"message passing is not tso, causally", "tso", passing, NULL,
     CAUSAL("WriteCOInitRead", RW(3, 0, ""), F("po", 0, 1) "," F("wr", 1, 2) "," F("po", 2, 3) "," D("rw", 3, 0, 0))},
    {"message passing is pso", "pso", passing, NULL, ORDERS("{\"ops\":[1,2,3,0]}")},
    {"with a fence it is not", "pso", "wx1 f wy1 | ry1 rx0", NULL,
     REFUTES(RW(4, 0, ""), F("ppo", 0, 2) "," F("wr", 2, 3) "," F("ppo", 3, 4) "," D("rw", 4, 0, 0))},
    {"own future", "tso", "rx1 wx1", NULL, REFUTES("", F("loc", 0, 1) "," F("wr", 1, 0))},
    {"own future, pso", "pso", "rx1 wx1", NULL, REFUTES("", F("loc", 0, 1) "," F("wr", 1, 0))},
    {"own future, sc", "sc", "rx1 wx1", NULL, CAUSAL("CyclicCO", "", F("po", 0, 1) "," F("wr", 1, 0))},
    {"a store order carried into the other graph", "wtso", "wx1 rx2 | wx2 rx1", NULL,
     REFUTES(CF(0, 2, 1, F("loc", 0, 1)) "," CF(2, 0, 3, F("loc", 2, 3)), D("cf", 0, 2, 0) "," D("cf", 2, 0, 1))},
    {"a ww reason", "tso", "wx1 wx2 | rx2 rx1", NULL,
     REFUTES(WW(0, 1, F("ppo", 0, 1)) "," RW(3, 1, D("ww", 0, 1, 0)),
             F("wr", 1, 2) "," F("loc", 2, 3) "," D("rw", 3, 1, 1))},
    {"causal memory refutes sc", "sc", "wx1 | wx2 rx1 rx2", NULL,
     CAUSAL("CyclicHB", HB(1, 0, 2, F("po", 1, 2)) "," HB(0, 1, 3, F("wr", 0, 2) "," F("po", 2, 3)),
            D("hb", 1, 0, 0) "," D("hb", 0, 1, 1))},
    {"Fig. 4.8a is not sc", "sc", fig_4_8a, NULL,
     CASES(REASONS_4_8A, LEMMA_4_8A(3, 4) "," LEMMA_4_8A(6, 7), "[[3,10]],[]")},
    {"Fig. 4.8a, the empty clause alone", "sc", fig_4_8a, NULL,
     CASES(REASONS_4_8A, LEMMA_4_8A(3, 4) "," LEMMA_4_8A(6, 7), "[]")},
    {"transitivity as a lemma, and a contradiction without cases", "tso", "rx1 wx1 | wx2", NULL,
     CASES("", "[" F("case", 1, 2) "," F("case", 2, 1) "],[" F("loc", 0, 1) "," F("wr", 1, 0) "]", "[]")},
    {"an execution", "sc", "wx1 ry1 | wy1 rx1 ux12 | rx2", NULL, ORDERS("{\"ops\":[0,2,1,3,4,5]}")},
    {"reads of the own buffer", "tso", "wx1 rx1 ry0 | wy1 ry1 rx0", NULL, ORDERS("{\"ops\":[1,2,4,5,0,3]}")},
    {"a pending write that was seen", "sc", "wx1? | rx1 rx?", NULL, ORDERS("{\"ops\":[0,1]}")},
    {"closed pairs of wsc", "wsc", "wx1 rx2 | wx2 | rx1", NULL, CLOSED("{\"ops\":[0,3,2,1]}", "[0,2],[3,2]")},
    {"initial reads need no pairs", "wsc", "rx0 wy1 | ry1 wx1", NULL, CLOSED("{\"ops\":[0,1,2,3]}", "")},
    {"the last write fits", "sc", "wx1 | wx2", "x=1", ORDERS("{\"ops\":[1,0]}")},
    {"an untouched variable keeps its value", "tso", "wx1", "y=0", ORDERS("{\"ops\":[0]}")},
    {"a last write that is overwritten", "sc", "wx1 wx2", "x=1",
     REFUTES(WW(1, 0, ""), F("po", 0, 1) "," D("ww", 1, 0, 0))},
    {"and under tso", "tso", "wx1 wx2", "x=1", REFUTES(WW(1, 0, ""), F("ppo", 0, 1) "," D("ww", 1, 0, 0))},
    {"a final value from nowhere", "tso", "wx1", "x=7", "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"},
    {"the initial value of a written variable", "pso", "wx1", "x=0",
     "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"},
    {"a final value of an unknown variable", "sc", "wx1", "y=1",
     "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"},
};

enum { EXAMPLES = sizeof examples / sizeof *examples, LINE = 8192 };

static history *history_of(const struct example *x)
{
    history *h = shorthand(x->history);
    if (x->final)
        assert_true(assay_history_set(h, "final", x->final, NULL));
    return h;
}

static void full_line(const history *h, const struct example *x, char line[LINE])
{
    snprintf(line, LINE, "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\",%s",
             history_digest(h), x->model, x->proof);
}

static bool listed(const struct example *x)
{
    return model_find(x->model);
}

/* ---- the truth ---- */

/* Does the history satisfy the model, by brute force? */
static bool holds(const history *h, const char *model)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = "brute"};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r)
        fail_msg("%s: %s", model, e.message);
    bool consistent = assay_result_verdict(r) == ASSAY_CONSISTENT;
    assay_result_free(r);
    return consistent;
}

struct reading {
    const char *line;
    struct mem mem;
    struct evidence_line parsed;
    assay_error error;
    bool readable;
};

static void read_inside(void *arg)
{
    struct reading *r = arg;
    r->readable = evidence_read(r->line, &r->mem, &r->parsed, &r->error);
}

static struct reading read_line(const char *line)
{
    struct reading r = {.line = line};
    assert_int_equal(escape_run(read_inside, &r), ESCAPE_NONE);
    return r;
}

/* ---- accepted lines ---- */

static void test_examples_are_accepted(void **state)
{
    (void)state;
    unsigned left_out = 0;
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct example *x = &examples[i];
        char line[LINE];
        assay_error e = {0};
        if (!listed(x)) {
            left_out++;
            continue;
        }
        history *h = history_of(x);
        full_line(h, x, line);
        if (!assay_recheck(h, line, NULL, &e))
            fail_msg("%s: column %d: %s", x->name, (int)e.column, e.message);
        assert_int_equal(holds(h, x->model), strstr(line, "\"consistent\"") != NULL);
        history_free(h);
    }
    printf("%u examples, %u of models that are not listed\n", (unsigned)EXAMPLES, left_out);
}

static void test_written_lines_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        char line[LINE];
        if (!listed(&examples[i]))
            continue;
        history *h = history_of(&examples[i]);
        full_line(h, &examples[i], line);
        struct reading a = read_line(line);
        assert_true(a.readable);
        struct text out = text_in(&a.mem);
        result r = {.h = h, .model = a.parsed.model, .verdict = a.parsed.verdict, .evidence = a.parsed.evidence};
        evidence_write(&r, 0, &out);
        assert_string_equal(text_get(&out), line);
        mem_release(&a.mem);
        history_free(h);
    }
}

/* ---- mutants ---- */

struct tally {
    const history *h;
    const char *model, *original;
    bool consistent;
    unsigned refused, unreadable, accepted;
};

static void try_mutant(void *arg, const char *line)
{
    struct tally *t = arg;
    assay_error e = {0};
    bool accepted = assay_recheck(t->h, line, NULL, &e);
    assert_true(accepted || e.message[0]);
    if (!accepted) {
        assert_true(e.code == ASSAY_ERROR_REFUSED || e.code == ASSAY_ERROR_INPUT);
        *(e.code == ASSAY_ERROR_REFUSED ? &t->refused : &t->unreadable) += 1;
        return;
    }
    t->accepted++;
    struct reading r = read_line(line);
    bool known = strcmp(r.parsed.model->name, t->model) == 0;
    bool truth = known ? t->consistent : holds(t->h, r.parsed.model->name);
    if (truth != (r.parsed.verdict == ASSAY_CONSISTENT))
        fail_msg("accepted, but wrong: %s", line);
    mem_release(&r.mem);
}

static void test_mutants(void **state)
{
    (void)state;
    struct rng rng = {1};
    struct tally sum = {0};
    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct example *x = &examples[i];
        char line[LINE];
        if (!listed(x))
            continue;
        history *h = history_of(x);
        full_line(h, x, line);
        struct tally t = {
            .h = h, .model = x->model, .original = line, .consistent = strstr(line, "\"consistent\"") != NULL};
        mutants_of(line, &rng, try_mutant, &t);
        sum.refused += t.refused;
        sum.unreadable += t.unreadable;
        sum.accepted += t.accepted;
        history_free(h);
    }
    printf("mutants: %u unreadable, %u refused, %u accepted and right\n", sum.unreadable, sum.refused, sum.accepted);
    assert_true(sum.refused > 5000);
    assert_true(sum.accepted < sum.refused);
}

/* ---- proofs read in other histories, and for other models ---- */

static const char *const models[] = {"cc", "ccv", "cm", "ccm", "wsc", "sc", "wccm", "wtso", "tso", "pso"};
enum { MODELS = sizeof models / sizeof *models };

static void test_other_histories_and_models(void **state)
{
    (void)state;
    unsigned accepted = 0, refused = 0;
    for (size_t j = 0; j < EXAMPLES; j++) {
        history *h = history_of(&examples[j]);
        for (size_t m = 0; m < MODELS; m++) {
            if (!model_find(models[m]))
                continue;
            bool truth = holds(h, models[m]);
            for (size_t i = 0; i < EXAMPLES; i++) {
                struct example x = examples[i];
                char line[LINE];
                x.model = models[m];
                full_line(h, &x, line);
                bool fine = assay_recheck(h, line, NULL, NULL);
                if (fine && truth != (strstr(line, "\"consistent\"") != NULL))
                    fail_msg("%s accepted for %s", line, examples[j].history);
                *(fine ? &accepted : &refused) += 1;
            }
        }
        history_free(h);
    }
    printf("other histories and models: %u accepted and right, %u refused\n", accepted, refused);
    assert_true(accepted >= EXAMPLES / 2 && refused > accepted);
}

/* ---- forgeries: each would pass if one check were missing ---- */

struct forgery {
    struct example x;
    const char *message; /* part of it */
};

static const struct forgery forgeries[] = {
    {{NULL, "tso", buffering, NULL,
      REFUTES(RW(1, 2, "") "," RW(3, 0, ""),
              F("ppo", 0, 1) "," D("rw", 1, 2, 0) "," F("ppo", 2, 3) "," D("rw", 3, 0, 1))},
     "a store buffer does not preserve their order"},
    {{NULL, "tso", buffering, NULL,
      REFUTES(RW(1, 2, "") "," RW(3, 0, ""),
              F("po", 0, 1) "," D("rw", 1, 2, 0) "," F("po", 2, 3) "," D("rw", 3, 0, 1))},
     "this rule may not be used here"},
    {{NULL, "tso", "wx1 f ry0 | wy1 f rx0", NULL, REFUTES("", F("po", 0, 1) "," F("ppo", 1, 0))},
     "which takes no part"},
    {{NULL, "tso", "wx1 rx1 ry0 | wy1 ry1 rx0", NULL,
      REFUTES(RW(2, 3, "") "," RW(5, 0, ""), F("wr", 0, 1) "," F("ppo", 1, 2) "," D("rw", 2, 3, 0) "," F(
                                                 "wr", 3, 4) "," F("ppo", 4, 5) "," D("rw", 5, 0, 1))},
     "it is in no graph with the steps before it"},
    {{NULL, "tso", buffering, NULL,
      REFUTES(RW(1, 2, "") "," RW(3, 0, ""),
              F("loc", 0, 1) "," D("rw", 1, 2, 0) "," F("loc", 2, 3) "," D("rw", 3, 0, 1))},
     "they are about different variables"},
    {{NULL, "pso", passing, NULL,
      REFUTES(RW(3, 0, ""), F("ppo", 0, 1) "," F("wr", 1, 2) "," F("ppo", 2, 3) "," D("rw", 3, 0, 0))},
     "a store buffer does not preserve their order"},
    {{NULL, "sc", "wx1 | wx2", NULL, REFUTES("", F("case", 0, 1) "," F("case", 1, 0))},
     "this rule may not be used here"},
    {{NULL, "sc", "wx1 | wy2", NULL, CASES("", "[" F("case", 0, 1) "," F("case", 1, 0) "]", "[]")},
     "they are not two writes of one variable"},
    {{NULL, "sc", "wx1 | wx2", NULL, CASES("", "[" F("case", 0, 1) "," F("case", 1, 0) "]", "[]")},
     "learned clause 0 does not follow by unit propagation"},
    {{NULL, "sc", "wx1 | wx2", NULL, CASES("", "[" F("case", 0, 1) "," F("case", 1, 0) "]", "[[0,1],[1,0]]")},
     "the last learned clause must be empty"},
    {{NULL, "sc", "wx1 | wx2", NULL, CASES("", "[" F("case", 0, 1) "," F("case", 1, 0) "]", "[[0,0]],[]")},
     "are not two writes of one variable"},
    {{NULL, "sc", "wx1 | wx2", NULL, CASES("", "[]", "[]")}, "lemma 0 is empty"},
    {{NULL, "sc", "wx1 | wx2", NULL, CASES("", "", "")}, "the last learned clause must be empty"},
    /* one case of Fig. 4.8a, with the assumption hidden two reasons deep */
    {{NULL, "sc", fig_4_8a, NULL, CASES(REASONS_4_8A, LEMMA_4_8A(3, 4), "[[3,10]],[]")},
     "learned clause 1 does not follow"},
    {{NULL, "sc", fig_4_8a, NULL, CASES(REASONS_4_8A, LEMMA_4_8A(6, 7), "[[3,10]],[]")},
     "learned clause 0 does not follow"},
    {{NULL, "wsc", fig_4_8a, NULL, CASES(REASONS_4_8A, LEMMA_4_8A(3, 4) "," LEMMA_4_8A(6, 7), "[[3,10]],[]")},
     "does not forbid a NoStoreOrder"},
    {{NULL, "tso", "wx1 | wx2 rx1 rx2", NULL,
      CAUSAL("CyclicHB", HB(1, 0, 2, F("po", 1, 2)) "," HB(0, 1, 3, F("wr", 0, 2) "," F("po", 2, 3)),
             D("hb", 1, 0, 0) "," D("hb", 0, 1, 1))},
     "does not forbid a CyclicHB"},
    {{NULL, "ccm", "wx1 rx2 | wx2 rx1", NULL,
      REFUTES(HB(0, 2, 1, F("po", 0, 1)) "," HB(2, 0, 3, F("po", 2, 3) "," D("hb", 0, 2, 0)), "")},
     "does not start where"},
    {{NULL, "sc", "wx1 wx2", NULL, REFUTES(WW(1, 0, ""), F("po", 0, 1) "," D("ww", 1, 0, 0))},
     "the path of reason 0 is empty"},
    {{NULL, "wsc", "wx1 wx2", "x=1", REFUTES(WW(1, 0, ""), F("po", 0, 1) "," D("ww", 1, 0, 0))},
     "the path of reason 0 is empty"},
    {{NULL, "sc", "wx1 wx2", "x=2", "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"},
     "every value that @final names was written"},
    {{NULL, "wsc", "wx1", "x=2", "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"},
     "does not look at @final"},
    {{NULL, "wccm", iriw, NULL, REFUTES("", "")}, "the cycle is empty"},
    {{NULL, "wccm", buffering, NULL,
      REFUTES(RW(1, 2, "") "," RW(3, 0, ""), F("ppo", 0, 1) "," D("rw", 1, 2, 0) "," F("ppo", 2, 3))},
     "a store buffer does not preserve their order"},
    {{NULL, "wccm", buffering, NULL, REFUTES(RW(1, 2, "") "," RW(3, 0, ""), F("po", 0, 1))},
     "this rule may not be used here"},
    {{NULL, "wccm", "wx1 wy1 | wy2 wx2 rx1 ry1", NULL,
      REFUTES(HB(3, 0, 4, F("loc", 3, 4)) "," HB(
                  2, 1, 5, F("ppo", 2, 3) "," D("hb", 3, 0, 0) "," F("wr", 0, 4) "," F("ppo", 4, 5)),
              D("hb", 3, 0, 0))},
     "it is in no graph with the steps before it"},
    {{NULL, "wccm", "wx1 | wx2 rx1 rx2 | rx1 rx2", NULL,
      REFUTES(HB(1, 0, 2, F("loc", 1, 2)) "," HB(0, 1, 5, F("wr", 0, 4) "," F("loc", 4, 5)) "," HB(
                  1, 0, 2, D("hb", 1, 0, 0) "," D("hb", 0, 1, 1) "," F("loc", 1, 2)),
              D("hb", 1, 0, 0) "," D("hb", 0, 1, 1))},
     "must be in one thread"},
    {{NULL, "wccm", "wx1 wy1 | ry1 wx2 rx2", NULL,
      REFUTES(CF(0, 3, 4, F("wr", 1, 2) "," F("ppo", 2, 4)), D("cf", 0, 3, 0))},
     "it does not start where it should"},
    {{NULL, "wccm", "wx1 wy1 | ry1 wx2 rx2", NULL,
      REFUTES(CF(0, 3, 4, F("ppo", 0, 1) "," F("wr", 1, 2) "," F("ppo", 2, 4)), D("cf", 0, 3, 0))},
     "which does not count here"},
    {{NULL, "wccm", fig_1d, NULL, REFUTES(RW(5, 2, "") "," CF(4, 0, 3, D("rw", 5, 2, 0)), "")},
     "this rule may not be used here"},
    {{NULL, "ccm", iriw, NULL, ORDERS("")}, "computed again, the history is a violation"},
    {{NULL, "ccm", fig_1d, NULL, ORDERS("{\"ops\":[]}")}, "has no orders"},

    {{NULL, "sc", buffering, NULL, ORDERS("{\"ops\":[1,3,0,2]}")}, "which comes first in program order"},
    {{NULL, "sc", buffering, NULL, ORDERS("{\"ops\":[0,1,2,3]}")}, "does not return"},
    {{NULL, "tso", passing, NULL, ORDERS("{\"ops\":[1,2,3,0]}")}, "which comes first in program order"},
    {{NULL, "tso", "wx1 f ry0 | wy1 f rx0", NULL, ORDERS("{\"ops\":[2,5,0,3]}")}, "which comes first in program order"},
    {{NULL, "pso", "wx1 f wy1 | ry1 rx0", NULL, ORDERS("{\"ops\":[2,3,4,0]}")}, "which comes first in program order"},
    {{NULL, "pso", "wx1 wx2 | rx2 rx1", NULL, ORDERS("{\"ops\":[1,2,0,3]}")}, "which comes first in program order"},
    {{NULL, "tso", "wx1 rx0", NULL, ORDERS("{\"ops\":[1,0]}")}, "does not return"},
    {{NULL, "sc", "wx1 | ux12 | ux13", NULL, ORDERS("{\"ops\":[0,1,2]}")}, "does not return"},
    {{NULL, "sc", "wx1 | rx1", NULL, ORDERS("{\"ops\":[0]}")}, "but 2 take part"},
    {{NULL, "sc", "wx1 | rx1", NULL, ORDERS("{\"ops\":[0,1]},{\"ops\":[0,1]}")}, "needs one order"},
    {{NULL, "sc", "wx1 | rx1", NULL, ORDERS("{\"thread\":0,\"ops\":[0,1]}")}, "needs one order"},
    {{NULL, "sc", "wx1 | wx2", "x=1", ORDERS("{\"ops\":[0,1]}")}, "is not the last write"},
    {{NULL, "sc", "wx1", "x=0", ORDERS("{\"ops\":[0]}")}, "no variable can end with"},

    {{NULL, "wsc", "wx1 rx2 | wx2 | rx1", NULL, CLOSED("{\"ops\":[0,3,2,1]}", "")}, "the pairs are not closed"},
    {{NULL, "wsc", "wx1 rx2 | wx2 | rx1", NULL, CLOSED("{\"ops\":[0,3,2,1]}", "[0,2]")}, "the pairs are not closed"},
    {{NULL, "wsc", "wx1 rx2 | wx2 | rx1", NULL, CLOSED("{\"ops\":[2,0,1,3]}", "[0,2],[3,2]")}, "without operation 0"},
    {{NULL, "wsc", buffering, NULL, CLOSED("{\"ops\":[0,1,2,3]}", "")}, "without operation 3"},
    {{NULL, "wsc", "wx1 | wy1", NULL, CLOSED("{\"ops\":[0,1]}", "[0,1]")}, "about different variables"},
    {{NULL, "wtso", buffering, NULL, CLOSED("{\"ops\":[1,3,0,2]}", "")}, "needs 2"},
    {{NULL, "wtso", passing, NULL, CLOSED("{\"ops\":[0,1,2,3]},{\"ops\":[3,0,1,2]}", "")}, "without operation 3"},
    {{NULL, "wtso", "wx1 rx0", NULL, CLOSED("{\"ops\":[1,0]},{\"ops\":[0,1]}", "")}, "without operation 1"},
    /* the store order of one graph is missing in the other */
    {{NULL, "wtso", "wx1 rx2 | wx2", NULL, CLOSED("{\"ops\":[0,2,1]},{\"ops\":[0,2,1]}", "")},
     "the pairs are not closed"},
};

static void test_forgeries_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        const struct forgery *f = &forgeries[i];
        char line[LINE];
        assay_error e = {0};
        if (!listed(&f->x))
            continue;
        history *h = history_of(&f->x);
        full_line(h, &f->x, line);
        if (assay_recheck(h, line, NULL, &e))
            fail_msg("accepted: %s%s", f->x.history, line);
        if (e.code != ASSAY_ERROR_REFUSED || !strstr(e.message, f->message))
            fail_msg("'%s' is not in '%s' (%s)", f->message, e.message, line);
        history_free(h);
    }
}

static void test_form(void **state)
{
    (void)state;
    static const struct {
        const char *proof, *message;
    } lines[] = {
        {"\"verdict\":\"consistent\",\"orders\":[]}", "expected the key \"closed\""},
        {"\"verdict\":\"violation\",\"pattern\":\"NoStoreOrder\",\"reasons\":[],\"cycle\":[]}",
         "expected no key \"cycle\""},
        {"\"verdict\":\"violation\",\"pattern\":\"NoStoreOrder\",\"reasons\":[],\"lemmas\":[]}",
         "expected the key \"learned\""},
        {"\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[],\"cycle\":[],"
         "\"learned\":[]}",
         "expected no key \"learned\""},
        {"\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\",\"culprit\":0}", "expected no key \"culprit\""},
        {"\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[{\"rule\":\"ww\","
         "\"from\":0,"
         "\"to\":1,\"read\":0,\"path\":[]}],\"cycle\":[]}",
         "expected no key \"read\" with this rule"},
        {"\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[{\"rule\":\"cf\","
         "\"from\":0,"
         "\"to\":1,\"path\":[]}],\"cycle\":[]}",
         "expected the key \"read\""},
        {"\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[{\"rule\":\"case\","
         "\"from\":0,"
         "\"to\":1,\"path\":[]}],\"cycle\":[]}",
         "expected one of the rules rw, cf, hb, ww"},
        {"\"verdict\":\"violation\",\"pattern\":\"ForcedCycle\",\"reasons\":[],\"cycle\":[["
         "\"case\",0,1,0]]}",
         "expected ']', found ','"},
        {"\"verdict\":\"violation\",\"pattern\":\"NoStoreOrder\",\"reasons\":[],\"lemmas\":[],"
         "\"learned\":[[0,1]]}",
         "expected '[', found '0'"},
        {"\"verdict\":\"consistent\",\"orders\":[],\"closed\":[[0,1,2]]}", "expected ']', found ','"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[LINE];
        snprintf(line, LINE, "{\"evidence\":1,\"history\":\"0123456789abcdef\",\"index\":0,\"model\":\"wsc\",%s\n",
                 lines[i].proof);
        struct reading r = read_line(line);
        assert_false(r.readable);
        if (!strstr(r.error.message, lines[i].message))
            fail_msg("'%s' is not in '%s'", lines[i].message, r.error.message);
        mem_release(&r.mem);
    }
}

/* @final is a read after everything: what it names has taken effect. */
static void test_final_value_of_a_pending_write(void **state)
{
    (void)state;
    struct example with = {NULL, "sc", "wx1 wx2?", "x=2", ORDERS("{\"ops\":[0,1]}")};
    struct example without = {NULL, "sc", "wx1 wx2?", "x=2", ORDERS("{\"ops\":[0]}")};
    struct example none = {NULL, "sc", "wx1 wx2?", "x=2",
                           "\"verdict\":\"violation\",\"pattern\":\"FinalNotWritten\"}\n"};
    char line[LINE];
    history *h = history_of(&with);
    full_line(h, &with, line);
    assert_true(assay_recheck(h, line, NULL, NULL));
    full_line(h, &without, line);
    assert_false(assay_recheck(h, line, NULL, NULL));
    full_line(h, &none, line);
    assert_false(assay_recheck(h, line, NULL, NULL));
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_accepted),
        cmocka_unit_test(test_written_lines_read_back),
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_other_histories_and_models),
        cmocka_unit_test(test_forgeries_are_refused),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_final_value_of_a_pending_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
