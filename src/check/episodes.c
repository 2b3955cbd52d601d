/* SPDX-License-Identifier: Apache-2.0 */
#include "check/episodes.h"

#include "spec/facts.h"

/* ---- what a call does to the content ---- */

/* A label says what the call did: an add that found the value there before it, or a remove that did not, has another
 * one. Without a result it may have found either. */
static bool of_label(const struct object_facts *f, const assay_call *call, struct content_use *out)
{
    const struct call_label *l = facts_label(f, call, false);
    bool members = f->family == FAMILY_MEMBERS;
    *out = (struct content_use){.value = {0}};
    if (l->value != VALUE_NONE)
        out->value = l->value == VALUE_RESULT ? call->result : call->args[0];
    bool changes = l->roles & (ROLE_ADD | ROLE_REMOVE);
    out->unknown = members && changes && !(l->roles & (ROLE_SEE | ROLE_MISS));
    if (changes && !out->unknown)
        out->change = l->roles & ROLE_ADD ? 1 : -1;
    return out->value.kind != ASSAY_NONE;
}

/* All calls of a lock or the like are about its holders, whose number does not matter as long as there are any. */
static bool of_amount(const struct object_facts *f, const assay_setting *s, const assay_call *call,
                      struct content_use *out)
{
    const assay_value key = assay_int(0);         /* only the initial amount would depend on it */
    uint32_t last = facts_amounts(f, s, key) - 1; /* of an rwlock, the one to which writers count, too */
    struct amount a = f->amount(s, key, last);
    struct amount_use use = facts_amount(f, call, false, &a, last);
    *out = (struct content_use){.value = f->by_key ? call->args[0] : assay_int(0), .unknown = use.least != use.most};
    out->change = out->unknown ? 0 : (use.most > 0) - (use.most < 0);
    return true;
}

bool content_use(const struct part *part, const assay_call *call, struct content_use *out)
{
    const struct object_facts *f = facts_of(part->object->spec);
    assay_setting setting = part_setting(part);
    if (setting_has_any(&setting) || (f->by_key && part->key.kind == ASSAY_NONE))
        return false;
    switch (f->counts) {
    case COUNTS_COPIES:
    case COUNTS_LOCK:
    case COUNTS_HOLDERS:
    case COUNTS_RWLOCK:
    case COUNTS_PLACES: return of_amount(f, &setting, call, out);
    default: break;
    }
    bool content = f->family == FAMILY_SEQUENCE || f->family == FAMILY_PRIORITY || f->family == FAMILY_MEMBERS;
    return content && of_label(f, call, out);
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
