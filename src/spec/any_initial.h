/* SPDX-License-Identifier: Apache-2.0 */
/* `@init ?`: an initial state that may be any. A history is linearizable from there iff it is from some initial state.
 * Few have to be tried:
 *   cell     register, cas-register, a variable of a memory, a key of a map: the state is one value, and calls only
 *            compare it with the values that they name. Values that no call names are alike. So the values that calls
 *            name and one other are enough. A key of a map may also have no value.
 *   member   a value of a set is in it, or not.
 *   sum      counter: take a call that returned the number r. The initial number and the
 *            additions of some of the calls sum up to r. If no call returned a number, any initial number will do.
 *   level    lock, rwlock, semaphores: so many hold it, or so much is left. A call changes that by one, and asks
 *            whether it is at an end. So numbers that are farther from both ends than there are calls are alike. Tags
 *            that releases return must be known.
 *   content  queue, stack, deque, pqueue: too many to be tried. Another specification follows all of them at once
 *            (gapped.h, open_pqueue.c). objects_of takes it in place of the object's own. Engines of the object itself
 *            do not know it, so a search decides. */
#ifndef ASSAY_SPEC_ANY_INITIAL_H
#define ASSAY_SPEC_ANY_INITIAL_H

#include "spec/spec.h"

enum any_kind { ANY_NEVER, ANY_CELL, ANY_CELL_OR_NONE, ANY_MEMBER, ANY_SUM, ANY_LEVEL, ANY_CONTENT };

/* In a setting, such a value has the kind ASSAY_NONE. */
static inline bool binding_is_any(const assay_binding *b)
{
    return b->value.kind == ASSAY_NONE;
}

static inline bool setting_has_any(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (binding_is_any(&s->init[i]))
            return true;
    return false;
}

/* The object's own specification, of which the one of any content may stand. */
const assay_spec *spec_known(const assay_spec *spec);
enum any_kind spec_any_kind(const assay_spec *spec);
/* The specification of an object that is declared so: its own, or for any content another one. */
const assay_spec *spec_as_declared(const assay_spec *spec, const assay_setting *s);
/* Is it judged key by key only? */
bool any_needs_key(enum any_kind kind);
/* Has `@init k=?` a key? `@init ?` has none. */
bool any_has_key(const assay_spec *spec);

/* Is the initial value of this key any? A value of the key itself counts more than one for all keys. A key of
 * kind ASSAY_NONE asks about the whole object: is any of its initial values? */
bool setting_is_any(const assay_setting *s, assay_value key);

/* The levels that so many calls of a lock, an rwlock (a writer: -1) or a semaphore can tell apart lie between these. */
struct any_levels {
    int64_t least, most;
};
struct any_levels any_levels(const assay_spec *spec, const assay_setting *s, uint32_t calls);
/* Does the call return the tag of a holder? */
bool any_returns_tag(const assay_spec *spec, const assay_call *call);

/* The number that the call adds to a counter. */
int64_t counter_change(const assay_call *call);

#endif
