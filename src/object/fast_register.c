/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-register`: registers, and variables of a memory, whose values are written once each, in O(n).
 *
 * Idea. The cluster of a write is the write and the reads of its value. In a linearization a cluster stands together,
 * with no other cluster in between. Let f be the first return and s the last call of a cluster. Cluster A must come
 * before B iff some operation of A returns before some operation of B is called. This is so iff f(A) < s(B). So there
 * is a linearization iff no read returns before its write is called, and the relation "must come before" has no cycle.
 * - If there is a cycle, two of its clusters are a cycle of length 2. Let A be the cluster with the least f on the
 *   cycle, P the cluster before A, and Q the cluster before P. P must come before A. And f(A) <= f(Q) < s(P), so A must
 *   come before P.
 * - The zone of a cluster is [f, s] if f < s, and else [s, f]. The zone [f, s] is forward: the value was there at all
 *   of these times. The zone [s, f] is backward: any moment in it will do. Two clusters are a cycle in two cases.
 *   Either both zones are forward and overlap, or one zone is backward and lies in the other, forward zone. Two
 *   backward zones are never a cycle.
 * - So the zones are sorted by their left ends, and each zone is compared with the last forward zone to its left only.
 *
 * If there is no cycle, the clusters by the left ends l = min(f, s) are a linearization. Let A have to come before B,
 * so f(A) < s(B). B need not come before A, so s(A) < f(B): a call and a return have different ranks. If l(B) = s(B),
 * then l(A) <= f(A) < l(B). If l(B) = f(B), then l(A) <= s(A) < l(B).
 *
 * The initial value has a write before all times. So its zone, if it is read, is forward from there. A pending write
 * whose value is read counts, with a return that never comes. Other pending writes can be left out, and so can pending
 * reads.
 *
 * Source: Gibbons and Korach 1997. The argument above is spelled out for this file. */
#include "base/radix.h"
#include "history/value_numbers.h"
#include "object/plain.h"
#include "spec/roles.h"

struct cluster { /* an operation may be ID_NONE: none */
    uint32_t write;
    uint32_t reads;
    uint32_t first_return, last_call; /* operations */
    uint32_t f, s;                    /* their ranks */
};

enum { INITIAL = 0 }; /* the initial value's cluster */

struct zones {
    struct job *job;
    VEC(struct cluster) clusters;
    uint32_t *cluster_of; /* of each operation of the part; ID_NONE: left out */
    uint64_t *sorted;     /* (left end, cluster), without the initial cluster */
    uint32_t sorted_n;
};

static bool is_write(const struct job *job, uint32_t op)
{
    return calls_method(job->calls, op) == REGISTER_WRITE;
}

/* The number of arguments differs between a register and a memory; the value to write is the last one. */
static struct value value_at(const struct job *job, uint32_t op)
{
    const history *h = job->h;
    return is_write(job, op) ? history_arg(h, op, h->arity[op] - 1u) : history_result(h, op);
}

/* An initial value of the variable counts more than an initial value of all variables. Otherwise the last one
 * counts. */
static struct value initial_value(const struct job *job)
{
    const assay_setting *s = &job->part->object->setting;
    assay_value key = value_public(job->h, job->part->key), v = {.kind = ASSAY_INT};
    bool named = false;
    for (size_t i = 0; i < s->init_count; i++) {
        bool for_all = s->init[i].key.kind == ASSAY_NONE;
        if (for_all ? named : !assay_value_same(s->init[i].key, key))
            continue;
        v = s->init[i].value;
        named = !for_all;
    }
    return value_internal(v);
}

static uint32_t cluster_at(struct zones *z, struct value_numbers *numbers, struct value v)
{
    uint32_t x = value_number(z->job->mem, numbers, v);
    if (x == z->clusters.n) {
        struct cluster c = {.write = ID_NONE, .first_return = ID_NONE, .last_call = ID_NONE, .f = CALLS_NEVER};
        vec_push(z->job->mem, &z->clusters, c);
    }
    return x;
}

/* Gathers the clusters. Returns the reason why it cannot, or NULL. */
static const char *gather(struct zones *z)
{
    struct job *job = z->job;
    const struct part *part = job->part;
    struct value_numbers numbers = value_numbers_new();
    for (uint32_t i = 0; i < part->n; i++) {
        unsigned method = calls_method(job->calls, part->ops[i]);
        if (method != REGISTER_READ && method != REGISTER_WRITE)
            return "an operation reads and writes";
        value_numbers_expect(&numbers, value_at(job, part->ops[i]));
    }
    value_numbers_begin(&numbers, job->mem, 4 * (uint64_t)part->n + 16);
    cluster_at(z, &numbers, initial_value(job));
    z->cluster_of = mem_new(job->mem, uint32_t, part->n);
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t op = part->ops[i], call = job->calls->call[op], ret = job->calls->ret[op];
        budget_tick(job->budget);
        z->cluster_of[i] = ID_NONE;
        if (!is_write(job, op) && ret == CALLS_NEVER)
            continue;
        uint32_t x = z->cluster_of[i] = cluster_at(z, &numbers, value_at(job, op));
        struct cluster *c = &z->clusters.at[x];
        if (is_write(job, op) && (c->write != ID_NONE || x == INITIAL))
            return x == INITIAL ? "the initial value is written again" : "a value is written twice";
        if (is_write(job, op))
            c->write = op;
        else
            c->reads++;
        if (ret < c->f) {
            c->f = ret;
            c->first_return = op;
        }
        if (c->last_call == ID_NONE || call > c->s) {
            c->s = call;
            c->last_call = op;
        }
    }
    return NULL;
}

/* ---- violations ---- */

/* The operations that prove a violation; there are at most six. */
struct shown {
    uint32_t op[6], n;
};

static void show(struct shown *s, uint32_t op)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->op[i] == op)
            return;
    if (op != ID_NONE)
        s->op[s->n++] = op;
}

static void show_cluster(struct shown *s, const struct cluster *c)
{
    show(s, c->write);
    show(s, c->first_return);
    show(s, c->last_call);
}

/* Writes of a cas-register cannot be left out: a cas that failed may rest on them. So all its operations up to the last
 * return of the shown operations are kept. */
static void refute(struct zones *z, enum pattern p, uint32_t culprit, const struct shown *s)
{
    struct evidence *ev = &z->job->out->evidence;
    const uint32_t *ret = z->job->calls->ret;
    bool all = plain_is(z->job, "cas-register");
    for (uint32_t i = 0; i < s->n && all; i++)
        if (ret[s->op[i]] != CALLS_NEVER && ret[s->op[i]] > ret[culprit])
            culprit = s->op[i];
    z->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, p, culprit, all);
    for (uint32_t i = 0; i < s->n && !all; i++)
        evidence_keep(ev, s->op[i]);
}

/* Does every value that was read have a write that was called before the first read returned? */
static bool check_sources(struct zones *z)
{
    for (uint32_t x = INITIAL + 1; x < z->clusters.n; x++) {
        const struct cluster *c = &z->clusters.at[x];
        bool written = c->write != ID_NONE;
        if (written && c->f >= z->job->calls->call[c->write])
            continue;
        struct shown shown = {0};
        show(&shown, c->write);
        show(&shown, c->first_return);
        refute(z, written ? PATTERN_ReadBeforeWritten : PATTERN_ReadNeverWritten, c->first_return, &shown);
        return false;
    }
    return true;
}

static uint32_t left_end(const struct cluster *c)
{
    return c->f < c->s ? c->f : c->s;
}

static void sort_zones(struct zones *z)
{
    z->sorted = mem_new(z->job->mem, uint64_t, z->clusters.n);
    for (uint32_t x = INITIAL + 1; x < z->clusters.n; x++) {
        const struct cluster *c = &z->clusters.at[x];
        if (c->f != CALLS_NEVER)
            z->sorted[z->sorted_n++] = (uint64_t)left_end(c) << 32 | x;
    }
    radix_sort(z->sorted, z->sorted_n, z->job->mem);
}

/* The stale read is the operation of the two clusters that was called last. The other zone begins before it, in the
 * zone of its value. */
static bool check_zones(struct zones *z)
{
    const struct cluster *forward = z->clusters.at[INITIAL].reads ? &z->clusters.at[INITIAL] : NULL;
    for (uint32_t i = 0; i < z->sorted_n; i++) {
        const struct cluster *c = &z->clusters.at[(uint32_t)z->sorted[i]];
        budget_tick(z->job->budget);
        if (forward && c->f < forward->s) {
            struct shown shown = {0};
            show_cluster(&shown, forward);
            show_cluster(&shown, c);
            refute(z, PATTERN_StaleRead, c->s > forward->s ? c->last_call : forward->last_call, &shown);
            return false;
        }
        if (c->f < c->s)
            forward = c;
    }
    return true;
}

/* ---- a linearization ---- */

static void witness(struct zones *z)
{
    const struct part *part = z->job->part;
    uint32_t *at = mem_new(z->job->mem, uint32_t, z->clusters.n), *order = mem_new(z->job->mem, uint32_t, part->n);
    uint32_t n = z->clusters.at[INITIAL].reads;
    at[INITIAL] = 0;
    for (uint32_t i = 0; i < z->sorted_n; i++) {
        uint32_t x = (uint32_t)z->sorted[i];
        const struct cluster *c = &z->clusters.at[x];
        order[n] = c->write;
        at[x] = n + 1;
        n += 1 + c->reads;
    }
    for (uint32_t i = 0; i < part->n; i++)
        if (z->cluster_of[i] != ID_NONE && !is_write(z->job, part->ops[i]))
            order[at[z->cluster_of[i]]++] = part->ops[i];
    struct evidence *ev = &z->job->out->evidence;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < n; i++)
        evidence_place(ev, order[i]);
}

static void run(struct job *job)
{
    struct zones z = {.job = job};
    job->declined = gather(&z);
    if (job->declined || !check_sources(&z))
        return;
    sort_zones(&z);
    if (check_zones(&z) && job->witness)
        witness(&z);
}

static const char *declines(const struct job *job)
{
    bool memory = plain_is(job, "memory");
    if (!memory && !plain_is(job, "register") && !plain_is(job, "cas-register"))
        return "the object is neither a register nor a memory";
    if (memory && job->part->key.kind == ASSAY_NONE)
        return "some calls concern the whole memory, not one variable";
    return plain_order(job);
}

const struct engine engine_fast_register = {
    .name = "fast-register",
    .title = "registers whose values are written once each: zones in time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
_Static_assert((int)REGISTER_READ == (int)MEMORY_READ && (int)REGISTER_WRITE == (int)MEMORY_WRITE,
               "one reading serves both objects");
