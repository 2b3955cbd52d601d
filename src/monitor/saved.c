/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a monitor as an image (base/image.h), so that a monitor can be started again where another one ended.
 *
 * An image begins with the version of the program, the layout of its structures, and the options that decide on
 * the checkers. Another program or other options refuse the image. Then come the texts, since all else names them by
 * number. The headers and the first calls follow: the objects are found from these, as they were before. The last parts
 * are the open calls and the state of each object. The first violation is not saved, only that there was one. */
#include "monitor/monitor.h"

#include "base/error.h"
#include "base/image.h"

#include <string.h>

static _Noreturn void refuse(assay_error *e, const char *why, const char *remedy)
{
    error_set(e, ASSAY_ERROR_INPUT, "%s", why);
    error_remedy(e, "%s", remedy);
    escape_raise(ESCAPE_ERROR);
}

/* ---- is it an image of this program and these options? ---- */

static struct text signature(struct mem *mem)
{
    struct text t = text_in(mem);
    text_printf(&t, "%s %zu %zu %zu %zu %zu %zu", assay_version(), sizeof(struct online_op), sizeof(struct watch),
                sizeof(struct held), sizeof(struct value), sizeof(struct monitor_use), sizeof(void *));
    return t;
}

static struct text options(const struct monitor *m, struct mem *mem)
{
    struct text t = text_in(mem);
    text_printf(&t, "object %s, monitor %s, init %s, %s%s%s",
                m->spec     ? m->spec->name
                : m->object ? m->object
                            : "?",
                m->engine ? m->engine : "?", m->init ? m->init : "none", m->all ? "all " : "", m->drain ? "drain " : "",
                m->lenient ? "lenient" : "");
    return t;
}

static void image_same(struct image *x, struct mem *mem, const struct text *mine, assay_error *e, const char *why,
                       const char *remedy)
{
    char *theirs = mem_text(mem, mine->at, mine->n);
    image_text(x, mem, &theirs);
    if (!theirs || strcmp(theirs, mine->at) != 0)
        refuse(e, why, remedy);
}

static void image_identity(struct monitor *m, struct image *x, assay_error *e)
{
    struct text program = signature(&m->scratch), asked = options(m, &m->scratch);
    image_same(x, &m->scratch, &program, e, "the checkpoint was written by another version of the program",
               "delete it, and start with --attach");
    image_same(x, &m->scratch, &asked, e, "the checkpoint was written with other options",
               "give the same object, monitor and initial values, and --all, --lenient and --fail-fast as then");
    mem_release(&m->scratch);
}

/* ---- parts ---- */

static void image_headers(struct monitor *m, struct image *x, assay_error *e)
{
    uint32_t n = image_count(x, m->head->headers.n, 1);
    for (uint32_t i = 0; i < n; i++) {
        char *key = NULL, *text = NULL;
        uint64_t line = 0;
        if (!x->loads) {
            const struct header *h = &m->head->headers.at[i];
            const struct name *name = &m->head->names.all.at[h->key];
            key = mem_text(&m->scratch, name->text, name->length);
            text = mem_text(&m->scratch, h->text, h->length);
            line = h->line;
        }
        image_text(x, &m->scratch, &key);
        image_text(x, &m->scratch, &text);
        image_plain(x, &line);
        if (x->loads && (!key || !text || !history_header(m->head, key, strlen(key), text, strlen(text), line, 1, e)))
            refuse(e, "the checkpoint is damaged", "delete it, and start with --attach");
    }
    mem_release(&m->scratch);
}

