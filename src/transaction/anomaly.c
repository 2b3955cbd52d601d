/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle has steps of base order (b), wr, ww and rw. Its name tells how many rw there are, and whether two of them are
 * adjacent (docs/reference/transactions.md). Under si and psi, rw between two writers of one key is as good as ww, and
 * counts as that.
 *
 * A refutation may have several cycles (evidence/naming.c). Each of them is forbidden by the model, but perhaps not by
 * a weaker one that forbids the others. So the cycle names the violation that only the strongest models forbid. */
#include "transaction/anomaly.h"

/* ---- transactions ---- */

static bool writes(const struct txn_view *v, uint32_t t, uint32_t key)
{
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (v->write_key[w] == key)
            return true;
    return false;
}

/* A name does not rest on a source that was chosen. */
static bool known_source(const struct txn_view *v, uint32_t read)
{
    return !v->chosen || !v->chosen[read];
}

/* Did both read one key from the same source and write it? */
static bool both_update(const struct txn_view *v, uint32_t t, uint32_t u)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        for (uint32_t j = v->reads_at[u]; j < v->reads_at[u + 1]; j++)
            if (v->reads[i].key == v->reads[j].key && v->reads[i].source == v->reads[j].source && known_source(v, i) &&
                known_source(v, j) && writes(v, t, v->reads[i].key) && writes(v, u, v->reads[i].key))
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

/* Can two different keys be the one that t read and u overwrote, and the one that u read and t overwrote? */
static bool differing_keys(const struct txn_view *v, uint32_t t, uint32_t u)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        for (uint32_t j = v->reads_at[u]; j < v->reads_at[u + 1]; j++)
            if (v->reads[i].key != v->reads[j].key && writes(v, u, v->reads[i].key) && writes(v, t, v->reads[j].key))
                return true;
    return false;
}

/* ---- the shape of a cycle ---- */

struct naming {
    const struct txn_view *v;
    struct mem *m;
    unsigned level;
    uint32_t *txn;         /* of an operation */
    VEC(assay_step) steps; /* of the cycle at hand */
};

static void add_step(void *arg, const assay_step *step)
{
    struct naming *x = arg;
    vec_push(x->m, &x->steps, *step);
}

struct shape {
    uint32_t n, rw, wr, ww;
    uint32_t concurrent; /* of ww: rw between two writers of one key */
    uint32_t at;         /* of an rw */
    bool adjacent;       /* two rw are */
    bool reader_only;    /* the first of two adjacent rw leaves a transaction that writes nothing */
};

static const assay_step *step_at(const struct naming *x, uint32_t i)
{
    return &x->steps.at[i % x->steps.n];
}

static struct shape shape_of(struct naming *x)
{
    struct shape s = {.n = x->steps.n};
    for (uint32_t i = 0; i < s.n && (x->level & (COND_SI | COND_PSI)); i++) {
        assay_step *step = &x->steps.at[i];
        if (step->rule == ASSAY_RW && share_a_write(x->v, x->txn[step->from], x->txn[step->to])) {
            step->rule = ASSAY_WW;
            s.at = i;
            s.concurrent++;
        }
    }
    for (uint32_t i = 0; i < s.n; i++) {
        const assay_step *step = step_at(x, i);
        bool pair = step->rule == ASSAY_RW && step_at(x, i + 1)->rule == ASSAY_RW && s.n > 1;
        s.at = step->rule == ASSAY_RW ? i : s.at;
        s.rw += step->rule == ASSAY_RW;
        s.wr += step->rule == ASSAY_WR;
        s.ww += step->rule == ASSAY_WW || step->rule == ASSAY_CF || step->rule == ASSAY_VO;
        s.adjacent |= pair;
        s.reader_only |= pair && writes_nothing(x->v, x->txn[step->from]);
    }
    return s;
}

/* ---- names ---- */

static bool is_base(const assay_step *s)
{
    return s->rule == ASSAY_PO || s->rule == ASSAY_RT;
}

