/* SPDX-License-Identifier: Apache-2.0 */
#include "suggest.h"

#include "assay.h"

void suggest_offer(struct suggestion *s, const char *known)
{
    size_t d = assay_misspelt(s->typed, known);
    if (d == SIZE_MAX || (s->n && d > s->distance))
        return;
    if (s->n && d < s->distance)
        s->n = 0;
    s->distance = d;
    if (s->n < SUGGEST_MOST)
        s->best[s->n++] = known;
}
