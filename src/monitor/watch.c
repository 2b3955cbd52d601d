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
                                                      .text_arg = w->symbols,
                                                      .visibility = w->visibility,
                                                      .window = w->window});
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

/* Shows the checker the events that the quarantine lets through. False: a violation. */
static bool let_through(struct watch *w, bool all)
{
    const struct held *h;
    while ((h = quarantine_next(w->quarantine, all))) {
        if (!h->is_return)
            w->online->call(w->state, h->slot, h->step, h->method, &h->arg, h->arg.kind != ASSAY_NONE);
        else if (!w->online->ret(w->state, h->slot, h->step, h->result))
            return false;
    }
    return true;
}

/* ---- an object that is not checked now ---- */

static void pass_call(struct watch *w, uint32_t slot)
{
    w->alone = w->open == 1 ? slot : ID_NONE;
}

static void pass_return(struct watch *w, uint32_t slot, const assay_method *method)
{
    w->left_out++;
    if (w->alone == slot && !w->online->weak && w->spec->renews && w->spec->renews(method->id))
        start(w, w->setting);
}

/* ---- events ---- */

void watch_call(struct watch *w, struct id id, uint32_t slot, uint64_t step, const assay_method *method,
                const struct value *args, uint32_t arity)
{
    w->open++;
    if (!w->state)
        pass_call(w, slot);
    else if (w->quarantine)
        quarantine_call(w->quarantine, slot, step, method->id, arity ? args[0] : (struct value){0}, false);
    else {
        if (w->online->caller)
            w->online->caller(w->state, method, id.text, id.length);
        w->online->call(w->state, slot, step, method->id, args, arity);
    }
}

bool watch_return(struct watch *w, uint32_t slot, uint64_t step, const assay_method *method, struct value result)
{
    w->open--;
    if (!w->state) {
        pass_return(w, slot, method);
        return true;
    }
    if (!w->quarantine)
        return w->online->ret(w->state, slot, step, result);
    quarantine_return(w->quarantine, slot, step, result);
    return let_through(w, false);
}

enum online_verdict watch_finish(struct watch *w)
{
    if (!w->state)
        return ONLINE_FINE;
    if (w->quarantine && !let_through(w, true))
        return ONLINE_VIOLATION;
    return w->online->finish(w->state);
}

void watch_explain(const struct watch *w, struct online_fault *out, struct mem *m)
{
    w->online->explain(w->state, out, m);
}

/* ---- going on ---- */

static void first_quarantine(struct watch *w, const struct slots *slots, uint32_t self)
{
    w->quarantine = mem_new_zero(w->mem, struct quarantine, 1);
    w->quarantine->symbols = w->symbols;
    w->quarantine->spec = w->spec;
    for (uint32_t slot = 0; slot < slots->all.n; slot++) {
        const struct open_call *o = &slots->all.at[slot];
        if (o->length && o->watch == self)
            quarantine_call(w->quarantine, slot, o->step, o->method->id, o->args.n ? o->args.at[0] : (struct value){0},
                            true);
    }
}

/* Can operations be left out by the values they name? */
static bool can_quarantine(const struct watch *w)
{
    return !w->online->weak && w->spec->names != ASSAY_NAMES_NONE &&
           (!w->online->names_all || w->online->names_all(w->state));
}

/* A fresh checker, to which nothing has been shown yet. */
static void renew(struct watch *w, const struct slots *slots, uint32_t self)
{
    w->alone = ID_NONE;
    if (!can_quarantine(w)) {
        stop(w);
        return;
    }
    bool first = !w->quarantine;
    if (first)
        first_quarantine(w, slots, self);
    w->online->each_value(w->state, quarantine_value, w->quarantine);
    if (!first)
        quarantine_restart(w->quarantine);
    stop(w);
    /* Its initial values are gone, or remembered and hence quarantined. */
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
    if (w->state && w->quarantine) /* it may have removed a value that was added since */
        quarantine_each_value(w->quarantine, quarantine_value, w->quarantine);
    if (w->state)
        renew(w, slots, self);
    if (!w->state) {
        w->left_out++;
        return true;
    }
    quarantine_lose(w->quarantine, slot);
    return let_through(w, false);
}

void watch_end(struct watch *w)
{
    stop(w);
    if (w->quarantine)
        quarantine_free(w->quarantine);
    mem_free(w->mem, w->quarantine);
    for (size_t i = 0; i < w->setting.init_count; i++) {
        const assay_binding *b = &w->setting.init[i];
        symbols_unpin(w->symbols, value_internal(b->key));
        symbols_unpin(w->symbols, value_internal(b->value));
    }
    symbols_unpin(w->symbols, value_internal(w->setting.parameter));
    mem_free(w->mem, (void *)(uintptr_t)w->setting.init);
    mem_free(w->mem, w->name);
    mem_free(w->mem, w->kind);
    mem_free(w->mem, w->engine);
}

void watch_abandon(struct watch *w)
{
    if (w->state && w->online->abandon)
        w->online->abandon(w->state);
    w->state = NULL;
}

/* ---- questions ---- */

void watch_each_value(const struct watch *w, void (*visit)(void *arg, struct value v), void *arg)
{
    if (w->state)
        w->online->each_value(w->state, visit, arg);
    if (w->quarantine)
        quarantine_each_value(w->quarantine, visit, arg);
}

uint64_t watch_live(const struct watch *w)
{
    return w->state ? w->online->live(w->state) : 0;
}

uint64_t watch_left_out(const struct watch *w)
{
    return w->left_out + (w->quarantine ? w->quarantine->left_out : 0);
}
