/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: fix a variable and number its writes by their calls. The writes called after w returned are an end of that row,
 * from some place p on. So for a read r from w,
 *
 *   - versions behind is how many writes from p on returned before r was called. Reads are taken by their calls and
 *     writes by their returns, so that a Fenwick tree over the places has the writes that returned so far;
 *   - the earliest return of newer writes is that of all writes from p on: a least value of each end, found once;
 *   - r is stale iff the write called last, among those that returned so far, was called after w returned. Most reads
 *     are fresh, and take no more than this comparison.
 *
 * A later return of w makes p larger, so that there are fewer newer writes, and less time is behind. So the candidate
 * that returned last explains the least staleness, in versions and in time. The candidates of a value are a row by
 * their calls; the ones not called after r returned are its beginning. For each beginning the last return is found
 * once, and the last return of another operation, for an rmw that wrote the value it read.
 *
 * Invariant: when read r is at hand, the tree holds the returned writes of its variable with a return < the call of r.
 *
 * Complexity: O(n log n) time, O(n) memory, for n reads and writes; sorting by times is linear. */
#include "staleness/behind.h"

#include "base/radix.h"

#include <string.h>

struct row { /* writes or reads by their calls */
    uint32_t n;
    uint32_t *item; /* index among the accesses */
    int64_t *call, *ret;
};

struct finding {
    const struct accesses_measured *a;
    const history *h;
    struct mem *m;
    struct budget *b;
    struct behind_all *out;
    struct row writes, reads;
    struct groups by_content;         /* writes, by their calls */
    uint32_t *last, *other;           /* beside by_content.list: of this beginning of the group, the write that returned
                                         last, and that of another operation, or ID_NONE */
    struct groups by_call, by_return; /* the returned versions of each variable */
    uint32_t *place;                  /* of such a write, in by_call: from 0 in its variable */
    struct groups reads_of;           /* each variable's, by their calls */
    uint32_t *tree, *least;           /* of the variable at hand: the Fenwick tree; of an end, the write of by_call that
                                         returned first */
};

/* ---- order in time ---- */

/* The numbers 0 .. n-1 in the order of their times, of which low is the least. Equal ones keep their order. */
static uint32_t *by_time(const int64_t *time, uint32_t n, struct mem *m)
{
    uint32_t *order = mem_new(m, uint32_t, (size_t)n + 1);
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool sorted = true;
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
        low = time[i] < low ? time[i] : low;
        high = time[i] > high ? time[i] : high;
        sorted &= !i || time[i - 1] <= time[i];
    }
    if (sorted)
        return order;
    uint64_t *items = mem_new(m, uint64_t, n), range = (uint64_t)high - (uint64_t)low;
    /* The lower half of the time first. The second pass sorts places in that order, so that it stays. */
    for (int half = 0; half < 2 && range >> 32 * half; half++) {
        for (uint32_t i = 0; i < n; i++) {
            uint64_t since = (uint64_t)time[order[i]] - (uint64_t)low;
            items[i] = (since >> 32 * half & UINT32_MAX) << 32 | i;
        }
        radix_sort(items, n, m);
        uint32_t *next = mem_new(m, uint32_t, (size_t)n + 1);
        for (uint32_t i = 0; i < n; i++)
            next[i] = order[(uint32_t)items[i]];
        mem_free(m, order);
        order = next;
    }
    mem_free(m, items);
    return order;
}

/* `ops` become the row's items; a pending operation returns at the end of time. */
static struct row row_by_call(const struct finding *f, const uint32_t *ops, uint32_t n, int64_t skew)
{
    struct row r = {
        .n = n, .call = mem_new(f->m, int64_t, (size_t)n + 1), .ret = mem_new(f->m, int64_t, (size_t)n + 1)};
    int64_t *call = mem_new(f->m, int64_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++)
        call[i] = history_widened(f->h->call[ops[i]], skew);
    r.item = by_time(call, n, f->m);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t op = ops[r.item[i]];
        r.call[i] = call[r.item[i]];
        r.ret[i] = history_pending(f->h, op) ? INT64_MAX : f->h->ret[op];
    }
    mem_free(f->m, call);
    return r;
}

static const struct stale_write *write_at(const struct finding *f, uint32_t w)
{
    return &f->a->writes.at[f->writes.item[w]];
}

