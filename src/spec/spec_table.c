/* SPDX-License-Identifier: Apache-2.0 */
/* The objects there are, and what their rows say: names, methods, results. */
#include "base/misspelt.h"
#include "spec/facts.h"
#include "spec/spec.h"

#include <string.h>

const assay_spec *const spec_table[] = {
#define X(ident, name) &spec_##ident,
#include "spec/spec.def"
#undef X
    NULL};

bool spec_in_table(const assay_spec *spec)
{
    for (size_t i = 0; spec_table[i]; i++)
        if (spec_table[i] == spec)
            return true;
    return false;
}

bool spec_is_of_library(const assay_spec *s)
{
    return spec_in_table(s) || spec_is_of_any(s);
}

const assay_spec *spec_find(const char *name, size_t length)
{
    for (size_t i = 0; spec_table[i]; i++)
        if (strlen(spec_table[i]->name) == length && strncmp(spec_table[i]->name, name, length) == 0)
            return spec_table[i];
    return NULL;
}

const char *spec_nearer_method(const assay_spec *s, const char *typed, const char *near)
{
    for (const assay_method *m = s->methods; m->name; m++) {
        size_t wrong = misspelt(typed, m->name), least = near ? misspelt(typed, near) : SIZE_MAX;
        if (wrong < least || (near && wrong == least && strlen(m->name) < strlen(near)))
            near = m->name;
    }
    return near;
}

const char *method_arity(const assay_method *m, char out[WORDS_OF_ARITY])
{
    if (m->arity == ASSAY_NONE_OR_ONE)
        return "no argument or 1";
    snprintf(out, WORDS_OF_ARITY, "%u argument%s", m->arity, m->arity == 1 ? "" : "s");
    return out;
}

bool method_may_find_nothing(const assay_method *m)
{
    return m->signature && strstr(m->signature, " or empty");
}

bool spec_may_find_nothing(const char *method)
{
    for (size_t i = 0; spec_table[i]; i++)
        for (const assay_method *m = spec_table[i]->methods; m->name; m++)
            if (strcmp(m->name, method) == 0 && method_may_find_nothing(m))
                return true;
    return false;
}

bool spec_has_method(const assay_spec *spec, const char *name)
{
    const assay_method *m = spec->methods;
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    return m->name;
}

/* Those of a counter may: its number must not run over. */
bool spec_may_block(const assay_spec *spec)
{
    return !facts_of(spec)->never_blocks;
}
