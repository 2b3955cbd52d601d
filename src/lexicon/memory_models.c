/* SPDX-License-Identifier: Apache-2.0 */
/* Models of memories; lin and sc-object. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define MEMORIES "docs/reference/models-formal.md"

const struct entry lexicon_memory_models[] = {
    {.name = "cc",
     .text = "Operations that do not depend on each other may be seen in different orders by different threads.",
     .context = "Stores with causal sessions, such as COPS, or MongoDB with causally consistent sessions. Programs "
                "with several keys can hardly do with less.",
     .example = MESSAGE_PASSING,
     .model = "cc",
     .pattern = "WriteCOInitRead",
     .read = MEMORIES},
    {.name = "ccv",
     .text = "Concurrent writes of a variable end up in one order for all, so replicas that have received the same "
             "updates agree.",
     .context = "Causal stores that resolve conflicts by a common rule, such as last-writer-wins with causal time "
                "stamps.",
     .example = TWO_ORDERS,
     .model = "ccv",
     .pattern = "CyclicCF",
     .read = MEMORIES},
    {.name = "cm",
     .text = "Threads may order concurrent writes differently, but none changes its mind. It is neither weaker nor "
             "stronger than ccv.",
     .context = "The causal memory of Ahamad et al.: each process applies updates in causal order as they arrive.",
     .example = "a: write(x, 1)\n"
                "b: write(x, 2)\n"
                "b: read(x) => 1\n"
                "b: read(x) => 2\n",
     .model = "cm",
     .pattern = "CyclicHB",
     .read = MEMORIES},
    {.name = "pso",
     .text = "Writes of one thread to different variables may reach memory in any order, unless a fence separates "
             "them.",
     .context = "The PSO of SPARC; a first approximation to hardware that is weaker than x86.",
     .example = INDEPENDENT_READS,
     .model = "pso",
     .pattern = "ForcedCycle",
     .read = MEMORIES},
    {.name = "wccm",
     .text = "It approximates wtso and tso from below at a lower price: a violation of wccm is one of both.",
     .context = "The engines use it as a first step before wtso and tso.",
     .example = TWO_ORDERS,
     .model = "wccm",
     .pattern = "CyclicCF",
     .read = MEMORIES},
    {.name = "ccm",
     .text = "It is stronger than ccv and cm together, and approximates sc from below at a polynomial price.",
     .context = "The engines use it as a first step before wsc and sc.",
     .example = TWO_ORDERS,
     .model = "ccm",
     .pattern = "CyclicCF",
     .read = MEMORIES},
    {.name = "wtso",
     .text = "A polynomial approximation to tso: what violates wtso violates tso, and few histories that violate tso "
             "satisfy wtso.",
     .context = "Long traces for which tso itself takes too long.",
     .example = INDEPENDENT_READS,
     .model = "wtso",
     .pattern = "ForcedCycle",
     .read = MEMORIES},
    {.name = "tso",
     .text = "A thread sees its own writes at once and the others see them later, in one order that is the same for "
             "all. So a read may overtake an earlier write of another variable, and nothing else is reordered.",
     .context = "x86 processors and SPARC TSO. `assay hardware` records what yours does.",
     .example = INDEPENDENT_READS,
     .model = "tso",
     .pattern = "ForcedCycle",
     .read = MEMORIES ", docs/guides/memories.md"},
    {.name = "wsc",
     .text = "A polynomial approximation to sc: what violates wsc violates sc, and few histories that violate sc "
             "satisfy wsc.",
     .context = "Long traces for which sc itself takes too long.",
     .example = STORE_BUFFERING,
     .model = "wsc",
     .pattern = "ForcedCycle",
     .read = MEMORIES},
    {.name = "sc",
     .text = "The memory behaves as if one thread after the other made a step, each in program order. Real time does "
             "not count: that is lin.",
     .context = "What programmers expect of threads that use locks or sequentially consistent atomics (C11 seq_cst, "
                "Java volatile).",
     .example = STORE_BUFFERING,
     .model = "sc",
     .pattern = "ForcedCycle",
     .read = MEMORIES},
    {.name = "sc-object",
     .text = "As lin, but real time does not count: only the order of the calls in each thread is kept.",
     .context = "Logs without times; objects of which every client sees some order, though perhaps a late one.",
     .example = "# @object queue\n"
                "a: enq(1)\n"
                "a: enq(2)\n"
                "b: deq() => 2\n"
                "b: deq() => 1\n",
     .model = "sc-object",
     .pattern = "NoLinearization",
     .read = "docs/reference/linearizability.md"},
    {.name = "lin",
     .also = {"atomic"},
     .text = "Once a call has returned, every later call sees its effect. It is stronger than sc-object and all levels "
             "of visibility, and holds for a "
             "system if it holds for each of its objects.",
     .context = "Concurrent data structures, and stores that promise strong consistency: etcd, ZooKeeper's writes, "
                "Consul's consistent reads, anything that replicates by Raft or Paxos and reads through the leader.",
     .example = STALE_REGISTER,
     .model = "lin",
     .pattern = "StaleRead",
     .read = "docs/reference/linearizability.md"},
    {0}};
