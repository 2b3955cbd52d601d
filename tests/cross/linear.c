/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: every engine that takes a history agrees with the definition of linearizability (and, without real time, of
 * sequential consistency), and recheck accepts every verdict.
 *
 *   linear [--quick|--long] [--seed N] [--count N] [--only OBJECT]
 *
 * All histories of a few operations are enumerated for the objects with engines of their own, intervals and results
 * included, and those of two objects or keys with equal times, skewed clocks and recorded knowledge in place of times. All
 * objects of the table then play random ones, alone, together with others, and by the dozen, with all of this, lies, pending
 * operations, words as values and values that come again. The quick tier takes one in so many of what is enumerated. */
#include "base/registry.h"
#include "check/check.h"
#include "engine/engine.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/evidence_line.h"
#include "support/lives.h"
#include "support/mutants.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

/* Of one history in so many the evidence is changed; it is judged without digests. */
enum { MOST_ENGINES = 64, FORGED_OF = 8192, BLUNT_OF = 16 };

static enum tier tier;

struct seen {
    uint64_t histories, consistent, rechecked, searched, declined;
    uint64_t around[2]; /* violations and consistent histories that an interval order around happens-before decided */
    uint64_t forged, believed; /* changed lines, and those that prove what they say all the same */
    uint64_t by_engine[MOST_ENGINES];
};

struct judging {
    const assay_spec *own; /* that the engines are given; NULL: the table's */
    const char *model;
    int64_t skew;
    bool recheck;
    const char *taken; /* an engine that may not decline; or NULL */
    struct seen *seen; /* NULL: while shrinking */
    char why[600];
};

static bool complain(struct judging *j, const char *engine, const char *what, const char *more)
{
    snprintf(j->why, sizeof j->why, "%s with %s, skew %lld: %s %s", j->model, engine ? engine : "the default engine",
             (long long)j->skew, what, more);
    return false;
}

/* A changed line of evidence may still prove something, but nothing that is wrong. */
struct forging {
    const assay_history *h;
    const char *model, *object;
    bool expected;
    struct seen *seen;
};

static void forge(void *arg, const char *line)
{
    struct forging *f = arg;
    char model[32], object[80];
    snprintf(model, sizeof model, "\"%s\"", f->model);
    snprintf(object, sizeof object, "\"%s\"", f->object);
    f->seen->forged++;
    if (!assay_recheck(f->h, line, NULL, NULL) || !strstr(line, model) || !strstr(line, object))
        return; /* or it is about another model or object */
    f->seen->believed++;
    if (strstr(line, f->expected ? "\"violation\"" : "\"consistent\"")) {
        printf("recheck believes what is wrong: %s", line);
        exit(1);
    }
}

static bool accepted(struct judging *j, const assay_history *h, const assay_result *r, const char *engine)
{
    char *line = evidence_line(r);
    assay_error e = {0};
    bool searched = false;
    bool fine = line &&
                assay_recheck_with(h, line, &(assay_options){ASSAY_OPTIONS_INIT, .spec = j->own}, NULL, &searched, &e);
    if (!fine)
        complain(j, engine, "recheck refuses:", e.message);
    else if (j->seen) {
        j->seen->rechecked++;
        j->seen->searched += searched;
    }
    if (fine && j->seen && !j->own && j->seen->histories % FORGED_OF == 1 && !j->skew &&
        strlen(line) < MUTANTS_LONGEST / 4) {
        struct forging f = {h, j->model, assay_result_object(r), assay_result_verdict(r) == ASSAY_CONSISTENT, j->seen};
        struct rng rng = {j->seen->histories};
        mutants_of(line, &rng, forge, &f);
    }
    free(line);
    return fine;
}

/* Engines that follow a history return by return: tests/cross/online.c asks more of them. */
static bool is_stepwise(const char *engine)
{
    return engine &&
           (strcmp(engine, "symbolic") == 0 || strcmp(engine, "enumerate") == 0 || strcmp(engine, "saturate") == 0);
}

