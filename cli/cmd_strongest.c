/* SPDX-License-Identifier: Apache-2.0 */
/* assay strongest: the strongest level of visibility of each method that all histories of a set satisfy.
 *
 * All methods start at `weak`; in turn each is raised by one level as long as every history still satisfies the levels, until
 * no method can be raised. Levels are cumulative, so a raise that failed once would fail again after others succeeded:
 * each method fails at most once, and what results is maximal. (It need not be the only maximum: where two methods
 * exclude each other's next level, the first in turn gets it.)
 *
 * The workers who read find, from above, the strongest level that each history satisfies for all methods alike. It satisfies
 * whatever lies within that without a further check, and strong levels are the cheap ones: they leave less to choose.
 * Histories that satisfy `complete`, most of them as a rule, are let go at once. */
#include "each.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const levels[] = {"weak", "self", "monotonic", "peer", "causal", "complete"};
enum { HIGHEST = sizeof levels / sizeof *levels - 1 };

struct item { /* a history */
    const char *file;
    size_t number; /* of the file */
    uint32_t index;
    int alike;        /* the strongest level known to hold of all methods alike; -1: none */
    assay_history *h; /* NULL: that is the highest */
    char *object;
};

struct obstacle { /* why a level is too high */
    const struct item *item; /* NULL: none was met */
    assay_result *result;    /* of the check at that level; NULL: */
    assay_error error;
};

struct method {
    const char *name;
    int level;
    struct obstacle next; /* what forbids the next level */
};

struct strongest {
    struct each each; /* must be first: the context of reading */
    pthread_mutex_t lock;
    struct item *items;
    size_t item_count;
    char **names; /* of the methods that occur */
    size_t name_count;

    struct method *methods; /* the same in the object's order */
    size_t method_count;
    struct progress progress;
};

/* ---- in a worker: one history ---- */

