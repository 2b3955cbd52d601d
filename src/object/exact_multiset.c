/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-multiset`: how often a value is in a multiset is a level without a top (levels.h). */
#include "object/levels.h"
#include "spec/roles.h"

static struct level_role role(const struct online_op *op, int64_t top)
{
    static const struct level_role in = {LEVEL_TEST, 1, LEVEL_NO_TOP}, out = {LEVEL_TEST, 0, 0};
    static const struct level_role never = {LEVEL_TEST, 1, 0};
    bool removes = op->method == MULTISET_REMOVE;
    (void)top;
    if (op->method == MULTISET_ADD)
        return (struct level_role){LEVEL_UP, 0, 0};
    if (op->method == MULTISET_COUNT)
        return op->result.kind == ASSAY_INT ? (struct level_role){LEVEL_TEST, op->result.bits, op->result.bits} : never;
    if (op->result.kind == ASSAY_NONE && removes)
        return (struct level_role){op->returned == ONLINE_NEVER ? LEVEL_DOWN : LEVEL_DOWN_IF, 0, 0};
    if (online_is(op->result, ONLINE_FALSE))
        return out;
    if (!online_is(op->result, ONLINE_TRUE))
        return never;
    return removes ? (struct level_role){LEVEL_DOWN, 0, 0} : in;
}

static bool observes(unsigned method)
{
    return method == MULTISET_COUNT || method == MULTISET_CONTAINS;
}

static void say(struct text *out, int64_t level)
{
    text_printf(out, "the value is in %lld times", (long long)level);
}

static const struct levels_object object = {.keyed = true, .role = role, .observes = observes, .say = say};

static void *open(const struct online_setup *s)
{
    return levels_open(&object, s, 0, LEVEL_NO_TOP);
}

static const struct scan scan = {.object = "multiset", .open = open, LEVELS_SCAN};

HOLDBACK_MEMBER(exact_multiset, "exact-multiset", "multisets: one level per value", scan);
