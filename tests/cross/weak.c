/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency: the two strategies with minimal and with all visibility sets agree with each other and with the
 * definition, for the named models, for random axioms and for levels by method; complete visibility is linearizability
 * (without times, sequential consistency); the ladder is one.
 *
 *   weak [--quick|--long] [--seed N] [--only OBJECT] */
#include "engine/engine.h"
#include "spec/spec.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"
#include "support/visible.h"
#include "support/wishes.h"

#include <stdlib.h>
#include <string.h>

static const char *const engines[] = {"weak-jit:minimal", "weak-wg:minimal", "weak-jit:suspects",
                                      "weak-wg:suspects", "weak-jit:naive",  "weak-wg:naive"};
enum { ENGINES = sizeof engines / sizeof *engines };

struct seen {
    uint64_t histories, by_definition, verdicts, consistent, rechecked;
};

struct judging {
    const assay_spec *spec;
    struct wishes wishes;
    bool by_definition;
    uint32_t every; /* beside the first engine, one in so many pairs of engine and demand is asked */
    uint64_t salt;
    bool large;        /* recheck may find its search for a solution too long */
    struct seen *seen; /* NULL: while shrinking */
    char why[600];
};

static bool complain(struct judging *j, const struct wish *d, const char *engine, const char *what)
{
    snprintf(j->why, sizeof j->why, "%s%s%s with %s: %s", d->model, *d->levels ? ", " : "", d->levels, engine, what);
    return false;
}

/* ---- one history ---- */

static bool accepted(struct judging *j, const assay_history *h, const assay_result *r, const struct wish *d,
                     const char *engine)
{
    char *line = evidence_line(r);
    assay_error e = {0};
    bool fine = line && assay_recheck(h, line, NULL, &e);
    bool too_long = j->large && e.code == ASSAY_ERROR_LIMIT;
    if (too_long) {
        fine = true;
    } else if (!fine) {
        char what[400];
        snprintf(what, sizeof what, "recheck refuses: %s", e.message);
        complain(j, d, engine, what);
    } else if (j->seen) {
        j->seen->rechecked++;
    }
    free(line);
    return fine;
}

/* Does the engine say so (if it is known), and does recheck accept it? What it says goes to *expected. */
static bool ask(struct judging *j, const assay_history *h, const struct wish *d, const char *engine, bool known,
                bool *expected)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true,
                             .visibility = *d->levels ? d->levels : NULL};
    assay_error e = {0};
    assay_result *r = assay_check(h, d->model, &options, &e);
    if (!r)
        return complain(j, d, engine, e.message);
    assay_verdict verdict = assay_result_verdict(r);
    bool says = verdict == ASSAY_CONSISTENT;
    bool fine = verdict != ASSAY_UNDECIDED && (!known || says == *expected);
    if (!fine)
        complain(j, d, engine, assay_verdict_name(verdict));
    fine = fine && accepted(j, h, r, d, engine);
    *expected = says;
    if (j->seen) {
        j->seen->verdicts++;
        j->seen->consistent += says;
    }
    assay_result_free(r);
    return fine;
}

static uint32_t demand_of(const struct judging *j, const char *model)
{
    uint32_t d = 0;
    while (strcmp(j->wishes.at[d].model, model) != 0)
        d++;
    return d;
}

/* What the models say of each other, and complete visibility of lin and sc-object. */
static bool in_order(struct judging *j, const assay_history *h, const struct play *p, uint64_t satisfied)
{
    uint32_t complete = demand_of(j, "level:complete");
    bool serial = play_satisfies(h, p, false, 0);
    bool atomic = p->times == PLAY_NONE ? serial : play_satisfies(h, p, true, 0);
    if ((satisfied >> complete & 1) != atomic)
        return complain(j, &j->wishes.at[complete], engines[0], "it is not linearizability");
    for (uint32_t a = 0; a < j->wishes.n; a++)
        for (uint32_t b = 0; b < j->wishes.n; b++) {
            const struct model *strong = j->wishes.at[a].named, *weak = j->wishes.at[b].named;
            if (strong && weak && (satisfied >> a & 1) && !(satisfied >> b & 1) && model_implies(strong, weak))
                return complain(j, &j->wishes.at[a], engines[0], "it does not imply what the ladder says");
        }
    for (uint32_t a = 0; a < j->wishes.n; a++) {
        const struct model *m = j->wishes.at[a].named;
        bool yes = satisfied >> a & 1;
        if (m && ((yes && !serial && model_implies(m, model_find("sc-object"))) ||
                  (!yes && atomic && model_implies(model_find("lin"), m))))
            return complain(j, &j->wishes.at[a], engines[0], "lin and sc-object are elsewhere in the ladder");
    }
    return true;
}

