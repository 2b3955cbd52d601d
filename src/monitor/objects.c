/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of a stream, and the checker of each. The headers and an object's first call are put into a history of
 * their own. spec/spec.h then determines its object, as it does for recorded histories. */
#include "monitor/monitor.h"

#include "base/error.h"
#include "model/aliases.h"
#include "model/model.h"
#include "spec/spec.h"

#include <string.h>

/* ---- headers ---- */

history *monitor_probe(struct monitor *m, assay_error *e)
{
    history_free(m->probe);
    m->probe = NULL;
    history *h = m->probe = history_new();
    if (m->file)
        h->source = history_name(h, m->file, strlen(m->file));
    for (uint32_t i = 0; i < m->head->headers.n; i++) {
        const struct header *header = &m->head->headers.at[i];
        const struct name *key = &m->head->names.all.at[header->key];
        history_header(h, key->text, key->length, header->text, header->length, header->line, 1, NULL);
    }
    if (m->init && !history_header(h, "init", 4, m->init, strlen(m->init), 0, 0, e))
        return NULL;
    if (history_any_initial(h)) {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "a monitor needs to know the initial value: `@init ?` is for check");
        return NULL;
    }
    return h;
}

/* ---- checkers ---- */

/* Is the checker one for other models than the one that is asked for? */
static bool other_models(const struct online *o, bool weak)
{
    return o->weak != weak;
}

static const struct online *choose(const struct online_setup *setup, assay_error *e)
{
    for (size_t i = 0; online_table[i]; i++)
        if (!other_models(online_table[i], setup->visibility) &&
            !(online_table[i]->missing && online_table[i]->missing()) && !online_table[i]->declines(setup))
            return online_table[i];
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no monitor follows the object %s", setup->spec->name);
    error_remedy(
        e, "`assay list monitors` shows what can be followed; record the events and check them with `assay check`");
    return NULL;
}

/* The monitor of this name, if it follows the model; NULL with the fault in e. */
static const struct online *find(const struct monitor *m, const char **variant, assay_error *e)
{
    const struct online *o = online_find(m->engine, variant, e);
    if (!o || !other_models(o, m->model))
        return o;
    error_set(e, ASSAY_ERROR_USAGE, "the monitor %s follows %s, not %s", o->name,
              o->weak ? "weak models" : "linearizability", o->weak ? "linearizability" : m->model);
    error_remedy(e, o->weak ? "name a weak model with -m" : "leave out -e");
    return NULL;
}

static const struct online *named(const struct monitor *m, struct online_setup *setup, assay_error *e)
{
    const char *engine = m->engine;
    const struct online *o = find(m, &setup->variant, e);
    if (!o)
        return NULL;
    const char *missing = o->missing ? o->missing() : NULL;
    const char *why = missing ? NULL : o->declines(setup);
    if (missing)
        error_set(e, ASSAY_ERROR_MISSING, "the monitor %s cannot run here: %s", engine, missing);
    else if (why)
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the monitor %s cannot follow it: %s", engine, why);
    if (why)
        error_remedy(e, "leave out -e, or name another: `assay list monitors`");
    return missing || why ? NULL : o;
}

static const struct online *checker(const struct monitor *m, const struct object_use *use, const char **variant,
                                    assay_error *e)
{
    struct online_setup setup = {.spec = use->spec,
                                 .setting = use->setting,
                                 .text = symbols_text,
                                 .visibility = m->model ? &m->visibility : NULL};
    const struct online *o = m->engine ? named(m, &setup, e) : choose(&setup, e);
    *variant = setup.variant;
    return o;
}

void monitor_note_use(struct monitor *m, const char *kind, const struct online *online, const char *engine)
{
    for (uint32_t i = 0; i < m->uses.n; i++)
        if (m->uses.at[i].online == online && strcmp(m->uses.at[i].kind, kind) == 0) {
            m->uses.at[i].objects++;
            return;
        }
    struct monitor_use use = {.kind = mem_text(&m->mem, kind, strlen(kind)),
                              .online = online,
                              .engine = mem_text(&m->mem, engine, strlen(engine)),
                              .objects = 1};
    vec_push(&m->mem, &m->uses, use);
    if (online->slow && m->on_warning) {
        struct text t = text_in(&m->mem);
        text_printf(&t, "%s is for short streams: the longer the history, the longer each event takes", engine);
        m->on_warning(m->context, text_get(&t));
        mem_free(&m->mem, t.at);
    }
}

/* ---- models ---- */

