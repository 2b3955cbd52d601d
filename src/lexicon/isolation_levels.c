/* SPDX-License-Identifier: Apache-2.0 */
/* Models of transactions. A level, and its variants without sessions and with real time. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define READ .read = "docs/reference/transactions.md"
#define PLAIN(LEVEL)                                                                                                   \
    "The textbooks' and Elle's " LEVEL                                                                                 \
    ", where only reads and writes relate transactions. In most databases a client "                                   \
    "expects the order of its own transactions as well: that is " LEVEL " itself."
#define PLAIN_CONTEXT "Reports of Elle and Adya's definitions are about these variants."
#define STRICT(LEVEL)                                                                                                  \
    "To " LEVEL " it adds real time, so a history needs times. A transaction must see what was committed before it "   \
    "began, on whatever connection."
#define STRICT_CONTEXT "Databases that promise that a committed transaction is visible to all that begin later."

const struct entry lexicon_isolation[] = {
    {.name = "rc-plain",
     .text = PLAIN("rc"),
     .context = PLAIN_CONTEXT,
     .example = NON_MONOTONIC_READ,
     .model = "rc-plain",
     .pattern = "NonMonotonicRead",
     READ},
    {.name = "ra-plain",
     .text = PLAIN("ra"),
     .context = PLAIN_CONTEXT,
     .example = FRACTURED_READ,
     .model = "ra-plain",
     .pattern = "FracturedRead",
     READ},
    {.name = "tcc-plain",
     .text = PLAIN("tcc"),
     .context = PLAIN_CONTEXT,
     .example = CAUSALITY_VIOLATION,
     .model = "tcc-plain",
     .pattern = "CausalityViolation",
     READ},
    {.name = "pc-plain",
     .text = PLAIN("pc"),
     .context = PLAIN_CONTEXT,
     .example = LONG_FORK,
     .model = "pc-plain",
     .pattern = "LongFork",
     READ},
    {.name = "psi-plain",
     .text = PLAIN("psi"),
     .context = PLAIN_CONTEXT,
     .example = LOST_UPDATE,
     .model = "psi-plain",
     .pattern = "LostUpdate",
     READ},
    {.name = "si-plain",
     .text = PLAIN("si"),
     .context = PLAIN_CONTEXT " PostgreSQL's REPEATABLE READ promises this level, and so does Oracle's SERIALIZABLE.",
     .example = LONG_FORK,
     .model = "si-plain",
     .pattern = "LongFork",
     READ},
    {.name = "ser-plain",
     .text = PLAIN("ser"),
     .context = PLAIN_CONTEXT,
     .example = WRITE_SKEW,
     .model = "ser-plain",
     .pattern = "WriteSkew",
     READ},
    {.name = "rc",
     .text = "No dirty reads. Two reads of one variable may still differ, and updates may be lost.",
     .context = "READ COMMITTED, the default of PostgreSQL, Oracle and SQL Server.",
     .example = ABORTED_READ,
     .model = "rc",
     .pattern = "AbortedRead",
     READ},
    {.name = "ra",
     .text = "A transaction never sees half of another one. What it sees need not include the causes, and updates may "
             "be lost.",
     .context = "Stores with atomic multi-key reads and writes (RAMP).",
     .example = FRACTURED_READ,
     .model = "ra",
     .pattern = "FracturedRead",
     READ},
    {.name = "tcc",
     .text = "Transactions and all that they depend on are seen whole. Independent transactions may be seen in "
             "different orders, and updates may be lost.",
     .context = "Causal stores with transactions, such as COPS, Eiger, Cure or sessions of MongoDB.",
     .example = CAUSALITY_VIOLATION,
     .model = "tcc",
     .pattern = "CausalityViolation",
     READ},
    {.name = "pc",
     .text = "All transactions agree on one order of commits, and each reads a prefix of it. Updates may be lost.",
     .context = "Stores with snapshots and without a check for write conflicts.",
     .example = LONG_FORK,
     .model = "pc",
     .pattern = "LongFork",
     READ},
    {.name = "psi",
     .text = "No updates are lost. Sites may see independent transactions in different orders (a long fork).",
     .context = "Stores that replicate between sites, such as Walter.",
     .example = LOST_UPDATE,
     .model = "psi",
     .pattern = "LostUpdate",
     READ},
    {.name = "si",
     .text = "Each transaction reads one snapshot, and the first committer of a row wins. Write skews are possible.",
     .context = "REPEATABLE READ of PostgreSQL, SERIALIZABLE of Oracle, SNAPSHOT of SQL Server; many distributed "
                "databases.",
     .example = LOST_UPDATE,
     .model = "si",
     .pattern = "LostUpdate",
     READ ", docs/tutorials/databases.md"},
    {.name = "ser",
     .text = "The results are those of transactions that ran one at a time. Real time does not count beyond the order "
             "of each session: that is ser-strict.",
     .context = "SERIALIZABLE of PostgreSQL, of CockroachDB and of SQL Server.",
     .example = WRITE_SKEW,
     .model = "ser",
     .pattern = "WriteSkew",
     READ ", docs/tutorials/databases.md"},
    {.name = "rc-strict",
     .text = STRICT("rc"),
     .context = STRICT_CONTEXT,
     .example = "b: txn(r x 1) @ 1..2\n"
                "a: txn(w x 1) @ 3..4\n",
     .model = "rc-strict",
     .pattern = "CircularRead-realtime",
     READ},
#define STALE(LEVEL)                                                                                                   \
    {                                                                                                                  \
        .name = LEVEL "-strict", .text = STRICT(LEVEL), .context = STRICT_CONTEXT, .example = STALE_TRANSACTION,       \
        .model = LEVEL "-strict", .pattern = "StaleRead-realtime", READ                                                \
    }
    STALE("ra"),
    STALE("tcc"),
    STALE("pc"),
    STALE("psi"),
    STALE("si"),
    {.name = "ser-strict",
     .text = "Transactions run one at a time, each at a moment between its begin and its end. For transactions of one "
             "operation it is linearizability.",
     .context = "Spanner, FoundationDB, etcd.",
     .example = STALE_TRANSACTION,
     .model = "ser-strict",
     .pattern = "StaleRead-realtime",
     READ},
    {0}};
