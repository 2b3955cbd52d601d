/* SPDX-License-Identifier: Apache-2.0 */
/* What became of the elements of a queue or a set, in the words of Jepsen's checkers total-queue and set-full. */
#ifndef ASSAY_REPORT_ELEMENTS_H
#define ASSAY_REPORT_ELEMENTS_H

#include "base/text.h"
#include "evidence/evidence.h"

/* Of a violation in a log of Jepsen's queues or sets, where there is anything to count: a line of text for people, with
 * all names or the first ones; the member `elements` for JSON, with a comma in front. Otherwise nothing. */
void elements_tell(const result *r, bool all, struct text *out);
void elements_json(const result *r, struct text *out);

#endif
