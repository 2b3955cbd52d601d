/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

bool names_split(struct names *out, const char *text, const char *what)
{
    *out = (struct names){.n = 1};
    for (const char *p = text; p && *p; p++)
        out->n += *p == ',';
    out->at = grow(NULL, out->n * sizeof *out->at);
    out->at[0] = NULL;
    if (!text)
        return true;
    char *at = out->text = copy_text(text);
    for (size_t i = 0; i < out->n; i++) {
        char *end = at + strcspn(at, ",");
        char *next = *end ? end + 1 : end;
        at += strspn(at, " \t");
        while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        if (end <= at) {
            complain("%s is missing in '%s'", what, text);
            return false;
        }
        out->at[i] = at;
        at = next;
    }
    return true;
}

void names_free(struct names *n)
{
    free(n->text);
    free(n->at);
}
