/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/held_keys.h"

#include "history/value_ids.h"
#include "search/plain_part.h"
#include "spec/roles.h"

enum { MOST_ARGS = 3, AT_FIRST = 1, EVENTS = 2 }; /* moments: 0 is none, then the start, then ranks */

struct side {          /* the calls that give a key the value, or those that take it away */
    uint64_t called;   /* the latest call of those that have returned */
    uint64_t returned; /* the latest return of those that were called */
};

struct key {
    struct side gives, takes;
};

struct keys {
    struct amount_reading reading;
    uint32_t *of;      /* of each place: its key's number; ID_NONE: it changes no key */
    bool *gives;       /* of each place: it gives its key the value, else it takes it away */
    struct key *key;   /* by number */
    struct key *last;  /* behind the last one */
    bool rises, risen; /* some call gives the value; one was called so far; or a key has it at first */
};

static assay_call call_at(const struct job *job, uint32_t i, assay_value *args)
{
    return calls_get(job->calls, job->part->ops[i], args);
}

static bool surely(const struct side *one, const struct side *other)
{
    return one->called > other->returned;
}

static void count(const struct key *k, int64_t times, struct range *now)
{
    now->least += surely(&k->gives, &k->takes) ? times : 0;
    now->most += surely(&k->takes, &k->gives) ? 0 : times;
}

static void pass(struct amount_reading *r, uint32_t i, bool returns, struct range *now)
{
    struct keys *keys = (struct keys *)r;
    const struct calls *c = r->job->calls;
    uint32_t op = r->job->part->ops[i];
    if (keys->of[i] == ID_NONE)
        return;
    struct key *k = &keys->key[keys->of[i]];
    struct side *side = keys->gives[i] ? &k->gives : &k->takes;
    uint64_t called = (uint64_t)c->call[op] + EVENTS, returned = (uint64_t)c->ret[op] + EVENTS;
    count(k, -1, now);
    if (returns)
        side->called = called > side->called ? called : side->called;
    else
        side->returned = returned > side->returned ? returned : side->returned;
    count(k, 1, now);
    keys->risen |= keys->gives[i];
}

static enum pattern name(const struct amount_reading *r, uint32_t i, bool too_small)
{
    const struct keys *keys = (const struct keys *)r;
    struct amount_lack lack = {too_small, !keys->rises, !keys->risen};
    if (calls_method(r->job->calls, r->job->part->ops[i]) == MAP_SIZE)
        return PATTERN_CountOutOfReach;
    return too_small ? amount_missing(&lack, PATTERN_SeenAfterRemoved) : PATTERN_MissedWhileIn;
}

/* ---- reading the calls ---- */

static struct amount_call told(const assay_call *call)
{
    bool yes = assay_value_same(call->result, assay_word("true"));
    if (call->method == MAP_SIZE)
        return (struct amount_call){
            .tells = call->result.kind == ASSAY_INT, .low = call->result.integer, .high = call->result.integer};
    bool no = assay_value_same(call->result, assay_word("false"));
    return (struct amount_call){.tells = yes || no, .low = yes, .high = yes ? AMOUNT_NO_TOP : 0};
}

/* wanted: NULL for any. */
static bool fits(const assay_value *wanted, assay_value v)
{
    return !wanted || assay_value_same(*wanted, v);
}

static void read_initial(struct keys *keys, struct value_ids *ids, const assay_value *wanted)
{
    const assay_setting s = part_setting(keys->reading.job->part);
    for (struct key *k = keys->key; k < keys->last; k++)
        *k = (struct key){.takes = {.called = AT_FIRST}};
    for (size_t j = 0; j < s.init_count; j++) { /* the last one counts */
        struct key *k = &keys->key[value_id_find(ids, value_internal(s.init[j].key))];
        bool has = fits(wanted, s.init[j].value);
        k->gives.called = has ? AT_FIRST : 0;
        k->takes.called = has ? 0 : AT_FIRST;
    }
    for (const struct key *k = keys->key; k < keys->last; k++) {
        count(k, 1, &keys->reading.start);
        keys->rises |= k->gives.called == AT_FIRST;
    }
    keys->risen = keys->rises;
}

/* Counts the keys that have the value, or all keys if it is NULL. */
static void count_keys(struct keys *keys, struct value_ids *ids, const assay_value *wanted,
                       struct amount_finding *found)
{
    const struct job *job = keys->reading.job;
    keys->rises = keys->risen = false;
    keys->reading.start = (struct range){0, 0};
    read_initial(keys, ids, wanted);
    for (uint32_t i = 0; i < job->part->n; i++) {
        assay_value args[MOST_ARGS];
        assay_call call = call_at(job, i, args);
        bool pending = job->calls->ret[job->part->ops[i]] == CALLS_NEVER;
        bool asks = wanted ? call.method == MAP_CONTAINS_VALUE && fits(wanted, call.args[0]) : call.method == MAP_SIZE;
        keys->gives[i] = call.method == MAP_PUT && fits(wanted, call.args[1]);
        keys->reading.call[i] = asks && !pending ? told(&call) : (struct amount_call){0};
        keys->rises |= keys->gives[i];
    }
    amount_sweep(&keys->reading, found);
}

static void number_keys(struct keys *keys, struct value_ids *ids)
{
    const struct job *job = keys->reading.job;
    const assay_setting s = part_setting(job->part);
    keys->of = mem_new_ids(job->mem, job->part->n + 1);
    for (uint32_t i = 0; i < job->part->n; i++) {
        unsigned method = calls_method(job->calls, job->part->ops[i]);
        if (method == MAP_PUT || method == MAP_REMOVE)
            keys->of[i] = value_id(job->mem, ids, history_arg(job->h, job->part->ops[i], 0));
    }
    for (size_t j = 0; j < s.init_count; j++)
        value_id(job->mem, ids, value_internal(s.init[j].key));
    keys->key = mem_new(job->mem, struct key, ids->n + 1);
    keys->last = keys->key + ids->n;
}

/* Is this the first call that asks for its value? */
static bool asks_anew(const struct job *job, struct value_ids *asked, const assay_call *call)
{
    uint32_t n = asked->n;
    return value_id(job->mem, asked, value_internal(call->args[0])) == n;
}

void held_keys_count(struct job *job, struct amount_finding *found)
{
    struct keys keys = {.reading = {.job = job, .amount = {0, 0, AMOUNT_NO_TOP}, .pass = pass, .name = name}};
    struct value_ids ids = {0}, asked = {0};
    bool sizes = false;
    if (!plain_is(job, "map") || job->part->key.kind != ASSAY_NONE)
        return;
    number_keys(&keys, &ids);
    keys.gives = mem_new(job->mem, bool, job->part->n + 1);
    keys.reading.call = mem_new(job->mem, struct amount_call, job->part->n + 1);
    for (uint32_t i = 0; i < job->part->n; i++) {
        assay_value args[MOST_ARGS];
        assay_call call = call_at(job, i, args);
        sizes |= call.method == MAP_SIZE;
        if (call.method == MAP_CONTAINS_VALUE && asks_anew(job, &asked, &call))
            count_keys(&keys, &ids, &call.args[0], found);
    }
    if (sizes)
        count_keys(&keys, &ids, NULL, found);
    value_ids_free(job->mem, &ids);
    value_ids_free(job->mem, &asked);
}
