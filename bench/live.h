/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a running program: simulated clients of a simulated container, event by event, as long as one likes.
 *
 * Each operation is called, takes effect at one moment and returns; a scheduler drawn from the seed chooses the client
 * that goes on. With little `overlap` an operation mostly runs to its end before another begins. The reordering queue
 * gives out one of its first `window` values, as a k-FIFO queue may. */
#ifndef ASSAY_BENCH_LIVE_H
#define ASSAY_BENCH_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum live_kind { LIVE_QUEUE, LIVE_STACK, LIVE_SET, LIVE_REGISTER };
enum { LIVE_THREADS = 64, LIVE_HOLDS = 256, LIVE_LINE = 64, LIVE_KEYS = 64 };

struct live_settings {
    enum live_kind kind;
    uint32_t threads;
    uint32_t overlap;       /* percent: how often another thread goes on */
    uint32_t adds, removes; /* how many of each, all of them; 0: for ever, with at most `holds` values at a time */
    uint32_t holds;
    uint32_t window;     /* queue: 0 and 1 give out the first */
    uint64_t wrong_from; /* event from which on the next result that can be wrong is; 0: none */
    uint64_t seed;
};

struct live_client {
    enum { LIVE_IDLE, LIVE_CALLED, LIVE_DONE } stage;
    unsigned method; /* 0 adds or writes, 1 removes or reads, 2 contains */
    uint64_t value;  /* argument or result; LIVE_NOTHING */
    bool yes;        /* result of a set's methods */
};

#define LIVE_NOTHING UINT64_MAX

struct live {
    struct live_settings set;
    struct live_client client[LIVE_THREADS];
    uint32_t current;
    uint64_t rng, fresh, events;
    uint64_t held[LIVE_HOLDS];     /* a ring: from `first` on, `holds` values */
    uint32_t first, holds, coming; /* coming: adds that have been called only */
    bool member[LIVE_KEYS];
    uint64_t stored, stale; /* the register's value, and one of long ago */
    uint32_t added, removed;
    uint32_t wrong_by; /* the client that got a wrong result, counted from 1; 0: none yet */
    uint64_t wrong_at; /* the event of its return; 0: not yet */
};

extern const char *const live_objects[]; /* of each kind */

void live_start(struct live *l, const struct live_settings *set);
/* The next event, "[3] call enq(7)\n". Returns its length; 0: all operations are done. */
size_t live_next(struct live *l, char line[LIVE_LINE]);

#endif
