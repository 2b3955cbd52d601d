/* SPDX-License-Identifier: Apache-2.0 */
/* Objects. Their methods are in src/spec. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define READ .read = "docs/reference/objects.md"

const struct entry lexicon_objects[] = {
    {.name = "memory",
     .text = "Variables that threads read and write; each starts with 0 unless `@init` says otherwise. It is the "
             "object of the models cc to sc.",
     .context = "Shared memory, and stores of single keys.",
     .example = STORE_BUFFERING,
     .model = "tso",
     .read = "docs/reference/objects.md, docs/reference/models.md"},
    {.name = "register",
     .text = "A read returns the last value written, at first 0.",
     .context = "One key of a store, one atomic variable.",
     .example = STALE_REGISTER,
     .model = "lin",
     .pattern = "StaleRead",
     READ},
    {.name = "cas-register",
     .text = "A cas writes the new value and returns true if the register has the expected value; otherwise it changes "
             "nothing and returns false.",
     .context = "Jepsen's register tests, `std::atomic`, conditional puts of stores.",
     .example = "# @object cas-register\n"
                "a: write(1) @ 1..2\n"
                "b: cas(1, 2) => true @ 3..6\n"
                "a: read() => 2 @ 4..5\n",
     .model = "lin",
     READ},
    {.name = "multi-register",
     .text = "Transactions over variables and lists: r reads, w writes, append adds to the end of a list. It is the "
             "object of the models rc to ser-strict; under lin each transaction takes effect at once.",
     .context = "Databases.",
     .example = "a: txn(r x 0, w x 1)\n"
                "b: txn(r x 1, append l 7)\n"
                "c: txn(r l [7])\n",
     .model = "ser",
     .read = "docs/reference/transactions.md, docs/reference/objects.md"},
    {.name = "map",
     .text = "Values under keys; `null` stands for no value.",
     .context = "Hash maps, skip lists and trees; key-value stores with deletion.",
     .example = "# @object map\n"
                "a: put(k, 1) => null @ 1..2\n"
                "b: get(k) => null @ 3..4\n",
     .model = "lin",
     .pattern = "StaleRead",
     READ},
    {.name = "append-map",
     .text = "Strings under keys. If each append adds a piece of its own, a single get shows the order of all appends.",
     .context = "The key-value services of courses on distributed systems; stores with an append operation.",
     .example = "# @object append-map\n"
                "a: append(k, \"x\") @ 1..4\n"
                "b: append(k, \"y\") @ 2..3\n"
                "c: get(k) => \"yx\" @ 5..6\n",
     .model = "lin",
     READ},
    {.name = "queue",
     .text = "A deq takes the oldest value and returns it, or `empty`. A peek returns it and leaves it in.",
     .context = "Lock-free queues, channels, message brokers with one consumer group.",
     .example = LATE_DEQUEUE,
     .model = "lin",
     .pattern = "OrderReversed",
     READ},
    {.name = "bounded-queue",
     .text = "Written `queue(n)`: a queue with room for n values. An enq returns `ok`, or `full` if there is no room.",
     .context = "Ring buffers and bounded channels.",
     .example = "# @object queue(1)\n"
                "a: enq(1) => ok @ 1..2\n"
                "a: enq(2) => full @ 3..4\n"
                "b: deq() => 1 @ 5..6\n",
     .model = "lin",
     READ},
    {.name = "stack",
     .text = "A pop takes the newest value and returns it, or `empty`.",
     .context = "Treiber's stack and its relatives, free lists.",
     .example = "# @object stack\n"
                "a: push(1) @ 1..2\n"
                "a: push(2) @ 3..4\n"
                "b: pop() => 1 @ 5..6\n"
                "b: pop() => 2 @ 7..8\n",
     .model = "lin",
     .pattern = "NotNested",
     READ},
    {.name = "deque",
     .text = "Values go in and come out at both ends. Every pop and peek returns a value or `empty`.",
     .context = "Work stealing, where the owner uses one end and thieves the other.",
     .example = "# @object deque\n"
                "a: push-back(1) @ 1..2\n"
                "a: push-back(2) @ 3..4\n"
                "b: pop-back() => 1 @ 5..6\n",
     .model = "lin",
     .pattern = "NoLinearization",
     .read = "docs/reference/objects.md, docs/gallery/deque-wrong-end.md"},
    {.name = "pqueue",
     .text = "A rem takes the greatest value and returns it, or `empty`; with `pqueue(min)` the least.",
     .context = "Schedulers, timers, skip-list priority queues.",
     .example = "# @object pqueue(min)\n"
                "a: add(9) @ 1..2\n"
                "a: add(1) @ 3..4\n"
                "b: rem() => 9 @ 5..6\n",
     .model = "lin",
     .pattern = "Overtaken",
     READ},
    {.name = "set",
     .text = "An add says whether the value was not in before, a remove whether it was. `elements` returns all of them "
             "at once.",
     .context = "Concurrent sets, indexes, Jepsen's set tests.",
     .example = "# @object set\n"
                "a: add(5) => true @ 1..2\n"
                "b: contains(5) => false @ 3..4\n",
     .model = "lin",
     .pattern = "MissedWhileIn",
     READ},
    {.name = "multiset",
     .text = "A value may be in several times; `count` says how often.",
     .context = "Bags, work pools without an order, reference counts by key.",
     .example = "# @object multiset\n"
                "a: add(5) @ 1..2\n"
                "b: add(5) @ 1..2\n"
                "c: count(5) => 2 @ 3..4\n",
     .model = "lin",
     READ},
    {.name = "counter",
     .text = "Calls that change it may return the new value (`inc`, `dec`, `add`) or the old one (`fetch-add`); the "
             "result may also be left out.",
     .context = "Statistics, tickets, counters of databases.",
     .example = "# @object counter\n"
                "a: inc() @ 1..2\n"
                "b: inc() @ 1..2\n"
                "c: get() => 1 @ 3..4\n",
     .model = "lin",
     .pattern = "SumOutOfReach",
     READ},
    {.name = "bank",
     .text = "`bank(n, b)` has n accounts with b each. A transfer is refused if the first account would fall below "
             "zero, so the sum of all balances never changes.",
     .context = "Jepsen's bank tests.",
     .example = "# @object bank(2,10)\n"
                "a: transfer(0, 1, 5) => ok @ 1..4\n"
                "b: balances() => [5 10] @ 2..3\n",
     .model = "lin",
     .pattern = "SumChanged",
     READ},
    {.name = "lock",
     .text = "One holder at a time. A tag says whose lock it is if threads differ from owners.",
     .context = "Mutexes, and locks that a service grants (etcd, ZooKeeper, Redis).",
     .example = "# @object lock\n"
                "a: lock() @ 1..2\n"
                "b: lock() @ 3..4\n"
                "a: unlock() @ 5..6\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     .read = "docs/reference/objects.md, docs/gallery/lock-held-twice.md"},
    {.name = "rwlock",
     .text = "One writer, or any number of readers.",
     .context = "`pthread_rwlock_t` and the like.",
     .example = "# @object rwlock\n"
                "a: rdlock() @ 1..2\n"
                "b: wrlock() @ 3..4\n"
                "a: rdunlock() @ 5..6\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     READ},
    {.name = "semaphore",
     .text = "`semaphore(n)` has at most n holders, and a release needs one.",
     .context = "Connection pools, rate limits.",
     .example = "# @object semaphore(1)\n"
                "a: acquire() @ 1..2\n"
                "b: tryacquire() => true @ 3..4\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     READ},
    {.name = "counting-semaphore",
     .text = "`counting-semaphore(n)` starts with n permits. Anyone may post, holder or not.",
     .context = "POSIX `sem_t`; signals between threads.",
     .example = "# @object counting-semaphore(0)\n"
                "a: post() @ 1..2\n"
                "b: wait() @ 3..4\n"
                "b: wait() @ 5..6\n",
     .model = "lin",
     .pattern = "TakenTooOften",
     READ},
    {.name = "exchanger",
     .text = "Two calls that overlap swap their values; a call without a partner returns `null`.",
     .context = "`java.util.concurrent.Exchanger`, elimination arrays.",
     .example = "# @object exchanger\n"
                "a: exchange(1) => 2 @ 1..4\n"
                "b: exchange(2) => 1 @ 2..3\n",
     .model = "lin",
     READ},
    {0}};
