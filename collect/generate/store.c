/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/generate/store.h"

enum { MOST_SITES = 8 };

struct store store_new(const struct store_kind *kind, uint32_t sessions, struct mem *mem, struct rng *rng)
{
    struct store s = {.kind = kind, .mem = mem, .rng = rng};
    s.site_n = !kind->sites ? 1 : sessions < MOST_SITES ? sessions : MOST_SITES;
    s.sites = mem_new_zero(mem, struct store_site, s.site_n);
    for (uint32_t i = 0; i < s.site_n; i++)
        s.sites[i].arrived = mem_new_zero(mem, uint32_t, s.site_n);
    return s;
}

uint32_t store_add_key(struct store *s, bool list)
{
    vec_push(s->mem, &s->keys, (struct store_key){.list = list});
    for (uint32_t i = 0; i < s->site_n; i++)
        vec_push(s->mem, &s->sites[i].versions, 0);
    return s->keys.n - 1;
}

void store_link(struct store *s, struct store_transaction *t)
{
    uint32_t mark = ++s->mark;
    for (uint32_t i = 0; i < t->n; i++) {
        struct store_access *a = &t->at[i];
        struct store_key *key = &s->keys.at[a->key];
        a->own = key->marked == mark ? key->last_by + 1 : 0;
        a->overwritten = false;
        if (a->kind == STORE_READ)
            continue;
        if (a->own && a->kind == STORE_WRITE)
            t->at[a->own - 1].overwritten = true;
        key->marked = mark;
        key->last_by = i;
    }
}

/* ---- the knowledge of a site ---- */

/* The versions of the key before that commit. */
static uint32_t versions_before(const struct store_key *key, uint32_t commit)
{
    uint32_t low = 0, high = key->versions.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key->versions.at[middle].commit < commit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void store_see(struct store *s, const struct store_transaction *t, struct store_access *a)
{
    const struct store_key *key = &s->keys.at[a->key];
    a->seen = s->sites[t->site].versions.at[a->key];
    if (a->before) {
        uint32_t then = versions_before(key, a->before);
        a->seen = then < a->seen ? then : a->seen;
    }
    if (a->kind != STORE_READ)
        return;
    if (key->list)
        a->value = a->seen;
    else if (a->own)
        a->value = t->at[a->own - 1].value;
    else if (a->dirty)
        a->value = a->dirty;
    else
        a->value = a->seen ? key->versions.at[a->seen - 1].value : 0;
}

void store_see_all(struct store *s, struct store_transaction *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        store_see(s, t, &t->at[i]);
}

/* ---- delivery ---- */

static void apply(struct store *s, struct store_site *site, uint32_t commit)
{
    const struct store_commit *c = &s->commits.at[commit - 1];
    for (uint32_t i = c->first; i < c->first + c->n; i++) {
        struct store_write w = s->writes.at[i];
        if (site->versions.at[w.key] < w.versions)
            site->versions.at[w.key] = w.versions;
    }
}

/* The log of a site becomes known up to there, and, if deliveries are causal, all that was known there before. A log
 * that is known has everything before it that its commits knew, so the last one's knowledge is enough. */
static void take_in(struct store *s, uint32_t site, uint32_t from, uint32_t upto)
{
    struct store_site *here = &s->sites[site];
    const uint32_t *known = &s->sites[from].log.known.at[(size_t)(upto - 1) * s->site_n];
    for (uint32_t other = 0; other < s->site_n; other++) {
        uint32_t target = other == from ? upto : s->kind->causal ? known[other] : 0;
        while (here->arrived[other] < target)
            apply(s, here, s->sites[other].log.commits.at[here->arrived[other]++]);
    }
}

void store_listen(struct store *s, uint32_t site)
{
    if (s->site_n == 1)
        return;
    uint32_t from = rng_below(s->rng, s->site_n - 1);
    from += from >= site;
    const struct store_log *log = &s->sites[from].log;
    uint32_t have = s->sites[site].arrived[from], more = rng_below(s->rng, log->commits.n - have + 1);
    if (!more)
        return;
    if (s->kind->causal || rng_below(s->rng, 2))
        take_in(s, site, from, have + more);
    else /* alone, before those that it followed */
        apply(s, &s->sites[site], log->commits.at[have + more - 1]);
}

/* The site learns of the key's last version. */
static void catch_up(struct store *s, uint32_t site, uint32_t key)
{
    const struct store_key *k = &s->keys.at[key];
    if (s->sites[site].versions.at[key] == k->versions.n)
        return;
    uint32_t commit = k->versions.at[k->versions.n - 1].commit;
    struct store_commit last = s->commits.at[commit - 1];
    if (s->kind->causal && last.index >= s->sites[site].arrived[last.site])
        take_in(s, site, last.site, last.index + 1);
    else
        apply(s, &s->sites[site], commit);
}

/* ---- commits ---- */

/* Must the transaction have seen the last version of the key? */
static bool is_checked(const struct store *s, const struct store_access *a, bool checked)
{
    if (a->kind == STORE_READ)
        return s->keys.at[a->key].list && a->own;
    return checked && s->kind->checked;
}

static bool loses_conflict(const struct store *s, const struct store_transaction *t, bool checked)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (is_checked(s, &t->at[i], checked) && t->at[i].seen != s->keys.at[t->at[i].key].versions.n)
            return true;
    return false;
}

static void run_again(struct store *s, struct store_transaction *t, bool checked)
{
    for (uint32_t i = 0; i < t->n; i++) {
        t->at[i].before = t->at[i].dirty = 0;
        if (is_checked(s, &t->at[i], checked))
            catch_up(s, t->site, t->at[i].key);
    }
    store_see_all(s, t);
}

static void log_commit(struct store *s, uint32_t site, uint32_t commit)
{
    struct store_site *here = &s->sites[site];
    struct store_log *log = &here->log;
    vec_push(s->mem, &log->commits, commit);
    here->arrived[site] = log->commits.n;
    vec_reserve(s->mem, &log->known, s->site_n);
    for (uint32_t i = 0; i < s->site_n; i++)
        log->known.at[log->known.n++] = here->arrived[i];
    apply(s, here, commit);
}

uint32_t store_commit(struct store *s, struct store_transaction *t, bool checked)
{
    if (loses_conflict(s, t, checked))
        run_again(s, t, checked);
    struct store_commit c = {.site = t->site, .index = s->sites[t->site].log.commits.n, .first = s->writes.n};
    for (uint32_t i = 0; i < t->n; i++) {
        struct store_access *a = &t->at[i];
        if (a->kind == STORE_READ || a->overwritten)
            continue;
        struct store_key *key = &s->keys.at[a->key];
        struct store_version version = {a->value, s->commits.n + 1};
        vec_push(s->mem, &key->versions, version);
        a->seen = key->versions.n;
        struct store_write write = {a->key, a->seen};
        vec_push(s->mem, &s->writes, write);
    }
    c.n = s->writes.n - c.first;
    if (!c.n)
        return 0;
    vec_push(s->mem, &s->commits, c);
    log_commit(s, t->site, s->commits.n);
    return s->commits.n;
}
