/* SPDX-License-Identifier: Apache-2.0 */
/* An element of a set or multiset, or a key of a map, that was acknowledged and that a later call misses although
 * nobody can have taken it out since. It is lost if no call after that one finds it, and stale if one does. Whole sets
 * are read in histories of a hundred thousand elements, so each call is looked at once, and once more for each read of
 * the proof. */
#include "base/vec.h"
#include "history/token.h"
#include "history/value_ids.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

enum role { NOTHING, PUTS, TAKES, FINDS, MISSES, READS_ALL };

struct thing {
    int64_t known;                  /* the first return of a call that puts it in */
    int64_t put_last;               /* the last one; INT64_MAX: there may be another one */
    int64_t found;                  /* the last call that finds it */
    int64_t missed_from, missed_to; /* the last call about it alone that misses it, if it was known then */
    bool taken;                     /* perhaps, by some call at any time */
    bool vague;                     /* a call that takes it out does not say whether it found it */
    uint32_t read;                  /* the read of all things that was looked at last, if it has it */
    /* For the call that is looked at: the last call of one that had put it in before, and the last return of one that
     * may have taken it out by the end. */
    int64_t settled, took;
};

struct search {
    const result *r;
    const history *h;
    struct mem *m;
    struct value_ids ids;
    VEC(struct thing) things;
};

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

static enum role role_of(const result *r, uint32_t op)
{
    const history *h = r->h;
    if (!history_arity(h, op))
        return !history_pending(h, op) && history_result(h, op).kind == ASSAY_LIST ? READS_ALL : NOTHING;
    unsigned roles = describe_roles(r, op);
    return roles & ROLE_ADD      ? PUTS
           : roles & ROLE_REMOVE ? TAKES
           : roles & ROLE_SEE    ? FINDS
           : roles & ROLE_MISS   ? MISSES
                                 : NOTHING;
}

/* Does the call say that the thing was there? One that takes it out does so by its result. */
static bool shows(const result *r, uint32_t op)
{
    return describe_roles(r, op) & ROLE_SEE;
}

static struct thing *thing(struct search *x, struct value v)
{
    uint32_t id = value_id(x->m, &x->ids, v);
    while (x->things.n <= id)
        vec_push(x->m, &x->things,
                 ((struct thing){INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, false, false, ID_NONE,
                                 INT64_MIN, INT64_MIN}));
    return &x->things.at[id];
}

static void take_list(struct search *x, uint32_t read)
{
    const history *h = x->h;
    for (const struct list_value *l = h->lists.all.at[history_result(h, read).bits]; l->before; l = l->before) {
        struct thing *t = thing(x, l->last);
        t->read = read;
        if (t->found < h->call[read])
            t->found = h->call[read];
    }
}

static void put(struct thing *t, int64_t returned)
{
    if (returned != INT64_MAX && returned < t->known)
        t->known = returned;
    if (returned > t->put_last)
        t->put_last = returned;
}

static void look_at(struct search *x, uint32_t op)
{
    const history *h = x->h;
    enum role role = role_of(x->r, op);
    if (role == READS_ALL)
        take_list(x, op);
    if (role == READS_ALL || role == NOTHING)
        return;
    struct thing *t = thing(x, history_arg(h, op, 0));
    if (role == PUTS)
        put(t, history_pending(h, op) ? INT64_MAX : h->ret[op]);
    else if (role == TAKES)
        t->taken = true;
    t->vague |= role == TAKES && is_word(h, history_result(h, op), "ok");
    if (shows(x->r, op) && t->found < h->call[op])
        t->found = h->call[op];
}

/* Had a call put it in before, and none taken it out since? Of things that are taken out this is not known at once. */
static void miss(struct search *x, uint32_t op)
{
    if (role_of(x->r, op) != MISSES)
        return;
    struct thing *t = thing(x, history_arg(x->h, op, 0));
    if (!t->taken && t->known < x->h->call[op] && t->missed_from < x->h->call[op]) {
        t->missed_from = x->h->call[op];
        t->missed_to = x->h->ret[op];
    }
}

static bool is_mine(const struct search *x, uint32_t op)
{
    return history_object_of(x->h, op) == history_object_of(x->h, x->r->evidence.culprit);
}

static void look_at_all(struct search *x)
{
    for (uint32_t op = 0; op < x->h->n; op++)
        if (is_mine(x, op))
            look_at(x, op);
    for (uint32_t op = 0; op < x->h->n; op++)
        if (is_mine(x, op))
            miss(x, op);
}

static bool is_stale(const struct thing *t, int64_t from, int64_t to)
{
    return t->found > to && t->put_last < from;
}

/* Who finds it later may have found what was put in again. */
static bool is_put_again(const struct thing *t, int64_t from)
{
    return t->put_last >= from;
}

/* ---- the sentence ---- */

struct loss {
    uint32_t read, put; /* ASSAY_NO_OPERATION: there is none */
    bool stale;
    bool again; /* another call puts it in later: whether the first one was lost for good cannot be told */
};

/* Of all things, or of the one that the call asks for: settled and took. */
static void settle(struct search *x, uint32_t read)
{
    const history *h = x->h;
    for (uint32_t i = 0; i < x->things.n; i++)
        x->things.at[i].settled = x->things.at[i].took = INT64_MIN;
    for (uint32_t op = 0; op < h->n; op++) {
        enum role role = is_mine(x, op) ? role_of(x->r, op) : NOTHING;
        struct thing *t = role == PUTS || role == TAKES ? thing(x, history_arg(h, op, 0)) : NULL;
        bool pending = history_pending(h, op);
        if (role == PUTS && !pending && h->ret[op] < h->call[read] && t->settled < h->call[op])
            t->settled = h->call[op];
        else if (role == TAKES && h->call[op] <= h->ret[read] && t->took < (pending ? INT64_MAX : h->ret[op]))
            t->took = pending ? INT64_MAX : h->ret[op];
    }
}

