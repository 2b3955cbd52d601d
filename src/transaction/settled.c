/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/settled.h"

#include "memory/forced_order.h"
#include "transaction/free_choice.h"
#include "transaction/txn_events_order.h"

#include <string.h>

struct segment { /* the settled writers of a key in one chain: writers.list[from] .. writers.list[end-1] */
    uint32_t chain, from, end;
};

struct search {
    const struct settling *q;
    const struct txn_view *v;
    struct mem *m;
    struct txn_events s;
    struct forced_order forced;
    uint32_t *cut;                /* of a chain: so many of its transactions are settled, as far as we know */
    bool shorter;                 /* a cut has become shorter */
    struct groups writers;        /* of a key: its writes, chain by chain */
    bool *list;                   /* of a key */
    struct groups touched;        /* of a key: the waiting operations that access it */
    uint32_t *behind;             /* of an operation: the last transaction of its session before it, or ID_NONE */
    uint32_t *rank;               /* of an event: its place in the order that explains the view */
    struct groups readers;        /* of a key: the reads of it */
    uint32_t *reader;             /* of a read: its transaction */
    VEC(struct segment) segments; /* of one key */
    VEC(uint32_t) versions;       /* of one list */
    VEC(uint32_t) counts;         /* beside them: so many of them come before each */
    VEC(uint32_t) ends;           /* of its blocks */
    VEC(uint32_t) tops;           /* the settled writes of one key that no other one comes behind */
    uint32_t looked_at;           /* the source of the read that was looked at last */
    VEC(struct last_choice) choices;
    VEC(uint32_t) candidates; /* of these */
};

static uint32_t position(const struct search *x, uint32_t t)
{
    return t - x->v->base[x->v->chain[t]];
}

static bool is_past(const struct search *x, uint32_t t)
{
    return position(x, t) < x->cut[x->v->chain[t]];
}

static void keep(struct search *x, uint32_t t)
{
    uint32_t *cut = &x->cut[x->v->chain[t]];
    if (position(x, t) < *cut) {
        *cut = position(x, t);
        x->shorter = true;
    }
}

static bool before(const struct search *x, uint32_t t, uint32_t u)
{
    return forced_before(&x->forced, 0, txn_events_commit(&x->s, t), txn_events_begin(&x->s, u));
}

/* So many transactions of the chain come before t. */
static uint32_t count_before(const struct search *x, uint32_t t, uint32_t chain)
{
    const struct forced_graph *g = &x->forced.graph[0];
    return g->clock[(size_t)txn_events_begin(&x->s, t) * g->lanes + chain] / x->s.points;
}

/* ---- the transactions that come before all later ones ---- */

static bool is_committed(const struct search *x, uint32_t t)
{
    return !history_pending(x->q->h, x->v->op[t]);
}

static void certain_by_time(struct search *x)
{
    for (uint32_t c = 0; c < x->v->k; c++) {
        uint32_t t = x->v->base[c], end = x->v->base[c + 1];
        while (t < end && is_committed(x, t) && x->q->h->ret[x->v->op[t]] < x->q->horizon)
            t++;
        x->cut[c] = t - x->v->base[c];
    }
}

/* The past of the last transaction of every session that goes on. */
static void certain_by_sessions(struct search *x)
{
    const history *h = x->q->h;
    const struct txn_view *v = x->v;
    uint32_t *last = mem_new_ids(x->m, h->threads.n), count = 0;
    uint32_t *common = mem_new_ids(x->m, v->k);
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t *of = &last[h->thread[v->op[t]]];
        if (is_committed(x, t) && (*of == ID_NONE || v->op[*of] < v->op[t]))
            *of = t;
    }
    for (uint32_t s = 0; s < h->threads.n; s++) {
        if (last[s] == ID_NONE || x->q->over[s])
            continue;
        count++;
        for (uint32_t c = 0; c < v->k; c++) {
            uint32_t known = v->chain[last[s]] == c ? position(x, last[s]) + 1 : count_before(x, last[s], c);
            common[c] = known < common[c] ? known : common[c];
        }
    }
    bool all = count == x->q->sessions;
    for (uint32_t c = 0; c < v->k; c++)
        if (all && common[c] > x->cut[c])
            x->cut[c] = common[c];
    mem_free(x->m, last);
    mem_free(x->m, common);
}

