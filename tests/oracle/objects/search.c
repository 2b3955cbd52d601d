/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/search.h"

#include "oracle/finding.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"
#include "oracle/objects/value.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NODES 120000

static void push_word(struct memo *m, int32_t w)
{
    if (m->used == m->size)
        m->bytes = need(realloc(m->bytes, (m->size = m->size ? 2 * m->size : 4096) * sizeof *m->bytes));
    m->bytes[m->used++] = w;
}

static size_t record_hash(const int32_t *p, size_t n)
{
    uint64_t x = 1;
    for (size_t i = 0; i < n; i++)
        x = (x ^ (uint32_t)p[i]) * 0x9e3779b97f4a7c15u, x ^= x >> 29;
    return (size_t)x;
}

static void memo_grow(struct memo *m)
{
    size_t old = m->room, *starts = m->starts;
    m->room = old ? 2 * old : 256;
    m->starts = need(calloc(m->room, sizeof *m->starts));
    for (size_t i = 0; i < old; i++)
        if (starts[i]) {
            size_t at = record_hash(m->bytes + starts[i], (size_t)m->bytes[starts[i] - 1]) & (m->room - 1);
            while (m->starts[at])
                at = (at + 1) & (m->room - 1);
            m->starts[at] = starts[i];
        }
    free(starts);
}

/* Has this downset with these states been here before? Whole records are compared. */
static bool seen_before(struct search *s)
{
    struct memo *m = &s->memo;
    if (2 * (m->count + 1) > m->room)
        memo_grow(m);
    size_t begin = m->used;
    push_word(m, 0);
    for (int w = 0; w < WORDS; w++) {
        push_word(m, (int32_t)s->done[w]);
        push_word(m, (int32_t)(s->done[w] >> 32));
    }
    for (int i = 0; i < s->h->objects; i++) {
        const struct object *o = &s->state[i];
        push_word(m, o->count);
        push_word(m, (int32_t)o->number);
        push_word(m, (int32_t)(o->number >> 32));
        push_word(m, (int32_t)o->writer);
        for (int k = 0; k < o->count; k++) {
            push_word(m, o->key[k]);
            push_word(m, o->value[k]);
        }
    }
    size_t start = begin + 1, n = m->used - start;
    m->bytes[begin] = (int32_t)n;
    size_t at = record_hash(m->bytes + start, n) & (m->room - 1);
    for (; m->starts[at]; at = (at + 1) & (m->room - 1)) {
        size_t other = m->starts[at];
        if ((size_t)m->bytes[other - 1] == n && !memcmp(m->bytes + other, m->bytes + start, n * sizeof *m->bytes)) {
            m->used = begin;
            return true;
        }
    }
    m->starts[at] = start;
    m->count++;
    return false;
}

bool may_come(const struct search *s, int i)
{
    if (!s->take[i] || has(s->done, i))
        return false;
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = s->r->before[i][w] & ~s->done[w]; left; left &= left - 1)
            if (s->take[w * 64 + __builtin_ctzll(left)])
                return false;
    return true;
}

static bool may_swap(const struct op *x, const struct op *y)
{
    if (x->args[0] == v_null || y->args[0] == v_null)
        return false;
    return (x->pending || x->result == y->args[0]) && (y->pending || y->result == x->args[0]);
}

static enum answer explore(struct search *s);

static enum answer take_exchange(struct search *s, int i)
{
    const struct op *x = &s->h->op[i];
    enum answer a = NO;
    if (x->pending)
        return NO; /* of use as a partner only */
    if (x->result == v_null) {
        put_bit(s->done, i);
        a = explore(s);
        drop_bit(s->done, i);
        return a;
    }
    for (int j = 0; j < s->h->ops && a == NO; j++) {
        if (j == i || s->h->op[j].object != x->object || !may_come(s, j) || !may_swap(x, &s->h->op[j]))
            continue;
        put_bit(s->done, i);
        put_bit(s->done, j);
        a = explore(s);
        drop_bit(s->done, i);
        drop_bit(s->done, j);
    }
    return a;
}

static enum answer take_choice(struct search *s, int i, int choice)
{
    const struct op *op = &s->h->op[i];
    struct object saved = s->state[op->object];
    enum answer a = NO;
    int result;
    release_choice = choice;
    if (step(s->h, &s->state[op->object], op, &result) && result_fits(s->h, op, result)) {
        put_bit(s->done, i);
        a = explore(s);
        drop_bit(s->done, i);
    }
    s->state[op->object] = saved;
    return a;
}

static enum answer take_step(struct search *s, int i)
{
    const struct op *op = &s->h->op[i];
    bool releasing = op->method == RELEASE && has_tags(s->h->kinds[op->object]);
    int choices = releasing ? releases(&s->state[op->object]) : 1;
    enum answer a = NO;
    for (int choice = 0; choice < choices && a == NO; choice++)
        a = take_choice(s, i, choice);
    return a;
}

static enum answer explore(struct search *s)
{
    bool all = true;
    for (int i = 0; i < s->h->ops; i++)
        all = all && (!s->take[i] || s->h->op[i].pending || has(s->done, i));
    if (all)
        return YES;
    if (++s->nodes > NODES)
        return TOO_MUCH;
    if (seen_before(s))
        return NO;
    for (int i = 0; i < s->h->ops; i++) {
        if (!may_come(s, i))
            continue;
        enum answer a = s->h->kinds[s->h->op[i].object] == EXCHANGER ? take_exchange(s, i) : take_step(s, i);
        if (a != NO)
            return a;
    }
    return NO;
}

void begin_search(struct search *s, const struct history *h, const struct order *r, const bool *take)
{
    memset(s, 0, sizeof *s);
    s->h = h;
    s->r = r;
    s->take = take;
    for (int i = 0; i < h->objects; i++)
        create(h, i, &s->state[i]);
}

enum answer linearizable_part(const struct history *h, const struct order *r, const bool *take)
{
    static struct search s;
    begin_search(&s, h, r, take);
    enum answer a = explore(&s);
    free(s.memo.starts);
    free(s.memo.bytes);
    return a;
}

enum answer linearizable(const struct history *h, bool real_time)
{
    static struct order r;
    happens_before(h, real_time, &r);
    bool take[MAX_OPS], interval = is_interval_order(h, &r), exchangers = false;
    for (int i = 0; i < h->objects; i++)
        exchangers = exchangers || h->kinds[i] == EXCHANGER;
    for (int i = 0; i < h->ops; i++)
        take[i] = true;
    if (!interval || h->objects <= 3) {
        enum answer a = linearizable_part(h, &r, take);
        /* The definition says that partners overlap. Whether pairs must also have a common order, where the
         * order is none of intervals, it leaves open. */
        return a == NO && exchangers && !interval ? TOO_MUCH : a;
    }
    enum answer all = YES;
    for (int o = 0; o < h->objects && all != NO; o++) {
        for (int i = 0; i < h->ops; i++)
            take[i] = h->op[i].object == o;
        enum answer a = linearizable_part(h, &r, take);
        if (a != YES)
            all = a;
    }
    return all;
}
