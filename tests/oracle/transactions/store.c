/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: one list of commits, in an order that will do as the order of commits of the level. A transaction sees a set of
 * commits, of which each key has the value of the last one. The levels differ in that set:
 *
 *   ser  all commits so far, and it commits at once       si, pc  all commits at its begin (or at some time since the last
 *   tcc, psi  those that its site has received, where a       commit of its session); si: the first writer of a key wins
 *        commit arrives after all that it saw; psi: a writer of a key has seen all earlier ones
 *   ra   any set with the earlier ones of its session      rc       at each read, all commits so far */
#include "oracle/transactions/store.h"

#include "support/chance.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 3, MOST_PER_TXN = 16, MOST_LIST = 60 };

struct client {
    bool open;
    int64_t begin;
    int last;   /* commits so far, when its last transaction committed */
    int count;  /* accesses of the open transaction */
    bool *sees; /* by number of the commit */
    int seen;   /* commits that existed at its begin: sees has so many */
    bool writes[MOST_PER_TXN];
    int key[MOST_PER_TXN], value[MOST_PER_TXN];
    int limit[MOST_PER_TXN]; /* rc: commits at the time of each read */
};

struct store {
    const struct store_plan *p;
    struct history *h;
    struct client *clients;
    int *commits, commit_count; /* transactions */
    bool **deps;                /* what each commit saw */
    int *dep_count;
    bool *arrived[SITES];
    int *home; /* the site of each commit */
    int64_t now;
    int fresh;
};

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        abort();
    return p;
}

static int site_of(int session)
{
    return session % SITES;
}

static void plan_accesses(struct store *s, struct client *c)
{
    c->count = below(s->p->accesses + 1);
    for (int i = 0; i < c->count; i++) {
        c->key[i] = below(s->p->keys);
        c->writes[i] = !chance(s->p->reads);
        bool few = s->p->values && !s->h->keys[c->key[i]].list;
        c->value[i] = !c->writes[i] ? 0 : few ? below(s->p->values + 1) : s->fresh++;
    }
}

static void begin(struct store *s, int session)
{
    struct client *c = &s->clients[session];
    c->open = true;
    c->begin = s->now;
    c->seen = s->commit_count;
    free(c->sees);
    c->sees = zeroed((size_t)c->seen, sizeof *c->sees);
    int from = s->p->strict || chance(50) ? c->seen : c->last + below(c->seen - c->last + 1);
    for (int i = 0; i < c->seen; i++)
        switch (s->p->level) {
        case TCC:
        case PSI: c->sees[i] = s->arrived[site_of(session)][i]; break;
        case RA: c->sees[i] = s->h->txns[s->commits[i]].session == session || chance(60); break;
        default: c->sees[i] = i < from;
        }
    plan_accesses(s, c);
}

static bool sees(const struct client *c, int commit, int limit)
{
    return limit >= 0 ? commit < limit : commit < c->seen && c->sees[commit];
}

/* The value of a register, or of a list, behind the commits that are seen */
static void read_key(struct store *s, const struct client *c, int upto, int key)
{
    struct history *h = s->h;
    int limit = s->p->level == RC ? c->limit[upto] : -1, values[MOST_LIST * 2], n = 0;
    for (int i = 0; i < s->commit_count; i++) {
        int t = s->commits[i];
        for (int k = 0; sees(c, i, limit) && k < h->txns[t].count; k++) {
            const struct access *a = access_of(h, t, k);
            if (a->kind != READ && a->key == key)
                values[h->keys[key].list ? n++ : 0] = a->value, n += !h->keys[key].list && !n;
        }
    }
    for (int k = 0; k < upto; k++)
        if (c->writes[k] && c->key[k] == key)
            values[h->keys[key].list ? n++ : 0] = c->value[k], n += !h->keys[key].list && !n;
    if (h->keys[key].list)
        add_read_list(h, key, values, n);
    else
        add_access(h, READ, key, n ? values[0] : INITIAL);
}

static bool conflicts(const struct store *s, const struct client *c)
{
    if (s->p->level != SI && s->p->level != PSI)
        return false;
    for (int i = 0; i < s->commit_count; i++)
        for (int k = 0; !sees(c, i, -1) && k < c->count; k++)
            if (c->writes[k] && writes_key(s->h, s->commits[i], c->key[k]))
                return true;
    return false;
}

static bool reads_behind_own(const struct client *c, int read)
{
    for (int k = 0; k < read && !c->writes[read]; k++)
        if (c->writes[k] && c->key[k] == c->key[read])
            return true;
    return false;
}

/* Lists grow no longer than there is room for. The commits of a list that is seen must be a beginning of all, and all if
 * it was read behind own appends. */
