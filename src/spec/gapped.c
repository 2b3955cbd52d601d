/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/gapped.h"

#include "spec/printed.h"
#include "spec/state.h"

/* The deed of a step, for undo. */
enum deed { ADDED, REMOVED, SHOWED, CLOSED, CLOSED_AND_REMOVED };

static assay_effect did(enum deed deed, assay_saved *saved)
{
    saved->number = deed;
    return ASSAY_CHANGED;
}

/* ---- the known values ---- */

/* So many values are known between this end and the gap. */
static size_t known_at(const struct gapped *g, bool front)
{
    return g->closed ? g->known->size : front ? g->before : g->known->size - g->before;
}

static void push(struct gapped *g, bool front, assay_value v)
{
    sequence_push(g->known, front, v);
    g->before += front && !g->closed;
}

static assay_value pop(struct gapped *g, bool front)
{
    g->before -= front && !g->closed;
    return sequence_pop(g->known, front);
}

/* The value at this end, if nothing is in the gap. */
static assay_value value_at(const struct gapped *g, bool front)
{
    return sequence_at(g->known, front ? 0 : g->known->size - 1);
}

/* ---- steps ---- */

static bool is_value(assay_value result)
{
    return result.kind != ASSAY_NONE && !assay_value_same(result, assay_word("empty"));
}

/* The gap yields the value that was recorded. */
static assay_effect take_any(struct gapped *g, enum collection_role role, bool front, const assay_call *call,
                             assay_value *result, assay_saved *saved)
{
    *result = call->result;
    if (role == COLLECTION_REMOVE || call->result.kind == ASSAY_NONE)
        return ASSAY_SAME;
    push(g, front, call->result);
    return did(SHOWED, saved);
}

static assay_effect close_gap(struct gapped *g, enum collection_role role, bool front, assay_value *result,
                              assay_saved *saved)
{
    g->closed = true;
    if (!g->known->size) {
        collection_empty(result);
        return did(CLOSED, saved);
    }
    *result = value_at(g, front);
    if (role == COLLECTION_PEEK)
        return did(CLOSED, saved);
    saved->value = pop(g, front);
    return did(CLOSED_AND_REMOVED, saved);
}

static bool meets_gap(const struct gapped *g, enum collection_role role, bool front)
{
    return role != COLLECTION_ADD && !g->closed && !known_at(g, front);
}

unsigned gapped_choices(const void *state, const assay_call *call)
{
    const struct gapped *g = state;
    bool front = sequence_at_front(g->known, call);
    bool both = meets_gap(g, sequence_role(g->known, call), front) && g->known->size && is_value(call->result) &&
                assay_value_same(call->result, value_at(g, front));
    return both ? 2 : 1;
}

assay_effect gapped_step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct gapped *g = state;
    enum collection_role role = sequence_role(g->known, call);
    bool front = sequence_at_front(g->known, call);
    if (role == COLLECTION_ADD) {
        push(g, front, call->args[0]);
        *result = call->result;
        return did(ADDED, saved);
    }
    if (meets_gap(g, role, front)) {
        bool unknown = call->result.kind == ASSAY_NONE;
        bool closes = unknown ? role == COLLECTION_REMOVE && g->known->size : choice || !is_value(call->result);
        return closes ? close_gap(g, role, front, result, saved) : take_any(g, role, front, call, result, saved);
    }
    if (!known_at(g, front))
        return collection_empty(result);
    *result = value_at(g, front);
    if (role == COLLECTION_PEEK)
        return ASSAY_SAME;
    saved->value = pop(g, front);
    return did(REMOVED, saved);
}

void gapped_undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct gapped *g = state;
    bool front = sequence_at_front(g->known, call);
    switch ((enum deed)saved->number) {
    case ADDED:
    case SHOWED: pop(g, front); break;
    case REMOVED: push(g, front, saved->value); break;
    case CLOSED_AND_REMOVED: push(g, front, saved->value); /* fall through */
    case CLOSED: g->closed = false; break;
    }
}

/* ---- hooks ---- */

void *gapped_create(enum sequence_ends ends, assay_memory *m)
{
    static const assay_setting nothing = {0};
    struct gapped *g = state_get(m, sizeof *g);
    *g = (struct gapped){.known = sequence_create(ends, &nothing, m)};
    return g;
}

void *gapped_copy(const void *state, assay_memory *m)
{
    const struct gapped *from = state;
    struct gapped *g = state_get(m, sizeof *g);
    *g = *from;
    g->known = sequence_copy(from->known, m);
    return g;
}

void gapped_destroy(void *state, assay_memory *m)
{
    struct gapped *g = state;
    sequence_destroy(g->known, m);
    state_free(m, g);
}

void gapped_digest(const void *state, uint64_t out[2])
{
    const struct gapped *g = state;
    struct digest all = digest_join(g->known->digest, digest_of_number(g->closed ? 0 : g->before + 1));
    out[0] = all.at[0];
    out[1] = all.at[1];
}

bool gapped_same(const void *a, const void *b)
{
    const struct gapped *g = a, *other = b;
    return g->closed == other->closed && (g->closed || g->before == other->before) &&
           sequence_same(g->known, other->known);
}

size_t gapped_describe(const void *state, char *out, size_t size)
{
    const struct gapped *g = state;
    struct printed p = {.out = out, .size = size};
    const char *separator = "";
    printed_text(&p, "[");
    for (size_t i = 0; i <= g->known->size && !printed_full(&p); i++) {
        if (!g->closed && i == g->before) {
            printed_text(&p, separator);
            printed_text(&p, "...");
            separator = ", ";
        }
        if (i == g->known->size)
            break;
        printed_text(&p, separator);
        printed_value(&p, sequence_at(g->known, i));
        separator = ", ";
    }
    printed_text(&p, "]");
    return p.length;
}
