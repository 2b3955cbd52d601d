/* SPDX-License-Identifier: Apache-2.0 */
#include "search/state_image.h"

struct bindings {
    assay_memory *memory;
    assay_binding *at;
    uint32_t n, room;
};

/* It is called by a hook, which an escape must not jump over: the want of memory is noted (hooks.h). */
static void take(void *arg, assay_binding b)
{
    struct bindings *to = arg;
    if (to->n == to->room) {
        uint32_t room = to->room ? 2 * to->room : 8;
        assay_binding *wider = assay_memory_resize(to->memory, to->at, room * sizeof *wider);
        if (!wider)
            return;
        to->at = wider;
        to->room = room;
    }
    to->at[to->n++] = b;
}

static bool is_made_up(assay_value v)
{
    return kind_is_text(v.kind) && !v.integer;
}

static void image_value(const struct state_imaging *how, assay_value *v)
{
    struct image *x = how->x;
    image_plain(x, &v->kind);
    image_plain(x, &v->integer);
    if (!is_made_up(*v)) {
        if (x->loads)
            *v = how->known(how->arg, value_internal(*v));
        return;
    }
    uint32_t n = image_count(x, (uint32_t)v->length, 1);
    if (x->loads)
        *v = assay_string(mem_zero(how->mem, n + 1), n);
    image_bytes(x, (void *)(uintptr_t)v->text, n);
}

static void free_value(const struct state_imaging *how, assay_value v)
{
    if (is_made_up(v))
        mem_free(how->mem, (void *)(uintptr_t)v.text);
}

static void *created(const struct state_imaging *how, const struct bindings *content)
{
    assay_setting setting = {how->parameter, content->at, content->n};
    void *state = hook_create(how->spec, &setting, how->key, how->mem);
    for (uint32_t i = 0; i < content->n; i++) {
        free_value(how, content->at[i].key);
        free_value(how, content->at[i].value);
    }
    return state;
}

void *state_image(const struct state_imaging *how, void *state)
{
    struct bindings content = {.memory = (assay_memory *)how->mem};
    if (!how->x->loads)
        hook_content(how->spec, state, take, &content);
    uint32_t n = image_count(how->x, content.n, 1);
    for (uint32_t i = 0; i < n; i++) {
        if (how->x->loads)
            take(&content, (assay_binding){0});
        escape_raise_if_noted();
        image_value(how, &content.at[i].key);
        image_value(how, &content.at[i].value);
    }
    if (how->x->loads)
        state = created(how, &content);
    mem_free(how->mem, content.at);
    return state;
}
