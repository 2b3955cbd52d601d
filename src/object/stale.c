/* SPDX-License-Identifier: Apache-2.0 */
#include "object/stale.h"

#include "object/exchange.h"
#include "object/plain.h"

/* Of the operations that returned so far and show a value: the one that was called last. */
struct latest {
    uint32_t i;     /* or ID_NONE */
    uint32_t value; /* that it shows; ID_NONE: it shows two, so another one than any */
};

struct sweep {
    const struct supply *s;
    const struct linear *x;
    struct latest first, second; /* second: of those that show another value than the first does */
    uint32_t *refused;           /* of each value: the latest failed compare-and-swap from it, or ID_NONE */
    uint32_t *last_return;       /* of each supply in s->supplies: the latest return up to it in its group */
};

static bool is_later(const struct linear *x, uint32_t i, uint32_t than)
{
    return than == ID_NONE || x->starts[i] > x->starts[than];
}

static void note_shown(struct sweep *w, uint32_t i, uint32_t value)
{
    struct latest own = {i, value};
    bool other = value == ID_NONE || value != w->first.value;
    if (is_later(w->x, i, w->first.i)) {
        if (w->first.i != ID_NONE && other)
            w->second = w->first;
        w->first = own;
    } else if (other && w->first.value != ID_NONE && is_later(w->x, i, w->second.i)) {
        w->second = own;
    }
}

static void note_return(struct sweep *w, uint32_t i)
{
    const struct supply *s = w->s;
    uint32_t before = s->demanded[i], after = s->supplied[i], *refused;
    if (s->refused[i] != ID_NONE) {
        refused = &w->refused[s->refused[i]];
        if (is_later(w->x, i, *refused))
            *refused = i;
    } else if (before != ID_NONE || after != ID_NONE) {
        note_shown(w, i, before == ID_NONE ? after : after == ID_NONE ? before : ID_NONE);
    }
}

/* The operation that shows another value, returned before now, and was called last; or ID_NONE. */
static uint32_t overwriter(const struct sweep *w, uint32_t value)
{
    const struct latest *shown = w->first.value == value ? &w->second : &w->first;
    uint32_t z = shown->i, refused = w->refused[value];
    return z == ID_NONE || (refused != ID_NONE && is_later(w->x, refused, z)) ? refused : z;
}

