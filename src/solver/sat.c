/* SPDX-License-Identifier: Apache-2.0 */
#include "solver/sat.h"

#include <stdlib.h>
#include <string.h>

#define X(ident) extern const struct sat_adapter sat_##ident;
#include "solver/sat.def"
#undef X

const struct sat_adapter *const sat_table[] = {
#define X(ident) &sat_##ident,
#include "solver/sat.def"
#undef X
    NULL};

const struct sat_adapter *sat_find(const char *name)
{
    for (size_t i = 0; sat_table[i]; i++)
        if (name ? strcmp(sat_table[i]->name, name) == 0 : !sat_table[i]->missing())
            return sat_table[i];
    return name ? NULL : sat_table[0];
}

const char *sat_missing(void)
{
    return sat_find(NULL)->missing() ? "built without a SAT solver, cadical or picosat" : NULL;
}

void sat_open(struct sat *s)
{
    s->left = ESCAPE_NONE;
    s->refuted = false;
    s->most = 0;
    s->solver = s->adapter->open(s);
}

void sat_close(struct sat *s)
{
    if (s->solver)
        s->adapter->close(s->solver);
    s->solver = NULL;
}

void sat_clause(struct sat *s, const int *literals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int variable = abs(literals[i]);
        s->most = variable > s->most ? variable : s->most;
        s->adapter->add(s->solver, literals[i]);
    }
    s->adapter->add(s->solver, 0);
    budget_tick(s->budget);
}

void sat_assume(struct sat *s, int literal)
{
    int variable = abs(literal);
    s->most = variable > s->most ? variable : s->most;
    s->adapter->assume(s->solver, literal);
}

bool sat_solve(struct sat *s)
{
    int answer = s->adapter->solve(s->solver);
    if (s->left)
        escape_raise(s->left);
    if (answer == 0)
        escape_raise(ESCAPE_OUT_OF_MEMORY); /* the one other thing that stops a solver */
    if (answer < 0 && !s->refuted && s->learned)
        s->learned(s->arg, NULL, 0); /* a clause was refuted as soon as it was added */
    return answer > 0;
}

/* ---- called by solvers: no escape gets past these ---- */

struct handed_out {
    struct sat *s;
    const int *literals;
    size_t count;
};

static void hand_out(void *arg)
{
    struct handed_out *h = arg;
    h->s->learned(h->s->arg, h->literals, h->count);
}

void sat_learned(struct sat *s, const int *literals, size_t count)
{
    struct handed_out h = {s, literals, count};
    s->refuted = count == 0;
    if (!s->left && s->learned)
        s->left = escape_run(hand_out, &h);
}

static void look(void *arg)
{
    struct sat *s = arg;
    budget_look(s->budget);
}

bool sat_stop(struct sat *s)
{
    if (!s->left)
        s->left = escape_run(look, s);
    return s->left != ESCAPE_NONE;
}
