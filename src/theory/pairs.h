/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is known: queue, stack, pqueue, register (pairs.c has the idea). */
#ifndef ASSAY_THEORY_PAIRS_H
#define ASSAY_THEORY_PAIRS_H

#include "theory/labels.h"

struct pairs;

struct pairs *pairs_open(const struct online_setup *s, const struct theory *t, bool removal);
void pairs_close(struct pairs *p);
void pairs_call(struct pairs *p, uint32_t slot, uint64_t step, unsigned method, struct value arg);
bool pairs_return(struct pairs *p, uint32_t slot, uint64_t step, struct value result);
void pairs_explain(struct pairs *p, struct online_fault *out, struct mem *m);
void pairs_each_value(struct pairs *p, void (*visit)(void *arg, struct value v), void *arg);
uint64_t pairs_live(const struct pairs *p);

#endif
