/* SPDX-License-Identifier: Apache-2.0 */
/* The objects that count something, for amounts.c: the change of the amount by a call, and the meaning of its result.
 * */
#include "explain/amounts.h"

#include "search/plain_part.h"
#include "spec/accounts.h"
#include "spec/any_initial.h"
#include "spec/roles.h"

static bool is(const assay_call *call, const char *word)
{
    return assay_value_same(call->result, assay_word(word));
}

static struct amount_call changes(int64_t by)
{
    return (struct amount_call){.least = by, .most = by};
}

static struct amount_call tells(int64_t low, int64_t high)
{
    return (struct amount_call){.tells = true, .low = low, .high = high};
}

static uint32_t one(const struct job *job)
{
    (void)job;
    return 1;
}

/* ---- the copies of a value of a multiset ---- */

static struct amount copies(const struct job *job, uint32_t which)
{
    (void)which;
    return (struct amount){plain_initial_count(job), 0, AMOUNT_NO_TOP};
}

static struct amount_call multiset_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    bool removes = call->method == MULTISET_REMOVE;
    if (call->method == MULTISET_ADD)
        return changes(1);
    if (removes && (pending || call->result.kind == ASSAY_NONE))
        return (struct amount_call){.least = -1};
    if (pending)
        return (struct amount_call){0};
    if (call->method == MULTISET_COUNT)
        return call->result.kind == ASSAY_INT ? tells(call->result.integer, call->result.integer) : changes(0);
    if (is(call, "false"))
        return tells(0, 0);
    if (!is(call, "true")) /* no state explains it: another rule may say so */
        return changes(0);
    return removes ? changes(-1) : tells(1, AMOUNT_NO_TOP);
}

static enum pattern multiset_pattern(const assay_call *call, const struct amount_lack *lack)
{
    if (call->method == MULTISET_COUNT)
        return PATTERN_CountOutOfReach;
    if (!lack->too_small)
        return PATTERN_MissedWhileIn;
    return amount_missing(lack, call->method == MULTISET_REMOVE ? PATTERN_RemovedTwice : PATTERN_SeenAfterRemoved);
}

/* ---- the holders of a lock or a semaphore ---- */

static struct amount holders(const struct job *job, uint32_t which)
{
    (void)which;
    bool lock = plain_is(job, "lock");
    return (struct amount){plain_initial_number(job, 0), 0, lock ? 1 : job->part->object->setting.parameter.integer};
}

/* The methods of lock and semaphore have the same numbers. */
static struct amount_call held_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)which;
    if (call->method == SEMAPHORE_TRY && !pending && !is(call, "true"))
        return tells(a->top, a->top);
    return changes(call->method == SEMAPHORE_RELEASE ? -1 : 1);
}

static enum pattern held_pattern(const assay_call *call, const struct amount_lack *lack)
{
    return !lack->too_small                    ? PATTERN_TakenTooOften
           : call->method == SEMAPHORE_RELEASE ? PATTERN_ReleasedTooOften
                                               : PATTERN_RefusedWhileFree;
}

/* ---- the value of a counting semaphore ---- */

static struct amount places_left(const struct job *job, uint32_t which)
{
    (void)which;
    return (struct amount){plain_initial_number(job, job->part->object->setting.parameter.integer), 0, AMOUNT_NO_TOP};
}

static struct amount_call left_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    if (call->method == SEMAPHORE_TRY && !pending && !is(call, "true"))
        return tells(0, 0);
    return changes(call->method == SEMAPHORE_RELEASE ? 1 : -1);
}

static enum pattern left_pattern(const assay_call *call, const struct amount_lack *lack)
{
    (void)call;
    return lack->too_small ? PATTERN_TakenTooOften : PATTERN_RefusedWhileFree;
}

/* ---- the holders of a rwlock ---- */

/* Of which there are two amounts: the number of readers, and that of places. A writer takes all places, a reader one of
 * them, and there are more than calls. So a call that releases too much as a reader is found by the first amount. */
enum { READERS, PLACES, RWLOCK_AMOUNTS };
#define ALL_PLACES ((int64_t)UINT32_MAX)

static uint32_t rwlock_amounts(const struct job *job)
{
    (void)job;
    return RWLOCK_AMOUNTS;
}

static struct amount rwlock_amount(const struct job *job, uint32_t which)
{
    int64_t readers = plain_initial_number(job, 0), writer = which == PLACES ? ALL_PLACES : 0; /* a writer: below 0 */
    return (struct amount){readers < 0 ? writer : readers, 0, which == PLACES ? ALL_PLACES : AMOUNT_NO_TOP};
}

