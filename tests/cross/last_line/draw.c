/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/last_line/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct rng rng;
char text[ROOM];
size_t length;
const char *const threads[THREADS] = {"1", "12", "t"};

void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(text + length, ROOM - length, format, args);
    va_end(args);
    if (length >= ROOM)
        abort();
}

uint32_t any(uint32_t n)
{
    return rng_below(&rng, n);
}

const char *one_of(const char *const *of, uint32_t n)
{
    return of[any(n)];
}
const char *value(void)
{
    return ONE_OF("1", "1", "12", "2", "21", "121", "0", "-1", "-12");
}

const char *natural(void)
{
    return ONE_OF("1", "1", "12", "2", "21", "121", "0", "0x1", "0x12");
}

const char *variable(void)
{
    return ONE_OF("x", "y", "x1");
}