static void sort_accesses(struct finding *f, int64_t skew)
{
    const struct accesses_measured *a = f->a;
    uint32_t most = a->writes.n > a->reads.n ? a->writes.n : a->reads.n;
    uint32_t *ops = mem_new(f->m, uint32_t, (size_t)most + 1);
    for (uint32_t i = 0; i < a->writes.n; i++)
        ops[i] = a->writes.at[i].op;
    f->writes = row_by_call(f, ops, a->writes.n, skew);
    for (uint32_t i = 0; i < a->reads.n; i++)
        ops[i] = a->reads.at[i].op;
    f->reads = row_by_call(f, ops, a->reads.n, skew);
    mem_free(f->m, ops);
}

/* ---- groups ---- */

/* The returned versions of each variable, by their calls and by their returns. */
static void group_versions(struct finding *f)
{
    uint32_t n = f->writes.n, vars = f->a->initial.n;
    uint32_t *var = mem_new(f->m, uint32_t, (size_t)n + 1), *moved = mem_new(f->m, uint32_t, (size_t)n + 1);
    uint32_t *returned = by_time(f->writes.ret, n, f->m);
    for (uint32_t w = 0; w < n; w++) {
        const struct stale_write *s = write_at(f, w);
        var[w] = s->last && !history_pending(f->h, s->op) ? s->var : ID_NONE;
    }
    f->by_call = group_by(var, n, vars, f->m);
    for (uint32_t i = 0; i < n; i++)
        moved[i] = var[returned[i]];
    f->by_return = group_by(moved, n, vars, f->m);
    for (uint32_t i = 0; i < f->by_return.at[vars]; i++)
        f->by_return.list[i] = returned[f->by_return.list[i]];
    f->place = mem_new(f->m, uint32_t, (size_t)n + 1);
    uint32_t most = 0;
    for (uint32_t x = 0; x < vars; x++) {
        uint32_t from = f->by_call.at[x], to = f->by_call.at[x + 1];
        most = to - from > most ? to - from : most;
        for (uint32_t i = from; i < to; i++)
            f->place[f->by_call.list[i]] = i - from;
    }
    f->tree = mem_new(f->m, uint32_t, (size_t)most + 1);
    f->least = mem_new(f->m, uint32_t, (size_t)most + 1);
    mem_free(f->m, var);
    mem_free(f->m, moved);
    mem_free(f->m, returned);
}

static bool returned_later(const struct finding *f, uint32_t w, uint32_t than)
{
    return than == ID_NONE || f->writes.ret[w] >= f->writes.ret[than];
}

static void group_candidates(struct finding *f)
{
    uint32_t n = f->writes.n;
    uint32_t *content = mem_new(f->m, uint32_t, (size_t)n + 1);
    for (uint32_t w = 0; w < n; w++)
        content[w] = write_at(f, w)->content;
    f->by_content = group_by(content, n, f->a->contents.n, f->m);
    f->last = mem_new(f->m, uint32_t, (size_t)n + 1);
    f->other = mem_new(f->m, uint32_t, (size_t)n + 1);
    for (uint32_t c = 0; c < f->a->contents.n; c++) {
        uint32_t last = ID_NONE, other = ID_NONE;
        for (uint32_t i = f->by_content.at[c]; i < f->by_content.at[c + 1]; i++) {
            uint32_t w = f->by_content.list[i];
            bool same = last != ID_NONE && write_at(f, last)->op == write_at(f, w)->op;
            if (returned_later(f, w, last)) {
                other = same ? other : last;
                last = w;
            } else if (!same && returned_later(f, w, other)) {
                other = w;
            }
            f->last[i] = last;
            f->other[i] = other;
        }
    }
    mem_free(f->m, content);
}

static void group_reads(struct finding *f)
{
    uint32_t *var = mem_new(f->m, uint32_t, (size_t)f->reads.n + 1);
    for (uint32_t r = 0; r < f->reads.n; r++)
        var[r] = f->a->reads.at[f->reads.item[r]].var;
    f->reads_of = group_by(var, f->reads.n, f->a->initial.n, f->m);
    mem_free(f->m, var);
}

/* ---- the source of a read ---- */

enum source_kind { SOURCE_WRITE, SOURCE_INITIAL, SOURCE_LATER, SOURCE_UNKNOWN };

