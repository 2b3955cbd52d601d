/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "base/registry.h"

#include <string.h>

#define X(ident, name) extern const struct engine engine_##ident;
#include "engine/engine.def"
#undef X

const struct engine *const engine_table[] = {
#define X(ident, name) &engine_##ident,
#include "engine/engine.def"
#undef X
    NULL};

/* How well an engine of the asked name fits. */
static int fitness(const struct engine *g, unsigned conditions, const char *variant)
{
    bool listed = !variant || registry_lists(g->variants, variant);
    return 2 * listed + engine_decides(g, conditions);
}

const struct engine *engine_find(const char *text, unsigned conditions, const char **variant, assay_error *e)
{
    const struct engine *first = engine_table[registry_find_variant(engine_table, text, variant)], *g = first;
    for (size_t i = 0; first && engine_table[i]; i++)
        if (strcmp(engine_table[i]->name, first->name) == 0 &&
            fitness(engine_table[i], conditions, *variant) > fitness(g, conditions, *variant))
            g = engine_table[i];
    if (!g) {
        error_set(e, ASSAY_ERROR_USAGE, "unknown engine '%s'", text);
        error_remedy(e, "`assay list engines` shows the engines");
    } else if (*variant && !registry_lists(g->variants, *variant)) {
        error_set(e, ASSAY_ERROR_USAGE, "the engine %s has no variant '%s'", g->name, *variant);
        error_remedy(e, "`assay list engines` shows the variants");
        return NULL;
    }
    return g;
}

const char *engine_missing(const struct engine *g)
{
    return g->missing ? g->missing() : NULL;
}

unsigned engine_lifted(unsigned conditions)
{
    unsigned lifted = 0;
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        bool adds = g->lifts & ~lifted; /* asked first: whether an engine is missing may take a search of PATH */
        if (adds && engine_decides(g, conditions) && !engine_missing(g))
            lifted |= g->lifts;
    }
    return lifted;
}
