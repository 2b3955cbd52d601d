/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a file that an error is about, with a caret below its column. */
#ifndef ASSAY_CLI_SOURCE_LINE_H
#define ASSAY_CLI_SOURCE_LINE_H

#include <stdint.h>
#include <stdio.h>

/* Prints nothing where the file cannot be read again (a pipe), or is no text (a compressed file). */
void print_source_line(FILE *to, const char *path, uint64_t line, uint64_t column);

#endif
