/* SPDX-License-Identifier: Apache-2.0 */
/* A report: one way to show a result, and a function of that alone. Members are listed in report.def. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/text.h"
#include "evidence/evidence.h"

struct report {
    const char *name, *title;
    bool draws_prefix; /* does it show a linearization of the longest prefix that has one? */
    /* Does it say of a verdict that it is inferred? Else it is given the result that has the proof. */
    bool says_inferred;
    void (*write)(const result *r, const assay_report_options *options, struct text *out);
};

extern const struct report *const report_table[];   /* up to NULL */
const struct report *report_find(const char *name); /* or NULL */

#endif
