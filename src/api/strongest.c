/* SPDX-License-Identifier: Apache-2.0 */
/* The strongest level of visibility of each method that all histories of a set satisfy.
 *
 * All methods start at `weak`. Each in turn is raised by one level as long as every history still satisfies the levels,
 * until no method can be raised. Levels are cumulative, so a raise that failed once would fail again after others
 * succeeded. So each method fails at most once, and the result is maximal. (It need not be the only maximum: where two
 * methods exclude each other's next level, the first in turn gets it.)
 *
 * When a history is added, the strongest level that it satisfies for all methods alike is found from above. Levels
 * within that need no further check. Strong levels are the cheap ones: they leave less to choose. Histories that
 * satisfy `complete`, most of them as a rule, are freed at once. */
#include "base/given.h"
#include "base/options.h"
#include "base/text.h"
#include "check/check.h"
#include "explain/refuted.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const levels[] = {"weak", "self", "monotonic", "peer", "causal", "complete"};
enum { HIGHEST = sizeof levels / sizeof *levels - 1 };

struct item { /* a history */
    const char *file;
    uint64_t place;
    int alike;        /* the strongest level known to hold of all methods alike; -1: none */
    assay_history *h; /* NULL: that is the highest */
    const char *object;
};

struct obstacle {            /* why a level is too high */
    const struct item *item; /* NULL: none was met */
    assay_result *result;    /* of the check at that level; NULL: */
    assay_error error;
};

struct method {
    const char *name;
    int level;
    struct obstacle next; /* the history that forbids the next level */
};

struct assay_strongest {
    assay_options options;
    pthread_mutex_t lock; /* of the added histories */
    struct mem mem;
    VEC(struct item) items;
    struct names names;         /* of the methods that occur */
    VEC(struct method) methods; /* the same in the object's order */
    struct obstacle base;
    assay_strongest_progress *progress;
    void *progress_arg;
};

