/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/engines.h"

#include <assay.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

char engines[MAX_ENGINES][64];
int engines_found;

static void add_engine(const char *name, const char *variant)
{
    if (engines_found < MAX_ENGINES)
        snprintf(engines[engines_found++], 64, "%s%s%s", name, variant && *variant != '+' ? ":" : "",
                 variant ? variant : "");
}

void find_engines(void)
{
    static const char *const others[] = {"fast-", "exchanger", "wgl",       "weak-",
                                         "jit",   "symbolic",  "enumerate", "saturate+r"};
    for (size_t i = 0; i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        bool memory = true;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            memory = memory && strncmp(m.name, others[k], strlen(others[k]));
        if (!memory)
            continue;
        add_engine(m.name, NULL);
        for (size_t k = 0; m.variants && m.variants[k]; k++)
            add_engine(m.name, m.variants[k]);
    }
}
