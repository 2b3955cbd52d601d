/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-set`: a value of a set is in it or not, a level with the top 1 (level.c). An add that found the value
 * there tests for it, as contains does; a remove that did not find it tests that it is away. A pending add or remove
 * may have moved the level; if it did not, it is as if it had not been. */
#include "object/level.h"
#include "spec/roles.h"

static const char *read_roles(const struct job *job, uint8_t *role)
{
    static const uint8_t moves[] = {[SET_ADD] = LEVEL_UP, [SET_REMOVE] = LEVEL_DOWN, [SET_CONTAINS] = LEVEL_NOTHING};
    static const uint8_t yes[] = {[SET_ADD] = LEVEL_UP, [SET_REMOVE] = LEVEL_DOWN, [SET_CONTAINS] = LEVEL_ABOVE};
    static const uint8_t no[] = {
        [SET_ADD] = LEVEL_ABOVE, [SET_REMOVE] = LEVEL_AT_BOTTOM, [SET_CONTAINS] = LEVEL_AT_BOTTOM};
    const history *h = job->h;
    struct truth truth = truth_of(h);
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        unsigned method = calls_method(job->calls, op);
        struct value answer = history_result(h, op);
        if (method > SET_CONTAINS)
            return "a call is not an add, remove or contains";
        if (history_pending(h, op))
            role[i] = moves[method];
        else if (truth_is(answer, truth.yes))
            role[i] = yes[method];
        else if (truth_is(answer, truth.no))
            role[i] = no[method];
        else
            return "a call's result is not recorded, so it is not known whether it changed the set";
    }
    return NULL;
}

static void run(struct job *job)
{
    uint8_t *role = mem_new(job->mem, uint8_t, job->part->n);
    job->declined = read_roles(job, role);
    if (!job->declined)
        level_run(job, role, plain_initial_count(job) > 0, 1);
}

static const char *declines(const struct job *job)
{
    if (!plain_is(job, "set"))
        return "the object is not a set";
    if (job->part->key.kind == ASSAY_NONE)
        return "some calls concern the whole set, not one value";
    return plain_order(job);
}

const struct engine engine_fast_set = {
    .name = "fast-set",
    .title = "sets: one sweep per value",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