/* And all that come before these. */
static void find_certain(struct search *x)
{
    const struct txn_view *v = x->v;
    if (x->q->horizon != INT64_MIN)
        certain_by_time(x);
    if (x->q->sessions)
        certain_by_sessions(x);
    uint32_t *cut = mem_new(x->m, uint32_t, v->k);
    memcpy(cut, x->cut, v->k * sizeof *cut);
    for (uint32_t c = 0; c < v->k; c++)
        for (uint32_t d = 0; cut[c] && d < v->k; d++) {
            uint32_t known = count_before(x, v->base[c] + cut[c] - 1, d);
            x->cut[d] = known > x->cut[d] ? known : x->cut[d];
        }
    mem_free(x->m, cut);
}

/* ---- no other one comes before a settled one ---- */

static void close_downwards(struct search *x)
{
    const struct txn_view *v = x->v;
    for (uint32_t c = 0; c < v->k; c++)
        for (uint32_t i = 0; i < x->cut[c]; i++)
            for (uint32_t d = 0; d < v->k; d++)
                if (count_before(x, v->base[c] + i, d) > x->cut[d])
                    keep(x, v->base[c] + i);
}

/* ---- the settled writers of a key ---- */

/* Does t come before the unknown transaction, which does not count? It comes after earlier ones of its session. */
static bool before_waiting(const struct search *x, uint32_t t, uint32_t op)
{
    const history *h = x->q->h;
    const struct txn_view *v = x->v;
    if (v->ended_before && is_committed(x, t) && h->ret[v->op[t]] < h->call[op])
        return true;
    uint32_t u = x->behind[op];
    return u != ID_NONE && (t == u || before(x, t, u));
}

static void find_segments(struct search *x, uint32_t key)
{
    const struct txn_view *v = x->v;
    vec_clear(&x->segments);
    for (uint32_t i = x->writers.at[key]; i < x->writers.at[key + 1]; i++) {
        uint32_t t = v->writer[x->writers.list[i]];
        if (!is_past(x, t))
            continue;
        if (!x->segments.n || vec_last(&x->segments).chain != v->chain[t])
            vec_push(x->m, &x->segments, ((struct segment){v->chain[t], i, i}));
        vec_last(&x->segments).end = i + 1;
    }
}

/* The maximal ones. */
static void find_tops(struct search *x, uint32_t key)
{
    const struct txn_view *v = x->v;
    find_segments(x, key);
    vec_clear(&x->tops);
    for (uint32_t i = 0; i < x->segments.n; i++) {
        uint32_t w = x->writers.list[x->segments.at[i].end - 1];
        bool maximal = true;
        for (uint32_t j = 0; j < x->segments.n && maximal; j++)
            maximal = i == j || !before(x, v->writer[w], v->writer[x->writers.list[x->segments.at[j].end - 1]]);
        if (maximal)
            vec_push(x->m, &x->tops, w);
    }
}

/* All settled writers but t itself must come before t; ID_NONE: there must be none. */
static void keep_unless_before(struct search *x, uint32_t t)
{
    for (uint32_t i = 0; i < x->segments.n; i++) {
        const struct segment *s = &x->segments.at[i];
        uint32_t count = t == ID_NONE ? 0 : count_before(x, t, s->chain);
        for (uint32_t j = s->end; j-- > s->from;) {
            uint32_t u = x->v->writer[x->writers.list[j]];
            if (position(x, u) < count)
                break;
            if (u != t)
                keep(x, u);
        }
    }
}

static void keep_unless_before_waiting(struct search *x, uint32_t op)
{
    for (uint32_t i = 0; i < x->segments.n; i++) {
        const struct segment *s = &x->segments.at[i];
        for (uint32_t j = s->end; j-- > s->from && !before_waiting(x, x->v->writer[x->writers.list[j]], op);)
            keep(x, x->v->writer[x->writers.list[j]]);
    }
}

