/* SPDX-License-Identifier: Apache-2.0 */
/* Connected components of a history: threads that share variables, directly or through others.
 *
 * Program order stays within a thread, and reads-from, the store order and their consequences within a variable. So no
 * cycle leaves a component, and executions of the components one after another are an execution of the whole. Clocks
 * have a cell for each event and thread: of a history with many components, most of them would be empty. */
#ifndef ASSAY_MEMORY_COMPONENTS_H
#define ASSAY_MEMORY_COMPONENTS_H

#include "base/group.h"
#include "memory/rw.h"

struct components {
    uint32_t count;
    struct groups threads, variables; /* of each */
    /* Of an event, a thread, a variable: how many of its component come before it. */
    uint32_t *event, *thread, *variable;
};

/* One if there is program order across threads. Memory from m. */
struct components components_of(const struct rw *v, struct mem *m);
void components_free(struct components *c, struct mem *m);

/* The view of one component. Its events keep their operations, but not their numbers. Memory from m. Values are
 * unique. */
void components_view(const struct components *c, uint32_t number, const struct rw *v, struct rw *out, struct mem *m);

#endif
