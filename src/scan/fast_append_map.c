/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `fast-append-map`: one key of an append-map whose gets can be spelled in one way each (spell.h). The time
 * is O(n log n) plus the time to read the strings.
 *
 * Idea. The block of a put is the put, the gets whose spelling begins with it, and the appends in these spellings. The
 * gets of a block see the same appends, some of them more than others. So each spelling is a prefix of the longest one.
 * The order within the block is forced: the put, the gets that see no append, the first append, and so on. Gets that
 * see the same stand side by side, by their calls. No append is in two blocks. The last operation of a block is a
 * get, and all others would change its text. So a block stands together, with no other operation in between. The gets
 * from the initial text are the first block. A put or append that no get shows is a block by itself.
 *
 * So there is a linearization iff
 * - the spellings of a block continue each other, and each append is in one block;
 * - within a block no operation returns before an earlier one is called;
 * - the zones of the blocks can be put in order (zones.h).
 *
 * A pending call counts if a get shows it. Other pending calls are left out. */
#include "scan/spell.h"
#include "scan/zones.h"
#include "search/plain_part.h"
#include "spec/roles.h"

/* Operations are numbered by their place in the part, except in zones and in evidence. */
struct block {
    uint32_t put;     /* or append, if no get shows it; ID_NONE: the initial text */
    uint32_t longest; /* the get that shows most, or ID_NONE */
    uint32_t appends; /* that it shows */
};

enum { INITIAL = ZONE_INITIAL };

struct blocks {
    struct job *job;
    struct speller speller;
    VEC(struct block) all;
    VEC(struct zone) zones;
    uint32_t *block_of; /* of each operation; ID_NONE: left out */
    uint32_t *step;     /* its place in the forced order: 2i for append i, 2i + 1 for gets that see i appends */
    uint32_t *first;    /* of each block: its first step among those of all blocks */
    struct groups by_step;
    struct zone_order order;
};

static uint32_t op_of(const struct blocks *x, uint32_t i)
{
    return x->job->part->ops[i];
}

static bool is_pending(const struct blocks *x, uint32_t i)
{
    return x->job->calls->ret[op_of(x, i)] == CALLS_NEVER;
}

static bool is_get(const struct blocks *x, uint32_t i)
{
    return calls_method(x->job->calls, op_of(x, i)) == APPEND_MAP_GET;
}

/* ---- violations ---- */

static void keep(struct blocks *x, uint32_t op)
{
    struct evidence *ev = &x->job->out->evidence;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        if (ev->kept.at[i] == op)
            return;
    evidence_keep(ev, op);
}

static void keep_local(struct blocks *x, uint32_t i)
{
    if (i != ID_NONE)
        keep(x, op_of(x, i));
}

static void refute(struct blocks *x, enum pattern p, uint32_t culprit)
{
    x->job->out->verdict = ASSAY_VIOLATION;
    evidence_part(&x->job->out->evidence, p, culprit, false);
}

/* There is no spelling of the get whose calls fit in time: which call of another spelling does not? */
static void refute_spelling(struct blocks *x, uint32_t get)
{
    const struct calls *c = x->job->calls;
    struct speller *s = &x->speller;
    uint32_t put = spell_overwriter(s), op = op_of(x, get), wrong = ID_NONE;
    enum pattern p = PATTERN_ReadNeverWritten;
    if (spell_anytime(s, get)) {
        p = PATTERN_StaleRead;
        wrong = s->first;
        for (uint32_t i = 0; i <= s->spelled.n && p == PATTERN_StaleRead; i++) {
            uint32_t call = i ? s->spelled.at[i - 1] : s->first;
            if (call != ID_NONE && c->call[op_of(x, call)] > c->ret[op])
                p = PATTERN_ReadBeforeWritten;
            if (p == PATTERN_ReadBeforeWritten ||
                (call != ID_NONE && put != ID_NONE && c->ret[op_of(x, call)] < c->call[op_of(x, put)]))
                wrong = call;
        }
    }
    refute(x, p, op);
    keep_local(x, wrong);
    if (p == PATTERN_StaleRead)
        keep_local(x, put);
    keep(x, op);
}

/* ---- blocks ---- */

static uint32_t block_new(struct blocks *x, uint32_t put)
{
    struct mem *m = x->job->mem;
    vec_push(m, &x->all, ((struct block){.put = put, .longest = ID_NONE}));
    vec_push(m, &x->zones, zone_empty());
    if (put != ID_NONE)
        x->block_of[put] = x->all.n - 1;
    return x->all.n - 1;
}

/* Adds the get to its block, whose spelling has been found. False: it does not continue an earlier one. */
static bool join(struct blocks *x, uint32_t get)
{
    const struct speller *s = &x->speller;
    uint32_t b = s->first == ID_NONE ? INITIAL : x->block_of[s->first];
    if (b == ID_NONE)
        b = block_new(x, s->first);
    struct block *block = &x->all.at[b];
    bool grows = block->longest == ID_NONE;
    for (uint32_t i = 0; i < s->spelled.n; i++) {
        uint32_t call = s->spelled.at[i], *in = &x->block_of[call];
        if (*in == ID_NONE && block->appends == i) {
            *in = b;
            x->step[call] = 2 * ++block->appends;
            grows = true;
        } else if (*in != b || x->step[call] != 2 * (i + 1)) {
            refute(x, PATTERN_StringsFork, op_of(x, get));
            keep_local(x, x->all.at[*in == ID_NONE ? b : *in].longest);
            keep_local(x, get);
            return false;
        }
    }
    if (grows)
        block->longest = get;
    x->block_of[get] = b;
    x->step[get] = 2 * s->spelled.n + 1;
    return true;
}

