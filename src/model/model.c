/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include "base/error.h"
#include "base/registry.h"
#include "model/axioms.h"

#include <string.h>

#define X(ident, name) extern const struct model model_##ident;
#include "model/model.def"
#undef X

const struct model *const model_table[] = {
#define X(ident, name) &model_##ident,
#include "model/model.def"
#undef X
    NULL};

const struct model *model_find(const char *name)
{
    return model_table[registry_find(model_table, name)];
}

int model_implies(const struct model *strong, const struct model *weak)
{
    if (strong == weak)
        return 1;
    for (size_t i = 0; model_table[i]; i++) {
        const struct model *next = model_table[i];
        if (next != strong &&
            (registry_lists(strong->weaker, next->name) || registry_lists(next->stronger, strong->name)) &&
            model_implies(next, weak))
            return 1;
    }
    return 0;
}

bool model_spell(const char *text, struct model *out, bool *is_spelled, assay_error *e)
{
    struct axioms ignored;
    *is_spelled = strncmp(text, "weak:", 5) == 0;
    if (!*is_spelled)
        return true;
    *out = (struct model){.name = text,
                          .title = "axioms",
                          .summary = "a linearization and a visibility relation satisfy the axioms",
                          .conditions = COND_WEAK,
                          .needs = NEED_CALLS | NEED_ONE_OBJECT,
                          .axioms = text + 5};
    if (!axioms_parse(out->axioms, &ignored, e))
        return false;
    if (!out->axioms[strspn(out->axioms, " \t")]) {
        error_set(e, ASSAY_ERROR_USAGE, "there is no axiom behind `weak:`");
        error_remedy(e, "write one, as in 'weak: vis >= po', or say return-value");
        return false;
    }
    return true;
}
