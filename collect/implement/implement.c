/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/stress.h"

#include "base/registry.h"
#include "collect/implement/plugin.h"

#include <string.h>

#define X(ident, name) extern const assay_adapter adapter_##ident;
#include "collect/implement/implement.def"
#undef X

/* ---- those of C++ libraries: what stands for them until the plug-in is loaded ---- */

#define MISSING(library, package) "built without " library ": install " package
#define MISSING_TBB MISSING("oneTBB", "libtbb-dev")
#define MISSING_BOOST MISSING("Boost.Lockfree", "libboost-dev")
#define MISSING_XENIUM MISSING("xenium", "libxenium-dev")
#define MISSING_CDS MISSING("libcds", "libcds-dev")
#define MISSING_MOODYCAMEL MISSING("moodycamel", "libconcurrentqueue-dev")

#define X(ident, name_, library, object_, title_, promise)                                                             \
    static const assay_adapter adapter_##ident = {                                                                     \
        .version = ASSAY_ADAPTER_VERSION,                                                                              \
        .name = name_,                                                                                                 \
        .object = object_,                                                                                             \
        .title = title_,                                                                                               \
        .satisfies = promise,                                                                                          \
        .missing = MISSING_##library,                                                                                  \
    };
#include "collect/implement/cpp.def"
#undef X

/* ---- the table ---- */

const assay_adapter *const adapter_table[] = {
#define X(ident, ...) &adapter_##ident,
#include "collect/implement/implement.def"

#include "collect/implement/cpp.def"
#undef X
    NULL};

size_t adapter_count(void)
{
    return registry_size(adapter_table);
}

const assay_adapter *adapter_at(size_t i)
{
    const assay_adapter *a = adapter_table[i], *loaded = a && a->missing ? plugin_adapter(a->name) : NULL;
    return loaded ? loaded : a;
}

const assay_adapter *adapter_find(const char *name)
{
    size_t i = 0;
    while (adapter_table[i] && strcmp(adapter_table[i]->name, name) != 0)
        i++;
    return adapter_at(i);
}
