/* SPDX-License-Identifier: Apache-2.0 */
/* Quarantined values: what cannot be judged after a violation, when checking goes on from a fresh state.
 *
 * Idea. The object is not fresh: it holds values, and how they got there is forgotten. Of the objects below all operations
 * that name a value may be left out together, and what is left is right if the whole was (assay_cut): a queue without
 * all that is known of 5 is a queue. So operations that name a value from before are left out: values that the failed checker
 * still remembered, and those of calls that were open then. An operation on such an object names one value, its argument or
 * else its result; an exchange names both.
 *
 * Other objects have a state that no value carries: how often a semaphore is held cannot be left out. */
#ifndef ASSAY_MONITOR_QUARANTINED_H
#define ASSAY_MONITOR_QUARANTINED_H

#include "monitor/symbols.h"

struct quarantined {
    struct idmap kinds[ASSAY_STRING + 1]; /* of integers, words, strings: bits -> 0 */
    uint64_t n;
};

/* Can checking go on like this? */
bool quarantined_suits(const assay_spec *spec);
/* The values that an operation names, at most two. */
uint32_t quarantined_names(const assay_spec *spec, struct value arg, struct value result, struct value out[2]);

void quarantined_add(struct quarantined *t, struct symbols *s, struct value v); /* and pins it */
bool quarantined_has(const struct quarantined *t, struct value v);
void quarantined_free(struct quarantined *t, struct symbols *s);

#endif
