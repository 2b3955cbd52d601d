/* SPDX-License-Identifier: Apache-2.0 */
#include "check/episodes.h"

#include "spec/any_initial.h"
#include "spec/roles.h"

/* ---- what a call does to the content ---- */

static bool says(const assay_call *call, const char *word)
{
    return assay_value_same(call->result, assay_word(word));
}

static bool of_collection(enum collection_role role, const assay_call *call, struct content_use *out)
{
    bool adds = role == COLLECTION_ADD;
    *out = (struct content_use){.value = adds ? call->args[0] : call->result};
    out->change = adds ? 1 : role == COLLECTION_REMOVE ? -1 : 0;
    return out->value.kind != ASSAY_NONE && (adds || !says(call, "empty"));
}

/* A set or multiset: the method adds, removes, or neither. Only a result of `true` shows that a call did it, unless it
 * does so `always`. */
static void of_members(bool adds, bool removes, bool always, const assay_call *call, struct content_use *out)
{
    *out = (struct content_use){.value = call->args[0]};
    if (always || says(call, "true"))
        out->change = adds ? 1 : removes ? -1 : 0;
    else
        out->unknown = (adds || removes) && !says(call, "false");
}

/* A lock or the like: all calls are about its holders. */
static void of_holders(bool takes, bool tries, const assay_call *call, struct content_use *out)
{
    *out = (struct content_use){.value = assay_int(0)};
    if (tries && !says(call, "true"))
        out->unknown = !says(call, "false");
    else
        out->change = takes ? 1 : -1;
}

static bool is_rwlock_take(unsigned method)
{
    return method != RWLOCK_RDUNLOCK && method != RWLOCK_WRUNLOCK;
}

bool content_use(const struct part *part, const assay_call *call, struct content_use *out)
{
    const assay_spec *spec = part->object->spec;
    unsigned m = call->method;
    bool by_value = part->key.kind != ASSAY_NONE; /* no call is about all values at once */
    assay_setting setting = part_setting(part);
    if (setting_has_any(&setting))
        return false;
    if (spec == &spec_queue || spec == &spec_stack || spec == &spec_pqueue)
        return of_collection((enum collection_role)m, call, out);
    if (spec == &spec_deque)
        return of_collection((enum collection_role)(m / 2), call, out);
    if (by_value && spec == &spec_set)
        of_members(m == SET_ADD, m == SET_REMOVE, false, call, out);
    else if (by_value && spec == &spec_multiset)
        of_members(m == MULTISET_ADD, m == MULTISET_REMOVE, m == MULTISET_ADD, call, out);
    else if (spec == &spec_lock)
        of_holders(m != LOCK_UNLOCK, m == LOCK_TRY, call, out);
    else if (spec == &spec_semaphore || spec == &spec_counting_semaphore)
        of_holders(m != SEMAPHORE_RELEASE, m == SEMAPHORE_TRY, call, out);
    else if (spec == &spec_rwlock)
        of_holders(is_rwlock_take(m), m == RWLOCK_TRYRDLOCK || m == RWLOCK_TRYWRLOCK, call, out);
    else
        return false;
    return true;
}

/* ---- the sweep ---- */

struct life { /* of a value, up to a moment */
    uint32_t episode, open;
    int64_t held;
    bool unknown, begun;
};

static void begin(struct life *l, struct named_value *of, uint32_t *episodes)
{
    if (l->begun && !l->open && !l->held && !l->unknown)
        l->episode = (*episodes)++;
    l->begun = true;
    l->open++;
    of->value = l->episode;
}

static void end(struct life *l, const struct named_value *of)
{
    l->open--;
    l->held += of->change;
    l->unknown |= of->unknown;
}

/* The calls and returns in the order of time: operation op at its call, n + op at its return. */
static uint32_t *in_time(const struct calls *c, struct mem *m)
{
    uint32_t n = c->h->n, *at = mem_new_ids(m, 2 * (size_t)n + 1);
    for (uint32_t op = 0; op < n; op++) {
        if (c->part_of[op] == ID_NONE)
            continue;
        at[c->call[op]] = op;
        if (!history_pending(c->h, op))
            at[c->ret[op]] = n + op;
    }
    return at;
}

uint32_t episodes_find(const struct calls *c, struct named_value *of, uint32_t values, const uint32_t *held,
                       struct mem *m)
{
    uint32_t n = c->h->n, episodes = values;
    if (!c->call)
        return episodes;
    uint32_t *at = in_time(c, m), *value_of = mem_new(m, uint32_t, (size_t)n + 1);
    struct life *lives = mem_new_zero(m, struct life, (size_t)values + 1);
    for (uint32_t v = 0; v < values; v++)
        lives[v] = (struct life){.episode = v, .held = held[v], .begun = held[v] > 0};
    for (uint32_t op = 0; op < n; op++)
        value_of[op] = of[op].value;
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t op = at[i] == ID_NONE ? ID_NONE : at[i] % n;
        if (op == ID_NONE || value_of[op] == ID_NONE)
            continue;
        if (at[i] < n)
            begin(&lives[value_of[op]], &of[op], &episodes);
        else
            end(&lives[value_of[op]], &of[op]);
    }
    mem_free(m, at);
    mem_free(m, value_of);
    mem_free(m, lives);
    return episodes;
}