/* How many of the writes list[0 .. n-1], which are in the order of their calls, were called up to the time. */
static uint32_t called_until(const struct finding *f, const uint32_t *list, uint32_t n, int64_t time)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->writes.call[list[middle]] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of the candidates the one that returned last. */
static enum source_kind source_of(const struct finding *f, uint32_t r, uint32_t *source)
{
    const struct stale_read *read = &f->a->reads.at[f->reads.item[r]];
    uint32_t from = f->by_content.at[read->content], n = f->by_content.at[read->content + 1] - from;
    uint32_t before = called_until(f, f->by_content.list + from, n, f->reads.ret[r]);
    *source = ID_NONE;
    if (before) {
        uint32_t last = f->last[from + before - 1];
        *source = write_at(f, last)->op == read->op ? f->other[from + before - 1] : last;
    }
    if (*source != ID_NONE)
        return SOURCE_WRITE;
    if (f->a->initial.at[read->var] == read->content)
        return SOURCE_INITIAL;
    return before < n ? SOURCE_LATER : SOURCE_UNKNOWN;
}

/* ---- one variable ---- */

static void tree_add(uint32_t *tree, uint32_t n, uint32_t place)
{
    for (uint32_t i = place + 1; i <= n; i += i & -i)
        tree[i]++;
}

static uint32_t tree_before(const uint32_t *tree, uint32_t place)
{
    uint32_t sum = 0;
    for (uint32_t i = place; i; i -= i & -i)
        sum += tree[i];
    return sum;
}

static void find_least(struct finding *f, const uint32_t *row, uint32_t n)
{
    for (uint32_t i = n; i--;)
        f->least[i] = i + 1 < n && f->writes.ret[f->least[i + 1]] < f->writes.ret[row[i]] ? f->least[i + 1] : row[i];
}

static void measure_variable(struct finding *f, uint32_t x)
{
    const uint32_t *row = f->by_call.list + f->by_call.at[x], *returned = f->by_return.list + f->by_return.at[x];
    uint32_t n = f->by_call.at[x + 1] - f->by_call.at[x], count = 0, newest = ID_NONE;
    memset(f->tree, 0, ((size_t)n + 1) * sizeof *f->tree);
    find_least(f, row, n);
    for (uint32_t i = f->reads_of.at[x]; i < f->reads_of.at[x + 1]; i++) {
        uint32_t r = f->reads_of.list[i], source;
        for (; count < n && f->writes.ret[returned[count]] < f->reads.call[r]; count++) {
            uint32_t w = returned[count];
            tree_add(f->tree, n, f->place[w]);
            newest = newest == ID_NONE || f->place[w] > f->place[newest] ? w : newest;
        }
        budget_tick(f->b);
        enum source_kind kind = source_of(f, r, &source);
        if (kind == SOURCE_UNKNOWN)
            f->out->unexplained[f->reads.item[r]] = true;
        if (kind > SOURCE_INITIAL || newest == ID_NONE)
            continue;
        bool written = kind == SOURCE_WRITE;
        if (written && f->writes.call[newest] <= f->writes.ret[source])
            continue;
        uint32_t p = written ? called_until(f, row, n, f->writes.ret[source]) : 0;
        struct behind found = {.read = f->reads.item[r],
                               .source = written ? write_at(f, source)->op : ID_NONE,
                               .earliest = write_at(f, f->least[p])->op,
                               .newest = write_at(f, newest)->op,
                               .versions = count - tree_before(f->tree, p),
                               .time = (uint64_t)f->reads.call[r] - (uint64_t)f->writes.ret[f->least[p]]};
        vec_push(f->m, &f->out->stale, found);
    }
}

void behind_find(struct behind_all *out, const struct accesses_measured *a, const history *h, int64_t skew,
                 struct mem *m, struct budget *b)
{
    struct finding f = {.a = a, .h = h, .m = m, .b = b, .out = out};
    out->unexplained = mem_new_zero(m, bool, (size_t)a->reads.n + 1);
    sort_accesses(&f, skew);
    group_versions(&f);
    group_candidates(&f);
    group_reads(&f);
    for (uint32_t x = 0; x < a->initial.n; x++)
        measure_variable(&f, x);
}
