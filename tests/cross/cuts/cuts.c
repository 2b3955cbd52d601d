/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/cuts/cuts.h"

/* ---- cells ---- */

static bool has_cells(enum object o)
{
    return o == REGISTER || o == CAS || o == MEMORY || o == MAP;
}

static bool has_null_values(const struct sketch *s)
{
    bool has = s->any;
    for (int i = 0; i < s->n; i++)
        has |= s->op[i].method == PUT && s->op[i].a == NULLED;
    return has;
}

/* The value that a call reads, that it writes, or NONE. Of a map, NULLED stands for null and for no value. */
static int reads(enum object o, const struct op *op)
{
    if (o == MAP && (op->pending || (op->method == HAS && op->result)))
        return NONE;
    if (o == MAP)
        return op->method == HAS || op->result == NONE ? NULLED : op->result;
    switch (op->method) {
    case READ: return op->pending ? NONE : op->result;
    case SWAP: return op->pending || op->result ? op->a : NONE;
    case RMW: return op->a;
    default: return NONE;
    }
}

static int writes(const struct sketch *s, const struct op *op)
{
    bool same = op->a == op->b;
    switch (op->method) {
    case WRITE: return op->a;
    case SWAP: return !same && (op->pending || op->result) ? op->b : NONE;
    case RMW: return same ? NONE : op->b;
    case PUT: return op->a != NULLED && reads(MAP, op) == op->a ? NONE : op->a;
    case REMOVE: return reads(MAP, op) == NULLED && !has_null_values(s) ? NONE : NULLED;
    default: return NONE;
    }
}

/* It only found that the value was another one. */
static bool fails(const struct op *op)
{
    return !op->pending && ((op->method == SWAP && !op->result) || (op->method == HAS && op->result));
}

static void find_readers(const struct sketch *s, bool gone[MOST])
{
    for (int round = 0; round < MOST; round++)
        for (int j = 0; j < s->n; j++)
            for (int k = 0; k < s->n && gone[j]; k++)
                if (writes(s, &s->op[j]) != NONE && s->op[k].key == s->op[j].key &&
                    (reads(s->object, &s->op[k]) == writes(s, &s->op[j]) || fails(&s->op[k])))
                    gone[k] = true;
}

/* ---- episodes ---- */

/* From any initial content, all calls of a value are one episode. */
static bool has_content(const struct sketch *s)
{
    return !has_cells(s->object) && s->object != COUNTER && (!s->any || holds_values(s->object));
}

/* The value that the call names, or NONE. A set, multiset or lock has only one. */
static int named(const struct sketch *s, const struct op *op)
{
    if (!holds_values(s->object))
        return 1;
    return op->method == ADD ? op->a : !op->pending && op->result ? op->result : NONE;
}

static int change(const struct sketch *s, const struct op *op)
{
    if (observes(s->object, op))
        return 0;
    return op->method == ADD || op->method == TRY ? 1 : -1;
}

/* Is the value of the i-th call out of the object when it is called? All earlier calls of the value must precede it and
 * all later ones. */
static bool begins_episode(const struct sketch *s, int i)
{
    int held = 0, value = named(s, &s->op[i]);
    for (int j = 0; j < i; j++) {
        if (named(s, &s->op[j]) != value)
            continue;
        for (int k = i; k < s->n; k++)
            if (named(s, &s->op[k]) == value && !precedes(&s->op[j], &s->op[k]))
                return false;
        held += change(s, &s->op[j]);
    }
    return !held;
}

static bool same_episode(const struct sketch *s, int i, int j)
{
    bool same = named(s, &s->op[i]) == named(s, &s->op[j]) && named(s, &s->op[i]) != NONE;
    for (int k = (i < j ? i : j) + 1; !s->any && (k <= i || k <= j); k++)
        if (named(s, &s->op[k]) == named(s, &s->op[i]) && begins_episode(s, k))
            same = false;
    return same;
}

/* ---- cuts ---- */

static bool changes_nothing(const struct sketch *s, const struct op *op)
{
    return has_cells(s->object) ? writes(s, op) == NONE : observes(s->object, op);
}

