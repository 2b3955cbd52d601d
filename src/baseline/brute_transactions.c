/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force for transactions: the axioms, for every set of unknown transactions, every choice of sources where values
 * repeat, and every order of the commits.
 *
 *     t3 reads x from t1, t2 writes x, PHI(t2, t3)  =>  t2 before t1 in the order
 *
 * An order is built from its front. A transaction can be next when its predecessors in the base order and the sources
 * of its reads are placed. PHI is part of the order, so its axioms can be checked as soon as it is placed. The lists
 * that are read must agree with the lists that the order has made so far. A list that is read behind own appends is one
 * that its transaction makes, with all its appends.
 *
 * A model of points (pc, si) has a witness of begins and commits. A transaction begins directly behind the commit of
 * the last one that it must see.
 *
 * Source: the definitions in docs/reference/models-formal.md (Biswas and Enea, OOPSLA'19). */
#include "baseline/brute_txn.h"

#include <string.h>

struct read {             /* an external one */
    uint32_t key, source; /* a transaction, or INITIAL */
    uint32_t access;      /* within the transaction */
    struct value value;
    struct brute_value list; /* of a list: without the transaction's own appends */
    struct brute_value made; /* and with all of them, if the read is behind one: the list that the transaction makes */
};

enum { INITIAL = UINT32_MAX, WRONG = UINT32_MAX - 1 };

struct search {
    struct job *job;
    struct brute_history b;
    enum condition condition;
    txn_set taken; /* the transactions that take effect */
    struct read *reads[BRUTE_TRANSACTIONS];
    uint32_t read_n[BRUTE_TRANSACTIONS];
    uint64_t choice; /* of sources: the number of the choice at hand, and how many there are */
    uint64_t choices;
    bool several;                   /* a source has to be named: other transactions might be it, too */
    txn_set wr[BRUTE_TRANSACTIONS]; /* its sources */
    struct brute_value *made;       /* of a list key: the list that the order makes so far */

    uint32_t placed[BRUTE_TRANSACTIONS], n;
    txn_set upto[BRUTE_TRANSACTIONS]; /* of a placed transaction: those up to it in the order */
    txn_set past[BRUTE_TRANSACTIONS]; /* tcc, psi: those before it in their relation */
};

static bool in(txn_set s, uint32_t t)
{
    return s >> t & 1;
}

/* ---- inside a transaction ---- */

/* The last value that t writes to the key before its access i; its last one if i is the number of accesses. */
static const struct brute_access *last_write(const struct brute_txn *t, uint32_t key, uint32_t i)
{
    while (i--)
        if (t->access[i].key == key && t->access[i].kind != BRUTE_READ)
            return &t->access[i];
    return NULL;
}

static bool leaves(const struct brute_txn *t, uint32_t key, struct value v)
{
    const struct brute_access *last = last_write(t, key, t->n);
    return !t->aborted && last && value_same(last->value, v);
}

/* The source of a read by `reader` in the choice at hand. It is the initial transaction, or another one that takes
 * effect and leaves the value in the key. The choice is a number, of which each read takes its digit. */
static uint32_t source_of(struct search *s, uint32_t reader, uint32_t key, struct value v, bool initial)
{
    uint32_t candidates[BRUTE_TRANSACTIONS + 1], n = 0, others = 0;
    if (initial)
        candidates[n++] = INITIAL;
    for (uint32_t t = 0; t < s->b.n; t++)
        if (t != reader && leaves(&s->b.txn[t], key, v)) {
            if (in(s->taken, t))
                candidates[n++] = t;
            else
                others++;
        }
    s->several |= n + others > 1;
    if (!n)
        return WRONG;
    uint32_t digit = (uint32_t)(s->choice / s->choices % n);
    s->choices *= n;
    return candidates[digit];
}

/* Was the element appended once? Then the list tells who did it. */
static uint32_t appender_of(const struct search *s, uint32_t key, struct value v)
{
    uint32_t source = WRONG, writes = 0;
    for (uint32_t t = 0; t < s->b.n; t++)
        for (uint32_t i = 0; i < s->b.txn[t].n; i++) {
            const struct brute_access *a = &s->b.txn[t].access[i];
            if (a->kind == BRUTE_READ || a->key != key || !value_same(a->value, v))
                continue;
            writes++;
            if (in(s->taken, t) && last_write(&s->b.txn[t], key, s->b.txn[t].n) == a)
                source = t;
        }
    if (writes > 1) {
        error_set(s->job->error, ASSAY_ERROR_NOT_APPLICABLE, "the engine brute needs elements that are appended once");
        error_remedy(s->job->error, "brute:machine does without");
        escape_raise(ESCAPE_ERROR);
    }
    return source;
}

static bool same_values(const struct value *a, const struct value *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!value_same(a[i], b[i]))
            return false;
    return true;
}

