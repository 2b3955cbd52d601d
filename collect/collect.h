/* SPDX-License-Identifier: Apache-2.0 */
/* A collector produces histories: it has parameters and, for a seed, makes one history,
 * operation by operation, without knowing whether it goes into a file or into memory. Members
 * are listed in collect.def. This header is what the program sees of them. */
#ifndef ASSAY_COLLECT_COLLECT_H
#define ASSAY_COLLECT_COLLECT_H

#include "assay.h"
#include "collect/stress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { COLLECT_MOST_PARAMETERS = 16 };

/* A whole number, one of some words, a flag: given (1) or not (0), or a text. */
struct collect_parameter {
    const char *name;  /* --name */
    const char *value; /* its name in help; NULL for a flag */
    const char *help;
    uint64_t fallback, least, most;
    const char *const
        *words; /* up to NULL: the value is the index of one of them; NULL: a number */
    bool flag;
    const char *text; /* its fallback, if it is a text; else NULL */
};

struct collect_settings {
    uint64_t values[COLLECT_MOST_PARAMETERS];   /* in the order of the collector's parameters */
    const char *texts[COLLECT_MOST_PARAMETERS]; /* of those that are texts; the caller's */
    uint64_t seed;
};

/* Where the history goes: operation by operation, without times and pending ones, or event by event in real time. Each
 * event comes with the whole operation; its times are the numbers of its events, from 1. */
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
    const char *
        object; /* of its histories: `# @object`; NULL: what the parameter `object`, a text, says */
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
bool collect_set(const struct collector *c, struct collect_settings *s, const char *name,
                 const char *text);

/* `assay gen NAME --parameter value ... --seed S`, which makes this history again, into out.
 * What has its fallback is left out. */
void collect_command(const struct collector *c, const struct collect_settings *s, char *out,
                     size_t size);

/* One history as .hist text; index from 0 within the file. The caller looks after errors of
 * `out`. */
bool collect_write(const struct collector *c, const struct collect_settings *s, uint32_t index,
                   FILE *out, assay_error *e);
/* One history in memory; NULL on an error. */
assay_history *collect_history(const struct collector *c, const struct collect_settings *s,
                               assay_error *e);

#endif
