/* SPDX-License-Identifier: Apache-2.0 */
/* Program order with `# @po after`: an operation is also after the operations of other threads that its line names.
 *
 * Then the operations before one are a beginning of each thread: "how many of each" says all. Without it threads are
 * unrelated, and memory.program.past is NULL. The orders of the models keep a thread's operations of one kind in their
 * order. So of those before another operation the last one of a kind decides. */
#ifndef ASSAY_RECHECK_PROGRAM_H
#define ASSAY_RECHECK_PROGRAM_H

#include "recheck/recheck.h"

/* Fills in memory.program once the roles are known. False, with ASSAY_ERROR_REFUSED: it is circular. */
bool recheck_program(const history *h, struct memory *mem, struct mem *m, assay_error *e);

/* How many operations of the thread come before op. */
uint32_t program_count(const struct recheck *x, uint32_t op, uint32_t thread);

/* Of these, how many come before a fence or an rmw that comes before op; an rmw itself counts, too. */
uint32_t program_settled(const struct recheck *x, uint32_t op, uint32_t thread);

/* The last one of that kind, or of that variable, among the first `count` operations of the thread; or ID_NONE. */
uint32_t program_last(const struct recheck *x, int kind, uint32_t thread, uint32_t count);
uint32_t program_last_of(const struct recheck *x, uint32_t var, uint32_t thread, uint32_t count);

/* Does a come before b? */
bool program_before(const struct recheck *x, uint32_t a, uint32_t b);

/* Is a fence or an rmw between them? */
bool program_barrier_between(const struct recheck *x, uint32_t a, uint32_t b);

#endif