/* The other transactions that write the key, or read a settled version of it. */
static void look_at_others(struct search *x, uint32_t key)
{
    const struct txn_view *v = x->v;
    uint32_t chain = ID_NONE;
    for (uint32_t i = x->writers.at[key]; i < x->writers.at[key + 1]; i++) {
        uint32_t t = v->writer[x->writers.list[i]];
        if (is_past(x, t) || v->chain[t] == chain)
            continue;
        chain = v->chain[t]; /* its first is enough */
        keep_unless_before(x, t);
    }
    for (uint32_t i = x->readers.at[key]; i < x->readers.at[key + 1]; i++) {
        uint32_t read = x->readers.list[i], w = v->reads[read].source, writer = w == TXN_INIT ? ID_NONE : v->writer[w];
        bool settled = w == TXN_INIT || is_past(x, writer);
        if (settled && !is_past(x, x->reader[read]) && w != x->looked_at) {
            x->looked_at = w;
            keep_unless_before(x, writer);
        }
    }
    for (uint32_t i = x->touched.at[key]; i < x->touched.at[key + 1]; i++)
        keep_unless_before_waiting(x, x->touched.list[i]);
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t old = *a;
    *a = *b;
    *b = old;
}

/* The settled writes of a list, an earlier version before a later one. */
static void sort_versions(struct search *x, uint32_t key)
{
    const struct txn_view *v = x->v;
    vec_clear(&x->versions);
    vec_clear(&x->counts);
    for (uint32_t i = x->writers.at[key]; i < x->writers.at[key + 1]; i++)
        if (is_past(x, v->writer[x->writers.list[i]]))
            vec_push(x->m, &x->versions, x->writers.list[i]);
    for (uint32_t i = 0; i < x->versions.n; i++) {
        uint32_t count = 0;
        for (uint32_t j = 0; j < x->versions.n; j++)
            count += before(x, v->writer[x->versions.at[j]], v->writer[x->versions.at[i]]);
        vec_push(x->m, &x->counts, count);
    }
    for (uint32_t i = 1; i < x->versions.n; i++) /* an earlier version has fewer before itself */
        for (uint32_t j = i; j && x->counts.at[j] < x->counts.at[j - 1]; j--) {
            swap(&x->versions.at[j], &x->versions.at[j - 1]);
            swap(&x->counts.at[j], &x->counts.at[j - 1]);
        }
}

/* The versions in blocks, each of which is before the next one; ends[] has the ends. The order within a block is
 * open. */
static void find_blocks(struct search *x, uint32_t key)
{
    const struct txn_view *v = x->v;
    sort_versions(x, key);
    vec_clear(&x->ends);
    for (uint32_t i = 0; i < x->versions.n; i++)
        x->counts.at[i] = 0; /* now of those before the place at hand */
    for (uint32_t i = 1; i <= x->versions.n; i++) {
        bool all = true;
        for (uint32_t j = i; j < x->versions.n; j++) {
            x->counts.at[j] += before(x, v->writer[x->versions.at[i - 1]], v->writer[x->versions.at[j]]);
            all &= x->counts.at[j] == i;
        }
        if (all)
            vec_push(x->m, &x->ends, i);
    }
}

static void look_at_keys(struct search *x)
{
    for (uint32_t key = 0; key < x->v->d; key++) {
        find_segments(x, key);
        x->looked_at = ID_NONE - 1;
        if (x->segments.n)
            look_at_others(x, key);
    }
}

/* ---- choices ---- */

static bool *past_of(const struct search *x)
{
    bool *past = mem_new(x->m, bool, (size_t)x->v->n + 1);
    for (uint32_t t = 0; t < x->v->n; t++)
        past[t] = is_past(x, t);
    return past;
}

static bool before_in_any(void *arg, uint32_t t, uint32_t u)
{
    return before(arg, t, u);
}

static void add_choice(struct search *x, struct last_choice c, const uint32_t *writes)
{
    c.from = x->candidates.n;
    for (uint32_t i = 0; i < c.n; i++)
        vec_push(x->m, &x->candidates, writes[i]);
    vec_push(x->m, &x->choices, c);
}