static void note_name(struct strongest *s, const char *name)
{
    for (size_t i = 0; i < s->name_count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    s->names = grow(s->names, (s->name_count + 1) * sizeof *s->names);
    s->names[s->name_count++] = copy_text(name);
}

static void note(struct strongest *s, struct item item, const assay_history *h)
{
    pthread_mutex_lock(&s->lock);
    for (uint32_t o = 0; o < assay_history_size(h); o++)
        note_name(s, assay_history_operation(h, o).method);
    s->items = grow(s->items, (s->item_count + 1) * sizeof *s->items);
    s->items[s->item_count++] = item;
    pthread_mutex_unlock(&s->lock);
}

/* From above, the first level that holds of all methods alike; -1: none, or an error. */
static int strongest_alike(const assay_history *h, const assay_options *options, char **object, assay_error *e)
{
    bool holds = false;
    int level = HIGHEST + 1;
    while (level > 0 && !holds && !e->code && !stopping()) {
        char model[32];
        snprintf(model, sizeof model, "level:%s", levels[--level]);
        assay_result *r = assay_check(h, model, options, e);
        holds = r && assay_result_verdict(r) == ASSAY_CONSISTENT;
        if (r && !*object)
            *object = copy_text(assay_result_object(r));
        assay_result_free(r);
    }
    return holds ? level : -1;
}

static bool read_history(struct reading *reading, assay_history *h, uint32_t index)
{
    struct strongest *s = reading->context;
    assay_options options = settings_options(&s->each.set.common);
    assay_error e = {0};
    char *object = NULL;
    int alike = strongest_alike(h, &options, &object, &e);
    bool let_go = e.code || !object || alike == HIGHEST;
    if (e.code)
        emit_error(reading, index, "level:complete", &e);
    else if (object)
        note(s, (struct item){reading->task->file, reading->task->number, index, alike, let_go ? NULL : h, object}, h);
    if (e.code)
        free(object);
    if (let_go)
        assay_history_free(h);
    return true;
}

/* ---- the object and its methods ---- */

static int by_place(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static size_t kind_length(const char *object) /* without (3) */
{
    return strcspn(object, "(");
}

static bool same_kind(const char *a, const char *b)
{
    size_t n = kind_length(a);
    return n == kind_length(b) && memcmp(a, b, n) == 0;
}

static bool one_object(const struct strongest *s)
{
    const char *object = s->items[0].object;
    for (size_t i = 1; i < s->item_count; i++)
        if (!same_kind(s->items[i].object, object)) {
            complain("strongest: the histories are of different objects: %s in %s, %s in %s (name the files of one)",
                     object, spoken(s->items[0].file), s->items[i].object, spoken(s->items[i].file));
            return false;
        }
    return true;
}

static const assay_method *methods_of(const struct strongest *s)
{
    if (s->each.set.common.spec)
        return s->each.set.common.spec->methods;
    for (size_t i = 0; i < assay_family_size(ASSAY_OBJECTS); i++) {
        assay_member m = assay_family_member(ASSAY_OBJECTS, i);
        if (same_kind(m.name, s->items[0].object))
            return m.methods;
    }
    static const assay_method none[] = {{0}};
    return none;
}

static void order_methods(struct strongest *s)
{
    s->methods = grow(NULL, s->name_count * sizeof *s->methods);
    for (const assay_method *m = methods_of(s); m->name; m++)
        for (size_t i = 0; i < s->name_count; i++)
            if (strcmp(s->names[i], m->name) == 0)
                s->methods[s->method_count++] = (struct method){.name = m->name};
}

/* ---- raising ---- */

static char *levels_text(const struct strongest *s, bool all)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    const char *glue = "";
    for (size_t i = 0; i < s->method_count; i++)
        if (all || s->methods[i].level) { /* the model is level:weak */
            fprintf(out, "%s%s=%s", glue, s->methods[i].name, levels[s->methods[i].level]);
            glue = ",";
        }
    memory_close(out, &text);
    return text;
}

static int highest_level(const struct strongest *s)
{
    int highest = 0;
    for (size_t i = 0; i < s->method_count; i++)
        highest = s->methods[i].level > highest ? s->methods[i].level : highest;
    return highest;
}

/* The first history that does not satisfy the levels, or is not known to. */
static struct obstacle obstacle_to(struct strongest *s)
{
    struct obstacle found = {0};
    int highest = highest_level(s);
    char *text = levels_text(s, false);
    assay_options options = settings_options(&s->each.set.common);
    options.visibility = *text ? text : NULL;
    for (size_t i = 0; i < s->item_count && !found.item; i++) {
        const struct item *item = &s->items[i];
        if (item->alike >= highest)
            continue;
        progress_show(&s->progress, i, s->item_count, *text ? text : "weak");
        assay_result *r = assay_check(item->h, "level:weak", &options, &found.error);
        if (!r || assay_result_verdict(r) != ASSAY_CONSISTENT) {
            found.item = item;
            found.result = r;
        } else {
            assay_result_free(r);
        }
    }
    free(text);
    return found;
}

static bool raise_method(struct strongest *s, struct method *m)
{
    if (m->level == HIGHEST || m->next.item || stopping())
        return false;
    m->level++;
    m->next = obstacle_to(s);
    if (m->next.item)
        m->level--;
    return !m->next.item;
}

static void raise_all(struct strongest *s)
{
    bool raised = true;
    while (raised) {
        raised = false;
        for (size_t i = 0; i < s->method_count; i++)
            raised |= raise_method(s, &s->methods[i]);
    }
}

/* ---- printing ---- */

static const char *verdict_word(const struct obstacle *o)
{
    return o->result ? assay_verdict_name(assay_result_verdict(o->result)) : "error";
}

static void print_place(const struct item *item, FILE *out)
{
    fputs(spoken(item->file), out);
    if (item->index)
        fprintf(out, "#%" PRIu32, item->index);
}

static void print_obstacle(const struct method *m, FILE *out)
{
    const struct obstacle *o = &m->next;
    fprintf(out, "  %s ", levels[m->level + 1]);
    if (!o->item) {
        fputs("was not tried", out);
        return;
    }
    fputs(!o->result ? "cannot be checked for " : assay_result_verdict(o->result) == ASSAY_VIOLATION
                                                      ? "is violated by "
                                                      : "is undecided for ", out);
    print_place(o->item, out);
    if (o->result && assay_result_verdict(o->result) != ASSAY_UNDECIDED)
        return;
    fputs(": ", out);
    show(out, o->result ? assay_result_reason(o->result) : o->error.message);
}

static void print_table(const struct strongest *s)
{
    int width = 0;
    for (size_t i = 0; i < s->method_count; i++) {
        int n = (int)strlen(s->methods[i].name);
        width = n > width ? n : width;
    }
    printf("%.*s, %zu %s: the strongest levels that hold\n", (int)kind_length(s->items[0].object), s->items[0].object,
           s->item_count, s->item_count == 1 ? "history" : "histories");
    for (size_t i = 0; i < s->method_count; i++) {
        const struct method *m = &s->methods[i];
        bool highest = m->level == HIGHEST;
        printf("  %-*s  %-*s", width, m->name, highest ? 0 : 9, levels[m->level]);
        if (!highest)
            print_obstacle(m, stdout);
        putchar('\n');
    }
    char *text = levels_text(s, true);
    printf("  as an option of check: --visibility %s\n", text);
    free(text);
}

static void print_json_method(const struct strongest *s, const struct method *m)
{
    const struct obstacle *o = &m->next;
    fputs("{\"object\":", stdout);
    print_json(stdout, s->items[0].object);
    printf(",\"histories\":%zu,\"method\":", s->item_count);
    print_json(stdout, m->name);
    printf(",\"level\":\"%s\",\"next\":", levels[m->level]);
    print_json(stdout, m->level < HIGHEST ? levels[m->level + 1] : NULL);
    if (o->item) {
        printf(",\"next_verdict\":\"%s\",\"file\":", verdict_word(o));
        print_json(stdout, o->item->file);
        printf(",\"index\":%" PRIu32 ",\"reason\":", o->item->index);
        print_json(stdout, o->result ? assay_result_reason(o->result) : o->error.message);
    }
    fputs("}\n", stdout);
}

/* Not even `weak` holds of all: the report on the history that it does not hold of. */
static void print_base(const struct strongest *s, const struct obstacle *base)
{
    bool json = s->each.set.common.json;
    assay_report_options options = {.file = json ? base->item->file : spoken(base->item->file),
                                    .index = base->item->index, .color = s->each.color};
    if (!base->result) {
        print_error(stderr, base->item->file, &base->error);
        return;
    }
    put_report(base->result, json ? "json" : "text", &options, stdout);
    if (!json)
        printf("  so no levels %s of all histories\n",
               assay_result_verdict(base->result) == ASSAY_VIOLATION ? "hold" : "are known to hold");
}

/* ---- the command ---- */

static int status_of(const struct obstacle *o, int violated)
{
    if (!o->item)
        return EXIT_FINE;
    if (!o->result)
        return EXIT_FAULT;
    return assay_result_verdict(o->result) == ASSAY_VIOLATION ? violated : EXIT_OPEN;
}

static void worsen(struct strongest *s, int status)
{
    if (s->each.status != EXIT_FAULT && status != EXIT_FINE)
        s->each.status = status;
}

static void conclude_methods(struct strongest *s)
{
    raise_all(s);
    progress_hide(&s->progress);
    for (size_t i = 0; i < s->method_count; i++) {
        if (s->each.set.common.json)
            print_json_method(s, &s->methods[i]);
        worsen(s, status_of(&s->methods[i].next, EXIT_FINE));
    }
    if (!s->each.set.common.json)
        print_table(s);
}

static void conclude(struct each *each)
{
    struct strongest *s = (struct strongest *)each;
    if (!s->item_count)
        return; /* what could not be read has been said */
    qsort(s->items, s->item_count, sizeof *s->items, by_place);
    if (!one_object(s)) {
        worsen(s, EXIT_FAULT);
        return;
    }
    order_methods(s);
    progress_start(&s->progress, "histories");
    struct obstacle base = obstacle_to(s);
    progress_hide(&s->progress);
    if (base.item)
        print_base(s, &base);
    else
        conclude_methods(s);
    worsen(s, status_of(&base, EXIT_VIOLATED));
    assay_result_free(base.result);
}

static void strongest_free(struct strongest *s)
{
    for (size_t i = 0; i < s->method_count; i++)
        assay_result_free(s->methods[i].next.result);
    for (size_t i = 0; i < s->item_count; i++) {
        assay_history_free(s->items[i].h);
        free(s->items[i].object);
    }
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    free(s->methods);
    free(s->items);
    free(s->names);
    pthread_mutex_destroy(&s->lock);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct strongest s = {.each = {.history = read_history, .keeps = true, .conclude = conclude}};
    pthread_mutex_init(&s.lock, NULL);
    int status = each_run(&s.each, self, argc, argv);
    strongest_free(&s);
    return status;
}

static const struct option_row rows[] = {SETTINGS_ROW_ENGINE(struct each_settings),
                                         SETTINGS_ROWS(struct each_settings), {0}};

const struct command command_strongest = {
    .name = "strongest",
    .summary = "Find the strongest level of visibility per method that all histories satisfy.",
    .usage = "[-o OBJECT] [options] FILE|DIR|-...",
    .notes = "The levels, weakest first: weak, self, monotonic, peer, causal, complete (docs/weak.md). All\n"
             "methods start at weak and are raised in turn, one level at a time, while all histories\n"
             "still satisfy the levels. What is undecided is not raised.\n\n"
             "exit status: 0; 1 if a history does not satisfy even weak; 2 if anything could not be\n"
             "read or run; 3 if a level stayed undecided, or interrupted\n",
    .examples = "  assay strongest -o map histories/\n"
                "  assay strongest --json --time 1 -j 4 run*.hist\n",
    .options = rows,
    .run = run,
};
