/* SPDX-License-Identifier: Apache-2.0 */
/* lfstack of Userspace RCU: Treiber's stack. Pops are read-side sections, so that a popped node could be freed, or
 * pushed again, only after a grace period. Here nodes are kept until the object ends. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_URCU
#include "collect/implement/urcu_threads.h"
#include <urcu/lfstack.h>

struct entry {
    struct cds_lfs_node link; /* first */
    int64_t value;
};

struct stack {
    struct nodes nodes; /* first */
    struct __cds_lfs_stack stack;
};

static void *create(const assay_adapter_setting *setting)
{
    struct stack *s = nodes_object(sizeof *s, sizeof(struct entry), setting);
    if (s)
        __cds_lfs_init(&s->stack);
    return s;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct stack *s = object;
    if (method == PUSH) {
        struct entry *e = nodes_take(&s->nodes, thread);
        e->value = args[0];
        cds_lfs_node_init(&e->link);
        cds_lfs_push(&s->stack, &e->link);
        return assay_answer_none();
    }
    rcu_read_lock();
    struct entry *e = (struct entry *)(void *)__cds_lfs_pop(&s->stack);
    rcu_read_unlock();
    return e ? assay_answer_int(e->value) : assay_answer_word("empty");
}
#endif

const assay_adapter adapter_urcu_lfstack = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "stack:urcu-lfstack",
    .object = "stack",
    .title = "lfstack of Userspace RCU",
    .methods = stack_methods,
    URCU_HOOKS(.create = create, .destroy = nodes_destroy, .enter = urcu_enter, .leave = urcu_leave, .call = call),
};
