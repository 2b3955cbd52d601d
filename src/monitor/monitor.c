/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/monitor.h"

#include "base/error.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <string.h>

void monitor_init(struct monitor *m)
{
    m->symbols = symbols_in(&m->mem);
    m->slots.mem = &m->mem;
    m->single = ID_NONE;
    m->head = history_new();
    places_init(&m->places, &m->mem);
    recording_init(&m->recording, &m->mem);
    m->settled = m->settle;
}

void monitor_release(struct monitor *m, bool sound)
{
    for (uint32_t i = 0; sound && i < m->watches.n; i++)
        watch_end(&m->watches.at[i]);
    for (uint32_t i = 0; !sound && i < m->watches.n; i++)
        watch_abandon(&m->watches.at[i]);
    report_free(m->first);
    report_free(m->reporting);
    isolation_release(&m->isolation);
    history_free(m->head);
    history_free(m->probe);
    mem_release(&m->scratch);
    mem_release(&m->mem);
}

/* ---- is it a call of the object? ---- */

static const char *objection(const struct monitor *m, const struct watch *w, const assay_method *method,
                             const struct value *args, uint32_t arity, struct value result)
{
    assay_value shown[UINT8_MAX];
    if (!w->spec->refuse_call && !w->spec->refuse_use)
        return NULL;
    for (uint32_t i = 0; i < arity; i++)
        shown[i] = symbols_public(&m->symbols, args[i]);
    assay_call call = {.method = method->id,
                       .arg_count = arity,
                       .args = shown,
                       .result = symbols_public(&m->symbols, result),
                       .operation = ASSAY_NO_OPERATION};
    return spec_objection(w->spec, &w->setting, &call);
}

bool monitor_fits_call(const struct monitor *m, const struct watch *w, const assay_method *method,
                       const struct value *args, uint32_t arity)
{
    return method_takes(method, arity) && !objection(m, w, method, args, arity, (struct value){0});
}

bool monitor_fits_result(const struct monitor *m, uint32_t slot, struct value result)
{
    const struct open_call *o = &m->slots.all.at[slot];
    if (o->watch == ID_NONE)
        return true;
    if (result.kind == ASSAY_NONE)
        return o->method->result != ASSAY_RESULT_REQUIRED;
    return o->method->result != ASSAY_RESULT_NONE &&
           !objection(m, &m->watches.at[o->watch], o->method, o->args.at, o->args.n, result);
}

void monitor_refusal(const struct monitor *m, const struct watch *w, const assay_method *method,
                     const struct value *args, uint32_t arity, bool returned, struct value result, assay_error *e)
{
    const char *wrong;
    if (!method) {
        char list[200] = "";
        for (const assay_method *x = w->spec->methods; x->name; x++)
            error_list(list, sizeof list, x->name);
        error_set(e, ASSAY_ERROR_INPUT, "the object %s has no such method", w->spec->name);
        error_remedy(e, "its methods are %s; -o names another object", list);
        return;
    }
    char takes[WORDS_OF_ARITY];
    if (!method_takes(method, arity))
        error_set(e, ASSAY_ERROR_INPUT, "%s takes %s, not %u", method->name, method_arity(method, takes), arity);
    else if (returned && result.kind == ASSAY_NONE && method->result == ASSAY_RESULT_REQUIRED)
        error_set(e, ASSAY_ERROR_INPUT, "this %s returns without a result", method->name);
    else if (returned && result.kind != ASSAY_NONE && method->result == ASSAY_RESULT_NONE)
        error_set(e, ASSAY_ERROR_INPUT, "a result, but %s returns none", method->name);
    else if ((wrong = objection(m, w, method, args, arity, result)))
        error_set(e, ASSAY_ERROR_INPUT, "%s", wrong);
    error_remedy(e, "it is written %s", method->signature);
}

/* ---- texts that are no longer in use ---- */