/* Parts take turns. Here a first turn is short, so that some parts need several; how short differs from history to
 * history. */
static void shorten_turns(const struct play *p)
{
    uint64_t some = p->n;
    for (uint32_t i = 0; i < p->n; i++)
        some = hash_join(some, (uint64_t)p->op[i].call + p->op[i].arg_count);
    checker_first_effort = 1 + some % 16;
}

/* Does the engine (NULL: the default) say what the definition says? */
static bool agrees(struct judging *j, const assay_history *h, const char *engine, bool expected, bool *took)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .spec = j->own, .skew = j->skew, .evidence = true};
    assay_error e = {0};
    assay_result *r = assay_check(h, j->model, &options, &e);
    *took = r;
    if (!r)
        return e.code == ASSAY_ERROR_NOT_APPLICABLE || complain(j, engine, "error:", e.message);
    assay_verdict verdict = assay_result_verdict(r);
    bool open = verdict == ASSAY_UNDECIDED && engine && strcmp(engine, "saturate") == 0; /* it finds violations only */
    bool fine = open || (verdict != ASSAY_UNDECIDED && (verdict == ASSAY_CONSISTENT) == expected);
    if (!fine)
        complain(j, engine, "the verdict is wrong:", assay_verdict_name(verdict));
    else if (j->recheck && !open && !(verdict == ASSAY_CONSISTENT && is_stepwise(engine)))
        fine = accepted(j, h, r, engine);
    assay_result_free(r);
    return fine;
}

/* Was the history decided by engines that need an interval order, though its own is none? */
static void note_around(struct judging *j, const assay_history *h)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .skew = j->skew};
    assay_result *r = j->own ? NULL : assay_check(h, j->model, &options, NULL);
    const char *engine = r ? assay_result_engine(r) : "wgl";
    assay_error e = {0};
    options.engine = "jit"; /* the one engine that takes all interval orders, and these only */
    assay_result *timed = strcmp(engine, "wgl") && strcmp(engine, "execute") ? assay_check(h, j->model, &options, &e)
                                                                             : NULL;
    if (!timed && e.code == ASSAY_ERROR_NOT_APPLICABLE && strstr(e.message, "intervals"))
        j->seen->around[assay_result_verdict(r) == ASSAY_CONSISTENT]++;
    assay_result_free(timed);
    assay_result_free(r);
}

/* Exchanges beside other objects are decided only where the objects can be judged apart. */
static bool may_be_declined(const struct play *p)
{
    bool exchanger = strcmp(p->object, "exchanger") == 0;
    for (uint32_t i = 0; i < p->other_n; i++)
        exchanger |= strcmp(p->other[i], "exchanger") == 0;
    return exchanger && p->other_n;
}

static bool holds(const struct play *p, struct judging *j)
{
    shorten_turns(p);
    assay_history *h = play_build(p);
    unsigned condition = strcmp(j->model, "lin") == 0 ? COND_LIN : COND_SC_OBJECT;
    bool expected = play_satisfies(h, p, condition == COND_LIN, j->skew), fine = true, took;
    if (j->seen) {
        j->seen->histories++;
        j->seen->consistent += expected;
    }
    for (size_t i = 0; engine_table[i] && fine; i++) {
        if (!(engine_table[i]->conditions & condition) ||
            (is_stepwise(engine_table[i]->name) && (!j->seen || j->seen->histories % by_tier(tier, 32, 256, 256) != 0)))
            continue;
        fine = agrees(j, h, engine_table[i]->name, expected, &took);
        if (fine && !took && j->taken && strcmp(j->taken, engine_table[i]->name) == 0)
            fine = complain(j, j->taken, "declines", "");
        if (j->seen)
            j->seen->by_engine[i] += took;
    }
    fine = fine && agrees(j, h, NULL, expected, &took) &&
           (took || may_be_declined(p) || complain(j, NULL, "declines", ""));
    if (j->seen && fine) {
        j->seen->declined += !took;
        if (condition == COND_LIN)
            note_around(j, h);
    }
    assay_history_free(h);
    return fine;
}

