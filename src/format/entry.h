/* SPDX-License-Identifier: Apache-2.0 */
/* An entry: what one line of a history says, be it .hist (hist_line.h), JSON Lines (jsonl_line.h) or a row of a table.
 *
 * Whoever reads a line fills one in and knows nothing of the lines before. Whether it fits them is asked by whoever
 * takes it: a history (entries.h), or a monitor that follows a stream. So both read the same language, and report the
 * same faults in it. */
#ifndef ASSAY_FORMAT_ENTRY_H
#define ASSAY_FORMAT_ENTRY_H

#include "format/cursor.h"

enum entry_kind {
    ENTRY_NOTHING, /* blank, or a comment */
    ENTRY_OPERATION,
    ENTRY_CALL,
    ENTRY_RETURN,
    ENTRY_HEADER,
    ENTRY_BORDER, /* of two histories */
};

enum entry_times { TIMES_ABSENT, TIMES_EVENT, TIMES_INTERVAL, TIMES_KNOWLEDGE };

/* How arguments are written: `push(5)`, `push 5`, or neither. */
enum entry_notation { NOTATION_OPEN, NOTATION_BRACKETS, NOTATION_BARE };

/* The lines that are taken at all, and the fault of others. */
struct entry_forms {
    bool operations, events;
    const char *expected, *remedy;
};

struct known_thread { /* so many operations of the thread had returned */
    uint32_t name, count;
};

struct entry {
    /* By whoever takes it, for all lines. */
    const struct entry_forms *forms;
    bool begun; /* the history has operations, so headers are too late */

    enum entry_kind kind;
    bool json;
    const char *start;     /* of what the line says */
    const char *at;        /* where the thread or id stands, or a header begins */
    uint32_t name;         /* of the thread or id, once it is known */
    struct new_op op;      /* without its thread; of a return, the result only. Pending: `?` stands in its place */
    struct arguments args; /* the room of its arguments */
    enum entry_notation notation;
    enum doubt doubt; /* where the line may go on: about what */

    enum entry_times times;
    int64_t called, returned; /* an event has only the first */
    const char *times_at, *called_at, *returned_at;
    VEC(struct known_thread) known;

    bool comment; /* the header is one to other programs; a comment has no text if it is no header */
    const char *key, *text, *text_at; /* text_at is in the line */
    size_t key_length, text_length;
};

/* Forgets the last line, but not its room. */
static inline void entry_begin(struct entry *e, const char *start)
{
    e->kind = ENTRY_NOTHING;
    e->json = false;
    e->start = e->at = e->times_at = start;
    e->name = ID_NONE;
    e->op = (struct new_op){.object = ID_NONE};
    e->notation = NOTATION_OPEN;
    e->times = TIMES_ABSENT;
    e->comment = false;
    e->key_length = 0;
    vec_clear(&e->args);
    vec_clear(&e->known);
}

#endif
