/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/models.h"

#include <stdbool.h>

const char *const model_names[MODELS] = {"rc-plain",   "ra-plain",  "tcc-plain", "pc-plain",  "psi-plain",  "si-plain",
                                         "ser-plain",  "rc",        "ra",        "tcc",       "pc",         "psi",
                                         "si",         "ser",       "rc-strict", "ra-strict", "tcc-strict", "pc-strict",
                                         "psi-strict", "si-strict", "ser-strict"};

int model_of(enum level level, enum base base)
{
    return (int)base * LEVELS + (int)level;
}

enum level level_of(int model)
{
    return (enum level)(model % LEVELS);
}

enum base base_of(int model)
{
    return (enum base)(model / LEVELS);
}

bool implies(int strong, int weak)
{
    enum level s = level_of(strong), w = level_of(weak);
    return base_of(strong) >= base_of(weak) && s >= w && !(s == PSI && w == PC);
}
