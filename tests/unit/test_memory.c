/* SPDX-License-Identifier: Apache-2.0 */
/* Orders on small random cases against naive closures: sorting threads, shortest paths and cycles,
 * causality, and what one thread observes; executions with repair are replayed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory/observe.h"
#include "memory/path.h"
#include "memory/repair.h"
#include "support/generate.h"
#include "support/judge.h"
#include "support/shorthand.h"

/* ---- threads with random edges between them ---- */

enum { EVENTS = 12, FAR = 1000 };

struct net {
    struct mem mem;
    struct budget budget;
    history *h;
    struct rw *v;
    bool edge[EVENTS][EVENTS];
    int distance[EVENTS][EVENTS]; /* edges on the way, program order being free; at least one step */
    uint32_t order[EVENTS], placed;
    struct advance sort;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static struct net *random_net(struct rng *rng, uint32_t edges)
{
    struct net *net = calloc(1, sizeof *net);
    net->h = shorthand("wa1 wa2 wa3 wa4 | wa5 wa6 wa7 | wa8 | wb1 wb2 wb3 wb4");
    net->v = rw_view(net->h, true, &net->mem);
    for (uint32_t i = 0; i < edges; i++) {
        uint32_t a = rng_below(rng, EVENTS), b = rng_below(rng, EVENTS);
        net->edge[a][b] = net->v->thread[a] != net->v->thread[b];
    }
    for (int a = 0; a < EVENTS; a++)
        for (int b = 0; b < EVENTS; b++) {
            bool po = net->v->thread[a] == net->v->thread[b] && a < b;
            net->distance[a][b] = po ? 0 : net->edge[a][b] ? 1 : FAR;
        }
    for (int via = 0; via < EVENTS; via++)
        for (int a = 0; a < EVENTS; a++)
            for (int b = 0; b < EVENTS; b++)
                net->distance[a][b] = least(net->distance[a][b], net->distance[a][via] + net->distance[via][b]);
    return net;
}

static void free_net(struct net *net)
{
    mem_release(&net->mem);
    history_free(net->h);
    free(net);
}

static bool is_cyclic(const struct net *net)
{
    for (int a = 0; a < EVENTS; a++)
        if (net->distance[a][a] < FAR)
            return true;
    return false;
}

static uint32_t unplaced_cause(void *arg, uint32_t e)
{
    const struct net *net = arg;
    for (uint32_t a = 0; a < EVENTS; a++)
        if (net->edge[a][e] && !advance_placed(&net->sort, a))
            return a;
    return ID_NONE;
}

static void note_placed(void *arg, uint32_t e)
{
    struct net *net = arg;
    net->order[net->placed++] = e;
}

static void start_sort(struct net *net)
{
    advance_init(&net->sort, net->v, &net->mem);
    net->sort.blocker = unplaced_cause;
    net->sort.place = note_placed;
    net->sort.arg = net;
    net->sort.budget = &net->budget;
}

static void check_order(const struct net *net)
{
    for (uint32_t i = 0; i < net->placed; i++)
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(net->order[i], net->order[j]);
            assert_true(net->distance[net->order[i]][net->order[j]] >= FAR);
        }
}

static void threads_are_sorted(void **state)
{
    (void)state;
    struct rng rng = {1};
    int cyclic = 0;
    for (int round = 0; round < 3000; round++) {
        struct net *net = random_net(&rng, rng_below(&rng, 12));
        start_sort(net);
        for (uint32_t t = 0; t < net->v->k; t++)
            advance_raise(&net->sort, t, net->v->base[t + 1] - net->v->base[t]);
        bool sorted = advance_run(&net->sort);
        assert_int_equal(sorted, !is_cyclic(net));
        check_order(net);
        if (sorted) {
            assert_int_equal(net->placed, EVENTS);
        } else {
            uint32_t e = advance_on_cycle(&net->sort);
            assert_true(net->distance[e][e] < FAR);
            cyclic++;
        }
        free_net(net);
    }
    assert_in_range(cyclic, 500, 2500);
}

