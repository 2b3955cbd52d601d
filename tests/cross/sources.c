/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are written more than once, pending operations, declared last values: all engines against brute force,
 * which is asked about every choice of the pending operations that happened, and of the writes that the reads, and the
 * declared last values, stand for. A history satisfies a model if it does with one of these choices. */
#include "engine/engine.h"
#include "solver/sat.h"
#include "support/evidence_line.h"
#include "support/generate.h"
#include "support/left_out.h"
#include "support/load.h"
#include "support/tally.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 10, MOST_CHOICES = 200, INITIAL = -1 };
enum { CAUSAL = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD };

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

static bool may_happen(const struct sketch_op *o)
{
    return o->pending && sketch_writes(o);
}

/* What is left if of the pending writes and rmws those happened that the bits name. */
static struct sketch happened(const struct sketch *s, uint32_t bits)
{
    struct sketch out = {.finals = s->finals};
    memcpy(out.final, s->final, sizeof out.final);
    for (uint32_t i = 0; i < s->n; i++) {
        struct sketch_op o = s->op[i];
        bool is = !o.pending;
        if (may_happen(&o)) {
            is = bits & 1;
            bits >>= 1;
        }
        o.pending = false;
        if (is)
            sketch_add(&out, o);
    }
    return out;
}

static uint32_t subsets(const struct sketch *s)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < s->n; i++)
        count <<= may_happen(&s->op[i]);
    return count;
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
    return product * subsets(s);
}

static bool brute_satisfies(const struct sketch *s, unsigned models, unsigned *satisfied, struct complaint *why)
{
    bool fine = true;
    *satisfied = 0;
    for (uint32_t bits = 0; bits < subsets(s) && fine; bits++) {
        struct sketch given = happened(s, bits);
        struct choices c = {&given, sketch_copy(&given), models, 0, true, why};
        for (uint32_t i = 0; i < given.n; i++)
            if (sketch_writes(&given.op[i]))
                c.chosen.op[i].new = own_value((int)i);
        choose_source(&c, 0);
        sketch_free(&c.chosen);
        sketch_free(&given);
        *satisfied |= c.satisfied;
        fine = c.fine;
    }
    return fine;
}

/* ---- engines ---- */

struct seen {
    uint32_t one_in; /* of the small ones, one in so many is judged */
    uint64_t made;
    bool chosen_only; /* leave out engines that are not chosen by themselves */
    uint64_t histories, ambiguous, pending, finals, axe, verdicts, refused, rechecked, searched, satisfied, violated;
    uint64_t given_up; /* by recheck, at the bound of its search (docs/reference/evidence.md) */
    bool large;        /* histories of dozens of operations, of which it may give up one in a hundred */
};

/* Every verdict has evidence that recheck accepts; that no sources fit it searches for again. */
static bool recheck_result(const assay_history *h, const assay_result *r, struct seen *seen, struct complaint *why)
{
    assay_error e = {0};
    uint32_t index;
    if (!assay_result_proved(r)) {
        snprintf(why->text, sizeof why->text, "%s: no evidence", assay_result_model(r));
        return false;
    }
    char *line = evidence_line(r);
    if (!line)
        abort();
    bool searched = false, accepted = assay_recheck_with(h, line, NULL, &index, &searched, &e);
    bool given_up = !accepted && seen->large && e.code == ASSAY_ERROR_LIMIT;
    if (!accepted)
        snprintf(why->text, sizeof why->text, "%s: recheck refuses: %s\n%s", assay_result_model(r), e.message, line);
    *(given_up ? &seen->given_up : searched ? &seen->searched : &seen->rechecked) += 1;
    free(line);
    return accepted || given_up;
}

