/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/chain.h"

#include <stdio.h>
#include <string.h>

static struct chain chain_of(const struct recheck *x, struct span steps, uint32_t reasons, unsigned may)
{
    return (struct chain){.steps = steps.count ? x->line->evidence.steps.at + steps.at : NULL,
                          .count = steps.count,
                          .reasons = reasons,
                          .may = may,
                          .graphs = may};
}

struct chain chain_of_reason(const struct recheck *x, uint32_t i, unsigned may)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    struct chain c = chain_of(x, (struct span){r->path_at, r->path_count}, i, may);
    snprintf(c.name, sizeof c.name, "the path of reason %u", i);
    return c;
}

struct chain chain_of_cycle(const struct recheck *x, uint32_t lemma, unsigned may)
{
    const struct evidence *ev = &x->line->evidence;
    struct span cycle = {ev->cycle_at, ev->cycle_count};
    struct chain c = chain_of(x, lemma == ID_NONE ? cycle : ev->lemmas.at[lemma], ev->reasons.n, may);
    if (lemma == ID_NONE)
        strcpy(c.name, "the cycle");
    else
        snprintf(c.name, sizeof c.name, "lemma %u", lemma);
    return c;
}

bool chain_refuse(const struct recheck *x, const struct chain *c, uint32_t i, const char *why)
{
    const assay_step *s = &c->steps[i];
    return refuse(x, "step %u of %s, %s from %s to %s: %s", i, c->name, assay_rule_name(s->rule),
                  operation_text(x, s->from), operation_text(x, s->to), why);
}

bool chain_derived(const struct recheck *x, const struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    if (s->reason >= c->reasons)
        return chain_refuse(x, c, i, "its reason does not come before it");
    const struct reason *r = &x->line->evidence.reasons.at[s->reason];
    return (r->rule == s->rule && r->from == s->from && r->to == s->to) ||
           chain_refuse(x, c, i, "its reason is about something else");
}
