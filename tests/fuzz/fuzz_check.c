/* SPDX-License-Identifier: Apache-2.0 */
/* Every history that can be read: the engines agree on every model, stronger models imply weaker ones,
 * and recheck accepts each proof. */
#include "fuzz/fuzz.h"
#include "model/model.h"
#include "support/load.h"

#include <string.h>

enum { SMALL = 12 }; /* operations that brute force can take within a fuzzer's patience */

static void recheck_result(const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t n = 0;
    uint32_t index;
    assay_error e = {0};
    FILE *out = open_memstream(&line, &n);
    FUZZ_ASSERT(out, "no memory stream");
    FUZZ_ASSERT(assay_result_write_evidence(r, 0, out), "evidence cannot be written");
    fclose(out);
    FUZZ_ASSERT(assay_recheck(h, line, &index, &e), "%s: recheck says: %s\n%s", assay_result_model(r), e.message, line);
    free(line);
}

/* The verdict, or -1 where the engine or model does not apply. */
static int verdict(const assay_history *h, const char *model, const char *engine)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true, .seconds = 5};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r) {
        FUZZ_ASSERT(e.code && e.message[0], "no result and no error");
        return -1;
    }
    int v = assay_result_verdict(r);
    if (v != ASSAY_UNDECIDED && strcmp(engine, "clock") == 0)
        recheck_result(h, r);
    assay_result_free(r);
    return v;
}

static void compare_with_brute(const assay_history *h, const char *model, int clock)
{
    int brute = verdict(h, model, "brute");
    FUZZ_ASSERT(brute < 0 || brute == ASSAY_UNDECIDED || brute == clock, "%s: clock says %s, brute says %s", model,
                assay_verdict_name(clock), assay_verdict_name(brute));
}

static void check(assay_history *h, void *arg)
{
    (void)arg;
    int verdicts[64];
    for (size_t i = 0; model_table[i]; i++) {
        const char *model = model_table[i]->name;
        verdicts[i] = verdict(h, model, "clock");
        if (verdicts[i] >= 0 && assay_history_size(h) <= SMALL)
            compare_with_brute(h, model, verdicts[i]);
    }
    for (size_t i = 0; model_table[i]; i++)
        for (size_t j = 0; model_table[j]; j++)
            FUZZ_ASSERT(verdicts[i] != ASSAY_CONSISTENT || verdicts[j] != ASSAY_VIOLATION ||
                            !model_implies(model_table[i], model_table[j]),
                        "consistent with %s but not with %s", model_table[i]->name, model_table[j]->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    load_each("hist", (const char *)data, size, check, NULL, &e);
    return 0;
}
