/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/sieve.h"

#include <string.h>

enum { WORTH_MOVING = 1024 };

static struct held *at(struct sieve *v, uint64_t number)
{
    return &v->all.at[number - v->base];
}

static uint64_t add(struct sieve *v, struct held h)
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

void sieve_call(struct sieve *v, uint32_t slot, uint64_t step, unsigned method, struct value arg, bool before)
{
    while (v->call_of.n <= slot)
        vec_push(v->symbols->mem, &v->call_of, 0);
    v->call_of.at[slot] =
        add(v, (struct held){.step = step, .slot = slot, .method = method, .arg = arg, .dropped = before});
}

void sieve_return(struct sieve *v, uint32_t slot, uint64_t step, struct value result)
{
    uint64_t start = v->call_of.at[slot];
    uint64_t end = add(v, (struct held){.step = step, .other = start, .slot = slot, .result = result, .is_return = true});
    struct held *call = at(v, start);
    call->returned = true;
    call->result = result;
    call->other = end;
    at(v, end)->arg = call->arg;
}

void sieve_lose(struct sieve *v, uint32_t slot)
{
    struct held *call = at(v, v->call_of.at[slot]);
    call->dropped = true;
    sieve_return(v, slot, call->step, (struct value){0});
}

static void taint_names_of(struct sieve *v, const struct held *h)
{
    struct value named[2];
    uint32_t n = taint_names(v->spec, h->arg, h->result, named);
    for (uint32_t i = 0; i < n; i++)
        taint_add(&v->taint, v->symbols, named[i]);
}

static bool is_tainted(const struct sieve *v, const struct held *h)
{
    struct value named[2];
    uint32_t n = taint_names(v->spec, h->arg, h->result, named);
    for (uint32_t i = 0; i < n; i++)
        if (taint_has(&v->taint, named[i]))
            return true;
    return false;
}

/* Is this call one to leave out? If so, its return is, too. */
static bool leave_out(struct sieve *v, struct held *call)
{
    if (!call->dropped && !is_tainted(v, call))
        return false;
    taint_names_of(v, call);
    if (call->returned)
        at(v, call->other)->dropped = true;
    v->left_out++;
    return true;
}

const struct held *sieve_next(struct sieve *v, bool all)
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

void sieve_restart(struct sieve *v)
{
    for (uint32_t i = v->head; i < v->all.n; i++) {
        struct held *h = &v->all.at[i];
        if (!h->is_return || h->dropped || h->other >= v->base + v->head)
            continue;
        h->dropped = true;
        taint_names_of(v, h);
        v->left_out++;
    }
}

void sieve_each_value(const struct sieve *v, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = v->head; i < v->all.n; i++) {
        visit(arg, v->all.at[i].arg);
        visit(arg, v->all.at[i].result);
    }
}

void sieve_free(struct sieve *v)
{
    taint_free(&v->taint, v->symbols);
    vec_free(v->symbols->mem, &v->all);
    vec_free(v->symbols->mem, &v->call_of);
}
