/* SPDX-License-Identifier: Apache-2.0 */
/* PicoSAT. It writes learned clauses as text (one per line, closed by 0; "d" before a clause it forgets) to a stream.
 * Here the stream is in memory and is read after each call. Its preprocessing (failed literals) is off. */
#include "solver/sat.h"

#include "base/mem.h"

#ifdef ASSAY_WITH_PICOSAT

#include <picosat/picosat.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 30 }; /* variables and clauses, announced in the header of the text */

struct instance {
    struct sat *s;
    struct mem mem; /* all that the solver allocates */
    PicoSAT *solver;
    FILE *log; /* NULL: not wanted */
    char *text;
    size_t length, read; /* of text; the part that has been handed out */
};

static int stop(void *arg)
{
    return sat_stop(arg);
}

/* Told that there is no memory, PicoSAT aborts. So it is not told: the escape leaves through it. It is C and cleans up
 * nothing but its memory, which is released as a whole. */
static void *allocate(void *arg, size_t bytes)
{
    struct instance *i = arg;
    return mem_alloc(&i->mem, bytes);
}

static void *resize(void *arg, void *block, size_t before, size_t bytes)
{
    struct instance *i = arg;
    (void)before;
    return mem_resize(&i->mem, block, bytes);
}

static void release(void *arg, void *block, size_t bytes)
{
    struct instance *i = arg;
    (void)bytes;
    mem_free(&i->mem, block);
}

static void close_solver(void *arg)
{
    struct instance *i = arg;
    if (i->log)
        fclose(i->log);
    free(i->text);
    mem_release(&i->mem);
    free(i);
}

static void set_up(void *arg)
{
    struct instance *i = arg;
    i->solver = picosat_minit(i, allocate, resize, release);
    picosat_set_plain(i->solver, 1);
    picosat_set_global_default_phase(i->solver, 1);
    picosat_set_interrupt(i->solver, i->s, stop);
    if (!i->s->learned)
        return;
    if (!(i->log = open_memstream(&i->text, &i->length)))
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    picosat_set_incremental_rup_file(i->solver, i->log, MOST, MOST);
}

static void *open_solver(struct sat *s)
{
    struct instance *i = calloc(1, sizeof *i);
    if (!i)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    i->s = s;
    enum escape left = escape_run(set_up, i);
    if (!left)
        return i;
    close_solver(i);
    escape_raise(left);
}

static void add(void *arg, int literal)
{
    struct instance *i = arg;
    picosat_add(i->solver, literal);
}

static void assume(void *arg, int literal)
{
    struct instance *i = arg;
    picosat_assume(i->solver, literal);
}

/* One line; `literals` has room for as many as it has letters. */
static void hand_out(struct instance *i, char *line, int *literals)
{
    size_t count = 0;
    char *at = line;
    for (long literal; (literal = strtol(at, &at, 10)) != 0;)
        literals[count++] = (int)literal;
    sat_learned(i->s, literals, count);
}

static void hand_out_new(struct instance *i)
{
    bool lost = fflush(i->log) != 0 || ferror(i->log);
    int *literals = lost ? NULL : malloc((i->length - i->read + 1) * sizeof *literals);
    if (!literals) {
        i->s->left = ESCAPE_OUT_OF_MEMORY;
        return;
    }
    for (char *line = i->text + i->read, *end = i->text + i->length; line < end;) {
        char *next = line;
        while (*next != '\n')
            next++;
        if (*line != '%' && *line != 'd')
            hand_out(i, line, literals);
        line = next + 1;
    }
    i->read = i->length;
    free(literals);
}

static int solve(void *arg)
{
    struct instance *i = arg;
    int answer = picosat_sat(i->solver, -1);
    if (i->log)
        hand_out_new(i);
    return answer == PICOSAT_SATISFIABLE ? 1 : answer == PICOSAT_UNSATISFIABLE ? -1 : 0;
}

static bool value(void *arg, int variable)
{
    struct instance *i = arg;
    return picosat_deref(i->solver, variable) > 0;
}

#endif

static const char *missing(void)
{
#ifdef ASSAY_WITH_PICOSAT
    return NULL;
#else
    return "built without picosat";
#endif
}

const struct sat_adapter sat_picosat = {
    .name = "picosat",
    .missing = missing,
#ifdef ASSAY_WITH_PICOSAT
    .open = open_solver,
    .add = add,
    .assume = assume,
    .solve = solve,
    .value = value,
    .close = close_solver,
#endif
};
