/* SPDX-License-Identifier: Apache-2.0 */
/* The history that entries make: is each right behind those before it? */
#ifndef ASSAY_FORMAT_ENTRIES_H
#define ASSAY_FORMAT_ENTRIES_H

#include "format/entry.h"
#include "format/log_calls.h"

enum form { FORM_UNKNOWN, FORM_OPERATIONS, FORM_EVENTS };

struct entries {
    struct cursor c;
    history *h;
    struct entry entry; /* that is to be taken, or was */
    enum form form;
    struct calls clock; /* event form: of the events */
    bool bare;          /* event form: some call has arguments without brackets */
};

void entries_begin(struct entries *s, struct input *in, history **h, struct warnings *warnings, assay_error *e);
/* Takes the entry of the line at the cursor. False: it is the border behind a history. */
bool entries_take(struct entries *s);
/* The history is complete; may raise a fault. */
void entries_end(struct entries *s);
bool entries_any(const struct entries *s); /* a history was begun */

/* ---- one entry ---- */

/* An operation: its number. A fault is raised at the cursor's line, perhaps after the operation was appended. */
uint32_t entry_operation(struct cursor *c, history *h, struct entry *e);
/* A header; of an unknown key is warned. */
void entry_header(struct cursor *c, history *h, const struct entry *e);
/* The faults of an event whose id has an open call, or none. */
_Noreturn void entry_second_call(struct cursor *c, const struct entry *e, uint64_t line, const char *or_else);
_Noreturn void entry_no_call(struct cursor *c, const struct entry *e);

#endif
