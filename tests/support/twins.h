/* SPDX-License-Identifier: Apache-2.0 */
/* Readers that take common lines by a way of their own are compared with themselves. A text has a twin of the same
 * meaning, and with the same places, in which no line is common. Both must give the same histories, down to the numbers
 * of names, and the same fault. */
#ifndef ASSAY_TESTS_TWINS_H
#define ASSAY_TESTS_TWINS_H

#include <stddef.h>

/* The difference between the histories of a text of .hist and those of its twin, or NULL. In front of the text stand
 * lines enough that the reader looks for plain ones: first operations, then events. */
const char *twins_hist(const char *text, size_t n);
/* The same of JSON Lines, with operations in front. */
const char *twins_jsonl(const char *text, size_t n);
/* The same of EDN, with nothing in front. */
const char *twins_edn(const char *text, size_t n);

#endif
