/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pending.h"

#include "memory/accesses.h"

/* Three least sets of values, each with a worklist: values that can have been written, that may have to be, and that
 * must be. */
struct effects {
    const struct rw *v;
    struct mem *m;
    struct accesses a;
    struct groups writers; /* of a value: the pending events that write it */
    struct groups readers; /* of a value: the pending rmws that read it */
    uint32_t *others;      /* of a value: the number of its other possible writes, the initial value included */
    bool *marked;          /* value */
    VEC(uint32_t) list;
    uint8_t *effect; /* EFFECT_OPEN: may have happened and is wanted */
    bool *possible;  /* pending event */
};

static void mark(struct effects *x, uint32_t value)
{
    if (value == ID_NONE || x->marked[value])
        return;
    x->marked[value] = true;
    vec_push(x->m, &x->list, value);
}

static void unmark_all(struct effects *x)
{
    for (uint32_t i = 0; i < x->a.count; i++)
        x->marked[i] = false;
    vec_clear(&x->list);
}

/* The values that were written for certain, then the values that rmws made of them. */
static void find_possible(struct effects *x, const bool *pending)
{
    for (uint32_t y = 0; y < x->v->d; y++)
        mark(x, x->a.initial[y]);
    for (uint32_t e = 0; e < x->v->n; e++)
        if (!pending[e] || !(x->v->kind[e] & RW_READS)) {
            x->possible[e] = true;
            mark(x, x->a.written[e]);
        }
    for (uint32_t i = 0; i < x->list.n; i++) {
        uint32_t value = x->list.at[i];
        for (uint32_t j = x->readers.at[value]; j < x->readers.at[value + 1]; j++) {
            x->possible[x->readers.list[j]] = true;
            mark(x, x->a.written[x->readers.list[j]]);
        }
    }
}

/* The values that completed operations read, and the declared last values. */
static void mark_read(struct effects *x, const bool *pending)
{
    unmark_all(x);
    for (uint32_t e = 0; e < x->v->n; e++)
        if (!pending[e])
            mark(x, x->a.read[e]);
    for (uint32_t y = 0; y < x->v->d; y++)
        mark(x, x->a.final[y]);
}

static bool is_wanted(struct effects *x, uint32_t e, uint32_t value)
{
    if (!x->possible[e])
        return false;
    x->effect[e] = EFFECT_OPEN;
    x->others[value]++;
    return true;
}

static bool is_certain(struct effects *x, uint32_t e, uint32_t value)
{
    if (x->effect[e] != EFFECT_OPEN || x->others[value] > 1)
        return false;
    x->effect[e] = EFFECT_CERTAIN;
    return true;
}

/* From the values that are read back to the pending events that write them, as far as `takes` accepts these. An
 * accepted rmw asks for the value that it reads. */
static void follow(struct effects *x, bool (*takes)(struct effects *x, uint32_t e, uint32_t value))
{
    for (uint32_t i = 0; i < x->list.n; i++) {
        uint32_t value = x->list.at[i];
        for (uint32_t j = x->writers.at[value]; j < x->writers.at[value + 1]; j++)
            if (takes(x, x->writers.list[j], value))
                mark(x, x->a.read[x->writers.list[j]]);
    }
}

static bool *find_pending(const history *h, struct effects *x)
{
    const struct rw *v = x->v;
    bool *pending = mem_new(x->m, bool, v->n);
    uint32_t *written = mem_new(x->m, uint32_t, v->n), *read = mem_new(x->m, uint32_t, v->n);
    for (uint32_t y = 0; y < v->d; y++)
        x->others[x->a.initial[y]]++;
    for (uint32_t e = 0; e < v->n; e++) {
        pending[e] = history_pending(h, v->op[e]);
        written[e] = pending[e] ? x->a.written[e] : ID_NONE;
        read[e] = pending[e] ? x->a.read[e] : ID_NONE;
        x->effect[e] = pending[e] ? EFFECT_NONE : EFFECT_CERTAIN;
        if (!pending[e] && x->a.written[e] != ID_NONE)
            x->others[x->a.written[e]]++;
    }
    x->writers = group_by(written, v->n, x->a.count, x->m);
    x->readers = group_by(read, v->n, x->a.count, x->m);
    mem_free(x->m, written);
    mem_free(x->m, read);
    return pending;
}

uint8_t *pending_effects(const history *h, const struct rw *v, bool final, struct mem *m)
{
    struct effects x = {.v = v, .m = m, .a = accesses_of(h, v, final, m)};
    x.others = mem_new_zero(m, uint32_t, x.a.count);
    x.marked = mem_new_zero(m, bool, x.a.count);
    x.effect = mem_new(m, uint8_t, v->n);
    x.possible = mem_new_zero(m, bool, v->n);
    bool *pending = find_pending(h, &x);
    find_possible(&x, pending);
    mark_read(&x, pending);
    follow(&x, is_wanted);
    mark_read(&x, pending);
    follow(&x, is_certain);
    mem_free(m, pending);
    mem_free(m, x.others);
    mem_free(m, x.marked);
    mem_free(m, x.possible);
    mem_free(m, x.list.at);
    groups_free(&x.writers, m);
    groups_free(&x.readers, m);
    accesses_free(&x.a, m);
    return x.effect;
}
