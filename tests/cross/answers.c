/* SPDX-License-Identifier: Apache-2.0 */
/* One question, one answer: a model checked alone, and in a grading of all.
 *
 *   answers [--quick|--long] [--seed N] [--count N] [--only OBJECT]
 *
 * Of each object, every model that is graded must have the same verdict both ways, or neither way one. Models that are
 * not graded are checked as well, such as other names of levels, and the models of calls of transactions. A verdict that
 * follows from that of another model must be given, and be the same. What is proved must be accepted by recheck,
 * verdicts inferred from other models among them. Objects without sequential states, tags,
 * and memories with program order between threads that are too large for brute force leave models without an engine. */
#include "base/hash.h"
#include "check/check.h"
#include "model/model.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/evidence_line.h"
#include "support/generate.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t histories, answers, consistent, violations, without, inferred, rechecked;
    uint64_t inferred_violations;
};

enum { MOST_MODELS = 64 };

/* Of one model, checked alone. */
struct answer {
    const struct model *model;
    bool given;
    assay_verdict verdict;
    char said[250];
};

struct judging {
    struct seen *seen; /* NULL: while shrinking */
    assay_options options;
    bool listed; /* only what is graded: the history is too large for searches of weak models */
    char why[700];
};

static bool complain(struct judging *j, const char *model, const char *what, const char *more)
{
    snprintf(j->why, sizeof j->why, "%s, skew %lld: %s %s", model, (long long)j->options.skew, what, more);
    return false;
}

static bool accepted(struct judging *j, const assay_history *h, const char *model, const assay_result *r)
{
    char *line = assay_result_proved(r) ? evidence_line(r) : NULL;
    assay_error e = {0};
    bool fine = !line || assay_recheck(h, line, NULL, &e);
    if (j->seen && line)
        j->seen->rechecked++;
    free(line);
    return fine || complain(j, model, "recheck:", e.message);
}

static void count(struct seen *seen, const assay_result *r)
{
    bool violated = r && assay_result_verdict(r) == ASSAY_VIOLATION, inferred = r && assay_result_inferred(r);
    seen->answers++;
    seen->without += !r;
    seen->violations += violated;
    seen->consistent += r && !violated;
    seen->inferred += inferred;
    seen->inferred_violations += inferred && violated;
}

static bool ask(struct judging *j, const assay_history *h, const struct model *model, struct answer *a)
{
    assay_options options = j->options;
    options.evidence = true;
    assay_error e = {0};
    assay_result *r = assay_check(h, model->name, &options, &e);
    *a = (struct answer){.model = model, .given = r, .verdict = assay_result_verdict(r)};
    snprintf(a->said, sizeof a->said, "%.249s", r ? assay_verdict_name(a->verdict) : e.message);
    bool fine = !r || accepted(j, h, model->name, r);
    if (j->seen)
        count(j->seen, r);
    assay_result_free(r);
    return fine;
}

static bool differs(struct judging *j, const char *model, const char *how, const char *a, const char *b)
{
    char both[600];
    snprintf(both, sizeof both, "%.290s; %.290s", a, b);
    return complain(j, model, how, both);
}

static bool graded_alike(struct judging *j, const assay_grading *g, size_t i, const struct answer *alone)
{
    const assay_result *graded = assay_grading_result(g, i);
    bool fine = alone->given == (graded != NULL) && (!graded || alone->verdict == assay_result_verdict(graded));
    return fine ||
           differs(j, alone->model->name, "alone and graded differ:", alone->said,
                   graded ? assay_verdict_name(assay_result_verdict(graded)) : assay_grading_error(g, i)->message);
}

static bool applies(const struct judging *j, const assay_history *h, const struct model *m)
{
    struct checker c;
    assay_error ignored = {0};
    bool fine = checker_open(&c, h, &j->options, &ignored) && checker_applies(&c, m, &ignored);
    checker_close(&c);
    return fine;
}

/* What follows from the verdict on one model must be the verdict on the other one, if that applies. */
static bool follows(struct judging *j, const assay_history *h, const struct answer *known, const struct answer *other)
{
    char how[100];
    if (!known->given || !model_infers(known->model, known->verdict, other->model))
        return true;
    bool fine = other->given ? other->verdict == known->verdict : !applies(j, h, other->model);
    snprintf(how, sizeof how, "it follows from %s:", known->model->name);
    return fine || differs(j, other->model->name, how, other->said, known->said);
}

static bool coherent(struct judging *j, const assay_history *h, const struct answer *answers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (!follows(j, h, &answers[i], &answers[k]))
                return false;
    return true;
}

