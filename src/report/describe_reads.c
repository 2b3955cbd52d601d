/* SPDX-License-Identifier: Apache-2.0 */
/* Why do reads of whole sets, or of strings that are appended to, contradict each other? If no operation of the proof
 * takes anything out, the set only grows, and so does a string. Then the later of two reads has all that the earlier
 * one has, so two or three lines of the history suffice to see the contradiction. */
#include "history/lists.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

enum { MOST = 4000 }; /* elements of the reads: they are compared with each other */

struct whole_read {
    uint32_t op, n;
    const struct list_value **elements;
};

struct reads {
    const result *r;
    struct text *out;
    struct whole_read *at;
    uint32_t n, elements;
};

static bool has(const struct whole_read *x, struct value v)
{
    bool found = false;
    for (uint32_t i = 0; i < x->n && !found; i++)
        found = value_same(x->elements[i]->last, v);
    return found;
}

/* An element of `x` that `y` misses, or NULL. */
static const struct value *missed(const struct whole_read *x, const struct whole_read *y)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (!has(y, x->elements[i]->last))
            return &x->elements[i]->last;
    return NULL;
}

/* The reads of the proof. False: it has calls of another kind, so that something may have been taken out. */
static bool gather(struct reads *s)
{
    const result *r = s->r;
    const history *h = r->h;
    s->at = mem_new(s->out->mem, struct whole_read, r->evidence.kept.n);
    for (uint32_t i = 0; i < r->evidence.kept.n; i++) {
        uint32_t op = r->evidence.kept.at[i];
        struct value v = history_result(h, op);
        if (v.kind == ASSAY_LIST && !history_arity(h, op)) {
            const struct list_value *l = h->lists.all.at[v.bits];
            s->at[s->n++] = (struct whole_read){.op = op, .n = l->length, .elements = list_elements(l, s->out->mem)};
            s->elements += l->length;
        } else if (!describe_is_call(r, op, SET_ADD)) {
            return false;
        }
    }
    return s->n && s->elements <= MOST;
}

static bool has_one_twice(const struct reads *s, const struct whole_read *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (value_same(x->elements[i]->last, x->elements[j]->last)) {
                describe_say(s->out, s->r->h, ": %P has %V twice", x->op, x->elements[i]->last);
                return true;
            }
    return false;
}

static bool contradict(const struct reads *s, const struct whole_read *x, const struct whole_read *y)
{
    const history *h = s->r->h;
    const struct value *x_alone = missed(x, y), *y_alone = missed(y, x);
    if (!x_alone || (!y_alone && !(h->call && h->ret[x->op] < h->call[y->op])))
        return false;
    describe_say(s->out, h, ": %P has %V", x->op, *x_alone);
    if (y_alone)
        describe_say(s->out, h, " and not %V, %P has %V and not %V%s", *y_alone, y->op, *y_alone, *x_alone,
                     ", but of two reads the later one has all that the earlier one has");
    else
        describe_say(s->out, h, " and returned before %P was called, which has not", y->op);
    return true;
}

/* An add returned before another one was called, and a read has the later element alone. */
static bool skips(const struct reads *s, const struct whole_read *x)
{
    const struct evidence *ev = &s->r->evidence;
    const history *h = s->r->h;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        for (uint32_t j = 0; j < ev->kept.n; j++) {
            uint32_t a = ev->kept.at[i], b = ev->kept.at[j];
            if (!h->call || !history_arity(h, a) || !history_arity(h, b) || h->ret[a] >= h->call[b] ||
                has(x, history_arg(h, a, 0)) || !has(x, history_arg(h, b, 0)))
                continue;
            describe_say(s->out, h, ": %P has %V and not %V, although %P had returned before %P was called", x->op,
                         history_arg(h, b, 0), history_arg(h, a, 0), a, b);
            return true;
        }
    return false;
}

static bool of_sets(struct text *t, const result *r)
{
    struct reads s = {.r = r, .out = t};
    if (r->facts->spec != &spec_set || !gather(&s))
        return false;
    for (uint32_t i = 0; i < s.n; i++) {
        if (has_one_twice(&s, &s.at[i]) || skips(&s, &s.at[i]))
            return true;
        for (uint32_t j = 0; j < s.n; j++)
            if (contradict(&s, &s.at[i], &s.at[j]))
                return true;
    }
    return false;
}

/* ---- strings ---- */

static bool is_string(const result *r, uint32_t op)
{
    return describe_is_call(r, op, APPEND_MAP_GET) && history_result(r->h, op).kind == ASSAY_STRING;
}

static assay_value string_of(const history *h, struct value v)
{
    return value_public(h, v);
}

static bool begins(assay_value whole, assay_value part)
{
    return part.length <= whole.length && memcmp(whole.text, part.text, part.length) == 0;
}

static bool contains(assay_value whole, assay_value part)
{
    for (size_t i = 0; i + part.length <= whole.length; i++)
        if (memcmp(whole.text + i, part.text, part.length) == 0)
            return true;
    return false;
}

static void quoted(struct text *t, const history *h, const char *before, uint32_t op)
{
    describe_say(t, h, "%s%P has ", before, op);
    describe_value(t, string_of(h, history_result(h, op)));
}

/* The string of `old` begins that of `grown`, and an append whose piece only the latter has had returned before. */
static bool is_stale(struct text *t, const result *r, uint32_t old, uint32_t grown)
{
    const history *h = r->h;
    assay_value part = string_of(h, history_result(h, old)), whole = string_of(h, history_result(h, grown));
    for (uint32_t i = 0; i < r->evidence.kept.n; i++) {
        uint32_t append = r->evidence.kept.at[i];
        if (!describe_is_call(r, append, APPEND_MAP_APPEND) || !h->call || h->ret[append] >= h->call[old] ||
            !begins(whole, part))
            continue;
        assay_value piece = string_of(h, history_arg(h, append, 1));
        if (contains(part, piece) || !contains(whole, piece))
            continue;
        quoted(t, h, ": ", old);
        quoted(t, h, ", ", grown);
        describe_say(t, h, ", which goes on with the piece of %P; that had returned before %P was called", append, old);
        return true;
    }
    return false;
}

static bool of_strings(struct text *t, const result *r)
{
    const history *h = r->h;
    const struct evidence *ev = &r->evidence;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        for (uint32_t j = 0; j < ev->kept.n; j++) {
            uint32_t a = ev->kept.at[i], b = ev->kept.at[j];
            if (i == j || !is_string(r, a) || !is_string(r, b))
                continue;
            assay_value x = string_of(h, history_result(h, a)), y = string_of(h, history_result(h, b));
            if (ev->pattern == PATTERN_StringsFork && !begins(x, y) && !begins(y, x)) {
                quoted(t, h, ": ", a);
                quoted(t, h, ", ", b);
                text_puts(t, ", and neither begins with the other");
                return true;
            }
            if (ev->pattern == PATTERN_StaleRead && is_stale(t, r, a, b))
                return true;
        }
    return false;
}

bool describe_reads(struct text *t, const result *r)
{
    return r->facts->spec == &spec_append_map ? of_strings(t, r) : of_sets(t, r);
}
