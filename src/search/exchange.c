/* SPDX-License-Identifier: Apache-2.0 */
#include "search/exchange.h"

#include "search/plain_part.h"
#include "spec/roles.h"

enum { MOST_ARGS = 3 };

static const struct value no_key = {-1, ASSAY_WORD}; /* a key without a value: no word has this number */

static bool is(const assay_call *call, const char *word)
{
    return assay_value_same(call->result, assay_word(word));
}

static struct exchange of_register(const assay_call *call, bool pending, bool memory)
{
    unsigned last = call->arg_count - 1;
    struct exchange e = {0};
    switch (call->method) {
    case REGISTER_READ:
        if (!pending)
            e.before = value_internal(call->result);
        break;
    case REGISTER_WRITE: e.after = value_internal(call->args[last]); break;
    case REGISTER_CAS: /* or MEMORY_RMW, which has no result */
        if (pending || memory || is(call, "true"))
            e.after = value_internal(call->args[last]);
        if (!pending && e.after.kind != ASSAY_NONE)
            e.before = value_internal(call->args[last - 1]);
        if (!pending && is(call, "false"))
            e.not_before = value_internal(call->args[last - 1]);
        if (assay_value_same(call->args[last - 1], call->args[last])) /* it sets nothing, even if it is pending */
            e.after = (struct value){0};
        break;
    default: break;
    }
    return e;
}

static bool is_null(assay_value v)
{
    return assay_value_same(v, assay_word("null")) || assay_value_same(v, assay_word("nil"));
}

static struct value held(assay_value v)
{
    return is_null(v) ? no_key : value_internal(v);
}

static struct exchange of_map(const assay_call *call, bool pending)
{
    struct exchange e = {0};
    bool asks = call->method == MAP_CONTAINS_KEY;
    if (call->method == MAP_PUT)
        e.after = held(call->args[1]);
    else if (call->method == MAP_REMOVE)
        e.after = no_key;
    if (!pending && !asks && call->result.kind != ASSAY_NONE)
        e.before = held(call->result);
    if (!pending && asks && is(call, "false"))
        e.before = no_key;
    if (!pending && asks && is(call, "true"))
        e.not_before = no_key;
    return e;
}

static struct exchange of_set(const assay_call *call, bool pending)
{
    struct exchange e = {0};
    bool adds = call->method == SET_ADD, yes = is(call, "true"), told = !pending && (yes || is(call, "false"));
    if (call->method == SET_ADD || call->method == SET_REMOVE)
        e.after = adds ? exchange_in : exchange_out;
    if (told)
        e.before = yes == adds ? exchange_out : exchange_in;
    return e;
}

static struct exchange of_lock(const assay_call *call, bool pending)
{
    struct exchange e = {0};
    bool failed = call->method == LOCK_TRY && is(call, "false"), releases = call->method == LOCK_UNLOCK;
    if (!failed)
        e.after = releases ? exchange_out : exchange_in;
    if (!pending)
        e.before = releases || failed ? exchange_in : exchange_out;
    return e;
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

bool exchange_is_for(const struct job *job)
{
    if (!job->part->object)
        return false;
    if (plain_is(job, "map") && holds_null(job))
        return false;
    bool keyed = job->part->key.kind != ASSAY_NONE;
    return plain_is(job, "register") || plain_is(job, "cas-register") || plain_is(job, "lock") ||
           (keyed && (plain_is(job, "memory") || plain_is(job, "map") || plain_is(job, "set")));
}

struct value exchange_initial(const struct job *job)
{
    if (plain_is(job, "set"))
        return plain_initial_count(job) ? exchange_in : exchange_out;
    if (plain_is(job, "lock"))
        return plain_initial_number(job, 0) ? exchange_in : exchange_out;
    if (!plain_is(job, "map"))
        return plain_initial_value(job);
    const assay_setting s = part_setting(job->part);
    assay_value key = value_public(job->h, job->part->key);
    struct value v = no_key;
    for (size_t i = 0; i < s.init_count; i++)
        if (assay_value_same(s.init[i].key, key))
            v = held(s.init[i].value);
    return v;
}

struct exchange exchange_of(const struct job *job, uint32_t op)
{
    assay_value args[MOST_ARGS];
    assay_call call = calls_get(job->calls, op, args);
    bool pending = job->calls->ret[op] == CALLS_NEVER;
    struct exchange e = plain_is(job, "set")    ? of_set(&call, pending)
                        : plain_is(job, "map")  ? of_map(&call, pending)
                        : plain_is(job, "lock") ? of_lock(&call, pending)
                                                : of_register(&call, pending, plain_is(job, "memory"));
    if (e.before.kind == e.after.kind && e.before.bits == e.after.bits)
        e.after = (struct value){0};
    return e;
}
