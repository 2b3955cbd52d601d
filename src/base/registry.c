/* SPDX-License-Identifier: Apache-2.0 */
#include "base/registry.h"

#include <string.h>

static const char *const *member_at(const void *table, size_t i)
{
    const char *const *member; /* a descriptor begins with its name */
    memcpy(&member, (const char *)table + i * sizeof member, sizeof member);
    return member;
}

static size_t find(const void *table, const char *name, size_t length)
{
    for (size_t i = 0;; i++) {
        const char *const *member = member_at(table, i);
        if (!member || (strncmp(*member, name, length) == 0 && !(*member)[length]))
            return i;
    }
}

size_t registry_size(const void *table)
{
    size_t n = 0;
    while (member_at(table, n))
        n++;
    return n;
}

size_t registry_find(const void *table, const char *name)
{
    return find(table, name, strlen(name));
}

size_t registry_find_variant(const void *table, const char *text, const char **variant)
{
    const char *colon = strchr(text, ':');
    *variant = colon ? colon + 1 : NULL;
    size_t at = find(table, text, colon ? (size_t)(colon - text) : strlen(text));
    for (const char *plus = text; !member_at(table, at) && (plus = strchr(plus, '+')) != NULL; plus++) {
        *variant = plus;
        at = find(table, text, (size_t)(plus - text));
    }
    return at;
}

const char *registry_lists(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return *names;
    return NULL;
}
