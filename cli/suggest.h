/* SPDX-License-Identifier: Apache-2.0 */
/* The known words nearest to a mistyped one. */
#ifndef ASSAY_CLI_SUGGEST_H
#define ASSAY_CLI_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_MOST = 3 };

struct suggestion {
    const char *typed;
    const char *best[SUGGEST_MOST]; /* equally near */
    size_t n, distance;
};

/* Start with {.typed = word}, offer every known word, then read best. */
void suggest_offer(struct suggestion *s, const char *known);

#endif
