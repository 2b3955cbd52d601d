/* SPDX-License-Identifier: Apache-2.0 */
/* Twins: operations with the same call and result that overlap. Engines try one of them where they try others in all
 * orders. Few values, and results that are left out where they may be, make them common.
 *
 *   twins [--quick|--long] [--seed N] [--count N] [--only OBJECT]
 *
 * Every verdict of wgl, jit and the default engine must be that of the definition, and recheck must accept it. Times are
 * equal now and then, clocks skewed, knowledge recorded in place of times, or there is no time at all; operations stay
 * pending; two objects of the same kind are used at once. */
#include "base/hash.h"
#include "search/queue_words.h"
#include "search/wgl.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/evidence_line.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t histories, consistent, rechecked, twins; /* twins: histories with some that overlap */
    uint64_t one_value;                               /* refuted by one value alone (search/one_value.h) */
};

struct judging {
    const char *model;
    int64_t skew;
    struct seen *seen; /* NULL: while shrinking */
    char why[400];
};

static bool complain(struct judging *j, const char *engine, const char *what, const char *more)
{
    snprintf(j->why, sizeof j->why, "%s with %s, skew %lld: %s %s", j->model, engine ? engine : "the default engine",
             (long long)j->skew, what, more);
    return false;
}

static bool accepted(struct judging *j, const assay_history *h, const assay_result *r, const char *engine)
{
    char *line = evidence_line(r);
    assay_error e = {0};
    bool fine = line && assay_recheck(h, line, NULL, &e);
    if (j->seen) {
        j->seen->rechecked += fine;
        j->seen->one_value += line && strstr(line, "ValueUnexplained");
    }
    free(line);
    return fine || complain(j, engine, "recheck refuses:", e.message);
}

static bool agrees(struct judging *j, const assay_history *h, const char *engine, bool expected)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .skew = j->skew, .evidence = true};
    assay_error e = {0};
    assay_result *r = assay_check(h, j->model, &options, &e);
    if (!r)
        return (engine && e.code == ASSAY_ERROR_NOT_APPLICABLE) || complain(j, engine, "error:", e.message);
    assay_verdict verdict = assay_result_verdict(r);
    bool fine = verdict != ASSAY_UNDECIDED && (verdict == ASSAY_CONSISTENT) == expected;
    if (!fine)
        complain(j, engine, "the verdict is wrong:", assay_verdict_name(verdict));
    fine = fine && accepted(j, h, r, engine);
    assay_result_free(r);
    return fine;
}

static bool same_call(const struct play_op *a, const struct play_op *b)
{
    bool same = a->object == b->object && strcmp(a->method, b->method) == 0 && a->arg_count == b->arg_count;
    for (uint32_t i = 0; i < a->arg_count && same; i++)
        same = assay_value_same(a->args[i], b->args[i]);
    return same && a->pending == b->pending && assay_value_same(a->result, b->result);
}

static bool has_twins(const struct play *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct play_op *a = &p->op[i], *b = &p->op[k];
            bool overlap = (a->pending || a->ret >= b->call) && (b->pending || b->ret >= a->call);
            if (overlap && same_call(a, b))
                return true;
        }
    return false;
}

static bool broken(const struct play *p, void *arg)
{
    static const char *const engines[] = {"wgl", "jit", "queue-words", NULL};
    struct judging *j = arg;
    assay_history *h = play_build(p);
    bool expected = play_satisfies(h, p, strcmp(j->model, "lin") == 0, j->skew), fine = true;
    for (size_t i = 0; i < sizeof engines / sizeof *engines && fine; i++)
        fine = agrees(j, h, engines[i], expected);
    assay_history_free(h);
    if (j->seen) {
        j->seen->histories++;
        j->seen->consistent += expected;
        j->seen->twins += has_twins(p);
    }
    return !fine;
}

/* A counter that rises, or falls, or does both; by one amount, or by several. */
static void call_few_methods(struct cast *c, struct rng *rng)
{
    static const char *const up[] = {"inc", "add", "get", NULL}, *const down[] = {"dec", "add", "read", NULL},
                             *const one[] = {"dec", "read", NULL}, *const any[] = {"inc", "dec", "add", "get", NULL};
    static const char *const *const choices[] = {up, up, down, one, any};
    c->methods = choices[rng_below(rng, sizeof choices / sizeof *choices)];
    c->values = 1 + rng_below(rng, rng_below(rng, 2) ? 2 : 6);
    if (c->methods == any)
        c->shift = -(int64_t)rng_below(rng, c->values + 1);
    if (c->methods == down)
        c->shift = -(int64_t)c->values - (int64_t)rng_below(rng, 2);
}

static struct cast some_cast(const assay_spec *s, struct rng *rng)
{
    static const uint32_t ties[] = {0, 0, 40, 85};
    struct cast c = {.object = some_object(s, rng),
                     .init = some_init(s, rng),
                     .spec = s,
                     .least = 5,
                     .most = 10,
                     .threads = 4 + rng_below(rng, 3),
                     .values = rng_below(rng, 3) ? 1 + rng_below(rng, 2) : 3 + rng_below(rng, 4),
                     .silent = rng_below(rng, 3) ? 100 : 50,
                     .pending = rng_below(rng, 3) ? 0 : 60,
                     .lies = rng_below(rng, 5),
                     .ties = ties[rng_below(rng, 4)],
                     .words = rng_below(rng, 4) == 0,
                     .apart = rng_below(rng, 3) == 0};
    if (strcmp(s->name, "counter") == 0 && rng_below(rng, 4))
        call_few_methods(&c, rng);
    if (rng_below(rng, 4) == 0) {
        c.init = NULL;
        c.other_n = 1;
        c.other[0] = (struct play_object){c.object, s};
    }
    return c;
}

static void judge(const assay_spec *s, struct rng *rng, struct seen *seen)
{
    struct cast c = some_cast(s, rng);
    struct play p = play_random(&c, rng);
    struct judging j = {.model = "lin", .seen = seen};
    wgl_patience = rng_below(rng, 2) ? 1 : 64;
    wgl_few_patience = rng_below(rng, 2);
    queue_words_patience = rng_below(rng, 2);
    switch (rng_below(rng, 12)) {
    case 0: j.skew = 1 + (int64_t)rng_below(rng, 3); break;
    case 1: p.times = PLAY_AFTER; break;
    case 2: j.model = c.other_n || s == &spec_memory ? "lin" : "sc-object"; break;
    default: break;
    }
    if (!broken(&p, &j))
        return;
    j.seen = NULL;
    play_expose(&p, broken, &j, j.why);
}

int main(int argc, char **argv)
{
    static const char *const objects[] = {"cas-register", "counter",   "deque", "register", "map",    "append-map",
                                          "queue",        "semaphore", "stack", "multiset", "memory", "pqueue"};
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 1000, 4000, 150000);
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++) {
        struct seen seen = {0};
        const assay_spec *s = NULL;
        for (size_t i = 0; spec_table[i] && !s; i++)
            s = strcmp(spec_table[i]->name, objects[o]) == 0 ? spec_table[i] : NULL;
        if (!request_wants(&r, objects[o]))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            struct rng rng = {hash_join(r.seed, hash_join(o, i))};
            judge(s, &rng, &seen);
        }
        printf("%s: %llu histories, %llu with twins, %llu consistent; %llu verdicts rechecked, %llu by one value\n",
               objects[o], (unsigned long long)seen.histories, (unsigned long long)seen.twins,
               (unsigned long long)seen.consistent, (unsigned long long)seen.rechecked,
               (unsigned long long)seen.one_value);
        fflush(stdout);
    }
    return 0;
}
