/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the subcommand and runs it. */
#include "assay.h"
#include "command.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define X(ident, name) extern const struct command command_##ident;
#include "commands.def"
#undef X

const struct command *const command_table[] = {
#define X(ident, name) &command_##ident,
#include "commands.def"
#undef X
    NULL};

static const struct command *command_find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

static void help(FILE *to)
{
    enum { NAME = 12 };
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    fputs("Assay says which consistency model a recorded history satisfies, and proves it.\n\n"
          "usage: assay COMMAND [options] ...\n\ncommands:\n",
          f);
    for (size_t i = 0; command_table[i]; i++)
        fprintf(f, "  %-*s%s\n", NAME, command_table[i]->name, command_table[i]->summary);
    fputs("\n`assay COMMAND --help` explains a command, `assay --version` names the version.\n", f);
    memory_close(f, &text);
    assay_wrap(text, terminal_width(), 2 + NAME, to);
    free(text);
}

static int unknown_command(const char *name)
{
    struct suggestion s = {.typed = name};
    struct stat about;
    if (stat(name, &about) == 0) {
        complain("'%s' is no command (to check it: assay check %s)", name, name);
        return EXIT_FAULT;
    }
    for (size_t i = 0; command_table[i]; i++)
        suggest_offer(&s, command_table[i]->name);
    complain_unknown(&s, "`assay --help` lists the commands", "unknown command '%s'", name);
    return EXIT_FAULT;
}

static int show_help(int argc, char **argv)
{
    const struct command *c = argc > 0 ? command_find(argv[0]) : NULL;
    if (argc > 0 && !c)
        return unknown_command(argv[0]);
    if (c)
        options_help(c);
    else
        help(stdout);
    return finish_output(EXIT_FINE);
}

int main(int argc, char **argv)
{
    program_begin();
    if (argc < 2) {
        help(stderr);
        return EXIT_FAULT;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return show_help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) {
        printf("assay %s\n", assay_version());
        return finish_output(EXIT_FINE);
    }
    const struct command *c = command_find(name);
    return c ? c->run(c, argc - 2, argv + 2) : unknown_command(name);
}
