/* SPDX-License-Identifier: Apache-2.0 */
/* Adapters of users, from shared objects. */
#include "base/error.h"
#include "collect/stress/stress.h"

#include <dlfcn.h>

static bool complete(const assay_adapter *a)
{
    return a->name && a->object && a->title && a->methods && a->create && a->destroy && a->call;
}

static bool usable(const assay_adapter *const *list, const char *path, assay_error *e)
{
    if (!*list)
        error_set(e, ASSAY_ERROR_INPUT, "%s: its list assay_adapters is empty", path);
    for (; *list; list++) {
        if ((*list)->version != ASSAY_ADAPTER_VERSION) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: built for another version of assay_adapter.h (%u, here %u)", path,
                      (*list)->version, (unsigned)ASSAY_ADAPTER_VERSION);
            error_remedy(e, "build it again");
        } else if (!complete(*list)) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: an adapter lacks a name, object, title, methods or a function", path);
        } else {
            continue;
        }
        return false;
    }
    return !e || e->code == ASSAY_OK;
}

const assay_adapter *const *adapter_load(const char *path, assay_error *e)
{
    assay_error ignored = {0};
    e = e ? e : &ignored;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot load the adapter: %s", dlerror());
        error_remedy(e, "a path with a slash in it, as in ./adapter.so");
        return NULL;
    }
    const assay_adapter *const *list = dlsym(library, "assay_adapters");
    if (!list)
        error_set(e, ASSAY_ERROR_INPUT, "%s exports no assay_adapters", path);
    return list && usable(list, path, e) ? list : NULL;
}
