/* SPDX-License-Identifier: Apache-2.0 */
/* A refutation in words: shared by the reports, which differ only in their layout. An operation is named by its line in
 * the file, or by its number when it was built in memory.
 *
 * A derived step is called a claim. Its sentence names the two operations and the reason, whose path may be long.
 * Unless `all` is asked for, the middle of a path of more than DESCRIBE_LONGEST steps is left out. This is so both in
 * sentences and in the list of mentioned operations.
 *
 * A refutation is one cycle or, by cases, several: one per lemma, each under assumptions. */
#ifndef ASSAY_REPORT_DESCRIBE_H
#define ASSAY_REPORT_DESCRIBE_H

#include "base/text.h"
#include "evidence/evidence.h"

#include <stdbool.h>

enum { DESCRIBE_LONGEST = 6, DESCRIBE_ENDS = 3 };

struct path {
    const assay_step *at;
    uint32_t n;
};

uint32_t describe_cycles(const result *r); /* how many: 0 without an argument */
struct path describe_cycle(const result *r, uint32_t i);
struct path describe_path_of(const result *r, uint32_t reason);
bool describe_hidden(struct path p, uint32_t i, bool all); /* is step i left out? */

void describe_file(struct text *t, const assay_report_options *o);                    /* h.hist, h.hist#2 */
void describe_size(struct text *t, const history *h);                                 /* 4 operations, 2 threads */
void describe_place(struct text *t, const history *h, uint32_t op);                   /* line 3 */
void describe_call(struct text *t, const history *h, uint32_t op);                    /* write(x, 1) */
void describe_operation(struct text *t, const history *h, uint32_t op);               /* line 3  t0: write(x, 1) */
void describe_access(struct text *t, const history *h, uint32_t op, uint32_t access); /* `r x 1` */
void describe_source(struct text *t, const history *h, uint32_t source);              /* line 3, the initial value */
void describe_variable(struct text *t, const history *h, uint32_t op);                /* of a call on a memory */

/* Words about the history: %P a place, %O an operation, %C a call, as above; %B a call with its place; %W who called
 * it, "t0 (line 3)". %A is an operation and one of its accesses, "x = 1"; %V a value; %K a key, which may not be
 * known; %D an int64_t; %s and %u as printf has them. */
void describe_say(struct text *t, const history *h, const char *words, ...);

void describe_claim(struct text *t, const result *r, uint32_t reason); /* A must come before B */
void describe_because(struct text *t, const result *r, uint32_t reason, bool all);
void describe_fact(struct text *t, const result *r, const assay_step *s); /* A comes before B (...) */
void describe_conclusion(struct text *t, const result *r, struct path cycle,
                         bool all); /* so A comes before itself: ... */
/* What the pattern means, of this violation: a pattern may have several cases. */
const char *describe_pattern(const result *r, struct mem *m);
bool describe_culprit(struct text *t, const result *r); /* false: it names a call and no reason */
/* The initial value that explains reads (explain/assumed_initial.h). */
void describe_assumed_initial(struct text *t, const result *r);
/* The call at fault; false: it is not known, or it is the one that the culprit's sentence names. */
bool describe_at_fault(struct text *t, const result *r);
/* An acknowledged element, key, value or increment that is missing (describe_loss.c); false: this is no loss. */
bool describe_loss(struct text *t, const result *r);
/* What is known beyond the sentence about the culprit: loss, argument and call at fault, in lines with this indent. */
void describe_more(struct text *t, const result *r, const char *indent);
/* The i-th line of explanation.argument.lines (describe_argument.c). */
void describe_argument(struct text *t, const result *r, uint32_t i);
/* Is there an argument, and no small reason? The head of its lines, unless the sentence about the culprit is one. */
bool describe_argues(struct text *t, const result *r);
/* Weak consistency (describe_visibility.c): a sight and its reason, then the results that contradict the sights. A view
 * has the operations that a suspect must see and may see. An outcome has the results of one choice; false: none. */
void describe_sight(struct text *t, const result *r, uint32_t i);
void describe_sight_because(struct text *t, const result *r, uint32_t i);
void describe_visibility(struct text *t, const result *r);
void describe_view(struct text *t, const result *r, uint32_t i);
bool describe_outcome(struct text *t, const result *r, uint32_t i);
/* Where values are not unique: the i-th case as a result of its own, and the sources that it assumes. */
result describe_choice(const result *r, uint32_t i);
void describe_assumed(struct text *t, const result *choice);
void describe_no_choice_left(struct text *t);
void describe_order(struct text *t, const result *r, uint32_t i); /* "an order that ..." */
/* An operation of such an order; "(from line 3)" if its source was a choice, "sees lines 2, 5" where that is one. */
void describe_placed(struct text *t, const result *r, uint32_t op);

/* By cases: "if A is stored before B, and ...", for the assumptions that cycle i rests on; the claim of a learned
 * clause, unless it is the last one; and the conclusion. */
bool describe_by_cases(const result *r);
void describe_case(struct text *t, const result *r, uint32_t i);
void describe_learned(struct text *t, const result *r, uint32_t i);
void describe_no_case_left(struct text *t);

/* Which reasons cycle i rests on, directly or through others: one flag per reason. */
bool *describe_used(const result *r, uint32_t i, struct mem *m);

/* The operations that the refutation mentions, sorted by line. */
struct mentions {
    uint32_t *ops;
    uint32_t n;
};
/* Does the return that ends the longest linearizable prefix say more than the proof? */
bool describe_by_prefix(const result *r);
struct mentions describe_mentions(const result *r, bool all, struct mem *m);
/* These and, if they are one or two without a cycle, a few neighbours: context, and no part of the reason. */
struct mentions describe_surroundings(const result *r, struct mentions involved, struct mem *m);
bool describe_mentioned(struct mentions m, uint32_t op);

/* The next fault of the store while the history was recorded, from a header on; false: there is none. */
struct recorded_fault {
    const char *name;
    size_t length;
    int64_t from, to; /* to: INT64_MAX if it did not end */
};
bool describe_next_fault(const history *h, uint32_t *header, struct recorded_fault *f);
/* The same in words. "pause:2 from
 * 0.998 s to 3.011 s, during 3 of the operations involved" */
bool describe_fault(struct text *t, const history *h, uint32_t *header, struct mentions m);

/* The steps to draw: those of the cycle, then those of the reasons it rests on; each pair once. */
struct drawn {
    const assay_step *step;
    bool in_cycle;
};
struct drawing {
    struct drawn *at;
    uint32_t n;
};
struct drawing describe_drawing(const result *r, struct mem *m);

/* Neither a fact of the history nor an assumption. */
static inline bool describe_derived(assay_rule rule)
{
    return !rule_needs_no_reason(rule);
}

#endif
