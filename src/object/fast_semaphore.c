/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-semaphore`: how many hold a semaphore(n) is a level with the top n; the value of a counting semaphore
 * is one without a top, on which a wait goes down (level.c). A try that failed tests that the semaphore is used
 * up; with n > 1, or counting, level.c may then find no way where there is one. */
#include "object/level.h"
#include "spec/roles.h"

static const char *read_roles(const struct job *job, bool counting, uint8_t *role)
{
    const history *h = job->h;
    struct truth truth = truth_of(h);
    for (uint32_t i = 0; i < job->part->n; i++) {
        uint32_t op = job->part->ops[i];
        unsigned method = calls_method(job->calls, op);
        struct value answer = history_result(h, op);
        if (method > SEMAPHORE_TRY)
            return "a call is not an acquire, release or tryacquire";
        role[i] = (method == SEMAPHORE_RELEASE) == counting ? LEVEL_UP : LEVEL_DOWN;
        if (method != SEMAPHORE_TRY || history_pending(h, op) || truth_is(answer, truth.yes))
            continue;
        if (!truth_is(answer, truth.no))
            return "the result of a try is not recorded";
        role[i] = counting ? LEVEL_AT_BOTTOM : LEVEL_AT_TOP;
    }
    return NULL;
}

static void run(struct job *job)
{
    assay_value n = job->part->object->setting.parameter;
    bool counting = plain_is(job, "counting-semaphore");
    uint8_t *role = mem_new(job->mem, uint8_t, job->part->n);
    job->declined = read_roles(job, counting, role);
    if (n.kind != ASSAY_INT || n.integer < 0 || n.integer > INT32_MAX)
        job->declined = "the semaphore's size is not a small number";
    if (!job->declined && counting)
        level_run(job, role, (uint32_t)n.integer, LEVEL_NO_TOP);
    else if (!job->declined)
        level_run(job, role, 0, (uint32_t)n.integer);
}

static const char *declines(const struct job *job)
{
    if (!plain_is(job, "semaphore") && !plain_is(job, "counting-semaphore"))
        return "the object is not a semaphore";
    return plain_order(job);
}

const struct engine engine_fast_semaphore = {
    .name = "fast-semaphore",
    .title = "semaphores: one sweep",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
