/* SPDX-License-Identifier: Apache-2.0 */
/* assay gen: histories from a collector. The collector's parameters become options behind its name. */
#include "command.h"
#include "interrupt.h"
#include "outfile.h"
#include "output.h"

#include "assay.h"
#include "collect/collect.h"

#include <string.h>
#include <sys/stat.h>

struct gen_settings {
    const char *out;
    uint64_t seed;
    unsigned count;
    const char *values[COLLECT_MOST_PARAMETERS]; /* NULL: not given */
    bool flags[COLLECT_MOST_PARAMETERS];
};

static const struct option_row common_rows[] = {
    {0, "seed", "S", "the seed: the same one gives the same history (default: 1)", OPTION_SEED,
     offsetof(struct gen_settings, seed), 0},
    {0, "count", "C", "generate C histories, with the seeds S, S+1, ...", OPTION_NUMBER,
     offsetof(struct gen_settings, count), 0},
    {0, "histories", "C", NULL, OPTION_NUMBER, offsetof(struct gen_settings, count), 0},
    {0, "out", "FILE", "write there: a file, or a folder with one file per history (default: -, standard output)",
     OPTION_TEXT, offsetof(struct gen_settings, out), 0},
    {0},
};

enum { COMMON = sizeof common_rows / sizeof *common_rows };

/* ---- options of a collector ---- */

/* Another name of an option stands behind all others, for the same field. */
static void make_rows(const struct collector *c, struct option_row *rows)
{
    size_t n = 0, also = 0;
    while (c->parameters[n].name)
        n++;
    also = n + COMMON - 1;
    for (size_t i = 0; i < n; i++) {
        const struct collect_parameter *p = &c->parameters[i];
        size_t offset = p->flag ? offsetof(struct gen_settings, flags) + i * sizeof(bool)
                                : offsetof(struct gen_settings, values) + i * sizeof(const char *);
        rows[i] = (struct option_row){.letter = p->letter,
                                      .name = p->name,
                                      .value = p->value,
                                      .help = p->help,
                                      .type = p->flag ? OPTION_FLAG : OPTION_TEXT,
                                      .offset = offset};
        if (p->also) {
            rows[also] = rows[i];
            rows[also].letter = 0;
            rows[also].name = p->also;
            rows[also++].help = NULL;
        }
    }
    memcpy(&rows[n], common_rows, (COMMON - 1) * sizeof *common_rows);
    rows[also] = (struct option_row){.name = NULL};
}

static void wrong_value(const struct collect_parameter *p, const char *text)
{
    if (!p->words) {
        complain("--%s: expected a whole number from %llu to %llu, not '%s'", p->name, (unsigned long long)p->least,
                 (unsigned long long)p->most, text);
        return;
    }
    struct suggestion s = {.typed = text};
    for (size_t i = 0; p->words[i]; i++)
        suggest_offer(&s, p->words[i]);
    complain_unknown(&s, "see `assay gen` with --help", "--%s: unknown value '%s'", p->name, text);
}

/* An option that means nothing without another one is an oversight. */
static bool makes_sense(const struct collector *c, const struct gen_settings *set, const struct collect_settings *s,
                        size_t i)
{
    const struct collect_parameter *p = &c->parameters[i], *needed = collect_needed(c, s, i);
    if (!needed || (!p->needs_word && set->values[needed - c->parameters]))
        return true;
    complain("--%s means nothing without --%s %s (add that, or leave --%s out)", p->name, needed->name,
             p->needs_word ? p->needs_word : needed->value, p->name);
    return false;
}

static bool read_settings(const struct collector *c, const struct gen_settings *set, struct collect_settings *out)
{
    *out = collect_defaults(c);
    for (size_t i = 0; c->parameters[i].name; i++) {
        const struct collect_parameter *p = &c->parameters[i];
        if (set->flags[i])
            collect_set(c, out, p->name, NULL);
        if (set->values[i] && !collect_set(c, out, p->name, set->values[i])) {
            wrong_value(p, set->values[i]);
            return false;
        }
    }
    for (size_t i = 0; c->parameters[i].name; i++)
        if ((set->values[i] || set->flags[i]) && !makes_sense(c, set, out, i))
            return false;
    out->seed = set->seed;
    return true;
}

/* ---- output ---- */

static bool write_one(const struct collector *c, const struct collect_settings *s, uint32_t index, FILE *to,
                      const char *name)
{
    assay_error e = {0};
    if (collect_write(c, s, index, to, &e))
        return true;
    print_error(stderr, name, &e);
    return false;
}

