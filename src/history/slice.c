/* SPDX-License-Identifier: Apache-2.0 */
#include "history/slice.h"

#include "history/knowledge.h"

#include <stdlib.h>
#include <string.h>

struct framing {
    const history *from;
    history *to;
};

/* A list stands behind those it goes on from, so that the copies have the same numbers. */
static void copy_lists(history *to, const history *from)
{
    for (uint32_t i = 0; i < from->lists.all.n; i++) {
        const struct list_value *l = from->lists.all.at[i];
        if (l->before)
            history_longer(to, (struct value){l->before->id, ASSAY_LIST}, l->last);
        else
            lists_empty(&to->mem, &to->lists);
    }
}

static void copy_bindings(history *h, struct binding_set *to, const struct binding_set *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(&h->mem, to, from->at[i]);
    bindings_index(&h->mem, to);
}

/* Names are copied whole, so ids stay the same and every other column is a plain copy. */
void history_copy_names(history *to, const history *from)
{
    for (uint32_t i = 0; i < from->names.all.n; i++)
        names_put(&to->names, from->names.all.at[i].text, from->names.all.at[i].length);
    copy_lists(to, from);
    to->source = from->source;
    to->ids = from->ids;
    to->po_after = from->po_after;
    to->clock = from->clock;
}

static void copy_frame(void *arg)
{
    const struct framing *f = arg;
    history *to = f->to;
    const history *from = f->from;
    history_copy_names(to, from);
    for (uint32_t t = 0; t < from->threads.n; t++)
        history_thread(to, from->threads.at[t].name);
    for (uint32_t i = 0; i < from->headers.n; i++)
        history_keep_header(to, from->headers.at[i]);
    for (uint32_t i = 0; i < from->objects.n; i++)
        history_declare(to, from->objects.at[i]);
    copy_bindings(to, &to->init, &from->init);
    copy_bindings(to, &to->final, &from->final);
    copy_bindings(to, &to->nodes, &from->nodes);
}

history *history_frame(const history *h)
{
    struct framing f = {h, history_new()};
    enum escape left = escape_run(copy_frame, &f);
    if (left) {
        history_free(f.to);
        escape_raise(left);
    }
    return f.to;
}

/* ---- recorded knowledge ----
 *
 * `after` counts operations of a thread, up to one that returned; the cut ones no longer count. A cut operation may be
 * the only one that told another of a third, so its knowledge is handed on. In all, an operation stays after the same
 * kept operations. */
struct handing_on {
    struct knowledge known;
    /* Of an operation: the last one of its thread, up to itself, that is kept and returned, or ID_NONE. And how many
     * are kept up to that one. */
    uint32_t *last_kept, *kept;
    uint32_t *said; /* how many of each thread the operation at hand is after, by the words of the slice */
};

static struct handing_on gather_knowledge(const history *h, const bool *keep, struct mem *m)
{
    struct handing_on x = {.known = knowledge_of(h, m, NULL)};
    x.kept = mem_new(m, uint32_t, h->n);
    x.last_kept = mem_new(m, uint32_t, h->n);
    x.said = mem_new(m, uint32_t, h->threads.n);
    for (uint32_t t = 0; t < h->threads.n; t++)
        for (uint32_t i = x.known.by.at[t], sum = 0, returned = 0, last = ID_NONE; i < x.known.by.at[t + 1]; i++) {
            uint32_t op = x.known.by.list[i];
            sum += keep[op];
            if (keep[op] && !history_pending(h, op)) {
                returned = sum;
                last = op;
            }
            x.kept[op] = returned;
            x.last_kept[op] = last;
        }
    return x;
}

static void free_knowledge(struct handing_on *x, struct mem *m)
{
    groups_free(&x->known.by, m);
    mem_free(m, x->known.place);
    mem_free(m, x->known.rows);
    mem_free(m, x->kept);
    mem_free(m, x->last_kept);
    mem_free(m, x->said);
}

/* How many of the thread's first `count` operations are kept. */
static uint32_t kept_of(const struct handing_on *x, uint32_t thread, uint32_t count)
{
    return count ? x->kept[knowledge_last(&x->known, thread, count)] : 0;
}

/* In the slice, something says that the operation at hand is after these. */
static void say(const struct handing_on *x, uint32_t thread, uint32_t count)
{
    uint32_t last = count ? x->last_kept[knowledge_last(&x->known, thread, count)] : ID_NONE;
    if (last == ID_NONE)
        return;
    const uint32_t *more = knowledge_row(&x->known, last);
    for (uint32_t t = 0; t < x->known.h->threads.n; t++)
        x->said[t] = x->said[t] > more[t] ? x->said[t] : more[t];
    uint32_t itself = x->known.place[last] + 1;
    x->said[thread] = x->said[thread] > itself ? x->said[thread] : itself;
}

static void copy_after(history *to, const struct handing_on *x, uint32_t op)
{
    const history *h = x->known.h;
    const uint32_t *row = knowledge_row(&x->known, op);
    memset(x->said, 0, h->threads.n * sizeof *x->said);
    say(x, h->thread[op], x->known.place[op]);
    for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++) {
        struct after known = h->after.at[i];
        say(x, known.thread, known.count);
        known.count = kept_of(x, known.thread, known.count);
        if (known.count)
            history_add_after(to, to->n - 1, known);
    }
    for (uint32_t t = 0; t < h->threads.n; t++) {
        struct after rest = {t, kept_of(x, t, row[t])};
        if (t != h->thread[op] && rest.count > kept_of(x, t, x->said[t]))
            history_add_after(to, to->n - 1, rest);
    }
}

