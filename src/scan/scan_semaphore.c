/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores: the engine `fast-semaphore` and the online checker `exact-semaphore`. The number of holders of a
 * semaphore(n) is a level with the top n. The value of a counting semaphore is a level without a top, and a wait moves
 * it down (level.h). A failed try tests that the semaphore is used up. If releases return tags, tagged.h decides. */
#include "scan/level.h"
#include "scan/tagged.h"
#include "spec/roles.h"

/* Is the operation a failed try? Its test is then `out`: the semaphore is used up at this level. */
static bool failed(const struct level_op *o, int64_t used_up, struct level_role *out)
{
    *out = o->answer == LEVEL_FALSE ? (struct level_role){LEVEL_TEST, used_up, used_up} : LEVEL_NEVER;
    return o->method == SEMAPHORE_TRY && !o->pending && o->answer != LEVEL_TRUE;
}

/* The level is the number of holders. */
static struct level_role role_held(const struct level_op *o, int64_t top)
{
    struct level_role test;
    if (failed(o, top, &test))
        return test;
    return (struct level_role){o->method == SEMAPHORE_RELEASE ? LEVEL_DOWN : LEVEL_UP, 0, 0};
}

/* The level is the value that is left. */
static struct level_role role_left(const struct level_op *o, int64_t top)
{
    struct level_role test;
    (void)top;
    if (failed(o, 0, &test))
        return test;
    return (struct level_role){o->method == SEMAPHORE_RELEASE ? LEVEL_UP : LEVEL_DOWN, 0, 0};
}

static void say_held(struct text *out, int64_t level)
{
    text_printf(out, "%lld hold the semaphore", (long long)level);
}

/* No stream is long enough to take a value this high down to 0, or from there up to the greatest number. So a live
 * semaphore begins there at most, and its value is not told. */
#define FAR_FROM_ENDS (INT64_MAX / 2)

static void say_left(struct text *out, int64_t level)
{
    if (level > FAR_FROM_ENDS / 2)
        text_puts(out, "the semaphore is far above 0");
    else
        text_printf(out, "the semaphore is at %lld", (long long)level);
}

static const struct level_object held = {.role = role_held, .say = say_held, .tagged = tagged_op};
static const struct level_object left = {.role = role_left, .say = say_left};

static void run(struct job *job)
{
    assay_value n = job->part->object->setting.parameter;
    if (n.kind != ASSAY_INT || n.integer < 0 || n.integer > INT32_MAX)
        job->declined = "the semaphore's size is not a small number";
    else if (plain_is(job, "counting-semaphore"))
        level_run(job, &left, plain_initial_number(job, n.integer), LEVEL_NO_TOP);
    else if (tagged_part(job))
        tagged_run(job, (uint32_t)n.integer);
    else
        level_run(job, &held, plain_initial_number(job, 0), n.integer);
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

static void *open(const struct online_setup *s)
{
    int64_t n = s->setting.parameter.integer;
    if (spec_is(s->spec, "counting-semaphore"))
        return level_scan_open(&left, s, n < FAR_FROM_ENDS ? n : FAR_FROM_ENDS, LEVEL_NO_TOP);
    return level_scan_open(&held, s, 0, n);
}

static const char *declines_live(const struct online_setup *s)
{
    bool is_one = spec_is(s->spec, "semaphore") || spec_is(s->spec, "counting-semaphore");
    return is_one ? NULL : "it is for another object";
}

static const struct scan scan = {.declines = declines_live, .open = open, LEVEL_SCAN};

HOLDBACK_MEMBER(exact_semaphore, "exact-semaphore", "semaphores, also counting ones: a level", scan);
