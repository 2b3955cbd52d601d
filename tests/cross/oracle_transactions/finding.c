/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct counts counts;

void finding(const char *text, const char *format, ...)
{
    static char last[4096];
    va_list args;
    if (text && !strncmp(last, text, sizeof last - 1))
        return;
    snprintf(last, sizeof last, "%s", text ? text : "");
    printf("DISAGREEMENT %d: ", ++counts.findings);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%s\n", text ? text : "");
    fflush(stdout);
}
