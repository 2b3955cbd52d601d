/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/number.h"

#include "spec/digest.h"
#include "spec/printed.h"
#include "spec/settings.h"
#include "spec/state.h"

#include <string.h>

static void *new_number(int64_t value, assay_memory *m)
{
    struct number *x = state_get(m, sizeof *x);
    x->value = value;
    return x;
}

assay_effect number_set(struct number *x, int64_t value, assay_saved *saved)
{
    if (x->value == value)
        return ASSAY_SAME;
    saved->number = x->value;
    x->value = value;
    return ASSAY_CHANGED;
}

assay_effect number_try(struct number *x, bool can, int64_t value, assay_value *result, assay_saved *saved)
{
    *result = assay_word(can ? "true" : "false");
    return can ? number_set(x, value, saved) : ASSAY_SAME;
}

void *number_create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    assay_value first = setting->parameter.kind == ASSAY_INT ? setting->parameter : assay_int(0);
    return new_number(settings_value(setting, first).integer, m);
}

void number_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    visit(arg, (assay_binding){.value = assay_int(((const struct number *)state)->value)});
}

void *number_copy(const void *state, assay_memory *m)
{
    return new_number(((const struct number *)state)->value, m);
}

void number_destroy(void *state, assay_memory *m)
{
    state_free(m, state);
}

void number_undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    ((struct number *)state)->value = saved->number;
}

void number_digest(const void *state, uint64_t out[2])
{
    struct digest l = digest_of_number((uint64_t)((const struct number *)state)->value);
    memcpy(out, l.at, sizeof l.at);
}

bool number_same(const void *a, const void *b)
{
    return ((const struct number *)a)->value == ((const struct number *)b)->value;
}

size_t number_describe(const void *state, char *out, size_t size)
{
    return printed_one(assay_int(((const struct number *)state)->value), out, size);
}

assay_cut number_cut_failed(const assay_call *call, assay_value *value)
{
    (void)value;
    return assay_value_same(call->result, assay_word("false")) ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}
