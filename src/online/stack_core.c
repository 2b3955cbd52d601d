/* SPDX-License-Identifier: Apache-2.0 */
#include "online/fault.h"
#include "online/stack.h"
void stack_explain_core(const struct stack *s, struct online_fault *out, struct mem *m)
{
    fault_op(out, m, &s->last);
    out->step = s->last.returned;
    text_puts(&out->why, "{0} is wrong\n");
}
