/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quarantine.h"

#include <string.h>

enum { WORTH_MOVING = 1024 };

static struct held *at(struct quarantine *v, uint64_t number)
{
    return &v->all.at[number - v->base];
}

static uint64_t add(struct quarantine *v, struct held h)
{
    if (v->head >= WORTH_MOVING && v->head >= v->all.n / 2) {
        v->all.n -= v->head;
        memmove(v->all.at, v->all.at + v->head, v->all.n * sizeof *v->all.at);
        v->base += v->head;
        v->head = 0;
    }
    vec_push(v->symbols->mem, &v->all, h);
    return v->base + v->all.n - 1;
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

void quarantine_lose(struct quarantine *v, uint32_t slot)
{
    struct held *call = at(v, v->call_of.at[slot]);
    call->dropped = true;
    quarantine_return(v, slot, call->step, (struct value){0});
}

static void quarantined_names_of(struct quarantine *v, const struct held *h)
{
    struct value named[2];
    uint32_t n = quarantined_names(v->spec, h->arg, h->result, named);
    for (uint32_t i = 0; i < n; i++)
        quarantined_add(&v->quarantined, v->symbols, named[i]);
}

static bool is_quarantined(const struct quarantine *v, const struct held *h)
{
    struct value named[2];
    uint32_t n = quarantined_names(v->spec, h->arg, h->result, named);
    for (uint32_t i = 0; i < n; i++)
        if (quarantined_has(&v->quarantined, named[i]))
            return true;
    return false;
}

/* Is this call one to leave out? If so, its return is, too. */
static bool leave_out(struct quarantine *v, struct held *call)
{
    if (!call->dropped && !is_quarantined(v, call))
        return false;
    quarantined_names_of(v, call);
    if (call->returned)
        at(v, call->other)->dropped = true;
    v->left_out++;
    return true;
}

const struct held *quarantine_next(struct quarantine *v, bool all)
{
    while (v->head < v->all.n) {
        struct held *h = &v->all.at[v->head];
        if (!h->is_return && !h->returned && !all)
            return NULL;
        v->head++;
        if (h->is_return ? !h->dropped : !leave_out(v, h))
            return h;
    }
    return NULL;
}

void quarantine_restart(struct quarantine *v)
{
    for (uint32_t i = v->head; i < v->all.n; i++) {
        struct held *h = &v->all.at[i];
        if (!h->is_return || h->dropped || h->other >= v->base + v->head)
            continue;
        h->dropped = true;
        quarantined_names_of(v, h);
        v->left_out++;
    }
}

void quarantine_each_value(const struct quarantine *v, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = v->head; i < v->all.n; i++) {
        visit(arg, v->all.at[i].arg);
        visit(arg, v->all.at[i].result);
    }
}

void quarantine_free(struct quarantine *v)
{
    quarantined_free(&v->quarantined, v->symbols);
    vec_free(v->symbols->mem, &v->all);
    vec_free(v->symbols->mem, &v->call_of);
}
