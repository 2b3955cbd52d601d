/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress.h"

#include "base/registry.h"

#include <string.h>

#define X(ident, name) extern const assay_adapter adapter_##ident;
#include "collect/implement/implement.def"
#undef X

const assay_adapter *const adapter_table[] = {
#define X(ident, name) &adapter_##ident,
#include "collect/implement/implement.def"
#undef X
    NULL};

size_t adapter_count(void)
{
    return REGISTRY_SIZE(adapter_table);
}

const assay_adapter *adapter_find(const char *name)
{
    size_t i = 0;
    while (adapter_table[i] && strcmp(adapter_table[i]->name, name) != 0)
        i++;
    return adapter_table[i];
}
