/* SPDX-License-Identifier: Apache-2.0 */
/* A report: one way to show a result. Members are listed in report.def. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/text.h"
#include "evidence/evidence.h"

struct report {
    const char *name, *title;
    /* Of a violation of linearizability: shall evidence.orders explain the longest prefix? NULL: no. */
    bool (*wants_prefix)(const result *r);
    bool wants_at_fault; /* does it name the call at fault, where the culprit is a consequence (check/at_fault.h)? */
    /* Does it say of a verdict that it is inferred? Else it is given the result that has the proof. */
    bool says_inferred;
    bool wants_assumed; /* does it tell an initial value that explains reads (check/assumed_initial.h)? */
    bool wants_core;    /* an argument about few operations, where a search has found none (check/small_core.h)? */
    void (*write)(const result *r, const assay_report_options *options, struct text *out);
};

extern const struct report *const report_table[];   /* up to NULL */
const struct report *report_find(const char *name); /* or NULL */

#endif
