/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/compare.h"

#include "oracle/memory/models.h"

bool by_logic(const struct history *h, int m)
{
    return h->po_after && (m == CM || m == CCM || m == WCCM);
}

bool may_decline(const struct history *h, int m)
{
    bool choice = !by_logic(h, m) && (m == CC || m == CCV || m == CM || m == SC || m == TSO || m == PSO);
    return !unique_values(h) && !choice;
}

void compare(const struct history *h, const assay_history *a, const char *text, int m, bool expected,
             const assay_options *o, char **keep)
{
    ask(&(struct question){.history = a,
                           .text = text,
                           .model = model_names[m],
                           .options = o,
                           .expected = expected ? HOLDS : FAILS,
                           .may_decline = may_decline(h, m),
                           .may_give_up = o->engine,
                           .may_not_prove = o->engine || by_logic(h, m) || !expected,
                           .may_be_long = assay_history_size(a) > 16,
                           .keep = keep});
}
