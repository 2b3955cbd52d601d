/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/draw.h"

#include "oracle/transactions/notation.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, MOST_LIST = 60 };

/* How a history is drawn */
struct plan {
    int n, sessions, keys, accesses;
    int reads, aborted, maybe, unknown; /* percent */
    int stray;                          /* percent of the reads that look elsewhere */
    int wild;                           /* percent of the reads with a random value */
    bool by_session;                    /* the order of commits keeps that of sessions */
    int values;                         /* that are written to registers again and again; 0: each only once */
};

static struct plan draw_plan(void)
{
    static const int rarely[] = {0, 0, 0, 10, 30}, noise[] = {0, 0, 5, 15, 40};
    struct plan p = {.n = 1 + below(7), .keys = 1 + below(chance(80) ? 3 : 6), .accesses = 2 + below(4)};
    if (chance(80))
        p.n = 5 + below(3);
    p.sessions = 1 + below(p.n);
    if (chance(70))
        p.sessions = p.n - below(p.n / 2 + 1);
    p.reads = 30 + below(50);
    p.aborted = rarely[below(5)];
    p.maybe = rarely[below(5)];
    p.unknown = rarely[below(5)] / 2;
    p.stray = noise[below(5)];
    p.wild = noise[below(5)] / 4;
    p.by_session = chance(80);
    return p;
}

/* Small, as each read has a choice of its own */
static struct plan draw_repeated_plan(void)
{
    struct plan p = draw_plan();
    p.n = chance(80) ? 2 + below(3) : 5;
    p.sessions = chance(60) ? p.n : 1 + below(p.n);
    p.keys = 1 + below(3);
    p.accesses = 2 + below(3);
    p.values = 1 + below(3);
    p.stray = below(4) * 20;
    p.wild = below(5) * 15;
    return p;
}

static void draw_keys(struct history *h, const struct plan *p, int *fresh)
{
    int lists = chance(p->values ? 90 : 40) ? 0 : chance(40) && !p->values ? 100 : 50;
    bool inits = chance(15);
    for (int k = 0; k < p->keys; k++) {
        add_key(h, chance(lists));
        struct key *key = &h->keys[k];
        if (!inits || chance(50))
            continue;
        if (!key->list) {
            key->init = p->values ? below(p->values + 1) : (*fresh)++;
            continue;
        }
        key->init_length = 1 + below(2);
        for (int i = 0; i < key->init_length; i++)
            add_cell(h, (*fresh)++);
    }
}

/* Sessions, outcomes, keys; the values of reads come later. */
static void draw_skeleton(struct history *h, const struct plan *p, int *fresh)
{
    bool again = chance(8); /* values that are written twice, which is fine as long as nobody reads them */
    for (int t = 0; t < p->n; t++) {
        enum outcome o = chance(p->aborted) ? ABORTED : chance(p->maybe) ? MAYBE : COMMITTED;
        add_txn(h, t < p->sessions ? t : below(p->sessions), o);
        int count = chance(5) ? 0 : chance(15) ? 1 : 1 + below(p->accesses);
        for (int i = 0; i < count; i++) {
            int key = below(p->keys);
            if (chance(p->reads)) {
                add_access(h, READ, key, 0)->unknown = chance(p->unknown);
                continue;
            }
            bool few = p->values && !h->keys[key].list;
            int value = few ? below(p->values + 1) : again && chance(20) ? below(*fresh) : (*fresh)++;
            add_access(h, h->keys[key].list ? APPEND : WRITE, key, value);
            if (h->keys[key].list && chance(25)) { /* read back, and perhaps not to the end */
                add_access(h, READ, key, 0);
                if (chance(30))
                    add_access(h, APPEND, key, (*fresh)++);
            }
        }
    }
}

/* The transactions in the order of their commits */
static void draw_commits(const struct history *h, bool by_session, int *order)
{
    shuffle(order, h->n);
    if (!by_session)
        return;
    for (int i = 0; i < h->n; i++)
        for (int k = i + 1; k < h->n; k++)
            if (h->txns[order[k]].session == h->txns[order[i]].session && order[k] < order[i]) {
                int t = order[i];
                order[i] = order[k];
                order[k] = t;
            }
}