/* One rw, and a path of wr and base order from the missed transaction to the reader. */
static enum pattern missed(const struct naming *x, struct shape s)
{
    if (x->level & COND_RC)
        return PATTERN_NonMonotonicRead;
    if (s.n == 2 && s.wr == 1)
        return PATTERN_FracturedRead;
    bool base_last = is_base(step_at(x, s.at + s.n - 1));
    bool short_enough = s.n == 2 || (s.n == 3 && step_at(x, s.at + 1)->rule == ASSAY_WR);
    return base_last && short_enough ? PATTERN_StaleRead : PATTERN_CausalityViolation;
}

/* Of two transactions, with two steps of rw and ww. */
static enum pattern name_of_two(const struct naming *x, struct shape s)
{
    uint32_t t = x->txn[step_at(x, 0)->from], u = x->txn[step_at(x, 1)->from];
    if (both_update(x->v, t, u))
        return PATTERN_LostUpdate;
    if (s.rw + s.concurrent < 2)
        return PATTERN_ReadSkew;
    if (share_a_write(x->v, t, u))
        return PATTERN_ConcurrentWrites;
    return differing_keys(x->v, t, u) ? PATTERN_WriteSkew : PATTERN_AntiDependencyCycle;
}

static enum pattern name_of(const struct naming *x, struct shape s)
{
    if (!s.rw && !s.concurrent)
        return s.wr ? PATTERN_CircularRead : PATTERN_DirtyWrite;
    if (s.rw + s.concurrent == 1 && s.ww == s.concurrent)
        return missed(x, s);
    if (s.n == 2 && !s.wr && s.rw + s.ww == 2)
        return name_of_two(x, s);
    if (s.rw <= 1)
        return PATTERN_ReadSkew;
    if (!s.adjacent)
        return PATTERN_LongFork;
    return s.reader_only ? PATTERN_ReadOnlyAnomaly : PATTERN_AntiDependencyCycle;
}

/* The weaker the models that forbid it, the less. */
static uint32_t rank(enum pattern p)
{
    switch (p) {
    case PATTERN_DirtyWrite:
    case PATTERN_CircularRead: return 0;
    case PATTERN_NonMonotonicRead:
    case PATTERN_FracturedRead: return 1;
    case PATTERN_StaleRead: return 2;
    case PATTERN_CausalityViolation: return 3;
    case PATTERN_LostUpdate:
    case PATTERN_LongFork:
    case PATTERN_ConcurrentWrites:
    case PATTERN_ReadSkew: return 4;
    default: return 5;
    }
}

static struct shape take(struct naming *x, const struct evidence *ev, struct naming_cycle by)
{
    vec_clear(&x->steps);
    evidence_naming(ev, by, add_step, x);
    return shape_of(x);
}

static void consider(struct naming *x, struct evidence *ev, uint32_t reason)
{
    struct naming_cycle by = {.reason = reason};
    struct shape s = take(x, ev, by);
    if (s.adjacent && (x->level & COND_SI)) { /* si has no such cycles */
        by.apart = true;
        s = take(x, ev, by);
    }
    enum pattern p = s.n ? name_of(x, s) : PATTERN_NONE;
    if (p && (!ev->pattern || rank(p) > rank(ev->pattern))) {
        ev->pattern = p;
        ev->named_by = by;
    }
}

void anomaly_name(struct evidence *ev, const struct txn_view *v, unsigned level, struct mem *m)
{
    struct naming x = {.v = v, .m = m, .level = level, .txn = txn_view_by_operation(v, m)};
    struct span cycle = {ev->cycle_at, ev->cycle_count};
    bool *used = evidence_used(ev, &cycle, 1, m);
    ev->pattern = PATTERN_NONE;
    consider(&x, ev, ASSAY_NO_REASON);
    for (uint32_t i = 0; i < ev->reasons.n; i++)
        if (used[i] && evidence_may_name(ev, level, i))
            consider(&x, ev, i);
}
