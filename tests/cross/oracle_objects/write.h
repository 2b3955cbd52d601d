/* SPDX-License-Identifier: Apache-2.0 */
/* Histories as text. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_WRITE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_WRITE_H

#include "cross/oracle_objects/history.h"

#include <stdio.h>

struct text {
    char *bytes;
    size_t used, room;
};

void add_text(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void add_value(struct text *t, int v);
/* Of a history of events. */
int last_event(const struct history *h);

/* Comments, blank lines and line ends of another kind change nothing. */
void decorate(struct text *t);

void write_history(struct text *t, struct history *h);

#endif
