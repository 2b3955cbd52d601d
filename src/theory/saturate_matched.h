/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is known: queue, stack, pqueue, register (saturate_matched.c has the idea). */
#ifndef ASSAY_THEORY_SATURATE_MATCHED_H
#define ASSAY_THEORY_SATURATE_MATCHED_H

#include "theory/labels.h"

struct matched;

struct matched *matched_open(const struct online_setup *s, const struct theory *t, bool removal);
void matched_close(struct matched *p);
void matched_call(struct matched *p, uint32_t slot, uint64_t step, unsigned method, struct value arg);
bool matched_return(struct matched *p, uint32_t slot, uint64_t step, struct value result);
void matched_explain(struct matched *p, struct online_fault *out, struct mem *m);
void matched_each_value(struct matched *p, void (*visit)(void *arg, struct value v), void *arg);
uint64_t matched_live(const struct matched *p);

#endif
