/* SPDX-License-Identifier: Apache-2.0 */
/* The reasons, paths, cycles and lemmas of a refutation of a model of transactions.
 *
 * A path runs over the points B(t) and C(t) of transactions, their begins and commits. B(t) comes before C(t). Session
 * order, real time and wr lead from C to B. The order of two writers leads from C to B under si, from C to C under pc.
 * rw leads from B to C. The other models have one point per transaction. A walker goes from B(t) to C(t) where the next
 * step needs it, so that the text names no points.
 *
 * Why reasons hold, for every order of writers that makes the points acyclic (ww(v, w) is the edge of its model):
 *   cf  C(v) ~> B(r) and r reads x from w: ww(w, v) would give rw(r, v), a cycle. So ww(v, w). If w is the initial
 *       transaction, rw(r, v) holds anyway: there is no such order. For rc, ra, tcc and psi it is the axiom itself.
 *   ww  v and w write one key, C(v) ~> C(w), under si B(v) ~> C(w): ww(w, v) would close a cycle.
 *   rw  r reads x from v, w writes x, C(v) ~> C(w): ww(w, v) would close a cycle; so ww(v, w), and rw(r, w). Under psi
 *       rw is no order. But if r and w write a key in common, then ww(w, r) would give ww(w, v) by the axiom; so
 *       ww(r, w).
 * The order of two writers is the same for all keys that both write. So any key that fits will do.
 * Invariant: when reason i is checked, the reasons below i hold, and its path rests on those only. */
#include "recheck/chain.h"
#include "recheck/transactions.h"

#include <stdio.h>

enum point { BEGIN, COMMIT };

#define R(rule) (1u << ASSAY_##rule)
enum {
    BASE_AND_READS = R(PO) | R(RT) | R(WR),
    WEAK_RULES = BASE_AND_READS | R(CF) | R(VO),
    ORDERS = R(WW) | R(CF) | R(VO) | R(CASE),
    WEAK = COND_RC | COND_RA | COND_TCC,
    POINTS = COND_PC | COND_SI,
};

/* The rules of the graph that must be acyclic. */
static unsigned rules_of(const struct recheck *x, bool cases)
{
    unsigned rules = x->conditions & WEAK ? WEAK_RULES : BASE_AND_READS | ORDERS | R(RW);
    return cases ? rules : rules & ~(unsigned)R(CASE);
}
#undef R

/* ---- steps ---- */

static bool reads_from(const struct transactions *t, uint32_t reader, uint32_t source)
{
    for (uint32_t i = t->reads_at[reader]; i < t->reads_at[reader + 1]; i++)
        if (t->reads[i].source == source)
            return true;
    return false;
}

static bool check_fact(const struct recheck *x, const struct chain *w, uint32_t i)
{
    const struct transactions *t = x->transactions;
    const assay_step *s = &w->steps[i];
    switch (s->rule) {
    case ASSAY_PO:
        return txn_session_before(t, s->from, s->to) || chain_refuse(x, w, i, "sessions do not order them so");
    case ASSAY_RT:
        return txn_time_before(t, s->from, s->to) || chain_refuse(x, w, i, "real time does not order them so");
    case ASSAY_WR:
        return reads_from(t, s->to, s->from) || chain_refuse(x, w, i, "the second does not read from the first");
    case ASSAY_VO:
        return txn_shown_before(t, s->from, s->to) || chain_refuse(x, w, i, "no list shows them in this order");
    case ASSAY_CASE:
        return are_writes(x, s->from, s->to) || chain_refuse(x, w, i, "they are not two writers of one key");
    default: return chain_derived(x, w, i);
    }
}

static bool check_step(const struct recheck *x, const struct chain *w, uint32_t i)
{
    const assay_step *s = &w->steps[i];
    char where[64];
    snprintf(where, sizeof where, "step %u of %s", i, w->name);
    if (!(w->may >> s->rule & 1))
        return chain_refuse(x, w, i, "this rule may not be used here");
    return takes_part(x, s->from, where) && takes_part(x, s->to, where) && check_fact(x, w, i);
}

/* ---- points ---- */

static enum point leaves(assay_rule rule)
{
    return rule == ASSAY_RW ? BEGIN : COMMIT;
}

static enum point enters(const struct recheck *x, assay_rule rule)
{
    bool writers = rule == ASSAY_WW || rule == ASSAY_CF || rule == ASSAY_VO || rule == ASSAY_CASE;
    return rule == ASSAY_RW || (writers && (x->conditions & COND_PC)) ? COMMIT : BEGIN;
}

/* May a walker at this point of a transaction go on from the other one? */
static bool goes_on(const struct recheck *x, enum point at, enum point from)
{
    return at <= from || !(x->conditions & POINTS);
}

/* The steps hold and lead from a point of `from` to a point of `to`. */
static bool check_walk(const struct recheck *x, const struct chain *w, uint32_t from, enum point start, uint32_t to,
                       enum point end)
{
    enum point at = start;
    if (!w->count)
        return refuse(x, "%s is empty", w->name);
    for (uint32_t i = 0; i < w->count; i++) {
        const assay_step *s = &w->steps[i];
        budget_tick(x->budget);
        if (!check_step(x, w, i))
            return false;
        if (s->from != (i ? w->steps[i - 1].to : from))
            return chain_refuse(x, w, i, "it does not start where it should");
        if (!goes_on(x, at, leaves(s->rule)))
            return chain_refuse(x, w, i, "it starts at the begin of a transaction, but only the commit is reached");
        at = enters(x, s->rule);
    }
    if (w->steps[w->count - 1].to != to)
        return chain_refuse(x, w, w->count - 1, "it does not end where it should");
    return goes_on(x, at, end) ||
           chain_refuse(x, w, w->count - 1, "it ends at the commit of a transaction, but the begin is needed");
}

