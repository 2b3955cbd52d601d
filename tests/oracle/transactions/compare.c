/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/compare.h"

#include <stddef.h>

enum expectation compare(const assay_history *a, const char *text, int model, enum expectation expected,
                         const assay_options *options, char **keep)
{
    return ask(&(struct question){.history = a,
                                  .text = text,
                                  .model = model_names[model],
                                  .options = options,
                                  .expected = expected,
                                  .may_give_up = options->engine || options->seconds,
                                  .may_not_prove = options->engine,
                                  .keep = keep});
}

void compare_all(const assay_history *a, const char *text, const bool ok[MODELS], bool strict, char *keep[MODELS])
{
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
    for (int m = 0; m < MODELS; m++)
        if (strict || base_of(m) != STRICT)
            compare(a, text, m, ok[m] ? HOLDS : FAILS, &o, keep ? &keep[m] : NULL);
}

void ask_engines(const assay_history *a, const char *text, const bool ok[MODELS], bool strict)
{
    static const char *const engines[] = {"auto", "dependencies", "brute", "brute:machine", "sat", "auto:forced"};
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        o.engine = engines[i];
        for (int m = 0; m < MODELS; m++)
            if (strict || base_of(m) != STRICT)
                compare(a, text, m, ok[m] ? HOLDS : FAILS, &o, NULL);
    }
}
