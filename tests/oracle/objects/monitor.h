/* SPDX-License-Identifier: Apache-2.0 */
/* A monitor reads a stream of events; its reports against those that the oracle expects. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_MONITOR_H
#define ASSAY_TESTS_ORACLE_OBJECTS_MONITOR_H

#include "oracle/objects/history.h"
#include "oracle/objects/write.h"

#include <assay.h>
#include <assay_monitor.h>

#include <stdbool.h>
#include <stdint.h>

/* Also which event a monitor names in streams of more than ten operations: it may be a later one where many overlap. */
extern int strict;

#define MAX_REPORTS 512
#define MAX_PARTS 4

struct report {
    uint64_t event, noticed, index, line;
    int object, thread; /* thread NONE: not said */
};

struct reports {
    struct report list[MAX_REPORTS];
    int count;
    bool repeated_event;
};

void on_violation(void *context, const assay_monitor_violation *v);

struct stream {
    int parts;
    struct history *h[MAX_PARTS];
    int first[MAX_PARTS];              /* events before the part */
    int wrong[MAX_PARTS][MAX_OBJECTS]; /* event of the contradiction in the stream; 0: none */
    bool open[MAX_PARTS];              /* calls that never return */
    bool open_object[MAX_PARTS][MAX_OBJECTS];
    bool known;
    struct text text;
};

bool is_weakened(assay_monitor *m, bool *exact, bool *prompt);
void run_monitor(const struct stream *s, const char *engine, bool all, bool by_lines);

/* The same under a weak model. With a window it may give up; without, it must be exact. */
struct watch {
    const char *engine, *model, *visibility; /* NULL: none */
    size_t window;
    bool all, by_lines;
};

void run_watch(const struct stream *s, const struct watch *w);

/* The same through calls instead of text: of histories with one object. */
void run_embedded(const struct stream *s);

#endif
