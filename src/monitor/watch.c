/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/watch.h"


#include <string.h>

/* ---- methods ---- */

const assay_method *watch_method(struct watch *w, struct id name)
{
    uint32_t at = name.length <= ID_PACKED ? 0 : WATCH_CACHE;
    for (; at < WATCH_CACHE && w->cache[at].method; at++)
        if (w->cache[at].key == name.key)
            return w->cache[at].method;
    const assay_method *m = w->spec->methods;
    while (m->name && (strlen(m->name) != name.length || memcmp(m->name, name.text, name.length) != 0))
        m++;
    if (!m->name)
        return NULL;
    if (at < WATCH_CACHE) {
        w->cache[at].key = name.key;
        w->cache[at].method = m;
    }
    return m;
}

/* ---- checkers ---- */

static void start(struct watch *w, assay_setting setting)
{
    w->state = w->online->open(&(struct online_setup){.spec = w->spec,
                                                      .setting = setting,
                                                      .variant = w->variant,
                                                      .mem = w->mem,
                                                      .budget = w->budget,
                                                      .text = symbols_text,
                                                      .text_arg = w->symbols});
}

static void stop(struct watch *w)
{
    if (w->state)
        w->online->close(w->state);
    w->state = NULL;
}

void watch_start(struct watch *w)
{
    w->alone = ID_NONE;
    start(w, w->setting);
}

/* Shows the checker what the sieve lets through. False: a violation. */
static bool let_through(struct watch *w, bool all)
{
    const struct held *h;
    while ((h = sieve_next(w->sieve, all))) {
        if (!h->is_return)
            w->online->call(w->state, h->slot, h->step, h->method, &h->arg, h->arg.kind != ASSAY_NONE);
        else if (!w->online->ret(w->state, h->slot, h->step, h->result))
            return false;
    }
    return true;
}

/* ---- an object that nobody looks at ---- */

static void pass_call(struct watch *w, uint32_t slot)
{
    w->alone = w->open == 1 ? slot : ID_NONE;
}

static void pass_return(struct watch *w, uint32_t slot, const assay_method *method)
{
    w->left_out++;
    if (w->alone == slot && w->spec->renews && w->spec->renews(method->id))
        start(w, w->setting);
}

/* ---- events ---- */

void watch_call(struct watch *w, uint32_t slot, uint64_t step, const assay_method *method, const struct value *args,
                uint32_t arity)
{
    w->open++;
    if (!w->state)
        pass_call(w, slot);
    else if (w->sieve)
        sieve_call(w->sieve, slot, step, method->id, arity ? args[0] : (struct value){0}, false);
    else
        w->online->call(w->state, slot, step, method->id, args, arity);
}

bool watch_return(struct watch *w, uint32_t slot, uint64_t step, const assay_method *method, struct value result)
{
    w->open--;
    if (!w->state) {
        pass_return(w, slot, method);
        return true;
    }
    if (!w->sieve)
        return w->online->ret(w->state, slot, step, result);
    sieve_return(w->sieve, slot, step, result);
    return let_through(w, false);
}

enum online_verdict watch_finish(struct watch *w)
{
    if (!w->state)
        return ONLINE_FINE;
    if (w->sieve && !let_through(w, true))
        return ONLINE_VIOLATION;
    return w->online->finish(w->state);
}

void watch_explain(const struct watch *w, struct online_fault *out, struct mem *m)
{
    w->online->explain(w->state, out, m);
}

/* ---- going on ---- */

static void taint_visited(void *arg, struct value v)
{
    struct sieve *sieve = arg;
    taint_add(&sieve->taint, sieve->symbols, v);
}

static void first_sieve(struct watch *w, const struct slots *slots, uint32_t self)
{
    w->sieve = mem_new_zero(w->mem, struct sieve, 1);
    w->sieve->symbols = w->symbols;
    w->sieve->spec = w->spec;
    for (uint32_t slot = 0; slot < slots->all.n; slot++) {
        const struct open_call *o = &slots->all.at[slot];
        if (o->length && o->watch == self)
            sieve_call(w->sieve, slot, o->step, o->method->id, o->args.n ? o->args.at[0] : (struct value){0}, true);
    }
}

/* Can operations be left out by the values they name? */
static bool can_sieve(const struct watch *w)
{
    return taint_suits(w->spec) && (!w->online->names_all || w->online->names_all(w->state));
}

/* A fresh checker, to which nothing has been shown yet. */
static void renew(struct watch *w, const struct slots *slots, uint32_t self)
{
    w->alone = ID_NONE;
    if (!can_sieve(w)) {
        stop(w);
        return;
    }
    bool first = !w->sieve;
    if (first)
        first_sieve(w, slots, self);
    w->online->each_value(w->state, taint_visited, w->sieve);
    if (!first)
        sieve_restart(w->sieve);
    stop(w);
    /* What it held at the beginning is gone, or remembered and hence tainted. */
    start(w, (assay_setting){.parameter = w->setting.parameter});
}

bool watch_restart(struct watch *w, const struct slots *slots, uint32_t self)
{
    renew(w, slots, self);
    return !w->state || let_through(w, false);
}

bool watch_lose(struct watch *w, const struct slots *slots, uint32_t self, uint32_t slot)
{
    w->open--;
    w->alone = ID_NONE;
    if (w->state && w->sieve) /* it may have removed what was added since */
        sieve_each_value(w->sieve, taint_visited, w->sieve);
    if (w->state)
        renew(w, slots, self);
    if (!w->state) {
        w->left_out++;
        return true;
    }
    sieve_lose(w->sieve, slot);
    return let_through(w, false);
}

void watch_end(struct watch *w)
{
    stop(w);
    if (w->sieve)
        sieve_free(w->sieve);
    mem_free(w->mem, w->sieve);
    for (size_t i = 0; i < w->setting.init_count; i++) {
        const assay_binding *b = &w->setting.init[i];
        symbols_unpin(w->symbols, online_value(b->key));
        symbols_unpin(w->symbols, online_value(b->value));
    }
    symbols_unpin(w->symbols, online_value(w->setting.parameter));
    mem_free(w->mem, (void *)(uintptr_t)w->setting.init);
    mem_free(w->mem, w->name);
    mem_free(w->mem, w->kind);
    mem_free(w->mem, w->engine);
}

/* ---- what it knows ---- */

void watch_each_value(const struct watch *w, void (*visit)(void *arg, struct value v), void *arg)
{
    if (w->state)
        w->online->each_value(w->state, visit, arg);
    if (w->sieve)
        sieve_each_value(w->sieve, visit, arg);
}

uint64_t watch_live(const struct watch *w)
{
    return w->state ? w->online->live(w->state) : 0;
}

uint64_t watch_left_out(const struct watch *w)
{
    return w->left_out + (w->sieve ? w->sieve->left_out : 0);
}
