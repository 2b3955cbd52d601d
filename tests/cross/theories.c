/* SPDX-License-Identifier: Apache-2.0 */
/* Theories as text against the built-in ones: each is printed and read, and must give the same verdicts.
 *
 *   theories [--quick|--long] [--seed N] [--count N]
 *
 * Random plays of each object go through symbolic, enumerate and saturate, once with the built-in theory and once with
 * the one that was read. Then the bag of examples/ is compared with its definition. */
#include "base/hash.h"
#include "solver/sat.h"
#include "support/alphabets.h"
#include "support/left_out.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

static const char *const engines[] = {"symbolic", "symbolic+c+i", "enumerate", "saturate"};
enum { ENGINES = 4 };

static uint64_t plays, verdicts, violations;

static const assay_spec *parsed(size_t i)
{
    char *text = NULL;
    size_t n;
    assay_error e = {0};
    FILE *out = open_memstream(&text, &n);
    assay_theory_write(i, out);
    fclose(out);
    const assay_spec *spec = assay_theory_parse("printed", text, n, &e);
    if (!spec) {
        printf("%u: %s\n%s", (unsigned)e.line, e.message, text);
        exit(1);
    }
    free(text);
    return spec;
}

static assay_verdict verdict_of(const assay_history *h, const char *engine, const assay_spec *spec)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .spec = spec};
    assay_error e = {0};
    assay_result *r = assay_check(h, "lin", &options, &e);
    if (!r && e.code != ASSAY_ERROR_NOT_APPLICABLE) {
        printf("%s: %s\n", engine, e.message);
        exit(1);
    }
    assay_verdict v = r ? assay_result_verdict(r) : ASSAY_UNDECIDED;
    assay_result_free(r);
    verdicts++;
    return v;
}

static void compare(const struct play *p, const assay_spec *own)
{
    assay_history *h = play_build(p);
    plays++;
    for (int k = 0; k < ENGINES; k++) {
        if (strncmp(engines[k], "symbolic", 8) == 0 && left_out("symbolic", sat_missing()))
            continue;
        assay_verdict a = verdict_of(h, engines[k], NULL), b = verdict_of(h, engines[k], own);
        violations += a == ASSAY_VIOLATION;
        if (a != b) {
            printf("%s: %s with the built-in theory, %s with its text\n", engines[k], assay_verdict_name(a),
                   assay_verdict_name(b));
            play_print(p, stdout);
            exit(1);
        }
    }
    assay_history_free(h);
}

static void compare_all(size_t i, uint64_t seed, uint32_t count)
{
    const assay_spec *own = parsed(i), *spec = spec_named(assay_theory_name(i));
    plays = verdicts = violations = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct rng rng = {hash_join(hash_mix(seed), hash_join(i, k))};
        struct cast c = {.object = some_object(spec, &rng),
                         .init = some_init(spec, &rng),
                         .spec = spec,
                         .least = 2,
                         .most = 7,
                         .threads = 2 + rng_below(&rng, 3),
                         .values = 1 + rng_below(&rng, 3),
                         .distinct = rng_below(&rng, 2),
                         .words = rng_below(&rng, 2),
                         .pending = rng_below(&rng, 3) ? 0 : 60,
                         .lies = rng_below(&rng, 3)};
        struct play p = play_random(&c, &rng);
        compare(&p, own);
    }
    printf("%-10s %llu plays, %llu verdicts, %llu of them violations\n", assay_theory_name(i),
           (unsigned long long)plays, (unsigned long long)verdicts, (unsigned long long)violations);
}

/* ---- a theory of the user's own ---- */

static const char bag[] = "theory bag\n"
                          "call put(v): adds v\ncall put(v) => ?: adds v\ncall take() => empty: misses\n"
                          "call take() => v: removes v\ncall take() => ?: removes ?\n"
                          "axiom found \"f\" for all x removes some w adds with before(w, x), match(w, x)\n"
                          "axiom once \"o\" for all x adds, y removes, z removes\n"
                          "  given y != z, match(x, y), match(x, z) never\n"
                          "axiom empty \"e\" for all x misses, y adds given before(y, x)\n"
                          "  some w removes with match(y, w), before(w, x)\n";