assay_strongest *assay_strongest_new(const assay_options *options, assay_error *e)
{
    assay_strongest *s = calloc(1, sizeof *s);
    if (!s) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    if (!options_take(&s->options, sizeof s->options, options, e)) {
        free(s);
        return NULL;
    }
    s->options.visibility = NULL;
    s->names = names_in(&s->mem);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void assay_strongest_free(assay_strongest *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->methods.n; i++)
        assay_result_free(s->methods.at[i].next.result);
    for (uint32_t i = 0; i < s->items.n; i++)
        assay_history_free(s->items.at[i].h);
    assay_result_free(s->base.result);
    mem_release(&s->mem);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static bool interrupted(const assay_strongest *s)
{
    return s->options.interrupt && s->options.interrupt(s->options.interrupt_arg);
}

static assay_result *check_level(const history *h, int level, const assay_options *options, assay_error *e)
{
    char name[32];
    snprintf(name, sizeof name, "level:%s", levels[level]);
    return checker_once(h, model_find(name), options, explain_refuted, e);
}

/* ---- adding a history ---- */

struct adding {
    assay_strongest *s;
    struct item item;
    char object[EVIDENCE_OBJECT];
};

static void note(void *arg)
{
    struct adding *a = arg;
    assay_strongest *s = a->s;
    const history *h = a->item.h;
    for (uint32_t o = 0; o < h->n; o++) {
        const char *name = names_text(&h->names, h->method[o]);
        names_put(&s->names, name, strlen(name));
    }
    a->item.object = mem_text(&s->mem, a->object, strlen(a->object));
    vec_reserve(&s->mem, &s->items, 1);
    if (a->item.alike == HIGHEST) {
        assay_history_free(a->item.h);
        a->item.h = NULL;
    }
    s->items.at[s->items.n++] = a->item;
}

/* From above, the first level that holds of all methods alike; -1: none, or an error. */
static int strongest_alike(struct adding *a, assay_error *e)
{
    bool holds = false;
    int level = HIGHEST + 1;
    while (level > 0 && !holds && !e->code && !interrupted(a->s)) {
        assay_error mine = {0};
        assay_result *r = check_level(a->item.h, --level, &a->s->options, &mine);
        if (!a->item.h->last_line.line || level == 0) /* else the violation may rest on a line that may be cut */
            error_copy(e, &mine);
        holds = r && r->verdict == ASSAY_CONSISTENT;
        if (r)
            memcpy(a->object, r->object, sizeof a->object);
        assay_result_free(r);
    }
    return holds ? level : -1;
}

bool assay_strongest_add(assay_strongest *s, assay_history *h, const char *file, uint64_t place, assay_error *e)
{
    if (!GIVEN(s && h, e))
        return false;
    struct adding a = {.s = s, .item = {.file = file, .place = place, .h = h}};
    assay_error mine = {0};
    a.item.alike = strongest_alike(&a, &mine);
    bool seen = !mine.code && *a.object;
    if (seen) {
        pthread_mutex_lock(&s->lock);
        error_from_escape(&mine, escape_run(note, &a));
        pthread_mutex_unlock(&s->lock);
    }
    if (seen && !mine.code)
        return true;
    assay_history_free(h);
    error_copy(e, &mine);
    return false;
}

/* ---- the object and its methods ---- */

static int by_place(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool same_kind(const char *a, const char *b) /* without (3) */
{
    size_t n = strcspn(a, "(");
    return n == strcspn(b, "(") && memcmp(a, b, n) == 0;
}

static const char *spoken(const char *file) /* as readers name it */
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

static bool one_object(const assay_strongest *s, assay_error *e)
{
    const struct item *first = s->items.at, *other = first;
    while (other < first + s->items.n && same_kind(other->object, first->object))
        other++;
    if (other == first + s->items.n)
        return true;
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the histories are of different objects: %s in %s, %s in %s",
              first->object, spoken(first->file), other->object, spoken(other->file));
    error_remedy(e, "name the files of one");
    return false;
}

static const assay_method *methods_of(const assay_strongest *s)
{
    if (s->options.spec)
        return s->options.spec->methods;
    for (size_t i = 0; spec_table[i]; i++)
        if (same_kind(spec_table[i]->name, s->items.at[0].object))
            return spec_table[i]->methods;
    static const assay_method none[] = {{0}};
    return none;
}

static void order_methods(assay_strongest *s)
{
    for (const assay_method *m = methods_of(s); m->name; m++)
        if (names_find(&s->names, m->name, strlen(m->name)) != ID_NONE)
            vec_push(&s->mem, &s->methods, (struct method){.name = m->name});
}

/* ---- raising ---- */

/* Methods that are not named are weak. */
static struct text levels_text(assay_strongest *s)
{
    struct text t = text_in(&s->mem);
    for (uint32_t i = 0; i < s->methods.n; i++)
        if (s->methods.at[i].level)
            text_printf(&t, "%s%s=%s", t.n ? "," : "", s->methods.at[i].name, levels[s->methods.at[i].level]);
    return t;
}

static int highest_level(const assay_strongest *s)
{
    int highest = 0;
    for (uint32_t i = 0; i < s->methods.n; i++)
        highest = s->methods.at[i].level > highest ? s->methods.at[i].level : highest;
    return highest;
}

static bool stands_in_the_way(const struct item *item, const assay_options *options, struct obstacle *out)
{
    assay_result *r = check_level(item->h, 0, options, &out->error);
    if (r && r->verdict == ASSAY_CONSISTENT) {
        assay_result_free(r);
        return false;
    }
    out->item = item;
    out->result = r;
    return true;
}

/* The first history that does not satisfy the levels, or is not known to. */
static void find_obstacle(assay_strongest *s, struct obstacle *out)
{
    int highest = highest_level(s);
    struct text text = levels_text(s);
    assay_options options = s->options;
    options.visibility = text.n ? text.at : NULL;
    for (uint32_t i = 0; i < s->items.n && !out->item; i++) {
        if (s->items.at[i].alike >= highest)
            continue;
        if (s->progress)
            s->progress(s->progress_arg, i, s->items.n, text.n ? text.at : levels[0]);
        stands_in_the_way(&s->items.at[i], &options, out);
    }
    mem_free(&s->mem, text.at);
}

static bool raise_method(assay_strongest *s, struct method *m)
{
    if (m->level == HIGHEST || m->next.item || interrupted(s))
        return false;
    m->level++;
    find_obstacle(s, &m->next);
    if (m->next.item)
        m->level--;
    return !m->next.item;
}

static void find(void *arg)
{
    assay_strongest *s = arg;
    order_methods(s);
    find_obstacle(s, &s->base);
    for (bool raised = !s->base.item; raised;) {
        raised = false;
        for (uint32_t i = 0; i < s->methods.n; i++)
            raised |= raise_method(s, &s->methods.at[i]);
    }
}

bool assay_strongest_find(assay_strongest *s, assay_strongest_progress *progress, void *arg, assay_error *e)
{
    if (!GIVEN(s, e))
        return false;
    if (s->items.n)
        qsort(s->items.at, s->items.n, sizeof *s->items.at, by_place);
    if (s->items.n && !one_object(s, e))
        return false;
    s->progress = progress;
    s->progress_arg = arg;
    enum escape left = s->items.n ? escape_run(find, s) : ESCAPE_NONE;
    error_from_escape(e, left);
    return !left;
}

/* ---- results ---- */

size_t assay_strongest_histories(const assay_strongest *s)
{
    if (!s)
        return 0;
    return s->items.n;
}

const char *assay_strongest_object(const assay_strongest *s)
{
    if (!s)
        return NULL;
    return s->items.n ? s->items.at[0].object : NULL;
}

static assay_obstacle shown(const struct obstacle *o)
{
    if (!o->item)
        return (assay_obstacle){0};
    return (assay_obstacle){.met = true,
                            .file = o->item->file,
                            .place = o->item->place,
                            .result = o->result,
                            .error = o->result ? NULL : &o->error};
}

assay_obstacle assay_strongest_base(const assay_strongest *s)
{
    if (!s)
        return (assay_obstacle){0};
    return shown(&s->base);
}

size_t assay_strongest_methods(const assay_strongest *s)
{
    if (!s)
        return 0;
    return s->methods.n;
}

assay_method_level assay_strongest_method(const assay_strongest *s, size_t i)
{
    if (i >= assay_strongest_methods(s))
        return (assay_method_level){0};
    const struct method *m = &s->methods.at[i];
    return (assay_method_level){.method = m->name,
                                .level = levels[m->level],
                                .next = m->level < HIGHEST ? levels[m->level + 1] : NULL,
                                .obstacle = shown(&m->next)};
}
