/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of a memory: an operation, with all operations that may have read from it, and so on. Values may repeat: a read
 * may have read from every write of its value. A set of operations can be kept iff it holds all writes of each value
 * that it reads. It must also hold all writes of the values that @final names. The operations that the refutation
 * names, with these writes, are such a set. The refutation holds in this set as it stands, unless it rests on something
 * that it does not name; then all are kept. */
#include "check/shrink.h"

#include "history/value_ids.h"
#include "memory/rw.h"

#include <string.h>

/* ---- which values are read and written? ---- */

struct numbering { /* of pairs of a variable and a value */
    struct mem *m;
    struct value_ids values;
    struct idmap pairs;
    uint32_t n;
};

static uint32_t number_of(struct numbering *n, uint32_t var, struct value value)
{
    uint64_t pair = (uint64_t)var << 32 | value_id(n->m, &n->values, value);
    uint32_t *number = idmap_at(n->m, &n->pairs, pair);
    if (*number == ID_NONE)
        *number = n->n++;
    return *number;
}

static bool is_final(const history *h, uint32_t op, struct value written)
{
    struct value final;
    return rw_final(h, op, &final) && value_same(final, written);
}

static void find_values(struct shrinking *s)
{
    const history *h = s->r->h;
    const struct rw *rw = rw_view(h, s->r->model->conditions & COND_TOTAL, &s->mem);
    struct numbering n = {.m = &s->mem};
    struct memory_cuts *cuts = &s->cuts.memory;
    cuts->reads = mem_new_ids(&s->mem, h->n + 1);
    cuts->writes = mem_new_ids(&s->mem, h->n + 1);
    cuts->final = mem_new_zero(&s->mem, bool, (size_t)h->n + 1);
    for (uint32_t e = 0; e < rw->n; e++) {
        uint32_t op = rw->op[e];
        bool both = rw->kind[e] == (RW_READS | RW_WRITES);
        if (rw->kind[e] & RW_READS)
            cuts->reads[op] = number_of(&n, rw->var[e], both ? history_arg(h, op, 1) : history_result(h, op));
        if (!(rw->kind[e] & RW_WRITES))
            continue;
        struct value written = history_arg(h, op, both ? 2 : 1);
        cuts->writes[op] = number_of(&n, rw->var[e], written);
        cuts->final[op] = rw->final && is_final(h, op, written);
    }
    cuts->readers = group_by(cuts->reads, h->n, n.n, &s->mem);
    cuts->writers = group_by(cuts->writes, h->n, n.n, &s->mem);
}

/* ---- sets that can be kept ---- */

/* Sets keep[] of the operation, then of those in the group of its value, then of those in their groups, and so on. */
static void spread(const struct shrinking *s, uint32_t op, bool *keep, bool to, const uint32_t *value,
                   const struct groups *of)
{
    struct mem *m = (struct mem *)&s->mem;
    VEC(uint32_t) open = {0};
    keep[op] = to;
    vec_push(m, &open, op);
    while (open.n) {
        uint32_t v = value[vec_pop(&open)];
        for (uint32_t i = v == ID_NONE ? 0 : of->at[v], end = v == ID_NONE ? 0 : of->at[v + 1]; i < end; i++) {
            if (keep[of->list[i]] == to)
                continue;
            keep[of->list[i]] = to;
            vec_push(m, &open, of->list[i]);
        }
    }
    vec_free(m, &open);
}

static void want(struct shrinking *s, uint32_t op)
{
    if (op != ASSAY_NO_OPERATION && !s->keep[op])
        spread(s, op, s->keep, true, s->cuts.memory.reads, &s->cuts.memory.writers);
}

static bool close(const struct shrinking *s, bool *keep)
{
    for (uint32_t op = 0; op < s->base->n; op++)
        if (s->keep[op] && !keep[op])
            spread(s, op, keep, false, s->cuts.memory.writes, &s->cuts.memory.readers);
    for (uint32_t op = 0; op < s->base->n; op++)
        if (s->cuts.memory.final[op] && !keep[op])
            return false;
    return true;
}

void shrink_memory(struct shrinking *s)
{
    const history *h = s->r->h;
    find_values(s);
    s->close = close;
    s->keep = mem_new_zero(&s->mem, bool, h->n + 1);
    shrink_by_operations(s, h);
    shrink_refutation(s, want);
    for (uint32_t op = 0; op < h->n; op++)
        if (s->cuts.memory.final[op])
            want(s, op);
    if (!shrink_still_violates(s, s->keep))
        memset(s->keep, true, h->n * sizeof *s->keep);
}
