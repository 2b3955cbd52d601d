/* SPDX-License-Identifier: Apache-2.0 */
/* The history: operations in columns of 32-bit ids, all memory in one owner.
 *
 * Operation `o` (its number) is row o of the columns. Its values, the arguments and then the result, lie in one pool
 * from values_at[o] on. The result's slot is always there, with kind ASSAY_NONE when there is no result. Threads are
 * numbered densely; the rows of one thread are in program order. Texts (threads, methods, objects, words, strings) are
 * ids into `names`. The notations of integers lie in a column of their own, which is there only if one was not decimal.
 *
 * Reading takes its time mostly for writing columns. So values have 32 bits, and the few that need more lie apart.
 * Three columns are there only where a simple rule fails. Objects have no names. Each operation is one line behind the
 * last. All operations of a thread begin at the same column of the text.
 *
 * Real time: either every operation has a call time (and a return time unless it is pending), or none has. Or some have
 * recorded knowledge instead (`after`). history_times tells which. */
#ifndef ASSAY_HISTORY_HISTORY_H
#define ASSAY_HISTORY_HISTORY_H

#include "assay.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/group.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/vec.h"
#include "history/lists.h"

#include <stdbool.h>
#include <stdint.h>

enum { OP_PENDING = 1 };

enum times { TIMES_NONE, TIMES_INTERVALS, TIMES_AFTER };

enum ids { IDS_AUTO, IDS_THREAD, IDS_OPERATION };

enum clock_unit { CLOCK_UNSAID, CLOCK_NS, CLOCK_US, CLOCK_MS, CLOCK_S };

struct after { /* the first `count` operations of `thread` had returned */
    uint32_t thread, count;
};

struct thread {
    uint32_t name;
    uint32_t count;  /* operations so far */
    uint32_t last;   /* the latest of them, or ID_NONE */
    uint32_t column; /* of the first of them, in its line */
};

struct header {       /* its text is no name: texts of 100,000 lines `@init x0=0` would only be in the way */
    const char *text; /* with a final NUL */
    uint32_t length;
    uint32_t key; /* name */
    uint32_t line;
};

/* key = value of an @init or @final line. A lone value has a key of kind ASSAY_NONE. An initial value of this kind may
 * be any: `@init ?`. */
struct binding {
    struct value key, value;
    uint32_t header; /* index of the line among the headers */
};

struct binding_set { /* no two of one key; those without a key are of one line */
    struct binding *at;
    uint32_t n, cap;
    uint32_t indexed;                     /* so many are in the index: */
    struct idmap place[VALUE_KIND_COUNT]; /* by kind and bits of the key */
};
void bindings_index(struct mem *m, struct binding_set *s); /* called after adding some: a set at rest is indexed */
const struct binding *bindings_find(const struct binding_set *s,
                                    struct value key); /* without a key: the last such; or NULL */

/* The last line of the file, if nothing says that it is whole: it has no newline, so its end may be missing
 * (last_line.h). */
enum doubt {
    DOUBT_NONE,     /* what counts of it is there */
    DOUBT_READ,     /* the result of a read-only operation may go on */
    DOUBT_OUTCOME,  /* the result, the times, or what is known of others may go on; the call is whole */
    DOUBT_ARGUMENT, /* the last argument may go on */
    DOUBT_CALL,     /* it may become any operation, or any event */
    DOUBT_SETTING   /* a declared last value may go on */
};

struct last_line {
    uint64_t line, column; /* of its end; line 0: the last line is whole */
    enum doubt doubt;
    bool latest;       /* it is an event, not earlier than those of the lines before */
    VEC(uint32_t) ops; /* the operations that it is part of */
};

struct object { /* `# @object name kind`; the history's one object has name ID_NONE */
    uint32_t name, kind;
    uint32_t line;
};

enum { HISTORY_WARNING = 240 }; /* bytes of a warning about a header */

struct assay_history {
    struct mem mem;
    struct names names;
    struct list_values lists;
    uint32_t source; /* name of the file, or ID_NONE */

