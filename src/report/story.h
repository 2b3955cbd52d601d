/* SPDX-License-Identifier: Apache-2.0 */
/* An anomaly of transactions as a small story: who saw and who missed which write, in the order of the cycle that names
 * the anomaly. The proof follows it; the story claims nothing that the proof does not. */
#ifndef ASSAY_REPORT_STORY_H
#define ASSAY_REPORT_STORY_H

#include "base/text.h"
#include "evidence/evidence.h"

/* The lines of the story, each with this indent. None if the result is not such a violation, or if it would be long. */
void story_write(struct text *t, const result *r, const char *indent);

#endif
