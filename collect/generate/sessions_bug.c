/* SPDX-License-Identifier: Apache-2.0 */
/* Bugs of a simulated store.
 *
 * Idea: a bug concerns a transaction that is about to read. It marks some of its accesses, and redirects reads to keys
 * where it shows. Clients choose their keys at random, so these are as good as others. */
#include "collect/generate/sessions.h"

const char *const bug_names[] = {[BUG_NONE] = "none",
                                 [BUG_LOST_UPDATE] = "lost-update",
                                 [BUG_DIRTY_READ] = "dirty-read",
                                 [BUG_STALE_SNAPSHOT] = "stale-snapshot",
                                 [BUG_TORN_WRITE] = "torn-write",
                                 [BUGS] = NULL};

bool bug_fits(unsigned bug, unsigned store)
{
    switch (bug) {
    case BUG_LOST_UPDATE: return store == STORE_SER || store == STORE_SI || store == STORE_PSI;
    case BUG_STALE_SNAPSHOT: return store != STORE_RC;
    default: return true;
    }
}

/* The transaction's next read from the i-th access on, or NULL. */
static struct store_access *next_read(struct store_transaction t, uint32_t i)
{
    while (i < t.n && t.at[i].kind != STORE_READ)
        i++;
    return i < t.n ? &t.at[i] : NULL;
}

/* It reads a key that it writes right behind, and does not look whether others wrote it in between. */
static bool lose_update(struct transaction *o, struct store_transaction t)
{
    for (uint32_t i = 1; i < t.n; i++) {
        if (t.at[i].kind == STORE_READ || t.at[i].own || t.at[i - 1].kind != STORE_READ)
            continue;
        t.at[i - 1].key = t.at[i].key;
        o->unchecked = o->early = true;
        return true;
    }
    return false;
}

/* It reads from an open transaction, which aborts then. */
static bool read_dirty(struct sessions *x, struct store_transaction t, uint32_t id)
{
    struct store_access *read = next_read(t, 0);
    struct session *other = &x->at[x->active[rng_below(&x->rng, x->active_n)]];
    struct transaction *writer = &x->all.at[other->open];
    if (!read || other->state == SESSION_IDLE || other->state == SESSION_ENDED || other->open == id ||
        writer->outcome == OUTCOME_UNKNOWN)
        return false;
    struct store_transaction w = sessions_transaction(x, other->open);
    for (uint32_t i = 0; i < w.n; i++) {
        if (w.at[i].kind == STORE_READ || w.at[i].own)
            continue;
        read->key = w.at[i].key;
        read->dirty = w.at[i].value;
        writer->outcome = OUTCOME_ABORTED;
        return true;
    }
    return false;
}

/* It reads from before the last commit of its own session. */
static bool read_stale(const struct session *session, struct store_transaction t)
{
    struct store_access *read = next_read(t, 0);
    if (!read || !session->commit)
        return false;
    read->key = session->last_key;
    for (uint32_t i = 0; i < t.n; i++)
        if (t.at[i].kind == STORE_READ)
            t.at[i].before = session->commit;
    return true;
}

/* It sees one write of the last commit at its site, and misses another one. */
static bool read_torn(const struct store *s, struct store_transaction t)
{
    const struct store_log *log = &s->sites[t.site].log;
    struct store_access *first = next_read(t, 0);
    struct store_access *second = first ? next_read(t, (uint32_t)(first - t.at) + 1) : NULL;
    if (!second || !log->commits.n)
        return false;
    uint32_t commit = log->commits.at[log->commits.n - 1];
    const struct store_commit *c = &s->commits.at[commit - 1];
    uint32_t keys[] = {s->writes.at[c->first].key, s->writes.at[c->first + c->n - 1].key};
    if (keys[0] == keys[1])
        return false;
    first->key = keys[0];
    second->key = keys[1];
    second->before = commit;
    return true;
}

void bug_spoil(struct sessions *x, uint32_t id)
{
    struct transaction *o = &x->all.at[id];
    struct store_transaction t = sessions_transaction(x, id);
    bool spoiled = false;
    if (x->c->values[BUG] == BUG_NONE || rng_below(&x->rng, 100) >= x->c->values[OFTEN])
        return;
    switch (x->c->values[BUG]) {
    case BUG_LOST_UPDATE: spoiled = lose_update(o, t); break;
    case BUG_DIRTY_READ: spoiled = read_dirty(x, t, id); break;
    case BUG_STALE_SNAPSHOT: spoiled = read_stale(&x->at[o->session], t); break;
    case BUG_TORN_WRITE: spoiled = read_torn(&x->store, t); break;
    }
    if (spoiled)
        store_link(&x->store, &t);
}
