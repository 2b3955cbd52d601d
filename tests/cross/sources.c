/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are written more than once: engines that do without unique values against brute force, which
 * is asked about every choice of the writes that the reads, and the declared last values, stand for. A
 * history satisfies a model if it does with one of these choices. */
#include "engine/engine.h"
#include "support/generate.h"
#include "support/tally.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12, MOST_CHOICES = 200, INITIAL = -1 };

/* ---- all choices ---- */

struct choices {
    const struct sketch *given;
    struct sketch chosen; /* every write with a value of its own */
    unsigned models, satisfied;
    bool fine;
    struct complaint *why;
};

/* Is what operation w (INITIAL: nobody) left in the variable this value? */
static bool leaves(const struct sketch *s, int w, uint8_t var, int32_t value)
{
    if (w == INITIAL)
        return value == 0;
    return sketch_writes(&s->op[w]) && s->op[w].var == var && s->op[w].new == value;
}

static int32_t own_value(int w)
{
    return w + 1;
}

static void judge(struct choices *c)
{
    unsigned satisfied = 0;
    assay_history *h = sketch_build(&c->chosen);
    c->fine = c->fine && verdicts_of(h, "brute", c->models, &satisfied, c->why);
    c->satisfied |= satisfied;
    assay_history_free(h);
}

static void choose_final(struct choices *c, uint32_t i)
{
    if (i == c->given->finals) {
        judge(c);
        return;
    }
    c->chosen.final[i].value = SKETCH_NOBODY;
    bool any = false;
    for (int w = INITIAL; w < (int)c->given->n; w++)
        if (leaves(c->given, w, c->given->final[i].var, c->given->final[i].value)) {
            any = true;
            c->chosen.final[i].value = own_value(w);
            choose_final(c, i + 1);
        }
    if (!any)
        choose_final(c, i + 1);
}

static void choose_source(struct choices *c, uint32_t i)
{
    while (i < c->given->n && !sketch_reads(&c->given->op[i]))
        i++;
    if (i == c->given->n) {
        choose_final(c, 0);
        return;
    }
    const struct sketch_op *r = &c->given->op[i];
    c->chosen.op[i].old = SKETCH_NOBODY;
    bool any = false;
    for (int w = INITIAL; w < (int)c->given->n; w++)
        if (leaves(c->given, w, r->var, r->old)) {
            any = true;
            c->chosen.op[i].old = own_value(w);
            choose_source(c, i + 1);
        }
    if (!any)
        choose_source(c, i + 1);
}

static uint32_t count_choices(const struct sketch *s)
{
    uint32_t product = 1;
    for (uint32_t i = 0; i < s->n + s->finals; i++) {
        bool final = i >= s->n;
        if (!final && !sketch_reads(&s->op[i]))
            continue;
        uint8_t var = final ? s->final[i - s->n].var : s->op[i].var;
        int32_t value = final ? s->final[i - s->n].value : s->op[i].old;
        uint32_t found = 0;
        for (int w = INITIAL; w < (int)s->n; w++)
            found += leaves(s, w, var, value);
        product *= found ? found : 1;
        if (product > MOST_CHOICES)
            return product;
    }
    return product;
}

static bool brute_satisfies(const struct sketch *s, unsigned models, unsigned *satisfied,
                            struct complaint *why)
{
    struct choices c = {s, sketch_copy(s), models, 0, true, why};
    c.chosen.style = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (sketch_writes(&s->op[i]))
            c.chosen.op[i].new = own_value((int)i);
    choose_source(&c, 0);
    sketch_free(&c.chosen);
    *satisfied = c.satisfied;
    return c.fine;
}

/* ---- engines ---- */

struct seen {
    uint64_t histories, ambiguous, verdicts, rechecked, searched, satisfied, violated;
};

/* Every verdict has evidence that recheck accepts; that no sources fit it searches for again. */
static bool recheck_result(const assay_history *h, const assay_result *r, struct seen *seen,
                           struct complaint *why)
{
    char *line = NULL;
    size_t length = 0;
    assay_error e = {0};
    uint32_t index;
    if (!assay_result_proved(r)) {
        snprintf(why->text, sizeof why->text, "%s: no evidence", assay_result_model(r));
        return false;
    }
    FILE *out = open_memstream(&line, &length);
    if (!out || !assay_result_write_evidence(r, 0, out) || fclose(out) != 0)
        abort();
    bool searched = false, accepted = assay_recheck_with(h, line, NULL, &index, &searched, &e);
    if (!accepted)
        snprintf(why->text, sizeof why->text, "%s: recheck refuses: %s\n%s", assay_result_model(r),
                 e.message, line);
    *(searched ? &seen->searched : &seen->rechecked) += 1;
    free(line);
    return accepted;
}

/* Recheck must not believe that no sources fit where some do. */
static bool forgery_refused(const assay_history *h, const assay_result *r, struct complaint *why)
{
    char *line = NULL;
    size_t length = 0;
    assay_error e = {0};
    FILE *out = open_memstream(&line, &length);
    if (!out || !assay_result_write_evidence(r, 0, out) || fclose(out) != 0)
        abort();
    char *verdict = strstr(line, "\"verdict\"");
    static const char forged[] = "\"verdict\":\"violation\",\"pattern\":\"NoSources\"}\n";
    size_t head = (size_t)(verdict - line);
    line = realloc(line, head + sizeof forged);
    if (!line)
        abort();
    memcpy(line + head, forged, sizeof forged);
    bool refused = !assay_recheck(h, line, NULL, &e) && strstr(e.message, "searched again");
    if (!refused)
        snprintf(why->text, sizeof why->text, "forged, and not refused (%s): %s", e.message, line);
    free(line);
    return refused;
}

