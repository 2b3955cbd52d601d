/* SPDX-License-Identifier: Apache-2.0 */
/* assay strongest: the strongest level of visibility of each method that all histories of a set satisfy. The workers
 * that read add the histories to the set; the library raises the levels (src/check/strongest.c). */
#include "each.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

struct strongest {
    struct each each; /* must be first: the context of reading */
    assay_strongest *set;
    struct progress progress;
};

/* ---- in a worker: one history ---- */

static bool read_history(struct reading *reading, assay_history *h, uint32_t index)
{
    struct strongest *s = reading->context;
    assay_error e = {0};
    uint64_t place = (uint64_t)reading->task->number << 32 | index;
    if (!assay_strongest_add(s->set, h, reading->task->file, place, &e) && e.code)
        emit_error(reading, index, "level:complete", &e);
    return true;
}

/* ---- printing ---- */

static const char *verdict_word(const assay_obstacle *o)
{
    return o->result ? assay_verdict_name(assay_result_verdict(o->result)) : "error";
}

static uint32_t index_of(const assay_obstacle *o)
{
    return (uint32_t)o->place;
}

static void print_obstacle(const assay_method_level *m, FILE *out)
{
    const assay_obstacle *o = &m->obstacle;
    fprintf(out, "  %s ", m->next);
    if (!o->met) {
        fputs("was not tried", out);
        return;
    }
    fputs(!o->result                                           ? "cannot be checked for "
          : assay_result_verdict(o->result) == ASSAY_VIOLATION ? "is violated by "
                                                               : "is undecided for ",
          out);
    fputs(spoken(o->file), out);
    if (index_of(o))
        fprintf(out, "#%" PRIu32, index_of(o));
    if (o->result && assay_result_verdict(o->result) != ASSAY_UNDECIDED)
        return;
    fputs(": ", out);
    show(out, o->result ? verdict_note(o->result) : o->error->message);
}

static int name_width(const assay_strongest *set)
{
    int width = 0;
    for (size_t i = 0; i < assay_strongest_methods(set); i++) {
        int n = (int)strlen(assay_strongest_method(set, i).method);
        width = n > width ? n : width;
    }
    return width;
}

static void print_table(const assay_strongest *set)
{
    const char *object = assay_strongest_object(set);
    size_t histories = assay_strongest_histories(set), methods = assay_strongest_methods(set);
    int width = name_width(set);
    printf("%.*s, %zu %s: the strongest levels that hold\n", (int)strcspn(object, "("), object, histories,
           histories == 1 ? "history" : "histories");
    for (size_t i = 0; i < methods; i++) {
        assay_method_level m = assay_strongest_method(set, i);
        printf("  %-*s  %-*s", width, m.method, m.next ? 9 : 0, m.level);
        if (m.next)
            print_obstacle(&m, stdout);
        putchar('\n');
    }
    fputs("  as an option of check: --visibility ", stdout);
    for (size_t i = 0; i < methods; i++) {
        assay_method_level m = assay_strongest_method(set, i);
        printf("%s%s=%s", i ? "," : "", m.method, m.level);
    }
    putchar('\n');
}

static void print_json_method(const assay_strongest *set, const assay_method_level *m)
{
    const assay_obstacle *o = &m->obstacle;
    print_json_text(stdout, '{', "object", assay_strongest_object(set));
    print_json_number(stdout, "histories", assay_strongest_histories(set), true);
    print_json_text(stdout, ',', "method", m->method);
    print_json_text(stdout, ',', "level", m->level);
    print_json_text(stdout, ',', "next", m->next);
    if (o->met) {
        print_json_text(stdout, ',', "next_verdict", verdict_word(o));
        print_json_text(stdout, ',', "file", o->file);
        print_json_number(stdout, "index", index_of(o), true);
        print_json_text(stdout, ',', "reason", o->result ? verdict_note(o->result) : o->error->message);
    }
    fputs("}\n", stdout);
}

/* Not even `weak` holds of all: the report on the history that it does not hold of. */
static void print_base(const struct strongest *s, const assay_obstacle *base)
{
    bool json = s->each.set.common.json;
    assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = json ? base->file : spoken(base->file),
                                    .index = index_of(base), .color = s->each.color};
    if (!base->result) {
        print_error(stderr, base->file, base->error);
        return;
    }
    put_report(base->result, json ? "json" : "text", &options, stdout);
    if (!json)
        printf("  so no levels %s of all histories\n",
               assay_result_verdict(base->result) == ASSAY_VIOLATION ? "hold" : "are known to hold");
}

/* ---- the command ---- */

static int status_of(const assay_obstacle *o, int violated)
{
    if (!o->met)
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
    for (size_t i = 0; i < assay_strongest_methods(s->set); i++) {
        assay_method_level m = assay_strongest_method(s->set, i);
        if (s->each.set.common.json)
            print_json_method(s->set, &m);
        worsen(s, status_of(&m.obstacle, EXIT_FINE));
    }
    if (!s->each.set.common.json)
        print_table(s->set);
}

static void show_progress(void *arg, size_t done, size_t all, const char *levels)
{
    progress_show(arg, done, all, levels);
}

static void conclude(struct each *each)
{
    struct strongest *s = (struct strongest *)each;
    assay_error e = {0};
    if (!assay_strongest_histories(s->set))
        return; /* faults of reading have been reported */
    progress_start(&s->progress, "histories");
    bool found = assay_strongest_find(s->set, show_progress, &s->progress, &e);
    progress_hide(&s->progress);
    if (!found) {
        print_error(stderr, "strongest", &e);
        worsen(s, EXIT_FAULT);
        return;
    }
    assay_obstacle base = assay_strongest_base(s->set);
    if (base.met)
        print_base(s, &base);
    else
        conclude_methods(s);
    worsen(s, status_of(&base, EXIT_VIOLATED));
}

static bool begin(struct each *each)
{
    struct strongest *s = (struct strongest *)each;
    assay_options options = settings_options(&each->set.common);
    assay_error e = {0};
    s->set = assay_strongest_new(&options, &e);
    if (!s->set)
        print_error(stderr, NULL, &e);
    return s->set;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct strongest s = {.each = {.begin = begin, .history = read_history, .keeps = true, .conclude = conclude}};
    int status = each_run(&s.each, self, argc, argv);
    assay_strongest_free(s.set);
    return status;
}

static const struct option_row rows[] = {
    SETTINGS_ROW_ENGINE(struct each_settings), SETTINGS_ROWS(struct each_settings), {0}};

const struct command command_strongest = {
    .name = "strongest",
    .summary = "Find, for each method, the strongest level of visibility that all histories satisfy.",
    .usage = "[-o OBJECT] [options] FILE|DIR|-...",
    .notes = "The levels, weakest first: weak, self, monotonic, peer, causal, complete (docs/reference/weak.md). All\n"
             "methods start at weak and are raised in turn, one level at a time, while all histories\n"
             "still satisfy the levels. A level that stays undecided is not raised.\n\n"
             "exit status: 0; 1 if a history does not satisfy even weak; 2 if anything could not be\n"
             "read or run; 3 if a level stayed undecided, or interrupted\n",
    .examples = "  assay strongest -o map histories/\n"
                "  assay strongest --json --time 1 -j 4 run*.hist\n",
    .most = COMMAND_ANY,
    .options = rows,
    .run = run,
};