static void sweep(struct monitor *m)
{
    symbols_begin_sweep(&m->symbols);
    for (uint32_t i = 0; i < m->watches.n; i++)
        watch_each_value(&m->watches.at[i], symbols_mark, &m->symbols);
    for (uint32_t slot = 0; slot < m->slots.all.n; slot++) {
        const struct open_call *o = &m->slots.all.at[slot];
        for (uint32_t i = 0; o->length && i < o->args.n; i++)
            symbols_mark(&m->symbols, o->args.at[i]);
    }
    recording_each_value(&m->recording, m->step, symbols_mark, &m->symbols);
    symbols_end_sweep(&m->symbols);
}

/* ---- violations ---- */

void monitor_violation(struct monitor *m, struct monitor_report *r)
{
    m->stats.violations++;
    bool kept = !m->first;
    if (kept)
        m->first = r;
    if (m->on_violation)
        m->on_violation(m->context, report_get(r));
    if (!kept)
        report_free(r);
}

static void violated(struct monitor *m, uint32_t watch)
{
    monitor_violation(m, report_new(m, watch));
}

static void weaken(struct monitor *m, struct monitor_use *use, const char *why, uint64_t event)
{
    use->weakened = mem_text(&m->mem, why, strlen(why));
    use->event = event;
    use->line = event ? m->line : 0;
}

struct monitor_use *monitor_use_of(struct monitor *m, const struct watch *w)
{
    uint32_t i = 0;
    while (m->uses.at[i].online != w->online || strcmp(m->uses.at[i].kind, w->kind) != 0)
        i++;
    return &m->uses.at[i];
}

static void note_weak(struct monitor *m, struct watch *w, const char *why, uint64_t event)
{
    if (w->weak)
        return;
    struct monitor_use *use = monitor_use_of(m, w);
    if (!use->weakened)
        weaken(m, use, why, event);
    use->weak++;
    w->weak = true;
}

void monitor_note_weakened(struct monitor *m, struct watch *w, uint64_t event)
{
    const char *why = !w->weak && w->state && w->online->weakened ? w->online->weakened(w->state) : NULL;
    if (why)
        note_weak(m, w, why, event);
}

/* The object is not checked any more. */
static void retire(struct monitor *m, struct watch *w)
{
    monitor_note_weakened(m, w, m->step);
    watch_retire(w);
}

/* What the checker has met may be the work of a call that never returned. True: it may. */
static bool in_doubt(struct monitor *m, struct watch *w)
{
    const char *call = watch_doubt(w);
    if (!call)
        return false;
    struct text why = text_in(&m->mem);
    text_printf(&why, "%s never returned, and may explain what would be a violation without it", call);
    note_weak(m, w, text_get(&why), m->step);
    mem_free(&m->mem, why.at);
    return true;
}

/* Reports it, and goes on if that is asked for. */
static void go_on(struct monitor *m, uint32_t watch)
{
    bool goes_on;
    do {
        goes_on = in_doubt(m, &m->watches.at[watch]);
        if (goes_on)
            continue;
        violated(m, watch);
        goes_on = m->all;
        m->stopped = !m->all && !m->drain;
        if (!m->all && m->drain)
            retire(m, &m->watches.at[watch]);
    } while (goes_on && !watch_restart(&m->watches.at[watch], &m->slots, watch, m->step));
    if (goes_on && watch_is_lost(&m->watches.at[watch]))
        retire(m, &m->watches.at[watch]);
}

/* ---- an unknown content ---- */

static void attach_all(struct monitor *m)
{
    for (uint32_t i = 0; i < m->watches.n; i++)
        if (m->watches.at[i].content == WATCH_IDLE)
            watch_attach(&m->watches.at[i], &m->slots, i, m->step);
}

void monitor_attach(struct monitor *m, uint32_t watch)
{
    struct watch *w = &m->watches.at[watch];
    if (w->content == WATCH_IDLE && m->step >= m->settled)
        watch_attach(w, &m->slots, watch, m->step + 1);
}

/* ---- calls that never return ---- */

