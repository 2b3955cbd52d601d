/* SPDX-License-Identifier: Apache-2.0 */
/* Looking up members of a family by name. A family's table holds pointers to descriptors, up to NULL; a descriptor
 * is a struct whose first field is its name, a `const char *`. Searches return a place in the table, that of the
 * NULL at its end when there is no such member: model_table[registry_find(model_table, name)]. */
#ifndef ASSAY_BASE_REGISTRY_H
#define ASSAY_BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

size_t registry_size(const void *table); /* the number of members */
size_t registry_find(const void *table, const char *name);

/* The same for "name", "name:variant" or "name+variant" (a name may have a plus itself). *variant becomes the text
 * behind the name, without the colon but with the plus, or NULL. The caller checks that the member has such a
 * variant. */
size_t registry_find_variant(const void *table, const char *text, const char **variant);

/* The name as it stands in the list, which goes up to NULL or is NULL; NULL: it is not there. */
const char *registry_lists(const char *const *names, const char *name);

#endif