/* Its place in the grading, or behind the last one. */
static size_t place(const assay_grading *g, const struct model *m)
{
    size_t i = 0;
    while (i < assay_grading_size(g) && strcmp(assay_grading_model(g, i), m->name) != 0)
        i++;
    return i;
}

/* Is everything about the history as it should be? */
static bool same_both_ways(struct judging *j, const assay_history *h)
{
    struct answer answers[MOST_MODELS];
    size_t n = 0;
    assay_error e = {0};
    assay_grading *g = assay_grade(h, &j->options, &e);
    bool fine = g || complain(j, "grade", "error:", e.message);
    for (size_t m = 0; fine && model_table[m]; m++) {
        size_t i = place(g, model_table[m]);
        bool graded = i < assay_grading_size(g);
        if (j->listed && !graded)
            continue;
        fine = ask(j, h, model_table[m], &answers[n]) && (!graded || graded_alike(j, g, i, &answers[n]));
        n++;
    }
    fine = fine && coherent(j, h, answers, n);
    if (j->seen)
        j->seen->histories++;
    assay_grading_free(g);
    return fine;
}

static bool broken_play(const struct play *p, void *arg)
{
    assay_history *h = play_build(p);
    bool broken = !same_both_ways(arg, h);
    assay_history_free(h);
    return broken;
}

static void try_play(const assay_spec *s, struct rng *rng, struct judging *j)
{
    struct cast c = {.object = some_object(s, rng),
                     .init = some_init(s, rng),
                     .spec = s,
                     .least = 2,
                     .most = 7,
                     .threads = 2 + rng_below(rng, 3),
                     .values = 1 + rng_below(rng, 4),
                     .distinct = rng_below(rng, 2),
                     .silent = rng_below(rng, 3) ? 0 : 50,
                     .pending = rng_below(rng, 3) ? 0 : 60,
                     .lies = rng_below(rng, 4) / 2,
                     .ties = rng_below(rng, 3) ? 0 : 40};
    if (rng_below(rng, 6) == 0) {
        c.init = NULL;
        c.other_n = 1;
        c.other[0] = (struct play_object){c.object, s};
    }
    struct play p = play_random(&c, rng);
    switch (rng_below(rng, 8)) {
    case 0: p.times = PLAY_AFTER; break;
    case 1: p.times = PLAY_NONE; break;
    case 2: j->options.skew = 1 + (int64_t)rng_below(rng, 3); break;
    default: break;
    }
    if (!broken_play(&p, j))
        return;
    j->seen = NULL;
    play_expose(&p, broken_play, j, j->why);
}

static bool broken_sketch(const struct sketch *s, void *arg)
{
    assay_history *h = sketch_build(s);
    bool broken = !same_both_ways(arg, h);
    assay_history_free(h);
    return broken;
}

/* Memories of some size, with program order between threads. Two threads, since lin is searched for. */
static void try_sketch(struct rng *rng, struct judging *j)
{
    struct recipe recipe = recipe_any(rng, 40, 60);
    recipe.memory = rng_below(rng, 2) ? MEMORY_ONE : recipe.memory;
    recipe.threads = 2;
    j->listed = true;
    struct sketch s = generate(&recipe, rng);
    if (rng_below(rng, 4))
        sketch_join_some(&s, rng);
    if (broken_sketch(&s, j)) {
        j->seen = NULL;
        sketch_shrink(&s, broken_sketch, j);
        printf("%s\n", j->why);
        sketch_print(&s, stdout);
        exit(1);
    }
    sketch_free(&s);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 60, 250, 6000);
    uint64_t inferred = 0, inferred_violations = 0;
    for (size_t o = 0; spec_table[o]; o++) {
        struct seen seen = {0};
        if (!request_wants(&r, spec_table[o]->name))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            struct rng rng = {hash_join(r.seed, hash_join(o, i))};
            struct judging j = {.seen = &seen, .options = {ASSAY_OPTIONS_INIT}};
            if (spec_table[o] == &spec_memory && i % 2)
                try_sketch(&rng, &j);
            else
                try_play(spec_table[o], &rng, &j);
        }
        printf("%s: %llu histories, %llu answers: %llu consistent, %llu violations, %llu none; %llu inferred; %llu "
               "rechecked\n",
               spec_table[o]->name, (unsigned long long)seen.histories, (unsigned long long)seen.answers,
               (unsigned long long)seen.consistent, (unsigned long long)seen.violations,
               (unsigned long long)seen.without, (unsigned long long)seen.inferred, (unsigned long long)seen.rechecked);
        fflush(stdout);
        inferred += seen.inferred;
        inferred_violations += seen.inferred_violations;
    }
    printf("inferred: %llu, violations among them: %llu\n", (unsigned long long)inferred,
           (unsigned long long)inferred_violations);
    return !r.only && (!inferred || !inferred_violations);
}
