/* SPDX-License-Identifier: Apache-2.0 */
#include "search/bank_sum.h"

#include "search/plain_part.h"
#include "spec/accounts.h"
#include "spec/roles.h"

/* Is it the sum of the list? A sum beyond 64 bits is not. */
static bool adds_up_to(assay_value list, int64_t wanted)
{
    int64_t sum = 0;
    for (; list.length; list = assay_list_before(list))
        if (__builtin_add_overflow(sum, assay_list_last(list).integer, &sum))
            return false;
    return sum == wanted;
}

bool bank_sum_refutes(const struct linear *x, struct job *job)
{
    struct bank_setting declared;
    uint32_t wrong = ID_NONE;
    if (!job->part->object || !plain_is(job, "bank") || !bank_declared(&job->part->object->setting, &declared))
        return false;
    for (uint32_t i = 0; i < x->n; i++) {
        bool shows_all = x->call[i].method == BANK_BALANCES && x->call[i].result.kind == ASSAY_LIST;
        budget_tick(job->budget);
        if (shows_all && !adds_up_to(x->call[i].result, declared.sum) &&
            (wrong == ID_NONE || x->ends[i] < x->ends[wrong]))
            wrong = i;
    }
    if (wrong == ID_NONE)
        return false;
    struct evidence *ev = &job->out->evidence;
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_SumChanged, job->part->ops[wrong], false);
    evidence_keep(ev, job->part->ops[wrong]);
    ev->initial_sum = declared.sum;
    return true;
}
