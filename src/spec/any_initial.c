/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/any_initial.h"

enum any_kind spec_any_kind(const assay_spec *spec)
{
    if (spec_is(spec, "register") || spec_is(spec, "cas-register") || spec_is(spec, "memory"))
        return ANY_CELL;
    if (spec_is(spec, "map"))
        return ANY_CELL_OR_NONE;
    if (spec_is(spec, "set"))
        return ANY_MEMBER;
    return spec_is(spec, "counter") ? ANY_SUM : ANY_NEVER;
}

bool any_needs_key(enum any_kind kind)
{
    return kind == ANY_CELL_OR_NONE || kind == ANY_MEMBER;
}

bool any_has_key(const assay_spec *spec)
{
    return spec_is(spec, "memory") || spec_is(spec, "map");
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