/* ---- reasons ---- */

static bool names_fit(const struct recheck *x, uint32_t i, uint32_t a, uint32_t b)
{
    char where[32];
    snprintf(where, sizeof where, "reason %u", i);
    return takes_part(x, a, where) && takes_part(x, b, where);
}

/* Does r read a key that v writes from the source w, which is not v? For rc: behind its first read from v. */
static bool overtakes(const struct recheck *x, uint32_t v, uint32_t w, uint32_t r)
{
    const struct transactions *t = x->transactions;
    bool behind = !(x->conditions & COND_RC);
    for (uint32_t i = t->reads_at[r]; i < t->reads_at[r + 1]; i++) {
        const struct txn_read *read = &t->reads[i];
        if (behind && read->source == w && txn_write(t, v, read->key) != ID_NONE)
            return true;
        behind |= read->source == v;
    }
    return false;
}

static bool check_cf(const struct recheck *x, uint32_t i, bool cases)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    uint32_t to = r->to == ASSAY_NO_OPERATION ? FROM_INITIAL : r->to;
    if (!names_fit(x, i, r->from, r->read) || (to != FROM_INITIAL && !names_fit(x, i, to, to)))
        return false;
    if (r->from == to || !overtakes(x, r->from, to, r->read))
        return refuse(x, "reason %u: %s does not read a key of %s from another source as said", i,
                      operation_text(x, r->read), operation_text(x, r->from));
    unsigned rules = x->conditions & COND_RC ? 1u << ASSAY_WR
                     : x->conditions & WEAK  ? (unsigned)BASE_AND_READS
                                             : rules_of(x, cases);
    struct chain path = chain_of_reason(x, i, rules);
    if ((x->conditions & (COND_RC | COND_RA)) && path.count != 1)
        return refuse(x, "reason %u: the path of this model has one step", i);
    return check_walk(x, &path, r->from, COMMIT, r->read, BEGIN);
}

static bool check_ww(const struct recheck *x, uint32_t i, bool cases)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!names_fit(x, i, r->from, r->to))
        return false;
    if (!are_writes(x, r->from, r->to))
        return refuse(x, "reason %u: %s and %s are not two writers of one key", i, operation_text(x, r->from),
                      operation_text(x, r->to));
    struct chain path = chain_of_reason(x, i, rules_of(x, cases));
    return check_walk(x, &path, r->from, x->conditions & COND_SI ? BEGIN : COMMIT, r->to, COMMIT);
}

/* Does r read a key that w writes from the source? */
static bool reads_key_of(const struct transactions *t, uint32_t r, uint32_t w, uint32_t source)
{
    for (uint32_t i = t->reads_at[r]; i < t->reads_at[r + 1]; i++)
        if (t->reads[i].source == source && txn_write(t, w, t->reads[i].key) != ID_NONE)
            return true;
    return false;
}

static bool check_rw(const struct recheck *x, uint32_t i, bool cases)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    struct chain path = chain_of_reason(x, i, rules_of(x, cases));
    uint32_t source = path.count ? path.steps[0].from : FROM_INITIAL;
    if (!names_fit(x, i, r->from, r->to))
        return false;
    if (r->read != r->from || r->from == r->to || source == r->to)
        return refuse(x, "reason %u: an rw leads from a read to another transaction that overwrites it", i);
    if (!reads_key_of(x->transactions, r->from, r->to, source))
        return refuse(x, "reason %u: %s does not read a key of %s from where the path starts", i,
                      operation_text(x, r->from), operation_text(x, r->to));
    if ((x->conditions & COND_PSI) && !txn_share_key(x->transactions, r->from, r->to))
        return refuse(x, "reason %u: under psi, an rw is an order of two writers of one key", i);
    return !path.count || check_walk(x, &path, source, COMMIT, r->to, COMMIT);
}

bool recheck_txn_reasons(struct recheck *x, bool cases)
{
    for (uint32_t i = 0; i < x->line->evidence.reasons.n; i++) {
        assay_rule rule = x->line->evidence.reasons.at[i].rule;
        bool fine = rules_of(x, cases) >> rule & 1;
        if (!fine)
            return refuse(x, "reason %u: the rule %s is not one of this model", i, assay_rule_name(rule));
        switch (rule) {
        case ASSAY_CF: fine = check_cf(x, i, cases); break;
        case ASSAY_WW: fine = check_ww(x, i, cases); break;
        case ASSAY_RW: fine = check_rw(x, i, cases); break;
        default: fine = refuse(x, "reason %u: the rule %s needs no reason", i, assay_rule_name(rule)); break;
        }
        if (!fine)
            return false;
    }
    return true;
}

/* A writer before the initial transaction is a contradiction by itself. */
static bool is_before_initial(const struct chain *w)
{
    return w->count == 1 && w->steps[0].rule == ASSAY_CF && w->steps[0].to == ASSAY_NO_OPERATION;
}

bool recheck_txn_cycle(struct recheck *x, uint32_t lemma)
{
    struct chain w = chain_of_cycle(x, lemma, rules_of(x, lemma != ID_NONE));
    if (!w.count)
        return refuse(x, "%s is empty", w.name);
    if (is_before_initial(&w))
        return chain_derived(x, &w, 0);
    enum point start = leaves(w.steps[0].rule);
    return check_walk(x, &w, w.steps[0].from, start, w.steps[0].from, start);
}
