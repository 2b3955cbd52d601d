/* SPDX-License-Identifier: Apache-2.0 */
/* assay list: all members of the families, from the library's own tables and that of the collectors. */
#include "command.h"
#include "output.h"

#include "assay_spec.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

struct list_settings {
    bool json, text, all;
    const char *spec_file;
};

/* ---- families: the library's, and those that stand above it ---- */

/* The promise of an implementation. */
static const char *promise(const assay_adapter *a)
{
    static char text[160];
    if (a->flaw)
        snprintf(text, sizeof text, "broken: %s", a->flaw);
    else
        snprintf(text, sizeof text, "%s%s%s", a->satisfies ? a->satisfies : "lin", a->visibility ? ", but " : "",
                 a->visibility ? a->visibility : "");
    return text;
}

static assay_member collector_member(size_t i)
{
    const struct collector *c = collector_table[i];
    return (assay_member){.name = c->name, .title = c->title, .details = c->details};
}

static assay_member implementation_member(size_t i)
{
    const assay_adapter *a = adapter_at(i);
    return (assay_member){.name = a->name, .title = a->title, .details = promise(a), .missing = a->missing};
}

static size_t theory_count(void)
{
    size_t n = 0;
    while (assay_theory_name(n))
        n++;
    return n;
}

static assay_member theory_member(size_t i)
{
    return (assay_member){.name = assay_theory_name(i), .title = "axioms: --text prints them"};
}

static size_t name_count(void)
{
    size_t n = 0;
    while (assay_model_name_at(n).name)
        n++;
    return n;
}

/* A declined name has its nearest model in the place of what is missing. */
static assay_member name_member(size_t i)
{
    static char nearest[64];
    assay_model_name n = assay_model_name_at(i);
    snprintf(nearest, sizeof nearest, "the nearest model is %s", n.model);
    return (assay_member){.name = n.name,
                          .title = n.declined ? "not checked" : n.model,
                          .details = n.meaning ? n.meaning : "",
                          .missing = n.declined ? nearest : NULL};
}

static size_t driver_count(void)
{
    size_t n = 0;
    while (driver_table[n])
        n++;
    return n;
}

static assay_member driver_member(size_t i)
{
    const assay_driver *d = driver_table[i];
    return (assay_member){.name = d->name, .title = d->title, .missing = d->missing};
}

static size_t workload_count(void)
{
    size_t n = 0;
    while (workload_table[n].name)
        n++;
    return n;
}

static assay_member workload_member(size_t i)
{
    const struct workload *w = &workload_table[i];
    return (assay_member){.name = w->name, .title = w->title, .details = w->models};
}

static assay_member cluster_member(size_t i)
{
    static char missing[128];
    const struct cluster *c = cluster_table[i];
    const char *program = cluster_missing(c);
    snprintf(missing, sizeof missing, "%s is missing", program ? program : "");
    return (assay_member){.name = cluster_name(c), .title = cluster_title(c), .missing = program ? missing : NULL};
}

static const struct {
    const char *name;
    size_t (*size)(void);
    assay_member (*member)(size_t i);
} above[] = {{"collectors", collector_count, collector_member},
             {"implementations", adapter_count, implementation_member},
             {"drivers", driver_count, driver_member},
             {"workloads", workload_count, workload_member},
             {"clusters", cluster_count, cluster_member},
             {"theories", theory_count, theory_member},
             {"names", name_count, name_member}};

enum { IMPLEMENTATIONS = ASSAY_FAMILIES + 1, THEORIES = ASSAY_FAMILIES + 5, NAMES, FAMILIES };

static const char *family_name(int f)
{
    return f < ASSAY_FAMILIES ? assay_family_name((assay_family)f) : above[f - ASSAY_FAMILIES].name;
}

static size_t family_size(int f)
{
    return f < ASSAY_FAMILIES ? assay_family_size((assay_family)f) : above[f - ASSAY_FAMILIES].size();
}

static assay_member family_member(int f, size_t i)
{
    return f < ASSAY_FAMILIES ? assay_family_member((assay_family)f, i) : above[f - ASSAY_FAMILIES].member(i);
}

