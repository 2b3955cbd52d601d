/* SPDX-License-Identifier: Apache-2.0 */
#include "format/format.h"

#include "base/registry.h"
#include "spec/spec.h"

#define X(ident, name) extern const struct format format_##ident;
#include "format/format.def"
#undef X

const struct format *const format_table[] = {
#define X(ident, name) &format_##ident,
#include "format/format.def"
#undef X
    NULL};

const struct format *format_find(const char *name, const char **variant)
{
    const struct format *f = format_table[registry_find_variant(format_table, name, variant)];
    if (!f || !*variant)
        return f;
    *variant = registry_lists(f->variants, *variant);
    return *variant ? f : NULL;
}

void format_needs_memory(const history *h, const struct writing *w, const char *format)
{
    struct objects objects;
    if (!objects_of(h, (struct object_choice){0}, w->mem, &objects, w->e))
        escape_raise(ESCAPE_ERROR);
    if (objects_all(&objects, &spec_memory))
        return;
    error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE, "%s is for histories of a memory, not of a %s", format,
              objects_kind(&objects));
    escape_raise(ESCAPE_ERROR);
}
