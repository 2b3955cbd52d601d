/* SPDX-License-Identifier: Apache-2.0 */
/* assay explain: the short page of a name, from the library's lexicon. */
#include "command.h"
#include "output.h"

#include "assay_spec.h"

#include <stdlib.h>
#include <string.h>

struct explain_settings {
    bool json, example;
};

enum { PAGE = 80, INDENT = 2 };

/* ---- text ---- */

/* Lines of text, broken to fit the page. */
static void put(const char *text)
{
    size_t terminal = terminal_width();
    assay_wrap(text, terminal && terminal < PAGE ? terminal : PAGE, INDENT, stdout);
}

static bool is(const assay_explained *p, const char *kind)
{
    return strcmp(p->kind, kind) == 0;
}

/* `jit (engine, on request): all linearizations at once` */
static void put_heading(const assay_explained *p, FILE *out)
{
    fprintf(out, "%s (%s", p->name, p->kind);
    if (p->details && (is(p, "engine") || is(p, "format")))
        fprintf(out, ", %s", p->details);
    for (const char *const *also = p->also; also && *also; also++)
        fprintf(out, "%s%s", also == p->also ? "; also " : ", ", *also);
    fputs(p->title ? "): " : ")", out);
    fprintf(out, "%s\n", p->title ? p->title : "");
}

/* What the name that was asked for has to do with the page. */
static void put_relation(const assay_explained *p, const char *asked, FILE *out)
{
    if (p->declined)
        fprintf(out, "  `%s` is not checked; the nearest model is %s. The difference: %s.\n", asked, p->name,
                p->difference);
    else if (p->renamed)
        fprintf(out, "  `%s` means %s here%s%s.\n", asked, p->name, p->difference ? ": " : "",
                p->difference ? p->difference : "");
    else if (p->difference)
        fprintf(out, "  In `%s`, %s.\n", asked, p->difference);
}

/* Models say in short what they demand. */
static void put_text(const assay_explained *p, FILE *out)
{
    if (p->details && (is(p, "model") || is(p, "level")))
        fprintf(out, "  in short: %s\n", p->details);
    if (p->definition && *p->definition)
        fprintf(out, "  definition: %s\n", p->definition);
    fprintf(out, "\n  %s\n", p->text);
}

static void put_methods(const assay_method *methods)
{
    if (methods)
        puts("\n  methods:");
    for (const assay_method *m = methods; m && m->name; m++) {
        const assay_method *first = methods;
        while (first->id != m->id)
            first++;
        if (first == m)
            printf("    %s\n", m->signature);
    }
}

static const char *context_heading(const assay_explained *p)
{
    if (is(p, "pattern") || is(p, "anomaly"))
        return "usual causes";
    return is(p, "engine") ? "role" : "found in";
}

static void put_example(const assay_explained *p)
{
    if (!p->example)
        return;
    printf("\n  example (%s %s%s%s):\n", p->pattern ? "VIOLATION of" : "consistent with", p->model,
           p->pattern ? ": " : "", p->pattern ? p->pattern : "");
    for (const char *line = p->example; *line; line += strcspn(line, "\n") + 1)
        printf("    %.*s\n", (int)strcspn(line, "\n"), line);
}

static void print_page(const assay_explained *p, const char *asked)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    put_heading(p, out);
    put_relation(p, asked, out);
    put_text(p, out);
    memory_close(out, &text);
    put(text);
    free(text);
    put_methods(p->methods);
    put_example(p);
    out = memory_stream(&text, &size);
    fprintf(out, "\n  %s: %s\n\n  read: %s\n", context_heading(p), p->context, p->read);
    memory_close(out, &text);
    put(text);
    free(text);
}

/* ---- JSON ---- */

