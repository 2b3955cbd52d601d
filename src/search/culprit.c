/* SPDX-License-Identifier: Apache-2.0 */
#include "search/culprit.h"

#include "search/jit.h"

enum { MOST_TICKS = 1 << 18 };

void culprit_stuck(struct culprit *c, struct linear *x, uint32_t first, struct mem *m)
{
    if (first != c->stuck) {
        if (c->stuck != ID_NONE && x->ends[first] <= x->ends[c->stuck])
            return;
        vec_clear(&c->allowed.all);
    }
    c->stuck = first;
    for (unsigned choice = 0, n = linear_choices(x, first); choice < n; choice++) {
        assay_value answer;
        assay_saved saved;
        assay_effect effect = linear_step(x, first, choice, &answer, &saved);
        if (effect == ASSAY_CHANGED)
            linear_undo(x, first, &saved);
        else if (effect == ASSAY_BLOCKED)
            linear_note_answer(&c->allowed, answer, m);
    }
}

/* An operation that lacked a value may return long after the first operation that cannot be placed. If it was the last
 * cause, jit looks for that one. False: it would take long, or has found it. */
static bool is_known(struct culprit *c, const struct linear *x, struct job *job, bool *decided)
{
    uint32_t lacking = c->lacking;
    *decided = false;
    if (lacking == ID_NONE || (c->stuck != ID_NONE && x->ends[c->stuck] >= x->ends[lacking]))
        return true;
    c->stuck = lacking;
    *decided = jit_advance(jit_new(job, false), MOST_TICKS) == JIT_DECIDED;
    return false;
}

void culprit_refute(struct culprit *c, const struct linear *x, struct job *job)
{
    struct evidence *ev = &job->out->evidence;
    bool decided, timed = is_known(c, x, job, &decided) && x->c->call != NULL;
    if (decided)
        return;
    uint32_t culprit = c->stuck == ID_NONE ? 0 : c->stuck;
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, x->part->ops[culprit], timed);
    for (uint32_t i = 0; timed && i < c->allowed.all.n; i++)
        explanation_allow(&job->out->explanation, c->allowed.all.at[i]);
}
