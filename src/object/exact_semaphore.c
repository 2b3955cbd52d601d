/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-semaphore`: how many hold a semaphore(n) is a level with the top n; the value of a
 * counting semaphore is one without a top, on which a wait goes down (levels.h). A try that failed tests that the
 * semaphore is used up. */
#include "object/levels.h"
#include "spec/roles.h"
#include "spec/spec.h"

static bool failed(const struct online_op *op)
{
    return op->method == SEMAPHORE_TRY && op->returned != ONLINE_NEVER && !online_is(op->result, ONLINE_TRUE);
}

/* Held by so many. */
static struct level_role role_held(const struct online_op *op, int64_t top)
{
    if (failed(op))
        return (struct level_role){LEVEL_TEST, top, online_is(op->result, ONLINE_FALSE) ? top : 0};
    return (struct level_role){op->method == SEMAPHORE_RELEASE ? LEVEL_DOWN : LEVEL_UP, 0, 0};
}

/* The value that is left. */
static struct level_role role_left(const struct online_op *op, int64_t top)
{
    (void)top;
    if (failed(op))
        return (struct level_role){LEVEL_TEST, 0, online_is(op->result, ONLINE_FALSE) ? 0 : -1};
    return (struct level_role){op->method == SEMAPHORE_RELEASE ? LEVEL_UP : LEVEL_DOWN, 0, 0};
}

static bool observes(unsigned method)
{
    (void)method;
    return false;
}

static void say_held(struct text *out, int64_t level)
{
    text_printf(out, "%lld hold the semaphore", (long long)level);
}

static void say_left(struct text *out, int64_t level)
{
    text_printf(out, "the semaphore is at %lld", (long long)level);
}

static const struct levels_object held = {.role = role_held, .observes = observes, .say = say_held};
static const struct levels_object left = {.role = role_left, .observes = observes, .say = say_left};

static void *open(const struct online_setup *s)
{
    int64_t n = s->setting.parameter.integer;
    if (spec_is(s->spec, "counting-semaphore"))
        return levels_open(&left, s, n, LEVEL_NO_TOP);
    return levels_open(&held, s, 0, n);
}

static const char *declines(const struct online_setup *s)
{
    bool is_one = spec_is(s->spec, "semaphore") || spec_is(s->spec, "counting-semaphore");
    return is_one ? NULL : "it is for another object";
}

static const struct scan scan = {.declines = declines, .open = open, LEVELS_SCAN};

HOLDBACK_MEMBER(exact_semaphore, "exact-semaphore", "semaphores, also counting ones: a level", scan);
