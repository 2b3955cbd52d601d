/* SPDX-License-Identifier: Apache-2.0 */
#include "support/rewrite.h"

#include "support/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct digests {
    char before[17], after[17];
};

static void note_digest(assay_history *h, void *arg)
{
    struct digests *d = arg;
    assay_history_digest(h, d->after);
}

const char *rewrite_fault(const assay_history *h, const char *format)
{
    static char fault[600];
    struct digests d = {0};
    assay_error e = {0};
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out || !assay_history_write(h, format, 0, out, &e)) {
        snprintf(fault, sizeof fault, "cannot be written: %s", e.message);
        return fault;
    }
    fclose(out);
    assay_history_digest(h, d.before);
    size_t count = n ? load_each(format, text, n, note_digest, &d, &e) : 0;
    fault[0] = '\0';
    if (e.code)
        snprintf(fault, sizeof fault, "%llu:%llu: %s in what was written as %s", (unsigned long long)e.line,
                 (unsigned long long)e.column, e.message, format);
    else if (count != (n > 0))
        snprintf(fault, sizeof fault, "%zu histories in what was written as %s", count, format);
    else if (n && strcmp(d.before, d.after) != 0)
        snprintf(fault, sizeof fault, "another history after writing it as %s", format);
    if (fault[0])
        fprintf(stderr, "%.*s\n", (int)(n < 10000 ? n : 10000), text);
    free(text);
    return fault[0] ? fault : NULL;
}
