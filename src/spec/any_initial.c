/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/any_initial.h"

#include "spec/facts.h"

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

const assay_spec *spec_known(const assay_spec *spec)
{
    for (size_t i = 0; i < CONTENTS; i++)
        if (contents[i].of_any == spec)
            return contents[i].known;
    return spec;
}

enum any_kind spec_any_kind(const assay_spec *spec)
{
    return facts_of(spec_known(spec))->any;
}

struct any_levels any_levels(const assay_spec *spec, const assay_setting *s, uint32_t calls)
{
    const struct object_facts *f = facts_of(spec);
    bool has_top = f->counts == COUNTS_LOCK || f->counts == COUNTS_HOLDERS;
    return (struct any_levels){f->counts == COUNTS_RWLOCK ? -1 : 0,
                               has_top ? f->amount(s, (assay_value){0}, 0).top : calls};
}

bool any_returns_tag(const assay_spec *spec, const assay_call *call)
{
    const struct object_facts *f = facts_of(spec);
    bool tags = f->labels == labels_of_lock;
    return tags && facts_label(f, call, false)->roles & ROLE_REMOVE && call->result.kind != ASSAY_NONE;
}

bool any_needs_key(enum any_kind kind)
{
    return kind == ANY_CELL_OR_NONE || kind == ANY_MEMBER;
}

bool any_has_key(const assay_spec *spec)
{
    const struct object_facts *f = facts_of(spec);
    return f->by_key && (f->any == ANY_CELL || f->any == ANY_CELL_OR_NONE);
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
