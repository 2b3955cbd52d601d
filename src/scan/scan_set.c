/* SPDX-License-Identifier: Apache-2.0 */
/* Sets: the engine `fast-set` and the online checker `exact-set`. A value is in a set or not: a level with the top 1
 * (level.h). An add that found the value tests that the value is in the set, as contains does. A remove that did not
 * find the value tests that it is not in the set. A pending add or remove may have moved the level. If it did not, the
 * history is judged as if it had not been called. An add or remove whose result is not recorded moves the level if it
 * can. A set that is read as a whole is decided by set_reads.c. */
#include "scan/level.h"
#include "scan/set_reads.h"
#include "spec/roles.h"

static struct level_role role(const struct level_op *o, int64_t top)
{
    bool adds = o->method == SET_ADD, observes = o->method == SET_CONTAINS || o->method == SET_ELEMENTS;
    (void)top;
    if (o->pending)
        return (struct level_role){observes ? LEVEL_NOTHING : adds ? LEVEL_UP : LEVEL_DOWN, 0, 0};
    if (o->answer == LEVEL_NO_ANSWER && !observes)
        return (struct level_role){adds ? LEVEL_UP_IF : LEVEL_DOWN_IF, 0, 0};
    if (o->answer == LEVEL_TRUE && !observes)
        return (struct level_role){adds ? LEVEL_UP : LEVEL_DOWN, 0, 0};
    if (o->answer != LEVEL_TRUE && o->answer != LEVEL_FALSE)
        return LEVEL_NEVER;
    return adds || o->answer == LEVEL_TRUE ? LEVEL_ABOVE : LEVEL_AT_BOTTOM;
}

static void say(struct text *out, int64_t level)
{
    text_puts(out, level ? "the value is in the set" : "the value is not in the set");
}

static const struct level_object object = {.keyed = true, .role = role, .say = say};

static void run(struct job *job)
{
    if (job->part->key.kind == ASSAY_NONE)
        set_reads_run(job);
    else
        level_run(job, &object, plain_initial_count(job) > 0, 1);
}

static const char *declines(const struct job *job)
{
    if (!plain_is(job, "set"))
        return "the object is not a set";
    return plain_order(job);
}

const struct engine engine_fast_set = {
    .name = "fast-set",
    .title = "sets: one sweep per value, or one for all where whole sets are read",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};

static void *open(const struct online_setup *s)
{
    return level_scan_open(&object, s, 0, 1);
}

static const struct scan scan = {.object = "set", .open = open, LEVEL_SCAN};

HOLDBACK_MEMBER(exact_set, "exact-set", "sets: one level per value", scan);
