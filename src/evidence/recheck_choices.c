/* SPDX-License-Identifier: Apache-2.0 */
/* Is there a choice of sources, one for each read, with which the history satisfies a causal model? All of them are
 * tried, and each is judged from the definitions (recheck_naive.c). */
#include "evidence/recheck.h"

enum { MOST_WORK = 1 << 28 }; /* cells of matrices, over all choices */

struct choices {
    struct recheck *x;
    uint32_t *reads, n;
    VEC(uint32_t) source;
    uint32_t *at;     /* the candidates of reads[i]: source[at[i]] .. source[at[i + 1] - 1] */
    uint32_t *chosen; /* of reads[i]: index in source */
};

static void add_candidates(struct choices *c, uint32_t read)
{
    const struct memory *mem = &c->x->memory;
    const struct values *values = mem->values;
    uint32_t number = values->seen[read];
    if (values->initial[mem->var[read]] == number)
        vec_push(c->x->mem, &c->source, FROM_INITIAL);
    for (uint32_t i = values->writers.at[number]; i < values->writers.at[number + 1]; i++)
        if (values->writers.list[i] != read)
            vec_push(c->x->mem, &c->source, values->writers.list[i]);
    c->chosen[c->n] = c->at[c->n];
    c->reads[c->n++] = read;
    c->at[c->n] = c->source.n;
}

/* How many choices there are, as far as that is not more than `most`. */
static uint64_t count_choices(const struct choices *c, uint64_t most)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        product *= c->at[i + 1] - c->at[i];
        if (!product || product > most)
            return product;
    }
    return product;
}

/* False: that was the last one. */
static bool next_choice(struct choices *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (++c->chosen[i] < c->at[i + 1])
            return true;
        c->chosen[i] = c->at[i];
    }
    return false;
}

bool recheck_choices(struct recheck *x)
{
    const history *h = x->h;
    struct choices c = {.x = x,
                        .reads = mem_new(x->mem, uint32_t, h->n),
                        .at = mem_new_zero(x->mem, uint32_t, (size_t)h->n + 1),
                        .chosen = mem_new(x->mem, uint32_t, h->n)};
    for (uint32_t o = 0; o < h->n; o++)
        if (x->memory.role[o] & ROLE_READS)
            add_candidates(&c, o);
    uint64_t nodes = (uint64_t)h->n + x->memory.vars, most = MOST_WORK / (nodes * nodes + 1);
    uint64_t choices = count_choices(&c, most);
    if (h->n > NAIVE_MOST || choices > most)
        return refuse(x, "the search was given up: there are too many choices of sources");
    if (!choices)
        return true; /* a read of a value that only it writes itself */
    do {
        for (uint32_t i = 0; i < c.n; i++)
            x->memory.source[c.reads[i]] = c.source.at[c.chosen[i]];
        if (naive_causal(x))
            return refuse(x, "searched again, there are sources with which the history satisfies %s",
                          x->line->model->name);
    } while (next_choice(&c));
    return true;
}
