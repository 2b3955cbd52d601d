/* SPDX-License-Identifier: Apache-2.0 */
#include "history/blocks.h"

#include "history/slice.h"

#include <string.h>

enum role { ROLE_BEGIN, ROLE_COMMIT, ROLE_ABORT, ROLE_UNKNOWN, ROLE_READ, ROLE_WRITE, ROLE_APPEND, ROLE_RMW };

static const struct shape {
    const char *method;
    enum role role;
    uint32_t arity;
} shapes[] = {
    {"begin", ROLE_BEGIN, 0}, {"commit", ROLE_COMMIT, 0}, {"abort", ROLE_ABORT, 0},   {"unknown", ROLE_UNKNOWN, 0},
    {"read", ROLE_READ, 1},   {"write", ROLE_WRITE, 2},   {"append", ROLE_APPEND, 2}, {"rmw", ROLE_RMW, 3},
};

static bool is(const history *h, uint32_t method, const char *name)
{
    return strcmp(history_text(h, method), name) == 0;
}

bool blocks_go_on(const history *h, uint32_t pending, uint32_t method)
{
    uint32_t last = h->method[pending];
    return is(h, last, "txn") || is(h, last, "commit") || is(h, last, "abort") || is(h, last, "unknown") ||
           is(h, method, "abort") || is(h, method, "unknown");
}

/* ---- blocks ---- */

struct block {
    uint32_t begin, last; /* operations; begin ID_NONE: the thread is in no block */
    struct arguments args;
    VEC(uint32_t) lines; /* of the accesses */
};

struct joining {
    const history *from;
    history *to;
    struct block *blocks;              /* of each thread */
    uint8_t *shape_of;                 /* of each name: 1 + its index in shapes, or 0 */
    uint32_t txn, r, w, append, abort; /* names */
    struct arguments args;
    assay_error *e;
};

static _Noreturn void fault(const struct joining *j, uint32_t op, const char *remedy, const char *format, uint32_t line)
{
    history_fault(j->from, op, j->e, ASSAY_ERROR_INPUT, format, history_text(j->from, j->from->method[op]), line);
    error_remedy(j->e, "%s", remedy);
    escape_raise(ESCAPE_ERROR);
}

static void add_access(struct joining *j, struct block *b, uint32_t op, uint32_t how, struct value value)
{
    struct mem *m = &j->to->mem;
    struct value word = {how, ASSAY_WORD};
    vec_push(m, &b->args, word);
    vec_push(m, &b->args, history_written(j->from, op, 0));
    vec_push(m, &b->args, value);
    vec_push(m, &b->lines, history_line(j->from, op));
}

static void add_accesses(struct joining *j, struct block *b, uint32_t op, enum role role)
{
    const history *h = j->from;
    switch (role) {
    case ROLE_READ: add_access(j, b, op, j->r, history_written_result(h, op)); break;
    case ROLE_WRITE: add_access(j, b, op, j->w, history_written(h, op, 1)); break;
    case ROLE_APPEND: add_access(j, b, op, j->append, history_written(h, op, 1)); break;
    default:
        add_access(j, b, op, j->r, history_written(h, op, 1));
        add_access(j, b, op, j->w, history_written(h, op, 2));
    }
}

/* ---- operations ---- */

static void copy_real_time(struct joining *j, uint32_t row, uint32_t first, uint32_t last, bool pending)
{
    const history *h = j->from;
    if (h->call)
        history_set_times(j->to, row, h->call[first], pending ? INT64_MAX : h->ret[last]);
    for (uint32_t i = h->after_at ? h->after_at[first] : 0; h->after_at && i < h->after_at[first + 1]; i++)
        history_add_after(j->to, row, h->after.at[i]);
}

static void end_block(struct joining *j, struct block *b, uint32_t last, enum role role)
{
    const history *h = j->from;
    bool pending = role == ROLE_UNKNOWN || history_pending(h, last);
    struct new_op op = {.thread = h->thread[b->begin],
                        .object = ID_NONE,
                        .method = j->txn,
                        .args = b->args.at,
                        .arity = b->args.n,
                        .pending = pending,
                        .line = history_line(h, b->begin),
                        .column = history_column(h, b->begin)};
    if (role == ROLE_ABORT && !pending)
        op.result = (struct value){j->abort, ASSAY_WORD};
    uint32_t row = history_append(j->to, &op);
    copy_real_time(j, row, b->begin, last, pending);
    for (uint32_t i = 0; i < b->lines.n; i++)
        history_set_access_line(j->to, row, i, b->lines.at[i]);
    b->begin = ID_NONE;
}

static void begin_block(struct joining *j, struct block *b, uint32_t op)
{
    if (b->begin != ID_NONE)
        fault(j, op, "unknown() ends a transaction whose outcome is unknown",
              "%s() within the transaction that began in line %u", history_line(j->from, b->begin));
    b->begin = b->last = op;
    vec_clear(&b->args);
    vec_clear(&b->lines);
}

