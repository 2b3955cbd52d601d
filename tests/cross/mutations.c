/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck under mutation: the evidence that engines give for random histories is corrupted in every
 * way that support/mutants.h knows. A mutant must be unreadable, refused, or still a proof: brute force
 * must give the same verdict of the same model. For the causal models there is more: recheck accepts
 * exactly those lines that a judge by plain definitions accepts. */
#include "base/registry.h"
#include "support/gadgets.h"
#include "support/generate.h"
#include "support/judge.h"
#include "support/mutants.h"
#include "support/tier.h"
#include "support/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines are told apart by model and pattern, the witness being pattern 0; of each kind so many are
 * mutated. */
enum { MOST_MODELS = 32, KINDS = MOST_MODELS * PATTERN_COUNT };

struct count {
    unsigned lines, unreadable, refused;
    unsigned same;  /* accepted: the same claim in other words */
    unsigned valid; /* accepted: another claim, which is right */
};

struct trial {
    const struct world *w;
    const char *original;
    unsigned satisfied; /* by brute force */
    struct count *count;
};

static void fail(const struct trial *t, const char *mutant, const struct attempt *a, const char *what)
{
    printf("%s: %s\noriginal: %smutant:   %s", what, a->error.message, t->original, mutant);
    assay_error e = {0};
    assay_history_write(t->w->h, "hist", 0, stdout, &e);
    exit(1);
}

/* Models of objects apply where `after` is recorded, and are not asked here. */
static bool brute_says(const struct trial *t, const struct evidence_line *l)
{
    return (t->w->h->after_at && !(l->model->needs & NEED_MEMORY)) ||
           (l->verdict == ASSAY_CONSISTENT) == ((t->satisfied & models_named(l->model->name)) != 0);
}

static bool is_causal(const struct model *m)
{
    return (m->conditions & ~(COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD)) == 0;
}

/* cm with program order across threads comes without evidence: recheck judges no witness. */
static bool is_judged(const struct world *w, const struct model *m)
{
    return is_causal(m) && !(w->h->po_after && (m->conditions & COND_PER_THREAD));
}

static bool has_evidence(const struct world *w, const struct model *m)
{
    bool joined = w->h->po_after && (m->conditions & (COND_PER_THREAD | COND_CCM | COND_WCCM));
    return (m->needs & NEED_MEMORY) && !joined;
}

static void try_mutant(void *arg, const char *mutant)
{
    struct trial *t = arg;
    struct attempt a = run_line(t->w, mutant);
    if (a.readable && is_judged(t->w, a.parsed.model) && a.accepted != judge(t->w, &a.parsed))
        fail(t, mutant, &a, a.accepted ? "accepted without being a proof" : "a proof refused");
    if (a.accepted && !brute_says(t, &a.parsed))
        fail(t, mutant, &a, "accepted although brute force disagrees");
    bool unjudged = a.readable && t->w->h->po_after && a.error.code == ASSAY_ERROR_LIMIT &&
                    !has_evidence(t->w, a.parsed.model);
    if (!a.accepted && !unjudged && a.error.code != (a.readable ? ASSAY_ERROR_REFUSED : ASSAY_ERROR_INPUT))
        fail(t, mutant, &a, "the wrong kind of error");
    if (!a.readable)
        t->count->unreadable++;
    else if (!a.accepted)
        t->count->refused++;
    else if (same_claim(&a, t->original))
        t->count->same++;
    else
        t->count->valid++;
    mem_release(&a.mem);
}

static char *evidence_of(const assay_history *h, const char *model, unsigned *kind)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = assay_check(h, model, &options, &e);
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (!r || !out || !assay_result_write_evidence(r, 0, out)) {
        printf("no evidence: %s\n", e.message);
        exit(1);
    }
    fclose(out);
    *kind = r->evidence.pattern;
    assay_result_free(r);
    return line;
}

