/* SPDX-License-Identifier: Apache-2.0 */
/* Witnesses of models of transactions: one order of those that count, or for pc and si one of their begins and commits.
 *
 * The order is executed. ser: each transaction reads the last committed values. pc, si: it reads them at its begin, and
 * installs its writes at its commit. si: the first committer wins, so no key that it writes was committed since its
 * begin. The other models do not execute: txn_axioms.c checks their axioms for the order.
 *
 * Every transaction begins after those that precede it in the base order have committed. Only the latest commit among
 * these matters, so sessions, ends in time and recorded knowledge are walked with a running maximum.
 *
 * The appends of an order make one list per key. A list that was read must be the beginning of it that ends with the
 * appends of its source. One that was read behind own appends must be the beginning that ends with all of these. */
#include "recheck/transactions.h"

#include "history/token.h"

/* ---- places ---- */

static bool place_all(struct recheck *x, struct txn_order *o, bool twice)
{
    const struct transactions *t = x->transactions;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = o->ops[i];
        if (!takes_part(x, op, "the order"))
            return false;
        uint32_t *place = twice && o->begin[op] != ID_NONE ? &o->commit[op] : &o->begin[op];
        if (*place != ID_NONE)
            return refuse(x, "the order has %s too often", operation_text(x, op));
        *place = i;
        if (!twice)
            o->commit[op] = i;
    }
    uint32_t needed = t->count * (twice ? 2 : 1);
    return o->count == needed ||
           refuse(x, "the order has %u entries, but %u transactions take part", o->count, t->count);
}

/* ---- base order ---- */

static bool begins_after(const struct recheck *x, const struct txn_order *o, uint32_t op, uint32_t earlier)
{
    if (earlier == ID_NONE || o->commit[earlier] < o->begin[op])
        return true;
    return refuse(x, "the order has %s before %s, which precedes it", operation_text(x, op),
                  operation_text(x, earlier));
}

/* Which of the two commits later? `op` may be one without successors. */
static uint32_t later(const struct transactions *t, const struct txn_order *o, uint32_t latest, uint32_t op)
{
    if (!txn_precedes(t, op))
        return latest;
    return latest == ID_NONE || o->commit[op] > o->commit[latest] ? op : latest;
}

/* Walks along the sessions. latest[i]: of the first i + 1 operations of its session, the one that commits last. */
static bool check_sessions(const struct recheck *x, const struct txn_order *o, uint32_t *latest)
{
    const struct transactions *t = x->transactions;
    for (uint32_t s = 0; s < x->h->threads.n; s++) {
        uint32_t last = ID_NONE;
        for (uint32_t i = t->sessions.at[s]; i < t->sessions.at[s + 1]; i++) {
            uint32_t op = t->sessions.list[i];
            if (t->base != BASE_NONE && t->counts[op] && !begins_after(x, o, op, last))
                return false;
            latest[i] = last = later(t, o, last, op);
        }
    }
    return true;
}

static bool check_knowledge(const struct recheck *x, const struct txn_order *o, const uint32_t *latest)
{
    const struct transactions *t = x->transactions;
    uint32_t k = x->h->threads.n;
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t s = 0; t->counts[op] && s < k; s++) {
            uint32_t known = t->past[(size_t)op * k + s];
            if (known && !begins_after(x, o, op, latest[t->sessions.at[s] + known - 1]))
                return false;
        }
    return true;
}

static bool check_times(const struct recheck *x, const struct txn_order *o)
{
    struct txn_moment *at;
    uint32_t n = txn_moments(x->transactions, x->mem, &at), last = ID_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (at[i].ends)
            last = later(x->transactions, o, last, at[i].op);
        else if (!begins_after(x, o, at[i].op, last))
            return false;
    return true;
}

static bool check_base(const struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    uint32_t *latest = mem_new(x->mem, uint32_t, x->h->n);
    if (!check_sessions(x, o, latest))
        return false;
    if (t->base != BASE_REALTIME)
        return true;
    return t->past ? check_knowledge(x, o, latest) : !x->h->call || check_times(x, o);
}

/* ---- reads ---- */

static bool check_sources(const struct recheck *x)
{
    const struct transactions *t = x->transactions;
    bool executed = x->conditions & (COND_SER | COND_PC | COND_SI); /* that finds open sources */
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t i = t->reads_at[op]; t->counts[op] && i < t->reads_at[op + 1]; i++) {
            uint32_t source = t->reads[i].source;
            if (t->reads[i].faults)
                return refuse(x, "access %u of %s returned a value that no committed transaction left",
                              t->reads[i].access, operation_text(x, op));
            if (source == FROM_SEVERAL && !executed)
                return refuse(
                    x, "several transactions wrote the value of access %u of %s, and none is named as its source",
                    t->reads[i].access, operation_text(x, op));
            if (source < FROM_SEVERAL && !t->counts[source])
                return refuse(x, "%s reads from %s, which the order leaves out", operation_text(x, op),
                              operation_text(x, source));
        }
    return true;
}

/* ---- lists ---- */

struct made {            /* the lists that the order makes */
    struct value **list; /* of a key, without its initial list */
    uint32_t *length;    /* of a key, so far */
    uint32_t *end;       /* of a write: the length when it has been appended */
};

