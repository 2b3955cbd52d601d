/* SPDX-License-Identifier: Apache-2.0 */
/* NoSources of transactions: the evidence has cases, and each is a refutation that assumes sources of some reads. It is
 * checked like one of its own, on the history with these sources. An unknown transaction counts in it only if the
 * assumed sources say so. So the assumed sources cannot be chosen together, by whichever sources the other reads have.
 * Then there is no choice of one source for each open read that avoids all cases (choosing.h).
 *
 * The reads of unknown transactions are given sources, too, even if these do not count. That demands more than needed,
 * but forbids no choice. A case that rests on such a read rests on the sources by which the transaction counts, too. */
#include "recheck/choosing.h"
#include "recheck/transactions.h"

/* ---- a case ---- */

struct checking {
    struct recheck x;
    struct evidence_line line;
    struct mem working;
    bool holds;
};

static void check(void *arg)
{
    struct checking *c = arg;
    c->holds = recheck_read_transactions(&c->x, NULL) && recheck_txn_refutation(&c->x, false);
}

static bool check_case(const struct recheck *x, const struct evidence *evidence, uint32_t i)
{
    struct checking c = {.x = *x, .line = *x->line, .working.limit = x->mem->limit};
    c.line.evidence = *evidence;
    c.x.line = &c.line;
    c.x.mem = &c.working;
    enum escape left = escape_run(check, &c);
    mem_release(&c.working);
    if (left)
        escape_raise(left);
    if (!c.holds) {
        assay_error why = *x->error;
        *x->error = (assay_error){0}; /* the first one is kept */
        refuse(x, "case %u: %s", i, why.message);
    }
    return c.holds;
}

/* ---- the choices ---- */

struct open_reads {
    const struct transactions *t;
    uint64_t most;      /* candidates */
    VEC(uint32_t) read; /* of a choice: a read, in t->reads */
    VEC(uint32_t) op;   /* its operation */
    uint32_t *choice;   /* of a read: its choice, or ID_NONE: its source is known */
};

static void list_choices(const struct recheck *x, struct open_reads *o)
{
    const struct transactions *t = o->t;
    uint32_t *last = mem_new_ids(x->mem, (size_t)t->puts.n + 1); /* of a value's first put: the choice made last */
    o->choice = mem_new_ids(x->mem, (size_t)t->reads_at[x->h->n] + 1);
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
            if (t->reads[i].source != FROM_SEVERAL || t->reads[i].version != ID_NONE)
                continue;
            uint32_t *same = &last[txn_read_put(t, op, &t->reads[i])];
            if (*same != ID_NONE && o->op.at[*same] == op && !(x->conditions & COND_RC)) {
                o->choice[i] = *same;
                continue;
            }
            o->choice[i] = *same = o->read.n;
            vec_push(x->mem, &o->read, i);
            vec_push(x->mem, &o->op, op);
        }
    mem_free(x->mem, last);
}

static void add_candidates(struct choosing *c, uint32_t choice)
{
    const struct open_reads *o = c->arg;
    const struct transactions *t = o->t;
    uint32_t op = o->op.at[choice];
    const struct txn_read *r = &t->reads[o->read.at[choice]];
    if (c->source.n > o->most)
        return;
    if (txn_may_read_from(t, op, r, FROM_INITIAL))
        vec_push(c->m, &c->source, FROM_INITIAL);
    for (uint32_t put = txn_read_put(t, op, r); put != ID_NONE; put = t->puts.at[put].again)
        if (txn_leaves(t, &t->puts.at[put]) && t->puts.at[put].op != op)
            vec_push(c->m, &c->source, t->puts.at[put].op);
}

/* The candidate that the evidence names; ID_NONE: the source was known anyway. */
static uint32_t candidate_of(const struct choosing *c, uint32_t source, uint32_t op, uint32_t access)
{
    const struct open_reads *o = c->arg;
    uint32_t choice = o->choice[txn_read_at(o->t, op, access) - o->t->reads];
    if (choice == ID_NONE)
        return ID_NONE;
    uint32_t i = c->at[choice];
    while (c->source.at[i] != source)
        i++;
    return i;
}

/* The sources of a case that holds are a nogood. A candidate may be named twice: by reads of one value. */
static void forbid_case(struct choosing *c, const struct evidence *assumed)
{
    vec_clear(&c->clash);
    for (uint32_t i = 0; i < assumed->sources.n; i++) {
        uint32_t write = assumed->sources.at[i].first;
        uint32_t candidate = candidate_of(c, write == ASSAY_NO_OPERATION ? FROM_INITIAL : write,
                                          assumed->sources.at[i].second, assumed->source_access.at[i]);
        if (candidate == ID_NONE || c->in_clash[candidate])
            continue;
        c->in_clash[candidate] = true;
        vec_push(c->m, &c->clash, candidate);
    }
    for (uint32_t i = 0; i < c->clash.n; i++)
        c->in_clash[c->clash.at[i]] = false;
    choosing_keep(c);
}

static bool wants(const struct choosing *c, uint32_t choice, uint32_t *by)
{
    (void)c;
    (void)choice;
    *by = ID_NONE;
    return true;
}

static enum judged judge(struct choosing *c)
{
    (void)c;
    return JUDGED_FINE; /* no case refutes it */
}

bool recheck_txn_choices(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    struct open_reads o = {.t = x->transactions, .most = at_most(x, LIMIT_TRANSACTION_SOURCES)};
    list_choices(x, &o);
    struct choosing c = {
        .m = x->mem, .budget = x->budget, .reads = o.read.n, .wants = wants, .judge = judge, .arg = &o};
    choosing_init(&c, x->h->n, add_candidates);
    if (c.source.n > o.most)
        return beyond(x, LIMIT_TRANSACTION_SOURCES);
    for (uint32_t i = 0; i < ev->cases.n; i++) {
        if (!check_case(x, ev->cases.at[i], i))
            return false;
        forbid_case(&c, ev->cases.at[i]);
    }
    if (choosing_search(&c) == NO_CHOICE)
        return true;
    return refuse(x, "the cases leave a choice of sources");
}
