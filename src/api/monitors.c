/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on monitors (assay_monitor.h). Each is a protected call: an escape turns the monitor off, never
 * the program. */
#include "base/given.h"
#include "monitor/feed.h"
#include "monitor/live.h"

#include "base/error.h"
#include "base/image.h"
#include "base/options.h"
#include "model/model.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(assay_monitor_options, abandon) + sizeof(uint64_t) == sizeof(assay_monitor_options),
               "no padding at the end (base/options.h)");

struct assay_monitor {
    pthread_mutex_t lock; /* of all below but `live` */
    struct monitor core;
    struct feed feed;
    bool ended;
    assay_error off; /* why the monitor is off, or ASSAY_OK */
    char undecided[768];
    struct live live;
};

/* ---- life ---- */

static void refresh(void *arg)
{
    monitor_refresh(arg);
}

static void turn_off(assay_monitor *m, enum escape left, const assay_error *fault)
{
    if (left == ESCAPE_INTERRUPTED) /* checkers can still count; want of memory may have left them in pieces */
        escape_run(refresh, &m->core);
    if (left == ESCAPE_ERROR && !m->off.code)
        m->off = *fault;
    error_from_escape(&m->off, left);
    atomic_store(&m->live.off, true);
}

/* Runs fn(m) under the lock, unless the monitor is off. False: it is, e says why. */
static bool protected(assay_monitor *m, void (*fn)(void *), void *arg, assay_error *fault, assay_error *e)
{
    pthread_mutex_lock(&m->lock);
    if (!m->off.code) {
        enum escape left = escape_run(fn, arg);
        if (left != ESCAPE_NONE)
            turn_off(m, left, fault->code ? fault : &m->core.isolation.fault);
        if (m->core.stopped)
            atomic_store(&m->live.off, true);
    }
    bool fine = !m->off.code;
    error_copy(e, &m->off);
    pthread_mutex_unlock(&m->lock);
    return fine;
}

static const char *copy(struct monitor *m, const char *text)
{
    return text ? mem_text(&m->mem, text, strlen(text)) : NULL;
}

struct opening {
    assay_monitor *m;
    const char *object;
    assay_monitor_options options;
    assay_error e;
};

/* The window, and the bounds on sessions and lateness, are for some models. */
static void check_bounds(struct opening *o)
{
    const assay_monitor_options *options = &o->options;
    struct isolation *x = &o->m->core.isolation;
    size_t most = x->model ? UINT32_MAX / 4 : ONLINE_WINDOW;
    if (options->window && !o->m->core.model) {
        error_set(&o->e, ASSAY_ERROR_USAGE,
                  "a window is for weak models and transactions, and no such model was named");
        error_remedy(&o->e, "name one, as in -m weak-hb, or leave the window out");
    }
    if (options->window > most)
        error_set(&o->e, ASSAY_ERROR_USAGE, "the window is of at most %zu operations, not %zu", most, options->window);
    if ((options->sessions || options->late) && !x->model) {
        error_set(&o->e, ASSAY_ERROR_USAGE, "sessions and lateness are bounds for transactions");
        error_remedy(&o->e, "name a model of transactions, as in -m ser");
    }
    if (options->late && x->model && x->model->base != BASE_REALTIME) {
        error_set(&o->e, ASSAY_ERROR_USAGE, "a bound on lateness is for models with real time, not for %s",
                  x->model->name);
        error_remedy(&o->e, "follow %s-strict, or say how many sessions there are", x->model->name);
    }
    if (options->late < 0 || options->sessions > UINT32_MAX / 4)
        error_set(&o->e, ASSAY_ERROR_USAGE, "the bound on lateness is no time, or the number of sessions is too large");
    if (options->attach && (o->m->core.model || options->init)) {
        error_set(&o->e, ASSAY_ERROR_USAGE, "an unknown content at the start is for linearizability, without --init");
        error_remedy(&o->e, "leave out --attach, or %s", options->init ? "--init" : "-m");
    }
    if (options->saves && o->m->core.model) {
        error_set(&o->e, ASSAY_ERROR_USAGE, "only monitors of linearizability can be saved");
        error_remedy(&o->e, "leave out --checkpoint, or -m");
    }
    x->most = options->window ? (uint32_t)options->window : ISOLATION_WINDOW;
    x->most_sessions = (uint32_t)options->sessions;
    x->late = options->late;
}