static bool lists_fit(const struct store *s, const struct client *c)
{
    for (int k = 0; k < c->count; k++) {
        int n = 0;
        bool gap = false;
        if (!s->h->keys[c->key[k]].list)
            continue;
        for (int i = 0; i < s->commit_count; i++) {
            if (!writes_key(s->h, s->commits[i], c->key[k]))
                continue;
            n += 4;
            bool seen = sees(c, i, s->p->level == RC ? s->commit_count : -1);
            if (seen && gap)
                return false;
            gap |= !seen;
            if (reads_behind_own(c, k) && !sees(c, i, s->p->level == RC ? c->limit[k] : -1))
                return false;
        }
        if (n >= MOST_LIST)
            return false;
    }
    return true;
}

static void record(struct store *s, int session, struct client *c, enum outcome o)
{
    struct txn *t = add_txn(s->h, session, o);
    t->begin = c->begin;
    t->end = o == MAYBE ? INT64_MAX : s->now;
    for (int i = 0; i < c->count; i++)
        if (c->writes[i])
            add_access(s->h, s->h->keys[c->key[i]].list ? APPEND : WRITE, c->key[i], c->value[i]);
        else
            read_key(s, c, i, c->key[i]);
}

static void commit(struct store *s, int session)
{
    struct client *c = &s->clients[session];
    int i = s->commit_count;
    if (s->p->level == SER) {
        c->sees = realloc(c->sees, (size_t)i + 1);
        if (!c->sees)
            abort();
        memset(c->sees, true, (size_t)i);
        c->seen = i;
    }
    c->open = false;
    bool lost = conflicts(s, c), fits = lists_fit(s, c);
    if (!fits || lost || chance(s->p->aborted)) {
        if (fits && chance(50))
            record(s, session, c, ABORTED);
        return;
    }
    bool never = chance(s->p->maybe);
    record(s, session, c, never || chance(s->p->maybe) ? MAYBE : COMMITTED);
    if (never)
        return;
    s->commits[i] = s->h->n - 1;
    s->deps[i] = zeroed((size_t)i, sizeof **s->deps);
    memcpy(s->deps[i], c->sees, (size_t)c->seen * sizeof **s->deps);
    s->dep_count[i] = c->seen;
    s->arrived[site_of(session)][i] = true;
    s->commit_count++;
    c->last = s->commit_count;
}

/* One commit reaches one more site, if all that it saw is there. */
static void deliver(struct store *s)
{
    int site = below(SITES), recent = s->commit_count < 60 ? s->commit_count : 60;
    for (int k = 0; k < recent; k++) {
        int i = s->commit_count - recent + k;
        bool ready = !s->arrived[site][i] && chance(50);
        for (int d = 0; ready && d < s->dep_count[i]; d++)
            ready = !s->deps[i][d] || s->arrived[site][d];
        if (ready)
            s->arrived[site][i] = true;
    }
}

static void step(struct store *s)
{
    int session = below(s->p->sessions);
    struct client *c = &s->clients[session];
    s->now += below(3);
    if (!c->open) {
        begin(s, session);
        for (int i = 0; i < c->count; i++)
            c->limit[i] = -2;
        return;
    }
    for (int i = 0; s->p->level == RC && i < c->count; i++)
        if (c->limit[i] == -2) {
            c->limit[i] = s->commit_count;
            return;
        }
    commit(s, session);
}

struct history *run_store(const struct store_plan *p)
{
    struct store s = {.p = p, .h = new_history(), .fresh = INITIAL + 1 + p->values};
    size_t n = (size_t)p->n;
    s.clients = zeroed((size_t)p->sessions, sizeof *s.clients);
    s.commits = zeroed(n, sizeof *s.commits);
    s.deps = zeroed(n, sizeof *s.deps);
    s.dep_count = zeroed(n, sizeof *s.dep_count);
    for (int i = 0; i < SITES; i++)
        s.arrived[i] = zeroed(n, sizeof *s.arrived[i]);
    for (int k = 0; k < p->keys; k++)
        add_key(s.h, chance(p->lists));
    while (s.h->n < p->n) {
        step(&s);
        if (chance(30))
            deliver(&s);
    }
    s.h->session_count = p->sessions;
    s.h->timing = p->timed ? TIMED : UNTIMED;
    for (int i = 0; i < p->sessions; i++)
        free(s.clients[i].sees);
    for (int i = 0; i < s.commit_count; i++)
        free(s.deps[i]);
    for (int i = 0; i < SITES; i++)
        free(s.arrived[i]);
    free(s.deps);
    free(s.dep_count);
    free(s.commits);
    free(s.clients);
    return s.h;
}