/* It was put in before the call that is looked at, and nobody can have taken it out since. */
static bool is_in(const struct thing *t)
{
    return t->took < t->settled && !t->vague;
}

/* The call that puts in a thing that the read misses: a lost one if there is any. */
static struct loss loss_of(struct search *x, uint32_t read)
{
    const history *h = x->h;
    struct loss found = {read, ASSAY_NO_OPERATION, true, false};
    enum role role = role_of(x->r, read);
    if (role == READS_ALL)
        take_list(x, read);
    if (role == READS_ALL || role == MISSES)
        settle(x, read);
    for (uint32_t op = 0; op < h->n && found.stale && (role == READS_ALL || role == MISSES); op++) {
        if (!is_mine(x, op) || history_pending(h, op) || h->ret[op] >= h->call[read] || role_of(x->r, op) != PUTS ||
            (role == MISSES && !value_same(history_arg(h, op, 0), history_arg(h, read, 0))))
            continue;
        const struct thing *t = thing(x, history_arg(h, op, 0));
        bool stale = is_stale(t, h->call[read], h->ret[read]);
        if (!is_in(t) || h->call[op] <= t->took || (role == READS_ALL && t->read == read) ||
            (stale && found.put != ASSAY_NO_OPERATION))
            continue;
        found.put = op;
        found.stale = stale;
        found.again = is_put_again(t, h->call[read]);
    }
    return found;
}

static bool finds(struct search *x, uint32_t op, struct value v)
{
    enum role role = role_of(x->r, op);
    if (shows(x->r, op))
        return value_same(history_arg(x->h, op, 0), v);
    if (role != READS_ALL)
        return false;
    const struct list_value *l = x->h->lists.all.at[history_result(x->h, op).bits];
    while (l->before && !value_same(l->last, v))
        l = l->before;
    return l->before;
}

static void tell_fate(struct text *t, struct search *x, const struct loss *l, bool all)
{
    const history *h = x->h;
    struct value v = history_arg(h, l->put, 0);
    if (l->again) {
        text_puts(t, "another call puts it in again");
        return;
    }
    if (!l->stale) {
        text_puts(t, all ? "no later read has it" : "no later call finds it");
        return;
    }
    for (uint32_t op = 0; op < h->n; op++)
        if (is_mine(x, op) && h->call[op] > h->ret[l->read] && finds(x, op, v)) {
            describe_say(t, h, "%P%s", op, all ? " has it again" : " finds it again");
            return;
        }
}

static void count(struct text *t, struct search *x, uint32_t read, bool all)
{
    const history *h = x->h;
    uint32_t of[2] = {0, 0};
    settle(x, read);
    if (all)
        take_list(x, read);
    for (uint32_t i = 0; i < x->things.n; i++) {
        const struct thing *e = &x->things.at[i];
        if (all && is_in(e) && e->read != read && !is_put_again(e, h->call[read]))
            of[is_stale(e, h->call[read], h->ret[read])]++;
        if (!all && e->missed_from != INT64_MIN && !is_put_again(e, e->missed_from))
            of[is_stale(e, e->missed_from, e->missed_to)]++;
    }
    text_printf(t, " (of the acknowledged %s that %s %u %s lost, %u stale)",
                x->r->facts->family == FAMILY_MAP ? "keys" : "elements",
                all ? "it misses" : "calls miss and none removes,", (unsigned)of[0], of[0] == 1 ? "is" : "are",
                (unsigned)of[1]);
}

static bool tell(struct text *t, struct search *x)
{
    const struct evidence *ev = &x->r->evidence;
    struct loss l = {ASSAY_NO_OPERATION, ASSAY_NO_OPERATION, true, false};
    look_at_all(x);
    for (uint32_t i = 0; i <= ev->kept.n && l.stale; i++) {
        struct loss of = loss_of(x, i ? ev->kept.at[i - 1] : ev->culprit);
        if (of.put != ASSAY_NO_OPERATION && (l.put == ASSAY_NO_OPERATION || !of.stale))
            l = of;
    }
    if (l.put == ASSAY_NO_OPERATION)
        return false;
    bool all = role_of(x->r, l.read) == READS_ALL;
    describe_say(t, x->h, "%V%s%O had returned when %P", history_written(x->h, l.put, 0),
                 l.again   ? " is missing: "
                 : l.stale ? " is stale: "
                           : " is lost: ",
                 l.put, l.read);
    const struct thing *it = thing(x, history_arg(x->h, l.put, 0));
    bool map = x->r->facts->family == FAMILY_MAP;
    if (it->taken)
        text_printf(t, " was called, and no call since then can have %s; ", map ? "removed it" : "taken it out");
    else
        text_printf(t, " was called, and no call %s; ", map ? "removes it" : "takes it out");
    tell_fate(t, x, &l, all);
    if (!l.again && (all || !it->taken))
        count(t, x, l.read, all);
    return true;
}

bool describe_missing(struct text *t, const result *r)
{
    struct search x = {.r = r, .h = r->h, .m = t->mem};
    bool told = tell(t, &x);
    value_ids_free(t->mem, &x.ids);
    vec_free(t->mem, &x.things);
    return told;
}