static uint32_t oldest_but(const struct monitor *m, uint32_t but)
{
    uint32_t oldest = ID_NONE;
    for (uint32_t slot = 0; m->slots.used && slot < m->slots.all.n; slot++) {
        const struct open_call *o = &m->slots.all.at[slot];
        if (slot != but && o->length && o->watch != ID_NONE &&
            (oldest == ID_NONE || o->step < m->slots.all.at[oldest].step))
            oldest = slot;
    }
    return oldest;
}

uint32_t monitor_oldest(const struct monitor *m)
{
    return oldest_but(m, ID_NONE);
}

static void warn_of(struct monitor *m, uint32_t slot)
{
    struct text t = text_in(&m->scratch);
    report_call(&t, m, &m->slots.all.at[slot]);
    text_printf(&t,
                m->abandon ? " is open for %" PRIu64 " events: it is taken for a call that never returns, as "
                             "others will be (--abandon)"
                           : " is open for %" PRIu64 " events, and the events behind it are not judged before it "
                             "returns (if its caller is gone, write `[id] return ?`, or start with --abandon N)",
                m->step - m->slots.all.at[slot].step);
    m->warned = true;
    if (m->on_warning)
        m->on_warning(m->context, text_get(&t));
    mem_release(&m->scratch);
}

/* Looks for calls that have been open for too long; not at the one that ends with this event (ID_NONE: none does). That
 * takes a pass over the open calls, seldom. */
static void look_at_open(struct monitor *m, uint32_t ending)
{
    uint64_t patience = m->abandon ? m->abandon : MONITOR_LONG;
    uint32_t slot;
    while ((slot = oldest_but(m, ending)) != ID_NONE && m->step - m->slots.all.at[slot].step >= patience) {
        if (!m->warned)
            warn_of(m, slot);
        if (!m->abandon)
            break;
        const struct open_call *o = &m->slots.all.at[slot];
        vec_push(&m->mem, &m->late, ((struct late_id){o->key, o->length}));
        monitor_died(m, slot);
    }
    m->look_at = !m->abandon && m->warned ? UINT64_MAX
                 : slot == ID_NONE        ? m->step + patience
                                          : m->slots.all.at[slot].step + patience;
}

void monitor_died(struct monitor *m, uint32_t slot)
{
    struct open_call *o = &m->slots.all.at[slot];
    uint32_t watch = o->watch;
    struct watch *w = watch == ID_NONE ? NULL : &m->watches.at[watch];
    struct text text = text_in(&m->mem);
    bool fine = true;
    m->stats.abandoned++;
    if (w && watch_can_lose_callers(w)) {
        report_call(&text, m, o);
        fine = watch_died(w, &m->slots, slot, text_get(&text));
    } else if (w && !w->retired) {
        note_weak(m, w, "a call never returned, and this monitor needs to know how each call ends", m->step);
        watch_retire(w);
    }
    mem_free(&m->mem, text.at);
    slots_close(&m->slots, slot);
    if (w)
        monitor_note_weakened(m, w, m->step);
    if (!fine)
        go_on(m, watch);
}

/* ---- events ---- */

/* Every event asks whether to stop: hundreds of events can take a second, and a budget's ticks are too few then.
 * ending: the slot of the call that ends with the event, or ID_NONE. */
static uint64_t next_step_of(struct monitor *m, uint32_t ending)
{
    budget_look(&m->budget);
    m->step++;
    m->begun = true;
    places_at(&m->places, m->step, m->line);
    event_times_note(&m->times, m->step);
    if (m->attach && m->step == m->settled + 1)
        attach_all(m);
    if (m->step >= m->look_at)
        look_at_open(m, ending);
    return m->step;
}

static uint64_t next_step(struct monitor *m)
{
    return next_step_of(m, ID_NONE);
}

/* The event counts from now on: an escape may have left it in the middle. */
static void judged(struct monitor *m)
{
    m->stats.events++;
    if (symbols_full(&m->symbols))
        sweep(m);
}

