/* SPDX-License-Identifier: Apache-2.0 */
#include "support/batch.h"

#include "baseline/datalog_program.h"
#include "memory/rw.h"

#include <stdlib.h>

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
    struct expected x = {a->satisfied & models_named(BATCH_MODELS), 0};
    datalog_facts(rw_view(a->h, false, &view), b->all.n, &b->program);
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
    return models_named("cc") | (broken & DATALOG_CCV ? 0 : models_named("ccv")) |
           (broken & cm ? 0 : models_named("cm"));
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
            unsigned set = says(b->all.at[i].broken, variants[v].cm);
            if (set != b->all.at[i].satisfied)
                differs(arg, i, variants[v].name, set);
        }
    mem_release(&b->mem);
    b->program = (struct text){0};
    b->all.at = NULL;
    b->all.n = b->all.cap = 0;
}
