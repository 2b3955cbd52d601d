/* SPDX-License-Identifier: Apache-2.0 */
/* An excerpt is made in two steps. A slice drops the operations and hands their knowledge on. Then all of its
 * operations are copied to a history that has the headers and threads that they need. */
#include "history/excerpt.h"

#include "history/slice.h"
#include "history/token.h"
#include "history/value_ids.h"

#include <string.h>

struct excerpting {
    const history *from;
    const bool *keep, *open;
    bool from_any, all_init;
    struct value key;
    history *slice, *to;
};

/* ---- headers ---- */

/* The subjects of the operations, and of @final. */
struct subjects {
    struct mem *m;
    struct value_ids arguments, objects, threads; /* objects and threads: names, as words */
    const struct value *any;                      /* the key whose initial value is forgotten, or NULL */
    bool all_init;                                /* all keys of @init count as subjects */
};

static struct value word(uint32_t name)
{
    return (struct value){name, ASSAY_WORD};
}

static struct subjects subjects_of(const history *h, const struct excerpting *x, struct mem *m)
{
    struct subjects s = {.m = m, .any = x->from_any ? &x->key : NULL, .all_init = x->all_init};
    for (uint32_t op = 0; op < h->n; op++) {
        value_id(m, &s.objects, word(history_object_of(h, op)));
        value_id(m, &s.threads, word(h->threads.at[h->thread[op]].name));
        for (uint32_t i = 0; i < history_arity(h, op); i++)
            value_id(m, &s.arguments, history_arg(h, op, i));
    }
    for (uint32_t i = 0; i < h->final.n; i++) /* @final speaks of the variable, too */
        value_id(m, &s.arguments, h->final.at[i].key);
    return s;
}

static void free_subjects(struct subjects *s)
{
    value_ids_free(s->m, &s->arguments);
    value_ids_free(s->m, &s->objects);
    value_ids_free(s->m, &s->threads);
}

/* A thread may be called 1, which a binding reads as an integer. */
static bool is_thread(const struct subjects *s, const history *h, struct value key)
{
    struct text t = text_in(s->m);
    token_print(&t, h, key);
    uint32_t name = names_find(&h->names, text_get(&t), t.n);
    mem_free(s->m, t.at);
    return name != ID_NONE && value_id_find(&s->threads, word(name)) != ID_NONE;
}

static bool binding_stays(const struct subjects *s, const history *h, const struct binding_set *set,
                          const struct binding *b)
{
    if (set == &h->init && s->any && value_same(*s->any, b->key))
        return false;
    if (b->key.kind == ASSAY_NONE || (set == &h->init && s->all_init))
        return true;
    return set == &h->nodes ? is_thread(s, h, b->key) : value_id_find(&s->arguments, b->key) != ID_NONE;
}

/* The bindings of the header that stay, as its text. False: all do. */
static bool state_bindings(struct text *t, const struct subjects *s, const history *h, const struct binding_set *set,
                           uint32_t header)
{
    bool fewer = false;
    for (uint32_t i = 0; i < set->n; i++) {
        const struct binding *b = &set->at[i];
        if (b->header != header)
            continue;
        if (!binding_stays(s, h, set, b)) {
            fewer = true;
            continue;
        }
        text_puts(t, t->n ? " " : "");
        if (b->key.kind != ASSAY_NONE) {
            token_print(t, h, b->key);
            text_char(t, '=');
        }
        token_print(t, h, b->value);
    }
    return fewer;
}

static bool object_stays(const struct subjects *s, const history *h, const struct header *header)
{
    for (uint32_t i = 0; header->line && i < h->objects.n; i++)
        if (h->objects.at[i].line == header->line && h->objects.at[i].name != ID_NONE)
            return value_id_find(&s->objects, word(h->objects.at[i].name)) != ID_NONE;
    return true;
}

static void put_header(history *to, const struct header *header, const char *text, size_t length)
{
    const struct name *key = &to->names.all.at[header->key];
    assay_error none = {0};
    history_header(to, key->text, key->length, text, length, header->line, 1, &none);
}

