/* SPDX-License-Identifier: Apache-2.0 */
#include "more.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

const char *more_pattern(const assay_result *r)
{
    const char *pattern = assay_result_pattern(r);
    return pattern ? assay_explain(pattern, 0).name : NULL;
}

void more_add(struct more *m, const char *pattern)
{
    if (!pattern)
        return;
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->patterns[i], pattern) == 0)
            return;
    m->patterns = grow(m->patterns, (m->n + 1) * sizeof *m->patterns);
    m->patterns[m->n++] = pattern;
}

void more_print(const struct more *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    for (size_t i = 0; i < m->n; i++)
        fprintf(out, " %s", m->patterns[i]);
    memory_close(out, &text);
    if (m->n)
        print_wrapped(4, "  more: assay explain%s\n", text);
    free(text);
}

void more_free(struct more *m)
{
    free(m->patterns);
}
