/* SPDX-License-Identifier: Apache-2.0 */
/* A value of an option that is a list: names between commas. */
#ifndef ASSAY_CLI_NAMES_H
#define ASSAY_CLI_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
    char *text; /* the memory of the names */
    char **at;
    size_t n;
};

/* Splits at commas and trims. If `text` is NULL, there is one name, NULL. False, with a message that begins with
 * `what`, if one is empty. The caller frees in any case. */
bool names_split(struct names *out, const char *text, const char *what);
void names_free(struct names *n);

#endif
