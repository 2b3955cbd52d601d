/* SPDX-License-Identifier: Apache-2.0 */
/* What does a refutation rest on? On each operation that it names, whether in a step, a reason, a lemma, a clause or a
 * case. One that names none, because everything was tried or computed, rests on all of them. */
#include "evidence/evidence.h"

static bool in_steps(const struct evidence *ev, uint32_t op)
{
    for (uint32_t i = 0; i < ev->steps.n; i++)
        if (ev->steps.at[i].from == op || ev->steps.at[i].to == op)
            return true;
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        if (ev->reasons.at[i].from == op || ev->reasons.at[i].to == op || ev->reasons.at[i].read == op)
            return true;
    return false;
}

static bool in_pairs(const assay_pair *pairs, uint32_t n, uint32_t op)
{
    for (uint32_t i = 0; i < n; i++)
        if (pairs[i].first == op || pairs[i].second == op)
            return true;
    return false;
}

static bool listed(const uint32_t *ops, uint32_t n, uint32_t op)
{
    for (uint32_t i = 0; i < n; i++)
        if (ops[i] == op)
            return true;
    return false;
}

static bool named(const struct evidence *ev, uint32_t op)
{
    if (ev->culprit == op || ev->opposite == op || in_steps(ev, op) || in_pairs(ev->pairs.at, ev->pairs.n, op) ||
        in_pairs(ev->sources.at, ev->sources.n, op))
        return true;
    for (uint32_t i = 0; i < ev->cases.n; i++)
        if (named(ev->cases.at[i], op))
            return true;
    return false;
}

static bool in_sights(const struct evidence *ev, uint32_t op)
{
    for (uint32_t i = 0; i < ev->sights.n; i++)
        if (ev->sights.at[i].by == op || ev->sights.at[i].seen == op ||
            listed(ev->sights.at[i].via, ev->sights.at[i].path.n ? ev->sights.at[i].path.n - 1u : 0, op))
            return true;
    return false;
}

/* Has it an event before the culprit's return? */
static bool is_earlier(const history *h, uint32_t op, uint32_t culprit)
{
    return !h->call || history_pending(h, culprit) || h->call[op] <= h->ret[culprit];
}

bool evidence_rests_on(const result *r, uint32_t op, bool (*in_part)(void *arg, uint32_t op), void *arg)
{
    const struct evidence *ev = &r->evidence;
    if (!evidence_present(r) || named(ev, op))
        return true;
    switch (pattern_proof(ev->pattern, r->model)) {
    case PROOF_NONE: return true;
    case PROOF_PART: break;
    default: return false;
    }
    if (ev->suspects.n || ev->sights.n)
        return listed(ev->suspects.at, ev->suspects.n, op) || in_sights(ev, op);
    if (ev->kept.n)
        return listed(ev->kept.at, ev->kept.n, op);
    return in_part(arg, op) && (!ev->prefix || is_earlier(r->h, op, ev->culprit));
}

/* A store order is forced without a path where @final says so. */
bool evidence_rests_on_final(const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool rests = !evidence_present(r) || pattern_proof(ev->pattern, r->model) == PROOF_NONE;
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        rests |= ev->reasons.at[i].rule == ASSAY_WW && !ev->reasons.at[i].path_count;
    return rests;
}
