/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest client program that shows a violation, as far as it can be found. */
#ifndef ASSAY_COLLECT_SHRINK_H
#define ASSAY_COLLECT_SHRINK_H

#include "collect/stress/judge.h"
#include "collect/stress/workers.h"

/* Leaves out threads and calls as long as the rest still violates the model in one of many runs. The finding becomes
 * that of the smaller program. Escapes if memory runs out. */
struct client shrink_program(const struct stress_settings *s, struct workers *c, struct client p, struct finding *found,
                             struct mem *mem);

#endif
