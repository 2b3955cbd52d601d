/* SPDX-License-Identifier: Apache-2.0 */
/* Histories as text. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_WRITE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_WRITE_H

#include "oracle/objects/history.h"
#include "support/say.h"

#include <stdio.h>

void add_value(struct text *t, int v);
/* Of a history of events. */
int last_event(const struct history *h);

/* Comments, blank lines and line ends of another kind change nothing. */
void decorate(struct text *t);

void write_history(struct text *t, struct history *h);

#endif
