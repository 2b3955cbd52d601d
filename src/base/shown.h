/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of others as they may be shown on a terminal.
 *
 * Names, strings and names of files come from outside and are not trusted. Characters that would steer a terminal or
 * turn the direction of writing are shown as \u001b: C0, DEL, C1, and the controls of bidirectional text. Bytes that
 * are not UTF-8 are shown as \xff. A text that has neither stays as it is, so escaping a text twice does no harm. */
#ifndef ASSAY_BASE_SHOWN_H
#define ASSAY_BASE_SHOWN_H

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

/* Does this character steer a terminal? */
bool shown_steers(uint32_t character);

/* Appends a text so; the control characters in `keep` stay. */
void text_shown(struct text *t, const char *bytes, size_t n, const char *keep);

void shown_write(FILE *out, const char *bytes, size_t n, const char *keep); /* the same into a stream */
void shown_puts(FILE *out, const char *text);

#endif