static void find_choices(struct search *x)
{
    vec_clear(&x->choices);
    vec_clear(&x->candidates);
    for (uint32_t key = 0; key < x->v->d; key++) {
        if (x->list[key]) {
            find_blocks(x, key);
            for (uint32_t i = 0, from = 0; i < x->ends.n; from = x->ends.at[i++])
                if (x->ends.at[i] > from + 1)
                    add_choice(x, (struct last_choice){.key = key, .list = true, .n = x->ends.at[i] - from},
                               x->versions.at + from);
            continue;
        }
        find_tops(x, key);
        if (x->tops.n > 1)
            add_choice(x, (struct last_choice){.key = key, .n = x->tops.n}, x->tops.at);
    }
}

static bool is_old(const struct search *x, const struct last_choice *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (!x->q->old[x->v->op[x->v->writer[x->candidates.at[c->from + i]]]])
            return false;
    return true;
}

static void look_at_choices(struct search *x)
{
    find_choices(x);
    if (!x->choices.n)
        return;
    bool *past = past_of(x);
    struct choosing_last q = {
        &x->s, past, x->rank, x->choices.at, x->choices.n, x->candidates.at, before_in_any, x,
    };
    free_choices(&q, x->m);
    mem_free(x->m, past);
    for (uint32_t i = 0; i < x->choices.n; i++) {
        const struct last_choice *c = &x->choices.at[i];
        bool fine = (c->free || is_old(x, c)) && (!c->list || c->n <= SETTLED_OPEN);
        for (uint32_t j = 0; !fine && j < c->n; j++)
            keep(x, x->v->writer[x->candidates.at[c->from + j]]);
    }
}

/* ---- the answer ---- */

/* The candidates, the last one of the given order first; a block of a list, in the given order. */
static void by_rank(const struct search *x, uint32_t *writes, uint32_t n, bool list)
{
    const uint32_t *writer = x->v->writer;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j; j--) {
            uint32_t a = x->rank[txn_events_commit(&x->s, writer[writes[j - 1]])];
            uint32_t b = x->rank[txn_events_commit(&x->s, writer[writes[j]])];
            if (list ? a > b : a < b)
                swap(&writes[j - 1], &writes[j]);
        }
}

static bool is_unproved(const struct search *x, uint32_t key)
{
    bool unproved = false;
    for (uint32_t i = 0; i < x->choices.n; i++)
        unproved |= x->choices.at[i].key == key && !x->choices.at[i].free;
    return unproved;
}

static void answer_key(struct search *x, struct settled_key k, uint32_t *writes, struct settled *out)
{
    by_rank(x, writes, k.n, k.list);
    for (uint32_t i = 0; k.list && i < k.n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (before(x, x->v->writer[writes[j]], x->v->writer[writes[i]]))
                k.before[i] |= 1U << j;
    k.from = out->versions.n;
    for (uint32_t i = 0; i < k.n; i++)
        vec_push(x->m, &out->versions, writes[i]);
    if (k.n)
        vec_push(x->m, &out->keys, k);
}

static void answer(struct search *x, struct settled *out)
{
    out->past = past_of(x);
    for (uint32_t t = 0; t < x->v->n; t++)
        out->count += out->past[t];
    for (uint32_t key = 0; out->count && key < x->v->d; key++) {
        struct settled_key k = {.key = key, .list = x->list[key], .unproved = is_unproved(x, key)};
        if (!k.list) {
            find_tops(x, key);
            k.n = x->tops.n;
            answer_key(x, k, x->tops.at, out);
            continue;
        }
        find_blocks(x, key);
        for (uint32_t i = 0, from = 0; i < x->ends.n; from = x->ends.at[i++]) {
            k.n = x->ends.at[i] - from;
            answer_key(x, k, x->versions.at + from, out);
        }
    }
}

/* ---- the question ---- */

/* Which keys are lists, and which are accessed by operations that wait? */
static void look_at_accesses(struct search *x)
{
    const history *h = x->q->h;
    struct value_ids ids = {0};
    VEC(uint32_t) keys = {0}, ops = {0};
    uint32_t append = names_find(&h->names, "append", 6);
    for (uint32_t key = 0; key < x->v->d; key++)
        value_id(x->m, &ids, history_value(h, x->v->key_at[key]));
    x->list = mem_new_zero(x->m, bool, (size_t)x->v->d + 1);
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; i + 2 < history_arity(h, op); i += 3) {
            uint32_t key = value_id_find(&ids, history_arg(h, op, i + 1));
            if (key == ID_NONE)
                continue;
            x->list[key] |= history_arg(h, op, i).bits == append || history_arg(h, op, i + 2).kind == ASSAY_LIST;
            if (x->q->waits[op]) {
                vec_push(x->m, &keys, key);
                vec_push(x->m, &ops, op);
            }
        }
    x->touched = group_by(keys.at, keys.n, x->v->d, x->m);
    for (uint32_t i = 0; i < keys.n; i++)
        x->touched.list[i] = ops.at[x->touched.list[i]];
    vec_free(x->m, &keys);
    vec_free(x->m, &ops);
    value_ids_free(x->m, &ids);
}