/* False: it is decided, or declined. */
static bool gather(struct blocks *x)
{
    struct job *job = x->job;
    const struct part *part = job->part;
    for (uint32_t i = 0; i < part->n; i++)
        if (calls_method(job->calls, part->ops[i]) == APPEND_MAP_APPEND && !is_pending(x, i) &&
            spell_text(job, i).length == 0) {
            job->declined = "an append appends nothing";
            return false;
        }
    spell_begin(&x->speller, job);
    x->block_of = mem_new_ids(job->mem, part->n + 1);
    x->step = mem_new_zero(job->mem, uint32_t, part->n + 1);
    block_new(x, ID_NONE);
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t ways = is_get(x, i) && !is_pending(x, i) ? spell_get(&x->speller, i) : ID_NONE;
        if (ways == 2)
            job->declined = "a string can be put together in several ways";
        else if (ways == 0)
            refute_spelling(x, i);
        if (ways == 2 || ways == 0 || (ways == 1 && !join(x, i)))
            return false;
    }
    for (uint32_t i = 0; i < part->n; i++)
        if (x->block_of[i] == ID_NONE && !is_get(x, i) && !is_pending(x, i))
            block_new(x, i);
    return true;
}

/* The operations of each block in their forced order; and its zone. */
static void sort_steps(struct blocks *x)
{
    struct mem *m = x->job->mem;
    uint32_t n = x->job->part->n, *key = mem_new_ids(m, n + 1);
    x->first = mem_new(m, uint32_t, x->all.n + 1);
    x->first[0] = 0;
    for (uint32_t b = 0; b < x->all.n; b++)
        x->first[b + 1] = x->first[b] + 2 * (x->all.at[b].appends + 1);
    for (uint32_t i = 0; i < n; i++)
        if (x->block_of[i] != ID_NONE) {
            key[i] = x->first[x->block_of[i]] + x->step[i];
            zone_take(&x->zones.at[x->block_of[i]], x->job->calls, op_of(x, i));
        }
    x->by_step = group_by(key, n, x->first[x->all.n], m);
    mem_free(m, key);
}

/* The operations of block b: from, up to but without to, in by_step.list. */
static void block_range(const struct blocks *x, uint32_t b, uint32_t *from, uint32_t *to)
{
    *from = x->by_step.at[x->first[b]];
    *to = x->by_step.at[x->first[b + 1]];
}

/* Does an operation of the block return before an earlier one is called? */
static bool check_block(struct blocks *x, uint32_t b)
{
    const struct calls *c = x->job->calls;
    uint32_t from, to, latest = ID_NONE;
    block_range(x, b, &from, &to);
    for (uint32_t at = from; at < to; at++) {
        uint32_t op = op_of(x, x->by_step.list[at]);
        budget_tick(x->job->budget);
        if (latest != ID_NONE && c->ret[op] < c->call[latest]) {
            bool stale = calls_method(c, latest) == APPEND_MAP_GET;
            refute(x, stale ? PATTERN_StaleRead : PATTERN_PiecesReversed, latest);
            keep_local(x, x->all.at[b].longest);
            keep(x, op);
            keep(x, latest);
            return false;
        }
        if (latest == ID_NONE || c->call[op] > c->call[latest])
            latest = op;
    }
    return true;
}

static void keep_block(struct blocks *x, uint32_t b)
{
    keep_local(x, x->all.at[b].put);
    if (x->zones.at[b].first_return != ID_NONE)
        keep(x, x->zones.at[b].first_return);
    keep(x, x->zones.at[b].last_call);
    keep_local(x, x->all.at[b].longest);
}

static bool check_order(struct blocks *x)
{
    uint32_t clash[2];
    x->order = zones_sort(x->zones.at, x->zones.n, x->job->mem);
    if (zones_fit(x->zones.at, &x->order, x->all.at[INITIAL].longest != ID_NONE, x->job->budget, clash))
        return true;
    const struct zone *a = &x->zones.at[clash[0]], *b = &x->zones.at[clash[1]];
    refute(x, PATTERN_StaleRead, b->s > a->s ? b->last_call : a->last_call);
    keep_block(x, clash[0]);
    keep_block(x, clash[1]);
    return false;
}

/* ---- a linearization ---- */

static void place_block(struct blocks *x, uint32_t b)
{
    uint32_t from, to;
    block_range(x, b, &from, &to);
    for (uint32_t at = from; at < to; at++)
        evidence_place(&x->job->out->evidence, op_of(x, x->by_step.list[at]));
}

static void witness(struct blocks *x)
{
    evidence_begin_order(&x->job->out->evidence, ASSAY_NO_THREAD);
    place_block(x, INITIAL);
    for (uint32_t i = 0; i < x->order.n; i++)
        place_block(x, (uint32_t)x->order.at[i]);
}

static void run(struct job *job)
{
    struct blocks x = {.job = job};
    if (!gather(&x))
        return;
    sort_steps(&x);
    for (uint32_t b = 0; b < x.all.n; b++)
        if (!check_block(&x, b))
            return;
    if (check_order(&x) && job->witness)
        witness(&x);
}

static const char *declines(const struct job *job)
{
    return plain_is(job, "append-map") ? plain_order(job) : "the object is not an append-map";
}

const struct engine engine_fast_append_map = {
    .name = "fast-append-map",
    .title = "append-maps whose strings tell their pieces: zones in time",
    .conditions = COND_LIN,
    .declines = declines,
    .run = run,
};
