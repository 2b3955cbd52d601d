/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: the time of all engines of a model over growing histories, as the thesis has them for memories, or of an
 * object. */
#ifndef ASSAY_BENCH_FIGURE_H
#define ASSAY_BENCH_FIGURE_H

#include "bench/driver.h"

struct figure {
    const char *file, *title;
    const char *paper;         /* the figure that it follows, with its findings */
    const char *model;         /* every engine that decides it takes part; NULL: none */
    const char *const *weaker; /* models that take part with their own engines, up to NULL; or NULL */
    uint32_t mutate;           /* reads that get another value, times (k - 2) / 2; 0: all are valid */
    bool over_threads;         /* 4 to 16 threads of 50 operations; else 200 to 800 operations of 6 threads */
    struct input input;        /* of an object: the fixed parameters */
    const uint32_t *sizes;     /* of an object: how many threads or operations, up to 0 */
    double goal;               /* seconds, for the engine auto; 0: none */
};

/* Table, plot, and how the engines compare at the largest size. */
void figure_run(struct bench *b, const struct figure *f);

/* The rows of the largest size, fastest first, and the engines that gave up before. The figure may be NULL where all
 * tasks have a title. */
void figure_print_findings(const struct bench *b, const struct table *t, const struct figure *f);

#endif
