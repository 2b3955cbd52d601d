/* SPDX-License-Identifier: Apache-2.0 */
/* Calling the hooks of a specification (assay_spec.h), which may be a user's, in C++ for instance.
 *
 * An escape must not jump over a user's frames. A request that assay_memory_get cannot serve is noted there, and raised
 * here once the hook has returned. So all code calls hooks through these functions, within escape_run; `destroy` needs
 * no memory and may be called anywhere. The library's own specifications take their memory by state.h, which escapes at
 * once. */
#ifndef ASSAY_SPEC_HOOKS_H
#define ASSAY_SPEC_HOOKS_H

#include "assay_spec.h"
#include "base/escape.h"
#include "base/mem.h"

static inline void *hook_state(void *state)
{
    escape_raise_if_noted();
    if (!state) /* from an allocator of the user's own */
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    return state;
}

static inline void *hook_create(const assay_spec *s, const assay_setting *setting, assay_value key, struct mem *m)
{
    return hook_state(s->create(setting, key, (assay_memory *)m));
}

static inline void *hook_copy(const assay_spec *s, const void *state, struct mem *m)
{
    return hook_state(s->copy(state, (assay_memory *)m));
}

static inline void hook_destroy(const assay_spec *s, void *state, struct mem *m)
{
    s->destroy(state, (assay_memory *)m);
}

static inline assay_effect hook_step(const assay_spec *s, void *state, const assay_call *call, unsigned choice,
                                     assay_value *result, assay_saved *saved)
{
    assay_effect effect = s->step(state, call, choice, result, saved);
    escape_raise_if_noted();
    return effect;
}

/* The step of a call that another one sees: its recorded result does not count there. */
static inline assay_effect hook_invoke(const assay_spec *s, void *state, const assay_call *call, assay_saved *saved)
{
    if (s->invoke) {
        assay_effect effect = s->invoke(state, call, saved);
        escape_raise_if_noted();
        return effect;
    }
    assay_call invoked = *call;
    assay_value ignored = {0};
    invoked.result = (assay_value){0};
    return hook_step(s, state, &invoked, 0, &ignored, saved);
}

static inline void hook_undo(const assay_spec *s, void *state, const assay_call *call, const assay_saved *saved)
{
    s->undo(state, call, saved);
    escape_raise_if_noted();
}

static inline unsigned hook_choices(const assay_spec *s, const void *state, const assay_call *call)
{
    if (!s->choices)
        return 1;
    unsigned n = s->choices(state, call);
    escape_raise_if_noted();
    return n;
}

static inline void hook_digest(const assay_spec *s, const void *state, uint64_t out[2])
{
    s->digest(state, out);
    escape_raise_if_noted();
}

static inline bool hook_equal(const assay_spec *s, const void *a, const void *b)
{
    bool same = s->equal(a, b);
    escape_raise_if_noted();
    return same;
}

static inline void hook_content(const assay_spec *s, const void *state, void (*visit)(void *arg, assay_binding b),
                                void *arg)
{
    s->content(state, visit, arg);
    escape_raise_if_noted();
}

static inline void hook_join(const assay_spec *s, void *state, assay_value key, const void *part)
{
    s->join(state, key, part);
    escape_raise_if_noted();
}

#endif
