/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force for transactions: the machine. It has a store, whose keys hold values or lists.
 *
 * ser: a transaction runs at once. pc, si: its begin copies the store, and it runs on the copy; its commit installs its
 * writes and appends. A list that it read behind own appends is then the list that it installs, as far as it had
 * appended. si: the commit is refused if a key that it writes has been committed since its begin. The
 * transactions that precede one in the base order commit before it begins. Unknown transactions may run or not. All
 * executions are tried. A history is consistent if in one of them every read returns its recorded value and every
 * committed transaction commits.
 *
 * It is the other half of `brute`: no axiom, no source of a read, no order of writers. So values need not be unique. An
 * execution is known by the order of its commits, the set of begun transactions, and those of them that are too late
 * to commit. A transaction runs when it begins, so nothing else matters for the rest, and a state is visited once. */
#include "baseline/brute_txn.h"

#include <string.h>

struct machine {
    struct job *job;
    struct brute_history b;
    enum condition condition;
    txn_set needed;            /* they must commit */
    struct brute_value *store; /* of a key */
    struct idmap visited;
    uint32_t event[2 * BRUTE_TRANSACTIONS], n; /* transactions; the first of two is the begin */
    txn_set begun, committed;
    txn_set late;   /* of the begun ones: those whose commit would be refused */
    uint64_t order; /* of the commits, four bits each */
};

static bool in(txn_set s, uint32_t t)
{
    return s >> t & 1;
}

/* ---- the store ---- */

static void overwrite(struct brute_value *v, const struct brute_access *a)
{
    if (a->kind == BRUTE_WRITE)
        v->n = 0;
    v->at[v->n++] = a->value;
}

/* Room for all appends of the history. */
static struct brute_value copy_value(const struct machine *x, const struct brute_value *v)
{
    uint32_t most = v->n + 1;
    for (uint32_t t = 0; t < x->b.n; t++)
        most += x->b.txn[t].n;
    struct brute_value copy = {mem_new(x->job->mem, struct value, most), v->n, v->list};
    if (v->n)
        memcpy(copy.at, v->at, v->n * sizeof *v->at);
    return copy;
}

static struct brute_value *copy_store(const struct machine *x, const struct brute_value *store)
{
    struct brute_value *copy = mem_new(x->job->mem, struct brute_value, x->b.keys);
    for (uint32_t key = 0; key < x->b.keys; key++)
        copy[key] = copy_value(x, &store[key]);
    return copy;
}

static void free_store(const struct machine *x, struct brute_value *store)
{
    for (uint32_t key = 0; key < x->b.keys; key++)
        mem_free(x->job->mem, store[key].at);
    mem_free(x->job->mem, store);
}

static bool returns(const struct machine *x, const struct brute_value *v, struct value seen)
{
    if (!v->list)
        return value_same(v->at[0], seen);
    struct brute_value list = brute_list(x->b.h, seen, x->job->mem);
    bool same = list.n == v->n;
    for (uint32_t i = 0; i < list.n && same; i++)
        same = value_same(list.at[i], v->at[i]);
    mem_free(x->job->mem, list.at);
    return same;
}

/* Runs the transaction; are its reads right? */
static bool runs(const struct machine *x, struct brute_value *store, uint32_t t)
{
    for (uint32_t i = 0; i < x->b.txn[t].n; i++) {
        const struct brute_access *a = &x->b.txn[t].access[i];
        if (a->kind != BRUTE_READ)
            overwrite(&store[a->key], a);
        else if (a->value.kind != ASSAY_NONE && !returns(x, &store[a->key], a->value))
            return false;
    }
    return true;
}

static bool runs_on_copy(const struct machine *x, uint32_t t)
{
    struct brute_value *copy = copy_store(x, x->store);
    bool fine = runs(x, copy, t);
    free_store(x, copy);
    return fine;
}

static bool appended_before(const struct brute_txn *t, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (t->access[k].kind == BRUTE_APPEND && t->access[k].key == t->access[i].key)
            return true;
    return false;
}

