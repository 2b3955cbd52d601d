/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/accesses.h"

#include "history/value_ids.h"

struct numbering {
    struct mem *m;
    struct value_ids values;
    struct idmap pairs; /* variable and value -> number */
};

static uint32_t number_of(struct numbering *n, uint32_t x, struct value value)
{
    uint32_t *id = idmap_at(n->m, &n->pairs, (uint64_t)x << 32 | value_id(n->m, &n->values, value));
    if (*id == ID_NONE)
        *id = n->pairs.n - 1;
    return *id;
}

static void number_ends(struct numbering *n, const history *h, uint32_t x, uint32_t op, bool final, struct accesses *a)
{
    struct value last;
    a->initial[x] = number_of(n, x, rw_initial(h, op));
    a->final[x] = final && rw_final(h, op, &last) ? number_of(n, x, last) : ID_NONE;
}

struct accesses accesses_of(const history *h, const struct rw *v, bool final, struct mem *m)
{
    struct numbering n = {.m = m};
    struct accesses a = {.read = mem_new(m, uint32_t, v->n),
                         .written = mem_new(m, uint32_t, v->n),
                         .initial = mem_new(m, uint32_t, v->d),
                         .final = mem_new(m, uint32_t, v->d)};
    for (uint32_t x = 0; x < v->d; x++)
        a.initial[x] = ID_NONE;
    for (uint32_t e = 0; e < v->n; e++) {
        uint32_t x = v->var[e], op = v->op[e];
        bool reads = v->kind[e] & RW_READS, writes = v->kind[e] & RW_WRITES;
        if (x != ID_NONE && a.initial[x] == ID_NONE)
            number_ends(&n, h, x, op, final, &a);
        a.read[e] = reads ? number_of(&n, x, writes ? history_arg(h, op, 1) : history_result(h, op)) : ID_NONE;
        a.written[e] = writes ? number_of(&n, x, history_arg(h, op, reads ? 2 : 1)) : ID_NONE;
    }
    a.count = n.pairs.n;
    value_ids_free(m, &n.values);
    mem_free(m, n.pairs.slots);
    return a;
}

void accesses_free(struct accesses *a, struct mem *m)
{
    mem_free(m, a->read);
    mem_free(m, a->written);
    mem_free(m, a->initial);
    mem_free(m, a->final);
}
