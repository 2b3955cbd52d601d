/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/history.h"

const char *const kind_names[KINDS] = {"register",
                                       "cas-register",
                                       "memory",
                                       "multi-register",
                                       "map",
                                       "append-map",
                                       "queue",
                                       "stack",
                                       "deque",
                                       "pqueue",
                                       "pqueue(min)",
                                       "set",
                                       "multiset",
                                       "counter",
                                       "bank(3,2)",
                                       "lock",
                                       "rwlock",
                                       "semaphore",
                                       "counting-semaphore",
                                       "exchanger"};
