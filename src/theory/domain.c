/* SPDX-License-Identifier: Apache-2.0 */
#include "theory/domain.h"

void domain_open(struct domain *d, const struct theory *t, const struct online_setup *s)
{
    static const struct call_label initial = {.roles = ROLE_ADD, .value = VALUE_ARGUMENT};
    *d = (struct domain){.theory = t,
                         .mem = s->mem,
                         .matched = theory_matched(t, false),
                         .n = online_parameter(&s->setting),
                         .least_first = assay_value_same(s->setting.parameter, assay_word("min"))};
    size_t n = online_initials(t, &s->setting);
    for (size_t i = 0; i < n; i++) {
        struct domain_op op = {.op = {.method = ASSAY_ANY_ARITY + 1, .arg = online_initial(&s->setting, i)},
                               .label = &initial,
                               .initial = true};
        vec_push(d->mem, &d->ops, op);
    }
}

void domain_close(struct domain *d)
{
    vec_free(d->mem, &d->ops);
    vec_free(d->mem, &d->slots);
}

uint32_t domain_call(struct domain *d, uint32_t slot, uint64_t step, unsigned method, struct value arg)
{
    while (slot >= d->slots.n)
        vec_push(d->mem, &d->slots, ID_NONE);
    d->slots.at[slot] = d->ops.n;
    struct domain_op op = {
        {step, ONLINE_NEVER, method, arg, {0}}, call_label_of(d->theory->labels, method, OUTCOME_NEVER), false};
    vec_push(d->mem, &d->ops, op);
    d->open_n++;
    return d->ops.n - 1;
}

uint32_t domain_return(struct domain *d, uint32_t slot, uint64_t step, struct value result)
{
    uint32_t i = d->slots.at[slot];
    struct domain_op *o = &d->ops.at[i];
    o->op.returned = d->step = step;
    o->op.result = result;
    o->label = call_label_of(d->theory->labels, o->op.method, online_outcome(result));
    if (theory_names(o->label, result)) {
        unsigned matched = theory_matched(d->theory, true);
        d->tagged |= matched != d->matched;
        d->matched = matched;
    }
    d->slots.at[slot] = ID_NONE;
    d->open_n--;
    return i;
}

enum online_verdict domain_finish(void *state)
{
    (void)state;
    return ONLINE_FINE;
}

uint64_t domain_live(const void *state)
{
    return ((const struct domain *)state)->ops.n;
}

void domain_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    const struct domain *d = state;
    for (uint32_t i = 0; i < d->ops.n; i++) {
        visit(arg, d->ops.at[i].op.arg);
        visit(arg, d->ops.at[i].op.result);
    }
}

void domain_explain(void *state, struct online_fault *out, struct mem *m)
{
    const struct domain *d = state;
    out->step = d->step;
    out->why = text_in(m);
    for (uint32_t i = 0; i < d->ops.n; i++)
        vec_push(m, &out->ops, d->ops.at[i].op);
    text_puts(&out->why,
              "no order of these operations that keeps real time, and no choice of what the open calls did, makes all "
              "axioms of the object true\n");
}

/* ---- atoms ---- */

/* Does it have a value yet? An operation that has not returned, or did not say, may have returned any value. */
static bool value_known(const struct domain *d, uint32_t i)
{
    return d->ops.at[i].label->value != VALUE_RESULT || d->ops.at[i].op.result.kind != ASSAY_NONE;
}

static struct value value_of(const struct domain *d, uint32_t i)
{
    const struct domain_op *o = &d->ops.at[i];
    return call_label_value(o->label, o->op.arg, o->op.result);
}

bool domain_can_match(const struct domain *d, uint32_t adder, uint32_t finder)
{
    unsigned gives = domain_roles(d, adder), finds = domain_roles(d, finder);
    if (adder == finder || domain_before(d, finder, adder))
        return false;
    if ((gives & ROLE_SWAP) && (finds & ROLE_SWAP))
        return online_can_swap(&d->ops.at[adder].op, &d->ops.at[finder].op);
    return (gives & ROLE_ADD) && (finds & d->matched) &&
           (!value_known(d, finder) || value_same(value_of(d, adder), value_of(d, finder)));
}

bool domain_holds(const struct domain *d, enum theory_predicate predicate, uint32_t x, uint32_t y)
{
    if (predicate == OTHER)
        return x != y;
    struct value a = value_of(d, x), b = value_of(d, y);
    return predicate == SAME ? value_same(a, b) : d->least_first ? a.bits > b.bits : a.bits < b.bits;
}

/* ---- forgetting ---- */

static uint64_t oldest_open(const struct domain *d)
{
    uint64_t oldest = ONLINE_NEVER;
    for (uint32_t i = 0; i < d->ops.n; i++)
        if (!domain_returned(d, i) && d->ops.at[i].op.called < oldest)
            oldest = d->ops.at[i].op.called;
    return oldest;
}

/* The one operation with the role that names the value; ID_NONE: there is none, or several. */
static uint32_t only(const struct domain *d, unsigned roles, struct value v)
{
    uint32_t found = ID_NONE;
    for (uint32_t i = 0; i < d->ops.n; i++)
        if ((domain_roles(d, i) & roles) && value_known(d, i) && value_same(value_of(d, i), v)) {
            if (found != ID_NONE)
                return ID_NONE;
            found = i;
        }
    return found;
}

/* Have all consequences of the value's operations been derived? */
static bool obsolete(const struct domain *d, struct value v, uint64_t oldest)
{
    uint32_t adder = only(d, ROLE_ADD, v), last = only(d, ROLE_REMOVE, v);
    if (adder == ID_NONE || d->ops.at[adder].op.returned > oldest)
        return false;
    for (uint32_t k = 0; k < d->ops.n && d->theory->overwrites; k++) /* a later adder that is settled */
        if ((domain_roles(d, k) & ROLE_ADD) && d->ops.at[k].op.returned < oldest && domain_before(d, adder, k))
            last = k;
    return last != ID_NONE && d->ops.at[last].op.returned < oldest;
}

static bool forgettable(const struct domain *d, uint32_t i, uint64_t oldest)
{
    const struct domain_op *o = &d->ops.at[i];
    if (!domain_returned(d, i))
        return false;
    if (!d->theory->overwrites && (o->label->roles & (ROLE_SEE | ROLE_MISS)) && o->op.returned < oldest)
        return true;
    return o->label->value != VALUE_NONE && obsolete(d, value_of(d, i), oldest);
}

bool domain_forget(struct domain *d)
{
    if (d->theory->ambiguous)
        return false; /* the matching is not known */
    uint64_t oldest = oldest_open(d);
    uint32_t *to = mem_new(d->mem, uint32_t, d->ops.n + 1), n = 0, before = d->ops.n;
    for (uint32_t i = 0; i < d->ops.n; i++)
        to[i] = forgettable(d, i, oldest) ? ID_NONE : n++;
    for (uint32_t i = 0; i < d->ops.n; i++)
        if (to[i] != ID_NONE)
            d->ops.at[to[i]] = d->ops.at[i];
    for (uint32_t s = 0; s < d->slots.n; s++)
        if (d->slots.at[s] != ID_NONE)
            d->slots.at[s] = to[d->slots.at[s]];
    d->ops.n = n;
    mem_free(d->mem, to);
    return n < before;
}
