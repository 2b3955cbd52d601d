/* SPDX-License-Identifier: Apache-2.0 */
/* Places: where an event of some time ago stood, and whose it was.
 *
 * A stream is not kept. What is kept is which line an event was in, as long as few lines are no events: line minus event
 * number changes at these only. And for the last calls, their ids. Older ones are forgotten. */
#ifndef ASSAY_MONITOR_PLACES_H
#define ASSAY_MONITOR_PLACES_H

#include "monitor/slots.h"

enum { PLACES_IDS = 1 << 15, PLACES_SHIFTS = 4096 };

struct shift {
    uint64_t step; /* from this event on, */
    uint64_t by;   /* lines are numbered so much higher than events */
};

struct recent {
    uint64_t step, key;
    uint32_t length;
};

struct places {
    struct mem *mem;
    struct recent *ids; /* of the call of event s at s % PLACES_IDS */
    VEC(struct shift) shifts;
};

void places_init(struct places *p, struct mem *m);
void places_shift(struct places *p, uint64_t step, uint64_t by);

static inline void places_at(struct places *p, uint64_t step, uint64_t line)
{
    if (line && (!p->shifts.n || vec_last(&p->shifts).by != line - step))
        places_shift(p, step, line - step);
}

static inline void places_call(struct places *p, uint64_t step, struct id id)
{
    p->ids[step % PLACES_IDS] = (struct recent){step, id.key, id.length};
}

uint64_t places_line(const struct places *p, uint64_t step); /* 0: forgotten */
/* The id of the call at this event; false: forgotten, or too long to be kept. */
bool places_id(const struct places *p, uint64_t step, char out[ID_PACKED + 1]);

#endif
