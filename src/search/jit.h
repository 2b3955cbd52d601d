/* SPDX-License-Identifier: Apache-2.0 */
/* All linearizations at once, some steps at a time. The engine `jit` takes them all. When the search of wgl.c is in
 * trouble, they go on beside it. Where there is no linearization, they often find that out first. */
#ifndef ASSAY_SEARCH_JIT_H
#define ASSAY_SEARCH_JIT_H

#include "engine/engine.h"

struct jit;

/* Why it is not for the part, or NULL. */
const char *jit_declines(const struct job *job);

/* Memory from the job. A glance gives up when there are very many configurations, or more than a few states. */
struct jit *jit_new(struct job *job, bool glance);

enum jit_progress { JIT_GOES_ON, JIT_GAVE_UP, JIT_DECIDED };

/* Goes on for about so many ticks of the job's budget, or to the end (0). If it has decided, verdict and evidence are
 * filled in. */
enum jit_progress jit_advance(struct jit *j, uint64_t ticks);

void jit_free(struct jit *j); /* most of its memory */

#endif
