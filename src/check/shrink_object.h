/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of shrinking an object: shrink_object.c has the cuts of calls, shrink_window.c those of time. */
#ifndef ASSAY_CHECK_SHRINK_OBJECT_H
#define ASSAY_CHECK_SHRINK_OBJECT_H

#include "check/shrink.h"
#include "search/calls.h"

/* The calls of a history. Memory from s->mem. */
struct calls *shrink_calls(struct shrinking *s, const history *h);

/* Makes `base` the history to cut: it has the operations of the present base with keep[op], and violates the model. */
void shrink_rebase(struct shrinking *s, history *base, const bool *keep);
/* The same of the operations that are kept, if they violate the model. */
bool shrink_to(struct shrinking *s, const bool *keep);

/* Leaves out parts that the violation does without, one after another; false: none goes. */
bool shrink_parts(struct shrinking *s);

/* Leaves out operations at the begin and at the end, in real time, by few checks; false: none goes. */
bool shrink_window(struct shrinking *s);
bool shrink_has_window(struct shrinking *s); /* may the initial state be any? */
/* If calls have gone, the others become the base. There may be more episodes then, and keys may be parts, since no call
 * is about all of them. Else, if there is any cut of parts or of time, it makes one. False: neither. */
bool shrink_last_window(struct shrinking *s);

#endif