/* The object of a watch follows from its first call, as it did at first. */
static void image_first_call(struct monitor *m, struct image *x, uint32_t i, assay_error *e)
{
    char *name = NULL, *method = NULL;
    VEC(struct value) args = {0};
    if (!x->loads) {
        const struct watch *w = &m->watches.at[i];
        name = w->name ? mem_text(&m->mem, w->name, strlen(w->name)) : NULL;
        method = mem_text(&m->mem, w->first->name, strlen(w->first->name));
        for (uint32_t a = 0; a < w->first_args.n; a++)
            vec_push(&m->mem, &args, w->first_args.at[a]);
    }
    image_text(x, &m->mem, &name);
    image_text(x, &m->mem, &method);
    image_vec(x, &m->mem, &args);
    struct first_call call = {.object = name,
                              .object_length = name ? strlen(name) : 0,
                              .method = method,
                              .method_length = method ? strlen(method) : 0,
                              .args = args.at,
                              .arity = args.n};
    if (x->loads && (!method || monitor_watch(m, &call, e) != i))
        refuse(e, "the checkpoint is damaged", "delete it, and start with --attach");
    mem_free(&m->mem, name);
    mem_free(&m->mem, method);
    vec_free(&m->mem, &args);
}

/* The method of an open call, by its place in the specification. */
static void image_methods(struct monitor *m, struct image *x)
{
    for (uint32_t slot = 0; slot < m->slots.all.n; slot++) {
        struct open_call *o = &m->slots.all.at[slot];
        if (!o->length || o->watch == ID_NONE)
            continue;
        const assay_spec *spec = m->watches.at[o->watch].spec;
        uint32_t at = x->loads ? 0 : (uint32_t)(o->method - spec->methods);
        image_plain(x, &at);
        o->method = &spec->methods[at];
    }
}

/* The uses are those that the objects made when they were opened, in the same order; but for ended histories. */
static void image_uses(struct monitor *m, struct image *x, assay_error *e)
{
    uint32_t n = image_count(x, m->uses.n, 1);
    for (uint32_t i = 0; i < n; i++) {
        struct monitor_use use = {0};
        char *name = NULL;
        if (!x->loads) {
            use = m->uses.at[i];
            name = mem_text(&m->scratch, use.online->name, strlen(use.online->name));
        }
        image_text(x, &m->scratch, &name);
        image_text(x, &m->mem, &use.kind);
        image_text(x, &m->mem, &use.engine);
        image_text(x, &m->mem, &use.weakened);
        image_plain(x, &use.event);
        image_plain(x, &use.line);
        image_plain(x, &use.objects);
        image_plain(x, &use.weak);
        image_plain(x, &use.unchecked);
        image_plain(x, &use.unknown);
        if (!x->loads)
            continue;
        const char *variant;
        use.online = name ? online_find(name, &variant, e) : NULL;
        if (!use.online)
            refuse(e, "the checkpoint is damaged", "delete it, and start with --attach");
        if (i == 0)
            vec_clear(&m->uses);
        vec_push(&m->mem, &m->uses, use);
    }
    mem_release(&m->scratch);
}

void monitor_image(struct monitor *m, struct image *x, assay_error *e)
{
    image_identity(m, x, e);
    symbols_image(&m->symbols, x);
    for (int64_t w = 0; x->loads && w < ONLINE_WORDS; w++)
        symbols_pin(&m->symbols, (struct value){w, ASSAY_WORD});
    image_headers(m, x, e);
    uint32_t watches = image_count(x, m->watches.n, 1);
    for (uint32_t i = 0; i < watches; i++)
        image_first_call(m, x, i, e);
    image_plain(x, &m->step);
    image_plain(x, &m->line);
    image_plain(x, &m->index);
    image_plain(x, &m->begun);
    image_plain(x, &m->notation);
    image_plain(x, &m->attach);
    image_plain(x, &m->gap);
    image_plain(x, &m->settled);
    image_vec(x, &m->mem, &m->late);
    image_plain(x, &m->stats);
    places_image(&m->places, x);
    event_times_image(&m->times, x);
    recording_image(&m->recording, x);
    slots_image(&m->slots, x);
    image_methods(m, x);
    for (uint32_t i = 0; i < watches; i++)
        watch_image(&m->watches.at[i], x);
    image_uses(m, x, e);
    if (x->loads && x->at != x->end)
        refuse(e, "the checkpoint is damaged", "delete it, and start with --attach");
}
