/* SPDX-License-Identifier: Apache-2.0 */
#include "support/laws.h"

struct law {
    const char *name;
    /* Changes the sketch; false: not possible here. */
    bool (*change)(struct sketch *s, struct rng *rng);
    bool same;      /* the verdict stays as it is; else what was satisfied stays satisfied */
    bool no_finals; /* not where last values are declared: another write may be the last then */
};

static bool rename_all(struct sketch *s, struct rng *rng)
{
    uint8_t turn_thread = (uint8_t)rng_below(rng, 8), turn_var = (uint8_t)rng_below(rng, 8);
    for (uint32_t i = 0; i < s->n; i++) { /* xor permutes the numbers below 8 */
        s->op[i].thread ^= turn_thread;
        s->op[i].var ^= turn_var;
    }
    for (uint32_t i = 0; i < s->finals; i++)
        s->final[i].var ^= turn_var;
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
    struct sketch_op w = {.kind = SKETCH_WRITE, .var = s->op[rng_below(rng, s->n)].var, .new = 900000};
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

static const struct law laws[LAWS] = {
    {"threads, variables and values renamed", rename_all, true, false},
    {"lines interleaved differently", other_lines, true, false},
    {"an unread write at a thread's end", append_unread_write, true, true},
    {"a read removed", remove_read, false, true},
    {"a write removed with its readers", remove_write_with_readers, false, true},
};

struct trial {
    const struct law *law;
    unsigned models;
    uint64_t seed;
    bool applied;
};

static bool compare(const struct sketch *s, const struct sketch *changed, const struct trial *t, struct complaint *why)
{
    unsigned before = 0, after = 0;
    assay_history *h = sketch_build(s), *other = sketch_build(changed);
    bool holds = verdicts_of(h, NULL, t->models, &before, why) && verdicts_of(other, NULL, t->models, &after, why);
    if (holds && (t->law->same ? before != after : (before & ~after) != 0)) {
        holds = false;
        snprintf(why->text, sizeof why->text, "%s: \"%s\" became \"%s\"", t->law->name, models_print(before).text,
                 models_print(after).text);
    }
    assay_history_free(h);
    assay_history_free(other);
    return holds;
}

static bool breaks_law(const struct sketch *s, void *arg, struct complaint *why)
{
    struct trial *trial = arg;
    struct rng rng = {trial->seed};
    struct sketch changed = sketch_copy(s);
    trial->applied = s->n && !(trial->law->no_finals && s->finals) && trial->law->change(&changed, &rng);
    bool broken = trial->applied && !compare(s, &changed, trial, why);
    sketch_free(&changed);
    return broken;
}

void laws_check(const struct sketch *s, unsigned models, uint64_t seed, uint64_t applied[LAWS])
{
    for (int i = 0; i < LAWS; i++) {
        struct trial trial = {&laws[i], models, seed + (uint64_t)i, false};
        struct complaint why = {""};
        if (breaks_law(s, &trial, &why))
            tally_fail(s, breaks_law, &trial);
        applied[i] += trial.applied;
    }
}

void laws_print(const uint64_t applied[LAWS])
{
    for (int i = 0; i < LAWS; i++)
        printf("    law: %-38s held %7llu times\n", laws[i].name, (unsigned long long)applied[i]);
}
