/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of others as they may be shown on a terminal.
 *
 * Names, strings and names of files come from whoever wrote the history. What would steer a terminal or turn the direction of
 * writing (C0, DEL, C1, the controls of bidirectional text) is shown as \u001b, what is not UTF-8 as \xff. A text that has
 * neither stays as it is, so it does no harm to escape one twice. */
#ifndef ASSAY_BASE_SHOWN_H
#define ASSAY_BASE_SHOWN_H

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

/* Does this character steer what displays it? */
bool shown_steers(uint32_t character);

/* Appends a text so; the control characters in `keep` stay. */
void text_shown(struct text *t, const char *bytes, size_t n, const char *keep);

void shown_write(FILE *out, const char *bytes, size_t n, const char *keep); /* the same into a stream */
void shown_puts(FILE *out, const char *text);

#endif
