/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of objects: linearizability, and weak visibility. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define LIN "docs/reference/linearizability.md"

const struct entry lexicon_object_patterns[] = {
    {.name = "NoLinearization",
     .text = "Every order of the calls that keeps real time gives some call another result than it had. No shorter "
             "reason was found, so the report names the call that cannot be placed, and a few calls that contradict "
             "each other.",
     .context = "Any fault of the object. `--shrink` leaves the few calls that matter.",
     .example = "# @object multi-register\n"
                "a: txn(w x 1) @ 1..2\n"
                "b: txn(r x 0) @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "RemovedNeverAdded",
     .text = "No call of the history puts this value in, and it was not in at the start.",
     .context = "The add is missing from the log (a client that was not recorded, or an initial content: `@init`). "
                "If the log is complete: memory that is read after it was freed or reused, or a torn write.",
     .example = "# @object queue\n"
                "a: deq() => 9 @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "RemovedTwice",
     .also = {"double-dequeue", "duplicate-delivery"},
     .text = "Two calls each took out the only copy of the value.",
     .context = "Two consumers that read the same head before one of them advances it: a missing compare-and-swap, a "
                "check outside of the lock, the ABA problem. In a message queue: redelivery after a timeout, although "
                "the first delivery was acknowledged.",
     .example = "# @object queue\n"
                "a: enq(1) @ 1..2\n"
                "b: deq() => 1 @ 3..4\n"
                "c: deq() => 1 @ 5..6\n",
     .model = "lin",
     .read = LIN ", docs/gallery/double-dequeue.md"},
    {.name = "RemovedBeforeAdded",
     .text = "The call that found the value had returned before the call that puts it in began.",
     .context = "Clocks that differ between machines (`--skew`), or time stamps taken too late: call and return must "
                "be stamped outside of the operation. Otherwise a value left over from an earlier use of the memory.",
     .example = "# @object queue\n"
                "b: deq() => 1 @ 1..2\n"
                "a: enq(1) @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "SeenAfterRemoved",
     .text = "The value had been taken out for good before the call began that still found it.",
     .context = "A removal that only marks an element, while readers do not look at the mark; a lagging replica; a "
                "cache that keeps removed entries.",
     .example = "# @object queue\n"
                "a: enq(1) @ 1..2\n"
                "b: deq() => 1 @ 3..4\n"
                "c: peek() => 1 @ 5..6\n",
     .model = "lin",
     .read = LIN},
    {.name = "OrderReversed",
     .text = "One value had been put in before the other one's add began, and yet it came out later, or never.",
     .context = "An enqueue that reserves a slot in one step and fills it in another, several internal queues (per "
                "shard or per core), or a consumer that skips a slot that is not yet filled.",
     .example = LATE_DEQUEUE,
     .model = "lin",
     .read = LIN ", docs/gallery/queue-reversed.md"},
    {.name = "NotNested",
     .text = "What was pushed last must be popped first. These pops cannot be explained by any order of the pushes.",
     .context = "A pop that takes an element other than the top, elimination between calls that do not overlap, or the "
                "ABA problem: the top is compared by address, and the address has been reused.",
     .example = "# @object stack\n"
                "# @init [1, 2]\n"
                "a: pop() => 1 @ 3..4\n",
     .model = "lin",
     .read = LIN ", docs/gallery/stack-wrong-pop.md"},
    {.name = "EmptyWhileFull",
     .text = "Throughout the call that found nothing, some value was in the object: put in before, taken out after it "
             "or never. If it never comes out, the report calls it lost.",
     .context = "A consumer that takes a slot that is reserved but not filled for the end, a lost element, or an "
                "emptiness check that reads head and tail at different moments.",
     .example = "# @object queue\n"
                "a: enq(1) @ 1..2\n"
                "b: deq() => empty @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "MissedWhileIn",
     .also = {"lost-element"},
     .text = "The value was put in before the call and taken out after it or never, and the call did not find it. If "
             "no later call finds it, the report calls it lost, otherwise stale.",
     .context = "A traversal that passes an element while it is moved (a resize, a rebalancing), an insertion that was "
                "linked to a removed node, a lagging replica, or an acknowledged write that was lost.",
     .example = "# @object set\n"
                "a: add(5) => true @ 1..2\n"
                "b: contains(5) => false @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "Overtaken",
     .text = "A priority queue gives out the value of highest priority. One of higher priority was in it for the whole "
             "call. Whether large or small values come first is part of the object: `pqueue` or `pqueue(min)`.",
     .context = "Relaxed priority queues, which trade order for speed; or the wrong one of `pqueue` and `pqueue(min)`.",
     .example = "# @object pqueue\n"
                "a: add(1) @ 1..2\n"
                "b: add(9) @ 3..4\n"
                "c: rem() => 1 @ 5..6\n",
     .model = "lin",
     .read = LIN},
    {.name = "StaleRead",
     .text = "A newer value had been written completely before the read began. In transactions, the write comes before "
             "the reader in its session (StaleRead-session), in real time (StaleRead-realtime) or through a "
             "transaction that it read from.",
     .context = "Reads from a replica or cache that lags behind; a leader that has been deposed and does not know yet; "
                "a session that moves to another node. `assay stale` measures how far behind the reads are.",
     .example = STALE_REGISTER,
     .model = "lin",
     .read = LIN ", docs/guides/stale-reads.md, docs/reference/transactions.md"},
    {.name = "ReadNeverWritten",
     .text = "No call of the history writes this value, and it is not the initial one.",
     .context = "The write is missing from the log: an unrecorded client, an initial value (`@init`), or a write that "
                "was logged as failed although it took effect. Log such a write as pending.",
     .example = "# @object register\n"
                "a: read() => 7 @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "ReadBeforeWritten",
     .text = "The read had returned before the only write of its value began.",
     .context = "Clocks that differ between machines (`--skew`), or time stamps taken inside of the operations.",
     .example = "# @object register\n"
                "a: read() => 1 @ 1..2\n"
                "b: write(1) @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "ValueUnexplained",
     .text = "The calls on one value, without all the others, already contradict each other: there are no moments at "
             "which the register can have changed to this value and away from it. Only long histories are reported "
             "in this way; for a small one, such as the example, a simpler reason is found.",
     .context = "A compare-and-swap that reports the wrong outcome, or a stale read of a value that was written more "
                "than once.",
     .example = "# @object cas-register\n"
                "a: write(1) @ 1..2\n"
                "b: cas(1, 2) => true @ 3..6\n"
                "c: cas(1, 3) => true @ 4..7\n",
     .model = "lin",
     .pattern = "NoLinearization",
     .read = LIN},
    {.name = "SumOutOfReach",
     .text = "Even if the calls that overlap the read are counted as suits it best, their sum is not the value that it "
             "returned. The report says how much is missing.",
     .context = "A lost increment: read, add and write in separate steps. In a database: the same in the application, "
                "at a level that does not forbid lost updates.",
     .example = "# @object counter\n"
                "a: inc() @ 1..2\n"
                "b: get() => 0 @ 3..4\n",
     .model = "lin",
     .read = LIN},
    {.name = "SumChanged",
     .text = "Transfers move amounts from one account to another, so the sum of all accounts never changes.",
     .context = "A reader that sees one half of a transfer (no snapshot), or two transfers that overwrite each other's "
                "balance (a lost update).",
     .example = "# @object bank\n"
                "# @init [10 10 10]\n"
                "a: transfer(0, 1, 5) => ok @ 1..4\n"
                "b: balances() => [5 10 10] @ 2..3\n",
     .model = "lin",
     .read = LIN ", docs/reference/objects.md"},
    {.name = "BalanceOutOfReach",
     .text = "No choice of the transfers that may have come before gives the account this balance, or too little of "
             "it where a transfer was refused.",
     .context = "A lost update, a stale read of a balance, or an overdraft check that is not part of the transfer.",
     .example = "# @object bank(2,10)\n"
                "a: transfer(0, 1, 3) => refused @ 1..2\n",
     .model = "lin",
     .read = LIN ", docs/reference/objects.md"},
    {.name = "CountOutOfReach",
     .text = "A count or size must lie between what was in for certain and what may have been in.",
     .context = "A size that is kept in a separate counter and updated in another step, or computed by a traversal "
                "while elements come and go.",
     .example = "# @object map\n"
                "# @init x=1\n"
                "a: size() => 0 @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "TakenTooOften",
     .text = "More holders at one moment than the lock or semaphore admits.",
     .context = "A distributed lock whose lease expired while its holder went on (a pause, a slow network): use "
                "fencing tokens. In a program: test and set in two steps.",
     .example = "# @object lock\n"
                "a: lock() @ 1..2\n"
                "b: lock() @ 3..4\n",
     .model = "lin",
     .read = LIN ", docs/gallery/lock-held-twice.md"},
    {.name = "ReleasedTooOften",
     .text = "There were more releases than acquisitions that can have come before them.",
     .context = "A release after a timeout that had already released, a release on an error path without the lock, or "
                "an acquisition that is missing from the log.",
     .example = "# @object lock\n"
                "a: unlock() @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "RefusedWhileFree",
     .text = "A try may fail only if the lock or semaphore is taken at some moment of the call.",
     .context = "A weak compare-and-swap that fails spuriously and is not repeated, or a lock that counts waiting "
                "threads as holders.",
     .example = "# @object lock\n"
                "a: trylock() => false @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "FailedWhileEqual",
     .text = "A compare-and-swap may fail only if the value differs from the expected one at some moment of the call.",
     .context = "A weak compare-and-swap that fails spuriously, or a client that reports a timeout as a failure: an "
                "unknown outcome is a pending call.",
     .example = "# @object cas-register\n"
                "a: cas(0, 2) => false @ 1..2\n",
     .model = "lin",
     .read = LIN},
    {.name = "PiecesReversed",
     .text = "A piece that had been appended before another append began stands behind it in the string.",
     .context = "Appends that are ordered by unsynchronised clocks, or two leaders that accept appends at the same "
                "time.",
     .example = "# @object append-map\n"
                "a: append(k, \"y\") @ 1..2\n"
                "a: append(k, \"z\") @ 3..4\n"
                "b: get(k) => \"zy\" @ 5..6\n",
     .model = "lin",
     .read = LIN},
    {.name = "StringsFork",
     .also = {"split-brain"},
     .text = "A string only grows at its end, so of two reads of it one must continue the other.",
     .context = "Split brain: two leaders accepted appends at the same time. Or an append that was acknowledged and "
                "then lost.",
     .example = "# @object append-map\n"
                "a: append(k, \"y\") @ 1..4\n"
                "b: append(k, \"z\") @ 2..5\n"
                "c: get(k) => \"yz\" @ 3..6\n"
                "d: get(k) => \"z\" @ 3..7\n",
     .model = "lin",
     .read = LIN},
    {.name = "NoPartner",
     .text = "Two calls of an exchanger swap their values only if they overlap.",
     .context = "A slot that still holds the offer of a call that has timed out, or two calls that took the same "
                "offer.",
     .example = "# @object exchanger\n"
                "a: exchange(1) => 2 @ 1..3\n",
     .model = "lin",
     .read = LIN},
    {.name = "NoVisibility",
     .text = "A weak model only asks that each result follows from the operations that the call sees, and the model "
             "says which ones it must see. No choice of what the calls see explains all results.",
     .context = "The object is weaker than it claims: a replica that forgets what a session did, an iterator that "
                "misses elements that were there. `assay strongest` finds the level that holds for each method.",
     .example = OWN_WRITE_MISSED,
     .model = "level:self",
     .read = "docs/reference/weak.md"},
    {0}};
