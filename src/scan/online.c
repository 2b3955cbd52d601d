/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/online.h"

#include "base/registry.h"
#include "history/value_map.h"

#include <string.h>

#define X(ident, name) extern const struct online online_##ident;
#include "scan/online.def"
#undef X

const struct online *const online_table[] = {
#define X(ident, name) &online_##ident,
#include "scan/online.def"
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

assay_value online_public(const struct online_setup *s, struct value_map *texts, struct value v)
{
    const char *text = "";
    size_t length = 0;
    if (!kind_is_text(v.kind))
        return value_with_text(v, NULL, 0);
    if (texts)
        *value_map_at(s->mem, texts, v) = 0;
    if (v.kind == ASSAY_WORD && v.bits < ONLINE_WORDS) {
        text = online_words[v.bits];
        length = strlen(text);
    } else if (s->text) {
        text = s->text(s->text_arg, v, &length);
    }
    return value_with_text(v, text, length);
}
