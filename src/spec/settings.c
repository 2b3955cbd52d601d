/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/settings.h"

#include "spec/any_initial.h"

#include "spec/value_forms.h"

static const char *no_parameter(const assay_setting *s)
{
    return s->parameter.kind == ASSAY_NONE ? NULL : "it takes no parameter";
}

const char *settings_list(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind != ASSAY_NONE)
            return "its initial content is a list of values: `@init [1, 2]`";
    return no_parameter(s);
}

/* A line has room for one lone value; a later line counts more. */
static bool several_lone_values(const assay_setting *s)
{
    for (size_t i = 1; i < s->init_count; i++)
        if (s->init[i].key.kind == ASSAY_NONE && s->init[i - 1].key.kind == ASSAY_NONE &&
            s->init[i].header == s->init[i - 1].header)
            return true;
    return false;
}

const char *settings_single(const assay_setting *s)
{
    if (settings_list(s) || several_lone_values(s))
        return s->parameter.kind == ASSAY_NONE ? "it has one initial value: `@init 5`" : "it takes no parameter";
    return NULL;
}

const char *settings_keyed(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind == ASSAY_NONE && !binding_is_any(&s->init[i]))
            return "its initial values have keys: `@init a=1 b=2`";
    return no_parameter(s);
}

const char *settings_keyed_or_all(const assay_setting *s)
{
    if (several_lone_values(s))
        return "several initial values for all variables; name them: `@init x=1 y=2`, or give one: `@init 1`";
    return no_parameter(s);
}

const char *settings_no_value(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind != ASSAY_NONE || !binding_is_any(&s->init[i]))
            return "it takes no initial value";
    return NULL;
}

const char *settings_any(const assay_setting *s)
{
    const char *why = no_parameter(s);
    return why ? why : settings_no_value(s);
}

assay_value settings_value(const assay_setting *s, assay_value otherwise)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind == ASSAY_NONE)
            otherwise = s->init[i].value;
    return otherwise;
}

assay_setting setting_mapped(const assay_setting *s, assay_value (*map)(void *arg, assay_value v), void *arg,
                             struct mem *m)
{
    assay_binding *init = mem_new(m, assay_binding, s->init_count ? s->init_count : 1);
    for (size_t i = 0; i < s->init_count; i++)
        init[i] = (assay_binding){map(arg, s->init[i].key), map(arg, s->init[i].value), s->init[i].header};
    return (assay_setting){map(arg, s->parameter), init, s->init_count};
}
