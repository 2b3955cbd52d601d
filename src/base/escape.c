/* SPDX-License-Identifier: Apache-2.0 */
#include "base/escape.h"

#include <assert.h>
#include <setjmp.h>
#include <stddef.h>

struct frame {
    jmp_buf jump;
    struct frame *outer;
    volatile enum escape reason;
    enum escape noted; /* outside */
};

static _Thread_local struct frame *innermost;
_Thread_local enum escape escape_noted;

enum escape escape_run(void (*fn)(void *), void *arg)
{
    struct frame frame = {.outer = innermost, .reason = ESCAPE_NONE, .noted = escape_noted};
    escape_noted = ESCAPE_NONE;
    innermost = &frame;
    if (setjmp(frame.jump) == 0)
        fn(arg);
    innermost = frame.outer;
    escape_noted = frame.noted;
    return frame.reason;
}

_Noreturn void escape_raise(enum escape reason)
{
    assert(innermost && reason != ESCAPE_NONE);
    innermost->reason = reason;
    longjmp(innermost->jump, 1);
}

void escape_note(enum escape reason)
{
    if (!escape_noted)
        escape_noted = reason;
}

_Noreturn void escape_raise_noted(void)
{
    escape_raise(escape_noted);
}

const char *escape_text(enum escape reason)
{
    switch (reason) {
    case ESCAPE_NONE: return "nothing went wrong";
    case ESCAPE_OUT_OF_MEMORY: return "the system is out of memory";
    case ESCAPE_MEMORY_BUDGET: return "the memory budget is used up";
    case ESCAPE_TIME_BUDGET: return "the time budget is used up";
    case ESCAPE_EFFORT: return "the effort allowed is used up";
    case ESCAPE_INTERRUPTED: return "interrupted";
    case ESCAPE_ERROR: return "an error was reported";
    }
    return "unknown";
}
