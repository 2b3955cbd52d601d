/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/cell.h"

#include "spec/digest.h"
#include "spec/printed.h"
#include "spec/state.h"

#include <string.h>

assay_effect cell_write(struct cell *c, assay_value v, assay_saved *saved)
{
    if (assay_value_same(c->value, v))
        return ASSAY_SAME;
    saved->value = c->value;
    c->value = v;
    return ASSAY_CHANGED;
}

assay_effect cell_step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct cell *c = state;
    (void)choice;
    if (call->method == REGISTER_WRITE)
        return cell_write(c, call->args[0], saved);
    *result = c->value;
    return ASSAY_SAME;
}

void *cell_create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct cell *c = state_get(m, sizeof *c);
    c->value = settings_value(setting, assay_int(0));
    return c;
}

void *cell_copy(const void *state, assay_memory *m)
{
    struct cell *c = state_get(m, sizeof *c);
    *c = *(const struct cell *)state;
    return c;
}

void cell_destroy(void *state, assay_memory *m)
{
    state_free(m, state);
}

void cell_undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    ((struct cell *)state)->value = saved->value;
}

void cell_digest(const void *state, uint64_t out[2])
{
    struct digest l = digest_of_value(((const struct cell *)state)->value);
    memcpy(out, l.at, sizeof l.at);
}

bool cell_same(const void *a, const void *b)
{
    return assay_value_same(((const struct cell *)a)->value, ((const struct cell *)b)->value);
}

void cell_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    visit(arg, (assay_binding){.value = ((const struct cell *)state)->value});
}

size_t cell_describe(const void *state, char *out, size_t size)
{
    return printed_one(((const struct cell *)state)->value, out, size);
}

/* ---- facts ---- */

struct cell_access cell_access(const assay_call *call)
{
    const assay_value *last = call->args + call->arg_count;
    bool failed = assay_value_same(call->result, assay_word("false"));
    switch (call->method) {
    case REGISTER_READ: return (struct cell_access){.sees = call->result};
    case REGISTER_WRITE: return (struct cell_access){.sets = last[-1]};
    case REGISTER_CAS: /* or MEMORY_RMW, which has no result */
        return failed ? (struct cell_access){.refuses = last[-2]}
                      : (struct cell_access){.sees = last[-2], .sets = last[-1]};
    default: return (struct cell_access){0};
    }
}

assay_value cell_initial(const assay_setting *s, assay_value key)
{
    assay_value v = assay_int(0);
    bool named = false;
    for (size_t i = 0; i < s->init_count; i++) {
        bool for_all = s->init[i].key.kind == ASSAY_NONE;
        if (for_all ? named : !assay_value_same(s->init[i].key, key))
            continue;
        v = s->init[i].value;
        named = !for_all;
    }
    return v;
}
