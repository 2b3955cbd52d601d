/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include <string.h>

#define X(ident, name) extern const struct engine engine_##ident;
#include "engine/engine.def"
#undef X

const struct engine *const engine_table[] = {
#define X(ident, name) &engine_##ident,
#include "engine/engine.def"
#undef X
    NULL};

size_t engine_count(void)
{
    return sizeof engine_table / sizeof *engine_table - 1;
}

static bool known_variant(const struct engine *g, const char *variant)
{
    for (const char *const *v = g->variants; v && *v; v++)
        if (strcmp(*v, variant) == 0)
            return true;
    return false;
}

const struct engine *engine_find(const char *text, const char **variant, assay_error *e)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    *variant = colon ? colon + 1 : NULL;
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        if (strlen(g->name) != length || memcmp(g->name, text, length) != 0)
            continue;
        if (*variant && !known_variant(g, *variant)) {
            error_set(e, ASSAY_ERROR_USAGE, "the engine %s has no variant '%s'", g->name, *variant);
            error_remedy(e, "`assay list engines` shows the variants");
            return NULL;
        }
        return g;
    }
    error_set(e, ASSAY_ERROR_USAGE, "unknown engine '%s'", text);
    error_remedy(e, "`assay list engines` shows the engines");
    return NULL;
}
