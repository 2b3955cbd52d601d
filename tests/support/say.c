/* SPDX-License-Identifier: Apache-2.0 */
#include "support/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void say(struct text *t, const char *format, ...)
{
    va_list args;
    for (;;) {
        va_start(args, format);
        int n = vsnprintf(t->bytes + t->size, t->room - t->size, format, args);
        va_end(args);
        if (t->size + (size_t)n < t->room) {
            t->size += (size_t)n;
            return;
        }
        t->room = 2 * t->room + (size_t)n + 64;
        t->bytes = realloc(t->bytes, t->room);
        if (!t->bytes)
            abort();
    }
}
