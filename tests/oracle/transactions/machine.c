/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/machine.h"

#include "oracle/transactions/base.h"

#include <stdlib.h>

enum { MOST_KEYS = 8 };

struct machine {
    const struct history *h;
    enum level level;
    set committed_ones; /* all of these must commit */
    set base[MOST_TXNS];
};

struct state {
    set begun, done;
    int least; /* the next one to begin has this number at least: begins one after the other may change places */
    int store[MOST_KEYS];
    set stale; /* begun ones that write a key which was committed since */
};

/* Executes all of t on a copy of the store. False: a read returned something else. */
static bool execute(const struct history *h, int t, const int store[MOST_KEYS], int own[MOST_KEYS])
{
    bool right = true;
    for (int k = 0; k < h->key_count; k++)
        own[k] = store[k];
    for (int i = 0; i < h->txns[t].count; i++) {
        const struct access *a = access_of(h, t, i);
        if (a->kind == WRITE)
            own[a->key] = a->value;
        else
            right &= a->unknown || own[a->key] == a->value;
    }
    return right;
}

static bool may_begin(const struct machine *m, const struct state *s, int t)
{
    return t >= s->least && !in(s->begun, t) && m->h->txns[t].outcome != ABORTED &&
           !(m->base[t] & m->committed_ones & ~s->done);
}

static void install(const struct machine *m, struct state *s, int t, const int own[MOST_KEYS])
{
    for (int k = 0; k < m->h->key_count; k++) {
        if (!writes_key(m->h, t, k))
            continue;
        s->store[k] = own[k];
        for (int u = 0; u < m->h->n; u++)
            if (in(s->begun & ~s->done, u) && u != t && writes_key(m->h, u, k))
                s->stale |= 1u << u;
    }
    s->done |= 1u << t;
    s->least = 0;
}

static bool run_from(const struct machine *m, const struct state *s)
{
    if (!(m->committed_ones & ~s->done))
        return true;
    for (int t = 0; t < m->h->n; t++) {
        struct state next = *s;
        int own[MOST_KEYS];
        if (may_begin(m, s, t) && execute(m->h, t, s->store, own)) {
            next.begun |= 1u << t;
            next.least = t;
            if (m->level == SER)
                install(m, &next, t, own);
        } else if (in(s->begun & ~s->done, t) && !(m->level == SI && in(s->stale, t))) {
            execute(m->h, t, s->store, own); /* only the values that it writes are installed */
            install(m, &next, t, own);
        } else {
            continue;
        }
        if (run_from(m, &next))
            return true;
    }
    return false;
}

bool has_machine(enum level level)
{
    return level == SER || level == SI || level == PC;
}

bool machine_runs(const struct history *h, int model)
{
    struct machine m = {.h = h, .level = level_of(model), .committed_ones = with_outcome(h, COMMITTED)};
    struct state start = {.begun = 0};
    if (h->key_count > MOST_KEYS)
        abort();
    for (int k = 0; k < h->key_count; k++)
        start.store[k] = h->keys[k].init;
    base_order(h, base_of(model), m.base);
    return run_from(&m, &start);
}