/* Recheck must not believe that no sources fit where some do. */
static bool forgery_refused(const assay_history *h, const assay_result *r, struct complaint *why)
{
    char *line = evidence_line(r);
    assay_error e = {0};
    if (!line)
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

/* The models that are decided whether values are unique or not. */
static bool has_choices(unsigned m)
{
    return !(model_table[m]->conditions & ~(unsigned)(COND_TOTAL | CAUSAL));
}

/* What an engine says is right, and proved where it gives proofs; which engine, NULL: the one that is chosen. */
static bool agrees(const assay_history *h, const char *engine, bool proves, unsigned m, bool expected,
                   struct seen *seen, struct complaint *why)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true};
    assay_result *r = assay_check(h, model_table[m]->name, &options, &e);
    const char *by = engine ? engine : "default";
    if (!r) {
        snprintf(why->text, sizeof why->text, "%s by %s: %s", model_table[m]->name, by, e.message);
        seen->refused++;
        return e.code == ASSAY_ERROR_MISSING ||
               (e.code == ASSAY_ERROR_NOT_APPLICABLE && (engine || !has_choices(m) || sat_missing()));
    }
    if (assay_result_verdict(r) == ASSAY_UNDECIDED && sat_missing()) {
        assay_result_free(r);
        seen->refused++;
        return true;
    }
    bool fine = assay_result_verdict(r) == (expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION);
    if (!fine)
        snprintf(why->text, sizeof why->text, "%s by %s: %s", model_table[m]->name, by,
                 assay_verdict_name(assay_result_verdict(r)));
    if (fine && (!engine || (proves && assay_result_proved(r))))
        fine = recheck_result(h, r, seen, why) && (!expected || !has_choices(m) || forgery_refused(h, r, why));
    seen->verdicts++;
    *(expected ? &seen->satisfied : &seen->violated) += 1;
    assay_result_free(r);
    return fine;
}

static bool decides(const struct engine *g, const struct model *m, const assay_history *h)
{
    return !(h->po_after && (g->apart & m->conditions)) && (m->needs & NEED_MEMORY) &&
           engine_decides(g, m->conditions) && strcmp(g->name, "datalog") != 0 && /* random.c has it */
           !left_out(g->name, engine_missing(g));
}

static bool engine_agrees(const struct engine *g, const assay_history *h, unsigned m, bool expected, struct seen *seen,
                          struct complaint *why)
{
    static const char *const plain[] = {NULL};
    if (!agrees(h, g->name, !g->no_evidence, m, expected, seen, why))
        return false;
    for (const char *const *v = g->variants ? g->variants : plain; *v; v++) {
        char name[64];
        snprintf(name, sizeof name, "%s:%s", g->name, *v);
        if (!agrees(h, name, !g->no_evidence, m, expected, seen, why))
            return false;
    }
    return true;
}

static void note_verdict(assay_history *h, void *arg)
{
    assay_error e = {0};
    assay_result *r = assay_check(h, "sc", NULL, &e);
    *(assay_verdict *)arg = r ? assay_result_verdict(r) : ASSAY_UNDECIDED;
    assay_result_free(r);
}

/* As the format axe has it, the history means the same, where it can be said there. */
static bool same_in_axe(const assay_history *h, bool expected, struct seen *seen, struct complaint *why)
{
    char *text = NULL;
    size_t length = 0;
    assay_error e = {0};
    assay_verdict verdict = expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION, wanted = verdict;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        abort();
    bool written = assay_history_write(h, "axe", 0, out, &e);
    fclose(out);
    if (written && length) {
        load_each("axe", text, length, note_verdict, &verdict, &e);
        seen->axe++;
    }
    if (verdict != wanted)
        snprintf(why->text, sizeof why->text, "sc as axe: %s\n%s", assay_verdict_name(verdict), text);
    free(text);
    return verdict == wanted;
}

static bool on_the_ladder(unsigned satisfied, struct complaint *why)
{
    for (unsigned strong = 0; model_table[strong]; strong++)
        for (unsigned weak = 0; model_table[weak]; weak++)
            if (models_have(satisfied, strong) && !models_have(satisfied, weak) &&
                (model_table[weak]->needs & NEED_MEMORY) && model_implies(model_table[strong], model_table[weak])) {
                snprintf(why->text, sizeof why->text, "%s, but not %s", model_table[strong]->name,
                         model_table[weak]->name);
                return false;
            }
    return true;
}

