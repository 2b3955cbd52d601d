/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about a part of a history that has no linearization, and about initial values that were not declared. */
#ifndef ASSAY_REPORT_DESCRIBE_PART_H
#define ASSAY_REPORT_DESCRIBE_PART_H

#include "base/text.h"
#include "evidence/evidence.h"
#include "spec/roles.h"

bool describe_part(struct text *t, const result *r); /* false: it names a call and no reason */
/* The sentence about the culprit of a small reason. False: the pattern has none. */
bool describe_small_reason(struct text *t, const result *r);
/* Of the culprit's object (spec/facts.h): the roles of an operation, and is it a call of this method? */
static inline unsigned describe_roles(const result *r, uint32_t op)
{
    return facts_roles(r->facts, r->h, op);
}
static inline bool describe_is_call(const result *r, uint32_t op, unsigned method)
{
    return facts_is(r->facts, r->h, op, method);
}
/* Does the call put a value into a set, where it may have been before? */
static inline bool describe_adds_member(const result *r, uint32_t op)
{
    return r->facts->spec == &spec_set && describe_is_call(r, op, SET_ADD);
}
/* Does the call of a map ask whether it has a key, or a value? */
bool describe_asks_map(const result *r, uint32_t op);
void describe_value(struct text *t, assay_value v);

/* A value without a write may be the initial one, if the history declares none: "; the initial value is taken to be
 * 0, unless --init ...". The variable is of kind ASSAY_NONE if there is only one. */
void describe_offer_initial(struct text *t, const history *h, struct value variable, struct value read,
                            const char *taken);
void describe_maybe_initial(struct text *t, const result *r, uint32_t op);

/* Of an object that counts something: ": the map can have had 2 to 3 keys then". False: the proof is another one. */
bool describe_amount(struct text *t, const result *r);

/* Why reads of whole sets, or of strings that are appended to, contradict each other: ": line 3 has 1 twice". */
bool describe_reads(struct text *t, const result *r);

/* Of a set, multiset or map: an acknowledged element or key that a call misses (describe_missing.c). */
bool describe_missing(struct text *t, const result *r);
/* Of an append-map: an acknowledged piece of a string that a get misses (describe_pieces.c). */
bool describe_pieces(struct text *t, const result *r);
/* Of a set: how often the value was added and removed, if that refutes the call (describe_counts.c). */
bool describe_counts(struct text *t, const result *r);

#endif