static bool agrees(const assay_history *h, const char *engine, unsigned m, bool expected,
                   struct seen *seen, struct complaint *why)
{
    assay_error e = {0};
    assay_options options = {.engine = engine, .evidence = true};
    assay_result *r = assay_check(h, model_table[m]->name, &options, &e);
    if (!r) {
        snprintf(why->text, sizeof why->text, "%s by %s: %s", model_table[m]->name, engine, e.message);
        return e.code == ASSAY_ERROR_MISSING; /* a solver that is not here */
    }
    bool fine = assay_result_verdict(r) == (expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION);
    if (!fine)
        snprintf(why->text, sizeof why->text, "%s by %s: %s", model_table[m]->name, engine,
                 assay_verdict_name(assay_result_verdict(r)));
    fine = fine && recheck_result(h, r, seen, why) && (!expected || forgery_refused(h, r, why));
    seen->verdicts++;
    *(expected ? &seen->satisfied : &seen->violated) += 1;
    assay_result_free(r);
    return fine;
}

static bool lifts_uniqueness(const struct engine *g)
{
    return (g->lifts & NEED_UNIQUE_VALUES) && !(g->missing && g->missing());
}

static bool decides(const struct engine *g, const struct model *m)
{
    return lifts_uniqueness(g) && (m->conditions & ~g->conditions) == 0;
}

static bool engine_agrees(const struct engine *g, const assay_history *h, unsigned expected,
                          struct seen *seen, struct complaint *why)
{
    for (unsigned m = 0; model_table[m]; m++)
        for (const char *const *v = g->variants; decides(g, model_table[m]) && *v; v++) {
            char name[64];
            snprintf(name, sizeof name, "%s:%s", g->name, *v);
            if (!agrees(h, name, m, expected >> m & 1, seen, why))
                return false;
        }
    return true;
}

static bool not_agreed(const struct sketch *s, void *arg, struct complaint *why)
{
    unsigned models = 0, expected;
    for (unsigned m = 0; model_table[m]; m++)
        for (size_t g = 0; engine_table[g]; g++)
            models |= (unsigned)decides(engine_table[g], model_table[m]) << m;
    if (!brute_satisfies(s, models, &expected, why))
        return true;
    bool fine = true;
    assay_history *h = sketch_build(s);
    for (size_t g = 0; engine_table[g] && fine; g++)
        if (lifts_uniqueness(engine_table[g]))
            fine = engine_agrees(engine_table[g], h, expected, arg, why);
    assay_history_free(h);
    return !fine;
}

/* ---- histories ---- */

/* Few different values, now and then the initial one among them. */
static struct sketch any_sketch(struct rng *rng)
{
    struct recipe r = recipe_serial(rng, 3, MOST);
    r.pending = 0; /* whether these took effect would be open, too */
    struct sketch s = generate(&r, rng);
    int32_t values = 1 + (int32_t)rng_below(rng, 3), lowest = rng_below(rng, 4) ? 1 : 0;
    for (uint32_t i = 0; i < s.n; i++) {
        if (s.op[i].new)
            s.op[i].new = lowest + s.op[i].new % values;
        if (s.op[i].old && s.op[i].old != SKETCH_NOBODY)
            s.op[i].old = lowest + s.op[i].old % values;
    }
    for (uint32_t i = 0; i < s.finals; i++)
        if (s.final[i].value && s.final[i].value != SKETCH_NOBODY)
            s.final[i].value = lowest + s.final[i].value % values;
    s.style = rng_below(rng, 2) ? rng_next(rng) : 0;
    return s;
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && strcmp(argv[1], "--long") == 0;
    struct seen seen = {0};
    for (uint32_t i = 0; i < (all ? 200000 : 10000); i++) {
        struct rng rng = {i + 1};
        struct sketch s = any_sketch(&rng);
        struct complaint why = {""};
        uint32_t choices = count_choices(&s);
        if (choices <= MOST_CHOICES) {
            seen.histories++;
            seen.ambiguous += choices > 1;
            if (not_agreed(&s, &seen, &why))
                tally_fail(&s, not_agreed, &seen);
        }
        sketch_free(&s);
    }
    printf("%llu histories, %llu with several choices of sources: %llu verdicts (%llu consistent, %llu "
           "violations), %llu with evidence accepted, %llu searched again, 0 disagreements\n",
           (unsigned long long)seen.histories, (unsigned long long)seen.ambiguous,
           (unsigned long long)seen.verdicts, (unsigned long long)seen.satisfied,
           (unsigned long long)seen.violated, (unsigned long long)seen.rechecked,
           (unsigned long long)seen.searched);
    if (seen.verdicts && (seen.satisfied < seen.verdicts / 10 || seen.violated < seen.verdicts / 10)) {
        printf("too few on one side\n");
        return 1;
    }
    return 0;
}