static bool not_agreed(const struct sketch *s, void *arg, struct complaint *why)
{
    unsigned models = 0, expected;
    for (unsigned m = 0; model_table[m]; m++)
        models |= model_table[m]->needs & NEED_MEMORY ? 1u << m : 0;
    if (!brute_satisfies(s, models, &expected, why) || !on_the_ladder(expected, why))
        return true;
    bool fine = true;
    assay_history *h = sketch_build(s);
    if (h->po_after)
        models &= ~models_named("cm ccm wccm"); /* cross.fork has them: they come without evidence */
    for (unsigned m = 0; model_table[m] && fine; m++) {
        if (!models_have(models, m))
            continue;
        fine = agrees(h, NULL, true, m, expected >> m & 1, arg, why);
        const struct seen *seen = arg;
        for (size_t g = 0; engine_table[g] && fine && !seen->chosen_only; g++)
            if (decides(engine_table[g], model_table[m], h))
                fine = engine_agrees(engine_table[g], h, m, expected >> m & 1, arg, why);
        if (fine && strcmp(model_table[m]->name, "sc") == 0 && !h->po_after)
            fine = same_in_axe(h, expected >> m & 1, arg, why);
    }
    assay_history_free(h);
    return !fine;
}

/* ---- histories ---- */

static void reduce_values(struct sketch *s, int32_t lowest, int32_t values)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->op[i].new)
            s->op[i].new = lowest + s->op[i].new % values;
        if (s->op[i].old && s->op[i].old != SKETCH_NOBODY)
            s->op[i].old = lowest + s->op[i].old % values;
    }
}

static int32_t few(struct rng *rng, int32_t lowest, int32_t values)
{
    return rng_below(rng, 8)   ? lowest + (int32_t)rng_below(rng, (uint32_t)values)
           : rng_below(rng, 2) ? 0
                               : SKETCH_NOBODY;
}

/* Pending operations in threads of their own, which read and write what others do, or what nobody does. */
static void add_pending(struct sketch *s, struct rng *rng, uint32_t vars, int32_t lowest, int32_t values)
{
    uint32_t count = 1 + rng_below(rng, 3);
    for (uint8_t i = 0; i < count; i++) {
        uint8_t kind = rng_below(rng, 4) ? rng_below(rng, 2) ? SKETCH_RMW : SKETCH_WRITE : SKETCH_READ;
        sketch_add(s, (struct sketch_op){.kind = kind,
                                         .thread = (uint8_t)(8 + i),
                                         .var = (uint8_t)rng_below(rng, vars),
                                         .pending = true,
                                         .old = kind & SKETCH_READ ? few(rng, lowest, values) : 0,
                                         .new = kind &SKETCH_WRITE ? few(rng, lowest, values) : 0});
    }
}

/* Few different values, now and then the initial one among them, and variables that nobody accesses. */
static struct sketch any_sketch(struct rng *rng)
{
    struct recipe r = recipe_serial(rng, 2, MOST);
    r.pending = rng_below(rng, 2) ? 0 : 30;
    r.finals = rng_below(rng, 2) ? 0 : 50;
    struct sketch s = generate(&r, rng);
    int32_t values = 1 + (int32_t)rng_below(rng, 4), lowest = rng_below(rng, 4) ? 1 : 0;
    bool repeat = rng_below(rng, 6);
    if (repeat)
        reduce_values(&s, lowest, values);
    for (uint32_t i = 0; i < s.finals && repeat; i++)
        if (s.final[i].value && s.final[i].value != SKETCH_NOBODY)
            s.final[i].value = lowest + s.final[i].value % values;
    if (rng_below(rng, 2))
        add_pending(&s, rng, r.vars, lowest, values);
    if (rng_below(rng, 3) == 0)
        sketch_add_final(&s, (uint8_t)(r.vars + rng_below(rng, 2)), few(rng, 0, 2));
    s.style = rng_below(rng, 2) ? rng_next(rng) : 0;
    if (s.n && rng_below(rng, 3) == 0)
        sketch_join_some(&s, rng);
    return s;
}

static void count(const struct sketch *s, uint32_t choices, struct seen *seen)
{
    bool pending = false;
    for (uint32_t i = 0; i < s->n; i++)
        pending |= s->op[i].pending;
    seen->histories++;
    seen->ambiguous += choices > subsets(s);
    seen->pending += pending;
    seen->finals += s->finals > 0;
}

