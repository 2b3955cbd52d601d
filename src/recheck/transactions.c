/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/transactions.h"

#include "history/token.h"
#include "recheck/known.h"

#include <stdlib.h>
#include <string.h>

enum kind { KIND_READ, KIND_WRITE, KIND_APPEND, KIND_NONE };

/* ---- the form ---- */

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

static enum kind kind_of(const history *h, uint32_t op, uint32_t i)
{
    static const char *const words[] = {"r", "w", "append"};
    for (int kind = 0; kind < KIND_NONE; kind++)
        if (is_word(h, history_arg(h, op, 3 * i), words[kind]))
            return (enum kind)kind;
    return KIND_NONE;
}

static uint32_t access_count(const history *h, uint32_t op)
{
    return history_arity(h, op) / 3;
}

static struct value access_value(const history *h, uint32_t op, uint32_t i)
{
    return history_arg(h, op, 3 * i + 2);
}

/* The value of a read may be unknown. In a program that is the word. */
static bool is_unknown(const history *h, struct value v)
{
    return v.kind == ASSAY_NONE || is_word(h, v, "?");
}

static bool check_form(const struct recheck *x, uint32_t op)
{
    const history *h = x->h;
    bool fine = token_is_txn(h, h->method[op]) && history_arity(h, op) % 3 == 0;
    for (uint32_t i = 0; fine && i < access_count(h, op); i++) {
        enum kind kind = kind_of(h, op, i);
        fine = kind != KIND_NONE && (kind == KIND_READ || !is_unknown(h, access_value(h, op, i)));
    }
    return fine || refuse(x, "%s is no transaction", operation_text(x, op));
}

static enum outcome outcome_of(const history *h, uint32_t op)
{
    if (history_pending(h, op))
        return OUTCOME_UNKNOWN;
    return is_word(h, history_result(h, op), "abort") ? OUTCOME_ABORTED : OUTCOME_COMMITTED;
}

/* ---- keys ---- */

/* Numbers them. A key is a register or a list in the whole history. */
static bool number_keys(const struct recheck *x, struct transactions *t)
{
    const history *h = x->h;
    struct value_ids names = {0};
    struct idmap of_object = {0};
    VEC(uint8_t) uses = {0}; /* of a key: 1 as a register, 2 as a list */
    t->key = mem_new(x->mem, uint32_t, history_accesses(h, h->n));
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; i < access_count(h, op); i++) {
            struct value v = access_value(h, op, i);
            uint32_t name = value_id(x->mem, &names, history_arg(h, op, 3 * i + 1));
            uint32_t *key = idmap_at(x->mem, &of_object, (uint64_t)history_object_of(h, op) << 32 | name);
            if (*key == ID_NONE) {
                *key = t->keys++;
                vec_push(x->mem, &uses, 0);
            }
            t->key[history_accesses(h, op) + i] = *key;
            enum kind kind = kind_of(h, op, i);
            if (kind == KIND_READ && is_unknown(h, v))
                continue;
            bool list = kind == KIND_APPEND || (kind == KIND_READ && v.kind == ASSAY_LIST);
            uses.at[*key] |= list ? 2 : 1;
            if (uses.at[*key] == 3)
                return refuse(x, "a key of %s is both a register and a list", operation_text(x, op));
        }
    t->is_list = mem_new(x->mem, bool, t->keys);
    for (uint32_t k = 0; k < t->keys; k++)
        t->is_list[k] = uses.at[k] == 2;
    return true;
}

/* ---- writes ---- */

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The keys that each operation writes. */
static void list_writes(const struct recheck *x, struct transactions *t)
{
    const history *h = x->h;
    uint32_t accesses = history_accesses(h, h->n), n = 0;
    t->writes_at = mem_new(x->mem, uint32_t, h->n + 1);
    t->write_key = mem_new(x->mem, uint32_t, accesses);
    t->write_count = mem_new(x->mem, uint32_t, accesses);
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t from = t->writes_at[op] = n, found = n;
        for (uint32_t i = 0; i < access_count(h, op); i++)
            if (kind_of(h, op, i) != KIND_READ)
                t->write_key[found++] = t->key[history_accesses(h, op) + i];
        if (found > from)
            qsort(t->write_key + from, found - from, sizeof *t->write_key, compare_ids);
        for (uint32_t i = from; i < found; i++) {
            if (n > from && t->write_key[n - 1] == t->write_key[i]) {
                t->write_count[n - 1]++;
                continue;
            }
            t->write_count[n] = 1;
            t->write_key[n++] = t->write_key[i];
        }
    }
    t->writes_at[h->n] = n;
    t->shown = mem_new_ids(x->mem, n);
}

