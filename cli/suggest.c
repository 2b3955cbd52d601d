/* SPDX-License-Identifier: Apache-2.0 */
/* Levenshtein distance, row by row; upper and lower case are the same. A word is near when at most a third of it is
 * wrong. Words of one or two letters must match exactly, for nearly every other word is near them. */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1], n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t changed = diagonal + !same(a[i - 1], b[j - 1]);
            diagonal = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[m];
}

void suggest_offer(struct suggestion *s, const char *known)
{
    size_t d = distance(s->typed, known), length = strlen(s->typed);
    size_t allowed = length < 3 ? 0 : (length + 2) / 3;
    if (length >= 3 && strncasecmp(known, s->typed, length) == 0)
        d = 0; /* an abbreviation */
    if (d <= allowed && (!s->best || d < s->distance)) {
        s->best = known;
        s->distance = d;
    }
}