/* Takes the own appends before access i off the list; false if they are not its end. */
static bool take_off_own(const struct brute_txn *t, uint32_t i, struct brute_value *list)
{
    uint32_t key = t->access[i].key;
    while (i--)
        if (t->access[i].key == key && t->access[i].kind == BRUTE_APPEND) {
            if (!list->n || !value_same(list->at[list->n - 1], t->access[i].value))
                return false;
            list->n--;
        }
    return true;
}

/* The list with all appends of the transaction to the key behind it. */
static struct brute_value with_all_own(const struct brute_txn *t, uint32_t key, const struct brute_value *list,
                                       struct mem *m)
{
    struct brute_value made = {mem_new(m, struct value, list->n + t->n), 0, true};
    for (uint32_t i = 0; i < list->n; i++)
        made.at[made.n++] = list->at[i];
    for (uint32_t i = 0; i < t->n; i++)
        if (t->access[i].key == key && t->access[i].kind == BRUTE_APPEND)
            made.at[made.n++] = t->access[i].value;
    return made;
}

/* False: no set of transactions explains it. */
static bool add_read(struct search *s, uint32_t t, uint32_t i)
{
    const struct brute_txn *txn = &s->b.txn[t];
    const struct brute_access *a = &txn->access[i], *own = last_write(txn, a->key, i);
    struct read r = {.key = a->key, .access = i, .value = a->value};
    const struct brute_value *initial = &s->b.initial[a->key];
    if (!initial->list && own)
        return value_same(own->value, a->value);
    if (initial->list) {
        r.list = brute_list(s->b.h, a->value, s->job->mem);
        if (!take_off_own(txn, i, &r.list) || r.list.n < initial->n || !same_values(r.list.at, initial->at, initial->n))
            return false;
        if (own)
            r.made = with_all_own(txn, a->key, &r.list, s->job->mem);
        r.source = r.list.n == initial->n ? INITIAL : appender_of(s, a->key, r.list.at[r.list.n - 1]);
    } else {
        r.source = source_of(s, t, a->key, a->value, value_same(a->value, initial->at[0]));
    }
    if (r.source == WRONG || r.source == t)
        return false;
    if (r.source != INITIAL)
        s->wr[t] |= brute_just(r.source);
    s->reads[t][s->read_n[t]++] = r;
    return true;
}

static bool find_reads(struct search *s)
{
    bool fine = true;
    s->choices = 1;
    s->several = false;
    for (uint32_t t = 0; t < s->b.n && fine; t++) {
        if (!s->reads[t])
            s->reads[t] = mem_new(s->job->mem, struct read, s->b.txn[t].n);
        s->read_n[t] = 0;
        s->wr[t] = 0;
        for (uint32_t i = 0; in(s->taken, t) && i < s->b.txn[t].n && fine; i++)
            if (s->b.txn[t].access[i].kind == BRUTE_READ && s->b.txn[t].access[i].value.kind != ASSAY_NONE)
                fine = add_read(s, t, i);
    }
    return fine;
}

/* ---- the axioms ---- */

static txn_set writers_of_same(const struct search *s, uint32_t t)
{
    txn_set ww = 0;
    for (uint32_t key = 0; key < s->b.keys; key++)
        if (in(s->b.writers[key], t))
            ww |= s->b.writers[key];
    return ww;
}