static bool holds(const struct play *p, struct judging *j)
{
    assay_history *h = play_build(p);
    bool fine = true;
    uint64_t satisfied = 0;
    if (j->by_definition)
        satisfied = visible_satisfies(h, p, j->spec, j->wishes.visibility, j->wishes.n);
    if (j->seen) {
        j->seen->histories++;
        j->seen->by_definition += j->by_definition;
    }
    for (uint32_t d = 0; d < j->wishes.n && fine; d++) {
        bool yes = satisfied >> d & 1;
        for (uint32_t g = 0; g < ENGINES && fine; g++)
            if (g == 0 || hash_join(j->salt, d * ENGINES + g) % j->every == 0)
                fine = ask(j, h, &j->wishes.at[d], engines[g], g > 0 || j->by_definition, &yes);
        satisfied |= (uint64_t)yes << d;
    }
    fine = fine && in_order(j, h, p, satisfied);
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

static void report(const char *object, const char *what, const struct seen *s)
{
    printf("%s, %s: %llu histories, %llu by definition; %llu verdicts, %llu consistent, %llu rechecked\n", object, what,
           (unsigned long long)s->histories, (unsigned long long)s->by_definition, (unsigned long long)s->verdicts,
           (unsigned long long)s->consistent, (unsigned long long)s->rechecked);
    fflush(stdout);
}

/* ---- all small ones ---- */

struct sweep {
    struct judging j;
    struct rng rng;
};

static void judge_small(const struct play *p, void *arg)
{
    struct sweep *s = arg;
    struct play now = *p;
    wishes_take(&s->j.wishes, p, &s->rng);
    s->j.salt = rng_next(&s->rng);
    judge(&now, &s->j);
    if (rng_below(&s->rng, 4) == 0) {
        now.times = PLAY_NONE;
        judge(&now, &s->j);
    }
}

static void all_small(const struct alphabet *a, enum tier tier, uint64_t seed)
{
    struct seen seen = {0};
    struct sweep s = {
        .j = {.spec = spec_named(a->object), .by_definition = true, .every = by_tier(tier, 16, 16, 1), .seen = &seen},
        .rng = {hash_join(seed, a->object[0])}};
    for (uint32_t n = 1; n <= a->most[tier == TIER_LONG]; n++)
        small_all(a, n, true, n < 3 ? 1 : by_tier(tier, 13, 9, 1), judge_small, &s);
    report(a->object, tier == TIER_LONG ? "all up to 3 operations" : "of up to 3 operations", &seen);
}

/* ---- random ones ---- */

static void random_ones(const char *object, uint32_t least, uint32_t most, uint32_t count, bool by_definition,
                        uint32_t every, uint64_t seed)
{
    struct seen seen = {0};
    const assay_spec *spec = spec_named(object);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(object, strlen(object)), hash_join(most, i)))};
        struct cast c = {.object = object,
                         .spec = spec,
                         .least = least,
                         .most = most,
                         .threads = 4,
                         .values = 1 + rng_below(&rng, 3),
                         .distinct = rng_below(&rng, 2),
                         .lists = rng_below(&rng, 2),
                         .pending = rng_below(&rng, 3) ? 0 : 60,
                         .lies = rng_below(&rng, 4),
                         .ties = rng_below(&rng, 4) ? 0 : 40};
        struct play p = play_random(&c, &rng);
        uint32_t times = rng_below(&rng, 6);
        p.times = times == 0 ? PLAY_NONE : times == 1 ? PLAY_AFTER : PLAY_INTERVALS;
        struct judging j = {.spec = spec, .by_definition = by_definition, .every = every, .seen = &seen};
        wishes_take(&j.wishes, &p, &rng);
        j.salt = rng_next(&rng);
        judge(&p, &j);
    }
    char what[40];
    snprintf(what, sizeof what, "random, %u to %u operations", (unsigned)least, (unsigned)most);
    report(object, what, &seen);
}

/* ---- the paper's examples ---- */

static void says(const char *text, const char *model, bool expected)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    for (uint32_t g = 0; h && g < ENGINES; g++) {
        assay_options options = {ASSAY_OPTIONS_INIT, .engine = engines[g]};
        assay_result *r = assay_check(h, model, &options, &e);
        if (r && (assay_result_verdict(r) == ASSAY_CONSISTENT) == expected) {
            assay_result_free(r);
            continue;
        }
        printf("%s with %s: %s\n%s", model, engines[g], r ? "the verdict is wrong" : e.message, text);
        exit(1);
    }
    if (!h) {
        printf("%s\n", e.message);
        exit(1);
    }
    assay_history_free(h);
}

/* Examples 1 to 6 of CAV'18 as far as the text goes: six invocations of a map by three threads; one contains(0) sees
 * put(1, 0), get(1) and put(1, 1), the other put(1, 0), get(1) and put(0, 0), which need not see what the others do. */
