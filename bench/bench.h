/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks: a suite measures cases and prints tables of goals. Members are listed in suites.def. This header is their
 * interface for the program. */
#ifndef ASSAY_BENCH_BENCH_H
#define ASSAY_BENCH_BENCH_H

#include "assay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bench;
struct ledger;

struct suite {
    const char *name, *title;
    const char *inputs; /* the meaning of v and of the first column of its tables */
    const char *legend; /* instead, where the tables are of another kind; or NULL */
    void (*run)(struct bench *b);
    void (*run_recorded)(struct bench *b); /* the rest, on histories recorded from threads of this machine; or NULL */
    void (*run_papers)(struct bench *b);   /* instead, with --papers: the papers' experiments in their sizes; or NULL */
    const char *page; /* the title of its page, which lies in docs/guides/; NULL: in docs/internals/benchmarks/ */
    bool databases;   /* it has --histories, --work and --only, and is no part of `all`, since it starts servers */
};

extern const struct suite *const suite_table[];   /* up to NULL */
const struct suite *suite_find(const char *name); /* or NULL */

struct bench_settings {
    const char *command;                                           /* how the user called it */
    const char *svg;                                               /* the folder for plots; NULL: none */
    bool (*save)(const char *name, const char *text, size_t size); /* writes a plot; false, once it has said why */
    bool quick;                                                    /* small sizes: does it run at all? */
    bool recorded;                                                 /* only the part on recorded histories */
    bool papers;                                                   /* only the papers' experiments, in their sizes */
    uint64_t histories;                                            /* databases: of a setting; 0: as the suite has it */
    const char *work;             /* databases: the folder that keeps the histories; NULL: none is kept */
    const char *only;             /* databases: names of stores and parts; NULL: all */
    bool markdown;                /* a document, with the machine's facts and the plots */
    bool (*interrupt)(void *arg); /* as in assay_options, with the argument NULL */
    FILE *out;
    struct ledger *ledger; /* notes the figures; NULL: none does */
};

/* Runs a suite. False, with e: something failed or a verdict was not the one known beforehand. */
bool bench_run(const struct suite *s, const struct bench_settings *set, assay_error *e);

#endif
