/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of shrinking an object: shrink_object.c has the cuts of calls, shrink_window.c those of time. */
#ifndef ASSAY_CHECK_SHRINK_OBJECT_H
#define ASSAY_CHECK_SHRINK_OBJECT_H

#include "check/shrink.h"
#include "object/calls.h"

/* The calls of a history. Memory from s->mem. */
struct calls *shrink_calls(struct shrinking *s, const history *h);

/* Makes `base` the history to cut: it has the operations of the present base with keep[op], and violates the model. */
void shrink_rebase(struct shrinking *s, history *base, const bool *keep);
/* The same of the operations that are kept, if they violate the model. */
bool shrink_to(struct shrinking *s, const bool *keep);

/* Leaves out operations at the begin and at the end, in real time, by few checks; false: none goes. */
bool shrink_window(struct shrinking *s);
/* The same of the calls that are kept, which become the base. If there is any such cut, it makes one. */
bool shrink_last_window(struct shrinking *s);

#endif
