/* SPDX-License-Identifier: Apache-2.0 */
/* Engines of objects: linearizability, and weak visibility. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define READ .read = "docs/internals/algorithms.md"
#define SCAN(OBJECTS) "The default of lin for " OBJECTS "; millions of calls in seconds."

const struct entry lexicon_object_engines[] = {
    {.name = "fast-queue",
     .text = "One sweep over the calls. With distinct values each value has one add and at most one removal, and a "
             "queue is wrong if and only if one of a few small patterns occurs.",
     .context = SCAN("queues whose values are distinct"),
     .example = LATE_DEQUEUE,
     .model = "lin",
     .pattern = "OrderReversed",
     READ},
    {.name = "fast-stack",
     .text = "It peels values off from outside: a value goes once its push and pop can be placed at moments that no "
             "other value covers. The history is linearizable if and only if all values go.",
     .context = SCAN("stacks whose values are distinct"),
     .example = "# @object stack\n"
                "# @init [1, 2]\n"
                "a: pop() => 1 @ 3..4\n",
     .model = "lin",
     .pattern = "NotNested",
     READ},
    {.name = "fast-pqueue",
     .text = "It visits the values from the highest priority down. A removal needs a moment at which no value of "
             "higher priority must be in.",
     .context = SCAN("priority queues whose values are distinct"),
     .example = "# @object pqueue\n"
                "a: add(1) @ 1..2\n"
                "b: add(9) @ 3..4\n"
                "c: rem() => 1 @ 5..6\n",
     .model = "lin",
     .pattern = "Overtaken",
     READ},
    {.name = "fast-register",
     .text = "With distinct values, the write of a value and its reads form a zone in time (Gibbons and Korach). A "
             "register is linearizable if and only if no two zones overlap in certain ways.",
     .context = SCAN("registers and memories whose values are written once each"),
     .example = STALE_REGISTER,
     .model = "lin",
     .pattern = "StaleRead",
     READ},
    {.name = "fast-append-map",
     .text = "A string that was read spells out its pieces and their order. A put, its appends and their gets form a "
             "block, and the blocks are zones in time as for registers.",
     .context = SCAN("append-maps whose pieces can be told apart"),
     .example = "# @object append-map\n"
                "a: append(k, \"y\") @ 1..2\n"
                "a: append(k, \"z\") @ 3..4\n"
                "b: get(k) => \"zy\" @ 5..6\n",
     .model = "lin",
     .pattern = "PiecesReversed",
     READ},
    {.name = "fast-set",
     .text = "Values of a set do not interfere, so each is swept by itself, as a switch that is on or off. If whole "
             "sets are read, one sweep goes over all values.",
     .context = SCAN("sets"),
     .example = "# @object set\n"
                "a: add(5) => true @ 1..2\n"
                "b: contains(5) => false @ 3..4\n",
     .model = "lin",
     .pattern = "MissedWhileIn",
     READ},
    {.name = "fast-lock",
     .text = "One sweep in time that counts who must hold the lock and who may.",
     .context = SCAN("locks"),
     .example = "# @object lock\n"
                "a: lock() @ 1..2\n"
                "b: lock() @ 3..4\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     READ},
    {.name = "fast-semaphore",
     .text = "One sweep in time that counts the permits that must be out and those that may.",
     .context = SCAN("semaphores of both kinds"),
     .example = "# @object semaphore(1)\n"
                "a: acquire() @ 1..2\n"
                "b: acquire() @ 3..4\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     READ},
    {.name = "fast-multiset",
     .text = "Values do not interfere; each has a sweep that counts its copies.",
     .context = SCAN("multisets"),
     .example = "# @object multiset\n"
                "a: add(5) @ 1..2\n"
                "b: remove(5) => true @ 3..4\n"
                "c: remove(5) => true @ 5..6\n",
     .model = "lin",
     .pattern = "RemovedTwice",
     READ},
    {.name = "fast-counter",
     .text = "One sweep that makes a step only when a call would otherwise return unexplained, so the value of the "
             "counter is always the lowest that is possible.",
     .context = SCAN("counters that change by one amount"),
     .example = "# @object counter\n"
                "a: inc() @ 1..2\n"
                "b: get() => 0 @ 3..4\n",
     .model = "lin",
     .pattern = "SumOutOfReach",
     READ},
    {.name = "queue-words",
     .text = "The values enter and leave a queue in the same order, a word. The engine orders adds and removals in "
             "step along that word, so that a wrong order of two adds is noticed early.",
     .context = "The default of lin for queues in which values repeat.",
     .example = "# @object queue\n"
                "a: enq(1) @ 1..2\n"
                "a: enq(1) @ 3..4\n"
                "a: enq(2) @ 5..6\n"
                "b: deq() => 2 @ 7..8\n",
     .model = "lin",
     .pattern = "NoLinearization",
     READ},
    {.name = "deque",
     .text = "The order of each pair of overlapping calls is an unknown, and the rules of a deque are clauses over "
             "them. They are solved as a SAT solver would: a contradiction becomes a new clause.",
     .context = "The default of lin for deques whose values are distinct.",
     .example = "# @object deque\n"
                "a: push-back(1) @ 1..2\n"
                "b: pop-front() => empty @ 3..4\n",
     .model = "lin",
     .pattern = "EmptyWhileFull",
     READ},
    {.name = "exchanger",
     .text = "It pairs each exchange with a call that overlaps it and has the values the other way round.",
     .context = "The default of lin for exchangers.",
     .example = "# @object exchanger\n"
                "a: exchange(1) => 2 @ 1..3\n",
     .model = "lin",
     .pattern = "NoPartner",
     READ},
    {.name = "execute",
     .text = "It executes the whole memory along happens-before, and takes back a choice where a read does not fit. If "
             "it finds no execution it passes the history on to a search.",
     .context = "The default of lin for memories whose operations cannot be judged variable by variable.",
     .example = "a: write(x, 1) @ 1..2\n"
                "b: read(x) => 1 @ 3..4\n",
     .model = "lin",
     READ},
    {.name = "wgl",
     .text = "The search of Wing and Gong with Lowe's memo: take a call that may come next, see whether its result is "
             "right, go back if not. The worst case is exponential.",
     .context = "The default of lin where no scan of the object applies, and for objects of your own.",
     .example = "# @object cas-register\n"
                "a: cas(0, 1) => true @ 1..2\n"
                "b: cas(0, 2) => true @ 3..4\n",
     .model = "lin",
     .pattern = "StaleRead",
     READ},
    {.name = "jit",
     .text = "It follows all linearizations at once, event by event, and keeps the states that are possible after each "
             "return.",
     .context = "A second opinion beside wgl; chosen by `-e` only.",
     .example = LATE_DEQUEUE,
     .model = "lin",
     .pattern = "NoLinearization",
     READ},
    {.name = "weak-jit",
     .text = "It builds linearizations return by return, and for each call a set of operations that it may have seen.",
     .context = "The default of the levels of visibility, and of models that are spelled out.",
     .example = OWN_WRITE_MISSED,
     .model = "level:self",
     .pattern = "NoVisibility",
     READ},
    {.name = "weak-wg",
     .text = "As weak-jit, but it decides at the call instead of at the return.",
     .context = "A second opinion beside weak-jit; chosen by `-e` only.",
     .example = OWN_WRITE_MISSED,
     .model = "level:self",
     .pattern = "NoVisibility",
     READ},
    {.name = "symbolic",
     .text = "The axioms of the object's theory as one formula, which a SAT solver tries to satisfy.",
     .context = "Comparison, and theories of your own; chosen by `-e` only.",
     .example = LATE_DEQUEUE,
     .model = "lin",
     .pattern = "NoLinearization",
     .read = "docs/guides/theories.md"},
    {.name = "enumerate",
     .text = "Every linearization is tried against the axioms of the object's theory.",
     .context = "Small histories, and tests of theories of your own; chosen by `-e` only.",
     .example = LATE_DEQUEUE,
     .model = "lin",
     .pattern = "NoLinearization",
     .read = "docs/guides/theories.md"},
    {0}};
