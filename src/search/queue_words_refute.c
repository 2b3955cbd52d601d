/* SPDX-License-Identifier: Apache-2.0 */
/* Short proofs that a queue whose values repeat has no linearization (queue_words.c).
 *
 * Refutation. The search is repeated on shorter histories. First the shortest prefix is found that has no
 * linearization, by bisection. An operation that is open there may have taken effect, with its result. Then shares of
 * the values are left out with all their operations, if the rest has no linearization either.
 *
 * Two values. A history without some values, with all their operations, is linearizable if the history is. So a search
 * that takes long is interrupted, and the rest for any two values is asked about, with little effort for each. That
 * finds most violations, since few operations overlap then. */
#include "base/radix.h"
#include "search/plain_part.h"
#include "search/queue_words_search.h"

#include <string.h>

enum { SOME_CHOICES = 1024, MOST_PAIRS = 1024, SHRINK_EFFORT = 64 };

/* The shortest prefix without a linearization. Returns the operation whose return ends it. */
static uint32_t shorten(struct words *w)
{
    uint32_t *returns = mem_new(w->m, uint32_t, w->n + 1), n = 0, culprit = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->end[i] != CALLS_NEVER)
            returns[n++] = w->end[i];
    sort_few(returns, n);
    uint32_t low = 0, high = n - 1; /* all have none */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        w->until = returns[middle];
        if (words_ask(w) == NO_ORDER)
            high = middle;
        else
            low = middle + 1;
    }
    w->until = returns[low];
    while (w->end[culprit] != w->until)
        culprit++;
    return culprit;
}

/* Leaves out ever smaller shares of the values, with bounded effort. */
static void leave_out_values(struct words *w, uint32_t culprit)
{
    uint64_t effort = SHRINK_EFFORT * (w->choices + w->n);
    for (uint32_t share = w->values; share; share /= 2)
        for (uint32_t from = 0; from < w->values && effort; from += share) {
            uint32_t to = w->values - from < share ? w->values : from + share, n = 0;
            uint32_t *now = mem_new(w->m, uint32_t, to - from);
            for (uint32_t v = from; v < to; v++)
                if (!w->left_out[v] && v != w->value[culprit])
                    w->left_out[now[n++] = v] = true;
            if (n && words_ask(w) != NO_ORDER)
                while (n)
                    w->left_out[now[--n]] = false;
            effort -= w->choices + w->n < effort ? w->choices + w->n : effort;
            mem_free(w->m, now);
        }
}

bool words_find_two(struct words *w)
{
    uint32_t pairs = 0;
    w->most = w->n + SOME_CHOICES;
    for (uint32_t u = 1; u < w->values; u++)
        for (uint32_t v = 0; v < u && pairs < MOST_PAIRS; v++, pairs++) {
            for (uint32_t x = 0; x < w->values; x++)
                w->left_out[x] = x != u && x != v;
            if (words_ask(w) == NO_ORDER)
                return true;
        }
    memset(w->left_out, 0, w->values * sizeof *w->left_out);
    return false;
}

void words_refute(struct words *w)
{
    struct evidence *ev = &w->job->out->evidence;
    w->most = 8 * w->choices + w->n;
    uint32_t culprit = shorten(w);
    leave_out_values(w, culprit);
    w->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, PATTERN_NoLinearization, w->job->part->ops[culprit], true);
    bool all = true;
    for (uint32_t v = 0; v < w->values; v++)
        all &= !w->left_out[v];
    for (uint32_t i = 0; i < w->n && !all; i++)
        if (!is_left_out(w, i))
            evidence_keep(ev, w->job->part->ops[i]);
}