static void sorting_goes_on_when_goals_are_raised(void **state)
{
    (void)state;
    struct rng rng = {2};
    for (int round = 0; round < 1000; round++) {
        struct net *net = random_net(&rng, 3);
        start_sort(net);
        bool sorted = true;
        for (uint32_t goal = 1; goal <= 4 && sorted; goal++) {
            for (uint32_t t = 0; t < net->v->k; t++) {
                uint32_t length = net->v->base[t + 1] - net->v->base[t];
                advance_raise(&net->sort, t, goal < length ? goal : length);
            }
            bool done = advance_run(&net->sort);
            /* short of the last goal it may wait for events that are no goal yet */
            sorted = goal < 4 || done;
        }
        assert_int_equal(sorted, !is_cyclic(net));
        check_order(net);
        advance_reset(&net->sort);
        assert_true(advance_run(&net->sort)); /* nothing is a goal, so nothing is missing */
        free_net(net);
    }
}

static void offer_causes(void *arg, struct paths *p, uint32_t e)
{
    const struct net *net = arg;
    for (uint32_t a = 0; a < EVENTS; a++)
        if (net->edge[a][e])
            path_offer(p, a, e);
}

static struct paths paths_of(struct net *net)
{
    struct paths p = {.causes = offer_causes, .arg = net};
    paths_init(&p, chains_of_threads(net->v, &net->mem), &net->mem);
    return p;
}

static bool at_or_after(const struct net *net, uint32_t a, uint32_t b)
{
    return net->v->thread[a] == net->v->thread[b] && a <= b;
}

/* The edges exist, and program order leads from each to the next. */
static void check_path(const struct net *net, const struct paths *p, uint32_t from, uint32_t to)
{
    uint32_t here = from;
    for (uint32_t i = 0; i < p->found.n; i++) {
        struct path_edge e = p->found.at[i];
        assert_true(at_or_after(net, here, e.from));
        assert_true(net->edge[e.from][e.to]);
        here = e.to;
    }
    assert_true(at_or_after(net, here, to));
}

static void paths_are_shortest(void **state)
{
    (void)state;
    struct rng rng = {3};
    for (int round = 0; round < 500; round++) {
        struct net *net = random_net(&rng, rng_below(&rng, 14));
        struct paths p = paths_of(net);
        for (uint32_t a = 0; a < EVENTS; a++)
            for (uint32_t b = 0; b < EVENTS; b++) {
                if (a == b)
                    continue;
                int edges = net->distance[a][b];
                assert_int_equal(path_find(&p, a, b, UINT32_MAX), edges < FAR);
                if (edges >= FAR)
                    continue;
                assert_int_equal(p.found.n, edges);
                check_path(net, &p, a, b);
                assert_true(path_find(&p, a, b, (uint32_t)edges));
                assert_true(edges == 0 || !path_find(&p, a, b, (uint32_t)edges - 1));
            }
        free_net(net);
    }
}

static void cycles_are_shortest(void **state)
{
    (void)state;
    struct rng rng = {4};
    int cyclic = 0;
    for (int round = 0; round < 1000; round++) {
        struct net *net = random_net(&rng, rng_below(&rng, 14));
        if (is_cyclic(net)) {
            struct paths p = paths_of(net);
            const uint32_t done[4] = {0};
            int shortest = FAR;
            uint32_t on_cycle = 0;
            for (uint32_t a = 0; a < EVENTS; a++)
                if (net->distance[a][a] < FAR) {
                    shortest = least(shortest, net->distance[a][a]);
                    on_cycle = a;
                }
            cycle_find(&p, done, on_cycle);
            assert_int_equal(p.found.n, shortest);
            check_path(net, &p, p.found.at[0].from, p.found.at[0].from);
            cyclic++;
        }
        free_net(net);
    }
    assert_true(cyclic > 200);
}

/* ---- memory histories ---- */

struct scene { /* a random history, its view and the judge's closures */
    struct world *w;
    struct mem mem;
    struct budget budget;
    struct stats stats;
    struct rw *v;
    struct causal c;
    bool acyclic;
};

