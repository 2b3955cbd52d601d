/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a stack, and why: which values take part is noted when it is found. */
#include "online/fault.h"
#include "online/stack_lives.h"

void stack_note(struct stack *s, enum stack_fault kind, const struct online_op *culprit, uint64_t now)
{
    s->fault.kind = kind;
    s->fault.step = stack_step(s, now);
    s->fault.culprit = *culprit;
    vec_clear(&s->fault.lives);
}

void stack_note_cover(struct stack *s, uint64_t from, uint64_t to, bool core)
{
    s->fault.from = from;
    s->fault.to = to;
    (void)core;
}

void stack_explain(const struct stack *s, struct online_fault *out, struct mem *m)
{
    out->step = s->fault.step;
    fault_op(out, m, &s->fault.culprit);
    text_puts(&out->why, "{0} is wrong\n");
}
