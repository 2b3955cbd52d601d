/* SPDX-License-Identifier: Apache-2.0 */
#include "search/stale.h"

#include "history/value_ids.h"
#include "search/exchange.h"
#include "search/plain_part.h"
#include "spec/roles.h"

/* Of the operations that returned so far and show a value: the one that was called last. */
struct latest {
    uint32_t i;     /* or ID_NONE */
    uint32_t value; /* that it shows; ID_NONE: it shows two, so another one than any */
};

/* Of the supplies called so far: the one that returns last. */
struct last {
    uint32_t returns; /* 0: there is none */
    uint32_t value;
};

struct sweep {
    const struct supply *s;
    const struct linear *x;
    struct latest first, second;    /* second: of those that show another value than the first does */
    uint32_t *refused;              /* of each value: the latest failed compare-and-swap from it, or ID_NONE */
    uint32_t *left;                 /* of each value: the latest operation that left it there, or ID_NONE */
    uint32_t *last_return;          /* of each supply in s->supplies: the latest return up to it in its group */
    struct last *changer, *another; /* of each operation: up to it by calls; another: of those of another value */
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
    uint32_t left = after == ID_NONE ? before : after;
    if (left != ID_NONE && is_later(w->x, i, w->left[left]))
        w->left[left] = i;
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

/* ---- a value that must have been there ---- */

static void find_changers(struct sweep *w)
{
    const struct linear *x = w->x;
    struct last changer = {0, ID_NONE}, another = {0, ID_NONE};
    w->changer = mem_new(x->m, struct last, x->n + 1);
    w->another = mem_new(x->m, struct last, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        struct last own = {x->ends[i], w->s->supplied[i]};
        if (own.value != ID_NONE && own.returns >= changer.returns) {
            another = own.value == changer.value ? another : changer;
            changer = own;
        } else if (own.value != ID_NONE && own.value != changer.value && own.returns > another.returns) {
            another = own;
        }
        w->changer[i] = changer;
        w->another[i] = another;
    }
}

/* x says that the value was not there. Was it, since z left it there, or from the start if z is ID_NONE? */
static bool must_be_there(const struct sweep *w, uint32_t x, uint32_t value, uint32_t z)
{
    uint32_t low = x, high = w->x->n; /* the last operation that was called before x returned */
    if (z == ID_NONE && value != w->s->initial)
        return false;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->x->starts[middle] < w->x->ends[x])
            low = middle;
        else
            high = middle;
    }
    const struct last *changer = w->changer[low].value == value ? &w->another[low] : &w->changer[low];
    return !changer->returns || (z != ID_NONE && changer->returns < w->x->starts[z]);
}

/* In the words of the object: the call says that the value was not there. */
static enum pattern pattern_of_refusal(const struct job *job, bool set, bool set_before)
{
    if (!plain_is(job, "map"))
        return PATTERN_FailedWhileEqual;
    return !set ? PATTERN_RemovedNeverAdded : !set_before ? PATTERN_RemovedBeforeAdded : PATTERN_SeenAfterRemoved;
}

static void refute_refusal(const struct sweep *w, struct job *job, uint32_t x, uint32_t z)
{
    struct evidence *ev = &job->out->evidence;
    bool set = w->x->n && w->changer[w->x->n - 1].returns;
    job->out->verdict = ASSAY_VIOLATION;
    evidence_part(ev, pattern_of_refusal(job, set, z != ID_NONE), job->part->ops[x], false);
    if (z != ID_NONE) {
        ev->opposite = job->part->ops[z];
        evidence_keep(ev, job->part->ops[z]);
    }
    evidence_keep(ev, job->part->ops[x]);
}

/* ---- the reason ---- */

