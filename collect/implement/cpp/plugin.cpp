/* SPDX-License-Identifier: Apache-2.0 */
/* The adapters of those C++ libraries that were there, as a shared object that the program loads by itself. */
#include "collect/implement/cpp/operations.h"

static assay_adapter describe(const operations &o, const char *name, const char *object, const char *title,
                              const char *promise)
{
    assay_adapter a = {};
    a.version = ASSAY_ADAPTER_VERSION;
    a.name = name;
    a.object = object;
    a.title = title;
    a.satisfies = promise;
    a.methods = o.methods;
    a.create = o.create;
    a.destroy = o.destroy;
    a.enter = o.enter;
    a.call = o.call;
    a.point = o.point;
    return a;
}

/* ASSAY_WITH_LIBRARY is 1 if the library is there, else 0, and then its rows are left out. */
#define ROW_0(...)
#define ROW_1(...) __VA_ARGS__
#define JOIN(a, b) a##b
#define ROW_IF(here, ...) JOIN(ROW_, here)(__VA_ARGS__)

#define X(ident, name, library, object, title, promise)                                                                \
    ROW_IF(ASSAY_WITH_##library,                                                                                       \
           static const assay_adapter adapter_##ident = describe(operations_##ident, name, object, title, promise);)
#include "collect/implement/cpp.def"
#undef X

const assay_adapter *const assay_adapters[] = {
#define X(ident, name, library, object, title, promise) ROW_IF(ASSAY_WITH_##library, &adapter_##ident, )
#include "collect/implement/cpp.def"
#undef X
    nullptr};