static struct scene *scene_of(struct recipe r, struct rng *rng)
{
    struct scene *s = calloc(1, sizeof *s);
    struct sketch sketch = generate(&r, rng);
    s->w = world_of(sketch_build(&sketch));
    sketch_free(&sketch);
    s->v = rw_view(s->w->h, false, &s->mem);
    assert_int_equal(world_no_thin_air(s->w), s->v->thin == ID_NONE);
    if (s->v->thin == ID_NONE)
        s->acyclic = causal_build(&s->c, s->v, &s->mem, &s->budget, &s->stats);
    return s;
}

static struct scene *random_scene(struct rng *rng)
{
    return scene_of(recipe_any(rng, 4, MOST), rng);
}

static void free_scene(struct scene *s)
{
    mem_release(&s->mem);
    world_free(s->w);
    free(s);
}

static bool no_loop(bool r[MOST][MOST])
{
    for (int a = 0; a < MOST; a++)
        if (r[a][a])
            return false;
    return true;
}

static void causality_is_the_closure(void **state)
{
    (void)state;
    struct rng rng = {5};
    int acyclic = 0, cyclic = 0;
    for (int round = 0; round < 3000; round++) {
        struct scene *s = random_scene(&rng);
        if (s->v->thin == ID_NONE) {
            assert_int_equal(s->acyclic, no_loop(s->w->co));
            acyclic += s->acyclic;
            cyclic += !s->acyclic;
        }
        for (uint32_t a = 0; s->acyclic && a < s->v->n; a++)
            for (uint32_t b = 0; b < s->v->n; b++) {
                uint32_t x = s->v->op[a], y = s->v->op[b];
                if (s->w->op[x].part && s->w->op[y].part)
                    assert_int_equal(causal_before(&s->c, a, b), s->w->co[x][y]);
            }
        free_scene(s);
    }
    assert_true(acyclic > 1000 && cyclic > 50);
}

static void the_causal_order_puts_causes_first(void **state)
{
    (void)state;
    struct rng rng = {6};
    for (int round = 0; round < 1000; round++) {
        struct scene *s = random_scene(&rng);
        for (uint32_t i = 0; s->acyclic && i < s->c.placed; i++)
            for (uint32_t j = 0; j < i; j++)
                assert_false(causal_before(&s->c, s->c.order[i], s->c.order[j]));
        free_scene(s);
    }
}

/* What causal_demands found is one of the two bad patterns. */
static void check_found(const struct scene *s, uint32_t source, uint32_t later)
{
    const struct rw *v = s->v;
    bool proved = false;
    assert_true(v->kind[later] & RW_WRITES);
    for (uint32_t r = 0; r < v->n; r++)
        proved |= (v->kind[r] & RW_READS) && v->src[r] == source && v->var[r] == v->var[later] && r != later &&
                  causal_before(&s->c, later, r);
    assert_true(proved);
    assert_true(source == RW_INIT || causal_before(&s->c, source, later));
}

static void conditions_are_those_of_the_definitions(void **state)
{
    (void)state;
    struct rng rng = {7};
    int seen[2][2] = {{0}};
    for (int round = 0; round < 6000; round++) {
        struct scene *s = random_scene(&rng);
        uint32_t source, later, count;
        if (s->acyclic) {
            bool causal = causal_demands(&s->c, true, &s->budget, &source, &later);
            assert_int_equal(causal, world_is_cc(s->w));
            if (!causal)
                check_found(s, source, later);
            struct advance sort = {0};
            bool convergent = causal && causal_converges(&s->c, &sort, &s->budget, NULL, &count);
            assert_int_equal(convergent, world_is_ccv(s->w));
            seen[causal][convergent]++;
        }
        free_scene(s);
    }
    assert_true(seen[0][0] > 100 && seen[1][0] > 100 && seen[1][1] > 1000);
}

/* The same operations with fences between them, which order nothing here: threads become long. */
static struct sketch spread_out(const struct sketch *s, struct rng *rng)
{
    static const uint32_t apart[] = {0, 1, 40, 100, 1500};
    struct sketch wide = {.style = s->style};
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t fences = apart[rng_below(rng, sizeof apart / sizeof *apart)];
        for (uint32_t j = 0; j < fences; j++)
            sketch_add(&wide, (struct sketch_op){.kind = SKETCH_FENCE, .thread = s->op[i].thread});
        sketch_add(&wide, s->op[i]);
    }
    return wide;
}

