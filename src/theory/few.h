/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is to be found: set, lock, semaphore, exchanger (few.c has the idea). */
#ifndef ASSAY_THEORY_FEW_H
#define ASSAY_THEORY_FEW_H

#include "theory/labels.h"

struct few;

struct few *few_open(const struct online_setup *s, const struct theory *t, bool removal);
void few_close(struct few *f);
void few_call(struct few *f, uint32_t slot, uint64_t step, unsigned method, struct value arg);
bool few_return(struct few *f, uint32_t slot, uint64_t step, struct value result);
void few_explain(struct few *f, struct online_fault *out, struct mem *m);
void few_each_value(struct few *f, void (*visit)(void *arg, struct value v), void *arg);
uint64_t few_live(const struct few *f);

#endif
