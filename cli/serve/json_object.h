/* SPDX-License-Identifier: Apache-2.0 */
/* Is a line one JSON object? Records of files are handed on to browsers and scripts as they are, inside of other JSON.
 * So they must be JSON to the letter (RFC 8259), or they could break out of the place where they are put. */
#ifndef ASSAY_CLI_SERVE_JSON_OBJECT_H
#define ASSAY_CLI_SERVE_JSON_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

enum { JSON_OBJECT_DEPTH = 64 };

/* UTF-8, one line, not nested deeper than JSON_OBJECT_DEPTH. The text ends in a NUL behind its n bytes. */
bool json_object(const char *text, size_t n);

#endif