/* Of an object whose operations are all recorded so far. */
static void record_call(struct monitor *m, struct id id, uint32_t watch, const assay_method *method,
                        const struct value *args, uint32_t arity)
{
    struct watch *w = &m->watches.at[watch];
    if (!w->begun)
        w->begun = m->step;
    if (recording_reaches(w->begun, m->step))
        recording_call(&m->recording, m->step, id, watch, (uint32_t)(method - w->spec->methods), args, arity);
}

void monitor_call(struct monitor *m, struct id id, uint32_t watch, const assay_method *method, const struct value *args,
                  uint32_t arity)
{
    uint64_t step = next_step(m);
    uint32_t slot = slots_open(&m->slots, id);
    struct open_call *o = &m->slots.all.at[slot];
    o->step = step;
    o->line = m->line;
    o->watch = watch;
    o->method = method;
    vec_clear(&o->args);
    vec_reserve(&m->mem, &o->args, arity);
    for (uint32_t i = 0; i < arity; i++)
        o->args.at[o->args.n++] = args[i];
    places_call(&m->places, step, id);
    if (watch != ID_NONE) {
        record_call(m, id, watch, method, args, arity);
        watch_call(&m->watches.at[watch], id, slot, step, method, args, arity);
        monitor_note_weakened(m, &m->watches.at[watch], step);
    }
    judged(m);
}

void monitor_return(struct monitor *m, uint32_t slot, struct value result)
{
    const struct open_call *o = &m->slots.all.at[slot];
    uint32_t watch = o->watch;
    uint64_t step = next_step_of(m, slot);
    recording_return(&m->recording, o->step, step, result);
    bool fine = watch == ID_NONE || watch_return(&m->watches.at[watch], &m->slots, slot, step, result);
    m->stats.left_out += watch == ID_NONE;
    slots_close(&m->slots, slot);
    if (watch != ID_NONE)
        monitor_note_weakened(m, &m->watches.at[watch], step);
    if (!fine)
        go_on(m, watch);
    judged(m);
}

bool monitor_returns_late(struct monitor *m, struct id id)
{
    for (uint32_t i = 0; i < m->late.n; i++)
        if (m->late.at[i].key == id.key && m->late.at[i].length == id.length) {
            m->late.at[i] = vec_pop(&m->late);
            next_step(m);
            judged(m);
            return true;
        }
    return false;
}

void monitor_died_event(struct monitor *m, uint32_t slot)
{
    next_step_of(m, slot);
    monitor_died(m, slot);
    judged(m);
}

void monitor_lose(struct monitor *m, uint32_t slot)
{
    uint32_t watch = m->slots.all.at[slot].watch;
    bool fine = watch == ID_NONE || watch_lose(&m->watches.at[watch], &m->slots, watch, slot);
    slots_close(&m->slots, slot);
    if (!fine)
        go_on(m, watch);
    else if (watch != ID_NONE)
        monitor_attach(m, watch);
}

void monitor_return_from_before(struct monitor *m)
{
    uint64_t step = next_step(m);
    m->stats.from_before++;
    m->stats.late += step > m->settled;
    if (step > m->settled) { /* which object it was about is unknown */
        m->settled = step + m->settle;
        for (uint32_t i = 0; i < m->watches.n; i++)
            if (!m->watches.at[i].retired)
                watch_detach(&m->watches.at[i]);
    }
    judged(m);
}

void monitor_gap(struct monitor *m)
{
    slots_clear(&m->slots);
    m->attach = m->gap = true;
    m->settled = m->step + m->settle;
    for (uint32_t i = 0; i < m->watches.n; i++) {
        struct watch *w = &m->watches.at[i];
        monitor_note_weakened(m, w, m->step);
        monitor_weaken(m, w->online, "events may have been lost", m->step);
        watch_lose_all(w);
    }
}

