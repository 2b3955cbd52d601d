/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a program that is to be started, in one block of memory. */
#ifndef ASSAY_COLLECT_CLUSTER_COMMAND_LINE_H
#define ASSAY_COLLECT_CLUSTER_COMMAND_LINE_H

#include <stddef.h>

enum { COMMAND_LINE_BYTES = 16384, COMMAND_LINE_ARGUMENTS = 64 };

struct command_line {
    size_t used, n;
    char text[COMMAND_LINE_BYTES];
    char *argv[COMMAND_LINE_ARGUMENTS + 1]; /* into text; the first is the program's path */
};

/* One more argument. */
void command_line_add(struct command_line *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
