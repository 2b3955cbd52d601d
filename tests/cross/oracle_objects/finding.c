/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_objects/finding.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "oracle_objects: out of memory\n");
        exit(2);
    }
    return p;
}

struct counts counts;
uint64_t current_seed;
int stop_after = 1;

void disagree(const char *text, const char *format, ...)
{
    static uint64_t shown; /* each history once */
    va_list args;
    counts.disagreements++;
    printf("DISAGREEMENT (seed %" PRIu64 "): ", current_seed);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%s%s", shown == current_seed + 1 ? "" : text, shown == current_seed + 1 ? "" : "\n");
    shown = current_seed + 1;
    fflush(stdout);
}
