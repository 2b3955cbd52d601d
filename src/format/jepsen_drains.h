/* SPDX-License-Identifier: Apache-2.0 */
/* Drains of queues as dequeues. */
#ifndef ASSAY_FORMAT_JEPSEN_DRAINS_H
#define ASSAY_FORMAT_JEPSEN_DRAINS_H

#include "format/jepsen.h"

/* The drain that is call `index` returned with the value of this event. */
void jepsen_drained(struct jepsen *s, uint32_t index, const struct jepsen_event *event, uint32_t value);

/* All calls are known and have their objects: settles when each drain found its queue empty, and what those without an
 * outcome may have taken out. */
void jepsen_settle_drains(struct jepsen *s);

#endif
