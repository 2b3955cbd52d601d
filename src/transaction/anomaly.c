/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle of a strong level has steps of base order (b), wr, ww and rw. Its name tells how many rw there are, and
 * whether two of them are adjacent (docs/transactions.md). The cycle that names a refutation is that of
 * evidence_naming. Under si and psi, rw between two writers of one key is as good as ww, and counts as that. */
#include "transaction/anomaly.h"

#include "base/hash.h"

/* ---- transactions by operation ---- */

struct by_op {
    const struct txn_view *v;
    struct idmap of; /* operation -> transaction, for those of the cycle */
};

static uint32_t txn_of(const struct by_op *b, uint32_t op)
{
    return idmap_get(&b->of, op);
}

static bool writes(const struct txn_view *v, uint32_t t, uint32_t key)
{
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (v->write_key[w] == key)
            return true;
    return false;
}

/* Did both read one key from the same source and write it? */
static bool both_update(const struct txn_view *v, uint32_t t, uint32_t u)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        for (uint32_t j = v->reads_at[u]; j < v->reads_at[u + 1]; j++)
            if (v->reads[i].key == v->reads[j].key && v->reads[i].source == v->reads[j].source &&
                writes(v, t, v->reads[i].key) && writes(v, u, v->reads[i].key))
                return true;
    return false;
}

static bool writes_nothing(const struct txn_view *v, uint32_t t)
{
    return v->writes_at[t] == v->writes_at[t + 1];
}

static bool share_a_write(const struct txn_view *v, uint32_t t, uint32_t u)
{
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (writes(v, u, v->write_key[w]))
            return true;
    return false;
}

/* ---- the shape of a cycle ---- */

struct flat { /* the cycle that names the anomaly */
    struct mem *m;
    VEC(assay_step) steps;
};

static void add_step(void *arg, const assay_step *step)
{
    struct flat *f = arg;
    vec_push(f->m, &f->steps, *step);
}

struct shape {
    uint32_t n, rw, wr, ww;
    uint32_t concurrent; /* of ww: rw between two writers of one key */
    bool adjacent;       /* two rw are */
};

static struct shape shape_of(struct flat *f, const struct by_op *b, unsigned level)
{
    struct shape s = {.n = f->steps.n};
    for (uint32_t i = 0; i < s.n && (level & (COND_SI | COND_PSI)); i++) {
        assay_step *step = &f->steps.at[i];
        if (step->rule == ASSAY_RW && share_a_write(b->v, txn_of(b, step->from), txn_of(b, step->to))) {
            step->rule = ASSAY_WW;
            s.concurrent++;
        }
    }
    for (uint32_t i = 0; i < s.n; i++) {
        assay_rule rule = f->steps.at[i].rule, before = f->steps.at[i ? i - 1 : s.n - 1].rule;
        s.rw += rule == ASSAY_RW;
        s.wr += rule == ASSAY_WR;
        s.ww += rule == ASSAY_WW || rule == ASSAY_CF || rule == ASSAY_VO;
        s.adjacent |= rule == ASSAY_RW && before == ASSAY_RW;
    }
    return s;
}

static bool is_lost_update(const struct flat *f, const struct by_op *b)
{
    return f->steps.n == 2 && both_update(b->v, txn_of(b, f->steps.at[0].from), txn_of(b, f->steps.at[1].from));
}

/* Does one of the transactions write nothing? */
static bool reader_writes_nothing(const struct flat *f, const struct by_op *b)
{
    for (uint32_t i = 0; i < f->steps.n; i++)
        if (writes_nothing(b->v, txn_of(b, f->steps.at[i].from)))
            return true;
    return false;
}

/* si allows adjacent rw. If its cycle has them, a forced order stands behind one of them, which is the reason that
 * names it (docs/transactions.md). */
static enum pattern name_of(const struct flat *f, const struct by_op *b, struct shape s, unsigned level)
{
    if (is_lost_update(f, b))
        return PATTERN_LostUpdate;
    if (s.n == 2 && s.concurrent == 2)
        return PATTERN_ConcurrentWrites;
    if (!s.rw && !s.concurrent)
        return s.wr ? PATTERN_CircularRead : PATTERN_DirtyWrite;
    if (s.rw <= 1)
        return s.ww ? PATTERN_ReadSkew : PATTERN_CausalityViolation;
    if (!s.adjacent || !(level & COND_SER))
        return PATTERN_LongFork;
    if (s.n == 2)
        return PATTERN_WriteSkew;
    return reader_writes_nothing(f, b) ? PATTERN_ReadOnlyAnomaly : PATTERN_AntiDependencyCycle;
}

enum pattern anomaly_of(const struct evidence *ev, const struct txn_view *v, unsigned level, struct mem *m)
{
    struct flat f = {.m = m};
    struct by_op b = {.v = v};
    evidence_naming(ev, add_step, &f);
    for (uint32_t i = 0; i < f.steps.n; i++)
        *idmap_at(m, &b.of, f.steps.at[i].from) = 0;
    for (uint32_t t = 0; t < v->n; t++)
        if (idmap_get(&b.of, v->op[t]) != ID_NONE)
            *idmap_at(m, &b.of, v->op[t]) = t;
    return name_of(&f, &b, shape_of(&f, &b, level), level);
}
