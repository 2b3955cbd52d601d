/* SPDX-License-Identifier: Apache-2.0 */
#include "support/simulate.h"

#include "scan/online.h"
#include "spec/roles.h"

#include <string.h>

enum stage { IDLE, CALLED, DONE };

struct thread_state {
    enum stage stage;
    bool holds; /* of locks and semaphores */
    struct simulated_event event;
    assay_value arg;
};

struct simulation {
    struct simulated *out;
    const assay_spec *spec;
    void *state;
    bool held; /* the object is one that threads hold and give back */
    struct rng rng;
    int64_t next_value;
    int64_t balance; /* adds called less removes called */
    struct thread_state thread[SIMULATED_THREADS];
};

static struct value private_value(assay_value v)
{
    if (v.kind == ASSAY_INT)
        return (struct value){v.integer, ASSAY_INT};
    for (int w = 0; v.kind == ASSAY_WORD && w < ONLINE_WORDS; w++)
        if (strlen(online_words[w]) == v.length && memcmp(online_words[w], v.text, v.length) == 0)
            return (struct value){w, ASSAY_WORD};
    return (struct value){0, ASSAY_NONE};
}

static void choose_collection(struct simulation *s, struct thread_state *t, bool ranked)
{
    uint32_t dice = rng_below(&s->rng, 100), adds = s->balance > 200 ? 20 : s->balance < 20 ? 60 : 45;
    if (dice < adds) {
        int64_t v = s->next_value++;
        t->event.method = COLLECTION_ADD;
        t->event.arity = 1;
        t->arg = assay_int(ranked ? (int64_t)rng_below(&s->rng, 1000) << 32 | v : v);
        s->balance++;
    } else {
        t->event.method = dice < 90 ? COLLECTION_REMOVE : COLLECTION_PEEK;
        s->balance -= dice < 90 && s->balance;
    }
}

static void choose_keyed(struct simulation *s, struct thread_state *t, unsigned methods, uint32_t keys)
{
    t->event.method = rng_below(&s->rng, methods);
    t->event.arity = 1;
    t->arg = assay_int(rng_below(&s->rng, keys));
}

static void choose_register(struct simulation *s, struct thread_state *t)
{
    bool writes = rng_below(&s->rng, 3) == 0;
    t->event.method = writes ? REGISTER_WRITE : REGISTER_READ;
    t->event.arity = writes;
    t->arg = assay_int(writes ? s->next_value++ : 0);
}

static void choose_held(struct simulation *s, struct thread_state *t)
{
    t->event.method = t->holds ? LOCK_UNLOCK : rng_below(&s->rng, 3) ? LOCK_LOCK : LOCK_TRY;
}
_Static_assert((int)LOCK_UNLOCK == (int)SEMAPHORE_RELEASE && (int)LOCK_TRY == (int)SEMAPHORE_TRY,
               "one choice for both");

static void choose(struct simulation *s, struct thread_state *t)
{
    const char *name = s->spec->name;
    t->event.arity = 0;
    if (strcmp(name, "set") == 0)
        choose_keyed(s, t, 3, 100);
    else if (strcmp(name, "multiset") == 0)
        choose_keyed(s, t, 4, 20);
    else if (strcmp(name, "register") == 0)
        choose_register(s, t);
    else if (s->held)
        choose_held(s, t);
    else
        choose_collection(s, t, strcmp(name, "pqueue") == 0);
    t->event.arg = t->event.arity ? private_value(t->arg) : (struct value){0};
}

/* False: it cannot take effect now. */
static bool take_effect(struct simulation *s, struct thread_state *t)
{
    assay_call call = {.method = t->event.method, .arg_count = t->event.arity, .args = &t->arg};
    assay_value result = {0};
    assay_saved saved = {0};
    if (s->spec->step(s->state, &call, 0, &result, &saved) == ASSAY_BLOCKED)
        return false;
    t->event.result = private_value(result);
    bool failed = result.kind == ASSAY_WORD && result.text[0] == 'f';
    if (s->held)
        t->holds = call.method != LOCK_UNLOCK && !failed;
    return true;
}

static void emit(struct simulation *s, const struct thread_state *t, bool returns)
{
    struct simulated_event e = t->event;
    e.returns = returns;
    vec_push(&s->out->mem, &s->out->events, e);
}

/* One step of one thread. */
static void advance(struct simulation *s, struct thread_state *t, bool may_call)
{
    switch (t->stage) {
    case IDLE:
        if (!may_call)
            return;
        choose(s, t);
        emit(s, t, false);
        t->stage = CALLED;
        return;
    case CALLED: t->stage = take_effect(s, t) ? DONE : CALLED; return;
    case DONE:
        emit(s, t, true);
        t->stage = IDLE;
        return;
    }
}

static bool is_idle(const struct simulation *s)
{
    for (uint32_t i = 0; i < SIMULATED_THREADS; i++)
        if (s->thread[i].stage != IDLE || s->thread[i].holds)
            return false;
    return true;
}

void simulate(struct simulated *out, const assay_spec *spec, const assay_setting *setting, uint64_t seed, uint32_t n)
{
    struct simulation s = {.out = out, .spec = spec, .rng = {seed}, .next_value = 1};
    struct mem states = {0};
    s.held = strcmp(spec->name, "lock") == 0 || strstr(spec->name, "semaphore");
    s.state = spec->create(setting, (assay_value){0}, (assay_memory *)&states);
    for (uint32_t i = 0; i < SIMULATED_THREADS; i++)
        s.thread[i].event.slot = i;
    while (out->events.n < n || !is_idle(&s)) {
        struct thread_state *t = &s.thread[rng_below(&s.rng, SIMULATED_THREADS)];
        /* at the end those that hold something give it back, so that all that wait come through */
        advance(&s, t, out->events.n < n || t->holds);
    }
    mem_release(&states);
}

static struct value told(int64_t x)
{
    switch (x) {
    case SIMULATED_NONE: return (struct value){0};
    case SIMULATED_TRUE: return (struct value){ONLINE_TRUE, ASSAY_WORD};
    case SIMULATED_FALSE: return (struct value){ONLINE_FALSE, ASSAY_WORD};
    case SIMULATED_EMPTY: return (struct value){ONLINE_EMPTY, ASSAY_WORD};
    default: return (struct value){x, ASSAY_INT};
    }
}

void simulate_lie(struct simulated *out, const struct simulated_lie *lie)
{
    for (; lie->method != SIMULATED_END; lie++) {
        struct simulated_event e = {.method = lie->method,
                                    .arity = lie->arg != SIMULATED_NONE,
                                    .arg = told(lie->arg),
                                    .result = told(lie->result)};
        vec_push(&out->mem, &out->events, e);
        e.returns = true;
        vec_push(&out->mem, &out->events, e);
    }
}

void simulated_free(struct simulated *s)
{
    mem_release(&s->mem);
    *s = (struct simulated){0};
}