/* Histories first .. first+count-1 into the file, which is open if `fine`. */
static bool write_file(const struct collector *c, const struct collect_settings *first, unsigned count, bool fine,
                       struct outfile *to)
{
    struct collect_settings s = *first;
    for (unsigned i = 0; i < count && fine && !ferror(to->stream); i++, s.seed++) {
        fine = write_one(c, &s, i, to->stream, to->stream == stdout ? NULL : to->name);
        outfile_record(to);
    }
    return outfile_close(to, fine ? OUTFILE_WHOLE : OUTFILE_FAILED) && fine;
}

static bool write_folder(const struct collector *c, const struct collect_settings *first, unsigned count,
                         const char *folder)
{
    struct collect_settings s = *first;
    bool fine = true;
    for (unsigned i = 0; i < count && fine; i++, s.seed++) {
        char name[64];
        struct outfile to;
        snprintf(name, sizeof name, "%s-%llu.hist", c->name, (unsigned long long)s.seed);
        fine = write_file(c, &s, 1, outfile_open_in(&to, folder, name), &to);
    }
    return fine;
}

/* A name is a folder if it exists as one, or if it ends in a slash and is to be made. */
static bool is_folder(const char *name)
{
    struct stat found;
    size_t n = strlen(name);
    if (n && name[n - 1] == '/' && mkdir(name, 0777) == 0)
        return true;
    return stat(name, &found) == 0 && S_ISDIR(found.st_mode);
}

static int generate(const struct collector *c, const struct gen_settings *set)
{
    struct collect_settings s;
    if (!read_settings(c, set, &s))
        return EXIT_FAULT;
    interrupt_ends();
    struct outfile to;
    bool fine = set->out && is_folder(set->out) ? write_folder(c, &s, set->count, set->out)
                                                : write_file(c, &s, set->count, outfile_open(&to, set->out), &to);
    return fine ? EXIT_FINE : EXIT_FAULT;
}

/* ---- the command ---- */

static const struct collector *find_collector(const char *name)
{
    const struct collector *c = collector_find(name);
    if (c)
        return c;
    struct suggestion s = {.typed = name};
    for (size_t i = 0; collector_table[i]; i++)
        suggest_offer(&s, collector_table[i]->name);
    complain_unknown(&s, "`assay list collectors` shows them", "gen: unknown collector '%s'", name);
    return NULL;
}

static int run_collector(const struct command *self, const struct collector *c, int argc, char **argv)
{
    struct gen_settings set = {.seed = 1, .count = 1};
    struct option_row rows[2 * COLLECT_MOST_PARAMETERS + COMMON];
    char name[64], title[256], details[2048], example[1024];
    make_rows(c, rows);
    snprintf(name, sizeof name, "gen %s", c->name);
    snprintf(title, sizeof title, "Generate histories: %s.", c->title);
    snprintf(details, sizeof details, "%s\n%s%s", c->details, c->notes ? "\n" : "", c->notes ? c->notes : "");
    snprintf(example, sizeof example, "  assay gen %s --seed 7 --out run.hist\n%s", c->name,
             c->examples ? c->examples : "");
    struct command narrowed = *self;
    narrowed.name = name;
    narrowed.usage = "[options]";
    narrowed.summary = title;
    narrowed.notes = details;
    narrowed.examples = example;
    narrowed.options = rows;
    narrowed.most = 0;
    struct arguments args;
    if (!options_parse(&narrowed, argc, argv, &set, &args))
        return args.status;
    return generate(c, &set);
}

static int run(const struct command *self, int argc, char **argv)
{
    if (argc > 0 && argv[0][0] != '-') {
        const struct collector *c = find_collector(argv[0]);
        return c ? run_collector(self, c, argc - 1, argv + 1) : EXIT_FAULT;
    }
    struct gen_settings set = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    complain("gen: name the collector first (`assay list collectors` shows them)");
    return EXIT_FAULT;
}

static const char *const *collectors(void)
{
    static const char *names[64];
    for (size_t i = 0; collector_table[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = collector_table[i]->name;
    return names;
}

const struct command command_gen = {
    .name = "gen",
    .summary = "Generate histories with known properties.",
    .usage = "COLLECTOR [options]",
    .notes = "`assay gen COLLECTOR --help` explains the options of a collector, `assay list "
             "collectors` shows\nthe collectors. The same seed gives the same history everywhere.\n",
    .examples = "  assay gen memory --kind sc --operations 1000000 --out big.hist\n"
                "  assay gen memory --kind random --count 100 --out runs/\n",
    .most = COMMAND_ANY,
    .options = common_rows,
    .words = collectors,
    .run = run,
};