static void keep_only(struct sketch *s, const bool *gone)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (!gone[i])
            s->op[n++] = s->op[i];
    s->n = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (s->op[i].pending && s->op[j].thread == s->op[i].thread && s->op[j].number > s->op[i].number)
                s->op[i].thread = OWN + s->op[i].number; /* the old one goes on */
}

/* Cuts the i-th call with all that go with it; false: it cannot be cut. */
static bool cut_call(struct sketch *s, int i)
{
    bool gone[MOST] = {0};
    gone[i] = true;
    if (changes_nothing(s, &s->op[i])) {
        keep_only(s, gone);
        return true;
    }
    if (has_cells(s->object))
        find_readers(s, gone);
    else if (has_content(s) && named(s, &s->op[i]) != NONE)
        for (int j = 0; j < s->n; j++)
            gone[j] |= same_episode(s, i, j);
    else
        return false;
    keep_only(s, gone);
    return true;
}

void leave_open(struct sketch *s, int i)
{
    s->op[i].pending = true;
    s->op[i].result = NONE;
}

static void cut_begin(struct sketch *s, int t)
{
    bool gone[MOST] = {0};
    for (int i = 0; i < s->n; i++) {
        bool open = s->op[i].call < t;
        gone[i] = (!s->op[i].pending && s->op[i].ret < t) || (open && observes(s->object, &s->op[i]));
        if (open)
            leave_open(s, i);
    }
    s->any = true;
    keep_only(s, gone);
}

static void cut_end(struct sketch *s, int t)
{
    bool gone[MOST] = {0};
    for (int i = 0; i < s->n; i++) {
        bool open = s->op[i].pending || s->op[i].ret >= t;
        gone[i] = s->op[i].call >= t || (open && observes(s->object, &s->op[i]));
        if (open)
            leave_open(s, i);
    }
    keep_only(s, gone);
}

bool cut(struct sketch *s, int i, bool *made)
{
    int n = s->n;
    *made = false;
    if (i >= 3 * n)
        return false;
    int t = s->op[i % n].call;
    if (i < n)
        *made = cut_call(s, i);
    else if (i < 2 * n && from_any(s->object) && s->keys == 1) {
        cut_begin(s, t);
        *made = true;
    } else if (i >= 2 * n) {
        cut_end(s, t);
        *made = true;
    }
    return true;
}

/* ---- what cuts may leave ---- */

static int place_of(const struct sketch *s, int number)
{
    for (int i = 0; i < s->n; i++)
        if (s->op[i].number == number)
            return i;
    return -1;
}

/* Did the operation return before all that are left with their results were called, or was it called after they all
 * returned? */
static bool outside(const struct op *op, const struct sketch *rest)
{
    bool before = rest->any, behind = true;
    for (int i = 0; i < rest->n; i++) {
        before &= rest->op[i].pending || precedes(op, &rest->op[i]);
        behind &= rest->op[i].pending || precedes(&rest->op[i], op);
    }
    return before || behind;
}

/* s, with the calls that are left as they are there. Of the others those stay that neither are of other keys, nor
 * outside, nor, `alone`, change nothing. */
static struct sketch candidates(const struct sketch *s, const struct sketch *rest, bool alone)
{
    struct sketch out = *s;
    out.n = 0;
    for (int i = 0; i < s->n; i++) {
        const struct op *op = &s->op[i];
        int kept = place_of(rest, op->number);
        bool goes = op->key != rest->op[0].key || outside(op, rest) || (alone && changes_nothing(s, op));
        if (kept >= 0 || !goes)
            out.op[out.n++] = kept >= 0 ? rest->op[kept] : *op;
    }
    return out;
}

bool reachable(const struct sketch *s, const struct sketch *rest)
{
    struct sketch window = candidates(s, rest, false), all = candidates(&window, rest, true);
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < all.n; k++) {
            const struct op *gone = &all.op[i], *kept = &all.op[k];
            if (place_of(rest, gone->number) >= 0 || place_of(rest, kept->number) < 0)
                continue;
            if (has_cells(s->object) ? reads(s->object, kept) == writes(&all, gone) || fails(kept)
                                     : !has_content(&all) || same_episode(&all, i, k))
                return false;
        }
    return true;
}
