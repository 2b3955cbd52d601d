/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck of a proof by cases with very many clauses: each is looked at a few times, whatever their number. */
#include "evidence/evidence.h"
#include "history/slice.h"
#include "support/shorthand.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WRITES = 40000, ROUNDS = 3, CLAUSES = ROUNDS * (WRITES - 2) };

/* Three writes in a circle, over and over: true, so nothing follows from them; but the clause that assumes two
 * of each three does. */
static void many_clauses(void *arg)
{
    struct evidence *ev = arg;
    for (uint32_t i = 0; i < CLAUSES; i++) {
        uint32_t v = i % (WRITES - 2);
        evidence_step(ev, ASSAY_CASE, v, v + 1, ASSAY_NO_REASON);
        evidence_step(ev, ASSAY_CASE, v + 1, v + 2, ASSAY_NO_REASON);
        evidence_step(ev, ASSAY_CASE, v + 2, v, ASSAY_NO_REASON);
        evidence_lemma(ev);
    }
    for (uint32_t v = 0; v + 2 < WRITES; v++) {
        evidence_begin_learned(ev);
        evidence_pair(ev, v + 2, v);
        evidence_pair(ev, v + 1, v + 2);
        evidence_pair(ev, v, v + 1);
    }
    evidence_begin_learned(ev);
}

static void test_many_clauses_are_quick(void **state)
{
    (void)state;
    struct mem mem = {0};
    struct evidence_line l = {.model = model_find("sc"), .verdict = ASSAY_VIOLATION, .evidence = evidence_in(&mem)};
    history *h = assay_history_new();
    for (int i = 0; i < WRITES; i++) {
        char thread[16];
        snprintf(thread, sizeof thread, "t%d", i % 4);
        assay_value args[] = {assay_word("x"), assay_int(i + 1)};
        assay_operation op = {.thread = thread, .method = "write", .args = args, .arg_count = 2};
        assay_history_add(h, &op, NULL);
    }
    snprintf(l.digest, sizeof l.digest, "%016" PRIx64, history_digest(h));
    l.evidence.pattern = PATTERN_NoStoreOrder;
    assert_int_equal(escape_run(many_clauses, &l.evidence), ESCAPE_NONE);
    assay_error e = {0};
    assert_false(recheck(h, &l, &mem, &e));
    char last[64];
    snprintf(last, sizeof last, "learned clause %d does not follow", WRITES - 2);
    assert_non_null(strstr(e.message, last));
    mem_release(&mem);
    history_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_clauses_are_quick)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
