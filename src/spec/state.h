/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for the states of the library's own specifications: as assay_memory_get and its kin, but it never returns
 * NULL. No frame of a user's lies between these functions and the catcher of the escape. */
#ifndef ASSAY_SPEC_STATE_H
#define ASSAY_SPEC_STATE_H

#include "assay_spec.h"
#include "base/mem.h"

static inline struct mem *state_mem(assay_memory *m)
{
    return (struct mem *)m;
}

static inline void *state_get(assay_memory *m, size_t bytes)
{
    return mem_zero(state_mem(m), bytes);
}

static inline void *state_resize(assay_memory *m, void *block, size_t bytes) /* new bytes are not zeroed */
{
    return mem_resize(state_mem(m), block, bytes);
}

static inline void state_free(assay_memory *m, void *block)
{
    mem_free(state_mem(m), block);
}

#endif
