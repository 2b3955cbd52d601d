/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes: the one way out of deep code that cannot go on.
 *
 * Idea: the end of memory, of a budget or of time, and an interrupt, are events of the whole computation. The line of
 * code that notices cannot handle them. So no function returns a "failed to allocate". Allocation and polling raise an
 * escape, which unwinds to the nearest escape_run, as a protected call does in Lua. Every public entry that allocates
 * is such a call; this is the only use of setjmp.
 *
 * Invariant: everything that deep code owns is reachable from a struct mem (or another owner) that the caller of
 * escape_run releases. An escape runs no destructors. */
#ifndef ASSAY_BASE_ESCAPE_H
#define ASSAY_BASE_ESCAPE_H

enum escape {
    ESCAPE_NONE = 0,      /* fn returned */
    ESCAPE_OUT_OF_MEMORY, /* the system refused */
    ESCAPE_MEMORY_BUDGET, /* the caller's limit was reached */
    ESCAPE_TIME_BUDGET,
    ESCAPE_EFFORT, /* the ticks that were allowed are used up (budget.h); it does not leave the checker */
    ESCAPE_INTERRUPTED,
    ESCAPE_ERROR, /* an assay_error was filled in before the escape */
};

/* Runs fn(arg); returns ESCAPE_NONE, or the reason it was left early. Calls nest; threads are independent. */
enum escape escape_run(void (*fn)(void *), void *arg);

/* Leaves the innermost escape_run of this thread. */
_Noreturn void escape_raise(enum escape reason);

/* Where frames of others lie in between, which must not be jumped over: the escape is noted, and raised by
 * escape_raise_if_noted once they have returned. The first note stays. ESCAPE_NONE is no note. */
void escape_note(enum escape reason);
extern _Thread_local enum escape escape_noted; /* within the innermost escape_run */
_Noreturn void escape_raise_noted(void);

static inline void escape_raise_if_noted(void)
{
    if (escape_noted)
        escape_raise_noted();
}

/* A sentence's end: "out of memory", "the time budget was used up", ... */
const char *escape_text(enum escape reason);

#endif
