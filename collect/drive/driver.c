/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/driver.h"

#include "base/error.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

const assay_driver *const driver_table[] = {
#define X(ident, name) &driver_##ident,
#include "collect/drive/driver.def"
#undef X
    NULL};

bool driver_has_word(const char *list, const char *word, const char *separators)
{
    size_t n = strlen(word);
    for (const char *at = list; at && *at; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);
        if (length == n && n && memcmp(at, word, n) == 0)
            return true;
        at += length;
    }
    return false;
}

/* A letter of a level's name: one mark between two words, and no capitals. */
static char next_letter(const char **at)
{
    size_t marks = strspn(*at, " \t-_");
    if (marks && (*at)[marks]) {
        *at += marks;
        return '-';
    }
    *at += marks;
    return **at ? (char)tolower((unsigned char)*(*at)++) : 0;
}

static bool same_level(const char *a, const char *b)
{
    char x, y;
    a += strspn(a, " \t");
    do {
        x = next_letter(&a);
        y = next_letter(&b);
    } while (x == y && x);
    return x == y;
}

const char *driver_isolation(const assay_driver *d, const char *given, char *out, size_t room)
{
    for (const char *at = d->isolations; at && *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n < room) {
            memcpy(out, at, n);
            out[n] = 0;
            if (same_level(given, out))
                return out;
        }
        at += n;
    }
    return NULL;
}

/* Does the promise hold at these settings? */
static bool applies(const assay_promise *p, const char *(*setting)(const void *context, const char *name),
                    const void *context)
{
    char name[64];
    const char *equals = p->setting ? strchr(p->setting, '=') : NULL;
    if (!equals || (size_t)(equals - p->setting) >= sizeof name)
        return !p->setting;
    memcpy(name, p->setting, (size_t)(equals - p->setting));
    name[equals - p->setting] = 0;
    const char *value = setting(context, name);
    return value && strcmp(value, equals + 1) == 0;
}

const assay_promise *driver_promise(const assay_driver *d, const char *isolation,
                                    const char *(*setting)(const void *context, const char *name), const void *context)
{
    const assay_promise *p = d->promises;
    while (p && p->isolation && !(strcmp(p->isolation, isolation) == 0 && applies(p, setting, context)))
        p++;
    return p && p->isolation ? p : NULL;
}

static bool complete(const assay_driver *d)
{
    return d->name && d->title && d->actions && d->attach && d->detach && d->prepare && d->open && d->run && d->close &&
           (!d->levers || d->lever);
}

static bool usable(const assay_driver *const *list, const char *path, assay_error *e)
{
    if (!*list)
        error_set(e, ASSAY_ERROR_INPUT, "%s: its list assay_drivers is empty", path);
    bool fine = *list != NULL;
    for (; *list && fine; list++) {
        if ((*list)->version != ASSAY_DRIVER_VERSION) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: built for another version of assay_driver.h (%u, here %u)", path,
                      (*list)->version, (unsigned)ASSAY_DRIVER_VERSION);
            error_remedy(e, "build it again");
            fine = false;
        } else if (!complete(*list)) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: a driver lacks a name, title, actions or a function", path);
            fine = false;
        }
    }
    return fine;
}

const assay_driver *const *driver_load(const char *path, assay_error *e)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot load the driver: %s", dlerror());
        error_remedy(e, "a path with a slash in it, as in ./driver.so");
        return NULL;
    }
    const assay_driver *const *list = dlsym(library, "assay_drivers");
    if (!list)
        error_set(e, ASSAY_ERROR_INPUT, "%s exports no assay_drivers", path);
    return list && usable(list, path, e) ? list : NULL;
}
