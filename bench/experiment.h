/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments of a paper: its algorithms, under the names that they have there, in its sizes, on histories of simulated
 * caches. */
#ifndef ASSAY_BENCH_EXPERIMENT_H
#define ASSAY_BENCH_EXPERIMENT_H

#include "bench/driver.h"

struct curve {
    const char *paper; /* its name there */
    const char *model, *engine;
};

struct experiment {
    const char *file, *title;
    const char *paper;               /* the figure that it repeats, with its findings */
    const struct curve *curves;      /* up to a NULL model */
    bool over_threads;               /* the sizes are threads of 50 operations each; else operations */
    uint32_t threads;                /* of all histories, if not over_threads */
    uint32_t first, last, step;      /* sizes */
    uint32_t count;                  /* histories at a size, with --papers */
    struct input input;              /* the fixed parameters */
    const struct curve *slow, *fast; /* how often the time of the fast one the slow one needs; or NULL */
};

/* Table, plot, findings; with fewer histories at a size if --papers was not given. */
void experiment_run(struct bench *b, const struct experiment *e);

#endif
