/* SPDX-License-Identifier: Apache-2.0 */
/* Latencies in buckets: 16 for each power of two of nanoseconds, so that a percentile is wrong by 1/16 at most. */
#ifndef ASSAY_COLLECT_DRIVE_LATENCY_H
#define ASSAY_COLLECT_DRIVE_LATENCY_H

#include <stdint.h>

enum { LATENCY_STEPS = 16, LATENCY_BUCKETS = 61 * LATENCY_STEPS };

struct latency {
    uint64_t count, most; /* most: the longest, in nanoseconds */
    uint64_t buckets[LATENCY_BUCKETS];
};

static inline unsigned latency_bucket(uint64_t ns)
{
    if (ns < LATENCY_STEPS)
        return (unsigned)ns;
    unsigned power = 63u - (unsigned)__builtin_clzll(ns); /* at least 4 */
    return (power - 3) * LATENCY_STEPS + (unsigned)(ns >> (power - 4) & (LATENCY_STEPS - 1));
}

/* The end of a bucket. */
static inline uint64_t latency_of_bucket(unsigned bucket)
{
    if (bucket < LATENCY_STEPS)
        return bucket;
    unsigned power = bucket / LATENCY_STEPS + 3;
    return ((uint64_t)(LATENCY_STEPS + bucket % LATENCY_STEPS) + 1) << (power - 4);
}

static inline void latency_add(struct latency *l, uint64_t ns)
{
    l->count++;
    l->most = ns > l->most ? ns : l->most;
    l->buckets[latency_bucket(ns)]++;
}

static inline void latency_merge(struct latency *to, const struct latency *from)
{
    to->count += from->count;
    to->most = from->most > to->most ? from->most : to->most;
    for (unsigned i = 0; i < LATENCY_BUCKETS; i++)
        to->buckets[i] += from->buckets[i];
}

/* The latency that `share` of all, such as 0.99, did not exceed; 0: there are none. */
static inline uint64_t latency_percentile(const struct latency *l, double share)
{
    uint64_t seen = 0, wanted = (uint64_t)(share * (double)l->count);
    for (unsigned i = 0; i < LATENCY_BUCKETS; i++) {
        seen += l->buckets[i];
        if (seen > wanted || (seen && seen == l->count)) {
            uint64_t ns = latency_of_bucket(i);
            return ns < l->most ? ns : l->most;
        }
    }
    return 0;
}

#endif
