/* SPDX-License-Identifier: Apache-2.0 */
/* A command: data for help and completion, and a function. The subcommands of assay are listed in commands.def;
 * each lives in a cmd_*.c of its own. */
#ifndef ASSAY_CLI_COMMAND_H
#define ASSAY_CLI_COMMAND_H

#include "options.h"

#include <limits.h>
#include <stdbool.h>

/* Exit statuses; scripts depend on them. */
enum { EXIT_FINE = 0, EXIT_VIOLATED = 1, EXIT_FAULT = 2, EXIT_OPEN = 3 };

enum { COMMAND_ANY = INT_MAX };

struct command {
    const char *name;
    bool alone;                        /* it is a program of its own, not a subcommand of assay */
    const char *summary;               /* one line */
    const char *usage;                 /* the text behind the name */
    const char *notes;                 /* shown below the options, or NULL */
    const char *examples;              /* lines of shell */
    const struct option_row *options;  /* up to a NULL name */
    int least, most;                   /* arguments that are no options; most: COMMAND_ANY without a limit */
    const char *expects;               /* the message if there are fewer: "name a history file" */
    const char *const *(*words)(void); /* possible arguments, for completion; NULL: files */
    int (*run)(const struct command *self, int argc, char **argv); /* without the name; an exit status */
};

extern const struct command *const command_table[]; /* up to NULL */

#endif