static void judge_one(const struct sketch *s, struct seen *seen)
{
    struct complaint why = {""};
    uint32_t choices = count_choices(s);
    if (choices > MOST_CHOICES)
        return;
    count(s, choices, seen);
    if (not_agreed(s, seen, &why))
        tally_fail(s, not_agreed, seen);
}

/* ---- all small histories ---- */

/* Operations on x with the values 0 and 1; an rmw may also expect 2, which nobody writes. */
static const struct sketch_op letters[] = {
    {SKETCH_READ, 0, 0, false, 0, 0},  {SKETCH_READ, 0, 0, false, 1, 0}, {SKETCH_WRITE, 0, 0, false, 0, 0},
    {SKETCH_WRITE, 0, 0, false, 0, 1}, {SKETCH_RMW, 0, 0, false, 0, 1},  {SKETCH_RMW, 0, 0, false, 1, 0},
    {SKETCH_RMW, 0, 0, false, 1, 1},   {SKETCH_READ, 0, 0, true, 0, 0},  {SKETCH_WRITE, 0, 0, true, 0, 0},
    {SKETCH_WRITE, 0, 0, true, 0, 1},  {SKETCH_RMW, 0, 0, true, 0, 1},   {SKETCH_RMW, 0, 0, true, 1, 0},
    {SKETCH_RMW, 0, 0, true, 1, 1},    {SKETCH_RMW, 0, 0, true, 2, 1},   {SKETCH_RMW, 0, 0, true, 0, 0},
};

/* No declared last value, then those of x and of y, which nobody accesses. */
static const struct {
    uint32_t count;
    uint8_t var;
    int32_t value;
} ends[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};

static void all_ends(struct sketch *s, struct seen *seen)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        s->finals = ends[i].count;
        s->final[0].var = ends[i].var;
        s->final[0].value = ends[i].value;
        seen->chosen_only = seen->histories % 10;
        if (seen->made++ % seen->one_in == 0)
            judge_one(s, seen);
    }
    s->finals = 0;
}

/* Continues s, of `threads` threads, by `left` operations in every way; a pending one is its thread's last. */
static void all_small(struct sketch *s, uint8_t threads, uint32_t left, struct seen *seen)
{
    if (!left) {
        all_ends(s, seen);
        return;
    }
    for (uint8_t t = 0; t <= threads; t++) {
        bool ended = false;
        for (uint32_t i = 0; i < s->n; i++)
            ended |= s->op[i].thread == t && s->op[i].pending;
        for (size_t l = 0; l < sizeof letters / sizeof *letters && !ended; l++) {
            struct sketch_op o = letters[l];
            o.thread = t;
            sketch_add(s, o);
            all_small(s, threads + (t == threads), left - 1, seen);
            sketch_remove(s, s->n - 1);
        }
    }
}

static void all_histories(uint32_t most, struct seen *seen)
{
    struct sketch s = {0};
    for (uint32_t n = 1; n <= most; n++)
        all_small(&s, 0, n, seen);
    sketch_free(&s);
}

/* ---- histories of some dozens of operations ---- */

/* What an engine says of the model; NULL: it does not apply. */
static assay_result *verdict_by(const assay_history *h, const char *model, const char *engine, struct complaint *why)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r)
        snprintf(why->text, sizeof why->text, "%s: %s", model, e.message);
    return r;
}

/* Too many choices to try them all, but not for recheck, nor for a solver: recheck accepts what is said, and the solver
 * agrees. */
