/* SPDX-License-Identifier: Apache-2.0 */
/* Does the name of a violation fit its cycles?
 *
 * The names are rows of a table, the first that fits a cycle is its name (docs/reference/transactions.md). A refutation
 * may have several cycles (evidence/naming.c). The model forbids each of them. The cycle that only the strongest models
 * forbid names the violation: these are the models that the refutation is about. Under si and psi an rw between two
 * writers of one key orders them as a ww does. It counts as that below the row CausalityViolation. si has no cycle with
 * two rw in a row. */
#include "recheck/transactions.h"

struct cycle {
    struct recheck *x;
    VEC(assay_step) steps;
    uint32_t first; /* where it begins: at an rw, if there is one */
    uint32_t rw, wr, orders;
    bool writers; /* of one key; are they ordered by rw? */
};

static bool is_order(assay_rule rule)
{
    return rule == ASSAY_WW || rule == ASSAY_CF || rule == ASSAY_VO;
}

static const assay_step *step_of(const struct cycle *c, uint32_t i)
{
    return &c->steps.at[(c->first + i) % c->steps.n];
}

static uint32_t base_steps(const struct cycle *c)
{
    return c->steps.n - c->rw - c->wr - c->orders;
}

static bool is_rw(const struct cycle *c, uint32_t i)
{
    const assay_step *s = step_of(c, i);
    return s->rule == ASSAY_RW && !(c->writers && txn_share_key(c->x->transactions, s->from, s->to));
}

static uint32_t count_rw(const struct cycle *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->steps.n; i++)
        count += is_rw(c, i);
    return count;
}

static bool has_adjacent(const struct cycle *c, bool from_reader_only)
{
    const struct transactions *t = c->x->transactions;
    for (uint32_t i = 0; i < c->steps.n; i++) {
        uint32_t from = step_of(c, i)->from;
        bool fits = !from_reader_only || t->writes_at[from] == t->writes_at[from + 1];
        if (fits && is_rw(c, i) && is_rw(c, i + 1))
            return true;
    }
    return false;
}

/* ---- the rows ---- */

static bool fits_dirty_write(const struct cycle *c)
{
    return !c->rw && !c->wr;
}

static bool fits_circular_read(const struct cycle *c)
{
    return !c->rw;
}

static bool fits_non_monotonic(const struct cycle *c)
{
    return c->x->conditions & COND_RC;
}

/* rw to the missed transaction, and on by wr and base order. */
static bool fits_causality(const struct cycle *c)
{
    return c->rw == 1 && !c->orders;
}

static bool fits_fractured(const struct cycle *c)
{
    return fits_causality(c) && c->wr == 1 && !base_steps(c);
}

static bool fits_stale(const struct cycle *c)
{
    bool last_is_base = step_of(c, c->steps.n - 1)->rule != ASSAY_WR;
    return fits_causality(c) && base_steps(c) == 1 && c->wr <= 1 && last_is_base;
}

/* Two transactions, ordered both ways by rw or orders of writers. */
static bool is_pair(const struct cycle *c)
{
    return c->steps.n == 2 && c->rw + c->orders == 2;
}

/* Does a pair of reads, one of each of the two transactions, bear it out? */
static bool some_reads(const struct cycle *c, bool (*fit)(const struct transactions *t, uint32_t a, uint32_t b,
                                                          const struct txn_read *of_a, const struct txn_read *of_b))
{
    const struct transactions *t = c->x->transactions;
    uint32_t a = step_of(c, 0)->from, b = step_of(c, 0)->to;
    for (uint32_t i = t->reads_at[a]; i < t->reads_at[a + 1]; i++)
        for (uint32_t k = t->reads_at[b]; k < t->reads_at[b + 1]; k++)
            if (fit(t, a, b, &t->reads[i], &t->reads[k]))
                return true;
    return false;
}

static bool writes(const struct transactions *t, uint32_t op, uint32_t key)
{
    return txn_write(t, op, key) != ID_NONE;
}

/* Both read one key from the same source, and write it. */
static bool update_one_key(const struct transactions *t, uint32_t a, uint32_t b, const struct txn_read *of_a,
                           const struct txn_read *of_b)
{
    return of_a->key == of_b->key && of_a->source == of_b->source && of_a->source != FROM_SEVERAL &&
           writes(t, a, of_a->key) && writes(t, b, of_a->key);
}

