/* SPDX-License-Identifier: Apache-2.0 */
/* All that `exact-jit` holds, walked through twice: for a checkpoint, and for the values that must stay alive. */
#include "scan/jit_scan.h"
#include "search/state_image.h"

struct visiting {
    void (*visit)(void *arg, struct value v);
    void *arg;
    const assay_spec *spec;
};

/* A text without a number is the state's own. */
static void visit_value(const struct visiting *to, assay_value v)
{
    if (!kind_is_text(v.kind) || v.integer)
        to->visit(to->arg, value_internal(v));
}

static void visit_binding(void *arg, assay_binding b)
{
    visit_value(arg, b.key);
    visit_value(arg, b.value);
}

static void visit_state(void *arg, const void *state)
{
    hook_content(((const struct visiting *)arg)->spec, state, visit_binding, arg);
}

static void visit_call(const struct call_record *r, void (*visit)(void *arg, struct value v), void *arg)
{
    for (unsigned i = 0; i < r->call.arg_count; i++)
        visit(arg, value_internal(r->args[i]));
    visit(arg, r->op.result);
}

void jit_scan_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct jit_scan *j = state;
    struct visiting v = {visit, arg, j->s.spec};
    value_map_each(&j->texts, visit, arg);
    for (uint32_t i = 0; i < j->parts.n; i++) {
        const struct jit_part *p = &j->parts.at[i];
        if (!p->configurations)
            continue;
        visit(arg, p->key);
        if (!j->keeps_texts)
            configurations_each_state(p->configurations, visit_state, &v);
    }
    if (j->rest && !j->keeps_texts)
        visit_state(&v, j->rest);
    for (uint32_t i = 0; i < j->calls.n; i++)
        if (j->calls.at[i]->op.called)
            visit_call(j->calls.at[i], visit, arg);
    visit(arg, j->wrong.arg);
    visit(arg, j->wrong.result);
}

static assay_value known(void *j, struct value v)
{
    return jit_scan_value(j, v);
}

static struct state_imaging imaging(struct jit_scan *j, struct image *x, struct value key)
{
    return (struct state_imaging){.x = x,
                                  .spec = j->s.spec,
                                  .parameter = j->s.setting.parameter,
                                  .key = jit_scan_value(j, key),
                                  .mem = j->s.mem,
                                  .known = known,
                                  .arg = j};
}

static void image_call(struct jit_scan *j, struct image *x, struct call_record *r)
{
    uint32_t n = image_count(x, r->call.arg_count, sizeof(struct value));
    if (x->loads) {
        r->args = mem_new(j->s.mem, assay_value, n + 1);
        r->room = n + 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct value v = x->loads ? (struct value){0} : value_internal(r->args[i]);
        image_plain(x, &v);
        r->args[i] = jit_scan_value(j, v);
    }
    image_plain(x, &r->op);
    image_plain(x, &r->part);
    image_plain(x, &r->slot);
    r->call = (assay_call){
        .method = r->op.method, .arg_count = n, .args = r->args, .result = jit_scan_value(j, r->op.result)};
}

static void image_part(struct jit_scan *j, struct image *x, struct jit_part *p)
{
    bool used = p->configurations;
    image_plain(x, &used);
    image_plain(x, &p->key);
    image_plain(x, &p->open);
    image_plain(x, &p->unknown);
    image_plain(x, &p->alone);
    if (x->loads && used)
        p->configurations = jit_scan_begin(j, p->key, p->start);
    struct state_imaging how = imaging(j, x, p->key);
    if (used)
        configurations_image(p->configurations, &how);
}

static void image_parts(struct jit_scan *j, struct image *x)
{
    struct state_imaging whole = imaging(j, x, (struct value){0});
    bool rest = j->rest;
    image_plain(x, &rest);
    uint32_t n = image_count(x, j->parts.n, 1);
    if (x->loads)
        jit_scan_free_parts(j);
    for (uint32_t i = 0; i < n; i++) {
        if (x->loads)
            vec_push(j->s.mem, &j->parts, (struct jit_part){0});
        image_part(j, x, &j->parts.at[i]);
    }
    image_vec(x, j->s.mem, &j->free_parts);
    if (rest)
        j->rest = state_image(&whole, j->rest);
}

void jit_scan_image(void *state, struct image *x)
{
    struct jit_scan *j = state;
    struct mem *m = j->s.mem;
    bool has_init = j->s.setting.init_count;
    image_plain(x, &has_init);
    if (!has_init)
        j->s.setting.init_count = 0;
    image_plain(x, &j->s.attached);
    image_plain(x, &j->split);
    image_plain(x, &j->gave_up);
    image_plain(x, &j->stopped);
    image_plain(x, &j->credit);
    value_map_image(x, m, &j->texts);
    value_map_image(x, m, &j->keys);
    uint32_t n = image_count(x, j->calls.n, sizeof(struct online_op));
    for (uint32_t i = 0; i < n; i++) {
        if (x->loads) {
            vec_push(m, &j->calls, NULL);
            j->calls.at[i] = mem_new_zero(m, struct call_record, 1);
        }
        image_call(j, x, j->calls.at[i]);
    }
    image_vec(x, m, &j->free_calls);
    image_parts(j, x);
    for (uint32_t i = 0; i < n && x->loads; i++) {
        const struct call_record *r = j->calls.at[i];
        if (r->op.called && r->part != ID_NONE && r->slot != ID_NONE)
            configurations_reopen(j->parts.at[r->part].configurations, r->slot, &r->call);
    }
}
