/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/variables.h"

#include "spec/settings.h"

void variables_init(struct variables *x, const assay_setting *setting, assay_value key, assay_memory *m)
{
    x->initial = settings_value(setting, assay_int(0));
    store_init(&x->store, m);
    for (size_t i = 0; i < setting->init_count; i++) {
        const assay_binding *b = &setting->init[i];
        if (b->key.kind != ASSAY_NONE && (key.kind == ASSAY_NONE || assay_value_same(key, b->key)))
            variables_set(x, b->key, b->value);
    }
}

void variables_init_copy(struct variables *x, const struct variables *from, assay_memory *m)
{
    x->initial = from->initial;
    store_init_copy(&x->store, &from->store, m);
}

assay_value variables_get(const struct variables *x, assay_value variable)
{
    assay_value v = store_get(&x->store, variable);
    return v.kind == ASSAY_NONE ? x->initial : v;
}

void variables_set(struct variables *x, assay_value variable, assay_value v)
{
    store_set(&x->store, variable, assay_value_same(v, x->initial) ? (assay_value){0} : v);
}

void variables_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct variables *x = state;
    visit(arg, (assay_binding){.value = x->initial});
    store_content(&x->store, visit, arg);
}

size_t variables_describe(const void *state, char *out, size_t size)
{
    const struct variables *x = state;
    struct printed p = {.out = out, .size = size, .length = store_describe(&x->store, out, size)};
    printed_text(&p, ", others ");
    printed_value(&p, x->initial);
    return p.length;
}