uint32_t txn_write(const struct transactions *t, uint32_t op, uint32_t key)
{
    uint32_t low = t->writes_at[op], high = t->writes_at[op + 1], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->write_key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && t->write_key[low] == key ? low : ID_NONE;
}

/* The values that are put into keys, those of aborted transactions included. */
static void list_puts(const struct recheck *x, struct transactions *t)
{
    const history *h = x->h;
    uint32_t *done = mem_new_zero(x->mem, uint32_t, t->writes_at[h->n]); /* of a write: puts so far */
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; i < access_count(h, op); i++) {
            if (kind_of(h, op, i) == KIND_READ)
                continue;
            uint32_t key = t->key[history_accesses(h, op) + i];
            uint32_t value = value_id(x->mem, &t->values, access_value(h, op, i));
            uint32_t *put = idmap_at(x->mem, &t->put_of, (uint64_t)key << 32 | value);
            struct txn_put new = {op, key, done[txn_write(t, op, key)]++, ID_NONE};
            if (*put == ID_NONE) {
                *put = t->puts.n;
            } else {
                new.again = t->puts.at[*put].again;
                t->puts.at[*put].again = t->puts.n;
            }
            vec_push(x->mem, &t->puts, new);
        }
    mem_free(x->mem, done);
}

uint32_t txn_put_of(const struct transactions *t, uint32_t key, struct value v)
{
    uint32_t value = value_id_find(&t->values, v);
    return value == ID_NONE ? ID_NONE : idmap_get(&t->put_of, (uint64_t)key << 32 | value);
}

bool txn_share_key(const struct transactions *t, uint32_t a, uint32_t b)
{
    uint32_t i = t->writes_at[a], j = t->writes_at[b];
    while (i < t->writes_at[a + 1] && j < t->writes_at[b + 1]) {
        if (t->write_key[i] == t->write_key[j])
            return true;
        if (t->write_key[i] < t->write_key[j])
            i++;
        else
            j++;
    }
    return false;
}

bool txn_shown_before(const struct transactions *t, uint32_t a, uint32_t b)
{
    for (uint32_t i = t->writes_at[a]; i < t->writes_at[a + 1]; i++) {
        uint32_t other = txn_write(t, b, t->write_key[i]);
        if (other != ID_NONE && t->shown[i] != ID_NONE && (t->shown[other] == ID_NONE || t->shown[i] < t->shown[other]))
            return true;
    }
    return false;
}

/* ---- reads ---- */

struct own {       /* of a key: the writes of the transaction at hand */
    uint32_t op;   /* whose they are, if it is this one */
    uint32_t last; /* access, or ID_NONE */
};

struct reading {
    const struct recheck *x;
    struct transactions *t;
    struct own *own;
    uint32_t *before; /* of an access that writes: the one before it of the same key and transaction, or ID_NONE */
    uint32_t n;       /* reads so far */
};

static uint32_t last_own(const struct reading *r, uint32_t op, uint32_t key)
{
    return r->own[key].op == op ? r->own[key].last : ID_NONE;
}

struct value txn_initial_value(const history *h, uint32_t op, uint32_t i)
{
    const struct binding *b = bindings_find(&h->init, history_arg(h, op, 3 * i + 1));
    if (!b)
        b = bindings_find(&h->init, (struct value){0, ASSAY_NONE, 0});
    return b ? b->value : (struct value){0, ASSAY_INT, 0};
}

/* A read of a register, which the transaction has not written before. */
static void read_register(const struct reading *r, struct txn_read *read, uint32_t op)
{
    const history *h = r->x->h;
    struct value v = access_value(h, op, read->access);
    txn_find_source(r->t, op, read, v, value_same(v, txn_initial_value(h, op, read->access)));
}

