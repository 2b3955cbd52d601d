/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories: the engines agree, recheck accepts every verdict, and verdicts obey the laws of
 * the models.
 *
 *   random [--long] [--seed N] [--count N]
 *
 * History i depends on the seed and i only. A history that breaks something is shrunk and
 * printed. */
#include "support/generate.h"
#include "support/tally.h"

#include <stdlib.h>
#include <string.h>

/* ---- laws: how a verdict may change with the history ---- */

struct law {
    const char *name;
    /* Changes the sketch; false: not possible here. */
    bool (*change)(struct sketch *s, struct rng *rng);
    bool same; /* the verdict stays as it is; else what was satisfied stays satisfied */
};

static bool rename_all(struct sketch *s, struct rng *rng)
{
    uint8_t turn_thread = (uint8_t)rng_below(rng, 8), turn_var = (uint8_t)rng_below(rng, 8);
    for (uint32_t i = 0; i < s->n; i++) { /* xor permutes the numbers below 8 */
        s->op[i].thread ^= turn_thread;
        s->op[i].var ^= turn_var;
    }
    s->style = rng_next(rng);
    return true;
}

static bool other_lines(struct sketch *s, struct rng *rng)
{
    sketch_interleave(s, rng);
    return true;
}

static bool append_unread_write(struct sketch *s, struct rng *rng)
{
    struct sketch_op w = {
        .kind = SKETCH_WRITE, .var = s->op[rng_below(rng, s->n)].var, .new = 900000};
    w.thread = s->op[rng_below(rng, s->n)].thread;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->op[i].thread == w.thread && s->op[i].pending)
            return false;
    sketch_add(s, w);
    return true;
}

static bool remove_read(struct sketch *s, struct rng *rng)
{
    uint32_t at = rng_below(rng, s->n);
    if (s->op[at].kind != SKETCH_READ)
        return false;
    sketch_remove(s, at);
    return true;
}

/* Removes the write, and those who read what it wrote. */
static void remove_with_readers(struct sketch *s, uint32_t at)
{
    struct sketch_op gone = s->op[at];
    sketch_remove(s, at);
    for (bool again = sketch_writes(&gone); again;) {
        again = false;
        for (uint32_t i = 0; i < s->n && !again; i++)
            if (sketch_reads(&s->op[i]) && s->op[i].var == gone.var && s->op[i].old == gone.new) {
                remove_with_readers(s, i);
                again = true;
            }
    }
}

static bool remove_write_with_readers(struct sketch *s, struct rng *rng)
{
    uint32_t at = rng_below(rng, s->n);
    if (s->op[at].kind != SKETCH_WRITE)
        return false;
    remove_with_readers(s, at);
    return true;
}

static const struct law laws[] = {
    {"threads, variables and values renamed", rename_all, true},
    {"lines interleaved differently", other_lines, true},
    {"an unread write at a thread's end", append_unread_write, true},
    {"a read removed", remove_read, false},
    {"a write removed with its readers", remove_write_with_readers, false},
};
enum { LAWS = sizeof laws / sizeof *laws };

struct trial {
    const struct law *law;
    uint64_t seed;
    bool applied;
};

static bool breaks_law(const struct sketch *s, void *arg, struct complaint *why)
{
    struct trial *trial = arg;
    struct rng rng = {trial->seed};
    struct sketch other = sketch_copy(s);
    unsigned before = 0, after = 0;
    bool broken = false;
    trial->applied = s->n && trial->law->change(&other, &rng);
    if (trial->applied) {
        assay_history *h = sketch_build(s), *changed = sketch_build(&other);
        broken = !causal_verdicts(h, "clock", &before, why) ||
                 !causal_verdicts(changed, "clock", &after, why);
        if (!broken && (trial->law->same ? before != after : (before & ~after) != 0)) {
            broken = true;
            snprintf(why->text, sizeof why->text, "%s: \"%s\" became \"%s\"", trial->law->name,
                     causal_set_name(before), causal_set_name(after));
        }
        assay_history_free(h);
        assay_history_free(changed);
    }
    sketch_free(&other);
    return broken;
}

static void check_laws(const struct sketch *s, uint64_t seed, uint64_t applied[LAWS])
{
    for (int i = 0; i < LAWS; i++) {
        struct trial trial = {&laws[i], seed + (uint64_t)i, false};
        struct complaint why = {""};
        if (breaks_law(s, &trial, &why))
            tally_fail(s, breaks_law, &trial);
        applied[i] += trial.applied;
    }
}

/* ---- runs ---- */

struct settings {
    bool all;
    uint64_t seed;
    uint32_t count;
};

static struct rng rng_of(uint64_t seed, uint32_t part, uint32_t i)
{
    struct rng rng = {seed * 0x9E3779B97F4A7C15u + part};
    rng.state = rng_next(&rng) + i;
    rng.state = rng_next(&rng);
    return rng;
}

static void small(const struct settings *x)
{
    uint32_t sample = x->all ? 1 : 20; /* every so many histories go to the logic program */
    uint64_t applied[LAWS] = {0};
    struct tally t;
    tally_start(&t);
    for (uint32_t i = 0; i < x->count; i++) {
        struct rng rng = rng_of(x->seed, 0, i);
        struct recipe r = recipe_any(&rng, 7, 16);
        struct sketch s = generate(&r, &rng);
        s.style = i % 2 ? rng_next(&rng) : 0;
        unsigned satisfied = tally_judge(&t, &s);
        check_laws(&s, rng_next(&rng), applied);
        if (i % sample == 0)
            tally_datalog(&t, &s, satisfied);
        sketch_free(&s);
    }
    tally_finish(&t, "7 to 16 operations");
    for (int i = 0; i < LAWS; i++)
        printf("    law: %-38s held %7llu times\n", laws[i].name, (unsigned long long)applied[i]);
    bool enough = true;
    static const unsigned sets[] = {0, CC, CC | CCV, CC | CM, CC | CCV | CM};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        enough &= t.of_set[sets[i]] >= x->count / 250;
    if (!enough) {
        printf("too few histories on one side of a border\n");
        exit(1);
    }
}

static void large(const struct settings *x, uint32_t part, const char *title, uint32_t count,
                  uint32_t least, uint32_t most, bool datalog)
{
    struct tally t;
    tally_start(&t);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = rng_of(x->seed, part, i);
        struct recipe r = recipe_any(&rng, least, most);
        struct sketch s = generate(&r, &rng);
        s.style = rng_next(&rng);
        unsigned satisfied = tally_judge(&t, &s);
        if (datalog)
            tally_datalog(&t, &s, satisfied);
        sketch_free(&s);
    }
    tally_finish(&t, title);
}

static struct settings settings_of(int argc, char **argv)
{
    struct settings x = {.seed = 1, .count = 100000};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--long") == 0) {
            x.all = true;
            x.count *= 10;
        } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            x.seed = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
            x.count = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else {
            fprintf(stderr, "usage: %s [--long] [--seed N] [--count N]\n", argv[0]);
            exit(2);
        }
    }
    return x;
}

int main(int argc, char **argv)
{
    struct settings x = settings_of(argc, argv);
    small(&x);
    large(&x, 1, "17 to 44 operations", x.all ? 200000 : 20000, 17, 44, false);
    large(&x, 2, "200 to 2000 operations", x.all ? 3000 : 300, 200, 2000, false);
    large(&x, 3, "100 to 200 operations", x.all ? 100 : 10, 100, 200, true);
    return 0;
}
