/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quarantine.h"

/* ---- events ---- */

static struct held *at(struct quarantine *v, uint64_t number)
{
    return &ring_at(&v->all, (uint32_t)(number - v->first));
}

static uint64_t add(struct quarantine *v, struct held h)
{
    ring_push(v->symbols->mem, &v->all, h);
    return v->first + v->all.n - 1;
}

void quarantine_call(struct quarantine *v, uint32_t slot, uint64_t step, unsigned method, struct value arg, bool before)
{
    while (v->call_of.n <= slot)
        vec_push(v->symbols->mem, &v->call_of, 0);
    v->call_of.at[slot] = add(
        v, (struct held){.step = step, .slot = slot, .method = method, .arg = arg, .dropped = before});
}

void quarantine_return(struct quarantine *v, uint32_t slot, uint64_t step, struct value result)
{
    uint64_t start = v->call_of.at[slot];
    uint64_t end = add(v,
                       (struct held){.step = step, .other = start, .slot = slot, .result = result, .is_return = true});
    struct held *call = at(v, start);
    call->returned = true;
    call->result = result;
    call->other = end;
    at(v, end)->arg = call->arg;
}

void quarantine_died(struct quarantine *v, uint32_t slot)
{
    at(v, v->call_of.at[slot])->died = true;
}

void quarantine_lose(struct quarantine *v, uint32_t slot)
{
    struct held *call = at(v, v->call_of.at[slot]);
    call->dropped = true;
    quarantine_return(v, slot, call->step, (struct value){0});
}

/* ---- values ---- */

/* `empty` and the like stand for no value. */
static bool is_value(struct value v)
{
    return v.kind != ASSAY_NONE && !(v.kind == ASSAY_WORD && v.bits < ONLINE_WORDS);
}

void quarantine_value(void *quarantine, struct value value)
{
    struct quarantine *v = quarantine;
    if (!is_value(value))
        return;
    uint32_t *at = value_map_at(v->symbols->mem, &v->values, value);
    if (*at == ID_NONE)
        symbols_pin(v->symbols, value);
    *at = 0;
}

/* Does the operation name its result? */
static bool names_result(const struct quarantine *v, const struct held *h)
{
    return v->spec->names == ASSAY_NAMES_BOTH ||
           (v->spec->names == ASSAY_NAMES_ARGUMENT_OR_RESULT && h->arg.kind == ASSAY_NONE);
}

static void quarantine_names(struct quarantine *v, const struct held *h)
{
    quarantine_value(v, h->arg);
    if (names_result(v, h))
        quarantine_value(v, h->result);
}

static bool has(const struct quarantine *v, struct value value)
{
    return is_value(value) && value_map_get(&v->values, value) != ID_NONE;
}

static bool is_quarantined(const struct quarantine *v, const struct held *h)
{
    return has(v, h->arg) || (names_result(v, h) && has(v, h->result));
}

/* ---- letting through ---- */

/* Is this call one to leave out? If so, its return is, too. A dead call without an argument may take effect on any
 * value, also on one that is not quarantined: the checker must know it, whenever it was called. */
static bool leave_out(struct quarantine *v, struct held *call)
{
    if (call->died && call->arg.kind == ASSAY_NONE)
        return false;
    if (!call->dropped && !is_quarantined(v, call))
        return false;
    quarantine_names(v, call);
    if (call->returned)
        at(v, call->other)->dropped = true;
    v->left_out++;
    return true;
}

const struct held *quarantine_next(struct quarantine *v, bool all)
{
    while (v->all.n) {
        struct held *h = &ring_front(&v->all);
        if (!h->is_return && !h->returned && !h->died && !all)
            return NULL;
        ring_drop(&v->all); /* this leaves its place as it is, until the next event is added */
        v->first++;
        if (h->is_return ? !h->dropped : !leave_out(v, h))
            return h;
    }
    return NULL;
}

void quarantine_restart(struct quarantine *v)
{
    for (uint32_t i = 0; i < v->all.n; i++) {
        struct held *h = &ring_at(&v->all, i);
        if (!h->is_return || h->dropped || h->other >= v->first)
            continue;
        h->dropped = true;
        quarantine_names(v, h);
        v->left_out++;
    }
}

void quarantine_each_value(const struct quarantine *v, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; i < v->all.n; i++) {
        visit(arg, ring_at(&v->all, i).arg);
        visit(arg, ring_at(&v->all, i).result);
    }
}

void quarantine_free(struct quarantine *v)
{
    value_map_each(&v->values, symbols_unpin, v->symbols);
    value_map_free(v->symbols->mem, &v->values);
    ring_free(v->symbols->mem, &v->all);
    vec_free(v->symbols->mem, &v->call_of);
}

static void pin_again(void *quarantine, struct value value)
{
    struct quarantine *v = quarantine;
    symbols_pin(v->symbols, value);
}

void quarantine_image(struct quarantine *v, struct image *x)
{
    value_map_image(x, v->symbols->mem, &v->values);
    if (x->loads)
        value_map_each(&v->values, pin_again, v);
    image_ring(x, v->symbols->mem, &v->all);
    image_plain(x, &v->first);
    image_vec(x, v->symbols->mem, &v->call_of);
    image_plain(x, &v->left_out);
}
