/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

#include "base/error.h"
#include "base/registry.h"
#include "model/aliases.h"
#include "model/axioms.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

const struct model *model_find(const char *name)
{
    return model_table[registry_find(model_table, name)];
}

const struct model *model_called(const char *name)
{
    const struct model_name *other = model_name_find(name);
    const struct model *found = model_find(other ? other->model : name);
    for (size_t i = 0; !found && model_table[i]; i++)
        if (model_name_same(model_table[i]->title, name))
            found = model_table[i];
    for (size_t i = 0; !found && model_table[i]; i++)
        if (strcasecmp(model_table[i]->name, name) == 0)
            found = model_table[i];
    for (size_t i = 0; found && model_table[i]; i++) /* `Causal-Convergence`: is it the title of ccv, or a name? */
        if (model_table[i] != found && strcasecmp(model_table[i]->name, name) == 0)
            return NULL;
    return found;
}

void model_unknown(const char *name, assay_error *e)
{
    const struct model_name *other = model_name_declined(name);
    if (other) {
        error_set(e, ASSAY_ERROR_USAGE, "the model %s is not checked here; the nearest is %s", other->name,
                  other->model);
        error_remedy(e, "%s", other->meaning);
        return;
    }
    error_set(e, ASSAY_ERROR_USAGE, "unknown model '%s'", name);
    error_remedy(e, "`assay list models` shows the models");
}

static bool implies_directly(const struct model *strong, const struct model *weak)
{
    return registry_lists(strong->weaker, weak->name);
}

/* The table goes from weak to strong, so all models that imply one directly stand behind it. */
int model_implies(const struct model *strong, const struct model *weak)
{
    enum { MOST_MODELS = 64 };
    bool implied[MOST_MODELS];
    size_t count = registry_size(model_table);
    assert(count <= MOST_MODELS);
    for (size_t i = count; i-- > 0;) {
        implied[i] = model_table[i] == strong || implies_directly(strong, model_table[i]);
        for (size_t j = i + 1; j < count && !implied[i]; j++)
            implied[i] = implied[j] && implies_directly(model_table[j], model_table[i]);
        if (model_table[i] == weak)
            return implied[i];
    }
    return strong == weak;
}

/* Every axiom vis >= path: in a linearization in which each operation sees all before it, paths lead forward. */
static bool complete_implies(const struct model *strong, const struct model *weak)
{
    return weak->axioms && model_find(weak->name) != weak && model_implies(strong, model_find("level:complete"));
}

/* Models with axioms follow from lin and from each other: levels of visibility by method lower them alike. That calls
 * of a thread come in its order is part of lin, however much its times are loosened (skew). Models of a memory follow
 * from each other, but not from lin, which judges its calls as those of an object. So do models of transactions. */
static bool comparable(const struct model *strong, const struct model *weak)
{
    bool by_calls = strong->axioms || (strong->conditions & COND_LIN);
    if (weak->axioms || (weak->conditions & COND_SC_OBJECT))
        return by_calls;
    return weak->needs & strong->needs & (NEED_MEMORY | NEED_TRANSACTIONS);
}

bool model_infers(const struct model *known, assay_verdict verdict, const struct model *asked)
{
    const struct model *strong = verdict == ASSAY_CONSISTENT ? known : asked;
    const struct model *weak = verdict == ASSAY_CONSISTENT ? asked : known;
    return verdict != ASSAY_UNDECIDED && strong != weak && comparable(strong, weak) &&
           (model_implies(strong, weak) || complete_implies(strong, weak));
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
