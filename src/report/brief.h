/* SPDX-License-Identifier: Apache-2.0 */
/* A transaction in a few words, for a narrow table: the accesses that the argument rests on, and `…` for the others. */
#ifndef ASSAY_REPORT_BRIEF_H
#define ASSAY_REPORT_BRIEF_H

#include "report/describe.h"

/* The call without its thread. Accesses stay whose variable another one of the operations writes, or uses if this
 * access is a write; of the culprit those of the variable at fault. Of a long list the elements stay in which lists of
 * these operations differ, and those that one of them wrote. False: there is nothing to leave out. */
bool brief_call(struct text *t, const result *r, struct mentions about, uint32_t op);

#endif
