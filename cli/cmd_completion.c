/* SPDX-License-Identifier: Apache-2.0 */
/* assay completion: a completion script for the shell, generated from the tables of commands,
 * options and registries. */
#include "command.h"
#include "output.h"

#include "assay.h"

#include <string.h>

/* Two members may share a name: an engine for memories and one for objects. */
static bool named_before(assay_family f, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(assay_family_member(f, j).name, assay_family_member(f, i).name) == 0)
            return true;
    return false;
}

static void family_words(assay_family f)
{
    for (size_t i = 0; i < assay_family_size(f); i++)
        if (!named_before(f, i))
            printf("%s%s", i ? " " : "", assay_family_member(f, i).name);
}

/* case "$previous": the options with a value. */
static void value_cases(const struct command *c)
{
    for (const struct option_row *row = c->options; row->name; row++) {
        if (!row->value)
            continue;
        printf("            %s--", c->name);
        if (row->letter)
            printf("%s|%s-%c", row->name, c->name, row->letter);
        else
            printf("%s", row->name);
        if (row->family) {
            printf(") words=\"");
            family_words((assay_family)(row->family - 1));
            printf("\" ;;\n");
        } else if (strcmp(row->value, "FILE") == 0) {
            printf(") words= files=1 ;;\n");
        } else {
            printf(") words= ;;\n");
        }
    }
}

static void option_case(const struct command *c)
{
    printf("            %s) words=\"", c->name);
    for (const struct option_row *row = c->options; row->name; row++)
        if (row->help) /* else another name of an option */
            printf("--%s ", row->name);
    printf("--help\" ;;\n");
}

static void argument_case(const struct command *c)
{
    printf("            %s) ", c->name);
    if (c->words) {
        printf("words=\"");
        for (const char *const *w = c->words(); *w; w++)
            printf("%s%s", w == c->words() ? "" : " ", *w);
        printf("\"");
    } else {
        printf("files=1");
    }
    printf(" ;;\n");
}

static void for_each(void (*print)(const struct command *))
{
    for (size_t i = 0; command_table[i]; i++)
        print(command_table[i]);
}

static void bash(void)
{
    puts("# bash completion for assay: source this file, or put it where bash-completion looks.\n"
         "_assay()\n"
         "{\n"
         "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
         "    local command=\"${COMP_WORDS[1]}\" words= files=\n"
         "    COMPREPLY=()\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    printf("        words=\"");
    for (size_t i = 0; command_table[i]; i++)
        printf("%s ", command_table[i]->name);
    puts("--help --version\"\n"
         "    else\n"
         "        case \"$command$previous\" in");
    for_each(value_cases);
    puts("            *) if [ \"${current#-}\" != \"$current\" ]; then\n"
         "            case \"$command\" in");
    for_each(option_case);
    puts("            esac\n"
         "            else\n"
         "            case \"$command\" in");
    for_each(argument_case);
    puts("            esac\n"
         "            fi ;;\n"
         "        esac\n"
         "    fi\n"
         "    if [ -n \"$files\" ]; then\n"
         "        compopt -o filenames 2>/dev/null\n"
         "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "    else\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "    fi\n"
         "}\n"
         "complete -F _assay assay");
}

static int run(const struct command *self, int argc, char **argv)
{
    struct arguments args;
    if (!options_parse(self, argc, argv, NULL, &args))
        return args.status;
    if (strcmp(args.at[0], "bash") != 0) {
        complain("completion: name the shell: bash");
        return EXIT_FAULT;
    }
    bash();
    return finish_output(EXIT_FINE);
}

static const char *const *shells(void)
{
    static const char *const names[] = {"bash", NULL};
    return names;
}

static const struct option_row rows[] = {{0}};

const struct command command_completion = {
    .name = "completion",
    .summary = "Print a completion script for the shell.",
    .usage = "bash",
    .examples = "  . <(assay completion bash)\n"
                "  assay completion bash > ~/.local/share/bash-completion/completions/assay\n",
    .least = 1,
    .most = 1,
    .expects = "name the shell: bash",
    .options = rows,
    .words = shells,
    .run = run,
};
