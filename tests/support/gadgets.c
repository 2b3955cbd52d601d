/* SPDX-License-Identifier: Apache-2.0 */
#include "support/gadgets.h"

#include "support/printed.h"

#include <string.h>

/* ---- from text ---- */

static uint8_t variable_of(char letter)
{
    return (uint8_t)((letter - 'a' + 3) % 26); /* x is the first */
}

static int32_t digit(const char **at)
{
    return *(*at)++ - '0';
}

static struct sketch_op operation(const char **at, uint8_t thread)
{
    struct sketch_op o = {.thread = thread};
    char kind = *(*at)++;
    o.kind = kind == 'w' ? SKETCH_WRITE : kind == 'r' ? SKETCH_READ : kind == 'u' ? SKETCH_RMW : SKETCH_FENCE;
    if (o.kind != SKETCH_FENCE)
        o.var = variable_of(*(*at)++);
    if (sketch_reads(&o) && **at != '?')
        o.old = digit(at);
    if (sketch_writes(&o))
        o.new = digit(at);
    o.pending = **at == '?';
    *at += o.pending;
    return o;
}

struct sketch sketch_of(const char *text)
{
    struct sketch s = {0};
    uint8_t thread = 0;
    for (const char *at = text; *at;)
        if (*at == ' ')
            at++;
        else if (*at == '|')
            thread++, at++;
        else
            sketch_add(&s, operation(&at, thread));
    return s;
}

/* ---- variations ---- */

static bool percent(struct rng *rng, uint32_t chance)
{
    return rng_below(rng, 100) < chance;
}

static uint8_t any_thread(const struct sketch *s, struct rng *rng)
{
    return s->op[rng_below(rng, s->n)].thread;
}

static void merge_threads(struct sketch *s, struct rng *rng)
{
    uint8_t from = any_thread(s, rng), to = any_thread(s, rng);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->op[i].thread == from)
            s->op[i].thread = to;
    for (uint32_t i = 0; i < s->n; i++)
        s->op[i].pending = false; /* it may not be the last of its thread any more */
}

static int32_t fresh_value(const struct sketch *s, uint8_t var)
{
    int32_t value = 1;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->op[i].var == var && s->op[i].new >= value)
            value = s->op[i].new + 1;
    return value;
}

static void insert(struct sketch *s, uint32_t at, struct sketch_op o)
{
    sketch_add(s, o);
    memmove(s->op + at + 1, s->op + at, (s->n - 1 - at) * sizeof o);
    s->op[at] = o;
}

/* At the beginning, at the end, or anywhere. */
static void insert_anything(struct sketch *s, struct rng *rng)
{
    const struct sketch_op *other = &s->op[rng_below(rng, s->n)];
    struct sketch_op o = {.kind = (uint8_t)rng_below(rng, 4),
                          .thread = any_thread(s, rng),
                          .var = other->var,
                          .old = percent(rng, 30) ? 0 : other->new};
    uint32_t where = rng_below(rng, 3), at = where == 0 ? 0 : rng_below(rng, s->n);
    if (sketch_writes(&o))
        o.new = fresh_value(s, o.var);
    if (where == 1)
        at = s->n;
    for (uint32_t i = 0; i < at; i++)
        if (s->op[i].thread == o.thread && s->op[i].pending)
            return;
    insert(s, at, o);
}

/* A fence between any two operations: store buffers have no effect. */
static void insert_fences(struct sketch *s)
{
    for (uint32_t i = s->n; i-- > 1;)
        if (s->op[i].thread == s->op[i - 1].thread)
            insert(s, i, (struct sketch_op){.kind = SKETCH_FENCE, .thread = s->op[i].thread});
}

void gadget_vary(struct sketch *s, struct rng *rng)
{
    if (percent(rng, 30))
        merge_threads(s, rng);
    if (percent(rng, 10))
        sketch_remove(s, rng_below(rng, s->n));
    while (s->n < 44 && percent(rng, 50))
        insert_anything(s, rng);
    if (percent(rng, 10)) {
        const struct sketch_op *o = &s->op[rng_below(rng, s->n)];
        sketch_add_final(s, o->var, o->new);
    }
    sketch_interleave(s, rng);
    if (percent(rng, 50))
        s->style = rng_next(rng);
}

struct sketch gadget_any(struct rng *rng)
{
    /* Figure 4.8a and the repaired Figure 5.6a of the thesis, with a flag of its own for each of the
     * latter's messages: its order is free in both, but has fewer cases to try. */
    static const char *const undecidable[] = {
        "rz2 wy2 rx1 | wx1 wy1 wz1 | wt1 ws1 wz2 | rz2 wx2 ry1 | rz1 wt2 rs1 | rz1 ws2 rt1",
        "wx1 wy1 wz3 wa1 | wp2 wq2 wz4 wb1 | ra1 wp4 wc1 | ra1 wq4 wd1 | rb1 wx3 we1 | rb1 wy3 wf1 |"
        "rc1 rq2 | rd1 rp2 | re1 ry1 | rf1 rx1"};
    uint32_t which = rng_below(rng, 4);
    struct sketch s = sketch_of(which < 2 ? undecidable[which] : printed[rng_below(rng, PRINTED)].text);
    if (which == 0 && percent(rng, 50))
        insert_fences(&s);
    gadget_vary(&s, rng);
    return s;
}