/* ---- printing ---- */

static void print_names(const char *field, const char *const *names)
{
    if (!names)
        return;
    printf(",\"%s\":[", field);
    for (size_t i = 0; names[i]; i++) {
        if (i)
            putchar(',');
        print_json(stdout, names[i]);
    }
    putchar(']');
}

static void append_names(FILE *out, const char *before, const char *const *names)
{
    for (size_t i = 0; names && names[i]; i++)
        fprintf(out, "%s%s", i ? " " : before, names[i]);
}

static void print_methods(const assay_method *methods)
{
    for (const assay_method *m = methods; m && m->name; m++) {
        fputs(m == methods ? ",\"methods\":[" : ",", stdout);
        print_json(stdout, m->signature);
    }
    if (methods)
        putchar(']');
}

/* Of methods with several names the first. */
static void append_methods(FILE *out, const assay_method *methods)
{
    for (const assay_method *m = methods; m && m->name; m++) {
        const assay_method *first = methods;
        while (first->id != m->id)
            first++;
        if (first == m)
            fprintf(out, "%s%s", m == methods ? "  " : ", ", m->name);
    }
}

static void print_objects(int f)
{
    for (size_t i = 0; i < family_size(f); i++) {
        assay_member m = family_member(f, i);
        const char *const fields[][2] = {{"family", family_name(f)},
                                         {"name", m.name},
                                         {"title", m.title},
                                         {"details", m.details},
                                         {"missing", m.missing}};
        for (size_t j = 0; j < sizeof fields / sizeof *fields; j++)
            print_json_text(stdout, j ? ',' : '{', fields[j][0], fields[j][1]);
        print_names("variants", m.variants);
        print_names("extensions", m.extensions);
        print_methods(m.methods);
        puts("}");
    }
}

struct columns {
    size_t name, title;
};

/* On a narrow terminal the titles are no column: the rest of a line follows them at once. */
static struct columns columns_of(int f)
{
    enum { ROOM = 24 }; /* for the rest */
    struct columns c = {0};
    size_t terminal = terminal_width();
    for (size_t i = 0; i < family_size(f); i++) {
        assay_member m = family_member(f, i);
        c.name = strlen(m.name) > c.name ? strlen(m.name) : c.name;
        c.title = strlen(m.title) > c.title ? strlen(m.title) : c.title;
    }
    if (terminal && 4 + c.name + c.title + ROOM > terminal)
        c.title = 0;
    return c;
}

/* A line that is too wide for the terminal goes on below the title. */
static void print_row(int f, assay_member m, struct columns c)
{
    bool more = m.details && *m.details;
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    fprintf(out, "  %-*s  %-*s", (int)c.name, m.name, more || m.missing || m.methods ? (int)c.title : 0, m.title);
    if (more)
        fprintf(out, "  %s", m.details);
    append_methods(out, m.methods);
    append_names(out, "; files ", m.extensions);
    bool plus = m.variants && m.variants[0][0] == '+'; /* it is part of the name */
    append_names(out, plus ? "; variations: " : "; variants after a colon: ", m.variants);
    if (m.missing)
        fprintf(out, "  (%s%s)", f == NAMES ? "" : "not available: ", m.missing);
    memory_close(out, &text);
    print_wrapped(c.name + 4, "%s\n", text);
    free(text);
}

/* Do both names begin with the same object, as queue:mutex and queue:ring do? */
static bool same_object(const char *a, const char *b)
{
    size_t n = strcspn(a, ":");
    return strncmp(a, b, n + 1) == 0;
}

static bool is_first_of_object(size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same_object(adapter_at(j)->name, adapter_at(i)->name))
            return false;
    return true;
}

/* The implementations by object; those that this build lacks only if all are asked for. */
static void print_implementations(bool all)
{
    size_t absent = 0;
    struct columns c = columns_of(IMPLEMENTATIONS);
    for (size_t i = 0; i < adapter_count(); i++)
        for (size_t j = i; is_first_of_object(i) && j < adapter_count(); j++) {
            if (!same_object(adapter_at(i)->name, adapter_at(j)->name))
                continue;
            if (all || !adapter_at(j)->missing)
                print_row(IMPLEMENTATIONS, implementation_member(j), c);
            else
                absent++;
        }
    if (absent)
        print_wrapped(0, "  not available here: %zu more (`assay list implementations --all`)\n", absent);
}

