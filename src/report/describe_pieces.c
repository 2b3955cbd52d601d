/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of a string of an append-map that was acknowledged and that a later get misses. A put or append has made it
 * part of the string, and it stays there until the next put. So the get has the piece, that of a put at its begin,
 * unless a put can have come between. */
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"

#include <string.h>

struct pieces {
    const result *r;
    const history *h;
    uint32_t get;
    assay_value seen; /* by the get */
};

static bool has_key_of(const history *h, uint32_t op, uint32_t get)
{
    return history_object_of(h, op) == history_object_of(h, get) &&
           value_same(history_arg(h, op, 0), history_arg(h, get, 0));
}

static bool is_put(const result *r, uint32_t op)
{
    return describe_is_call(r, op, APPEND_MAP_PUT);
}

static bool adds(const result *r, uint32_t op)
{
    return is_put(r, op) || describe_is_call(r, op, APPEND_MAP_APPEND);
}

static bool is_get_with_string(const result *r, uint32_t op)
{
    return describe_is_call(r, op, APPEND_MAP_GET) && history_result(r->h, op).kind == ASSAY_STRING;
}

static bool contains(assay_value string, assay_value piece, bool first)
{
    size_t most = piece.length > string.length ? 0 : first ? 1 : string.length - piece.length + 1;
    for (size_t i = 0; i < most; i++)
        if (memcmp(string.text + i, piece.text, piece.length) == 0)
            return true;
    return false;
}

static assay_value piece_of(const history *h, uint32_t op)
{
    return value_public(h, history_arg(h, op, 1));
}

/* Can a put have replaced what the call has left, before the get? */
static bool is_replaced(const struct pieces *x, uint32_t op)
{
    const history *h = x->h;
    for (uint32_t p = 0; p < h->n; p++)
        if (p != op && is_put(x->r, p) && has_key_of(h, p, x->get) && h->call[p] <= h->ret[x->get] &&
            (history_pending(h, p) || h->ret[p] >= h->call[op]))
            return true;
    return false;
}

static bool is_missing(const struct pieces *x, uint32_t op)
{
    const history *h = x->h;
    return adds(x->r, op) && !history_pending(h, op) && has_key_of(h, op, x->get) && h->ret[op] < h->call[x->get] &&
           piece_of(h, op).length && !contains(x->seen, piece_of(h, op), is_put(x->r, op)) && !is_replaced(x, op);
}

/* A later get that has it, or ASSAY_NO_OPERATION; *only: no other call brings the same piece. */
static uint32_t seen_later(const struct pieces *x, uint32_t op, bool *only)
{
    const history *h = x->h;
    uint32_t later = ASSAY_NO_OPERATION;
    *only = true;
    for (uint32_t i = 0; i < h->n; i++) {
        if (!has_key_of(h, i, x->get))
            continue;
        *only &= i == op || !adds(x->r, i) || !contains(piece_of(h, i), piece_of(h, op), false);
        if (is_get_with_string(x->r, i) && h->call[i] > h->ret[x->get] && later == ASSAY_NO_OPERATION &&
            contains(value_public(h, history_result(h, i)), piece_of(h, op), false))
            later = i;
    }
    return later;
}

/* Lost, if no later get has it; stale, if one does, and it is sure that this call has brought it. */
static void tell(struct text *t, const struct pieces *x, uint32_t op)
{
    const history *h = x->h;
    bool only;
    uint32_t later = seen_later(x, op, &only);
    describe_value(t, piece_of(h, op));
    describe_say(t, h, "%s%O had returned when %P was called, and no put since then can have replaced it",
                 later == ASSAY_NO_OPERATION ? " is lost: "
                 : only                      ? " is stale: "
                                             : " is missing: ",
                 op, x->get);
    if (later == ASSAY_NO_OPERATION)
        text_puts(t, "; no later get has it");
    else if (only)
        describe_say(t, h, "; %P has it again", later);
}

static bool misses_one(struct text *t, const result *r, uint32_t get)
{
    const history *h = r->h;
    if (!is_get_with_string(r, get))
        return false;
    struct pieces x = {r, h, get, value_public(h, history_result(h, get))};
    for (uint32_t op = 0; op < h->n; op++)
        if (is_missing(&x, op)) {
            tell(t, &x, op);
            return true;
        }
    return false;
}

bool describe_pieces(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool told = misses_one(t, r, ev->culprit);
    for (uint32_t i = 0; i < ev->kept.n && !told; i++)
        told = misses_one(t, r, ev->kept.at[i]);
    return told;
}
