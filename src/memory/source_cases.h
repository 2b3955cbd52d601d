/* SPDX-License-Identifier: Apache-2.0 */
/* Blame where values repeat: a refutation of each choice of sources, as long as few cases are enough.
 *
 * A search for an execution ends when nothing is left to try, and names no operation. So a choice of sources is judged
 * like a history whose values are unique (judging.h). Its refutation rests on the sources of some reads. That is a
 * case: if these reads read from these writes, there is a cycle. Then comes a choice that no case covers. When there is
 * none, the cases are a proof, whichever writes the reads are taken to read from.
 *
 * Reads that no case names have their first candidate, so the next choice is sought among few reads. If the cases or
 * the steps become too many, there are none. They are for reports: recheck searches again. */
#ifndef ASSAY_MEMORY_SOURCE_CASES_H
#define ASSAY_MEMORY_SOURCE_CASES_H

#include "engine/engine.h"

/* The history was refuted: adds the cases to the evidence. May escape: out of memory. */
void source_cases(struct job *job);

#endif