static void conditions_are_the_same_in_long_threads(void **state)
{
    (void)state;
    struct rng rng = {9};
    int seen[2][2] = {{0}};
    for (int round = 0; round < 1500; round++) {
        struct recipe r = recipe_any(&rng, 4, MOST);
        struct sketch sketch = generate(&r, &rng), wide = spread_out(&sketch, &rng);
        struct scene s = {.w = world_of(sketch_build(&sketch))};
        history *h = sketch_build(&wide);
        uint32_t source, later, count;
        s.v = rw_view(h, false, &s.mem);
        if (s.v->thin == ID_NONE && causal_build(&s.c, s.v, &s.mem, &s.budget, &s.stats)) {
            bool causal = causal_demands(&s.c, true, &s.budget, &source, &later);
            assert_int_equal(causal, world_is_cc(s.w));
            if (!causal)
                check_found(&s, source, later);
            struct advance sort = {0};
            bool convergent = causal && causal_converges(&s.c, &sort, &s.budget, NULL, &count);
            assert_int_equal(convergent, world_is_ccv(s.w));
            seen[causal][convergent]++;
        }
        mem_release(&s.mem);
        history_free(h);
        world_free(s.w);
        sketch_free(&wide);
        sketch_free(&sketch);
    }
    assert_true(seen[0][0] > 25 && seen[1][0] > 25 && seen[1][1] > 250);
}

static bool thread_is_fine(const struct world *w, int t)
{
    for (int a = 0; a < w->n; a++) {
        if (w->hb[t][a][a])
            return false;
        for (int r = 0; r < w->n; r++)
            if (w->op[r].part && w->op[r].reads && w->op[r].thread == t && w->op[r].src == INITIAL && w->op[a].part &&
                w->op[a].writes && w->op[a].var == w->op[r].var && w->hb[t][a][r])
                return false;
    }
    return true;
}

/* The thread's reads return the latest write of the order. */
static void check_witness(const struct scene *s, uint32_t thread, const uint32_t *order, uint32_t placed)
{
    const struct rw *v = s->v;
    uint32_t latest[GENERATE_VARS];
    for (uint32_t x = 0; x < v->d; x++)
        latest[x] = RW_INIT;
    for (uint32_t i = 0; i < placed; i++) {
        uint32_t e = order[i];
        if ((v->kind[e] & RW_READS) && v->thread[e] == thread)
            assert_int_equal(latest[v->var[e]], v->src[e]);
        if (v->kind[e] & RW_WRITES)
            latest[v->var[e]] = e;
        for (uint32_t j = 0; j < i; j++)
            assert_false(causal_before(&s->c, e, order[j]));
    }
}

static void what_a_thread_observes_is_the_closure(void **state)
{
    (void)state;
    struct rng rng = {8};
    int seen[3] = {0};
    for (int round = 0; round < 6000; round++) {
        struct scene *s = random_scene(&rng);
        uint32_t source, later, read, order[MOST];
        struct observe o;
        if (s->acyclic && causal_demands(&s->c, true, &s->budget, &source, &later)) {
            observe_init(&o, &s->c, &s->mem, &s->budget, &s->stats);
            for (uint32_t t = 0; t < s->v->k; t++) {
                enum observation found = observe_thread(&o, t, order, &read, &later);
                assert_int_equal(found == OBSERVED_FINE, thread_is_fine(s->w, (int)t));
                seen[found]++;
                if (found == OBSERVED_FINE)
                    check_witness(s, t, order, o.placed);
                assert_int_equal(observe_thread(&o, t, NULL, &read, &later), found);
            }
        }
        free_scene(s);
    }
    assert_true(seen[OBSERVED_FINE] > 5000 && seen[OBSERVED_CYCLE] > 50 && seen[OBSERVED_INITIAL] > 50);
}

/* ---- executions with repair ---- */

