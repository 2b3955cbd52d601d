/* SPDX-License-Identifier: Apache-2.0 */
#include "search/two_values.h"

#include "history/value_ids.h"
#include "search/linear.h"
#include "search/plain_part.h"

enum { MOST_PAIRS = 1024, MOST_OPERATIONS = 1 << 17 };

/* Queues with times have engines of their own. */
static bool is_for(const struct job *job)
{
    if (!job->part->object || part_setting(job->part).init_count)
        return false;
    if (job->calls->order != CALLS_INTERVALS)
        return !job->calls->call && plain_is(job, "queue");
    return plain_is(job, "stack") || plain_is(job, "deque") || plain_is(job, "pqueue");
}

bool two_values_begin(struct two_values *t, const struct job *job)
{
    *t = (struct two_values){.job = job, .part = job->part ? *job->part : (struct part){0}};
    if (!is_for(job))
        return false;
    const struct part *part = job->part;
    const assay_spec *spec = part->object->spec;
    struct value_ids ids = {0};
    t->value = mem_new(job->mem, uint32_t, part->n + 1);
    t->ops = mem_new(job->mem, uint32_t, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++) {
        assay_value args[2], named = {0};
        assay_call call = calls_get(job->calls, part->ops[i], args);
        spec->cut(&call, &named);
        t->value[i] = ID_NONE;
        if (named.kind != ASSAY_NONE)
            t->value[i] = value_id(job->mem, &ids, value_internal(named));
    }
    t->values = ids.n;
    t->u = 1;
    return t->values > 2;
}

bool two_values_next(struct two_values *t)
{
    const struct part *whole = t->job->part;
    if (t->pairs) {
        t->v++;
        if (t->v == t->u) {
            t->u++;
            t->v = 0;
        }
    }
    if (t->u >= t->values || t->pairs++ >= MOST_PAIRS)
        return false;
    t->part = *whole;
    t->part.n = 0;
    for (uint32_t i = 0; i < whole->n; i++)
        if (t->value[i] == ID_NONE || t->value[i] == t->u || t->value[i] == t->v)
            t->ops[t->part.n++] = whole->ops[i];
    t->part.ops = t->ops;
    return (uint64_t)t->pairs * t->part.n < MOST_OPERATIONS;
}