    uint32_t n, cap;
    uint64_t expected; /* so many operations, as far as the reader can tell; 0: it cannot */
    uint32_t *thread, *method;
    uint32_t *values_at; /* and one more: behind the last */
    uint8_t *flags;
    uint32_t *object_column; /* NULL while no object has a name: see history_object_of */
    uint32_t *line_column;   /* NULL while each is the next: see history_line */
    uint32_t first_line;
    uint16_t *column_column; /* NULL while they are those of the threads: see history_column */
    int64_t *call, *ret;     /* NULL until a time is given */
    uint32_t *after_at;      /* n + 1 entries into `after`; NULL until knowledge is given */

    uint8_t *value_kind;      /* assay_kind, perhaps with VALUE_WIDE */
    int32_t *value_bits;      /* or the place in `wide` */
    uint32_t *value_notation; /* NULL while all integers are decimal */
    uint32_t *value_line;     /* NULL while no access has a line of its own: see history_access_line */
    uint32_t value_n, value_cap;
    VEC(int64_t) wide;
    VEC(struct after) after;

    VEC(struct thread) threads;
    VEC(uint32_t) thread_of_name; /* ID_NONE: not a thread's name */

    VEC(struct header) headers;
    struct arena header_texts;
    VEC(struct object) objects;
    struct idmap object_place; /* among them, by name */
    struct binding_set init, final;
    enum ids ids;
    bool counts_elements;     /* a log of Jepsen's queues or sets: a violation is told in its checkers' words as well */
    bool adds_alone;          /* another one, of adds alone: it fits a counter as well, but is read as one of a set */
    bool po_after;            /* `@po after`: knowledge is part of program order, too */
    enum clock_unit clock;    /* `@clock ns`: the unit of all times */
    struct binding_set nodes; /* `@nodes s0=1`: the node that a thread talked to */
    struct last_line last_line;

    /* While reading: the bindings of the header line at hand, and where they stand in it. */
    VEC(struct binding) said;
    VEC(const char *) said_at;
    /* And where the last word that begins like a number stands in the text, until it has been warned of. */
    const char *number_like;
    char warning[HISTORY_WARNING]; /* of the header that assay_history_set set last; empty: none */
};

typedef struct assay_history history;

/* ---- reading ---- */
enum { VALUE_WIDE = 0x80 }; /* its bits lie in `wide` */

/* The number of the operation's arguments: its other values are one, the result. */
static inline uint32_t history_arity(const history *h, uint32_t op)
{
    return h->values_at[op + 1] - h->values_at[op] - 1;
}

/* The value at that place of the pool. */
static inline struct value history_value(const history *h, uint32_t at)
{
    uint8_t kind = h->value_kind[at];
    if (kind & VALUE_WIDE)
        return (struct value){h->wide.at[(uint32_t)h->value_bits[at]], kind & (uint8_t)~VALUE_WIDE};
    return (struct value){h->value_bits[at], kind};
}

static inline struct value history_arg(const history *h, uint32_t op, uint32_t i)
{
    return history_value(h, h->values_at[op] + i);
}

/* The name of the operation's object, or ID_NONE. */
static inline uint32_t history_object_of(const history *h, uint32_t op)
{
    return h->object_column ? h->object_column[op] : ID_NONE;
}

/* The operation's place in the text; its line is 0 if there is none. */
static inline uint32_t history_line(const history *h, uint32_t op)
{
    return h->line_column ? h->line_column[op] : h->first_line + op;
}

/* The line of the i-th access of a transaction, which has three values. */
static inline uint32_t history_access_line(const history *h, uint32_t op, uint32_t i)
{
    uint32_t line = h->value_line ? h->value_line[h->values_at[op] + 3 * i] : 0;
    return line ? line : history_line(h, op);
}

/* The number of accesses before those of transaction op, in a history of transactions alone: each has three values, and
 * each transaction a result. */
static inline uint32_t history_accesses(const history *h, uint32_t op)
{
    return (h->values_at[op] - op) / 3;
}

static inline uint32_t history_column(const history *h, uint32_t op)
{
    return h->column_column ? h->column_column[op] : h->threads.at[h->thread[op]].column;
}

static inline struct value history_result(const history *h, uint32_t op)
{
    return history_value(h, h->values_at[op + 1] - 1);
}

