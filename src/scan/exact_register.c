/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-register`: scan/fast_register.c, forward in time.
 *
 * Idea. A cluster is a write and the reads of its value; f is its first return, s its last call. zones.h proves
 * that there is a linearization iff two conditions hold:
 * - each read returns after its write was called;
 * - no two clusters A and B have f(A) < s(B) and f(B) < s(A).
 * A pair of clusters that breaks the second condition has four events. The last of the four is a call, say s(A), so
 * both first returns have passed before it. So the check is made at the call of an operation of A, if f(A) has passed.
 * It needs the greatest s so far among the other clusters whose f has passed. This s must be less than f(A). Two
 * clusters are kept for that: the cluster with the greatest s, and the cluster with the second greatest s.
 *
 * The check of zones.h cannot be shared. It sorts the zones by their left ends, which needs all of them, and
 * the sorted zones are the witness. Here only the order of events is known.
 *
 * The source of a read. A value may be written again once it has been forgotten. Until a read has returned, its source
 * may be a write that is yet to come. So events wait in a line while the first of them is the call of a read that has
 * not been seen to return. If a value that is not forgotten is written again, the sources of its reads are unknown.
 * Then the value is given up: its operations are left out, and a linearizable history stays linearizable without them.
 * The value may be used again when none of its operations is open and another value was written after all of them.
 *
 * Forgetting. If some other cluster has s > f(A), then A is overwritten: another operation of A would be a violation.
 * If also no operation of A is open, A can be forgotten. A later read of its value then counts as a read of a value
 * that was never written. The s of A matters only while it is one of the two greatest. Clusters whose f has passed wait
 * in the order of f until they are overwritten. */
#include "base/ring.h"
#include "history/value_map.h"
#include "scan/fault.h"
#include "scan/scan.h"
#include "spec/roles.h"

enum {
    WRITTEN = 1,
    SEEN = 2,   /* an operation has returned, among the events shown */
    PASSED = 4, /* the first return has left the line */
    OVERWRITTEN = 8,
    GIVEN_UP = 16,
    FIRST_READS = 32, /* `first` is a read */
    LAST_READS = 64,
};

struct span {
    uint64_t called, returned;
};

struct cluster {
    struct value value;
    struct span write, first, last; /* first: the first to return; last: the last to be called */
    uint64_t last_return;           /* for a value that was given up */
    uint32_t open, refs, flags;
    uint32_t place; /* in the list of free clusters */
};

enum kind { CALL, READ_CALL, FIRST_RETURN };

struct entry {
    uint32_t kind, cluster;
    struct span span;
};

enum wrong { NEVER_WRITTEN, STALE };

enum { RECENT = 64 };

struct overwritten { /* for reports: a forgotten cluster, and a cluster that must come after it */
    struct cluster old, by;
};

struct zones {
    struct mem *mem;
    VEC(struct cluster) all;
    uint32_t free;
    struct value_map bound;
    RING(struct entry) line;
    RING(uint32_t) passed;   /* clusters whose f has passed and that are not overwritten, by f */
    RING(uint32_t) given_up; /* clusters of values that were given up, by time */
    uint32_t top, next;      /* of the clusters passed, the greatest and the second greatest s; ID_NONE: none */
    uint64_t now;
    uint32_t in_use;
    bool weakened;
    enum wrong wrong;
    struct online_op wrong_op;
    uint32_t wrong_cluster, other;
    struct overwritten recent[RECENT]; /* the latest ones */
    uint32_t recent_n;
};

/* ---- clusters ---- */

static uint32_t hold(struct zones *z, uint32_t x)
{
    z->all.at[x].refs++;
    return x;
}

static void drop(struct zones *z, uint32_t x)
{
    if (x == ID_NONE || --z->all.at[x].refs)
        return;
    z->all.at[x].place = z->free;
    z->free = x;
    z->in_use--;
}

static uint32_t bind(struct zones *z, struct value v)
{
    uint32_t *at = value_map_at(z->mem, &z->bound, v), x = *at;
    if (x != ID_NONE)
        return x;
    x = z->free;
    if (x == ID_NONE) {
        x = z->all.n;
        vec_reserve(z->mem, &z->all, 1);
        z->all.n++;
    } else {
        z->free = z->all.at[x].place;
    }
    z->all.at[x] = (struct cluster){.value = v, .refs = 1};
    z->in_use++;
    return *at = x;
}

static void unbind(struct zones *z, uint32_t x)
{
    value_map_drop(z->mem, &z->bound, z->all.at[x].value);
    drop(z, x);
}

/* The cluster with the greatest s among the clusters passed, except for x, or ID_NONE. */
static uint32_t greatest_but(const struct zones *z, uint32_t x)
{
    return z->top == x ? z->next : z->top;
}

static void forget(struct zones *z, uint32_t x)
{
    uint32_t by = greatest_but(z, x);
    if (by != ID_NONE)
        z->recent[z->recent_n++ % RECENT] = (struct overwritten){z->all.at[x], z->all.at[by]};
    unbind(z, x);
}

/* ---- events as they leave the line ---- */

static bool is_overwritten(const struct zones *z, uint32_t x)
{
    uint32_t other = greatest_but(z, x);
    return other != ID_NONE && z->all.at[other].last.called > z->all.at[x].first.returned;
}

static void forget_overwritten(struct zones *z)
{
    while (z->passed.n && is_overwritten(z, ring_front(&z->passed))) {
        uint32_t x = ring_front(&z->passed);
        struct cluster *c = &z->all.at[x];
        c->flags |= OVERWRITTEN;
        ring_drop(&z->passed);
        if (!c->open && !(c->flags & GIVEN_UP))
            forget(z, x);
        drop(z, x);
    }
}

/* Compares the s of x, a cluster that was passed, with the two greatest. */
static void rank(struct zones *z, uint32_t x)
{
    uint64_t s = z->all.at[x].last.called;
    if (x == z->top)
        return;
    if (z->top == ID_NONE || s > z->all.at[z->top].last.called) {
        drop(z, z->next);
        z->next = z->top;
        z->top = hold(z, x);
    } else if (x != z->next && (z->next == ID_NONE || s > z->all.at[z->next].last.called)) {
        drop(z, z->next);
        z->next = hold(z, x);
    }
}

static void use_again(struct zones *z, uint64_t written)
{
    while (z->given_up.n) {
        uint32_t x = ring_front(&z->given_up);
        if (z->all.at[x].open || z->all.at[x].last_return >= written)
            return;
        ring_drop(&z->given_up);
        unbind(z, x);
    }
}

static void pass_first_return(struct zones *z, const struct entry *e)
{
    struct cluster *c = &z->all.at[e->cluster];
    c->flags |= PASSED;
    ring_push(z->mem, &z->passed, hold(z, e->cluster));
    rank(z, e->cluster);
    forget_overwritten(z);
    use_again(z, c->write.called);
}

static bool pass_call(struct zones *z, const struct entry *e)
{
    struct cluster *c = &z->all.at[e->cluster];
    c->last = e->span;
    c->flags = (c->flags & ~(uint32_t)LAST_READS) | (e->kind == READ_CALL ? LAST_READS : 0);
    if (!(c->flags & PASSED))
        return true;
    if (is_overwritten(z, e->cluster)) {
        z->wrong = STALE;
        z->wrong_cluster = e->cluster;
        z->other = greatest_but(z, e->cluster);
        return false;
    }
    rank(z, e->cluster);
    forget_overwritten(z);
    return true;
}

static bool go_on(struct zones *z)
{
    bool fine = true;
    while (z->line.n && fine) {
        struct entry e = ring_front(&z->line);
        bool given_up = z->all.at[e.cluster].flags & GIVEN_UP;
        if (e.kind == READ_CALL && !given_up && e.span.returned > z->now)
            return true;
        ring_drop(&z->line);
        if (!given_up && e.kind == FIRST_RETURN)
            pass_first_return(z, &e);
        else if (!given_up)
            fine = pass_call(z, &e);
        if (fine)
            drop(z, e.cluster);
    }
    return fine;
}

/* ---- events as they are shown ---- */

static void give_up(struct zones *z, uint32_t x)
{
    struct cluster *c = &z->all.at[x];
    c->flags |= GIVEN_UP;
    z->weakened = true;
    ring_push(z->mem, &z->given_up, x);
    if (z->next == x || z->top == x) {
        if (z->top == x)
            z->top = z->next;
        z->next = ID_NONE;
        drop(z, x);
    }
}

static void wait_in_line(struct zones *z, enum kind kind, uint32_t x, const struct online_op *op)
{
    ring_push(z->mem, &z->line, ((struct entry){kind, hold(z, x), {op->called, op->returned}}));
}

static bool call(void *state, struct scan_op *o)
{
    struct zones *z = state;
    bool writes = o->op.method == REGISTER_WRITE;
    uint32_t x = bind(z, writes ? o->op.arg : o->op.result);
    struct cluster *c = &z->all.at[x];
    z->now = o->op.called;
    o->mark = x;
    c->open++;
    if (writes && c->flags & WRITTEN && !(c->flags & GIVEN_UP))
        give_up(z, x);
    if (!(c->flags & GIVEN_UP))
        wait_in_line(z, writes ? CALL : READ_CALL, x, &o->op);
    if (writes && !(c->flags & WRITTEN)) {
        c->flags |= WRITTEN;
        c->write = (struct span){o->op.called, o->op.returned};
    }
    return go_on(z);
}

static bool ret(void *state, struct scan_op *o)
{
    struct zones *z = state;
    uint32_t x = o->mark;
    struct cluster *c = &z->all.at[x];
    bool reads = o->op.method == REGISTER_READ;
    if (o->op.returned == ONLINE_NEVER)
        return true;
    z->now = o->op.returned;
    c->open--;
    c->last_return = z->now;
    if (!(c->flags & WRITTEN)) {
        z->wrong = NEVER_WRITTEN;
        z->wrong_op = o->op;
        return false;
    }
    if (!(c->flags & (SEEN | GIVEN_UP))) {
        c->flags |= SEEN | (reads ? FIRST_READS : 0);
        c->first = (struct span){o->op.called, o->op.returned};
        wait_in_line(z, FIRST_RETURN, x, &o->op);
    }
    if (!c->open && c->flags & OVERWRITTEN && !(c->flags & GIVEN_UP))
        forget(z, x);
    return go_on(z);
}

static void *open(const struct online_setup *s)
{
    struct zones *z = mem_new_zero(s->mem, struct zones, 1);
    const assay_setting *setting = &s->setting;
    struct value initial = {0, ASSAY_INT};
    z->mem = s->mem;
    z->free = z->top = z->next = ID_NONE;
    if (setting->init_count)
        initial = value_internal(setting->init[setting->init_count - 1].value);
    struct scan_op o = {.op = {.method = REGISTER_WRITE, .arg = initial}};
    call(z, &o);
    ret(z, &o);
    return z;
}

static void close(void *state)
{
    struct zones *z = state;
    struct mem *m = z->mem;
    vec_free(m, &z->all);
    value_map_free(m, &z->bound);
    ring_free(m, &z->line);
    ring_free(m, &z->passed);
    ring_free(m, &z->given_up);
    mem_free(m, z);
}

static bool pending(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == REGISTER_WRITE; /* a pending write whose value is not read constrains no operation */
}

/* ---- reports ---- */

static unsigned say_op(const struct cluster *c, struct span s, bool reads, struct online_fault *out, struct mem *m)
{
    unsigned method = reads ? REGISTER_READ : REGISTER_WRITE;
    struct online_op op = {.called = s.called, .returned = s.returned, .method = method};
    *(reads ? &op.result : &op.arg) = c->value;
    return fault_op(out, m, &op);
}

/* Says that a must come before b. */
static void say_before(const struct cluster *a, const struct cluster *b, struct online_fault *out, struct mem *m)
{
    unsigned first = say_op(a, a->first, a->flags & FIRST_READS, out, m);
    unsigned last = say_op(b, b->last, b->flags & LAST_READS, out, m);
    unsigned wrote_a = say_op(a, a->write, false, out, m), wrote_b = say_op(b, b->write, false, out, m);
    text_printf(&out->why, "{%u} returned before {%u} was called, so {%u} takes effect before {%u}\n", first, last,
                wrote_a, wrote_b);
}

static void explain_stale(const struct cluster *a, const struct cluster *b, struct online_fault *out, struct mem *m)
{
    out->step = a->last.returned;
    out->pattern = "StaleRead";
    say_before(a, b, out, m);
    say_before(b, a, out, m);
    text_puts(&out->why, "so each of the two writes takes effect before the other\n");
}

/* Explains a read of a value that is not known. */
static void explain_unknown(struct zones *z, struct online_fault *out, struct mem *m)
{
    const struct online_op *op = &z->wrong_op;
    for (uint32_t i = 0; i < RECENT && i < z->recent_n; i++) {
        struct cluster old = z->recent[i].old, by = z->recent[i].by;
        bool contradicts = old.first.returned < by.last.called && by.first.returned < op->called;
        if (!value_same(old.value, op->result) || !contradicts)
            continue;
        old.last = (struct span){op->called, op->returned};
        old.flags |= LAST_READS;
        explain_stale(&old, &by, out, m);
        return;
    }
    out->step = op->returned;
    text_printf(&out->why, "{%u} returned a value that nobody had written, or that was overwritten long before\n",
                fault_op(out, m, op));
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct zones *z = state;
    if (z->wrong == NEVER_WRITTEN)
        explain_unknown(z, out, m);
    else
        explain_stale(&z->all.at[z->wrong_cluster], &z->all.at[z->other], out, m);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct zones *z = state;
    for (uint32_t i = 0; i < z->all.n; i++)
        if (z->all.at[i].refs)
            visit(arg, z->all.at[i].value);
    for (uint32_t i = 0; i < RECENT && i < z->recent_n; i++) {
        visit(arg, z->recent[i].old.value);
        visit(arg, z->recent[i].by.value);
    }
    visit(arg, z->wrong_op.result);
}

static uint64_t live(const void *state)
{
    const struct zones *z = state;
    return z->in_use;
}

static const char *weakened(const void *state)
{
    const struct zones *z = state;
    return z->weakened ? "a value was written again before it was certain to have been overwritten" : NULL;
}

static struct value names(const struct online_op *op)
{
    return op->method == REGISTER_WRITE ? op->arg : op->result;
}

static void each_held(const void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    const struct zones *z = state;
    if (z->top != ID_NONE)
        visit(arg, z->all.at[z->top].value);
    if (z->next != ID_NONE)
        visit(arg, z->all.at[z->next].value);
    value_map_each(&z->bound, visit, arg);
}

static uint64_t judged(const void *state)
{
    const struct zones *z = state;
    return z->line.n ? ring_front(&z->line).span.called : ONLINE_NEVER;
}

static void image(void *state, struct image *x)
{
    struct zones *z = state;
    image_vec(x, z->mem, &z->all);
    image_plain(x, &z->free);
    value_map_image(x, z->mem, &z->bound);
    image_ring(x, z->mem, &z->line);
    image_ring(x, z->mem, &z->passed);
    image_ring(x, z->mem, &z->given_up);
    image_plain(x, &z->top);
    image_plain(x, &z->next);
    image_plain(x, &z->now);
    image_plain(x, &z->in_use);
    image_plain(x, &z->weakened);
    image_plain(x, &z->recent);
    image_plain(x, &z->recent_n);
}

static const struct scan scan = {
    .object = &spec_register,
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .pending = pending,
    .matters = scan_no,
    .explain = explain,
    .each_value = each_value,
    .live = live,
    .weakened = weakened,
    .names = names,
    .each_held = each_held,
    .judged = judged,
    .image = image,
};

HOLDBACK_MEMBER(exact_register, "exact-register", "registers whose values are written once each: zones in time", scan);
