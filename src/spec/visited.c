/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/visited.h"

struct visited visited_in(struct mem *m, const assay_spec *spec)
{
    return (struct visited){.spec = spec, .mem = m, .compares = spec && spec->equal && !spec_is(spec, spec->name)};
}

static uint32_t find(const struct visited *v, const void *state, const uint64_t digest[2])
{
    uint32_t i = idmap_get(&v->first, digest[0]);
    while (i != ID_NONE && (v->states.at[i].digest[1] != digest[1] || !v->spec->equal(v->states.at[i].copy, state)))
        i = v->states.at[i].next;
    return i;
}

static uint32_t keep(struct visited *v, const void *state, const uint64_t digest[2])
{
    struct visited_state s = {v->spec->copy(state, (assay_memory *)v->mem), {digest[0], digest[1]}, ID_NONE};
    uint32_t *first = idmap_at(v->mem, &v->first, digest[0]);
    s.next = *first;
    *first = v->states.n;
    vec_push(v->mem, &v->states, s);
    return v->states.n - 1;
}

/* What stands for a state that is kept. */
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
    if (v->spec)
        v->spec->digest(state, digest);
    if (v->compares) {
        uint32_t number = find(v, state, digest);
        if (number == ID_NONE)
            return false;
        number_digest(number, digest);
    }
    return memo_has(&v->memo, joined(with, digest));
}

void visited_digest(struct visited *v, const void *state, uint64_t out[2])
{
    v->spec->digest(state, out);
    if (!v->compares)
        return;
    uint32_t number = find(v, state, out);
    number_digest(number == ID_NONE ? keep(v, state, out) : number, out);
}

bool visited_add(struct visited *v, struct memo_key with, const void *state)
{
    uint64_t digest[2] = {0};
    if (v->spec)
        visited_digest(v, state, digest);
    return memo_add(&v->memo, v->mem, joined(with, digest));
}
