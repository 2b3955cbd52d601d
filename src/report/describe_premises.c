/* SPDX-License-Identifier: Apache-2.0 */
/* The premises of a refutation: the reasons that its cycles rest on, the operations that it mentions, and the steps
 * to draw. */
#include "report/describe.h"
#include "report/key.h"

#include <stdlib.h>

/* Which reasons the cycles from `from` up to `end` rest on. */
static bool *used_by(const result *r, uint32_t from, uint32_t end, struct mem *m)
{
    const struct evidence *ev = &r->evidence;
    struct span cycle = {ev->cycle_at, ev->cycle_count};
    return evidence_used(ev, describe_by_cases(r) ? ev->lemmas.at + from : &cycle, end - from, m);
}

bool *describe_used(const result *r, uint32_t i, struct mem *m)
{
    return used_by(r, i, i + 1, m);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Lines need not grow with the numbers (a format may list thread by thread), hence two-part
 * keys. */
typedef VEC(uint64_t) key_list;

static void mention(struct mem *m, key_list *list, const history *h, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION)
        return;
    uint64_t key = (uint64_t)history_line(h, op) << 32 | op;
    vec_push(m, list, key);
}

static void mention_path(struct mem *m, key_list *list, const history *h, struct path p, bool all)
{
    for (uint32_t i = 0; i < p.n; i++)
        if (!describe_hidden(p, i, all)) {
            struct value key;
            mention(m, list, h, p.at[i].from);
            mention(m, list, h, p.at[i].to);
            if (p.at[i].rule != ASSAY_VO)
                continue;
            /* the sentence names the reader of both, or of one without the other */
            uint32_t access, write, reader = key_shown_in_order(h, p.at[i].from, p.at[i].to, &key);
            mention(m, list, h,
                    reader != ASSAY_NO_OPERATION ? reader
                                                 : key_shown_alone(h, p.at[i].from, p.at[i].to, &access, &write));
        }
}

static struct mentions sorted(key_list *list, struct mem *m)
{
    struct mentions out = {mem_new(m, uint32_t, list->n + 1), 0};
    if (list->n)
        qsort(list->at, list->n, sizeof *list->at, by_key);
    for (uint32_t i = 0; i < list->n; i++)
        if (!i || list->at[i] != list->at[i - 1])
            out.ops[out.n++] = (uint32_t)list->at[i];
    vec_free(m, list);
    return out;
}

static void mention_all(struct mem *m, key_list *list, const result *r, bool all)
{
    const bool *used = used_by(r, 0, describe_cycles(r), m);
    struct text unused = text_in(m);
    bool by_prefix = !all && describe_by_prefix(r);
    mention(m, list, r->h, by_prefix ? r->explanation.unexplained : r->evidence.culprit);
    mention(m, list, r->h, r->evidence.opposite);
    bool argued = describe_argues(&unused, r);
    for (uint32_t i = 0; i < r->evidence.kept.n && !by_prefix && !argued; i++)
        mention(m, list, r->h, r->evidence.kept.at[i]);
    for (uint32_t i = 0; i < r->explanation.argument.ops.n && argued; i++)
        mention(m, list, r->h, r->explanation.argument.ops.at[i]);
    for (uint32_t i = 0; i < r->evidence.suspects.n; i++)
        mention(m, list, r->h, r->evidence.suspects.at[i]);
    for (uint32_t i = 0; i < r->evidence.sights.n; i++) {
        mention(m, list, r->h, r->evidence.sights.at[i].by);
        mention(m, list, r->h, r->evidence.sights.at[i].seen);
    }
    for (uint32_t c = 0; c < describe_cycles(r); c++)
        mention_path(m, list, r->h, describe_cycle(r, c), all);
    for (uint32_t i = 0; i < r->evidence.reasons.n; i++) {
        const struct reason *why = &r->evidence.reasons.at[i];
        if (!used[i])
            continue;
        mention(m, list, r->h, why->from);
        mention(m, list, r->h, why->to);
        mention(m, list, r->h, why->read);
        mention_path(m, list, r->h, describe_path_of(r, i), all);
    }
}

struct mentions describe_mentions(const result *r, bool all, struct mem *m)
{
    key_list list = {0};
    mention_all(m, &list, r, all);
    for (uint32_t i = 0; i < r->evidence.cases.n; i++) {
        result choice = describe_choice(r, i);
        mention_all(m, &list, &choice, all);
    }
    return sorted(&list, m);
}

bool describe_mentioned(struct mentions m, uint32_t op)
{
    for (uint32_t i = 0; i < m.n; i++)
        if (m.ops[i] == op)
            return true;
    return false;
}

typedef VEC(struct drawn) drawn_list;

static void draw_path(struct mem *m, drawn_list *list, struct idmap *seen, struct path p, bool in_cycle)
{
    for (uint32_t i = 0; i < p.n; i++) {
        const assay_step *s = &p.at[i];
        uint64_t key = (uint64_t)s->from << 32 | s->to;
        uint32_t *at = idmap_at(m, seen, key);
        if (*at != ID_NONE || s->to == ASSAY_NO_OPERATION)
            continue;
        *at = list->n;
        struct drawn d = {s, in_cycle};
        vec_push(m, list, d);
    }
}

struct drawing describe_drawing(const result *r, struct mem *m)
{
    drawn_list list = {0};
    struct idmap seen = {0};
    const bool *used = used_by(r, 0, describe_cycles(r), m);
    for (uint32_t c = 0; c < describe_cycles(r); c++)
        draw_path(m, &list, &seen, describe_cycle(r, c), true);
    for (uint32_t i = 0; i < r->evidence.reasons.n; i++)
        if (used[i])
            draw_path(m, &list, &seen, describe_path_of(r, i), false);
    return (struct drawing){list.at, list.n};
}
