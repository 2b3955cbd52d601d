/* SPDX-License-Identifier: Apache-2.0 */
/* The image of a checker behind its hold-back (holdback.h).
 *
 * A checker of all linearizations that has taken over (`jit`) is saved with it. It is of an object whose states can be
 * saved, since the objects that have a scan of their own can. */
#include "scan/holdback.h"

#include "base/image.h"
#include "base/mem.h"

#include <string.h>

static void image_records(struct image *x, struct holdback *l)
{
    uint32_t n = image_count(x, l->records.all.n, sizeof(struct online_op));
    while (x->loads && l->records.all.n < n)
        vec_push(l->mem, &l->records.all, ((struct scan_op){.args = NULL}));
    for (uint32_t i = 0; i < n; i++) {
        struct scan_op *o = &l->records.all.at[i];
        image_plain(x, &o->op);
        image_plain(x, &o->mark);
        image_plain(x, &o->uses);
        image_plain(x, &o->dead);
        o->arity = image_count(x, o->arity, 0);
        uint32_t several = image_count(x, o->arity > 1 && o->args && o->room >= o->arity ? o->arity : 0,
                                       sizeof *o->args);
        if (x->loads && several) {
            o->args = mem_new(l->mem, struct value, several);
            o->room = several;
        }
        image_bytes(x, o->args, several * sizeof *o->args);
    }
    image_vec(x, l->mem, &l->records.free);
}

static assay_value with_letters(const struct holdback *l, struct value v)
{
    size_t length = 0;
    const char *letters = kind_is_text(v.kind) && l->setup.text ? l->setup.text(l->setup.text_arg, v, &length) : NULL;
    return value_with_text(v, letters, length);
}

static void image_init(struct image *x, struct holdback *l)
{
    uint32_t n = image_count(x, l->journal.init.n, 1);
    if (x->loads)
        vec_clear(&l->journal.init);
    for (uint32_t i = 0; i < n; i++) {
        struct value key = {0}, value = {0};
        uint32_t header = 0;
        if (!x->loads) {
            key = value_internal(l->journal.init.at[i].key);
            value = value_internal(l->journal.init.at[i].value);
            header = l->journal.init.at[i].header;
        }
        image_plain(x, &key);
        image_plain(x, &value);
        image_plain(x, &header);
        if (x->loads)
            vec_push(l->mem, &l->journal.init, ((assay_binding){with_letters(l, key), with_letters(l, value), header}));
    }
}

/* Why violations may have been missed. The text stays as long as the checker. */
static void image_missed(struct image *x, struct holdback *l)
{
    char *missed = l->missed ? mem_text(l->mem, l->missed, strlen(l->missed)) : NULL;
    image_text(x, l->mem, &missed);
    if (x->loads)
        l->missed = missed;
    else
        mem_free(l->mem, missed);
}

void holdback_image(void *state, struct image *x)
{
    struct holdback *l = state;
    bool has_init = l->setup.setting.init_count, has_jit = l->jit;
    image_records(x, l);
    image_plain(x, &l->live);
    image_vec(x, l->mem, &l->open);
    image_ring(x, l->mem, &l->waiting);
    image_plain(x, &l->now);
    image_vec(x, l->mem, &l->journal.ops);
    image_plain(x, &l->journal.limit);
    image_plain(x, &l->journal.complete);
    image_init(x, l);
    image_plain(x, &l->weak);
    image_vec(x, l->mem, &l->dead);
    image_plain(x, &l->left_out);
    image_plain(x, &l->over);
    image_missed(x, l);
    image_plain(x, &l->setup.attached);
    image_plain(x, &has_init);
    image_plain(x, &has_jit);
    if (!has_init)
        l->setup.setting.init_count = 0;
    l->scan->image(l->state, x);
    if (has_jit && x->loads)
        l->jit = holdback_open_jit(l, &(struct past){0});
    if (has_jit)
        holdback_image(l->jit, x);
}