/* The object with a digest that says nothing, as a user might bring it: what `equal` says must be enough. */
static void say_nothing(const void *state, uint64_t out[2])
{
    (void)state;
    out[0] = out[1] = 0;
}

/* The one object of a play, if it has states; or NULL. */
static const assay_spec *only_spec(const struct play *p)
{
    size_t length = strcspn(p->object, "(");
    for (size_t i = 0; !p->other_n && spec_table[i]; i++)
        if (strlen(spec_table[i]->name) == length && memcmp(spec_table[i]->name, p->object, length) == 0)
            return spec_table[i]->create ? spec_table[i] : NULL;
    return NULL;
}

static bool holds_without_digests(const struct play *p, struct judging *j)
{
    static const char *const engines[] = {"wgl", "jit"};
    const assay_spec *spec = only_spec(p);
    if (!spec)
        return true;
    assay_spec blunt = *spec;
    blunt.digest = say_nothing;
    assay_history *h = play_build(p);
    bool expected = play_satisfies(h, p, strcmp(j->model, "lin") == 0, j->skew), fine = true, took;
    j->own = &blunt;
    for (size_t i = 0; i < sizeof engines / sizeof *engines && fine; i++)
        fine = agrees(j, h, engines[i], expected, &took);
    j->own = NULL;
    assay_history_free(h);
    return fine;
}

static bool broken(const struct play *p, void *arg)
{
    return !holds(p, arg) || !holds_without_digests(p, arg);
}

static void judge(const struct play *p, struct judging *j)
{
    bool blunt = j->seen->histories % BLUNT_OF == 0;
    if (holds(p, j) && (!blunt || holds_without_digests(p, j)))
        return;
    j->seen = NULL;
    play_expose(p, broken, j, j->why);
}

static void report(const char *title, const struct seen *s)
{
    printf("%s: %llu histories, %llu consistent, %llu declined; %llu verdicts rechecked, %llu of them by search; %llu "
           "forged, %llu "
           "believed;",
           title, (unsigned long long)s->histories, (unsigned long long)s->consistent, (unsigned long long)s->declined,
           (unsigned long long)s->rechecked, (unsigned long long)s->searched, (unsigned long long)s->forged,
           (unsigned long long)s->believed);
    if (s->around[0] + s->around[1])
        printf(" around: %llu violations, %llu consistent;", (unsigned long long)s->around[0],
               (unsigned long long)s->around[1]);
    for (size_t i = 0; engine_table[i]; i++)
        if (s->by_engine[i])
            printf(" %s %llu", engine_table[i]->name, (unsigned long long)s->by_engine[i]);
    printf("\n");
    fflush(stdout);
}

/* ---- all small histories ---- */

static void judge_small(const struct play *p, void *arg)
{
    judge(p, arg);
}

/* Of the histories of n operations one in so many is judged. */
static uint32_t one_in(uint32_t n, bool further)
{
    if (n < 3)
        return 1;
    if (n == 3)
        return further ? by_tier(tier, 61, 7, 1) : by_tier(tier, 3, 1, 1);
    return by_tier(tier, 61, 19, further ? 7 : 1);
}

static void all_small(const struct alphabet *a, bool further)
{
    struct seen seen = {0};
    struct judging j = {.model = "lin", .recheck = true, .seen = &seen};
    uint32_t most = a->most[tier == TIER_LONG];
    for (uint32_t n = 1; n <= most; n++)
        small_all(a, n, false, one_in(n, further), judge_small, &j);
    char title[80];
    snprintf(title, sizeof title, "%s, %s up to %u operations", a->object, tier == TIER_LONG ? "all" : "of",
             (unsigned)most);
    report(title, &seen);
}

