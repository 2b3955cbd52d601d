/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cluster/command_line.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void command_line_add(struct command_line *c, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof c->text - c->used;
    va_start(arguments, format);
    int length = vsnprintf(c->text + c->used, room, format, arguments);
    va_end(arguments);
    /* Folders are no longer than CLUSTER_FOLDER, so that the longest line fits. */
    assert(length >= 0 && (size_t)length < room && c->n < COMMAND_LINE_ARGUMENTS);
    c->argv[c->n++] = c->text + c->used;
    c->argv[c->n] = NULL;
    c->used += (size_t)length + 1;
}