/* The write that e takes its value from, when `placed` events are in order[]. */
static uint32_t seen_by(const struct rw *v, uint32_t e, const uint32_t *order, uint32_t placed)
{
    uint32_t memory = RW_INIT, own = RW_INIT;
    for (uint32_t i = 0; i < placed; i++)
        if ((v->kind[order[i]] & RW_WRITES) && v->var[order[i]] == v->var[e])
            memory = order[i];
    for (uint32_t w = v->base[v->thread[e]]; w < e; w++)
        if ((v->kind[w] & RW_WRITES) && v->var[w] == v->var[e])
            own = w;
    for (uint32_t i = 0; i < placed; i++)
        if (order[i] == own)
            return memory;
    return own == RW_INIT ? memory : own;
}

/* May store buffers exchange a write and b, which follows it in its thread, unless a fence or an rmw stands between? */
static bool overtakes(const struct rw *v, uint32_t b, uint32_t a, enum buffering memory)
{
    return v->kind[b] == RW_READS || (memory == MEMORY_PSO && v->kind[b] == RW_WRITES && v->var[a] != v->var[b]);
}

static bool preserved(const struct rw *v, uint32_t a, uint32_t b, enum buffering memory)
{
    if (v->thread[a] != v->thread[b] || a >= b)
        return false;
    if (memory == MEMORY_SC || v->kind[a] == RW_READS || !overtakes(v, b, a, memory))
        return true;
    for (uint32_t e = a; e < b; e++)
        if ((v->kind[e] & RW_FENCE) || v->kind[e] == (RW_READS | RW_WRITES))
            return true;
    return false;
}

static void check_execution(const struct rw *v, const uint32_t *order, enum buffering memory)
{
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->kind[order[i]] & RW_READS)
            assert_int_equal(seen_by(v, order[i], order, i), v->src[order[i]]);
        for (uint32_t j = 0; j < i; j++) {
            assert_int_not_equal(order[i], order[j]);
            assert_false(preserved(v, order[i], order[j], memory));
        }
    }
    for (uint32_t x = 0; v->final && x < v->d; x++)
        for (uint32_t i = v->n, last = 0; v->final[x] < RW_UNSAID && !last && i-- > 0;) {
            last = (v->kind[order[i]] & RW_WRITES) && v->var[order[i]] == x;
            if (last)
                assert_int_equal(order[i], v->final[x]);
        }
}

/* No guess when things happened: all the more to repair. */
static bool repaired(struct scene *s, enum buffering memory)
{
    struct repair r;
    uint32_t *key = mem_new_zero(&s->mem, uint32_t, s->v->n);
    repair_init(&r, s->v, memory, key, &s->mem, &s->budget);
    bool found = repair_run(&r);
    if (found)
        check_execution(s->v, r.order, memory);
    repair_free(&r);
    return found;
}

static void repaired_executions_explain(void **state)
{
    (void)state;
    struct rng rng = {9};
    int found = 0, unknown = 0;
    for (int round = 0; round < 6000; round++) {
        struct recipe recipe = recipe_serial(&rng, 4, MOST);
        struct scene *s = scene_of(recipe, &rng);
        for (enum buffering memory = MEMORY_SC; memory <= MEMORY_PSO; memory++) {
            if (memory == MEMORY_PSO ? s->v->thin != ID_NONE : !s->acyclic)
                continue;
            bool fine = repaired(s, memory);
            found += fine;
            unknown += !fine;
            bool must = recipe.memory == MEMORY_ONE || (memory >= MEMORY_TSO && recipe.memory == MEMORY_BUFFER) ||
                        (memory == MEMORY_PSO && recipe.memory == MEMORY_BUFFERS);
            if (must && !recipe.changed && !recipe.finals)
                assert_true(fine);
        }
        free_scene(s);
    }
    assert_true(found > 2000 && unknown > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_sorted),
        cmocka_unit_test(sorting_goes_on_when_goals_are_raised),
        cmocka_unit_test(paths_are_shortest),
        cmocka_unit_test(cycles_are_shortest),
        cmocka_unit_test(causality_is_the_closure),
        cmocka_unit_test(the_causal_order_puts_causes_first),
        cmocka_unit_test(conditions_are_those_of_the_definitions),
        cmocka_unit_test(conditions_are_the_same_in_long_threads),
        cmocka_unit_test(what_a_thread_observes_is_the_closure),
        cmocka_unit_test(repaired_executions_explain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
