/* SPDX-License-Identifier: Apache-2.0 */
/* Can operations of a stack be put into an order that nests? This is the decision procedure of the engine `fast-stack`.
 *
 * Terms. A history of a stack whose values are pushed once and popped once is a row of events: each operation begins
 * and ends. Gap g lies before event g, so n events have the gaps 0 to n. An operation takes effect at a gap between its
 * two events. The caller has tuned the intervals, which loses no linearization. Of one value:
 *     the push begins before its peeks and its pop begin, and ends before they end;
 *     the pop begins after its push and its peeks have begun, and ends after they end.
 * If the push of a value ends before its pop begins, the value *covers* the gaps between these two events. It is surely
 * on the stack there. Pops that never happened begin after everything else, all at once.
 *
 * Idea: peel values off from outside. Gaps 0 and n are *used*. A gap that no remaining value covers may be used, too:
 * then every operation that spans it is *placed*. A value whose operations are all placed is taken away, and covers
 * nothing from then on. If the push and the pop of a value are placed, its peeks may also be placed at gaps that it
 * alone covers. When the last of them is placed so, the value is taken away, and these gaps are used at once. There is
 * a linearization iff all values are taken away.
 *
 * Lemma. If no value covers gap g, any linearization can be changed so that the stack is empty at g. The stack stays
 * empty at the gaps where it was empty before.
 *
 * Proof. Let w1, ..., wm (outermost first) be on the stack at g. No wi covers g. So either the push of wi ends after g,
 * and can be moved to g (first kind). Or its pop begins before g, and can be moved to g (second kind). Peeks of a wi of
 * the first kind that came before g span g, since they end after the push does. They move to g, behind the push.
 * Likewise, peeks of a wi of the second kind that came after g move to g, before the pop. At g, the pops come first,
 * innermost first, each behind its peeks. Now the stack is empty. Then come the pushes, outermost first, each followed
 * by its peeks. All intervals [push, pop] only shrink towards g, so no value appears at other gaps.
 *
 * Soundness. By induction, the values left after v was taken away have a linearization. By the lemma, they have one in
 * which the stack is empty at two kinds of gaps. These are the gaps used when v was taken away, and the gaps that v
 * alone covers and where its peeks are placed. Inserting the operations of v at these gaps is legal. Every other value
 * that is pushed between the push and the pop of v is popped between them, and the peeks see v. (A peek may be placed
 * at a used gap before the gap of the push, or after that of the pop. By the tuning, it spans the gap of the push, or
 * of the pop, as well.)
 *
 * Completeness. Assume that the remaining values have a linearization. Take one with an empty stack at the used gaps,
 * and a value w at the bottom of its stack. The push and the pop of w take effect when the stack is otherwise empty, so
 * at gaps that no value covers. If one of the two gaps is unused, it can be used. Otherwise both operations are placed.
 * The peeks of w take effect at gaps that at most w covers. So w can be taken away.
 *
 * Time. Used gaps cut the row into segments, and each remaining value lies in one segment (except for ends of
 * operations already placed). A segment is searched from both its ends at once for a gap to use, counting the values
 * that cover. A gap found at distance d costs O(d), and so does placing the operations that span it. The gap cuts off a
 * piece of length d, at most half of the segment. All gaps together cost O(n log n), in linear scans. If gaps are found
 * near the ends of segments, as in most histories, they cost O(n). In a long row both are done by blocks of events
 * (nest_blocks.h) where there are no peeks.
 *
 * Sources: the peeling, by layers kept in a tree, is by Lee and Mathur 2025 (stacks in O(n log n)). The lemma, the
 * peeks, and the search from both ends are proved above. */
#ifndef ASSAY_SCAN_NEST_H
#define ASSAY_SCAN_NEST_H

#include "base/budget.h"
#include "base/group.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "scan/nest_blocks.h"

enum nest_kind {
    NEST_PUSH_BEGIN,
    NEST_PUSH_END,  /* the value covers nothing */
    NEST_POP_BEGIN, /* the value covers nothing */
    NEST_POP_END,
    NEST_PEEK_BEGIN,
    NEST_PEEK_END,
    NEST_OPEN, /* the push ends, and the value covers the gaps from here on */
    NEST_CLOSE /* the pop begins, and the value covers the gaps up to here */
};

enum { NEST_KIND_BITS = 3 };
#define NEST_MOST_IDS (UINT32_MAX >> NEST_KIND_BITS) /* most values, and most peeks */

