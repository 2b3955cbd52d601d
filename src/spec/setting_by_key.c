/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/setting_by_key.h"

static const assay_binding *last_without_key(const assay_setting *s)
{
    for (size_t i = s->init_count; i-- > 0;)
        if (s->init[i].key.kind == ASSAY_NONE)
            return &s->init[i];
    return NULL;
}

static bool has_keys(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind != ASSAY_NONE)
            return true;
    return false;
}

/* Numbers the keys, and notes the number of each binding's key in `of`. ID_NONE: it concerns no key, or is `for_all`,
 * which stands in front of the bindings of every key. */
static void number_keys(struct setting_by_key *s, const assay_binding *for_all, uint32_t *of, struct mem *m)
{
    bool keys = has_keys(s->whole);
    for (size_t i = 0; i < s->whole->init_count; i++) {
        const assay_binding *b = &s->whole->init[i];
        of[i] = ID_NONE;
        if (b == for_all || (keys && b->key.kind == ASSAY_NONE))
            continue;
        of[i] = value_id(m, &s->number, value_internal(keys ? b->key : b->value));
    }
}

/* A counting sort, with room for one more before the bindings of each key. */
static void sort(struct setting_by_key *s, const assay_binding *for_all, const uint32_t *of, struct mem *m)
{
    uint32_t n = s->number.n;
    uint32_t *next = mem_new_zero(m, uint32_t, (size_t)n + 1);
    assay_binding *init = mem_new(m, assay_binding, s->whole->init_count + n + 1);
    s->at = mem_new_zero(m, uint32_t, (size_t)n + 1);
    for (size_t i = 0; i < s->whole->init_count; i++)
        if (of[i] != ID_NONE)
            s->at[of[i] + 1]++;
    s->at[0] = (uint32_t)s->for_all;
    for (uint32_t k = 0; k < n; k++) {
        s->at[k + 1] += s->at[k] + (uint32_t)s->for_all;
        next[k] = s->at[k];
        if (for_all)
            init[next[k]++] = *for_all;
    }
    if (for_all)
        init[0] = *for_all;
    for (size_t i = 0; i < s->whole->init_count; i++)
        if (of[i] != ID_NONE)
            init[next[of[i]]++] = s->whole->init[i];
    s->init = init;
    mem_free(m, next);
}

struct setting_by_key setting_by_key(const struct object_use *use, struct mem *m)
{
    struct setting_by_key s = {.whole = &use->setting};
    if (use->setting.init_count < 2 || use->setting.init_count > UINT32_MAX / 4 || !spec_in_table(use->spec))
        return s;
    const assay_binding *for_all = last_without_key(s.whole);
    uint32_t *of = mem_new(m, uint32_t, s.whole->init_count);
    s.sorted = true;
    s.for_all = for_all != NULL;
    number_keys(&s, for_all, of, m);
    sort(&s, for_all, of, m);
    mem_free(m, of);
    return s;
}

assay_setting setting_of_key(const struct setting_by_key *s, struct value key)
{
    if (!s->sorted || key.kind == ASSAY_NONE)
        return *s->whole;
    uint32_t number = value_id_find(&s->number, key);
    if (number == ID_NONE)
        return (assay_setting){s->whole->parameter, s->init, s->for_all};
    return (assay_setting){s->whole->parameter, s->init + s->at[number], s->at[number + 1] - s->at[number]};
}
