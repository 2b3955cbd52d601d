/* SPDX-License-Identifier: Apache-2.0 */
/* Places: the line and the id of an earlier event.
 *
 * A stream is not kept. The line of an event is kept in short form: line minus event number changes only at lines that
 * are no events. The ids of the last calls are kept. Older entries are forgotten. */
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

struct image;
void places_image(struct places *p, struct image *x);
uint64_t places_line(const struct places *p, uint64_t step); /* 0: forgotten */
/* The id of the call at this event; false: forgotten, or too long to be kept. */
bool places_id(const struct places *p, uint64_t step, char out[ID_PACKED + 1]);

#endif
