/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/stack_peeks.h"

/* ---- kept peeks ---- */

static struct peeked *peeked_of(struct stack *s, uint32_t lifetime)
{
    uint32_t i = 0;
    while (s->peeked.at[i].lifetime != lifetime)
        i++;
    return &s->peeked.at[i];
}

static void free_peek(struct stack *s, struct peek *p)
{
    vec_free(s->mem, &p->parts);
}

void peeks_forget(struct stack *s, uint32_t lifetime)
{
    if (!s->stays.at[lifetime].peeked)
        return;
    s->stays.at[lifetime].peeked = false;
    struct peeked *x = peeked_of(s, lifetime);
    for (uint32_t i = 0; i < x->peeks.n; i++)
        free_peek(s, &x->peeks.at[i]);
    vec_free(s->mem, &x->peeks);
    *x = vec_pop(&s->peeked);
}

void peeks_close(struct stack *s)
{
    while (s->peeked.n)
        peeks_forget(s, vec_last(&s->peeked).lifetime);
    vec_free(s->mem, &s->peeked);
    vec_free(s->mem, &s->caught);
}

void peeks_raise(struct stack *s, uint64_t from, uint64_t to, uint64_t key)
{
    for (uint32_t i = 0; i < s->peeked.n; i++) {
        struct peeked *x = &s->peeked.at[i];
        if (x->last < from || x->first >= to)
            continue;
        for (uint32_t j = 0; j < x->peeks.n; j++)
            for (uint32_t k = 0; k < x->peeks.at[j].parts.n; k++) {
                struct peek_part *part = &x->peeks.at[j].parts.at[k];
                if (from <= part->at && part->at < to && part->level < key)
                    part->level = key;
            }
    }
}

/* ---- a new peek ---- */

/* Does a value that is on the stack, or being popped, cover the gap? */
static bool covers(const struct stay *x, uint64_t gap)
{
    return x->r <= gap && (!x->q || gap < x->q);
}

static bool is_value(const struct stack *s, uint32_t mark)
{
    return mark == 0 || s->row.marks.at[mark].lifetime != ID_NONE;
}

/* The last mark up to the gap that is not the mark of a peek. Gaps that have the same such mark are raised together. */
static uint32_t class_of(const struct stack *s, uint64_t at)
{
    uint32_t i = row_find(&s->row, at);
    while (!is_value(s, i))
        i--;
    return i;
}

/* Can other values still cover the segment with a level above c(x)? */
static bool may_be_covered(const struct stack *s, uint32_t mark, uint32_t lifetime)
{
    const struct row_mark *marks = s->row.marks.at;
    uint64_t at = marks[mark].at, c = s->stays.at[lifetime].c;
    if (marks[mark].level > c)
        return true;
    for (uint32_t i = mark; marks[i].at > c; i--) {
        uint32_t y = marks[i].lifetime;
        if (y != ID_NONE && y != lifetime && s->stays.at[y].r == marks[i].at && covers(&s->stays.at[y], at))
            return true;
    }
    return false;
}

/* Is `other` covered whenever p is? */
static bool implies(const struct stack *s, const struct peek *p, const struct peek *other)
{
    for (uint32_t i = 0; i < other->parts.n; i++) {
        bool found = false;
        uint32_t of = class_of(s, other->parts.at[i].at);
        for (uint32_t j = 0; j < p->parts.n && !found; j++)
            found = p->parts.at[j].level <= other->parts.at[i].level && class_of(s, p->parts.at[j].at) == of;
        if (!found)
            return false;
    }
    return true;
}

static struct peeked *first_peek_of(struct stack *s, uint32_t lifetime)
{
    const struct stay *x = &s->stays.at[lifetime];
    if (x->peeked)
        return peeked_of(s, lifetime);
    struct peeked new = {.lifetime = lifetime, .first = x->c, .last = x->r};
    s->stays.at[lifetime].peeked = true;
    vec_push(s->mem, &s->peeked, new);
    return &vec_last(&s->peeked);
}

static bool is_needed(const struct stack *s, const struct peeked *x, const struct peek *p)
{
    for (uint32_t i = 0; i < x->peeks.n; i++)
        if (implies(s, p, &x->peeks.at[i]))
            return false;
    return true;
}

