/* SPDX-License-Identifier: Apache-2.0 */
/* The read/write view of a memory history, read off its columns a second time.
 *
 * Rechecking must not inherit a mistake of the view that the engines work on. So this one is made in another way:
 * accesses are sorted by variable and value, and a read beside a write of the same value reads from it. Its items are
 * operations, not events.
 *
 * Completed reads, writes and rmws take part. So do pending writes and rmws that must have happened, or of which this
 * is open (happened.c). Fences and pending reads never do.
 *
 * Values that are written more than once leave the sources of their reads open. Such reads have no source here;
 * evidence may name one (named_sources.c). */
#ifndef ASSAY_RECHECK_MEMORY_H
#define ASSAY_RECHECK_MEMORY_H

#include "history/history.h"

#define FROM_INITIAL UINT32_MAX       /* source: the initial value */
#define FROM_NOBODY (UINT32_MAX - 1)  /* source: no operation wrote this value */
#define FINAL_OPEN (UINT32_MAX - 2)   /* final: @final does not say */
#define FROM_SEVERAL (UINT32_MAX - 3) /* source, final: open, the value was written more than once */

enum { ROLE_READS = 1, ROLE_WRITES = 2 };

/* Values by number, each of one variable. */
struct values {
    uint32_t count;
    uint32_t *seen, *wrote; /* of an operation that reads, that writes */
    uint32_t *initial;      /* of a variable */
    uint32_t *final;        /* of a variable; ID_NONE: @final does not say, or does not count */
    struct groups writers;  /* of a value: the operations that take part and write it */
};

/* Program order, with `# @po after` across threads: program.h. */
enum { PROGRAM_ANY, PROGRAM_READ, PROGRAM_WRITE, PROGRAM_BARRIER, PROGRAM_KINDS };

struct program {
    uint32_t threads;
    struct groups by_thread;       /* the operations of each, in its order */
    uint32_t *place;               /* of an operation: how many of its thread come before it */
    uint32_t *past;                /* of an operation, a row: how many of each thread do; NULL: threads are unrelated */
    uint32_t *upto[PROGRAM_KINDS]; /* of an operation: the last one of that kind of its thread up to it, or ID_NONE */
    struct groups of_var;          /* the operations of a variable that take part, by thread, in its order */
};

struct memory {
    uint32_t count;         /* operations that take part */
    uint32_t vars;          /* variables */
    uint8_t *role;          /* of an operation; 0: takes no part */
    bool *open;             /* of an operation that takes part: it need not */
    uint32_t *var;          /* of an operation that reads or writes */
    uint32_t *source;       /* of an operation that reads: an operation, FROM_INITIAL, FROM_NOBODY */
    uint32_t *before;       /* the thread's previous operation that takes part, or ID_NONE */
    uint32_t *rank;         /* how many of its thread take part before it */
    bool *fence;            /* a completed one */
    uint32_t *barriers;     /* fences and rmws of its thread up to it, itself included */
    uint32_t *final;        /* of a variable: the write of its last value, FROM_INITIAL, FROM_NOBODY or FINAL_OPEN; NULL
                             * when @final does not count */
    bool final_not_written; /* @final names a value that no variable can end with */
    uint32_t twice[2];      /* two operations that write the same, which is read or final; twice[0] alone ID_NONE:
                               twice[1] writes the initial value; both: values are unique */
    struct values *values;
    struct program program;
};

/* False, with ASSAY_ERROR_REFUSED, when the operations are not those of a plain memory. final: does @final count?
 * named: the open operations that took part; NULL: they stay open. Memory from m; may escape. */
bool recheck_memory(const history *h, bool final, const bool *named, struct mem *m, struct memory *out, assay_error *e);

/* Of that: the pending operations that cannot have happened, or need not be looked at, take no part any more; others
 * become open. Roles and values are known. */
void recheck_pending(const history *h, struct memory *mem, struct mem *m);

#endif
