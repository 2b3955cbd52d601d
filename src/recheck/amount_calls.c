/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the objects that count something, read for counted.c from the definitions of the objects. */
#include "history/value_ids.h"
#include "recheck/counted.h"
#include "spec/roles.h"

static const struct object_part *part_of(const struct object_view *v)
{
    return &v->parts.at[v->part[v->x->line->evidence.culprit]];
}

static int64_t widened(int64_t time, int64_t by)
{
    int64_t sum;
    return !__builtin_add_overflow(time, by, &sum) ? sum : by < 0 ? INT64_MIN : INT64_MAX;
}

void amounts_read(const struct object_view *v, struct amount_read *r)
{
    const struct recheck *x = v->x;
    const history *h = x->h;
    *r = (struct amount_read){.at = mem_new(x->mem, struct amount_told, h->n + 1)};
    for (uint32_t op = 0; op < h->n; op++) {
        if (!object_counts(v, op) || v->part[op] != v->part[x->line->evidence.culprit])
            continue;
        bool pending = history_pending(h, op);
        if (op == x->line->evidence.culprit)
            r->culprit = r->n;
        r->at[r->n++] = (struct amount_told){.op = op,
                                             .called = widened(h->call[op], -x->line->skew),
                                             .returned = pending ? INT64_MAX : widened(h->ret[op], x->line->skew),
                                             .pending = pending};
    }
}

uint32_t amounts_of(const struct object_view *v)
{
    const struct object_part *p = part_of(v);
    const struct object_facts *f = facts_of(p->use->spec);
    const assay_setting setting = object_part_setting(p);
    if (f->counts == COUNTS_KEYS)
        return p->key.kind == ASSAY_NONE;
    return facts_amounts(f, &setting, value_public(v->x->h, p->key));
}

/* Do all sums stay within the numbers of 64 bits? */
static bool is_small(const struct amount_read *r)
{
    const int64_t most = INT64_MAX / 4;
    int64_t total = r->amount.initial;
    bool small = total > -most && total < most;
    for (uint32_t i = 0; i < r->n && small; i++) {
        const struct amount_use *use = &r->at[i].use;
        int64_t by = use->least < 0 ? use->least : use->most;
        small = by > -most && by < most;
        total = small ? (total < 0 ? -total : total) + (by < 0 ? -by : by) : total;
        small &= total < most;
    }
    return small;
}

/* ---- maps ---- */

/* The value that is asked for, or NULL: any. */
static bool is_wanted(const assay_call *asks, assay_value v)
{
    return asks->method == MAP_SIZE || assay_value_same(asks->args[0], v);
}

static void read_map(const struct object_view *v, struct amount_read *r)
{
    const history *h = v->x->h;
    struct mem *m = v->x->mem;
    const assay_setting setting = object_part_setting(&v->parts.at[v->part[r->at[r->culprit].op]]);
    assay_call asks = object_call(v, r->at[r->culprit].op);
    struct value_ids ids = {0};
    r->has = mem_new_zero(m, bool, r->n + setting.init_count + 1);
    for (size_t i = 0; i < setting.init_count; i++)
        r->has[value_id(m, &ids, value_internal(setting.init[i].key))] = is_wanted(&asks, setting.init[i].value);
    for (uint32_t i = 0; i < r->n; i++) {
        struct amount_told *t = &r->at[i];
        unsigned method = objects_method(&v->objects, t->op)->id;
        bool puts = method == MAP_PUT, changes = puts || method == MAP_REMOVE;
        t->key = changes ? value_id(m, &ids, history_arg(h, t->op, 0)) : ID_NONE;
        t->gives = puts && is_wanted(&asks, value_public(h, history_arg(h, t->op, 1)));
    }
    r->keys = ids.n;
    r->at[r->culprit].use = facts_amount(&facts_map, &asks, r->at[r->culprit].pending, NULL, 0);
}

bool amounts_tell(const struct object_view *v, uint32_t which, struct amount_read *r)
{
    const struct object_part *p = part_of(v);
    const struct object_facts *f = facts_of(p->use->spec);
    const assay_setting setting = object_part_setting(p);
    const struct amount_use *use = &r->at[r->culprit].use;
    if (f->counts == COUNTS_KEYS) {
        read_map(v, r);
        return use->tells;
    }
    r->amount = f->amount(&setting, value_public(v->x->h, p->key), which);
    for (uint32_t i = 0; i < r->n; i++) {
        struct amount_told *t = &r->at[i];
        assay_call call = object_call(v, t->op);
        budget_tick(v->x->budget);
        t->key = ID_NONE;
        t->use = facts_amount(f, &call, t->pending, &r->amount, which);
        mem_free(v->x->mem, (void *)call.args);
    }
    return (use->tells || use->least || use->most) && is_small(r);
}
