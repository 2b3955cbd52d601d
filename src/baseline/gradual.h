/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of the engines "saturation + completion" of the papers. The weak model fixes part of the store order.
 * Then a SAT solver (lazy.h) or plain enumeration (baseline/store_orders.h) orders the pairs left open. */
#ifndef ASSAY_BASELINE_GRADUAL_H
#define ASSAY_BASELINE_GRADUAL_H

#include "memory/lazy.h"

enum saturation { SATURATION_CCM, SATURATION_WSC, SATURATION_WCCM, SATURATION_WTSO };

/* The engines' whole runs. */
void gradual_sat(struct job *job, enum saturation saturation);
void gradual_enum(struct job *job, enum saturation saturation); /* a violation comes without evidence, unless the
                                                                    saturation finds it */
#endif
