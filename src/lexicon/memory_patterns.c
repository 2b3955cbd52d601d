/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of memories. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define MEMORIES "docs/reference/models-formal.md"

const struct entry lexicon_memory_patterns[] = {
    {.name = "ThinAirRead",
     .also = {"thin-air", "out-of-thin-air", "garbage-read"},
     .text = "Every value that is read must be the initial value or be written by some operation of the history. No "
             "model can explain this one, because the history has no such write.",
     .context = "Most often the log is incomplete: the write came from a client that was not recorded, or before "
                "recording began (`@init x=1` tells the initial value), or it was logged in another form (1 and \"1\" "
                "are different values). If the log is complete, the store invented or corrupted the value.",
     .example = "a: read(x) => 1\n",
     .model = "cc",
     .read = MEMORIES ", docs/reference/transactions.md"},
    {.name = "CyclicCO",
     .text = "An operation causes what follows it in its thread, and a write causes the reads of its value. Followed "
             "along these causes, some operation comes before itself.",
     .context = "Reads that return a value before its write is final: a processor or compiler that lets a write "
                "overtake an earlier read (load buffering), or a store that shows speculative results. Otherwise the "
                "lines of a thread may be logged out of order.",
     .example = LOAD_BUFFERING,
     .model = "cc",
     .read = MEMORIES ", docs/gallery/load-buffering.md"},
    {.name = "WriteCOInitRead",
     .text = "The reader had already learned of something that depends on the write, directly or through other "
             "threads. So it must know the write as well, and yet it read the initial value.",
     .context = "Replication that delivers the updates of different keys separately, a session that moves to a "
                "replica that lags behind, a cache that is filled before the write arrives. On a processor: no "
                "release at the writer, or no acquire at the reader.",
     .example = MESSAGE_PASSING,
     .model = "cc",
     .read = MEMORIES ", docs/gallery/message-passing.md"},
    {.name = "WriteCORead",
     .text = "As WriteCOInitRead, but the outdated value is an older write's instead of the initial one. Reads that go "
             "back from a newer value to an older one are the shortest case.",
     .context = "A session that switches between replicas, a cache that serves an expired entry, reads that are "
                "retried at another node, or a load that overtakes an earlier load of the same variable.",
     .example = READS_GO_BACK,
     .model = "cc",
     .read = MEMORIES ", docs/gallery/reads-go-back.md"},
    {.name = "CyclicCF",
     .text = "A read that returns one write although it knows of another one settles their order: the one that was "
             "read is the newer. Here the reads of several threads settle it both ways.",
     .context = "Replicas that apply concurrent writes in the order of their arrival, without a common rule that "
                "decides between them, such as the newest time stamp.",
     .example = TWO_ORDERS,
     .model = "ccv",
     .read = MEMORIES ", docs/gallery/two-orders.md"},
    {.name = "WriteHBInitRead",
     .text = "The reads of one thread put all the writes that it knows of into an order. By this order a write of the "
             "variable comes before the read, which nevertheless returned the initial value.",
     .context = "The same as for WriteCOInitRead. Here the write is not among the causes of the read; it follows from "
                "which of two concurrent writes the thread saw last.",
     .example = "a: write(z, 1)\n"
                "a: write(x, 1)\n"
                "a: write(y, 1)\n"
                "b: write(x, 2)\n"
                "b: read(z) => 0\n"
                "b: read(y) => 1\n"
                "b: read(x) => 2\n",
     .model = "cm",
     .read = MEMORIES},
    {.name = "CyclicHB",
     .text = "The reads of one thread put the writes that it knows of into an order, and this order has a cycle: the "
             "thread changed its mind about which write came first.",
     .context = "A replica that revises the order of concurrent writes after it has shown them, as last-writer-wins "
                "does when a write with an older time stamp arrives late.",
     .example = "a: write(x, 1)\n"
                "b: write(x, 2)\n"
                "b: read(x) => 1\n"
                "b: read(x) => 2\n",
     .model = "cm",
     .read = MEMORIES},
    {.name = "ForcedCycle",
     .text = "Whatever order the writes of each variable had, it must contain certain pairs, because a read would be "
             "wrong otherwise. These pairs, with program order and the sources of the reads, form a cycle.",
     .context = "Under sc, nearly always a store buffer: a thread reads before its own write has reached the others. "
                "A fence between the two forbids it. Under tso or pso, the memory is weaker than a store buffer, or "
                "a fence is not one.",
     .example = STORE_BUFFERING,
     .model = "sc",
     .read = MEMORIES ", docs/gallery/store-buffering.md"},
    {.name = "NoStoreOrder",
     .text = "No single cycle refutes the history. Some pairs of writes may come in either order, and each way to "
             "order them runs into a cycle of its own. The report shows the cases.",
     .context = "The same as for ForcedCycle. Several deviations play together, so the examples are larger; "
                "`--shrink` cuts a history down to one.",
     .example = "t0: read(z) => 2\n"
                "t0: write(y, 2)\n"
                "t0: read(x) => 1\n"
                "t1: write(x, 1)\n"
                "t1: write(y, 1)\n"
                "t1: write(z, 1)\n"
                "t2: write(t, 1)\n"
                "t2: write(s, 1)\n"
                "t2: write(z, 2)\n"
                "t3: read(z) => 2\n"
                "t3: write(x, 2)\n"
                "t3: read(y) => 1\n"
                "t4: read(z) => 1\n"
                "t4: write(t, 2)\n"
                "t4: read(s) => 1\n"
                "t5: read(z) => 1\n"
                "t5: write(s, 2)\n"
                "t5: read(t) => 1\n",
     .model = "sc",
     .read = MEMORIES ", docs/internals/algorithms.md"},
    {.name = "FinalNotWritten",
     .text = "A header `# @final x=2` says which value the variable had in the end. No write of the history wrote that "
             "value, or it is the initial value of a variable that was overwritten.",
     .context = "A write that is missing from the log, a final state that was read from another run, or a lost write.",
     .example = "# @final x=2\n"
                "t0: write(x, 1)\n",
     .model = "sc",
     .read = MEMORIES ", docs/guides/formats.md"},
    {.name = "NoSources",
     .text = "Several writes wrote the same value, so a read of it may come from any of them. Whichever writes are "
             "taken as the sources of the reads, the history breaks the model.",
     .context = "Any of the causes of the patterns that the report names for the single choices. Write each value only "
                "once, and the report becomes shorter and the check faster.",
     .example = "a: write(x, 0)\n"
                "a: write(x, 2)\n"
                "a: read(x) => 0\n",
     .model = "cc",
     .read = MEMORIES ", docs/reference/transactions.md"},
    {0}};
