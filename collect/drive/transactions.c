/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/transactions.h"

#include "base/hash.h"

#include <stdlib.h>

void transactions_begin(struct transactions *t, const struct workload_settings *s, unsigned session, uint64_t seed)
{
    *t = (struct transactions){.settings = s, .session = session};
    t->rng.state = hash_mix(hash_mix(seed) + session);
}

static int64_t new_value(struct transactions *t)
{
    return t->written++ * t->settings->sessions + t->session + 1;
}

static bool written_before(const struct transactions *t, uint64_t key)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->accesses[i].key == key && t->accesses[i].action == t->settings->workload->changes)
            return true;
    return false;
}

static assay_access *next_access(struct transactions *t, assay_action action, uint64_t key)
{
    assay_access *a = &t->accesses[t->n++];
    a->action = action;
    a->key = key;
    a->value = 0;
    a->found = false;
    a->count = 0;
    return a;
}

static void change(struct transactions *t, uint64_t key)
{
    const struct workload_settings *s = t->settings;
    assay_access *a = next_access(t, s->workload->changes, key);
    if (a->action == ASSAY_ACTION_ADD) {
        a->value = 1;
    } else if (a->action == ASSAY_ACTION_TRANSFER) {
        a->to = s->first_key + rng_below(&t->rng, s->keys);
        a->value = 1 + rng_below(&t->rng, (uint32_t)(s->workload->initial / 2));
    } else {
        a->value = new_value(t);
    }
}

void transactions_next(struct transactions *t)
{
    const struct workload_settings *s = t->settings;
    const struct workload *w = s->workload;
    size_t wanted = w->transactions ? 1 + rng_below(&t->rng, s->most_accesses) : 1;
    t->n = 0;
    while (wanted-- > 0) {
        uint64_t key = s->first_key + rng_below(&t->rng, s->keys);
        bool reads = rng_below(&t->rng, 100) < s->read_share;
        if (s->driver->one_write_per_key && written_before(t, key))
            continue;
        if (!reads) {
            change(t, key);
        } else if (w->whole) {
            for (unsigned i = 0; i < s->keys; i++)
                next_access(t, w->reads, s->first_key + i);
        } else {
            next_access(t, w->reads, key);
        }
    }
}

unsigned transactions_kept(const struct workload *w, uint64_t operations, unsigned read_share)
{
    if (w->changes != ASSAY_ACTION_WRITE || read_share == 100)
        return 0;
    uint64_t fitting = operations / TRANSACTIONS_PER_KEPT;
    return operations && fitting < TRANSACTIONS_MOST_KEPT ? (unsigned)fitting : TRANSACTIONS_MOST_KEPT;
}

bool transactions_keep(struct transactions *t, double part)
{
    const struct workload_settings *s = t->settings;
    unsigned own = s->kept / s->sessions + (t->session < s->kept % s->sessions);
    if (t->kept >= own || part * own < t->kept)
        return false;
    t->n = 0;
    change(t, s->first_key + s->keys + t->session + (uint64_t)t->kept++ * s->sessions);
    return true;
}

void transactions_end(struct transactions *t)
{
    for (size_t i = 0; i < WORKLOAD_MOST_ACCESSES; i++)
        free(t->accesses[i].elements);
}