static void print_object(const assay_explained *p)
{
    const char *const fields[][2] = {{"kind", p->kind},
                                     {"name", p->name},
                                     {"title", p->title},
                                     {"details", p->details},
                                     {"definition", p->definition},
                                     {"text", p->text},
                                     {"context", p->context},
                                     {"example", p->example},
                                     {"format", p->format},
                                     {"model", p->model},
                                     {"engine", p->engine},
                                     {"verdict", !p->example  ? NULL
                                                 : p->pattern ? "violation"
                                                              : "consistent"},
                                     {"pattern", p->pattern},
                                     {"read", p->read},
                                     {"difference", p->difference}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        print_json_text(stdout, i ? ',' : '{', fields[i][0], fields[i][1]);
    printf(",\"declined\":%s,\"also\":[", p->declined ? "true" : "false");
    for (const char *const *also = p->also; also && *also; also++) {
        fputs(also == p->also ? "" : ",", stdout);
        print_json(stdout, *also);
    }
    fputs("],\"methods\":[", stdout);
    for (const assay_method *m = p->methods; m && m->name; m++) {
        fputs(m == p->methods ? "" : ",", stdout);
        print_json(stdout, m->signature);
    }
    puts("]}");
}

/* ---- the list of all ---- */

static bool listed_before(const char *kind, size_t i)
{
    while (i-- > 0)
        if (strcmp(assay_explained_at(i).kind, kind) == 0)
            return true;
    return false;
}

static void put_names(const char *kind, FILE *out)
{
    assay_explained p;
    fprintf(out, "%ss:", kind);
    for (size_t i = 0; (p = assay_explained_at(i)).kind; i++)
        if (is(&p, kind))
            fprintf(out, " %s", p.name);
    fputc('\n', out);
}

static void print_names(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    assay_explained p;
    for (size_t i = 0; (p = assay_explained_at(i)).kind; i++)
        if (!listed_before(p.kind, i))
            put_names(p.kind, out);
    fputs("other names of models:", out);
    for (size_t i = 0; assay_model_name_at(i).name; i++)
        fprintf(out, " %s", assay_model_name_at(i).name);
    fputs("\n", out);
    memory_close(out, &text);
    put(text);
    free(text);
}

static int print_all(bool json)
{
    assay_explained p;
    for (size_t i = 0; json && (p = assay_explained_at(i)).kind; i++)
        print_object(&p);
    if (!json)
        print_names();
    return finish_output(EXIT_FINE);
}

/* ---- the command ---- */

static void unknown(const char *name)
{
    struct suggestion s = {.typed = name};
    assay_explained p;
    for (size_t i = 0; (p = assay_explained_at(i)).kind; i++) {
        suggest_offer(&s, p.name);
        for (const char *const *also = p.also; also && *also; also++)
            suggest_offer(&s, *also);
    }
    for (size_t i = 0; assay_model_name_at(i).name; i++)
        suggest_offer(&s, assay_model_name_at(i).name);
    complain_unknown(&s, "`assay explain` lists the names", "explain: there is no page about '%s'", name);
}

/* All pages of a name, or of its examples the first. */
static bool explain(const char *name, const struct explain_settings *set, bool first)
{
    assay_explained p = assay_explain(name, 0);
    if (!p.kind) {
        unknown(name);
        return false;
    }
    for (size_t i = 0; (p = assay_explain(name, i)).kind; i++) {
        if (set->json) {
            print_object(&p);
        } else if (!set->example) {
            fputs(first && !i ? "" : "\n", stdout);
            print_page(&p, name);
        } else if (p.example) {
            fputs(p.example, stdout);
            return true;
        }
    }
    if (set->example && !set->json)
        complain("explain: the page about '%s' has no example", name);
    return set->json || !set->example;
}

/* `assay explain write skew` is one name. */
static char *joined(const struct arguments *args)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream(&text, &size);
    for (int i = 0; i < args->n; i++)
        fprintf(out, "%s%s", i ? " " : "", args->at[i]);
    memory_close(out, &text);
    return text;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct explain_settings set = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    if (!args.n && set.example) {
        complain("explain: name a page, whose example is printed (`assay explain` lists the names)");
        return EXIT_FAULT;
    }
    if (!args.n)
        return print_all(set.json);
    char *whole = joined(&args);
    bool fine = true;
    if (args.n > 1 && assay_explain(whole, 0).kind)
        fine = explain(whole, &set, true);
    else
        for (int i = 0; i < args.n; i++)
            fine &= explain(args.at[i], &set, i == 0);
    free(whole);
    return finish_output(fine ? EXIT_FINE : EXIT_FAULT);
}

static const char *const *words(void)
{
    enum { MOST = 512 };
    static const char *names[MOST + 1];
    assay_explained p;
    size_t n = 0;
    for (size_t i = 0; n < MOST && (p = assay_explained_at(i)).kind; i++)
        names[n++] = p.name;
    for (size_t i = 0; n < MOST && assay_model_name_at(i).name; i++)
        names[n++] = assay_model_name_at(i).name;
    return names;
}

static const struct option_row rows[] = {
    {0, "json", NULL, "one JSON object per page", OPTION_FLAG, offsetof(struct explain_settings, json), 0},
    {0, "example", NULL, "only the example, for `assay check -`", OPTION_FLAG,
     offsetof(struct explain_settings, example), 0},
    {0},
};

const struct command command_explain = {
    .name = "explain",
    .summary = "Explain a name: a pattern, anomaly, model, object, engine or format.",
    .usage = "[--json] [--example] [NAME...]",
    .notes = "A page says what it is, shows a small example, and names the usual causes and what to read.\n"
             "Names of textbooks and manuals have pages too: snapshot-isolation, G2-item, IRIW. Case,\n"
             "blanks and dashes do not count. Without NAME, all names are listed.\n\n"
             "exit status: 0; 2 if there is no such page\n",
    .examples = "  assay explain WriteSkew\n"
                "  assay explain snapshot-isolation\n"
                "  assay explain queue fast-queue\n"
                "  assay explain write-skew --example | assay check -m ser -\n",
    .most = COMMAND_ANY,
    .options = rows,
    .words = words,
    .run = run,
};
