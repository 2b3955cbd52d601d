/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-register`: registers, and variables of a memory, whose values are written once each, in O(n).
 *
 * Idea. The cluster of a write is the write and the reads of its value. In a linearization a cluster stands together,
 * with no other cluster in between. So there is a linearization iff two conditions hold. No read returns before its
 * write is called. And the zones of the clusters can be put in order (zones.h).
 *
 * A pending write whose value is read counts, with a return that never comes. Other pending writes can be left out, and
 * so can pending reads. */
#include "history/value_numbers.h"
#include "scan/zones.h"
#include "search/plain_part.h"
#include "spec/roles.h"

struct cluster {
    uint32_t write; /* or ID_NONE */
    uint32_t reads;
};

enum { INITIAL = ZONE_INITIAL }; /* the initial value's cluster */

struct zones {
    struct job *job;
    VEC(struct cluster) clusters;
    VEC(struct zone) zones; /* of the clusters */
    uint32_t *cluster_of;   /* of each operation of the part; ID_NONE: left out */
    struct zone_order order;
};

static bool is_write(const struct job *job, uint32_t op)
{
    return calls_method(job->calls, op) == REGISTER_WRITE;
}

/* The number of arguments differs between a register and a memory; the value to write is the last one. */
static struct value value_at(const struct job *job, uint32_t op)
{
    const history *h = job->h;
    return is_write(job, op) ? history_arg(h, op, history_arity(h, op) - 1u) : history_result(h, op);
}

static uint32_t cluster_at(struct zones *z, struct value_numbers *numbers, struct value v)
{
    uint32_t x = value_number(z->job->mem, numbers, v);
    if (x == z->clusters.n) {
        vec_push(z->job->mem, &z->clusters, (struct cluster){.write = ID_NONE});
        vec_push(z->job->mem, &z->zones, zone_empty());
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
    cluster_at(z, &numbers, plain_initial_value(job));
    z->cluster_of = mem_new(job->mem, uint32_t, part->n);
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t op = part->ops[i];
        budget_tick(job->budget);
        z->cluster_of[i] = ID_NONE;
        if (!is_write(job, op) && job->calls->ret[op] == CALLS_NEVER)
            continue;
        uint32_t x = z->cluster_of[i] = cluster_at(z, &numbers, value_at(job, op));
        struct cluster *c = &z->clusters.at[x];
        if (is_write(job, op) && (c->write != ID_NONE || x == INITIAL))
            return x == INITIAL ? "the initial value is written again" : "a value is written twice";
        if (is_write(job, op))
            c->write = op;
        else
            c->reads++;
        zone_take(&z->zones.at[x], job->calls, op);
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

static void show_cluster(struct shown *s, const struct zones *z, uint32_t x)
{
    show(s, z->clusters.at[x].write);
    show(s, z->zones.at[x].first_return);
    show(s, z->zones.at[x].last_call);
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
    ev->tied = all; /* the first of two zones that clash need not be the first to be refuted */
    for (uint32_t i = 0; i < s->n && !all; i++)
        evidence_keep(ev, s->op[i]);
}

/* Does every value that was read have a write that was called before the first read returned? */
static bool check_sources(struct zones *z)
{
    for (uint32_t x = INITIAL + 1; x < z->clusters.n; x++) {
        const struct cluster *c = &z->clusters.at[x];
        const struct zone *zone = &z->zones.at[x];
        bool written = c->write != ID_NONE;
        if (written && zone->f >= z->job->calls->call[c->write])
            continue;
        struct shown shown = {0};
        show(&shown, c->write);
        show(&shown, zone->first_return);
        refute(z, written ? PATTERN_ReadBeforeWritten : PATTERN_ReadNeverWritten, zone->first_return, &shown);
        return false;
    }
    return true;
}

/* The stale read is the operation of the two clusters that was called last. The other zone begins before it, in the
 * zone of its value. */
static bool check_zones(struct zones *z)
{
    uint32_t clash[2];
    if (zones_fit(z->zones.at, &z->order, z->clusters.at[INITIAL].reads, z->job->budget, clash))
        return true;
    const struct zone *a = &z->zones.at[clash[0]], *b = &z->zones.at[clash[1]];
    struct shown shown = {0};
    show_cluster(&shown, z, clash[0]);
    show_cluster(&shown, z, clash[1]);
    refute(z, PATTERN_StaleRead, b->s > a->s ? b->last_call : a->last_call, &shown);
    return false;
}

/* ---- a linearization ---- */

static void witness(struct zones *z)
{
    const struct part *part = z->job->part;
    uint32_t *at = mem_new(z->job->mem, uint32_t, z->clusters.n), *order = mem_new(z->job->mem, uint32_t, part->n);
    uint32_t n = z->clusters.at[INITIAL].reads;
    at[INITIAL] = 0;
    for (uint32_t i = 0; i < z->order.n; i++) {
        uint32_t x = (uint32_t)z->order.at[i];
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
    z.order = zones_sort(z.zones.at, z.zones.n, job->mem);
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