static void set_up(void *arg)
{
    struct opening *o = arg;
    const assay_monitor_options *options = &o->options;
    struct monitor *core = &o->m->core;
    core->object = copy(core, o->object);
    core->engine = copy(core, options->engine);
    core->spec = options->spec;
    core->init = copy(core, options->init);
    core->file = copy(core, options->file);
    core->all = options->all;
    core->lenient = options->lenient;
    core->drain = options->drain;
    core->saves = options->saves;
    core->attach = options->attach;
    core->settle = options->settle;
    core->abandon = options->abandon;
    core->on_violation = options->on_violation;
    core->on_malformed = options->on_malformed;
    core->on_warning = options->on_warning;
    core->context = options->context;
    core->budget = (struct budget){.interrupt = options->interrupt, .interrupt_arg = options->context};
    monitor_init(core);
    if (options->clock)
        event_times_init(&core->times, &core->mem);
    core->window = (uint32_t)options->window;
    if (!monitor_model(core, options->model, options->visibility, &o->e))
        escape_raise(ESCAPE_ERROR);
    check_bounds(o);
    if (o->e.code)
        escape_raise(ESCAPE_ERROR);
    struct feed *feed = &o->m->feed;
    feed->m = core;
    feed->begun = feed->line = text_in(&core->mem);
    feed->in = input_from_memory(core->file ? core->file : "events", "", 0, &o->e);
    if (!feed->in || !monitor_can(core, &o->e))
        escape_raise(ESCAPE_ERROR);
    core->mem.limit = options->memory;
}

static void take_events(void *arg, const char *events, size_t bytes);

assay_monitor *assay_monitor_open(const char *object, const assay_monitor_options *options, assay_error *e)
{
    struct opening o = {.object = object};
    if (!options_take(&o.options, sizeof o.options, options, e) || !spec_is_whole(o.options.spec, e))
        return NULL;
    assay_monitor *m = o.m = calloc(1, sizeof *m);
    if (!m) {
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&m->lock, NULL);
    live_init(&m->live, take_events, m);
    enum escape left = escape_run(set_up, &o);
    if (left == ESCAPE_NONE)
        return m;
    error_from_escape(&o.e, left);
    error_copy(e, &o.e);
    assay_monitor_close(m);
    return NULL;
}

