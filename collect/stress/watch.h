/* SPDX-License-Identifier: Apache-2.0 */
/* Notices that a run does not end, because a call does not return. Threads cannot be stopped from outside, so all that is
 * left is to say so. */
#ifndef ASSAY_COLLECT_WATCH_H
#define ASSAY_COLLECT_WATCH_H

#include "collect/stress.h"
#include "collect/stress/crew.h"

struct watch;

struct watch *watch_start(const struct crew *c, const struct stress_settings *s); /* NULL: nobody watches */
void watch_end(struct watch *w);

#endif
