/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is to be found: set, lock, semaphore, exchanger (saturate_unmatched.c has the idea). */
#ifndef ASSAY_THEORY_SATURATE_UNMATCHED_H
#define ASSAY_THEORY_SATURATE_UNMATCHED_H

#include "theory/labels.h"

struct unmatched;

struct unmatched *unmatched_open(const struct online_setup *s, const struct theory *t, bool removal);
void unmatched_close(struct unmatched *f);
void unmatched_call(struct unmatched *f, uint32_t slot, uint64_t step, unsigned method, struct value arg);
bool unmatched_return(struct unmatched *f, uint32_t slot, uint64_t step, struct value result);
void unmatched_explain(struct unmatched *f, struct online_fault *out, struct mem *m);
void unmatched_each_value(struct unmatched *f, void (*visit)(void *arg, struct value v), void *arg);
uint64_t unmatched_live(const struct unmatched *f);

#endif