/* Some with skewed clocks, some with knowledge in place of times. */
static void change_times(struct play *p, struct judging *j, struct rng *rng)
{
    switch (rng_below(rng, 8)) {
    case 0: j->skew = 1 + (int64_t)rng_below(rng, 3); break;
    case 1: p->times = PLAY_AFTER; break;
    case 2: play_draw_knowledge(p, rng); break;
    default: break;
    }
}

/* ---- all small ones with equal times ---- */

struct tied {
    struct judging j;
    uint32_t every;
    uint64_t count;
};

static void judge_tied(const struct play *p, void *arg)
{
    struct tied *t = arg;
    struct rng rng = {hash_mix(t->count)};
    if (t->count++ % t->every != 0)
        return;
    struct play now = *p;
    struct judging j = t->j;
    change_times(&now, &j, &rng);
    judge(&now, &j);
}

static void all_tied(const struct alphabet *a)
{
    struct seen seen = {0};
    struct tied t = {.j = {.model = "lin", .recheck = true, .seen = &seen}, .every = by_tier(tier, 307, 61, 1)};
    uint32_t most = a->most[tier == TIER_LONG];
    for (uint32_t n = 2; n <= most; n++)
        small_tied(a, n, 2, judge_tied, &t);
    char title[80];
    snprintf(title, sizeof title, "%s%s%s, %s up to %u operations with equal times", a->object, a->other ? " and " : "",
             a->other ? a->other : "", tier == TIER_LONG ? "all" : "of", (unsigned)most);
    report(title, &seen);
}

/* ---- random ones ---- */

/* Many calls of another object lie between the play's, so that their times are far apart. */
static void put_into_crowd(struct play *p)
{
    p->other[0] = "counter";
    p->other_n = 1;
    p->init = NULL;
    for (uint32_t i = 0; i < p->n; i++) {
        struct play_op *o = &p->op[i];
        p->crowd = p->crowd < 2 * (uint32_t)o->ret ? 2 * (uint32_t)o->ret : p->crowd;
        o->call *= 1000;
        o->ret *= 1000;
    }
}

/* Collections, by the lives of their values. The engine that is made for one may decline few of its plays. */
static void random_lives(const struct lives_kind *k, uint64_t seed, uint32_t count)
{
    struct seen seen = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(k->object, strlen(k->object)), i))};
        struct play p = play_lives(k, i, &rng);
        struct judging j = {.model = "lin", .recheck = true, .seen = &seen};
        j.taken = p.n && !lives_may_decline(k, &p) ? k->engine : NULL;
        judge(&p, &j);
        j.taken = NULL;
        if (rng_below(&rng, 100) == 0) {
            put_into_crowd(&p);
            judge(&p, &j);
        }
    }
    char title[80];
    snprintf(title, sizeof title, "%s, lives of values", k->object);
    report(title, &seen);
}

static struct cast some_cast(const assay_spec *s, struct rng *rng)
{
    static const uint32_t ties[] = {0, 0, 40, 85};
    static const char *const whole_sets[] = {"add", "elements", NULL};
    bool whole = strcmp(s->name, "set") == 0 && rng_below(rng, 2);
    return (struct cast){.object = some_object(s, rng),
                         .init = some_init(s, rng),
                         .spec = s,
                         .least = 3,
                         .most = rng_below(rng, 3) ? 7 : 12,
                         .threads = 4,
                         .methods = whole ? whole_sets : NULL,
                         .lists = whole || rng_below(rng, 2),
                         .values = 1 + rng_below(rng, 3),
                         .distinct = rng_below(rng, 4) != 0,
                         .pending = rng_below(rng, 3) ? 0 : 60,
                         .lies = rng_below(rng, 4),
                         .ties = ties[rng_below(rng, 4)],
                         .words = rng_below(rng, 4) == 0,
                         .apart = rng_below(rng, 3) == 0};
}

