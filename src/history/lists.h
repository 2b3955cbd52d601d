/* SPDX-License-Identifier: Apache-2.0 */
/* Lists as values: `[1 2 3]`. Equal lists have equal numbers, and a list shares its memory with all lists that go on
 * from it. So a history of a list that grows, and is read at each length, takes memory for each element once.
 *
 * Idea: a list is the list before its last element, and that element. `next` finds it by both. A reader asks for the
 * same lists again and again, one element longer now and then. So each list remembers the one that last went on from
 * it, and most elements are found there without hashing. */
#ifndef ASSAY_HISTORY_LISTS_H
#define ASSAY_HISTORY_LISTS_H

#include "base/arena.h"
#include "base/names.h"
#include "history/value_ids.h"

struct list_value {
    const struct list_value *before; /* NULL: this is the empty list */
    const char *text;                /* of a last element that is a text */
    struct value last;
    uint32_t text_length;
    uint32_t id, length;
    uint32_t longer; /* the list that last went on from here, or ID_NONE */
};

struct list_values {
    struct arena arena;
    VEC(struct list_value *) all;
    struct value_ids elements; /* numbers of elements */
    struct idmap next;         /* number of a list and of an element -> the number of the list with both */
};

/* The number of the empty list. Memory from m, as below. */
uint32_t lists_empty(struct mem *m, struct list_values *l);
/* The number of the list `before` with the element behind it. The element is no list; `text` has its letters if it is a
 * text, and outlives the lists. */
uint32_t lists_longer(struct mem *m, struct list_values *l, uint32_t before, struct value element,
                      const struct name *text);

/* The number of that list, if the history has it; else ID_NONE. */
uint32_t lists_find(const struct list_values *l, uint32_t before, struct value element);

/* The lists that end with each of its elements, the shortest first; an array in memory of m. */
const struct list_value **list_elements(const struct list_value *l, struct mem *m);

#endif
