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

const struct spec spec_memory = {
    .name = "memory",
    .title = "read/write variables",
    .methods = methods,
};