static void examples(void)
{
    static const char figure[] = "# @object map\n"
                                 "t1: put(1, 0) => null\n"
                                 "t1: get(1) => 0\n"
                                 "t2: put(1, 1) => 0\n"
                                 "t2: contains(0) => false\n"
                                 "t3: put(0, 0) => null\n"
                                 "t3: contains(0) => true\n";
    says(figure, "causal-convergence", true);
    says(figure, "level:causal", true);
    says(figure, "weak: vis >= po & vis >= vis;vis", true);
    /* One value, one order: with the result of put(1, 1), contains(0) => false comes before put(0, 0). */
    says(figure, "level:complete", true);
    static const char timed[] = "# @object map\n"
                                "t1: put(1, 0) => null @ 0..1\n"
                                "t3: put(0, 0) => null @ 2..3\n"
                                "t1: get(1) => 0 @ 4..5\n"
                                "t2: put(1, 1) => 0 @ 6..7\n"
                                "t2: contains(0) => false @ 8..9\n"
                                "t3: contains(0) => true @ 10..11\n";
    says(timed, "causal-convergence", true);
    says(timed, "weak-hb", false);
    says(timed, "level:complete", false);
    says("# @object map\nt1: put(1, 0) => null\nt1: get(1) => 0\n", "causal-convergence", true);
    says("# @object map\nt1: put(1, 0) => null\nt1: get(1) => null\n", "causal-convergence", false);
    says("# @object map\nt1: put(1, 0) => null\nt1: get(1) => null\n", "return-value", true);
}

/* ---- long ones, around the widths of sets ---- */

/* Threads t0 and t1 put; t2 gets at the end the value that was put `ago` puts before. With `overlap` the last two puts return
 * after the get was called. */
static void print_long(FILE *out, uint32_t n, uint32_t ago, bool overlap)
{
    fprintf(out, "# @object map\n");
    for (uint32_t i = 0; i + 1 < n; i++)
        fprintf(out, "t%u: put(k, %u) @ %u..%u\n", i % 2, i, 2 * i, overlap && i + 4 > n ? 4 * n : 2 * i + 1);
    fprintf(out, "t2: get(k) => %u @ %u..%u\n", n - 2 - ago, 2 * n, 2 * n + 1);
}

static bool answers(struct judging *j, const char *text, const char *model, const char *engine, bool expected)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    struct wish d = {0};
    bool says = expected;
    snprintf(d.model, sizeof d.model, "%s", model);
    bool fine = h ? ask(j, h, &d, engine, true, &says) : complain(j, &d, engine, e.message);
    assay_history_free(h);
    return fine;
}

/* The last put is seen under weak-hb, an earlier one only where it need not be: without happens-before, or if the later ones
 * overlap the get. */
static void around_widths(enum tier tier, struct seen *seen)
{
    static const uint32_t sizes[] = {63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 1500};
    struct judging j = {.large = true, .seen = seen};
    for (uint32_t i = 0; i < by_tier(tier, 6, 10, 10); i++)
        for (uint32_t ago = 0; ago < 3; ago++)
            for (int overlap = 0; overlap < 2; overlap++)
                for (int g = 0; g < 2; g++) {
                    char *text = NULL;
                    size_t size;
                    FILE *out = open_memstream(&text, &size);
                    print_long(out, sizes[i], ago, overlap);
                    fclose(out);
                    bool seen_by_hb = overlap ? ago <= 2 : ago == 0;
                    if (!answers(&j, text, "weak-hb", engines[g], seen_by_hb) ||
                        !answers(&j, text, "level:complete", engines[g], seen_by_hb) ||
                        !answers(&j, text, "level:causal", engines[g], true)) {
                        printf("%u operations, the value of %u puts ago%s: %s\n", (unsigned)sizes[i], (unsigned)ago,
                               overlap ? ", overlapping" : "", j.why);
                        exit(1);
                    }
                    seen->histories++;
                    free(text);
                }
    report("map", "long ones", seen);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    bool all = r.tier == TIER_LONG;
    examples();
    if (!r.only)
        around_widths(r.tier, &(struct seen){0});
    for (size_t i = 0; i < VISIBLE_ALPHABETS; i++) {
        const char *object = visible_alphabets[i].object;
        if (!request_wants(&r, object))
            continue;
        all_small(&visible_alphabets[i], r.tier, r.seed);
        random_ones(object, 4, 4, by_tier(r.tier, 60, 200, 20000), true, all ? 1 : 8, r.seed);
        random_ones(object, 5, 5, by_tier(r.tier, 12, 40, 1000), true, all ? 1 : 8, r.seed);
        random_ones(object, 3, 7, by_tier(r.tier, 60, 200, 100000), false, all ? 4 : 8, r.seed);
    }
    static const char *const others[] = {"memory",   "append-map", "cas-register", "multi-register",
                                         "multiset", "stack",      "pqueue",       "deque",
                                         "counter",  "lock",       "semaphore(1)", "bank(2,1)"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (request_wants(&r, others[i])) {
            uint32_t more = strcmp(others[i], "multi-register") == 0 ? 6 : 1; /* results stand among the arguments */
            random_ones(others[i], 3, 5, more * by_tier(r.tier, 15, 50, 5000), true, all ? 2 : 8, r.seed);
        }
    return 0;
}
