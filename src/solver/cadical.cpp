// SPDX-License-Identifier: Apache-2.0
#include "solver/cadical.h"

#include <ccadical.h>
#include <climits>
#include <new>

struct cadical {
    CCaDiCaL *solver;
    bool broken; // an exception left it in the middle of something
};

// Every exception of it means that it has no memory: no other fault occurs in calls that keep to its interface.
template <class Call> static bool within(cadical *s, Call call) noexcept
{
    try {
        call();
    } catch (...) {
        s->broken = true;
    }
    return !s->broken;
}

cadical *cadical_open(const char *const *off, void *state, int (*stop)(void *state),
                      void (*learned)(void *state, int *clause))
{
    cadical *s = new (std::nothrow) cadical();
    if (s && within(s, [=] {
            s->solver = ccadical_init();
            for (const char *const *option = off; *option; option++)
                ccadical_set_option(s->solver, *option, 0);
            ccadical_set_option(s->solver, "quiet", 1);
            ccadical_set_terminate(s->solver, state, stop);
            if (learned)
                ccadical_set_learn(s->solver, state, INT_MAX, learned);
        }))
        return s;
    cadical_close(s);
    return nullptr;
}

bool cadical_add(cadical *s, int literal)
{
    return within(s, [=] { ccadical_add(s->solver, literal); });
}

bool cadical_assume(cadical *s, int literal)
{
    return within(s, [=] { ccadical_assume(s->solver, literal); });
}

bool cadical_solve(cadical *s, int *answer)
{
    return within(s, [=] { *answer = ccadical_solve(s->solver); });
}

bool cadical_value(cadical *s, int variable, bool *value)
{
    return within(s, [=] { *value = ccadical_val(s->solver, variable) > 0; });
}

// Its destructor does not get over a broken one: that is left behind, with its memory.
void cadical_close(cadical *s)
{
    if (s && !s->broken)
        ccadical_release(s->solver);
    delete s;
}
