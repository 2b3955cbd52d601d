/* SPDX-License-Identifier: Apache-2.0 */
/* A choice of sources, judged by an engine for histories whose values are unique.
 *
 * A refutation rests on program order and on the sources of the reads in it (wr steps, and the reads of its reasons).
 * So it holds for every choice that gives these reads the same sources. */
#ifndef ASSAY_MEMORY_JUDGING_H
#define ASSAY_MEMORY_JUDGING_H

#include "engine/engine.h"
#include "memory/rw.h"

struct judging {
    struct job *job;
    const struct engine *judge;
    uint32_t *event_of; /* of an operation */
    struct rw view;     /* with the sources chosen */
    struct mem working;
    result judgement; /* of the last choice */
};

/* The engine that judges the model once sources are known. */
const struct engine *judging_engine(const struct job *job);

void judging_init(struct judging *j, struct job *job);
/* Does the history satisfy the model if these open operations happened, and reads have these sources? */
bool judging_is_fine(struct judging *j, const bool *happened, const uint32_t *src);
/* The choice was refuted: calls `name` with each read whose source the refutation rests on, some of them repeatedly. */
void judging_reads(const struct judging *j, void (*name)(void *arg, uint32_t read), void *arg);
void judging_release(struct judging *j);

#endif
