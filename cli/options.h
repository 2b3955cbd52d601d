/* SPDX-License-Identifier: Apache-2.0 */
/* Options from a table: one row yields parsing, help and completion. A row says where in the
 * command's settings its value goes and of which type that field is. */
#ifndef ASSAY_CLI_OPTIONS_H
#define ASSAY_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct command;

enum option_type {
    OPTION_FLAG,      /* bool, no value */
    OPTION_TEXT,      /* const char *, NULL until it is given, once */
    OPTION_NUMBER,    /* unsigned, at least 1 */
    OPTION_PERCENT,   /* unsigned, up to 100 */
    OPTION_SEED,      /* uint64_t, any */
    OPTION_PORT,      /* unsigned, up to 65535 */
    OPTION_SECONDS,   /* double, above 0 */
    OPTION_TIME,      /* int64_t, at least 1, in the unit of the history's times */
    OPTION_MEGABYTES, /* size_t bytes, from a number of MB of at least 1 */
};

struct option_row {
    char letter;       /* -m, or 0 */
    const char *name;  /* --model */
    const char *value; /* its name in help, or NULL */
    const char *help;  /* NULL: another name of an option, which help leaves out */
    enum option_type type;
    size_t offset; /* of the field in the settings */
    int family;    /* FAMILY(ASSAY_MODELS): the family that completes the value; 0: a file or anything */
};

#define FAMILY(f) ((f) + 1)

/* A row of a table whose settings are a `struct type`; a file calls it ROW(letter, ..., field, family). */
#define OPTION_ROW(type, letter, name, value, help, kind, field, family)                                               \
    {                                                                                                                  \
        letter, name, value, help, kind, offsetof(struct type, field), family                                          \
    }

/* A whole number in decimal, and nothing else, within these bounds? */
bool whole_number(const char *text, unsigned long long least, unsigned long long most, unsigned long long *out);

/* Is the number of --option not too large? False, with a message. */
bool option_within(const char *option, unsigned value, unsigned most);

struct arguments {
    char **at; /* the arguments that are no options, in order */
    int n;
    int status; /* to exit with, if they were not parsed */
};

/* Parses argv into settings; the non-options are moved to the front of argv. False: help was asked for and printed,
 * or a fault has been reported. */
bool options_parse(const struct command *c, int argc, char **argv, void *settings, struct arguments *rest);

void options_help(const struct command *c);

#endif
