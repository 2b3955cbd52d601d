/* SPDX-License-Identifier: Apache-2.0 */
/* A collector produces histories. It has parameters and, for a seed, makes one history, operation by operation, without
 * knowing whether it goes into a file or into memory. Members are listed in collect.def. This header is their interface
 * for the program. */
#ifndef ASSAY_COLLECT_COLLECT_H
#define ASSAY_COLLECT_COLLECT_H

#include "assay.h"
#include "collect/cluster/cluster.h"
#include "collect/drive/campaign.h"
#include "collect/stress/record_log.h"
#include "collect/stress/stress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { COLLECT_MOST_PARAMETERS = 20 };

/* A whole number, one of some words, a flag: given (1) or not (0), or a text. */
struct collect_parameter {
    const char *name;  /* --name */
    const char *value; /* its name in help; NULL for a flag */
    const char *help;
    uint64_t fallback, least, most;
    const char *const *words; /* up to NULL: the value is the index of one of them; NULL: a number */
    bool flag;
    const char *text; /* its fallback, if it is a text; else NULL */
    char letter;      /* -o, or 0 */
    const char *also; /* another name that the program accepts, or NULL */
    /* The parameter that it depends on, and the word that this one must have; no word: anything but its fallback. Or
     * NULL. */
    const char *needs, *needs_word;
};

struct collect_settings {
    uint64_t values[COLLECT_MOST_PARAMETERS];   /* in the order of the collector's parameters */
    const char *texts[COLLECT_MOST_PARAMETERS]; /* of those that are texts; the caller's */
    uint64_t seed;
};

/* Where the history goes: operation by operation, or event by event in real time. Each event comes with the whole
 * operation; its times are the numbers of its events, from 1. */
struct collect_sink {
    void (*begin)(struct collect_sink *sink, const char *origin, const char *object);
    void (*operation)(struct collect_sink *sink, const assay_operation *op);
    void (*call)(struct collect_sink *sink, const assay_operation *op);
    void (*returns)(struct collect_sink *sink, const assay_operation *op);
    void (*end)(struct collect_sink *sink);
};

struct mem;

struct collecting {
    const uint64_t *values;
    const char *const *texts;
    uint64_t seed;
    struct mem *mem; /* the collector's working memory, released when it is done */
    struct collect_sink *sink;
    assay_error *error; /* faults are raised as escapes after filling it in; may be NULL */
};

struct collector {
    const char *name, *title, *details;
    const char *notes;    /* more for --help, lines of text; or NULL */
    const char *examples; /* lines of shell, or NULL */
    const char *object;   /* of its histories: `# @object`; NULL: that of the parameter `object`, a text */
    const struct collect_parameter *parameters; /* up to a NULL name */
    void (*run)(const struct collecting *c);    /* one history */
};

extern const struct collector *const collector_table[]; /* up to NULL */
size_t collector_count(void);
const struct collector *collector_find(const char *name); /* or NULL */

/* Every parameter at its fallback, seed 1. */
struct collect_settings collect_defaults(const struct collector *c);
/* Sets a parameter; false: there is no such parameter or value (a number outside its bounds).
 * For a flag the text does not matter; whether a text makes sense is seen when it is used. */
bool collect_set(const struct collector *c, struct collect_settings *s, const char *name, const char *text);

/* The parameter that the i-th one depends on, if that one does not have the needed value; else NULL. */
const struct collect_parameter *collect_needed(const struct collector *c, const struct collect_settings *s, size_t i);

/* `assay gen NAME --parameter value ... --seed S`, which makes this history again, into out. Parameters with their
 * fallback, or without effect, are left out. */
void collect_command(const struct collector *c, const struct collect_settings *s, char *out, size_t size);

/* One history as .hist text; index from 0 within the file. The caller checks `out` for errors. */
bool collect_write(const struct collector *c, const struct collect_settings *s, uint32_t index, FILE *out,
                   assay_error *e);
/* One history in memory; NULL on an error. */
assay_history *collect_history(const struct collector *c, const struct collect_settings *s, assay_error *e);

/* ---- this processor: `assay hardware` ----
 *
 * Not a collector: its settings do not determine its histories. Threads of this machine run a client program, of a
 * litmus shape or a random one, again and again. Runs with the same outcome are one history. (Every read reads from the
 * same write, and the variables of a small program end alike.) */

