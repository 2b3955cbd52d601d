/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of transactions. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define TRANSACTIONS "docs/reference/transactions.md"

const struct entry lexicon_transaction_patterns[] = {
    {.name = "AbortedRead",
     .also = {"G1a"},
     .text = "Every level from read committed up forbids it. The report names the transaction that read the value.",
     .context = "Reads at the level read uncommitted, writes that are visible before the commit, an abort that does "
                "not undo all of them. Or a client that logs an abort although the commit went through: log "
                "`unknown()` when the answer never came.",
     .example = ABORTED_READ,
     .model = "rc",
     .read = TRANSACTIONS ", docs/gallery/dirty-read.md"},
    {.name = "IntermediateRead",
     .also = {"G1b"},
     .text = "Only the last value that a transaction writes to a variable may be seen by others. For lists, reading "
             "a part of a transaction's appends is the same.",
     .context = "Reads at the level read uncommitted, or a store that applies the writes of a transaction one by one.",
     .example = "a: txn(w x 1, w x 2)\n"
                "b: txn(r x 1)\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "FutureRead",
     .text = "The value was read before the same transaction wrote it.",
     .context = "A driver that logs the accesses of a transaction out of order, or retries the transaction and mixes "
                "the results of both attempts.",
     .example = "a: txn(r x 1, w x 1)\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "InternalRead",
     .also = {"internal"},
     .text = "A transaction that has written a variable must read its own value, whatever others do meanwhile.",
     .context = "Writes that are buffered until the commit while reads go past the buffer, a connection pool that runs "
                "the statements of a transaction on different connections, or autocommit that was left on.",
     .example = "a: txn(w x 1, r x 0)\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "IncompatibleOrder",
     .text = "A list only grows at its end, so of two reads of it one must begin with the other. These two do not fit "
             "together, or an element is in a list twice.",
     .context = "Two nodes that accepted appends at the same time (split brain), an acknowledged append that was lost, "
                "or an append that a client retried after it had already been applied.",
     .example = "# @init l=[1 2]\n"
                "a: txn(r l [2])\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "DirtyWrite",
     .also = {"G0", "P0"},
     .text = "Each of the transactions has a write that comes before a write of the other.",
     .context = "A store that applies writes without holding any lock until the commit, or replicas that merge the "
                "writes of each key by themselves, such as last-writer-wins per cell.",
     .example = "a: txn(append x 1, append y 1)\n"
                "b: txn(append x 2, append y 2)\n"
                "c: txn(r x [1 2], r y [2 1])\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "CircularRead",
     .also = {"G1c", "circular-information-flow"},
     .text = "Followed from writer to reader, the transactions form a circle, so that none can have been the first.",
     .context = "Transactions whose writes become visible before they commit.",
     .example = "a: txn(w x 1, r y 1)\n"
                "b: txn(w y 1, r x 1)\n",
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "NonMonotonicRead",
     .also = {"G-monotonic"},
     .text = "Once a transaction has read from another one, its later reads must not return anything older than what "
             "that one wrote.",
     .context = "Reads of one transaction that are served by different replicas or shards, each with its own idea of "
                "what is committed.",
     .example = NON_MONOTONIC_READ,
     .model = "rc",
     .read = TRANSACTIONS},
    {.name = "NonRepeatableRead",
     .also = {"P2", "fuzzy-read"},
     .text = "Between the two reads another transaction committed, and the second read saw it.",
     .context = "The level read committed does exactly this: each statement has a snapshot of its own. Ask the "
                "database for repeatable read or snapshot isolation if a transaction needs one state.",
     .example = "a: txn(w x 1)\n"
                "b: txn(r x 0, r x 1)\n",
     .model = "ra",
     .read = TRANSACTIONS},
    {.name = "FracturedRead",
     .text = "Transactions are atomic, so a reader sees all the writes of one or none. This one saw only a part.",
     .context = "The level read committed; a commit that reaches shards or indexes one after the other; a cache beside "
                "the database that is updated key by key.",
     .example = FRACTURED_READ,
     .model = "ra",
     .read = TRANSACTIONS ", docs/gallery/fractured-read.md"},
    {.name = "CausalityViolation",
     .text = "The transaction saw an effect and not its cause: what it read depends, through other transactions, on a "
             "write that it missed.",
     .context = "Asynchronous replication that does not track dependencies, or reads from a replica that has one "
                "shard's updates and not yet those of another.",
     .example = CAUSALITY_VIOLATION,
     .model = "tcc",
     .read = TRANSACTIONS},
    {.name = "LostUpdate",
     .also = {"P4"},
     .text = "Whichever of the two came last overwrote the other one's update without having seen it.",
     .context = "Read-modify-write in the application (read a balance, add to it, write it back) at a level below "
                "snapshot isolation. Use `SELECT ... FOR UPDATE`, an atomic `UPDATE x = x + 1`, a version column, or a "
                "stronger level, and retry transactions that the database aborts.",
     .example = LOST_UPDATE,
     .model = "psi",
     .read = TRANSACTIONS ", docs/gallery/lost-update.md"},
    {.name = "LongFork",
     .also = {"G-nonadjacent"},
     .text = "Two readers disagree about which of two independent writes came first, as if the state had forked.",
     .context = "Sites that commit locally and replicate later: parallel snapshot isolation allows it, snapshot "
                "isolation does not. Reads from several replicas of one database do the same.",
     .example = LONG_FORK,
     .model = "si",
     .read = TRANSACTIONS ", docs/gallery/long-fork.md"},
    {.name = "ConcurrentWrites",
     .also = {"G-SI"},
     .text = "Snapshot isolation lets only one of two concurrent transactions commit if both write the same variable. "
             "Here both did.",
     .context = "A missing or incomplete check for write conflicts at the commit (first committer wins), for example "
                "between the nodes of a cluster that certify independently.",
     .example = "a: txn(r x 0, w y 1, w z 1)\n"
                "b: txn(r y 0, w x 1, w z 2)\n",
     .model = "psi",
     .read = TRANSACTIONS},
    {.name = "ReadSkew",
     .also = {"A5A"},
     .text = "The transaction did not read from one snapshot: one of its reads lies before some write, another read or "
             "write of it behind.",
     .context = "Read committed instead of a snapshot, a write that is based on an outdated read, or a snapshot that "
                "is taken at each shard separately.",
     .example = "a: txn(append x 1)\n"
                "b: txn(r x [1], append x 2)\n"
                "c: txn(append x 3)\n"
                "d: txn(r x [1 3])\n"
                "e: txn(r x [1 3 2])\n",
     .model = "psi",
     .read = TRANSACTIONS},
    {.name = "WriteSkew",
     .also = {"A5B"},
     .text = "Each of them decided on what the other one was about to change. Run one after the other, the second "
             "would have seen the first. Snapshot isolation allows it; only serializability forbids it.",
     .context = "Snapshot isolation, which Oracle calls SERIALIZABLE and PostgreSQL REPEATABLE READ, under an "
                "invariant over several rows: at least one doctor on call, no double booking, no overdraft over two "
                "accounts. Use a serializable level, lock what was read (`SELECT ... FOR UPDATE`), or turn the "
                "invariant into a constraint.",
     .example = WRITE_SKEW,
     .model = "ser",
     .read = TRANSACTIONS ", docs/gallery/write-skew.md"},
    {.name = "ReadOnlyAnomaly",
     .also = {"fekete"},
     .text = "The writers alone could have run one after the other. The reader saw a state in between that no such "
             "order has: Fekete's read-only anomaly.",
     .context = "Snapshot isolation, and reports that run beside updates. In PostgreSQL, SERIALIZABLE READ ONLY "
                "DEFERRABLE is meant for them.",
     .example = "a: txn(w y 1)\n"
                "b: txn(r y 0, w x 1)\n"
                "c: txn(r x 0, r y 1)\n",
     .model = "ser",
     .read = TRANSACTIONS ", docs/gallery/read-only-anomaly.md"},
    {.name = "AntiDependencyCycle",
     .also = {"G2"},
     .text = "The general case of a write skew: the transactions form a circle, in which two missed writes follow each "
             "other. Snapshot isolation allows it; only serializability forbids it.",
     .context = "The same as for WriteSkew.",
     .example = "a: txn(r x 0, w y 1)\n"
                "b: txn(r y 0, w z 1)\n"
                "c: txn(r z 0, w x 1)\n",
     .model = "ser",
     .read = TRANSACTIONS},
    {.name = "NoVersionOrder",
     .text = "No single cycle refutes the history. Some writers may come in either order, and each way to order them "
             "runs into a cycle of its own. The report shows the cases.",
     .context = "The same as for the other cycles. Several of them play together, so the examples are larger. Lists "
                "(append) show the order of the writers and make such cases rare.",
     .example = "s0: txn(w k0 2, w k3 1, w k8 1)\n"
                "s1: txn(w k0 1, w k3 2, w k9 1)\n"
                "s2: txn(r k8 1, w k10 1)\n"
                "s3: txn(r k9 1, w k1 1, w k5 1, w k11 1)\n"
                "s4: txn(r k1 1, r k0 1, w k10 2, w k11 2)\n"
                "s5: txn(r k5 1, r k3 1)\n"
                "s6: txn(r k11 1, r k10 1, w k8 2)\n",
     .model = "psi",
     .read = TRANSACTIONS},
    {0}};
