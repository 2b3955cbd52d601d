/* SPDX-License-Identifier: Apache-2.0 */
/* The adapters of those C++ libraries that were there, as a shared object that the program loads by itself. */
#include "collect/implement/cpp/operations.h"

/* A row of cpp.def is a ROW if its library is there. */
#define NOT_HERE(ident, name, object, title, promise)
#ifdef ASSAY_WITH_TBB
#define TBB ROW
#else
#define TBB NOT_HERE
#endif
#ifdef ASSAY_WITH_BOOST
#define BOOST ROW
#else
#define BOOST NOT_HERE
#endif
#ifdef ASSAY_WITH_XENIUM
#define XENIUM ROW
#else
#define XENIUM NOT_HERE
#endif
#ifdef ASSAY_WITH_CDS
#define CDS ROW
#else
#define CDS NOT_HERE
#endif
#ifdef ASSAY_WITH_MOODYCAMEL
#define MOODYCAMEL ROW
#else
#define MOODYCAMEL NOT_HERE
#endif

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

#define ROW(ident, name, object, title, promise) \
    static const assay_adapter adapter_##ident = describe(operations_##ident, name, object, title, promise);
#include "collect/implement/cpp.def"
#undef ROW

const assay_adapter *const assay_adapters[] = {
#define ROW(ident, name, object, title, promise) &adapter_##ident,
#include "collect/implement/cpp.def"
#undef ROW
    nullptr};