static bool not_accepted(const struct sketch *s, void *arg, struct complaint *why)
{
    struct seen *seen = arg;
    bool fine = true;
    assay_history *h = sketch_build(s);
    for (unsigned m = 0; model_table[m] && fine; m++) {
        const char *model = model_table[m]->name;
        if (!(model_table[m]->needs & NEED_MEMORY) || !has_choices(m) || (h->po_after && strcmp(model, "cm") == 0))
            continue;
        assay_result *r = verdict_by(h, model, NULL, why),
                     *solved = sat_missing() ? r : verdict_by(h, model, "sat", why);
        bool open = sat_missing() && r && assay_result_verdict(r) == ASSAY_UNDECIDED;
        fine = open || (r && solved && assay_result_verdict(r) == assay_result_verdict(solved) &&
                        recheck_result(h, r, seen, why));
        if (r && solved && assay_result_verdict(r) != assay_result_verdict(solved))
            snprintf(why->text, sizeof why->text, "%s: the solver does not agree", model);
        seen->verdicts++;
        *(r && assay_result_verdict(r) == ASSAY_CONSISTENT ? &seen->satisfied : &seen->violated) += 1;
        if (solved != r)
            assay_result_free(solved);
        assay_result_free(r);
    }
    assay_history_free(h);
    return !fine;
}

/* The causal models' recipes, then those of buffers, with pending operations, last values and an order of threads. */
static struct sketch dozens_of(struct rng *rng, bool serial)
{
    struct recipe r = serial ? recipe_serial(rng, 12, 40) : recipe_any(rng, 20, 60);
    int32_t lowest = rng_below(rng, 4) ? 1 : 0, values = 1 + (int32_t)rng_below(rng, 6);
    r.pending = serial && rng_below(rng, 2) ? 20 : 0;
    struct sketch s = generate(&r, rng);
    reduce_values(&s, lowest, values);
    for (uint32_t i = 0; i < s.finals; i++)
        if (s.final[i].value && s.final[i].value != SKETCH_NOBODY)
            s.final[i].value = lowest + s.final[i].value % values;
    if (serial && rng_below(rng, 3) == 0)
        add_pending(&s, rng, r.vars, lowest, values);
    if (serial && s.n && rng_below(rng, 4) == 0)
        sketch_join_some(&s, rng);
    return s;
}

static void dozens(uint32_t count, bool serial, struct seen *seen)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {i + 1};
        struct sketch s = dozens_of(&rng, serial);
        struct complaint why = {""};
        seen->histories++;
        seen->finals += s.finals > 0;
        if (not_accepted(&s, seen, &why))
            tally_fail(&s, not_accepted, seen);
        sketch_free(&s);
    }
}

static void print(const char *title, const struct seen *seen)
{
    printf("%s: %llu histories, %llu with several choices of sources, %llu with pending operations, %llu with declared "
           "last "
           "values, %llu also as axe: %llu verdicts (%llu consistent, %llu violations), %llu with evidence accepted, "
           "%llu searched again, %llu where that was given up, 0 disagreements; %llu times an engine did not apply\n",
           title, (unsigned long long)seen->histories, (unsigned long long)seen->ambiguous,
           (unsigned long long)seen->pending, (unsigned long long)seen->finals, (unsigned long long)seen->axe,
           (unsigned long long)seen->verdicts, (unsigned long long)seen->satisfied, (unsigned long long)seen->violated,
           (unsigned long long)seen->rechecked, (unsigned long long)seen->searched, (unsigned long long)seen->given_up,
           (unsigned long long)seen->refused);
    if (seen->given_up > seen->verdicts / 100) {
        printf("recheck gives up too often\n");
        exit(1);
    }
    if (seen->verdicts && (seen->satisfied < seen->verdicts / 10 || seen->violated < seen->verdicts / 10)) {
        printf("too few on one side\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    struct seen small = {.one_in = by_tier(tier, 7, 3, 1)}, random = {0};
    struct seen larger = {.large = true}, serial = {.large = true};
    all_histories(by_tier(tier, 3, 3, 4), &small);
    print("of up to 3 or, in the long tier, 4 operations: all, or in the quick tier one in 7", &small);
    for (uint32_t i = 0; i < by_tier(tier, 1000, 3000, 200000); i++) {
        struct rng rng = {i + 1};
        struct sketch s = any_sketch(&rng);
        judge_one(&s, &random);
        sketch_free(&s);
    }
    print("random", &random);
    dozens(by_tier(tier, 100, 300, 10000), false, &larger);
    print("20 to 60 operations", &larger);
    dozens(by_tier(tier, 300, 1200, 50000), true, &serial);
    print("12 to 40 operations, with store buffers", &serial);
    return 0;
}
