/* SPDX-License-Identifier: Apache-2.0 */
/* Notices that a run does not end, because a call does not return. Threads cannot be stopped from outside, so the
 * watchdog can only report it. */
#ifndef ASSAY_COLLECT_WATCHDOG_H
#define ASSAY_COLLECT_WATCHDOG_H

#include "collect/stress/stress.h"
#include "collect/stress/workers.h"

struct watchdog;

struct watchdog *watchdog_start(const struct workers *c, const struct stress_settings *s); /* NULL: there is no
                                                                                            * watchdog */
void watchdog_end(struct watchdog *w);

#endif
