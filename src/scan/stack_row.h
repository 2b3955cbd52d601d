/* SPDX-License-Identifier: Apache-2.0 */
/* Does a stack nest so far? This is the decision procedure of the online checker `exact-stack`: the theory, and the row
 * that decides.
 *
 * Gaps. Events lie at positions 1, 2, 3, ...; gap g is the time between g and g + 1. The push of a value x is called at
 * c(x) and has happened by r(x): it takes effect in a gap of c .. r-1. The pop of x is called at q(x) and returns at
 * t(x): it takes effect in a gap of q .. t-1. These positions are tuned (search/collection_calls.h). r is the first
 * return of an operation which proves that x was there, and q is the last call of such an operation. So x *covers* the
 * gaps r .. q-1, if there are any. A value that covers nothing can be pushed, peeked at and popped in one moment, and
 * is left out. A value that is never popped covers all gaps from r on, and has no t.
 *
 * Cores. By the peeling of scan/nest.h, a complete history without peeks is a violation iff it has a core. A core is
 * a set of values each of which has its push, or its pop, in gaps that the core covers. (A value covers no gap of its
 * own push or pop.)
 *
 * Theorem. There is a core iff there are positions A < B such that every gap of A .. B-1 is covered by an x with
 *     A <= r(x),  q(x) <= B,  and  (A <= c(x) or t(x) <= B).
 *
 * Proof. These x are a core: the push, or else the pop, lies in A .. B-1. Conversely, take a smallest core S. Assume
 * that S does not cover some gap g between its first gap and its last gap. Then the values x of S with g < r(x) are a
 * core on their own:
 * - If the pop of such an x is covered, these values cover it, since the pop lies behind g. The other values of S cover
 *   no gap behind g, since they do not cover g.
 * - If the push of such an x is covered, it does not span g. The push ends behind g, and so lies behind g, too.
 * But S is a smallest core. So S covers just the gaps A .. B-1, where A is its least r and B its greatest q. A push
 * lies there iff A <= c, and a pop iff t <= B.
 *
 * Forward in time. Let B be now, and cut off there the gaps that values cover. The history up to now is a violation iff
 * there is A < B such that all gaps g of A .. B-1 have level(g) >= A, where
 *     level(g) = the greatest key(x) of the values that cover g;
 *     key(x) = r(x) if the pop of x has returned, else c(x).
 *
 * Proof. The values with a key of A or more are a core, however the history goes on. Let B' be the last position at
 * which the pop of one of them is called. That value covers the missing gaps up to B'. Conversely, a core of the
 * theorem shows at the last return of a pop up to its B. The pop of a value with r(x) = A has returned by then, since
 * c(x) < A. From then on to B no key changes. So it is enough to ask when a pop returns.
 *
 * The row. Values on the stack, or being popped, have marks at their r. Values being popped also have marks at their q.
 * Between two marks, the gaps are covered by the same values whose keys can still change: levels there are raised
 * together. So these gaps are a segment, for which two numbers are kept:
 *     level   the least level;
 *     start   the least A beyond the mark such that all gaps from A to the segment's end have level A or more.
 *
 * That is exact. The A of a core is the r of a value whose pop has returned, so no mark is there. Only values that
 * cover all of A's segment can still raise its levels. Their r lies at the mark of the segment or before, so below A.
 * Hence it is settled whether A holds up to the end of the segment. Of several A, the least asks least of the segments
 * behind. When a pop returns, the segments of its value are raised to its r, its marks vanish, and segments join.
 * Whether some A holds up to now is a fold from the left:
 *     reach   the least A that holds up to the end of this segment: that of the segment before if it is at most the
 *             level, else the segment's own start.
 *
 * Time and memory. There is one mark for each value on the stack, and two for each value that is being popped. When a
 * pop returns, the marks behind the r of its value are visited. They are few, for this reason. Let y be on the stack
 * when x has been popped, and r(x) < r(y). Then y was being pushed at r(x), or while x was being popped, or else the
 * two are a core. So the time is O(overlap), and values come and go at the end of the row.
 *
 * Found empty. An operation that found the stack empty needs a gap that no value covers. By the lemma of scan/nest.h
 * it is enough that each such operation has one. Any linearization can be changed so that the stack is empty there.
 * lifetimes.h checks for such gaps.
 *
 * Peeks. A peek of x needs a gap that no other value covers. So x belongs to a core also if all gaps of a peek of x are
 * covered by the core's other values: stack_peeks.h.
 *
 * Why this is not the peeling of nest.h: peeling takes values off from outside, over the whole history, and its rounds
 * are the witness. The row has no witness, but forgets each value that was popped.
 *
 * Sources: the peeling is by Lee and Mathur 2025. The theorem and the row are proved here. */
#ifndef ASSAY_SCAN_STACK_ROW_H
#define ASSAY_SCAN_STACK_ROW_H

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
    uint32_t lifetime;     /* of its value; ID_NONE: the mark of a peek, or the first mark */
    /* c of the value on the stack that was pushed here; 0: there is none, or its pop has been called */
    uint64_t call;
    uint64_t top; /* the greatest `call` up to here: the level of the next segment */
};

struct row {
    struct mem *mem;
    VEC(struct row_mark) marks; /* by position, all different; the first is at 0 */
};

void row_open(struct row *row, struct mem *m);
void row_close(struct row *row);

/* A value whose push was called at `call` has been pushed by now. */
void row_push(struct row *row, uint32_t lifetime, uint64_t call, uint64_t now);
/* Sets a mark that belongs to no value. */
void row_mark(struct row *row, uint64_t now);
/* The pop of the value with this r is called. */
void row_call_pop(struct row *row, uint64_t r, uint64_t now);
/* The pop of the value with these r and q returns. */
void row_pop(struct row *row, uint64_t r, uint64_t q);
/* The value with these r and q is left out from now on; q == r if its pop has not been called. Also takes away the mark
 * of a peek at r, with q == r. */
void row_leave(struct row *row, uint64_t r, uint64_t q);

/* The segment of a gap. Most queries are for the last segments. */
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
