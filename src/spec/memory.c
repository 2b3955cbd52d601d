/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/spec.h"

static const assay_method methods[] = {
    {"read", "read(variable) => value", 0, 1, 0, ASSAY_RESULT_REQUIRED},
    {"write", "write(variable, value)", 1, 2, 0, ASSAY_RESULT_NONE},
    {"rmw", "rmw(variable, value read, value written)", 2, 3, 0, ASSAY_RESULT_NONE},
    {"fence", "fence()", 3, 0, ASSAY_NO_EFFECT, ASSAY_RESULT_NONE},
    {"begin", "begin()", 4, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"commit", "commit()", 5, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"abort", "abort()", 6, 0, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {0},
};

/* A lone value is for all variables, so a line has room for one; a later line counts more. */
static const char *refuse(const assay_setting *s)
{
    for (size_t i = 1; i < s->init_count; i++)
        if (s->init[i].key.kind == ASSAY_NONE && s->init[i - 1].key.kind == ASSAY_NONE &&
            s->init[i].header == s->init[i - 1].header)
            return "several initial values for all variables; name them: `@init x=1 y=2`, or give one: `@init 1`";
    return s->parameter.kind == ASSAY_NONE ? NULL : "it takes no parameter";
}

const assay_spec spec_memory = {
    .version = ASSAY_SPEC_VERSION,
    .name = "memory",
    .title = "read/write variables",
    .methods = methods,
    .refuse = refuse,
};
