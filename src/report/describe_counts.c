/* SPDX-License-Identifier: Apache-2.0 */
/* How often a value of a set was added and removed, if that refutes a call. An add that returned true has put the value
 * in, and a remove that returned true has taken it out; one without a result may have. So adds and removes alternate:
 * the adds that must have happened before some moment, less the removes that may have, are 1 at most and 0 at least.
 *
 * What had returned before a call began came before it, and what was called after its return came later. All counts
 * are from the first call on, or from the call of some add or remove on, when the value was in or not. */
#include "base/vec.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

enum { MOST_CALLS = 400 }; /* of one value */

enum kind { OTHER, ADDED, REMOVED, MAY_ADD, MAY_REMOVE, FOUND, MISSED };

struct call {
    uint32_t op;
    enum kind kind;
};

struct counts {
    uint32_t added, may_add, removed, may_remove; /* for certain, and at most */
};

struct counter {
    const result *r;
    const history *h;
    struct value value;
    VEC(struct call) calls; /* of the value */
    bool known;             /* whether it was in at first */
    bool first;
};

/* ---- the calls ---- */

static enum kind kind_of(const result *r, uint32_t op)
{
    switch (describe_roles(r, op)) {
    case ROLE_ADD | ROLE_MISS: return ADDED;
    case ROLE_ADD: return MAY_ADD;
    case ROLE_REMOVE | ROLE_SEE: return REMOVED;
    case ROLE_REMOVE: return MAY_REMOVE;
    case ROLE_SEE: return FOUND;
    case ROLE_MISS: return MISSED;
    default: return OTHER;
    }
}

static void gather(struct counter *c, const result *r, uint32_t culprit, struct mem *m)
{
    const history *h = r->h;
    vec_clear(&c->calls);
    c->value = history_arg(h, culprit, 0);
    for (uint32_t op = 0; op < h->n && c->calls.n <= MOST_CALLS; op++)
        if (history_object_of(h, op) == history_object_of(h, culprit) && history_arity(h, op) == 1 &&
            value_same(history_arg(h, op, 0), c->value))
            vec_push(m, &c->calls, ((struct call){op, kind_of(r, op)}));
    c->known = !history_any_initial(h) && h->objects.n < 2;
    c->first = false;
    for (uint32_t i = 0; i < h->init.n; i++)
        c->first |= value_same(h->init.at[i].value, c->value);
}

/* ---- counting ---- */

/* From the moment on: before the call takes effect, or behind it, when it has returned. */
static struct counts count(const struct counter *c, int64_t from, uint32_t op, bool behind)
{
    const history *h = c->h;
    struct counts n = {0};
    for (uint32_t i = 0; i < c->calls.n; i++) {
        const struct call *k = &c->calls.at[i];
        bool before = !history_pending(h, k->op) &&
                      (behind ? h->ret[k->op] <= h->ret[op] : h->ret[k->op] < h->call[op]);
        bool sure = before && h->call[k->op] >= from;
        bool may = h->call[k->op] <= h->ret[op] && (history_pending(h, k->op) || h->ret[k->op] >= from);
        if (!behind && k->op == op)
            continue;
        n.added += k->kind == ADDED && sure;
        n.removed += k->kind == REMOVED && sure;
        n.may_add += (k->kind == ADDED || k->kind == MAY_ADD) && may;
        n.may_remove += (k->kind == REMOVED || k->kind == MAY_REMOVE) && may;
    }
    return n;
}

/* Was it in when the counting began? */
struct bounds {
    int64_t least, most;
};

static bool refutes(enum kind kind, struct bounds b, const struct counts *n, bool behind)
{
    int64_t least = b.least + n->added - n->may_remove, most = b.most + n->may_add - n->removed;
    bool needs_it = kind == REMOVED || kind == FOUND, needs_none = kind == ADDED || kind == MISSED;
    if (behind)
        return least > 1 || most < 0;
    return (needs_it && most <= 0) || (needs_none && least > 0);
}

