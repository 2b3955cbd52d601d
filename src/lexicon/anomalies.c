/* SPDX-License-Identifier: Apache-2.0 */
/* Names from the literature that are not a pattern's: the patterns that a report names instead are in the text. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define TRANSACTIONS "docs/reference/transactions.md"
#define MEMORIES "docs/reference/models-formal.md"

const struct entry lexicon_anomalies[] = {
    {.name = "dirty-read",
     .also = {"P1", "G1"},
     .text = "A transaction reads what was not committed. Reports say AbortedRead (G1a) if the writer aborted, "
             "IntermediateRead (G1b) if it overwrote the value later, and CircularRead (G1c) if the transactions read "
             "from each other.",
     .context = "The level read uncommitted, or writes that become visible before the commit.",
     .example = ABORTED_READ,
     .model = "rc",
     .pattern = "AbortedRead",
     .read = TRANSACTIONS ", docs/gallery/dirty-read.md"},
    {.name = "G-single",
     .text = "Adya's cycle with exactly one missed write. Reports say which kind it is, because that decides which "
             "levels are broken: NonMonotonicRead, FracturedRead, StaleRead, CausalityViolation, LostUpdate or "
             "ReadSkew.",
     .context = "The pages of these patterns name the causes of each.",
     .example = FRACTURED_READ,
     .model = "ra",
     .pattern = "FracturedRead",
     .read = TRANSACTIONS},
    {.name = "G2-item",
     .text = "A cycle with two or more missed writes of single rows. Reports say WriteSkew, ReadOnlyAnomaly or "
             "AntiDependencyCycle. Snapshot isolation allows all of them; only serializability forbids them.",
     .context = "Snapshot isolation under a name that promises more. The page of WriteSkew names remedies.",
     .example = WRITE_SKEW,
     .model = "ser",
     .pattern = "WriteSkew",
     .read = TRANSACTIONS ", docs/gallery/write-skew.md"},
    {.name = "phantom",
     .also = {"P3"},
     .text = "A query by a condition finds other rows when it is repeated. A history records reads of single "
             "variables and no conditions, so Assay does not look for phantoms. If you read an index as one variable, "
             "for instance as a list of its keys, a phantom shows as a WriteSkew or a NonRepeatableRead.",
     .context = "Levels that lock rows and not the gaps between them.",
     .read = TRANSACTIONS},
    {.name = "cursor-lost-update",
     .also = {"P4C"},
     .text = "A lost update through a cursor. A history does not tell which reads are through cursors; LostUpdate "
             "covers all of them.",
     .context = "Read-modify-write in the application. The page of LostUpdate names remedies.",
     .example = LOST_UPDATE,
     .model = "psi",
     .pattern = "LostUpdate",
     .read = TRANSACTIONS ", docs/gallery/lost-update.md"},
    {.name = "message-passing",
     .also = {"MP"},
     .text = "A thread writes data and then a flag; another one sees the flag and not the data. Reports say "
             "WriteCOInitRead, or WriteCORead if the data had an older value.",
     .context = "Replication that delivers the updates of different keys separately. On a processor: no release at the "
                "writer, or no acquire at the reader (ARM, POWER, RISC-V; not x86).",
     .example = MESSAGE_PASSING,
     .model = "cc",
     .pattern = "WriteCOInitRead",
     .read = MEMORIES ", docs/gallery/message-passing.md"},
    {.name = "store-buffering",
     .also = {"SB", "Dekker"},
     .text = "Each of two threads writes its own variable and then misses the other one's write. tso and all causal "
             "models allow it; under sc, reports say ForcedCycle.",
     .context = "Store buffers of every common processor, x86 included. A full fence between write and read forbids "
                "it.",
     .example = STORE_BUFFERING,
     .model = "sc",
     .pattern = "ForcedCycle",
     .read = MEMORIES ", docs/gallery/store-buffering.md"},
    {.name = "load-buffering",
     .also = {"LB"},
     .text = "Each of two threads reads what the other one writes afterwards. Even causal consistency forbids it; "
             "reports say CyclicCO.",
     .context = "Writes that overtake earlier reads, in ARM and POWER hardware or in a compiler.",
     .example = LOAD_BUFFERING,
     .model = "cc",
     .pattern = "CyclicCO",
     .read = MEMORIES ", docs/gallery/load-buffering.md"},
    {.name = "independent-reads",
     .also = {"IRIW", "independent-reads-of-independent-writes"},
     .text = "Two readers see two independent writes in opposite orders. Causal models allow it; tso and sc forbid it, "
             "and reports say ForcedCycle. For transactions it is a LongFork.",
     .context = "Writes that reach some threads before others: replicas, or POWER processors without fences.",
     .example = INDEPENDENT_READS,
     .model = "tso",
     .pattern = "ForcedCycle",
     .read = MEMORIES ", docs/gallery/independent-reads.md"},
    {.name = "coherence",
     .also = {"CoRR", "read-read-coherence"},
     .text = "Reads of one variable go back from a newer value to an older one. Every model of memories forbids it if "
             "one thread wrote both; reports say WriteCORead.",
     .context = "A session that switches between replicas, or a load that overtakes an earlier load of the same "
                "variable.",
     .example = READS_GO_BACK,
     .model = "cc",
     .pattern = "WriteCORead",
     .read = MEMORIES ", docs/gallery/reads-go-back.md, docs/guides/memories.md"},
    {.name = "ABA",
     .text = "A compare-and-swap succeeds although the object changed meanwhile, because an address or value came "
             "back. What a history shows are the consequences: RemovedTwice, NotNested or RemovedNeverAdded.",
     .context = "Lock-free structures that free or reuse nodes without hazard pointers, epochs or version counters. "
                "`assay stress stack:treiber-aba` shows one.",
     .example = "# @object stack\n"
                "a: push(1) @ 1..2\n"
                "b: pop() => 1 @ 3..4\n"
                "c: pop() => 1 @ 5..6\n",
     .model = "lin",
     .pattern = "RemovedTwice",
     .read = "docs/guides/stress.md"},
    {0}};
