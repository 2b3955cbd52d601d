/* SPDX-License-Identifier: Apache-2.0 */
#include "history/lists.h"

static uint32_t add(struct mem *m, struct list_values *l, struct list_value from)
{
    if (!l->arena.mem)
        l->arena = arena_in(m);
    struct list_value *x = arena_new(&l->arena, struct list_value, 1);
    from.id = l->all.n;
    from.longer = ID_NONE;
    *x = from;
    vec_push(m, &l->all, x);
    return x->id;
}

uint32_t lists_empty(struct mem *m, struct list_values *l)
{
    if (!l->all.n)
        add(m, l, (struct list_value){0});
    return 0;
}

/* The list that goes on, sought by its parts. */
static uint32_t find(struct mem *m, struct list_values *l, uint32_t before, struct value element,
                     const struct name *text)
{
    uint32_t number = value_id(m, &l->elements, element);
    uint32_t *id = idmap_at(m, &l->next, (uint64_t)before << 32 | number);
    if (*id != ID_NONE)
        return *id;
    struct list_value *shorter = l->all.at[before];
    struct list_value new = {.before = shorter, .last = element, .length = shorter->length + 1};
    if (text) {
        new.text = text->text;
        new.text_length = text->length;
    }
    return *id = add(m, l, new);
}

uint32_t lists_longer(struct mem *m, struct list_values *l, uint32_t before, struct value element,
                      const struct name *text)
{
    struct list_value *shorter = l->all.at[before];
    if (shorter->longer == ID_NONE || !value_same(l->all.at[shorter->longer]->last, element))
        shorter->longer = find(m, l, before, element, text);
    return shorter->longer;
}

uint32_t lists_find(const struct list_values *l, uint32_t before, struct value element)
{
    uint32_t number = value_id_find(&l->elements, element);
    return number == ID_NONE ? ID_NONE : idmap_get(&l->next, (uint64_t)before << 32 | number);
}

const struct list_value **list_elements(const struct list_value *l, struct mem *m)
{
    const struct list_value **all = mem_new(m, const struct list_value *, l->length + 1);
    for (; l->before; l = l->before)
        all[l->length - 1] = l;
    return all;
}