/* False: it read a list behind own appends that is not the one that it makes. */
static bool install(struct machine *x, uint32_t t)
{
    const struct brute_txn *txn = &x->b.txn[t];
    for (uint32_t i = 0; i < txn->n; i++) {
        const struct brute_access *a = &txn->access[i];
        if (a->kind != BRUTE_READ)
            overwrite(&x->store[a->key], a);
        else if (a->value.kind != ASSAY_NONE && appended_before(txn, i) && !returns(x, &x->store[a->key], a->value))
            return false;
    }
    return true;
}

/* ---- executions ---- */

static bool explore(struct machine *x);

static bool may_begin(const struct machine *x, uint32_t t)
{
    return !x->b.txn[t].aborted && !in(x->begun, t) && !(x->b.before[t] & ~x->committed) && runs_on_copy(x, t);
}

static bool may_commit(const struct machine *x, uint32_t t)
{
    return in(x->begun & ~x->committed & ~x->late, t);
}

/* si: those that have begun and write a key of t are too late when it commits. */
static txn_set overtaken(const struct machine *x, uint32_t t)
{
    txn_set late = 0;
    for (uint32_t key = 0; x->condition == COND_SI && key < x->b.keys; key++)
        if (in(x->b.writers[key], t))
            late |= x->b.writers[key];
    return late & x->begun & ~x->committed & ~brute_just(t);
}

static bool try_begin(struct machine *x, uint32_t t)
{
    struct machine before = *x;
    x->event[x->n++] = t;
    x->begun |= brute_just(t);
    if (explore(x))
        return true;
    struct idmap visited = x->visited;
    *x = before;
    x->visited = visited;
    return false;
}

static bool try_commit(struct machine *x, uint32_t t)
{
    struct machine before = *x;
    x->store = copy_store(x, x->store);
    bool installed = install(x, t);
    x->late |= overtaken(x, t);
    x->event[x->n++] = t;
    x->begun |= brute_just(t);
    x->committed |= brute_just(t);
    x->order = x->order << 4 | (t + 1);
    if (installed && explore(x))
        return true;
    free_store(x, x->store);
    struct idmap visited = x->visited;
    *x = before;
    x->visited = visited;
    return false;
}

static bool is_new(struct machine *x)
{
    /* at most ten transactions: four bits for each commit, and ten for each set */
    uint64_t state = (x->order << BRUTE_TRANSACTIONS | x->begun) << BRUTE_TRANSACTIONS | x->late;
    uint32_t *seen = idmap_at(x->job->mem, &x->visited, state);
    bool new = *seen == ID_NONE;
    *seen = 0;
    return new;
}

static bool explore(struct machine *x)
{
    budget_tick(x->job->budget);
    if (!(x->needed & ~x->committed))
        return true;
    if (!is_new(x))
        return false;
    for (uint32_t t = 0; t < x->b.n; t++) {
        bool found = x->condition == COND_SER
                         ? may_begin(x, t) && try_commit(x, t)
                         : (may_commit(x, t) && try_commit(x, t)) || (may_begin(x, t) && try_begin(x, t));
        if (found)
            return true;
    }
    return false;
}

static void keep_witness(const struct machine *x)
{
    struct evidence *ev = &x->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < x->n; i++)
        if (in(x->committed, x->event[i]))
            evidence_place(ev, x->event[i]);
    ev->witness = true;
}

static void run(struct job *job)
{
    struct machine x = {.job = job, .condition = (enum condition)job->model->conditions};
    brute_read(&x.b, job);
    for (uint32_t t = 0; t < x.b.n; t++)
        x.needed |= x.b.txn[t].aborted || x.b.txn[t].unknown ? 0 : brute_just(t);
    x.store = copy_store(&x, x.b.initial);
    bool found = explore(&x);
    job->out->verdict = found ? ASSAY_CONSISTENT : ASSAY_VIOLATION;
    if (found)
        keep_witness(&x);
}

const struct engine engine_brute_machine = {
    .name = "brute",
    .title = "a store on which all executions of transactions are tried, for small histories",
    .conditions = COND_PC | COND_SI | COND_SER,
    .lifts = NEED_UNIQUE_VALUES,
    .most_events = BRUTE_TRANSACTIONS,
    .on_request = true,
    .no_evidence = true,
    .variants = (const char *const[]){"machine", NULL},
    .run = run,
};