/* Are the levels about methods that the object has? */
static bool levels_fit(const struct monitor *m, const assay_spec *spec, assay_error *e)
{
    for (uint32_t i = 0; m->model && i < m->visibility.n; i++)
        if (!spec_has_method(spec, m->visibility.at[i].method)) {
            error_set(e, ASSAY_ERROR_USAGE, "the object %s has no method '%s'", spec->name, m->visibility.at[i].method);
            const char *near = spec_nearer_method(spec, m->visibility.at[i].method, NULL);
            error_remedy(e, "%s%s%s`assay list objects --json` shows the methods", near ? "did you mean " : "",
                         near ? near : "", near ? "? " : "");
            return false;
        }
    return true;
}

/* The order of sessions, or real time, must tell which transactions are over. */
static bool model_of_transactions(struct monitor *m, const struct model *known, assay_error *e)
{
    bool strong = known->conditions & (COND_SER | COND_SI);
    if (strong && known->base != BASE_NONE) {
        m->model = known->name;
        m->isolation.m = m;
        m->isolation.model = known;
        return true;
    }
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no monitor follows %s", known->name);
    if (strong)
        error_remedy(e, "without session order no transaction is ever over: follow %.*s or %.*s-strict",
                     (int)strcspn(known->name, "-"), known->name, (int)strcspn(known->name, "-"), known->name);
    else
        error_remedy(e, "monitors of transactions follow ser, si, ser-strict and si-strict; record the history and use "
                        "`assay check`");
    return false;
}

bool monitor_model(struct monitor *m, const char *model, const char *levels, assay_error *e)
{
    struct model spelled;
    bool is_spelled;
    const char *name = model ? model : levels ? "level:complete" : "lin";
    if (!model_spell(name, &spelled, &is_spelled, e))
        return false;
    const struct model *known = is_spelled ? &spelled : model_called(name);
    if (!known) {
        model_unknown(name, e);
        return false;
    }
    if (known->axioms) {
        m->model = mem_text(&m->mem, name, strlen(name));
        return visibility_parse(known->axioms, levels, &m->visibility, e);
    }
    if (known->conditions == COND_LIN && !levels)
        return true;
    if (known->needs & NEED_TRANSACTIONS && !levels)
        return model_of_transactions(m, known, e);
    if (known->conditions == COND_LIN) {
        error_set(e, ASSAY_ERROR_USAGE, "%s has no levels of visibility by method", name);
        error_remedy(e, "name a model that has, such as level:complete");
    } else {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no monitor follows %s", name);
        error_remedy(e,
                     "monitors follow lin, the weak models, ser and si; record the events and check them with `assay "
                     "check`");
    }
    return false;
}

/* ---- objects ---- */

/* A value of the probe with the stream's own number, which stays as long as the watch. */
static assay_value renumbered(void *monitor, assay_value v)
{
    struct monitor *m = monitor;
    if (!kind_is_text(v.kind))
        return v;
    struct value mine = {symbols_put(&m->symbols, v.text, v.length), (uint8_t)v.kind};
    symbols_pin(&m->symbols, mine);
    return symbols_public(&m->symbols, mine);
}

/* If it must: can the object be followed although its content is unknown? */
static bool can_attach(const struct monitor *m, const struct watch *w, assay_error *e)
{
    if (!m->attach || m->gap || watch_can_attach(w))
        return true;
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the monitor %s cannot follow a %s whose content is unknown",
              w->online->name, w->spec->name);
    error_remedy(e, "leave out --attach, and start the monitor before the program, or give the content with --init");
    return false;
}

/* If it must: can the state of its checker be saved? */
static bool can_save(const struct monitor *m, const struct watch *w, assay_error *e)
{
    if (!m->saves || watch_can_save(w))
        return true;
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the state of the monitor %s of a %s cannot be saved", w->online->name,
              w->spec->name);
    error_remedy(e, "leave out --checkpoint, or name another monitor with -e");
    return false;
}

