/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a look: the settled past of a window that some order explains is forgotten. */
#include "model/model.h"
#include "monitor/look.h"
#include "monitor/monitor.h"
#include "monitor/window.h"

#include <inttypes.h>

enum { PATIENCE = 4096 };

int64_t look_horizon(const struct isolation *x)
{
    int64_t by_lateness = INT64_MIN, by_sessions = INT64_MAX;
    if (x->model->base != BASE_REALTIME || !x->h->call)
        return INT64_MIN;
    if (x->late && x->latest > INT64_MIN + x->late)
        by_lateness = x->latest - x->late;
    if (!x->most_sessions || x->sessions.n < x->most_sessions)
        return by_lateness;
    for (uint32_t i = 0; i < x->sessions.n; i++)
        if (!x->sessions.at[i].over && x->sessions.at[i].until < by_sessions)
            by_sessions = x->sessions.at[i].until;
    return by_sessions > by_lateness ? by_sessions : by_lateness;
}

static uint64_t patience(const struct isolation *x)
{
    return look_patience ? look_patience : x->most / 4 < PATIENCE ? x->most / 4 : PATIENCE;
}

static bool is_old(const struct isolation *x, uint32_t op)
{
    return x->m->step - x->arrived.at[op] >= patience(x);
}

/* The unknown transactions of the window that do not count, as far as reads are resolved. Of those that no read at all
 * names, the patiently waited for stay, and the others leave. */
static bool *waiting(struct look *l, bool *leaves)
{
    const struct isolation *x = l->x;
    bool *waits = mem_new_zero(&l->mem, bool, (size_t)x->h->n + 1);
    for (uint32_t op = 0; op < x->h->n; op++) {
        leaves[op] = history_pending(x->h, op) && !l->reads.counts[op] && is_old(x, op);
        waits[op] = history_pending(x->h, op) && !leaves[op];
    }
    for (uint32_t t = 0; t < l->view->n; t++)
        waits[l->view->op[t]] = leaves[l->view->op[t]] = false;
    return waits;
}

void look_settle(struct look *l, bool *leaves)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    bool *over = mem_new_zero(&l->mem, bool, (size_t)h->threads.n + 1);
    for (uint32_t t = 0; t < h->threads.n; t++) {
        const struct name *name = &h->names.all.at[h->threads.at[t].name];
        over[t] = x->sessions.at[names_find(&x->session_names, name->text, name->length)].over;
    }
    bool *old = mem_new_zero(&l->mem, bool, (size_t)h->n + 1);
    for (uint32_t op = 0; op < h->n; op++)
        old[op] = is_old(x, op);
    bool known = x->most_sessions && x->sessions.n == x->most_sessions;
    l->view = txn_view(h, x->model->base, 0, &l->mem, &x->fault);
    struct settling q = {.h = h,
                         .v = l->view,
                         .level = x->model->conditions,
                         .order = l->result->evidence.orders.at,
                         .ops = l->result->evidence.ops.at,
                         .horizon = look_horizon(x),
                         .sessions = known ? x->most_sessions - x->over : 0,
                         .over = over,
                         .old = old,
                         .waits = waiting(l, leaves)};
    l->settled = settle(&q, &l->mem, &x->m->budget);
}

bool look_overdue(struct look *l)
{
    bool *certain = mem_new_zero(&l->mem, bool, (size_t)l->x->h->n + 1), any = false;
    for (uint32_t t = 0; t < l->view->n; t++)
        certain[l->view->op[t]] = l->settled.certain[t];
    for (uint32_t i = 0; i < l->reads.unresolved.n; i++)
        if (certain[l->reads.unresolved.at[i].op]) {
            reads_show(&l->reads.unresolved.at[i], l->x->h);
            any = true;
        }
    return any;
}

/* The writer's last write of the key, or all its appends to it; row: of an open block, or ID_NONE. */
static void carry_version(struct look *l, struct carried_key *k, const struct settled_key *s, uint32_t w, uint32_t row)
{
    struct carried *c = &l->x->carried;
    const history *h = l->x->h;
    uint32_t op = l->view->op[l->view->writer[w]], last = ID_NONE;
    struct value key = history_value(h, l->view->key_at[s->key]);
    for (uint32_t i = 0; i < window_accesses(h, op); i++) {
        if (reads_is_read(&l->reads, h->values_at[op] + 3 * i) || !value_same(window_key(h, op, i), key))
            continue;
        last = i;
        if (s->list && row == ID_NONE)
            carried_append(c, k, h, history_arg(h, op, 3 * i + 2));
        else if (s->list)
            carried_add(c, k, row, h, history_arg(h, op, 3 * i + 2));
    }
    if (!s->list)
        carried_candidate(c, k, h, history_arg(h, op, 3 * last + 2));
    k->line = history_line(h, op);
}

static void carry_state(struct look *l)
{
    struct isolation *x = l->x;
    for (uint32_t i = 0; i < l->settled.keys.n; i++) {
        const struct settled_key *s = &l->settled.keys.at[i];
        struct carried_key *k = carried_at(&x->carried, x->h, history_value(x->h, l->view->key_at[s->key]));
        k->forgotten = x->forgets;
        k->unproved = (k->list && k->unproved) || s->unproved;
        k->n = 0;
        if (s->list && s->n > 1)
            carried_open(&x->carried, k, s->n, s->before);
        for (uint32_t j = 0; j < s->n; j++)
            carry_version(l, k, s, l->settled.versions.at[s->from + j], s->n > 1 ? j : ID_NONE);
    }
}

void look_forget(struct look *l, const bool *leaves)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    bool *keep = mem_new(&l->mem, bool, (size_t)h->n + 1), all = true;
    x->forgets++;
    for (uint32_t op = 0; op < h->n; op++)
        keep[op] = l->reads.counts[op] || (history_pending(h, op) ? !leaves[op] : op >= x->checked);
    for (uint32_t t = 0; t < l->view->n; t++)
        keep[l->view->op[t]] = !l->settled.past[t];
    carry_state(l);
    for (uint32_t op = 0; op < h->n; op++) {
        all &= keep[op];
        if (leaves[op])
            unread_put(&x->unread, x->h, op, x->arrived.at[op], x->forgets);
        else
            x->m->stats.forgotten += !keep[op];
    }
    x->checked = h->n;
    if (!all)
        window_renew(x, keep);
}
