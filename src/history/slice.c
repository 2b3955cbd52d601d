/* SPDX-License-Identifier: Apache-2.0 */
#include "history/slice.h"

#include <stdlib.h>

/* Names are copied whole, so ids stay the same and every other column is a plain copy. */
static void copy_frame(history *to, const history *from)
{
    for (uint32_t i = 0; i < from->names.all.n; i++)
        names_put(&to->names, from->names.all.at[i].text, from->names.all.at[i].length);
    to->source = from->source;
    to->ids = from->ids;
    to->po_after = from->po_after;
    for (uint32_t t = 0; t < from->threads.n; t++)
        history_thread(to, from->threads.at[t].name);
    for (uint32_t i = 0; i < from->headers.n; i++)
        vec_push(&to->mem, &to->headers, from->headers.at[i]);
    for (uint32_t i = 0; i < from->objects.n; i++)
        history_declare(to, from->objects.at[i]);
    for (uint32_t i = 0; i < from->init.n; i++)
        vec_push(&to->mem, &to->init, from->init.at[i]);
    for (uint32_t i = 0; i < from->final.n; i++)
        vec_push(&to->mem, &to->final, from->final.at[i]);
    bindings_index(&to->mem, &to->init);
    bindings_index(&to->mem, &to->final);
}

/* `after` counts operations of a thread; the cut ones no longer count. kept[o] is how many operations of
 * o's thread up to and including o were kept. */
static void copy_after(history *to, const history *from, uint32_t op, const struct groups *by, const uint32_t *kept)
{
    for (uint32_t i = from->after_at[op]; i < from->after_at[op + 1]; i++) {
        struct after known = from->after.at[i];
        known.count = known.count ? kept[by->list[by->at[known.thread] + known.count - 1]] : 0;
        history_add_after(to, to->n - 1, known);
    }
}

struct slicing {
    const history *from;
    const bool *keep, *pending; /* the latter may be NULL */
    history *to;
};

static void slice(void *arg)
{
    struct slicing *s = arg;
    const history *h = s->from;
    history *to = s->to = history_new();
    copy_frame(to, h);
    struct groups by = {0};
    uint32_t *kept = NULL;
    if (h->after_at) {
        history_begin_after(to);
        by = history_by_thread(h, &to->mem);
        kept = mem_new(&to->mem, uint32_t, h->n);
        for (uint32_t t = 0; t < h->threads.n; t++)
            for (uint32_t i = by.at[t], sum = 0; i < by.at[t + 1]; i++)
                kept[by.list[i]] = sum += s->keep[by.list[i]];
    }
    for (uint32_t o = 0; o < h->n; o++) {
        if (!s->keep[o])
            continue;
        struct value args[UINT8_MAX];
        for (uint32_t i = 0; i < h->arity[o]; i++)
            args[i] = history_written(h, o, i);
        bool pending = history_pending(h, o) || (s->pending && s->pending[o]);
        struct new_op op = {.thread = h->thread[o],
                            .object = h->object[o],
                            .method = h->method[o],
                            .args = args,
                            .arity = h->arity[o],
                            .result = pending ? (struct value){0} : history_written_result(h, o),
                            .pending = pending,
                            .line = h->line[o],
                            .column = h->column[o]};
        uint32_t row = history_append(to, &op);
        if (h->call)
            history_set_times(to, row, h->call[o], pending ? INT64_MAX : h->ret[o]);
        if (h->after_at)
            copy_after(to, h, o, &by, kept);
    }
    if (h->after_at) {
        groups_free(&by, &to->mem);
        mem_free(&to->mem, kept);
    }
}

history *history_slice(const history *h, const bool *keep)
{
    return history_slice_open(h, keep, NULL);
}

history *history_slice_open(const history *h, const bool *keep, const bool *pending)
{
    struct slicing s = {h, keep, pending, NULL};
    enum escape left = escape_run(slice, &s);
    if (left) {
        history_free(s.to);
        escape_raise(left);
    }
    return s.to;
}

static uint64_t text_digest(const history *h, uint32_t name)
{
    if (name == ID_NONE)
        return 1;
    return hash_bytes(h->names.all.at[name].text, h->names.all.at[name].length);
}

static uint64_t value_digest(const history *h, struct value v)
{
    return hash_join(v.kind, kind_is_text(v.kind) ? text_digest(h, (uint32_t)v.bits) : (uint64_t)v.bits);
}

uint64_t history_digest(const history *h)
{
    uint64_t d = hash_mix(h->n);
    for (uint32_t i = 0; i < h->objects.n; i++)
        d = hash_join(d, hash_join(text_digest(h, h->objects.at[i].name), text_digest(h, h->objects.at[i].kind)));
    for (uint32_t i = 0; i < h->init.n; i++)
        d = hash_join(d, hash_join(value_digest(h, h->init.at[i].key), value_digest(h, h->init.at[i].value)));
    for (uint32_t i = 0; i < h->final.n; i++)
        d = hash_join(d, 3 + hash_join(value_digest(h, h->final.at[i].key), value_digest(h, h->final.at[i].value)));
    if (h->po_after)
        d = hash_join(d, 5);
    for (uint32_t o = 0; o < h->n; o++) {
        d = hash_join(d, text_digest(h, h->threads.at[h->thread[o]].name));
        d = hash_join(d, text_digest(h, h->object[o]));
        d = hash_join(d, text_digest(h, h->method[o]));
        d = hash_join(d, h->flags[o]);
        for (uint32_t i = 0; i <= h->arity[o]; i++)
            d = hash_join(d, value_digest(h, history_arg(h, o, i)));
        if (h->call)
            d = hash_join(d, hash_join((uint64_t)h->call[o], (uint64_t)h->ret[o]));
        if (h->after_at)
            for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++)
                d = hash_join(d, hash_join(h->after.at[i].thread, h->after.at[i].count));
    }
    return d;
}
