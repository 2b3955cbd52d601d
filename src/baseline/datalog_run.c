/* SPDX-License-Identifier: Apache-2.0 */
/* Running clingo. The program has no negation, so it has exactly one answer: the facts that
 * follow. clingo prints it in one line, then SATISFIABLE; anything else is a fault of the
 * solver. */
#include "baseline/datalog_program.h"

#include "baseline/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* clingo's exit status: with an answer, and in addition when there is certainly no other answer. */
enum { EXIT_SATISFIABLE = 10, EXIT_EXHAUSTED = 20, EXIT_OUT_OF_MEMORY = 33 };

static const char solver[] = "clingo";

const char *datalog_missing(void)
{
    char path[PROCESS_PATH];
    return process_find(solver, path) ? NULL : "clingo is not in PATH (Debian package: gringo)";
}

/* ---- faults ---- */

/* How much of s a message quotes. */
static int quoted(const char *s)
{
    size_t n = strcspn(s, "\n");
    return (int)(n < 200 ? n : 200);
}

_Noreturn static void fault(assay_error *e, const struct process_end *end)
{
    const char *said = end->complaint[0] ? end->complaint : "it said nothing";
    int length = quoted(said);
    if (WIFSIGNALED(end->status))
        error_set(e, ASSAY_ERROR_RESOURCE, "%s was ended by signal %d: %.*s", solver, WTERMSIG(end->status), length,
                  said);
    else if (WEXITSTATUS(end->status) == EXIT_OUT_OF_MEMORY)
        error_set(e, ASSAY_ERROR_RESOURCE, "%s ran out of memory: %.*s", solver, length, said);
    else
        error_set(e, ASSAY_ERROR_MISSING, "%s failed with exit status %d: %.*s", solver, WEXITSTATUS(end->status),
                  length, said);
    escape_raise(ESCAPE_ERROR);
}

_Noreturn static void unexpected(assay_error *e, const char *output)
{
    error_set(e, ASSAY_ERROR_MISSING, "unexpected output of %s: '%.*s'", solver, quoted(output), output);
    escape_raise(ESCAPE_ERROR);
}

static bool solved(const struct process_end *end)
{
    if (end->status == -1) /* reaped by someone else: the output will tell */
        return true;
    if (!WIFEXITED(end->status))
        return false;
    int status = WEXITSTATUS(end->status);
    return status == EXIT_SATISFIABLE || status == EXIT_SATISFIABLE + EXIT_EXHAUSTED;
}

/* ---- the answer ---- */

static bool skip(char **at, const char *expected)
{
    size_t n = strlen(expected);
    if (strncmp(*at, expected, n) != 0)
        return false;
    *at += n;
    return true;
}

unsigned datalog_part(const char *name, size_t length)
{
    static const struct {
        const char *text;
        unsigned rules;
    } known[] = {{"cc", DATALOG_CC},   {"ccv", DATALOG_CCV}, {"cm_1", DATALOG_CM_1}, {"cm_2", DATALOG_CM_2},
                 {"ccm", DATALOG_CCM}, {"wsc", DATALOG_WSC}, {"wccm", DATALOG_WCCM}, {"wtso", DATALOG_WTSO}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].text) == length && strncmp(known[i].text, name, length) == 0)
            return known[i].rules;
    return 0;
}

/* The condition's name and the comma behind it. */
static unsigned condition(char **at)
{
    size_t length = strcspn(*at, ",\n");
    unsigned part = datalog_part(*at, length);
    *at += length;
    return skip(at, ",") ? part : 0;
}

struct finding {
    uint32_t history;
    unsigned condition;
    const char *pattern;
};

/* bad(history,condition,"Pattern"), where *at is moved behind it. */
static bool read_finding(char **at, struct finding *out)
{
    if (!skip(at, "bad("))
        return false;
    char *end;
    out->history = (uint32_t)strtoul(*at, &end, 10);
    if (end == *at)
        return false;
    *at = end;
    if (!skip(at, ",") || !(out->condition = condition(at)) || !skip(at, "\""))
        return false;
    out->pattern = *at;
    *at += strcspn(*at, "\"\n");
    end = *at;
    if (!skip(at, "\")"))
        return false;
    *end = '\0';
    return true;
}

void datalog_solve(const struct text *program, struct budget *budget,
                   void (*found)(void *arg, uint32_t history, unsigned condition, const char *pattern), void *arg,
                   assay_error *e)
{
    char path[PROCESS_PATH];
    if (!process_find(solver, path)) {
        error_set(e, ASSAY_ERROR_MISSING, "%s", datalog_missing());
        escape_raise(ESCAPE_ERROR);
    }
    static const char *const argv[] = {solver, "-V0", "--outf=0", "-", NULL};
    struct text output = text_in(program->mem);
    struct process_end end = process_run(path, argv, program, &output, budget, e);
    if (!solved(&end))
        fault(e, &end);
    text_char(&output, '\0'); /* so that there is text to look at, even if there was no output */
    char *at = output.at;
    at += strspn(at, " \n");
    while (*at && strcmp(at, "SATISFIABLE\n") != 0) {
        struct finding f;
        char *from = at;
        if (!read_finding(&at, &f))
            unexpected(e, from);
        found(arg, f.history, f.condition, f.pattern);
        at += strspn(at, " \n");
    }
    if (!*at) {
        error_set(e, ASSAY_ERROR_MISSING, "%s gave no answer", solver);
        escape_raise(ESCAPE_ERROR);
    }
    mem_free(program->mem, output.at);
}
