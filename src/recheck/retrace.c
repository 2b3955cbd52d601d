/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/retrace.h"

enum { FEW = 1000 }; /* steps that are made again at once */

void retrace_begin(struct retrace *r, const assay_spec *spec, const assay_setting *setting, assay_value key,
                   struct mem *m)
{
    *r = (struct retrace){.spec = spec, .mem = m, .setting = *setting, .key = key, .anew = !spec_is_of_library(spec)};
    r->state = hook_create(spec, &r->setting, key, m);
}

static void drop(struct retrace *r, void **state)
{
    if (*state)
        hook_destroy(r->spec, *state, r->mem);
    *state = NULL;
}

void *retrace_state(struct retrace *r)
{
    if (r->state)
        return r->state;
    r->state = hook_create(r->spec, &r->setting, r->key, r->mem);
    for (uint32_t i = 0; i < r->steps.n; i++) {
        const struct retraced *s = &r->steps.at[i];
        assay_value ignored = {0};
        assay_saved saved;
        if (s->invoked)
            hook_invoke(r->spec, r->state, s->call, &saved);
        else
            hook_step(r->spec, r->state, s->call, s->choice, &ignored, &saved);
    }
    if (r->made)
        *r->made += r->steps.n;
    return r->state;
}

/* The state for the next step, which can be taken back. */
static void *ready(struct retrace *r)
{
    retrace_state(r);
    drop(r, &r->before);
    if (r->steps.n <= FEW)
        return r->state;
    r->before = r->state;
    return r->state = hook_copy(r->spec, r->before, r->mem);
}

static assay_effect note(struct retrace *r, assay_effect effect, struct retraced step)
{
    if (effect == ASSAY_CHANGED)
        vec_push(r->mem, &r->steps, step);
    else
        drop(r, &r->before); /* it is not the state before a step that could be taken back */
    return effect;
}

assay_effect retrace_step(struct retrace *r, const assay_call *call, unsigned choice, assay_value *answer,
                          assay_saved *saved)
{
    if (!r->anew)
        return hook_step(r->spec, r->state, call, choice, answer, saved);
    assay_effect effect = hook_step(r->spec, ready(r), call, choice, answer, saved);
    return note(r, effect, (struct retraced){call, choice, false});
}

assay_effect retrace_invoke(struct retrace *r, const assay_call *call, assay_saved *saved)
{
    if (!r->anew)
        return hook_invoke(r->spec, r->state, call, saved);
    assay_effect effect = hook_invoke(r->spec, ready(r), call, saved);
    return note(r, effect, (struct retraced){call, 0, true});
}

void retrace_back(struct retrace *r, const assay_call *call, const assay_saved *saved)
{
    if (!r->anew) {
        hook_undo(r->spec, r->state, call, saved);
        return;
    }
    (void)vec_pop(&r->steps);
    drop(r, &r->state);
    r->state = r->before;
    r->before = NULL;
}

void retrace_end(struct retrace *r)
{
    drop(r, &r->state);
    drop(r, &r->before);
    vec_free(r->mem, &r->steps);
}