static void group_reads(struct search *x)
{
    const struct txn_view *v = x->v;
    uint32_t n = v->reads_at[v->n], *key = mem_new(x->m, uint32_t, (size_t)n + 1);
    x->reader = mem_new(x->m, uint32_t, (size_t)n + 1);
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            key[i] = v->reads[i].key;
            x->reader[i] = t;
        }
    x->readers = group_by(key, n, v->d, x->m);
    mem_free(x->m, key);
}

static void find_behind(struct search *x, const uint32_t *txn_of)
{
    const history *h = x->q->h;
    uint32_t *last = mem_new_ids(x->m, h->threads.n);
    x->behind = mem_new_ids(x->m, (size_t)h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        x->behind[op] = last[h->thread[op]];
        if (txn_of[op] != ID_NONE && !history_pending(h, op))
            last[h->thread[op]] = txn_of[op];
    }
    mem_free(x->m, last);
}

static void rank_events(struct search *x, const uint32_t *txn_of)
{
    const struct settling *q = x->q;
    uint32_t *seen = mem_new_zero(x->m, uint32_t, (size_t)x->v->n + 1);
    x->rank = mem_new_zero(x->m, uint32_t, (size_t)x->s.rw.n + 1);
    for (uint32_t i = 0; i < q->order->count; i++) {
        uint32_t t = txn_of[q->ops[q->order->at + i]];
        x->rank[x->s.points * t + seen[t]] = i;
        seen[t] += seen[t] + 1 < x->s.points;
    }
    mem_free(x->m, seen);
}

static bool prepare(struct search *x, struct budget *budget, struct stats *stats)
{
    const struct txn_view *v = x->v;
    struct txn_events_order sorted;
    txn_events_init(&x->s, v, x->q->level, x->m);
    if (x->s.two_sources != ID_NONE || !txn_events_sort(&sorted, &x->s, x->m, budget))
        return false;
    forced_init(&x->forced, &x->s.rw, MEMORY_SC, sorted.order, sorted.rank, x->m, budget, stats);
    return forced_close(&x->forced);
}

struct settled settle(const struct settling *q, struct mem *m, struct budget *budget)
{
    struct stats stats = {0};
    struct settled out = {0};
    struct search x = {.q = q, .v = q->v, .m = m, .cut = mem_new_zero(m, uint32_t, (size_t)q->v->k + 1)};
    bool fine = q->v->n && prepare(&x, budget, &stats);
    if (!fine) { /* an explained view has a forced order; without transactions there is nothing to settle */
        out.certain = out.past = mem_new_zero(m, bool, (size_t)q->v->n + 1);
        return out;
    }
    group_reads(&x);
    x.writers = group_by(q->v->write_key, q->v->writes_at[q->v->n], q->v->d, m);
    look_at_accesses(&x);
    uint32_t *txn_of = mem_new_ids(m, (size_t)q->h->n + 1);
    for (uint32_t t = 0; t < q->v->n; t++)
        txn_of[q->v->op[t]] = t;
    find_behind(&x, txn_of);
    rank_events(&x, txn_of);
    find_certain(&x);
    out.certain = past_of(&x);
    do {
        x.shorter = false;
        budget_look(budget);
        close_downwards(&x);
        look_at_keys(&x);
        if (!x.shorter)
            look_at_choices(&x);
    } while (x.shorter);
    answer(&x, &out);
    return out;
}