static void copy_headers(history *to, const history *h, const struct excerpting *x)
{
    struct subjects s = subjects_of(h, x, &to->mem);
    for (uint32_t i = 0; i < h->headers.n; i++) {
        const struct header *header = &h->headers.at[i];
        const char *key = history_text(h, header->key);
        bool init = strcmp(key, "init") == 0;
        if (strcmp(key, "object") == 0 && !object_stays(&s, h, header))
            continue;
        if (!init && strcmp(key, "nodes") != 0) {
            put_header(to, header, header->text, header->length);
            continue;
        }
        struct text t = text_in(&to->mem);
        if (!state_bindings(&t, &s, h, init ? &h->init : &h->nodes, i))
            put_header(to, header, header->text, header->length);
        else if (t.n)
            put_header(to, header, text_get(&t), t.n);
        mem_free(&to->mem, t.at);
    }
    free_subjects(&s);
}

static void copy_operations(history *to, const history *h, const bool *goes_on)
{
    struct arguments args = {0};
    uint32_t *thread = mem_new_ids(&to->mem, h->threads.n + 1);
    if (h->after_at)
        history_begin_after(to);
    for (uint32_t op = 0; op < h->n; op++)
        if (thread[h->thread[op]] == ID_NONE && !goes_on[op])
            thread[h->thread[op]] = history_thread(to, h->threads.at[h->thread[op]].name);
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t of = goes_on[op] ? history_own_thread(to, history_text(h, h->threads.at[h->thread[op]].name))
                                  : thread[h->thread[op]];
        uint32_t copy = history_copy_as(to, h, op, of, &args);
        if (h->call)
            history_set_times(to, copy, h->call[op], history_pending(h, op) ? INT64_MAX : h->ret[op]);
        for (uint32_t i = h->after_at ? h->after_at[op] : 0; h->after_at && i < h->after_at[op + 1]; i++)
            history_add_after(to, copy, (struct after){thread[h->after.at[i].thread], h->after.at[i].count});
    }
    mem_free(&to->mem, thread);
    vec_free(&to->mem, &args);
}

/* ---- both ---- */

/* Of the operations of the slice: open calls whose threads go on. */
static bool *goers(const struct excerpting *x)
{
    const history *h = x->from;
    bool *goes_on = mem_new_zero(&x->to->mem, bool, x->slice->n + 1),
         *later = mem_new_zero(&x->to->mem, bool, h->threads.n + 1);
    for (uint32_t op = h->n, row = x->slice->n; op-- > 0;) {
        if (!x->keep[op])
            continue;
        goes_on[--row] = x->open && x->open[op] && later[h->thread[op]];
        later[h->thread[op]] = true;
    }
    mem_free(&x->to->mem, later);
    return goes_on;
}

static void forget_initial(history *to, struct value key)
{
    struct text t = text_in(&to->mem);
    assay_error none = {0};
    if (key.kind != ASSAY_NONE) {
        token_print(&t, to, key);
        text_char(&t, '=');
    }
    text_char(&t, '?');
    history_header(to, "init", 4, text_get(&t), t.n, 0, 1, &none);
    mem_free(&to->mem, t.at);
}

static void excerpt(void *arg)
{
    struct excerpting *x = arg;
    x->slice = history_slice_open(x->from, x->keep, x->open);
    x->to = history_new();
    history_copy_names(x->to, x->slice);
    copy_headers(x->to, x->slice, x);
    if (x->from_any)
        forget_initial(x->to, x->key);
    copy_operations(x->to, x->slice, goers(x));
}

static history *run(struct excerpting x)
{
    enum escape left = escape_run(excerpt, &x);
    history_free(x.slice);
    if (left) {
        history_free(x.to);
        escape_raise(left);
    }
    return x.to;
}

history *history_excerpt(const history *h, const bool *keep, const bool *open, bool all_init)
{
    return run((struct excerpting){.from = h, .keep = keep, .open = open, .all_init = all_init});
}

history *history_excerpt_from_any(const history *h, const bool *keep, const bool *open, struct value key)
{
    return run((struct excerpting){.from = h, .keep = keep, .open = open, .from_any = true, .key = key});
}
