/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/holders.h"

#include "spec/digest.h"
#include "spec/printed.h"
#include "spec/roles.h"
#include "spec/settings.h"
#include "spec/state.h"

#include <stdlib.h>
#include <string.h>

struct holder {
    assay_value tag;
    int64_t most;
};

struct row {
    struct holder *at;
    uint32_t n, room;
};

struct holders {
    int64_t limit;
    int64_t plain; /* holders without a tag */
    struct row now;
    struct row past; /* earlier contents of `now`, one behind the other, for undo */
    assay_memory *memory;
};

enum { PLAIN_TAKEN = -1, PLAIN_RELEASED = -2 }; /* saved->number; else so many tags are put back */

static struct holders *new_holders(int64_t limit, assay_memory *m)
{
    struct holders *h = state_get(m, sizeof *h);
    h->limit = limit;
    h->memory = m;
    return h;
}

/* ---- rows ---- */

static struct holder *grow(struct holders *h, struct row *r, uint32_t n)
{
    if (r->n + n > r->room) {
        r->room = 2 * r->room > r->n + n ? 2 * r->room : r->n + n;
        r->at = state_resize(h->memory, r->at, r->room * sizeof *r->at);
    }
    r->n += n;
    return r->at + r->n - n;
}

static void put(struct holders *h, struct row *to, const struct holder *from, uint32_t n)
{
    if (n)
        memcpy(grow(h, to, n), from, n * sizeof *from);
}

/* Tags go by their numbers where they have one: their letters may not be known. */
static int order_of_tags(assay_value a, assay_value b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.integer != b.integer)
        return a.integer < b.integer ? -1 : 1;
    return a.kind == ASSAY_INT || a.integer ? 0 : printed_order(a, b);
}

static int by_bound(const void *left, const void *right)
{
    const struct holder *a = left, *b = right;
    return a->most != b->most ? (a->most > b->most) - (a->most < b->most) : order_of_tags(a->tag, b->tag);
}

/* No bound is greater than a later one; tags of which none can hold it go. */
static void put_in_order(struct row *r)
{
    uint32_t n = 0;
    for (uint32_t i = r->n; i-- > 1;)
        if (r->at[i - 1].most > r->at[i].most)
            r->at[i - 1].most = r->at[i].most;
    for (uint32_t i = 0; i < r->n; i++)
        if (r->at[i].most)
            r->at[n++] = r->at[i];
    r->n = n;
    if (n)
        qsort(r->at, n, sizeof *r->at, by_bound);
}

static int64_t tagged(const struct holders *h)
{
    return h->now.n ? h->now.at[h->now.n - 1].most : 0;
}

/* The tags change: the present ones are kept for undo. */
static assay_effect change_tags(struct holders *h, assay_saved *saved)
{
    put(h, &h->past, h->now.at, h->now.n);
    saved->number = h->now.n;
    return ASSAY_CHANGED;
}

/* ---- calls ---- */

/* Is the bound of the last tags no bound at all? Then a new one goes with them. */
static bool last_are_free(const struct row *r)
{
    uint32_t first = r->n;
    while (first && r->at[first - 1].most == r->at[r->n - 1].most)
        first--;
    return r->n && r->at[r->n - 1].most == (first ? r->at[first - 1].most : 0) + (int64_t)(r->n - first);
}

static assay_effect take(struct holders *h, const assay_call *call, assay_saved *saved)
{
    if (!call->arg_count) {
        h->plain++;
        saved->number = PLAIN_TAKEN;
        return ASSAY_CHANGED;
    }
    int64_t most = tagged(h) + 1;
    bool together = last_are_free(&h->now);
    change_tags(h, saved);
    for (uint32_t i = 0; i < h->now.n && together; i++)
        h->now.at[i].most += h->now.at[i].most == most - 1;
    *grow(h, &h->now, 1) = (struct holder){call->args[0], most};
    put_in_order(&h->now);
    return ASSAY_CHANGED;
}

assay_effect holders_take(struct holders *h, const assay_call *call, assay_saved *saved)
{
    return h->plain + tagged(h) < h->limit ? take(h, call, saved) : ASSAY_BLOCKED;
}

assay_effect holders_try(struct holders *h, const assay_call *call, assay_value *result, assay_saved *saved)
{
    bool can = h->plain + tagged(h) < h->limit;
    *result = assay_word(can ? "true" : "false");
    return can ? take(h, call, saved) : ASSAY_SAME;
}

/* The last of equal tags: the earlier ones may still go with releases that name none. */
static assay_effect release_tag(struct holders *h, assay_value tag, assay_saved *saved)
{
    uint32_t i = h->now.n;
    while (i && !assay_value_same(h->now.at[i - 1].tag, tag))
        i--;
    if (!i)
        return ASSAY_BLOCKED;
    change_tags(h, saved);
    int64_t most = h->now.at[i - 1].most;
    memmove(h->now.at + i - 1, h->now.at + i, (h->now.n - i) * sizeof *h->now.at);
    h->now.n--;
    for (uint32_t k = 0; k < h->now.n; k++)
        h->now.at[k].most -= h->now.at[k].most >= most;
    put_in_order(&h->now);
    return ASSAY_CHANGED;
}

static assay_effect release_any(struct holders *h, assay_saved *saved)
{
    if (h->plain) {
        h->plain--;
        saved->number = PLAIN_RELEASED;
        return ASSAY_CHANGED;
    }
    if (!h->now.n)
        return ASSAY_BLOCKED;
    int64_t most = tagged(h);
    change_tags(h, saved);
    for (uint32_t k = 0; k < h->now.n; k++)
        h->now.at[k].most -= h->now.at[k].most == most;
    put_in_order(&h->now);
    return ASSAY_CHANGED;
}

