/* SPDX-License-Identifier: Apache-2.0 */
/* The library against an oracle: rounds of random histories, disagreements, and the questions in which a text is the
 * question. */
#ifndef ASSAY_TESTS_ORACLE_FINDING_H
#define ASSAY_TESTS_ORACLE_FINDING_H

#include "support/tier.h"

#include <assay.h>

#include <stdbool.h>

enum { MAX_FINDINGS = 25 };

extern int findings; /* disagreements so far */

/* A part of what an oracle tries: so many rounds in each tier, which get their number. */
struct part {
    const char *name;
    void (*round)(int i, void *arg);
    void *arg;
    uint32_t count[3];
};

/* All parts that are asked for, up to one without a name. Each round has a state of chance.h of its own: that of number i is
 * the same in every run with this seed. Ends early after MAX_FINDINGS. */
void all_parts(const struct request *r, const struct part *parts);

/* Shows a disagreement about the history with this text. One of a history is enough. */
void finding(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first history of a text; NULL: it is not read, which is a finding. */
assay_history *parse(const char *text, const char *format);

/* The history as text in another format, for the caller to free; NULL with e filled in: it cannot be written. */
char *written_as(const assay_history *h, const char *format, assay_error *e);

/* Is the line of evidence accepted? */
bool recheck(const assay_history *h, const char *line, assay_error *e);

/* Ends the program if there is no memory. */
void *need(void *p);

#endif
