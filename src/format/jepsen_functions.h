/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of Jepsen's workloads, and the families of objects that have them.
 *
 * A name may belong to several families: a register, a set, a counter and a bank are all read. So a log is of the
 * families that have all of its functions and fit the values that were read. Each event narrows them. */
#ifndef ASSAY_FORMAT_JEPSEN_FUNCTIONS_H
#define ASSAY_FORMAT_JEPSEN_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a log fits several of them, it is of the first. */
enum jepsen_family {
    JEPSEN_REGISTER = 1 << 0,
    JEPSEN_APPEND_MAP = 1 << 1,
    JEPSEN_SET = 1 << 2,
    JEPSEN_COUNTER = 1 << 3,
    JEPSEN_BANK = 1 << 4,
    JEPSEN_QUEUE = 1 << 5,
    JEPSEN_STACK = 1 << 6,
    JEPSEN_SEMAPHORE = 1 << 7,
    JEPSEN_LOCK = 1 << 8,
    JEPSEN_TXN = 1 << 9,
    JEPSEN_ALL = (1 << 10) - 1,
};

enum jepsen_shape {
    SHAPE_READ,     /* no argument; the second event has the result */
    SHAPE_WRITE,    /* the value is the argument; no result */
    SHAPE_CAS,      /* [old new] */
    SHAPE_TEST,     /* the value is the argument; the second event may have true or false */
    SHAPE_BARE,     /* neither argument nor result */
    SHAPE_TRANSFER, /* {:from a, :to b, :amount n} */
    SHAPE_DRAIN,    /* the second event has all values that were taken out */
    SHAPE_TXN,      /* a row of [f key value] */
    SHAPE_INSERT,   /* [key [a b]], of which one is nil: a transaction */
    SHAPE_GENERATE, /* no argument; the second event has a value that was never there */
    SHAPE_OTHER,    /* the call's value is its arguments; another value of the second event is the result */
};

struct jepsen_function {
    const char *name;
    unsigned families;
    enum jepsen_shape shape;
    const char *method;
    bool reads_only; /* unanswered, it says nothing */
};

/* JEPSEN_OTHER stands for all names that are not known. */
enum { JEPSEN_TRANSACTION = 22, JEPSEN_OTHER, JEPSEN_FUNCTIONS };
extern const struct jepsen_function jepsen_functions[JEPSEN_FUNCTIONS];

/* The number of the function of this name that one of the families has, or JEPSEN_OTHER. */
uint32_t jepsen_function_find(unsigned families, const char *name, size_t length);
/* The histories that are read, for messages. */
extern const char jepsen_read_workloads[];
/* The object of the first of the families. */
const char *jepsen_object(unsigned families);

#endif
