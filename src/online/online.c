/* SPDX-License-Identifier: Apache-2.0 */
#include "online/online.h"

#include "base/registry.h"

#define X(ident, name) extern const struct online online_##ident;
#include "online/online.def"
#undef X

const struct online *const online_table[] = {
#define X(ident, name) &online_##ident,
#include "online/online.def"
#undef X
    NULL};

const char *const online_words[ONLINE_WORDS] = {"empty", "true", "false", "null", "nil"};

const struct online *online_find(const char *text, const char **variant, assay_error *e)
{
    const struct online *o = online_table[registry_find_variant(online_table, text, variant)];
    if (!o) {
        error_set(e, ASSAY_ERROR_USAGE, "unknown monitor '%s'", text);
        error_remedy(e, "`assay list monitors` shows them");
    } else if (*variant && !registry_lists(o->variants, *variant)) {
        error_set(e, ASSAY_ERROR_USAGE, "the monitor %s has no variation '%s'", o->name, *variant);
        error_remedy(e, "`assay list monitors` shows the variations");
        return NULL;
    }
    return o;
}