/* The commits that a read sees: the first `place` ones without those in `missed` */
struct snapshot {
    const int *order;
    int place;
    unsigned missed;
};

static int value_at(const struct history *h, const struct snapshot *s, int key)
{
    for (int i = s->place - 1; i >= 0; i--) {
        int t = s->order[i];
        if (s->missed >> t & 1)
            continue;
        for (int k = h->txns[t].count - 1; k >= 0; k--) {
            const struct access *a = access_of(h, t, k);
            if (a->kind == WRITE && a->key == key && (h->txns[t].outcome != ABORTED || chance(1)))
                return a->value;
        }
    }
    return h->keys[key].init;
}

/* Lists have no gaps. */
static int list_at(const struct history *h, const struct snapshot *s, int key, int *list)
{
    int n = 0;
    for (int i = 0; i < h->keys[key].init_length; i++)
        list[n++] = h->cells[h->keys[key].init + i];
    for (int i = 0; i < s->place; i++) {
        int t = s->order[i];
        for (int k = 0; k < h->txns[t].count; k++) {
            const struct access *a = access_of(h, t, k);
            if (a->kind != APPEND || a->key != key || h->txns[t].outcome == ABORTED)
                continue;
            if (s->missed >> t & 1 || n == MOST_LIST)
                return n;
            list[n++] = a->value;
        }
    }
    return n;
}

static int any_value(const struct history *h, int key, int fresh)
{
    for (int tries = 0; tries < 20; tries++) {
        const struct access *a = &h->accesses[below(h->access_count)];
        if (a->kind != READ && a->key == key)
            return a->value;
    }
    return chance(80) ? h->keys[key].init : below(fresh + 1);
}

static void spoil_list(const struct history *h, int key, int fresh, int *list, int *n)
{
    int at = below(*n);
    switch (below(5)) {
    case 0: *n = below(*n + 1); break;
    case 1:
        if (*n)
            memmove(list + at, list + at + 1, (size_t)(--*n - at) * sizeof *list);
        break;
    case 2:
        if (*n < MOST_LIST && !h->keys[key].init_length)
            list[(*n)++] = any_value(h, key, fresh);
        break;
    case 3:
        if (*n > 1 && at) {
            int v = list[at];
            list[at] = list[at - 1];
            list[at - 1] = v;
        }
        break;
    default:
        if (*n && *n < MOST_LIST)
            list[*n] = list[at], ++*n;
    }
}

static void fill_list(struct history *h, int t, int i, const struct snapshot *s, bool wild, int fresh)
{
    struct access *a = access_of(h, t, i);
    int list[MOST_LIST + MOST * 8], n = list_at(h, s, a->key, list);
    for (int k = 0; k < i; k++) {
        const struct access *own = access_of(h, t, k);
        if (own->kind == APPEND && own->key == a->key)
            list[n++] = own->value;
    }
    if (wild)
        spoil_list(h, a->key, fresh, list, &n);
    a->length = n;
    a->list = h->cell_count;
    for (int k = 0; k < n; k++)
        add_cell(h, list[k]);
}

static void fill_register(struct history *h, int t, int i, const struct snapshot *s, bool wild, int fresh)
{
    struct access *a = access_of(h, t, i);
    a->value = wild ? any_value(h, a->key, fresh) : value_at(h, s, a->key);
    for (int k = 0; k < i && !(wild && chance(70)); k++) {
        const struct access *own = access_of(h, t, k);
        if (own->kind == WRITE && own->key == a->key)
            a->value = own->value;
    }
}

static unsigned draw_missed(int percent)
{
    unsigned set = 0;
    for (int t = 0; t < MOST; t++)
        set |= (unsigned)chance(percent) << t;
    return set;
}