struct hardware_shape {
    const char *name;
    const char *program; /* threads between bars: Wx writes x, Rx reads it, Xx exchanges, F is a fence */
    const char *title;
};
extern const struct hardware_shape hardware_shapes[]; /* up to a NULL name */
#define HARDWARE_RANDOM "random"                      /* the name of the shape that is none */

enum hardware_pinning { HARDWARE_PIN_IF_POSSIBLE, HARDWARE_PIN, HARDWARE_DO_NOT_PIN };

struct hardware_settings {
    const char *shape;
    unsigned threads, operations, variables; /* of random programs; operations of all threads together */
    unsigned reads, fences, rmws;            /* of 100; the others are writes */
    const unsigned *strides;                 /* bytes from variable to variable: they take turns */
    size_t stride_count;
    enum hardware_pinning pinning;
    uint64_t seed; /* decides on the programs, not on the outcomes */
};

struct hardware_outcome {
    uint64_t times; /* it came up in the last batch */
    bool fresh;     /* it had not come up before */
    uint64_t mark;  /* the caller's own, 0 at first */
};

struct hardware;

/* Starts the threads. NULL on an error. */
struct hardware *hardware_new(const struct hardware_settings *s, assay_error *e);
void hardware_free(struct hardware *h); /* NULL is fine */
unsigned hardware_threads(const struct hardware *h);
unsigned hardware_operations(const struct hardware *h);

/* Some runs, at most `most` (which is above 0), and how many; 0 on an error. The outcomes of a shape stay from batch to
 * batch; a random program is new in each batch, and its outcomes with it. */
uint64_t hardware_batch(struct hardware *h, uint64_t most, assay_error *e);
size_t hardware_outcomes(const struct hardware *h);
struct hardware_outcome *hardware_outcome(struct hardware *h, size_t i);
/* The history of an outcome, with `@final` unless it is long. NULL on an error. */
assay_history *hardware_history(const struct hardware *h, size_t i, assay_error *e);

unsigned hardware_processors(void);      /* that this process may use */
const char *hardware_architecture(void); /* "x86_64", ... */
/* The strongest model of `assay list models` that every processor of this architecture is known to satisfy, with
 * fences and exchanges as full barriers; NULL: none. */
const char *hardware_promise(void);

/* Is the model one that every processor of this architecture is known to satisfy? */
bool hardware_promises(const char *model);

/* A campaign runs shape by shape; each outcome that had not come up before is checked, and the others count with it. */
enum { CAMPAIGN_MOST_MODELS = 32 };

struct campaign_tally {             /* the counts of one model and one shape */
    uint64_t violations, undecided; /* runs */
    uint64_t histories;             /* different ones among the violations */
    char *example;                  /* as .hist, shrunk if it was large; NULL: none */
};

struct campaign {
    /* The caller's: */
    struct hardware_settings hardware; /* the shape does not count */
    char *const *models;
    size_t model_count;
    uint64_t most_runs;           /* of each shape; 0: a usual number, or any within the seconds */
    double most_seconds;          /* of each shape; 0: any */
    double check_seconds;         /* of each check; 0: any */
    bool (*interrupt)(void *arg); /* as in assay_options, with the argument NULL; may be NULL */
    void *arg;
    /* An outcome that is new, and which models it violates (campaign_violates). False: stop. */
    bool (*outcome)(struct campaign *c, const assay_history *h, uint64_t mark);
    /* The first violation, and then the first one of a model that is promised. */
    void (*show)(struct campaign *c, const assay_result *r);
    void (*batch)(struct campaign *c); /* after each */

    /* Of the shape that was run last: */
    struct campaign_tally tallies[CAMPAIGN_MOST_MODELS]; /* by model */
    uint64_t runs, outcomes;
    unsigned threads, operations;
    double seconds;
    /* Of all: */
    bool shown;   /* there was a violation */
    bool broken;  /* a promised model is violated */
    bool open;    /* a check was undecided */
    bool crowded; /* there were more threads than processors */
};

/* Runs one shape, until its runs are done, its time is up, or interrupted. False with an error, or without one if
 * `outcome` said so. */
bool campaign_run(struct campaign *c, const char *shape, assay_error *e);
void campaign_forget(struct campaign *c); /* the last shape */
bool campaign_violates(uint64_t mark, size_t model);

#endif
