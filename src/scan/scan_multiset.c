/* SPDX-License-Identifier: Apache-2.0 */
/* Multisets: the engine `fast-multiset` and the online checker `exact-multiset`. The number of copies of a value in a
 * multiset is a level without a top (level.h). A remove or contains that did not find the value tests that there is no
 * copy, and so does a count of 0. Other counts test a level between the ends, and the engine declines them. */
#include "scan/level.h"
#include "spec/roles.h"

static struct level_role role(const struct level_op *o, int64_t top)
{
    bool removes = o->method == MULTISET_REMOVE;
    (void)top;
    if (o->method == MULTISET_ADD)
        return (struct level_role){LEVEL_UP, 0, 0};
    if (o->pending)
        return (struct level_role){removes ? LEVEL_DOWN : LEVEL_NOTHING, 0, 0};
    if (o->method == MULTISET_COUNT)
        return o->answer == LEVEL_NUMBER ? (struct level_role){LEVEL_TEST, o->number, o->number} : LEVEL_NEVER;
    if (o->answer == LEVEL_NO_ANSWER && removes)
        return (struct level_role){LEVEL_DOWN_IF, 0, 0};
    if (o->answer == LEVEL_FALSE)
        return LEVEL_AT_BOTTOM;
    if (o->answer != LEVEL_TRUE)
        return LEVEL_NEVER;
    return removes ? (struct level_role){LEVEL_DOWN, 0, 0} : LEVEL_ABOVE;
}

static void say(struct text *out, int64_t level)
{
    text_printf(out, "the value is in %lld times", (long long)level);
}

static const struct level_object object = {.keyed = true, .role = role, .say = say};

static void run(struct job *job)
{
    level_run(job, &object, plain_initial_count(job), LEVEL_NO_TOP);
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

static void *open(const struct online_setup *s)
{
    return level_scan_open(&object, s, 0, LEVEL_NO_TOP);
}

static const struct scan scan = {.object = "multiset", .open = open, LEVEL_SCAN};

HOLDBACK_MEMBER(exact_multiset, "exact-multiset", "multisets: one level per value", scan);
