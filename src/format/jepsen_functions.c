/* SPDX-License-Identifier: Apache-2.0 */
#include "format/jepsen_functions.h"

#include <string.h>

enum { READABLE = JEPSEN_REGISTER | JEPSEN_SET | JEPSEN_COUNTER | JEPSEN_BANK };

const struct jepsen_function jepsen_functions[JEPSEN_FUNCTIONS] = {
    {"read", READABLE, SHAPE_READ, "read", true},
    {"write", JEPSEN_REGISTER, SHAPE_WRITE, "write", false},
    {"cas", JEPSEN_REGISTER, SHAPE_CAS, "cas", false},
    {"get", JEPSEN_APPEND_MAP, SHAPE_READ, "get", true},
    {"put", JEPSEN_APPEND_MAP, SHAPE_WRITE, "put", false},
    {"append", JEPSEN_APPEND_MAP, SHAPE_WRITE, "append", false},
    {"add", JEPSEN_SET | JEPSEN_COUNTER, SHAPE_TEST, "add", false},
    {"remove", JEPSEN_SET, SHAPE_TEST, "remove", false},
    {"contains", JEPSEN_SET, SHAPE_TEST, "contains", true},
    {"generate", JEPSEN_SET, SHAPE_GENERATE, "add", true},
    {"transfer", JEPSEN_BANK, SHAPE_TRANSFER, "transfer", false},
    {"enqueue", JEPSEN_QUEUE, SHAPE_WRITE, "enq", false},
    {"dequeue", JEPSEN_QUEUE, SHAPE_READ, "deq", false},
    {"drain", JEPSEN_QUEUE, SHAPE_DRAIN, "deq", false},
    {"push", JEPSEN_STACK, SHAPE_WRITE, "push", false},
    {"pop", JEPSEN_STACK, SHAPE_READ, "pop", false},
    {"acquire", JEPSEN_SEMAPHORE, SHAPE_BARE, "acquire", false},
    {"release", JEPSEN_SEMAPHORE, SHAPE_BARE, "release", false},
    {"lock", JEPSEN_LOCK, SHAPE_BARE, "lock", false},
    {"unlock", JEPSEN_LOCK, SHAPE_BARE, "unlock", false},
    {"read-init", JEPSEN_REGISTER, SHAPE_READ, "read", true},
    {"insert", JEPSEN_TXN, SHAPE_INSERT, "txn", false},
    [JEPSEN_TRANSACTION] = {"txn", JEPSEN_TXN, SHAPE_TXN, "txn", false},
    [JEPSEN_OTHER] = {"", JEPSEN_ALL, SHAPE_OTHER, "", false},
};

const char jepsen_read_workloads[] = "read are registers, append-maps, sets, counters, banks, queues, stacks, locks, "
                                     "transactions (also long-fork, G2), causal and unique-ids";

uint32_t jepsen_function_find(unsigned families, const char *name, size_t length)
{
    uint32_t i = 0;
    for (const struct jepsen_function *f = jepsen_functions; i < JEPSEN_OTHER; i++, f++)
        if (*name == *f->name && length == strlen(f->name) && memcmp(name, f->name, length) == 0 &&
            f->families & families)
            break;
    return i;
}

const char *jepsen_object(unsigned families)
{
    static const char *const objects[] = {"register", "append-map", "set",          "counter", "bank",
                                          "queue",    "stack",      "semaphore(1)", "lock",    "multi-register"};
    return objects[__builtin_ctz(families)];
}
