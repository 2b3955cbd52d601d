/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of pqueue and of a pqueue whose initial content may be any (open_pqueue.c). */
#ifndef ASSAY_SPEC_PQUEUE_H
#define ASSAY_SPEC_PQUEUE_H

#include "spec/collection.h"

extern const assay_method pqueue_methods[];

bool pqueue_is_min(const assay_setting *s);
const char *pqueue_refuse(const assay_setting *s);
const char *pqueue_refuse_call(const assay_call *call);

#endif
