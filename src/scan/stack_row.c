/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/stack_row.h"

void row_open(struct row *row, struct mem *m)
{
    *row = (struct row){.mem = m};
    struct row_mark first = {.lifetime = ID_NONE, .start = ROW_NEVER, .reach = ROW_NEVER};
    vec_push(m, &row->marks, first);
}

void row_close(struct row *row)
{
    vec_free(row->mem, &row->marks);
}

/* Computes the fields of a mark that depend on the marks before it. */
static inline void fold(struct row_mark *mark, const struct row_mark *before)
{
    mark->top = before->top > mark->call ? before->top : mark->call;
    mark->reach = before->reach <= mark->level ? before->reach : mark->start;
}

static inline void raise_level(struct row_mark *mark, uint64_t key)
{
    mark->level = mark->level > key ? mark->level : key;
}

/* Joins the segment of `next`, whose mark vanishes, to the segment before it. */
static inline void join(struct row_mark *mark, const struct row_mark *next)
{
    mark->start = mark->start <= next->level ? mark->start : next->start;
    mark->level = mark->level < next->level ? mark->level : next->level;
}

static void append(struct row *row, uint32_t lifetime, uint64_t call, uint64_t now)
{
    struct row_mark mark = {.at = now, .start = ROW_NEVER, .lifetime = lifetime, .call = call},
                    last = vec_last(&row->marks);
    mark.level = last.top > call ? last.top : call;
    fold(&mark, &last);
    vec_push(row->mem, &row->marks, mark);
}

/* Takes away the marks i > 0 and j, which may be the same, and folds again from i on. */
static void remove_marks(struct row *row, uint32_t i, uint32_t j)
{
    struct row_mark *marks = row->marks.at;
    uint32_t to = i - 1;
    for (uint32_t from = i; from < row->marks.n; from++) {
        if (from == i || from == j) {
            join(&marks[to], &marks[from]);
        } else {
            fold(&marks[to], to ? &marks[to - 1] : &marks[to]);
            marks[++to] = marks[from];
        }
    }
    row->marks.n = to + 1;
    fold(&marks[to], to ? &marks[to - 1] : &marks[to]);
}

static void fold_from(struct row *row, uint32_t i)
{
    for (; i < row->marks.n; i++)
        fold(&row->marks.at[i], &row->marks.at[i - 1]);
}

void row_push(struct row *row, uint32_t lifetime, uint64_t call, uint64_t now)
{
    append(row, lifetime, call, now);
}

void row_mark(struct row *row, uint64_t now)
{
    append(row, ID_NONE, 0, now);
}

void row_call_pop(struct row *row, uint64_t r, uint64_t now)
{
    uint32_t i = row_find(row, r);
    row->marks.at[i].call = 0;
    fold_from(row, i);
    append(row, row->marks.at[i].lifetime, 0, now);
}

void row_pop(struct row *row, uint64_t r, uint64_t q)
{
    uint32_t j = row_find(row, q), i = j;
    while (row->marks.at[i].at > r)
        raise_level(&row->marks.at[--i], r);
    row->marks.at[i].start = r;
    remove_marks(row, i, j);
}

void row_leave(struct row *row, uint64_t r, uint64_t q)
{
    remove_marks(row, row_find(row, r), row_find(row, q));
    struct row_mark *last = &vec_last(&row->marks);
    last->level = last->level < last->top ? last->level : last->top;
    last->start = last->start <= last->level ? last->start : ROW_NEVER;
    fold(last, last > row->marks.at ? last - 1 : last);
}
