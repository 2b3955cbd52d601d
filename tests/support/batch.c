/* SPDX-License-Identifier: Apache-2.0 */
#include "support/batch.h"

#include "baseline/datalog_program.h"
#include "memory/rw.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

struct batch {
    struct mem mem;
    unsigned models, rules;
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

/* What breaks a model, where CM is judged by this variant. */
static unsigned breakers(const char *model, unsigned cm)
{
    if (strcmp(model, "cm") == 0)
        return DATALOG_CC | cm;
    return datalog_part(model, strlen(model)) | (strcmp(model, "ccv") == 0 ? DATALOG_CC : 0);
}

static void start(struct batch *b)
{
    b->program = text_in(&b->mem);
    datalog_rules(b->rules, &b->program);
}

static void add(void *arg)
{
    struct adding *a = arg;
    struct batch *b = a->b;
    struct mem view = {0};
    if (!b->program.n)
        start(b);
    struct expected x = {a->satisfied & b->models, 0};
    datalog_facts(rw_view(a->h, false, &view), b->rules, b->all.n, &b->program);
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

struct batch *batch_new(unsigned models)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    b->models = models & models_named(BATCH_MODELS);
    for (unsigned m = 0; model_table[m]; m++)
        if (models_have(b->models, m))
            b->rules |= breakers(model_table[m]->name, DATALOG_CM_1 | DATALOG_CM_2);
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
static unsigned says(const struct batch *b, unsigned broken, unsigned cm)
{
    unsigned set = 0;
    for (unsigned m = 0; model_table[m]; m++)
        if (models_have(b->models, m) && !(broken & breakers(model_table[m]->name, cm)))
            set |= 1u << m;
    return set;
}

void batch_solve(struct batch *b, void (*differs)(void *arg, size_t number, const char *variant, unsigned says),
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
            unsigned set = says(b, b->all.at[i].broken, variants[v].cm);
            if (set != b->all.at[i].satisfied)
                differs(arg, i, variants[v].name, set);
        }
    mem_release(&b->mem);
    b->program = (struct text){0};
    b->all.at = NULL;
    b->all.n = b->all.cap = 0;
}
