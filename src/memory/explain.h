/* SPDX-License-Identifier: Apache-2.0 */
/* From the orders of this folder to evidence: refutations with short paths, witnesses. Engines of memory
 * models share it; it decides nothing. */
#ifndef ASSAY_MEMORY_EXPLAIN_H
#define ASSAY_MEMORY_EXPLAIN_H

#include "engine/engine.h"
#include "memory/observe.h"

/* Violations: each fills in verdict and evidence of job->out. */
void explain_thin_air(struct job *job);
void explain_cyclic_co(struct job *job, const struct causal *c);
void explain_write_co_read(struct job *job, const struct causal *c, uint32_t source, uint32_t later);
void explain_cyclic_cf(struct job *job, const struct causal *c, const struct advance *sort);
/* The evidence of a result of observe_thread; false: it found nothing. */
bool explain_observation(struct job *job, const struct observe *o, enum observation found, uint32_t read,
                         uint32_t later);

/* A witness order; events that take no part (fences, dropped pending operations) are left out. */
void explain_order(struct job *job, uint32_t thread, const uint32_t *events, uint32_t count);
/* And the sources of the reads, where they were chosen. job->rw is the view decided, v the one in which several writes
 * may be the source. */
void explain_sources(struct job *job, const struct rw *v, const uint32_t *src);

#endif