/* ---- the sentence ---- */

static void often(struct text *t, uint32_t least, uint32_t most, bool at_least)
{
    uint32_t n = at_least ? least : most;
    text_puts(t, least == most ? "" : at_least ? "at least " : "at most ");
    if (n == 1 || n == 2)
        text_puts(t, n == 1 ? "once" : "twice");
    else
        text_printf(t, "%u times", (unsigned)n);
}

static void part(struct text *t, const char *word, uint32_t least, uint32_t most, bool at_least)
{
    if (!most) {
        text_printf(t, "never %s", word);
        return;
    }
    text_printf(t, "%s ", word);
    often(t, least, most, at_least);
}

struct claim {
    uint32_t op, from; /* from ASSAY_NO_OPERATION on: the first call */
    bool behind;
    struct bounds start;
    struct counts n;
    enum kind kind;
};

static void tell(struct text *t, const struct counter *c, const struct claim *x)
{
    int64_t least = x->start.least + x->n.added - x->n.may_remove;
    bool adds = x->behind ? least > 1 : x->kind == ADDED || x->kind == MISSED; /* more adds than removes */
    if (x->from != ASSAY_NO_OPERATION)
        describe_say(t, c->h, "since %P was called, ", x->from);
    token_print(t, c->h, c->value);
    text_puts(t, x->from == ASSAY_NO_OPERATION && c->first ? ", in the set at first, was " : " was ");
    if (adds) {
        part(t, "added", x->n.added, x->n.may_add, true);
        text_puts(t, " and ");
        part(t, "removed", x->n.removed, x->n.may_remove, false);
    } else {
        part(t, "removed", x->n.removed, x->n.may_remove, true);
        text_puts(t, " and ");
        part(t, "added", x->n.added, x->n.may_add, false);
    }
    describe_say(t, c->h, "%s%O%s", x->behind ? " by the end of " : " by then, so ", x->op,
                 x->behind ? ": one of these calls cannot be" : " cannot be");
}

static bool try_from(const struct counter *c, uint32_t op, uint32_t from, struct claim *out)
{
    enum kind kind = kind_of(c->r, op);
    bool all = from == ASSAY_NO_OPERATION;
    struct bounds start = {all && c->known ? c->first : 0, all && c->known ? c->first : 1};
    for (int behind = 0; behind < 2; behind++) {
        struct counts n = count(c, all ? INT64_MIN : c->h->call[from], op, behind);
        if (!refutes(kind, start, &n, behind) || (!n.removed && !n.may_add && !n.added)) /* nothing to count */
            continue;
        *out = (struct claim){op, from, behind, start, n, kind};
        return true;
    }
    return false;
}

static bool find(const struct counter *c, uint32_t op, struct claim *out)
{
    if (try_from(c, op, ASSAY_NO_OPERATION, out))
        return true;
    for (uint32_t i = 0; i < c->calls.n; i++) {
        uint32_t from = c->calls.at[i].op;
        if (c->h->call[from] <= c->h->call[op] && try_from(c, op, from, out))
            return true;
    }
    return false;
}

bool describe_counts(struct text *t, const result *r)
{
    const uint32_t blamed[] = {r->evidence.culprit, r->explanation.unexplained};
    struct counter c = {.r = r, .h = r->h};
    bool told = false;
    for (int i = 0; i < 2 && !told; i++) {
        uint32_t op = blamed[i];
        if (op == ASSAY_NO_OPERATION || history_pending(r->h, op) || history_arity(r->h, op) != 1)
            continue;
        struct claim claim;
        gather(&c, r, op, t->mem);
        told = c.calls.n <= MOST_CALLS && find(&c, op, &claim);
        if (told)
            tell(t, &c, &claim);
    }
    vec_free(t->mem, &c.calls);
    return told;
}
