/* SPDX-License-Identifier: Apache-2.0 */
/* Sets that were read as a whole: do a few reads contradict the calls of a few values?
 *
 * The values of a set do not depend on each other. Take a linearization of the history, leave out all calls of some
 * values, and leave these values out of the results of elements(). The rest is a linearization of the rest. So if the
 * rest has none, the history has none. Reads may be left out, too: they change nothing.
 *
 * A value stays iff the evidence keeps all its calls. A value without any call stays. */
#include "recheck/object.h"
#include "spec/roles.h"

struct projection {
    const struct object_view *v;
    bool *kept;
    struct value_ids gone; /* values of which a call is left out */
};

static bool is_gone(const struct projection *p, assay_value value)
{
    return value_id_find(&p->gone, value_internal(value)) != ID_NONE;
}

static bool belongs(const struct object_view *v, uint32_t op)
{
    return object_counts(v, op) && v->part[op] == v->part[v->x->line->evidence.culprit];
}

static bool take_kept(struct projection *p)
{
    struct recheck *x = p->v->x;
    const struct evidence *ev = &x->line->evidence;
    p->kept = mem_new_zero(x->mem, bool, x->h->n + 1);
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        if (ev->kept.at[i] >= x->h->n)
            return false;
        p->kept[ev->kept.at[i]] = true;
    }
    for (uint32_t op = 0; op < x->h->n; op++)
        if (belongs(p->v, op) && !p->kept[op] && history_arity(x->h, op))
            value_id(x->mem, &p->gone, history_arg(x->h, op, 0));
    return true;
}

/* The list without the values that are gone. */
static assay_value projected(const struct projection *p, assay_value list)
{
    assay_value *elements = mem_new(p->v->x->mem, assay_value, list.length + 1);
    size_t n = list.length, at = n;
    for (; list.length; list = assay_list_before(list))
        if (!is_gone(p, assay_list_last(list)))
            elements[--at] = assay_list_last(list);
    return assay_list(elements + at, n - at);
}

bool object_elements_contradict(const struct object_view *v)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    const struct object_part *part = &v->parts.at[v->part[ev->culprit]];
    struct projection p = {.v = v};
    if (ev->whole || ev->prefix || !ev->kept.n || part->key.kind != ASSAY_NONE || part->use->spec != &spec_set ||
        !take_kept(&p))
        return false;
    struct object_cut cut = {.parts = part, .part_n = 1, .setting = object_remaining(v, part, &p.gone)};
    object_cut_reserve(&cut, ev->kept.n, x->mem);
    for (uint32_t op = 0; op < x->h->n; op++) {
        assay_call call;
        if (!p.kept[op] || !belongs(v, op))
            continue;
        call = object_call(v, op);
        if (call.arg_count && is_gone(&p, call.args[0]))
            continue;
        if (call.result.kind == ASSAY_LIST)
            call.result = projected(&p, call.result);
        cut.ops[cut.n] = op;
        cut.pending[cut.n] = history_pending(x->h, op);
        cut.calls[cut.n++] = call;
    }
    return object_search(v, &cut) == 0;
}
