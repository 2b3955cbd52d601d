/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-set`: a value of a set is in it or not, a level with the top 1 (levels.h). An add that
 * found the value there tests for it, as contains does; a remove that did not find it tests that it is away. One
 * whose result is not recorded moves the level if it can. */
#include "object/levels.h"
#include "spec/roles.h"

static struct level_role role(const struct online_op *op, int64_t top)
{
    static const struct level_role in = {LEVEL_TEST, 1, LEVEL_NO_TOP}, out = {LEVEL_TEST, 0, 0};
    static const struct level_role never = {LEVEL_TEST, 1, 0};
    bool adds = op->method == SET_ADD, observes = op->method == SET_CONTAINS;
    (void)top;
    if (op->returned == ONLINE_NEVER)
        return (struct level_role){adds ? LEVEL_UP : LEVEL_DOWN, 0, 0};
    if (op->result.kind == ASSAY_NONE && !observes)
        return (struct level_role){adds ? LEVEL_UP_IF : LEVEL_DOWN_IF, 0, 0};
    bool yes = online_is(op->result, ONLINE_TRUE);
    if (!yes && !online_is(op->result, ONLINE_FALSE))
        return never;
    if (observes)
        return yes ? in : out;
    if (yes)
        return (struct level_role){adds ? LEVEL_UP : LEVEL_DOWN, 0, 0};
    return adds ? in : out;
}

static bool observes(unsigned method)
{
    return method == SET_CONTAINS;
}

static void say(struct text *out, int64_t level)
{
    text_puts(out, level ? "the value is in the set" : "the value is not in the set");
}

static const struct levels_object object = {.keyed = true, .role = role, .observes = observes, .say = say};

static void *open(const struct online_setup *s)
{
    return levels_open(&object, s, 0, 1);
}

static const struct scan scan = {.object = "set", .open = open, LEVELS_SCAN};

HOLDBACK_MEMBER(exact_set, "exact-set", "sets: one level per value", scan);
