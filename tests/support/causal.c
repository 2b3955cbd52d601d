/* SPDX-License-Identifier: Apache-2.0 */
#include "support/causal.h"

#include "history/rw.h"
#include "solver/datalog.h"

#include <stdlib.h>
#include <string.h>

const char *const causal_model[CAUSAL_MODELS] = {"cc", "ccv", "cm"};

const char *causal_set_name(unsigned set)
{
    static const char *const names[CAUSAL_SETS] = {
        [0] = "not CC",
        [CC] = "CC only",
        [CC | CCV] = "CC, CCv, not CM",
        [CC | CM] = "CC, CM, not CCv",
        [CC | CCV | CM] = "all three",
    };
    return names[set] ? names[set] : "impossible";
}

static bool complain(struct complaint *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool complain(struct complaint *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}

/* ---- one engine ---- */

static bool recheck_result(const assay_history *h, const assay_result *r, struct complaint *why)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    assay_error e = {0};
    uint32_t index = 0;
    bool written = out && assay_result_write_evidence(r, 7, out);
    if (out)
        fclose(out);
    bool fine = written && assay_recheck(h, line, &index, &e) && index == 7;
    if (!fine)
        complain(why, "%s: recheck refuses the verdict %s: %s\n%s", assay_result_model(r),
                 assay_verdict_name(assay_result_verdict(r)), written ? e.message : "no evidence",
                 written ? line : "");
    free(line);
    return fine;
}

static bool gives_evidence(const char *engine)
{
    return strcmp(engine, "clock") == 0;
}

static bool one_verdict(const assay_history *h, const char *engine, const char *model,
                        bool *consistent, struct complaint *why)
{
    assay_error e = {0};
    assay_options options = {.engine = engine, .evidence = true};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r)
        return complain(why, "%s with %s: %s", model, engine, e.message);
    assay_verdict verdict = assay_result_verdict(r);
    *consistent = verdict == ASSAY_CONSISTENT;
    bool fine = verdict != ASSAY_UNDECIDED ||
                complain(why, "%s with %s: undecided: %s", model, engine, assay_result_reason(r));
    if (fine && gives_evidence(engine))
        fine = recheck_result(h, r, why);
    assay_result_free(r);
    return fine;
}

static bool ladder_holds(unsigned satisfied, struct complaint *why)
{
    for (int strong = 0; strong < CAUSAL_MODELS; strong++)
        for (int weak = 0; weak < CAUSAL_MODELS; weak++)
            if ((satisfied >> strong & 1) && !(satisfied >> weak & 1) &&
                assay_model_implies(causal_model[strong], causal_model[weak]))
                return complain(why, "it satisfies %s and not %s", causal_model[strong],
                                causal_model[weak]);
    return true;
}

bool causal_verdicts(const assay_history *h, const char *engine, unsigned *satisfied,
                     struct complaint *why)
{
    *satisfied = 0;
    for (int m = 0; m < CAUSAL_MODELS; m++) {
        bool consistent;
        if (!one_verdict(h, engine, causal_model[m], &consistent, why))
            return false;
        *satisfied |= (unsigned)consistent << m;
    }
    return ladder_holds(*satisfied, why);
}

bool causal_agreed(const assay_history *h, unsigned *satisfied, struct complaint *why)
{
    enum { MOST_FOR_BRUTE = 48 };
    unsigned brute;
    if (!causal_verdicts(h, "clock", satisfied, why))
        return false;
    if (assay_history_size(h) > MOST_FOR_BRUTE)
        return true;
    if (!causal_verdicts(h, "brute", &brute, why))
        return false;
    return brute == *satisfied || complain(why, "clock says: %s; brute says: %s",
                                           causal_set_name(*satisfied), causal_set_name(brute));
}

/* ---- many histories in one run ---- */

struct batch {
    struct mem mem;
    struct text program;
    struct budget budget;
    VEC(struct expected) all;
    assay_error error;
};

struct expected {
    unsigned satisfied;
    unsigned broken; /* of enum datalog_rules */
};

struct adding {
    struct batch *b;
    const assay_history *h;
    unsigned satisfied;
};

static void start(struct batch *b)
{
    b->program = text_in(&b->mem);
    datalog_rules(DATALOG_CC | DATALOG_CCV | DATALOG_CM_1 | DATALOG_CM_2, &b->program);
}

static void add(void *arg)
{
    struct adding *a = arg;
    struct batch *b = a->b;
    struct mem view = {0};
    if (!b->program.n)
        start(b);
    struct expected x = {a->satisfied, 0};
    datalog_facts(rw_view(a->h, &view), b->all.n, &b->program);
    vec_push(&b->mem, &b->all, x);
    mem_release(&view);
}

static void note(void *arg, uint32_t number, unsigned condition, const char *pattern)
{
    struct batch *b = arg;
    (void)pattern;
    b->all.at[number].broken |= condition;
}

static void solve(void *arg)
{
    struct batch *b = arg;
    datalog_solve(&b->program, &b->budget, note, b, &b->error);
}

static void must(struct batch *b, void (*fn)(void *), void *arg)
{
    enum escape left = escape_run(fn, arg);
    if (!left)
        return;
    error_from_escape(&b->error, left);
    fprintf(stderr, "the logic program: %s\n", b->error.message);
    abort();
}

struct batch *batch_new(void)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    return b;
}

void batch_free(struct batch *b)
{
    mem_release(&b->mem);
    free(b);
}

size_t batch_size(const struct batch *b)
{
    return b->all.n;
}

void batch_add(struct batch *b, const assay_history *h, unsigned satisfied)
{
    struct adding a = {b, h, satisfied};
    must(b, add, &a);
}

/* What the derived faults say when CM is judged by this variant. */
static unsigned says(unsigned broken, unsigned cm)
{
    if (broken & DATALOG_CC)
        return 0;
    return CC | (broken & DATALOG_CCV ? 0 : CCV) | (broken & cm ? 0 : CM);
}

void batch_solve(struct batch *b,
                 void (*differs)(void *arg, size_t number, const char *variant, unsigned says),
                 void *arg)
{
    static const struct {
        const char *name;
        unsigned cm;
    } variants[] = {{"cm_1", DATALOG_CM_1}, {"cm_2", DATALOG_CM_2}};
    if (b->all.n)
        must(b, solve, b);
    for (uint32_t i = 0; i < b->all.n; i++)
        for (int v = 0; v < 2; v++) {
            unsigned set = says(b->all.at[i].broken, variants[v].cm);
            if (set != b->all.at[i].satisfied)
                differs(arg, i, variants[v].name, set);
        }
    mem_release(&b->mem);
    b->program = (struct text){0};
    b->all.at = NULL;
    b->all.n = b->all.cap = 0;
}
