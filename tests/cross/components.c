/* SPDX-License-Identifier: Apache-2.0 */
/* Histories that fall apart, and formulas as histories: sc, tso and pso.
 *
 * Some small histories side by side, with threads and variables of their own, satisfy a model iff each of them does,
 * which brute force decides. Formulas are too large for brute force: the engine `sat`, which knows nothing of
 * components or of handing over, says whether they have a solution. All verdicts are rechecked. */
#include "collect/collect.h"
#include "solver/sat.h"
#include "support/generate.h"
#include "support/tally.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t histories, violations, verdicts;
};

static const char *const engines[] = {NULL, "auto:forced", "sat"};

/* Says each engine of the first `count` what is expected? */
static bool all_say(const assay_history *h, size_t count, unsigned models, unsigned expected, struct seen *seen,
                    struct complaint *why)
{
    for (size_t i = 0; i < count; i++) {
        unsigned satisfied = 0;
        if (engines[i] && strcmp(engines[i], "sat") == 0 && sat_missing())
            continue;
        if (!verdicts_of(h, engines[i], models, &satisfied, why))
            return false;
        seen->verdicts += 3;
        if (satisfied != expected) {
            snprintf(why->text, sizeof why->text, "%s: %s, and not %s", engines[i] ? engines[i] : "default",
                     models_print(satisfied).text, models_print(expected).text);
            return false;
        }
    }
    return true;
}

static void count(struct seen *seen, unsigned models, unsigned expected)
{
    seen->histories++;
    seen->violations += expected != models;
}

/* ---- side by side ---- */

enum { THREADS = 16, VARIABLES = 5 }; /* of one part, at most */

static void add_part(struct sketch *whole, const struct sketch *part, uint8_t number)
{
    for (uint32_t i = 0; i < part->n; i++) {
        struct sketch_op o = part->op[i];
        o.thread = (uint8_t)(o.thread + number * THREADS);
        o.var = (uint8_t)(o.var + number * VARIABLES);
        sketch_add(whole, o);
    }
    for (uint32_t i = 0; i < part->finals; i++)
        sketch_add_final(whole, (uint8_t)(part->final[i].var + number * VARIABLES), part->final[i].value);
}

static void judge_union(struct rng *rng, unsigned models, struct seen *seen)
{
    struct sketch whole = {0};
    struct complaint why = {""};
    unsigned expected = models;
    uint8_t parts = (uint8_t)(2 + rng_below(rng, 3));
    bool fine = true;
    for (uint8_t i = 0; i < parts && fine; i++) {
        struct recipe r = recipe_serial(rng, 3, 10);
        unsigned satisfied = 0;
        r.finals = whole.finals > 4 ? 0 : r.finals;
        struct sketch part = generate(&r, rng);
        assay_history *h = sketch_build(&part);
        fine = verdicts_of(h, "brute", models, &satisfied, &why);
        expected &= satisfied;
        add_part(&whole, &part, i);
        assay_history_free(h);
        sketch_free(&part);
    }
    sketch_interleave(&whole, rng);
    assay_history *h = sketch_build(&whole);
    if (!fine || !all_say(h, sizeof engines / sizeof *engines, models, expected, seen, &why)) {
        printf("%s\n", why.text);
        sketch_print(&whole, stdout);
        exit(1);
    }
    count(seen, models, expected);
    assay_history_free(h);
    sketch_free(&whole);
}

/* ---- formulas ---- */

static void set(struct collect_settings *s, const char *name, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    if (!collect_set(collector_find("formula"), s, name, text))
        abort();
}

static void judge_formula(struct rng *rng, unsigned models, struct seen *seen)
{
    const struct collector *formula = collector_find("formula");
    struct collect_settings s = collect_defaults(formula);
    struct complaint why = {""};
    assay_error e = {0};
    uint32_t variables = 3 + rng_below(rng, 8), clauses = 1 + rng_below(rng, 8 * variables);
    unsigned expected = models;
    set(&s, "variables", variables);
    set(&s, "clauses", clauses);
    set(&s, "satisfiable", rng_below(rng, 3));
    if (rng_below(rng, 2))
        set(&s, "shuffle", 1);
    s.seed = rng_next(rng);
    assay_history *h = collect_history(formula, &s, &e);
    if (!h)
        abort();
    bool fine = sat_missing() || verdicts_of(h, "sat", models, &expected, &why);
    if (!fine || !all_say(h, clauses < 12 ? 2 : 1, models, expected, seen, &why)) {
        char command[256];
        collect_command(formula, &s, command, sizeof command);
        printf("%s\n%s\n", why.text, command);
        exit(1);
    }
    count(seen, models, expected);
    assay_history_free(h);
}

static void print(const char *title, const struct seen *seen)
{
    printf("%s: %llu histories, %llu of them violations of some model, %llu verdicts rechecked, 0 disagreements\n",
           title, (unsigned long long)seen->histories, (unsigned long long)seen->violations,
           (unsigned long long)seen->verdicts);
    if (seen->violations < seen->histories / 10 || seen->violations > seen->histories - seen->histories / 10) {
        printf("too few on one side\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    unsigned models = models_named("sc tso pso");
    struct seen unions = {0}, formulas = {0};
    for (uint32_t i = 0; i < by_tier(tier, 2000, 8000, 500000); i++)
        judge_union(&(struct rng){i + 1}, models, &unions);
    print("side by side", &unions);
    for (uint32_t i = 0; i < by_tier(tier, 40, 160, 5000) && !sat_missing(); i++)
        judge_formula(&(struct rng){i + 1}, models, &formulas);
    if (!sat_missing())
        print("formulas", &formulas);
    return 0;
}
