/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/spec.h"

static const struct method methods[] = {
    {"read", "read(variable) => value", 1, RESULT_REQUIRED},
    {"write", "write(variable, value)", 2, RESULT_NONE},
    {"rmw", "rmw(variable, value read, value written)", 3, RESULT_NONE},
    {"fence", "fence()", 0, RESULT_NONE},
    {"begin", "begin()", 0, RESULT_NONE},
    {"commit", "commit()", 0, RESULT_NONE},
    {"abort", "abort()", 0, RESULT_NONE},
    {0},
};

/* A lone value is for all variables, so a line has room for one; a later line counts more. */
static bool fits(const history *h, assay_error *e)
{
    uint32_t lone = ID_NONE; /* the header of the last lone value */
    for (uint32_t i = 0; i < h->init.n; i++) {
        const struct binding *b = &h->init.at[i];
        if (b->key.kind != ASSAY_NONE)
            continue;
        if (b->header == lone) {
            uint32_t line = h->headers.at[lone].line;
            error_set(e, ASSAY_ERROR_INPUT, "several initial values for all variables of a memory");
            error_place(e, history_source(h), line, line ? 1 : 0);
            error_remedy(
                e, "name the variables: `@init x=1 y=2`, or give one value for all: `@init 1`");
            return false;
        }
        lone = b->header;
    }
    return true;
}

const struct spec spec_memory = {
    .name = "memory",
    .title = "read/write variables",
    .methods = methods,
    .fits = fits,
};
