/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: choose, one after the other, how long the threads are, what each operation is, where each
 * read takes its value from, and which last operations are pending. The history is kept if no
 * renaming of threads and variables gives a smaller code, a code being the list of all these
 * choices. Values need no renaming: a read names the write it reads from. */
#include "support/enumerate.h"

#include <string.h>

enum { FROM_INITIAL = -1, FROM_NOBODY = -2 };

struct choice {
    uint8_t kind, thread, var;
    bool pending;
    int source; /* an operation, FROM_INITIAL or FROM_NOBODY */
};

struct enumeration {
    const struct space *space;
    void (*each)(const struct sketch *s, void *arg);
    void *arg;
    uint32_t n;
    uint32_t length[ENUMERATE_THREADS]; /* not ascending */
    uint32_t first[ENUMERATE_THREADS];  /* operation of the thread */
    struct choice op[ENUMERATE_MOST];
    struct sketch sketch;
    uint64_t count;
};

/* ---- renaming ---- */

struct renaming {
    uint8_t thread[ENUMERATE_THREADS]; /* the i-th thread of the image */
    uint8_t flip;                      /* of the variables */
};

static const uint8_t permutations[][ENUMERATE_THREADS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* The image's i-th operation, as a number. */
static uint32_t code_of(const struct choice *o, const struct renaming *r, const uint32_t *moved)
{
    uint32_t var = o->kind == SKETCH_FENCE ? 0 : o->var ^ r->flip;
    uint32_t source = o->source < 0 ? (uint32_t)(o->source + 2) : 2 + moved[o->source];
    if (!(o->kind & SKETCH_READ))
        source = 0;
    return ((o->kind * 2u + var) * 2u + o->pending) * 16u + source;
}

static void code(const struct enumeration *x, const struct renaming *r, uint32_t *out)
{
    uint32_t moved[ENUMERATE_MOST], at = 0;
    for (int i = 0; i < ENUMERATE_THREADS; i++)
        for (uint32_t j = 0; j < x->length[r->thread[i]]; j++)
            moved[x->first[r->thread[i]] + j] = at++;
    for (uint32_t o = 0; o < x->n; o++)
        out[moved[o]] = code_of(&x->op[o], r, moved);
}

static bool is_smallest(const struct enumeration *x)
{
    uint32_t own[ENUMERATE_MOST], other[ENUMERATE_MOST];
    code(x, &(struct renaming){{0, 1, 2}, 0}, own);
    for (size_t p = 0; p < sizeof permutations / sizeof *permutations; p++)
        for (uint8_t flip = 0; flip < ENUMERATE_VARS; flip++) {
            struct renaming r = {.flip = flip};
            memcpy(r.thread, permutations[p], sizeof r.thread);
            bool same_lengths = true;
            for (int i = 0; i < ENUMERATE_THREADS; i++)
                same_lengths &= x->length[r.thread[i]] == x->length[i];
            if (!same_lengths)
                continue;
            code(x, &r, other);
            for (uint32_t i = 0; i < x->n; i++)
                if (other[i] != own[i]) {
                    if (other[i] < own[i])
                        return false;
                    break;
                }
        }
    return true;
}

/* ---- choosing ---- */

static void hand_out(struct enumeration *x)
{
    int32_t written[ENUMERATE_VARS] = {0}, value[ENUMERATE_MOST];
    for (uint32_t i = 0; i < x->n; i++)
        value[i] = x->op[i].kind & SKETCH_WRITE ? ++written[x->op[i].var] : 0;
    x->sketch.n = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        const struct choice *o = &x->op[i];
        int32_t old = o->source >= 0 ? value[o->source] : o->source == FROM_NOBODY ? SKETCH_NOBODY : 0;
        sketch_add(&x->sketch, (struct sketch_op){.kind = o->kind,
                                                  .thread = o->thread,
                                                  .var = o->var,
                                                  .pending = o->pending,
                                                  .old = old,
                                                  .new = value[i]});
    }
    x->count++;
    x->each(&x->sketch, x->arg);
}

static void choose_pending(struct enumeration *x, int thread)
{
    if (thread == ENUMERATE_THREADS) {
        if (is_smallest(x))
            hand_out(x);
        return;
    }
    choose_pending(x, thread + 1);
    if (!x->space->pending || !x->length[thread])
        return;
    struct choice *last = &x->op[x->first[thread] + x->length[thread] - 1];
    if (last->kind == SKETCH_READ && last->source != FROM_INITIAL)
        return; /* a pending read has no result: one source stands for all */
    last->pending = true;
    choose_pending(x, thread + 1);
    last->pending = false;
}

static void choose_source(struct enumeration *x, uint32_t i)
{
    if (i == x->n) {
        choose_pending(x, 0);
        return;
    }
    struct choice *o = &x->op[i];
    o->source = FROM_INITIAL;
    choose_source(x, i + 1);
    if (!(o->kind & SKETCH_READ))
        return;
    for (int w = 0; w < (int)x->n; w++)
        if ((x->op[w].kind & SKETCH_WRITE) && x->op[w].var == o->var) {
            o->source = w;
            choose_source(x, i + 1);
        }
    if (x->space->nobody) {
        o->source = FROM_NOBODY;
        choose_source(x, i + 1);
    }
}

static void choose_kind(struct enumeration *x, uint32_t i)
{
    static const uint8_t kinds[] = {SKETCH_READ, SKETCH_WRITE, SKETCH_RMW, SKETCH_FENCE};
    if (i == x->n) {
        choose_source(x, 0);
        return;
    }
    for (int k = 0; k < (x->space->all_kinds ? 4 : 2); k++)
        for (uint8_t var = 0; var < (kinds[k] == SKETCH_FENCE ? 1 : ENUMERATE_VARS); var++) {
            x->op[i].kind = kinds[k];
            x->op[i].var = var;
            choose_kind(x, i + 1);
        }
}

static void choose_lengths(struct enumeration *x, int thread, uint32_t left)
{
    if (thread == ENUMERATE_THREADS) {
        if (!left)
            choose_kind(x, 0);
        return;
    }
    uint32_t most = thread && x->length[thread - 1] < left ? x->length[thread - 1] : left;
    for (uint32_t length = 0; length <= most; length++) {
        x->length[thread] = length;
        x->first[thread] = x->n - left;
        for (uint32_t i = 0; i < length; i++)
            x->op[x->first[thread] + i].thread = (uint8_t)thread;
        choose_lengths(x, thread + 1, left - length);
    }
}

uint64_t enumerate(const struct space *space, void (*each)(const struct sketch *s, void *arg), void *arg)
{
    struct enumeration x = {.space = space, .each = each, .arg = arg};
    for (x.n = 1; x.n <= space->most; x.n++)
        choose_lengths(&x, 0, x.n);
    sketch_free(&x.sketch);
    return x.count;
}
