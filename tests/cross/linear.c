/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: every engine that takes a history agrees with the definition of linearizability (and, without real time, of
 * sequential consistency), and recheck accepts every verdict.
 *
 *   linear [--long] [--seed N] [--count N] [--only OBJECT]
 *
 * All histories of a few operations are enumerated for the objects with engines of their own, intervals and results
 * included; all objects of the table then play random ones, with lies, pending operations, ties, skewed clocks and
 * recorded knowledge in place of times. */
#include "engine/engine.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/mutants.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENGINES = 64, FORGED_OF = 8192, STEPWISE_OF = 256 }; /* of one history in so many the evidence is changed; such engines see it */

struct seen {
    uint64_t histories, consistent, rechecked, searched;
    uint64_t forged, believed; /* changed lines, and those that prove what they say all the same */
    uint64_t by_engine[MOST_ENGINES];
};

struct judging {
    const assay_spec *spec;
    const char *model;
    int64_t skew;
    bool recheck;
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
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    assay_error e = {0};
    bool searched = false;
    bool fine = assay_result_write_evidence(r, 0, out);
    fclose(out);
    fine = fine && assay_recheck_with(h, line, NULL, NULL, &searched, &e);
    if (!fine)
        complain(j, engine, "recheck refuses:", e.message);
    else if (j->seen) {
        j->seen->rechecked++;
        j->seen->searched += searched;
    }
    if (fine && j->seen && j->seen->histories % FORGED_OF == 1 && !j->skew && strlen(line) < MUTANTS_LONGEST / 4) {
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
    return engine && (strcmp(engine, "symbolic") == 0 || strcmp(engine, "enumerate") == 0 || strcmp(engine, "saturate") == 0);
}

/* Does the engine (NULL: the default) say what the definition says? */
static bool agrees(struct judging *j, const assay_history *h, const char *engine, bool expected, bool *took)
{
    assay_options options = {.engine = engine, .skew = j->skew, .evidence = true};
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

static bool holds(const struct play *p, struct judging *j)
{
    assay_history *h = play_build(p);
    unsigned condition = strcmp(j->model, "lin") == 0 ? COND_LIN : COND_SC_OBJECT;
    bool expected = play_satisfies(h, p, j->spec, condition == COND_LIN, j->skew), fine = true, took;
    if (j->seen) {
        j->seen->histories++;
        j->seen->consistent += expected;
    }
    for (size_t i = 0; engine_table[i] && fine; i++) {
        if (!(engine_table[i]->conditions & condition) ||
            (is_stepwise(engine_table[i]->name) && (!j->seen || j->seen->histories % STEPWISE_OF != 0)))
            continue;
        fine = agrees(j, h, engine_table[i]->name, expected, &took);
        if (j->seen)
            j->seen->by_engine[i] += took;
    }
    fine = fine && agrees(j, h, NULL, expected, &took) && (took || complain(j, NULL, "declines", ""));
    assay_history_free(h);
    return fine;
}

static bool broken(const struct play *p, void *arg)
{
    return !holds(p, arg);
}

static void judge(const struct play *p, struct judging *j)
{
    if (holds(p, j))
        return;
    j->seen = NULL;
    play_expose(p, broken, j, j->why);
}

static void report(const char *title, const struct seen *s)
{
    printf("%s: %llu histories, %llu consistent; %llu verdicts rechecked, %llu of them by search; %llu forged, %llu "
           "believed;", title, (unsigned long long)s->histories, (unsigned long long)s->consistent,
           (unsigned long long)s->rechecked, (unsigned long long)s->searched, (unsigned long long)s->forged,
           (unsigned long long)s->believed);
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

static void all_small(const struct alphabet *a, bool all)
{
    struct seen seen = {0};
    struct judging j = {.spec = spec_named(a->object), .model = "lin", .recheck = true, .seen = &seen};
    for (uint32_t n = 1; j.spec && n <= a->most[all]; n++)
        small_all(a, n, false, judge_small, &j);
    char title[80];
    snprintf(title, sizeof title, "%s, all up to %u operations", a->object, (unsigned)a->most[all]);
    report(title, &seen);
}

/* ---- random ones ---- */

static void random_one(const assay_spec *s, struct rng *rng, struct seen *seen)
{
    uint32_t ties = rng_below(rng, 4) == 0 ? 40 : 0;
    struct cast c = {.object = some_object(s, rng), .init = some_init(s, rng), .spec = s, .least = 3,
                     .most = rng_below(rng, 3) ? 7 : 12, .threads = 4, .values = 1 + rng_below(rng, 3),
                     .distinct = rng_below(rng, 4) != 0, .pending = rng_below(rng, 3) ? 0 : 60,
                     .lies = rng_below(rng, 3), .ties = ties};
    struct play p = play_random(&c, rng);
    struct judging j = {.spec = s, .model = "lin", .recheck = true, .seen = seen};
    if (rng_below(rng, 8) == 0)
        j.skew = 1 + (int64_t)rng_below(rng, 3);
    else if (rng_below(rng, 8) == 0)
        p.times = PLAY_AFTER;
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

int main(int argc, char **argv)
{
    bool all = false;
    uint64_t seed = 1;
    uint32_t count = 0;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--long") == 0)
            all = true;
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
    }
    for (const struct alphabet *a = alphabets; a->object; a++)
        if (!only || strncmp(only, a->object, strlen(only)) == 0)
            all_small(a, all);
    for (size_t i = 0; spec_table[i]; i++)
        if (!only || strcmp(only, spec_table[i]->name) == 0)
            random_plays(spec_table[i], seed, count ? count : all ? 30000 : 4000);
    return 0;
}
