/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that search along the frontier (frontier.h): after saturation, or with the fixed edges alone. A violation
 * that the saturation finds comes with evidence, one of the search without. */
#ifndef ASSAY_BASELINE_SEARCH_H
#define ASSAY_BASELINE_SEARCH_H

#include "memory/serial.h"

/* An engine's whole run. */
void search_run(struct job *job, enum memory memory, bool saturated);

#endif
