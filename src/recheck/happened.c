/* SPDX-License-Identifier: Apache-2.0 */
/* Which pending writes and rmws happened? Any set of them may have. Three floods through the values decide most of
 * them:
 *
 *   Forwards from the values that were written anyway, through rmws from the old value to the new. An operation that is
 *   not reached cannot have happened.
 *   Backwards from the values that completed operations read and @final names, through rmws from the new value to the
 *   old. An operation that is not reached explains nothing. Nothing follows it in its thread, so it may be left out.
 *   Backwards once more, through values that one operation alone can have written: those operations must have happened.
 *
 * An operation that the second flood reaches and the third does not is open. */
#include "recheck/memory.h"

struct pending {
    const history *h;
    struct memory *mem;
    struct mem *m;
    uint32_t *old, *new; /* of a pending write or rmw: numbers of values; old: ID_NONE for a write */
};

struct flood {
    bool *wet;           /* value */
    VEC(uint32_t) front; /* wet values, of which those further on are to be followed */
};

static void pour(const struct pending *p, struct flood *f, uint32_t value)
{
    if (value == ID_NONE || f->wet[value])
        return;
    f->wet[value] = true;
    vec_push(p->m, &f->front, value);
}

/* From value to value through the operations that may[] names; those that were reached. */
static bool *spread(const struct pending *p, struct flood *f, const uint32_t *from, const uint32_t *to, const bool *may)
{
    bool *reached = mem_new_zero(p->m, bool, p->h->n);
    struct groups through = group_by(from, p->h->n, p->mem->values->count, p->m);
    for (uint32_t i = 0; i < f->front.n; i++) {
        uint32_t value = f->front.at[i];
        for (uint32_t j = through.at[value]; j < through.at[value + 1]; j++) {
            uint32_t o = through.list[j];
            if (!may[o])
                continue;
            reached[o] = true;
            pour(p, f, to[o]);
        }
    }
    groups_free(&through, p->m);
    mem_free(p->m, f->wet);
    mem_free(p->m, f->front.at);
    return reached;
}

static struct flood source(const struct pending *p)
{
    return (struct flood){.wet = mem_new_zero(p->m, bool, p->mem->values->count)};
}

static bool is_pending(const struct pending *p, uint32_t o)
{
    return history_pending(p->h, o);
}

static bool *can_have_happened(const struct pending *p)
{
    const struct values *values = p->mem->values;
    struct flood f = source(p);
    bool *rmw = mem_new(p->m, bool, p->h->n);
    for (uint32_t x = 0; x < p->mem->vars; x++)
        pour(p, &f, values->initial[x]);
    for (uint32_t o = 0; o < p->h->n; o++) {
        rmw[o] = is_pending(p, o) && (p->mem->role[o] & ROLE_READS);
        if ((p->mem->role[o] & ROLE_WRITES) && !rmw[o])
            pour(p, &f, values->wrote[o]);
    }
    bool *can = spread(p, &f, p->old, p->new, rmw);
    for (uint32_t o = 0; o < p->h->n; o++)
        can[o] = can[o] || (p->new[o] != ID_NONE && !rmw[o]);
    mem_free(p->m, rmw);
    return can;
}

/* The values that completed operations read, and that @final names. */
static struct flood what_is_asked(const struct pending *p)
{
    const struct values *values = p->mem->values;
    struct flood f = source(p);
    for (uint32_t o = 0; o < p->h->n; o++)
        if (!is_pending(p, o) && (p->mem->role[o] & ROLE_READS))
            pour(p, &f, values->seen[o]);
    for (uint32_t x = 0; x < p->mem->vars; x++)
        pour(p, &f, values->final[x]);
    return f;
}

/* Of the wanted operations: can no other one have written the value? */
static bool *alone(const struct pending *p, const bool *wanted)
{
    const struct values *values = p->mem->values;
    uint32_t *writers = mem_new_zero(p->m, uint32_t, values->count);
    bool *single = mem_new(p->m, bool, p->h->n);
    for (uint32_t x = 0; x < p->mem->vars; x++)
        writers[values->initial[x]]++;
    for (uint32_t o = 0; o < p->h->n; o++)
        if ((p->mem->role[o] & ROLE_WRITES) && (!is_pending(p, o) || wanted[o]))
            writers[values->wrote[o]]++;
    for (uint32_t o = 0; o < p->h->n; o++)
        single[o] = wanted[o] && writers[p->new[o]] == 1;
    mem_free(p->m, writers);
    return single;
}

static void decide(const struct pending *p)
{
    bool *can = can_have_happened(p);
    struct flood asked = what_is_asked(p);
    bool *wanted = spread(p, &asked, p->new, p->old, can), *single = alone(p, wanted);
    asked = what_is_asked(p);
    bool *must = spread(p, &asked, p->new, p->old, single);
    for (uint32_t o = 0; o < p->h->n; o++) {
        if (is_pending(p, o) && !wanted[o])
            p->mem->role[o] = 0;
        p->mem->open[o] = wanted[o] && !must[o];
    }
    mem_free(p->m, can);
    mem_free(p->m, wanted);
    mem_free(p->m, single);
    mem_free(p->m, must);
}

void recheck_pending(const history *h, struct memory *mem, struct mem *m)
{
    struct pending p = {h, mem, m, mem_new(m, uint32_t, h->n), mem_new(m, uint32_t, h->n)};
    bool any = false;
    for (uint32_t o = 0; o < h->n; o++) {
        bool writes = history_pending(h, o) && (mem->role[o] & ROLE_WRITES);
        p.new[o] = writes ? mem->values->wrote[o] : ID_NONE;
        p.old[o] = writes && (mem->role[o] & ROLE_READS) ? mem->values->seen[o] : ID_NONE;
        any |= writes;
    }
    if (any)
        decide(&p);
    mem_free(m, p.old);
    mem_free(m, p.new);
}
