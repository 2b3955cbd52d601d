/* SPDX-License-Identifier: Apache-2.0 */
/* How far recheck goes: a proof that is accepted is neither accepted nor refused once one limit is lowered below what
 * it needs, and the error names that limit. Each limit of the table is tried. */
#include "assay.h"
#include "evidence/evidence.h"
#include "recheck/limits.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define READS_OF_TWO                                                                                                   \
    "t0: write(x, 1)\nt1: write(x, 1)\nt2: write(x, 2)\nt3: read(x) => 1\nt3: read(x) => 2\nt3: read(x) => 1\n"        \
    "t3: read(x) => 2\n"
#define BACKWARDS                                                                                                      \
    "@object register\nt0: write(1) @ 0..1\nt0: write(2) @ 2..3\nt1: read() => 2 @ 4..5\nt1: read() => 1 @ 6..7\n"
#define NOT_QUEUED "@object queue\nt0: enq(1) @ 0..1\nt1: deq() => empty @ 2..3\nt1: deq() => 1 @ 4..5\n"

static const struct example {
    enum limit limit;
    const char *model, *history;
    bool without_suspects; /* the proof, so that the whole is searched */
} examples[] = {
    {LIMIT_COMPUTED_OPERATIONS, "ccm", "t0: write(x, 1)\nt1: read(x) => 1\n", false},
    {LIMIT_COMPUTED_OPERATIONS, "wccm", "t0: write(x, 1)\nt1: read(x) => 1\n", false},
    {LIMIT_CHOICE_OPERATIONS, "ccv", READS_OF_TWO, false},
    {LIMIT_CHOICE_CELLS, "cm", READS_OF_TWO, false},
    {LIMIT_EXECUTION_BYTES, "sc", READS_OF_TWO, false},
    {LIMIT_EXECUTION_WORDS, "tso", READS_OF_TWO, false},
    {LIMIT_TRANSACTION_SOURCES, "tcc", "a: txn(w x 1)\na: txn(w x 2)\nb: txn(w x 1)\na: txn(r x 1)\na: txn(r x 2)\n",
     false},
    {LIMIT_SEARCH_STEPS, "lin", NOT_QUEUED, false},
    {LIMIT_SEARCH_BYTES, "lin", NOT_QUEUED, false},
    {LIMIT_SEARCH_STEPS, "lin", "@object exchanger\nt0: exchange(1) => 2 @ 0..3\nt1: exchange(3) => 4 @ 1..2\n", false},
    {LIMIT_INITIAL_NUMBERS, "lin",
     "@object counter\n@init ?\nt0: inc() @ 0..1\nt0: read() => 5 @ 2..3\nt0: read() => 7 @ 4..5\n", false},
    {LIMIT_VISIBLE_OPERATIONS, "return-value", BACKWARDS, false},
    {LIMIT_VISIBILITY_OPERATIONS, "monotonic-reads", BACKWARDS, true},
    {LIMIT_VISIBILITY_SETS, "monotonic-reads", BACKWARDS, true},
    {LIMIT_SUSPECT_OPERATIONS, "monotonic-reads", BACKWARDS, false},
    {LIMIT_SUSPECTS, "monotonic-reads", BACKWARDS, false},
    {LIMIT_SUSPECT_STATES, "monotonic-reads", BACKWARDS, false},
};

/* The proof that the library gives of its verdict. */
static char *proof_of(const struct example *x, const assay_history *h)
{
    char *line = NULL;
    size_t size = 0;
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = assay_check(h, x->model, &options, &e);
    if (!r)
        fail_msg("%s: %s", x->model, e.message);
    FILE *f = open_memstream(&line, &size);
    assert_true(assay_result_write_evidence(r, 0, f));
    fclose(f);
    assay_result_free(r);
    char *suspects = x->without_suspects ? strstr(line, ",\"suspects\"") : NULL;
    if (x->without_suspects) {
        assert_non_null(suspects);
        strcpy(suspects, "}\n");
    }
    return line;
}

static bool judge(const history *h, const char *text, const struct limits *limits, assay_error *e)
{
    struct mem m = {0};
    struct evidence_line line = {0};
    struct budget unlimited = {0};
    bool searched;
    *e = (assay_error){0};
    bool accepted = evidence_read(text, &m, &line, e) &&
                    recheck_with(h, &line, (struct object_choice){0}, &m, &unlimited, limits, &searched, e);
    mem_release(&m);
    return accepted;
}

static void test_each_limit_is_named(void **state)
{
    (void)state;
    bool tried[LIMIT_COUNT] = {false};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *x = &examples[i];
        assay_history *h = load_text(x->history, NULL);
        char *line = proof_of(x, h), wanted[64];
        struct limits lowered = limits_stated;
        assay_error e;
        if (!judge(h, line, NULL, &e))
            fail_msg("%s: %s%s", e.message, line, x->history);
        lowered.most[x->limit] = 0;
        if (judge(h, line, &lowered, &e) || e.code != ASSAY_ERROR_LIMIT)
            fail_msg("beyond %s: code %d, %s: %s", limit_name(x->limit), (int)e.code, e.message, line);
        snprintf(wanted, sizeof wanted, "beyond the limit %s: ", limit_name(x->limit));
        if (!strstr(e.message, wanted) || !strstr(e.message, limit_sentence(x->limit)))
            fail_msg("expected '%s': %s", wanted, e.message);
        tried[x->limit] = true;
        free(line);
        assay_history_free(h);
    }
    for (int l = 0; l < LIMIT_COUNT; l++)
        if (!tried[l])
            fail_msg("no example of the limit %s", limit_name((enum limit)l));
}

/* A record that is refused for another reason stays refused. */
static void test_a_refusal_comes_first(void **state)
{
    (void)state;
    struct example x = {LIMIT_SEARCH_STEPS, "lin", NOT_QUEUED, false};
    assay_history *h = load_text(x.history, NULL), *other = load_text(BACKWARDS, NULL);
    char *line = proof_of(&x, h);
    struct limits lowered = {{0}};
    assay_error e;
    assert_false(judge(other, line, &lowered, &e));
    assert_int_equal(e.code, ASSAY_ERROR_REFUSED);
    free(line);
    assay_history_free(h);
    assay_history_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_limit_is_named),
        cmocka_unit_test(test_a_refusal_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
