/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include <stdbool.h>
#include <string.h>

#define X(ident, name) extern const struct model model_##ident;
#include "model/model.def"
#undef X

const struct model *const model_table[] = {
#define X(ident, name) &model_##ident,
#include "model/model.def"
#undef X
    NULL};

size_t model_count(void)
{
    return sizeof model_table / sizeof *model_table - 1;
}

const struct model *model_find(const char *name)
{
    for (size_t i = 0; model_table[i]; i++)
        if (strcmp(model_table[i]->name, name) == 0)
            return model_table[i];
    return NULL;
}

static bool lists(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

int model_implies(const struct model *strong, const struct model *weak)
{
    if (strong == weak)
        return 1;
    for (size_t i = 0; model_table[i]; i++) {
        const struct model *next = model_table[i];
        if (next != strong && (lists(strong->weaker, next->name) || lists(next->stronger, strong->name)) &&
            model_implies(next, weak))
            return 1;
    }
    return 0;
}
