/* SPDX-License-Identifier: Apache-2.0 */
/* Refutations of models of transactions, by pattern.
 *
 * Reads that every model forbids are found again from their definitions (transactions.c, txn_versions.c): the culprit
 * must have one. A NonRepeatableRead has two sources of one key. The other patterns are names of cycles. The verdict
 * rests on the steps of the cycle. The name must fit them, too (txn_names.c). NoVersionOrder: lemmas and learned
 * clauses (cases.c). */
#include "recheck/transactions.h"

/* ---- single reads ---- */

static unsigned fault_of(enum pattern p)
{
    switch (p) {
    case PATTERN_ThinAirRead: return FAULT_THIN_AIR;
    case PATTERN_AbortedRead: return FAULT_ABORTED;
    case PATTERN_IntermediateRead: return FAULT_INTERMEDIATE;
    case PATTERN_FutureRead: return FAULT_FUTURE;
    case PATTERN_InternalRead: return FAULT_INTERNAL;
    case PATTERN_IncompatibleOrder: return FAULT_INCOMPATIBLE;
    default: return 0;
    }
}

/* Does the list of the read have an element that the transaction appends itself? */
static bool shows_own(const struct transactions *t, uint32_t op, const struct txn_read *r)
{
    for (uint32_t v = r->version; v != ID_NONE; v = t->versions.at[v].before)
        if (t->versions.at[v].put != ID_NONE && t->puts.at[t->versions.at[v].put].op == op)
            return true;
    return false;
}

static bool check_fault(const struct recheck *x, uint32_t culprit, unsigned fault)
{
    const struct transactions *t = x->transactions;
    if (!takes_part(x, culprit, "the culprit"))
        return false;
    for (uint32_t i = t->reads_at[culprit]; i < t->reads_at[culprit + 1]; i++)
        if ((t->reads[i].faults & fault) || (fault == FAULT_FUTURE && shows_own(t, culprit, &t->reads[i])))
            return true;
    return refuse(x, "no read of the culprit %s shows %s", operation_text(x, culprit),
                  pattern_name(x->line->evidence.pattern));
}

static bool differ(const struct transactions *t, uint32_t op, const struct txn_read *a, const struct txn_read *b)
{
    bool open = a->source == FROM_SEVERAL || b->source == FROM_SEVERAL;
    return open ? !txn_same_read(t, op, a, b) : a->source != b->source;
}

/* Two reads of one key: of different values, or from different sources. */
static bool check_repeated(const struct recheck *x, uint32_t culprit)
{
    const struct transactions *t = x->transactions;
    if (x->conditions & COND_RC)
        return refuse(x, "the model %s does not forbid a NonRepeatableRead", x->line->model->name);
    if (!takes_part(x, culprit, "the culprit"))
        return false;
    struct idmap first = {0}; /* of a key: its first read */
    for (uint32_t i = t->reads_at[culprit]; i < t->reads_at[culprit + 1]; i++) {
        const struct txn_read *r = &t->reads[i];
        uint32_t *at = r->faults ? NULL : idmap_at(x->mem, &first, r->key);
        if (at && *at != ID_NONE && differ(t, culprit, &t->reads[*at], r))
            return true;
        if (at && *at == ID_NONE)
            *at = i;
    }
    return refuse(x, "the culprit %s reads no key from two sources", operation_text(x, culprit));
}

/* ---- cycles ---- */

static bool check_cycle(struct recheck *x, bool named)
{
    const struct evidence *ev = &x->line->evidence;
    if (!recheck_txn_reasons(x, false))
        return false;
    bool before_initial = !ev->cycle_count && ev->reasons.n && vec_last(&ev->reasons).to == ASSAY_NO_OPERATION;
    if (!before_initial && !recheck_txn_cycle(x, ID_NONE))
        return false;
    return !named || recheck_txn_name(x);
}

static bool check_no_version_order(struct recheck *x)
{
    if (x->conditions & (COND_RC | COND_RA | COND_TCC))
        return refuse(x, "the model %s leaves no order of writers open", x->line->model->name);
    if (!recheck_txn_reasons(x, true))
        return false;
    for (uint32_t i = 0; i < x->line->evidence.lemmas.n; i++)
        if (!recheck_txn_cycle(x, i))
            return false;
    return recheck_cases(x);
}

bool recheck_txn_refutation(struct recheck *x, bool named)
{
    const struct evidence *ev = &x->line->evidence;
    unsigned fault = fault_of(ev->pattern);
    if (fault)
        return check_fault(x, ev->culprit, fault);
    if (ev->pattern == PATTERN_NonRepeatableRead)
        return check_repeated(x, ev->culprit);
    if (ev->pattern == PATTERN_NoSources)
        return recheck_txn_choices(x);
    if (ev->pattern == PATTERN_NoVersionOrder)
        return check_no_version_order(x);
    if (txn_names_cycle(ev->pattern))
        return check_cycle(x, named);
    return refuse(x, "the model %s does not forbid a %s", x->line->model->name, pattern_name(ev->pattern));
}

bool recheck_transactions(struct recheck *x)
{
    switch (x->line->verdict) {
    case ASSAY_CONSISTENT: return recheck_txn_witness(x);
    case ASSAY_VIOLATION: return recheck_txn_refutation(x, true);
    default: return refuse(x, "only consistent and violation can be proved");
    }
}