static bool fits_lost_update(const struct cycle *c)
{
    return is_pair(c) && some_reads(c, update_one_key);
}

static bool fits_long_fork(const struct cycle *c)
{
    return count_rw(c) >= 2 && !has_adjacent(c, false);
}

static bool fits_concurrent(const struct cycle *c)
{
    return is_pair(c) && c->rw == 2 && txn_share_key(c->x->transactions, step_of(c, 0)->from, step_of(c, 0)->to);
}

static bool fits_read_skew(const struct cycle *c)
{
    return count_rw(c) <= 1;
}

/* Each reads a key that the other one writes, and these are two keys. */
static bool overwrite_each_other(const struct transactions *t, uint32_t a, uint32_t b, const struct txn_read *of_a,
                                 const struct txn_read *of_b)
{
    return of_a->key != of_b->key && writes(t, b, of_a->key) && writes(t, a, of_b->key);
}

static bool fits_write_skew(const struct cycle *c)
{
    return is_pair(c) && some_reads(c, overwrite_each_other);
}

static bool fits_read_only(const struct cycle *c)
{
    return c->steps.n > 2 && has_adjacent(c, true);
}

static bool fits_any(const struct cycle *c)
{
    return c->rw > 0;
}

/* The strength is that of the weakest models that forbid the cycle. */
static const struct row {
    enum pattern pattern;
    uint32_t strength;
    bool (*fits)(const struct cycle *c);
} rows[] = {
    {PATTERN_DirtyWrite, 0, fits_dirty_write},
    {PATTERN_CircularRead, 0, fits_circular_read},
    {PATTERN_NonMonotonicRead, 1, fits_non_monotonic},
    {PATTERN_FracturedRead, 1, fits_fractured},
    {PATTERN_StaleRead, 2, fits_stale},
    {PATTERN_CausalityViolation, 3, fits_causality},
    {PATTERN_LostUpdate, 4, fits_lost_update},
    {PATTERN_LongFork, 4, fits_long_fork},
    {PATTERN_ConcurrentWrites, 4, fits_concurrent},
    {PATTERN_ReadSkew, 4, fits_read_skew},
    {PATTERN_WriteSkew, 5, fits_write_skew},
    {PATTERN_ReadOnlyAnomaly, 5, fits_read_only},
    {PATTERN_AntiDependencyCycle, 5, fits_any},
};

/* ---- the cycles ---- */

static void add_step(void *arg, const assay_step *step)
{
    struct cycle *c = arg;
    budget_tick(c->x->budget);
    if (step->rule == ASSAY_RW)
        c->first = c->steps.n;
    vec_push(c->x->mem, &c->steps, *step);
    c->rw += step->rule == ASSAY_RW;
    c->wr += step->rule == ASSAY_WR;
    c->orders += is_order(step->rule);
}

static void take_steps(struct cycle *c, struct naming_cycle by)
{
    vec_clear(&c->steps);
    c->rw = c->wr = c->orders = c->first = 0;
    evidence_naming(&c->x->line->evidence, by, add_step, c);
}

static const struct row *row_of(struct recheck *x, uint32_t reason)
{
    struct cycle c = {.x = x, .writers = x->conditions & (COND_SI | COND_PSI)};
    const struct row *found = NULL;
    take_steps(&c, (struct naming_cycle){.reason = reason});
    if ((x->conditions & COND_SI) && has_adjacent(&c, false))
        take_steps(&c, (struct naming_cycle){.reason = reason, .apart = true});
    for (size_t i = 0; c.steps.n && !found && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].fits(&c))
            found = &rows[i];
    vec_free(x->mem, &c.steps);
    return found;
}

bool txn_names_cycle(enum pattern p)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].pattern == p)
            return true;
    return false;
}

bool recheck_txn_name(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    struct span cycle = {ev->cycle_at, ev->cycle_count};
    const bool *used = evidence_used(ev, &cycle, 1, x->mem);
    const struct row *name = row_of(x, ASSAY_NO_REASON);
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        const struct row *more = used[i] && evidence_may_name(ev, x->conditions, i) ? row_of(x, i) : NULL;
        if (more && (!name || more->strength > name->strength))
            name = more;
    }
    return name->pattern == ev->pattern ||
           refuse(x, "the cycle is no %s, but a %s", pattern_name(ev->pattern), pattern_name(name->pattern));
}
