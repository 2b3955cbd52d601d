/* SPDX-License-Identifier: Apache-2.0 */
/* The definition of linearizability and sequential consistency, for a play: all orders are tried. */
#include "history/history.h"
#include "spec/spec.h"
#include "support/play.h"

#include <stdlib.h>

struct trying {
    uint32_t n;
    uint32_t before[PLAY_MOST]; /* bit set of what happens before */
    bool pending[PLAY_MOST];
    assay_call call[PLAY_MOST];
    assay_value args[PLAY_MOST][PLAY_ARGS];
    struct objects objects;
    void *state[PLAY_OBJECTS];
    uint32_t must;
};

static bool complete(struct trying *x, uint32_t done);

static bool ready(const struct trying *x, uint32_t done, uint32_t i)
{
    return !(done >> i & 1) && !(x->before[i] & ~done & x->must);
}

static uint32_t object_of(const struct trying *x, uint32_t i)
{
    return x->objects.of ? x->objects.of[i] : 0;
}

/* An exchange that succeeded takes place together with that of its partner. */
static bool exchange(struct trying *x, uint32_t done, uint32_t i)
{
    if (x->pending[i])
        return false;
    if (assay_value_same(x->call[i].result, assay_word("null")))
        return complete(x, done | 1u << i);
    for (uint32_t j = 0; j < x->n; j++) {
        bool fits = j != i && object_of(x, i) == object_of(x, j) && ready(x, done, j) &&
                    assay_value_same(x->call[i].result, x->call[j].args[0]) &&
                    (x->pending[j] || assay_value_same(x->call[j].result, x->call[i].args[0]));
        if (fits && complete(x, done | 1u << i | 1u << j))
            return true;
    }
    return false;
}

static bool complete(struct trying *x, uint32_t done)
{
    if ((x->must & ~done) == 0)
        return true;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!ready(x, done, i))
            continue;
        const assay_spec *spec = x->objects.at[object_of(x, i)].spec;
        void *state = x->state[object_of(x, i)];
        if (!spec->create) {
            if (exchange(x, done, i))
                return true;
            continue;
        }
        assay_value answer = {0};
        assay_saved saved;
        assay_effect effect = spec->step(state, &x->call[i], 0, &answer, &saved);
        if (effect == ASSAY_BLOCKED)
            continue;
        bool fits = x->call[i].result.kind == ASSAY_NONE || assay_value_same(answer, x->call[i].result);
        bool found = fits && complete(x, done | 1u << i);
        if (effect == ASSAY_CHANGED)
            spec->undo(state, &x->call[i], &saved);
        if (found)
            return true;
    }
    return false;
}

/* Does i happen before j, as the play says it directly? */
static bool says_before(const struct play *p, uint32_t i, uint32_t j, bool real_time, int64_t skew)
{
    const struct play_op *a = &p->op[i], *b = &p->op[j];
    if (i == j || a->thread == b->thread)
        return i < j;
    if (!real_time || a->pending)
        return false;
    return p->times == PLAY_KNOWN ? play_index(p, i) < b->knows[a->thread] : a->ret + skew < b->call - skew;
}

bool play_satisfies(const assay_history *h, const struct play *p, bool real_time, int64_t skew)
{
    struct trying x = {.n = p->n};
    struct mem mem = {0};
    assay_error e = {0};
    if (!objects_of(h, (struct object_choice){0}, &mem, &x.objects, &e))
        abort();
    for (uint32_t i = 0; i < p->n; i++) {
        x.pending[i] = p->op[i].pending;
        x.must |= p->op[i].pending ? 0 : 1u << i;
        for (uint32_t a = 0; a < p->op[i].arg_count; a++)
            x.args[i][a] = value_public(h, history_arg(h, i, a));
        x.call[i] = (assay_call){.method = objects_method(&x.objects, i)->id,
                                 .arg_count = p->op[i].arg_count,
                                 .args = x.args[i],
                                 .result = value_public(h, history_result(h, i)),
                                 .operation = i,
                                 .thread = h->thread[i]};
        for (uint32_t j = 0; j < p->n; j++)
            x.before[i] |= (uint32_t)says_before(p, j, i, real_time, skew) << j;
    }
    for (uint32_t again = 0; again < p->n; again++) /* transitively */
        for (uint32_t i = 0; i < p->n; i++)
            for (uint32_t j = 0; j < p->n; j++)
                x.before[i] |= x.before[i] >> j & 1 ? x.before[j] : 0;
    for (uint32_t o = 0; o < x.objects.n; o++) {
        const struct object_use *use = &x.objects.at[o];
        if (use->spec->create)
            x.state[o] = use->spec->create(&use->setting, (assay_value){0}, (assay_memory *)&mem);
    }
    bool yes = complete(&x, 0);
    mem_release(&mem);
    return yes;
}