void assay_monitor_close(assay_monitor *m)
{
    if (!m)
        return;
    live_free(&m->live);
    feed_free(&m->feed);
    monitor_release(&m->core, !m->off.code || m->off.code == ASSAY_ERROR_INPUT);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* ---- events of the program's own ---- */

struct taking {
    assay_monitor *m;
    const char *at, *end;
    assay_error fault;
};

/* The values of an event, with the stream's numbers; their texts begin at `text`. */
static void values_of(struct monitor *core, const struct live_event *event, const char *at, const char *text,
                      struct value *out)
{
    for (uint32_t i = 0; i < event->count; i++, at += sizeof(struct live_value)) {
        struct live_value v;
        memcpy(&v, at, sizeof v);
        out[i] = (struct value){v.integer, (uint8_t)v.kind};
        if (kind_is_text(v.kind))
            out[i].bits = symbols_put(&core->symbols, text, v.length);
        text += v.length;
    }
}

static _Noreturn void refuse(struct taking *t, const struct watch *w, const assay_method *method, struct value *args,
                             uint32_t arity, bool returned, struct value result)
{
    monitor_refusal(&t->m->core, w, method, args, arity, returned, result, &t->fault);
    escape_raise(ESCAPE_ERROR);
}

static void take_call(struct taking *t, struct id id, const char *method, size_t length, struct value *args,
                      uint32_t arity)
{
    struct monitor *core = &t->m->core;
    struct first_call first = {.method = method, .method_length = length, .args = args, .arity = arity};
    uint32_t watch = monitor_watch(core, &first, &t->fault);
    if (watch == ID_NONE)
        escape_raise(ESCAPE_ERROR);
    struct watch *w = &core->watches.at[watch];
    const assay_method *known = watch_method(w, id_of(method, length));
    if (!known || !monitor_fits_call(core, w, known, args, arity))
        refuse(t, w, known, args, arity, false, (struct value){0});
    uint32_t open = slots_find(&core->slots, id);
    if (open != ID_NONE && monitor_lets_die(core)) {
        monitor_died(core, open);
    } else if (open != ID_NONE) {
        error_set(&t->fault, ASSAY_ERROR_INPUT, "a second call of %s by %s, whose first has not returned", known->name,
                  id.text);
        escape_raise(ESCAPE_ERROR);
    }
    if (!core->stopped)
        monitor_call(core, id, watch, known, args, arity);
}

/* result NULL: the caller died. */
static void take_return(struct taking *t, struct id id, const struct value *result)
{
    struct monitor *core = &t->m->core;
    uint32_t slot = slots_find(&core->slots, id);
    if (slot == ID_NONE && monitor_returns_late(core, id))
        return;
    if (slot == ID_NONE && core->attach) {
        monitor_return_from_before(core);
        return;
    }
    if (slot == ID_NONE) {
        error_set(&t->fault, ASSAY_ERROR_INPUT, "a return of %s without a call", id.text);
        escape_raise(ESCAPE_ERROR);
    }
    struct open_call *o = &core->slots.all.at[slot];
    if (!result) {
        monitor_died_event(core, slot);
        return;
    }
    if (!monitor_fits_result(core, slot, *result))
        refuse(t, &core->watches.at[o->watch], o->method, o->args.at, o->args.n, true, *result);
    monitor_return(core, slot, *result);
}

static void take_all(void *arg)
{
    struct taking *t = arg;
    while (t->at < t->end && !t->m->core.stopped) {
        struct live_event event;
        struct value values[UINT8_MAX + 1];
        char id[24];
        memcpy(&event, t->at, sizeof event);
        const char *first = t->at + sizeof event, *method = first + event.count * sizeof(struct live_value);
        size_t length = (size_t)snprintf(id, sizeof id, "%" PRIu64, event.id);
        values_of(&t->m->core, &event, first, method + event.method_length, values);
        if (event.is_return)
            take_return(t, id_of(id, length), event.count ? values : NULL);
        else
            take_call(t, id_of(id, length), method, event.method_length, values, event.count);
        t->at += event.size;
    }
}

static void take_events(void *arg, const char *events, size_t bytes)
{
    struct taking t = {arg, events, events + bytes, {0}};
    protected(arg, take_all, &t, &t.fault, NULL);
}

static void put(assay_monitor *m, uint64_t id, const char *method, const assay_value *values, size_t n)
{
    const char *why;
    if (live_put(&m->live, id, method, values, n, &why))
        return;
    assay_error fault = {0};
    error_set(&fault, ASSAY_ERROR_RESOURCE, "%s", why);
    pthread_mutex_lock(&m->lock);
    turn_off(m, ESCAPE_ERROR, &fault);
    pthread_mutex_unlock(&m->lock);
}

void assay_monitor_call(assay_monitor *m, uint64_t id, const char *method, const assay_value *args, size_t arg_count)
{
    if (!(m && method && (args || !arg_count)))
        return;
    put(m, id, method, args, arg_count);
}

void assay_monitor_return(assay_monitor *m, uint64_t id, assay_value result)
{
    if (!m)
        return;
    put(m, id, NULL, &result, 1);
}

void assay_monitor_abandon(assay_monitor *m, uint64_t id)
{
    if (m)
        put(m, id, NULL, NULL, 0);
}

/* ---- events as text ---- */

struct feeding {
    assay_monitor *m;
    const char *bytes;
    size_t n;
};

static void feed_some(void *arg)
{
    struct feeding *f = arg;
    if (!f->m->ended && !f->m->core.stopped)
        feed_bytes(&f->m->feed, f->bytes, f->n);
}

bool assay_monitor_feed(assay_monitor *m, const char *bytes, size_t n, assay_error *e)
{
    if (!GIVEN(m && (bytes || !n), e))
        return false;
    live_drain(&m->live);
    return protected(m, feed_some, &(struct feeding){m, bytes, n}, &m->feed.fault, e);
}

static void end(void *arg)
{
    assay_monitor *m = arg;
    if (m->ended || m->core.stopped)
        return;
    m->ended = true;
    feed_end(&m->feed);
    if (!m->core.stopped)
        monitor_end_history(&m->core);
}

bool assay_monitor_end(assay_monitor *m, assay_error *e)
{
    if (!GIVEN(m, e))
        return false;
    live_drain(&m->live);
    return protected(m, end, m, &m->feed.fault, e);
}

static void flush(void *arg)
{
    assay_monitor *m = arg;
    if (!m->ended && !m->core.stopped && m->core.isolation.model)
        isolation_flush(&m->core.isolation);
}

bool assay_monitor_flush(assay_monitor *m, assay_error *e)
{
    if (!GIVEN(m, e))
        return false;
    live_drain(&m->live);
    return protected(m, flush, m, &m->core.isolation.fault, e);
}

static void gap(void *arg)
{
    assay_monitor *m = arg;
    if (m->ended || m->core.stopped)
        return;
    m->feed.begun.n = 0;
    m->feed.skipping = false;
    if (m->core.isolation.model) {
        error_set(&m->feed.fault, ASSAY_ERROR_INPUT, "transactions may have been lost: later ones cannot be judged");
        error_remedy(&m->feed.fault, "start the monitor again, on what can still be read from its beginning");
        escape_raise(ESCAPE_ERROR);
    }
    monitor_gap(&m->core);
}

bool assay_monitor_gap(assay_monitor *m, assay_error *e)
{
    if (!GIVEN(m, e))
        return false;
    live_drain(&m->live);
    return protected(m, gap, m, &m->feed.fault, e);
}

/* ---- saving ---- */

struct imaging {
    assay_monitor *m;
    struct image image;
    assay_error e;
};

static void image(void *arg)
{
    struct imaging *i = arg;
    monitor_image(&i->m->core, &i->image, &i->e);
    if (!i->image.loads)
        image_plain(&i->image, &i->m->feed.skipping);
    else
        i->m->feed.skipping = i->image.end[0];
}

bool assay_monitor_save(assay_monitor *m, FILE *out, size_t *pending, assay_error *e)
{
    if (!GIVEN(m && out && pending, e))
        return false;
    struct mem mem = {0};
    struct text bytes = text_in(&mem);
    struct imaging i = {.m = m, .image = {.out = &bytes}};
    live_drain(&m->live);
    if (!m->core.saves)
        error_set(&i.e, ASSAY_ERROR_USAGE, "the monitor was not opened to be saved");
    bool fine = !i.e.code && protected(m, image, &i, &i.e, &i.e);
    *pending = m->feed.begun.n;
    if (fine && fwrite(bytes.at, 1, bytes.n, out) != bytes.n) {
        error_set(&i.e, ASSAY_ERROR_RESOURCE, "the state could not be written");
        fine = false;
    }
    mem_release(&mem);
    error_copy(e, &i.e);
    return fine;
}

bool assay_monitor_load(assay_monitor *m, const char *bytes, size_t n, assay_error *e)
{
    if (!GIVEN(m && (bytes || !n), e))
        return false;
    struct imaging i = {.m = m, .image = {.loads = true, .at = bytes, .end = bytes + n}};
    live_drain(&m->live);
    i.image.end -= n > 0; /* the last byte is the feed's */
    bool fine = protected(m, image, &i, &i.e, &i.e);
    if (!fine && i.e.code == ASSAY_OK)
        error_set(&i.e, ASSAY_ERROR_INPUT, "the checkpoint is damaged");
    error_copy(e, &i.e);
    return fine;
}

/* ---- questions ---- */

/* Everything that has arrived is checked, and the lock is held. */
static void look(assay_monitor *m)
{
    live_drain(&m->live);
    pthread_mutex_lock(&m->lock);
    if (!m->off.code)
        escape_run(refresh, &m->core);
    struct mem *mem = &m->core.mem;
    m->core.stats.bytes = mem->used + isolation_bytes(&m->core.isolation);
    m->core.stats.peak = mem->peak > m->core.stats.peak ? mem->peak : m->core.stats.peak;
}

static void say_sound_only(assay_monitor *m, const struct monitor_use *use)
{
    char since[80] = "";
    if (use->weakened && use->event)
        snprintf(since, sizeof since, " from event %" PRIu64 " on", use->event);
    if (use->weakened && use->line)
        snprintf(since + strlen(since), sizeof since - strlen(since), " (line %" PRIu64 ")", use->line);
    if (use->online->guarantee != ONLINE_EXACT)
        snprintf(m->undecided, sizeof m->undecided, "%s is sound only: it may miss violations", use->online->name);
    else if (use->weakened)
        snprintf(m->undecided, sizeof m->undecided, "%s is sound only%s: %s", use->online->name, since, use->weakened);
}

/* Why nothing was found but this says little, or "". */
static void say_undecided(assay_monitor *m)
{
    m->undecided[0] = '\0';
    if (m->off.code) {
        snprintf(m->undecided, sizeof m->undecided, "%s%s%s%s", m->off.message, m->off.remedy[0] ? " (" : "",
                 m->off.remedy, m->off.remedy[0] ? ")" : "");
        return;
    }
    for (uint32_t i = 0; i < m->core.uses.n && !m->undecided[0]; i++)
        say_sound_only(m, &m->core.uses.at[i]);
    if (!m->undecided[0] && m->core.stats.undecided)
        snprintf(m->undecided, sizeof m->undecided, "operations that never returned leave it open");
    const struct isolation *x = &m->core.isolation;
    if (!m->undecided[0] && x->h && !x->stopped && x->checked < x->h->n)
        snprintf(m->undecided, sizeof m->undecided, "%" PRIu32 " transactions have not been checked yet",
                 x->h->n - x->checked);
    const assay_monitor_stats *stats = &m->core.stats;
    if (!m->undecided[0] && stats->oldest >= MONITOR_LONG && stats->waiting)
        snprintf(m->undecided, sizeof m->undecided,
                 "a call has been open for %" PRIu64 " events, and those behind it are not judged yet", stats->oldest);
    if (!m->undecided[0] && m->core.stats.malformed)
        snprintf(m->undecided, sizeof m->undecided, "malformed lines were skipped");
}

assay_verdict assay_monitor_verdict(assay_monitor *m)
{
    if (!m)
        return ASSAY_UNDECIDED;
    look(m);
    say_undecided(m);
    assay_verdict v = m->core.stats.violations ? ASSAY_VIOLATION : m->undecided[0] ? ASSAY_UNDECIDED : ASSAY_CONSISTENT;
    pthread_mutex_unlock(&m->lock);
    return v;
}

const char *assay_monitor_undecided(assay_monitor *m)
{
    if (!m)
        return NULL;
    return assay_monitor_verdict(m) == ASSAY_UNDECIDED ? m->undecided : NULL;
}

const assay_monitor_violation *assay_monitor_first(assay_monitor *m)
{
    if (!m)
        return NULL;
    look(m);
    const assay_monitor_violation *v = m->core.first ? report_get(m->core.first) : NULL;
    pthread_mutex_unlock(&m->lock);
    return v;
}

bool assay_monitor_print(assay_monitor *m, FILE *out)
{
    if (!m || !out)
        return false;
    const assay_monitor_violation *v = assay_monitor_first(m);
    return v && assay_monitor_violation_print(v, m->core.file, out);
}

static uint64_t unchecked(assay_monitor *m, const struct monitor_use *use)
{
    uint64_t n = use->unchecked;
    for (uint32_t i = 0; i < m->core.watches.n; i++)
        n += monitor_use_of(&m->core, &m->core.watches.at[i]) == use ? m->core.watches.at[i].unchecked : 0;
    return n;
}

assay_monitor_stats assay_monitor_statistics(assay_monitor *m)
{
    if (!m)
        return (assay_monitor_stats){0};
    look(m);
    assay_monitor_stats stats = m->core.stats;
    stats.lines = m->core.line;
    for (uint32_t i = 0; i < m->core.uses.n; i++) {
        const struct monitor_use *use = &m->core.uses.at[i];
        stats.weak += use->online->guarantee != ONLINE_EXACT ? use->objects : use->weak;
        if (use->weakened && use->event && (!stats.weakened || use->event < stats.weakened))
            stats.weakened = use->event;
    }
    for (uint32_t i = 0; i < m->core.watches.n; i++)
        stats.left_out += watch_left_out(&m->core.watches.at[i]);
    for (uint32_t i = 0; i < m->core.uses.n; i++)
        stats.unchecked += unchecked(m, &m->core.uses.at[i]);
    pthread_mutex_unlock(&m->lock);
    return stats;
}

assay_monitor_use assay_monitor_used(assay_monitor *m, size_t i)
{
    if (!m)
        return (assay_monitor_use){0};
    assay_monitor_use out = {0};
    look(m);
    if (i < m->core.uses.n) {
        const struct monitor_use *use = &m->core.uses.at[i];
        bool exact = use->online->guarantee == ONLINE_EXACT && !use->weakened;
        out = (assay_monitor_use){use->kind,
                                  use->engine,
                                  exact,
                                  exact && use->online->prompt,
                                  use->weakened,
                                  use->objects,
                                  use->weak,
                                  use->online->deferred,
                                  use->event,
                                  use->line,
                                  unchecked(m, use),
                                  use->unknown};
        for (uint32_t w = 0; w < m->core.watches.n; w++)
            if (monitor_use_of(&m->core, &m->core.watches.at[w]) == use)
                out.unknown += watch_is_unknown(&m->core.watches.at[w]);
    }
    pthread_mutex_unlock(&m->lock);
    return out;
}
