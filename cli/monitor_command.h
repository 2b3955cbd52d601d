/* SPDX-License-Identifier: Apache-2.0 */
/* The command that is run at a violation (--on-violation).
 *
 * The shell gets the user's own text and nothing else. Texts of the input are in the environment and on standard
 * input, so no name can be taken for a part of the command. The monitor never waits: standard input is a file, and at
 * most MONITOR_COMMANDS run at a time; further violations are counted as not handed on. */
#ifndef ASSAY_CLI_MONITOR_COMMAND_H
#define ASSAY_CLI_MONITOR_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MONITOR_COMMANDS = 8 };

struct monitor_command {
    const char *text; /* NULL: there is none */
    pid_t running[MONITOR_COMMANDS];
    uint64_t started, failed, passed_over;
};

struct command_variable {
    const char *name, *value; /* value NULL: it is not set */
};

void monitor_command_run(struct monitor_command *c, const char *input, size_t n,
                         const struct command_variable *variables); /* up to a NULL name */
/* Waits until all have ended, at most so many milliseconds. */
void monitor_command_wait(struct monitor_command *c, unsigned milliseconds);
/* Notes those that have ended. */
void monitor_command_reap(struct monitor_command *c);

#endif