/* Does the transaction put the value into the key behind the read? */
static bool written_later(const struct reading *r, uint32_t op, const struct txn_read *read, struct value v)
{
    uint32_t put = txn_put_of(r->t, read->key, v), so_far = 0;
    for (uint32_t a = last_own(r, op, read->key); a != ID_NONE; a = r->before[a])
        so_far++;
    while (put != ID_NONE && (r->t->puts.at[put].op != op || r->t->puts.at[put].place < so_far))
        put = r->t->puts.at[put].again;
    return put != ID_NONE;
}

/* The list without the appends of the transaction so far; NULL: they are not at its end. */
static const struct list_value *without_own(const struct reading *r, uint32_t op, uint32_t key,
                                            const struct list_value *list)
{
    const history *h = r->x->h;
    for (uint32_t a = last_own(r, op, key); a != ID_NONE; a = r->before[a], list = list->before)
        if (!list->before || !value_same(list->last, access_value(h, op, a - history_accesses(h, op))))
            return NULL;
    return list;
}

static void read_list(const struct reading *r, struct txn_read *read, uint32_t op)
{
    struct transactions *t = r->t;
    const history *h = r->x->h;
    struct value v = access_value(h, op, read->access);
    const struct list_value *list = without_own(r, op, read->key, h->lists.all.at[v.bits]);
    if (!list) {
        read->faults = FAULT_INTERNAL;
        for (list = h->lists.all.at[v.bits]; list->before; list = list->before)
            read->faults |= written_later(r, op, read, list->last) ? FAULT_FUTURE : 0;
        return;
    }
    read->version = txn_version(t, read->key, list, r->x->mem);
    const struct txn_version *version = &t->versions.at[read->version];
    read->faults = version->faults;
    if (read->version == t->initial[read->key]) {
        read->source = FROM_INITIAL;
        return;
    }
    if (version->put == ID_NONE)
        return;
    const struct txn_put *p = &t->puts.at[version->put];
    read->source = version->ambiguous == ID_NONE ? p->op : FROM_SEVERAL;
    if (p->op == op)
        read->faults |= FAULT_FUTURE;
    if (p->place + 1 != t->write_count[txn_write(t, p->op, read->key)])
        read->faults |= FAULT_INTERMEDIATE;
}

/* The version that the transaction makes, if a read behind own appends shows it. */
static void find_made(const struct reading *r, struct txn_read *read, uint32_t op)
{
    struct transactions *t = r->t;
    const history *h = r->x->h;
    if (read->version == ID_NONE || read->faults || last_own(r, op, read->key) == ID_NONE)
        return;
    const struct txn_read *last = r->n > t->reads_at[op] ? &t->reads[r->n - 1] : NULL;
    if (last && last->made != ID_NONE && last->key == read->key && last->version == read->version) {
        read->made = last->made;
        return;
    }
    const struct list_value *list = t->versions.at[read->version].list;
    for (uint32_t i = 0; i < access_count(h, op); i++)
        if (kind_of(h, op, i) == KIND_APPEND && t->key[history_accesses(h, op) + i] == read->key)
            list = txn_longer_list(t, list, access_value(h, op, i), r->x->mem);
    read->made = txn_version(t, read->key, list, r->x->mem);
}

static void read_access(struct reading *r, uint32_t op, uint32_t i)
{
    struct transactions *t = r->t;
    const history *h = r->x->h;
    struct txn_read read = {t->key[history_accesses(h, op) + i], i, FROM_NOBODY, ID_NONE, ID_NONE, 0};
    uint32_t own = last_own(r, op, read.key);
    if (is_unknown(h, access_value(h, op, i)))
        return;
    if (t->is_list[read.key]) {
        read_list(r, &read, op);
        find_made(r, &read, op);
    } else if (own == ID_NONE) {
        read_register(r, &read, op);
    } else {
        if (value_same(access_value(h, op, i), access_value(h, op, own - history_accesses(h, op))))
            return;
        read.faults = FAULT_INTERNAL;
        read.faults |= written_later(r, op, &read, access_value(h, op, i)) ? FAULT_FUTURE : 0;
    }
    if (read.faults && read.source != FROM_SEVERAL)
        read.source = FROM_NOBODY;
    t->reads[r->n++] = read;
}