/* In the words of the object. */
static enum pattern pattern_of(const struct job *job, uint32_t x, bool written, bool overwritten)
{
    struct value seen = exchange_of(job, job->part->ops[x]).before;
    if (plain_is(job, "lock") && value_same(seen, exchange_out))
        return PATTERN_TakenTooOften;
    if (plain_is(job, "lock"))
        return calls_method(job->calls, job->part->ops[x]) == LOCK_UNLOCK ? PATTERN_ReleasedTooOften
                                                                          : PATTERN_RefusedWhileFree;
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

/* The call that set the value that z saw, or ID_NONE. It certainly came before x, by its times or since z can have seen
 * no other one. */
static uint32_t source_told(const struct sweep *w, uint32_t x, uint32_t z)
{
    const struct supply *s = w->s;
    uint32_t value = s->demanded[z], end = end_below(&s->supplies, value, w->x->starts, w->x->ends[z]);
    uint32_t first = s->supplies.at[value];
    if (end == first)
        return ID_NONE;
    uint32_t source = s->supplies.list[end - 1];
    bool only = end == first + 1 && value != s->initial;
    return only || w->x->ends[source] < w->x->starts[x] ? source : ID_NONE;
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
    return s->demanded[z] == ID_NONE ? ID_NONE : source_told(w, x, z);
}

/* The call that set the other value stands first. */
static void keep_story(const struct sweep *w, struct job *job, uint32_t x, uint32_t z)
{
    struct evidence *ev = &job->out->evidence;
    uint32_t other = told_with(w, x, z);
    bool sets = w->s->supplied[z] != ID_NONE;
    ev->opposite = job->part->ops[z];
    if (other != ID_NONE && !sets)
        evidence_keep(ev, job->part->ops[other]);
    evidence_keep(ev, job->part->ops[z]);
    if (other != ID_NONE && sets)
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

/* x was called when all operations noted so far had returned. */
static bool refutes(const struct sweep *w, struct job *job, uint32_t x)
{
    uint32_t demanded = w->s->demanded[x], refused = w->s->refused[x], z;
    if (demanded != ID_NONE) {
        z = overwriter(w, demanded);
        if (has_source(w, x, demanded, z))
            return false;
        refute(w, job, x, z);
        return true;
    }
    if (refused == ID_NONE || w->x->ends[x] == CALLS_NEVER)
        return false;
    z = w->left[refused];
    if (!must_be_there(w, x, refused, z))
        return false;
    refute_refusal(w, job, x, z);
    return true;
}

bool stale_refutes(const struct supply *s, struct job *job)
{
    const struct linear *x = s->x;
    if (!x)
        return false;
    struct sweep w = {.s = s, .x = x, .first = {ID_NONE, ID_NONE}, .second = {ID_NONE, ID_NONE}};
    w.refused = mem_new_ids(x->m, s->values + 1);
    w.left = mem_new_ids(x->m, s->values + 1);
    find_last_returns(&w);
    find_changers(&w);
    uint32_t n, at = 0;
    uint64_t *returns = linear_by_return(x, &n);
    bool found = false;
    for (uint32_t i = 0; i < x->n && !found; i++) { /* by their calls */
        budget_tick(job->budget);
        for (; at < n && returns[at] >> 32 < x->starts[i]; at++)
            note_return(&w, (uint32_t)returns[at]);
        found = refutes(&w, job, i);
    }
    mem_free(x->m, returns);
    mem_free(x->m, w.refused);
    mem_free(x->m, w.left);
    mem_free(x->m, w.last_return);
    mem_free(x->m, w.changer);
    mem_free(x->m, w.another);
    return found;
}

/* ---- after an engine has refuted the part ---- */

/* An engine that has refuted the history up to an earlier return blames the better one. */
static bool explains_cell(struct job *job)
{
    const struct evidence old = job->out->evidence;
    struct linear x;
    struct supply s;
    linear_init(&x, job);
    supply_read(&s, &x, job);
    evidence_anew(&job->out->evidence);
    const uint32_t *ret = job->calls->ret;
    bool explains = stale_refutes(&s, job) && (!old.prefix || ret[job->out->evidence.culprit] <= ret[old.culprit]);
    if (!explains)
        job->out->evidence = old;
    return explains;
}

/* The key whose culprit returned first. To leave out the calls of other keys, and those that look at the whole map or
 * set, keeps a consistent history consistent. */
static bool explains_key(struct job *job)
{
    const struct part *whole = job->part;
    const uint32_t *ret = job->calls->ret;
    const struct evidence old = job->out->evidence;
    struct evidence best = old;
    struct value_ids ids = {0};
    uint32_t *key = mem_new_ids(job->mem, whole->n + 1), *ops = mem_new(job->mem, uint32_t, whole->n + 1);
    bool explains = false;
    for (uint32_t i = 0; i < whole->n; i++)
        if (objects_method(job->calls->objects, whole->ops[i])->key == 0)
            key[i] = value_id(job->mem, &ids, history_arg(job->h, whole->ops[i], 0));
    struct groups by = group_by(key, whole->n, ids.n, job->mem);
    for (uint32_t k = 0; k < ids.n; k++) {
        struct part part = {.object = whole->object, .ops = ops};
        for (uint32_t at = by.at[k]; at < by.at[k + 1]; at++)
            ops[part.n++] = whole->ops[by.list[at]];
        part.key = history_arg(job->h, ops[0], 0);
        job->part = &part;
        job->out->evidence = old;
        if (exchange_is_for(job) && explains_cell(job) &&
            (!explains || ret[job->out->evidence.culprit] < ret[best.culprit])) {
            explains = true;
            best = job->out->evidence;
        }
    }
    job->part = whole;
    job->out->evidence = best;
    value_ids_free(job->mem, &ids);
    return explains;
}

bool stale_explains(struct job *job)
{
    if (!job->part->object || job->calls->order != CALLS_INTERVALS)
        return false;
    bool whole = job->part->key.kind == ASSAY_NONE && (plain_is(job, "map") || plain_is(job, "set"));
    return whole ? explains_key(job) : exchange_is_for(job) && explains_cell(job);
}
