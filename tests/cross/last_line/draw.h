/* SPDX-License-Identifier: Apache-2.0 */
/* Random files as text, one of each kind per call. Values, times and threads are often beginnings of each other, as 1, 12
 * and 121 are, so that a cut line means something else. */
#ifndef ASSAY_TESTS_LAST_LINE_DRAW_H
#define ASSAY_TESTS_LAST_LINE_DRAW_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>

enum { ROOM = 8192, MOST_OPS = 7, THREADS = 3 };

extern struct rng rng;
extern char text[ROOM]; /* the file */
extern size_t length;
extern const char *const threads[THREADS];

void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint32_t any(uint32_t n);
const char *one_of(const char *const *of, uint32_t n);
#define ONE_OF(...)                                                                                                    \
    one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

const char *value(void);
const char *natural(void);
const char *variable(void);

/* Each writes a file and returns its format: of objects (objects.c), of memories and transactions (memories.c). */
const char *hist_operations(void);
const char *hist_events(void);
const char *set_log(void);
const char *jepsen_txt(void);
const char *jepsen_log(void);
const char *csv(void);
const char *hist_memory(void);
const char *hist_events_memory(void);
const char *axe(void);
const char *gem5(void);
const char *litmus(void);
const char *transactions(void);

#endif
