/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/visited.h"

struct visited visited_in(struct mem *m, const assay_spec *spec)
{
    bool compares = spec && spec->equal && !spec_in_table(spec);
    return (struct visited){.spec = spec, .mem = m, .compares = compares, .states = states_in(m, spec)};
}

/* The digest that stands for a kept state. */
static void number_digest(uint32_t number, uint64_t out[2])
{
    struct memo_key salt = memo_salt((uint64_t)1 << 32 | number); /* an operation's number has 32 bits */
    out[0] = salt.a;
    out[1] = salt.b;
}

static struct memo_key joined(struct memo_key with, const uint64_t digest[2])
{
    return (struct memo_key){with.a + digest[0], with.b + digest[1]};
}

bool visited_has(const struct visited *v, struct memo_key with, const void *state)
{
    uint64_t digest[2] = {0};
    if (!v->memo.n)
        return false;
    if (v->compares) {
        uint32_t number = states_find(&v->states, state);
        if (number == ID_NONE)
            return false;
        number_digest(number, digest);
    } else if (v->spec) {
        hook_digest(v->spec, state, digest);
    }
    return memo_has(&v->memo, joined(with, digest));
}

void visited_digest(struct visited *v, const void *state, uint64_t out[2])
{
    if (v->compares)
        number_digest(states_number(&v->states, state), out);
    else
        hook_digest(v->spec, state, out);
}

bool visited_add(struct visited *v, struct memo_key with, const void *state)
{
    uint64_t digest[2] = {0};
    if (v->spec)
        visited_digest(v, state, digest);
    return memo_add(&v->memo, v->mem, joined(with, digest));
}
