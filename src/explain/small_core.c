/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/small_core.h"

#include "check/shrink.h"
#include "explain/looks.h"
#include "explain/refuted.h"

enum { MOST_OPERATIONS = 1 << 14 };

uint64_t small_core_looks = 1 << 9;

static bool is_for(const result *r)
{
    return r->verdict == ASSAY_VIOLATION && r->model->conditions == COND_LIN &&
           !(r->model->needs & NEED_TRANSACTIONS) && r->evidence.pattern == PATTERN_NoLinearization &&
           !r->explanation.argument.lines.n && !r->evidence.whole && r->h->n <= MOST_OPERATIONS &&
           evidence_present(r) && !history_any_initial(r->h);
}

/* The small history has names of its own. */
static bool translate(const history *from, const history *to, struct value *v)
{
    if (v->kind != ASSAY_WORD && v->kind != ASSAY_STRING)
        return v->kind != ASSAY_LIST;
    assay_value public = value_public(from, *v);
    v->bits = names_find(&to->names, public.text, public.length);
    return true;
}

struct carrying {
    const history *small, *h;
    const uint32_t *kept;
};

/* A removal that is cut short there may take any value. To put a value in is the same call. */
static bool carry_end(const struct carrying *c, struct argument_end *e)
{
    if (e->op != ASSAY_NO_OPERATION) {
        uint32_t op = c->kept[e->op];
        if (history_pending(c->small, e->op) != history_pending(c->h, op) && !history_arity(c->h, op))
            return false;
        e->op = op;
    }
    if (e->of != ASSAY_NO_OPERATION)
        e->of = c->kept[e->of];
    return translate(c->small, c->h, &e->value);
}

static bool carry_order(const struct carrying *c, struct argument_order *o)
{
    return carry_end(c, &o->from) && carry_end(c, &o->to);
}

static void carry(const struct carrying *c, const struct argument *from, struct explanation *x)
{
    struct argument to = {.lines = {0}};
    for (uint32_t i = 0; i < from->lines.n; i++) {
        struct argument_line line = from->lines.at[i];
        if (line.kind != ARGUMENT_BUT && !carry_order(c, &line.order))
            return;
        vec_push(x->mem, &to.lines, line);
    }
    for (uint32_t i = 0; i < from->orders.n; i++) {
        struct argument_order o = from->orders.at[i];
        if (!carry_order(c, &o))
            return;
        vec_push(x->mem, &to.orders, o);
    }
    for (uint32_t i = 0; i < from->ops.n; i++) {
        struct argument_end op = {.op = from->ops.at[i], .of = ASSAY_NO_OPERATION};
        if (!carry_end(c, &op))
            return;
        vec_push(x->mem, &to.ops, op.op);
    }
    x->argument = to;
}

void small_core(const result *r, const assay_options *options, struct explanation *why)
{
    if (!is_for(r))
        return;
    struct looks looks;
    assay_options own = looks_options(&looks, options, small_core_looks);
    assay_error ignored = {0};
    own.shrinking = NULL;
    uint32_t *kept = mem_new(why->mem, uint32_t, r->h->n + 1);
    history *small = shrink_to_core(r, &own, explain_refuted, kept, &ignored);
    looks.left = small_core_looks;
    own.engine = NULL;
    result *found = small ? checker_once(small, r->model, &own, explain_refuted, &ignored) : NULL;
    if (found && found->explanation.argument.lines.n)
        carry(&(struct carrying){small, r->h, kept}, &found->explanation.argument, why);
    assay_result_free(found);
    history_free(small);
}
