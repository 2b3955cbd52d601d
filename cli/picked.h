/* SPDX-License-Identifier: Apache-2.0 */
/* The one page or picture of a run over many histories: that of the first violation, else of the first result. */
#ifndef ASSAY_CLI_PICKED_H
#define ASSAY_CLI_PICKED_H

#include "pool.h"

struct picked {
    char *text; /* NULL: none yet */
    size_t size;
    bool violation;
};

/* Takes the record's stream, unless an earlier one goes before it. */
void picked_take(struct picked *p, const struct record *rec, enum stream s);
/* Writes it to the file of the option --WHAT; a file of NULL: not asked for. False, with a message. */
bool picked_write(const struct picked *p, const char *file, const char *what, bool cut);
void picked_free(struct picked *p);

/* The page of results[i], with the ladder of all; `checked` are the options of the check. */
bool picked_page(const assay_result *const *results, size_t n, size_t i, const assay_options *checked,
                 assay_report_options options, FILE *out, assay_error *e);

#endif
