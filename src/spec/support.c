/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for specifications (assay_spec.h): counted memory, values, digests; and loading specifications of users. */
#include "base/given.h"
#include "base/keyed.h"
#include "spec/spec.h"
#include "spec/value_forms.h"

#include <dlfcn.h>
#include <string.h>

static struct mem *private(assay_memory *m)
{
    return (struct mem *)m;
}

struct request {
    struct mem *mem;
    void *block;
    size_t bytes;
};

static void get(void *arg)
{
    struct request *r = arg;
    r->block = mem_zero(r->mem, r->bytes);
}

static void resize(void *arg)
{
    struct request *r = arg;
    r->block = mem_resize(r->mem, r->block, r->bytes);
}

/* The caller is a user's hook: the escape ends here and goes on once the hook has returned (hooks.h). */
static void *serve(void (*fn)(void *), struct request r)
{
    enum escape left = escape_run(fn, &r);
    escape_note(left);
    return left ? NULL : r.block;
}

void *assay_memory_get(assay_memory *m, size_t bytes)
{
    if (!m)
        return NULL;
    return serve(get, (struct request){private(m), NULL, bytes});
}

void *assay_memory_resize(assay_memory *m, void *block, size_t bytes)
{
    if (!m)
        return NULL;
    return serve(resize, (struct request){private(m), block, bytes});
}

void assay_memory_free(assay_memory *m, void *block)
{
    if (!m)
        return;
    mem_free(private(m), block);
}

assay_value assay_list(const assay_value *elements, size_t count)
{
    if (!(elements || !count))
        return (assay_value){0};
    return (assay_value){.kind = ASSAY_LIST, .text = (const char *)elements, .length = count};
}

assay_value assay_list_last(assay_value list)
{
    if (!list.length)
        return (assay_value){0};
    if (!list.integer)
        return ((const assay_value *)(const void *)list.text)[list.length - 1];
    const struct list_value *l = (const void *)list.text;
    return value_with_text(l->last, l->text, l->text_length);
}

assay_value assay_list_before(assay_value list)
{
    if (list.length && list.integer)
        return value_of_list(((const struct list_value *)(const void *)list.text)->before);
    list.length -= list.length > 0;
    return list;
}

static bool same_lists(assay_value a, assay_value b)
{
    bool same = a.length == b.length;
    for (; same && a.length; a = assay_list_before(a), b = assay_list_before(b))
        same = assay_value_same(assay_list_last(a), assay_list_last(b));
    return same;
}

bool assay_value_same(assay_value a, assay_value b)
{
    if (a.kind != b.kind)
        return false;
    if (a.kind == ASSAY_NONE || a.kind == ASSAY_INT)
        return a.kind == ASSAY_NONE || a.integer == b.integer;
    if (a.integer && b.integer)
        return a.integer == b.integer;
    if (a.kind == ASSAY_LIST)
        return same_lists(a, b);
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

assay_value value_copy(assay_value v, struct mem *m)
{
    bool own_list = v.kind == ASSAY_LIST && !v.integer;
    if (own_list) {
        const assay_value *from = (const void *)v.text;
        assay_value *elements = mem_new(m, assay_value, v.length + 1);
        for (size_t i = 0; i < v.length; i++)
            elements[i] = value_copy(from[i], m);
        v.text = (const char *)elements;
    } else if (kind_is_text(v.kind)) {
        v.text = mem_text(m, v.text, v.length);
    }
    return v;
}

void assay_digest(const void *bytes, size_t n, uint64_t out[2])
{
    if (!((bytes || !n) && out))
        return;
    keyed_digest(bytes, n, out);
}

#define MAY_BE_NULL                                                                                                    \
    "only refuse, refuse_call, refuse_use, choices, equal, cut, describe, join, renews, content and invoke may be "    \
    "NULL"

bool spec_is_whole(const assay_spec *s, assay_error *e)
{
    if (!s || (s->name && s->title && s->methods &&
               (!s->create || (s->copy && s->destroy && s->step && s->undo && s->digest))))
        return true;
    error_set(e, ASSAY_ERROR_USAGE, "the specification %s lacks a name, methods or a hook that every specification has",
              s->name ? s->name : "without a name");
    error_remedy(e, "%s", MAY_BE_NULL);
    return false;
}

/* The part that a call concerns is named by one of its arguments. */
static const assay_method *without_key(const assay_spec *s)
{
    for (const assay_method *m = s->methods; m->name; m++)
        if (m->key >= 0 && m->arity != ASSAY_ANY_ARITY && m->key >= (m->arity == ASSAY_NONE_OR_ONE ? 1 : m->arity))
            return m;
    return NULL;
}

const assay_spec *assay_spec_load(const char *path, assay_error *e)
{
    if (!GIVEN(path, e))
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const assay_spec *s = library ? dlsym(library, "assay_spec_plugin") : NULL;
    if (!library) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot load the specification: %s", dlerror());
        error_remedy(e, "give a shared object by its path, as in ./ticket.so");
    } else if (!s) {
        error_set(e, ASSAY_ERROR_INPUT, "%s exports no assay_spec_plugin", path);
        error_remedy(e, "examples/ has a specification to start from");
    } else if (s->version != ASSAY_SPEC_VERSION || !spec_is_whole(s, NULL) || !s->create) {
        bool other = s->version != ASSAY_SPEC_VERSION;
        error_set(e, ASSAY_ERROR_INPUT,
                  other ? "%s is built for another version of assay.h"
                        : "%s lacks a name, methods or a hook that every specification has",
                  path);
        error_remedy(e, "%s", other ? "build it again" : MAY_BE_NULL);
        s = NULL;
    } else if (without_key(s)) {
        const assay_method *m = without_key(s);
        error_set(e, ASSAY_ERROR_INPUT, "%s: the key of %s is its argument %d, and it has %d", path, m->name, m->key,
                  m->arity == ASSAY_NONE_OR_ONE ? 1 : m->arity);
        error_remedy(e, "arguments count from 0; ASSAY_NO_KEY: the call concerns the whole object");
        s = NULL;
    }
    return s;
}