static struct made make_lists(const struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    const history *h = x->h;
    uint32_t *total = mem_new_zero(x->mem, uint32_t, t->keys);
    struct made made = {mem_new(x->mem, struct value *, t->keys), mem_new_zero(x->mem, uint32_t, t->keys),
                        mem_new(x->mem, uint32_t, t->writes_at[h->n])};
    for (uint32_t i = 0; i < t->writes_at[h->n]; i++)
        total[t->write_key[i]] += t->write_count[i];
    for (uint32_t key = 0; key < t->keys; key++)
        made.list[key] = mem_new(x->mem, struct value, t->is_list[key] ? total[key] : 0);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = o->ops[i];
        for (uint32_t a = 0; o->commit[op] == i && a < history_arity(h, op) / 3; a++) {
            uint32_t key = t->key[history_accesses(h, op) + a], write = txn_write(t, op, key);
            bool appends = t->is_list[key] && !token_reads(h, op, a);
            if (!appends)
                continue;
            made.list[key][made.length[key]++] = history_arg(h, op, 3 * a + 2);
            made.end[write] = made.length[key];
        }
    }
    return made;
}

/* The version is the one that the source makes. */
static bool check_list(const struct recheck *x, const struct made *made, bool *right, uint32_t op,
                       const struct txn_read *r, uint32_t version, uint32_t source)
{
    const struct transactions *t = x->transactions;
    uint32_t initial = t->versions.at[t->initial[r->key]].list->length;
    uint32_t length = t->versions.at[version].list->length - initial;
    if (length != (source == FROM_INITIAL ? 0 : made->end[txn_write(t, source, r->key)]))
        return refuse(x, "access %u of %s did not return the list that the order makes", r->access,
                      operation_text(x, op));
    for (uint32_t v = version; v != t->initial[r->key] && !right[v]; v = t->versions.at[v].before) {
        if (!value_same(t->versions.at[v].list->last, made->list[r->key][--length]))
            return refuse(x, "access %u of %s returned a list that the order does not make", r->access,
                          operation_text(x, op));
        right[v] = true;
    }
    return true;
}

static bool check_lists(const struct recheck *x, const struct txn_order *o)
{
    const struct transactions *t = x->transactions;
    struct made made = make_lists(x, o);
    bool *right = mem_new_zero(x->mem, bool, t->versions.n);
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t i = t->reads_at[op]; t->counts[op] && i < t->reads_at[op + 1]; i++) {
            const struct txn_read *r = &t->reads[i];
            if (r->version != ID_NONE && !check_list(x, &made, right, op, r, r->version, r->source))
                return false;
            if (r->made != ID_NONE && !check_list(x, &made, right, op, r, r->made, op))
                return false;
        }
    return true;
}

/* ---- execution ---- */

static bool run_begin(const struct recheck *x, const uint32_t *current, uint32_t op)
{
    const struct transactions *t = x->transactions;
    for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
        uint32_t held = current[t->reads[i].key];
        bool open = t->reads[i].source == FROM_SEVERAL;
        if (open ? !txn_may_read_from(t, op, &t->reads[i], held) : t->reads[i].source != held)
            return refuse(x, "in the order, access %u of %s does not return the value of %s", t->reads[i].access,
                          operation_text(x, op),
                          held == FROM_INITIAL ? "the initial transaction" : operation_text(x, held));
    }
    return true;
}

static bool run_commit(const struct recheck *x, const struct txn_order *o, uint32_t *current, uint32_t op)
{
    const struct transactions *t = x->transactions;
    bool first_wins = x->conditions & COND_SI;
    for (uint32_t i = t->writes_at[op]; i < t->writes_at[op + 1]; i++) {
        uint32_t *held = &current[t->write_key[i]];
        if (first_wins && *held != FROM_INITIAL && o->commit[*held] > o->begin[op])
            return refuse(x, "in the order, %s commits a key that %s has committed since its begin",
                          operation_text(x, op), operation_text(x, *held));
        *held = op;
    }
    return true;
}

static bool execute(const struct recheck *x, const struct txn_order *o)
{
    uint32_t *current = mem_new(x->mem, uint32_t, x->transactions->keys);
    for (uint32_t key = 0; key < x->transactions->keys; key++)
        current[key] = FROM_INITIAL;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t op = o->ops[i];
        if (o->begin[op] == i && !run_begin(x, current, op))
            return false;
        if (o->commit[op] == i && !run_commit(x, o, current, op))
            return false;
    }
    return true;
}

bool recheck_txn_witness(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    if (ev->orders.n != 1 || ev->orders.at[0].thread != ASSAY_NO_THREAD)
        return refuse(x, "the model %s needs one order of the whole history", x->line->model->name);
    struct txn_order o = {.ops = ev->ops.n ? ev->ops.at + ev->orders.at[0].at : NULL,
                          .count = ev->orders.at[0].count,
                          .begin = mem_new_ids(x->mem, x->h->n),
                          .commit = mem_new_ids(x->mem, x->h->n)};
    if (!place_all(x, &o, x->conditions & (COND_PC | COND_SI)) || !check_base(x, &o) || !check_sources(x) ||
        !check_lists(x, &o))
        return false;
    if (x->conditions & (COND_SER | COND_PC | COND_SI))
        return execute(x, &o);
    return recheck_txn_axioms(x, &o);
}
