/* SPDX-License-Identifier: Apache-2.0 */
/* Relations of a page's data that rest on the history alone:
 *
 *   after   pairs of operations: the second was called after the first had returned (`@ after`). Pairs that follow from
 *           the one before in the thread are left out
 *   cells   does each key hold the value of its last write? Then a write overwrites the one before */
#include "report/html.h"

#include <string.h>

struct by_thread { /* the operations of each thread, in program order */
    uint32_t *ops, *at;
};

static struct by_thread sort_by_thread(const history *h, struct mem *m)
{
    struct by_thread s = {mem_new(m, uint32_t, h->n + 1), mem_new_zero(m, uint32_t, h->threads.n + 1)};
    for (uint32_t t = 0; t < h->threads.n; t++)
        s.at[t + 1] = s.at[t] + h->threads.at[t].count;
    uint32_t *next = mem_new(m, uint32_t, h->threads.n + 1);
    memcpy(next, s.at, (h->threads.n + 1) * sizeof *next);
    for (uint32_t op = 0; op < h->n; op++)
        s.ops[next[h->thread[op]]++] = op;
    mem_free(m, next);
    return s;
}

/* Did the operation record that so many of the thread had returned? */
static bool knew(const history *h, uint32_t op, struct after known)
{
    for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++)
        if (h->after.at[i].thread == known.thread && h->after.at[i].count >= known.count)
            return true;
    return false;
}

static void put_after(const history *h, struct text *out)
{
    struct by_thread threads = sort_by_thread(h, out->mem);
    uint32_t *previous = mem_new(out->mem, uint32_t, h->threads.n + 1);
    bool any = false;
    memset(previous, 0xff, h->threads.n * sizeof *previous); /* ID_NONE */
    for (uint32_t op = 0; op < h->n; previous[h->thread[op]] = op, op++)
        for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++) {
            struct after known = h->after.at[i];
            uint32_t before = previous[h->thread[op]], size = threads.at[known.thread + 1] - threads.at[known.thread];
            if (!known.count || known.count > size || known.thread == h->thread[op] ||
                (before != ID_NONE && knew(h, before, known)))
                continue;
            text_printf(out, "%s%u,%u", any ? "," : "",
                        (unsigned)threads.ops[threads.at[known.thread] + known.count - 1], (unsigned)op);
            any = true;
        }
    mem_free(out->mem, previous);
    mem_free(out->mem, threads.ops);
    mem_free(out->mem, threads.at);
}

static bool holds_one_value(const assay_spec *spec)
{
    enum object_family family = facts_of(spec)->family;
    return family == FAMILY_REGISTER || family == FAMILY_MAP || spec == &spec_multi_register;
}

void html_relations(const history *h, const struct objects *objects, struct text *out)
{
    bool cells = objects;
    for (uint32_t i = 0; objects && i < objects->n; i++)
        cells = cells && holds_one_value(objects->at[i].spec);
    text_puts(out, ",\n\"after\":[");
    if (h->after_at)
        put_after(h, out);
    text_printf(out, "],\n\"cells\":%s", cells ? "true" : "false");
}
