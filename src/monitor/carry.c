/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/carry.h"

static uint32_t carry_name(struct carry *x, uint32_t name)
{
    const struct name *n = &x->from->names.all.at[name];
    return history_name(x->to, n->text, n->length);
}

/* A list is carried with those it goes on from, the shortest first. */
static int64_t carry_list(struct carry *x, int64_t list)
{
    history *to = x->to;
    VEC(uint32_t) longer = {0};
    const struct list_value *l = x->from->lists.all.at[list];
    uint32_t known = idmap_get(&x->lists, l->id);
    for (; known == ID_NONE && l->before; known = idmap_get(&x->lists, l->id)) {
        vec_push(&to->mem, &longer, l->id);
        l = l->before;
    }
    if (known == ID_NONE)
        *idmap_at(&to->mem, &x->lists, l->id) = known = lists_empty(&to->mem, &to->lists);
    while (longer.n) {
        l = x->from->lists.all.at[vec_pop(&longer)];
        struct value last = carry_value(x, l->last);
        known = (uint32_t)history_longer(to, (struct value){known, ASSAY_LIST, 0}, last).bits;
        *idmap_at(&to->mem, &x->lists, l->id) = known;
    }
    vec_free(&to->mem, &longer);
    return known;
}

struct value carry_value(struct carry *x, struct value v)
{
    if (kind_is_text(v.kind))
        v.bits = carry_name(x, (uint32_t)v.bits);
    else if (v.kind == ASSAY_LIST)
        v.bits = carry_list(x, v.bits);
    return v;
}

static uint32_t append(struct carry *x, uint32_t op)
{
    history *from = x->from, *to = x->to;
    bool pending = history_pending(from, op);
    struct new_op row = {.thread = history_thread(to, carry_name(x, from->threads.at[from->thread[op]].name)),
                         .object = ID_NONE,
                         .method = carry_name(x, from->method[op]),
                         .args = x->args.at,
                         .arity = x->args.n,
                         .result = pending ? (struct value){0} : carry_value(x, history_written_result(from, op)),
                         .pending = pending,
                         .line = history_line(from, op),
                         .column = history_column(from, op)};
    uint32_t copy = history_append(to, &row);
    if (from->call)
        history_set_times(to, copy, from->call[op], pending ? INT64_MAX : from->ret[op]);
    return copy;
}

uint32_t carry_operation(struct carry *x, uint32_t op)
{
    vec_clear(&x->args);
    for (uint32_t i = 0; i < history_arity(x->from, op); i++)
        vec_push(&x->to->mem, &x->args, carry_value(x, history_written(x->from, op, i)));
    return append(x, op);
}

uint32_t carry_accesses(struct carry *x, uint32_t op, const uint32_t *accesses, uint32_t count)
{
    vec_clear(&x->args);
    for (uint32_t i = 0; i < 3 * count; i++)
        vec_push(&x->to->mem, &x->args, carry_value(x, history_written(x->from, op, 3 * accesses[i / 3] + i % 3)));
    return append(x, op);
}

void carry_end(struct carry *x)
{
    idmap_free(&x->to->mem, &x->lists);
    vec_free(&x->to->mem, &x->args);
}
