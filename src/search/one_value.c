/* SPDX-License-Identifier: Apache-2.0 */
#include "search/one_value.h"

#include "base/radix.h"
#include "spec/roles.h"

#include <string.h>

enum side { OTHER, OWN, OPEN }; /* the register has another value, or v; or it is not said */

enum { SAYS_NOTHING = REGISTER_CAS + 1 };

/* The few values that operations lacked most often. */
static void collect_values(struct one_value *o)
{
    const struct supply *s = o->s;
    uint64_t *often = mem_new(s->x->m, uint64_t, s->values + 1);
    for (uint32_t v = 0; v < s->values; v++)
        often[v] = (uint64_t)(UINT32_MAX - s->lacked[v]) << 32 | v;
    radix_sort(often, s->values, s->x->m);
    o->at = 0;
    o->n = s->values < ONE_VALUE_FEW ? s->values : ONE_VALUE_FEW;
    for (uint32_t k = 0; k < o->n; k++)
        o->values[k] = (uint32_t)often[k];
    mem_free(s->x->m, often);
}

static void begin_first(struct one_value *o, const struct supply *s, const struct job *job)
{
    struct mem *m = job->mem;
    uint32_t n = job->h->n;
    o->s = s;
    o->ops = mem_new(m, uint32_t, s->x->n + 1);
    o->given = mem_new(m, assay_call, n + 1);
    o->arguments[0] = o->arguments[2] = assay_int(OTHER);
    o->arguments[1] = assay_int(OWN);
    o->use = (struct object_use){.name = ID_NONE,
                                 .kind = spec_cas_register.name,
                                 .spec = &spec_cas_register,
                                 .setting = {.init = &o->init, .init_count = 1}};
    o->objects = (struct objects){&o->use, 1, NULL, mem_new(m, uint8_t, n + 1)};
    o->calls = *job->calls;
    o->calls.objects = &o->objects;
    o->calls.given = o->given;
    o->calls.ret = mem_new(m, uint32_t, n + 1);
    o->part = (struct part){.object = &o->use, .ops = o->ops};
}

bool one_value_begin(struct one_value *o, const struct supply *s, const struct job *job, uint32_t until)
{
    if (!s->x || job->calls->derived || s->values < 3)
        return false;
    if (!o->s)
        begin_first(o, s, job);
    o->until = until;
    collect_values(o);
    return true;
}

static enum side side_of(uint32_t value, uint32_t own)
{
    return value == ID_NONE ? OPEN : value == own ? OWN : OTHER;
}

/* The call as it looks for the value. */
static assay_call look(const struct one_value *o, enum side before, enum side after)
{
    assay_call call = {.method = REGISTER_CAS, .arg_count = 2, .result = assay_word("true")};
    if (before == OPEN && after == OPEN)
        return (assay_call){.method = SAYS_NOTHING};
    if (before == OPEN)
        call = (assay_call){.method = REGISTER_WRITE, .arg_count = 1};
    else if (after == OPEN || after == before)
        call = (assay_call){.method = REGISTER_READ, .result = o->arguments[before]};
    if (call.arg_count)
        call.args = &o->arguments[call.arg_count == 2 ? before : after];
    return call;
}

static void take(struct one_value *o, uint32_t i, uint32_t own)
{
    const struct supply *s = o->s;
    const struct linear *x = s->x;
    bool pending = x->ends[i] > o->until;
    enum side before = pending ? OPEN : s->refused[i] == own ? OTHER : side_of(s->demanded[i], own);
    assay_call call = look(o, before, side_of(s->supplied[i], own));
    uint32_t op = x->part->ops[i];
    if (call.method == SAYS_NOTHING)
        return;
    call.operation = op;
    call.thread = o->calls.h->thread[op];
    if (pending)
        call.result = (assay_value){0};
    o->given[op] = call;
    o->objects.method[op] = (uint8_t)call.method;
    o->calls.ret[op] = pending ? CALLS_NEVER : x->ends[i];
    o->ops[o->part.n++] = op;
}

bool one_value_next(struct one_value *o)
{
    const struct linear *x = o->s->x;
    if (o->at == o->n)
        return false;
    uint32_t own = o->values[o->at++];
    o->init = (assay_binding){.value = o->arguments[o->s->initial == own ? OWN : OTHER]};
    o->part.n = 0;
    for (uint32_t i = 0; i < x->n && x->starts[i] < o->until; i++)
        take(o, i, own);
    return true;
}

void one_value_report(const struct one_value *o, struct evidence *ev)
{
    const struct supply *s = o->s;
    const struct linear *x = s->x;
    uint32_t own = o->values[o->at - 1], end = o->calls.ret[ev->culprit];
    evidence_part(ev, PATTERN_ValueUnexplained, ev->culprit, true);
    for (uint32_t i = 0; i < x->n && x->starts[i] < end; i++)
        if (s->demanded[i] == own || s->supplied[i] == own || s->refused[i] == own)
            evidence_keep(ev, x->part->ops[i]);
}