/* The union of the sets that belong to the transactions of a set. */
static txn_set collect(const txn_set *of, txn_set all)
{
    txn_set out = 0;
    for (uint32_t t = 0; t < BRUTE_TRANSACTIONS; t++)
        if (in(all, t))
            out |= of[t];
    return out;
}

/* The transactions t2 with PHI(t2, t), of those placed. For rc: at its read i. */
static txn_set phi(struct search *s, uint32_t t, uint32_t i, txn_set placed)
{
    txn_set seen = (s->b.before[t] & s->taken) | s->wr[t], earlier = 0;
    txn_set written = seen | (writers_of_same(s, t) & placed);
    switch (s->condition) {
    case COND_RC:
        for (uint32_t k = 0; k < i; k++)
            if (s->reads[t][k].source != INITIAL)
                earlier |= brute_just(s->reads[t][k].source);
        return earlier;
    case COND_RA: return seen;
    case COND_TCC: return s->past[t] = seen | collect(s->past, seen);
    case COND_PSI: return s->past[t] = written | collect(s->past, written);
    case COND_PC: return collect(s->upto, seen);
    case COND_SI: return collect(s->upto, written);
    default: return placed;
    }
}

static bool axioms_hold(struct search *s, uint32_t t, txn_set placed)
{
    if (!s->read_n[t])
        (void)phi(s, t, 0, placed); /* its past is asked for later */
    for (uint32_t i = 0; i < s->read_n[t]; i++) {
        const struct read *r = &s->reads[t][i];
        txn_set known = r->source == INITIAL ? 0 : s->upto[r->source];
        if (phi(s, t, i, placed) & s->b.writers[r->key] & s->taken & ~known)
            return false;
    }
    return true;
}

/* ---- lists ---- */

/* Does the list agree with the one of its key that the order has made, up to the commit of t? of_t: t made it. */
static bool agrees(const struct brute_value *seen, const struct brute_value *v, bool of_t)
{
    uint32_t common = seen->n < v->n ? seen->n : v->n;
    return !seen->list || (same_values(seen->at, v->at, common) && (!of_t || seen->n == v->n));
}

/* Appends; false: a list that is read does not agree. */
static bool append_all(struct search *s, uint32_t t)
{
    const struct brute_txn *txn = &s->b.txn[t];
    for (uint32_t i = 0; i < txn->n; i++)
        if (txn->access[i].kind == BRUTE_APPEND) {
            struct brute_value *v = &s->made[txn->access[i].key];
            v->at[v->n++] = txn->access[i].value;
        }
    for (uint32_t u = 0; u < s->b.n; u++)
        for (uint32_t i = 0; in(s->taken, u) && i < s->read_n[u]; i++) {
            const struct read *r = &s->reads[u][i];
            const struct brute_value *v = &s->made[r->key];
            if (!agrees(&r->list, v, r->source == t) || !agrees(&r->made, v, u == t))
                return false;
        }
    return true;
}

static void take_back(struct search *s, uint32_t t)
{
    const struct brute_txn *txn = &s->b.txn[t];
    for (uint32_t i = 0; i < txn->n; i++)
        if (txn->access[i].kind == BRUTE_APPEND)
            s->made[txn->access[i].key].n--;
}

static void make_lists(struct search *s)
{
    s->made = mem_new_zero(s->job->mem, struct brute_value, s->b.keys);
    for (uint32_t key = 0; key < s->b.keys; key++) {
        uint32_t most = s->b.initial[key].n;
        for (uint32_t t = 0; t < s->b.n; t++)
            most += s->b.txn[t].n;
        s->made[key] = (struct brute_value){mem_new(s->job->mem, struct value, most), 0, s->b.initial[key].list};
    }
}

static void begin_lists(struct search *s)
{
    if (!s->made)
        make_lists(s);
    for (uint32_t key = 0; key < s->b.keys; key++) {
        const struct brute_value *initial = &s->b.initial[key];
        s->made[key].n = initial->n;
        if (initial->n)
            memcpy(s->made[key].at, initial->at, initial->n * sizeof *initial->at);
    }
}