static void fill_reads(struct history *h, const struct plan *p, int fresh)
{
    int order[MOST];
    draw_commits(h, p->by_session, order);
    int lag = 20 + below(4) * 20;               /* percent of the snapshots that are older */
    int miss = chance(30) ? 0 : 10 + below(50); /* percent of the commits that a transaction, or a read, does not see */
    bool by_read = chance(20);
    for (int c = 0; c < h->n; c++) {
        int t = order[c], snapshot = chance(lag) ? below(c + 1) : c;
        unsigned missed = draw_missed(miss);
        for (int i = 0; i < h->txns[t].count; i++) {
            const struct access *a = access_of(h, t, i);
            struct snapshot s = {order, chance(p->stray) ? below(h->n) : snapshot,
                                 by_read ? draw_missed(miss) : missed};
            if (a->kind != READ)
                continue;
            if (h->keys[a->key].list && s.place > c)
                s.place = c;
            if (h->keys[a->key].list)
                fill_list(h, t, i, &s, chance(p->wild), fresh);
            else
                fill_register(h, t, i, &s, chance(p->wild), fresh);
        }
    }
}

/* Numbers from a small range, so that ends touch and coincide */
static void draw_intervals(struct history *h)
{
    static const int64_t origins[] = {0, 0, -5, 1000000000000, INT64_MIN, INT64_MAX - 40};
    int64_t origin = origins[below(6)];
    int range = 1 + below(4);
    int64_t *now = calloc((size_t)h->session_count + 1, sizeof *now);
    if (!now)
        abort();
    for (int t = 0; t < h->n; t++) {
        struct txn *x = &h->txns[t];
        int64_t begin = now[x->session] + below(range);
        int64_t end = begin + below(range);
        x->begin = origin + begin;
        x->end = x->outcome == MAYBE ? INT64_MAX : origin + end;
        now[x->session] = x->outcome == MAYBE ? begin : end;
    }
    free(now);
}

/* What t knows is drawn along one run of all sessions, so that knowledge has no cycles. Later ones know as much. */
static void draw_knowledge(struct history *h)
{
    int s = h->session_count, order[MOST];
    h->knows = calloc((size_t)(h->n * s) + 1, sizeof *h->knows);
    if (!h->knows)
        abort();
    draw_commits(h, true, order);
    for (int i = 0; i < h->n; i++) {
        int t = order[i], *row = h->knows + t * s;
        for (int u = 0; u < t; u++)
            for (int k = 0; h->txns[u].session == h->txns[t].session && k < s; k++)
                if (h->knows[u * s + k] > row[k])
                    row[k] = h->knows[u * s + k];
        for (int k = 0; k < s; k++) {
            int done = 0, place = 0;
            for (int u = 0; u < h->n; u++) {
                if (h->txns[u].session != k)
                    continue;
                place++;
                for (int c = 0; c < i; c++)
                    if (order[c] == u && h->txns[u].outcome != MAYBE && chance(40))
                        done = place;
            }
            if (done > row[k] && k != h->txns[t].session)
                row[k] = done;
        }
    }
}

void draw_times(struct history *h)
{
    if (h->n > MOST || chance(70)) {
        h->timing = TIMED;
        draw_intervals(h);
    } else {
        h->timing = KNOWLEDGE;
        draw_knowledge(h);
    }
}

static struct history *draw_by(const struct plan *p)
{
    struct history *h = new_history();
    int fresh = INITIAL + 1 + p->values;
    draw_keys(h, p, &fresh);
    draw_skeleton(h, p, &fresh);
    if (h->access_count)
        fill_reads(h, p, fresh);
    return h;
}

struct history *draw_history(void)
{
    for (;;) {
        struct plan p = draw_plan();
        struct history *h = draw_by(&p);
        if (chance(50))
            draw_times(h);
        if (differentiated(h))
            return h;
        free_history(h);
    }
}

/* A value of a register becomes another one that is there, in all writes and reads or in some. */
static void merge_values(struct history *h)
{
    const struct access *from = &h->accesses[below(h->access_count)];
    int key = from->key, old = from->value, by = any_value(h, key, 1), some = chance(50) ? 100 : 50;
    for (int i = 0; i < h->access_count && !h->keys[key].list; i++) {
        struct access *a = &h->accesses[i];
        if (a->key == key && a->value == old && chance(some))
            a->value = by;
    }
}

