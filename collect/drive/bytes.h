/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes: a growing buffer for the requests and answers of a connection. Drivers see the public header only, so it
 * stands on realloc. An addition without memory marks the buffer as failed. The caller asks once, before it sends. */
#ifndef ASSAY_COLLECT_DRIVE_BYTES_H
#define ASSAY_COLLECT_DRIVE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BYTES_NUMBER = 21 }; /* of a number in decimal notation, with the sign and the end */

struct bytes {
    char *at;
    size_t n, room;
    bool failed;
};

void bytes_add(struct bytes *b, const char *at, size_t n);
void bytes_puts(struct bytes *b, const char *text);
void bytes_number(struct bytes *b, int64_t number);
void bytes_base64(struct bytes *b, const char *at, size_t n);
/* Decodes; false: it is no base64. */
bool bytes_from_base64(struct bytes *b, const char *at, size_t n);
void bytes_clear(struct bytes *b); /* keeps the memory */
void bytes_free(struct bytes *b);

/* Writes a number and returns its length; there is no end behind it. */
size_t bytes_decimal(char at[BYTES_NUMBER], int64_t number);
/* Reads the number that the text is, from `at` up to `end`. */
bool bytes_read_number(const char *at, const char *end, int64_t *number);

#endif
