/* SPDX-License-Identifier: Apache-2.0 */
/* Clients of an exchanger. A call takes effect together with another open one, and each gets the value of the other; or
 * it gives up, and gets null. So partners overlap, and the pairs, each at the moment when it met, are a linearization.
 * A call that never returns may be a partner: the other one has returned with its value.
 *
 * A call that finds no partner waits more often than not, else there would be few pairs. A call that could meet another
 * may give up all the same. */
#include "collect/generate/clients.h"

/* ---- partners ---- */

enum { NOBODY = UINT32_MAX }; /* no thread */

/* A thread with an open call that has not taken effect, other than the given ones. */
static uint32_t find_waiting(struct clients *x, const struct client *self, const struct client *other)
{
    uint32_t start = rng_below(&x->rng, x->busy_n + 1);
    for (uint32_t i = 0; i < x->busy_n; i++) {
        uint32_t t = x->busy[(start + i) % x->busy_n];
        if (&x->at[t] != self && &x->at[t] != other && !x->at[t].happened)
            return t;
    }
    return NOBODY;
}

static void give(struct clients *x, const struct client *from, struct client *to)
{
    x->out.all.at[to->open].result = assay_int(x->out.all.at[from->open].args[0]);
    to->happened = true;
}

static void give_up(struct clients *x, struct client *client)
{
    x->out.all.at[client->open].result = assay_word("null");
    client->happened = true;
}

/* ---- bugs ---- */

/* The latest call that had returned without a partner before this one began; NULL: there is none. */
static struct record *find_gone(struct clients *x, const struct record *r)
{
    for (uint32_t i = r->called - 1; i > 0; i--) {
        struct record *gone = &x->out.all.at[x->out.events.at[i - 1]];
        if (gone->returned == i && assay_value_same(gone->result, assay_word("null")))
            return gone;
    }
    return NULL;
}

/* False: there is no call to meet like that, and it goes on as usual. */
static bool meet_gone(struct clients *x, struct client *client)
{
    struct record *r = &x->out.all.at[client->open], *gone = find_gone(x, r);
    if (!gone)
        return false;
    r->result = assay_int(gone->args[0]);
    gone->result = assay_int(r->args[0]);
    client->happened = true;
    return true;
}

static bool meet_in_ring(struct clients *x, struct client *client, struct client *partner)
{
    uint32_t third = find_waiting(x, client, partner);
    if (third == NOBODY)
        return false;
    give(x, client, partner);
    give(x, partner, &x->at[third]);
    give(x, &x->at[third], client);
    return true;
}

/* As above. */
static bool meet_wrongly(struct clients *x, struct client *client, struct client *partner)
{
    switch (x->flaw) {
    case FLAW_APART: return meet_gone(x, client);
    case FLAW_RING: return meet_in_ring(x, client, partner);
    case FLAW_LOSE: give_up(x, partner); break;
    default: break; /* FLAW_DUPLICATE: the partner's value is still there */
    }
    give(x, partner, client);
    return true;
}

/* ---- a step ---- */

bool clients_meet(struct clients *x, struct client *client)
{
    enum { PATIENCE = 4, WHIM = 8 }; /* one in so many gives up: alone, with a partner at hand */
    uint32_t found = find_waiting(x, client, NULL);
    if (found == NOBODY && rng_below(&x->rng, PATIENCE))
        return false;
    if (found == NOBODY || rng_below(&x->rng, WHIM) == 0) {
        give_up(x, client);
        return true;
    }
    struct client *partner = &x->at[found];
    const struct method *m = &x->methods[x->out.all.at[client->open].method];
    if (clients_spoil(x, m) && meet_wrongly(x, client, partner))
        return true;
    give(x, client, partner);
    give(x, partner, client);
    return true;
}
