/* SPDX-License-Identifier: Apache-2.0 */
#include "search/exchange.h"

#include "search/plain_part.h"
#include "spec/roles.h"

enum { MOST_ARGS = 3 };

static const struct value no_key = {-1, ASSAY_WORD}; /* a key without a value: no word has this number */

static bool is_null(assay_value v)
{
    return assay_value_same(v, assay_word("null")) || assay_value_same(v, assay_word("nil"));
}

/* As the values of the history are numbered. The words of the facts are not in it. */
static struct value state_of(const struct object_facts *f, assay_value v)
{
    if (f->family == FAMILY_MAP && is_null(v))
        return no_key;
    if (v.kind == ASSAY_NONE || f->family == FAMILY_REGISTER || f->family == FAMILY_MAP)
        return value_internal(v);
    return assay_value_same(v, assay_word("true")) ? exchange_in : exchange_out;
}

/* Does a call put null under a key? Then a result null does not tell whether the key is there. */
static bool holds_null(const struct job *job)
{
    const assay_setting s = part_setting(job->part);
    for (size_t i = 0; i < s.init_count; i++)
        if (is_null(s.init[i].value))
            return true;
    for (uint32_t i = 0; i < job->part->n; i++) {
        assay_value args[MOST_ARGS];
        assay_call call = calls_get(job->calls, job->part->ops[i], args);
        if (call.method == MAP_PUT && is_null(call.args[1]))
            return true;
    }
    return false;
}

static const struct object_facts *facts_for(const struct job *job)
{
    return facts_of(job->part->object->spec);
}

bool exchange_is_for(const struct job *job)
{
    const struct object_facts *f = job->part->object ? facts_for(job) : NULL;
    return f && f->cell && (!f->by_key || job->part->key.kind != ASSAY_NONE) &&
           (f->family != FAMILY_MAP || !holds_null(job));
}

struct value exchange_initial(const struct job *job)
{
    const struct object_facts *f = facts_for(job);
    const assay_setting s = part_setting(job->part);
    return state_of(f, f->cell_initial(&s, value_public(job->h, job->part->key)));
}

struct exchange exchange_of(const struct job *job, uint32_t op)
{
    const struct object_facts *f = facts_for(job);
    assay_value args[MOST_ARGS];
    assay_call call = calls_get(job->calls, op, args);
    struct cell_access c = facts_cell(f, &call, job->calls->ret[op] == CALLS_NEVER);
    struct exchange e = {state_of(f, c.sees), state_of(f, c.sets), state_of(f, c.refuses)};
    if (e.before.kind == e.after.kind && e.before.bits == e.after.bits)
        e.after = (struct value){0};
    return e;
}