enum { MOST = 7, VALUES = 3 };

struct bag_op {
    int kind, value, call, ret; /* 0: put, 1: take, 2: take => empty; ret 99: it never did */
};

/* Is there an order? `in` counts the values that are in. */
static bool is_bag(const struct bag_op *op, int n, unsigned done, int *in)
{
    bool all = true;
    int sum = in[0] + in[1] + in[2];
    for (int i = 0; i < n; i++)
        all &= done >> i & 1 || op[i].ret == 99;
    for (int i = 0; i < n && !all; i++) {
        bool ready = !(done >> i & 1);
        for (int j = 0; j < n; j++)
            ready &= done >> j & 1 || op[j].ret >= op[i].call;
        for (int v = 0; v < VALUES && ready; v++) {
            int change = op[i].kind == 0 ? 1 : op[i].kind == 1 ? -1 : 0;
            bool any = op[i].kind == 1 && op[i].ret == 99;
            if ((!any && v != op[i].value) || (op[i].kind == 2 && sum) || in[v] + change < 0)
                continue;
            in[v] += change;
            all = is_bag(op, n, done | 1u << i, in);
            in[v] -= change;
            if (all)
                return true;
        }
    }
    return all;
}

static struct bag_op random_op(struct rng *rng)
{
    struct bag_op o = {(int)rng_below(rng, 5) % 3, (int)rng_below(rng, VALUES), (int)rng_below(rng, 12), 0};
    o.ret = o.call + 1 + (int)rng_below(rng, 8);
    if (o.kind != 2 && rng_below(rng, 6) == 0)
        o.ret = 99;
    return o;
}

static assay_history *history_of(const struct bag_op *op, int n)
{
    assay_history *h = assay_history_new();
    assay_error e = {0};
    for (int i = 0; i < n; i++) {
        char thread[8];
        assay_value arg = assay_int(op[i].value);
        snprintf(thread, sizeof thread, "t%d", i);
        assay_operation x = {.thread = thread,
                             .method = op[i].kind ? "take" : "put",
                             .args = &arg,
                             .arg_count = !op[i].kind,
                             .pending = op[i].ret == 99,
                             .timed = true,
                             .call_time = op[i].call,
                             .return_time = op[i].ret};
        if (op[i].kind && !x.pending)
            x.result = op[i].kind == 1 ? arg : assay_word("empty");
        assay_history_add(h, &x, &e);
    }
    return h;
}

static void compare_bags(uint64_t seed, uint32_t count)
{
    assay_error e = {0};
    const assay_spec *own = assay_theory_parse("bag", bag, sizeof bag - 1, &e);
    uint64_t missed = 0;
    plays = verdicts = violations = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct rng rng = {hash_join(hash_mix(seed), k)};
        struct bag_op op[MOST];
        int n = 1 + (int)rng_below(&rng, MOST), in[VALUES] = {0};
        for (int i = 0; i < n; i++)
            op[i] = random_op(&rng);
        bool right = is_bag(op, n, 0, in);
        assay_history *h = history_of(op, n);
        plays++;
        violations += !right;
        for (int i = 0; i < ENGINES; i++) {
            if (strncmp(engines[i], "symbolic", 8) == 0 && sat_missing())
                continue;
            assay_verdict v = verdict_of(h, engines[i], own);
            bool sound_only = strcmp(engines[i], "saturate") == 0;
            missed += sound_only && !right && v != ASSAY_VIOLATION;
            if (sound_only ? v == ASSAY_VIOLATION && right : (v == ASSAY_CONSISTENT) != right) {
                printf("%s: %s, but it is %s\n", engines[i], assay_verdict_name(v), right ? "a bag" : "none");
                assay_history_write(h, "hist", 0, stdout, &e);
                exit(1);
            }
        }
        assay_history_free(h);
    }
    printf("bag        %llu histories, %llu not one of a bag, %llu verdicts; saturate missed %llu\n",
           (unsigned long long)plays, (unsigned long long)violations, (unsigned long long)verdicts,
           (unsigned long long)missed);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 300, 1000, 50000);
    for (size_t i = 0; assay_theory_name(i); i++)
        compare_all(i, r.seed, count);
    compare_bags(r.seed, 4 * count);
    return 0;
}
