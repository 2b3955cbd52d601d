/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/any_initial.h"

#include "spec/roles.h"

extern const assay_spec queue_of_any, stack_of_any, deque_of_any, pqueue_of_any;

static const struct {
    const assay_spec *known, *of_any;
} contents[] = {
    {&spec_queue, &queue_of_any},
    {&spec_stack, &stack_of_any},
    {&spec_deque, &deque_of_any},
    {&spec_pqueue, &pqueue_of_any},
};
enum { CONTENTS = sizeof contents / sizeof *contents };

bool spec_is_of_any(const assay_spec *spec)
{
    for (size_t i = 0; i < CONTENTS; i++)
        if (contents[i].of_any == spec)
            return true;
    return false;
}

const assay_spec *spec_as_declared(const assay_spec *spec, const assay_setting *s)
{
    for (size_t i = 0; i < CONTENTS; i++)
        if (contents[i].known == spec && setting_has_any(s))
            return contents[i].of_any;
    return spec;
}

enum any_kind spec_any_kind(const assay_spec *spec)
{
    for (size_t i = 0; i < CONTENTS; i++)
        if (contents[i].known == spec || contents[i].of_any == spec)
            return ANY_CONTENT;
    if (spec == &spec_register || spec == &spec_cas_register || spec == &spec_memory)
        return ANY_CELL;
    if (spec == &spec_map)
        return ANY_CELL_OR_NONE;
    if (spec == &spec_set)
        return ANY_MEMBER;
    if (spec == &spec_lock || spec == &spec_rwlock || spec == &spec_semaphore || spec == &spec_counting_semaphore)
        return ANY_LEVEL;
    return spec == &spec_counter ? ANY_SUM : ANY_NEVER;
}

struct any_levels any_levels(const assay_spec *spec, const assay_setting *s, uint32_t calls)
{
    if (spec == &spec_lock)
        return (struct any_levels){0, 1};
    if (spec == &spec_semaphore)
        return (struct any_levels){0, s->parameter.integer};
    return (struct any_levels){spec == &spec_rwlock ? -1 : 0, calls};
}

bool any_returns_tag(const assay_spec *spec, const assay_call *call)
{
    bool release = spec == &spec_lock ? call->method == LOCK_UNLOCK
                                      : spec == &spec_semaphore && call->method == SEMAPHORE_RELEASE;
    return release && call->result.kind != ASSAY_NONE;
}

bool any_needs_key(enum any_kind kind)
{
    return kind == ANY_CELL_OR_NONE || kind == ANY_MEMBER;
}

bool any_has_key(const assay_spec *spec)
{
    return spec == &spec_memory || spec == &spec_map;
}

bool setting_is_any(const assay_setting *s, assay_value key)
{
    bool any = false, named = false;
    if (key.kind == ASSAY_NONE)
        return setting_has_any(s);
    for (size_t i = 0; i < s->init_count; i++) {
        bool for_all = s->init[i].key.kind == ASSAY_NONE;
        if (for_all ? named : !assay_value_same(s->init[i].key, key))
            continue;
        any = binding_is_any(&s->init[i]);
        named = !for_all;
    }
    return any;
}