/* The same with the notation of integers, for printing and copying. */
static inline struct value history_written(const history *h, uint32_t op, uint32_t i)
{
    struct value v = history_arg(h, op, i);
    if (h->value_notation)
        v.notation = h->value_notation[h->values_at[op] + i];
    return v;
}

static inline struct value history_written_result(const history *h, uint32_t op)
{
    return history_written(h, op, history_arity(h, op));
}

static inline bool history_pending(const history *h, uint32_t op)
{
    return h->flags[op] & OP_PENDING;
}

static inline const char *history_text(const history *h, uint32_t name)
{
    return names_text(&h->names, name);
}

enum times history_times(const history *h);
bool history_aborted(const history *h, uint32_t op); /* is it a transaction that aborted? */
bool history_any_initial(const history *h);          /* may some initial value be any? */
/* The initial value of a variable: as declared, else 0. An empty list is not declared. */
struct value history_initial(const history *h, struct value variable);
const char *history_source(const history *h);                  /* the file's name or NULL */
const char *history_object(const history *h, uint32_t object); /* its declared kind, or NULL */
void history_declare(history *h, struct object o);             /* replaces an earlier declaration of its name */

/* The operations of each thread, in program order. Memory from m. */
static inline struct groups history_by_thread(const history *h, struct mem *m)
{
    return group_by(h->thread, h->n, h->threads.n, m);
}

/* ---- building (all may escape; see base/escape.h) ---- */
struct new_op {
    uint32_t thread;         /* as numbered by history_thread */
    uint32_t object, method; /* names; object may be ID_NONE */
    const struct value *args;
    uint32_t arity;
    struct value result;
    bool pending;
    uint64_t line;
    uint32_t column;
};

history *history_new(void); /* escapes */
void history_free(history *h);
uint32_t history_name(history *h, const char *text, size_t length);
uint32_t history_thread(history *h, uint32_t name);                               /* known or new */
struct value history_longer(history *h, struct value list, struct value element); /* the element behind the list */
uint32_t history_append(history *h, const struct new_op *op);
/* The thread's call that has not returned, or ID_NONE: until it returns the thread cannot go on. */
static inline uint32_t history_open_call(const history *h, uint32_t thread)
{
    uint32_t last = h->threads.at[thread].last;
    return last != ID_NONE && history_pending(h, last) ? last : ID_NONE;
}

/* Clocks may be wrong by the skew at both ends of a comparison. Twice the skew is taken from the call. The least time
 * is INT64_MIN, and no return is earlier. So a call at that time follows no return, as it should. */
static inline int64_t history_widened(int64_t call, int64_t skew)
{
    uint64_t room = (uint64_t)call - (uint64_t)INT64_MIN, both = 2 * (uint64_t)skew;
    return both > room ? INT64_MIN : (int64_t)((uint64_t)call - both);
}

/* The time of its return; of a pending one, that of its call. The thread's next call is not earlier. */
static inline int64_t history_known_until(const history *h, uint32_t op)
{
    return history_pending(h, op) ? h->call[op] : h->ret[op];
}
void history_set_access_line(history *h, uint32_t op, uint32_t i, uint32_t line);
void history_set_times(history *h, uint32_t op, int64_t call, int64_t ret);
/* A transaction whose outcome is not known, after which its thread went on; or ID_NONE. */
uint32_t history_left_open(const history *h);
/* The pending call `op`, which has times, returned. */
void history_return(history *h, uint32_t op, struct value result, int64_t time);
void history_begin_after(history *h); /* the history records knowledge, even if it is empty so far */
void history_add_after(history *h, uint32_t op, struct after known); /* op must be the last one */

/* The operations that knowledge names must exist; else an escape with the fault in e. */
void history_check_knowledge(const history *h, assay_error *e);

/* A header; ASSAY_ERROR_INPUT in e and false when its text is malformed. `column` is where text starts. */
bool history_header(history *h, const char *key, size_t key_length, const char *text, size_t length, uint64_t line,
                    uint64_t column, assay_error *e);
/* Only keeps it, with a copy of its text. */
void history_keep_header(history *h, struct header header);
bool history_header_known(const char *key, size_t length);

/* A fault of operation op: fills in code, message and place. */
void history_fault(const history *h, uint32_t op, assay_error *e, assay_error_code code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
