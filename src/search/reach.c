/* SPDX-License-Identifier: Apache-2.0 */
#include "search/reach.h"

enum { MOST_STATES = 16 };

struct walk {
    struct linear *x;
    const uint32_t *ops;
    uint32_t n, goal;
    uint64_t seen[MOST_STATES][2]; /* digests */
    uint32_t seen_n;
};

bool reach_legal(struct linear *x, uint32_t i)
{
    for (unsigned choice = 0, n = linear_choices(x, i); choice < n; choice++) {
        assay_value answer;
        assay_saved saved;
        assay_effect effect = linear_step(x, i, choice, &answer, &saved);
        if (effect == ASSAY_CHANGED)
            linear_undo(x, i, &saved);
        if (effect != ASSAY_BLOCKED)
            return true;
    }
    return false;
}

static bool is_new(struct walk *w)
{
    uint64_t *digest = w->seen[w->seen_n];
    hook_digest(w->x->spec, w->x->state, digest);
    for (uint32_t i = 0; i < w->seen_n; i++)
        if (w->seen[i][0] == digest[0] && w->seen[i][1] == digest[1])
            return false;
    w->seen_n++;
    return true;
}

/* True: the goal was found, or there are too many states. The state is as before. */
static bool walk_from(struct walk *w)
{
    struct linear *x = w->x;
    if (w->seen_n == MOST_STATES)
        return true;
    if (!is_new(w))
        return false;
    if (reach_legal(x, w->goal))
        return true;
    bool found = false;
    for (uint32_t o = 0; o < w->n && !found; o++)
        for (unsigned choice = 0; choice < linear_choices(x, w->ops[o]) && !found; choice++) {
            assay_value answer;
            assay_saved saved;
            if (linear_step(x, w->ops[o], choice, &answer, &saved) != ASSAY_CHANGED)
                continue;
            found = walk_from(w);
            linear_undo(x, w->ops[o], &saved);
        }
    return found;
}

/* Digests of a user's object may be equal where the states are not, and several parts have many states. */
bool reach_goal(struct linear *x, uint32_t goal, const uint32_t *ops, uint32_t n)
{
    struct walk w = {.x = x, .ops = ops, .n = n, .goal = goal};
    return !x->spec || !spec_is_of_library(x->spec) || walk_from(&w);
}