static uint32_t open_watch(struct monitor *m, const struct first_call *call, const struct object_use *use,
                           assay_error *e)
{
    struct watch w = {.spec = use->spec,
                      .mem = &m->mem,
                      .budget = &m->budget,
                      .symbols = &m->symbols,
                      .visibility = m->model ? &m->visibility : NULL,
                      .window = m->window,
                      .attached = m->attach};
    if (!levels_fit(m, use->spec, e))
        return ID_NONE;
    w.online = checker(m, use, &w.variant, e);
    if (!w.online || !can_attach(m, &w, e) || !can_save(m, &w, e))
        return ID_NONE;
    struct text engine = text_in(&m->mem);
    text_puts(&engine, w.online->name);
    text_puts(&engine, w.variant ? w.variant : "");
    w.engine = engine.at;
    w.kind = mem_text(&m->mem, use->kind, strlen(use->kind));
    w.name = call->object ? mem_text(&m->mem, call->object, call->object_length) : NULL;
    w.setting = setting_mapped(&use->setting, renumbered, m, &m->mem);
    w.first = watch_method(&w, id_of(call->method, call->method_length));
    for (uint32_t i = 0; i < call->arity; i++) {
        symbols_pin(&m->symbols, call->args[i]);
        vec_push(&m->mem, &w.first_args, call->args[i]);
    }
    vec_push(&m->mem, &m->watches, w);
    watch_start(&vec_last(&m->watches));
    monitor_note_use(m, w.kind, w.online, w.engine);
    monitor_note_weakened(m, &vec_last(&m->watches), 0);
    if (m->attach) {
        monitor_weaken(m, w.online, "what the object held at the start was unknown", 0);
        if (!watch_can_attach(&w))
            watch_retire(&vec_last(&m->watches));
        monitor_attach(m, m->watches.n - 1);
    }
    return m->watches.n - 1;
}

/* A value of the stream with the probe's number. */
static struct value of_probe(const struct monitor *m, history *h, struct value v)
{
    assay_value public = symbols_public(&m->symbols, v);
    if (public.text)
        v.bits = history_name(h, public.text, public.length);
    return v;
}

static struct object_use use_of(struct monitor *m, const struct first_call *call, struct mem *scratch, assay_error *e)
{
    struct objects objects = {0};
    history *h = monitor_probe(m, e);
    if (!h)
        return (struct object_use){0};
    if (call) {
        struct value args[UINT8_MAX];
        for (uint32_t i = 0; i < call->arity; i++)
            args[i] = of_probe(m, h, call->args[i]);
        history_append(
            h, &(struct new_op){.thread = history_thread(h, history_name(h, "?", 1)),
                                .object = call->object ? history_name(h, call->object, call->object_length) : ID_NONE,
                                .method = history_name(h, call->method, call->method_length),
                                .args = args,
                                .arity = call->arity,
                                .pending = true,
                                .line = m->line,
                                .column = (uint32_t)call->column});
    }
    if (!objects_of(h, (struct object_choice){.kind = m->object, .spec = m->spec}, scratch, &objects, e))
        return (struct object_use){0};
    return objects.at[0];
}

/* The watch of the name, or ID_NONE. */
static uint32_t known_watch(struct monitor *m, const struct first_call *call, struct value *name)
{
    if (!call->object)
        return m->single;
    *name = (struct value){symbols_put(&m->symbols, call->object, call->object_length), ASSAY_WORD};
    return idmap_get(&m->watch_of, (uint64_t)name->bits);
}

uint32_t monitor_watch(struct monitor *m, const struct first_call *call, assay_error *e)
{
    struct value name = {0};
    uint32_t watch = known_watch(m, call, &name);
    if (watch != ID_NONE)
        return watch;
    struct object_use use = use_of(m, call, &m->scratch, e);
    if (use.spec)
        watch = open_watch(m, call, &use, e);
    mem_release(&m->scratch);
    if (watch == ID_NONE)
        return watch;
    if (!call->object)
        return m->single = watch;
    vec_push(&m->mem, &m->pinned, name);
    symbols_pin(&m->symbols, name);
    return *idmap_at(&m->mem, &m->watch_of, (uint64_t)name.bits) = watch;
}

static bool can_follow_transactions(const struct monitor *m, assay_error *e)
{
    bool other_engine = m->engine && strcmp(m->engine, online_window.name) != 0;
    bool other_object = m->object && strcmp(m->object, spec_multi_register.name) != 0;
    if (other_engine)
        error_set(e, ASSAY_ERROR_USAGE, "the monitor %s does not follow %s", m->engine, m->model);
    else if (other_object)
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "%s is a model of transactions, not of the object %s", m->model,
                  m->object);
    if (other_engine || other_object)
        error_remedy(e, "leave out %s", other_engine ? "-e" : "-o");
    return !other_engine && !other_object;
}

bool monitor_can(struct monitor *m, assay_error *e)
{
    struct object_use use;
    const char *variant;
    if (m->isolation.model)
        return can_follow_transactions(m, e);
    if (!m->object)
        return !m->engine || find(m, &variant, e);
    use = use_of(m, NULL, &m->scratch, e);
    const struct online *online = use.spec && levels_fit(m, use.spec, e) ? checker(m, &use, &variant, e) : NULL;
    struct watch w = {.spec = use.spec, .setting = use.setting, .online = online};
    bool can = online && can_attach(m, &w, e) && can_save(m, &w, e);
    mem_release(&m->scratch);
    return can;
}