static void print_table(int f, bool all)
{
    struct columns c = columns_of(f);
    printf("%s\n", family_name(f));
    if (f == IMPLEMENTATIONS)
        print_implementations(all);
    else
        for (size_t i = 0; i < family_size(f); i++)
            print_row(f, family_member(f, i), c);
}

static int print_theories(void)
{
    for (size_t i = 0; assay_theory_name(i); i++) {
        if (i)
            putchar('\n');
        assay_theory_write(i, stdout);
    }
    return finish_output(EXIT_FINE);
}

enum { WALKS = 40 };

/* An object of the user's own: are the contracts of its hooks kept? */
static int test_spec(const char *file)
{
    assay_error e = {0};
    const assay_spec *spec = assay_spec_load(file, &e);
    bool kept = spec && assay_spec_try(spec, WALKS, 1, stdout, &e);
    if (kept)
        printf("%s: no broken contract was found\n", spec->name);
    else if (e.code != ASSAY_ERROR_USAGE || !spec)
        print_error(stderr, NULL, &e);
    return finish_output(kept ? EXIT_FINE : spec && e.code == ASSAY_ERROR_USAGE ? EXIT_VIOLATED : EXIT_FAULT);
}

static int find_family(const char *name)
{
    struct suggestion s = {.typed = name};
    for (int f = 0; f < FAMILIES; f++) {
        if (strcmp(family_name(f), name) == 0)
            return f;
        suggest_offer(&s, family_name(f));
    }
    complain_unknown(&s, "`assay list --help` names the families", "list: there are no '%s'", name);
    return -1;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct list_settings set = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    if (set.spec_file)
        return test_spec(set.spec_file);
    int first = 0, last = FAMILIES - 1;
    if (args.n == 1)
        first = last = find_family(args.at[0]);
    if (first < 0)
        return EXIT_FAULT;
    if (set.text && first != THEORIES) {
        complain("list: --text prints theories (`assay list theories --text`)");
        return EXIT_FAULT;
    }
    if (set.text)
        return print_theories();
    for (int f = first; f <= last; f++) {
        if (f > first && !set.json)
            putchar('\n');
        if (set.json)
            print_objects(f);
        else
            print_table(f, set.all);
    }
    return finish_output(EXIT_FINE);
}

static const char *const *families(void)
{
    static const char *names[FAMILIES + 1];
    for (int f = 0; f < FAMILIES; f++)
        names[f] = family_name(f);
    return names;
}

static const struct option_row rows[] = {
    {0, "json", NULL, "one JSON object per line", OPTION_FLAG, offsetof(struct list_settings, json), 0},
    {'a', "all", NULL, "also implementations that this build lacks", OPTION_FLAG, offsetof(struct list_settings, all),
     0},
    {0, "text", NULL, "the theories themselves: docs/guides/theories.md", OPTION_FLAG,
     offsetof(struct list_settings, text), 0},
    {0, "test-spec", "FILE.so", "try the hooks of your own object on random calls: docs/guides/own-objects.md",
     OPTION_TEXT, offsetof(struct list_settings, spec_file), 0},
    {0},
};

const struct command command_list = {
    .name = "list",
    .summary = "List what this build has: models, objects, engines and more.",
    .usage = "[FAMILY] [--all] [--json] [--text] [--test-spec FILE.so]",
    .notes = "FAMILY is models, objects, engines, formats, reports, monitors, patterns, collectors,\n"
             "implementations, drivers, workloads, clusters, theories or names (other names of models).\n"
             "`assay explain NAME` has a page about a model, object, engine, format or pattern.\n\n"
             "exit status: 0; 1 if --test-spec finds a hook that breaks its contract; 2 a fault\n",
    .examples = "  assay list\n"
                "  assay list models --json\n"
                "  assay list implementations --all\n",
    .most = 1,
    .options = rows,
    .words = families,
    .run = run,
};