static void read_transaction(struct reading *r, uint32_t op)
{
    const history *h = r->x->h;
    r->t->reads_at[op] = r->n;
    for (uint32_t i = 0; r->t->outcome[op] != OUTCOME_ABORTED && i < access_count(h, op); i++) {
        if (kind_of(h, op, i) == KIND_READ) {
            read_access(r, op, i);
            continue;
        }
        uint32_t access = history_accesses(h, op) + i, key = r->t->key[access];
        r->before[access] = last_own(r, op, key);
        r->own[key] = (struct own){op, access};
    }
}

/* The initial list of each key: the one that is declared, else the empty one. */
static void list_initial(const struct recheck *x, struct transactions *t)
{
    const history *h = x->h;
    t->initial = mem_new_ids(x->mem, t->keys);
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; i < access_count(h, op); i++) {
            uint32_t key = t->key[history_accesses(h, op) + i];
            if (!t->is_list[key] || t->initial[key] != ID_NONE)
                continue;
            struct value v = txn_initial_value(h, op, i);
            static const struct list_value empty = {0};
            struct txn_version version = {v.kind == ASSAY_LIST ? h->lists.all.at[v.bits]
                                          : h->lists.all.n     ? h->lists.all.at[0]
                                                               : &empty,
                                          ID_NONE,
                                          ID_NONE,
                                          ID_NONE,
                                          0,
                                          0,
                                          false};
            t->initial[key] = t->versions.n;
            *idmap_at(x->mem, &t->version_of, (uint64_t)key << 32 | version.list->id) = t->versions.n;
            vec_push(x->mem, &t->versions, version);
        }
}

static void list_reads(const struct recheck *x, struct transactions *t)
{
    uint32_t accesses = history_accesses(x->h, x->h->n);
    struct reading r = {
        .x = x, .t = t, .own = mem_new(x->mem, struct own, t->keys), .before = mem_new(x->mem, uint32_t, accesses)};
    for (uint32_t k = 0; k < t->keys; k++)
        r.own[k] = (struct own){ID_NONE, ID_NONE};
    t->reads_at = mem_new(x->mem, uint32_t, x->h->n + 1);
    t->reads = mem_new(x->mem, struct txn_read, accesses);
    for (uint32_t op = 0; op < x->h->n; op++)
        read_transaction(&r, op);
    t->reads_at[x->h->n] = r.n;
    mem_free(x->mem, r.own);
    mem_free(x->mem, r.before);
}

/* ---- the transactions that count ---- */

struct counting {
    struct transactions *t;
    struct mem *m;
    VEC(uint32_t) waiting;
};

static void count(struct counting *c, uint32_t op)
{
    if (c->t->counts[op] || c->t->outcome[op] == OUTCOME_ABORTED)
        return;
    c->t->counts[op] = true;
    vec_push(c->m, &c->waiting, op);
}

static void observe_put(struct counting *c, uint32_t put)
{
    const struct txn_put *p = put == ID_NONE ? NULL : &c->t->puts.at[put];
    if (p && p->again == ID_NONE)
        count(c, p->op);
}

/* Every element of a list is observed. */
static void observe_version(struct counting *c, uint32_t version)
{
    while (version != ID_NONE && !c->t->versions.at[version].observed) {
        c->t->versions.at[version].observed = true;
        observe_put(c, c->t->versions.at[version].put);
        version = c->t->versions.at[version].before;
    }
}

/* The smallest set: an unknown transaction counts once a transaction that counts observed a value of it. */
static void count_observed(const struct recheck *x, struct transactions *t)
{
    struct counting c = {.t = t, .m = x->mem};
    for (uint32_t op = 0; op < x->h->n; op++)
        if (t->outcome[op] == OUTCOME_COMMITTED)
            count(&c, op);
    while (c.waiting.n) {
        uint32_t op = vec_pop(&c.waiting);
        for (uint32_t i = t->reads_at[op]; i < t->reads_at[op + 1]; i++) {
            const struct txn_read *r = &t->reads[i];
            if (r->version != ID_NONE)
                observe_version(&c, r->version);
            else if (r->source < FROM_SEVERAL)
                count(&c, r->source);
        }
    }
    vec_free(x->mem, &c.waiting);
}

static void decide_counting(const struct recheck *x, struct transactions *t, const bool *named)
{
    t->counts = mem_new_zero(x->mem, bool, x->h->n);
    if (!named)
        count_observed(x, t);
    for (uint32_t op = 0; op < x->h->n; op++) {
        if (named)
            t->counts[op] = t->outcome[op] == OUTCOME_COMMITTED || (t->outcome[op] == OUTCOME_UNKNOWN && named[op]);
        t->count += t->counts[op];
    }
}

