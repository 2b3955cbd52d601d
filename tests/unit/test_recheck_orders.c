/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck of all orders there are, for random histories: a witness that it accepts exists exactly where the definition
 * holds. */
#include "support/judge.h"
#include "support/shorthand.h"
#include "support/sketch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct world *random_world(struct rng *rng)
{
    struct sketch s = {0};
    int32_t values[2] = {1, 1};
    uint32_t vars = 1 + rng_below(rng, 2);
    uint32_t cut = 1 + rng_below(rng, 3), cut2 = cut + 1 + rng_below(rng, 3);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t kind = rng_below(rng, 9);
        struct sketch_op o = {.thread = (uint8_t)((i >= cut) + (i >= cut2)), .var = (uint8_t)rng_below(rng, vars)};
        o.kind = kind < 4 ? SKETCH_WRITE : kind < 8 ? SKETCH_READ : SKETCH_RMW;
        if (sketch_writes(&o))
            o.new = values[o.var]++;
        sketch_add(&s, o);
    }
    for (uint32_t i = 0; i < s.n; i++)
        if (sketch_reads(&s.op[i]))
            s.op[i].old = (int32_t)rng_below(rng, (uint32_t)values[s.op[i].var]);
    struct world *w = world_of(sketch_build(&s));
    sketch_free(&s);
    return w;
}

static bool next_permutation(uint32_t *a, int n)
{
    int i = n - 2;
    while (i >= 0 && a[i] >= a[i + 1])
        i--;
    if (i < 0)
        return false;
    int j = n - 1;
    while (a[j] <= a[i])
        j--;
    uint32_t swap = a[i];
    a[i] = a[j];
    a[j] = swap;
    for (int low = i + 1, high = n - 1; low < high; low++, high--) {
        swap = a[low];
        a[low] = a[high];
        a[high] = swap;
    }
    return true;
}

struct search {
    struct world *w;
    struct mem mem;
    const char *model;
    unsigned accepted;
};

static struct evidence_line empty_line(struct search *s)
{
    struct evidence_line l = {.model = model_find(s->model), .evidence = evidence_in(&s->mem)};
    memcpy(l.digest, s->w->digest, sizeof l.digest);
    return l;
}

static bool agrees(struct search *s, const struct evidence_line *l)
{
    struct mem mine = {0};
    assay_error e = {0};
    bool accepted = recheck(s->w->h, l, &mine, &e);
    mem_release(&mine);
    assert_int_equal(accepted, judge(s->w, l));
    return accepted;
}

static void search_whole(void *arg)
{
    struct search *s = arg;
    struct evidence_line l = empty_line(s);
    evidence_begin_order(&l.evidence, ASSAY_NO_THREAD);
    for (int o = 0; o < s->w->n; o++)
        evidence_place(&l.evidence, (uint32_t)o);
    do
        s->accepted += agrees(s, &l);
    while (next_permutation(l.evidence.ops.at, s->w->n));
}

/* Per thread the first order of its causal past that the judge likes, else the last it looked
 * at. */
static void search_threads(void *arg)
{
    struct search *s = arg;
    struct evidence_line l = empty_line(s);
    for (int t = 0; t < s->w->threads; t++) {
        evidence_begin_order(&l.evidence, (uint32_t)t);
        for (int a = 0; a < s->w->n; a++) {
            bool needed = s->w->op[a].thread == t;
            for (int b = 0; b < s->w->n; b++)
                needed |= s->w->op[b].thread == t && s->w->co[a][b];
            if (needed)
                evidence_place(&l.evidence, (uint32_t)a);
        }
        struct order *o = &vec_last(&l.evidence.orders);
        while (!judge_thread(s->w, &l.evidence, o) && next_permutation(l.evidence.ops.at + o->at, (int)o->count)) {}
    }
    s->accepted = agrees(s, &l);
}

/* A witness that recheck accepts exists exactly when the definition holds. Histories are told
 * apart by which of the three hold; of each kind some are tried. */
static void try_all_orders(struct world *w, unsigned seen[8])
{
    static const char *const models[] = {"cc", "ccv", "cm"};
    bool holds[] = {world_is_cc(w), world_is_ccv(w), world_is_cm(w)};
    int kind = holds[0] + 2 * holds[1] + 4 * holds[2];
    if (world_no_thin_air(w) && seen[kind] < 60) {
        seen[kind]++;
        for (int i = 0; i < 3; i++) {
            struct search s = {.w = w, .model = models[i]};
            enum escape left = escape_run(i == 2 ? search_threads : search_whole, &s);
            assert_int_equal(left, ESCAPE_NONE);
            assert_int_equal(s.accepted > 0, holds[i]);
            mem_release(&s.mem);
        }
    }
    world_free(w);
}

static void test_witnesses_exist_for_consistent_histories(void **state)
{
    (void)state;
    struct rng rng = {7};
    unsigned seen[8] = {0};
    for (int tries = 0; tries < 3000; tries++)
        try_all_orders(random_world(&rng), seen);
    try_all_orders(world_of(shorthand("wz1 wx1 wy1 | wx2 rz0 ry1 rx2")), seen); /* ccv but not cm */
    printf("histories: %u not cc, %u cc alone, %u also ccv, %u also cm, %u all three\n", seen[0], seen[1], seen[3],
           seen[5], seen[7]);
    assert_true(seen[0] && seen[1] && seen[3] && seen[5] && seen[7]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_witnesses_exist_for_consistent_histories)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
