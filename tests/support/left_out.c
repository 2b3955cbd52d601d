/* SPDX-License-Identifier: Apache-2.0 */
#include "support/left_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64 };

static bool said(const char *part)
{
    static const char *parts[MOST_PARTS];
    static int n;
    for (int i = 0; i < n; i++)
        if (strcmp(parts[i], part) == 0)
            return true;
    if (n == MOST_PARTS)
        abort();
    parts[n++] = part;
    return false;
}

bool left_out(const char *part, const char *reason)
{
    if (reason && !said(part))
        printf("%s left out: %s\n", part, reason);
    return reason;
}
