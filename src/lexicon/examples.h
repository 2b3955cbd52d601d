/* SPDX-License-Identifier: Apache-2.0 */
/* Histories that several entries show. */
#ifndef ASSAY_LEXICON_EXAMPLES_H
#define ASSAY_LEXICON_EXAMPLES_H

#define MESSAGE_PASSING                                                                                                \
    "writer: write(data, 1)\n"                                                                                         \
    "writer: write(flag, 1)\n"                                                                                         \
    "reader: read(flag) => 1\n"                                                                                        \
    "reader: read(data) => 0\n"
#define STORE_BUFFERING                                                                                                \
    "t0: write(x, 1)\n"                                                                                                \
    "t0: read(y) => 0\n"                                                                                               \
    "t1: write(y, 1)\n"                                                                                                \
    "t1: read(x) => 0\n"
#define LOAD_BUFFERING                                                                                                 \
    "t0: read(x) => 1\n"                                                                                               \
    "t0: write(y, 1)\n"                                                                                                \
    "t1: read(y) => 1\n"                                                                                               \
    "t1: write(x, 1)\n"
#define INDEPENDENT_READS                                                                                              \
    "t0: write(x, 1)\n"                                                                                                \
    "t1: write(y, 1)\n"                                                                                                \
    "t2: read(x) => 1\n"                                                                                               \
    "t2: read(y) => 0\n"                                                                                               \
    "t3: read(y) => 1\n"                                                                                               \
    "t3: read(x) => 0\n"
#define TWO_ORDERS                                                                                                     \
    "t0: write(x, 1)\n"                                                                                                \
    "t0: read(x) => 2\n"                                                                                               \
    "t1: write(x, 2)\n"                                                                                                \
    "t1: read(x) => 1\n"
#define READS_GO_BACK                                                                                                  \
    "t0: write(x, 1)\n"                                                                                                \
    "t0: write(x, 2)\n"                                                                                                \
    "t1: read(x) => 2\n"                                                                                               \
    "t1: read(x) => 1\n"
#define LATE_DEQUEUE                                                                                                   \
    "# @object queue\n"                                                                                                \
    "a: enq(1) @ 1..2\n"                                                                                               \
    "a: enq(2) @ 3..4\n"                                                                                               \
    "b: deq() => 2 @ 5..6\n"                                                                                           \
    "b: deq() => 1 @ 7..8\n"
#define STALE_REGISTER                                                                                                 \
    "# @object register\n"                                                                                             \
    "a: write(1) @ 1..2\n"                                                                                             \
    "b: read() => 0 @ 3..4\n"
#define OWN_WRITE_MISSED                                                                                               \
    "# @object register\n"                                                                                             \
    "a: write(1)\n"                                                                                                    \
    "a: read() => 0\n"
#define ABORTED_READ                                                                                                   \
    "a: txn(w x 1) => abort\n"                                                                                         \
    "b: txn(r x 1)\n"
#define FRACTURED_READ                                                                                                 \
    "a: txn(w x 1, w y 1)\n"                                                                                           \
    "b: txn(r x 0, r y 1)\n"
#define NON_MONOTONIC_READ                                                                                             \
    "a: txn(w x 1, w y 1)\n"                                                                                           \
    "b: txn(r y 1, r x 0)\n"
#define CAUSALITY_VIOLATION                                                                                            \
    "a: txn(w x 1)\n"                                                                                                  \
    "b: txn(r x 1, w y 1)\n"                                                                                           \
    "c: txn(r y 1, r x 0)\n"
#define LONG_FORK                                                                                                      \
    "a: txn(w x 1)\n"                                                                                                  \
    "b: txn(w y 1)\n"                                                                                                  \
    "c: txn(r x 1, r y 0)\n"                                                                                           \
    "d: txn(r x 0, r y 1)\n"
#define LOST_UPDATE                                                                                                    \
    "a: txn(r x 0, w x 1)\n"                                                                                           \
    "b: txn(r x 0, w x 2)\n"
#define WRITE_SKEW                                                                                                     \
    "a: txn(r y 0, w x 1)\n"                                                                                           \
    "b: txn(r x 0, w y 1)\n"
#define STALE_TRANSACTION                                                                                              \
    "a: txn(w x 1) @ 1..2\n"                                                                                           \
    "b: txn(r x 0) @ 3..4\n"

#endif
