/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "command.h"
#include "output.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

bool whole_number(const char *text, unsigned long long least, unsigned long long most, unsigned long long *out)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    *out = strtoull(text, &end, 10);
    return !*end && errno == 0 && *out >= least && *out <= most;
}

static bool seconds(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out > 0;
}

static bool bad_value(const struct option_row *row, const char *text, const char *expected)
{
    complain("--%s: expected %s, not '%s'", row->name, expected, text);
    return false;
}

static bool store(const struct option_row *row, const char *text, void *settings)
{
    void *field = (char *)settings + row->offset;
    unsigned long long number;
    switch (row->type) {
    case OPTION_FLAG: *(bool *)field = true; return true;
    case OPTION_TEXT:
        if (*(const char **)field) { /* the last one alone would be a silent loss */
            complain("--%s is given twice (put everything into one: --%s %s)", row->name, row->name, row->value);
            return false;
        }
        *(const char **)field = text;
        return true;
    case OPTION_NUMBER:
        if (!whole_number(text, 1, INT_MAX, &number))
            return bad_value(row, text, "a whole number from 1 to 2147483647");
        *(unsigned *)field = (unsigned)number;
        return true;
    case OPTION_PERCENT:
        if (!whole_number(text, 0, 100, &number))
            return bad_value(row, text, "a whole number from 0 to 100");
        *(unsigned *)field = (unsigned)number;
        return true;
    case OPTION_SEED:
        if (!whole_number(text, 0, UINT64_MAX, &number))
            return bad_value(row, text, "a whole number");
        *(uint64_t *)field = number;
        return true;
    case OPTION_PORT:
        if (!whole_number(text, 0, 65535, &number))
            return bad_value(row, text, "a port from 0 to 65535");
        *(unsigned *)field = (unsigned)number;
        return true;
    case OPTION_SECONDS: return seconds(text, field) || bad_value(row, text, "a number of seconds above 0");
    case OPTION_TIME:
        if (!whole_number(text, 1, INT64_MAX / 4, &number))
            return bad_value(
                row, text,
                "a whole number from 1 to 2305843009213693951 (2^61 - 1), in the unit of the history's times");
        *(int64_t *)field = (int64_t)number;
        return true;
    case OPTION_MEGABYTES:
        if (!whole_number(text, 1, SIZE_MAX >> 20, &number))
            return bad_value(row, text, "a whole number of megabytes of at least 1");
        *(size_t *)field = (size_t)number << 20;
        return true;
    }
    return false;
}

/* ---- finding ---- */

static const struct option_row *find_long(const struct command *c, const char *name, size_t length)
{
    for (const struct option_row *row = c->options; row->name; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

static const struct option_row *find_short(const struct command *c, char letter)
{
    for (const struct option_row *row = c->options; row->name; row++)
        if (row->letter == letter)
            return row;
    return NULL;
}

/* To be printed before its name. */
static const char *program_of(const struct command *c)
{
    return c->alone ? "" : "assay ";
}

static void unknown_option(const struct command *c, const char *typed)
{
    char name[64];
    const char *bare = typed + strspn(typed, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    struct suggestion s = {.typed = name};
    for (const struct option_row *row = c->options; row->name; row++)
        suggest_offer(&s, row->name);
    char nearest[64], remedy[128];
    snprintf(nearest, sizeof nearest, "--%s", s.n ? s.best[0] : "");
    s.best[0] = nearest;
    s.n = s.n ? 1 : 0;
    snprintf(remedy, sizeof remedy, "`%s%s --help` lists the options", program_of(c), c->name);
    complain_unknown(&s, remedy, "%s%sunknown option '%s'", c->alone ? "" : c->name, c->alone ? "" : ": ", typed);
}

/* ---- parsing ---- */

struct parser {
    const struct command *command;
    int argc, at;
    char **argv;
    void *settings;
};

/* The value is the attached text, or else the next argument. */
static bool take(struct parser *p, const struct option_row *row, const char *attached)
{
    if (row->type == OPTION_FLAG) {
        if (attached)
            complain("--%s takes no value", row->name);
        return !attached && store(row, NULL, p->settings);
    }
    if (!attached && p->at + 1 >= p->argc) {
        complain("--%s needs a value: %s", row->name, row->value);
        return false;
    }
    return store(row, attached ? attached : p->argv[++p->at], p->settings);
}

static bool take_long(struct parser *p, const char *arg)
{
    size_t length = strcspn(arg + 2, "=");
    const struct option_row *row = find_long(p->command, arg + 2, length);
    if (!row) {
        unknown_option(p->command, arg);
        return false;
    }
    return take(p, row, arg[2 + length] ? arg + 2 + length + 1 : NULL);
}

static bool take_short(struct parser *p, const char *arg)
{
    for (const char *letter = arg + 1; *letter; letter++) {
        const struct option_row *row = find_short(p->command, *letter);
        if (!row) {
            unknown_option(p->command, arg);
            return false;
        }
        if (row->type != OPTION_FLAG)
            return take(p, row, letter[1] ? letter + 1 : NULL);
        if (!take(p, row, NULL))
            return false;
    }
    return true;
}

/* Are there as many arguments as the command wants? */
static bool count_fits(const struct command *c, const struct arguments *rest)
{
    const char *who = c->alone ? "" : c->name, *colon = c->alone ? "" : ": ";
    if (rest->n > c->most)
        complain("%s%s'%s' is not expected here (`%s%s --help`)", who, colon, rest->at[c->most], program_of(c),
                 c->name);
    else if (rest->n < c->least)
        complain("%s%s%s (`%s%s --help`)", who, colon, c->expects, program_of(c), c->name);
    return rest->n >= c->least && rest->n <= c->most;
}

bool option_within(const char *option, unsigned value, unsigned most)
{
    if (value > most)
        complain("--%s: at most %u", option, most);
    return value <= most;
}

bool options_parse(const struct command *c, int argc, char **argv, void *settings, struct arguments *rest)
{
    struct parser p = {c, argc, 0, argv, settings};
    bool literal = false;
    *rest = (struct arguments){argv, 0, EXIT_FAULT};
    for (; p.at < argc; p.at++) {
        char *arg = argv[p.at];
        if (literal || arg[0] != '-' || !arg[1]) {
            argv[rest->n++] = arg;
        } else if (strcmp(arg, "--") == 0) {
            literal = true;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            options_help(c);
            rest->status = finish_output(EXIT_FINE);
            return false;
        } else if (!(arg[1] == '-' ? take_long(&p, arg) : take_short(&p, arg))) {
            return false;
        }
    }
    return count_fits(c, rest);
}

/* ---- help ---- */

static int spelled(const struct option_row *row, char *out, size_t size)
{
    char letter[8] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    return snprintf(out, size, "  %s--%s%s%s", letter, row->name, row->value ? " " : "", row->value ? row->value : "");
}

void options_help(const struct command *c)
{
    char text[128];
    int width = 0;
    print_wrapped(0, "usage: %s%s %s\n\n%s\n\noptions:\n", program_of(c), c->name, c->usage, c->summary);
    for (const struct option_row *row = c->options; row->name; row++) {
        int n = spelled(row, text, sizeof text);
        width = row->help && n > width ? n : width;
    }
    for (const struct option_row *row = c->options; row->name; row++) {
        spelled(row, text, sizeof text);
        if (row->help)
            print_wrapped((size_t)width + 2, "%-*s  %s\n", width, text, row->help);
    }
    printf("%-*s  %s\n", width, "  -h, --help", "this help");
    if (c->notes)
        print_wrapped(0, "\n%s", c->notes);
    printf("\nexamples:\n%s", c->examples);
}