void monitor_ignore_call(struct monitor *m, struct id id)
{
    uint32_t open = slots_find(&m->slots, id);
    if (open != ID_NONE)
        monitor_lose(m, open);
    uint32_t slot = slots_open(&m->slots, id);
    m->slots.all.at[slot].watch = ID_NONE;
    m->slots.all.at[slot].line = m->line;
    vec_clear(&m->slots.all.at[slot].args);
}

/* ---- histories ---- */

void monitor_weaken(struct monitor *m, const struct online *online, const char *why, uint64_t event)
{
    for (uint32_t i = 0; i < m->uses.n; i++)
        if (m->uses.at[i].online == online && !m->uses.at[i].weakened) {
            weaken(m, &m->uses.at[i], why, event);
            m->uses.at[i].weak = 1;
        }
}

/* What calls that never returned leave open, `assay check` may decide. */
static enum online_verdict finished(struct monitor *m, uint32_t watch)
{
    struct watch *w = &m->watches.at[watch];
    enum online_verdict verdict = watch_finish(w);
    return verdict == ONLINE_OPEN && watch_doubt(w) ? recorded_verdict(m, watch) : verdict;
}

static void finish_watch(struct monitor *m, uint32_t watch, bool *open)
{
    struct watch *w = &m->watches.at[watch];
    enum online_verdict verdict;
    while ((verdict = finished(m, watch)) == ONLINE_VIOLATION) {
        violated(m, watch);
        m->stopped = !m->all && !m->drain;
        if (!m->all && m->drain)
            retire(m, w);
        if (!m->all || !w->quarantine) /* a checker that finished has no more to show */
            break;
        while (!watch_restart(w, &m->slots, watch, m->step))
            violated(m, watch);
    }
    *open |= verdict == ONLINE_OPEN;
    monitor_note_weakened(m, w, m->step);
    m->stats.left_out += watch_left_out(w);
    monitor_use_of(m, w)->unchecked += w->unchecked;
    monitor_use_of(m, w)->unknown += watch_is_unknown(w);
    w->unchecked = 0;
    w->content = WATCH_KNOWN; /* it has been counted */
}

static void begin_history(struct monitor *m)
{
    for (uint32_t i = 0; i < m->watches.n; i++)
        watch_end(&m->watches.at[i]);
    for (uint32_t i = 0; i < m->pinned.n; i++)
        symbols_unpin(&m->symbols, m->pinned.at[i]);
    vec_clear(&m->pinned);
    idmap_free(&m->mem, &m->watch_of);
    vec_clear(&m->watches);
    m->single = ID_NONE;
    slots_clear(&m->slots);
    vec_clear(&m->late);
    history_free(m->head);
    m->head = NULL;
    m->head = history_new();
    m->begun = false;
    m->notation = NOTATION_OPEN;
    m->attach = m->gap = false; /* an object of a later history is new */
}

void monitor_end_history(struct monitor *m)
{
    if (!m->begun && !m->head->headers.n)
        return;
    bool open = false;
    for (uint32_t i = 0; i < m->watches.n && !m->stopped; i++)
        finish_watch(m, i, &open);
    if (m->isolation.model)
        isolation_end(&m->isolation);
    if (m->stopped)
        return;
    m->stats.undecided += open;
    m->stats.histories++;
    m->index++;
    begin_history(m);
}

void monitor_refresh(struct monitor *m)
{
    uint32_t oldest = monitor_oldest(m);
    m->stats.open = m->slots.used;
    m->stats.oldest = oldest == ID_NONE ? 0 : m->step - m->slots.all.at[oldest].step;
    m->stats.waiting = 0;
    m->stats.live = m->isolation.h ? m->isolation.h->n + m->isolation.unread.entries.n : 0;
    for (uint32_t i = 0; i < m->watches.n; i++) {
        m->stats.live += watch_live(&m->watches.at[i]);
        m->stats.waiting += watch_waiting(&m->watches.at[i]);
        monitor_note_weakened(m, &m->watches.at[i], m->step);
    }
}