/* A transaction that writes values which are there, and may read some: another candidate for the sources of reads */
static void add_decoy(struct history *h)
{
    int session = below(h->session_count + 1);
    add_txn(h, session, chance(70) ? COMMITTED : chance(60) ? MAYBE : ABORTED);
    for (int i = 1 + below(2); i > 0; i--) {
        int key = below(h->key_count);
        if (!h->keys[key].list)
            add_access(h, chance(75) ? WRITE : READ, key, any_value(h, key, 1));
    }
}

/* A history that separates the levels, with more candidates for its sources */
static struct history *draw_decoys(void)
{
    struct history *h = read_notation(gadgets[below(GADGETS)]);
    if (!has_lists(h) || chance(20))
        for (int i = 1 + below(h->n > 4 ? 1 : 6 - h->n); i > 0; i--)
            chance(30) ? merge_values(h) : add_decoy(h);
    return h;
}

struct history *draw_repeated(void)
{
    for (;;) {
        struct plan p = draw_repeated_plan();
        struct history *h = chance(50) ? draw_decoys() : draw_by(&p);
        if (chance(50))
            draw_times(h);
        if (lists_differentiated(h) && (!differentiated(h) || chance(10)))
            return h;
        free_history(h);
    }
}

/* On each key a reader, its source, and a third transaction that writes it blindly: it comes before the source or after
 * the reader. Many such choices together have no simple refutation. */
struct history *draw_choices(int n, int keys)
{
    struct history *h = new_history();
    int(*role)[3] = calloc((size_t)keys + 1, sizeof *role); /* reader, source, other writer */
    int sessions = chance(70) ? n : 1 + below(n), lists = chance(80) ? 0 : 50;
    if (!role)
        abort();
    for (int k = 0; k < keys; k++) {
        add_key(h, chance(lists));
        for (int i = 0; i < 3; i++) {
            do
                role[k][i] = below(n);
            while ((i > 0 && role[k][i] == role[k][0]) || (i > 1 && role[k][i] == role[k][1]));
        }
        if (role[k][0] < role[k][1]) { /* sources come first, in the order of the numbers */
            int t = role[k][0];
            role[k][0] = role[k][1];
            role[k][1] = t;
        }
    }
    bool late = chance(30); /* reads behind writes, too */
    for (int t = 0; t < n; t++) {
        add_txn(h, t < sessions ? t : below(sessions), COMMITTED);
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < keys; k++) {
                bool reads = t == role[k][0];
                if (!reads && t != role[k][1] && t != role[k][2])
                    continue;
                if ((reads != !pass) != (late && k % 3 == 0))
                    continue;
                int value = 2 * k + (reads || t == role[k][1] ? 1 : 2);
                if (reads && h->keys[k].list)
                    add_read_list(h, k, &value, 1);
                else
                    add_access(h, reads ? READ : h->keys[k].list ? APPEND : WRITE, k, value);
            }
    }
    free(role);
    return h;
}

void disturb(struct history *h)
{
    struct history *was = copy_history(h);
    bool unique = differentiated(h);
    for (int k = 1 + below(2); k > 0 && h->access_count; k--) {
        struct access *a = &h->accesses[below(h->access_count)];
        if (a->kind == WRITE && !unique && chance(50))
            a->value = any_value(h, a->key, h->access_count);
        else if (a->kind != READ)
            h->txns[below(h->n)].outcome = chance(50) ? COMMITTED : h->timing == UNTIMED ? MAYBE : ABORTED;
        else if (h->keys[a->key].list)
            a->length = below(a->length + 1);
        else
            a->value = any_value(h, a->key, h->access_count);
    }
    bool valid = unique ? differentiated(h) : lists_differentiated(h);
    for (int t = 0; t < h->n; t++)
        valid &= h->timing == UNTIMED || (h->txns[t].outcome == MAYBE) == (was->txns[t].outcome == MAYBE);
    if (!valid) {
        struct history swap = *h;
        *h = *was;
        *was = swap;
    }
    free_history(was);
}
