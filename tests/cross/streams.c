/* SPDX-License-Identifier: Apache-2.0 */
/* Exact online checkers against the engines for recorded histories, on histories of some hundred events: those of a
 * right object of 16 threads, slightly changed. Both must say the same, and of some objects the operations that a
 * report names must be wrong by themselves.
 *
 *   streams [--quick|--long] [--seed N] [--count N] [--only OBJECT] */
#include "base/hash.h"
#include "scan/online.h"
#include "spec/roles.h"
#include "support/simulate.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pair {
    const char *object, *checker, *engine;
    bool alone; /* the operations that a report names are wrong by themselves */
} pairs[] = {
    {"queue", "exact-queue", "fast-queue", true},          {"stack", "exact-stack", "fast-stack", true},
    {"pqueue", "exact-pqueue", "fast-pqueue", true},       {"set", "exact-set", "fast-set", false},
    {"multiset", "exact-multiset", NULL, false},           {"lock", "exact-lock", "fast-lock", false},
    {"register", "exact-register", "fast-register", true},
};

enum { MOST_EVENTS = 400 };

/* ---- changes ---- */

/* Moves an event by some places, if none of its thread is in the way. */
static void move(struct simulated *s, struct rng *rng)
{
    uint32_t i = rng_below(rng, s->events.n), n = 1 + rng_below(rng, 12);
    bool forward = rng_below(rng, 2);
    struct simulated_event *at = s->events.at, e;
    for (; n && (forward ? i + 1 < s->events.n : i > 0); n--, i += forward ? 1 : UINT32_MAX) {
        uint32_t other = forward ? i + 1 : i - 1;
        if (at[other].slot == at[i].slot)
            return;
        e = at[i];
        at[i] = at[other];
        at[other] = e;
    }
}

/* Two operations that are near change their results. */
static void exchange(struct simulated *s, struct rng *rng)
{
    uint32_t i = rng_below(rng, s->events.n), j = i + 1 + rng_below(rng, 30);
    if (j >= s->events.n)
        return;
    struct simulated_event *a = &s->events.at[i], *b = &s->events.at[j];
    if (!a->returns || !b->returns || a->result.kind == ASSAY_NONE || b->result.kind == ASSAY_NONE)
        return;
    struct value result = a->result;
    a->result = b->result;
    b->result = result;
}

/* ---- both ---- */

static assay_value public_value(struct value v)
{
    if (v.kind == ASSAY_NONE)
        return (assay_value){0};
    return v.kind == ASSAY_INT ? assay_int(v.bits) : assay_word(online_words[v.bits]);
}

static uint32_t return_of(const struct simulated *s, uint32_t call)
{
    uint32_t i = call + 1;
    while (s->events.at[i].slot != s->events.at[call].slot)
        i++;
    return i;
}

/* The history of the operations whose calls are kept; NULL: of all. */
static assay_history *history_of(const struct simulated *s, const assay_spec *spec, const bool *kept)
{
    assay_history *h = assay_history_new();
    assay_error e = {0};
    assay_history_set(h, "object", spec->name, &e);
    for (uint32_t i = 0; i < s->events.n; i++) {
        const struct simulated_event *call = &s->events.at[i];
        if (call->returns || (kept && !kept[i]))
            continue;
        uint32_t ret = return_of(s, i);
        char thread[16];
        snprintf(thread, sizeof thread, "t%u", (unsigned)call->slot);
        const assay_method *m = spec->methods;
        while (m->id != call->method)
            m++;
        assay_value arg = public_value(call->arg);
        assay_operation op = {.thread = thread,
                              .method = m->name,
                              .args = &arg,
                              .arg_count = call->arity,
                              .result = public_value(s->events.at[ret].result),
                              .timed = true,
                              .call_time = i,
                              .return_time = ret};
        if (assay_history_add(h, &op, &e) == ASSAY_NO_OPERATION)
            abort();
    }
    return h;
}

