/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-lock`: a lock is held or free, a level with the top 1 (levels.h). A trylock that failed
 * tests that it is held. */
#include "object/levels.h"
#include "spec/roles.h"

static struct level_role role(const struct online_op *op, int64_t top)
{
    if (op->method == LOCK_UNLOCK)
        return (struct level_role){LEVEL_DOWN, 0, 0};
    if (op->method == LOCK_LOCK || op->returned == ONLINE_NEVER || online_is(op->result, ONLINE_TRUE))
        return (struct level_role){LEVEL_UP, 0, 0};
    return (struct level_role){LEVEL_TEST, top, online_is(op->result, ONLINE_FALSE) ? top : 0};
}

static bool observes(unsigned method)
{
    (void)method;
    return false;
}

static void say(struct text *out, int64_t level)
{
    text_puts(out, level ? "the lock is held" : "the lock is free");
}

static const struct levels_object object = {.role = role, .observes = observes, .say = say};

static void *open(const struct online_setup *s)
{
    return levels_open(&object, s, 0, 1);
}

static const struct scan scan = {.object = "lock", .open = open, LEVELS_SCAN};

HOLDBACK_MEMBER(exact_lock, "exact-lock", "locks: a level from 0 to 1", scan);
