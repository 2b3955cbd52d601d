/* SPDX-License-Identifier: Apache-2.0 */
/* Locks: the engine `fast-lock` and the online checker `exact-lock`. A lock is held or free: a level with the top 1
 * (level.h). A failed trylock tests that the lock is held. If unlocks return tags, tagged.h decides. */
#include "scan/level.h"
#include "scan/tagged.h"
#include "spec/roles.h"

static struct level_role role(const struct level_op *o, int64_t top)
{
    if (o->method == LOCK_UNLOCK)
        return (struct level_role){LEVEL_DOWN, 0, 0};
    if (o->method == LOCK_LOCK || o->pending || o->answer == LEVEL_TRUE)
        return (struct level_role){LEVEL_UP, 0, 0};
    return o->answer == LEVEL_FALSE ? (struct level_role){LEVEL_TEST, top, top} : LEVEL_NEVER;
}

static void say(struct text *out, int64_t level)
{
    text_puts(out, level ? "the lock is held" : "the lock is free");
}

static const struct level_object object = {.role = role, .say = say, .tagged = tagged_op};

static void run(struct job *job)
{
    if (tagged_part(job))
        tagged_run(job, 1);
    else
        level_run(job, &object, plain_initial_number(job, 0), 1);
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

static void *open(const struct online_setup *s)
{
    return level_scan_open(&object, s, 0, 1);
}

static const struct scan scan = {.object = "lock", .open = open, LEVEL_SCAN};

HOLDBACK_MEMBER(exact_lock, "exact-lock", "locks: a level from 0 to 1", scan);