static struct amount_call rwlock_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)a;
    int64_t writer = which == PLACES ? ALL_PLACES : 0;
    bool failed = !pending && is(call, "false");
    switch (call->method) {
    case RWLOCK_RDUNLOCK: return changes(-1);
    case RWLOCK_WRUNLOCK: return changes(-writer);
    case RWLOCK_TRYRDLOCK:
    case RWLOCK_RDLOCK:
        if (!failed)
            return changes(1);
        return which == PLACES ? tells(ALL_PLACES, ALL_PLACES) : changes(0);
    default:
        if (!failed)
            return changes(writer);
        return which == PLACES ? tells(1, ALL_PLACES) : changes(0);
    }
}

static enum pattern rwlock_pattern(const assay_call *call, const struct amount_lack *lack)
{
    bool releases = call->method == RWLOCK_RDUNLOCK || call->method == RWLOCK_WRUNLOCK;
    return !lack->too_small ? PATTERN_TakenTooOften : releases ? PATTERN_ReleasedTooOften : PATTERN_RefusedWhileFree;
}

/* ---- the sum of a counter ---- */

static struct amount sum(const struct job *job, uint32_t which)
{
    (void)which;
    return (struct amount){plain_initial_number(job, 0), AMOUNT_NO_BOTTOM, AMOUNT_NO_TOP};
}

/* A result is the sum behind the call, or before a fetch-add. */
static struct amount_call counter_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)a;
    (void)which;
    struct amount_call c = changes(counter_change(call));
    c.low = call->result.integer;
    c.tells = !pending && call->result.kind == ASSAY_INT &&
              (call->method == COUNTER_FETCH_ADD || !__builtin_sub_overflow(c.low, c.least, &c.low));
    c.high = c.low;
    return c;
}

static enum pattern counter_pattern(const assay_call *call, const struct amount_lack *lack)
{
    (void)call;
    (void)lack;
    return PATTERN_SumOutOfReach;
}

/* ---- the balance of an account ---- */

static uint32_t accounts(const struct job *job)
{
    struct bank_setting declared;
    return bank_declared(&job->part->object->setting, &declared) ? declared.accounts : 0;
}

static struct amount balance(const struct job *job, uint32_t which)
{
    const assay_setting *s = &job->part->object->setting;
    struct bank_setting declared;
    bank_declared(s, &declared);
    return (struct amount){s->init_count ? s->init[which].value.integer : declared.each, 0, AMOUNT_NO_TOP};
}

static struct amount_call balances_call(assay_value list, uint32_t which)
{
    for (; list.kind == ASSAY_LIST && list.length > which; list = assay_list_before(list))
        if (list.length == which + 1)
            return tells(assay_list_last(list).integer, assay_list_last(list).integer);
    return changes(0);
}

static struct amount_call transfer_call(const assay_call *call, bool pending, uint32_t which)
{
    bool from = call->args[0].integer == which, to = call->args[1].integer == which;
    int64_t amount = call->args[2].integer, by = (to ? amount : 0) - (from ? amount : 0);
    if (pending || call->result.kind == ASSAY_NONE)
        return (struct amount_call){.least = by < 0 ? by : 0, .most = by > 0 ? by : 0};
    if (is(call, "refused"))
        return from ? tells(0, amount - 1) : changes(0);
    struct amount_call c = changes(by);
    c.tells = from;
    c.low = amount;
    c.high = AMOUNT_NO_TOP;
    return c;
}

static struct amount_call bank_call(const assay_call *call, bool pending, const struct amount *a, uint32_t which)
{
    (void)a;
    if (call->method == BANK_TRANSFER)
        return transfer_call(call, pending, which);
    if (pending)
        return changes(0);
    if (call->method == BANK_BALANCES)
        return balances_call(call->result, which);
    return call->args[0].integer == which ? tells(call->result.integer, call->result.integer) : changes(0);
}

static enum pattern bank_pattern(const assay_call *call, const struct amount_lack *lack)
{
    (void)call;
    (void)lack;
    return PATTERN_BalanceOutOfReach;
}

/* ---- the table ---- */

const struct amount_object *amount_object_of(const struct job *job)
{
    static const struct amount_object objects[] = {
        {"multiset", true, one, copies, multiset_call, multiset_pattern},
        {"lock", false, one, holders, held_call, held_pattern},
        {"semaphore", false, one, holders, held_call, held_pattern},
        {"counting-semaphore", false, one, places_left, left_call, left_pattern},
        {"rwlock", false, rwlock_amounts, rwlock_amount, rwlock_call, rwlock_pattern},
        {"counter", false, one, sum, counter_call, counter_pattern},
        {"bank", false, accounts, balance, bank_call, bank_pattern},
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (plain_is(job, objects[i].name) && (!objects[i].keyed || job->part->key.kind != ASSAY_NONE))
            return &objects[i];
    return NULL;
}
