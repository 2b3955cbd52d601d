/* SPDX-License-Identifier: Apache-2.0 */
/* The thread sanitizer, if its runtime was loaded first (LD_PRELOAD). It does not see the synchronization of a harness
 * that was built without it, and would report `create` and `call` as a race. So it is told of the barriers of a run. It
 * is not told of the recorder's counts: an order that exists for the sake of recording must not hide a race. */
#ifndef ASSAY_COLLECT_RACE_DETECTOR_H
#define ASSAY_COLLECT_RACE_DETECTOR_H

struct race_detector {
    void (*acquire)(void *address), (*release)(void *address); /* NULL: there is none */
};

struct race_detector race_detector_find(void);

/* All that came before a release comes before all that follows a later acquire. */
static inline void race_detector_release(struct race_detector *d)
{
    if (d->release)
        d->release(d);
}

static inline void race_detector_acquire(struct race_detector *d)
{
    if (d->acquire)
        d->acquire(d);
}

#endif
