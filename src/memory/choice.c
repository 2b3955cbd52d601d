/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/choice.h"

#include <string.h>

void choice_init(struct choice *x, const struct rw *v, const struct candidates *c, struct sat *sat, int first,
                 struct mem *m)
{
    *x = (struct choice){.v = v, .candidates = c, .sat = sat, .m = m, .first = first};
    x->src = mem_new(m, uint32_t, v->a);
    memcpy(x->src, v->src, v->a * sizeof *x->src);
    x->happened = mem_new_zero(m, bool, v->n);
}

/* ---- variables ---- */

static int source_variable(const struct choice *x, uint32_t i)
{
    return x->first + (int)i;
}

int choice_final(const struct choice *x, uint32_t i)
{
    return source_variable(x, x->candidates->at[x->v->n] + i);
}

int choice_open(const struct choice *x, uint32_t e)
{
    return choice_final(x, x->candidates->final_at[x->v->d] + e);
}

/* Is something to be said of its source? An open operation reads only if it happened. */
static bool has_choice(const struct choice *x, uint32_t read)
{
    const struct candidates *c = x->candidates;
    return c && (c->at[read + 1] - c->at[read] > 1 || choice_is_open(x, read));
}

int choice_chosen(const struct choice *x, uint32_t read)
{
    if (!has_choice(x, read))
        return 0;
    uint32_t i = x->candidates->at[read];
    while (x->candidates->source[i] != x->src[read])
        i++;
    return source_variable(x, i);
}

/* ---- clauses ---- */

void choice_imply(struct choice *x, int a, int b)
{
    sat_clause(x->sat, a ? (int[]){-a, b} : (int[]){b}, a ? 2 : 1);
}

bool choice_state(struct choice *x)
{
    const struct candidates *c = x->candidates;
    for (uint32_t e = 0; e < x->v->n; e++) {
        bool open = choice_is_open(x, e);
        if (!(x->v->kind[e] & RW_READS))
            continue;
        if (c->at[e] == c->at[e + 1] && !open)
            return false;
        vec_clear(&x->clause);
        if (open)
            vec_push(x->m, &x->clause, -choice_open(x, e));
        for (uint32_t i = c->at[e]; i < c->at[e + 1]; i++) {
            vec_push(x->m, &x->clause, source_variable(x, i));
            if (choice_is_open(x, c->source[i])) /* a source happened */
                choice_imply(x, has_choice(x, e) ? source_variable(x, i) : 0, choice_open(x, c->source[i]));
        }
        if (has_choice(x, e))
            sat_clause(x->sat, x->clause.at, x->clause.n);
    }
    return true;
}

/* ---- models ---- */

/* An open operation that did not happen stays in the graphs as a write without readers. It is the last of its thread
 * and can be the last of its variable, so that no edge leaves it. But it has no source. */
static void read_happened(struct choice *x)
{
    const struct candidates *c = x->candidates;
    const struct rw *v = x->v;
    memset(x->happened, 0, v->n * sizeof *x->happened);
    for (uint32_t i = 0; i < c->final_at[v->d]; i++)
        if (c->final[i] != RW_INIT && sat_value(x->sat, choice_final(x, i)))
            x->happened[c->final[i]] = v->open[c->final[i]];
    candidates_happened(v, x->src, x->happened);
    for (uint32_t e = 0; e < v->n; e++)
        if ((v->kind[e] & RW_READS) && v->open[e] && !x->happened[e])
            x->src[e] = RW_THIN;
}

void choice_read(struct choice *x)
{
    const struct candidates *c = x->candidates;
    for (uint32_t e = 0; e < x->v->n; e++) {
        uint32_t i = c->at[e];
        while (i + 1 < c->at[e + 1] && !sat_value(x->sat, source_variable(x, i)))
            i++;
        if (i < c->at[e + 1])
            x->src[e] = c->source[i];
    }
    if (x->v->open)
        read_happened(x);
}
