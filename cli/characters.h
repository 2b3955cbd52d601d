/* SPDX-License-Identifier: Apache-2.0 */
/* Characters of UTF-8 in texts from outside. */
#ifndef ASSAY_CLI_CHARACTERS_H
#define ASSAY_CLI_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 character at s, or 0 if there is none. */
size_t character_length(const unsigned char *s);

/* UTF-8 without a NUL? The text ends in a NUL behind its n bytes. */
bool text_is_utf8(const char *text, size_t n);

#endif
