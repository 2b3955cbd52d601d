/* SPDX-License-Identifier: Apache-2.0 */
#include "base/registry.h"

#include <string.h>

static size_t find(const void *table, const char *name, size_t length)
{
    for (size_t i = 0;; i++) {
        const char *const *member; /* its name is what a descriptor begins with */
        memcpy(&member, (const char *)table + i * sizeof member, sizeof member);
        if (!member || (strncmp(*member, name, length) == 0 && !(*member)[length]))
            return i;
    }
}

size_t registry_find(const void *table, const char *name)
{
    return find(table, name, strlen(name));
}

size_t registry_find_variant(const void *table, const char *text, const char **variant)
{
    const char *colon = strchr(text, ':');
    *variant = colon ? colon + 1 : NULL;
    return find(table, text, colon ? (size_t)(colon - text) : strlen(text));
}

bool registry_lists(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}
