/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *machine_processor(char out[MACHINE_TEXT])
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    bool found = false;
    snprintf(out, MACHINE_TEXT, "unknown");
    while (info && !found && fgets(line, sizeof line, info)) {
        const char *colon = strchr(line, ':');
        found = colon && strncmp(line, "model name", 10) == 0 && colon[1];
        if (found)
            snprintf(out, MACHINE_TEXT, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (info)
        fclose(info);
    return out;
}