/* ---- slices ---- */

/* The arguments that stay, with the notation of integers. accesses: may be NULL. */
static void copy_arguments(history *to, const history *from, uint32_t op, const bool *accesses, struct arguments *args)
{
    vec_clear(args);
    for (uint32_t i = 0; i < history_arity(from, op); i++)
        if (!accesses || accesses[history_accesses(from, op) + i / 3])
            vec_push(&to->mem, args, history_written(from, op, i));
}

static void copy_access_lines(history *to, uint32_t copy, const history *from, uint32_t op, const bool *accesses)
{
    for (uint32_t i = 0, at = 0; from->value_line && i < history_arity(from, op) / 3; i++)
        if (!accesses || accesses[history_accesses(from, op) + i])
            history_set_access_line(to, copy, at++, history_access_line(from, op, i));
}

static uint32_t copy_operation(history *to, const history *from, uint32_t op, const bool *accesses, uint32_t thread,
                               bool pending, struct arguments *args)
{
    copy_arguments(to, from, op, accesses, args);
    struct new_op row = {.thread = thread,
                         .object = history_object_of(from, op),
                         .method = from->method[op],
                         .args = args->at,
                         .arity = args->n,
                         .result = pending ? (struct value){0} : history_written_result(from, op),
                         .pending = pending,
                         .line = history_line(from, op),
                         .column = history_column(from, op)};
    uint32_t copy = history_append(to, &row);
    copy_access_lines(to, copy, from, op, accesses);
    return copy;
}

uint32_t history_copy(history *to, const history *from, uint32_t op, bool pending, struct arguments *args)
{
    return copy_operation(to, from, op, NULL, from->thread[op], pending, args);
}

uint32_t history_copy_as(history *to, const history *from, uint32_t op, uint32_t thread, struct arguments *args)
{
    return copy_operation(to, from, op, NULL, thread, history_pending(from, op), args);
}

struct slicing {
    const history *from;
    const bool *keep, *pending, *accesses; /* the latter two may be NULL */
    history *to;
};

static void slice(void *arg)
{
    struct slicing *s = arg;
    const history *h = s->from;
    history *to = s->to = history_frame(h);
    struct handing_on known = {0};
    struct arguments args = {0};
    if (h->after_at) {
        history_begin_after(to);
        known = gather_knowledge(h, s->keep, &to->mem);
    }
    for (uint32_t o = 0; o < h->n; o++) {
        if (!s->keep[o])
            continue;
        bool pending = history_pending(h, o) || (s->pending && s->pending[o]);
        uint32_t row = copy_operation(to, h, o, s->accesses, h->thread[o], pending, &args);
        if (h->call)
            history_set_times(to, row, h->call[o], pending ? INT64_MAX : h->ret[o]);
        if (h->after_at)
            copy_after(to, &known, o);
    }
    vec_free(&to->mem, &args);
    if (h->after_at)
        free_knowledge(&known, &to->mem);
}

static history *run_slicing(struct slicing s)
{
    enum escape left = escape_run(slice, &s);
    if (left) {
        history_free(s.to);
        escape_raise(left);
    }
    return s.to;
}

history *history_slice(const history *h, const bool *keep)
{
    return run_slicing((struct slicing){.from = h, .keep = keep});
}

history *history_slice_open(const history *h, const bool *keep, const bool *pending)
{
    return run_slicing((struct slicing){.from = h, .keep = keep, .pending = pending});
}

history *history_slice_accesses(const history *h, const bool *keep, const bool *accesses)
{
    return run_slicing((struct slicing){.from = h, .keep = keep, .accesses = accesses});
}

static uint64_t text_digest(const history *h, uint32_t name)
{
    if (name == ID_NONE)
        return 1;
    return hash_bytes(h->names.all.at[name].text, h->names.all.at[name].length);
}

static uint64_t value_digest(const history *h, struct value v);

static uint64_t list_digest(const history *h, const struct list_value *l)
{
    uint64_t d = hash_mix(l->length);
    for (; l->before; l = l->before)
        d = hash_join(d, value_digest(h, l->last));
    return d;
}

static uint64_t value_digest(const history *h, struct value v)
{
    if (v.kind == ASSAY_LIST)
        return hash_join(v.kind, list_digest(h, h->lists.all.at[v.bits]));
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
        d = hash_join(d, text_digest(h, history_object_of(h, o)));
        d = hash_join(d, text_digest(h, h->method[o]));
        d = hash_join(d, h->flags[o]);
        for (uint32_t i = 0; i <= history_arity(h, o); i++)
            d = hash_join(d, value_digest(h, history_arg(h, o, i)));
        if (h->call)
            d = hash_join(d, hash_join((uint64_t)h->call[o], (uint64_t)h->ret[o]));
        if (h->after_at)
            for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++)
                d = hash_join(d, hash_join(h->after.at[i].thread, h->after.at[i].count));
    }
    return d;
}
