/* SPDX-License-Identifier: Apache-2.0 */
/* Many short histories, simulated by the collector weak-map or recorded, each checked by several contenders.
 *
 * A check takes microseconds, so histories are made and checked within this process. All contenders check one history
 * before the next, so that a disturbance of the machine disturbs all of them. Threads that record have ended before the
 * first check. */
#ifndef ASSAY_BENCH_TRIAL_H
#define ASSAY_BENCH_TRIAL_H

#include "bench/driver.h"
#include "collect/collect.h"

enum { TRIAL_MOST = 4000, TRIAL_CONTENDERS = 8, TRIAL_LIMIT_MS = 1000 };

struct contender {
    const char *model, *engine;
    bool linearizability; /* the contender decides it; else the history is known to be consistent */
    size_t baseline;      /* the contender that its times are compared with */
    const char *paper;    /* how often the baseline's time it needs there */
    double goal;          /* at most so often; 0: none */
};

struct times {
    double ms[TRIAL_MOST]; /* the limit, if it gave up */
    bool gave_up[TRIAL_MOST];
};

struct trial {
    const struct contender *contenders;
    size_t contender_n;
    struct times of[TRIAL_CONTENDERS];
    bool odd[TRIAL_MOST]; /* not linearizable */
    size_t n;             /* histories */
    double open;          /* of recorded histories: calls that were open when another one began, on average */
};

/* n histories, with the seeds 1, 2, ... Faults: an engine finds a violation of a model that is known to hold; engines
 * disagree on linearizability. */
void trial_run(struct bench *b, struct trial *t, uint32_t operations, uint32_t threads, size_t n);
/* The same with at most n recorded histories. *sample has the counts, and no history any more. */
void trial_run_recorded(struct bench *b, struct trial *t, const struct stress_sampling *how, size_t n,
                        struct stress_sample *sample);

struct summary {
    double median, mean, late, most; /* late: 95 of 100 are at most this */
    size_t gave_up;
};

struct summary trial_summary(const struct trial *t, size_t contender);
/* How often the baseline's time: the median of the histories' ratios, and the ratio of the means. */
double trial_median_ratio(const struct trial *t, size_t contender);
double trial_mean_ratio(const struct trial *t, size_t contender, size_t baseline);

#endif