static void keep(struct stack *s, struct peeked *x, struct peek p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < x->peeks.n; i++) {
        struct peek *other = &x->peeks.at[i];
        if (implies(s, other, &p))
            free_peek(s, other);
        else
            x->peeks.at[kept++] = *other;
    }
    x->peeks.n = kept;
    vec_push(s->mem, &x->peeks, p);
    uint64_t last = vec_last(&p.parts).at;
    x->last = x->last > last ? x->last : last;
}

bool peeks_add(struct stack *s, uint32_t lifetime, const struct online_op *op, uint64_t from)
{
    const struct row_mark *marks = s->row.marks.at;
    uint32_t first = row_find(&s->row, from), n = s->row.marks.n;
    for (uint32_t i = first; i < n; i++)
        if (!may_be_covered(s, i, lifetime))
            return false;
    struct peek p = {.op = *op, .to = s->now};
    for (uint32_t i = first; i < n; i++) {
        struct peek_part part = {marks[i].at, marks[i].level};
        vec_push(s->mem, &p.parts, part);
    }
    struct peeked *x = first_peek_of(s, lifetime);
    bool needed = is_needed(s, x, &p);
    if (needed)
        keep(s, x, p);
    else
        free_peek(s, &p);
    return needed;
}

/* ---- cores ---- */

/* Is the gap covered by a caught value other than `except`? */
static bool caught_cover(const struct stack *s, uint64_t gap, uint32_t except)
{
    for (uint32_t i = 0; i < s->caught.n; i++)
        if (s->caught.at[i] != except && covers(&s->stays.at[s->caught.at[i]], gap))
            return true;
    return false;
}

static bool is_caught(struct stack *s, uint32_t lifetime, uint64_t from)
{
    const struct peeked *x = peeked_of(s, lifetime);
    for (uint32_t i = 0; i < x->peeks.n; i++) {
        const struct peek *p = &x->peeks.at[i];
        bool covered = true;
        for (uint32_t k = 0; k < p->parts.n && covered; k++)
            covered = p->parts.at[k].level >= from || caught_cover(s, p->parts.at[k].at, lifetime);
        if (covered)
            return true;
    }
    return false;
}

/* Makes `caught` the largest set S for A, by leaving out values that are not caught by the others. */
static void catch_all(struct stack *s, uint64_t from)
{
    vec_clear(&s->caught);
    for (uint32_t i = 0; i < s->peeked.n; i++) {
        const struct stay *x = &s->stays.at[s->peeked.at[i].lifetime];
        if (x->c < from && from <= x->r)
            vec_push(s->mem, &s->caught, s->peeked.at[i].lifetime);
    }
    for (uint32_t i = 0; i < s->caught.n;) {
        if (is_caught(s, s->caught.at[i], from)) {
            i++;
            continue;
        }
        s->caught.at[i] = vec_pop(&s->caught);
        i = 0;
    }
}

/* Are all gaps from A on covered? `first` is the first mark at A or behind it. */
static bool holds(struct stack *s, uint64_t from, uint32_t first)
{
    catch_all(s, from);
    for (uint32_t i = first; i < s->row.marks.n && s->caught.n; i++)
        if (s->row.marks.at[i].level < from && !caught_cover(s, s->row.marks.at[i].at, ID_NONE))
            return false;
    return s->caught.n > 0;
}

/* Tries each A for which x may be caught. */
static uint64_t core_of(struct stack *s, const struct stay *x)
{
    uint32_t at = row_find(&s->row, x->r);
    for (uint32_t i = row_find(&s->row, x->c); i < at; i++) {
        uint64_t start = s->row.marks.at[i].start;
        if (start > x->c && start != ROW_NEVER && holds(s, start, i + 1))
            return start;
    }
    for (uint32_t i = 0; i < s->peeked.n; i++) {
        uint64_t r = s->stays.at[s->peeked.at[i].lifetime].r;
        if (x->c < r && r <= x->r && holds(s, r, row_find(&s->row, r)))
            return r;
    }
    return ROW_NEVER;
}

uint64_t peeks_core(struct stack *s, uint64_t from, uint64_t to, uint32_t lifetime)
{
    for (uint32_t i = 0; i < s->peeked.n; i++) {
        const struct peeked *p = &s->peeked.at[i];
        const struct stay *x = &s->stays.at[p->lifetime];
        if (p->lifetime != lifetime && !x->q && (p->last < from || p->first >= to))
            continue;
        uint64_t core = core_of(s, x);
        if (core != ROW_NEVER)
            return core;
    }
    return ROW_NEVER;
}
