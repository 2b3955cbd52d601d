/* SPDX-License-Identifier: Apache-2.0 */
#include "support/evidence_line.h"

#include <stdio.h>
#include <stdlib.h>

char *evidence_line(const assay_result *r)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        abort();
    bool written = assay_result_write_evidence(r, 0, out);
    if (fclose(out) != 0)
        abort();
    if (written)
        return line;
    free(line);
    return NULL;
}