/* The end of those operations of a value, sorted by `key`, whose key is below the bound. */
static uint32_t end_below(const struct groups *by, uint32_t value, const uint32_t *key, uint32_t bound)
{
    uint32_t low = by->at[value], high = by->at[value + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (key[by->list[middle]] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Has x, which demands the value, a source that returned after the call of z? */
static bool has_source(const struct sweep *w, uint32_t x, uint32_t value, uint32_t z)
{
    const struct supply *s = w->s;
    if (value == s->initial && z == ID_NONE)
        return true;
    uint32_t end = end_below(&s->supplies, value, w->x->starts, w->x->ends[x]);
    return end > s->supplies.at[value] && (z == ID_NONE || w->last_return[end - 1] > w->x->starts[z]);
}

/* In the words of the object. */
static enum pattern pattern_of(const struct job *job, uint32_t x, bool written, bool overwritten)
{
    struct value seen = exchange_of(job, job->part->ops[x]).before;
    if (plain_is(job, "lock"))
        return PATTERN_NoLinearization;
    if (!plain_is(job, "set"))
        return !written ? PATTERN_ReadNeverWritten : !overwritten ? PATTERN_ReadBeforeWritten : PATTERN_StaleRead;
    if (value_same(seen, exchange_out))
        return PATTERN_MissedWhileIn;
    return !written ? PATTERN_RemovedNeverAdded : !overwritten ? PATTERN_RemovedBeforeAdded : PATTERN_SeenAfterRemoved;
}

static uint32_t last_below(const struct groups *by, uint32_t value, const uint32_t *key, uint32_t bound)
{
    uint32_t end = end_below(by, value, key, bound);
    return end > by->at[value] ? by->list[end - 1] : ID_NONE;
}

/* z shows another value: the call that set it if z saw it, or a call that saw it if z set it; or ID_NONE. It is told
 * beside z, and the proof does not need it. */
static uint32_t told_with(const struct sweep *w, uint32_t x, uint32_t z)
{
    const struct supply *s = w->s;
    const struct linear *l = w->x;
    if (s->supplied[z] != ID_NONE) {
        uint32_t reader = last_below(&s->demands, s->supplied[z], l->ends, l->starts[x]);
        return reader != ID_NONE && l->ends[reader] > l->starts[z] ? reader : ID_NONE;
    }
    return s->demanded[z] == ID_NONE ? ID_NONE : last_below(&s->supplies, s->demanded[z], l->starts, l->ends[z]);
}

static void keep_story(const struct sweep *w, struct job *job, uint32_t x, uint32_t z)
{
    struct evidence *ev = &job->out->evidence;
    uint32_t other = told_with(w, x, z);
    ev->opposite = job->part->ops[z];
    if (other != ID_NONE && other < z) /* by their calls */
        evidence_keep(ev, job->part->ops[other]);
    evidence_keep(ev, job->part->ops[z]);
    if (other != ID_NONE && other > z)
        evidence_keep(ev, job->part->ops[other]);
}

static void refute(const struct sweep *w, struct job *job, uint32_t x, uint32_t z)
{
    const struct supply *s = w->s;
    uint32_t value = s->demanded[x];
    bool written = s->supplies.at[value] < s->supplies.at[value + 1] || value == s->initial;
    struct evidence *ev = &job->out->evidence;
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, pattern_of(job, x, written, z != ID_NONE), job->part->ops[x], false);
    if (z != ID_NONE && written)
        keep_story(w, job, x, z);
    else if (written)
        evidence_keep(ev, job->part->ops[s->supplies.list[s->supplies.at[value]]]);
    evidence_keep(ev, job->part->ops[x]);
}

static void find_last_returns(struct sweep *w)
{
    const struct groups *by = &w->s->supplies;
    w->last_return = mem_new(w->x->m, uint32_t, w->x->n + 1);
    for (uint32_t v = 0; v < w->s->values; v++)
        for (uint32_t k = by->at[v], last = 0; k < by->at[v + 1]; k++) {
            uint32_t end = w->x->ends[by->list[k]];
            w->last_return[k] = last = end > last ? end : last;
        }
}

bool stale_refutes(const struct supply *s, struct job *job)
{
    const struct linear *x = s->x;
    if (!x)
        return false;
    struct sweep w = {.s = s, .x = x, .first = {ID_NONE, ID_NONE}, .second = {ID_NONE, ID_NONE}};
    w.refused = mem_new_ids(x->m, s->values + 1);
    find_last_returns(&w);
    uint32_t n, at = 0;
    uint64_t *returns = linear_by_return(x, &n);
    bool found = false;
    for (uint32_t i = 0; i < x->n && !found; i++) { /* by their calls */
        budget_tick(job->budget);
        for (; at < n && returns[at] >> 32 < x->starts[i]; at++)
            note_return(&w, (uint32_t)returns[at]);
        if (s->demanded[i] == ID_NONE)
            continue;
        uint32_t z = overwriter(&w, s->demanded[i]);
        found = !has_source(&w, i, s->demanded[i], z);
        if (found)
            refute(&w, job, i, z);
    }
    mem_free(x->m, returns);
    mem_free(x->m, w.refused);
    mem_free(x->m, w.last_return);
    return found;
}

/* An engine that has refuted the history up to an earlier return blames the better one. */
bool stale_explains(struct job *job)
{
    const struct evidence old = job->out->evidence;
    struct linear x;
    struct supply s;
    if (!exchange_is_for(job) || job->calls->order != CALLS_INTERVALS)
        return false;
    linear_init(&x, job);
    supply_read(&s, &x, job);
    job->out->evidence = evidence_in(old.mem);
    const uint32_t *ret = job->calls->ret;
    bool explains = stale_refutes(&s, job) && (!old.prefix || ret[job->out->evidence.culprit] <= ret[old.culprit]);
    if (!explains)
        job->out->evidence = old;
    return explains;
}
