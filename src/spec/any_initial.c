/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/any_initial.h"

bool spec_takes_any(const assay_spec *spec)
{
    return spec_is(spec, "register") || spec_is(spec, "cas-register") || spec_is(spec, "memory") ||
           spec_is(spec, "map");
}

bool spec_may_lack(const assay_spec *spec)
{
    return spec_is(spec, "map");
}

bool setting_is_any(const assay_setting *s, assay_value key)
{
    bool any = false, named = false;
    for (size_t i = 0; i < s->init_count; i++) {
        bool for_all = s->init[i].key.kind == ASSAY_NONE;
        if (for_all ? named : !assay_value_same(s->init[i].key, key))
            continue;
        any = binding_is_any(&s->init[i]);
        named = !for_all;
    }
    return any;
}
