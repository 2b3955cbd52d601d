/* SPDX-License-Identifier: Apache-2.0 */
/* Can these operations of a stack be put into an order that nests? The heart of the engine `fast-stack`.
 *
 * A history of a stack whose values are pushed once and popped once is a row of events: each operation begins and
 * ends. Gap g lies before event g, so with n events there are gaps 0 to n; an operation takes effect at a gap
 * between its two events. The caller has tuned the intervals, which loses no linearization: of one value,
 *     the push begins before its peeks and its pop do, and ends before they do;
 *     the pop begins after its push and its peeks have begun, and ends after they do.
 * Then a value is surely on the stack at the gaps between the end of its push and the beginning of its pop, if these
 * come in this order: it *covers* them. Pops that never happened begin after everything else, all at once.
 *
 * Idea: peel values off from outside. Gaps 0 and n are *used*. A gap that no value left covers may be used, too:
 * every operation that spans it is then *placed*. A value whose operations are all placed is taken away, and covers
 * nothing from then on. A value whose push and pop are placed may also have its peeks placed at gaps that it alone
 * covers; when that has placed the last of them it is taken away, and these gaps are used at once. There is a
 * linearization iff all values are taken away.
 *
 * Lemma. If no value covers gap g, any linearization can be changed so that the stack is empty at g, and stays so at
 * gaps where it was. Proof: let w1, ..., wm (outermost first) be on the stack at g. None covers g, so the push of wi
 * ends after g, and can be moved to g, or else its pop begins before g, and can be moved there. Peeks of a wi of the
 * first kind that came before g span g, since they end after the push does, and move along behind it; likewise for
 * the second kind. At g: the pops, innermost first, each behind its peeks; nothing is left; the pushes, outermost
 * first, each followed by its peeks. All intervals [push, pop] only shrink towards g, so nothing appears at other
 * gaps.
 *
 * Sound: by induction the values left after v have a linearization, by the lemma one where the stack is empty at all
 * gaps used when v was taken away, and at those which v alone covers and where its peeks are placed. Inserting v's
 * operations at these gaps is legal: between push and pop whatever is pushed is popped, and the peeks see v. (A peek
 * placed at a used gap before the push's or after the pop's spans that gap as well, by the tuning.)
 *
 * Complete: if what is left has a linearization, take one with an empty stack at the used gaps, and w at its bottom.
 * Push and pop of w take place when the stack is otherwise empty, so at gaps that nothing covers. If one of the two
 * gaps is unused, it can be used. Otherwise both operations are placed; the peeks of w take place at gaps that at
 * most w covers; so w can be taken away.
 *
 * Time: used gaps cut the row into segments, and what is left lies in one of them (but for ends of operations
 * already placed). A segment is searched from both its ends at once for a gap to use, counting what covers. What is
 * found at distance d cost O(d), as does placing the operations that span it, and it cuts off a piece of length d,
 * no more than half of the segment: O(n log n) in all, in linear scans. Near its ends, where histories mostly are
 * cut, it is O(n).
 *
 * Sources: the peeling, by layers kept in a tree, is that of Lee and Mathur 2025 (stacks in O(n log n)). Lemma,
 * peeks, and the search from both ends are argued for above. */
#ifndef ASSAY_OBJECT_NEST_H
#define ASSAY_OBJECT_NEST_H

#include "base/budget.h"
#include "base/group.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

enum nest_kind {
    NEST_PUSH_BEGIN,
    NEST_PUSH_END,  /* of a value that covers nothing */
    NEST_POP_BEGIN, /* of such a value */
    NEST_POP_END,
    NEST_PEEK_BEGIN,
    NEST_PEEK_END,
    NEST_OPEN, /* the push ends, and the value covers the gaps from here */
    NEST_CLOSE /* up to here, where the pop begins */
};

enum { NEST_KIND_BITS = 3 };
#define NEST_MOST_IDS (UINT32_MAX >> NEST_KIND_BITS) /* of values, of peeks */

/* The id is a value's, or a peek's number. */
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

enum { /* of a value; seen: while operations that span a gap are looked for */
       NEST_PUSH_PLACED = 1,
       NEST_POP_PLACED = 2,
       NEST_TAKEN = 4,
       NEST_PUSH_SEEN = 8,
       NEST_POP_SEEN = 16,
       NEST_ALONE = 32 /* some of its peeks are placed where it alone covers */
};

enum { NEST_PEEK_PLACED = 1, NEST_PEEK_SEEN = 2 };

struct nest_segment { /* between two used gaps */
    uint32_t from, to;
};

struct nest {
    struct mem *m;
    struct budget *budget;

    /* From the caller. Values that are never popped have no NEST_POP_END. */
    const uint32_t *events;
    uint32_t n;
    uint32_t values, peeks;
    const uint32_t *owner; /* of each peek: its value */
    const uint32_t *empty; /* gaps that nothing covers and where the stack shall be empty, ascending */
    uint32_t empty_n;

    /* The result: did all values go? If not, where it got stuck: the gaps strictly between are all covered, or
     * covered by one value that has peeks left. */
    uint32_t stuck_from, stuck_to;

    uint8_t *state; /* of each value */
    /* Gaps are used, and values taken, in rounds: round 0 uses those given. */
    uint32_t round;
    bool keep_rounds;
    uint32_t *used, used_n;   /* gaps in the order of their use */
    uint32_t *gap_round;      /* of each gap */
    uint32_t *taken, taken_n; /* values as they went: outer ones before those inside */
    uint32_t *value_round;

    /* Peeks; NULL if there are none. */
    uint8_t *peek_state;
    uint32_t *peek_begin, *peek_end; /* events */
    uint32_t *waits;                 /* of each value: peeks not placed */
    uint32_t *open[2], *next[2];     /* while searching: of each value a list of peeks that were met, from either end */
    uint32_t *alone, *alone_next, *alone_gap; /* of each value a list of peeks placed where it alone covers */

    VEC(struct nest_segment) segments; /* to be searched */
    VEC(uint32_t) gaps;                /* to be used in this round */
};

/* True: all values are taken. May escape. With keep_rounds set, nest_places can follow. */
bool nest_peel(struct nest *x);

/* The gaps at which the operations take place, after all values were taken. At one gap, the pops of what was
 * pushed before come first, in the reverse order of `taken`; then values pushed and popped here, one after
 * another, and what needs a stack without the values of later rounds; then pushes in the order of `taken`. */
struct nest_places {
    uint32_t *push, *pop; /* of each value */
    uint32_t *peek;
};
struct nest_places nest_places(struct nest *x);

/* After nest_peel got stuck: a few values that get stuck by themselves, and one peek of each of them that needs it.
 * Besides that peek, all that matters of a value's peeks is how they tuned its push and pop. */
void nest_why_stuck(struct nest *x, bool *values, bool *peeks);

/* Values of a nest that get stuck by themselves, numbered anew, and the peeks that this needs. Blocks belong to x.m. */
struct nest_core {
    struct nest x;
    uint32_t *value, *peek; /* their numbers in the whole */
    bool *values, *peeks;   /* nest_why_stuck's */
};

/* A first core of what got stuck. */
struct nest_core nest_core_of(struct nest *x);
/* Does it also get stuck with these values only? Then that is the core from now on. */
bool nest_core_narrow(struct nest_core *core, const bool *values);
/* Makes it small, in O(n log n). */
void nest_core_shrink(struct nest_core *core);
void nest_core_free(struct nest_core *core);
void nest_free(struct nest *x);

#endif
