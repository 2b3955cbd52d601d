/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of suites: inputs, cases, measuring, tables with goals, plots. */
#ifndef ASSAY_BENCH_DRIVER_H
#define ASSAY_BENCH_DRIVER_H

#include "bench/bench.h"

#include <stdint.h>

enum { PATH_SPACE = 512, COMMAND_SPACE = 512, MOST_ROWS = 128, ANY_VERDICT = -1, CELL_SPACE = 64 };

/* The legend of suites about histories of memories. */
#define MEMORY_INPUTS                                                                                                  \
    "v: variables; half of the operations are reads. `memory` names the\nsimulated memory that "                       \
    "the "                                                                                                             \
    "random clients used."

struct bench {
    const struct bench_settings *set;
    const struct suite *suite;
    char folder[PATH_SPACE]; /* generated inputs; removed at the end */
    assay_error *error;      /* the first fault; nothing more is measured after it */
};

/* No fault so far, the output is still read, and no interrupt came. */
bool bench_goes_on(const struct bench *b);
void bench_fault(struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- inputs: histories of `assay gen memory`, `coherence` and `object` ---- */

struct input {
    const char *kind;                        /* of memory, or NULL: */
    const char *object;                      /* its parameter, too; or NULL: */
    const char *protocol;                    /* of caches; "all": all of them in turn */
    const char *store;                       /* of transactions: its level; operations are transactions, threads are
                                              * sessions, variables are keys */
    bool lists;                              /* transactions */
    const char *format;                      /* of the file: jsonl, or edn for a register; NULL: .hist */
    const char *const *bugs;                 /* of caches, in turn, up to NULL; or NULL */
    uint32_t operations, threads, variables; /* of an object: values and keys */
    uint32_t clauses, satisfiable;           /* not 0: of formulas, whose variables these are */
    uint32_t values;                         /* of memory, transactions: so many; 0: every write its own */
    uint32_t initial;                        /* of memory: so many variables have a line of their own, @init x7=0 */
    uint32_t mutate, distance;               /* distance 0: any */
    bool shuffle;                            /* memory */
    bool distinct;                           /* objects */
    uint32_t observers, size, pending;       /* objects */
    const char *methods;                     /* objects: the methods that are called; NULL: all */
    bool silent;                             /* objects: results that need not be recorded are left out */
    uint32_t count;                          /* histories with the seeds 1, 2, ...; 0 stands for 1 */
    /* Not NULL: histories that satisfy this model are left out. With `half`, every second one satisfies it, and was not
     * changed. */
    const char *violates;
    bool half;
};

/* Makes the file, unless it is there already. */
bool input_file(struct bench *b, const struct input *in, char path[PATH_SPACE]);
/* `assay gen ...`, which makes it. */
void input_command(const struct input *in, char *out, size_t size);
/* The first history of it, in memory; the caller's. NULL: it cannot be made. */
assay_history *input_history(const struct input *in);

/* ---- cases ---- */

struct task {
    struct input input;
    const char *model, *engine; /* model NULL: only read the file; engine NULL: whichever is chosen */
    const char *title;          /* its name in a paper, or NULL */
    int expected;               /* an assay_verdict, or ANY_VERDICT */
    bool may_decline;           /* a history that the engine does not take counts as undecided */
    double limit;               /* seconds of a check, by the clock on the wall; 0: none */
    bool limit_is_cpu;          /* CPU seconds instead, which a busy machine does not use up */
    double enough;              /* seconds of all checks, after which no further history is read; 0: all are */
    unsigned rounds;            /* that many processes; the median counts */
};

struct sample {
    double read, check; /* CPU seconds, children included; means of the input's histories */
    double slowest;     /* of the checks */
    double peak;        /* megabytes */
    uint32_t histories, violations;
    bool undecided;  /* one history was, and no further one was tried */
    char engine[24]; /* that decided the last one */
};

/* Measures in a process of its own, so that memory is the case's alone. Checks below 20 ms are repeated
 * within the process, and the median counts. False: the fault is noted. */
bool measure(struct bench *b, const struct task *t, struct sample *out);

double thread_seconds(void); /* CPU time of this thread */
double cpu_seconds(void);    /* of this process and its children that have ended */
double wall_seconds(void);   /* on the clock on the wall */

/* Runs fn in a process of its own, which leaves `size` bytes at `out`. False: it died. */
bool in_child(void (*fn)(void *arg, void *out), void *arg, void *out, size_t size);

/* Zeroed memory that a process shares with its children; NULL: there is none. */
void *shared_alloc(size_t size);
void shared_free(void *at, size_t size);

/* ---- tables ---- */

struct goal {
    double read, check, peak; /* at most; 0: no goal */
    double total;             /* reading and checking, of all histories of the file together */
    double each;              /* the slowest check */
    const char *peer;         /* the time of the best other tool, quoted; or NULL */
};

struct row {
    struct task task;
    struct goal goal;
    struct sample sample;
};

struct table {
    struct row rows[MOST_ROWS];
    size_t n;
};

/* Measures and appends; quietly does nothing once the bench does not go on. */
void table_add(struct bench *b, struct table *t, const struct task *task, struct goal goal);
/* The command, the table, and a line for each goal that says by how much it is met or missed. */
void table_print(const struct bench *b, const struct table *t);
/* A command for each row, to repeat it by hand. */
void table_print_commands(const struct bench *b, const struct table *t);

/* The source of the history, and its changes: "queue, 6 pending, 1 exchanged". */
void input_print(const struct input *in, char out[CELL_SPACE]);
void sample_print_verdict(const struct sample *s, char out[CELL_SPACE]);

void heading(const struct bench *b, const char *title);
void paragraph(const struct bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* 1000000 as 1,000,000; one of a few static buffers. */
const char *grouped(uint32_t n);

/* ---- plots ---- */

struct plot {
    const char *file, *title, *x_title, *y_title;
    double (*x)(const struct row *r);
    double (*y)(const struct row *r);                           /* below 0: leave the point out */
    void (*label)(const struct row *r, char *out, size_t size); /* rows of one label are a line */
    bool log_x;
    bool linear; /* draw a line of linear growth for comparison */
};

/* Makes the folder, and notes a fault now rather than after minutes if nothing can be drawn. */
void plot_prepare(struct bench *b);
void plot_table(struct bench *b, const struct table *t, const struct plot *p);
/* The pictures of a chart, and its numbers in FILE.tsv. */
struct chart;
void plot_chart(struct bench *b, const char *file, const struct chart *c);
/* print writes gnuplot's script, without the common part of all plots. */
void plot_draw(struct bench *b, const char *file, const char *title, void (*print)(FILE *to, const void *what),
               const void *what);

/* One point for each history: how long two algorithms took. */
struct scatter {
    const char *file, *title, *x_title, *y_title;
    const double *x, *y; /* milliseconds */
    const bool *marked;  /* of each point: it is drawn in the second color */
    size_t n;
    const char *names[2]; /* of the colors */
    double limit;         /* where a check is given up */
};

void plot_scatter(struct bench *b, const struct scatter *s);

double row_operations(const struct row *r);
double row_threads(const struct row *r);
double row_check(const struct row *r);
double row_peak(const struct row *r);

#endif
