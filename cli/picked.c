/* SPDX-License-Identifier: Apache-2.0 */
#include "picked.h"

#include "outfile.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

void picked_take(struct picked *p, const struct record *rec, enum stream s)
{
    if (!rec->text[s] || (p->text && (p->violation || !rec->violates)))
        return;
    p->text = grow(p->text, rec->size[s] + 1);
    memcpy(p->text, rec->text[s], rec->size[s] + 1);
    p->size = rec->size[s];
    p->violation = rec->violates;
}

bool picked_write(const struct picked *p, const char *file, const char *what, bool cut)
{
    if (!file)
        return true;
    if (!p->text) {
        complain("%s: not written: there is no result for --%s to show", file, what);
        return false;
    }
    struct outfile f;
    if (!outfile_open(&f, file))
        return false;
    fwrite(p->text, 1, p->size, f.stream);
    outfile_record(&f);
    return outfile_close(&f, cut ? OUTFILE_CUT : OUTFILE_WHOLE);
}

void picked_free(struct picked *p)
{
    free(p->text);
}

bool picked_page(const assay_result *const *results, size_t n, size_t i, const assay_options *checked,
                 assay_report_options options, FILE *out, assay_error *e)
{
    options.checked = checked;
    options.others = results;
    options.other_count = n;
    return assay_result_report(results[i], "html", &options, out, e);
}