/* Only a read has a result that says something. */
static void check_call(const struct joining *j, uint32_t op, const struct shape *shape)
{
    const history *h = j->from;
    struct value result = history_result(h, op);
    if (history_arity(h, op) != shape->arity)
        fault(j, op, "a transaction has read(x) => 1, write(x, 1), append(x, 1) and rmw(x, 1, 2)",
              "%s of a transaction with a wrong number of arguments", 0);
    if (shape->role == ROLE_READ && result.kind == ASSAY_NONE && !history_pending(h, op))
        fault(j, op, "`=> ?` if it is unknown", "this %s has no result", 0);
    if (shape->role != ROLE_READ && result.kind != ASSAY_NONE &&
        !(result.kind == ASSAY_WORD && (is(h, (uint32_t)result.bits, "ok") || is(h, (uint32_t)result.bits, "true"))))
        fault(j, op, "abort() ends a transaction that failed", "the result of %s is absent, `ok` or `true`", 0);
    if (h->after_at && h->after_at[op] < h->after_at[op + 1] && shape->role != ROLE_BEGIN)
        fault(j, op, "its begin() tells what had returned before it", "knowledge of a %s within a transaction", 0);
}

static void take(struct joining *j, uint32_t op)
{
    const history *h = j->from;
    struct block *b = &j->blocks[h->thread[op]];
    uint8_t at = j->shape_of[h->method[op]];
    const struct shape *shape = at ? &shapes[at - 1] : NULL;
    bool inside = b->begin != ID_NONE;
    if (!inside && !shape) {
        uint32_t row = history_copy(j->to, h, op, history_pending(h, op), &j->args);
        copy_real_time(j, row, op, op, history_pending(h, op));
        return;
    }
    if (!shape || history_object_of(h, op) != ID_NONE)
        fault(j, op, "a transaction has read(x) => 1, write(x, 1), append(x, 1) and rmw(x, 1, 2)",
              "%s within the transaction that began in line %u", history_line(h, b->begin));
    check_call(j, op, shape);
    if (shape->role == ROLE_BEGIN)
        begin_block(j, b, op);
    else if (!inside)
        fault(j, op, "a transaction begins with begin()", "%s outside of a transaction", 0);
    else if (shape->role <= ROLE_UNKNOWN)
        end_block(j, b, op, shape->role);
    else
        add_accesses(j, b, op, shape->role);
    b->last = op;
}

static uint32_t name(history *h, const char *text)
{
    return history_name(h, text, strlen(text));
}

static void prepare(struct joining *j)
{
    const history *h = j->from;
    struct mem *m = &j->to->mem;
    j->txn = name(j->to, "txn");
    j->r = name(j->to, "r");
    j->w = name(j->to, "w");
    j->append = name(j->to, "append");
    j->abort = name(j->to, "abort");
    j->shape_of = mem_new_zero(m, uint8_t, h->names.all.n + 1);
    for (uint8_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint32_t id = names_find(&h->names, shapes[i].method, strlen(shapes[i].method));
        if (id != ID_NONE)
            j->shape_of[id] = (uint8_t)(i + 1);
    }
    j->blocks = mem_new_zero(m, struct block, h->threads.n + 1);
    for (uint32_t t = 0; t < h->threads.n; t++)
        j->blocks[t].begin = ID_NONE;
    if (h->after_at)
        history_begin_after(j->to);
}

static void release(struct joining *j)
{
    struct mem *m = &j->to->mem;
    for (uint32_t t = 0; t < j->from->threads.n; t++) {
        vec_free(m, &j->blocks[t].args);
        vec_free(m, &j->blocks[t].lines);
    }
    vec_free(m, &j->args);
    mem_free(m, j->blocks);
    mem_free(m, j->shape_of);
}

/* What the last line is about is the last operation of its thread, before and after. */
static void keep_last_line(struct joining *j)
{
    const struct last_line *from = &j->from->last_line;
    struct last_line *to = &j->to->last_line;
    *to = *from;
    to->ops.at = NULL;
    to->ops.n = to->ops.cap = 0;
    for (uint32_t i = 0; i < from->ops.n; i++)
        vec_push(&j->to->mem, &to->ops, j->to->threads.at[j->from->thread[from->ops.at[i]]].last);
}

static void join(void *arg)
{
    struct joining *j = arg;
    const history *h = j->from;
    j->to = history_frame(h);
    j->to->mem.limit = h->mem.limit; /* while reading */
    prepare(j);
    for (uint32_t op = 0; op < h->n; op++)
        take(j, op);
    for (uint32_t t = 0; t < h->threads.n; t++)
        if (j->blocks[t].begin != ID_NONE)
            end_block(j, &j->blocks[t], j->blocks[t].last, ROLE_UNKNOWN);
    keep_last_line(j);
    release(j);
    history_check_knowledge(j->to, j->e);
}

/* ---- histories ---- */

static bool has_blocks(const history *h)
{
    uint32_t begin = names_find(&h->names, "begin", 5), commit = names_find(&h->names, "commit", 6);
    const char *object = history_object(h, ID_NONE);
    if ((begin == ID_NONE && commit == ID_NONE) || (object && strcmp(object, "multi-register") != 0))
        return false;
    for (uint32_t op = 0; op < h->n; op++)
        if ((h->method[op] == begin || h->method[op] == commit) && history_object_of(h, op) == ID_NONE)
            return true;
    return false;
}

history *blocks_joined(history *h, assay_error *e)
{
    struct joining j = {.from = h, .e = e};
    if (!has_blocks(h))
        return h;
    enum escape left = escape_run(join, &j);
    if (left) {
        history_free(j.to);
        escape_raise(left);
    }
    return j.to;
}