static void random_one(const assay_spec *s, struct rng *rng, struct seen *seen)
{
    struct cast c = some_cast(s, rng);
    struct play p = play_random(&c, rng);
    struct judging j = {.model = "lin", .recheck = true, .seen = seen};
    change_times(&p, &j, rng);
    judge(&p, &j);
    if (s->create && s != &spec_memory && rng_below(rng, 4) == 0) {
        j.model = "sc-object";
        j.skew = 0;
        judge(&p, &j);
    }
}

static void random_plays(const assay_spec *s, uint64_t seed, uint32_t count)
{
    struct seen seen = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(s->name, strlen(s->name)), i))};
        random_one(s, &rng, &seen);
    }
    char title[80];
    snprintf(title, sizeof title, "%s, random", s->name);
    report(title, &seen);
}

/* An engine of its own spells the strings of an append-map, so there are more of its plays: with few keys, and with
 * letters that come once, on which it can decide. */
static void random_strings(uint64_t seed, uint32_t count)
{
    struct seen seen = {0};
    const assay_spec *spec = spec_named("append-map");
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(78, i))};
        struct cast c = some_cast(spec, &rng);
        c.distinct |= rng_below(&rng, 4) != 0;
        c.values = 1 + rng_below(&rng, 8) / 7;
        c.lies = rng_below(&rng, 8);
        struct play p = play_random(&c, &rng);
        struct judging j = {.model = "lin", .recheck = true, .seen = &seen};
        change_times(&p, &j, &rng);
        judge(&p, &j);
    }
    report("append-map, strings", &seen);
}

/* Two or three objects; or more of them than operations, so that few are called twice. */
static void random_several(uint64_t seed, uint32_t count, bool many)
{
    struct seen seen = {0};
    uint32_t specs = (uint32_t)registry_size(spec_table);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed + many, hash_join(77, i))};
        struct cast c = some_cast(spec_table[rng_below(&rng, specs)], &rng);
        c.init = NULL;
        c.methods = NULL;
        c.other_n = many ? 16 + rng_below(&rng, PLAY_OBJECTS - 16) : 1 + rng_below(&rng, 2);
        if (many)
            c.threads = 2, c.least = 16, c.most = 20;
        for (uint32_t o = 0; o < c.other_n; o++) {
            const assay_spec *s = rng_below(&rng, 2) ? c.spec : spec_table[rng_below(&rng, specs)];
            c.other[o] = (struct play_object){some_object(s, &rng), s};
        }
        struct play p = play_random(&c, &rng);
        struct judging j = {.model = "lin", .recheck = true, .seen = &seen};
        change_times(&p, &j, &rng);
        judge(&p, &j);
    }
    report(many ? "more than 16 objects, random" : "several objects, random", &seen);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    tier = r.tier;
    for (const struct alphabet *a = alphabets; a->object; a++)
        if (!r.only || strncmp(r.only, a->object, strlen(r.only)) == 0)
            all_small(a, false);
    for (const struct alphabet *a = further_alphabets; a->object; a++)
        if (!r.only || strncmp(r.only, a->object, strlen(r.only)) == 0)
            all_small(a, true);
    for (size_t i = 0; i < LIVES_KINDS; i++)
        if (request_wants(&r, lives_kinds[i].object))
            random_lives(&lives_kinds[i], r.seed, request_count(&r, 3000, 9000, 500000));
    for (size_t i = 0; spec_table[i]; i++)
        if (request_wants(&r, spec_table[i]->name))
            random_plays(spec_table[i], r.seed, request_count(&r, 250, 1000, 30000));
    if (request_wants(&r, "append-map"))
        random_strings(r.seed, request_count(&r, 3000, 8000, 1000000));
    for (const struct alphabet *a = tied_alphabets; a->object; a++)
        if (request_wants(&r, "several"))
            all_tied(a);
    if (request_wants(&r, "several")) {
        random_several(r.seed, request_count(&r, 2000, 6000, 300000), false);
        random_several(r.seed, request_count(&r, 150, 400, 20000), true);
    }
    return 0;
}
