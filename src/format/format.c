/* SPDX-License-Identifier: Apache-2.0 */
#include "format/format.h"

#include "spec/spec.h"

#include <string.h>

#define X(ident, name) extern const struct format format_##ident;
#include "format/format.def"
#undef X

const struct format *const format_table[] = {
#define X(ident, name) &format_##ident,
#include "format/format.def"
#undef X
    NULL};

size_t format_count(void)
{
    return sizeof format_table / sizeof *format_table - 1;
}

static bool accepts(const struct format *f, const char *variant)
{
    for (const char *const *v = f->variants; v && *v; v++)
        if (strcmp(*v, variant) == 0)
            return true;
    return false;
}

const struct format *format_find(const char *name, const char **variant)
{
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    *variant = colon ? colon + 1 : NULL;
    for (size_t i = 0; format_table[i]; i++) {
        const struct format *f = format_table[i];
        if (strlen(f->name) == length && memcmp(f->name, name, length) == 0)
            return *variant && !accepts(f, *variant) ? NULL : f;
    }
    return NULL;
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
