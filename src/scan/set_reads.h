/* SPDX-License-Identifier: Apache-2.0 */
/* Sets that are added to and read as a whole, as one sweep: the part of the engine `fast-set` for whole sets. */
#ifndef ASSAY_SCAN_SET_READS_H
#define ASSAY_SCAN_SET_READS_H

#include "engine/engine.h"

/* Decides a part with calls of add and elements only, in which no value is added twice. Declines others. */
void set_reads_run(struct job *job);

#endif
