/* SPDX-License-Identifier: Apache-2.0 */
/* assay list: what there is, from the library's own tables. */
#include "command.h"
#include "output.h"
#include "suggest.h"

#include "assay.h"

#include <string.h>

struct list_settings {
    bool json;
};

static void print_objects(assay_family f)
{
    for (size_t i = 0; i < assay_family_size(f); i++) {
        assay_member m = assay_family_member(f, i);
        const char *const fields[][2] = {{"family", assay_family_name(f)},
                                         {"name", m.name},
                                         {"title", m.title},
                                         {"details", m.details},
                                         {"missing", m.missing}};
        for (size_t j = 0; j < sizeof fields / sizeof *fields; j++) {
            printf("%s\"%s\":", j ? "," : "{", fields[j][0]);
            print_json(stdout, fields[j][1]);
        }
        puts("}");
    }
}

static void print_table(assay_family f)
{
    size_t name = 0, title = 0;
    for (size_t i = 0; i < assay_family_size(f); i++) {
        assay_member m = assay_family_member(f, i);
        name = strlen(m.name) > name ? strlen(m.name) : name;
        title = strlen(m.title) > title ? strlen(m.title) : title;
    }
    printf("%s\n", assay_family_name(f));
    for (size_t i = 0; i < assay_family_size(f); i++) {
        assay_member m = assay_family_member(f, i);
        bool more = m.details && *m.details;
        printf("  %-*s  %-*s", (int)name, m.name, more || m.missing ? (int)title : 0, m.title);
        if (more)
            printf("  %s", m.details);
        if (m.missing)
            printf("  (not available: %s)", m.missing);
        putchar('\n');
    }
}

static int find_family(const char *name)
{
    struct suggestion s = {.typed = name};
    for (int f = 0; f < ASSAY_FAMILIES; f++) {
        if (strcmp(assay_family_name((assay_family)f), name) == 0)
            return f;
        suggest_offer(&s, assay_family_name((assay_family)f));
    }
    if (s.best)
        complain("list: there are no '%s' (did you mean %s?)", name, s.best);
    else
        complain("list: there are no '%s' (`assay list --help` names the families)", name);
    return -1;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct list_settings set = {0};
    struct arguments args;
    enum parsed parsed = options_parse(self, argc, argv, &set, &args);
    if (parsed != PARSED)
        return options_status(parsed);
    int first = 0, last = ASSAY_FAMILIES - 1;
    if (args.n > 1) {
        complain("list: name at most one family (`assay list --help`)");
        return EXIT_FAULT;
    }
    if (args.n == 1)
        first = last = find_family(args.at[0]);
    if (first < 0)
        return EXIT_FAULT;
    for (int f = first; f <= last; f++) {
        if (f > first && !set.json)
            putchar('\n');
        (set.json ? print_objects : print_table)((assay_family)f);
    }
    return finish_output(EXIT_FINE);
}

static const char *const *families(void)
{
    static const char *names[ASSAY_FAMILIES + 1];
    for (int f = 0; f < ASSAY_FAMILIES; f++)
        names[f] = assay_family_name((assay_family)f);
    return names;
}

static const struct option_row rows[] = {
    {0, "json", NULL, "one JSON object per line", OPTION_FLAG, offsetof(struct list_settings, json),
     0},
    {0},
};

const struct command command_list = {
    .name = "list",
    .summary = "List the models, objects, engines, formats and reports of this build.",
    .usage = "[models|objects|engines|formats|reports] [--json]",
    .examples = "  assay list\n"
                "  assay list models --json\n",
    .options = rows,
    .words = families,
    .run = run,
};
