/* SPDX-License-Identifier: Apache-2.0 */
/* A line of JSON Lines (docs/guides/formats.md), for the reader of histories and for monitors.
 *
 * The fields of a line come in any order, so they are gathered before the line is understood.
 * Numbers and literals of JSON are tokens of .hist, so values are read as such; a JSON string is a
 * word where it can be one. Names and texts go into h; faults are raised at the cursor's line. */
#ifndef ASSAY_FORMAT_JSONL_LINE_H
#define ASSAY_FORMAT_JSONL_LINE_H

#include "base/json.h"
#include "format/cursor.h"

enum jsonl_type { TYPE_NONE, TYPE_OPERATION, TYPE_CALL, TYPE_RETURN, TYPE_HEADER, TYPE_HISTORY };

enum jsonl_field {
    FIELD_TYPE,
    FIELD_THREAD,
    FIELD_OBJECT,
    FIELD_METHOD,
    FIELD_ARGS,
    FIELD_RESULT,
    FIELD_TIME,
    FIELD_CALL,
    FIELD_RETURN,
    FIELD_PENDING,
    FIELD_AFTER,
    FIELD_KEY,
    FIELDS,
};

struct jsonl_line {
    struct cursor c;
    struct json json;
    history *h;
    const char *at[FIELDS]; /* where each field's value starts in this line, or NULL */
    struct arguments args;
};

/* The fault that json.h found is in the error, with its column. */
_Noreturn void jsonl_fault(struct jsonl_line *s);

/* Finds the fields of the line at the cursor. */
void jsonl_fields(struct jsonl_line *s);
enum jsonl_type jsonl_type(struct jsonl_line *s);

/* A fault if the field is not there. */
static inline void jsonl_need(struct jsonl_line *s, enum jsonl_field field, const char *what)
{
    if (!s->at[field])
        FAULT(&s->c, s->c.p, "expected %s", what);
}

/* ---- from the place that go_to says ---- */

static inline void jsonl_go_to(struct jsonl_line *s, enum jsonl_field field)
{
    s->json.at = s->at[field];
}

static inline void jsonl_expect(struct jsonl_line *s, char c)
{
    if (!json_expect(&s->json, c))
        jsonl_fault(s);
}

/* Does another item follow? */
static inline bool jsonl_another(struct jsonl_line *s, char close, bool first)
{
    enum json_next next = json_next(&s->json, close, first);
    if (next == JSON_BAD)
        jsonl_fault(s);
    return next == JSON_ITEM;
}

struct value jsonl_scalar(struct jsonl_line *s);
/* A name: a word, or an integer where `digits` allows it. */
uint32_t jsonl_name(struct jsonl_line *s, const char *what, bool digits);

/* ---- fields ---- */

int64_t jsonl_integer(struct jsonl_line *s, enum jsonl_field field, const char *what);
/* Object, method, place and arguments. */
void jsonl_call(struct jsonl_line *s, struct new_op *op);
bool jsonl_is_pending(struct jsonl_line *s);     /* "pending":true */
struct value jsonl_result(struct jsonl_line *s); /* ASSAY_NONE: there is none */

struct jsonl_header {
    const char *key;
    size_t key_length;
    const char *text;
    size_t length;
    uint64_t column; /* of the text */
};
struct jsonl_header jsonl_header(struct jsonl_line *s);

#endif
