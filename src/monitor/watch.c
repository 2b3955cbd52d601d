/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/watch.h"

#include "base/image.h"
#include "scan/reveal.h"

#include <string.h>

enum { FEW_RECENT = 256 };

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

static struct online_setup setup_of(const struct watch *w, assay_setting setting)
{
    return (struct online_setup){.spec = w->spec,
                                 .setting = setting,
                                 .variant = w->variant,
                                 .mem = w->mem,
                                 .budget = w->budget,
                                 .text = symbols_text,
                                 .text_arg = w->symbols,
                                 .visibility = w->visibility,
                                 .window = w->window};
}

static void start(struct watch *w, assay_setting setting)
{
    struct online_setup setup = setup_of(w, setting);
    w->state = w->online->open(&setup);
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
    w->content = w->attached ? WATCH_IDLE : WATCH_KNOWN;
    if (!w->attached)
        start(w, w->setting);
}

/* Shows a fresh checker the calls that never returned. Behind a quarantine, those that name a value are left out with
 * it. */
static void show_dead(struct watch *w)
{
    for (uint32_t i = 0; i < w->dead.n; i++) {
        struct dead_call *d = &w->dead.at[i];
        if (w->quarantine && d->args.n)
            quarantine_value(w->quarantine, d->args.at[0]);
        if (d->held || (w->quarantine && d->args.n))
            continue;
        w->online->call(w->state, 0, d->step, d->method, d->args.at, d->args.n);
        w->online->died(w->state, 0);
    }
}

static void note_dead(struct watch *w, uint64_t step, unsigned method, const struct value *args, uint32_t arity,
                      const char *text)
{
    struct dead_call d = {.step = step, .method = method, .text = mem_text(w->mem, text, strlen(text))};
    for (uint32_t i = 0; i < arity; i++)
        vec_push(w->mem, &d.args, args[i]);
    vec_push(w->mem, &w->dead, d);
}

static bool let_one_through(struct watch *w, const struct held *h)
{
    if (h->is_return)
        return w->online->ret(w->state, h->slot, h->step, h->result);
    w->online->call(w->state, h->slot, h->step, h->method, &h->arg, h->arg.kind != ASSAY_NONE);
    for (uint32_t i = 0; h->died && i < w->dead.n; i++)
        w->dead.at[i].held &= w->dead.at[i].step != h->step;
    return !h->died || w->online->died(w->state, h->slot);
}

/* Shows the checker the events that the quarantine lets through. False: a violation. */
static bool let_through(struct watch *w, bool all)
{
    const struct held *h;
    while ((h = quarantine_next(w->quarantine, all)))
        if (!let_one_through(w, h))
            return false;
    return true;
}

/* ---- an object that is not checked now ---- */

static void pass_call(struct watch *w, uint32_t slot)
{
    w->unchecked += w->retired;
    w->alone = w->open == 1 ? slot : ID_NONE;
}

static void first_quarantine(struct watch *w, const struct slots *slots, uint32_t self, uint32_t but);

/* Operations that returned before every open call are of no interest: an operation that overlaps them has returned. */
static void prune_recent(struct watch *w, const struct slots *slots, uint32_t self)
{
    uint64_t oldest = UINT64_MAX;
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < slots->all.n; slot++)
        if (slots->all.at[slot].length && slots->all.at[slot].watch == self && slots->all.at[slot].step < oldest)
            oldest = slots->all.at[slot].step;
    for (uint32_t i = 0; i < w->recent.n; i++)
        if (w->recent.at[i].returned > oldest)
            w->recent.at[kept++] = w->recent.at[i];
    w->recent.n = kept;
    w->recent_limit = kept < FEW_RECENT / 2 ? FEW_RECENT : 2 * kept;
}

static void note_recent(struct watch *w, uint64_t step, struct value v)
{
    if (v.kind != ASSAY_NONE)
        vec_push(w->mem, &w->recent, ((struct recent_value){step, v}));
}