/* Elements of lists that are read are appended once. */
static bool unique_elements(const struct recheck *x, const struct transactions *t)
{
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t i = t->reads_at[op]; t->counts[op] && i < t->reads_at[op + 1]; i++) {
            const struct txn_read *r = &t->reads[i];
            uint32_t version = r->made != ID_NONE ? r->made : r->version;
            uint32_t put = version == ID_NONE ? ID_NONE : t->versions.at[version].ambiguous;
            if (put != ID_NONE)
                return refuse(x, "values are not unique: operations %u and %u append the same value to the same key",
                              t->puts.at[put].op, t->puts.at[t->puts.at[put].again].op);
        }
    return true;
}

/* ---- base order ---- */

static void list_sessions(const struct recheck *x, struct transactions *t)
{
    const history *h = x->h;
    t->sessions = history_by_thread(h, x->mem);
    t->place = mem_new(x->mem, uint32_t, h->n);
    for (uint32_t s = 0; s < h->threads.n; s++)
        for (uint32_t i = t->sessions.at[s]; i < t->sessions.at[s + 1]; i++)
            t->place[t->sessions.list[i]] = i - t->sessions.at[s];
    if (t->base == BASE_REALTIME && history_times(h) == TIMES_AFTER)
        t->past = recheck_known_past(h, &t->sessions, t->place, x->mem, x->budget);
}

bool txn_session_before(const struct transactions *t, uint32_t a, uint32_t b)
{
    return t->base != BASE_NONE && t->h->thread[a] == t->h->thread[b] && t->place[a] < t->place[b] &&
           t->outcome[a] != OUTCOME_UNKNOWN;
}

int64_t txn_begin_time(const struct transactions *t, uint32_t op)
{
    int64_t call = t->h->call[op];
    for (int i = 0; i < 2; i++) /* the one and the other clock */
        call = call < INT64_MIN + t->skew ? INT64_MIN : call - t->skew;
    return call;
}

static int compare_moments(const void *left, const void *right)
{
    const struct txn_moment *a = left, *b = right;
    return a->time != b->time ? (a->time > b->time ? 1 : -1) : a->ends - b->ends;
}

uint32_t txn_moments(const struct transactions *t, struct mem *m, struct txn_moment **out)
{
    uint32_t n = 0;
    *out = mem_new(m, struct txn_moment, 2 * (size_t)t->count);
    for (uint32_t op = 0; op < t->h->n; op++) {
        if (t->counts[op])
            (*out)[n++] = (struct txn_moment){txn_begin_time(t, op), op, false};
        if (txn_precedes(t, op))
            (*out)[n++] = (struct txn_moment){t->h->ret[op], op, true};
    }
    if (n)
        qsort(*out, n, sizeof **out, compare_moments);
    return n;
}

bool txn_time_before(const struct transactions *t, uint32_t a, uint32_t b)
{
    const history *h = t->h;
    if (t->base != BASE_REALTIME || t->outcome[a] == OUTCOME_UNKNOWN)
        return false;
    if (h->call)
        return h->ret[a] < txn_begin_time(t, b);
    return t->past && t->past[(size_t)b * h->threads.n + h->thread[a]] > t->place[a];
}

bool recheck_read_transactions(struct recheck *x, const bool *named)
{
    const history *h = x->h;
    struct transactions *t = mem_new_zero(x->mem, struct transactions, 1);
    x->transactions = t;
    t->h = h;
    t->base = x->line->model->base;
    t->skew = x->line->skew;
    t->outcome = mem_new(x->mem, uint8_t, h->n);
    for (uint32_t op = 0; op < h->n; op++) {
        if (!check_form(x, op))
            return false;
        t->outcome[op] = (uint8_t)outcome_of(h, op);
    }
    if (!number_keys(x, t))
        return false;
    list_sessions(x, t);
    list_writes(x, t);
    list_puts(x, t);
    list_initial(x, t);
    list_reads(x, t);
    if (!txn_name_sources(x, t))
        return false;
    decide_counting(x, t, named);
    if (!unique_elements(x, t))
        return false;
    txn_compare_versions(t, x->mem);
    return true;
}