assay_effect holders_release(struct holders *h, const assay_call *call, unsigned choice, assay_value *result,
                             assay_saved *saved)
{
    if (h->now.n)
        *result = h->now.at[choice % h->now.n].tag;
    if (call->result.kind != ASSAY_NONE) {
        assay_effect effect = release_tag(h, call->result, saved);
        if (effect != ASSAY_BLOCKED)
            *result = call->result;
        return effect;
    }
    if (h->plain)
        *result = (assay_value){0};
    return release_any(h, saved);
}

/* ---- hooks ---- */

void *holders_new(int64_t limit, const assay_setting *setting, assay_memory *m)
{
    struct holders *h = new_holders(limit, m);
    for (size_t i = 0; i < setting->init_count; i++) {
        const assay_binding *b = &setting->init[i];
        if (b->key.kind == ASSAY_NONE)
            h->plain = b->value.integer;
        else
            *grow(h, &h->now, 1) = (struct holder){b->key, b->value.integer};
    }
    return h;
}

void holders_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct holders *h = state;
    visit(arg, (assay_binding){.value = assay_int(h->plain)});
    for (uint32_t i = 0; i < h->now.n; i++)
        visit(arg, (assay_binding){.key = h->now.at[i].tag, .value = assay_int(h->now.at[i].most)});
}

void *holders_copy(const void *state, assay_memory *m)
{
    const struct holders *from = state;
    struct holders *h = new_holders(from->limit, m);
    h->plain = from->plain;
    put(h, &h->now, from->now.at, from->now.n);
    return h;
}

void holders_destroy(void *state, assay_memory *m)
{
    struct holders *h = state;
    state_free(m, h->now.at);
    state_free(m, h->past.at);
    state_free(m, h);
}

void holders_undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct holders *h = state;
    (void)call;
    if (saved->number < 0) {
        h->plain += saved->number == PLAIN_TAKEN ? -1 : 1;
        return;
    }
    uint32_t n = (uint32_t)saved->number;
    h->past.n -= n;
    h->now.n = 0;
    put(h, &h->now, h->past.at + h->past.n, n);
}

void holders_digest(const void *state, uint64_t out[2])
{
    const struct holders *h = state;
    struct digest sum = digest_of_number((uint64_t)h->plain);
    for (uint32_t i = 0; i < h->now.n; i++)
        digest_add(&sum, digest_of_pair(h->now.at[i].tag, assay_int(h->now.at[i].most)));
    memcpy(out, sum.at, sizeof sum.at);
}

bool holders_same(const void *a, const void *b)
{
    const struct holders *x = a, *y = b;
    bool same = x->plain == y->plain && x->now.n == y->now.n;
    for (uint32_t i = 0; i < x->now.n && same; i++)
        same = x->now.at[i].most == y->now.at[i].most && assay_value_same(x->now.at[i].tag, y->now.at[i].tag);
    return same;
}

size_t holders_describe(const void *state, char *out, size_t size)
{
    const struct holders *h = state;
    struct printed p = {.out = out, .size = size};
    if (h->plain || !h->now.n)
        printed_value(&p, assay_int(h->plain));
    for (uint32_t i = 0; i < h->now.n && !printed_full(&p); i++) {
        bool first = !i || h->now.at[i - 1].most < h->now.at[i].most;
        bool last = i + 1 == h->now.n || h->now.at[i + 1].most > h->now.at[i].most;
        printed_text(&p, !first ? ", " : p.length ? " [" : "[");
        printed_value(&p, h->now.at[i].tag);
        printed_text(&p, last ? "] " : "");
        printed_value(&p, last ? assay_int(h->now.at[i].most) : (assay_value){0});
    }
    return p.length;
}

size_t holders_describe_lock(const void *state, char *out, size_t size)
{
    const struct holders *h = state;
    struct printed p = {.out = out, .size = size};
    printed_text(&p, h->now.n ? "held by " : h->plain ? "held" : "free");
    if (h->now.n)
        printed_value(&p, h->now.at[0].tag);
    return p.length;
}

/* ---- facts ---- */

const struct call_label labels_of_lock[] = {
    {SEMAPHORE_ACQUIRE, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_ACQUIRE, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_RELEASE, OUTCOME_RETURNED, ROLE_REMOVE, VALUE_RESULT},
    {SEMAPHORE_RELEASE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_RESULT},
    {SEMAPHORE_TRY, OUTCOME_TRUE, ROLE_ADD, VALUE_ARGUMENT},
    {SEMAPHORE_TRY, OUTCOME_FALSE, ROLE_SEE, VALUE_NONE},
    {SEMAPHORE_TRY, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {0},
};

/* A lock has no parameter. */
struct amount holders_amount(const assay_setting *s, assay_value key, uint32_t which)
{
    (void)key;
    (void)which;
    int64_t most = s->parameter.kind == ASSAY_INT ? s->parameter.integer : 1;
    return (struct amount){settings_value(s, assay_int(0)).integer, 0, most};
}

struct amount_use holders_use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)which;
    if (call->method == SEMAPHORE_TRY && assay_value_same(call->result, assay_word("false")))
        return amount_told(a->top, a->top);
    return amount_changes(call->method == SEMAPHORE_RELEASE ? -1 : 1);
}