/* No content is left from before `step`. The open calls may be from before, but for the one in the slot `but`. */
static void begin_behind_quarantine(struct watch *w, const struct slots *slots, uint32_t self, uint32_t but,
                                    uint64_t step)
{
    first_quarantine(w, slots, self, but);
    for (uint32_t i = 0; i < w->recent.n; i++)
        if (w->recent.at[i].returned > step)
            quarantine_value(w->quarantine, w->recent.at[i].value);
    vec_free(w->mem, &w->recent);
    w->content = WATCH_KNOWN;
    start(w, (assay_setting){.parameter = w->setting.parameter});
    show_dead(w);
}

/* The operation that has returned may reveal the end of the content. */
static void look_for_end(struct watch *w, const struct slots *slots, uint32_t slot, uint64_t step, struct value result)
{
    const struct open_call *o = &slots->all.at[slot];
    note_recent(w, step, o->args.n ? o->args.at[0] : (struct value){0});
    note_recent(w, step, result);
    if (o->step < w->since || !reveals_end_of_content(w->spec, o->method->id, result)) {
        if (w->recent.n >= w->recent_limit)
            prune_recent(w, slots, o->watch);
        return;
    }
    begin_behind_quarantine(w, slots, o->watch, slot, o->step);
}

static void pass_return(struct watch *w, const struct slots *slots, uint32_t slot, uint64_t step, struct value result)
{
    const assay_method *method = slots->all.at[slot].method;
    w->unchecked += w->retired;
    w->left_out += !w->retired;
    if (w->content == WATCH_UNKNOWN)
        look_for_end(w, slots, slot, step, result);
    else if (w->content == WATCH_KNOWN && !w->retired && w->alone == slot && !w->online->weak && w->spec->renews &&
             w->spec->renews(method->id)) {
        start(w, w->setting);
        show_dead(w);
    }
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

bool watch_return(struct watch *w, const struct slots *slots, uint32_t slot, uint64_t step, struct value result)
{
    w->open--;
    if (!w->state) {
        pass_return(w, slots, slot, step, result);
        return true;
    }
    if (!w->quarantine)
        return w->online->ret(w->state, slot, step, result);
    quarantine_return(w->quarantine, slot, step, result);
    return let_through(w, false);
}

bool watch_can_lose_callers(const struct watch *w)
{
    return w->online->died;
}

bool watch_died(struct watch *w, const struct slots *slots, uint32_t slot, const char *text)
{
    const struct open_call *o = &slots->all.at[slot];
    w->open--;
    w->alone = w->alone == slot ? ID_NONE : w->alone;
    if (w->retired)
        return true;
    note_dead(w, o->step, o->method->id, o->args.at, o->args.n, text);
    if (!w->state) {
        w->left_out++;
        return true;
    }
    if (!w->quarantine)
        return w->online->died(w->state, slot);
    vec_last(&w->dead).held = true;
    quarantine_died(w->quarantine, slot);
    return let_through(w, false);
}

const char *watch_doubt(const struct watch *w)
{
    uint64_t step = w->state && w->online->doubt ? w->online->doubt(w->state) : 0;
    for (uint32_t i = 0; i < w->dead.n; i++)
        if (w->dead.at[i].step == step)
            return w->dead.at[i].text;
    return step ? "a call" : NULL;
}

enum online_verdict watch_finish(struct watch *w)
{
    if (!w->state)
        return ONLINE_FINE;
    if (w->quarantine && !let_through(w, true))
        return watch_doubt(w) ? ONLINE_OPEN : ONLINE_VIOLATION;
    return w->online->finish(w->state);
}

void watch_explain(const struct watch *w, struct online_fault *out, struct mem *m)
{
    w->online->explain(w->state, out, m);
}

/* ---- going on ---- */

static bool attaches_itself(const struct watch *w)
{
    struct online_setup setup = setup_of(w, w->setting);
    return w->online->attaches && w->online->attaches(&setup);
}

/* The open calls are from before, but for the one in the slot `but`, which has returned. */
static void first_quarantine(struct watch *w, const struct slots *slots, uint32_t self, uint32_t but)
{
    w->quarantine = mem_new_zero(w->mem, struct quarantine, 1);
    w->quarantine->symbols = w->symbols;
    w->quarantine->spec = w->spec;
    for (uint32_t slot = 0; slot < slots->all.n; slot++) {
        const struct open_call *o = &slots->all.at[slot];
        if (o->length && o->watch == self && slot != but)
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
        first_quarantine(w, slots, self, ID_NONE);
    w->online->each_value(w->state, quarantine_value, w->quarantine);
    if (!first)
        quarantine_restart(w->quarantine);
    stop(w);
    /* Its initial values are gone, or remembered and hence quarantined. */
    start(w, (assay_setting){.parameter = w->setting.parameter});
    show_dead(w);
}

bool watch_restart(struct watch *w, const struct slots *slots, uint32_t self, uint64_t step)
{
    if (w->attached && attaches_itself(w)) {
        watch_detach(w);
        watch_attach(w, slots, self, step + 1);
        return true;
    }
    if (w->dead.n && w->state && !can_quarantine(w) && watch_can_attach(w)) { /* what it holds is unknown from here */
        w->attached = true;
        watch_detach(w);
        watch_attach(w, slots, self, step + 1);
        return true;
    }
    renew(w, slots, self);
    return !w->state || let_through(w, false);
}

bool watch_is_unknown(const struct watch *w)
{
    return !w->state && !w->retired && w->content != WATCH_KNOWN;
}

bool watch_is_lost(const struct watch *w)
{
    return !w->state && w->content == WATCH_KNOWN && (w->online->weak || !w->spec->renews);
}

bool watch_lose(struct watch *w, const struct slots *slots, uint32_t self, uint32_t slot)
{
    w->open--;
    if (w->attached && !w->retired)
        watch_detach(w);
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

static void drop_quarantine(struct watch *w)
{
    if (!w->quarantine)
        return;
    w->left_out += w->quarantine->left_out;
    quarantine_free(w->quarantine);
    mem_free(w->mem, w->quarantine);
    w->quarantine = NULL;
    for (uint32_t i = 0; i < w->dead.n; i++)
        w->dead.at[i].held = false;
}

static void forget_dead(struct watch *w)
{
    for (uint32_t i = 0; i < w->dead.n; i++) {
        vec_free(w->mem, &w->dead.at[i].args);
        mem_free(w->mem, w->dead.at[i].text);
    }
    vec_free(w->mem, &w->dead);
}

void watch_end(struct watch *w)
{
    stop(w);
    drop_quarantine(w);
    forget_dead(w);
    vec_free(w->mem, &w->recent);
    for (uint32_t i = 0; i < w->first_args.n; i++)
        symbols_unpin(w->symbols, w->first_args.at[i]);
    vec_free(w->mem, &w->first_args);
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

/* ---- an unknown content ---- */

static bool waits_for_end(const struct watch *w)
{
    return !w->online->weak && w->spec->names != ASSAY_NAMES_NONE &&
           (reveal_knows(w->spec) || reveal_is_stateless(w->spec));
}

bool watch_can_attach(const struct watch *w)
{
    return w->online->guarantee == ONLINE_EXACT && (attaches_itself(w) || waits_for_end(w));
}

void watch_detach(struct watch *w)
{
    stop(w);
    drop_quarantine(w);
    vec_free(w->mem, &w->recent);
    w->content = WATCH_IDLE;
}

void watch_retire(struct watch *w)
{
    watch_detach(w);
    w->content = WATCH_KNOWN;
    w->retired = true;
}

void watch_lose_all(struct watch *w)
{
    w->left_out += w->open;
    w->open = 0;
    w->alone = ID_NONE;
    w->attached = true;
    if (w->retired || !watch_can_attach(w))
        watch_retire(w);
    else
        watch_detach(w);
}

/* Shows the checker the calls that are open. */
static void show_open(struct watch *w, const struct slots *slots, uint32_t self)
{
    VEC(uint32_t) open = {0};
    for (uint32_t slot = 0; slot < slots->all.n; slot++)
        if (slots->all.at[slot].length && slots->all.at[slot].watch == self) {
            uint32_t i = open.n;
            vec_push(w->mem, &open, slot);
            for (; i && slots->all.at[open.at[i - 1]].step > slots->all.at[slot].step; i--)
                open.at[i] = open.at[i - 1];
            open.at[i] = slot;
        }
    for (uint32_t i = 0; i < open.n; i++) {
        const struct open_call *o = &slots->all.at[open.at[i]];
        w->online->call(w->state, open.at[i], o->step, o->method->id, o->args.at, o->args.n);
    }
    vec_free(w->mem, &open);
}

void watch_attach(struct watch *w, const struct slots *slots, uint32_t self, uint64_t step)
{
    if (w->retired)
        return;
    w->recent_limit = FEW_RECENT;
    w->since = step;
    w->content = attaches_itself(w) ? WATCH_KNOWN : WATCH_UNKNOWN;
    if (w->content == WATCH_UNKNOWN && reveal_is_stateless(w->spec))
        begin_behind_quarantine(w, slots, self, ID_NONE, step);
    if (w->content == WATCH_UNKNOWN || w->quarantine)
        return;
    struct online_setup setup = setup_of(w, (assay_setting){.parameter = w->setting.parameter});
    setup.attached = step;
    w->state = w->online->open(&setup);
    show_dead(w);
    show_open(w, slots, self);
}

/* ---- saving ---- */

bool watch_can_save(const struct watch *w)
{
    struct online_setup setup = setup_of(w, w->setting);
    return w->online->saves && w->online->saves(&setup);
}

static void image_quarantine(struct watch *w, struct image *x)
{
    bool there = w->quarantine;
    image_plain(x, &there);
    if (x->loads)
        drop_quarantine(w);
    if (!there)
        return;
    if (x->loads) {
        w->quarantine = mem_new_zero(w->mem, struct quarantine, 1);
        w->quarantine->symbols = w->symbols;
        w->quarantine->spec = w->spec;
    }
    quarantine_image(w->quarantine, x);
}

static void image_dead(struct watch *w, struct image *x)
{
    uint32_t n = image_count(x, w->dead.n, 1);
    for (uint32_t i = 0; i < n; i++) {
        if (x->loads)
            vec_push(w->mem, &w->dead, (struct dead_call){0});
        struct dead_call *d = &w->dead.at[i];
        image_plain(x, &d->step);
        image_plain(x, &d->method);
        image_vec(x, w->mem, &d->args);
        image_text(x, w->mem, &d->text);
        image_plain(x, &d->held);
    }
}

void watch_image(struct watch *w, struct image *x)
{
    bool checked = w->state;
    image_plain(x, &checked);
    image_plain(x, &w->open);
    image_plain(x, &w->weak);
    image_plain(x, &w->alone);
    image_plain(x, &w->left_out);
    image_plain(x, &w->unchecked);
    image_plain(x, &w->attached);
    image_plain(x, &w->retired);
    image_plain(x, &w->content);
    image_vec(x, w->mem, &w->recent);
    image_plain(x, &w->recent_limit);
    image_plain(x, &w->since);
    image_plain(x, &w->begun);
    image_quarantine(w, x);
    image_dead(w, x);
    if (x->loads)
        stop(w);
    if (!checked)
        return;
    if (x->loads)
        start(w, w->setting);
    w->online->image(w->state, x);
}

/* ---- questions ---- */

void watch_each_value(const struct watch *w, void (*visit)(void *arg, struct value v), void *arg)
{
    if (w->state)
        w->online->each_value(w->state, visit, arg);
    if (w->quarantine)
        quarantine_each_value(w->quarantine, visit, arg);
    for (uint32_t i = 0; i < w->recent.n; i++)
        visit(arg, w->recent.at[i].value);
    for (uint32_t i = 0; i < w->dead.n; i++)
        for (uint32_t a = 0; a < w->dead.at[i].args.n; a++)
            visit(arg, w->dead.at[i].args.at[a]);
}

uint64_t watch_waiting(const struct watch *w)
{
    uint64_t n = w->quarantine ? w->quarantine->all.n : 0;
    return n + (w->state && w->online->waiting ? w->online->waiting(w->state) : 0);
}

uint64_t watch_live(const struct watch *w)
{
    return w->state ? w->online->live(w->state) : 0;
}

uint64_t watch_left_out(const struct watch *w)
{
    return w->left_out + (w->quarantine ? w->quarantine->left_out : 0);
}