static assay_verdict recorded(const struct simulated *s, const assay_spec *spec, const struct pair *p, const bool *kept)
{
    assay_history *h = history_of(s, spec, kept);
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = p->engine};
    assay_error e = {0};
    assay_result *r = assay_check(h, "lin", &options, &e);
    assay_verdict verdict = r ? assay_result_verdict(r) : ASSAY_UNDECIDED;
    if (!r)
        fprintf(stderr, "%s\n", e.message);
    assay_result_free(r);
    assay_history_free(h);
    return verdict;
}

/* Fed to the checker; `kept` are the calls that its report names. */
static assay_verdict online(const struct simulated *s, const struct online_setup *setup, const struct online *o,
                            bool *kept)
{
    void *state = o->open(setup);
    bool fine = true;
    for (uint32_t i = 0; i < s->events.n && fine; i++) {
        const struct simulated_event *e = &s->events.at[i];
        if (e->returns)
            fine = o->ret(state, e->slot, i + 1, e->result);
        else
            o->call(state, e->slot, i + 1, e->method, &e->arg, e->arity);
    }
    fine = fine && o->finish(state) == ONLINE_FINE;
    struct mem mem = {0};
    struct online_fault f = {.why = text_in(&mem)};
    if (!fine)
        o->explain(state, &f, &mem);
    for (uint32_t i = 0; i < f.ops.n; i++)
        kept[f.ops.at[i].called - 1] = true;
    mem_release(&mem);
    o->close(state);
    return fine ? ASSAY_CONSISTENT : ASSAY_VIOLATION;
}

static const char *judge(const struct simulated *s, const assay_spec *spec, const struct pair *p, bool *wrong)
{
    struct mem mem = {0};
    struct budget budget = {0};
    assay_setting setting = {0};
    struct online_setup setup = {.spec = spec, .setting = setting, .mem = &mem, .budget = &budget};
    const char *variant;
    bool kept[MOST_EVENTS + 4 * SIMULATED_THREADS] = {0};
    assay_verdict expected = recorded(s, spec, p, NULL);
    if (expected != online(s, &setup, online_find(p->checker, &variant, NULL), kept))
        return "the verdicts differ";
    *wrong = expected == ASSAY_VIOLATION;
    if (*wrong && p->alone && recorded(s, spec, p, kept) != ASSAY_VIOLATION)
        return "what the report names is not wrong by itself";
    return mem.used ? "memory is not given back" : NULL;
}

/* ---- all of them ---- */

static const assay_spec *spec_called(const char *name)
{
    size_t i = 0;
    while (strcmp(spec_table[i]->name, name) != 0)
        i++;
    return spec_table[i];
}

static int run(const struct pair *p, uint64_t seed, uint32_t count)
{
    const assay_spec *spec = spec_called(p->object);
    assay_setting setting = {0};
    uint32_t violations = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(hash_mix(seed), i)};
        struct simulated s = {0};
        simulate(&s, spec, &setting, rng_next(&rng), 20 + rng_below(&rng, MOST_EVENTS - 20));
        for (uint32_t n = rng_below(&rng, 20); n; n--)
            move(&s, &rng);
        for (uint32_t n = rng_below(&rng, 4); n; n--)
            exchange(&s, &rng);
        bool wrong = false;
        const char *why = judge(&s, spec, p, &wrong);
        violations += wrong;
        if (why) {
            printf("%s: %s (--seed %llu, number %u)\n", p->checker, why, (unsigned long long)seed, (unsigned)i);
            return 1;
        }
        simulated_free(&s);
    }
    printf("%s: %u histories, %u violations\n", p->checker, (unsigned)count, (unsigned)violations);
    return 0;
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 400, 1500, 100000);
    int status = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (request_wants(&r, pairs[i].object))
            status |= run(&pairs[i], r.seed, count);
    return status;
}
