/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/facts.h"

#include "spec/roles.h"

#include <string.h>

static const struct object_facts *const table[] = {
#define X(ident, name) &facts_##ident,
#include "spec/spec.def"
#undef X
    NULL};

static const struct call_label no_labels[] = {{0}};

const struct object_facts *facts_of(const assay_spec *spec)
{
    static const struct object_facts none = {0};
    for (size_t i = 0; table[i]; i++)
        if (table[i]->spec == spec)
            return table[i];
    return &none;
}

/* ---- calls ---- */

static const assay_method *method_named(const struct object_facts *f, const char *name)
{
    const assay_method *m = f->spec ? f->spec->methods : NULL;
    while (m && m->name && strcmp(m->name, name) != 0)
        m++;
    return m && m->name ? m : NULL;
}

bool facts_call(const struct object_facts *f, const history *h, uint32_t op, assay_value args[FACTS_ARGS],
                assay_call *out)
{
    const assay_method *m = method_named(f, history_text(h, h->method[op]));
    uint32_t arity = history_arity(h, op);
    if (!m || arity > FACTS_ARGS || !method_takes(m, arity))
        return false;
    for (uint32_t i = 0; i < arity; i++)
        args[i] = value_public(h, history_arg(h, op, i));
    *out = (assay_call){.method = m->id,
                        .arg_count = arity,
                        .args = args,
                        .result = value_public(h, history_result(h, op)),
                        .operation = op,
                        .thread = h->thread[op]};
    return true;
}

const assay_method *facts_method(const struct object_facts *f, const assay_call *call)
{
    const assay_method *m = f->spec->methods;
    while (m->id != call->method)
        m++;
    return m;
}

bool facts_is(const struct object_facts *f, const history *h, uint32_t op, unsigned method)
{
    assay_value args[FACTS_ARGS];
    assay_call call;
    return facts_call(f, h, op, args, &call) && call.method == method;
}

/* ---- labels ---- */

const struct call_label *call_label_of(const struct call_label *labels, unsigned method, enum call_outcome outcome)
{
    const struct call_label *other = NULL;
    for (const struct call_label *l = labels; l->roles; l++) {
        if (l->method != method)
            continue;
        if (l->outcome == outcome)
            return l;
        if (l->outcome == OUTCOME_RETURNED && outcome != OUTCOME_NEVER)
            other = l;
    }
    return other;
}

static enum call_outcome outcome_of(assay_value result)
{
    static const struct {
        const char *word;
        enum call_outcome outcome;
    } words[] = {{"empty", OUTCOME_EMPTY}, {"true", OUTCOME_TRUE}, {"false", OUTCOME_FALSE},
                 {"null", OUTCOME_NULL},   {"nil", OUTCOME_NULL},  {"full", OUTCOME_FULL}};
    if (result.kind == ASSAY_NONE)
        return OUTCOME_NONE;
    if (result.kind == ASSAY_INT)
        return result.integer ? OUTCOME_RETURNED : OUTCOME_ZERO;
    for (size_t i = 0; result.kind == ASSAY_WORD && i < sizeof words / sizeof *words; i++)
        if (result.length == strlen(words[i].word) && memcmp(result.text, words[i].word, result.length) == 0)
            return words[i].outcome;
    return OUTCOME_RETURNED;
}

const struct call_label *facts_label(const struct object_facts *f, const assay_call *call, bool pending)
{
    enum call_outcome outcome = pending ? OUTCOME_NEVER : outcome_of(call->result);
    unsigned method = collection_role_of(call->method, f->two_ends);
    const struct call_label *l = call_label_of(f->labels ? f->labels : no_labels, method, outcome);
    return l ? l : no_labels;
}

unsigned facts_roles(const struct object_facts *f, const history *h, uint32_t op)
{
    assay_value args[FACTS_ARGS];
    assay_call call;
    if (!facts_call(f, h, op, args, &call))
        return 0;
    unsigned roles = facts_label(f, &call, history_pending(h, op))->roles;
    bool takes = roles & ROLE_ADD && f->family == FAMILY_MAP &&
                 assay_value_same(f->cell(&call).sets, assay_word("null"));
    return takes ? ROLE_REMOVE : roles;
}

struct value facts_thing(const struct object_facts *f, const history *h, uint32_t op)
{
    assay_value args[FACTS_ARGS];
    assay_call call;
    if (!facts_call(f, h, op, args, &call))
        return (struct value){0};
    struct value argument = call.arg_count ? history_arg(h, op, 0) : (struct value){0};
    return call_label_value(facts_label(f, &call, history_pending(h, op)), argument, history_result(h, op));
}

bool facts_adds(const struct object_facts *f, const char *method)
{
    const assay_method *m = method_named(f, method);
    const struct call_label *l = m && f->labels
                                     ? call_label_of(f->labels, collection_role_of(m->id, f->two_ends), OUTCOME_NEVER)
                                     : NULL;
    return l && l->roles & ROLE_ADD;
}

/* ---- cells and amounts ---- */

struct cell_access facts_cell(const struct object_facts *f, const assay_call *call, bool pending)
{
    assay_call plain = *call;
    if (pending)
        plain.result = (assay_value){0};
    struct cell_access c = f->cell(&plain);
    if (pending && c.sees.kind != ASSAY_NONE && assay_value_same(c.sees, c.sets))
        c.sets = (assay_value){0}; /* it leaves the value, whether it takes effect or not */
    if (pending)
        c.sees = c.refuses = (assay_value){0};
    return c;
}

struct amount_use facts_amount(const struct object_facts *f, const assay_call *call, bool pending,
                               const struct amount *a, uint32_t which)
{
    assay_call plain = *call;
    if (pending)
        plain.result = (assay_value){0};
    struct amount_use u = f->use(&plain, a, which);
    u.tells &= !pending;
    return u;
}

uint32_t facts_amounts(const struct object_facts *f, const assay_setting *s, assay_value key)
{
    if (!f->counts || f->counts == COUNTS_KEYS || (f->by_key && key.kind == ASSAY_NONE))
        return 0;
    return f->amounts ? f->amounts(s) : 1;
}
