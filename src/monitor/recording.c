/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/recording.h"

#include "base/image.h"

#include <string.h>

void recording_init(struct recording *r, struct mem *m)
{
    r->mem = m;
    r->at = mem_new_zero(m, struct recorded_call, RECORDED_EVENTS);
}

struct recorded_call *recording_find(const struct recording *r, uint64_t step)
{
    struct recorded_call *c = &r->at[step % RECORDED_EVENTS];
    return step && c->called == step ? c : NULL;
}

void recording_call(struct recording *r, uint64_t step, struct id id, uint32_t watch, uint32_t method,
                    const struct value *args, uint32_t n)
{
    struct recorded_call *c = &r->at[step % RECORDED_EVENTS];
    c->called = step;
    c->returned = 0;
    c->watch = watch;
    c->method = method;
    vec_clear(&c->id);
    vec_reserve(r->mem, &c->id, id.length);
    memcpy(c->id.at, id.text, id.length);
    c->id.n = id.length;
    vec_clear(&c->values);
    for (uint32_t i = 0; i < n; i++)
        vec_push(r->mem, &c->values, args[i]);
}

void recording_return(struct recording *r, uint64_t called, uint64_t step, struct value result)
{
    struct recorded_call *c = recording_find(r, called);
    if (!c)
        return;
    c->returned = step;
    vec_push(r->mem, &c->values, result);
}

void recording_each_value(struct recording *r, uint64_t now, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; i < RECORDED_EVENTS; i++) {
        struct recorded_call *c = &r->at[i];
        if (!recording_reaches(c->called, now))
            c->called = 0;
        for (uint32_t v = 0; c->called && v < c->values.n; v++)
            visit(arg, c->values.at[v]);
    }
}

void recording_image(struct recording *r, struct image *x)
{
    uint32_t used = 0, n;
    for (uint32_t i = 0; !x->loads && i < RECORDED_EVENTS; i++)
        used += r->at[i].called > 0;
    n = image_count(x, used, sizeof r->at->called);
    for (uint32_t i = 0, seen = 0; seen < n; i++) {
        uint64_t called = x->loads ? 0 : r->at[i].called;
        if (!x->loads && !called)
            continue;
        image_plain(x, &called);
        struct recorded_call *c = &r->at[called % RECORDED_EVENTS];
        c->called = called;
        image_plain(x, &c->returned);
        image_plain(x, &c->watch);
        image_plain(x, &c->method);
        image_vec(x, r->mem, &c->id);
        image_vec(x, r->mem, &c->values);
        seen++;
    }
}
