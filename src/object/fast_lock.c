/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-lock`: a lock is held or free, a level with the top 1 (level.c). A trylock that failed tests
 * that it is held. */
#include "object/level.h"
#include "spec/roles.h"

static const char *read_roles(const struct job *job, uint8_t *role)
{
    const history *h = job->h;
    struct truth truth = truth_of(h);
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        unsigned method = calls_method(job->calls, op);
        struct value answer = history_result(h, op);
        if (method > LOCK_TRY)
            return "a call is not a lock, unlock or trylock";
        role[i] = method == LOCK_UNLOCK ? LEVEL_DOWN : LEVEL_UP;
        if (method != LOCK_TRY || history_pending(h, op) || truth_is(answer, truth.yes))
            continue;
        if (!truth_is(answer, truth.no))
            return "a trylock's result is not recorded";
        role[i] = LEVEL_AT_TOP;
    }
    return NULL;
}

static void run(struct job *job)
{
    uint8_t *role = mem_new(job->mem, uint8_t, job->part->n);
    job->declined = read_roles(job, role);
    if (!job->declined)
        level_run(job, role, 0, 1);
}

static const char *declines(const struct job *job)
{
    return plain_is(job, "lock") ? plain_order(job) : "the object is not a lock";
}

const struct engine engine_fast_lock = {
    .name = "fast-lock",
    .title = "locks: one sweep",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
