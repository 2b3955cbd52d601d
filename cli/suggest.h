/* SPDX-License-Identifier: Apache-2.0 */
/* The known word nearest to a mistyped one. */
#ifndef ASSAY_CLI_SUGGEST_H
#define ASSAY_CLI_SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *typed;
    const char *best; /* NULL: nothing is near enough */
    size_t distance;
};

/* Start with {.typed = word}, offer every known word, then read best. */
void suggest_offer(struct suggestion *s, const char *known);

#endif
