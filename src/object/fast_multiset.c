/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-multiset`: how often a value is in a multiset is a level without a top (level.c). A remove that did
 * not find the value, a contains that did not and a count of 0 test that it is away; level.c may then find no way where
 * there is one. Other counts test a level between the ends, and are not for it. */
#include "object/level.h"
#include "spec/roles.h"

/* LEVEL_NOTHING for a completed call: it is not for this engine. */
static uint8_t role_of(const struct job *job, uint32_t op, struct truth truth)
{
    unsigned method = calls_method(job->calls, op);
    bool pending = history_pending(job->h, op), removes = method == MULTISET_REMOVE;
    struct value answer = history_result(job->h, op);
    if (method == MULTISET_ADD)
        return LEVEL_UP;
    if (pending)
        return removes ? LEVEL_DOWN : LEVEL_NOTHING;
    if (method == MULTISET_COUNT)
        return answer.kind == ASSAY_INT && answer.bits == 0 ? LEVEL_AT_BOTTOM : LEVEL_NOTHING;
    if (truth_is(answer, truth.no))
        return LEVEL_AT_BOTTOM;
    return !truth_is(answer, truth.yes) ? LEVEL_NOTHING : removes ? LEVEL_DOWN : LEVEL_ABOVE;
}

static const char *read_roles(const struct job *job, uint8_t *role)
{
    struct truth truth = truth_of(job->h);
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        role[i] = role_of(job, op, truth);
        if (role[i] == LEVEL_NOTHING && !history_pending(job->h, op))
            return calls_method(job->calls, op) == MULTISET_COUNT
                       ? "a call counts a value that is there"
                       : "a call's result is not recorded, so it is not known whether it found the value";
    }
    return NULL;
}

static void run(struct job *job)
{
    uint8_t *role = mem_new(job->mem, uint8_t, job->part->n);
    job->declined = read_roles(job, role);
    if (!job->declined)
        level_run(job, role, plain_initial_count(job), LEVEL_NO_TOP);
}

static const char *declines(const struct job *job)
{
    if (!plain_is(job, "multiset"))
        return "the object is not a multiset";
    if (job->part->key.kind == ASSAY_NONE)
        return "some calls concern the whole multiset, not one value";
    return plain_order(job);
}

const struct engine engine_fast_multiset = {
    .name = "fast-multiset",
    .title = "multisets: one sweep per value",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
