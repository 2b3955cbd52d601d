/* SPDX-License-Identifier: Apache-2.0 */
/* A history as text, in some style. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_WRITE_H
#define ASSAY_TESTS_ORACLE_MEMORY_WRITE_H

#include "oracle/memory/history.h"
#include "support/say.h"

#include <stdbool.h>
#include <stddef.h>

enum times { NO_TIMES, TIMES, AFTER, EVENTS };

struct style {
    bool respell; /* use the second spellings now and then */
    enum times times;
    bool shuffle;       /* interleave the lines of the threads at random */
    const char *thread; /* how threads are called */
    int salt;           /* their numbers start here */
    bool crlf, comments, bare_headers;
};

/* Calls and returns of all operations in one order that respects program order: event 2i is the call of operation i,
 * 2i + 1 its return. */
int event_order(const struct history *h, int events[2 * MAX_OPS]);

struct style any_style(void);
char *history_text(const struct history *h, struct style s);

#endif
