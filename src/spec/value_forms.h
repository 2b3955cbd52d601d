/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of a value. Histories, streams and checkers store a `struct value`, in which a text is its number in a
 * table of texts. Specifications see an assay_value, with the letters beside the number.
 *
 * The tables count from 0. In an assay_value 0 means that the text or list has no number (assay_spec.h), so its numbers
 * are one higher. Only the functions of this file convert between the two. */
#ifndef ASSAY_SPEC_VALUE_H
#define ASSAY_SPEC_VALUE_H

#include "assay_spec.h"
#include "history/history.h"

/* Equal values of these kinds have equal numbers. */
static inline bool value_is_numbered(unsigned kind)
{
    return kind_is_text(kind) || kind == ASSAY_LIST;
}

/* The form for specifications; text and length are the letters of a text, and of no other value. */
static inline assay_value value_with_text(struct value v, const char *text, size_t length)
{
    if (kind_is_text(v.kind))
        return (assay_value){.kind = (assay_kind)v.kind, .integer = v.bits + 1, .text = text, .length = length};
    if (v.kind == ASSAY_INT)
        return (assay_value){.kind = ASSAY_INT, .integer = v.bits, .length = v.notation};
    return (assay_value){0};
}

/* A list without a number refers to an array of elements, one with a number to the list itself. */
static inline assay_value value_of_list(const struct list_value *l)
{
    return (assay_value){
        .kind = ASSAY_LIST, .integer = (int64_t)l->id + 1, .text = (const char *)l, .length = l->length};
}

/* The same of a value of the history. */
static inline assay_value value_public(const history *h, struct value v)
{
    if (v.kind == ASSAY_LIST)
        return value_of_list(h->lists.all.at[v.bits]);
    if (!kind_is_text(v.kind))
        return value_with_text(v, NULL, 0);
    const struct name *name = &h->names.all.at[v.bits];
    return value_with_text(v, name->text, name->length);
}

/* The form in which values are stored. The value has a number, if it is a text. */
static inline struct value value_internal(assay_value v)
{
    return (struct value){v.integer - value_is_numbered(v.kind), (uint8_t)v.kind};
}

/* A copy in memory of m of a value that may lie in a state. Lists of a history stay where they are. */
assay_value value_copy(assay_value v, struct mem *m);

/* A copy of a history's declaration of its object, in memory of m, with each value replaced by map(arg, value). */
assay_setting setting_mapped(const assay_setting *s, assay_value (*map)(void *arg, assay_value v), void *arg,
                             struct mem *m);

#endif
