/* SPDX-License-Identifier: Apache-2.0 */
/* The printed examples: every engine gives the table's verdicts, and recheck accepts what it proves. */
#include "baseline/datalog_program.h"
#include "support/batch.h"
#include "support/left_out.h"
#include "support/printed.h"
#include "support/shorthand.h"

static int report(const struct printed *x, unsigned satisfied, const struct complaint *why)
{
    printf("%s: %s\n    satisfies %s, not ", x->name, x->text, models_print(printed_set(x)).text);
    printf("%s; %s\n", models_print(satisfied).text, why->text);
    return 1;
}

static int check(const struct printed *x, const assay_history *h, uint64_t *verdicts)
{
    struct poll p = {.models = models_all(), .thorough = true};
    bool fine = poll_run(&p, h);
    *verdicts += p.verdicts;
    return fine && p.satisfied == printed_set(x) ? 0 : report(x, p.satisfied, &p.why);
}

/* The logic program, in a process of its own. */
static int check_datalog(const struct printed *x, const assay_history *h, uint64_t *verdicts)
{
    static const char *const engines[] = {"datalog", "datalog:cm_1"};
    unsigned models = models_named(BATCH_MODELS), satisfied;
    struct complaint why = {""};
    for (int e = 0; e < 2; e++) {
        if (!verdicts_of(h, engines[e], models, &satisfied, &why) || satisfied != (printed_set(x) & models))
            return report(x, satisfied, &why);
        *verdicts += (unsigned)__builtin_popcount(models);
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    uint64_t verdicts = 0;
    for (int i = 0; i < PRINTED; i++) {
        assay_history *h = shorthand(printed[i].text);
        wrong += check(&printed[i], h, &verdicts);
        if (!left_out("datalog", datalog_missing()))
            wrong += check_datalog(&printed[i], h, &verdicts);
        assay_history_free(h);
    }
    printf("%d printed examples, %llu verdicts: %d wrong\n", PRINTED, (unsigned long long)verdicts, wrong);
    return wrong != 0;
}