/* The id is the number of a value, or of a peek. */
static inline uint32_t nest_event(uint32_t id, enum nest_kind kind)
{
    return id << NEST_KIND_BITS | (uint32_t)kind;
}

static inline uint32_t nest_id(uint32_t event)
{
    return event >> NEST_KIND_BITS;
}

static inline enum nest_kind nest_kind(uint32_t event)
{
    return (enum nest_kind)(event & ((1 << NEST_KIND_BITS) - 1));
}

enum { /* flags of a value; SEEN: only during the search for operations that span a gap */
       NEST_PUSH_PLACED = 1,
       NEST_POP_PLACED = 2,
       NEST_TAKEN = 4,
       NEST_PUSH_SEEN = 8,
       NEST_POP_SEEN = 16,
       NEST_ALONE = 32 /* some of its peeks are placed at gaps that it alone covers */
};

enum { NEST_PEEK_PLACED = 1, NEST_PEEK_SEEN = 2 };

struct nest_segment { /* between two used gaps */
    uint32_t from, to;
};

struct nest {
    struct mem *m;
    struct budget *budget;

    /* Input, set by the caller. Values that are never popped have no NEST_POP_END. */
    const uint32_t *events;
    uint32_t n;
    uint32_t values, peeks;
    const uint32_t *owner; /* of each peek: its value */
    const uint32_t *empty; /* gaps that no value covers and where the stack shall be empty, ascending */
    uint32_t empty_n;
    bool by_steps; /* without blocks, which is for tests */

    /* The segment where peeling got stuck, if it did. Each gap strictly inside is covered by several values, or by one
     * value with an operation that is not placed. */
    uint32_t stuck_from, stuck_to;

    uint8_t *state; /* of each value */
    /* Gaps are used, and values are taken, in rounds. Round 0 uses the gaps of `empty`. */
    uint32_t round;
    bool keep_rounds;
    uint32_t *used, used_n;   /* gaps in the order of their use */
    uint32_t *gap_round;      /* of each gap */
    uint32_t *taken, taken_n; /* values in the order in which they were taken: outer ones before inner ones */
    uint32_t *value_round;

    /* Peeks. All of these are NULL if there are none. */
    uint8_t *peek_state;
    uint32_t *peek_begin, *peek_end; /* their events */
    uint32_t *waits;                 /* of each value: peeks not placed */
    /* During a search: of each value, a list of the peeks that were met. There is one list per direction. */
    uint32_t *open[2], *next[2];
    /* Of each value, a list of the peeks placed at gaps that it alone covers. */
    uint32_t *alone, *alone_next, *alone_gap;

    struct nest_blocks blocks;
    VEC(struct nest_segment) segments; /* to be searched */
    VEC(uint32_t) gaps;                /* to be used in this round */
};

/* Peels. True: all values are taken. May escape. nest_places can follow if keep_rounds is set. */
bool nest_peel(struct nest *x);

/* The gaps at which the operations take effect, after all values were taken. The order at one gap is:
 * - the pops of values pushed before, in the reverse order of `taken`;
 * - the values pushed and popped here, one after another;
 * - the operations that need a stack without the values of later rounds;
 * - the pushes, in the order of `taken`. */
struct nest_places {
    uint32_t *push, *pop; /* of each value */
    uint32_t *peek;
};
struct nest_places nest_places(struct nest *x);

/* After nest_peel got stuck: marks a few values that get stuck by themselves, and one peek of each value that needs a
 * peek for it. The other peeks of a value matter only in how they tuned its push and pop. */
void nest_why_stuck(struct nest *x, bool *values, bool *peeks);

/* A core: values of a nest that get stuck by themselves, numbered anew, and the peeks that this needs. Blocks belong to
 * x.m. */
struct nest_core {
    struct nest x;
    uint32_t *value, *peek; /* numbers in the whole nest */
    bool *values, *peeks;   /* results of nest_why_stuck */
};

/* A first core of a nest that got stuck. */
struct nest_core nest_core_of(struct nest *x);
/* Do these values of the core get stuck alone? Then the core is narrowed to them, or to fewer. */
bool nest_core_narrow(struct nest_core *core, const bool *values);
/* Makes the core small, in O(n log n). */
void nest_core_shrink(struct nest_core *core);
void nest_core_free(struct nest_core *core);
void nest_free(struct nest *x);

#endif
