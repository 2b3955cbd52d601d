/* SPDX-License-Identifier: Apache-2.0 */
/* ck_stack of Concurrency Kit, with its operations for many producers and many consumers. It is Treiber's stack with a
 * count beside the top that pops check, so popped entries might even be pushed again. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_CK
#include <ck_stack.h>

struct entry {
    ck_stack_entry_t link; /* first */
    int64_t value;
};

struct stack {
    struct nodes nodes; /* first */
    ck_stack_t stack;
};

static void *create(const assay_adapter_setting *setting)
{
    struct stack *s = nodes_object(sizeof *s, sizeof(struct entry), setting);
    if (s)
        ck_stack_init(&s->stack);
    return s;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct stack *s = object;
    if (method == PUSH) {
        struct entry *e = nodes_take(&s->nodes, thread);
        e->value = args[0];
        ck_stack_push_mpmc(&s->stack, &e->link);
        return assay_answer_none();
    }
    struct entry *e = (struct entry *)(void *)ck_stack_pop_mpmc(&s->stack);
    return e ? assay_answer_int(e->value) : assay_answer_word("empty");
}
#endif

const assay_adapter adapter_ck_stack = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "stack:ck-stack",
    .object = "stack",
    .title = "ck_stack of Concurrency Kit",
    .methods = stack_methods,
    CK_HOOKS(.create = create, .destroy = nodes_destroy, .call = call),
};
