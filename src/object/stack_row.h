/* SPDX-License-Identifier: Apache-2.0 */
/* Does a stack nest so far? The heart of the online checker `exact-stack`: the theory, and the row that decides.
 *
 * Gaps. Events lie at positions 1, 2, 3, ...; gap g is the time between g and g + 1. A value x is called to be
 * pushed at c(x), and has been pushed at r(x): its push takes effect in a gap of c .. r-1. The call of its pop is
 * at q(x), the return at t(x): the pop takes effect in a gap of q .. t-1. These are tuned (object/collection.h): r
 * is the first return of an operation that tells that x was there, q the last call of one. So x *covers* the gaps r
 * .. q-1, if there are any; a value that covers nothing can be pushed, seen and popped in one moment, and is left
 * out. One that is never popped covers all from r on, and has no t.
 *
 * Cores. By the peeling of object/nest.h, a complete history without peeks is wrong iff there is a core: values of
 * which each has its push, or its pop, in gaps that the core covers. (A value covers neither of its own.)
 *
 * Theorem. There is a core iff there are positions A < B such that every gap of A .. B-1 is covered by an x with
 *     A <= r(x),  q(x) <= B,  and  (A <= c(x) or t(x) <= B).
 * Proof. These x are a core: the push, or else the pop, lies in A .. B-1. Conversely, take a smallest core S. If
 * some gap g between its first and its last is not covered, then those of S with g < r(x) are a core on their own:
 * if the pop of such an x is covered, then by these, since it lies behind g; if the push is, then it does not span
 * g, ends behind g, and so lies behind it, too. So S covers just the gaps A .. B-1, where A is its least r and B
 * its greatest q, and a push lies there iff A <= c, a pop iff t <= B.
 *
 * Forward in time. Let B be now, and cut off there what values cover. The history is wrong by now iff there is A <
 * B such that all gaps g of A .. B-1 have level(g) >= A, where
 *     level(g) = the greatest key(x) of the values that cover g;
 *     key(x) = r(x) if the pop of x has returned, else c(x).
 * For those with a key of A or more are a core, whatever follows: the last of them to be called to be popped, at
 * B', covers what is missing up to B'. And a core of the theorem shows at the last return of a pop up to its B: one
 * with r(x) = A has returned by then, since c(x) < A, and from then on to B no key changes. So it is enough to ask
 * when a pop returns.
 *
 * The row. Values on the stack, or being popped, have marks at their r, and the latter at their q. Between two
 * marks the gaps are covered by the same values whose keys can still change: levels there are raised together. So
 * of these gaps, a segment, is kept
 *     level   the least level;
 *     start   the least A beyond the mark such that all gaps from A to the segment's end have level A or more.
 * That is exact. A core's A is the r of a value whose pop has returned, so that no mark is there. What will still
 * raise levels of A's segment are values that cover all of it; their r lies at its mark or before, below A: whether
 * A holds up to the segment's end is settled. Of several A the least asks least of the segments behind. When a pop
 * returns, its value's segments are raised to its r, its marks vanish, and segments join. Whether some A holds up
 * to now is a fold from the left:
 *     reach   the least A that holds up to the end of this segment: that of the segment before if it is at most the
 *             level, else the segment's own start.
 *
 * Time and memory. There is a mark for each value on the stack, and two for each that is being popped. When a pop
 * returns, the marks behind its value's r are gone through. Those are few: if y is on the stack when x has been
 * popped, and r(x) < r(y), then y was being pushed at r(x), or while x was being popped, or else the two are a
 * core. So it is O(overlap), and values come and go at the end of the row.
 *
 * Found empty. Such an operation needs a gap that no value covers, and by the lemma of object/nest.h it is enough
 * that each has one: any linearization can be changed so that the stack is empty there. lifetimes.h sees to that.
 *
 * Peeks. One of x needs a gap that no other value covers. So x belongs to a core also if all gaps of a peek of x
 * are covered by the core's other values: stack_peeks.h.
 *
 * Why this is not the peeling of nest.h: peeling takes values off from outside, over the whole history, and its rounds
 * are the witness. The row has no witness, but forgets each value that was popped.
 *
 * Sources: the peeling is that of Lee and Mathur 2025; the theorem and the row are argued for here. */
#ifndef ASSAY_OBJECT_STACK_ROW_H
#define ASSAY_OBJECT_STACK_ROW_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define ROW_NEVER UINT64_MAX

struct row_mark {
    uint64_t at;           /* the segment's first gap */
    uint64_t level;        /* 0: some gap is not covered */
    uint64_t start, reach; /* ROW_NEVER: there is none */
    uint32_t lifetime;     /* whose it is; ID_NONE: a peek's, or the first */
    uint64_t call; /* c of the value on the stack that was pushed here; 0: there is none, or its pop has been called */
    uint64_t top;  /* the greatest call up to here: the level of what comes next */
};

struct row {
    struct mem *mem;
    VEC(struct row_mark) marks; /* by position, all different; the first is at 0 */
};

void row_open(struct row *row, struct mem *m);
void row_close(struct row *row);

/* A value that was called to be pushed at `call` has been pushed by now. */
void row_push(struct row *row, uint32_t lifetime, uint64_t call, uint64_t now);
/* A mark that is no value's. */
void row_mark(struct row *row, uint64_t now);
/* The value pushed at r is called to be popped. */
void row_call_pop(struct row *row, uint64_t r, uint64_t now);
/* Its pop returns. */
void row_pop(struct row *row, uint64_t r, uint64_t q);
/* It is left out from now on; q == r if its pop has not been called. Or a peek's mark goes. */
void row_leave(struct row *row, uint64_t r, uint64_t q);

/* The segment of a gap. The last ones are asked for most. */
static inline uint32_t row_find(const struct row *row, uint64_t gap)
{
    uint32_t i = row->marks.n - 1;
    while (row->marks.at[i].at > gap)
        i--;
    return i;
}

/* The least A that makes a core, or ROW_NEVER. */
static inline uint64_t row_core(const struct row *row)
{
    return vec_last(&row->marks).reach;
}

#endif
