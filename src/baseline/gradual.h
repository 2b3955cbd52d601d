/* SPDX-License-Identifier: Apache-2.0 */
/* What the engines "saturation + completion" of the papers share: the weak model fixes what it can
 * of the store order, then a SAT solver (lazy.h) or plain enumeration (baseline/store_orders.h) orders
 * the pairs left open. */
#ifndef ASSAY_BASELINE_GRADUAL_H
#define ASSAY_BASELINE_GRADUAL_H

#include "memory/lazy.h"

enum saturation { SATURATION_CCM, SATURATION_WSC, SATURATION_WCCM, SATURATION_WTSO };

/* The engines' whole runs. */
void gradual_sat(struct job *job, enum saturation saturation);
void gradual_enum(struct job *job, enum saturation saturation); /* a violation comes without evidence, unless the
                                                                    saturation finds it */
#endif