/* Each model's evidence for one history, as far as its kind is still wanted. */
static void mutate_all(const struct sketch *s, struct rng *rng, struct count counts[KINDS], unsigned wanted)
{
    struct complaint why;
    struct world *w = world_of(sketch_build(s));
    struct trial t = {.w = w};
    if (!verdicts_of(w->h, "brute", models_all(), &t.satisfied, &why)) {
        printf("%s\n", why.text);
        exit(1);
    }
    for (unsigned m = 0; model_table[m]; m++) {
        unsigned pattern;
        if (!has_evidence(w, model_table[m]))
            continue;
        char *line = evidence_of(w->h, model_table[m]->name, &pattern);
        t.original = line;
        t.count = &counts[m * PATTERN_COUNT + pattern];
        if (t.count->lines < wanted && strlen(line) < MUTANTS_LONGEST) {
            t.count->lines++;
            mutants_of(line, rng, try_mutant, &t);
        }
        free(line);
    }
    world_free(w);
}

static void print_counts(const struct count counts[KINDS])
{
    struct count sum = {0};
    printf("%-22s %6s %10s %9s %8s %12s\n", "evidence", "lines", "unreadable", "refused", "the same", "other proofs");
    for (unsigned i = 0; i <= KINDS; i++) {
        const struct count *c = i < KINDS ? &counts[i] : &sum;
        char name[40] = "sum";
        if (i < KINDS && c->lines)
            snprintf(name, sizeof name, "%s %s", model_table[i / PATTERN_COUNT]->name,
                     i % PATTERN_COUNT ? pattern_name((enum pattern)(i % PATTERN_COUNT)) : "witness");
        if (c->lines)
            printf("%-22s %6u %10u %9u %8u %12u\n", name, c->lines, c->unreadable, c->refused, c->same, c->valid);
        sum.lines += c->lines;
        sum.unreadable += c->unreadable;
        sum.refused += c->refused;
        sum.same += c->same;
        sum.valid += c->valid;
    }
}

/* Every model has a witness and refutations. Of the causal models each has the four causal patterns; the
 * others belong to one model each. */
static bool all_kinds_seen(const struct count counts[KINDS])
{
    unsigned causal = 0, models = 0;
    for (unsigned m = 0; model_table[m]; m++) {
        if (!(model_table[m]->needs & NEED_MEMORY)) {
            models++;
            continue;
        }
        unsigned refutations = 0;
        for (unsigned p = 1; p < PATTERN_COUNT; p++)
            refutations += counts[m * PATTERN_COUNT + p].lines > 0;
        models += counts[m * PATTERN_COUNT].lines && refutations;
        causal += is_causal(model_table[m]) ? refutations : 0;
    }
    return models == registry_size(model_table) && causal == 3 * 4 + 3;
}

/* Causal memories, others, and what only search refutes. */
static struct sketch any_sketch(uint32_t i, struct rng *rng)
{
    if (i % 4 == 3) {
        struct sketch s = gadget_any(rng);
        s.style = 0; /* the judge knows plain numbers only */
        return s;
    }
    struct recipe r = (i % 4 == 2 ? recipe_serial : recipe_any)(rng, 3, 11);
    return generate(&r, rng);
}

/* The same with program order across threads. */
static void mutate_joined(enum tier tier)
{
    static struct count counts[KINDS];
    struct rng rng = {5};
    for (uint32_t i = 0; i < by_tier(tier, 2000, 5000, 100000); i++) {
        struct sketch s = any_sketch(i, &rng);
        if (s.n)
            sketch_join_some(&s, &rng);
        mutate_all(&s, &rng, counts, by_tier(tier, 3, 12, 500));
        sketch_free(&s);
    }
    printf("with program order across threads:\n");
    print_counts(counts);
}

int main(int argc, char **argv)
{
    static struct count counts[KINDS];
    enum tier tier = request_of(argc, argv).tier;
    struct rng rng = {3};
    for (uint32_t i = 0; i < by_tier(tier, 8000, 15000, 300000); i++) {
        struct sketch s = any_sketch(i, &rng);
        mutate_all(&s, &rng, counts, by_tier(tier, 8, 25, 1000));
        sketch_free(&s);
    }
    print_counts(counts);
    mutate_joined(tier);
    if (all_kinds_seen(counts))
        return 0;
    printf("some kind of evidence was not seen\n");
    return 1;
}
