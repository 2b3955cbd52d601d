/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { T0 = -1, NOBODY = -2, MOST_READS = 256, MOST_KEYS = 128, MOST_LIST = 64 };

struct external {
    int reader, key;
    int at;       /* place among the reader's accesses */
    set writers;  /* the candidates for its source */
    bool initial; /* T0 is one, too */
    int source;   /* the one that is chosen */
};

/* One choice of the transactions that count, with the relations that it determines. The sources of reads are chosen
 * along an order of commits. */
struct world {
    const struct history *h;
    set counted;
    struct external reads[MOST_READS]; /* those of a transaction one after the other */
    int first_read[MOST_TXNS + 1];
    int read_count;
    set writers[MOST_KEYS];
    int versions[MOST_KEYS][MOST_LIST], version_count[MOST_KEYS]; /* writers of the longest list */
    set wr[MOST_TXNS];                                            /* sources of each transaction */
    set vo[MOST_TXNS];                                            /* predecessors */
    set base[MOST_TXNS];                                          /* predecessors */
};

static bool same(const int *a, const int *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* The transaction that appended the value to the list: one at most, as the elements that are read are unique */
static int appender_of(const struct history *h, int key, int value)
{
    for (int t = 0; t < h->n; t++)
        for (int i = 0; i < h->txns[t].count; i++) {
            const struct access *a = access_of(h, t, i);
            if (a->kind == APPEND && a->key == key && a->value == value)
                return t;
        }
    return NOBODY;
}

static int last_write(const struct history *h, int t, int key, int before)
{
    for (int i = before - 1; i >= 0; i--) {
        const struct access *a = access_of(h, t, i);
        if (a->kind == WRITE && a->key == key)
            return i;
    }
    return -1;
}

static void add_external(struct world *w, int reader, int at, set writers, bool initial)
{
    if (w->read_count == MOST_READS)
        abort();
    w->reads[w->read_count++] = (struct external){
        .reader = reader, .key = access_of(w->h, reader, at)->key, .at = at, .writers = writers, .initial = initial};
}

static bool read_register(struct world *w, int t, int i)
{
    const struct history *h = w->h;
    const struct access *a = access_of(h, t, i);
    int own = last_write(h, t, a->key, i);
    if (own >= 0)
        return access_of(h, t, own)->value == a->value;
    bool initial = a->value == h->keys[a->key].init;
    set writers = 0;
    for (int u = 0; u < h->n; u++) {
        int last = u != t && in(w->counted, u) ? last_write(h, u, a->key, h->txns[u].count) : -1;
        if (last >= 0 && access_of(h, u, last)->value == a->value)
            writers |= 1u << u;
    }
    if (!writers && !initial)
        return false;
    add_external(w, t, i, writers, initial);
    return true;
}

static int appends_of(const struct history *h, int t, int key, int before, int *values)
{
    int n = 0;
    for (int i = 0; i < before; i++) {
        const struct access *a = access_of(h, t, i);
        if (a->kind == APPEND && a->key == key)
            values[n++] = a->value;
    }
    return n;
}

/* The writers whose appends, one after the other, make the list behind the initial elements; -1: there are none */
static int parse_list(const struct world *w, int reader, int key, const int *list, int length, int *writers)
{
    const struct history *h = w->h;
    const struct key *k = &h->keys[key];
    int n = 0, at = k->init_length, own[MOST_LIST];
    if (length < at || !same(list, h->cells + k->init, at))
        return -1;
    while (at < length) {
        int t = appender_of(h, key, list[at]);
        if (t == NOBODY || t == reader || !in(w->counted, t))
            return -1;
        for (int i = 0; i < n; i++)
            if (writers[i] == t)
                return -1;
        int count = appends_of(h, t, key, h->txns[t].count, own);
        if (length - at < count || !same(list + at, own, count))
            return -1;
        writers[n++] = t;
        at += count;
    }
    return n;
}

/* The writers of a list of the key, one after the other: does it fit the longest so far? */
static bool compare_versions(struct world *w, int key, const int *writers, int n)
{
    int *versions = w->versions[key], common = n < w->version_count[key] ? n : w->version_count[key];
    if (!same(versions, writers, common))
        return false;
    if (n > w->version_count[key]) {
        memcpy(versions, writers, (size_t)n * sizeof *writers);
        w->version_count[key] = n;
    }
    return true;
}

/* Behind own appends the list shows the version that t makes, too: all its appends follow the list before them. */
static bool read_list(struct world *w, int t, int i)
{
    const struct history *h = w->h;
    const struct access *a = access_of(h, t, i);
    const int *list = h->cells + a->list;
    int own[MOST_LIST], writers[MOST_LIST + 1], own_count = appends_of(h, t, a->key, i, own);
    int rest = a->length - own_count;
    if (rest < 0 || !same(list + rest, own, own_count))
        return false;
    int n = parse_list(w, t, a->key, list, rest, writers);
    if (n < 0 || !compare_versions(w, a->key, writers, n))
        return false;
    add_external(w, t, i, n ? 1u << writers[n - 1] : 0, !n);
    writers[n] = t;
    return !own_count || compare_versions(w, a->key, writers, n + 1);
}

/* The reads of all transactions that count; false: one of them is wrong in itself */
static bool read_all(struct world *w)
{
    const struct history *h = w->h;
    for (int t = 0; t < h->n; t++) {
        w->first_read[t] = w->read_count;
        for (int i = 0; in(w->counted, t) && i < h->txns[t].count; i++) {
            const struct access *a = access_of(h, t, i);
            if (a->kind != READ)
                w->writers[a->key] |= 1u << t;
            else if (!a->unknown && !(h->keys[a->key].list ? read_list(w, t, i) : read_register(w, t, i)))
                return false;
        }
    }
    w->first_read[h->n] = w->read_count;
    return true;
}

static void order_versions(struct world *w)
{
    for (int k = 0; k < w->h->key_count; k++) {
        set shown = 0;
        int n = w->version_count[k];
        for (int i = 0; i < n; i++) {
            w->vo[w->versions[k][i]] |= shown;
            shown |= 1u << w->versions[k][i];
        }
        for (int t = 0; n && t < w->h->n; t++)
            if (in(w->writers[k] & ~shown, t))
                w->vo[t] |= shown;
    }
}

struct order {
    int at[MOST_TXNS];     /* transactions, the first one first */
    set before[MOST_TXNS]; /* of each transaction */
    int n;
};

static set shared_writers(const struct world *w, int t)
{
    set s = 0;
    for (int k = 0; k < w->h->key_count; k++)
        if (in(w->writers[k], t))
            s |= w->writers[k];
    return s & ~(1u << t);
}

/* PHI as predecessors of each transaction, but for rc, where it depends on the read */
static void see(const struct world *w, const struct order *co, enum level level, set phi[MOST_TXNS])
{
    for (int i = 0; i < co->n; i++) {
        int t = co->at[i];
        set direct = (w->base[t] & w->counted) | w->wr[t];
        if (level == PSI || level == SI)
            direct |= shared_writers(w, t) & co->before[t];
        phi[t] = level == SER ? co->before[t] : direct;
        for (int u = 0; u < w->h->n; u++) {
            if (!in(direct, u))
                continue;
            if (level == TCC || level == PSI)
                phi[t] |= phi[u];
            if (level == PC || level == SI)
                phi[t] |= co->before[u];
        }
    }
}

static set read_before(const struct world *w, int r)
{
    set s = 0;
    for (int i = 0; i < w->read_count; i++)
        if (w->reads[i].reader == w->reads[r].reader && w->reads[i].at < w->reads[r].at && w->reads[i].source != T0)
            s |= 1u << w->reads[i].source;
    return s;
}

static bool axiom(const struct world *w, const struct order *co, enum level level)
{
    set phi[MOST_TXNS];
    if (level != RC)
        see(w, co, level, phi);
    for (int r = 0; r < w->read_count; r++) {
        const struct external *e = &w->reads[r];
        set seen = level == RC ? read_before(w, r) : phi[e->reader];
        seen &= w->writers[e->key] & ~(1u << e->reader);
        if (e->source == T0 ? seen != 0 : (seen & ~co->before[e->source] & ~(1u << e->source)) != 0)
            return false;
    }
    return true;
}

struct search {
    struct world *w;
    struct order co;
    bool *ok; /* by level */
};

static bool all_hold(const bool *ok)
{
    for (int level = 0; level < LEVELS; level++)
        if (!ok[level])
            return false;
    return true;
}

static void extend(struct search *s, set placed);

/* Chooses the sources of the reads of t from r on, all of which stand before it, and goes on behind it. */
static void choose(struct search *s, set placed, int t, int r)
{
    struct world *w = s->w;
    if (r == w->first_read[t + 1]) {
        w->wr[t] = 0;
        for (int i = w->first_read[t]; i < r; i++)
            w->wr[t] |= w->reads[i].source == T0 ? 0 : 1u << w->reads[i].source;
        extend(s, placed | 1u << t);
        return;
    }
    for (int u = T0; u < w->h->n && !all_hold(s->ok); u++) {
        if (u == T0 ? !w->reads[r].initial : !in(w->reads[r].writers & placed, u))
            continue;
        w->reads[r].source = u;
        choose(s, placed, t, r + 1);
    }
}

static void extend(struct search *s, set placed)
{
    struct world *w = s->w;
    if (placed == w->counted) {
        for (int level = 0; level < LEVELS; level++)
            if (!s->ok[level])
                s->ok[level] = axiom(w, &s->co, (enum level)level);
        return;
    }
    for (int t = 0; t < w->h->n && !all_hold(s->ok); t++) {
        set needs = (w->base[t] | w->vo[t]) & w->counted;
        if (!in(w->counted & ~placed, t) || (needs & ~placed))
            continue;
        s->co.at[s->co.n++] = t;
        s->co.before[t] = placed;
        choose(s, placed, t, w->first_read[t]);
        s->co.n--;
    }
}

void judge(const struct history *h, bool ok[MODELS])
{
    set committed = with_outcome(h, COMMITTED), maybe = with_outcome(h, MAYBE);
    if (h->n > MOST_TXNS || h->key_count > MOST_KEYS)
        abort();
    memset(ok, 0, MODELS * sizeof *ok);
    for (set taken = maybe;; taken = (taken - 1) & maybe) {
        struct world w = {.h = h, .counted = committed | taken};
        if (read_all(&w)) {
            order_versions(&w);
            for (int b = 0; b < BASES; b++) {
                struct search s = {.w = &w, .ok = ok + b * LEVELS};
                base_order(h, (enum base)b, w.base);
                extend(&s, 0);
            }
        }
        if (!taken)
            break;
    }
}