/* ---- orders ---- */

static bool complete(struct search *s, txn_set placed);

static bool place(struct search *s, uint32_t t, txn_set placed)
{
    bool found = false;
    s->placed[s->n++] = t;
    s->upto[t] = placed | brute_just(t);
    if (append_all(s, t))
        found = axioms_hold(s, t, placed) && complete(s, placed | brute_just(t));
    if (!found) {
        take_back(s, t);
        s->n--;
    }
    return found;
}

static bool complete(struct search *s, txn_set placed)
{
    budget_tick(s->job->budget);
    if (placed == s->taken)
        return true;
    for (uint32_t t = 0; t < s->b.n; t++) {
        txn_set first = (s->b.before[t] & s->taken) | s->wr[t];
        if (in(s->taken & ~placed, t) && !(first & ~placed) && place(s, t, placed))
            return true;
    }
    return false;
}

/* ---- the witness ---- */

/* The place behind which t begins: that of the last transaction that it must see, counted from 1. */
static uint32_t begins_behind(const struct search *s, uint32_t t)
{
    txn_set seen = (s->b.before[t] & s->taken) | s->wr[t];
    if (s->condition == COND_SI)
        seen |= writers_of_same(s, t) & s->upto[t] & ~brute_just(t);
    uint32_t behind = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (in(seen, s->placed[i]))
            behind = i + 1;
    return behind;
}

static void keep_sources(const struct search *s)
{
    for (uint32_t t = 0; t < s->b.n; t++)
        for (uint32_t i = 0; in(s->taken, t) && i < s->read_n[t]; i++) {
            const struct read *r = &s->reads[t][i];
            if (!r->list.list)
                evidence_access_source(&s->job->out->evidence, r->source == INITIAL ? ASSAY_NO_OPERATION : r->source, t,
                                       r->access);
        }
}

static void keep_witness(const struct search *s)
{
    struct evidence *ev = &s->job->out->evidence;
    bool points = s->condition & (COND_PC | COND_SI);
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i <= s->n; i++) {
        if (i)
            evidence_place(ev, s->placed[i - 1]);
        for (uint32_t k = 0; points && k < s->n; k++)
            if (begins_behind(s, s->placed[k]) == i)
                evidence_place(ev, s->placed[k]);
    }
    ev->witness = true;
    if (s->several)
        keep_sources(s);
}

/* ---- choices of sources, and sets of unknown transactions ---- */

static bool holds(struct search *s)
{
    s->choice = 0;
    do {
        memset(s->past, 0, sizeof s->past);
        s->n = 0;
        if (!find_reads(s))
            return false;
        begin_lists(s);
        if (complete(s, 0))
            return true;
    } while (++s->choice < s->choices);
    return false;
}

static void run(struct job *job)
{
    struct search s = {.job = job, .condition = (enum condition)job->model->conditions};
    txn_set committed = 0, unknown = 0;
    brute_read(&s.b, job);
    for (uint32_t t = 0; t < s.b.n; t++) {
        committed |= s.b.txn[t].aborted || s.b.txn[t].unknown ? 0 : brute_just(t);
        unknown |= s.b.txn[t].unknown ? brute_just(t) : 0;
    }
    bool found = false;
    for (txn_set some = unknown;; some = (some - 1) & unknown) { /* all subsets, the largest first */
        s.taken = committed | some;
        found = holds(&s);
        if (found || !some)
            break;
    }
    job->out->verdict = found ? ASSAY_CONSISTENT : ASSAY_VIOLATION;
    if (found)
        keep_witness(&s);
}

const struct engine engine_brute_transactions = {
    .name = "brute",
    .title = "the axioms over all orders of commits, for small histories",
    .conditions = COND_RC | COND_RA | COND_TCC | COND_PC | COND_PSI | COND_SI | COND_SER,
    .lifts = NEED_UNIQUE_VALUES,
    .most_events = BRUTE_TRANSACTIONS,
    .on_request = true,
    .no_evidence = true,
    .run = run,
};
